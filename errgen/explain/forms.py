"""Where an error may stand in what was received: JSON flows in, readings of it flow out, the outermost first."""

import json
import math
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from errgen.wireforms import META_KEY

# Values and objects that are looked at.
_MOST: Final = 10_000
_MOST_OBJECTS: Final = 1000
_DEPTH: Final = 16
_PROBLEM: Final = ("type", "title", "status", "detail", "instance")
_ABSENT: Final = object()


def _finite(digits: str) -> float | str:
    number = float(digits)
    return number if math.isfinite(number) else digits


# Numbers that JSON has no way to write again stay text.
DECODER: Final = json.JSONDecoder(parse_constant=str, parse_float=_finite)


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
    objects = 0
    for _ in range(_MOST):
        if not waiting or objects == _MOST_OBJECTS:
            return
        item, depth, form = waiting.popleft()
        if isinstance(item, dict):
            reading = _reading(item, form)
            objects += 1
            form = form or ("" if reading.form == "error body" else reading.form)
            yield reading
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
        code = error.get("code")
        is_code = isinstance(code, int | str) and not isinstance(code, bool)
        known = code if is_code else None
        return Reading("JSON-RPC response", error.get("data"), known, error.get("message"))
    if "isError" in item or "structuredContent" in item or _first_text(item):
        meta = item.get("_meta")
        body = meta.get(META_KEY) if isinstance(meta, dict) else None
        body = item.get("structuredContent") if body is None else body
        line, failed = _first_text(item), item.get("isError") is not False
        if body is None and line.startswith("{"):
            body, line = _parsed(line), ""  # many servers write the body as text
        return Reading("MCP tool result", body, line=line, failed=failed)
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
        return DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
