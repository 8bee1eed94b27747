"""Errors in generated TypeScript, a function for each place that lists them all: errors flow in, lines flow out."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from errgen.filters.tscode import tscall, tsfactory, tsparams
from errgen.filters.typescript import (
    tsaliasdoc,
    tsfactorydoc,
    tskey,
    tsmemberdoc,
    tsplain,
    tsprop,
    tsvalue,
)
from errgen.model import Catalog, ErrorSpec, Layer
from errgen.naming import camel

_WIDTH: Final = 88
# So many neighbours share a line, so that a new code changes one line and not all that follow.
_NEIGHBOURS: Final = 10
_OPTIONAL: Final = tuple((name, camel(name)) for name in """
        outcome recovery_action recovery_hint http_status grpc_status jsonrpc_code is_internal conceal_as since
        deprecated aliases tags docs_url see_also log_message params private_params examples description extensions
        """.split())
# What would end a template literal, or a script element that the module is inlined in.
_SPECIAL: Final = re.compile(r"[\\`]|\$(?=\{)|<(?=/script|!--)", re.IGNORECASE)


def tscodes(errors: Iterable[ErrorSpec]) -> str:
    """Return the members of an enum, aliases among them, each on new lines below its doc comment."""
    lines = []
    for error in errors:
        lines.append(tsprop(error.code, error.name, 2, tsmemberdoc(error)))
        lines += [tsprop(error.code, alias, 2, tsaliasdoc(error)) for alias in error.aliases]
    return "".join(lines)


def tscodelist(errors: Iterable[ErrorSpec], indent: int) -> str:
    """Return the codes as elements of an array, on new lines."""
    pad = "\n" + " " * indent
    return "".join(f"{pad}{', '.join(row)}," for row in _rows(errors, indent))


def tscodesbyretry(catalog: Catalog) -> str:
    """Return a property for each retry policy: the union of the codes that follow it."""
    found: dict[str, list[ErrorSpec]] = {policy.name: [] for policy in catalog.policies}
    for error in catalog.errors:
        found[error.policy.name].append(error)
    return "".join(
        f"\n  readonly {tskey(name)}:"
        + ("".join(f"\n    | {' | '.join(row)}" for row in _rows(errors, 6)) or " never")
        + ";"
        for name, errors in found.items()
    )


def tsnames(errors: Iterable[ErrorSpec], layer: Layer) -> str:
    """Return the type of the names of a layer's errors, without their aliases."""
    names = f"keyof typeof {layer.enum}"
    aliases = [f'      | "{alias}"\n' for error in errors for alias in error.aliases]
    return f"Exclude<\n      {names},\n{''.join(aliases)}    >" if aliases else names


def tsspeclines(errors: Iterable[ErrorSpec]) -> str:
    """Return what the catalog says of each error, as a line of JSON in a template literal."""
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_mapping).encode
    return "".join(_in_template(encode(_spec(error))) + "\n" for error in errors)


def tsfactories(errors: Iterable[ErrorSpec], layer: Layer) -> str:
    """Return the factories of a layer's errors, and those of their aliases."""
    return "".join(
        f"\n\n{tsfactorydoc(error, name)}\n{_factory(layer, error, name)}"
        for error in errors
        for name in (error.name, *error.aliases)
    )


def _factory(layer: Layer, error: ErrorSpec, name: str) -> str:
    params = (*error.params, *error.private_params)
    kind = layer.error_type
    head = tscall(
        f"static {tsfactory(name)}", [tsparams(params), _options(layer, error)], f": {kind} {{", 2
    )
    args = [tsvalue(error.code), "params" if params else "{}", "options"]
    return f"{head}\n{tscall(f'return {kind}.#made', args, ';', 4)}\n  }}"


def _options(layer: Layer, error: ErrorSpec) -> str:
    kind = "ProtocolOptions" if layer.wire == "jsonrpc-error" else "ErrorOptions"
    return f"options: {kind} & Undecided" if error.retryable is None else f"options: {kind} = {{}}"


def _rows(errors: Iterable[ErrorSpec], indent: int) -> Iterator[Sequence[str]]:
    """Yield the literals of codes in groups, each for a line: numbers with their neighbours, texts alone."""
    for _, group in groupby((error.code for error in errors), key=_line_of):
        row = [tsvalue(code) for code in group]
        if indent + sum(len(code) + 3 for code in row) <= _WIDTH:
            yield row
        else:
            yield from ([code] for code in row)


def _line_of(code: int | str) -> int | str:
    return code // _NEIGHBOURS if isinstance(code, int) else code


def _spec(error: ErrorSpec) -> dict[str, Any]:
    """Return what the catalog says of an error; what it does not say is absent."""
    record = {
        "code": error.code,
        "name": error.name,
        "layer": error.layer.name,
        "category": error.category.name,
        "retry": error.policy.name,
        "retryable": error.retryable,
        "safeToRetry": error.safe_to_retry,
        "severity": error.severity,
        "message": error.message,
    }
    for name, key in _OPTIONAL:
        if value := getattr(error, name):
            record[key] = value if value is True else tsplain(value)
    if error.conceal_as:
        record["concealAs"] = error.conceal_as.code
    return record


def _mapping(value: Mapping[str, Any]) -> dict[str, Any]:
    return dict(value)


def _in_template(text: str) -> str:
    """Return a text as it stands between backticks, escaped where it could not be seen."""
    text = _SPECIAL.sub(lambda found: "\\x3c" if found[0] == "<" else "\\" + found[0], text)
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else f"\\u{{{ord(char):x}}}" for char in text)


FILTERS: Final[dict[str, Callable[..., Any]]] = {
    "tscodelist": tscodelist,
    "tscodes": tscodes,
    "tscodesbyretry": tscodesbyretry,
    "tsfactories": tsfactories,
    "tsnames": tsnames,
    "tsspeclines": tsspeclines,
}
