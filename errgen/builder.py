"""Build data out of YAML: text flows in; mappings and lists that know where their parts stand flow out, with findings.

A finding that leaves the data usable is collected, and the likeliest meaning stands in for what it refuses.
"""

from collections.abc import Callable
from typing import Any, Final

import yaml

from errgen.codes import DiagnosticCode as Code
from errgen.diagnostics import CatalogError, Diagnostic, Location, finding
from errgen.nodes import Map, Mark, Seq
from errgen.scalars import AMBIGUOUS, likely, resolve
from errgen.words import shorten

MAX_DEPTH: Final = 64
MAX_NODES: Final = 2_000_000
MAX_ALIASED: Final = 100_000

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MERGE: Final = "<<"
_STANDARD: Final = "tag:yaml.org,2002:"
# Text counts as a value for each so many characters, so that an alias to a long text costs what it weighs.
_WEIGHT: Final = 100


class Builder:
    """Builds the data of one file from the parser's events in one pass."""

    def __init__(self, shown: str) -> None:
        """Begin with nothing; findings will name the file `shown`."""
        self.problems: list[Diagnostic] = []
        self.root: Any = None
        self.documents = 0
        self._shown = shown
        self._into: Map | Seq | None = None
        self._key: str | None = None
        self._key_mark: Mark = (1, 1)
        self._is_repeated = False
        self._open: list[tuple[Map | Seq | None, str | None, int, int]] = []
        # Of each anchor: the value, its size once it is whole, and how many levels it has.
        self._anchors: dict[str, tuple[Any, int | None, int]] = {}
        self._nodes = self._size = self._aliased = self._levels = 0

    def run(self, text: str) -> None:
        """Build the data of a text. Raises CatalogError, or yaml.MarkedYAMLError where the text is not YAML."""
        handlers: dict[type, Callable[[Any], None]] = {
            yaml.ScalarEvent: self._scalar,
            yaml.MappingStartEvent: lambda event: self._begin(event, Map(), {}),
            yaml.SequenceStartEvent: lambda event: self._begin(event, Seq(), []),
            yaml.MappingEndEvent: self._end,
            yaml.SequenceEndEvent: self._end,
            yaml.AliasEvent: self._alias,
            yaml.DocumentStartEvent: self._document,
        }
        loader = _Loader(text)
        try:
            for event in iter(loader.get_event, None):
                if handler := handlers.get(type(event)):
                    handler(event)
        finally:
            loader.dispose()

    def _note(self, code: Code, event: Any, **params: Any) -> None:
        line, column = _mark(event)
        self.problems.append(finding(code, Location(self._shown, line, column), **params))

    def _refuse(self, code: Code, event: Any, **params: Any) -> CatalogError:
        self._note(code, event, **params)
        return CatalogError(self.problems)

    def _document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            raise self._refuse(Code.DOCUMENT_COUNT, event, count="more than one")

    @property
    def _wants_key(self) -> bool:
        return isinstance(self._into, Map) and self._key is None

    def _count(self, event: Any, weight: int) -> None:
        if event.tag is not None:
            self._note(Code.TAG, event, tag=shorten(event.tag.replace(_STANDARD, "!!", 1)))
        self._nodes += 1
        self._size += weight
        if self._nodes > MAX_NODES:
            raise self._refuse(
                Code.UNREADABLE, event, reason=f"it holds more than {MAX_NODES} values"
            )

    def _scalar(self, event: Any) -> None:
        text, weight = event.value, 1 + len(event.value) // _WEIGHT
        self._count(event, weight)
        if self._wants_key:
            if event.anchor is not None:
                self._anchors[event.anchor] = (text, weight, 0)
            self._take_key(event, text)
            return
        value = text if event.style else self._resolve(event, text)
        if event.anchor is not None:
            self._anchors[event.anchor] = (value, weight, 0)
        self._add(value, _mark(event))

    def _take_key(self, event: Any, key: str) -> None:
        plain = key if event.style else resolve(key)
        if not isinstance(plain, str | int) or isinstance(plain, bool):
            self._note(Code.KEY_NOT_TEXT, event, key=shorten(key) or "nothing")
        container = self._into
        assert isinstance(container, Map)
        self._key, self._key_mark, self._is_repeated = key, _mark(event), key in container
        if key == _MERGE:
            self._note(Code.MERGE_KEY, event)
        elif self._is_repeated:
            self._repeat(container, key)

    def _repeat(self, container: Map, key: str) -> None:
        first, again = (
            Location(self._shown, *mark) for mark in (container.marks[key][0], self._key_mark)
        )
        self.problems.append(
            finding(Code.DUPLICATE_KEY, again, key=shorten(key), line=first.line, related=[first])
        )

    def _resolve(self, event: Any, text: str) -> Any:
        value = resolve(text)
        if value is not AMBIGUOUS:
            return value
        number = likely(text)
        remedy = "" if number is None else f'write {number} for the number or "{text}" for the text'
        self._note(Code.AMBIGUOUS_NUMBER, event, text=shorten(text), help=remedy)
        return number or 0

    def _begin(self, event: Any, container: Any, marks: Any) -> None:
        if self._wants_key:
            raise self._refuse(Code.KEY_NOT_TEXT, event, key="a list or mapping")
        if len(self._open) >= MAX_DEPTH:
            raise self._refuse(Code.TOO_DEEP, event, limit=MAX_DEPTH)
        container.marks, container.start = marks, _mark(event)
        if event.anchor is not None:
            self._anchors[event.anchor] = (container, None, 0)
        self._open.append((self._into, event.anchor, self._size, self._levels))
        self._levels = 0
        self._count(event, 1)
        container = self._add(container, container.start)
        self._into, self._key = container, None

    def _end(self, _event: Any) -> None:
        closed = self._into
        levels = self._levels + 1
        self._into, anchor, before, beside = self._open.pop()
        self._levels = max(levels, beside)
        if isinstance(closed, Map) and _MERGE in closed:
            at, bases = closed.marks.pop(_MERGE), closed.pop(_MERGE)
            for base in bases if isinstance(bases, Seq) else (bases,):
                if isinstance(base, Map):
                    closed.absorb(base, at)
        if anchor is not None:
            self._anchors[anchor] = (closed, self._size - before, levels)

    def _alias(self, event: Any) -> None:
        name = shorten(event.anchor)
        if self._wants_key:
            raise self._refuse(Code.KEY_NOT_TEXT, event, key=f"*{name}", help="write the key out")
        if event.anchor not in self._anchors:
            raise self._refuse(
                Code.ALIAS, event, name=name, reason="no such anchor stands above it"
            )
        value, size, levels = self._anchors[event.anchor]
        if size is None:
            raise self._refuse(Code.ALIAS, event, name=name, reason="it contains itself")
        if len(self._open) + levels > MAX_DEPTH:
            raise self._refuse(Code.TOO_DEEP, event, limit=MAX_DEPTH)
        self._levels = max(self._levels, levels)
        self._size += size
        self._aliased += size
        if self._aliased > MAX_ALIASED:
            reason = f"aliases would repeat more than {MAX_ALIASED} values"
            raise self._refuse(Code.ALIAS, event, name=name, reason=reason)
        self._add(value, _mark(event))

    def _add(self, value: Any, mark: Mark) -> Any:
        """Put a value where it belongs, and return it, or what goes on in its place."""
        container, key = self._into, self._key
        if isinstance(container, Seq):
            container.append(value)
            container.marks.append(mark)
        elif container is None:
            self.root = value
        elif key is not None:
            self._key = None
            if self._is_repeated:
                # Two sections of one name are read as one, so that nothing in the second seems to be missing; not
                # where an alias in the second might stand for the first.
                kept = container[key]
                is_section = (
                    container is self.root
                    and not self._anchors
                    and type(kept) is type(value)
                    and isinstance(kept, Map | Seq)
                )
                return kept if is_section else value
            container[key] = value
            container.marks[key] = (self._key_mark, mark)
        return value


def _mark(event: Any) -> Mark:
    return event.start_mark.line + 1, event.start_mark.column + 1
