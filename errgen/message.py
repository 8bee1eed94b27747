"""Message templates: text with {placeholders} flows in, its literal parts and placeholders flow out."""

import re
from typing import Final, NamedTuple

_TOKEN: Final = re.compile(r"\{\{|\}\}|\{([a-z][a-z0-9]*(?:_[a-z0-9]+)*)\}|[{}]")


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
    return tuple(dict.fromkeys(part.text for part in parts(template) if part.is_param))


def fill(template: str, params: dict[str, object]) -> str:
    """Return the message with each placeholder replaced; one without a value stays as `{name}`."""
    return "".join(
        str(params.get(part.text, "{" + part.text + "}")) if part.is_param else part.text
        for part in parts(template)
    )
