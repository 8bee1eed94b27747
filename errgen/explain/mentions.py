"""Find errors in a line of text, as logs have it: catalogs and a line flow in, the errors that it names flow out."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from errgen.explain.lookup import Catalogs, Match, called, entries, integer
from errgen.message import Part
from errgen.model import ErrorSpec

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
# No part of a word, a date, a time, a version or an address, and no measure.
_NUMBER: Final = re.compile(
    r"(?<![\w.])(?<!\d[:-])(?:(?<!\w)[-+])?(?:0x[0-9a-f]{1,16}|[0-9]{1,19})(?![\w%])(?![.:-]\d)"
    r"(?!\s?(?:[mun]?s|sec\w*|min\w*|[kmg]?i?b|bytes?)\b)",
    re.IGNORECASE,
)
# What stands before a number that is certainly a code.
_BEFORE: Final = re.compile(
    r"(?:code|error|err|errno)[\"']?\s*[:=(#]*\s*[\"']?$|[A-Z]\s\($", re.IGNORECASE
)
# Characters of a message that make it certain, and of a line that are read.
_NAMED: Final = 3
_LITERAL: Final = 8
_LONGEST: Final = 65_536


def mentioned(catalogs: Catalogs, line: str, *, by_name: bool = False) -> tuple[Match, ...]:
    """Return what a line tells most certainly: by its name, its code, or else its message; or by its name alone."""
    line = line[:_LONGEST]
    names = {found[0] for found in _NAME.finditer(line)}
    numbers = _numbers(line)
    ranked = []
    for path, catalog in catalogs.items():
        for item in entries(catalog):
            weight = _NAMED if _is_named(called(item), names, line) else 0
            if isinstance(item.code, int) and item.code in numbers:
                weight += numbers[item.code]
            if weight:
                ranked.append((weight, Match(path, catalog, item)))
    most = max((weight for weight, _ in ranked), default=0)
    named = tuple(match for weight, match in ranked if weight == most)
    if by_name:
        return named if most >= _NAMED else ()
    return named or tuple(_worded(catalogs, line))


def says(template: Sequence[Part], line: str) -> bool:
    """Tell whether a line holds the words of a message in their order."""
    end = 0
    for part in template:
        if not part.is_param:
            begin = line.find(part.text, end)
            if begin < 0:
                return False
            end = begin + len(part.text)
    return True


def _is_named(texts: tuple[str, ...], names: set[str], line: str) -> bool:
    return any(
        text in names
        or (
            text in line
            and not _NAME.fullmatch(text)
            and re.search(rf"(?<!\w){re.escape(text)}(?!\w)", line)
        )
        for text in texts
    )


def _numbers(line: str) -> dict[int, int]:
    """Return each number in a line with how likely it is a code."""
    found: dict[int, int] = {}
    for match in _NUMBER.finditer(line):
        number = integer(match[0])
        assert number is not None, match
        weight = 2 if _BEFORE.search(line[max(0, match.start() - 20) : match.start()]) else 1
        found[number] = max(weight, found.get(number, 0))
    return found


def _worded(catalogs: Catalogs, line: str) -> Iterator[Match]:
    for path, catalog in catalogs.items():
        for error in catalog.errors:
            if _is_telling(error) and says(error.message_parts, line):
                yield Match(path, catalog, error)


def _is_telling(error: ErrorSpec) -> bool:
    return sum(len(part.text) for part in error.message_parts if not part.is_param) >= _LITERAL
