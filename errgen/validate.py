"""Check a document against the catalog format: a Document flows in, every finding about it flows out.

The JSON Schema speaks first, in the catalog's words; then the rules that no schema can say, on what it accepts.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from errgen.diagnostics import Diagnostic
from errgen.rules import Facts, check_rules
from errgen.shapes import problems
from errgen.source import Document
from errgen.wording import word
from errgen.words import printable


def check(document: Document) -> tuple[Diagnostic, ...]:
    """Return every finding about the document, in order of position; empty means that a model can be made of it."""
    refused = problems(document.data)
    found = [*document.problems]
    found += _apart(found, (word(document, item) for item in refused if not item.is_repeated))
    found += _apart(found, check_rules(Facts.of(document, refused)))
    return tuple(sorted({_printable(item) for item in found}))


def _apart(earlier: Iterable[Diagnostic], later: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Pass what does not stand where something was found before, since it speaks of what that was taken to be."""
    places = {item.location for item in earlier}
    return (item for item in later if item.location not in places)


def _printable(item: Diagnostic) -> Diagnostic:
    return replace(item, message=printable(item.message), help=printable(item.help))
