"""What is left of a catalog without what the schema refuses: data and problems flow in, valid sections flow out."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from errgen.shapes import MISPLACED, UNKNOWN, Path, Problem
from errgen.words import Vocabulary, nearest

Entry: TypeAlias = Mapping[str, Any]

_ENTRIES: Final = (
    "layers",
    "categories",
    "ranges",
    "retry_policies",
    "operations",
    "translations",
    "reserved",
    "errors",
)
# What is refused of these is refused as a whole.
_WHOLE: Final = ("limits", "response")
_SECTIONS: Final = (*_ENTRIES, *_WHOLE)


@dataclass(frozen=True, slots=True)
class Accepted:
    """The valid entries of each section, by name or by index; `doubtful` are the sections that are not whole."""

    data: Entry
    sections: Mapping[str, Mapping[Any, Any]]
    refused: frozenset[Path]
    doubtful: frozenset[str]

    @classmethod
    def of(cls, data: Any, problems: tuple[Problem, ...]) -> "Accepted":
        """Leave out of the data what the problems are about."""
        if not isinstance(data, dict):
            return cls({}, {name: {} for name in _SECTIONS}, frozenset(), frozenset(_SECTIONS))
        doubtful = _doubtful(data, problems)
        refused = frozenset((*_refused(problems), *((name,) for name in doubtful & {*_WHOLE})))
        sections = {name: _valid(name, data.get(name, {}), refused) for name in _SECTIONS}
        return cls(data, sections, refused, doubtful)

    def known(self, section: str, others: Iterable[str] = ()) -> Vocabulary | None:
        """Return every name in a section and the others, or None where the section itself cannot be read."""
        is_lost = section not in self.data and section in self.doubtful
        if is_lost or (section,) in self.refused:
            return None
        return Vocabulary((*self.data.get(section, ()), *others))


def _refused(problems: tuple[Problem, ...]) -> Iterable[Path]:
    """Yield the paths of the sections and entries that hold a problem."""
    for item in problems:
        yield item.place[:2]
        if item.kind == MISPLACED:
            yield (*item.path, item.found)


def _doubtful(data: Entry, problems: tuple[Problem, ...]) -> frozenset[str]:
    """Return the sections that hold a problem, or that are probably written under another name."""
    absent = [name for name in _SECTIONS if name not in data]
    strange = [str(item.key) for item in problems if item.kind == UNKNOWN and not item.path]
    return frozenset(
        (*(str(item.place[0]) for item in problems), *(nearest(key, absent) for key in strange))
    )


def _valid(section: str, value: Any, refused: frozenset[Path]) -> Mapping[Any, Any]:
    if (section,) in refused:
        return {}
    if section in _WHOLE:
        return dict(value)
    entries = enumerate(value) if isinstance(value, list) else value.items()
    return {key: entry for key, entry in entries if (section, key) not in refused}
