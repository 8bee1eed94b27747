"""Rules about single codes: unique, of the layer's type, not reserved, small enough for JSON."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from errgen.codes import DiagnosticCode as Code
from errgen.diagnostics import Diagnostic, finding
from errgen.naming import camel
from errgen.rules.accepted import Entry
from errgen.rules.facts import Facts
from errgen.rules.registry import rule
from errgen.shapes import Path
from errgen.words import kind_of, shorten

MAX_INTEGER: Final = 2**53 - 1
_BOUNDS: Final = ("code", "first", "last")


@rule(Code.DUPLICATE_CODE)
def duplicate_code(facts: Facts) -> Iterator[Diagnostic]:
    """Two errors never share a code."""
    seen: dict[int | str, str] = {}
    for name, _, code, _ in facts.coded():
        if seen.setdefault(code, name) == name:
            continue
        first = facts.at("errors", seen[code], "code")
        yield finding(
            Code.DUPLICATE_CODE,
            facts.at("errors", name, "code"),
            code=code,
            other=seen[code],
            line=first.line,
            related=[first],
        )


@rule(Code.CODE_TYPE)
def code_type(facts: Facts) -> Iterator[Diagnostic]:
    """A code has the type that its layer says."""
    for name, entry in facts.errors.items():
        layer, code = facts.layer(entry), entry.get("code")
        if layer is None:
            continue
        expected, remedy = facts.layers[layer]["code"], ""
        if expected == "integer" and not isinstance(code, int):
            found = "no code" if code is None else kind_of(code)
            remedy = (
                "add code: … (an integer in a range of its category)"
                if code is None
                else _unquoted(code)
            )
        elif expected == "string" and isinstance(code, int):
            found, remedy = kind_of(code), f'put it in quotes: "{code}"'
        else:
            continue
        place = facts.at("errors", name, "code")
        yield finding(
            Code.CODE_TYPE,
            place,
            name=name,
            found=found,
            layer=layer,
            expected=expected,
            help=remedy,
        )


def _unquoted(code: str) -> str:
    number = code.replace("_", "").replace(",", "")
    return f"write {number} without quotes" if re.fullmatch(r"-?[1-9][0-9]{0,15}", number) else ""


@rule(Code.INTEGER_TOO_LARGE)
def integer_too_large(facts: Facts) -> Iterator[Diagnostic]:
    """Every integer that is a code, or that a body carries, survives JSON."""
    for section, keys in (
        ("ranges", _BOUNDS),
        ("reserved", _BOUNDS),
        ("errors", ("code", "jsonrpc_code")),
    ):
        for step, item in facts.sections[section].items():
            yield from _large(facts, (section, step), item, keys)
    for path, field in (*facts.fields(), *facts.fields("success")):
        yield from _large(facts, path, field, ("value",))


def _large(facts: Facts, path: Path, item: Entry, keys: tuple[str, ...]) -> Iterator[Diagnostic]:
    for key in keys:
        value = item.get(key)
        if isinstance(value, int) and abs(value) > MAX_INTEGER:
            yield finding(Code.INTEGER_TOO_LARGE, facts.at(*path, key), value=value)


@rule(Code.RESERVED_CODE)
def reserved_code(facts: Facts) -> Iterator[Diagnostic]:
    """A reserved number, or a code with a reserved prefix, is not in use."""
    reserved = facts.sections["reserved"]
    single = {item["code"]: index for index, item in reserved.items() if "code" in item}
    prefixes = {item["prefix"]: index for index, item in reserved.items() if "prefix" in item}
    spans: list[tuple[int, int, int]] = sorted(
        (*span, index) for index, item in reserved.items() if (span := bounds(item))
    )
    firsts = [span[0] for span in spans]
    # Of all spans that begin at or before a code, the one that reaches furthest holds it if any does.
    reach = list(accumulate(((last, index) for _, last, index in spans), max))
    for name, _, code, _ in facts.coded():
        index = single.get(code)
        if index is None and isinstance(code, int):
            if (at := bisect_right(firsts, code)) and reach[at - 1][0] >= code:
                index = reach[at - 1][1]
        elif index is None:
            index = next((prefixes[p] for p in starts(str(code)) if p in prefixes), None)
        if index is not None:
            place = facts.at("reserved", index)
            yield finding(
                Code.RESERVED_CODE,
                facts.at("errors", name, "code"),
                code=code,
                name=name,
                line=place.line,
                reason=shorten(reserved[index]["reason"]),
                related=[place],
            )


def bounds(item: Entry) -> tuple[int, int] | None:
    """Return the first and the last code of a range of numbers, or None where that is not clear."""
    if "first" not in item or "last" not in item:
        return None
    first, last = item["first"], item["last"]
    return (first, last) if -MAX_INTEGER <= first <= last <= MAX_INTEGER else None


def starts(text: str) -> Iterator[str]:
    """Yield every prefix of a text, the shortest first and the text itself last."""
    return (text[:end] for end in range(1, len(text) + 1))


@rule(Code.RESERVED_NAME)
def reserved_name(facts: Facts) -> Iterator[Diagnostic]:
    """A reserved name is not in use, neither as a name nor as an alias, however generated code spells it."""
    reserved = facts.sections["reserved"]
    taken: dict[str, int] = {
        camel(item["name"]): index for index, item in reserved.items() if "name" in item
    }
    for name, entry in facts.errors.items():
        uses = [(name, facts.at("errors", name, key=True))]
        for index, alias in enumerate(entry.get("aliases", ())):
            uses.append((alias, facts.at("errors", name, "aliases", index)))
        for used, place in uses:
            if camel(used) not in taken:
                continue
            index = taken[camel(used)]
            old, reservation = reserved[index]["name"], facts.at("reserved", index)
            remedy = f"choose another name: code spells it like {old}" if old != used else ""
            yield finding(
                Code.RESERVED_NAME,
                place,
                name=used,
                line=reservation.line,
                reason=shorten(reserved[index]["reason"]),
                related=[reservation],
                help=remedy,
            )
