"""Rules about references: every name points to something, and no chain of names goes in a circle."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from errgen.codes import DiagnosticCode as Code
from errgen.defaults import NEVER
from errgen.diagnostics import Diagnostic, finding
from errgen.rules.accepted import Entry
from errgen.rules.facts import Facts
from errgen.rules.registry import rule
from errgen.shapes import Path
from errgen.words import describe, join_or, shorten

_URL: Final = re.compile(r"https?://[^\s<>\"'`\\{}|^\[\]()]+")

_MAX_SHOWN: Final = 5
_NO: Final = ("off", "no", "none", "false")
_SEE_ALSO: Final = "name an error, or write a whole address that begins with https://"
_Reference: TypeAlias = tuple[Path, str, str]
"""Where a name stands, what it should be, and the name."""


@rule(Code.UNKNOWN_REFERENCE)
def unknown_reference(facts: Facts) -> Iterator[Diagnostic]:
    """Every category, layer, policy and error that is named exists."""
    for path, kind, name in _references(facts):
        known = facts.known[kind]
        if known is not None and name not in known:
            yield finding(
                Code.UNKNOWN_REFERENCE,
                facts.at(*path),
                where=describe(path),
                kind=kind,
                name=shorten(name),
                help=known.closest(name) or _other_words(path, kind, name),
            )


def _other_words(path: Path, kind: str, name: str) -> str:
    if kind == "retry policy" and name.lower() in _NO:
        return f"write {NEVER}"
    return _SEE_ALSO if path[2] == "see_also" else ""


@rule(Code.MISSING_KEY)
def missing_layer(facts: Facts) -> Iterator[Diagnostic]:
    """Where there are several layers, a category says to which it belongs."""
    layers = facts.known["layer"] or ()
    for name, category in facts.categories.items():
        if "layer" not in category and len(layers) > 1:
            yield finding(
                Code.MISSING_KEY,
                facts.at("categories", name, key=True),
                where=f"category '{name}'",
                key="layer",
                help=f"add layer: … ({join_or([*layers])})",
            )


@rule(Code.REFERENCE_CYCLE)
def reference_cycle(facts: Facts) -> Iterator[Diagnostic]:
    """Following replaced_by, or conceal_as, arrives somewhere."""
    for key, links in (("replaced_by", facts.replacements), ("conceal_as", facts.concealments)):
        for circle in circles(links):
            path = ("deprecated", key) if key == "replaced_by" else (key,)
            place = facts.at("errors", circle[-1], *path)
            shown = " -> ".join(
                [*circle[:_MAX_SHOWN], *["…"][: len(circle) - _MAX_SHOWN], circle[0]]
            )
            yield finding(Code.REFERENCE_CYCLE, place, key=key, path=shown)


def circles(links: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield each circle of names, of which each links to the next and the last to the first."""
    done: set[str] = set()
    for start in links:
        trail: dict[str, int] = {}
        name = start
        while name in links and name not in done and name not in trail:
            trail[name] = len(trail)
            name = links[name]
        if name in trail:
            yield list(trail)[trail[name] :]
        done.update(trail)


def _references(facts: Facts) -> Iterator[_Reference]:
    for name, category in facts.categories.items():
        for key, kind in (("layer", "layer"), ("retry", "retry policy")):
            if key in category:
                yield ("categories", name, key), kind, category[key]
    for index, item in facts.sections["ranges"].items():
        yield ("ranges", index, "category"), "category", item["category"]
    for index, item in facts.sections["reserved"].items():
        if "replaced_by" in item:
            yield ("reserved", index, "replaced_by"), "error", item["replaced_by"]
    for name, translation in facts.sections["translations"].items():
        for key, target in translation["map"].items():
            yield ("translations", name, "map", key), "error", target
        yield ("translations", name, "default"), "error", translation["default"]
    for name, entry in facts.errors.items():
        yield from _of_error(("errors", name), entry)


def _of_error(path: Path, entry: Entry) -> Iterator[_Reference]:
    for key, kind in (("category", "category"), ("retry", "retry policy"), ("conceal_as", "error")):
        if key in entry:
            yield (*path, key), kind, entry[key]
    if "replaced_by" in entry.get("deprecated", {}):
        yield (*path, "deprecated", "replaced_by"), "error", entry["deprecated"]["replaced_by"]
    for index, target in enumerate(entry.get("see_also", ())):
        if not _URL.fullmatch(target):
            yield (*path, "see_also", index), "error", target
