"""Changes between two catalogs: every key of the format has a level, and every change is told once."""

import copy
import json
from typing import Any, Final

import pytest
import yaml
from fragments import FULL
from support import CATALOGS

from errgen.compare import Delta, compare
from errgen.levels import Level
from errgen.source import load, parse
from errgen.validate import check

_DATA: Final[Any] = json.loads(json.dumps(yaml.safe_load(FULL)))


def changed(*path: Any, to: Any = None) -> Any:
    """Return the full catalog with another value at a path, or without the key."""
    data = copy.deepcopy(_DATA)
    inner = data
    for step in path[:-1]:
        inner = inner[step]
    if to is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = to
    return data


def seen(old: Any, new: Any) -> list[str]:
    """Return each change as its level and its path."""
    return [f"{delta.level} {'.'.join(map(str, delta.path))}" for delta in compare(old, new)]


_JUDGED: Final = {
    "what was safe is no longer": (("retry_policies", "paced", "safe_to_retry"), "never", "wire"),
    "what was not safe is": (
        ("retry_policies", "backoff", "safe_to_retry"),
        "always",
        "compatible",
    ),
    "an error weakens its policy": (("errors", "BACKEND", "safe_to_retry"), "never", "wire"),
    "an error is safer than its policy": (
        ("errors", "BACKEND", "safe_to_retry"),
        "always",
        "compatible",
    ),
    "what certainly did not happen may have": (
        ("errors", "NOT_FOUND", "outcome"),
        "unknown",
        "wire",
    ),
    "what may have happened is said for the first time": (
        ("errors", "GONE", "outcome"),
        "partial",
        "wire",
    ),
    "what was not said did not happen": (("errors", "GONE", "outcome"), "not-applied", "note"),
    "a read becomes a write": (("operations", "read", "effect"), "write", "wire"),
    "a write becomes a read": (("operations", "unknown", "effect"), "read", "compatible"),
    "what could be done twice cannot": (("operations", "read", "idempotent"), False, "wire"),
    "what could not be done twice can": (
        ("operations", "unknown", "idempotent"),
        True,
        "compatible",
    ),
    "a longer message": (("limits", "message"), 501, "body"),
    "a shorter message": (("limits", "message"), 499, "note"),
    "a field may be absent": (("response", "fields", "message", "optional"), True, "body"),
    "a field is always there": (("response", "fields", "status", "optional"), False, "compatible"),
    "a field may be null": (("response", "fields", "message", "nullable"), True, "body"),
    "a field is never null": (("response", "fields", "status", "nullable"), False, "compatible"),
    "a policy of another promise": (("errors", "GONE", "retry"), "paced", "wire"),
    "an error is hidden": (("errors", "GONE", "visibility"), "internal", "wire"),
    "an error is shown": (("errors", "SECRET", "visibility"), "public", "compatible"),
    "an address in the docs": (("docs_url",), "https://example.org/e", "note"),
    "a severity nobody sends": (("errors", "NOT_FOUND", "severity"), "critical", "note"),
    "an action nobody sends": (("errors", "NOT_FOUND", "recovery", "action"), "none", "note"),
}


@pytest.mark.parametrize(("path", "to", "level"), _JUDGED.values(), ids=_JUDGED)
def test_some_changes_depend_on_their_direction(path: tuple[Any, ...], to: Any, level: str) -> None:
    found = compare(_DATA, changed(*path, to=to))
    assert (found[0].path, str(found[0].level)) == (path, level)


@pytest.mark.parametrize(
    ("source", "path", "to"),
    [
        ("severity", ("errors", "NOT_FOUND", "severity"), "critical"),
        ("recovery_action", ("errors", "NOT_FOUND", "recovery", "action"), "none"),
        ("docs_url", ("docs_url",), "https://example.org/e"),
        ("x-owner", ("errors", "NOT_FOUND", "x-owner"), "other"),
        ("outcome", ("errors", "NOT_FOUND", "outcome"), "partial"),
        ("safe_to_retry", ("retry_policies", "backoff", "safe_to_retry"), "always"),
    ],
)
def test_what_the_body_carries_breaks_who_validates_it(
    source: str, path: tuple[Any, ...], to: Any
) -> None:
    old = changed("response", "fields", "sent", to={"from": source})
    old["errors"]["NOT_FOUND"] |= {"x-owner": "me", "outcome": "unknown"}
    new = copy.deepcopy(old)
    inner = new
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = to
    assert seen(old, new) == [f"body {'.'.join(path)}"]


def test_the_type_of_a_problem_is_made_of_the_address() -> None:
    old = changed("layers", "tool", "wire", to="http-problem")
    del old["layers"]["tool"]["text"]
    new = {**old, "docs_url": "https://example.org"}
    assert seen(old, new) == ["body docs_url"]


def renamed(old: str, new: str, **facts: Any) -> Any:
    """Return the full catalog with an error under another name."""
    data = copy.deepcopy(_DATA)
    body = data["errors"].pop(old)
    data["errors"][new] = {**body, **facts}
    text = (
        json.dumps(data).replace(f'"{old}"', f'"{new}"')
        if not facts.get("aliases")
        else json.dumps(data)
    )
    return json.loads(text)


def test_a_rename_is_one_change() -> None:
    kept = compare(_DATA, renamed("BACKEND", "UPSTREAM", aliases=["BACKEND"]))
    assert [(item.level, item.path, item.old, item.new) for item in kept] == [
        (Level.COMPATIBLE, ("errors", "UPSTREAM"), "BACKEND", "UPSTREAM")
    ]
    lost = compare(_DATA, renamed("BACKEND", "UPSTREAM"))
    assert [(item.level, item.path) for item in lost] == [(Level.SOURCE, ("errors", "UPSTREAM"))]


def test_a_rename_breaks_a_body_that_carries_names() -> None:
    named = {"response": {"type": "Body", "fields": {"name": {"from": "name"}}}}
    old, new = _DATA | named, renamed("BACKEND", "UPSTREAM", aliases=["BACKEND"]) | named
    assert seen(old, new) == ["body errors.UPSTREAM"]


def test_a_name_that_is_the_code_changes_the_wire() -> None:
    old = changed("errors", "TEXTUAL", "code")
    new = copy.deepcopy(old)
    new["errors"]["TXT"] = {**new["errors"].pop("TEXTUAL"), "aliases": ["TEXTUAL"]}
    assert seen(old, new) == ["wire errors.TXT.code", "compatible errors.TXT"]


def test_an_error_may_come_and_must_not_go() -> None:
    without = changed("errors", "TIMEOUT")
    assert seen(without, _DATA) == ["compatible errors.TIMEOUT"]
    assert seen(_DATA, without) == ["wire errors.TIMEOUT"]
    without["reserved"] += [{"code": 5001, "name": "TIMEOUT", "reason": "Gone"}]
    found = compare(_DATA, without)
    assert [str(item.level) for item in found] == ["source", "compatible"]
    assert found[0].note == "reserved; clients may still meet it in old data"
    without["reserved"][-1]["name"] = "OTHER"
    assert seen(_DATA, without)[0] == "wire errors.TIMEOUT"


def test_a_category_that_changes_may_bring_another_policy() -> None:
    moved = changed("errors", "GONE", "category", to="system")
    assert seen(_DATA, moved) == [
        "wire errors.GONE.category",
        "wire errors.GONE.retry",
    ]
    stays = copy.deepcopy(moved)
    stays["errors"]["GONE"]["retry"] = "never"
    assert seen(_DATA, stays) == ["wire errors.GONE.category"]


def test_ranges_break_nobody() -> None:
    ranges = [*_DATA["ranges"][:-1], {"prefix": "TT", "category": "texts"}]
    assert seen(_DATA, {**_DATA, "ranges": ranges}) == ["compatible ranges.3", "note ranges"]
    narrower = changed("ranges", 1, "last", to=2899)
    assert seen(_DATA, narrower) == ["note ranges.1.last"]


def test_a_number_that_changes_is_the_same_error() -> None:
    assert seen(_DATA, changed("errors", "TIMEOUT", "code", to=5002)) == [
        "wire errors.TIMEOUT.code"
    ]
    # Errors that exchange their numbers are two changes, each of the code.
    swapped = copy.deepcopy(_DATA)
    swapped["errors"]["GONE"]["code"], swapped["errors"]["SECRET"]["code"] = 2005, 2003
    assert seen(_DATA, swapped) == ["wire errors.GONE.code", "note errors.SECRET.code"]
    swapped = copy.deepcopy(_DATA)
    swapped["errors"]["GONE"]["code"], swapped["errors"]["NOT_FOUND"]["code"] = 2002, 2003
    assert seen(_DATA, swapped) == ["wire errors.GONE.code", "wire errors.NOT_FOUND.code"]


def test_what_a_program_must_say_from_now_on_breaks_who_compiles_it() -> None:
    param = changed("errors", "GONE", "params", to={"who": {"type": "string"}})
    assert seen(_DATA, param) == ["source errors.GONE.params.who"]
    private = changed("errors", "NOT_FOUND", "private_params", "sql")
    assert seen(_DATA, private) == ["source errors.NOT_FOUND.private_params.sql"]
    assert seen(private, _DATA) == ["note errors.NOT_FOUND.private_params.sql"]
    demanded = {"type": "string"}
    for field, level in (
        (demanded, "source"),
        ({"fields": {"inner": demanded}}, "source"),
        ({**demanded, "optional": True}, "compatible"),
        ({**demanded, "nullable": True}, "compatible"),
        ({"from": "severity"}, "compatible"),
        ({"optional": True, "fields": {"inner": demanded}}, "compatible"),
    ):
        newer = changed("response", "fields", "trace", to=field)
        assert seen(_DATA, newer) == [f"{level} response.fields.trace"]


def test_the_first_class_of_operation_changes_how_retries_are_asked_for() -> None:
    without = {key: value for key, value in _DATA.items() if key != "operations"}
    assert seen(without, _DATA)[0] == "source operations"
    assert seen(_DATA, without)[0] == "source operations"


def test_a_deprecation_is_news() -> None:
    without = changed("errors", "NOT_FOUND", "deprecated")
    assert seen(without, _DATA)[0] == "compatible errors.NOT_FOUND.deprecated.since"


def test_reservations_may_grow_and_must_not_go() -> None:
    wider = changed("reserved", 1, to={"first": 2800, "last": 2999, "reason": "Vendor"})
    assert seen(_DATA, wider) == ["note reserved.1.first"]
    assert seen(wider, _DATA) == ["wire reserved", "compatible reserved.1"]
    gone = changed("reserved", 0)
    assert seen(_DATA, gone) == ["wire reserved"]
    nameless = changed("reserved", 0, to={"code": 2004, "reason": "Merged"})
    swallowed = changed("reserved", 0, to={"first": 2004, "last": 2010, "reason": "Merged"})
    assert seen(nameless, swallowed) == ["compatible reserved.0", "note reserved"]
    other_prefix = changed("reserved", 2, "prefix", to="TY")
    assert seen(_DATA, other_prefix) == ["wire reserved", "compatible reserved.2"]


def test_what_a_policy_changes_is_told_of_the_policy_alone() -> None:
    found = seen(_DATA, changed("retry_policies", "backoff", "safe_to_retry", to="never"))
    assert found == ["wire retry_policies.backoff.safe_to_retry"]


def test_what_nobody_outside_has_seen_breaks_nobody() -> None:
    assert seen(_DATA, changed("errors", "SECRET", "code", to=2006)) == ["note errors.SECRET.code"]
    told = changed("errors", "SECRET", "conceal_as", to="NOT_FOUND")
    assert seen(_DATA, told) == ["wire errors.SECRET.conceal_as"]


def test_what_is_left_unsaid_means_its_default() -> None:
    said = copy.deepcopy(_DATA)
    said["errors"]["GONE"] |= {
        "retry": "never",
        "severity": "error",
        "visibility": "public",
        "safe_to_retry": "never",
        "aliases": [],
        "params": {},
    }
    said["retry_policies"]["never"] = {"retryable": False}
    said["retry_policies"]["backoff"]["initial_delay"] = 0.1
    said["response"]["fields"]["code"]["optional"] = False
    said["operations"]["unknown"]["idempotent"] = False
    assert compare(_DATA, said) == compare(said, _DATA) == ()


@pytest.mark.parametrize("name", CATALOGS)
def test_nothing_has_changed_between_a_catalog_and_itself(name: str) -> None:
    data = load(CATALOGS[name], name).data
    assert compare(data, data) == ()
    assert compare(data, json.loads(json.dumps(data))) == ()


def test_the_order_of_keys_says_nothing() -> None:
    turned = json.loads(json.dumps(_DATA, sort_keys=True))
    assert compare(_DATA, turned) == ()
    several = changed("errors", "GONE", "message", to="Other")
    several["errors"]["TIMEOUT"]["code"] = 5002
    several["errors"]["NEW"] = several["errors"]["GONE"] | {"code": 2777}
    turned = json.loads(json.dumps(several, sort_keys=True))
    assert compare(_DATA, several) == compare(_DATA, turned)
    assert [item.level.rank for item in compare(_DATA, several)] == [0, 3, 4]


def test_a_change_says_what_it_is() -> None:
    kinds = {
        "added": (None, 1),
        "removed": (1, None),
        "changed": (1, 2),
    }
    for kind, (old, new) in kinds.items():
        assert Delta(Level.NOTE, ("a",), old, new).kind == kind


def test_the_full_catalog_is_one() -> None:
    assert check(parse(FULL.encode(), "c.yaml")) == ()
