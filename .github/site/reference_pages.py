"""Makes pages of what the package goes by: its tables and models flow in, Markdown flows out."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from inspect import cleandoc, getdoc
from types import NoneType
from typing import Any, Final, get_args, get_origin, get_type_hints

from click import Context
from format_page import cell, format_reference, sections

from errgen import fieldlevels
from errgen.cli import main
from errgen.compatibility import TABLE, Verdict
from errgen.filters import FILTERS
from errgen.levels import Level
from errgen.model import (
    BodyType,
    Catalog,
    Category,
    Deprecation,
    ErrorRef,
    ErrorSpec,
    Example,
    Field,
    Fill,
    Layer,
    Limits,
    Link,
    Operation,
    Param,
    Range,
    Reservation,
    Response,
    RetryPolicy,
    Translation,
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
    lines = ["| Record | Attributes |", "| --- | --- |"]
    for record, name in RECORDS.items():
        shown = ", ".join(f"`{key}`{_holds(kind)}" for key, kind in attributes(record))
        lines.append(f"| {name} | {shown} |")
    return "\n".join(lines)


def attributes(record: type) -> Iterator[tuple[str, Any]]:
    """Yield each attribute of a record with its type, those that are worked out last."""
    kinds = get_type_hints(record)
    yield from ((field.name, kinds[field.name]) for field in fields(record))
    for name, value in vars(record).items():
        if isinstance(value, property):
            yield name, get_type_hints(value.fget)["return"]


def _holds(kind: Any) -> str:
    """Say in brackets what an attribute holds that is no plain value."""
    members = [member for member in get_args(kind) if member is not NoneType]
    is_optional = NoneType in get_args(kind)
    if get_origin(kind) is tuple and Ellipsis in members:
        names = [RECORDS[member] for member in members if member in RECORDS]
        return f" (list of {names[0]})" if names else ""
    names = [
        RECORDS[member] for member in (members if is_optional else [kind]) if member in RECORDS
    ]
    told = [*names, *(["or `none`"] if is_optional else [])]
    return f" ({' '.join(told)})" if told else ""


RECORDS: Final[Mapping[type, str]] = {
    Catalog: "catalog",
    ErrorSpec: "error",
    Param: "param",
    Example: "example",
    Deprecation: "deprecation",
    ErrorRef: "reference to an error",
    Link: "link",
    RetryPolicy: "policy",
    Layer: "layer",
    Category: "category",
    Operation: "operation",
    Range: "range",
    Limits: "limits",
    Response: "response",
    BodyType: "type of an object",
    Field: "field",
    Translation: "translation",
    Fill: "fill",
    Reservation: "reservation",
}
_WIDTH: Final = 88
_FILTERS: Final = (
    *("json", "summary", "wrapped", "indented", "delays"),
    *("member", "snake", "camel", "pascal", "title_of"),
)


def filters() -> str:
    """Return the filters that are made for no language, and what they do."""
    lines = ["| Filter | Does |", "| --- | --- |"]
    told = {name: (getdoc(FILTERS[name]) or "").partition("\n")[0] for name in _FILTERS}
    return "\n".join([*lines, *(f"| `{name}` | {cell(text)} |" for name, text in told.items())])


def commands() -> str:
    """Return what each command says of itself."""
    return "\n\n".join(f"## errgen {name}\n\n{_help(name)}" for name in sorted(main.commands))


def _help(name: str) -> str:
    command = main.commands[name]
    context = Context(command, info_name=f"errgen {name}", terminal_width=_WIDTH)
    return f"```text\n{command.get_help(context)}\n```"


PARTS: Final[Mapping[str, Callable[[], str]]] = {
    "format": format_reference,
    "levels": levels,
    "key_levels": key_levels,
    "judgements": judgements,
    "field_levels": field_levels,
    "model": model,
    "filters": filters,
    "commands": commands,
}
