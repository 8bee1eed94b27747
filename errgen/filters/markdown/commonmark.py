"""Descriptions: CommonMark flows in, CommonMark that closes what it opens flows out.

It is read into blocks and written anew, so that a reader's parser finds in it what was found here, and nothing else.
"""

import re
from collections.abc import Mapping
from typing import Final

from errgen.filters.markdown.inline import inline
from errgen.filters.markdown.spans import START, mdcode, mdfence
from errgen.filters.text import indented

_DEPTH: Final = 6
_FENCE: Final = re.compile(r"( {0,3})(`{3,}(?=[^`]*$)|~{3,}) *([\w+.#-]*)")
_ITEM: Final = re.compile(r" {0,3}(?:[-*+]|(\d{1,9})[.)])(?: {1,4}(?=\S)| (?= {4})| *$)")
_RULE: Final = re.compile(r" {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$")
_SETEXT: Final = re.compile(r" {0,3}(?:=+|-+) *$")
_HEADING: Final = re.compile(r" {0,3}#{1,6}(?: |$)")
_QUOTE: Final = re.compile(r" {0,3}> ?")
_STOP: Final = re.compile(
    "|".join(pattern.pattern for pattern in (_QUOTE, _HEADING, _FENCE, _RULE))
    + r"| {0,3}(?:[-*+]|1[.)]) +\S"
)
# CommonMark that holds nothing but letters, and so most descriptions of a long catalog.
_SIMPLE: Final = re.compile(r"[A-Za-z](?:[A-Za-z0-9 ,;'%()/\"-]|[.:?!](?= |$))*")
_LOUD: Final = re.compile(r"(\*\*?)([^*\n]*[^*\s.,;:!?])\1")


def mdblock(text: str, anchors: Mapping[str, str]) -> str:
    """Return CommonMark as blocks that close what they open; a link inside the page stays if it finds an anchor."""
    if _SIMPLE.fullmatch(text):
        return text.rstrip()
    return "\n\n".join(block for _, block in _Reader(anchors, is_cell=False).blocks(text))


def mdline(text: str, anchors: Mapping[str, str]) -> str:
    """Return CommonMark as one line for a cell of a table."""
    if _SIMPLE.fullmatch(text):
        return text.rstrip()
    blocks = _Reader(anchors, is_cell=True).blocks(text)
    return " ".join(re.sub(r"\\?\s*\n\s*", " ", block) for _, block in blocks).strip()


class _Reader:
    """Reads CommonMark into blocks: the kind of each, and what it is written as."""

    def __init__(self, anchors: Mapping[str, str], *, is_cell: bool) -> None:
        self._anchors, self._is_cell = anchors, is_cell

    def blocks(self, text: str) -> list[tuple[str, str]]:
        """Return the blocks of a text."""
        return self._read(text.expandtabs(4).split("\n"), 0)

    def _read(self, lines: list[str], depth: int) -> list[tuple[str, str]]:
        blocks: list[tuple[str, str]] = []
        at = 0
        while at < len(lines):
            if not lines[at].strip():
                at += 1
                continue
            kind, text, at = self._block(lines, at, depth)
            if kind == "quote" and blocks and blocks[-1][0] == "quote":
                blocks[-1] = (kind, f"{blocks[-1][1]}\n>\n{text}")
            elif text:
                blocks.append((kind, text))
        return blocks

    def _block(self, lines: list[str], at: int, depth: int) -> tuple[str, str, int]:
        line = lines[at]
        if _FENCE.match(line) or line.startswith("    "):
            return "code", *self._code(lines, at)
        if _RULE.match(line):
            # Below the top it could be taken for part of the list or quote.
            return "rule", "" if depth else "---", at + 1
        if _HEADING.match(line):
            return "text", self._loud(re.sub(r"^#+|(?<=\s)#+$", "", line.strip())), at + 1
        if _QUOTE.match(line) and depth < _DEPTH:
            return "quote", *self._quote(lines, at, depth)
        if (item := _ITEM.match(line)) and item[1] in (None, "1") and depth < _DEPTH:
            return "list", *self._list(lines, at, depth)
        return "text", *self._paragraph(lines, at)

    def _code(self, lines: list[str], at: int) -> tuple[str, int]:
        if fence := _FENCE.match(lines[at]):
            close = re.compile(rf" {{0,3}}{fence[2][0]}{{{len(fence[2])},}} *$")
            rest = range(at + 1, len(lines))
            end = next((index for index in rest if close.match(lines[index])), len(lines))
            body = [re.sub(rf"^ {{0,{len(fence[1])}}}", "", line) for line in lines[at + 1 : end]]
            language, end = fence[3] or "text", end + 1
        else:
            rest = range(at, len(lines))
            end = next((index for index in rest if lines[index][:4].strip()), len(lines))
            body, language = [line[4:] for line in lines[at:end]], "text"
        text = "\n".join(body)
        return mdcode(text.strip(), cell=True) if self._is_cell else mdfence(text, language), end

    def _quote(self, lines: list[str], at: int, depth: int) -> tuple[str, int]:
        body: list[str] = []
        while at < len(lines) and (
            (mark := _QUOTE.match(lines[at])) or _continues(lines[at], body[-1])
        ):
            body.append(lines[at][mark.end() :] if mark else lines[at])
            at += 1
        text = "\n\n".join(block for _, block in self._read(body, depth + 1))
        return "\n".join(f"> {line}".rstrip() for line in text.split("\n")) if text else "", at

    def _list(self, lines: list[str], at: int, depth: int) -> tuple[str, int]:
        is_ordered = lines[at].strip()[0].isdigit()
        items: list[list[str]] = []
        while (
            at < len(lines)
            and (mark := _ITEM.match(lines[at]))
            and bool(mark[1]) == is_ordered
            and not _RULE.match(lines[at])
        ):
            body, width = [lines[at][mark.end() :]], len(mark[0].rstrip()) + 1
            width, at = max(width, mark.end()) if body[0] else width, at + 1
            while at < len(lines) and _belongs(lines[at], width, body[-1]):
                line = lines[at]
                body.append(line.strip() if line[:width].strip() else line[width:])
                at += 1
            items.append(body)
        read = [self._read(body, depth + 1) for body in items]
        kinds = ([kind for kind, _ in blocks] for blocks in read)
        is_tight = all(shape in ([], ["text"], ["text", "list"]) for shape in kinds)
        gap = "\n" if is_tight and all(body[-1].strip() for body in items[:-1]) else "\n\n"
        texts = [gap.join(block for _, block in blocks) for blocks in read if blocks]
        marks = [f"{number}. " if is_ordered else "- " for number in range(1, len(texts) + 1)]
        written = (
            mark + indented(text, len(mark)) for mark, text in zip(marks, texts, strict=True)
        )
        return gap.join(written), at

    def _paragraph(self, lines: list[str], at: int) -> tuple[str, int]:
        end = at + 1
        while (
            end < len(lines)
            and _continues(lines[end], lines[end - 1])
            and not _SETEXT.match(lines[end])
        ):
            end += 1
        *others, last = lines[at:end]
        broken = (line.strip() + "\\" * line.endswith("  ") for line in others)
        text = "\n".join((*broken, last.strip()))
        if end < len(lines) and _SETEXT.match(lines[end]):
            return self._loud(text), end + 1
        return self._finished(self._inline(text)), end

    def _inline(self, text: str) -> str:
        return inline(text, self._anchors, is_cell=self._is_cell)

    def _loud(self, heading: str) -> str:
        text = " ".join(self._inline(heading.strip()).split("\n"))
        return self._finished(text if "*" in text or not text else f"**{text}**")

    def _finished(self, text: str) -> str:
        """Keep the lines of a paragraph from opening blocks, and a loud one from looking like a heading."""
        text = START.sub(r"\1\\\2", text.strip())
        if self._is_cell or not _LOUD.fullmatch(text):
            return text
        return _LOUD.sub(r"\1\2:\1", text)


def _continues(line: str, before: str) -> bool:
    """Tell whether a line goes on with the paragraph of the line before."""
    return bool(before.strip() and line.strip() and not _STOP.match(line))


def _belongs(line: str, width: int, before: str) -> bool:
    """Tell whether a line belongs to the item whose text is indented by `width`."""
    return not line[:width].strip() or (_continues(line, before) and not _ITEM.match(line))
