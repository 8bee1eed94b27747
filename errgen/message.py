"""Message templates: text with {placeholders} flows in, its literal parts and placeholders flow out."""

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

_TOKEN: Final = re.compile(r"\{\{|\}\}|\{([a-z][a-z0-9]*(?:_[a-z0-9]+)*)\}|[{}]")
# The same characters as in generated code: what would break a line, and what cannot be seen.
_SPACE: Final = re.compile(
    "[\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
)
_HIDDEN: Final = re.compile(
    "[\0-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufffe\uffff\U000e0000-\U000e007f]"
)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
# Beyond these powers of ten JavaScript writes exponents.
_LONGEST_POWER: Final = 20
_SHORTEST_POWER: Final = 6


class Part(NamedTuple):
    """A stretch of a message: literal text, or the name of a param."""

    text: str
    is_param: bool


class BraceError(ValueError):
    """A brace that opens or closes no placeholder; `near` is the text around it."""

    def __init__(self, near: str) -> None:
        """Keep the text to show."""
        self.near = near
        super().__init__(near)


def parts(template: str) -> tuple[Part, ...]:
    """Split a message into its parts; doubled braces become single ones. Raises BraceError."""
    result: list[Part] = []
    literal, end = "", 0
    for token in _TOKEN.finditer(template):
        literal += template[end : token.start()]
        end = token.end()
        if token[1]:
            if literal:
                result.append(Part(literal, is_param=False))
            result.append(Part(token[1], is_param=True))
            literal = ""
        elif token[0] in ("{{", "}}"):
            literal += token[0][0]
        else:
            raise BraceError(template[max(0, token.start() - 10) : token.start() + 20])
    if literal := literal + template[end:]:
        result.append(Part(literal, is_param=False))
    return tuple(result)


def placeholders(template: str) -> tuple[str, ...]:
    """Return the params that a message uses, each once, in order. Raises BraceError."""
    if "{" not in template and "}" not in template:
        return ()
    return tuple(dict.fromkeys(part.text for part in parts(template) if part.is_param))


def fill(template: str, params: Mapping[str, Any]) -> str:
    """Return the message with each placeholder replaced; one without a value stays as `{name}`."""
    return "".join(
        shown(params.get(part.text, "{" + part.text + "}")) if part.is_param else part.text
        for part in parts(template)
    )


def flat(text: str, limit: int | None = None) -> str:
    """Return one line of visible characters, cut with an ellipsis at a limit, as generated code does it."""
    line = _SURROGATE.sub("\ufffd", _HIDDEN.sub("", _SPACE.sub(" ", text))).strip(" ")
    return line if limit is None or len(line) <= limit else line[: limit - 1] + "…"


def shown(value: Any) -> str:
    """Return a param as messages of every language show it: JavaScript writes numbers so."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, float):
        return str(value)
    digits, _, exponent = repr(value).partition("e")
    power = int(exponent or 0)
    if not power:
        return digits.removesuffix(".0") if value else "0"
    if 0 < power <= _LONGEST_POWER:
        whole, _, part = digits.partition(".")
        return whole + part.ljust(power, "0")
    if power < -_SHORTEST_POWER or power > 0:
        return f"{digits}e{power:+d}"
    sign = "-" if value < 0 else ""
    return f"{sign}0.{'0' * (-power - 1)}{digits.lstrip('-').replace('.', '')}"
