"""The environment of templates: folders flow in, a sandbox flows out that ends whatever would not end by itself."""

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import jinja2
from jinja2 import nodes
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from errgen.bytecode import Bytecode
from errgen.faults import Undefined

# Ten thousand codes need a hundredth of the first and a tenth of the second.
MAX_STEPS: Final = 20_000_000
MAX_CHARACTERS: Final = 256 * 1024 * 1024
# Ten thousand codes need a twentieth of this, in bytes.
MAX_MEMORY: Final = 2 * 1024**3
_STAND_IN: Final = re.compile(
    r"^(?: *\*{0,2}|def )__settled_([0-9]+)__(?:,|\(\):\n    pass)?\n(?: *\*__settled_\1__,\n)?",
    re.MULTILINE,
)
_MAX_REPEATED: Final = 1_000_000


@contextmanager
def _bounded_memory() -> Iterator[None]:
    """Let the process take so much more memory and no more, where the system can see to that (Linux)."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        limits = resource.getrlimit(resource.RLIMIT_AS)
    except (ImportError, OSError):
        yield
        return
    wanted = pages * resource.getpagesize() + MAX_MEMORY
    softer = [limit for limit in limits if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min([wanted, *softer]), limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)


def _joined(parts: Iterable[str], most: int) -> str:
    """Join the parts of an output. Raises SecurityError for more characters than are left."""
    kept: list[str] = []
    for part in parts:
        most -= len(part)
        if most < 0:
            message = f"the output is longer than {MAX_CHARACTERS} characters"
            raise SecurityError(message)
        kept.append(part)
    return "".join(kept)


class _Folder(jinja2.FileSystemLoader):
    """A folder of templates, out of which no link leads."""

    def get_source(
        self, environment: jinja2.Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        """Return a template of the folder. Raises TemplateNotFound, for what lies elsewhere too."""
        text, file, is_fresh = super().get_source(environment, template)
        if not any(
            Path(file).resolve().is_relative_to(Path(folder).resolve())
            for folder in self.searchpath
        ):
            raise jinja2.TemplateNotFound(template)
        return text, file, is_fresh


class Sandbox(ImmutableSandboxedEnvironment):
    """Jinja's sandbox with an end: loops are counted, output is measured, products are bounded."""

    intercepted_binops = frozenset(("*", "**"))

    def __init__(self, templates: Sequence[Path]) -> None:
        """Take templates from folders, and from nowhere else."""
        super().__init__(
            loader=jinja2.ChoiceLoader([_Folder(folder) for folder in templates]),
            undefined=Undefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            extensions=["jinja2.ext.loopcontrols"],
            bytecode_cache=Bytecode(),
        )
        self.filters["counted"] = self._counted
        self.filters["settled"] = self._settle
        # It makes text of any length, and differently each time.
        del self.globals["lipsum"]
        self._steps = 0
        self._rows: list[str] = []

    def text_of(self, template: str, context: Mapping[str, Any]) -> str:
        """Render a template. Raises SecurityError for one that does not end, beside what templates raise."""
        (text,) = self.texts_of(template, [context])
        return text

    def texts_of(
        self, template: str, contexts: Iterable[Mapping[str, Any]]
    ) -> Generator[str, None, None]:
        """Render a template once for each context, within the bounds of one; `restored` is meant for the last text."""
        self._steps = size = 0
        try:
            with _bounded_memory():
                made = self.get_template(template)
                for context in contexts:
                    self._rows = []
                    text = _joined(made.generate(context), MAX_CHARACTERS - size)
                    size += len(text)
                    yield text
        except MemoryError as error:
            message = f"it takes more memory than {MAX_MEMORY >> 30} GB"
            # Where in the template it happened is in the traceback.
            raise SecurityError(message).with_traceback(error.__traceback__) from None

    def _settle(self, rows: str, unpacked: str = "") -> str:
        """Keep rows that no formatter changes out of its sight: return a stand-in of their kind for them."""
        if not rows:
            return ""
        indent = rows[: len(rows) - len(rows.lstrip(" "))]
        self._rows.append(f"{rows.rstrip(chr(10))}\n")
        name = f"__settled_{len(self._rows) - 1}__"
        if indent:
            line = f"{indent}{unpacked}{name}{unpacked and ','}\n"
            # A tuple of one element would be written on one line.
            return line * 2 if unpacked == "*" else line
        return f"def {name}():\n    pass\n"

    def restored(self, text: str) -> str:
        """Return what was made of the last template's text, with its rows in the place of their stand-ins."""
        return _STAND_IN.sub(lambda found: self._rows[int(found[1])], text) if self._rows else text

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Work out a product or a power. Raises SecurityError for one that is larger than any text needs."""
        if operator == "**":
            message = "templates have no powers"
            raise SecurityError(message)
        for text, times in ((left, right), (right, left)):
            is_repeated = isinstance(text, Sequence) and isinstance(times, int)
            if is_repeated and len(text) * times > _MAX_REPEATED:
                message = f"a text is repeated to more than {_MAX_REPEATED} characters"
                raise SecurityError(message)
        return super().call_binop(context, operator, left, right)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        for loop in tree.find_all(nodes.For):
            loop.iter = nodes.Filter(
                loop.iter, "counted", [], [], None, None, lineno=loop.iter.lineno
            )
        return tree

    def _counted(self, items: Iterable[Any]) -> Iterable[Any]:
        """Count what all loops of a template run through, of a list all at once."""
        if isinstance(items, Sequence | Mapping):
            self._count(len(items))
            return items
        return self._counted_one_by_one(items)

    def _counted_one_by_one(self, items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            self._count(1)
            yield item

    def _count(self, steps: int) -> None:
        self._steps += steps
        if self._steps > MAX_STEPS:
            message = f"the loops take more than {MAX_STEPS} steps"
            raise SecurityError(message)
