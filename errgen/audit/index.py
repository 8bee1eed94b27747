"""A catalog to look things up in: a Catalog flows in, its errors and reservations by code and name flow out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from errgen.model import Catalog, Code, ErrorSpec, Field, Reservation

# 1 and "1" are two codes, and True would be 1.
_Key = tuple[type, Code]


@dataclass(frozen=True, slots=True)
class Index:
    """Errors and tombstones of a catalog by code and by name, aliases too, and the body's fields for both."""

    catalog: Catalog
    by_code: Mapping[_Key, ErrorSpec]
    by_name: Mapping[str, ErrorSpec]
    retired: Mapping[_Key, Reservation]
    code_fields: frozenset[str]
    name_fields: frozenset[str]

    def error(self, code: Code) -> ErrorSpec | None:
        """Return the error with a code."""
        return self.by_code.get((type(code), code))

    def reservation(self, code: Code) -> Reservation | None:
        """Return what a code is reserved for, its own tombstone first."""
        found = self.retired.get((type(code), code))
        return found or next((item for item in self.catalog.reserved if _holds(item, code)), None)

    def space(self, code: Code) -> str:
        """Return the range or prefix that a code lies in, in words, or nothing."""
        for item in self.catalog.ranges:
            if item.holds(code) and code != item.prefix:
                return f"'{item.prefix}…'" if item.prefix else f"{item.first} to {item.last}"
        return ""


def index_of(catalog: Catalog) -> Index:
    """Return a catalog with its errors by code and by name."""
    fields = list(_fields(catalog.response.fields if catalog.response else ()))
    return Index(
        catalog,
        {(type(error.code), error.code): error for error in catalog.errors},
        {name: error for error in catalog.errors for name in (error.name, *error.aliases)},
        {(type(item.code), item.code): item for item in catalog.reserved if item.code is not None},
        frozenset(field.name for field in fields if field.source == "code"),
        frozenset(field.name for field in fields if field.source == "name"),
    )


def _fields(fields: Sequence[Field]) -> Iterator[Field]:
    for field in fields:
        yield field
        yield from _fields(field.fields)


def _holds(item: Reservation, code: Code) -> bool:
    if isinstance(code, str):
        return item.prefix is not None and code.startswith(item.prefix)
    return item.first is not None and item.last is not None and item.first <= code <= item.last
