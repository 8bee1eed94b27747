"""Understand what was received: catalogs and text flow in, the error in it and how it was read flow out."""

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from errgen.codes import DiagnosticCode as Code
from errgen.diagnostics import CatalogError, Location, finding
from errgen.explain.forms import DECODER, Reading, at, readings
from errgen.explain.lookup import Catalogs, Match
from errgen.explain.mentions import mentioned
from errgen.model import Catalog, ErrorSpec, Response

MAX_BYTES: Final = 1024 * 1024
_PLACE: Final = "<stdin>"
_BOM: Final = "\ufeff"


class Received(NamedTuple):
    """What a text was read as: `matches` are the errors that it may be, `inner` is the body without its wrapping.

    Without a match `code` is the unknown one, of the catalog at `path`.
    """

    reading: Reading
    matches: tuple[Match, ...] = ()
    inner: Any = None
    code: Any = None
    path: str = ""
    catalog: Catalog | None = None

    @property
    def is_whole(self) -> bool:
        """Tell whether it certainly has the form of an error, be that known or not."""
        response = self.catalog.response if self.catalog else None
        if self.inner is None or response is None:
            return self.reading.code is not None
        if isinstance(at(self.inner, response.paths.get("retryable")), bool):
            return True
        return all(field.optional or field.name in self.inner for field in response.fields)


def read(catalogs: Catalogs, content: bytes) -> Received:
    """Return what was received. Raises CatalogError for what no error can be found in."""
    text = _text(content)
    value = _json(text)
    found = _best(catalogs, value) if isinstance(value, dict | list) else None
    if found and (found.matches or found.is_whole):
        return found
    # An object of a log may have a code and a message that are none of an error.
    if matches := mentioned(catalogs, text, by_name=found is not None):
        form = "JSON" if isinstance(value, dict | list) else "line of text"
        return Received(Reading(form), matches)
    if found:
        return found
    problem = "no code, name or message of an error is in it"
    raise _refused(problem)


def _text(content: bytes) -> str:
    if len(content) > MAX_BYTES:
        problem = "it is larger than 1 MiB"
        raise _refused(problem)
    try:
        text = content.decode("utf-8").removeprefix(_BOM).strip()
    except UnicodeDecodeError as error:
        problem = f"byte {content[error.start]:#04x} is not UTF-8"
        raise _refused(problem) from error
    if not text:
        problem = "it is empty"
        raise _refused(problem)
    return text


def _json(text: str) -> Any:
    """Return the JSON that a text is, or begins within a line; None where there is none."""
    try:
        return DECODER.decode(text)
    except json.JSONDecodeError as error:
        # Of several objects, as logs have one a line, the first is read.
        if text.startswith("{") and error.msg != "Extra data":
            problem = f"it is not JSON: {error.msg}"
            raise _refused(problem, error.lineno, error.colno) from error
    except (RecursionError, ValueError) as error:
        problem = "its JSON is nested too deep, or has a number too long"
        raise _refused(problem) from error
    try:
        return DECODER.raw_decode(text, text.index("{"))[0]
    except (RecursionError, ValueError):
        return None


def _refused(problem: str, line: int = 0, column: int = 0) -> CatalogError:
    place = Location(_PLACE, line, column)
    return CatalogError([finding(Code.INPUT_UNREADABLE, place, problem=problem)])


def _best(catalogs: Catalogs, value: Any) -> Received | None:
    """Return the outermost reading that a catalog knows, or else one that has the form of an error."""
    unknown = None
    for reading in readings(value):
        for path, catalog in catalogs.items():
            for found in _identified(path, catalog, reading):
                if found.matches:
                    return found
                unknown = unknown or found
    return unknown


def _identified(path: str, catalog: Catalog, reading: Reading) -> Iterator[Received]:
    """Yield how a catalog understands a reading, the surest way first."""
    response = catalog.response
    if response and isinstance(reading.body, dict):
        yield from _in_body(path, catalog, response, reading)
    if reading.code is not None:
        yield _found(path, catalog, reading, _by_code(catalog, reading.code), reading.code)
    if isinstance(title := reading.problem.get("title"), str):
        named = tuple(
            error
            for error in catalog.errors
            if error.name == title
            or (error.docs_url and error.docs_url == reading.problem.get("type"))
        )
        yield _found(path, catalog, reading, named, title)
    if reading.line:
        matches = mentioned({path: catalog}, reading.line)
        yield Received(reading, matches, None, reading.line, path, catalog)


def _in_body(
    path: str, catalog: Catalog, response: Response, reading: Reading
) -> Iterator[Received]:
    wrapped = reading.body.get(response.wrap) if response.wrap else None
    inner = wrapped if isinstance(wrapped, dict) else reading.body
    value = at(inner, response.paths[response.identity])
    if isinstance(value, bool) or not isinstance(value, int | str):
        return
    known: tuple[ErrorSpec, ...]
    if response.identity == "name":
        known = tuple(error for error in catalog.errors if value in (error.name, *error.aliases))
    else:
        known = tuple(error for error in catalog.errors if _is_code(error.code, value))
    retired = tuple(item for item in catalog.reserved if value in (item.code, item.name))
    matches = tuple(Match(path, catalog, item) for item in known or retired)
    message = at(inner, response.paths.get("message"))
    if matches or isinstance(message, str):
        said = reading._replace(message=message if isinstance(message, str) else reading.message)
        yield Received(said, matches, inner, value, path, catalog)


def _is_code(code: int | str, value: int | str) -> bool:
    """Tell whether a value is a code; a number may have become text on its way."""
    return code == value or (isinstance(code, int) and str(code) == value)


def _by_code(catalog: Catalog, code: Any) -> tuple[ErrorSpec, ...]:
    """Return the errors that a code of JSON-RPC means: the one that has it, or those that travel under it."""
    own = tuple(
        error
        for error in catalog.errors
        if error.layer.wire == "jsonrpc-error" and _is_code(error.code, code)
    )
    return own or tuple(error for error in catalog.errors if error.jsonrpc_code == code)


def _found(
    path: str, catalog: Catalog, reading: Reading, errors: tuple[ErrorSpec, ...], code: Any
) -> Received:
    matches = tuple(Match(path, catalog, error) for error in errors)
    return Received(reading, matches, None, code, path, catalog)
