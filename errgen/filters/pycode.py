"""Parts of generated Python: fields, factories and translations flow in, expressions and signatures flow out."""

import keyword
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from errgen.cases import params_of
from errgen.filters.python import pystr, pyvalue
from errgen.model import ErrorSpec, Field, Fill, Param, Response, Translation
from errgen.naming import snake

_PARAM_TYPES: Final = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
# Attributes of the exceptions, which a factory may not hide, builtins that a class needs below its factories, and
# keywords that every factory takes.
ATTRIBUTES: Final = frozenset("""
    add_note args body code data delay_ms log_message max_attempts message mro name params relayed retry_after_ms
    retryable safe_to_retry said spec to_jsonrpc_error to_jsonrpc_result to_problem to_response to_tool_result to_wire
    with_traceback bool dict float int object property staticmethod str super
    """.split())
_OPTIONS: Final = frozenset(
    ("data", "fields", "operation", "options", "retry_after_ms", "retryable")
)
_TRANSLATED: Final = _OPTIONS | frozenset(
    ("body_in", "bool", "cast", "code", "context", "dict", "error", "log", "status", "str", "type")
)
_SOURCES: Final = {
    "code": "sent.spec.code.value",
    "name": "sent.spec.name",
    "category": "sent.spec.category.value",
    "layer": "sent.spec.layer",
    "message": "sent.message",
    "retryable": "sent.retryable",
    "safe_to_retry": "_sent_safe(sent)",
    "retry_after_seconds": "_sent_seconds(sent)",
    "retry_after_ms": "_sent_ms(sent)",
    "recovery_action": "sent.spec.recovery_action",
    "recovery_hint": "sent.spec.recovery_hint or None",
    "http_status": "sent.spec.http_status",
    "severity": "sent.spec.severity",
    "docs_url": "sent.spec.docs_url",
    "description": "sent.spec.description or None",
    "outcome": "sent.spec.outcome",
}
_FOREIGN: Final = {
    ("exception", "message"): "_text_of(error)",
    ("exception", "type"): "type(error).__name__",
    ("http-status", "status"): "status",
    ("code", "code"): "str(code)",
}


def pyfactory(name: str) -> str:
    """Return the name of the factory of an error with a name or an alias, with an underscore after what is taken."""
    return _escaped(snake(name), ATTRIBUTES)


def pyparam(param: Param, *, translated: bool = False) -> str:
    """Return the keyword of a param of a factory, or of a translation, with an underscore after what is taken."""
    return _escaped(param.name, _TRANSLATED if translated else _OPTIONS)


def pyparamtype(param: Param) -> str:
    """Return the type of a param; a private one may be left out."""
    name = _PARAM_TYPES[param.type]
    return f"{name} | None = None" if param.is_private else name


def pyparams(params: Iterable[Param]) -> str:
    """Return a dictionary of the values of params."""
    return "{" + ", ".join(f"{pystr(param.name)}: {pyparam(param)}" for param in params) + "}"


def pyexample(error: ErrorSpec, fields: Mapping[str, Any] | None = None) -> str:
    """Return the arguments of an error's factory, as in its first example, with fields of the body."""
    known = params_of(error)
    given = [f"{pyparam(param)}={pyvalue(known[param.name])}" for param in error.params]
    if error.retryable is None:
        given.append("retryable=False")
    return ", ".join([*given, *([f"fields={pyvalue(fields)}"] if fields else [])])


def pysource(source: str) -> str:
    """Return what fills a field of the body, as an expression of what is sent."""
    if source.startswith("x-"):
        return f"sent.spec.extensions.get({pystr(source)})"
    return _SOURCES[source]


def pylayout(fields: Iterable[Field]) -> str:
    """Return the fields of a body as a tuple of records."""
    return "(" + "".join(f"{_record(field)}, " for field in fields) + ")"


def pyfieldpaths(response: Response | None) -> str:
    """Return a dictionary from the name of each field that a program may give to how it is given, outer ones first."""
    ends = sorted(_given_paths(response.fields if response else ()), key=len)
    paths = dict.fromkeys(path[:end] for path in ends for end in range(1, len(path) + 1))
    found: dict[str, str] = {}
    for path in paths:
        shown = "..."
        for step in reversed(path):
            shown = f"{{{pystr(step)}: {shown}}}"
        found.setdefault(path[-1], shown)
    return pyvalue(found)


def _given_paths(fields: Iterable[Field], outer: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for field in fields:
        path = (*outer, field.name)
        if field.kind == "runtime":
            yield path
        yield from _given_paths(field.fields, path)


def pyfill(translation: Translation) -> str:
    """Return a dictionary of the values that a foreign error and the caller supply."""
    values = {param.name: pyparam(param, translated=True) for param in translation.params}
    for fill in translation.fills:
        if fill.is_param:
            values[fill.path[0]] = _foreign(translation, fill)
    return _dictionary(values)


def pyfillfields(translation: Translation) -> str:
    """Return a dictionary of the fields of the body that a foreign error supplies, or nothing."""
    tree: dict[str, Any] = {}
    for fill in translation.fills:
        if not fill.is_param:
            inner = tree
            for step in fill.path[:-1]:
                inner = inner.setdefault(step, {})
            inner[fill.path[-1]] = _foreign(translation, fill)
    return _dictionary(tree) if tree else ""


def _dictionary(values: Mapping[str, Any]) -> str:
    items = (
        f"{pystr(key)}: {_dictionary(value) if isinstance(value, dict) else value}"
        for key, value in values.items()
    )
    return "{" + ", ".join(items) + "}"


def _foreign(translation: Translation, fill: Fill) -> str:
    value = _FOREIGN[translation.kind, fill.source]
    return f"str({value})" if value == "status" and fill.type == "string" else value


def _record(field: Field) -> str:
    parts = [f"name={pystr(field.name)}", f"kind={pystr(field.kind)}"]
    if field.source:
        parts.append(f"source={pystr(field.source)}")
    if field.kind == "constant" and field.value is not None:
        parts.append(f"value={pyvalue(field.value)}")
    if field.kind == "runtime":
        parts.append(f"type={pystr(field.type)}")
    if field.fields:
        parts.append(f"fields={pylayout(field.fields)}")
    parts += [f"{flag}=True" for flag in ("optional", "nullable") if getattr(field, flag)]
    return f"_Field({', '.join(parts)})"


def _escaped(name: str, taken: frozenset[str]) -> str:
    return f"{name}_" if name in taken or keyword.iskeyword(name) else name


FILTERS: Final[dict[str, Callable[..., Any]]] = {
    "pyexample": pyexample,
    "pyfactory": pyfactory,
    "pyfieldpaths": pyfieldpaths,
    "pyfill": pyfill,
    "pyfillfields": pyfillfields,
    "pylayout": pylayout,
    "pyparam": pyparam,
    "pyparams": pyparams,
    "pyparamtype": pyparamtype,
    "pysource": pysource,
}
