"""Literals for Python: catalog text and values flow in, text that cannot end its string or docstring flows out."""

import keyword
import re
from typing import Any, Final

from errgen.filters.text import indented, wrapped
from errgen.model import ErrorSpec, Field

_WIDTH: Final = 88
_SHORT: Final = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\"}
_TYPES: Final = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "object": "dict[str, object]",
    "array": "list[object]",
    "any": "object",
    "code": "int | str",
    "null": "None",
}
# All that is not what it looks like in a literal; most text holds none of it.
_ODD: Final = re.compile(r"[^ -\[\]-~]")
# Quotes that would end a docstring.
_CLOSING: Final = re.compile(r'"{3,}|"+$')


def pystr(text: str) -> str:
    """Return a string literal in the quotes that black would choose."""
    safe = _ODD.sub(_char, text)
    if '"' not in safe:
        return f'"{safe}"'
    quote = "'" if text.count('"') > text.count("'") else '"'
    return quote + safe.replace(quote, f"\\{quote}") + quote


def pyvalue(value: Any) -> str:
    """Return an expression for a JSON value or a tuple of such."""
    if isinstance(value, str):
        return pystr(value)
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{pystr(key)}: {pyvalue(item)}" for key, item in value.items()) + "}"
        )
    if isinstance(value, tuple):
        items = ", ".join(map(pyvalue, value))
        return f"({items},)" if len(value) == 1 else f"({items})"
    if isinstance(value, list):
        return "[" + ", ".join(map(pyvalue, value)) + "]"
    if isinstance(value, float):
        # black writes an exponent without its plus.
        return repr(value).replace("e+", "e")
    return "..." if value is ... else repr(value)


def pydoc(text: str, indent: int = 4) -> str:
    """Return text for between the triple quotes of a docstring, wrapped, and indented but for its first line.

    Text of several lines ends in a new one, where the closing quotes stand by themselves.
    """
    safe = "\n".join(_ODD.sub(_char, line) for line in text.strip().split("\n"))
    safe = _CLOSING.sub(lambda found: '\\"' * len(found[0]), safe)
    lines = indented(wrapped(safe, _WIDTH - indent), indent)
    # black sets a quote at the beginning apart.
    lines = f" {lines}" if lines.startswith('"') else lines
    return f"{lines}\n{' ' * indent}" if "\n" in lines else lines


def pytype(field: Field) -> str:
    """Return the type of a body's field, as a reader of any server's body must take it."""
    name = field.type_name or _TYPES[field.type]
    if field.kind == "constant" and isinstance(field.value, str | bool | int):
        name = f"Literal[{pyvalue(field.value)}]"
    if field.nullable and name not in ("object", "None"):
        name += " | None"
    return f"NotRequired[{name}]" if field.optional else name


def keywords(record: object, indent: int, names: str, **defaults: object) -> str:
    """Return a line `name=value,` for each attribute that is not empty, None, false or its default."""
    lines = []
    for name in names.split():
        value = getattr(record, name)
        # Zero is a value; it equals False but is not it.
        if (
            value is None
            or value is False
            or value in ("", (), {})
            or value == defaults.get(name, "")
        ):
            continue
        lines.append(f"{' ' * indent}{name}={pyvalue(value)},\n")
    return "".join(lines)


def member_doc(error: ErrorSpec) -> str:
    """Return what a reader of the enum needs of an error: what it is, whether it is deprecated, where more stands."""
    blocks = [error.description or error.message]
    if error.deprecated:
        instead = error.deprecated.replaced_by
        use = f" Use {instead.name} instead." if instead else ""
        blocks.append(
            f".. deprecated:: {error.deprecated.since}\n   {error.deprecated.reason}.{use}"
        )
    if error.docs_url:
        blocks.append(error.docs_url)
    return "\n\n".join(blocks)


def is_identifier(name: str) -> bool:
    """Tell whether a body's key can be written as a name in a class: no keyword, nor mangled by its underscores."""
    return (
        name.isidentifier()
        and name.isascii()
        and not keyword.iskeyword(name)
        and not name.startswith("__")
    )


def _char(found: re.Match[str]) -> str:
    """Return a character as it stands in any literal, escaped where it could not be seen."""
    char = found[0]
    if char in _SHORT:
        return _SHORT[char]
    if char.isprintable():
        return char
    code = ord(char)
    digits = next(digits for digits in (2, 4, 8) if code < 16**digits)
    return f"\\{'xuU'[digits.bit_length() - 2]}{code:0{digits}x}"
