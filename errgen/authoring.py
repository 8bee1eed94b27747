"""Add and retire errors: a catalog's file and facts flow in, the same file with an entry more or less flows out."""

import os
import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

from errgen.allocate import free_codes
from errgen.baseline import base_of
from errgen.codes import DiagnosticCode as Code
from errgen.defaults import TO_WRITE, code_of, layer_of_category, layers_of
from errgen.diagnostics import CatalogError, Diagnostic, ErrgenError, Location, finding, shown_path
from errgen.edit import stuck, with_error, with_reservation, without_error
from errgen.naming import camel
from errgen.source import Document, parse, read
from errgen.validate import check
from errgen.words import closest

_NAME: Final = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*")
# A profile or a neighbour may refuse a number that looks free.
_TRIES: Final = 200
_ABOUT_CODES: Final = "EG2"


@dataclass(frozen=True, slots=True)
class Draft:
    """A catalog's new text, not written yet, where what it is about stands in it, and what that still lacks."""

    path: Path
    content: bytes
    name: str
    code: int | str
    place: Location
    lacking: tuple[str, ...] = ()


def new_error(
    path: Path, name: str, category: str, against: str | None, *, shuffled: bool
) -> Draft:
    """Return a catalog with one error more, under the next free code of its category. Raises ErrgenError."""
    content, document = _read(path)
    data = document.data
    base = base_of(against, path) if against else None
    bases = [base.data] if base else []
    _check_name(document, name, bases)
    if category not in data["categories"]:
        raise _no_category(document, category)
    codes: Iterable[Any] = free_codes(data, category, bases, shuffled=shuffled)
    layer = layer_of_category(data, data["categories"][category])
    is_named = layers_of(data)[layer or ""]["code"] == "string" and not any(
        "prefix" in item and item["category"] == category for item in data.get("ranges", [])
    )
    for code in islice([name] if is_named else codes, _TRIES):
        facts = {} if is_named else {"code": code}
        facts |= {"category": category, "message": TO_WRITE}
        if data["categories"][category].get("retry") is None:
            facts["retry"] = "never"
        text = with_error(document, _text(content), name, facts, _neighbour(data, category, code))
        meant = {**data, "errors": {**data["errors"], name: facts}}
        edited = _parsed(document, text, meant)
        found = check(edited)
        if not any(item.code.startswith(_ABOUT_CODES) for item in found):
            # What the body needs, only the author can say.
            lacking = [item for item in found if item.code is Code.RESPONSE_UNSET]
            _refuse([item for item in found if item not in lacking], document.path)
            place = edited.locate("errors", name, key=True)
            told = tuple(item.message for item in lacking)
            return Draft(path, _encoded(text, content), name, code, place, told)
    raise _no_code(document, category)


def retired(path: Path, name: str, reason: str, replaced_by: str | None) -> Draft:
    """Return a catalog in which an error has become a reservation of its code and names. Raises ErrgenError."""
    content, document = _read(path)
    data = document.data
    if name not in data["errors"]:
        hint = closest(name, data["errors"])
        raise ErrgenError(
            [finding(Code.UNKNOWN_CODE, Location(document.path), wanted=name, help=hint)]
        )
    if not data["errors"].keys() - {name}:
        raise _last_one(document)
    entry = data["errors"][name]
    after = {"replaced_by": replaced_by} if replaced_by else {}
    text = without_error(document, _text(content), name)
    errors = {key: body for key, body in data["errors"].items() if key != name}
    meant = {**data, "errors": errors}
    tombs: list[dict[str, Any]] = [{"code": code_of(name, entry), "name": name}]
    tombs += [{"name": alias} for alias in entry.get("aliases", [])]
    edited = _parsed(document, text, meant)
    for tomb in tombs:
        item = {**tomb, **after, "reason": reason}
        text = with_reservation(edited, text, item)
        meant = {**meant, "reserved": [*meant.get("reserved", []), item]}
        edited = _parsed(document, text, meant)
    _refuse(check(edited), document.path)
    place = edited.locate("reserved", len(edited.data["reserved"]) - len(tombs))
    return Draft(path, _encoded(text, content), name, code_of(name, entry), place)


def write(draft: Draft) -> None:
    """Put a draft in the place of the catalog's file, whole or not at all. Raises OSError."""
    target = draft.path.resolve()
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=".errgen-")
    new = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(draft.content)
        new.chmod(target.stat().st_mode)
        new.replace(target)
    except BaseException:
        new.unlink()
        raise


def _read(path: Path) -> tuple[bytes, Document]:
    """Return a valid catalog with its bytes. Raises CatalogError."""
    shown = shown_path(path)
    content = read(path, shown)
    document = parse(content, shown)
    _refuse(check(document))
    return content, document


def _text(content: bytes) -> str:
    return content.decode("utf-8-sig")


def _parsed(document: Document, text: str, meant: Any) -> Document:
    """Return an edited text as a document, if it says what is meant and all that it said before. Raises ErrgenError."""
    try:
        edited = parse(text.encode(), document.path)
    except CatalogError:
        edited = None
    if edited is None or edited.data != meant:
        remedy = "edit it by hand, or write each of the errors in lines of its own, without anchors"
        raise stuck(document, "errors", remedy=remedy)
    return edited


def _last_one(document: Document) -> ErrgenError:
    place, remedy = document.locate("errors", key=True), "add another error first"
    return ErrgenError(
        [
            finding(
                Code.WRONG_TYPE,
                place,
                where="errors",
                found="empty",
                expected="a mapping",
                help=remedy,
            )
        ]
    )


def _refuse(found: Iterable[Diagnostic], draft: str | None = None) -> None:
    """Raise CatalogError for findings; those of a draft have no place in the file that the user sees."""
    if broken := [item for item in found if item.level == "error"]:
        if draft is not None:
            broken = [replace(item, location=Location(draft), related=()) for item in broken]
        raise CatalogError(broken)


def _encoded(text: str, old: bytes) -> bytes:
    """Return a text as bytes, with a byte order mark if the old ones had it."""
    return (b"\xef\xbb\xbf" if old.startswith(b"\xef\xbb\xbf") else b"") + text.encode()


def _check_name(document: Document, name: str, bases: Iterable[Any]) -> None:
    here = _problem(document.data, name)
    there = [f"{problem} at the base" for base in bases if (problem := _problem(base, name))]
    form = "" if _NAME.fullmatch(name) else "is not UPPER_SNAKE, such as NOT_FOUND"
    if problem := next(filter(None, (form, here, *there)), ""):
        place = Location(document.path)
        raise ErrgenError([finding(Code.NAME_UNAVAILABLE, place, name=name, problem=problem)])


def _no_category(document: Document, name: str) -> ErrgenError:
    known = document.data["categories"]
    return ErrgenError(
        [
            finding(
                Code.UNKNOWN_REFERENCE,
                document.locate("categories", key=True),
                where="--category",
                kind="category",
                name=name,
                help=closest(name, known) or f"there are {', '.join(known)}",
            )
        ]
    )


def _no_code(document: Document, category: str) -> ErrgenError:
    spans = [
        f"in {item['first']} to {item['last']}" if "first" in item else f"after {item['prefix']}"
        for item in document.data.get("ranges", [])
        if item["category"] == category
    ]
    where = " and ".join(spans) or "because it has no range"
    place = document.locate("categories", category, key=True)
    return ErrgenError([finding(Code.NO_FREE_CODE, place, category=category, where=where)])


def _problem(data: Any, name: str) -> str:
    if name in data["errors"]:
        return "is that of an error already"
    for other, entry in data["errors"].items():
        if name in entry.get("aliases", []):
            return f"is an alias of {other}"
    for item in data.get("reserved", []):
        if "name" in item and camel(item["name"]) == camel(name):
            return f"is reserved: {item['reason']}"
    return ""


def _neighbour(data: Any, category: str, code: int | str) -> str | None:
    """Return the error below which a new one belongs: the one with the next smaller code of its category."""
    same = {
        name: code_of(name, entry)
        for name, entry in data["errors"].items()
        if entry["category"] == category
    }
    below: dict[str, Any] = {name: other for name, other in same.items() if _is_below(other, code)}
    return max(below, key=lambda name: below[name]) if below else next(reversed(same), None)


def _is_below(other: Any, code: Any) -> bool:
    return type(other) is type(code) and bool(other < code)
