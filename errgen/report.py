"""Turn findings into text for people, JSON for programs and annotations for reviewers; nothing is printed here."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from errgen.diagnostics import Diagnostic
from errgen.words import printable

# The widest line that is shown, and what a caret marks: a text in quotes, or a word.
_WIDTH: Final = 120
_WORD: Final = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'|[^\s,\]}]+")
_CODE: Final = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|-?\w[\w.]*|//.*|#.*|\S")
_DATA: Final = (".yaml", ".yml", ".toml", ".json")
_COLORS: Final = {"error": "31", "warning": "33", "info": "36"}


def text(
    findings: Sequence[Diagnostic],
    *,
    color: bool = False,
    lines_of: Callable[[str], Sequence[str]] = lambda _: (),
) -> str:
    """Return a line a finding, `path:line:column: CODE message`, with its remedy and what differs below it.

    Where `lines_of` knows the lines of a file, the one with the mistake is shown, with a caret below it.
    """
    return "".join(_text(item, lines_of(item.location.path), color=color) for item in findings)


def as_json(findings: Sequence[Diagnostic]) -> str:
    """Return a JSON array with an object a finding."""
    return json.dumps([_data(item) for item in findings], ensure_ascii=False, indent=2) + "\n"


def github(findings: Sequence[Diagnostic]) -> str:
    """Return a workflow command a finding, which GitHub shows beside the line in a pull request."""
    return "".join(_github(item) for item in findings)


def _exchange() -> Any:
    # Only CI systems need it.
    from errgen import exchange

    return exchange


REPORTERS: Final[dict[str, Callable[[Sequence[Diagnostic]], str]]] = {
    "text": text,
    "json": as_json,
    "github": github,
    "sarif": lambda findings: _exchange().sarif(findings),
    "gitlab": lambda findings: _exchange().gitlab(findings),
}


def summary(findings: Sequence[Diagnostic]) -> str:
    """Return how many errors and warnings there are, in words."""
    counts = {
        level: sum(item.level == level for item in findings) for level in ("error", "warning")
    }
    parts = [
        f"{count} {level}{'s' if count > 1 else ''}" for level, count in counts.items() if count
    ]
    return " and ".join(parts) or "no findings"


def _text(item: Diagnostic, source: Sequence[str], *, color: bool) -> str:
    code = f"{item.code} {item.level}:" if item.level != "error" else str(item.code)
    if color:
        code = f"\x1b[1;{_COLORS.get(item.level, '0')}m{code}\x1b[0m"
    lines = [f"{item.location}: {code} {item.message}", *_excerpt(item, source)]
    if item.help:
        lines.append(f"  help: {item.help}")
    return "\n".join(lines) + "\n" + item.detail


def _excerpt(item: Diagnostic, source: Sequence[str]) -> Iterator[str]:
    """Yield the line with the mistake and a caret below it; a long line is cut around the place."""
    line, column = item.location.line, item.location.column
    if not 0 < line <= len(source):
        return
    whole = source[line - 1].replace("\t", " ")
    start = max(0, column - 1 - _WIDTH // 2) if len(whole) > _WIDTH else 0
    shown = printable(whole[start : start + _WIDTH].rstrip())
    before = printable(whole[start : column - 1])
    word = _WORD if item.location.path.endswith(_DATA) else _CODE
    found = word.match(whole, column - 1)
    marked = (found[0] if found else " ")[: max(1, len(shown) - len(before))]
    margin = f"{line} | "
    yield f"  {margin}{shown}"
    yield f"  {' ' * (len(margin) - 2)}| {' ' * _columns(before)}{'^' * _columns(printable(marked))}"


def _columns(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


def _data(item: Diagnostic) -> dict[str, Any]:
    return {
        "path": item.location.path,
        "line": item.location.line or None,
        "column": item.location.column or None,
        "code": str(item.code),
        "name": item.code.name,
        "level": item.level,
        "message": item.message,
        "help": item.help or None,
        "related": [
            {"path": place.path, "line": place.line, "column": place.column}
            for place in item.related
        ],
        "detail": item.detail or None,
    }


def _github(item: Diagnostic) -> str:
    level = {"error": "error", "warning": "warning"}.get(item.level, "notice")
    properties = {"file": item.location.path}
    if item.location.line:
        properties |= {"line": str(item.location.line), "col": str(item.location.column)}
    properties["title"] = f"{item.code} {item.code.name.lower().replace('_', ' ')}"
    given = ",".join(f"{key}={_escape_property(value)}" for key, value in properties.items())
    body = "\n".join(
        part for part in (item.message, item.help and f"help: {item.help}", item.detail) if part
    )
    return f"::{level} {given}::{_escape(body)}\n"


def _escape(message: str) -> str:
    return message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(value: str) -> str:
    return _escape(value).replace(":", "%3A").replace(",", "%2C")
