"""Hold data against the catalog's JSON Schema: data flows in, a problem for each mistake flows out.

A schema validator says one mistake in several ways and once for every place that an alias repeats it; here one is left.
"""

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from errgen.strict import ValidationError, validator
from errgen.words import nearest

Path: TypeAlias = tuple[str | int, ...]

MISSING: Final = "required"
UNKNOWN: Final = "additionalProperties"
MISPLACED: Final = "misplaced"


@dataclass(frozen=True, slots=True)
class Problem:
    """A value, or with `key` a key of the mapping at `path`, that the keyword `kind` of `schema` refuses.

    `found` is what is refused; of a missing or unknown key the mapping, of a misplaced one the entry above it.
    """

    path: Path
    key: str | None
    kind: str
    found: Any
    schema: Mapping[str, Any]

    @property
    def place(self) -> Path:
        """Return the path of what is refused: of the key, or of the value."""
        return self.path if self.key is None else (*self.path, self.key)


def problems(data: Any) -> tuple[Problem, ...]:
    """Return a problem for each mistake in the shape of the data."""
    found = tuple(_once(data, map(_problem, validator().iter_errors(data))))
    return tuple(_explained(tuple(_misplaced(data, found))))


def _problem(error: ValidationError) -> Problem:
    path: Path = tuple(error.absolute_path)
    schema: Any = error.schema
    if error.validator in (MISSING, UNKNOWN):
        return Problem(path, error.message, str(error.validator), error.instance, schema)
    key = str(error.instance) if "propertyNames" in error.absolute_schema_path else None
    return Problem(path, key, str(error.validator), error.instance, schema)


def _once(data: Any, found: Iterable[Problem]) -> Iterator[Problem]:
    """Pass one problem for each thing refused: of a value its type first and its form last, of an alias the first use."""
    kept: dict[tuple[Any, ...], Problem] = {}
    for item in found:
        owner: Any = data
        for step in item.place[:-1]:
            owner = owner[step]
        subject = (id(owner), *item.place[-1:], item.key is None)
        if subject not in kept or _rank(item) < _rank(kept[subject]):
            kept[subject] = item
    yield from kept.values()


def _rank(item: Problem) -> int:
    return {"type": 0, "pattern": 2}.get(item.kind, 1)


def _misplaced(data: Any, found: tuple[Problem, ...]) -> Iterator[Problem]:
    """Recognise keys of an entry that stand beside the entries, and leave out what follows from a refused key."""
    keys = {item.place for item in found if item.key is not None}
    strays = dict.fromkeys(item.place for item in found if _is_stray(item))
    for section, name in strays:
        yield Problem((section,), str(name), MISPLACED, _above(data, str(section), str(name)), {})
    for item in found:
        follows = item.path in keys and item.key is None
        if not follows and item.place not in strays and item.path[:2] not in strays:
            yield item


def _is_stray(item: Problem) -> bool:
    if len(item.place) != 2 or item.place[1] not in _entry_keys(str(item.place[0])):  # noqa: PLR2004 - section and name
        return False
    return item.key is not None or item.kind == "type"


def _explained(found: tuple[Problem, ...]) -> Iterator[Problem]:
    """Leave out what is missing only because it is misspelt, or stands beside its entry."""
    others: dict[Path, list[str]] = {}
    for item in found:
        if item.kind in (UNKNOWN, MISPLACED):
            owner = item.path if item.kind == UNKNOWN else (*item.path, item.found)
            others.setdefault(owner, []).append(str(item.key))
    for item in found:
        if item.kind != MISSING or not nearest(str(item.key), others.get(item.path, ())):
            yield item


def _above(data: Any, section: str, stray: str) -> str:
    """Return the name of the entry above a misplaced key, to which it probably belongs, or nothing."""
    keys, names = _entry_keys(section), list(data[section])
    return next((name for name in reversed(names[: names.index(stray)]) if name not in keys), "")


@functools.cache
def _entry_keys(section: str) -> frozenset[str]:
    """Return the keys of an entry of a section that holds named entries."""
    schema = validator().schema
    entries = schema["properties"].get(section, {}).get("additionalProperties") or {}
    return frozenset(schema["$defs"].get(entries.get("$ref", "").rpartition("/")[2], {}).get("properties", ()))
