"""Say what a schema refuses in the words of the catalog: problems flow in, findings flow out."""

import json
import re
from typing import Any, Final

from errgen.codes import DiagnosticCode as Code
from errgen.defaults import NEVER
from errgen.diagnostics import Diagnostic, Location, finding
from errgen.shapes import Problem
from errgen.source import Document
from errgen.words import closest, describe, join_or, kind_of, shorten, type_names

_NAME: Final = re.compile(r"[A-Z][A-Z0-9_]*")
_KEY: Final = re.compile(r"[\w-]+")
_INTEGER: Final = re.compile(r"-?(?:[0-9]{1,16}|[0-9]{1,3}(?:[_, ][0-9]{3}){1,5})")
_BOOLEANS: Final = {
    "true": "true",
    "yes": "true",
    "on": "true",
    "false": "false",
    "no": "false",
    "off": "false",
}


def word(document: Document, item: Problem) -> Diagnostic:
    """Return the finding that says a problem."""
    place = document.locate(*item.place, key=item.key is not None)
    match item.kind:
        case "required":
            return _missing(item, place)
        case "additionalProperties" | "misplaced":
            return _unknown(item, place)
        case "type":
            return _wrong_type(item, place)
        case "enum" | "const":
            return _wrong_value(item, place)
        case "pattern":
            return _wrong_form(item, place)
        case _:
            return _out_of_bounds(item, place)


def _missing(item: Problem, place: Location) -> Diagnostic:
    key = str(item.key)
    description = item.schema["properties"][key]["description"].rstrip(".")
    remedy = f"add {key}: … ({description[0].lower()}{description[1:]})"
    return finding(Code.MISSING_KEY, place, where=describe(item.path), key=key, help=remedy)


def _unknown(item: Problem, place: Location) -> Diagnostic:
    key, remedy = str(item.key), ""
    if item.kind == "misplaced":
        remedy = f"indent it below {describe((*item.path, item.found))}" if item.found else ""
    else:
        remedy = _respell(key, item)
    return finding(
        Code.UNKNOWN_KEY, place, where=describe(item.path), key=shorten(key), help=remedy
    )


def _respell(key: str, item: Problem) -> str:
    known = item.schema["properties"]
    name, colon, value = key.partition(":")
    if colon and name in known and item.found[key] is None:
        return f"put a space after the colon: '{name}: {shorten(value)}'"
    if item.found[key] is None and not _KEY.fullmatch(key):
        return "put the text in quotes: in { } a comma ends it"
    if _NAME.fullmatch(key) and isinstance(item.found[key], dict):
        if not item.path:
            return "indent it below errors if it is an error"
        if item.path[0] == "errors":
            return "indent it like the other errors if it is an error of its own"
    return closest(key, [name for name in known if name not in item.found]) or closest(key, known)


def _wrong_type(item: Problem, place: Location) -> Diagnostic:
    wanted = item.schema["type"]
    return finding(
        Code.WRONG_TYPE,
        place,
        where=describe(item.path),
        found=kind_of(item.found),
        expected=type_names(wanted),
        help=_meant(item) or _retype(item.found, [wanted] if isinstance(wanted, str) else wanted),
    )


def _meant(item: Problem) -> str:
    """Say what was probably meant where YAML reads a policy, a version or a message as something else."""
    key, found = item.path[-1] if item.path else "", item.found
    if key == "retry" and found is False:
        return f"write {NEVER}"
    if key in ("version", "since") and _is_number(found):
        return "write three numbers, such as 1.0.0"
    if key in ("message", "log_message") and isinstance(found, dict):
        names = [name for name, value in found.items() if value is None]
        return f'put it in quotes: "{{{names[0]}}} …"' if names else ""
    return ""


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _wrong_value(item: Problem, place: Location) -> Diagnostic:
    choices = item.schema.get("enum", [item.schema.get("const")])
    found = item.found
    remedy = _unquoted(found, choices)
    if not remedy and isinstance(found, str):
        remedy = closest(found, [choice for choice in choices if isinstance(choice, str)])
    shown = [_show(choice) for choice in choices]
    return finding(
        Code.WRONG_VALUE,
        place,
        where=describe(item.path),
        found=_show(found) if isinstance(found, str | bool | int | float) else kind_of(found),
        expected=f"one of {join_or(shown)}" if shown[1:] else shown[0],
        help=remedy or (f"write {shown[0]}" if not shown[1:] else ""),
    )


def _wrong_form(item: Problem, place: Location) -> Diagnostic:
    expected, where, found = item.schema["x-expected"], describe(item.path), _show(item.found)
    if item.key is not None:
        where = f"a key of {where}"
    remedy = _reform(str(item.found), expected)
    return finding(Code.WRONG_FORM, place, where=where, found=found, expected=expected, help=remedy)


def _out_of_bounds(item: Problem, place: Location) -> Diagnostic:
    where, found, limit = describe(item.path), item.found, item.schema[item.kind]
    if item.key is not None:
        where = f"the key {_show(found)} in {where}"
    match item.kind:
        case "minimum":
            problem, remedy = f"is {found}, less than {limit}", f"write {limit} or more"
        case "maximum":
            problem, remedy = f"is {found}, more than {limit}", f"write {limit} or less"
        case "maxLength":
            problem = f"has {len(found)} characters, more than {limit}"
            remedy = f"shorten it to {limit} characters"
        case "uniqueItems":
            problem, remedy = (
                f"is {_show(found)}, which stands in the list before",
                "delete one of the two",
            )
        case _:
            problem, wanted = "is empty", item.schema["type"]
            remedy = "write some text" if wanted == "string" else _retype(None, [wanted])
    return finding(Code.OUT_OF_BOUNDS, place, where=where, problem=problem, help=remedy)


def _show(value: Any) -> str:
    return f"'{shorten(value)}'" if isinstance(value, str) else json.dumps(value)


def _retype(found: Any, wanted: list[str]) -> str:
    if isinstance(found, str) and "integer" in wanted and _INTEGER.fullmatch(found):
        return f"write {int(re.sub('[_, ]', '', found))} without quotes"
    if (
        isinstance(found, float)
        and "integer" in wanted
        and found == int(found)
        and abs(found) < 2**53
    ):
        return f"write {int(found)}"
    if isinstance(found, str) and wanted == ["boolean"]:
        return _unquoted(found, [True, False]) or "write true or false"
    if "string" in wanted and isinstance(found, bool | int | float):
        return f'put it in quotes: "{json.dumps(found)}"'
    if "object" in wanted:
        return "write its keys below it, indented, or in { }"
    if "array" in wanted:
        return "write it as a list: [ … ]"
    return "write a value after the key, or delete the key" if found is None else ""


def _unquoted(found: Any, choices: list[Any]) -> str:
    """Say how to write a choice that is no text, where its text is found, or a word for it."""
    if not isinstance(found, str | float):
        return ""
    text = _BOOLEANS.get(found.lower(), found) if isinstance(found, str) else f"{found:g}"
    meant = {json.dumps(choice) for choice in choices if not isinstance(choice, str)} & {text}
    return "".join(f"write {word}{' without quotes' if word == found else ''}" for word in meant)


def _reform(found: str, expected: str) -> str:
    if "UPPER_SNAKE" in expected:
        snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", found[:100])
        snake = re.sub(r"[^A-Za-z0-9]+", "_", snake).strip("_").upper()
        if snake and snake[0].isalpha():
            return f"write {snake}"
    if expected.startswith("one of "):
        near = closest(found, re.findall(r"[a-z_]+(?=,)", expected))
        return near or f"write {expected}"
    return f"write {expected}"
