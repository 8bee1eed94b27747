"""JSON Schemas (2020-12) of wire forms: a catalog flows in, the schema of each form that its errors take flows out."""

from collections.abc import Callable, Iterable
from typing import Any, Final
from urllib.parse import quote

from errgen.filters.jsonschema import branch_schema, object_schema
from errgen.model import Branch, Catalog, ErrorSpec, Response
from errgen.wireforms import META_KEY

_ID: Final[dict[str, Any]] = {"type": ["string", "integer", "null"]}
_PROBLEM: Final[dict[str, Any]] = {
    "type": {"type": "string", "format": "uri-reference"},
    "title": {"type": "string"},
    "status": {"type": "integer", "minimum": 100, "maximum": 599},
    "detail": {"type": "string"},
    "instance": {"type": "string", "format": "uri-reference"},
}


def wire_schemas(catalog: Catalog) -> dict[str, dict[str, Any]]:
    """Return the schema of each wire form that errors of the catalog take, by the name of the form."""
    made = {
        "jsonrpc-error": _jsonrpc_error,
        "jsonrpc-result": _jsonrpc_result,
        "mcp-tool-result": _tool_result,
        "http-problem": _problem,
    }
    return {wire: make(catalog) for wire, make in made.items() if catalog.wires[wire]}


def _closed(properties: dict[str, Any], *optional: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def _response(member: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a JSON-RPC 2.0 response (section 5)."""
    return _closed({"jsonrpc": {"const": "2.0"}, "id": _ID, member: schema})


def _message(catalog: Catalog) -> dict[str, Any]:
    limit = catalog.limits.message
    return {"type": "string", **({"maxLength": limit} if limit else {})}


def _jsonrpc_error(catalog: Catalog) -> dict[str, Any]:
    own = [layer.enum for layer in catalog.layers if layer.wire == "jsonrpc-error"]
    protocol = _closed(
        {
            "code": {"anyOf": [{"$ref": f"#/$defs/{enum}"} for enum in own]} if own else False,
            "message": _message(catalog),
            "data": {},
        },
        "data",
    )
    sent = [
        error
        for error in catalog.errors
        if error.jsonrpc_code is not None and not error.is_internal
    ]
    response = catalog.response
    if not sent:
        return _response("error", protocol)
    codes = {"enum": sorted({error.jsonrpc_code for error in sent if error.jsonrpc_code})}
    properties = {"code": codes, "message": _message(catalog)}
    if response is None:
        return _response("error", {"anyOf": [protocol, _closed(properties)]})
    needed = [field.name for field in response.fields if not field.optional]
    body = {"$ref": f"#/$defs/{response.type}"}
    # Data with every field of a body is a body, and then a right one.
    looks: dict[str, Any] = {"type": "object", "required": needed}
    if response.wrap:
        looks = {"required": [response.wrap], "properties": {response.wrap: looks}}
    return _response(
        "error",
        {
            "if": {"required": ["data"], "properties": {"data": {"type": "object", **looks}}},
            "then": _closed({**properties, "data": body}),
            "else": protocol,
        },
    )


def _jsonrpc_result(catalog: Catalog) -> dict[str, Any]:
    return _response("result", _closed({"error": {"$ref": _inner_ref(catalog)}}))


def _inner_ref(catalog: Catalog) -> str:
    response = catalog.response
    assert response is not None
    if response.wrap is None:
        return f"#/$defs/{response.type}"
    key = quote(response.wrap.replace("~", "~0").replace("/", "~1"), safe="")
    return f"#/$defs/{response.type}/properties/{key}"


def _tool_result(catalog: Catalog) -> dict[str, Any]:
    """Return the schema of a CallToolResult of MCP that failed; MCP may add members to it."""
    text = {
        "type": "object",
        "properties": {"type": {"const": "text"}, "text": {"type": "string"}},
        "required": ["type", "text"],
    }
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            "content": {"type": "array", "prefixItems": [text], "minItems": 1},
            "isError": {"const": True},
        },
        "required": ["content", "isError"],
    }
    if catalog.response:
        body = {"$ref": f"#/$defs/{catalog.response.type}"}
        schema["properties"]["structuredContent"] = body
        schema["properties"]["_meta"] = {"type": "object", "properties": {META_KEY: body}}
    return schema


def _problem(catalog: Catalog) -> dict[str, Any]:
    """Return the schema of problem details (RFC 9457, section 3.1), with the fields of the body as extensions."""
    response = catalog.response
    sent = [
        error
        for error in catalog.errors
        if not error.is_internal
        and (error.http_status is not None or error.layer.wire == "http-problem")
    ]
    bare = [error for error in sent if response is None or error.layer.wire == "jsonrpc-error"]
    forms = []
    if response and (full := [error for error in sent if error not in bare]):
        forms.append(_full_problem(catalog, response, full))
    if bare:
        forms.append(_bare_problem(catalog, bare))
    return forms[0] if len(forms) == 1 else {"oneOf": forms}


def _bare_problem(catalog: Catalog, errors: list[ErrorSpec]) -> dict[str, Any]:
    schema = _closed({**_PROBLEM, "detail": _message(catalog)}, "status", "instance")
    return {**schema, "oneOf": _statuses(errors, ("title",), lambda error: error.name)}


def _full_problem(catalog: Catalog, response: Response, errors: list[ErrorSpec]) -> dict[str, Any]:
    inner = object_schema(response.fields, catalog)
    own = {name: schema for name, schema in inner["properties"].items() if name not in _PROBLEM}
    optional = {name for name in own if name not in inner["required"]}
    schema = _closed(
        {**_PROBLEM, "detail": _message(catalog), **own}, "status", "instance", *optional
    )
    path = response.paths[response.identity]
    # Where a member of the problem has the name of a field, it is the problem's.
    facts = [branch_schema(_without(branch, _PROBLEM)) for branch in response.branches]
    states = _statuses(errors, path, lambda error: getattr(error, response.identity))
    return {**schema, "allOf": [{"oneOf": facts}, {"oneOf": states}]}


def _without(branch: Branch, names: Iterable[str]) -> Branch:
    pins = tuple(pin for pin in branch.pins if pin.path[0] not in names)
    return Branch(branch.path, branch.values, pins)


def _statuses(
    errors: list[ErrorSpec], path: tuple[str, ...], identity: Callable[[ErrorSpec], Any]
) -> list[dict[str, Any]]:
    """Return a branch for each HTTP status with the errors that have it."""
    groups: dict[int | None, list[Any]] = {}
    for error in errors:
        groups.setdefault(error.http_status, []).append(identity(error))
    branches = []
    for status, values in groups.items():
        branch = branch_schema(Branch(path, tuple(values), ()))
        branch["properties"]["status"] = False if status is None else {"const": status}
        if status is not None:
            branch["required"] = [*branch["required"], "status"]
        branches.append(branch)
    return branches


FILTERS: Final[dict[str, Callable[..., Any]]] = {"wire_schemas": wire_schemas}
