"""Columns that people count: the lines of a file and offsets in bytes flow in, columns in characters flow out."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from typing import Final

# Bytes of UTF-8 that begin no character.
_INNER: Final = re.compile(rb"[\x80-\xbf]")


class Columns:
    """The lines of a file in UTF-8; a line of many megabytes is searched once, whatever is found in it."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        """Keep the lines."""
        self.lines = lines
        self._inner = cache(self._inner_in)

    def at(self, row: int, offset: int) -> int:
        """Return the column of an offset in a line, both of which count from 0."""
        return offset - bisect_left(self._inner(row), offset) + 1

    def _inner_in(self, row: int) -> list[int]:
        line = self.lines[row]
        return [] if line.isascii() else [found.start() for found in _INNER.finditer(line)]
