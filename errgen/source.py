"""Read a catalog strictly: a file or bytes of YAML flow in, plain data with the place of every key and value flows out.

Scalars follow the core schema of YAML 1.2 (`NO`, `on`, `12:30` and dates are text), and whatever two readers
could understand differently (a duplicate key, `010`, a tag) is a finding rather than a guess.
"""

import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from yaml import MarkedYAMLError

from errgen.builder import MAX_DEPTH, Builder
from errgen.codes import DiagnosticCode as Code
from errgen.diagnostics import CatalogError, Diagnostic, Location, finding
from errgen.nodes import Map, Mark, Seq
from errgen.words import shorten

MAX_BYTES: Final = 64 * 1024 * 1024

_UNPRINTABLE: Final = (
    "[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
# The same for ASCII alone, which is compiled in a fiftieth of the time.
_UNPRINTABLE_ASCII: Final = "[^\t\n\r\x20-\x7e]"
_LINE_BREAK: Final = re.compile("\r\n?|\n")

# What libyaml says, in words that appear in no other message -> what the author should do about it.
_SYNTAX_HELP: Final = (
    ("cannot start any token", "indent with spaces, and quote text that begins with %, @ or `"),
    ("mapping values are not allowed", "check the indentation, or quote text that holds ': '"),
    ("mapping keys are not allowed", "quote text that begins with '? '"),
    ("did not find expected key", "check the indentation of this line and of the one above"),
    ("did not find expected '-'", "check the indentation of this line and of the one above"),
    ("could not find expected ':'", "write ': ' after the key, or quote text of several lines"),
    (
        "did not find expected ','",
        "close the { } or [ ] that begins here, with commas between its items",
    ),
    (
        "did not find expected node",
        "write a value here, or quote text that begins with a bracket or comma",
    ),
    ("block sequence entries are not", "start the list on a line of its own below its key"),
    ("unexpected end of stream", "close the quotation mark (\" or ') that opens here"),
    ("unexpected document indicator", "close the quotation mark (\" or ') that opens here"),
    ("escape", r"write \\ for a backslash, or put the text in single quotes"),
    ("alphabetic or numeric character", "quote text that begins with * or &"),
    ("tab character", "indent with spaces"),
    ("tag", "quote text that begins with !"),
    ("<document start>", "begin each key of the catalog at the start of its line"),
    ("directive", "delete the line that begins with %"),
    ("incompatible YAML document", "delete the line that begins with %"),
    ("comment or line break", "put the text after | or > on lines of its own, indented"),
    ("indentation indicator", "write | or > alone, or with a digit from 1 to 9"),
)
# `code:2001`, which is one word, and `message: {field} is missing`, which begins with a mapping.
_GLUED: Final = re.compile(r"\s*(?:- )?([a-z_]+):([^\s:/][^\s:]*)\s*")
_BRACED: Final = re.compile(r"\s*(?:- )?[a-z_]+: +(\{\w+\}[^,}\]#]*[^\s,}\]#])\s*")
# What git leaves where two branches changed the same lines.
_CONFLICT: Final = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?=[ \r\n]|$)", re.MULTILINE)
# What was opened here and is missed only where the parser gives up, which may be the end of the file.
_OPENED: Final = ("scanning a quoted scalar", "parsing a flow", "scanning a simple key")


@dataclass(frozen=True, slots=True)
class Document:
    """A catalog as data, with the problems that reading it showed; `path` is the name shown to the user."""

    path: str
    data: Any
    problems: tuple[Diagnostic, ...] = ()

    def locate(self, *path: str | int, key: bool = False) -> Location:
        """Return where the value at `path` begins (with `key`, where its key does), or the nearest that exists.

        What an alias or a merge repeats stands where it is repeated.
        """
        node, mark = self.data, None
        for depth, step in enumerate(path):
            if mark and isinstance(node, Map | Seq) and node.start != mark:
                break
            if isinstance(node, Map) and isinstance(step, str) and step in node.marks:
                mark = node.marks[step][0 if key and depth == len(path) - 1 else 1]
                node = node[step]
            elif isinstance(node, Seq) and isinstance(step, int) and step < len(node):
                mark, node = node.marks[step], node[step]
            else:
                # What is missing is shown at the name of the mapping that lacks it.
                return self.locate(*path[:depth], key=True)
        return _place(self.path, mark)


def load(path: Path, shown: str) -> Document:
    """Read the catalog file at `path`; findings name it `shown`. Raises CatalogError when there is no data to use."""
    return parse(read(path, shown), shown)


def parse(content: bytes, shown: str) -> Document:
    """Turn YAML bytes into a Document. Raises CatalogError when they are not one YAML document in UTF-8."""
    text = _decode(content, shown)
    builder = Builder(shown)
    try:
        builder.run(text)
    except MarkedYAMLError as error:
        raise CatalogError([*builder.problems, _syntax(error, text, shown)]) from error
    if not builder.documents:
        remedy = "write a catalog into it, or delete it and run errgen init"
        raise CatalogError([finding(Code.DOCUMENT_COUNT, _place(shown), count="no", help=remedy)])
    return Document(shown, builder.root, tuple(builder.problems))


def lines_of(path: Path) -> list[str]:
    """Return the lines of a text file as positions count them; none of a file that is no text, or too large."""
    try:
        return _LINE_BREAK.split(read(path, str(path)).decode("utf-8-sig"))
    except (CatalogError, UnicodeDecodeError):
        return []


def read(path: Path, shown: str) -> bytes:
    """Return the bytes of a regular file of bounded size. Raises CatalogError."""
    try:
        # A FIFO or a device would block or never end, so the type is looked at first.
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise _unreadable(
                shown,
                "it is a folder" if stat.S_ISDIR(status.st_mode) else "it is not a regular file",
            )
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise _unreadable(shown, error.strerror or type(error).__name__) from error
    except ValueError as error:
        raise _unreadable(shown, "its name holds a NUL character") from error
    if len(content) > MAX_BYTES:
        raise _unreadable(shown, f"it is larger than {MAX_BYTES // 1024 // 1024} MiB")
    return content


def _unreadable(shown: str, reason: str) -> CatalogError:
    return CatalogError([finding(Code.UNREADABLE, _place(shown), reason=reason)])


def _decode(content: bytes, shown: str) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = _end_of(content[: error.start].decode("utf-8-sig", errors="replace"), shown)
        raise CatalogError(
            [finding(Code.NOT_UTF8, place, byte=f"{content[error.start]:#04x}")]
        ) from error
    if bad := re.search(_UNPRINTABLE_ASCII if text.isascii() else _UNPRINTABLE, text):
        remedy = "save the file as UTF-8, not as UTF-16" if bad[0] == "\0" else ""
        place = _end_of(text[: bad.start()], shown)
        raise CatalogError(
            [finding(Code.RAW_CONTROL, place, character=f"U+{ord(bad[0]):04X}", help=remedy)]
        )
    return text


def _syntax(error: MarkedYAMLError, text: str, shown: str) -> Diagnostic:
    context = error.context or ""
    problem = " ".join(part for part in (context, error.problem) if part)
    remedy = next((text for words, text in _SYNTAX_HELP if words in problem), "")
    if conflict := _CONFLICT.search(text):
        place = _end_of(text[: conflict.start()], shown)
        remedy = "keep one side of this merge conflict, or both, and delete its marks"
        return finding(Code.YAML_SYNTAX, place, help=remedy, problem=problem)
    if "nesting depth" in problem:
        return finding(Code.TOO_DEEP, _place_of(error.problem_mark, shown), limit=MAX_DEPTH)
    marks = (error.problem_mark, error.context_mark)
    mark = next(
        filter(None, reversed(marks) if any(words in context for words in _OPENED) else marks), None
    )
    place = _place_of(mark, shown)
    if slip := _slip(_LINE_BREAK.split(text), place.line or 1):
        line, column, remedy = slip
        place = _place(shown, (line, column))
    return finding(Code.YAML_SYNTAX, place, help=remedy, problem=problem)


def _slip(lines: list[str], line: int) -> tuple[int, int, str] | None:
    """Return where a colon lacks its space, or a text its quotes, on the line where the parser gave up or above it."""
    for number in (line, line - 1):
        shown = lines[number - 1] if 0 < number <= len(lines) else ""
        if found := _GLUED.fullmatch(shown):
            remedy = f"put a space after the colon: '{found[1]}: {shorten(found[2])}'"
            return number, found.start(2) + 1, remedy
        if found := _BRACED.fullmatch(shown):
            quoted = shorten(found[1]).replace('"', '\\"')
            return number, found.start(1) + 1, f'put the text in quotes: "{quoted}"'
    return None


def _place_of(mark: Any, shown: str) -> Location:
    return _place(shown, (mark.line + 1, mark.column + 1) if mark else None)


def _place(shown: str, mark: Mark | None = None) -> Location:
    return Location(shown, *(mark or (1, 1)))


def _end_of(text: str, shown: str) -> Location:
    lines = _LINE_BREAK.split(text)
    return Location(shown, len(lines), len(lines[-1]) + 1)
