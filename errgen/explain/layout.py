"""Answers as text: facts flow in, lines for a person at a terminal or a model flow out.

The first lines say what has happened, whether to try again, and what to do.
"""

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from errgen.explain.answer import Answer
from errgen.explain.facts import Facts
from errgen.guidance import duration, waits_in_words
from errgen.words import printable

# Takes a text and its role, and returns it in the colours of that, or as it is.
Paint: TypeAlias = Callable[[str, str], str]
Row: TypeAlias = tuple[str, str]

_WIDTH: Final = 88
_LABEL: Final = 14
_NOT_SAID: Final = "The catalog does not say whether the operation happened."
_STOPS: Final = (".", "!", "?", "…")
_RETRY_WORDS: Final = {True: "yes", False: "no", "varies": "varies"}


def plain(text: str, _: str) -> str:
    """Return a text without colours."""
    return text


def text_of(answer: Answer, paint: Paint = plain) -> str:
    """Return the text of an answer."""
    forms = {"error": _error, "reservation": _reserved, "finding": _finding}
    parts = [forms[facts["kind"]](facts, answer, paint) for facts in answer.explained]
    if answer.candidates:
        parts.append(_listed(answer, paint))
    if answer.received and not answer.explained:
        parts.append(_received(answer.received, paint))
    return "\n".join(parts)


def title_of(facts: Facts) -> str:
    """Return code and name, once where they are the same."""
    code = str(facts["code"])
    return code if code == facts["name"] else f"{code} {facts['name']}"


def first_rows(facts: Facts, received: Facts | None) -> Iterator[Row]:
    """Yield what somebody has to know first: whether to try again, whether it was done, and what helps."""
    retry = (received or {}).get("retry") or facts["retry"]
    yield "retry", f"{_RETRY_WORDS[retry['retryable']]} ({retry['policy']}): {retry['text']}"
    if retry["retryable"] is not False:
        yield from (("", line) for line in operation_lines(retry["operations"]))
    yield "outcome", facts["outcome"]["text"] or _NOT_SAID
    is_denied = received is not None and retry["retryable"] is False
    yield "what to do", _advice(facts["recovery"], is_denied=is_denied)


def operation_lines(operations: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield how often classes of operation are attempted, after which waits, those that are alike together."""
    alike: dict[str, list[str]] = {}
    for item in operations:
        alike.setdefault(_plan(item), []).append(item["name"])
    yield from (f"{', '.join(names)}: {plan}" for plan, names in alike.items())


def _plan(item: Mapping[str, Any]) -> str:
    if item["attempts"] == 1:
        return "once, do not repeat"
    known = "once looked up that it did not happen, " if item["after_lookup"] else ""
    waits = waits_in_words(item["delays_ms"])
    return f"{known}{waits}, then give up after {item['attempts']} attempts"


def other_rows(facts: Facts) -> Iterator[Row]:
    """Yield what else is known of an error."""
    yield "HTTP status", str(facts["http_status"] or "")
    yield "gRPC status", facts["grpc_status"] or ""
    yield "JSON-RPC code", str(facts["jsonrpc_code"] or "")
    yield "severity", facts["severity"]
    category = facts["category"]
    same = category["title"] == category["name"]
    yield "category", category["name"] if same else f"{category['title']} ({category['name']})"
    yield "layer", f"{facts['layer']['name']}, sent as {facts['layer']['wire']}"
    if facts["conceal_as"]:
        yield "visibility", f"internal; callers are told {facts['conceal_as']['name']}"
    for param in facts["params"]:
        yield f"{{{param['name']}}}", ": ".join(filter(None, (param["type"], param["description"])))
    for example in facts["examples"]:
        yield "example", example["message"]
    yield "aliases", ", ".join(facts["aliases"])
    yield "tags", ", ".join(facts["tags"])
    yield "since", facts["since"] or ""
    yield "waiver", facts["range_waiver"] or ""
    yield "see also", ", ".join(facts["see_also"])
    yield "docs", facts["docs_url"] or ""


def deprecation(facts: Facts) -> str:
    """Say since when and why an error is no longer to be used, and what to use instead; nothing of any other."""
    found = facts["deprecated"]
    if not found:
        return ""
    use = f" Use {found['replaced_by']['name']} instead." if found["replaced_by"] else ""
    return f"Deprecated since {found['since']}: {found['reason'].rstrip('.')}.{use}"


def received_rows(received: Facts) -> Iterator[Row]:
    """Yield what was received, what it says of itself, and how it differs from the catalog."""
    yield "received", received["form"]
    if received["message"]:
        yield "message", received["message"]
    yield "says", ", ".join(_said(received["says"]))
    for number, item in enumerate(received["differences"]):
        yield "" if number else "differs", item["text"]


def _said(says: Mapping[str, Any]) -> Iterator[str]:
    for key, label in (("retryable", "retryable"), ("safe_to_retry", "safe to retry")):
        if says[key] is not None:
            yield f"{label}: {'yes' if says[key] else 'no'}"
    if says["retry_after_ms"] is not None:
        yield f"retry after {duration(says['retry_after_ms'])}"


def _advice(recovery: Mapping[str, Any], *, is_denied: bool) -> str:
    """Say what helps; what was received may deny the retry that the catalog advises."""
    general = recovery["text"]
    if is_denied and recovery["action"] in ("retry", "wait"):
        general = (
            "Do not retry this one. Where a retry is allowed:"
            if recovery["hint"]
            else "Do not retry this one."
        )
    known = filter(None, (general, recovery["hint"]))
    told = " ".join(text if text.endswith((*_STOPS, ":")) else f"{text}." for text in known)
    return told or "The catalog does not say."


def _received(received: Facts, paint: Paint) -> str:
    rows = list(received_rows(received))
    if not received["known"]:
        shown = printable(str(received["code"]))
        rows += [("retry", received["retry"]["text"]), ("what to do", received["advice"])]
        return f"{paint(shown, 'title')} is not in the catalog\n\n" + _table(rows, paint)
    return _table(rows, paint)


def _error(facts: Facts, answer: Answer, paint: Paint) -> str:
    catalog = facts["catalog"]
    lines = [
        f"{paint(title_of(facts), 'title')} ({catalog['name']} {catalog['version']})",
        _filled(facts["message"]),
    ]
    if warning := deprecation(facts):
        lines.append(paint(_filled(warning), "warning"))
    lines += ["", _table(first_rows(facts, answer.received), paint)]
    if answer.received:
        lines.append(_table(received_rows(answer.received), paint))
    if facts["description"]:
        lines += [textwrap.indent(facts["description"], "  "), ""]
    lines.append(_table(other_rows(facts), paint))
    return "\n".join(lines)


def _reserved(facts: Facts, answer: Answer, paint: Paint) -> str:
    named = " ".join(str(part) for part in (facts["code"], facts["name"]) if part is not None)
    since = f" since {facts['since']}" if facts["since"] else ""
    shown = paint(named or answer.wanted, "title")
    lines = [f"{shown} is reserved{since}: {facts['reason']}"]
    if not named:
        lines.append(_row("reserved", reserved_span(facts), paint))
    if use := facts["replaced_by"]:
        lines.append(_row("use", f"{use['name']} ({use['code']})", paint))
    return "\n".join(lines) + "\n"


def reserved_span(facts: Facts) -> str:
    """Say which codes a reservation without a code of its own keeps."""
    if facts["first"] is not None:
        return f"{facts['first']} to {facts['last']}"
    return f"codes that begin with {facts['prefix']}"


def _finding(facts: Facts, _: Answer, paint: Paint) -> str:
    lines = [
        f"{paint(title_of(facts), 'title')} (a finding of errgen)",
        _filled(facts["message"]),
        "",
        textwrap.indent(facts["description"], "  "),
        "",
        _row("what to do", facts["recovery"]["hint"], paint),
    ]
    for key, label in (("bad", "instead of"), ("good", "write")):
        if facts[key]:
            lines += ["", f"  {paint(label, 'label')}", textwrap.indent(facts[key], "    ")]
    return "\n".join(lines) + "\n"


def _listed(answer: Answer, paint: Paint) -> str:
    lines = []
    for item in answer.candidates:
        title = title_of(item) if item["code"] is not None else str(item["name"])
        lines.append(f"{paint(title, 'title')} ({item['category']}): {item['message']}")
    more = f"; {answer.left_out} more are not shown" if answer.left_out else ""
    lines.append(f"\nname one by its code, or give more words{more}")
    return "\n".join(lines) + "\n"


def _table(rows: Any, paint: Paint) -> str:
    return "".join(f"{_row(label, text, paint)}\n" for label, text in rows if text)


def _row(label: str, text: str, paint: Paint) -> str:
    filled = textwrap.fill(
        printable(text), _WIDTH - _LABEL - 2, break_long_words=False, break_on_hyphens=False
    )
    first, *rest = filled.split("\n")
    word = first.partition(" ")[0]
    if label == "retry" and word in _RETRY_WORDS.values():
        first = paint(word, word) + first.removeprefix(word)
    lines = [f"  {paint(f'{label:<{_LABEL}}', 'label')}{first}"]
    return "\n".join([*lines, *(" " * (_LABEL + 2) + line for line in rest)])


def _filled(text: str) -> str:
    return textwrap.fill(
        printable(text), _WIDTH, initial_indent="  ", subsequent_indent="  ", break_long_words=False
    )
