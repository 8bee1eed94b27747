"""Where an error may stand in what was received: JSON flows in, readings of it flow out, the outermost first."""

import json
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from errgen.wireforms import META_KEY

_MOST: Final = 10_000
_DEPTH: Final = 16
_PROBLEM: Final = ("type", "title", "status", "detail", "instance")
_ABSENT: Final = object()


class Reading(NamedTuple):
    """One way to read an object: the body in it, and what its wire form says beside that.

    `code` is that of a JSON-RPC error, `line` the text of a tool result, `problem` holds problem details, `failed` is
    false for a result that does not say that it is an error.
    """

    form: str
    body: Any = None
    code: Any = None
    message: Any = None
    line: str = ""
    problem: Mapping[str, Any] = {}
    failed: bool = True


def readings(value: Any) -> Iterator[Reading]:
    """Yield how each object in a value may be read."""
    waiting = deque([(value, 0, "")])
    for _ in range(_MOST):
        if not waiting:
            return
        item, depth, form = waiting.popleft()
        if isinstance(item, dict):
            reading = _reading(item, form)
            form = form or ("" if reading.form == "error body" else reading.form)
            yield reading
            if reading.line.startswith("{"):
                waiting.append((_parsed(reading.line), depth + 1, form))
        if isinstance(item, dict | list) and depth < _DEPTH:
            inner = item.values() if isinstance(item, dict) else item
            waiting.extend((part, depth + 1, form) for part in inner)


def at(value: Any, path: tuple[str, ...] | None) -> Any:
    """Return what stands at a path of an object, or None where nothing does."""
    found = look(value, path)
    return None if found is _ABSENT else found


def has(value: Any, path: tuple[str, ...]) -> bool:
    """Tell whether anything stands at a path of an object."""
    return look(value, path) is not _ABSENT


def look(value: Any, path: tuple[str, ...] | None) -> Any:
    """Return what stands at a path, or a mark of its own where nothing does."""
    for step in path or ():
        value = value.get(step, _ABSENT) if isinstance(value, dict) else _ABSENT
    return _ABSENT if path is None else value


def _reading(item: dict[str, Any], form: str) -> Reading:
    error = item.get("error")
    if isinstance(error, dict) and ("jsonrpc" in item or {"code", "message", "data"} <= {*error}):
        return Reading(
            "JSON-RPC response", error.get("data"), error.get("code"), error.get("message")
        )
    if "isError" in item or "structuredContent" in item or _first_text(item):
        meta = item.get("_meta")
        body = meta.get(META_KEY) if isinstance(meta, dict) else None
        failed = item.get("isError") is not False
        body = item.get("structuredContent") if body is None else body
        return Reading("MCP tool result", body, line=_first_text(item), failed=failed)
    if "title" in item and ("type" in item or "status" in item):
        return Reading("problem details", item, message=item.get("detail"), problem=item)
    if "jsonrpc" in item:
        return Reading("JSON-RPC response")
    return Reading(form or "error body", item)


def _first_text(item: Mapping[str, Any]) -> str:
    blocks = item.get("content")
    first = blocks[0] if isinstance(blocks, list) and blocks else None
    text = first.get("text") if isinstance(first, dict) else None
    return text.strip() if isinstance(text, str) else ""


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
