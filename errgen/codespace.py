"""Resolve the code space: raw ranges and reservations flow in, those with their codes counted flow out."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from typing import Any, Final

from errgen.defaults import extensions_of, text_of
from errgen.model import Category, Code, ErrorRef, ErrorSpec, Range, Reservation

# Sorts after whatever can follow a prefix.
_AFTER: Final = "\U0010ffff"


def anchor(code: Code) -> str:
    """Return the fragment that finds an error in the docs: its code, where URLs need it in percent encoding."""
    return re.sub(
        r"[^A-Za-z0-9_.~-]",
        lambda found: "".join(f"%{b:02X}" for b in found[0].encode()),
        str(code),
    )


def reservation_from(body: Mapping[str, Any], refs: Mapping[str, ErrorRef]) -> Reservation:
    """Build a code, name, range or prefix that is never to be used."""
    target = body.get("replaced_by")
    return Reservation(
        code=body.get("code"),
        name=body.get("name"),
        first=body.get("first"),
        last=body.get("last"),
        prefix=body.get("prefix"),
        since=body.get("since"),
        replaced_by=refs[target] if target else None,
        reason=body["reason"],
        extensions=extensions_of(body),
    )


def ranges_from(
    items: Any,
    categories: Mapping[str, Category],
    errors: list[ErrorSpec],
    reserved: tuple[Reservation, ...],
) -> tuple[Range, ...]:
    """Build the ranges in order, each with how many of its codes are used and how many are reserved."""
    numbers = sorted(error.code for error in errors if isinstance(error.code, int))
    texts = sorted(error.code for error in errors if isinstance(error.code, str))
    held = reserved_spans(reserved)
    ranges = []
    for item in items:
        first, last, prefix = item.get("first"), item.get("last"), item.get("prefix")
        if prefix is None:
            used = bisect_right(numbers, last) - bisect_left(numbers, first)
            blocked = sum(max(0, min(last, end) - max(first, start) + 1) for start, end in held)
        else:
            used = bisect_right(texts, prefix + _AFTER) - bisect_left(texts, prefix)
            blocked = 0
        category = categories[item["category"]]
        ranges.append(
            Range(first, last, prefix, category, text_of(item), used, blocked, extensions_of(item))
        )
    return tuple(
        sorted(ranges, key=lambda item: (item.first is None, item.first or 0, item.prefix or ""))
    )


def reserved_spans(reserved: tuple[Reservation, ...]) -> list[tuple[int, int]]:
    """Return the reserved integers as spans that do not overlap, so that none is counted twice."""
    spans = [
        (item.first, item.last)
        for item in reserved
        if item.first is not None and item.last is not None
    ]
    spans += [(item.code, item.code) for item in reserved if isinstance(item.code, int)]
    merged: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged
