"""Examples of what is sent: a catalog and an error flow in, the error's body and each of its wire forms flow out.

Generated code has to send the same, which is what `conformance.json` is for.
"""

from typing import Any, Final

from errgen.cases import Case, body_of, case_of, given_of, inner_body
from errgen.message import fill, flat
from errgen.model import Catalog, ErrorSpec

META_KEY: Final = "errgen/error"
_STOPS: Final = (".", "!", "?", "…")


def conformance(catalog: Catalog, error: ErrorSpec) -> dict[str, Any]:
    """Return an error as it happens once, and all forms in which it may then be sent.

    `fields` are what a program has to give for the body; a `varies` error is one that is not retryable, and the
    operation that failed is not known.
    """
    case = case_of(catalog, error)
    known = {
        "name": error.name,
        "code": error.code,
        "layer": error.layer.name,
        "concealed_as": case.shown.code if error.conceal_as else None,
        "params": dict(case.params),
        "fields": given_of(case),
        "message": case.message,
        "forms": forms_of(case),
    }
    return {key: value for key, value in known.items() if value not in (None, {})}


def line_of(case: Case) -> str:
    """Return the text of a tool result: by default name, code, message and recovery hint."""
    error, code = case.shown, str(case.shown.code)
    if error.layer.text:
        parts = {"name": error.name, "code": code, "message": case.message}
        return flat(fill(error.layer.text, {**parts, "hint": error.recovery_hint}))
    head = error.name if code == error.name else f"{error.name} ({code})"
    stop = "" if case.message.endswith(_STOPS) else "."
    hint = f"{stop} Hint: {error.recovery_hint}" if error.recovery_hint else ""
    return f"{head}: {case.message}{hint}"


def forms_of(case: Case) -> dict[str, Any]:
    """Return every form in which the error may travel, its layer's own one first."""
    wire = case.shown.layer.wire
    own = {} if wire == "body" else {wire: form_of(case, wire)}
    forms: dict[str, Any] = own
    if case.catalog.response and wire != "jsonrpc-error":
        forms["body"] = body_of(case)
    if wire == "mcp-tool-result" and case.catalog.response:
        forms["mcp-tool-result in _meta"] = _tool_result(case, "_meta")
    if case.shown.jsonrpc_code is not None:
        forms["jsonrpc-error"] = form_of(case, "jsonrpc-error")
    if case.shown.http_status is not None:
        forms["http-problem"] = form_of(case, "http-problem")
    return forms


def form_of(case: Case, wire: str) -> dict[str, Any]:
    """Return one wire form of an error."""
    match wire:
        case "jsonrpc-error":
            return _jsonrpc_error(case)
        case "jsonrpc-result":
            return {"jsonrpc": "2.0", "result": {"error": inner_body(case)}, "id": 1}
        case "mcp-tool-result":
            return _tool_result(case, "structuredContent")
        case "http-problem":
            return _problem(case)
        case _:
            return body_of(case)


def _jsonrpc_error(case: Case) -> dict[str, Any]:
    code = case.shown.jsonrpc_code
    error: dict[str, Any] = {
        "code": case.shown.code if code is None else code,
        "message": case.message,
    }
    if code is not None and case.catalog.response:
        error["data"] = body_of(case)
    return {"jsonrpc": "2.0", "error": error, "id": 1}


def _tool_result(case: Case, place: str) -> dict[str, Any]:
    result: dict[str, Any] = {"content": [{"type": "text", "text": line_of(case)}]}
    if case.catalog.response:
        body = body_of(case)
        result[place] = body if place == "structuredContent" else {META_KEY: body}
    return {**result, "isError": True}


def _problem(case: Case) -> dict[str, Any]:
    error = case.shown
    problem = {
        "type": error.docs_url or "about:blank",
        "title": error.name,
        "status": error.http_status,
        "detail": case.message,
    }
    members = {name: value for name, value in problem.items() if value is not None}
    body = inner_body(case) if case.catalog.response and error.layer.wire != "jsonrpc-error" else {}
    own = ("type", "title", "status", "detail", "instance")
    return {**members, **{name: value for name, value in body.items() if name not in own}}
