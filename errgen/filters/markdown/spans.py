"""Spans, cells and blocks of code: catalog text flows in, text that cannot end what it stands in flows out."""

import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

SAFE: Final = "%/:?#@!$&'*+,;=~"
# An address that can stand between < and > as it is; no other text becomes a link by itself.
ADDRESS: Final = r"""(?<!\w)https?://[\w/.~?=&\#+-]*[\w/](?=[.,;:!?)'"*_\]]*(?:\s|$))"""
BREAKS: Final = r"(?<=http):(?=//)|(?<=https):(?=//)|(?<=www)\.|(?<=[\w.+-])@(?=\w)"
_MARKS: Final = re.compile(
    rf"(?P<address>{ADDRESS})|(?<![^\W_])_|_(?![^\W_])|[\\`*[\]<|~$]|&(?=\#?\w+;)|(?<=[\s\#])\#|{BREAKS}"
)
# What would open a block at the start of a line; the last group is what to escape.
START: Final = re.compile(r"^(\d{0,9})([.)](?=\s|$)|[-+](?=[\s:-]|$)|~(?=~~)|[=#>:])", re.MULTILINE)
# What no Markdown reads as anything but itself, and so most texts of a long catalog.
_QUIET: Final = re.compile(r"[A-Za-z](?:[A-Za-z0-9 ,;'%()/\"{}-]|[.:?!](?= |$))*")
_PROMPT: Final = re.compile(r"( *)\$ +")
_YAML: Final = re.compile(r"(?:- )?[\w.-]+:(?:\s|$)")
_CELLS: Final = re.compile(r"(?<!\\)\|")
_LINK: Final = re.compile("(?<!\\\\)<(https?://[^<>]*)>")


def md(text: str) -> str:
    """Return one line that shows the text as it is, in a paragraph, a heading, an item or a cell."""
    if _QUIET.fullmatch(text):
        return text
    line = re.sub(r"[\t\n\r]+", " ", text)
    return START.sub(r"\1\\\2", _MARKS.sub(_marked, line))


def mdcode(text: object, *, cell: bool = False) -> str:
    """Return a code span; `cell` is for tables, where pipes are escaped and what no span can hold is plain text."""
    line = str(text)
    if line.isprintable() and not ("`" in line or (cell and "|" in line)) and line[:1].strip():
        return f"`{line}`"
    line = re.sub(r"[\t\n\r]+", " ", line)
    if not line.strip() or (cell and "\\|" in line):
        return md(line)
    runs = {len(run) for run in re.findall("`+", line)}
    ticks = "`" * next(size for size in range(1, len(runs) + 2) if size not in runs)
    pad = " " if line[0] == "`" or line[-1] == "`" or line[0] == line[-1] == " " else ""
    return ticks + pad + (line.replace("|", "\\|") if cell else line) + pad + ticks


def mdfence(text: str, language: str = "") -> str:
    """Return a fenced block of code that its text cannot end."""
    lines = [line.rstrip() for line in text.expandtabs(4).strip("\n").split("\n")]
    if all(_PROMPT.match(line) for line in lines if line):
        # Commands alone are to be copied; a prompt only sets them apart from what they print.
        lines = [_PROMPT.sub(r"\1", line) for line in lines]
    body = "\n".join(lines)
    return fenced(body, language or ("yaml" if _YAML.match(body) else "text"))


def fenced(text: str, language: str) -> str:
    """Return a block of code without tabs and spaces at the ends of its lines."""
    longest = max(map(len, re.findall("`+", text)), default=0) if "`" in text else 0
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{language}\n{text}\n{ticks}"


def mdaddress(url: str) -> str:
    """Return a link that shows its address."""
    return f"<{quote(url, safe=SAFE)}>"


def mdsentence(text: str) -> str:
    """Return one line of text with a stop at its end."""
    return md(text) + ("" if text.endswith((".", "!", "?", "…")) else ".")


def mdcomment(text: str) -> str:
    """Return text that cannot end an HTML comment."""
    return text.replace("-->", "-- >").replace("--!>", "--! >")


def mdtable(rows: str) -> str:
    """Return a table of the rows of a template, the first its head, without the columns that have no text below it."""
    return table_of(
        [
            [cell.strip() for cell in _CELLS.split(row.strip())[1:-1]]
            for row in rows.strip().split("\n")
        ]
    )


def table_of(rows: Sequence[Sequence[str]]) -> str:
    """Return a table of cells, its head first, without the columns that have no text below it."""
    kept = [index for index, column in enumerate(zip(*rows[1:], strict=True)) if any(column)]
    lines = [[row[index] for index in kept] for row in rows]
    lines.insert(1, ["---"] * len(kept))
    return "\n".join(
        "|" + "".join(f" {cell} |" if cell else " |" for cell in line) for line in lines
    )


def _marked(found: re.Match[str]) -> str:
    return f"<{found[0]}>" if found["address"] else f"\\{found[0]}"


def unlinked(text: str) -> str:
    """Return text without the links that addresses make of themselves, for where no link may be."""
    return _LINK.sub(lambda found: found[1].replace("_", "\\_"), text)
