"""Resolve the response: raw fields and errors flow in, typed bodies and what each error fixes in them flow out."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from errgen.defaults import extensions_of, text_of
from errgen.given import given_types, must_give
from errgen.model import BodyType, Branch, Code, ErrorSpec, Field, Pin, Response
from errgen.naming import pascal

_KINDS: Final = {"from": "source", "value": "constant", "type": "runtime", "fields": "object"}
_SOURCE_TYPES: Final = {
    "retryable": "boolean",
    "safe_to_retry": "boolean",
    "retry_after_seconds": "integer",
    "retry_after_ms": "integer",
    "http_status": "integer",
}
# Wording may be improved without breaking a reader, and retry_after may be lengthened at run time.
_UNPINNED: Final = frozenset(("message", "recovery_hint", "description"))


def response_from(body: Mapping[str, Any], errors: Iterable[ErrorSpec]) -> Response:
    """Build the response of a catalog whose errors are `errors`."""
    sent = [
        error for error in errors if error.layer.wire != "jsonrpc-error" and not error.is_internal
    ]
    code_type = _only(
        {"integer" if isinstance(error.code, int) else "string" for error in sent}, "code"
    )
    name, wrap = body["type"], body.get("wrap")
    fields = _fields(body["fields"], _inner(name, wrap) if wrap else name, code_type)
    success = _fields(body.get("success", {}).get("fields", {}), f"{name}Success", code_type)
    description = text_of(body)
    return Response(
        type=name,
        description=description,
        wrap=wrap,
        fields=fields,
        success=success,
        types=tuple(_types(name, description, fields, wrap)),
        success_types=tuple(_types(f"{name}Success", "", success, None)) if success else (),
        given=given_types(name, fields, "Fields", complete=False),
        context=(
            given_types(name, fields, "Context", complete=True)
            if any(map(must_give, fields))
            else ()
        ),
        success_given=given_types(f"{name}Success", success, "Fields", complete=True),
        paths={str(field.source): path for path, field in reversed(list(_sources(fields, ())))},
        branches=_branches(fields, sent),
        extensions=extensions_of(body),
    )


def derived_types(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield the name of every type that a raw response makes, the response's own first."""
    name = body["type"]
    yield name
    if body.get("wrap"):
        yield _inner(name, body["wrap"])
    yield from _nested(body["fields"], _inner(name, body["wrap"]) if body.get("wrap") else name)
    if "success" in body:
        yield f"{name}Success"
        yield from _nested(body["success"]["fields"], f"{name}Success")


def _inner(owner: str, key: str) -> str:
    """Return the name of the type of an object inside another; a key may have no letter that a name can have."""
    return owner + (pascal(key) or "Body")


def _nested(fields: Mapping[str, Any], owner: str) -> Iterator[str]:
    for name, item in fields.items():
        if "fields" in item:
            yield _inner(owner, name)
            yield from _nested(item["fields"], _inner(owner, name))


def _only(found: set[str], otherwise: str) -> str:
    return found.pop() if len(found) == 1 else otherwise


def _fields(body: Mapping[str, Any], owner: str, code_type: str) -> tuple[Field, ...]:
    return tuple(_field(name, item, owner, code_type) for name, item in body.items())


def _field(name: str, item: Mapping[str, Any], owner: str, code_type: str) -> Field:
    kind = next(kind for key, kind in _KINDS.items() if key in item)
    type_name = _inner(owner, name) if kind == "object" else ""
    return Field(
        name=name,
        kind=kind,
        source=item.get("from"),
        value=item.get("value"),
        type=item.get("type") or _type(kind, item, code_type),
        type_name=type_name,
        fields=_fields(item.get("fields", {}), type_name, code_type),
        optional=item.get("optional", False),
        nullable=item.get("nullable", False),
        description=text_of(item),
        extensions=extensions_of(item),
    )


def _type(kind: str, item: Mapping[str, Any], code_type: str) -> str:
    if kind == "object":
        return "object"
    if kind == "source":
        source = item["from"]
        if source == "code":
            return code_type
        return "any" if source.startswith("x-") else _SOURCE_TYPES.get(source, "string")
    match item["value"]:
        case bool():
            return "boolean"
        case int():
            return "integer"
        case str():
            return "string"
        case None:
            return "null"
        case _:
            return "any"


def _types(
    name: str, description: str, fields: tuple[Field, ...], wrap: str | None
) -> Iterator[BodyType]:
    yield from _inner_types(fields)
    if wrap is None:
        yield BodyType(name, description, fields)
        return
    yield BodyType(_inner(name, wrap), description, fields)
    outer = Field(
        name=wrap,
        kind="object",
        source=None,
        value=None,
        type="object",
        type_name=_inner(name, wrap),
        fields=fields,
        optional=False,
        nullable=False,
        description="",
        extensions={},
    )
    yield BodyType(name, description, (outer,))


def _inner_types(fields: tuple[Field, ...]) -> Iterator[BodyType]:
    for field in fields:
        if field.kind == "object":
            yield from _inner_types(field.fields)
            yield BodyType(field.type_name, field.description, field.fields)


def _sources(
    fields: tuple[Field, ...], path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Field]]:
    for field in fields:
        if field.kind == "source":
            yield (*path, field.name), field
        yield from _sources(field.fields, (*path, field.name))


def _branches(fields: tuple[Field, ...], errors: Iterable[ErrorSpec]) -> tuple[Branch, ...]:
    """Group errors by what the catalog fixes for them; each error lands in exactly one group."""
    sources = list(_sources(fields, ()))
    identity = next(
        (item for wanted in ("code", "name") for item in sources if item[1].source == wanted), None
    )
    if identity is None:
        return ()
    groups: dict[str, tuple[list[Code], tuple[Pin, ...]]] = {}
    for error in errors:
        pins = tuple(
            pin
            for path, field in sources
            if path != identity[0]
            for pin in _pin(path, field, error)
        )
        value = error.code if identity[1].source == "code" else error.name
        # repr keeps 1, 1.0 and true apart, which are equal as keys.
        groups.setdefault(repr(pins), ([], pins))[0].append(value)
    return tuple(Branch(identity[0], tuple(values), pins) for values, pins in groups.values())


def _pin(path: tuple[str, ...], field: Field, error: ErrorSpec) -> Iterator[Pin]:
    value, is_fixed = _fixed(error, str(field.source))
    if is_fixed and (value is not None or field.nullable):
        yield Pin(path, value, is_absent=False)
    elif is_fixed:
        yield Pin(path, None, is_absent=True)


def _fixed(error: ErrorSpec, source: str) -> tuple[Any, bool]:
    """Return what the catalog says of a source for an error, and whether it leaves no other value."""
    if source in _UNPINNED:
        return None, False
    if source == "safe_to_retry":
        # Any other word depends on the operation that failed.
        return False, error.safe_to_retry == "never"
    if source == "retryable":
        return error.retryable, error.retryable is not None
    if source in ("retry_after_seconds", "retry_after_ms"):
        return None, error.retryable is False
    if source in ("category", "layer"):
        return getattr(error, source).name, True
    if source.startswith("x-"):
        return error.extensions.get(source), True
    return getattr(error, source), True
