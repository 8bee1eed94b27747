"""The ranges of a catalog, ready for questions: Facts flow in; whether a code lies where it should flows out."""

from bisect import bisect_right
from itertools import accumulate
from typing import Final

from errgen.rules.accepted import Entry
from errgen.rules.codes import bounds, starts
from errgen.rules.facts import Facts

# Whose range it is when its category does not exist: perhaps the one that is asked about.
_ANYONE: Final = ""
_MAX_SHOWN: Final = 3


def show(item: Entry) -> str:
    """Write a range as a reader does: `2000-2999` or `23*`."""
    if "prefix" in item:
        return f"{item['prefix']}*"
    dash = "-" if item["first"] >= 0 else " to "
    return f"{item['first']}{dash}{item['last']}"


class Ranges:
    """The codes that each category may have."""

    def __init__(self, facts: Facts) -> None:
        """Sort the ranges by category."""
        self._is_whole = facts.is_whole("ranges")
        self._shown: dict[str, list[str]] = {}
        self._partial: set[str] = set()
        self._owners: dict[str, set[str]] = {}
        spans: dict[str, list[tuple[int, int]]] = {}
        for item in facts.sections["ranges"].values():
            category = _ANYONE if facts.lacks("category", item["category"]) else item["category"]
            span, prefix = bounds(item), item.get("prefix")
            if (span is None) == (prefix is None):
                self._partial.add(category)
                continue
            self._shown.setdefault(category, []).append(show(item))
            if span is not None:
                spans.setdefault(category, []).append(span)
            else:
                self._owners.setdefault(str(prefix), set()).add(category)
        self._spans = {category: _Spans(items) for category, items in spans.items()}

    def is_clear(self, category: str, code: int | str) -> bool:
        """Tell whether nothing that is wrong with a range may be about this category and code."""
        if not self._is_whole or self._partial & {category, _ANYONE}:
            return False
        return not self._holds(_ANYONE, code)

    def has_none(self, category: str) -> bool:
        """Tell whether a category has no range at all."""
        return category not in self._shown

    def has_numbers(self, category: str) -> bool:
        """Tell whether a category has a range of numbers."""
        return category in self._spans

    def outside(self, category: str, code: int | str) -> str:
        """Return the ranges that a code misses, in words, or nothing if it lies where it should."""
        shown = self._shown.get(category, [])
        if self._holds(category, code) or (isinstance(code, int) and category not in self._spans):
            return ""
        if shown:
            more = f" and {len(shown) - _MAX_SHOWN} more" if shown[_MAX_SHOWN:] else ""
            return ", ".join(shown[:_MAX_SHOWN]) + more
        others = {owner for start in starts(str(code)) for owner in self._owners.get(start, ())}
        return f"it has none, and the code begins like those of '{min(others)}'" if others else ""

    def _holds(self, category: str, code: int | str) -> bool:
        """Tell whether a code lies in a range of a category."""
        if isinstance(code, int):
            return code in self._spans.get(category, ())
        return any(category in self._owners.get(start, ()) for start in starts(code))


class _Spans:
    """Spans of numbers, of which any number may be asked at little cost."""

    def __init__(self, spans: list[tuple[int, int]]) -> None:
        spans = sorted(spans)
        self._firsts = [first for first, _ in spans]
        self._reach = list(accumulate((last for _, last in spans), max))

    def __contains__(self, code: object) -> bool:
        return (
            isinstance(code, int)
            and (at := bisect_right(self._firsts, code)) > 0
            and self._reach[at - 1] >= code
        )
