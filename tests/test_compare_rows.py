"""Every key of the format, changed alone, yields the level of its row; keys and values come from the schema."""

import copy
import json
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, TypeAlias

import pytest
import yaml
from fragments import FULL
from hypothesis import given, settings
from hypothesis import strategies as st
from support import CATALOGS

from errgen.canonical import canonical
from errgen.compare import Delta, compare
from errgen.compatibility import TABLE
from errgen.levels import Level
from errgen.resources import catalog_schema
from errgen.source import load

Path: TypeAlias = tuple[Any, ...]

_SCHEMA: Final[Any] = json.loads(catalog_schema())
_KINDS: Final = {
    "layers": "layer",
    "categories": "category",
    "ranges": "range",
    "retry_policies": "retry_policy",
    "operations": "operation",
    "translations": "translation",
    "reserved": "reservation",
    "errors": "error",
}
_REFERENCES: Final = {
    "category.layer": "layers",
    "category.retry": "retry_policies",
    "range.category": "categories",
    "translation.map.*": "errors",
    "translation.default": "errors",
    "reservation.replaced_by": "errors",
    "error.category": "categories",
    "error.retry": "retry_policies",
    "error.conceal_as": "errors",
    "error.deprecated.replaced_by": "errors",
}
# What no change of one key can show: the format's own keys, and what tells entries of a list apart.
_UNTOLD: Final = {"errgen", "version", "range.first", "range.prefix"}
_ONLY: Final = {
    "range.last": {"changed"},
    "reservation.code": {"added", "removed", "changed"},
    "reservation.name": {"added", "removed", "changed"},
    "reservation.first": {"changed"},
    "reservation.last": {"changed"},
    "reservation.prefix": {"added", "removed", "changed"},
    "fields.*": {"added", "removed"},
    "response": {"added", "removed"},
    "response.success": {"added", "removed"},
    # Given by what else the entry has, and never both.
    "field.from": {"added", "removed", "changed"},
    "field.value": {"added", "removed", "changed"},
    "field.type": {"added", "removed", "changed"},
}


def full() -> Any:
    """Return a catalog that has every key of the format, each where nothing else depends on it."""
    data = json.loads(json.dumps(yaml.safe_load(FULL)))
    data["categories"]["spare"] = {
        "title": "S",
        "description": "d",
        "layer": "tool",
        "retry": "never",
    }
    data["layers"]["idle"] = {"enum": "IdleCode", "code": "string"}
    data["layers"]["tool"] |= {"title": "T", "description": "d", "profile": "jsonrpc-2.0"}
    data["reserved"] += [{"code": 2006, "name": "OTHER", "prefix": "OT", "reason": "r"}]
    data["response"]["fields"]["more"] = {
        "from": "name",
        "value": 1,
        "type": "any",
        "description": "d",
    }
    for name in ("map", "fill"):
        data["translations"]["http"][name] |= (
            {"500": "NOT_FOUND"} if name == "map" else {"b": "status"}
        )
    return data


_DATAS: Final = {
    "full": full(),
    "reference": json.loads(json.dumps(load(CATALOGS["reference"], "c").data)),
}


def nodes(node: Any, prefix: str) -> Iterator[tuple[str, Any, bool]]:
    """Yield the row, the schema, and whether it is required, of every key below a part of the schema."""
    for key, value in node.get("properties", {}).items():
        row = f"{prefix}.{key}" if prefix else key
        reference = value.get("$ref", "").removeprefix("#/$defs/")
        target = {**_SCHEMA["$defs"].get(reference, value)}
        if reference == "fields":
            continue
        inner = [(f"{row}.*", {}, False)] if reference == "params" else [*nodes(target, row)]
        yield from inner or [(row, target, key in node.get("required", ()))]
        if row in ("response", "response.success"):
            yield row, target, False
    for value in (node.get("additionalProperties"), node.get("items")):
        if isinstance(value, dict):
            yield f"{prefix}.*", value, False


def every_node() -> Iterator[tuple[str, Any, bool]]:
    """Yield every key of the format once."""
    yield from nodes(_SCHEMA, "")
    for kind in (*_KINDS.values(), "field"):
        yield from nodes(_SCHEMA["$defs"][kind], kind)
    yield from nodes(_SCHEMA["$defs"]["params"]["additionalProperties"], "param")
    yield from (("fields.*", {}, False), ("x-*", {}, False))


_NODES: Final = {row: (node, is_required) for row, node, is_required in every_node()}


def test_every_key_of_the_format_has_a_row_and_no_other_has() -> None:
    assert set(_NODES) == set(TABLE)


def row_of(path: Path) -> str:
    """Return the row of the table for a path of a catalog."""
    if any(str(step).startswith("x-") for step in path):
        return "x-*"
    if "fields" in path:
        inner = path[len(path) - path[::-1].index("fields") :]
        return ("fields", "fields.*", f"field.{'.'.join(map(str, inner[1:]))}")[min(len(inner), 2)]
    match path:
        case ("errors", _, "params" | "private_params", _, key):
            return f"param.{key}"
        case (str(section), _, key, *rest) if section in _KINDS:
            row = f"{_KINDS[section]}.{key}"
            return (
                f"{row}.{rest[0]}"
                if rest and f"{row}.*" not in TABLE
                else f"{row}.*" if rest else row
            )
        case (str(section), _) if f"{section}.*" in TABLE:
            return f"{section}.*"
        case _:
            return ".".join(map(str, path))


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path of every key that has a row, and of every item of a list that has one."""
    if path and row_of(path) in TABLE:
        yield path
        if row_of(path) == "x-*":
            return
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*path, index))


def at(data: Any, path: Path) -> Any:
    """Return the value at a path, or None."""
    for step in path:
        data = data[step] if isinstance(data, list) else data.get(step, {})
    return data


def without(data: Any, path: Path) -> Any:
    """Return a catalog without a key."""
    newer = copy.deepcopy(data)
    del at(newer, path[:-1])[path[-1]]
    return newer


def altered(data: Any, path: Path) -> Any:
    """Return a catalog with another value of the same kind at a path, or None where there is none."""
    row, old = row_of(path), at(data, path)
    if (to := _other(data, row, old)) is None:
        return None
    newer = copy.deepcopy(data)
    at(newer, path[:-1])[path[-1]] = to
    return newer


def _other(data: Any, row: str, old: Any) -> Any:
    if row in _REFERENCES:
        names = [*data[_REFERENCES[row]], "never"]
        return next(name for name in names if name != old)
    choices = _NODES[row][0].get("enum", [])
    match old:
        case _ if choices:
            return next(item for item in choices if item != old)
        case bool():
            return not old
        case int() | float():
            return old - 1 if row in ("range.last", "reservation.first") else old + 1
        case str() if row == "field.from":
            return "outcome"
        case str():
            return "7s" if old.endswith(("ms", "s")) and old[0].isdigit() else f"{old}X"
        case _:
            return ["other"] if row == "x-*" else None


def _told(data: Any, path: Path, newer: Any) -> Iterator[tuple[str, Path, Delta]]:
    """Yield what is told of one key in both directions."""
    for old, new in ((data, newer), (newer, data)):
        for delta in compare(old, new):
            # What is gone of a list, and what a list gets, has the place of the list or of its end.
            near = delta.path in (path, path[:-1]) and row_of(path).endswith(".*")
            if delta.path == path or (near and delta.kind != "changed"):
                yield row_of(path), path, delta


@cache
def told(name: str) -> tuple[tuple[str, Path, Delta], ...]:
    """Return every change of one key of a catalog: its row, its place, and what is told of it."""
    data = _DATAS[name]
    found: list[tuple[str, Path, Delta]] = []
    for path in places(data):
        if row_of(path) in _UNTOLD:
            continue
        newer = altered(data, path)
        found += [] if newer is None else _told(data, path, newer)
        if not _NODES[row_of(path)][1] and not _is_needed(data, path):
            found += _told(data, path, without(data, path))
    return tuple(found)


def _is_needed(data: Any, path: Path) -> bool:
    """Tell whether others refer to it, or need it: the policy of an error, the other end of a span."""
    if path[-1] in ("first", "last"):
        return True
    if path[-1] == "retry" and path[0] == "categories":
        return any(
            entry["category"] == path[1] and "retry" not in entry
            for entry in data["errors"].values()
        )
    if path[0] in ("categories", "retry_policies", "layers") and len(path) == _ENTRY:
        return json.dumps(data).count(f'"{path[1]}"') > 1
    return False


_ENTRY: Final = 2


@pytest.mark.parametrize("name", _DATAS)
def test_one_change_has_the_level_of_its_row(name: str) -> None:
    data = _DATAS[name]
    wrong = []
    for row, path, delta in told(name):
        verdict = TABLE[row][("added", "removed", "changed").index(delta.kind)]
        is_inside = path[0] == "errors" and "internal" in json.dumps(data["errors"][path[1]])
        if not isinstance(verdict, Level):
            continue
        if (
            is_inside
            and len(path) > _ENTRY
            and verdict in (Level.WIRE, Level.BODY)
            and path[-1] != "conceal_as"
        ):
            verdict = Level.NOTE
        if delta.level is not verdict:
            wrong.append((path, delta, verdict))
    assert wrong == []


def kinds(row: str) -> set[str]:
    """Return the kinds of change that a key can undergo, by the schema."""
    if row in _ONLY:
        return _ONLY[row]
    if _NODES[row][1]:
        return {"changed"}
    if row.endswith("*"):
        free = ("translation.map.*", "translation.fill.*", "x-*")
        return {"added", "removed"} | ({"changed"} if row in free else set())
    return {"changed"} if row in _FILLED_IN else {"added", "removed", "changed"}


def _filled_in() -> set[str]:
    """Return the rows of optional keys for which a default stands where they are left out."""
    data, found = full(), set()
    for path in places(data):
        is_free = not _NODES[row_of(path)][1] and not _is_needed(data, path)
        if is_free and not isinstance(path[-1], int) and not row_of(path).endswith("*"):
            meant = canonical(without(data, path))
            if at(meant, path[:-1]).get(path[-1]) is not None:
                found.add(row_of(path))
    return found


_FILLED_IN: Final = _filled_in()


@pytest.mark.parametrize("row", sorted(TABLE.keys() - _UNTOLD))
def test_every_row_is_tested_in_each_kind_of_change(row: str) -> None:
    assert {delta.kind for other, _, delta in told("full") if other == row} == kinds(row)


# What each row that is judged by its direction, or by the body, comes to in both catalogs; test_compare has the cases.
_OUTCOMES: Final = {
    "docs_url": "body note",
    "error.outcome": "wire compatible note",
    "error.recovery.action": "body note",
    "error.retry": "wire note",
    "error.safe_to_retry": "wire body compatible",
    "error.severity": "note",
    "error.visibility": "wire compatible",
    "errors.*": "wire",
    "field.nullable": "body compatible",
    "field.optional": "body source compatible",
    "field.type": "body source",
    "fields.*": "source compatible",
    "limits.hint": "body note",
    "limits.message": "body note",
    "operation.effect": "wire compatible",
    "operation.idempotent": "wire compatible",
    "retry_policy.safe_to_retry": "wire body compatible",
    "x-*": "note",
}


def test_every_judged_row_comes_to_what_is_known_of_it() -> None:
    found: dict[str, set[Level]] = {}
    for row, _, delta in (*told("full"), *told("reference")):
        if not isinstance(TABLE[row][("added", "removed", "changed").index(delta.kind)], Level):
            found.setdefault(row, set()).add(delta.level)
    assert {
        row: " ".join(str(level) for level in Level if level in levels)
        for row, levels in found.items()
    } == _OUTCOMES
    assert found.keys() == {
        row for row, cells in TABLE.items() if not all(isinstance(cell, Level) for cell in cells)
    }


def turned(value: Any) -> Any:
    """Return the same with the keys of every mapping in the reverse order."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(value)}
    return [turned(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", _DATAS)
def test_neither_order_nor_repetition_changes_what_is_told(name: str) -> None:
    data = _DATAS[name]
    assert compare(data, turned(data)) == ()
    for path in places(data):
        if (newer := altered(data, path)) is not None:
            found = compare(data, newer)
            assert found == compare(data, newer) == compare(turned(data), turned(newer)), path
            assert bool(found) is (row_of(path) not in ("errgen", "version")), path
            assert len({(delta.path, delta.note, str(delta.old)) for delta in found}) == len(
                found
            ), path


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_change_there_and_its_change_back_cancel_out(data: st.DataObject) -> None:
    """Tell of several changes what is told of each; the way back has the same places."""
    full_data, newer = _DATAS["full"], _DATAS["full"]
    texts = (path for path in places(full_data) if TABLE[row_of(path)] == TABLE["title"])
    free = [path for path in texts if row_of(path) not in {*_UNTOLD, *_ONLY, *_REFERENCES}]
    paths = data.draw(st.lists(st.sampled_from(free), min_size=2, max_size=4, unique=True))
    for path in paths:
        newer = altered(newer, path) or newer
    forth, back = compare(full_data, newer), compare(newer, full_data)
    assert {delta.level for delta in (*forth, *back)} <= {Level.NOTE}
    assert len(forth) == len(back)
    assert compare(newer, newer) == ()
