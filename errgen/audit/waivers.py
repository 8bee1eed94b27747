"""Comments that let a finding stay: comments and findings of a file flow in, the findings that remain flow out."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from errgen.audit.sightings import Comment, Place
from errgen.codes import DiagnosticCode as Code
from errgen.diagnostics import Diagnostic, finding

# Where a comment follows another one on its line, as it does behind those of linters.
_NEXT: Final = re.compile(r"\s+(?:#|//)\s*(?=errgen:)")
_CODE: Final = r"EG\d+\b"
_WAIVER: Final = re.compile(
    rf"errgen:\s*allow\s+({_CODE}(?:\s*,\s*{_CODE})*)\s*[:-]?(?!\s*,?\s*{_CODE})(.*)", re.DOTALL
)
_YAML: Final = re.compile(r"(?:^|\s)#\s*(errgen:.*)$")


class Waiver(NamedTuple):
    """A comment that allows one kind of finding on one line."""

    comment: Comment
    line: int
    code: str


def waived(
    path: str, comments: Sequence[Comment], findings: Sequence[Diagnostic]
) -> Iterator[Diagnostic]:
    """Yield the findings that no comment allows, and those about comments."""
    waivers = []
    lines = _lines(comments)
    for comment in comments:
        for text in _NEXT.split(comment.text):
            if not text.startswith("errgen:"):
                continue
            problem, codes = _read(text.strip())
            if problem:
                yield finding(Code.WAIVER_INVALID, comment.place.within(path), problem=problem)
            else:
                line = lines[comment.place.line]
                waivers += [Waiver(comment, line, code) for code in codes]
    allowed = {(waiver.line, waiver.code) for waiver in waivers}
    yield from (one for one in findings if (one.location.line, one.code) not in allowed)
    met = {(one.location.line, str(one.code)) for one in findings}
    for waiver in waivers:
        if (waiver.line, waiver.code) not in met:
            place = waiver.comment.place.within(path)
            yield finding(Code.WAIVER_UNUSED, place, code=waiver.code)


def _read(text: str) -> tuple[str, list[str]]:
    """Return what a comment lacks, and the findings that it allows."""
    found = _WAIVER.fullmatch(text)
    if not found:
        several = len(re.findall(_CODE, text)) > 1
        return ("several findings want commas" if several else "it names no finding"), []
    codes = re.findall(_CODE, found[1])
    if unknown := [code for code in codes if code not in set(Code)]:
        return f"there is no finding {unknown[0]}", []
    return ("" if found[2].strip() else "it gives no reason"), codes


def _lines(comments: Sequence[Comment]) -> dict[int, int]:
    """Return the line that each comment is about: its own, or the next one that is no such comment."""
    about: dict[int, int] = {}
    for one in sorted(comments, reverse=True):
        after = one.last + 1 if one.is_alone else one.place.line
        about[one.place.line] = about.get(after, after) if one.is_alone else after
    return about


def comments_in(lines: Sequence[str]) -> list[Comment]:
    """Return the comments of a catalog that speak to the audit."""
    return [
        Comment(
            Place(number, line.index("#") + 1),
            found[1].strip(),
            line.lstrip().startswith("#"),
            number,
        )
        for number, line in enumerate(lines, 1)
        if (found := _YAML.search(line))
    ]
