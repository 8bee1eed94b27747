"""Words to the picture of a code space: ranges flow in, their counts in sentences flow out."""

from collections.abc import Sequence

from errgen.filters.svg import numbered
from errgen.model import Catalog


def note(catalog: Catalog, codes: Sequence[int], most: int) -> str:
    """Say what rows of the first ranges do not show; codes are all integers in use, in order."""
    told = []
    others = catalog.ranges[most:]
    if others:
        used = counted(sum(item.used for item in others), "used code")
        verb = "is" if len(others) == 1 else "are"
        told.append(f"{counted(len(others), 'more range')} with {used} {verb} not drawn.")
    spans = [(item.first, item.last) for item in catalog.ranges if item.first is not None]
    if spans and (count := _outside(codes, spans)):
        verb = "lies" if count == 1 else "lie"
        told.append(f"{counted(count, 'used code')} {verb} outside every range.")
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
            sum(getattr(item, name) for item in numbers) for name in ("used", "reserved", "free")
        )
        ranges = counted(len(numbers), "range")
        rest = f"{numbered(reserved)} reserved, {numbered(free)} free"
        told.append(f"{ranges}: {counted(used, 'code')} used, {rest}.")
    if prefixes:
        used = sum(item.used for item in prefixes)
        told.append(f"{counted(len(prefixes), 'prefix', 'es')}: {counted(used, 'code')} used.")
    return " ".join(told)


def counted(count: int, word: str, plural: str = "s") -> str:
    """Return a count with its word."""
    return f"{numbered(count)} {word}{'' if count == 1 else plural}"
