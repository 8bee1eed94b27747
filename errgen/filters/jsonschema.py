"""Parts of a JSON Schema (2020-12): fields and facts of a catalog flow in, schemas as plain data flow out."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from errgen.model import Branch, Catalog, ErrorSpec, Field, Response

_WORDS: Final[dict[str, list[str]]] = {
    "recovery_action": ["retry", "wait", "fix-input", "inform-user", "escalate", "none"],
    "severity": ["info", "warning", "error", "critical"],
    "outcome": ["unknown", "not-applied", "partial"],
}
_BOUNDS: Final[dict[str, dict[str, Any]]] = {
    "retry_after_seconds": {"minimum": 0},
    "retry_after_ms": {"minimum": 0},
    "http_status": {"minimum": 100, "maximum": 599},
    "docs_url": {"format": "uri"},
}


def body_schema(response: Response, catalog: Catalog) -> dict[str, Any]:
    """Return the schema of an error body as its writer must send it."""
    inner = object_schema(response.fields, catalog)
    if response.branches:
        inner["oneOf"] = [branch_schema(branch) for branch in response.branches]
    return _described(wrapped(inner, response.wrap) if response.wrap else inner, response)


def open_schema(response: Response) -> dict[str, Any]:
    """Return the schema of an error body as its reader must take it: a newer server may say more, and other codes."""
    inner = _open(response.fields)
    path = response.paths[response.identity]
    _put(inner, path, _leaf(inner, path), required=True)
    text = "What a reader takes: fields and codes that it does not know too."
    return {"description": text, **(wrapped(inner, response.wrap) if response.wrap else inner)}


def wrapped(inner: dict[str, Any], key: str) -> dict[str, Any]:
    """Return the schema of an object that holds nothing but another one."""
    return {
        "type": "object",
        "properties": {key: inner},
        "required": [key],
        "additionalProperties": False,
    }


def _described(schema: dict[str, Any], response: Response) -> dict[str, Any]:
    return {"description": response.description, **schema} if response.description else schema


def object_schema(fields: Iterable[Field], catalog: Catalog) -> dict[str, Any]:
    """Return the schema of an object of a body, closed: a writer sends these fields and no others."""
    fields = tuple(fields)
    return {
        "type": "object",
        "properties": {field.name: field_schema(field, catalog) for field in fields},
        "required": [field.name for field in fields if not field.optional],
        "additionalProperties": False,
    }


def _open(fields: Iterable[Field]) -> dict[str, Any]:
    return {"type": "object", "properties": {field.name: _open_field(field) for field in fields}}


def _open_field(field: Field) -> dict[str, Any]:
    schema: dict[str, Any]
    if field.kind == "object":
        schema = _open(field.fields)
    elif field.kind == "constant":
        schema = {"const": field.value}
    elif field.source == "code":
        schema = {"type": ["integer", "string"]}
    else:
        schema = {} if field.type == "any" else {"type": field.type}
    return _or_null(schema) if field.nullable and schema else schema


def _leaf(schema: dict[str, Any], path: tuple[str, ...]) -> Any:
    for name in path:
        schema = schema["properties"][name]
    return schema


def field_schema(field: Field, catalog: Catalog) -> dict[str, Any]:
    """Return the schema of a field, for any error; what single errors fix is in the branches."""
    schema = _plain(field, catalog)
    if field.nullable and schema:
        schema = _or_null(schema)
    return {"description": field.description, **schema} if field.description else schema


def branch_schema(branch: Branch) -> dict[str, Any]:
    """Return the schema of the errors for which the catalog fixes the same facts."""
    schema: dict[str, Any] = {}
    _put(schema, branch.path, {"enum": list(branch.values)}, required=True)
    for pin in branch.pins:
        _put(schema, pin.path, False if pin.is_absent else {"const": pin.value}, required=False)
    return schema


def facts(error: ErrorSpec) -> dict[str, Any]:
    """Return what a program in any language may want to know of an error, without what is for logs alone."""
    known = {
        "code": error.code,
        "name": error.name,
        "layer": error.layer.name,
        "category": error.category.name,
        "retry": error.policy.name,
        "retryable": "varies" if error.retryable is None else error.retryable,
        "safe_to_retry": error.safe_to_retry,
        "outcome": error.outcome,
        "recovery_action": error.recovery_action,
        "recovery_hint": error.recovery_hint,
        "message": error.message,
        "http_status": error.http_status,
        "grpc_status": error.grpc_status,
        "jsonrpc_code": error.jsonrpc_code,
        "severity": error.severity,
        "visibility": error.visibility,
        "conceal_as": error.conceal_as.name if error.conceal_as else None,
        "since": error.since,
        "deprecated": (
            {
                "since": error.deprecated.since,
                "reason": error.deprecated.reason,
                **(
                    {"replaced_by": error.deprecated.replaced_by.name}
                    if error.deprecated.replaced_by
                    else {}
                ),
            }
            if error.deprecated
            else None
        ),
        "aliases": list(error.aliases),
        "tags": list(error.tags),
        "docs_url": error.docs_url,
        **error.extensions,
    }
    return {
        key: value for key, value in known.items() if value is not None and value not in ("", [])
    }


def _plain(field: Field, catalog: Catalog) -> dict[str, Any]:
    if field.kind == "constant":
        return {"const": field.value}
    if field.kind == "object":
        return object_schema(field.fields, catalog)
    if field.source == "code":
        enums = [layer.enum for layer in catalog.layers if layer.wire != "jsonrpc-error"]
        refs = [{"$ref": f"#/$defs/{enum}"} for enum in enums]
        return refs[0] if len(refs) == 1 else {"anyOf": refs}
    if field.source == "category":
        return {"$ref": "#/$defs/Category"}
    if field.source in _WORDS:
        return {"enum": _WORDS[field.source]}
    schema: dict[str, Any] = {} if field.type == "any" else {"type": field.type}
    schema |= _BOUNDS.get(field.source or "", {})
    limit = {"message": catalog.limits.message, "recovery_hint": catalog.limits.hint}.get(
        field.source or ""
    )
    return schema | ({"maxLength": limit} if limit else {})


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    if isinstance(kind := schema.get("type"), str | list):
        return schema | {"type": [*([kind] if isinstance(kind, str) else kind), "null"]}
    if "enum" in schema:
        return {"enum": [*schema["enum"], None]}
    if schema == {"const": None}:
        return schema
    return {"anyOf": [schema, {"type": "null"}]}


def _put(schema: dict[str, Any], path: tuple[str, ...], leaf: Any, *, required: bool) -> None:
    """Place a leaf at a path of properties, keeping what stands beside it."""
    for name in path[:-1]:
        if required:
            schema["required"] = [name]
        schema = schema.setdefault("properties", {}).setdefault(name, {})
    if required:
        schema["required"] = [path[-1]]
    schema.setdefault("properties", {})[path[-1]] = leaf


FILTERS: Final[dict[str, Callable[..., Any]]] = {
    "body_schema": body_schema,
    "facts": facts,
    "object_schema": object_schema,
    "open_schema": open_schema,
}
