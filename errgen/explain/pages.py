"""Answers as Markdown: facts flow in, a section for a ticket, a chat or a page flows out."""

from collections.abc import Iterable, Iterator

from errgen.explain.answer import Answer
from errgen.explain.facts import Facts
from errgen.explain.layout import (
    Row,
    deprecation,
    first_rows,
    other_rows,
    received_rows,
    reserved_span,
    title_of,
)
from errgen.filters.markdown import md, mdblock, mdcode, mdfence
from errgen.words import printable


def markdown_of(answer: Answer) -> str:
    """Return the Markdown of an answer."""
    forms = {"error": _error, "reservation": _reserved, "finding": _finding}
    blocks: list[str] = []
    for facts in answer.explained:
        blocks += forms[facts["kind"]](facts, answer)
    if answer.received and not answer.explained:
        blocks += _received(answer.received)
    if answer.candidates:
        blocks.append("\n".join(map(_candidate, answer.candidates)))
    if answer.left_out:
        blocks.append(f"{answer.left_out} more are not shown.")
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _error(facts: Facts, answer: Answer) -> Iterator[str]:
    catalog = facts["catalog"]
    yield f"## {md(title_of(facts))}"
    if warning := deprecation(facts):
        yield f"> [!WARNING]\n> {md(warning)}"
    yield f"**Message:** {mdcode(facts['message'])}"
    yield _items(first_rows(facts, answer.received))
    if answer.received:
        yield _items(received_rows(answer.received))
    if facts["description"]:
        yield mdblock(facts["description"], {})
    yield _items((*other_rows(facts), ("catalog", f"{catalog['name']} {catalog['version']}")))


def _reserved(facts: Facts, answer: Answer) -> Iterator[str]:
    named = " ".join(str(part) for part in (facts["code"], facts["name"]) if part is not None)
    use = facts["replaced_by"]
    yield f"## {md(named or answer.wanted)} is reserved"
    yield _items(
        (
            ("reason", facts["reason"]),
            ("since", facts["since"] or ""),
            ("reserved", "" if named else reserved_span(facts)),
            ("use", f"{use['name']} ({use['code']})" if use else ""),
        )
    )


def _finding(facts: Facts, _: Answer) -> Iterator[str]:
    yield f"## {md(title_of(facts))}"
    yield f"**Message:** {mdcode(facts['message'])}"
    yield mdblock(facts["description"], {})
    yield _items([("what to do", facts["recovery"]["hint"])])
    for key, label in (("bad", "Instead of"), ("good", "Write")):
        if facts[key]:
            yield f"{label}:"
            yield mdfence(facts[key], "yaml")


def _received(received: Facts) -> Iterator[str]:
    rows = list(received_rows(received))
    if not received["known"]:
        yield f"## {mdcode(printable(str(received['code'])))} is not in the catalog"
        rows += [("retry", received["retry"]["text"]), ("what to do", received["advice"])]
    yield _items(rows)


def _candidate(item: Facts) -> str:
    title = title_of(item) if item["code"] is not None else str(item["name"])
    return f"- **{md(title)}** ({md(item['category'])}): {md(item['message'])}"


def _items(rows: Iterable[Row]) -> str:
    """Return a list of rows; one without a label belongs to the row before."""
    lines = []
    for label, text in rows:
        if text and label:
            shown = md(label[0].upper() + label[1:])
            lines.append(f"- **{shown}:** {md(printable(text))}")
        elif text:
            lines.append(f"  - {md(printable(text))}")
    return "\n".join(lines)
