"""Makes pages of what the package goes by: its tables and models flow in, Markdown flows out."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cached_property
from inspect import cleandoc, getdoc
from typing import Final

from format_page import cell, format_reference, sections

from errgen import fieldlevels
from errgen.compatibility import TABLE, Verdict
from errgen.filters import FILTERS
from errgen.levels import Level
from errgen.model import (
    Catalog,
    Category,
    ErrorSpec,
    Layer,
    Operation,
    Range,
    Reservation,
    RetryPolicy,
)


def key_levels() -> str:
    """Return a row for each key of the format: whom adding, removing and changing it breaks."""
    described = {
        f"{section.name}.{key}" for section in sections() for key in section.schema["properties"]
    }
    lines = ["| Key | Added | Removed | Changed |", "| --- | --- | --- | --- |"]
    for key, row in TABLE.items():
        plain = key.removesuffix(".*")
        anchor = next(
            (name for name in (f"catalog.{plain}", plain) if name in described),
            None,
        )
        shown = f"[`{key}`](format.md#{anchor})" if anchor else f"`{key}`"
        cells = (f'<a id="{key}"></a>{shown}', *map(_verdict, row))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def judgements() -> str:
    """Return what the levels that are not fixed depend on."""
    verdicts = {
        verdict for row in TABLE.values() for verdict in row if not isinstance(verdict, Level)
    }
    told = {_name(verdict): _told(verdict) for verdict in verdicts}
    return "\n".join(
        f'- <a id="by-{name}"></a>**{name.replace("_", " ")}**: {told[name]}'
        for name in sorted(told)
    )


def levels() -> str:
    """Return the levels, and whom each breaks."""
    breaks = {
        level: "a major version" if level.is_breaking else "a minor version" for level in Level
    } | {Level.NOTE: "a patch"}
    sources = dict(zip(Level, _WHO, strict=True))
    lines = ["| Level | Whom it breaks | Owes |", "| --- | --- | --- |"]
    lines += [f"| `{level}` | {sources[level]} | {breaks[level]} |" for level in Level]
    return "\n".join(lines)


# As the docstrings of the members, which no program can read.
_WHO: Final = (
    "a client that knows only code, category and retry rule",
    "a client that validates the body, or reads fields of it",
    "a program that is compiled against the names",
    "nobody; something new can be used",
    "nobody; what people read has changed, or what the server alone uses",
)


def field_levels() -> str:
    """Return what a change of a field of the body means, as the module says that judges it."""
    return cleandoc(fieldlevels.__doc__ or "").partition("\n\n")[2]


def _verdict(verdict: Verdict) -> str:
    if isinstance(verdict, Level):
        return f"`{verdict}`"
    name = _name(verdict)
    return f"[{name.replace('_', ' ')}](#by-{name})"


def _name(verdict: Callable[..., Level]) -> str:
    name = verdict.__name__
    # The one that levels.in_body makes.
    return "in_body" if name == "<lambda>" else name


def _told(verdict: Callable[..., Level]) -> str:
    return getdoc(verdict) or "`body` if a field of the body is filled from the key; else `note`."


def model() -> str:
    """Return what templates can read of a catalog and of what is in it."""
    records = (Catalog, ErrorSpec, RetryPolicy, Layer, Category, Operation, Range, Reservation)
    lines = ["| Record | Attributes |", "| --- | --- |"]
    for record in records:
        computed = [
            name
            for name, value in vars(record).items()
            if isinstance(value, property | cached_property)
        ]
        names = [field.name for field in fields(record)] + computed
        shown = ", ".join(f"`{name}`" for name in names if not name.startswith("_"))
        lines.append(f"| {_RECORDS.get(record.__name__, record.__name__.lower())} | {shown} |")
    return "\n".join(lines)


_RECORDS: Final = {"ErrorSpec": "error", "RetryPolicy": "policy"}
_FILTERS: Final = (
    *("json", "summary", "wrapped", "indented", "delays"),
    *("member", "snake", "camel", "pascal", "title_of"),
)


def filters() -> str:
    """Return the filters that are made for no language, and what they do."""
    lines = ["| Filter | Does |", "| --- | --- |"]
    told = {name: (getdoc(FILTERS[name]) or "").partition("\n")[0] for name in _FILTERS}
    return "\n".join([*lines, *(f"| `{name}` | {cell(text)} |" for name, text in told.items())])


PARTS: Final[Mapping[str, Callable[[], str]]] = {
    "format": format_reference,
    "levels": levels,
    "key_levels": key_levels,
    "judgements": judgements,
    "field_levels": field_levels,
    "model": model,
    "filters": filters,
}
