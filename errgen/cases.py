"""Examples of errors as they happen: a catalog and an error flow in, params, message and body flow out."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from errgen.message import fill, flat
from errgen.model import Catalog, ErrorSpec, Field, Param
from errgen.repeating import is_safe

_SUCH_AS: Final = re.compile(r"such as `([^`]+)`")
_PARAMS: Final[Mapping[str, Any]] = {
    "string": "text",
    "integer": 1,
    "number": 1.5,
    "boolean": True,
}
_FIELDS: Final[Mapping[str, Any]] = {
    "string": "…",
    "integer": 0,
    "number": 0,
    "boolean": False,
    "object": {},
    "array": [],
}
_FITS: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
}


class Case(NamedTuple):
    """An error as it happens: what its params are, and what of it may be told; `shown` conceals an internal one."""

    catalog: Catalog
    error: ErrorSpec
    shown: ErrorSpec
    params: Mapping[str, Any]
    message: str


def params_of(error: ErrorSpec) -> dict[str, Any]:
    """Return the params of the first example of an error, and samples where that has none."""
    known = error.examples[0].params if error.examples else {}
    return {
        param.name: known.get(param.name, _such_as(param, _PARAMS[param.type]))
        for param in error.params
    }


def case_of(catalog: Catalog, error: ErrorSpec) -> Case:
    """Return an error with the params of its first example, and samples where that has none."""
    params = params_of(error)
    target = error.conceal_as
    shown = next(item for item in catalog.errors if item.name == target.name) if target else error
    message = flat(fill(shown.message, params), catalog.limits.message)
    return Case(catalog, error, shown, params, message)


def body_of(case: Case) -> dict[str, Any]:
    """Return the body, without optional fields of which nothing is known."""
    response = case.catalog.response
    assert response is not None
    return {response.wrap: inner_body(case)} if response.wrap else inner_body(case)


def success_of(catalog: Catalog) -> dict[str, Any]:
    """Return the body of a success."""
    assert catalog.response is not None
    return {
        field.name: field.value if field.kind == "constant" else sample_of(field)
        for field in catalog.response.success
        if not field.optional
    }


def given_of(case: Case) -> dict[str, Any]:
    """Return the fields that a program has to give so that the body is that of the case."""
    response = case.catalog.response
    return _given(response.fields, case) if response else {}


def inner_body(case: Case) -> dict[str, Any]:
    """Return the body without what it is wrapped in."""
    response = case.catalog.response
    return _object(response.fields, case) if response else {}


def _object(fields: Sequence[Field], case: Case) -> dict[str, Any]:
    values = ((field, _value(field, case)) for field in fields)
    return {
        field.name: value
        for field, value in values
        if not field.optional or field.kind == "constant" or value is not None
    }


def _value(field: Field, case: Case) -> Any:
    match field.kind:
        case "constant":
            return field.value
        case "object":
            return _nested(field, case)
        case "source":
            return _source(str(field.source), case)
        case _:
            return _runtime(field, case)


def _nested(field: Field, case: Case) -> Any:
    """Return an object; one that may lack or be null is not there where a program would have to give something."""
    inner = _object(field.fields, case)
    if field.optional or field.nullable:
        return None if not inner or _given(field.fields, case, unknown=True) else inner
    return inner


def _runtime(field: Field, case: Case) -> Any:
    """Return what a program gives: a param of the same name and type, or a value that the description names."""
    if _is_filled(field, case):
        return case.params[field.name]
    return None if field.optional or field.nullable else sample_of(field)


def sample_of(field: Field) -> Any:
    """Return a value of a field of which nothing is known."""
    if field.kind == "object":
        return {inner.name: sample_of(inner) for inner in field.fields if not inner.optional}
    return _such_as(field, _FIELDS.get(field.type))


def _such_as(item: Field | Param, sample: Any) -> Any:
    """Return the text that a description names, or else a sample."""
    such = _SUCH_AS.search(item.description) if item.type == "string" else None
    return such[1] if such else sample


def _given(fields: Sequence[Field], case: Case, *, unknown: bool = False) -> dict[str, Any]:
    """Return what a program gives, with `unknown` only what no param fills."""
    given = {}
    for field in fields:
        if field.optional or field.nullable:
            continue
        if field.kind == "object" and (inner := _given(field.fields, case, unknown=unknown)):
            given[field.name] = inner
        elif field.kind == "runtime" and not (unknown and _is_filled(field, case)):
            given[field.name] = _runtime(field, case)
    return given


def _is_filled(field: Field, case: Case) -> bool:
    """Tell whether a param of the same name fills a field."""
    known = {param.name for param in case.shown.params} & case.params.keys()
    return field.name in known and _fits(case.params[field.name], field.type)


def _fits(value: Any, kind: str) -> bool:
    """Tell whether a param can fill a field of the body of a type."""
    is_bool = isinstance(value, bool)
    return kind == "any" or (
        isinstance(value, _FITS.get(kind, ())) and is_bool == (kind == "boolean")
    )


def _source(source: str, case: Case) -> Any:
    error = case.shown
    match source:
        case "message":
            return case.message
        case "category" | "layer":
            return getattr(error, source).name
        case "retryable":
            return bool(error.retryable)
        case "safe_to_retry":
            operation = case.catalog.default_operation
            return error.retryable is True and is_safe(
                error.safe_to_retry,
                error.outcome,
                is_read=operation is not None and operation.effect == "read",
                is_idempotent=operation is not None and operation.idempotent,
            )
        case "retry_after_seconds" | "retry_after_ms":
            return getattr(error.policy, source) if error.retryable else None
        case _ if source.startswith("x-"):
            return error.extensions.get(source)
        case _:
            return None if getattr(error, source) == "" else getattr(error, source)
