"""Hold data against the catalog's JSON Schema: data flows in, a problem for each mistake flows out.

A schema validator says one mistake in several ways, of which one is left here.
"""

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from errgen.compiled import accepts, schema, suspects
from errgen.words import nearest

if TYPE_CHECKING:
    from errgen.strict import ValidationError

Path: TypeAlias = tuple[str | int, ...]

MISSING: Final = "required"
UNKNOWN: Final = "additionalProperties"
MISPLACED: Final = "misplaced"


@dataclass(frozen=True, slots=True)
class Problem:
    """A value, or with `key` a key of the mapping at `path`, that the keyword `kind` of `schema` refuses.

    `found` is what is refused; of a missing or unknown key the mapping, of a misplaced one the entry above it. What an
    alias repeats is a problem in each place, and all but the first are repeated.
    """

    path: Path
    key: str | None
    kind: str
    found: Any
    schema: Mapping[str, Any]
    is_repeated: bool = False

    @property
    def place(self) -> Path:
        """Return the path of what is refused: of the key, or of the value."""
        return self.path if self.key is None else (*self.path, self.key)


def problems(data: Any) -> tuple[Problem, ...]:
    """Return a problem for each mistake in the shape of the data."""
    if accepts(data):
        return ()
    # Only what is refused needs a validator, whose import costs more than the look at a small catalog.
    from errgen.strict import validator

    found = _one_a_place(map(_problem, validator().iter_errors(suspects(data))))
    explained = _explained(tuple(_misplaced(data, found)))
    return tuple(_repeats_marked(data, explained))


def _problem(error: "ValidationError") -> Problem:
    path: Path = tuple(error.absolute_path)
    schema: Any = error.schema
    if error.validator in (MISSING, UNKNOWN):
        return Problem(path, error.message, str(error.validator), error.instance, schema)
    key = str(error.instance) if "propertyNames" in error.absolute_schema_path else None
    return Problem(path, key, str(error.validator), error.instance, schema)


def _one_a_place(found: Iterable[Problem]) -> tuple[Problem, ...]:
    """Leave one problem of each value or key: that of its type first, that of its form last."""
    kept: dict[tuple[Path, bool], Problem] = {}
    for item in found:
        place = (item.place, item.key is None)
        if place not in kept or _rank(item) < _rank(kept[place]):
            kept[place] = item
    return tuple(kept.values())


def _repeats_marked(data: Any, found: Iterable[Problem]) -> Iterator[Problem]:
    """Mark what was found already where the anchor of an alias stands, or of the key above."""
    seen: set[tuple[Any, ...]] = set()
    for item in found:
        owner: Any = data
        for step in item.place[:-1]:
            owner = owner[step]
        # Of several keys that stand beside their entry the first says enough.
        last = item.found if item.kind == MISPLACED else item.place[-1:]
        subject = (id(owner), last, item.key is None)
        yield replace(item, is_repeated=subject in seen)
        seen.add(subject)


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
    match item.place:
        case (str(section), str(name)) if name in _entry_keys(section):
            return item.key is not None or item.kind == "type"
        case _:
            return False


def _explained(found: tuple[Problem, ...]) -> Iterator[Problem]:
    """Leave out what is missing only because it is misspelt, or stands beside its entry."""
    others: dict[Path, list[str]] = {}
    for item in found:
        if item.kind in (UNKNOWN, MISPLACED):
            owner = item.path if item.kind == UNKNOWN else (*item.path, item.found)
            others.setdefault(owner, []).append(str(item.key))
    for item in found:
        keys = others.get(item.path, ())
        is_emptied = bool(keys) and item.kind == "type" and item.found is None
        if not is_emptied and not (item.kind == MISSING and nearest(str(item.key), keys)):
            yield item


def _above(data: Any, section: str, stray: str) -> str:
    """Return the name of the entry above a misplaced key, to which it probably belongs, or nothing."""
    keys, names = _entry_keys(section), list(data[section])
    return next((name for name in reversed(names[: names.index(stray)]) if name not in keys), "")


@functools.cache
def _entry_keys(section: str) -> frozenset[str]:
    """Return the keys of an entry of a section that holds named entries."""
    entries = schema()["properties"].get(section, {}).get("additionalProperties") or {}
    return frozenset(entries.get("properties", ()))
