"""Explain errors: catalogs and what somebody asks or has received flow in, an Answer and its forms flow out."""

import json
from typing import Final

from errgen.codes import DiagnosticCode as Code
from errgen.diagnostics import Diagnostic, Location, finding
from errgen.explain.answer import Answer
from errgen.explain.facts import brief, facts_of, own_facts
from errgen.explain.layout import Paint, plain, text_of
from errgen.explain.lookup import Catalogs, Match, cleaned, found, integer, names, own
from errgen.model import ErrorSpec
from errgen.words import closest, shorten

__all__ = ["Answer", "Catalogs", "explain", "explain_own", "explain_received", "in_form"]

_MOST: Final = 10


def explain(catalogs: Catalogs, wanted: str) -> Answer:
    """Return what catalogs, by their paths, say of a code, a name or words."""
    asked = cleaned(wanted)
    if matches := found(catalogs, asked):
        return _explained(asked, matches)
    if rule := own(asked):
        return Answer(asked, (own_facts(rule),))
    from errgen.explain.search import matching

    if matches := matching(catalogs, asked):
        return _several(asked, matches)
    return Answer(asked, problem=_unknown(catalogs, asked))


def explain_own(wanted: str) -> Answer | None:
    """Return what a finding of errgen means, for which no catalog is needed; None for anything else."""
    rule = own(cleaned(wanted))
    return None if rule is None else Answer(wanted, (own_facts(rule),))


def explain_received(catalogs: Catalogs, content: bytes) -> Answer:
    """Return which error was received, what to do, and what in it the catalog fixes otherwise. Raises CatalogError."""
    from errgen.explain.decisions import received_facts, shown_code
    from errgen.explain.received import read

    received = read(catalogs, content)
    only = received.matches[0].item if len(received.matches) == 1 else None
    facts = received_facts(received, only if isinstance(only, ErrorSpec) else None)
    asked = shown_code(received.code)
    if not received.matches:
        return Answer(asked, received=facts, problem=_unknown(catalogs, asked))
    return _several(asked, received.matches)._replace(received=facts)


def in_form(answer: Answer, form: str, paint: Paint = plain) -> str:
    """Return an answer as text, json or markdown."""
    if form == "json":
        return as_json(answer)
    if form == "markdown":
        from errgen.explain.pages import markdown_of

        return markdown_of(answer)
    return text_of(answer, paint)


def as_json(answer: Answer) -> str:
    """Return an answer for programs."""
    data = {
        "wanted": answer.wanted,
        "explained": answer.explained,
        "candidates": answer.candidates,
        "left_out": answer.left_out,
        "received": answer.received,
    }
    text = json.dumps(data, ensure_ascii=False, indent=2) + "\n"
    # Half of a character, which JSON can hold and UTF-8 cannot, stays the escape that it came as.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _explained(asked: str, matches: tuple[Match, ...]) -> Answer:
    return Answer(asked, tuple(map(facts_of, matches)))


def _several(asked: str, matches: tuple[Match, ...]) -> Answer:
    if len(matches) == 1:
        return _explained(asked, matches)
    left_out = max(0, len(matches) - _MOST)
    return Answer(asked, candidates=tuple(map(brief, matches[:_MOST])), left_out=left_out)


def _unknown(catalogs: Catalogs, asked: str) -> Diagnostic:
    place = Location(", ".join(catalogs))
    number = integer(asked)
    if number is None:
        remedy = closest(asked, tuple(dict.fromkeys(names(catalogs))))
    else:
        # A number that looks like another is no hint of it, but the category may be known.
        remedy = "; ".join(
            f"codes from {item.first} to {item.last} are of category '{item.category.name}'"
            for catalog in catalogs.values()
            for item in catalog.ranges
            if item.holds(number)
        )
    return finding(Code.UNKNOWN_CODE, place, wanted=shorten(asked), help=remedy)
