"""Read plain YAML scalars by the core schema of YAML 1.2: the text of a scalar flows in, its value flows out."""

import re
from typing import Any, Final

MAX_DIGITS: Final = 40

# A number that two readers would take for different ones, or that JSON does not have.
AMBIGUOUS: Final = object()

_NULLS: Final = frozenset(("", "~", "null", "Null", "NULL"))
_BOOLEANS: Final = {
    text: text.lower() == "true" for text in ("true", "True", "TRUE", "false", "False", "FALSE")
}
_MAY_BE_NUMBER: Final = frozenset("0123456789+-.")
_DECIMAL: Final = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_LEADING_ZERO: Final = re.compile(r"[-+]?0[0-9]+")
_OCTAL: Final = re.compile(r"0o[0-7]+")
_HEXADECIMAL: Final = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE: Final = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


def resolve(text: str) -> Any:
    """Return the value of a plain scalar, or AMBIGUOUS."""
    if text in _NULLS:
        return None
    if text[0] not in _MAY_BE_NUMBER:
        return _BOOLEANS.get(text, text)
    # `0o17` is text by YAML 1.1, and `017` is octal.
    if _LEADING_ZERO.fullmatch(text) or _OCTAL.fullmatch(text) or _NOT_FINITE.fullmatch(text):
        return AMBIGUOUS
    if _DECIMAL.fullmatch(text):
        return int(text) if len(text) <= MAX_DIGITS else AMBIGUOUS
    if _HEXADECIMAL.fullmatch(text):
        return int(text, 16) if len(text) <= MAX_DIGITS else AMBIGUOUS
    if _FLOAT.fullmatch(text):
        number = float(text) if len(text) <= MAX_DIGITS else float("inf")
        return number if abs(number) != float("inf") else AMBIGUOUS
    return text


def likely(text: str) -> int | None:
    """Return what an ambiguous number with leading zeros, or in octal, probably means, or None for others."""
    if len(text) > MAX_DIGITS:
        return None
    if _OCTAL.fullmatch(text):
        return int(text, 8)
    return int(text) if _LEADING_ZERO.fullmatch(text) else None
