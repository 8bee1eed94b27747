"""Text for Markdown: catalog text flows in, text that cannot end its cell, heading, link or code span flows out.

One-line text is shown as it is. Descriptions are CommonMark: they are read into blocks and written anew, so that a
reader's parser finds in them what was found here, and nothing else.
"""

import html
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from urllib.parse import quote, unquote

from errgen import guidance
from errgen.codespace import anchor
from errgen.filters.text import indented
from errgen.message import fill
from errgen.model import Catalog, ErrorSpec, Field, Operation, Reservation, Response, RetryPolicy

_LONGEST_RUN: Final = 3
_Key: TypeAlias = tuple[str, object]

_DEPTH: Final = 6
_SAFE: Final = "%/:?#@!$&'*+,;=~"
_SCHEMES: Final = ("", "http", "https", "mailto")
# An address that can stand between < and > as it is; no other text becomes a link by itself.
_ADDRESS: Final = r"""(?<!\w)https?://[\w/.~?=&\#+-]*[\w/](?=[.,;:!?)'"*_\]]*(?:\s|$))"""
_BREAKS: Final = r"(?<=http):(?=//)|(?<=https):(?=//)|(?<=www)\.|(?<=[\w.+-])@(?=\w)"
_MARKS: Final = re.compile(
    rf"(?P<address>{_ADDRESS})|(?<![^\W_])_|_(?![^\W_])|[\\`*[\]<|~$]|&(?=\#?\w+;)|(?<=\s)\#|{_BREAKS}"
)
# What would open a block at the start of a line; the last group is what to escape.
_START: Final = re.compile(r"^(\d{0,9})([.)](?=\s|$)|[-+](?=[\s:-]|$)|[=#>:])", re.MULTILINE)
_TOKEN: Final = re.compile(
    rf"""(?P<raw>\\[!-/:-@[-`{{-~])
    | (?P<ticks>`+)
    | <(?P<auto>(?:https?://|mailto:)[^\s<>]*)>
    | (?P<address>{_ADDRESS})
    | (?P<open>!?\[)
    | (?P<close>\])(?:\(\s*(?:<(?P<angled>[^<>\n]*)>|(?P<bare>(?:[^\s()<>\\]|\\.|\([^\s()]*\))*))
      (?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\))?
    | (?P<run>\*+|_+)
    | [<|$]
    | {_BREAKS}""",
    re.VERBOSE,
)
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
_YAML: Final = re.compile(r"(?:- )?[\w.-]+:(?:\s|$)")
_CELLS: Final = re.compile(r"(?<!\\)\|")
_LINK: Final = re.compile("<(https?://[^<>]*)>")
_PLAIN_ID: Final = re.compile(r"[\w.~-]+", re.ASCII)
_SECTIONS: Final = {
    "contents": "Contents",
    "reading": "How to read an error",
    "layers": "How errors travel",
    "ranges": "Code ranges",
    "reacting": "What to do",
    "operations": "Operations",
    "errors": "Errors by category",
    "translations": "Foreign errors",
    "tags": "Tags",
    "deprecated": "Deprecated errors",
    "reserved": "Reserved codes",
}
_SUCH_AS: Final = re.compile(r"such as `([^`]+)`")
_SAMPLES: Final[Mapping[str, Any]] = {
    "string": "…",
    "integer": 0,
    "number": 0,
    "boolean": False,
    "object": {},
    "array": [],
}


def md(text: str) -> str:
    """Return one line that shows the text as it is, in a paragraph, a heading, an item or a cell."""
    line = re.sub(r"\s*[\t\n\r]\s*", " ", text)
    return _START.sub(r"\1\\\2", _MARKS.sub(_marked, line))


def mdcode(text: object, *, cell: bool = False) -> str:
    """Return a code span; `cell` is for tables, where pipes are escaped and what no span can hold is plain text."""
    line = re.sub(r"\s*[\t\n\r]\s*", " ", str(text))
    if not line.strip() or (cell and "\\|" in line):
        return md(line)
    runs = {len(run) for run in re.findall("`+", line)}
    ticks = "`" * next(size for size in range(1, len(runs) + 2) if size not in runs)
    pad = " " if line[0] == "`" or line[-1] == "`" or line[0] == line[-1] == " " else ""
    return ticks + pad + (line.replace("|", "\\|") if cell else line) + pad + ticks


def mdfence(text: str, language: str = "") -> str:
    """Return a fenced block of code that its text cannot end."""
    body = "\n".join(line.rstrip() for line in text.expandtabs(4).strip("\n").split("\n"))
    ticks = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", body))])
    return f"{ticks}{language or ('yaml' if _YAML.match(body) else 'text')}\n{body}\n{ticks}"


def mdblock(text: str, anchors: Mapping[str, str]) -> str:
    """Return CommonMark as blocks that close what they open; a link inside the page stays if it finds an anchor."""
    if _SIMPLE.fullmatch(text):
        return text
    return "\n\n".join(block for _, block in _Reader(anchors, is_cell=False).blocks(text))


def mdline(text: str, anchors: Mapping[str, str]) -> str:
    """Return CommonMark as one line for a cell of a table."""
    if _SIMPLE.fullmatch(text):
        return text
    blocks = _Reader(anchors, is_cell=True).blocks(text)
    return " ".join(re.sub(r"\\?\s*\n\s*", " ", block) for _, block in blocks)


def mdaddress(url: str) -> str:
    """Return a link that shows its address."""
    return f"<{quote(url, safe=_SAFE)}>"


def mdcomment(text: str) -> str:
    """Return text that cannot end an HTML comment."""
    return text.replace("-->", "-- >").replace("--!>", "--! >")


def mdtable(rows: str) -> str:
    """Return a table of the rows of a template, the first its head, without the columns that have no text below it."""
    table = [
        [cell.strip() for cell in _CELLS.split(row.strip())[1:-1]]
        for row in rows.strip().split("\n")
    ]
    kept = [index for index, column in enumerate(zip(*table[1:], strict=True)) if any(column)]
    lines = [[row[index] for index in kept] for row in table]
    lines.insert(1, ["---"] * len(kept))
    return "\n".join(
        "|" + "".join(f" {cell} |" if cell else " |" for cell in line) for line in lines
    )


def _marked(found: re.Match[str]) -> str:
    return f"<{found[0]}>" if found["address"] else f"\\{found[0]}"


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
            return "rule", "---", at + 1
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

    def _loud(self, heading: str) -> str:
        text = " ".join(self._inline(heading.strip()).split("\n"))
        return self._finished(text if "*" in text or not text else f"**{text}**")

    def _finished(self, text: str) -> str:
        """Keep the lines of a paragraph from opening blocks, and a loud one from looking like a heading."""
        text = _START.sub(r"\1\\\2", text)
        return (
            text
            if self._is_cell
            else _LOUD.sub(r"\1\2:\1", text) if _LOUD.fullmatch(text) else text
        )

    def _inline(self, text: str) -> str:
        out: list[str] = []
        openers: list[int] = []
        runs: dict[str, int] = {}
        at = 0
        while found := _TOKEN.search(text, at):
            out.append(text[at : found.start()])
            token, at = found[0], found.end()
            if found["ticks"]:
                close = re.compile(rf"(?<!`){token}(?!`)").search(text, at)
                code = text[at : close.start()].strip() if close else ""
                out.append(mdcode(code, cell=self._is_cell) if close else "\\`" * len(token))
                at = close.end() if close else at
            elif found["run"]:
                runs = _emphasis(text, found, out, runs)
            elif found["open"]:
                openers.append(len(out))
                out.append(token.replace("[", "\\["))
            elif found["close"]:
                target = self._target(found) if openers else ""
                opener = openers.pop() if openers else 0
                if target:
                    # A link holds no other link.
                    shown = (
                        part[1:-1].replace("_", "\\_") if part[:5] == "<http" else part
                        for part in out[opener + 1 :]
                    )
                    out[opener:] = ["[", *shown, f"]({target})"]
                    openers.clear()
                    runs = {run: index for run, index in runs.items() if index < opener}
                else:
                    out.append("\\]")
                    at = found.start() + 1
            else:
                address = found["auto"] or found["address"]
                out.append(
                    token if found["raw"] else mdaddress(address) if address else f"\\{token}"
                )
        return "".join([*out, text[at:]])

    def _target(self, found: re.Match[str]) -> str:
        """Return where a link leads, or nothing for what must not be one."""
        text = found["bare"] if found["angled"] is None else found["angled"]
        url = html.unescape(re.sub(r"\\([!-/:-@[-`{-~])", r"\1", text or "")).strip()
        if url.startswith("#"):
            target = self._anchors.get(unquote(url[1:]), "")
            return target and f"#{target}"
        scheme = re.match(r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?", url)
        is_known = scheme is not None and (scheme[1] or "").lower() in _SCHEMES
        return quote(url, safe=_SAFE).replace("&", "&amp;") if is_known and url[:2] != "//" else ""


def _continues(line: str, before: str) -> bool:
    """Tell whether a line goes on with the paragraph of the line before."""
    return bool(before.strip() and line.strip() and not _STOP.match(line))


def _belongs(line: str, width: int, before: str) -> bool:
    """Tell whether a line belongs to the item whose text is indented by `width`."""
    return not line[:width].strip() or (_continues(line, before) and not _ITEM.match(line))


def _emphasis(
    text: str, found: re.Match[str], out: list[str], runs: dict[str, int]
) -> dict[str, int]:
    """Write a run of * or _: as * if it has a partner, else as text; return the runs that wait for one."""
    run, start = found[0], found.start()
    before, after = text[start - 1 : start], text[found.end() : found.end() + 1]
    is_word = run[0] == "_" and before.isalnum() and after.isalnum()
    opens = after.strip() and not (run[0] == "_" and before.isalnum())
    if before.strip() and run in runs and not (run[0] == "_" and after.isalnum()):
        index = runs.pop(run)
        out[index] = "*" * len(run)
        out.append(out[index])
        return {other: place for other, place in runs.items() if place < index}
    if opens and len(run) <= _LONGEST_RUN:
        runs[run] = len(out)
    out.append(run if is_word else "".join(f"\\{char}" for char in run))
    return runs


@dataclass(frozen=True, slots=True)
class Page:
    """Where things are found on a page: their headings, the ids of each, and the one to link to.

    No id, and no fragment that GitHub makes of a heading, is found at two places. `anchors` maps each id to the one to
    link to, which a URL can hold as it is.
    """

    headings: Mapping[_Key, str]
    ids: Mapping[_Key, tuple[str, ...]]
    targets: Mapping[_Key, str]
    anchors: Mapping[str, str]

    def heading(self, kind: str, name: object) -> str:
        """Return the text of a thing's heading."""
        return md(self.headings[kind, name])

    def anchor(self, kind: str, name: object) -> str:
        """Return the HTML by which a thing is found under each of its ids."""
        ids = self.ids.get((kind, name), ())
        coded = (re.sub(r"[^\w.:~%/@-]", lambda char: f"&#{ord(char[0])};", found) for found in ids)
        return "".join(f'<a id="{found}"></a>' for found in coded)

    def link(self, kind: str, name: object) -> str:
        """Return a link to a thing under its heading."""
        text = name if kind == "error" else _LINK.sub(r"\1", self.heading(kind, name))
        return f"[{text}](#{self.targets[kind, name]})"


def mdpage(catalog: Catalog) -> Page:
    """Return what is found where on the page of a catalog. Codes come first, for they are published as fragments."""
    errors: dict[_Key, ErrorSpec] = {("error", error.name): error for error in catalog.errors}
    reserved: dict[_Key, Reservation] = {
        ("reserved", index): item for index, item in enumerate(catalog.reserved)
    }
    owners: dict[str, _Key] = {}
    for key, item in (*errors.items(), *reserved.items()):
        if item.code is not None:
            # An id holds no space, and a browser finds one in percent encoding too.
            code = str(item.code)
            owners.setdefault(anchor(code) if " " in code else code, key)
    targets = {key: _claim(error.name, key, owners) for key, error in errors.items()}
    for key, item in (*errors.items(), *reserved.items()):
        for name in item.aliases if isinstance(item, ErrorSpec) else filter(None, [item.name]):
            owners.setdefault(name, key)
    headings, slugs = _headings(catalog, owners)
    for slug, key in slugs.items():
        if key not in targets:
            wanted = slug if key[0] == "section" else f"{key[0]}-{key[1]}"
            targets[key] = _claim(wanted, key, owners, slugs)
    ids: dict[_Key, tuple[str, ...]] = {}
    for found, key in owners.items():
        ids[key] = (*ids.get(key, ()), found)
    anchors = {found: targets.get(key, found) for found, key in owners.items()}
    kept = {found: target for found, target in anchors.items() if _PLAIN_ID.fullmatch(target)}
    return Page(headings, ids, targets, kept)


def _claim(
    wanted: str, key: _Key, owners: dict[str, _Key], slugs: Mapping[str, _Key] | None = None
) -> str:
    while owners.get(wanted, key) != key or (slugs or {}).get(wanted, key) != key:
        wanted += "-"
    owners[wanted] = key
    return wanted


def _headings(
    catalog: Catalog, owners: Mapping[str, _Key]
) -> tuple[dict[_Key, str], dict[str, _Key]]:
    """Return each heading, with a word in brackets where it would be found under the id of something else."""
    named: list[tuple[str, object, str, str]] = [("title", "", catalog.title, "catalog")]
    named += (("error", error.name, error.name, str(error.code)) for error in catalog.errors)
    named += (("section", name, text, "section") for name, text in _SECTIONS.items())
    named += (("layer", layer.name, layer.title, "layer") for layer in catalog.layers)
    named += (("category", item.name, item.title, "category") for item in catalog.categories)
    named += (("retry", policy.name, policy.name, "retry policy") for policy in catalog.policies)
    named += (("translation", item.name, item.name, "translation") for item in catalog.translations)
    headings: dict[_Key, str] = {}
    slugs: dict[str, _Key] = {}
    for kind, name, title, hint in named:
        key, text = (kind, name), title
        while (slug := _slug(text)) in slugs or owners.get(slug, key) != key:
            text = f"{text} ({hint})"
        headings[key], slugs[slug] = text, key
    return headings, slugs


def _slug(heading: str) -> str:
    """Return the fragment that GitHub makes of a heading."""
    return "".join(
        "-" if char == " " else char
        for char in heading.lower()
        if char in " -"
        or unicodedata.category(char)[0] in "LMN"
        or unicodedata.category(char) == "Pc"
    )


def mdbody(response: Response, error: ErrorSpec) -> dict[str, Any]:
    """Return the body of an error as it could be sent, without optional fields of which nothing is known."""
    body = _object(response.fields, error)
    return {response.wrap: body} if response.wrap else body


def mdsuccess(response: Response, error: ErrorSpec) -> dict[str, Any]:
    """Return the body of a success as it could be sent."""
    return _object(response.success, error)


def mdsample(errors: Sequence[ErrorSpec]) -> ErrorSpec | None:
    """Return the error that shows best what errors look like."""
    public = (error for error in errors if not error.is_internal)
    return min(public, key=lambda error: (bool(error.deprecated), not error.examples), default=None)


def mdmessage(error: ErrorSpec) -> str:
    """Return a message as it could be sent: the first example's, or the template with its params in braces."""
    return error.examples[0].message if error.examples else fill(error.message, {})


def mdtemplate(message: str) -> str:
    """Return a message with its params in braces and every other brace as it is sent."""
    return fill(message, {})


def _object(fields: Sequence[Field], error: ErrorSpec) -> dict[str, Any]:
    values = ((field, _value(field, error)) for field in fields)
    return {
        field.name: value
        for field, value in values
        if not field.optional or (value is not None and value != {})
    }


def _value(field: Field, error: ErrorSpec) -> Any:
    match field.kind:
        case "constant":
            return field.value
        case "object":
            return _object(field.fields, error)
        case "source":
            return _source(str(field.source), error)
    known = error.examples[0].params if error.examples else {}
    if field.name in known or field.optional:
        return known.get(field.name)
    if field.nullable:
        return None
    such = _SUCH_AS.search(field.description) if field.type == "string" else None
    return such[1] if such else _SAMPLES.get(field.type)


def _source(source: str, error: ErrorSpec) -> Any:
    match source:
        case "message":
            return mdmessage(error)
        case "category" | "layer":
            return getattr(error, source).name
        case "retryable":
            return bool(error.retryable)
        case "safe_to_retry":
            return error.retryable is True and error.safe_to_retry == "always"
        case "retry_after_seconds" | "retry_after_ms":
            return getattr(error.policy, source)
        case _ if source.startswith("x-"):
            return error.extensions.get(source)
    return getattr(error, source) if getattr(error, source) != "" else None


def mdrepeats(
    policy: RetryPolicy, operations: Sequence[Operation], safe_to_retry: str
) -> tuple[tuple[Operation, int], ...]:
    """Return the classes of operation that may be repeated, and how often each may be attempted in all."""
    found = []
    for operation in operations if policy.retryable is not False else ():
        is_safe = {
            "always": True,
            "idempotent": operation.idempotent,
            "reconciled": True,
            "never": False,
        }[safe_to_retry]
        attempts = min(policy.max_attempts or operation.max_attempts, operation.max_attempts)
        if is_safe and attempts > 1:
            found.append((operation, attempts))
    return tuple(found)


FILTERS: Final[dict[str, Callable[..., Any]]] = {
    "duration": guidance.duration,
    "md": md,
    "message_text": mdtemplate,
    "mdaddress": mdaddress,
    "mdblock": mdblock,
    "mdbody": mdbody,
    "mdcell": md,
    "mdcode": mdcode,
    "mdcomment": mdcomment,
    "mdfence": mdfence,
    "mdline": mdline,
    "mdmessage": mdmessage,
    "mdpage": mdpage,
    "mdrepeats": mdrepeats,
    "mdsample": mdsample,
    "mdsuccess": mdsuccess,
    "mdtable": mdtable,
    "outcome": guidance.OUTCOME.get,
    "recovery": guidance.RECOVERY.get,
    "retry_word": guidance.retry_word,
    "safety": guidance.SAFETY.get,
    "schedule": guidance.schedule,
}
