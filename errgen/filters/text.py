"""Text for any target: wrapping, indenting, summaries and JSON."""

import json
import re
import textwrap
from typing import Any, Final

_MARKED: Final = re.compile(r"\s|[-*+>|#]|[0-9]+[.)]|`{3}|~{3}|\.\. ")
_FENCE: Final = re.compile(r"\s*(?:`{3}|~{3})")
# Made once: `dumps` would make an encoder for each value.
_one_line: Final = json.JSONEncoder(ensure_ascii=False).encode


def wrapped(text: str, width: int) -> str:
    """Fill plain paragraphs to `width` characters; lists, quotations, tables and code keep their lines."""
    if len(text) <= width and text.isprintable() and not text.endswith(" "):
        return text
    blocks, is_code = [], False
    for block in text.split("\n\n"):
        lines = block.split("\n")
        fences = sum(bool(_FENCE.match(line)) for line in lines)
        if is_code or fences or any(_MARKED.match(line) for line in lines):
            blocks.append(block)
        else:
            blocks.append(_filled(block, width))
        is_code ^= bool(fences % 2)
    return "\n\n".join(blocks)


def _filled(text: str, width: int) -> str:
    """Do what textwrap does, in a quarter of the time where only single spaces and line ends part the words."""
    words = text.replace("\n", " ").split(" ")
    if not (text.replace("\n", "").isprintable() and all(words)):
        return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)
    lines, line = [], words[0]
    for word in words[1:]:
        if len(line) + len(word) < width:
            line += " " + word
        else:
            lines.append(line)
            line = word
    return "\n".join([*lines, line])


def indented(text: str, indent: int) -> str:
    """Indent every line but the first and the empty ones by `indent` spaces."""
    return text.replace("\n", "\n" + " " * indent).replace("\n" + " " * indent + "\n", "\n\n")


def to_json(value: Any, indent: int | None = None) -> str:
    """Return JSON for a value, with its text as it is."""
    return (
        _one_line(value) if indent is None else json.dumps(value, ensure_ascii=False, indent=indent)
    )


def summary(text: str) -> str:
    """Return the first paragraph of CommonMark as one line."""
    return " ".join(text.strip().split("\n\n", 1)[0].split())
