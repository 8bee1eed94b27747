"""Text within a block: CommonMark flows in, CommonMark that is safe and closed flows out."""

import html
import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote, unquote

from errgen.filters.markdown.spans import ADDRESS, BREAKS, SAFE, md, mdaddress, mdcode, unlinked

# What no id holds: under it stands the way to the folder from which texts give relative addresses.
HOME: Final = " "
_LONGEST_RUN: Final = 3
_SCHEMES: Final = ("", "http", "https", "mailto")
_TOKEN: Final = re.compile(
    rf"""(?P<raw>\\[!-/:-@[-`{{-~])
    | (?P<ticks>`+)
    | <(?P<auto>(?:https?://|mailto:)[^\s<>]*)>
    | (?P<address>{ADDRESS})
    | (?P<open>!?\[)
    | (?P<close>\])(?:\(\s*(?:<(?P<angled>[^<>\n]*)>|(?P<bare>(?:[^\s()<>\\]|\\.|\([^\s()]*\))*))
      (?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\))?
    | (?P<run>\*+|_+)
    | [<|$]|\\(?!\n)
    | {BREAKS}""",
    re.VERBOSE,
)
# Link texts that say nothing by themselves.
_VAGUE: Final = frozenset(("", "here", "click here", "link", "more"))


def inline(text: str, anchors: Mapping[str, str], *, is_cell: bool) -> str:
    """Return a text of CommonMark that leads nowhere dangerous and leaves nothing open."""
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
            out.append(mdcode(code, cell=is_cell) if close else "\\`" * len(token))
            at = close.end() if close else at
        elif found["run"]:
            runs = _emphasis(text, found, out, runs)
        elif found["open"]:
            openers.append(len(out))
            out.append(token.replace("[", "\\["))
        elif found["close"]:
            target = _target(found, anchors) if openers else ""
            opener = openers.pop() if openers else 0
            if target:
                # A link holds no other link, and is called as what it leads to rather than "here".
                shown = [unlinked(part) for part in out[opener + 1 :]]
                if "".join(shown).strip().casefold() in _VAGUE:
                    shown = [unlinked(md(target))]
                out[opener:] = ["[", *shown, f"]({target})"]
                openers.clear()
                runs = {run: index for run, index in runs.items() if index < opener}
            else:
                out.append("\\]")
                at = found.start() + 1
        else:
            address = found["auto"] or found["address"]
            out.append(token if found["raw"] else mdaddress(address) if address else f"\\{token}")
    return "".join([*out, text[at:]])


def _target(found: re.Match[str], anchors: Mapping[str, str]) -> str:
    """Return where a link leads, or nothing for what must not be one."""
    text = found["bare"] if found["angled"] is None else found["angled"]
    url = html.unescape(re.sub(r"\\([!-/:-@[-`{-~])", r"\1", text or "")).strip()
    if url.startswith("#"):
        return anchors.get(unquote(url[1:]), "")
    scheme = re.match(r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?", url)
    if scheme is None or (scheme[1] or "").lower() not in _SCHEMES or url[:2] == "//":
        return ""
    # Texts are written for the page that holds all of them.
    way = "" if scheme[1] or url[:1] in ("", "/", "?") else anchors.get(HOME, "")
    return way + quote(url, safe=SAFE).replace("&", "&amp;")


def _emphasis(
    text: str, found: re.Match[str], out: list[str], runs: dict[str, int]
) -> dict[str, int]:
    """Write a run of * or _: as * if it has a partner, else as text; return the runs that wait for one."""
    run, start = found[0], found.start()
    before, after = text[start - 1 : start], text[found.end() : found.end() + 1]
    is_word = run[0] == "_" and before.isalnum() and after.isalnum()
    closes = before.strip() and not (run[0] == "_" and after.isalnum())
    opens = after.strip() and not (run[0] == "_" and before.isalnum())
    # One run may end two that were begun apart, the later one first.
    for parts in ((run,), (run[:1], run[1:]), (run[:2], run[2:])) if closes else ():
        places = [runs.get(part, -1) for part in parts]
        if places[-1] >= 0 and places == sorted({*places}, reverse=True):
            for place, part in zip(places, parts, strict=True):
                out[place] = "*" * len(part)
            out.append("*" * len(run))
            return {other: place for other, place in runs.items() if place < places[-1]}
    if opens and len(run) <= _LONGEST_RUN:
        runs[run] = len(out)
    out.append(run if is_word else "".join(f"\\{char}" for char in run))
    return runs
