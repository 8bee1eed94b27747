"""Bodies: the fields of a response, and what the catalog fixes in them for each error."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from errgen.model.codespace import Code, Extensions


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a body.

    `kind` is source (filled from what `source` names), constant (`value`), runtime (typed) or object (`fields`).
    `type` is a JSON type, any, or code (an integer or a string); `type_name` names the type of an object.
    """

    name: str
    kind: str
    source: str | None
    value: Any
    type: str
    type_name: str
    fields: tuple["Field", ...]
    optional: bool
    nullable: bool
    description: str
    extensions: Extensions


@dataclass(frozen=True, slots=True)
class BodyType:
    """An object type of a body, under the name that each target language gives it."""

    name: str
    description: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Pin:
    """What the catalog fixes for a field: its only value, or that it is absent."""

    path: tuple[str, ...]
    value: Any
    is_absent: bool


@dataclass(frozen=True, slots=True)
class Branch:
    """The errors for which the catalog fixes the same facts of the body, by the field that tells them apart.

    Paths begin inside of what the body is wrapped in.
    """

    path: tuple[str, ...]
    values: tuple[Code, ...]
    pins: tuple[Pin, ...]


@dataclass(frozen=True, slots=True)
class Response:
    """The error body, and the body of a success where both share an envelope.

    `types` holds every object type, inner ones first, the body itself last; `success_types` likewise. `given` are the
    types of the fields that a program may give, `context` of those that it must have given in the end (empty where
    there are none), `success_given` of those of a success. `paths` leads from the source of a field to its place.
    """

    type: str
    description: str
    wrap: str | None
    fields: tuple[Field, ...]
    success: tuple[Field, ...]
    types: tuple[BodyType, ...]
    success_types: tuple[BodyType, ...]
    given: tuple[BodyType, ...]
    context: tuple[BodyType, ...]
    success_given: tuple[BodyType, ...]
    paths: Mapping[str, tuple[str, ...]]
    branches: tuple[Branch, ...]
    extensions: Extensions

    @property
    def identity(self) -> str:
        """Return the source of the field that tells errors apart: the code, or else the name."""
        return "code" if "code" in self.paths else "name"
