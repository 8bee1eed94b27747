"""What source code says of errors, in any language: names, codes written by hand, comments, imports."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from errgen.diagnostics import Location


class Ref(NamedTuple):
    """What a name stands for: a module as the source calls it ("" for the file itself), and the names within it."""

    module: str
    names: tuple[str, ...] = ()


class Place(NamedTuple):
    """A line and a column of a source file; both count from 1, columns in characters."""

    line: int
    column: int

    def within(self, path: str) -> Location:
        """Return the place as one in a file."""
        return Location(path, *self)


class Chain(NamedTuple):
    """Names joined by dots, such as `errors.ErrorCode.NOT_FOUND`, whose first is not defined here."""

    place: Place
    names: tuple[str, ...]


class Literal(NamedTuple):
    """A number or text: `role` is the name of what it is compared with, assigned to, passed to or keyed by.

    `user` is that name with those before its dots, where it is the name of a function or a mapping; `is_key` is true of
    a key in a mapping.
    """

    place: Place
    value: int | str
    role: str
    user: tuple[str, ...] = ()
    is_key: bool = False


class Comment(NamedTuple):
    """A comment without its marks, and its last line; `is_alone` tells whether nothing else is on its lines."""

    place: Place
    text: str
    is_alone: bool
    last: int


@dataclass(frozen=True, slots=True)
class Scan:
    """A source file as the audit sees it; `stars` are the modules whose names are all taken over."""

    chains: tuple[Chain, ...] = ()
    literals: tuple[Literal, ...] = ()
    comments: tuple[Comment, ...] = ()
    bindings: Mapping[str, Ref] = field(default_factory=dict)
    stars: tuple[str, ...] = ()
    problem: tuple[Place, str] | None = None
