"""What has changed between two catalogs: raw data of both flows in, changes with their levels flow out."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from errgen.canonical import canonical
from errgen.compatibility import TABLE, level_of
from errgen.levels import Change, Level, sources
from errgen.matching import held, pairs, partner
from errgen.reservations import retired
from errgen.signatures import calls
from errgen.words import shorten

Path: TypeAlias = tuple[str | int, ...]

_SECTIONS: Final = {
    "layers": "layer",
    "categories": "category",
    "retry_policies": "retry_policy",
    "operations": "operation",
    "translations": "translation",
    "params": "param",
    "private_params": "param",
    "fields": "field",
}
_LISTS: Final = ("aliases", "examples", "see_also", "tags")
_FORMAT: Final = ("errgen", "version")


@dataclass(frozen=True, slots=True)
class Delta:
    """One change: where (`path` in the newer catalog, or in the older one of what is gone), from what, to what."""

    level: Level
    path: Path
    old: Any
    new: Any
    note: str = ""

    @property
    def kind(self) -> str:
        """Return added, removed or changed."""
        return "added" if self.old is None else "removed" if self.new is None else "changed"


class _Sides:
    """Both catalogs, and how a change between them is judged."""

    def __init__(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
        self.old, self.new = old, new

    def judge(self, key: str, path: Path, old: Any, new: Any, note: str = "") -> Delta:
        last = str(path[-1]) if path else ""
        row = "x-*" if last.startswith("x-") else key
        change = Change(path, old, new, self.old, self.new)
        return Delta(level_of(row, change), path, old, new, note)


def compare(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[Delta, ...]:
    """Return every change from one valid catalog to another, the worst first, then in order of place."""
    sides = _Sides(canonical(old), canonical(new))
    found = [
        *_mapping(sides, "", (), _rest(sides.old), _rest(sides.new)),
        *_response(sides),
        *(
            Delta(
                Level.SOURCE, call.path, list(call.old) or None, list(call.new) or None, call.note
            )
            for call in calls(sides.old, sides.new)
        ),
        *_ranges(sides),
        *_reserved(sides),
        *_errors(sides),
    ]
    return tuple(sorted(found, key=lambda item: (item.level.rank, tuple(map(str, item.path)))))


def _rest(side: Mapping[str, Any]) -> dict[str, Any]:
    apart = ("errors", "ranges", "reserved", "response", *_FORMAT)
    return {key: value for key, value in side.items() if key not in apart}


def _mapping(
    sides: _Sides, kind: str, path: Path, old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[Delta]:
    """Compare what has the keys of a kind of entry."""
    for key in {**old, **new}:
        row, place = f"{kind}.{key}" if kind else key, (*path, key)
        before, after = old.get(key), new.get(key)
        if before == after:
            continue
        if key in _SECTIONS and not key.startswith("x-"):
            rows = "fields.*" if key == "fields" else f"{row}.*"
            yield from _entries(sides, rows, place, before or {}, after or {})
        elif key in _LISTS:
            yield from _list(sides, f"{row}.*", place, before or [], after or [])
        elif row not in TABLE and not key.startswith("x-"):
            yield from _group(sides, row, place, before or {}, after or {})
        else:
            yield sides.judge(row, place, before, after)


def _group(
    sides: _Sides, row: str, path: Path, old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[Delta]:
    """Compare keys that stand together: `limits`, `recovery`, `deprecated`, and maps with keys of the user."""
    for key in {**old, **new}:
        if old.get(key) != new.get(key):
            free = f"{row}.*"
            kind = free if free in TABLE else f"{row}.{key}"
            yield sides.judge(kind, (*path, key), old.get(key), new.get(key))


def _entries(
    sides: _Sides,
    row: str,
    path: Path,
    old: Mapping[str, Any],
    new: Mapping[str, Any],
) -> Iterator[Delta]:
    kind = _SECTIONS[str(path[-1])]
    for name in {**old, **new}:
        before, after = old.get(name), new.get(name)
        if before is None or after is None:
            yield sides.judge(row, (*path, name), before, after)
        else:
            yield from _mapping(sides, kind, (*path, name), before, after)


def _list(
    sides: _Sides, row: str, path: Path, old: Iterable[Any], new: Iterable[Any]
) -> Iterator[Delta]:
    """Compare a list in which the order says nothing; what is gone has the place of the whole list."""
    old, new = list(old), list(new)
    yield from (sides.judge(row, path, item, None) for item in old if item not in new)
    for index, item in enumerate(new):
        if item not in old:
            yield sides.judge(row, (*path, index), None, item)


def _response(sides: _Sides) -> Iterator[Delta]:
    old, new = sides.old.get("response"), sides.new.get("response")
    if (old is None) != (new is None):
        yield sides.judge("response", ("response",), old, new)
    if old is None or new is None:
        return
    success = old.get("success"), new.get("success")
    bare = [{key: side[key] for key in side if key != "success"} for side in (old, new)]
    yield from _mapping(sides, "response", ("response",), *bare)
    if None in success:
        if success != (None, None):
            yield sides.judge("response.success", ("response", "success"), *success)
    else:
        yield from _mapping(sides, "response.success", ("response", "success"), *success)


def _ranges(sides: _Sides) -> Iterator[Delta]:
    def named(side: Mapping[str, Any]) -> dict[Any, tuple[int, Mapping[str, Any]]]:
        items = enumerate(side.get("ranges", []))
        return {item.get("first", item.get("prefix")): (index, item) for index, item in items}

    old, new = named(sides.old), named(sides.new)
    for key in {**old, **new}:
        index, after = new.get(key, (None, None))
        before = old[key][1] if key in old else None
        place: Path = ("ranges",) if index is None else ("ranges", index)
        if before is None or after is None:
            yield sides.judge("ranges.*", place, before, after)
        else:
            yield from _mapping(sides, "range", place, before, after)


def _reserved(sides: _Sides) -> Iterator[Delta]:
    old, new = sides.old.get("reserved", []), sides.new.get("reserved", [])
    partners = {index: partner(item, new) for index, item in enumerate(old)}
    for index, item in enumerate(old):
        place = partners[index]
        if place is not None:
            yield from _mapping(sides, "reservation", ("reserved", place), item, new[place])
        elif held(item, new):
            yield Delta(Level.NOTE, ("reserved",), item, None, "a wider reservation holds it")
        else:
            note = "what it held can be used again"
            yield sides.judge("reserved.*", ("reserved",), item, None, note)
    for index, item in enumerate(new):
        if index not in partners.values():
            yield sides.judge("reserved.*", ("reserved", index), None, item)


def _errors(sides: _Sides) -> Iterator[Delta]:
    names = pairs(sides.old["errors"], sides.new["errors"])
    for name, body in sides.old["errors"].items():
        after = names.get(name)
        if after is None:
            gone = sides.judge("errors.*", ("errors", name), {**body, "name": name}, None)
            note = "" if gone.level is Level.WIRE else retired(sides.new, name)
            yield replace(gone, old=body, note=note)
            continue
        seen = {body["visibility"], sides.new["errors"][after]["visibility"]}
        for delta in _error(sides, name, after):
            # Nobody outside has ever seen an internal error, only what conceals it.
            is_seen = "public" in seen or delta.path[2:] == ("conceal_as",)
            is_inside = not is_seen and delta.level in (Level.WIRE, Level.BODY)
            yield replace(delta, level=Level.NOTE) if is_inside else delta
    known = set(names.values())
    for name, body in sides.new["errors"].items():
        if name not in known:
            yield sides.judge("errors.*", ("errors", name), None, body)


def _error(sides: _Sides, old_name: str, new_name: str) -> Iterator[Delta]:
    old, new = sides.old["errors"][old_name], sides.new["errors"][new_name]
    path: Path = ("errors", new_name)
    if old_name != new_name:
        yield _renamed(sides, old_name, new_name, path)
    old, new = ({**body} for body in (old, new))
    if _is_implied(sides, old, new):
        del old["safe_to_retry"], new["safe_to_retry"]
    new["aliases"] = [name for name in new.get("aliases", []) if name != old_name]
    old["aliases"] = [name for name in old.get("aliases", []) if name != new_name]
    yield from _mapping(sides, "error", path, old, new)


def _is_implied(sides: _Sides, old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Tell whether a change of safe_to_retry is told already: of the policy, or by another retryable."""
    policies = [
        side["retry_policies"][body["retry"]] for side, body in ((sides.old, old), (sides.new, new))
    ]
    inherits = all(
        body["safe_to_retry"] == policy["safe_to_retry"]
        for body, policy in zip((old, new), policies, strict=True)
    )
    is_told = old["retry"] == new["retry"] or policies[0]["retryable"] != policies[1]["retryable"]
    return inherits and is_told


def _renamed(sides: _Sides, old: str, new: str, path: Path) -> Delta:
    kept = old in sides.new["errors"][new].get("aliases", [])
    is_sent = "name" in sources(sides.old.get("response", {}).get("fields", {}))
    level = Level.BODY if is_sent else Level.COMPATIBLE if kept else Level.SOURCE
    note = f"renamed; {shorten(old)} stays as an alias" if kept else "renamed without an alias"
    return Delta(level, path, old, new, note)
