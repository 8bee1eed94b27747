"""`errgen new` and `errgen retire` on layouts that no formatter makes: nothing is lost, or nothing is written."""

import difflib
from pathlib import Path
from typing import Any, Final

import pytest

from errgen.authoring import Draft, new_error, retired
from errgen.codes import DiagnosticCode as Code
from errgen.diagnostics import ErrgenError
from errgen.source import load, parse
from errgen.validate import check

_HEAD: Final = """\
errgen: 1
name: shop
version: 1.0.0
categories: { validation: { retry: never }, system: { retry: never }, empty: { retry: never } }
ranges:
  - { first: 2000, last: 2999, category: validation }
  - { first: 4000, last: 4999, category: system }
  - { first: 5000, last: 5999, category: empty }
"""
_A: Final = "{ code: 2001, category: validation, message: m }"
_B: Final = "{ code: 4001, category: system, message: m }"
_ERRORS: Final = f"errors:\n  A: {_A}\n  B: {_B}\n"
_ENTRY: Final = "\n    code: {}\n    category: {}\n    message: m\n"
_BLOCK_A, _BLOCK_B = _ENTRY.format(2001, "validation"), _ENTRY.format(4001, "system")

# Layouts in which a line can be added and removed.
_OPEN: Final = {
    "plain": _HEAD + _ERRORS,
    "no end of the last line": (_HEAD + _ERRORS).rstrip("\n"),
    "blank lines at the end": _HEAD + _ERRORS + "\n\n",
    "the end of the document": _HEAD + _ERRORS + "...\n",
    "comments around the end of the document": _HEAD + _ERRORS + "\n# the end\n...\n# after\n",
    "the start of the document": f"%YAML 1.2\n--- # shop\n{_HEAD}{_ERRORS}# end\n",
    "quoted names": f"{_HEAD}errors:\n  \"A\": {_A}\n  'B':{_BLOCK_B}",
    "a quoted section": f'{_HEAD}"errors":\n  A: {_A}\n  B: {_B}\n',
    "space before colons": f"{_HEAD}errors:\n  A : {_A}\n  B\t: {_B}\n",
    "tabs before comments": f"{_HEAD}errors:\n  A: {_A}\t# tab\t!\n  B: {_B}\n  #\ttab\n",
    "comments at the margin": f"{_HEAD}# errors\nerrors:\n# low\n  A: {_A}\n# low too\n  B: {_B}\n# end\n",
    "comments in and between": (
        f"{_HEAD}errors: # all\n\n  A: # first{_BLOCK_A}    # in A\n\n  # apart\n\n  B:{_BLOCK_B}  # end\n"
    ),
    "an anchor on the section": f"{_HEAD}errors: &all\n  A: {_A}\n  B: {_B}\n",
    "an entry that is an alias": f"{_HEAD}x-a: &a {_A}\nerrors:\n  A: *a\n  B: {_B}\n",
    "entries in braces over lines": f"{_HEAD}errors:\n  A: {{ {_A[2:-2]},\n  }}\n  B: {{\n    {_B[2:]}\n",
    "text that looks like comments": (
        f'{_HEAD}errors:\n  A:{_BLOCK_A}    description: "a\n\n  # b\n\n  c"\n'
        f"  B:{_BLOCK_B}    description: |\n      a\n\n      # b\n"
    ),
    "text over lines": f"{_HEAD}errors:\n  A:{_BLOCK_A}    description: a\n      b\n\n      c\n  B: {_B}\n",
    "indented by one": f"{_HEAD}errors:\n A:\n  {_A}\n B: {_B}\n",
    "indented as a whole": "".join(f"  {line}\n" for line in (_HEAD + _ERRORS).splitlines()),
    "errors in front": _ERRORS + _HEAD,
    "errors in the middle": _HEAD.replace("ranges:", f"{_ERRORS}\n# about ranges\nranges:"),
    "an empty list": f"{_HEAD}reserved: []\n{_ERRORS}",
    "an empty list with a comment": f"{_HEAD}{_ERRORS}reserved:  [ ]   # none yet\n",
    "a list at the margin": f"{_HEAD}reserved:\n- {{ code: 2500, reason: r }} # c\n{_ERRORS}",
    "a list with comments": (
        f"{_HEAD}{_ERRORS}reserved: # all\n  # first\n  - code: 2500\n    reason: r\n\n  # end\n"
    ),
    "a list with anchors": f"{_HEAD}reserved: &r\n  - &x {{ code: 2500, reason: r }}\n{_ERRORS}",
}
_FORMS: Final = {
    "lf": lambda text: text.encode(),
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "bom": lambda text: b"\xef\xbb\xbf" + text.encode(),
}


def drafted(path: Path, content: bytes, action: str) -> Draft:
    """Write a catalog, and add an error to it or retire one."""
    path.write_bytes(content)
    assert check(load(path, "c.yaml")) == ()
    if action in "AB":
        return retired(path, action, "gone", None)
    return new_error(path, "NEW", action, None, shuffled=False)


def lines(content: bytes) -> list[str]:
    return content.decode("utf-8-sig").splitlines(keepends=True)


def changes(old: bytes, new: bytes) -> tuple[list[str], list[str]]:
    """Return the lines that were added, and those that were removed; line ends count for nothing."""
    before, after = ([line.rstrip("\r\n") for line in lines(side)] for side in (old, new))
    found = [*difflib.ndiff(before, after)]
    added, removed = ([item[2:] for item in found if item[0] == sign] for sign in "+-")
    return added, removed


@pytest.mark.parametrize("form", _FORMS)
@pytest.mark.parametrize("category", ["validation", "system", "empty"])
@pytest.mark.parametrize("name", _OPEN)
def test_a_new_error_only_adds_lines(name: str, category: str, form: str, tmp_path: Path) -> None:
    content = _FORMS[form](_OPEN[name])
    draft = drafted(tmp_path / "c.yaml", content, category)
    added, removed = changes(content, draft.content)
    assert removed == []
    assert 1 <= len([line for line in added if line.strip()]) <= _MOST
    assert {line.endswith("\r\n") for line in lines(draft.content)[:-1]} == {form == "crlf"}
    old, new = parse(content, "c"), parse(draft.content, "c")
    assert new.data == {
        **old.data,
        "errors": {**old.data["errors"], "NEW": new.data["errors"]["NEW"]},
    }
    assert {item.code for item in check(new)} == {Code.UNWRITTEN_MESSAGE}


_MOST: Final = 4


@pytest.mark.parametrize("form", _FORMS)
@pytest.mark.parametrize("error", ["A", "B"])
@pytest.mark.parametrize("name", _OPEN)
def test_a_retired_error_only_moves_its_lines(
    name: str, error: str, form: str, tmp_path: Path
) -> None:
    content = _FORMS[form](_OPEN[name])
    draft = drafted(tmp_path / "c.yaml", content, error)
    added, removed = changes(content, draft.content)
    old, new = parse(content, "c"), parse(draft.content, "c")
    gone = old.data["errors"][error]
    tomb = {"code": gone["code"], "name": error, "reason": "gone"}
    errors = {key: body for key, body in old.data["errors"].items() if key != error}
    kept: list[Any] = old.data.get("reserved", [])
    assert new.data == {**old.data, "errors": errors, "reserved": [*kept, tomb]}
    assert check(new) == ()
    # A comment that is gone was part of the entry; the line of an empty list is the only one that changes.
    start, other = (line_of(old, key) for key in (error, "B" if error == "A" else "A"))
    of_entry = [line.strip() for line in lines(content)[start : other if other > start else None]]
    emptied = [line for line in removed if line.startswith("reserved:")]
    lost = [line for line in removed if line.strip() and line not in emptied]
    assert [line for line in lost if line.strip() not in of_entry] == []
    assert [line.partition("#")[2] for line in emptied if "#" in line] == [
        line.partition("#")[2] for line in added if "#" in line and emptied
    ]


def line_of(document: Any, name: str) -> int:
    """Return the line of an error, counted from 0."""
    return int(document.locate("errors", name, key=True).line) - 1


_SHUT: Final = {
    "errors in braces": f"{_HEAD}errors: {{\n  A: {_A},\n  B: {_B}\n}}\n",
    "errors in braces on lines of their own": f"{_HEAD}errors:\n  {{\n    A: {_A},\n    B: {_B}\n  }}\n",
    "errors on one line": f"{_HEAD}errors: {{ A: {_A}, B: {_B} }}\n",
    "errors that are an alias": f"{_HEAD}x-all: &all\n  A: {_A}\n  B: {_B}\nerrors: *all\n",
    "names after question marks": f"{_HEAD}errors:\n  ? A\n  : {_A}\n  B: {_B}\n",
    "blank lines that are part of a text": (
        f"{_HEAD}errors:\n  C: {{ code: 2002, category: validation, message: m }}\n"
        f"  A:{_BLOCK_A}    description: |+\n      a\n\n\n  B: {_B}\n"
    ).replace("2002", "2000"),
}
_ONLY_RETIRED: Final = {
    "an anchor that others use": f"{_HEAD}errors:\n  A:{_BLOCK_A}  B:\n    code: 4001\n    category: system\n"
    "    message: &m n\n  C: { code: 4002, category: system, message: *m }\n",
    "a list in brackets": f"{_HEAD}reserved: [{{ code: 2500, reason: r }}]\n{_ERRORS}",
    "a list in brackets over lines": f"{_HEAD}reserved: [\n  {{ code: 2500, reason: r }},\n]\n{_ERRORS}",
    "a list that is an alias": f"{_HEAD}x-r: &r\n  - {{ code: 2500, reason: r }}\nreserved: *r\n{_ERRORS}",
    "an item below its dash": f"{_HEAD}reserved:\n  -\n    code: 2500\n    reason: r\n{_ERRORS}",
    "an empty list on a line of its own": f"{_HEAD}reserved:\n  []\n{_ERRORS}",
}
_REFUSED: Final = [
    *((name, text, action) for name, text in _SHUT.items() for action in ("validation", "B")),
    *((name, text, "B") for name, text in _ONLY_RETIRED.items()),
]


@pytest.mark.parametrize(
    ("text", "action"),
    [item[1:] for item in _REFUSED],
    ids=[f"{item[0]}, {item[2]}" for item in _REFUSED],
)
def test_what_cannot_be_changed_by_lines_stays_and_says_why(
    text: str, action: str, tmp_path: Path
) -> None:
    path = tmp_path / "c.yaml"
    with pytest.raises(ErrgenError) as caught:
        drafted(path, text.encode(), action)
    (found,) = caught.value.diagnostics
    assert (str(found.code), bool(found.location.line)) == ("EG833", True)
    assert path.read_bytes() == text.encode()


def test_the_last_error_is_not_retired(tmp_path: Path) -> None:
    with pytest.raises(ErrgenError) as caught:
        drafted(tmp_path / "c.yaml", f"{_HEAD}errors:\n  A: {_A}\n".encode(), "A")
    (found,) = caught.value.diagnostics
    assert found.message == "errors is empty, not a mapping"
    assert (found.location.line, found.help) == (9, "add another error first")
