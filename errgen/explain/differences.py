"""What a received error says otherwise than its catalog: an error and a reading flow in, differences flow out."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from errgen.explain.facts import Facts
from errgen.explain.forms import Reading, has, look
from errgen.model import Catalog, ErrorSpec, Field
from errgen.words import shorten

_TYPES: Final[Mapping[str, tuple[str, tuple[type, ...]]]] = {
    "string": ("text", (str,)),
    "integer": ("a whole number", (int,)),
    "number": ("a number", (int, float)),
    "boolean": ("true or false", (bool,)),
    "object": ("an object", (dict,)),
    "array": ("a list", (list,)),
    "null": ("null", (type(None),)),
    "code": ("a code", (int, str)),
}
_LINE: Final = re.compile(r"[A-Z][A-Z0-9_]* \(([^()]+)\): ")


def differences(
    catalog: Catalog, error: ErrorSpec, reading: Reading, inner: Any
) -> tuple[Facts, ...]:
    """Return what in a reading the catalog fixes otherwise; `inner` is its body without a wrapping, or None."""
    found = [*_form(error, reading)]
    if error.conceal_as:
        response = catalog.response
        field = ".".join(response.paths[response.identity]) if response else "code"
        text = f"{error.name} is internal; callers are told {error.conceal_as.name}"
        other = {"found": error.name, "fixed": error.conceal_as.name}
        found.append({"field": field, **other, "text": text})
    if inner is not None and catalog.response:
        found += _pinned(catalog, error, inner)
        found += _fields(catalog.response.fields, inner, ())
    return tuple({item["field"]: item for item in reversed(found)}.values())[::-1]


def _form(error: ErrorSpec, reading: Reading) -> Iterator[Facts]:
    if reading.code is not None:
        code = error.code if error.jsonrpc_code is None else error.jsonrpc_code
        yield from _other("error.code", reading.code, code)
    if reading.problem:
        yield from _other("status", reading.problem.get("status"), error.http_status)
    if line := _LINE.match(reading.line):
        yield from _other("content.0.text: the code", line[1], str(error.code))
    if not reading.failed:
        yield from _other("isError", found=False, fixed=True)


def _pinned(catalog: Catalog, error: ErrorSpec, inner: Any) -> Iterator[Facts]:
    response = catalog.response
    assert response is not None
    identity = error.code if response.identity == "code" else error.name
    for branch in response.branches:
        if not any(_same(identity, value) for value in branch.values):
            continue
        yield from _other(".".join(branch.path), look(inner, branch.path), identity)
        for pin in branch.pins:
            name, value = ".".join(pin.path), look(inner, pin.path)
            if not has(inner, pin.path):
                continue
            if pin.is_absent and value is not None:
                text = f"{name} is {_shown(value)}; the catalog has none"
                yield {"field": name, "found": value, "fixed": None, "text": text}
            elif not pin.is_absent:
                yield from _other(name, value, pin.value)


def _fields(fields: Sequence[Field], inner: Any, path: tuple[str, ...]) -> Iterator[Facts]:
    """Yield what lacks although every body has it, what is of another type, and constants with another value."""
    for field in fields:
        here = (*path, field.name)
        name = ".".join(here)
        if not has(inner, (field.name,)):
            if not field.optional:
                yield {
                    "field": name,
                    "found": None,
                    "fixed": None,
                    "text": f"{name} is not there; every body has it",
                }
            continue
        value = look(inner, (field.name,))
        if field.kind == "constant":
            yield from _other(name, value, field.value)
        elif not (_is_of(value, field.type) or (value is None and field.nullable)):
            text = f"{name} is {_shown(value)}; the catalog wants {_TYPES[field.type][0]}"
            yield {"field": name, "found": value, "fixed": None, "text": text}
        elif field.kind == "object" and isinstance(value, dict):
            yield from _fields(field.fields, value, here)


def _is_of(value: Any, kind: str) -> bool:
    if kind == "any":
        return True
    if isinstance(value, bool):
        return kind == "boolean"
    # JSON has one type of numbers: 2001.0 is whole.
    is_whole = isinstance(value, float) and value.is_integer() and kind in ("code", "integer")
    return is_whole or isinstance(value, _TYPES[kind][1])


def _other(name: str, found: Any, fixed: Any) -> Iterator[Facts]:
    if not _same(found, fixed):
        text = f"{name} is {_shown(found)}; the catalog says {_shown(fixed)}"
        yield {"field": name, "found": found, "fixed": fixed, "text": text}


def _same(found: Any, fixed: Any) -> bool:
    """Tell whether values of JSON are the same: true is not 1, and 1.0 is 1."""
    return isinstance(found, bool) == isinstance(fixed, bool) and bool(found == fixed)


def _shown(value: Any) -> str:
    return shorten(json.dumps(value, ensure_ascii=False))
