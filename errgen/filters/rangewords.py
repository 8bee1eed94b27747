"""Words to the picture of a code space: ranges flow in, their counts in sentences flow out."""

from collections.abc import Sequence

from errgen.filters.svg import numbered
from errgen.model import Catalog, Range


def note(catalog: Catalog, codes: Sequence[int], most: int) -> str:
    """Say what rows of the first ranges do not show; codes are all integers in use, in order."""
    told = []
    others = catalog.ranges[most:]
    if others:
        used = numbered(sum(item.used for item in others))
        told.append(f"{numbered(len(others))} more ranges with {used} used codes are not drawn.")
    spans = [(item.first, item.last) for item in catalog.ranges if item.first is not None]
    if spans and (count := _outside(codes, spans)):
        verb = "codes lie" if count > 1 else "code lies"
        told.append(f"{numbered(count)} used {verb} outside every range.")
    return " ".join(told)


def _outside(codes: Sequence[int], spans: Sequence[tuple[int, int | None]]) -> int:
    """Count the codes that no range holds; both are given in order."""
    count, index, end = 0, 0, None
    for code in codes:
        while index < len(spans) and spans[index][0] <= code:
            last = spans[index][1] or 0
            end, index = last if end is None else max(end, last), index + 1
        count += end is None or code > end
    return count


def summary(catalog: Catalog) -> str:
    """Say how many codes of all ranges are used, reserved and free."""
    numbers = [item for item in catalog.ranges if item.prefix is None]
    prefixes = [item for item in catalog.ranges if item.prefix is not None]
    told = []
    if numbers:
        used, reserved, free = (
            numbered(sum(getattr(item, name) or 0 for item in numbers))
            for name in ("used", "reserved", "free")
        )
        told.append(
            f"{_some(numbers, 'range')}: {used} codes used, {reserved} reserved, {free} free."
        )
    if prefixes:
        used = numbered(sum(item.used for item in prefixes))
        told.append(f"{_some(prefixes, 'prefix')}: {used} codes used.")
    return " ".join(told)


def _some(items: Sequence[Range], word: str) -> str:
    plural = "" if len(items) == 1 else "es" if word.endswith("x") else "s"
    return f"{numbered(len(items))} {word}{plural}"
