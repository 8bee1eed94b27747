"""Rules of shape that a schema would say badly: keys that need or exclude each other, forms that depend on a kind."""

import re
from collections.abc import Iterator
from typing import Final

from errgen.codes import DiagnosticCode as Code
from errgen.diagnostics import Diagnostic, finding
from errgen.rules.facts import Entry, Facts
from errgen.rules.registry import rule
from errgen.shapes import Path
from errgen.words import describe, join_or

FIELD_KINDS: Final = ("from", "value", "type", "fields")
_KEY_FORMS: Final = {
    "http-status": (
        re.compile(r"[1-5](?:[0-9]{2}|xx)"),
        "an HTTP status such as 404, or a class such as 5xx",
    ),
    "exception": (
        re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*"),
        "the name of an exception type",
    ),
    "code": (re.compile(r"\S(?:.*\S)?"), "a foreign code"),
}


@rule(Code.WRONG_COMBINATION)
def wrong_combination(facts: Facts) -> Iterator[Diagnostic]:
    """Keys that exclude each other, or of which one is needed."""
    for path, problem in _combinations(facts):
        yield finding(
            Code.WRONG_COMBINATION, facts.at(*path, key=True), where=describe(path), problem=problem
        )


@rule(Code.WRONG_FORM)
def translation_keys(facts: Facts) -> Iterator[Diagnostic]:
    """Keys of a translation's map have the form that its kind says."""
    for name, translation in facts.sections["translations"].items():
        pattern, expected = _KEY_FORMS[translation["kind"]]
        for key in translation["map"]:
            if not pattern.fullmatch(key):
                place = facts.at("translations", name, "map", key, key=True)
                yield finding(
                    Code.WRONG_FORM,
                    place,
                    where=f"translation '{name}':",
                    found=f"the key '{key}'",
                    expected=expected,
                )


def _combinations(facts: Facts) -> Iterator[tuple[Path, str]]:
    for name, layer in facts.sections["layers"].items():
        if layer.get("wire") == "jsonrpc-error" and layer["code"] == "string":
            yield (
                "layers",
                name,
            ), "is sent as jsonrpc-error, whose codes are integers; write code: integer"
    for index, item in facts.sections["ranges"].items():
        if problem := _bounds(item, ()):
            yield ("ranges", index), problem
    for index, item in facts.sections["reserved"].items():
        if problem := _bounds(item, ("code", "name")):
            yield ("reserved", index), problem
    for part, kinds in (((), FIELD_KINDS), (("success",), FIELD_KINDS[1:])):
        for path, field in facts.fields(*part):
            given = [kind for kind in FIELD_KINDS if kind in field]
            if len(given) != 1 or given[0] not in kinds:
                found = f", but has {' and '.join(given)}" if given else ""
                yield path, f"needs exactly one of {join_or(kinds)}{found}"


def _bounds(item: Entry, singles: tuple[str, ...]) -> str:
    """Say what is wrong with the keys that bound a range or a reservation."""
    if ("first" in item) != ("last" in item):
        return "needs both first and last"
    given = [key for key in ("first", "prefix") if key in item]
    given += singles[:1] if any(key in item for key in singles) else []
    if len(given) == 1:
        return ""
    forms = ["first and last", "prefix", *(["code and name, or one of them"] if singles else [])]
    return f"{'mixes' if given else 'has none of'} {join_or(forms)}"
