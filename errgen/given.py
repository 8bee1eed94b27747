"""Resolve what a program says in a body: fields flow in, types of those that are filled at run time flow out."""

from collections.abc import Iterator
from dataclasses import replace

from errgen.model import BodyType, Field


def given_types(
    owner: str, fields: tuple[Field, ...], suffix: str, *, complete: bool
) -> tuple[BodyType, ...]:
    """Return the object types of the given fields, inner ones first; `complete` makes needed fields required."""
    return (
        tuple(_types(owner, fields, suffix, complete=complete))
        if any(map(is_given, fields))
        else ()
    )


def is_given(field: Field) -> bool:
    """Tell whether a program may give a value for a field, or for one inside it."""
    return field.kind == "runtime" or any(map(is_given, field.fields))


def must_give(field: Field) -> bool:
    """Tell whether a program must give a value for a field, or for one inside it."""
    if field.optional or field.nullable:
        return False
    return field.kind == "runtime" or any(map(must_give, field.fields))


def _types(
    owner: str, fields: tuple[Field, ...], suffix: str, *, complete: bool
) -> Iterator[BodyType]:
    given = [
        replace(
            field,
            optional=not (complete and must_give(field)),
            type_name=field.type_name + suffix if field.type_name else "",
        )
        for field in fields
        if is_given(field)
    ]
    for field in fields:
        if field.kind == "object" and is_given(field):
            yield from _types(field.type_name, field.fields, suffix, complete=complete)
    what = (
        "What whoever sends an error has to say in its body."
        if complete
        else "What a program may say in a body."
    )
    yield BodyType(owner + suffix, what, tuple(given))
