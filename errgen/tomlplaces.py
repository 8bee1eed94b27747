"""Find a setting in TOML: a text and the path of a key flow in, the line and column of it flow out."""

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

KeyPath: TypeAlias = tuple[str | int, ...]

_PART: Final = re.compile(r"[\w-]+|\"[^\"\n]*\"|'[^'\n]*'")
_KEYS: Final = rf"(?:{_PART.pattern})(?:[ \t]*\.[ \t]*(?:{_PART.pattern}))*"
_LINE: Final = re.compile(
    rf"^[ \t]*(?:(?P<opening>\[\[?)[ \t]*(?P<table>{_KEYS})[ \t]*\]|(?P<key>{_KEYS})[ \t]*=)",
    re.MULTILINE,
)
_TOLD: Final = re.compile(r" \(at (?:line ([0-9]+), column ([0-9]+)|end of document)\)$")


def place_of(text: str, path: KeyPath) -> tuple[int, int]:
    """Return the line and column of a key, or of the nearest table around it; zeros where none is found.

    Keys are looked for line by line, and in inline tables; what looks like one inside of a text may be taken for it.
    """
    start, known, end = -1, 0, len(text)
    for found, offset in _keys(text):
        if start >= 0 and end == len(text):
            end = offset
        if len(found) > known and found == path[: len(found)]:
            start, known, end = offset, len(found), len(text)
    for name in (part for part in path[known:] if isinstance(part, str)):
        quoted = rf"[\"']{re.escape(name)}[\"']"
        inner = re.compile(rf"(?<![\w-]){re.escape(name)}(?=[ \t]*[=.\]])|{quoted}")
        if further := inner.search(text, start + 1, end):
            start = further.start()
    return (0, 0) if start < 0 else _position(text, start)


def told_place(problem: str) -> tuple[str, int, int]:
    """Return what Python says of broken TOML without the place that it names, and that place, or zeros."""
    found = _TOLD.search(problem)
    if found is None:
        return problem, 0, 0
    return problem[: found.start()], int(found[1] or 0), int(found[2] or 0)


def _keys(text: str) -> Iterator[tuple[KeyPath, int]]:
    """Yield the path and the offset of each key and table that begins a line."""
    table: KeyPath = ()
    counts: dict[KeyPath, int] = {}
    for line in _LINE.finditer(text):
        group = "table" if line["table"] else "key"
        parts = list(_PART.finditer(line[group]))
        names = tuple(part[0].strip("\"'") for part in parts)
        offset = line.start(group) + parts[-1].start()
        if group == "key":
            yield (*table, *names), offset
            continue
        table = _entered(counts, names)
        if line["opening"] == "[[":
            counts[names] = counts.get(names, -1) + 1
            table = (*names, counts[names])
        yield table, offset


def _entered(counts: dict[KeyPath, int], names: tuple[str, ...]) -> KeyPath:
    """Return the path of a table, which may be inside the last entry of an array of tables."""
    for end in range(len(names) - 1, 0, -1):
        if names[:end] in counts:
            return (*names[:end], counts[names[:end]], *names[end:])
    return names


def _position(text: str, offset: int) -> tuple[int, int]:
    before = text[:offset]
    return before.count("\n") + 1, offset - before.rfind("\n")
