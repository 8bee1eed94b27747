"""Parts of generated TypeScript: fields, factories and translations flow in, expressions and signatures flow out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from errgen.cases import params_of
from errgen.filters.typescript import tskey, tsobjectkey, tsstr, tsvalue
from errgen.model import ErrorSpec, Field, Fill, Param, Translation
from errgen.naming import camel

_WIDTH: Final = 88
_PARAM_TYPES: Final = {"integer": "number"}
# What every class has, or may have one day, which a factory may not hide. Keywords are fine as names of methods.
STATIC: Final = frozenset("""
    apply arguments bind call caller captureStackTrace constructor displayName hasOwnProperty isError isPrototypeOf
    length name prepareStackTrace propertyIsEnumerable prototype stackTraceLimit toLocaleString toString valueOf
    """.split())
_SOURCES: Final = {
    "code": "sent.spec.code",
    "name": "sent.spec.name",
    "category": "sent.spec.category",
    "layer": "sent.spec.layer",
    "message": "sent.message",
    "retryable": "sent.retryable",
    "safe_to_retry": "sentSafe(sent)",
    "retry_after_seconds": "sentSeconds(sent)",
    "retry_after_ms": "sentMs(sent)",
    "recovery_action": "sent.spec.recoveryAction",
    "recovery_hint": "sent.spec.recoveryHint",
    "http_status": "sent.spec.httpStatus",
    "severity": "sent.spec.severity",
    "docs_url": "sent.spec.docsUrl",
    "description": "sent.spec.description",
    "outcome": "sent.spec.outcome",
}
_FOREIGN: Final = {
    ("exception", "message"): "textOf(error)",
    ("exception", "type"): "typeOf(error)",
    ("http-status", "status"): "status",
    ("code", "code"): "String(code)",
}


def tsfactory(name: str) -> str:
    """Return the name of the factory of an error with a name or an alias, with an underscore after what is taken."""
    name = camel(name)
    return f"{name}_" if name in STATIC else name


def tscall(head: str, args: Iterable[str], tail: str, indent: int = 0) -> str:
    """Return a call, or the head of a function, on one line if that is enough."""
    items, pad = [item for item in args if item], " " * indent
    line = f"{pad}{head}({', '.join(items)}){tail}"
    if not items or ("\n" not in line and len(line) <= _WIDTH):
        return line
    return f"{pad}{head}(\n" + "".join(f"{pad}  {item},\n" for item in items) + f"{pad}){tail}"


def tslet(head: str, value: str) -> str:
    """Return a statement of a function, with its value on a line of its own where both do not fit on one."""
    line = f"  {head} {value};"
    return line if len(line) <= _WIDTH else f"  {head}\n    {value};"


def tsshape(members: Sequence[str], indent: int, tail: str = "") -> str:
    """Return the type of an object, on one line if that leaves room for a name."""
    line = f"{{ {'; '.join(members)} }}"
    if not members[1:] and indent + len("options: ") + len(line) + len(tail) < _WIDTH:
        return line + tail
    pad = " " * indent
    return "{\n" + "".join(f"{pad}  {item};\n" for item in members) + f"{pad}}}{tail}"


def tsparams(params: Sequence[Param], indent: int = 4) -> str:
    """Return the parameter that takes the values of an error's message, or nothing."""
    if not params:
        return ""
    tail = " = {}" if all(param.is_private for param in params) else ""
    members = [
        f"readonly {tskey(param.name)}{'?' if param.is_private else ''}: {_type(param)}"
        for param in params
    ]
    return f"params: {tsshape(members, indent, tail)}"


def tsexample(error: ErrorSpec, fields: Mapping[str, Any] | None = None) -> str:
    """Return the arguments of an error's factory, as in its first example, with fields of the body."""
    given = [f"{tskey(name)}: {tsvalue(value)}" for name, value in params_of(error).items()]
    options = ["retryable: false"] if error.retryable is None else []
    options += [f"fields: {tsvalue(fields)}"] if fields else []
    return ", ".join(f"{{ {', '.join(items)} }}" for items in (given, options) if items)


def tssource(source: str) -> str:
    """Return what fills a field of the body, as an expression of what is sent."""
    if source.startswith("x-"):
        return f"sent.spec.extensions?.[{tsstr(source)}]"
    return _SOURCES[source]


def tslayout(fields: Iterable[Field]) -> str:
    """Return the fields of a body as a list of records."""
    return tsvalue([_record(field) for field in fields])


def tsfill(translation: Translation) -> str:
    """Return an object of the values that a foreign error and the caller supply."""
    filled = [
        f"{tskey(fill.path[0])}: {_foreign(translation, fill)}"
        for fill in translation.fills
        if fill.is_param
    ]
    given = ["...params"] if translation.params else []
    return f"{{ {', '.join(given + filled)} }}" if given + filled else "{}"


def tsfillfields(translation: Translation) -> str:
    """Return an object of the fields of the body that a foreign error supplies, or nothing."""
    tree: dict[str, Any] = {}
    for fill in translation.fills:
        if not fill.is_param:
            inner = tree
            for step in fill.path[:-1]:
                inner = inner.setdefault(step, {})
            inner[fill.path[-1]] = _foreign(translation, fill)
    return _object(tree) if tree else ""


def tstable(translation: Translation) -> str:
    """Return the properties of an object that leads from foreign errors to codes, each on a new line."""
    # Bundlers keep what reads a member of an object, and the object with it; so no member of the enum.
    return "".join(
        f"\n  {tsobjectkey(key)}: {tsvalue(error.code)}, // {error.name}"
        for key, error in translation.entries
    )


def _type(param: Param) -> str:
    name = _PARAM_TYPES.get(param.type, param.type)
    return f"{name} | null | undefined" if param.is_private else name


def _object(values: Mapping[str, Any]) -> str:
    items = (
        f"{tsobjectkey(key)}: {_object(value) if isinstance(value, dict) else value}"
        for key, value in values.items()
    )
    return f"{{ {', '.join(items)} }}"


def _foreign(translation: Translation, fill: Fill) -> str:
    value = _FOREIGN[translation.kind, fill.source]
    return f"String({value})" if value == "status" and fill.type == "string" else value


def _record(field: Field) -> dict[str, Any]:
    """Return what making a body needs to know of a field."""
    record: dict[str, Any] = {"name": field.name, "kind": field.kind}
    if field.source:
        record["source"] = field.source
    if field.kind == "constant":
        record["value"] = field.value
    if field.kind == "runtime":
        record["type"] = field.type
    if field.fields:
        record["fields"] = [_record(inner) for inner in field.fields]
    return record | {flag: True for flag in ("optional", "nullable") if getattr(field, flag)}


FILTERS: Final[dict[str, Callable[..., Any]]] = {
    "tscall": tscall,
    "tsexample": tsexample,
    "tsfactory": tsfactory,
    "tsfill": tsfill,
    "tsfillfields": tsfillfields,
    "tslayout": tslayout,
    "tslet": tslet,
    "tsparams": tsparams,
    "tssource": tssource,
    "tstable": tstable,
}
