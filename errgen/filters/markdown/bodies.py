"""Examples for a page: errors flow in, what they look like when they are sent flows out."""

from collections.abc import Sequence
from typing import Any

from errgen.cases import case_of, sample_of
from errgen.message import fill
from errgen.model import Catalog, ErrorSpec, Field
from errgen.wireforms import form_of


def mdwire(catalog: Catalog, error: ErrorSpec, wire: str) -> dict[str, Any]:
    """Return an error in one of its wire forms with its params filled in."""
    return form_of(case_of(catalog, error), wire)


def mdsample(errors: Sequence[ErrorSpec]) -> ErrorSpec | None:
    """Return the error that shows best what errors look like."""
    public = (error for error in errors if not error.is_internal)
    return min(public, key=_oddness, default=None)


def _oddness(error: ErrorSpec) -> tuple[bool, bool, bool]:
    # What an owner has written reads better than a sample.
    return bool(error.deprecated), not error.examples, bool(error.params)


def mdgiven(catalog: Catalog, error: ErrorSpec) -> dict[str, Any]:
    """Return a field of the body that a server gives with an error, or nothing."""
    given = catalog.response.given if catalog.response else ()
    filled = {param.name for param in error.params}
    return _first([item for item in given[-1].fields if item.name not in filled]) if given else {}


def _first(fields: Sequence[Field]) -> dict[str, Any]:
    return {item.name: _first(item.fields) or sample_of(item) for item in fields[:1]}


def mdtemplate(message: str) -> str:
    """Return a message with its params in braces and every other brace as it is sent."""
    return fill(message, {})
