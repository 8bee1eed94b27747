"""The picture of a code space: a catalog flows in, a row of bars for each range, with all places, flows out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from errgen.codespace import reserved_spans
from errgen.filters.bars import Span, Strip, bars, codes_a_bar
from errgen.filters.rangewords import counted, note, summary
from errgen.filters.svg import boxes, fitted, numbered, width
from errgen.memo import remembered
from errgen.model import Catalog, Range

# All lengths are tenths of a pixel.
WIDTH: Final = 8300
MOST_ROWS: Final = 120
COLOURS: Final = 6
FONT: Final = 11
MARGIN: Final = 160
_GAP: Final = 150
_TOP: Final = 660
_LABEL: Final = 1800
_TEXT: Final = 340
_PREFIX: Final = 1900
_LEAST_LABEL: Final = 800
_LEAST_BAR: Final = 30
_NEAR: Final = 80
_HEAD: Final = 400
_LINE: Final = 240
# Pitch and height of rows, which are lower from so many on.
_MANY: Final = 40
_HIGH: Final = (320, 200)
_LOW: Final = (200, 120)


class Column(NamedTuple):
    """A column of texts: its head, and the x at which its texts end."""

    head: str
    end: int


class Row(NamedTuple):
    """A range: the top of its strip, its texts, and the paths of what is used and reserved in it."""

    top: int
    colour: int
    label: str
    told: str
    first: str
    last: str
    used: str
    reserved: str
    cells: tuple[str, ...]


class Part(NamedTuple):
    """Rows of one kind under a head: `left` and `right` are the ends of what the columns leave."""

    top: int
    left: int
    right: int
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of ranges; `parts` are those of numbers and those of prefixes."""

    height: int
    strip: int
    numbers: Part | None
    prefixes: Part | None
    has_reserved: bool
    note: str
    summary: str


class _Page(NamedTuple):
    """What is the same for all rows: how they are laid out, and which codes are used and reserved."""

    pitch: int
    strip: int
    label: int
    colours: Mapping[str, int]
    codes: Sequence[int]
    held: Sequence[tuple[int, int]]


def _page(catalog: Catalog, shown: Sequence[Range]) -> _Page:
    pitch, strip = _LOW if len(shown) > _MANY else _HIGH
    titles = {item.category.name: item.category.title for item in shown}
    labels = (width(fitted(title, _LABEL, FONT + 1), FONT + 1) for title in titles.values())
    return _Page(
        pitch=pitch,
        strip=strip,
        label=_TEXT + max(_LEAST_LABEL, *labels),
        colours={name: index % COLOURS for index, name in enumerate(titles)},
        codes=sorted(error.code for error in catalog.errors if isinstance(error.code, int)),
        held=reserved_spans(catalog.reserved),
    )


@remembered
def rangechart(catalog: Catalog) -> Chart | None:
    """Return the picture of a catalog's ranges, or None where it has none."""
    if not catalog.ranges:
        return None
    shown = catalog.ranges[:MOST_ROWS]
    page = _page(catalog, shown)
    numbers = [item for item in shown if item.prefix is None]
    prefixes = [item for item in shown if item.prefix is not None]
    # Without numbers there is no legend.
    below = _TOP + page.pitch * len(numbers) + (_HEAD if numbers else -_LINE)
    bottom = below + page.pitch * len(prefixes) if prefixes else below - _HEAD
    told = note(catalog, page.codes, MOST_ROWS)
    return Chart(
        height=bottom - page.pitch + page.strip + MARGIN + (_LINE if told else 0),
        strip=page.strip,
        numbers=_numbers(page, numbers, _TOP) if numbers else None,
        prefixes=_prefixes(page, prefixes, below) if prefixes else None,
        has_reserved=any(item.reserved for item in numbers),
        note=told,
        summary=summary(catalog),
    )


def _numbers(page: _Page, items: Sequence[Range], top: int) -> Part:
    has_reserved = any(item.reserved for item in items)
    heads = ("A bar is", "Used", *(("Reserved",) if has_reserved else ()), "Free")
    cells = [_cells(item, has_reserved=has_reserved) for item in items]
    columns, right = _columns(heads, cells)
    ends = [(str(item.first), str(item.last)) for item in items]
    before, after = (max(width(text, FONT) for text in side) for side in zip(*ends, strict=True))
    left, right = page.label + _GAP + before + _NEAR, right - after - _NEAR
    rows = []
    for index, (item, told) in enumerate(zip(items, cells, strict=True)):
        first, last = item.first or 0, item.last or 0
        strip = Strip(left, top + page.pitch * index, right - left, page.strip)
        used, reserved = bars(Span(first, last), page.codes, page.held, strip)
        row = _row(page, item, strip.top, boxes(used), told)
        rows.append(row._replace(first=str(first), last=str(last), reserved=boxes(reserved)))
    return Part(top, left, right, columns, tuple(rows))


def _cells(item: Range, *, has_reserved: bool) -> tuple[str, ...]:
    each = counted(codes_a_bar(item.size or 1), "code")
    reserved = (numbered(item.reserved),) if has_reserved else ()
    free = numbered(item.free or 0)
    return each, numbered(item.used), *reserved, free


def _prefixes(page: _Page, items: Sequence[Range], top: int) -> Part:
    cells = [(numbered(item.used),) for item in items]
    columns, right = _columns(("Used",), cells)
    texts = [fitted(item.prefix or "", _PREFIX, FONT) for item in items]
    start = page.label + _GAP
    left = start + max(_LEAST_LABEL, *(width(text, FONT) for text in texts)) + _NEAR
    most = max(1, *(item.used for item in items), 1)
    rows = []
    for index, (item, text, told) in enumerate(zip(items, texts, cells, strict=True)):
        y = top + page.pitch * index
        long = max(_LEAST_BAR, (right - left) * item.used // most)
        bar = boxes([(left, y, long, page.strip)] if item.used else [])
        rows.append(_row(page, item, y, bar, told)._replace(first=text))
    return Part(top, start, right, columns, tuple(rows))


def _row(page: _Page, item: Range, y: int, used: str, cells: tuple[str, ...]) -> Row:
    title = item.category.title
    where = (
        f"{item.first} to {item.last}"
        if item.prefix is None
        else f"{item.prefix}\N{HORIZONTAL ELLIPSIS}"
    )
    counts = [f"{numbered(item.used)} used"]
    if item.prefix is None:
        counts += [f"{numbered(item.reserved)} reserved", f"{numbered(item.free or 0)} free"]
    return Row(
        top=y,
        colour=page.colours[item.category.name],
        label=fitted(title, _LABEL, FONT + 1),
        told=f"{title}, {where}: {', '.join(counts)}",
        first="",
        last="",
        used=used,
        reserved="",
        cells=cells,
    )


def _columns(
    heads: Sequence[str], cells: Sequence[Sequence[str]]
) -> tuple[tuple[Column, ...], int]:
    """Return the columns at the right edge, and the x at which what is left of them ends."""
    end = WIDTH - MARGIN
    columns = []
    for index in reversed(range(len(heads))):
        columns.append(Column(heads[index], end))
        texts = [heads[index], *(row[index] for row in cells)]
        end -= max(width(text, FONT) for text in texts) + _GAP
    return tuple(reversed(columns)), end
