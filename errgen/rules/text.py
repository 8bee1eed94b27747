"""Rules about text: placeholders agree with params, texts keep their limits and hold no invisible characters."""

import re
from collections.abc import Iterator
from typing import Any, Final

from errgen.codes import DiagnosticCode as Code
from errgen.defaults import TO_WRITE
from errgen.diagnostics import Diagnostic, finding
from errgen.message import BraceError, placeholders
from errgen.rules.accepted import Entry
from errgen.rules.facts import Facts
from errgen.rules.registry import rule
from errgen.shapes import Path
from errgen.words import closest, describe, kind_of, nearest, type_names

# Controls, separators of lines, bidirectional embeddings, overrides and isolates, fillers, zero-width, invisible and
# deprecated format characters, annotations, tags, and noncharacters of each plane. Joiners and the marks of direction,
# which Persian, Hebrew and emoji need, are text.
_NONCHARACTERS: Final = "".join(
    chr(plane + end) for plane in range(0, 0x110000, 0x10000) for end in (0xFFFE, 0xFFFF)
)
UNSAFE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u115f\u1160\u180e\u200b\u2028-\u202e\u2060-\u206f\u3164\ufdd0-\ufdef\ufeff\uffa0"
    f"\ufff9-\ufffb\U000e0000-\U000e007f{_NONCHARACTERS}]"
)
UNSAFE_IN_TEXT: Final = re.compile(UNSAFE.pattern.replace("\x00-\x1f", "\x00-\x08\x0b-\x1f"))
# A search for these takes a tenth of the time, and most catalogs hold none.
_UNUSUAL: Final = re.compile("[^\n -~]")
_TYPES: Final[dict[str, Any]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
}


@rule(Code.BAD_PLACEHOLDER)
def bad_placeholder(facts: Facts) -> Iterator[Diagnostic]:
    """Braces are placeholders or doubled."""
    for name, entry in facts.errors.items():
        for key in ("message", "log_message"):
            if near := _misread(entry, key):
                place = facts.at("errors", name, key)
                yield finding(
                    Code.BAD_PLACEHOLDER, place, where=f"{key} of error {name}", found=near
                )


@rule(Code.UNKNOWN_PLACEHOLDER)
def unknown_placeholder(facts: Facts) -> Iterator[Diagnostic]:
    """Every placeholder is a param."""
    for name, entry in facts.errors.items():
        params, private = entry.get("params", {}), entry.get("private_params", {})
        for used, key in _undeclared(entry).items():
            yield finding(
                Code.UNKNOWN_PLACEHOLDER,
                facts.at("errors", name, key),
                where=f"{key} of error {name}",
                placeholder="{" + used + "}",
                name=name,
                help=closest(used, [*params, *(private if key == "log_message" else ())]),
            )


def _undeclared(entry: Entry) -> dict[str, str]:
    """Return each placeholder that is no param, and which text uses it, the message first."""
    declared = {*entry.get("params", ()), *entry.get("private_params", ())}
    used = {name: key for key in ("log_message", "message") for name in _used(entry, key)}
    return {name: key for name, key in used.items() if name not in declared}


@rule(Code.UNWRITTEN_MESSAGE)
def unwritten_message(facts: Facts) -> Iterator[Diagnostic]:
    """A message is written by somebody who knows what happened."""
    for name, entry in facts.errors.items():
        if entry.get("message") == TO_WRITE:
            yield finding(Code.UNWRITTEN_MESSAGE, facts.at("errors", name, "message"), name=name)


@rule(Code.PRIVATE_PARAM)
def private_param(facts: Facts) -> Iterator[Diagnostic]:
    """A private param never reaches the message."""
    for name, entry in facts.errors.items():
        private = entry.get("private_params", {})
        for used in _used(entry, "message"):
            if used in private and used not in entry.get("params", {}):
                yield finding(
                    Code.PRIVATE_PARAM, facts.at("errors", name, "message"), name=name, param=used
                )


@rule(Code.UNUSED_PARAM)
def unused_param(facts: Facts) -> Iterator[Diagnostic]:
    """A private param is used in the log message, or it reaches nobody."""
    for name, entry in facts.errors.items():
        params, private = entry.get("params", {}), entry.get("private_params", {})
        used = {*_used(entry, "log_message"), *_used(entry, "message")}
        # A placeholder that is misspelt may be the one that is missed here.
        is_clear = not _undeclared(entry) and not _misread(entry, "log_message")
        for param in private:
            if is_clear and param not in used and param not in params:
                place = facts.at("errors", name, "private_params", param, key=True)
                yield finding(Code.UNUSED_PARAM, place, param=param, name=name)


@rule(Code.PARAM_TWICE)
def param_twice(facts: Facts) -> Iterator[Diagnostic]:
    """A param is public or private."""
    for name, entry in facts.errors.items():
        for param in entry.get("private_params", {}):
            if param in entry.get("params", {}):
                place = facts.at("errors", name, "private_params", param, key=True)
                yield finding(Code.PARAM_TWICE, place, param=param, name=name)


@rule(Code.EXAMPLE_PARAMS)
def example_params(facts: Facts) -> Iterator[Diagnostic]:
    """An example gives each placeholder of the message a value of its type."""
    for name, entry in facts.errors.items():
        params, needed = entry.get("params", {}), _used(entry, "message")
        for index, example in enumerate(entry.get("examples", ())):
            path = ("errors", name, "examples", index)
            given = example.get("params", {})
            unknown = [param for param in given if param not in params]
            for param in needed:
                if param in params and param not in given and not nearest(param, unknown):
                    problem = f"lacks the param '{param}'"
                    yield finding(Code.EXAMPLE_PARAMS, facts.at(*path), name=name, problem=problem)
            for param, value in given.items():
                problem = _example_problem(param, value, params)
                if problem and param not in _undeclared(entry):
                    place = facts.at(*path, "params", param)
                    remedy = closest(param, params) if param not in params else ""
                    yield finding(
                        Code.EXAMPLE_PARAMS, place, name=name, problem=problem, help=remedy
                    )


def _example_problem(param: str, value: Any, params: Entry) -> str:
    if param not in params:
        return f"has the param '{param}', which the error does not have"
    wanted = params[param]["type"]
    fits = isinstance(value, _TYPES[wanted]) and isinstance(value, bool) == (wanted == "boolean")
    return "" if fits else f"gives the param '{param}' {kind_of(value)}, not {type_names(wanted)}"


@rule(Code.TEXT_TOO_LONG)
def text_too_long(facts: Facts) -> Iterator[Diagnostic]:
    """Messages and hints keep their limits, in characters."""
    limits = facts.sections["limits"]
    for name, entry in facts.errors.items():
        hint = entry.get("recovery", {}).get("hint", "")
        for limit, path, text in (
            ("message", ("errors", name, "message"), entry["message"]),
            ("hint", ("errors", name, "recovery", "hint"), hint),
        ):
            if limit in limits and (excess := len(text) - limits[limit]) > 0:
                yield finding(
                    Code.TEXT_TOO_LONG,
                    facts.at(*path),
                    where=describe(path),
                    length=len(text),
                    excess=excess,
                    limit=limit,
                )


@rule(Code.UNSAFE_CHARACTER)
def unsafe_character(facts: Facts) -> Iterator[Diagnostic]:
    """No text and no key holds a character that cannot be seen and is not needed."""
    if not _may_be_unsafe(facts.document.data):
        return
    for path, text, is_key in _texts(facts.document.data, ()):
        # CommonMark and the values of extensions may have lines; names and messages have one.
        lines = not is_key and (
            path[-1:] == ("description",) or any(str(step)[:2] == "x-" for step in path)
        )
        if bad := (UNSAFE_IN_TEXT if lines else UNSAFE).search(text):
            yield finding(
                Code.UNSAFE_CHARACTER,
                facts.at(*path, key=is_key),
                where=("the key " if is_key else "") + describe(path).replace(bad[0], ""),
                character=f"U+{ord(bad[0]):04X}",
            )


def _may_be_unsafe(data: Any) -> bool:
    """Look at all texts at once, a tenth of the work; false means that none of them is unsafe."""
    lines: list[str] = []
    texts: list[str] = []
    left = [data]
    while left:
        node = left.pop()
        if isinstance(node, str):
            lines.append(node)
        elif isinstance(node, list):
            left += node
        elif isinstance(node, dict):
            lines += node
            for key, item in node.items():
                (texts if key == "description" and isinstance(item, str) else left).append(item)
    joined = "".join(lines), "".join(texts)
    return any(
        _UNUSUAL.search(one) and kind.search(one)
        for one, kind in zip(joined, (UNSAFE, UNSAFE_IN_TEXT), strict=True)
    )


def _texts(value: Any, path: Path) -> Iterator[tuple[Path, str, bool]]:
    """Yield every text below a value, and every key, with its path."""
    if isinstance(value, str):
        yield path, value, False
    elif isinstance(value, dict):
        for key, item in value.items():
            yield (*path, key), key, True
            yield from _texts(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _texts(item, (*path, index))


def _used(entry: Entry, key: str) -> tuple[str, ...]:
    try:
        return placeholders(entry.get(key, ""))
    except BraceError:
        return ()


def _misread(entry: Entry, key: str) -> str:
    """Return the text around a brace that is no placeholder, or nothing."""
    try:
        placeholders(entry.get(key, ""))
    except BraceError as error:
        return error.near
    return ""
