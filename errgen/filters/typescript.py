"""Literals for TypeScript: catalog text and values flow in, text that cannot end its string or comment flows out."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from errgen.filters.text import wrapped
from errgen.model import Deprecation, ErrorRef, ErrorSpec, Example, Field, Link, Param
from errgen.naming import camel

_WIDTH: Final = 88
_SHORT: Final = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\"}
_IDENTIFIER: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_UNUSUAL: Final = re.compile(r'["\\<]')
# What would end or split a script element, should the module be inlined in a page.
_MARKUP: Final = re.compile(r"<(?=/script|!--)", re.IGNORECASE)
# A tag begins at an @ after space; {@link begins one anywhere. An address such as a@b begins none.
_TAG: Final = re.compile(r"(?<![^\s*{])@")
_INVISIBLE: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
# Stands for a space at which no line may end; no catalog text holds it.
_SPACE: Final = "\0"
_TYPES: Final = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "object": "Readonly<Record<string, unknown>>",
    "array": "readonly unknown[]",
    "any": "unknown",
    "code": "number | string",
    "null": "null",
}


def tsstr(text: str) -> str:
    """Return a string literal in the quotes that Prettier would choose."""
    if text.isprintable() and not _UNUSUAL.search(text):
        return f'"{text}"'
    quote = "'" if text.count('"') > text.count("'") else '"'
    literal = "".join("\\" + char if char == quote else _char(char) for char in text)
    return quote + _MARKUP.sub(r"\\x3c", literal) + quote


def tskey(name: str) -> str:
    """Return a key of a type, in quotes only where it needs them."""
    return name if _IDENTIFIER.fullmatch(name) else tsstr(name)


def tsvalue(value: Any, indent: int = 0, column: int = 0) -> str:
    """Return an expression for a JSON value; it begins at `column` of a line that is indented by `indent`."""
    if not isinstance(value, Mapping | list | tuple) or not value:
        return _flat(value)
    if not _is_tall(value) and column + len(flat := _flat(value)) < _WIDTH:
        return flat
    pad = " " * indent
    if isinstance(value, Mapping):
        lines = "".join(tsprop(item, key, indent + 2) for key, item in value.items())
        return f"{{{lines}\n{pad}}}"
    items = (f"\n{pad}  {tsvalue(item, indent + 2, indent + 2)}," for item in value)
    return f"[{''.join(items)}\n{pad}]"


def tsprop(value: Any, key: str, indent: int, doc: str = "") -> str:
    """Return a property of an object, on new lines, below its doc comment if there is one."""
    head = f"\n{' ' * indent}{tsobjectkey(key)}:"
    text = tsvalue(tsplain(value), indent, len(head))
    if isinstance(value, str) and len(head) + len(text) >= _WIDTH:
        text = f"\n{' ' * (indent + 2)}{text}"
    else:
        text = f" {text}"
    return f"{doc and chr(10) + doc}{head}{text},"


def tsprops(record: object, indent: int, names: str, **defaults: object) -> str:
    """Return a property for each attribute that is not empty, None or its default, each on a new line."""
    found = ((name, getattr(record, name)) for name in names.split())
    return "".join(
        tsprop(value, camel(name), indent)
        for name, value in found
        if value is not None and value not in ("", (), {}) and value != defaults.get(name, "")
    )


def tsdoc(text: str, indent: int = 0, tag: str = "") -> str:
    """Return a doc comment with a text of the catalog, and a tag that the template gives."""
    return _comment(_escaped(text), [tag] if tag else [], indent)


def tsmemberdoc(error: ErrorSpec, indent: int = 2) -> str:
    """Return what a reader of the enum needs of an error: what it is, whether it is deprecated, where more stands."""
    links = [
        _link(link.error) if link.error else _escaped(str(link.url)) for link in error.see_also
    ]
    if error.docs_url:
        links.append(_escaped(error.docs_url))
    tags = [*_deprecated(error), *(f"@see {link}" for link in links)]
    return _comment(_escaped(error.description or error.message), tags, indent)


def tsaliasdoc(error: ErrorSpec, indent: int = 2) -> str:
    """Return what a reader of the enum needs of an alias: what it is another name of."""
    return _comment(f"Another name of {_link(error.ref)}.", _deprecated(error), indent)


def tsfactorydoc(error: ErrorSpec, name: str, indent: int = 2) -> str:
    """Return what whoever makes an error needs of it; links, which take tsc long in a class, stand in the enum."""
    if name != error.name:
        return _comment(f"Another name of `{error.name}`.", _deprecated(error, _code), indent)
    text = _escaped(error.description or error.message)
    return _comment(text, _deprecated(error, _code), indent)


def tstype(field: Field) -> str:
    """Return the type of a body's field, as a reader of any server's body must take it."""
    name = (
        _literal(field.value) if field.kind == "constant" else field.type_name or _TYPES[field.type]
    )
    return f"{name} | null" if field.nullable and name not in ("unknown", "null") else name


def _char(char: str) -> str:
    """Return a character as it stands in any literal, escaped where it could not be seen."""
    if char in _SHORT:
        return _SHORT[char]
    return char if char.isprintable() else f"\\u{{{ord(char):x}}}"


def tsobjectkey(name: str) -> str:
    """Return a key of an object; without brackets `__proto__` would set the prototype."""
    return '["__proto__"]' if name == "__proto__" else tskey(name)


def _flat(value: Any) -> str:
    match value:
        case None | bool():
            return {None: "null", True: "true", False: "false"}[value]
        case str():
            return tsstr(value)
        case float():
            return repr(value).removesuffix(".0").replace("e+", "e")
        case Mapping():
            items = ", ".join(f"{tsobjectkey(key)}: {_flat(item)}" for key, item in value.items())
            return f"{{ {items} }}" if items else "{}"
        case list() | tuple():
            return "[" + ", ".join(map(_flat, value)) + "]"
        case _:
            return str(value)


def _is_tall(value: Any) -> bool:
    """Tell whether a value spans lines even if it is short, as a list of records does."""
    if isinstance(value, Mapping):
        return any(map(_is_tall, value.values()))
    if not isinstance(value, list | tuple):
        return False
    is_table = len(value) > 1 and all(isinstance(item, Mapping) and len(item) > 1 for item in value)
    return is_table or any(map(_is_tall, value))


def tsplain(value: Any) -> Any:
    """Return JSON for a part of the model; other errors are named."""
    match value:
        case tuple():
            return [tsplain(item) for item in value]
        case ErrorRef():
            return value.name
        case Link():
            return value.error.name if value.error else value.url
        case Deprecation():
            names = "since reason replaced_by"
        case Param():
            names = "name type description extensions"
        case Example():
            names = "description params message"
        case _:
            return value
    return {camel(name): tsplain(item) for name in names.split() if (item := getattr(value, name))}


def _escaped(text: str) -> str:
    """Return a text that can neither end a comment nor begin a tag in it."""
    text = _INVISIBLE.sub(" ", text.strip()).replace("*/", "*\\/")
    return _TAG.sub(r"\\@", _MARKUP.sub(r"<\\", text))


def _link(error: ErrorRef) -> str:
    return f"{{@link{_SPACE}{error.enum}.{error.name}}}"


def _code(error: ErrorRef) -> str:
    return f"`{error.name}`"


def _deprecated(error: ErrorSpec, shown: Callable[[ErrorRef], str] = _link) -> list[str]:
    if error.deprecated is None:
        return []
    since, reason = error.deprecated.since, _escaped(error.deprecated.reason).removesuffix(".")
    use = (
        f" Use {shown(error.deprecated.replaced_by)} instead."
        if error.deprecated.replaced_by
        else ""
    )
    return [f"@deprecated Since {since}: {reason}.{use}"]


def _comment(text: str, tags: list[str], indent: int) -> str:
    """Return a doc comment of escaped text and tags, on one line if that is enough."""
    pad, width = " " * indent, _WIDTH - indent - 3
    blocks = [wrapped(text, width), "\n".join(wrapped(tag, width) for tag in tags)]
    if not (body := "\n\n".join(filter(None, blocks))):
        return ""
    body = body.replace(_SPACE, " ")
    if "\n" not in body and len(body) + indent + 7 <= _WIDTH:
        return f"{pad}/** {body} */"
    lines = "".join(f"{pad} * {line}".rstrip() + "\n" for line in body.split("\n"))
    return f"{pad}/**\n{lines}{pad} */"


def _literal(value: Any) -> str:
    """Return the type that has one value alone."""
    match value:
        case Mapping():
            keys = "; ".join(
                f"readonly {tskey(key)}: {_literal(item)}" for key, item in value.items()
            )
            return f"{{ {keys} }}" if keys else "Readonly<Record<string, never>>"
        case list():
            return "readonly [" + ", ".join(map(_literal, value)) + "]"
        case _:
            return _flat(value)


FILTERS: Final[dict[str, Callable[..., Any]]] = {
    "tsaliasdoc": tsaliasdoc,
    "tsdoc": tsdoc,
    "tskey": tskey,
    "tsmemberdoc": tsmemberdoc,
    "tsprop": tsprop,
    "tsprops": tsprops,
    "tsstr": tsstr,
    "tstype": tstype,
    "tsvalue": tsvalue,
}
