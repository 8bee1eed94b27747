"""Free codes of a category: catalogs flow in, the codes that nobody has, had or may have flow out in order."""

import random
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from errgen.defaults import code_of

_COUNTED: Final = re.compile(r"[0-9]+")


def free_codes(
    data: Mapping[str, Any], category: str, bases: Iterable[Mapping[str, Any]], *, shuffled: bool
) -> Iterator[int | str]:
    """Yield codes for a new error of a category: those above its last one first, then its gaps.

    What a base has used or reserved is taken too. With `shuffled` the order is random, so that branches that are
    written at the same time seldom meet.
    """
    sides = [data, *bases]
    taken = {code_of(name, entry) for side in sides for name, entry in side["errors"].items()}
    taken |= {item["code"] for side in sides for item in side.get("reserved", []) if "code" in item}
    for item in data.get("ranges", []):
        if item["category"] != category:
            continue
        if "prefix" in item:
            yield from _prefixed(item["prefix"], taken)
            continue
        spans = _free_spans(item["first"], item["last"], taken, _reserved(sides))
        if shuffled:
            codes = [code for first, last in spans for code in range(first, last + 1)]
            random.shuffle(codes)
            yield from codes
        else:
            yield from _in_order(spans, item, taken)


def _reserved(sides: Iterable[Mapping[str, Any]]) -> list[tuple[int, int]]:
    return [
        (item["first"], item["last"])
        for side in sides
        for item in side.get("reserved", [])
        if "first" in item
    ]


def _free_spans(
    first: int, last: int, taken: Iterable[int | str], reserved: Iterable[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the stretches of a range that nothing takes."""
    held = sorted([*reserved, *((code, code) for code in taken if isinstance(code, int))])
    spans, start = [], first
    for begin, end in held:
        if begin > last:
            break
        if begin > start:
            spans.append((start, begin - 1))
        start = max(start, end + 1)
    return [*spans, (start, last)] if start <= last else spans


def _in_order(
    spans: list[tuple[int, int]], item: Mapping[str, Any], taken: Iterable[int | str]
) -> Iterator[int]:
    numbers = sorted(code for code in taken if isinstance(code, int))
    inside = numbers[bisect_left(numbers, item["first"]) : bisect_right(numbers, item["last"])]
    highest = inside[-1] if inside else item["first"] - 1
    for is_above in (True, False):
        for begin, end in spans:
            if (begin > highest) is is_above:
                yield from range(begin, end + 1)


def _prefixed(prefix: str, taken: Iterable[int | str]) -> Iterator[str]:
    """Yield the codes after the last that is the prefix and digits, as wide as that; none where there is none."""
    counts = [
        code.removeprefix(prefix)
        for code in taken
        if isinstance(code, str) and code.startswith(prefix)
    ]
    digits = [count for count in counts if _COUNTED.fullmatch(count)]
    if digits:
        width = max(map(len, digits))
        yield from (f"{prefix}{n:0{width}}" for n in range(max(map(int, digits)) + 1, 10**width))
