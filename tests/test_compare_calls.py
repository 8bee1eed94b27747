"""What writers of bodies and callers of generated functions must say otherwise from now on, and at which level."""

import copy
import json
from typing import Any, Final

import pytest
import yaml
from fragments import FULL

from errgen.compare import compare

_DATA: Final[Any] = json.loads(json.dumps(yaml.safe_load(FULL)))


def seen(old: Any, new: Any) -> list[str]:
    """Return each change as its level and its path, with what it means for who calls."""
    return [
        f"{delta.level} {'.'.join(map(str, delta.path))}{delta.note and f': {delta.note}'}"
        for delta in compare(old, new)
    ]


def with_field(field: Any) -> Any:
    """Return the full catalog with a field more in its body."""
    data = copy.deepcopy(_DATA)
    data["response"]["fields"]["given"] = field
    return data


_STRING: Final = {"type": "string"}
_INNER: Final = {"fields": {"inner": _STRING}}
_FILLED: Final = {"from": "recovery_hint"}
_FLAGS: Final = {
    # The field, the flag that it gets and loses, and the levels of both.
    "at run time, absent": (_STRING, "optional", "body", "source"),
    "at run time, null": (_STRING, "nullable", "body", "source"),
    "at run time, absent where it may be null": (
        {**_STRING, "nullable": True},
        "optional",
        "body",
        "compatible",
    ),
    "at run time, null where it may be absent": (
        {**_STRING, "optional": True},
        "nullable",
        "body",
        "source",
    ),
    "of the catalog, absent": (_FILLED, "optional", "body", "compatible"),
    "of the catalog, null": (_FILLED, "nullable", "body", "compatible"),
    "an object that is given, absent": (_INNER, "optional", "body", "source"),
    "an object that is given, null": (_INNER, "nullable", "body", "source"),
    "an object without a demand, absent": (
        {"fields": {"inner": {**_STRING, "optional": True}}},
        "optional",
        "body",
        "compatible",
    ),
    "an object of the catalog, null": (
        {"fields": {"c": _FILLED}},
        "nullable",
        "body",
        "compatible",
    ),
}


@pytest.mark.parametrize(("field", "flag", "got", "lost"), _FLAGS.values(), ids=_FLAGS)
def test_what_may_be_missing_breaks_readers_and_what_must_be_given_breaks_writers(
    field: Any, flag: str, got: str, lost: str
) -> None:
    strict, loose = with_field(field), with_field({**field, flag: True})
    assert seen(strict, loose) == [f"{got} response.fields.given.{flag}"]
    assert seen(loose, strict) == [f"{lost} response.fields.given.{flag}"]


def test_a_field_of_an_object_that_may_be_absent_must_be_given_with_it() -> None:
    strict = with_field({"optional": True, **_INNER})
    loose = with_field({"optional": True, "fields": {"inner": {**_STRING, "optional": True}}})
    assert seen(loose, strict) == ["source response.fields.given.fields.inner.optional"]


def test_a_field_of_a_success_is_written_too() -> None:
    strict = copy.deepcopy(_DATA)
    strict["response"]["success"]["fields"]["data"]["optional"] = True
    assert seen(strict, _DATA) == ["source response.success.fields.data.optional"]
    assert seen(_DATA, strict) == ["body response.success.fields.data.optional"]


@pytest.mark.parametrize(
    ("old", "new", "level"),
    [
        ("integer", "number", "body"),
        ("number", "integer", "source"),
        ("string", "any", "body"),
        ("any", "string", "source"),
        ("string", "integer", "body"),
        ("object", "array", "body"),
    ],
)
def test_a_wider_type_breaks_readers_and_a_narrower_one_writers(
    old: str, new: str, level: str
) -> None:
    found = seen(with_field({"type": old}), with_field({"type": new}))
    assert found == [f"{level} response.fields.given.type"]


def test_a_field_that_is_filled_otherwise_reads_otherwise() -> None:
    found = seen(with_field({"type": "any"}), with_field(_FILLED))
    assert found == ["body response.fields.given.from", "body response.fields.given.type"]
    back = seen(with_field(_FILLED), with_field({"type": "any"}))
    assert back == found


def translated(**maps: Any) -> Any:
    """Return the full catalog with errors that take params, and other translations."""
    data = copy.deepcopy(_DATA)
    data["errors"]["NAMED"] = {
        "code": 2100,
        "category": "validation",
        "message": "{who}",
        "params": {"who": {"type": "string"}},
        "private_params": {"sql": {"type": "string"}},
    }
    for name, facts in maps.items():
        data["translations"][name] |= facts
    return data


_PLAIN: Final = {"map": {"404": "GONE"}, "default": "GONE", "fill": {}}
_CALLS: Final = {
    "an error that varies, by its status": (
        "http",
        {"default": "BACKEND"},
        ["source: its function needs retryable", "note.default"],
        ["source: its function takes no retryable", "note.default"],
    ),
    "an error that varies, by an exception": (
        "exc",
        {"default": "BACKEND"},
        ["note.default"],
        ["source: its function takes no retryable", "note.default"],
    ),
    "an error that takes values": (
        "http",
        {"map": {"404": "NAMED"}},
        ["source: its function needs who", "note.map.404"],
        ["source: its function takes no sql, who", "note.map.404"],
    ),
    "an alias of an error that takes a private value": (
        "http",
        {"map": {"404": "MISSING"}, "fill": {"field": "status"}},
        ["source.fill.field", "note.map.404"],
        ["source: its function takes no sql", "source.fill.field", "note.map.404"],
    ),
    "an error of the same call": (
        "http",
        {"default": "SECRET"},
        ["note.default"],
        ["note.default"],
    ),
}


@pytest.mark.parametrize(("name", "facts", "forth", "back"), _CALLS.values(), ids=_CALLS)
def test_a_translation_is_called_otherwise_where_its_errors_take_something_else(
    name: str, facts: Any, forth: list[str], back: list[str]
) -> None:
    old = translated(**{name: _PLAIN})
    new = translated(**{name: {**_PLAIN, **facts}})
    for before, after, expected in ((old, new, forth), (new, old, back)):
        found = [item.replace(f" translations.{name}", "") for item in seen(before, after)]
        assert found == expected


def test_what_an_error_takes_is_told_of_the_error_alone() -> None:
    old = translated(http={**_PLAIN, "default": "NAMED"})
    new = copy.deepcopy(old)
    new["errors"]["NAMED"]["params"]["why"] = {"type": "string"}
    assert seen(old, new) == ["source errors.NAMED.params.why"]


def test_a_translation_of_another_kind_is_told_as_that() -> None:
    old, new = translated(http=_PLAIN), translated(
        http={**_PLAIN, "kind": "code", "default": "BACKEND"}
    )
    assert seen(old, new) == ["source translations.http.kind", "note translations.http.default"]
