"""Examples: an error flows in, a body as it could be sent flows out."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from errgen.message import fill
from errgen.model import ErrorSpec, Field, Response

_SUCH_AS: Final = re.compile(r"such as `([^`]+)`")
_SAMPLES: Final[Mapping[str, Any]] = {
    "string": "…",
    "integer": 0,
    "number": 0,
    "boolean": False,
    "object": {},
    "array": [],
}


def mdbody(response: Response, error: ErrorSpec) -> dict[str, Any]:
    """Return the body of an error as it could be sent, without optional fields of which nothing is known."""
    body = _object(response.fields, error)
    return {response.wrap: body} if response.wrap else body


def mdsuccess(response: Response, error: ErrorSpec) -> dict[str, Any]:
    """Return the body of a success as it could be sent."""
    return _object(response.success, error)


def mdsample(errors: Sequence[ErrorSpec]) -> ErrorSpec | None:
    """Return the error that shows best what errors look like."""
    public = (error for error in errors if not error.is_internal)
    return min(public, key=lambda error: (bool(error.deprecated), not error.examples), default=None)


def mdmessage(error: ErrorSpec) -> str:
    """Return a message as it could be sent: the first example's, or the template with its params in braces."""
    return error.examples[0].message if error.examples else fill(error.message, {})


def mdtemplate(message: str) -> str:
    """Return a message with its params in braces and every other brace as it is sent."""
    return fill(message, {})


def _object(fields: Sequence[Field], error: ErrorSpec) -> dict[str, Any]:
    values = ((field, _value(field, error)) for field in fields)
    return {
        field.name: value
        for field, value in values
        if not field.optional or (value is not None and value != {})
    }


def _value(field: Field, error: ErrorSpec) -> Any:
    match field.kind:
        case "constant":
            return field.value
        case "object":
            return _object(field.fields, error)
        case "source":
            return _source(str(field.source), error)
        case _:
            return _runtime(field, error)


def _runtime(field: Field, error: ErrorSpec) -> Any:
    """Return a value for what is filled at run time: the example's, or one that the description names."""
    known = error.examples[0].params if error.examples else {}
    if field.name in known or field.optional:
        return known.get(field.name)
    if field.nullable:
        return None
    such = _SUCH_AS.search(field.description) if field.type == "string" else None
    return such[1] if such else _SAMPLES.get(field.type)


def _source(source: str, error: ErrorSpec) -> Any:
    match source:
        case "message":
            return mdmessage(error)
        case "category" | "layer":
            return getattr(error, source).name
        case "retryable":
            return bool(error.retryable)
        case "safe_to_retry":
            return error.retryable is True and error.safe_to_retry == "always"
        case "retry_after_seconds" | "retry_after_ms":
            return getattr(error.policy, source)
        case _ if source.startswith("x-"):
            return error.extensions.get(source)
        case _:
            return None if getattr(error, source) == "" else getattr(error, source)
