"""Rules about ranges: codes lie in their category's, waivers are needed, ranges are whole, apart and of one type."""

from collections.abc import Iterator, Mapping

from errgen.codes import DiagnosticCode as Code
from errgen.diagnostics import Diagnostic, finding
from errgen.rules.accepted import Entry
from errgen.rules.codes import MAX_INTEGER, bounds
from errgen.rules.facts import Facts
from errgen.rules.profiles import BAND, waivable
from errgen.rules.registry import rule
from errgen.rules.spans import Ranges, show


@rule(Code.JSONRPC_BAND)
def jsonrpc_band(facts: Facts) -> Iterator[Diagnostic]:
    """JSON-RPC's reserved band is used only by layers that are sent as JSON-RPC errors."""
    inside: list[tuple[int, int]] = []
    for index, item in facts.sections["ranges"].items():
        layer, span = facts.layer(item), bounds(item)
        if layer is None or span is None or _may_use_band(facts.layers[layer]):
            continue
        if span[0] <= BAND[-1] and span[1] >= BAND[0]:
            inside.append(span)
            place = facts.at("ranges", index)
            yield finding(Code.JSONRPC_BAND, place, what=f"range {show(item)}", layer=layer)
    for name, _, code, layer in facts.numbered():
        # Codes of such a range follow it when it moves.
        is_told = any(first <= code <= last for first, last in inside)
        if code in BAND and not is_told and not _may_use_band(facts.layers[layer]):
            place = facts.at("errors", name, "code")
            yield finding(Code.JSONRPC_BAND, place, what=f"code {code} of {name}", layer=layer)


@rule(Code.OUTSIDE_RANGE)
def outside_range(facts: Facts) -> Iterator[Diagnostic]:
    """A code lies in a range of its category, unless a waiver says why not."""
    ranges = Ranges(facts)
    for name, entry, code, layer in facts.coded():
        category = entry["category"]
        if layer is None or "range_waiver" in entry or not ranges.is_clear(category, code):
            continue
        if shown := ranges.outside(category, code):
            place = facts.at("errors", name, "code")
            yield finding(
                Code.OUTSIDE_RANGE, place, code=code, name=name, category=category, ranges=shown
            )


@rule(Code.NEEDLESS_WAIVER)
def needless_waiver(facts: Facts) -> Iterator[Diagnostic]:
    """A waiver that waives nothing is an error too."""
    ranges = Ranges(facts)
    for name, entry, code, layer in facts.coded():
        category = entry["category"]
        if layer is None or "range_waiver" not in entry or not ranges.is_clear(category, code):
            continue
        needed = bool(ranges.outside(category, code))
        if isinstance(code, int):
            needed |= not ranges.has_numbers(category) or waivable(
                facts.layers[layer], name, entry, code
            )
        if not needed:
            place = facts.at("errors", name, "range_waiver", key=True)
            yield finding(Code.NEEDLESS_WAIVER, place, name=name, code=code)


@rule(Code.NO_RANGE)
def no_range(facts: Facts) -> Iterator[Diagnostic]:
    """A category with integer codes has a range."""
    ranges = Ranges(facts)
    lacking = {
        entry["category"]: None
        for _, entry, code, _ in facts.numbered()
        if "range_waiver" not in entry
        and ranges.is_clear(entry["category"], code)
        and ranges.has_none(entry["category"])
    }
    for category in lacking:
        yield finding(Code.NO_RANGE, facts.at("categories", category, key=True), category=category)


@rule(Code.RANGE_REVERSED)
def range_reversed(facts: Facts) -> Iterator[Diagnostic]:
    """A range does not end before it begins."""
    for section in ("ranges", "reserved"):
        for index, item in facts.sections[section].items():
            first, last = item.get("first"), item.get("last")
            if (
                first is not None
                and last is not None
                and -MAX_INTEGER <= last < first <= MAX_INTEGER
            ):
                place = facts.at(section, index, "last")
                yield finding(Code.RANGE_REVERSED, place, first=first, last=last)


@rule(Code.RANGE_TYPE)
def range_type(facts: Facts) -> Iterator[Diagnostic]:
    """A range of numbers belongs to a layer of integers, a prefix to a layer of strings."""
    for index, item in facts.sections["ranges"].items():
        layer, span = facts.layer(item), bounds(item)
        if layer is None or (span is None) == ("prefix" not in item):
            continue
        expected = facts.layers[layer]["code"]
        if (span is not None) != (expected == "integer"):
            place = facts.at("ranges", index)
            yield finding(Code.RANGE_TYPE, place, range=show(item), expected=expected, layer=layer)


@rule(Code.RANGE_OVERLAP)
def range_overlap(facts: Facts) -> Iterator[Diagnostic]:
    """Ranges of different categories share no code."""
    items = facts.sections["ranges"]
    for later, earlier in (*_overlapping_spans(items), *_overlapping_prefixes(items)):
        index, other = max(later, earlier), min(later, earlier)
        place = facts.at("ranges", other)
        yield finding(
            Code.RANGE_OVERLAP,
            facts.at("ranges", index),
            range=show(items[index]),
            category=items[index]["category"],
            other=show(items[other]),
            other_category=items[other]["category"],
            line=place.line,
            related=[place],
        )


def _may_use_band(layer: Entry) -> bool:
    # A profile without the wire that it is for is another rule's finding.
    return layer.get("wire") == "jsonrpc-error" or "profile" in layer


def _overlapping_spans(items: Mapping[int, Entry]) -> Iterator[tuple[int, int]]:
    """Pair each span with an earlier one of another category that reaches into it, in one sweep."""
    spans = sorted((*span, index) for index, item in items.items() if (span := bounds(item)))
    # The span reaching furthest, and the furthest of any other category: one of them overlaps if any does.
    best: list[tuple[int, int]] = []
    for first, last, index in spans:
        category = items[index]["category"]
        for reach, other in best:
            if items[other]["category"] != category and reach >= first:
                yield index, other
                break
        candidates = sorted([*best, (last, index)], reverse=True)
        best = (
            candidates[:1]
            + [
                item
                for item in candidates[1:]
                if items[item[1]]["category"] != items[candidates[0][1]]["category"]
            ][:1]
        )


def _overlapping_prefixes(items: Mapping[int, Entry]) -> Iterator[tuple[int, int]]:
    owners: dict[str, int] = {}
    for index, item in items.items():
        if "prefix" in item:
            owners.setdefault(item["prefix"], index)
    for index, item in items.items():
        prefix = item.get("prefix", "")
        for end in range(1, len(prefix) + 1):
            other = owners.get(prefix[:end])
            if other is not None and items[other]["category"] != item["category"]:
                yield index, other
                break
