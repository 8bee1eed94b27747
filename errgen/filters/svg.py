"""Text and shapes of pictures: texts and tenths of a pixel flow in, what SVG says of them flows out.

Lengths are whole tenths of a pixel, so that a picture has the same bytes on every machine.
"""

import re
from collections.abc import Iterable
from typing import Final

_ODD: Final = re.compile(r"""[&<>"'\t\n\r]""")
# What no document of XML 1.0 can hold.
_IMPOSSIBLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# Widths in hundredths of the font's size, of the widest font that a reader may have.
_NARROW: Final = dict.fromkeys("iljI.,:;'|!()[]{}ftr/\\-` ", 42)
_WIDE: Final = dict.fromkeys("mwMW%@", 101)
_USUAL: Final = 66
_CAPITAL: Final = 80
_FOREIGN: Final = 120
_LAST_LATIN: Final = 0x24F
_CUT: Final = "\N{HORIZONTAL ELLIPSIS}"
_LONGEST_COUNT: Final = 100_000_000


def xml(text: object) -> str:
    """Return text for an element or an attribute, which a parser reads back as it was."""
    known = _IMPOSSIBLE.sub("\N{REPLACEMENT CHARACTER}", str(text))
    return _ODD.sub(lambda char: f"&#{ord(char[0])};", known)


def xmlcomment(text: str) -> str:
    """Return text that neither ends a comment of XML nor breaks its rule of two dashes."""
    known = _IMPOSSIBLE.sub("\N{REPLACEMENT CHARACTER}", text)
    return re.sub("-(?=-|$)", "- ", known)


def px(tenths: int) -> str:
    """Write a length: `3`, `3.5`, `-0.5`."""
    whole, rest = divmod(abs(tenths), 10)
    return f"{'-' if tenths < 0 else ''}{whole}{f'.{rest}' if rest else ''}"


def width(text: str, size: int) -> int:
    """Return how wide a text is at most, at a font size in pixels."""
    return sum(map(_width, text)) * size // 10


def _width(char: str) -> int:
    if ord(char) > _LAST_LATIN:
        return _FOREIGN
    known = _NARROW.get(char) or _WIDE.get(char)
    return known or (_CAPITAL if char.isupper() or not char.isalnum() else _USUAL)


def fitted(text: str, most: int, size: int) -> str:
    """Return a text on one line, cut where it would be wider than `most`."""
    text = " ".join(text.split())
    if len(text) < most and width(text, size) <= most:
        return text
    # In tenths, as rounding each character would let some in that do not fit together.
    left, end = most * 10 - _width(_CUT) * size, 0
    while (left := left - _width(text[end]) * size) >= 0:
        end += 1
    return f"{text[:end].rstrip()}{_CUT}"


def numbered(count: int) -> str:
    """Write a count: `12,000`, or `9.0e15` for what nobody counts."""
    return f"{count:,}" if count < _LONGEST_COUNT else f"{count:.1e}".replace("e+", "e")


def lines_of(words: Iterable[str], most: int, size: int) -> tuple[str, ...]:
    """Return words with commas between them, on lines no wider than `most`."""
    lines = [""]
    items = list(words)
    for index, word in enumerate(items):
        item = fitted(word, most, size) + ("," if index < len(items) - 1 else "")
        joined = f"{lines[-1]} {item}".strip()
        if lines[-1] and width(joined, size) > most:
            lines.append(item)
        else:
            lines[-1] = joined
    return tuple(lines)


def boxes(items: Iterable[tuple[int, int, int, int]]) -> str:
    """Return the data of a path of boxes, each given by its left, top, width and height."""
    return "".join(f"M{px(x)} {px(y)}h{px(w)}v{px(h)}h{px(-w)}z" for x, y, w, h in items)


FILTERS: Final = {
    "px": px,
    "xml": xml,
    "xmlcomment": xmlcomment,
}
