"""The data of a document: dicts and lists that know where they and their parts stand."""

from typing import Any, TypeAlias

Mark: TypeAlias = tuple[int, int]
"""Line and column, counted from 1."""


class Map(dict[str, Any]):
    """A mapping that remembers where it and each of its keys and values begin."""

    __slots__ = ("marks", "start")
    start: Mark
    marks: dict[str, tuple[Mark, Mark]]

    def absorb(self, other: "Map", at: tuple[Mark, Mark]) -> None:
        """Take over the keys that only the other mapping has, as if they stood at one place of this one."""
        for key, value in other.items():
            if key not in self:
                self[key], self.marks[key] = value, at


class Seq(list[Any]):
    """A list that remembers where it and each of its items begin."""

    __slots__ = ("marks", "start")
    start: Mark
    marks: list[Mark]
