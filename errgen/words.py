"""The words of findings: paths, types and choices flow in, phrases a catalog author understands flow out."""

import difflib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final

_MAX_SHOWN: Final = 60
_TYPES: Final = {
    "object": "a mapping",
    "array": "a list",
    "string": "text",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
}
_ENTRIES: Final = {
    "errors": "error {}",
    "categories": "category '{}'",
    "layers": "layer '{}'",
    "retry_policies": "retry policy '{}'",
    "operations": "operation '{}'",
    "translations": "translation '{}'",
}
_PARTS: Final = {
    "params": "param '{}'",
    "private_params": "private param '{}'",
    "examples": "example {}",
    "map": "the key '{}'",
}
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.-]+")


def describe(path: Sequence[str | int]) -> str:
    """Say where a value stands: ("errors", "TIMEOUT", "retry") is `retry of error TIMEOUT`."""
    match path:
        case ():
            return "the catalog"
        case (str(section), str(name)) if section in _ENTRIES:
            return _ENTRIES[section].format(shorten(name))
        case (_, _, str(part), step) if part in _PARTS:
            name = str(step + 1) if isinstance(step, int) else shorten(step)
            return f"{_PARTS[part].format(name)} of {describe(path[:2])}"
        case ("response", *_) if "fields" in path[1:-1] and path[-2] == "fields":
            names = ".".join(str(step) for step in path[path.index("fields") + 1 :: 2])
            return f"{'success' if path[1] == 'success' else 'response'} field '{shorten(names)}'"
    last, parent = path[-1], path[:-1]
    name = f"item {last + 1}" if isinstance(last, int) else shorten(last)
    name = name if isinstance(last, int) or _PLAIN.fullmatch(last) else f"'{name}'"
    return f"{name} of {describe(parent)}" if parent else name


def kind_of(value: Any) -> str:
    """Say what a value is, as YAML read it."""
    match value:
        case None:
            return "empty"
        case bool():
            return f"the boolean {str(value).lower()}"
        case int() | float():
            return f"the number {value}"
        case str():
            return f"the text '{shorten(value)}'"
        case list():
            return "a list"
        case _:
            return "a mapping"


def type_names(types: str | Iterable[str]) -> str:
    """Say which types are allowed."""
    return join_or([_TYPES[types]] if isinstance(types, str) else [_TYPES[name] for name in types])


def join_or(choices: Sequence[str]) -> str:
    """Join choices as a sentence does: `a, b or c`."""
    return " or ".join([", ".join(choices[:-1]), choices[-1]] if choices[1:] else choices)


def shorten(text: str) -> str:
    """Cut text to what fits in a sentence, and show what is not printable as its escape."""
    text = printable(text)
    return text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + "…"


def printable(text: str) -> str:
    """Return text with each character that is not printable as its escape, so that no finding moves a cursor."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def nearest(wanted: str, known: Collection[str]) -> str:
    """Return the known name that was probably meant, or nothing."""
    return Vocabulary(known).nearest(wanted)


def closest(wanted: str, known: Collection[str]) -> str:
    """Return `did you mean 'x'?` for the known name that was probably meant, or nothing."""
    return Vocabulary(known).closest(wanted)


class Vocabulary(Collection[str]):
    """Names among which misspelt ones are looked for, at a cost that does not grow with their number."""

    _FEW: Final = 100
    _ENOUGH: Final = 20
    _RAREST: Final = 8
    _BEST: Final = 5

    def __init__(self, names: Iterable[str]) -> None:
        """Keep the names, each once."""
        self._names = dict.fromkeys(names)
        self._by_fold: dict[str, str] = {}
        self._by_part: dict[str, list[str]] = {}
        self._found: dict[str, str] = {}

    def __contains__(self, name: object) -> bool:
        """Tell whether a name is known as it is written."""
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        """Yield the names in their order."""
        return iter(self._names)

    def __len__(self) -> int:
        """Count the names."""
        return len(self._names)

    def nearest(self, wanted: str) -> str:
        """Return the name that was probably meant, or nothing."""
        folded = wanted[:_MAX_SHOWN].casefold()
        if folded not in self._found:
            if not self._by_fold:
                self._by_fold = {name.casefold(): name for name in reversed(self._names)}
            near = difflib.get_close_matches(folded, self._candidates(folded), n=1, cutoff=0.6)
            self._found[folded] = self._by_fold[near[0]] if near else ""
        return self._found[folded]

    def closest(self, wanted: str) -> str:
        """Return `did you mean 'x'?` for the name that was probably meant, or nothing."""
        near = self.nearest(wanted)
        return f"did you mean '{near}'?" if near else ""

    def _candidates(self, folded: str) -> Collection[str]:
        """Return all names if they are few, else those that share most of the rarest parts of the wanted one."""
        if folded in self._by_fold:
            return [folded]
        if len(self._by_fold) <= self._FEW:
            return self._by_fold
        if not self._by_part:
            for name in self._by_fold:
                for part in _parts(name):
                    self._by_part.setdefault(part, []).append(name)
        groups = sorted(
            (self._by_part[part] for part in _parts(folded) if part in self._by_part), key=len
        )
        shared = Counter(name for group in groups[: self._RAREST] for name in group[: self._ENOUGH])
        return [name for name, _ in shared.most_common(self._BEST)]


def _parts(name: str) -> dict[str, None]:
    return dict.fromkeys(name[start : start + 3] for start in range(max(1, len(name) - 2)))
