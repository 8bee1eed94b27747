"""Pictures of the Markdown target: what they show is what the catalog says, and everything has its place."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

import catalogs
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support import CATALOGS, catalog_of, page_of, python_of, rendered, write_catalog
from test_hostile import TEXTS

from errgen import guidance
from errgen.config import CatalogConfig, TargetConfig
from errgen.diagnostics import TemplateError
from errgen.filters.bars import MOST_BARS, Box, Span, Strip, bars, codes_a_bar
from errgen.filters.markdown.places import mdpicture
from errgen.filters.rangechart import MOST_ROWS, rangechart
from errgen.filters.retrychart import MOST_ATTEMPTS, MOST_POLICIES, retrychart
from errgen.filters.svg import fitted, lines_of, numbered, px, width, xml, xmlcomment
from errgen.filters.timeaxis import axis_of
from errgen.model import Catalog, RetryPolicy
from errgen.render import render
from errgen.resolve import catalog_from
from errgen.resources import templates_dir

_SVG: Final = "{http://www.w3.org/2000/svg}"
_BOX: Final = re.compile(r"M(-?[\d.]+) (-?[\d.]+)h([\d.]+)v([\d.]+)h-[\d.]+z")
_SMALLEST: Final = 11
_READABLE: Final = 4.5
_DISTINCT: Final = 3
_MOST_BYTES: Final = 120_000
_POLICIES: Final = """\
errgen: 1
name: policies
version: 1.0.0
categories: { c: { retry: never } }
ranges: [{ first: 1, last: 9, category: c }]
retry_policies:
  tiny: { retryable: true, strategy: exponential, initial_delay: 100ms, max_attempts: 6, jitter: equal }
  chance: { retryable: true, strategy: exponential, initial_delay: 1s, max_delay: 5m, max_attempts: 20,
    jitter: decorrelated }
  line: { retryable: true, strategy: linear, initial_delay: 5s, max_attempts: 4 }
  hours: { retryable: true, strategy: fixed, initial_delay: 2h, max_attempts: 5, jitter: full, retry_after: 1h }
  quick: { retryable: true, strategy: fixed, initial_delay: 100ms, max_attempts: 3 }
  at_once: { retryable: true, strategy: fixed, initial_delay: 0, max_attempts: 3 }
  asked: { retryable: varies }
  no_more: { retryable: false }
errors:
  ONE: { code: 1, category: c, message: One, retry: tiny }
  TWO: { code: 2, category: c, message: Two, retry: chance }
  THREE: { code: 3, category: c, message: Three, retry: line }
  FOUR: { code: 4, category: c, message: Four, retry: hours }
  FIVE: { code: 5, category: c, message: Five, retry: quick }
  SIX: { code: 6, category: c, message: Six, retry: at_once }
"""
_MANY_RANGES: Final = 400


def pictures(path: Path) -> dict[str, ET.Element]:
    """Return the pictures of a catalog by kind, parsed."""
    made = rendered(path, "markdown")
    return {
        name.split(".")[-2]: ET.fromstring(text)  # noqa: S314 - it is ours
        for name, text in made.items()
        if name.endswith(".svg")
    }


def texts_in(root: ET.Element, name: str = "text") -> list[str]:
    return ["".join(item.itertext()) for item in root.iter(f"{_SVG}{name}")]


def number(item: ET.Element, name: str) -> float:
    return float(item.get(name, "0"))


def boxes_in(data: str) -> list[tuple[float, ...]]:
    found = [tuple(map(float, item.groups())) for item in _BOX.finditer(data)]
    assert _BOX.sub("", data) == ""
    return found


def extents(root: ET.Element) -> Iterator[tuple[float, float, float, float]]:
    """Yield the left, right, top and bottom of whatever is drawn."""
    for item in root.iter():
        kind = item.tag.removeprefix(_SVG)
        if kind == "rect":
            x, y = number(item, "x"), number(item, "y")
            yield x, x + number(item, "width"), y, y + number(item, "height")
        elif kind == "circle":
            x, y, r = (number(item, name) for name in ("cx", "cy", "r"))
            yield x - r, x + r, y - r, y + r
        elif kind == "path" and item.get("class") != "grid":
            for x, y, long, high in boxes_in(item.get("d", "")):
                yield x, x + long, y, y + high
        elif kind == "text":
            left, right = span_of(item)
            yield left, right, number(item, "y") - 9, number(item, "y") + 3


def span_of(item: ET.Element) -> tuple[float, float]:
    """Return where a text begins and ends, in the widest font."""
    kinds = item.get("class", "").split()
    size = 12 if "name" in kinds else _SMALLEST
    long, x = width("".join(item.itertext()), size) / 10, number(item, "x")
    shift = long if "end" in kinds else long / 2 if "middle" in kinds else 0
    return x - shift, x - shift + long


def check_picture(root: ET.Element) -> None:
    """Check that nothing is cut off, that no text touches another, and that it is told to those who do not see it."""
    long, high = number(root, "width"), number(root, "height")
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    for left, right, top, bottom in extents(root):
        assert 0 <= left <= right <= long
        assert 0 <= top <= bottom <= high
    lines: dict[float, list[tuple[float, float]]] = {}
    for item in root.iter(f"{_SVG}text"):
        lines.setdefault(number(item, "y"), []).append(span_of(item))
    for spans in lines.values():
        assert all(end <= start for (_, end), (start, _) in pairwise(sorted(spans)))
    assert root.get("role") == "img"
    known = {item.get("id"): "".join(item.itertext()) for item in root}
    assert all(known[name] for name in root.get("aria-labelledby", "").split())
    kinds = {item.tag.removeprefix(_SVG) for item in root.iter()}
    assert kinds <= {
        *("svg", "title", "desc", "style", "defs", "pattern", "line", "rect", "text", "path"),
        *("g", "circle"),
    }
    names = {name for item in root.iter() for name in item.attrib}
    assert not {name for name in names if name.startswith("on") or "href" in name}
    assert not re.search(r"url\((?!#)|@import|://", "".join(texts_in(root, "style")))


def large(folder: Path, count: int) -> Path:
    return write_catalog(folder, catalogs.catalog(count), f"large{count}.yaml")


def mixed(folder: Path, *, title: str = "A") -> Path:
    """Write a catalog with all kinds of ranges, the largest integers among them."""
    most = 2**53 - 1
    data = {
        "errgen": 1,
        "name": "mixed",
        "version": "1.0.0",
        "title": title,
        "layers": {"a": {"enum": "A", "code": "integer"}, "b": {"enum": "B", "code": "string"}},
        "categories": {
            "x": {"title": title, "layer": "a", "retry": "never"},
            "y": {"title": title, "layer": "b", "retry": "never"},
        },
        "ranges": [
            {"first": -31999, "last": most - 8, "category": "x"},
            {"first": most - 7, "last": most - 1, "category": "x"},
            {"prefix": "23", "category": "y"},
            {"prefix": "urn:ietf:params:acme:error:" + "long:" * 30, "category": "y"},
        ],
        "reserved": [
            {"first": -5, "last": 6_000_000, "reason": "R"},
            {"code": most - 2, "reason": "R"},
        ],
        "errors": {
            "FAR": {"code": 7_000_000, "category": "x", "message": "M"},
            "NEAR": {"code": most - 7, "category": "x", "message": "M"},
            "OUT": {"code": most, "category": "x", "message": "M", "range_waiver": "Published"},
            "TEXT": {"code": "23505", "category": "y", "message": "M"},
        },
    }
    return write_catalog(folder, yaml.safe_dump(data, allow_unicode=True, sort_keys=False))


@pytest.mark.parametrize("name", CATALOGS)
def test_pictures_of_real_catalogs_have_everything_in_its_place(name: str) -> None:
    catalog, found = catalog_of(CATALOGS[name]), pictures(CATALOGS[name])
    for root in found.values():
        check_picture(root)
    assert ("ranges" in found) == bool(catalog.ranges)
    capped = [guidance.capped(catalog.operations, p, p.safe_to_retry) for p in catalog.policies]
    assert ("retry" in found) == any(guidance.delays(policy) for policy in capped)
    page = page_of(CATALOGS[name])
    stem = CATALOGS[name].stem
    assert {kind for kind in ("ranges", "retry") if f"]({stem}.{kind}.svg)" in page} == set(found)


@pytest.mark.parametrize("count", [10, 300, 5_000, 10_000])
def test_pictures_of_large_catalogs_stay_small(count: int, tmp_path: Path) -> None:
    path = large(tmp_path, count)
    for name, text in rendered(path, "markdown").items():
        if name.endswith(".svg"):
            assert len(text.encode()) < _MOST_BYTES
    found = pictures(path)
    assert set(found) == {"ranges", "retry"}
    for root in found.values():
        check_picture(root)
    check_counts(catalog_of(path), found["ranges"])


def check_counts(catalog: Catalog, root: ET.Element) -> None:
    """Check that each row says what its range holds, and that its marks lie where its codes do."""
    rows = list(root.iter(f"{_SVG}g"))
    assert len(rows) == len(catalog.ranges)
    codes = sorted(error.code for error in catalog.errors if isinstance(error.code, int))
    for row, item in zip(rows, catalog.ranges, strict=True):
        cells = [text.text for text in row.iter(f"{_SVG}text") if "count" in text.get("class", "")]
        told = [numbered(item.used)]
        if item.prefix is None:
            (strip,) = (box for box in row.iter(f"{_SVG}rect") if box.get("class") == "strip")
            each = codes_a_bar(item.size or 1)
            shown = [text.text for text in row.iter(f"{_SVG}text")]
            assert {str(item.first), str(item.last)} <= set(shown)
            has_reserved = len(cells) == 4
            told = [
                f"{numbered(each)} code{'s' if each > 1 else ''}",
                numbered(item.used),
                *([numbered(item.reserved)] if has_reserved else []),
                numbered(item.free or 0),
            ]
            marks = [
                box
                for path in row.iter(f"{_SVG}path")
                if path.get("class") != "held"
                for box in boxes_in(path.get("d", ""))
            ]
            left, long = number(strip, "x") + 0.5, number(strip, "width") - 1
            inside = [code for code in codes if item.holds(code)]
            assert len(inside) == item.used
            for code in inside:
                x = left + long * (code - (item.first or 0) + 0.5) / (item.size or 1)
                assert any(a - 0.2 <= x <= a + b + 0.2 for a, _, b, _ in marks)
            assert bool(marks) == bool(inside)
        assert cells == told


@pytest.mark.parametrize("name", [name for name in CATALOGS if catalog_of(CATALOGS[name]).ranges])
def test_rows_say_what_their_ranges_hold(name: str) -> None:
    check_counts(catalog_of(CATALOGS[name]), pictures(CATALOGS[name])["ranges"])


def test_ranges_of_any_size_and_prefixes_have_rows(tmp_path: Path) -> None:
    path = mixed(tmp_path, title="A title that goes on and on" * 6)
    root = pictures(path)["ranges"]
    check_picture(root)
    check_counts(catalog_of(path), root)
    assert "1 used code lies outside every range." in texts_in(root)
    assert "2 ranges: 2 codes used, 6,000,007 reserved, 9.0e15 free. 2 prefixes: 1 code used." in (
        texts_in(root, "desc")[0]
    )


def test_what_is_too_much_to_draw_is_counted(tmp_path: Path) -> None:
    data = {
        "errgen": 1,
        "name": "many",
        "version": "1.0.0",
        "categories": {"c": {"retry": "never"}},
        "ranges": [
            {"first": 10 * index, "last": 10 * index + 9, "category": "c"}
            for index in range(_MANY_RANGES)
        ],
        "errors": {
            f"E{index}": {"code": 10 * index, "category": "c", "message": "M"}
            for index in range(_MANY_RANGES)
        },
    }
    path = write_catalog(tmp_path, yaml.safe_dump(data))
    root = pictures(path)["ranges"]
    check_picture(root)
    assert len(list(root.iter(f"{_SVG}g"))) == MOST_ROWS
    assert "280 more ranges with 280 used codes are not drawn." in texts_in(root)
    assert "400 ranges: 400 codes used" in page_of(path)


_SPANS: Final = st.tuples(st.integers(-40_000, 40_000), st.integers(1, 50_000))


@settings(deadline=None)
@given(_SPANS, st.lists(st.integers(0, 49_999), max_size=60, unique=True), st.data())
def test_every_code_lies_in_the_bar_that_says_so(
    span: tuple[int, int], offsets: list[int], data: st.DataObject
) -> None:
    first, size = span
    codes = sorted(first + offset for offset in offsets if offset < size)
    held = (
        [] if codes else [data.draw(st.sampled_from([(first - 5, first), (first, first + size)]))]
    )
    strip = Strip(100, 50, 3000, 200)
    used, reserved = bars(Span(first, first + size - 1), codes, held, strip)
    each = codes_a_bar(size)
    assert -(-size // each) <= MOST_BARS
    taken = {(code - first) // each for code in codes}
    check_bars(used, taken, size, each, strip)
    ends = [(max(0, a - first) // each, min(size - 1, b - first) // each) for a, b in held]
    check_bars(reserved, {n for a, b in ends for n in range(a, b + 1)}, size, each, strip)


def check_bars(found: Sequence[Box], taken: set[int], size: int, each: int, strip: Strip) -> None:
    for x, y, long, high in found:
        assert strip.left <= x < x + long <= strip.left + strip.width
        assert strip.top <= y < y + high <= strip.top + strip.height
    for index in range(-(-size // each)):
        start = strip.left + strip.width * index * each / size
        end = strip.left + strip.width * min(size, (index + 1) * each) / size
        covers = [x for x, _, long, _ in found if x <= (start + end) / 2 <= x + long]
        assert bool(covers) == (index in taken)


def test_bars_are_as_high_as_the_share_of_their_codes() -> None:
    strip, span = Strip(0, 0, 1000, 200), Span(0, 999)
    codes = [*range(20), *range(30, 35), 990]
    used, reserved = bars(span, codes, [(36, 37), (991, 998)], strip)
    assert used == [(0, 0, 20, 200), (30, 100, 10, 100), (990, 150, 10, 50)]
    assert reserved == [(30, 50, 10, 50), (990, 0, 10, 150)]
    assert codes_a_bar(100) == 1
    assert [codes_a_bar(size) for size in (101, 201, 501, 1001, 10**6)] == [2, 5, 10, 20, 10_000]


_DELAYS: Final = st.one_of(st.none(), st.integers(0, 100_000))


@st.composite
def policies(draw: Callable[[Any], Any]) -> RetryPolicy:
    known = next(iter(catalog_of(CATALOGS["reference"]).policies))
    most = draw(st.one_of(st.none(), st.integers(0, 10_000_000)))
    first = draw(st.integers(0, 100_000))
    return replace(
        known,
        retryable=True,
        strategy=draw(st.sampled_from(["fixed", "linear", "exponential"])),
        initial_delay_ms=first if most is None else min(first, most),
        multiplier=draw(st.sampled_from([1.0, 1.5, 2.0, 10.0])),
        max_delay_ms=most,
        max_attempts=draw(st.integers(2, 12)),
        jitter=draw(st.sampled_from(["none", "full", "equal", "decorrelated"])),
        retry_after_ms=draw(_DELAYS),
    )


@settings(deadline=None)
@given(policies(), st.lists(st.floats(0, 1, exclude_max=True), min_size=12, max_size=12))
def test_waits_are_those_of_generated_code(policy: RetryPolicy, chances: list[float]) -> None:
    module = python_of("reference")
    names = module.RetryPolicy.__annotations__
    known = {name: getattr(policy, name) for name in names if hasattr(policy, name)}
    made = module.RetryPolicy(**known)
    before: int | None = None
    for attempt, (shortest, longest) in enumerate(guidance.waits(policy), 1):
        for chance in (0, chances[attempt - 1], 1):
            wait = made.delay_ms(attempt, lambda chance=chance: chance)
            assert shortest - 1 <= wait <= longest + 1
            if policy.jitter != "decorrelated":
                assert chance or wait in (shortest, shortest - 1, shortest + 1)
                assert chance < 1 or wait in (longest, longest - 1, longest + 1)
        before = made.delay_ms(attempt, lambda: chances[0], previous_ms=before)
        assert shortest - 1 <= before <= longest + 1
    if policy.jitter != "decorrelated":
        delays = [min(delay, guidance.LONGEST_MS) for delay in guidance.delays(policy)]
        assert [longest for _, longest in guidance.waits(policy)] == delays


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 10**13), min_size=1, max_size=20),
    st.sampled_from([1, 10, 1000]),
)
def test_times_stand_in_order_on_their_axis(times: list[int], scale: int) -> None:
    times = sorted(time // scale for time in times)
    axis = axis_of(times, 2700, 6200)
    places = [axis.place(time) for time in times]
    assert places == sorted(places)
    assert axis.place(0) == 2700
    assert all(2700 <= place <= 6200 for place in places)
    assert axis.place(max(1, *times)) == 6200
    ticks = axis.ticks()
    assert ticks[0] == (2700, "0")
    assert len(ticks) >= 2
    assert all(2700 <= tick.x <= 6200 for tick in ticks)
    spans = [
        (tick.x - width(tick.text, 11) // 2, tick.x + width(tick.text, 11) // 2)
        for tick in ticks
        if tick.text
    ]
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))


@pytest.mark.parametrize(
    ("times", "told"),
    [
        ([200, 3000], ["0", "0.5 s", "1 s", "1.5 s", "2 s", "2.5 s", "3 s"]),
        ([300, 800], ["0", "200 ms", "400 ms", "600 ms", "800 ms"]),
        ([60_000, 120_000], ["0", "20 s", "40 s", "60 s", "80 s", "100 s", "120 s"]),
        ([100, 7_200_000], ["0", "100 ms", "1 s", "10 s", "1 min", "10 min", "1 h"]),
        ([0], ["0", "1 ms"]),
    ],
)
def test_an_axis_has_one_unit_or_powers(times: list[int], told: list[str]) -> None:
    assert [tick.text for tick in axis_of(times, 2700, 6200).ticks()] == told


def test_attempts_stand_where_their_waits_end(tmp_path: Path) -> None:
    path = write_catalog(tmp_path, _POLICIES)
    catalog = catalog_of(path)
    chart = retrychart(catalog)
    assert chart is not None
    known = {policy.name: policy for policy in catalog.policies}
    assert [block.name for block in chart.blocks] == [
        policy.name for policy in catalog.policies if guidance.delays(policy)
    ]
    waits = {name: guidance.waits(policy) for name, policy in known.items()}
    ends = {
        name: list(zip(*(accumulate(side) for side in zip(*found, strict=True)), strict=True))
        for name, found in waits.items()
        if found
    }
    longest = max(time for found in ends.values() for _, time in found)
    axis = axis_of([t for found in ends.values() for both in found for t in both], 2700, 6200)
    assert axis.longest == longest
    for block in chart.blocks:
        first, *others = block.attempts
        assert (first.number, first.start, first.end, first.wait) == (1, 2700, 2700, "")
        numbers = [attempt.number for attempt in others if attempt.number]
        assert numbers[-1] == known[block.name].max_attempts
        assert len(block.attempts) <= MOST_ATTEMPTS
        for attempt in others:
            if not attempt.number:
                continue
            earliest, latest = ends[block.name][attempt.number - 2]
            assert attempt.start == axis.place(earliest)
            assert attempt.end in (axis.place(latest), attempt.start + 30)
            assert (attempt.start == attempt.end) == (earliest == latest)
    blocks = {block.name: block for block in chart.blocks}
    assert blocks["tiny"].attempts[1].wait == "50 ms to 100 ms"
    assert blocks["hours"].facts == ("fixed, full jitter", "5 attempts", "waits at least 1 h")


def test_long_waits_are_rounded_up(tmp_path: Path) -> None:
    text = _POLICIES.replace("initial_delay: 2h", "initial_delay: 1048576ms, max_delay: 999999h")
    chart = retrychart(catalog_of(write_catalog(tmp_path, text.replace("fixed", "linear"))))
    assert chart is not None
    (block,) = (block for block in chart.blocks if block.name == "hours")
    assert [attempt.wait for attempt in block.attempts[-2:]] == ["1 h", "1 h to 1.2 h"]


def test_policies_without_attempts_are_only_named(tmp_path: Path) -> None:
    path = write_catalog(tmp_path, _POLICIES)
    root = pictures(path)["retry"]
    check_picture(root)
    said = texts_in(root)
    assert "Never repeated: never, no_more" in said
    assert "Repeated only as each response says: asked" in said
    assert "on a logarithmic scale" in " ".join(said)
    page = page_of(path)
    assert (
        "![Attempts of the retry policies over time. tiny: 6 attempts within 3.1 s; chance: 20 attempts within 1.3 h; "
        in page
    )


def test_only_some_of_many_policies_are_drawn(tmp_path: Path) -> None:
    text = _POLICIES.replace(
        "retry_policies:\n",
        "operations: { write: { effect: write, max_attempts: 3, default: true } }\nretry_policies:\n"
        "  stuck: { retryable: true, strategy: fixed, initial_delay: 1s, max_attempts: 9, safe_to_retry: never }\n"
        + "".join(
            f"  policy_with_a_long_name_{index:02}: {{ retryable: true, strategy: fixed, initial_delay: 1s,"
            " max_attempts: 9, safe_to_retry: always }\n"
            for index in range(80)
        ),
    )
    root = pictures(write_catalog(tmp_path, text))["retry"]
    check_picture(root)
    assert len(list(root.iter(f"{_SVG}g"))) == MOST_POLICIES
    said = " ".join(texts_in(root))
    assert "Without a second attempt for any class of operation: stuck" in said
    assert re.search(r"Not drawn: policy_with_a_long_name_\d+, .*, \d+ more", said)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_pictures_say_every_text_as_it_is(text: str, tmp_path: Path) -> None:
    title = text.strip()
    path = mixed(tmp_path, title=title)
    root = pictures(path)["ranges"]
    check_picture(root)
    heads = texts_in(root, "title")
    assert heads[0] == f"{title}: code ranges"
    assert all(head.startswith(f"{title}, ") for head in heads[1:])
    assert rangechart(catalog_of(path)) is not None


@settings(deadline=None)
@given(st.text(max_size=60))
def test_xml_is_read_back(text: str) -> None:
    shown = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", "\ufffd", text)
    known = f'<a b="{xml(text)}">{xml(text)}<!-- {xmlcomment(text)}. --></a>'
    root = ET.fromstring(known)  # noqa: S314 - it is ours
    assert (root.text or "") == shown
    assert root.get("b") == shown


@settings(deadline=None)
@given(st.text(max_size=40), st.integers(200, 3000))
@example("00<ɐɐɐɐ", 760)
def test_a_text_fits_its_place(text: str, most: int) -> None:
    found = fitted(text, most, 11)
    assert width(found, 11) <= most
    whole = " ".join(text.split())
    assert found == whole or (found.endswith("…") and whole.startswith(found[:-1]))


def test_words_fill_lines() -> None:
    words = [f"word{index}" for index in range(20)]
    lines = lines_of(words, 2000, 11)
    assert len(lines) > 1
    assert all(width(line, 11) <= 2000 for line in lines)
    assert " ".join(lines) == ", ".join(words)


def test_lengths_and_counts_are_short() -> None:
    assert [px(tenths) for tenths in (0, 5, 30, -5, 1234)] == ["0", "0.5", "3", "-0.5", "123.4"]
    assert [numbered(count) for count in (0, 12_000, 2**53)] == ["0", "12,000", "9.0e15"]


def test_a_header_with_dashes_stays_a_comment(tmp_path: Path) -> None:
    path = write_catalog(tmp_path, _POLICIES, "a--b---.yaml")
    for root in pictures(path).values():
        check_picture(root)
    for name, text in rendered(path, "markdown").items():
        if name.endswith(".svg"):
            assert "Generated by errgen from a- -b- - -.yaml (policies 1.0.0)" in text[:1000]


def test_strangers_see_no_internal_code(tmp_path: Path) -> None:
    path = write_catalog(
        tmp_path,
        _POLICIES.replace(
            "  TWO: { code: 2,", "  TWO: { code: 2, visibility: internal, conceal_as: ONE,"
        ),
    )
    made: dict[bool, str] = {}
    for is_public in (False, True):
        options = {"audience": "public"} if is_public else {}
        config = CatalogConfig(
            path.name, "out", {"markdown": TargetConfig(None, options)}, ("markdown",), frozenset()
        )
        artifacts = render(catalog_of(path), config, [templates_dir()])
        (made[is_public],) = (a.text for a in artifacts if a.path.endswith("ranges.svg"))
    assert "6 used, 0 reserved, 3 free" in made[False]
    assert "5 used, 0 reserved, 4 free" in made[True]
    (mark,) = re.findall(r'<path class="c0" d="([^"]+)"', made[True])
    assert len(boxes_in(mark)) == 5


def test_a_page_shows_only_what_is_made() -> None:
    outputs = {"markdown/errors.ranges.svg.j2": "docs/all errors.ranges.svg"}
    told = mdpicture(outputs, "errors.ranges.svg", "docs/all errors.md", "[Told]")
    assert told == "![\\[Told\\]](all%20errors.ranges.svg)"
    assert mdpicture(outputs, "errors.retry.svg", "docs/all errors.md", "Told") == ""


@pytest.mark.parametrize("kind", ["svg", "xml"])
def test_a_template_that_makes_no_xml_is_named(kind: str, tmp_path: Path) -> None:
    template = tmp_path / "own" / f"errors.{kind}.j2"
    template.parent.mkdir()
    template.write_text("<svg><text></svg>")
    config = CatalogConfig("catalog.yaml", "out", {}, ("own",), frozenset())
    with pytest.raises(TemplateError) as raised:
        render(catalog_of(CATALOGS["reference"]), config, [tmp_path])
    assert "what it makes is not XML: mismatched tag: line 1" in str(raised.value)
    template.write_text("<svg><text/></svg>")
    (made,) = render(catalog_of(CATALOGS["reference"]), config, [tmp_path])
    assert made.text == "<svg><text/></svg>\n"


def colours() -> tuple[dict[str, dict[str, str]], dict[str, dict[str, str]]]:
    """Return the fills and strokes of each class in light and in dark."""
    css = (templates_dir() / "markdown" / "_picture.svg.j2").read_text("utf-8")
    light, dark = css.split("@media screen and (prefers-color-scheme: dark)")
    found = []
    for text in (light, dark):
        rules: dict[str, dict[str, str]] = {}
        for selectors, body in re.findall(r"([.\w, ]+) \{ ([^}]*) \}", text):
            for selector in selectors.split(","):
                given = dict(re.findall(r"(fill|stroke): (#[0-9a-f]{6})", body))
                rules.setdefault(selector.strip(), {}).update(given)
        found.append(rules)
    return found[0], found[1]


def contrast(one: str, other: str) -> float:
    """Return the ratio of two colours as WCAG 2 defines it."""

    def luminance(colour: str) -> float:
        parts = [int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5)]
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("rules", colours(), ids=["light", "dark"])
def test_colours_can_be_told_apart(rules: Mapping[str, Mapping[str, str]]) -> None:
    page, strip = rules[".page"]["fill"], rules[".strip"]["fill"]
    for name in ("text", ".name", ".count"):
        assert contrast(rules[name]["fill"], page) >= _READABLE
    for index in range(6):
        for behind in (page, strip):
            assert contrast(rules[f".c{index}"]["fill"], behind) >= _READABLE
    for name in (".strip", ".hatch", ".held", ".band"):
        assert contrast(rules[name]["stroke"], page) >= _DISTINCT


def test_text_is_large_enough() -> None:
    css = (templates_dir() / "markdown" / "_picture.svg.j2").read_text("utf-8")
    sizes = re.findall(r"(\d+)px", css)
    assert min(map(int, sizes)) >= _SMALLEST


_TITLES: Final = st.text(
    st.characters(exclude_categories=("C", "Z")) | st.just(" "), min_size=1, max_size=90
).filter(lambda text: text.strip() == text)


@st.composite
def catalogs_of_any_shape(draw: Callable[[Any], Any]) -> dict[str, Any]:
    """Return a catalog with ranges of any sizes, some of their codes in use, and some policies."""
    errors: dict[str, Any] = {}
    ranges, reserved, end = [], [], draw(st.integers(-(2**52), 2**20))
    policies = {
        f"p{index}": {
            "retryable": draw(st.sampled_from([True, "varies"])),
            "strategy": "linear",
            "initial_delay": f"{draw(st.integers(0, 10**7))}ms",
            "max_attempts": draw(st.integers(2, 30)),
            "jitter": draw(st.sampled_from(["none", "full", "equal", "decorrelated"])),
            **({"retry_after": f"{draw(st.integers(0, 10**6))}s"} if draw(st.booleans()) else {}),
        }
        for index in range(draw(st.integers(0, 4)))
    }
    for index in range(draw(st.integers(1, 5))):
        first = end + draw(st.integers(1, 10**6))
        end = first + draw(st.sampled_from([0, 5, 98, 99, 100, 4_999, 10**15]))
        codes = draw(st.lists(st.integers(first, min(end, first + 400)), max_size=30, unique=True))
        errors |= {
            f"E{index}_{number}": {"code": code, "category": f"c{index}", "message": "M"}
            for number, code in enumerate(codes)
        }
        if not codes:
            reserved.append({"first": first - 5, "last": first + 50, "reason": "R"})
        ranges.append({"first": first, "last": end, "category": f"c{index}"})
    return {
        "errgen": 1,
        "name": "any",
        "version": "1.0.0",
        "title": draw(_TITLES),
        "categories": {
            f"c{index}": {"title": draw(_TITLES), "retry": "never"} for index in range(len(ranges))
        },
        "ranges": ranges,
        "reserved": reserved,
        "retry_policies": policies,
        "errors": errors or {"OUT": {"code": end + 1, "category": "c0", "message": "M"}},
    }


@settings(deadline=None, max_examples=60)
@given(catalogs_of_any_shape())
def test_pictures_of_any_catalog_have_everything_in_its_place(data: dict[str, Any]) -> None:
    catalog = catalog_from(data)
    config = CatalogConfig("any.yaml", "out", {}, ("markdown",), frozenset())
    found = {
        artifact.path.split(".")[-2]: ET.fromstring(artifact.text)  # noqa: S314 - it is ours
        for artifact in render(catalog, config, [templates_dir()])
        if artifact.path.endswith(".svg")
    }
    for root in found.values():
        check_picture(root)
    check_counts(catalog, found["ranges"])
    assert ("retry" in found) == any(map(guidance.delays, catalog.policies))
