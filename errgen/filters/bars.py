"""Marks of codes on a strip: the codes of a range flow in, bars with their places flow out.

A small range has a bar for each code. The codes of a large one share bars, each as high as the share of its codes that
is used; what is reserved stands on top of that.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

Box: TypeAlias = tuple[int, int, int, int]
# Up to so many codes each have a bar of their own.
MOST_BARS: Final = 100
# Tenths of a pixel: a bar that is lower is overlooked, and bars of single codes have a gap between them.
_LEAST: Final = 50
_GAP: Final = 10


class Strip(NamedTuple):
    """Where bars stand: the left, top, width and height of a strip, in tenths of a pixel."""

    left: int
    top: int
    width: int
    height: int


class Span(NamedTuple):
    """Whole numbers from the first to the last."""

    first: int
    last: int


def codes_a_bar(size: int) -> int:
    """Return how many codes of a range share a bar: 1, 2, 5, 10, 20 and so on."""
    each = 1
    while -(-size // each) > MOST_BARS:
        # From 2 to 5, from anything else to twice as much.
        each = each * 5 // 2 if str(each)[0] == "2" else each * 2
    return each


def bars(
    span: Span, codes: Sequence[int], held: Sequence[tuple[int, int]], strip: Strip
) -> tuple[list[Box], list[Box]]:
    """Return the bars of a range's used codes and of its reserved ones; both are given in order."""
    size = span.last - span.first + 1
    each = codes_a_bar(size)
    inside = codes[bisect_left(codes, span.first) : bisect_right(codes, span.last)]
    used = Counter((code - span.first) // each for code in inside)
    reserved = _reserved(span, held, each)
    columns = [
        (index, *_heights(used[index], reserved[index], min(each, size - index * each), strip))
        for index in sorted(used.keys() | reserved.keys())
    ]
    return (
        list(_boxes(((index, 0, low) for index, low, _ in columns), size, each, strip)),
        list(_boxes(((index, low, high) for index, low, high in columns), size, each, strip)),
    )


def _reserved(span: Span, held: Sequence[tuple[int, int]], each: int) -> Counter[int]:
    found: Counter[int] = Counter()
    for first, last in held:
        start, end = max(first, span.first) - span.first, min(last, span.last) - span.first
        # A span that does not meet the range has an end before its start.
        for index in range(start // each, end // each + 1) if start <= end else ():
            found[index] += min(end, (index + 1) * each - 1) - max(start, index * each) + 1
    return found


def _heights(used: int, reserved: int, size: int, strip: Strip) -> tuple[int, int]:
    """Return how high the used part of a bar reaches, and the reserved part above it."""
    low = max(_LEAST, strip.height * used // size) if used else 0
    part = max(_LEAST, strip.height * reserved // size) if reserved else 0
    # The other part has to be seen too.
    part = min(part, strip.height - _LEAST) if used else part
    low = min(low, strip.height - part)
    return low, low + part


def _boxes(
    columns: Iterable[tuple[int, int, int]], size: int, each: int, strip: Strip
) -> Iterator[Box]:
    """Yield a box for each part of a bar; neighbours of one height are one box where codes share bars."""
    gap = min(_GAP, strip.width // size // 4) if each == 1 else 0
    for (low, high), first, last in _runs(columns, is_joined=each > 1):
        start, end = (
            strip.left + strip.width * min(index * each, size) // size
            for index in (first, last + 1)
        )
        yield start, strip.top + strip.height - high, end - start - gap, high - low


def _runs(
    columns: Iterable[tuple[int, int, int]], *, is_joined: bool
) -> Iterator[tuple[tuple[int, int], int, int]]:
    """Yield each part that has a height with the first and the last of the bars that have it."""
    runs: list[tuple[tuple[int, int], int, int]] = []
    for index, low, high in columns:
        if low == high:
            continue
        if is_joined and runs and runs[-1][0] == (low, high) and runs[-1][2] == index - 1:
            runs[-1] = (runs[-1][0], runs[-1][1], index)
        else:
            runs.append(((low, high), index, index))
    yield from runs
