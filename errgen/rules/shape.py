"""Rules of shape that a schema would say badly: keys that need or exclude each other, forms that depend on a kind."""

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from errgen.codes import DiagnosticCode as Code
from errgen.diagnostics import Diagnostic, finding
from errgen.message import BraceError, placeholders
from errgen.rules.accepted import Entry
from errgen.rules.facts import Facts
from errgen.rules.registry import rule
from errgen.shapes import Path
from errgen.words import describe, join_or, shorten

_Finding: TypeAlias = tuple[Path, str, str]
"""Where keys do not go together, what is wrong with them, and what to write instead."""

FIELD_KINDS: Final = ("from", "value", "type", "fields")
# response, fields, and the name of a field.
_TOP: Final = 3
_TEXT_PARTS: Final = ("name", "code", "message", "hint")
# The members of problem details (RFC 9457, section 3.1), and what fills them.
_MEMBERS: Final = {
    "type": "docs_url",
    "title": "name",
    "status": "http_status",
    "detail": "message",
    "instance": "",
}
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
    found = (
        *_layers(facts),
        *_bounded(facts),
        *_fields(facts),
        *_members(facts),
        *_success(facts),
    )
    for path, problem, remedy in found:
        yield finding(
            Code.WRONG_COMBINATION,
            facts.at(*path, key=True),
            where=describe(path),
            problem=problem,
            help=remedy,
        )


@rule(Code.WRONG_FORM)
def wrong_form(facts: Facts) -> Iterator[Diagnostic]:
    """Keys of a translation's map have the form that its kind says, and the docs' address has room for a fragment."""
    yield from _base_address(facts)
    for name, translation in facts.sections["translations"].items():
        pattern, expected = _KEY_FORMS[translation["kind"]]
        for key in translation["map"]:
            if not pattern.fullmatch(key):
                yield finding(
                    Code.WRONG_FORM,
                    facts.at("translations", name, "map", key, key=True),
                    where=f"a key of translation '{name}'",
                    found=f"'{shorten(key)}'",
                    expected=expected,
                    help=f"write {expected}",
                )


def _base_address(facts: Facts) -> Iterator[Diagnostic]:
    url = facts.data.get("docs_url")
    if isinstance(url, str) and "#" in url and url.startswith("http"):
        yield finding(
            Code.WRONG_FORM,
            facts.at("docs_url"),
            where="docs_url",
            found=f"'{shorten(url)}'",
            expected="an address without a fragment, as each error's link adds one",
            help=f"write {shorten(url.partition('#')[0])}",
        )


def _layers(facts: Facts) -> Iterator[_Finding]:
    for name, layer in facts.sections["layers"].items():
        if layer.get("wire") == "jsonrpc-error" and layer["code"] == "string":
            problem = "is sent as jsonrpc-error, whose codes are integers, but has string codes"
            yield ("layers", name), problem, "write code: integer, or another wire"
        if (
            layer.get("wire") == "jsonrpc-result"
            and not facts.sections["response"]
            and facts.is_whole("response")
        ):
            problem = (
                "is sent as jsonrpc-result, which holds a body, but the catalog has no response"
            )
            yield ("layers", name), problem, "add a response, or write another wire"
        if "text" in layer and layer.get("wire") != "mcp-tool-result":
            problem = "has a text, which only a tool result has, but is not sent as one"
            yield ("layers", name, "text"), problem, "delete it, or write wire: mcp-tool-result"
        if problem := _text_problem(layer.get("text", "")):
            yield (
                "layers",
                name,
                "text",
            ), problem, f"use {join_or([f'{{{part}}}' for part in _TEXT_PARTS])}"


def _members(facts: Facts) -> Iterator[_Finding]:
    """Yield fields of the body that problem details have no place for, as a member of that name is theirs."""
    if all(layer.get("wire") != "http-problem" for layer in facts.sections["layers"].values()):
        return
    for path, field in facts.fields():
        name = str(path[-1])
        if len(path) == _TOP and name in _MEMBERS and field.get("from") != _MEMBERS[name]:
            problem = (
                "has the name of a member of problem details (RFC 9457) that says something else"
            )
            remedy = f"write from: {_MEMBERS[name]}, or give the field another name"
            yield path, problem, remedy if _MEMBERS[name] else "give the field another name"


def _success(facts: Facts) -> Iterator[_Finding]:
    """Yield a success whose constants errors have too, so that every error would be taken for one."""
    response = facts.sections["response"]
    constants = {
        name: field
        for name, field in response.get("success", {}).get("fields", {}).items()
        if "value" in field
    }
    shared = [
        name
        for name, field in constants.items()
        if (other := response["fields"].get(name)) is not None
        and other.get("value", field["value"]) == field["value"]
    ]
    if constants and len(shared) == len(constants):
        problem = "has no constant that tells it from an error"
        remedy = f"write another value: … for {shared[0]} in the fields of errors"
        yield ("response", "success"), problem, remedy


def _text_problem(text: str) -> str:
    """Say what is wrong with the braces of a text of tool results, or nothing."""
    try:
        unknown = [part for part in placeholders(text) if part not in _TEXT_PARTS]
    except BraceError as error:
        return f"has a brace that opens or closes no placeholder: {error.near}"
    return f"uses {{{unknown[0]}}}, which no error has" if unknown else ""


def _bounded(facts: Facts) -> Iterator[_Finding]:
    for section, singles in (("ranges", ()), ("reserved", ("code", "name"))):
        for index, item in facts.sections[section].items():
            for problem, remedy in _bounds(item, singles):
                yield (section, index), problem, remedy


def _bounds(item: Entry, singles: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Say what is wrong with the keys that bound a range or a reservation."""
    if ("first" in item) != ("last" in item):
        yield "needs both first and last", f"add {'last' if 'first' in item else 'first'}: …"
        return
    given = [key for key in ("first", "prefix") if key in item]
    given += singles[:1] if any(key in item for key in singles) else []
    forms = ["first and last", "prefix", *(["code and name, or one of them"] if singles else [])]
    if not given:
        yield f"has none of {join_or(forms)}", f"add {forms[-1 if singles else 0]}"
    elif given[1:]:
        yield f"mixes {join_or(forms)}", "make one entry of each"


def _fields(facts: Facts) -> Iterator[_Finding]:
    for part, kinds in (((), FIELD_KINDS), (("success",), FIELD_KINDS[1:])):
        for path, field in facts.fields(*part):
            given = [kind for kind in FIELD_KINDS if kind in field]
            if len(given) == 1 and given[0] in kinds:
                continue
            found = f", but has {' and '.join(given)}" if given else ""
            remedy = (
                "keep one of them"
                if given[1:]
                else f"write {join_or([f'{kind}: …' for kind in kinds])}"
            )
            yield path, f"needs exactly one of {join_or(kinds)}{found}", remedy
