"""Change the text of a catalog in place: text flows in, the same text with one entry more or less flows out.

Comments, quotes, order, blank lines and line ends stay as they are: only added or removed lines differ.
"""

import json
import re
from collections.abc import Iterable
from typing import Any, Final

from errgen.codes import DiagnosticCode as Code
from errgen.diagnostics import ErrgenError, finding
from errgen.source import Document

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./,;()-]+)*")
_EMPTY: Final = re.compile(
    r"""([ ]*["']?reserved["']?[ ]*:)[ \t]*\[[ \t]*\]([ \t]*(?:#[^\r\n]*)?)[\r\n]*"""
)
_ENDED: Final = re.compile(r"(?:\.\.\.|---)(?:\s|$)")
_WORDS: Final = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))


def with_error(
    document: Document, text: str, name: str, facts: dict[str, Any], after: str | None
) -> str:
    """Return the text with one error more, below the error `after`, or as the last one. Raises ErrgenError."""
    lines = _lines(text)
    entries = _entries(document, "errors", lines)
    model = after if after in entries else max(entries, key=lambda item: entries[item][0])
    start, stop = entries[model]
    end = _line_end(lines)
    indent = _indent(lines[start])
    is_flow = stop - start == 1 and "{" in lines[start]
    added = (
        _flow(name, facts, indent) if is_flow else _block(name, facts, indent, lines[start:stop])
    )
    block = [f"{line}{end}" for line in added]
    if _is_spaced(entries, lines):
        block.insert(0, end)
    return _inserted(lines, stop, block)


def without_error(document: Document, text: str, name: str) -> str:
    """Return the text without an error and the comments right above it. Raises ErrgenError."""
    lines = _lines(text)
    start, stop = _entries(document, "errors", lines)[name]
    while start and _is_comment(lines[start - 1], _indent(lines[start])):
        start -= 1
    if stop < len(lines) and not lines[stop].strip():
        stop += 1
    elif start and not lines[start - 1].strip():
        start -= 1
    return "".join(lines[:start] + lines[stop:])


def with_reservation(document: Document, text: str, facts: dict[str, Any]) -> str:
    """Return the text with one reservation more, as the last one. Raises ErrgenError."""
    lines = _lines(text)
    item = f"{{ {_pairs(facts)} }}"
    if not document.data.get("reserved"):
        return _first_reservation(document, lines, item)
    places = [
        document.locate("reserved", index).line - 1
        for index in range(len(document.data["reserved"]))
    ]
    first = lines[places[0]]
    if len(set(places)) < len(places) or not first.lstrip().startswith("- "):
        remedy = "write reserved as a list, each item after '- ' in a line of its own"
        raise stuck(document, "reserved", remedy=remedy)
    stop = _stop(lines, places[-1], _after(document, places[-1], lines), _indent(first))
    return _inserted(lines, stop, [f"{_indent(first)}- {item}{_line_end(lines)}"])


def _first_reservation(document: Document, lines: list[str], item: str) -> str:
    """Return the text with the first reservation, in the empty list that is there or above the errors."""
    section = "reserved" if "reserved" in document.data else "errors"
    place, end = document.locate(section, key=True), _line_end(lines)
    at, indent = place.line - 1, " " * (place.column - 1)
    block = [f"{indent}reserved:{end}", f"{indent}  - {item}{end}"]
    if section == "reserved":
        found = _EMPTY.fullmatch(lines[at])
        if not found:
            raise stuck(document, section, remedy="delete the empty reserved")
        line = f"{found[1]}{found[2]}".rstrip() + end
        return "".join([*lines[:at], line, block[1], *lines[at + 1 :]])
    while at and _is_comment(lines[at - 1], indent):
        at -= 1
    return "".join([*lines[:at], *block, end, *lines[at:]])


def stuck(document: Document, *path: str, remedy: str) -> ErrgenError:
    """Return the failure to change the text at a place of its data."""
    place = document.locate(*path, key=True)
    return ErrgenError([finding(Code.LAYOUT, place, help=remedy)])


def _lines(text: str) -> list[str]:
    return _LINE.findall(text)


def _line_end(lines: list[str]) -> str:
    return re.sub(r"[^\r\n]", "", lines[0]) or "\n"


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" "))]


def _is_comment(line: str, indent: str) -> bool:
    return line.startswith(f"{indent}#")


def _inserted(lines: list[str], at: int, block: list[str]) -> str:
    head = lines[:at]
    if head and not head[-1].endswith(("\r", "\n")):
        head[-1] += _line_end(lines)
    return "".join(head + block + lines[at:])


def _entries(document: Document, section: str, lines: list[str]) -> dict[str, tuple[int, int]]:
    """Return the lines of each entry, from its key to before the next, without what stands between."""
    keys = {
        name: document.locate(section, name, key=True).line - 1 for name in document.data[section]
    }
    for name, line in keys.items():
        if not re.match(rf"""\s*(["']?){name}\1[ \t]*:(?:\s|$)""", lines[line]):
            remedy = f"write each of the {section} in lines of its own, its name first"
            raise stuck(document, section, name, remedy=remedy)
    starts = sorted(keys.values())
    ends = dict(zip(starts, [*starts[1:], _after(document, starts[-1], lines)], strict=True))
    return {
        name: (start, _stop(lines, start, ends[start], _indent(lines[start])))
        for name, start in keys.items()
    }


def _after(document: Document, line: int, lines: list[str]) -> int:
    """Return the line of the next section, or where the document ends."""
    sections = [document.locate(name, key=True).line - 1 for name in document.data]
    ends = [at for at, text in enumerate(lines) if _ENDED.match(text)]
    return min((at for at in (*sections, *ends) if at > line), default=len(lines))


def _stop(lines: list[str], start: int, end: int, indent: str) -> int:
    """Return where an entry ends: blank lines and comments before the next one belong to that."""
    while end - 1 > start:
        line = lines[end - 1]
        if line.strip() and not (
            line.lstrip().startswith("#") and len(_indent(line)) <= len(indent)
        ):
            break
        end -= 1
    return end


def _is_spaced(entries: dict[str, tuple[int, int]], lines: list[str]) -> bool:
    """Tell whether most entries have a blank line above."""
    starts = sorted(start for start, _ in entries.values())[1:]
    blank = 0
    for start in starts:
        above = start - 1
        while above > 0 and lines[above].lstrip().startswith("#"):
            above -= 1
        blank += not lines[above].strip()
    return blank * 2 > len(starts)


def _flow(name: str, facts: dict[str, Any], indent: str) -> list[str]:
    return [f"{indent}{name}: {{ {_pairs(facts)} }}"]


def _block(name: str, facts: dict[str, Any], indent: str, model: Iterable[str]) -> list[str]:
    depths = [
        len(_indent(line)) for line in model if line.strip() and not line.lstrip().startswith("#")
    ]
    inner = next((depth for depth in depths if depth > len(indent)), len(indent) + 2)
    rows = (f"{' ' * inner}{key}: {_scalar(value)}" for key, value in facts.items())
    return [f"{indent}{name}:", *rows]


def _pairs(facts: dict[str, Any]) -> str:
    return ", ".join(f"{key}: {_scalar(value, in_flow=True)}" for key, value in facts.items())


def _scalar(value: Any, *, in_flow: bool = False) -> str:
    """Write a value as YAML; text without quotes only where every reader takes it for text."""
    if not isinstance(value, str):
        return json.dumps(value)
    is_plain = _PLAIN.fullmatch(value) and value.lower() not in _WORDS
    is_plain = is_plain and not (in_flow and "," in value)
    return value if is_plain else json.dumps(value, ensure_ascii=False)
