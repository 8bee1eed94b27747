"""Laws of any catalog: a valid one has artifacts that agree with it; a broken one has findings at real places."""

import copy
import json
import os
import textwrap
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from support import CATALOGS

from errgen.changes import since
from errgen.config import CatalogConfig
from errgen.diagnostics import CatalogError
from errgen.filters.text import wrapped
from errgen.render import render
from errgen.resolve import catalog_from
from errgen.resources import templates_dir
from errgen.source import parse
from errgen.validate import check

_CONFIG: Final = CatalogConfig("errors.yaml", "out", {}, None, frozenset())
_TEXT: Final = (
    st.text(
        alphabet=st.characters(
            min_codepoint=32,
            max_codepoint=0x2FFF,
            categories=("L", "N", "P", "S", "Zs"),
            # Letters and a symbol that nobody sees: refused.
            exclude_characters="\u115f\u1160\u2800",
        ),
        min_size=1,
        max_size=40,
    )
    .map(str.strip)
    .filter(bool)
)
_NAME: Final = st.from_regex(r"[A-Z][A-Z]{2,8}(_[A-Z]{2,8}){0,2}", fullmatch=True).filter(
    lambda name: name not in ("MRO", "NAME", "VALUE")
)
_DURATION: Final = st.sampled_from(["100ms", "1s", 2, "5m"])
# LAWS=100 tries a hundred times as many catalogs.
_TIMES: Final = int(os.environ.get("LAWS", "1"))
_POLICIES: Final[dict[str, dict[str, Any]]] = {
    "never": {"retryable": False},
    "paced": {"retryable": True, "strategy": "fixed", "retry_after": "30s", "max_attempts": 3},
    "backoff": {
        "retryable": True,
        "strategy": "exponential",
        "initial_delay": "100ms",
        "max_attempts": 4,
    },
}


def braced(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


@st.composite
def errors(draw: st.DrawFn, code: int | str) -> dict[str, Any]:
    """Return an error with some of the facts that one can have."""
    entry: dict[str, Any] = {"category": "texts" if isinstance(code, str) else "numbers"}
    entry["code"] = code
    entry["message"] = braced(draw(_TEXT))
    if draw(st.booleans()):
        entry["params"] = {"field": {"type": "string", "description": draw(_TEXT)}}
        entry["message"] += " {field}"
        entry["examples"] = [{"params": {"field": draw(_TEXT)}}]
    optional: dict[str, st.SearchStrategy[Any]] = {
        "description": _TEXT,
        "outcome": st.sampled_from(["not-applied", "partial"]),
        "severity": st.sampled_from(["info", "warning", "error", "critical"]),
        "http_status": st.integers(400, 599),
        "since": st.just("1.0.0"),
        "tags": st.lists(st.sampled_from(["quota", "network"]), unique=True, min_size=1),
        "x-note": st.recursive(
            st.none() | st.booleans() | st.integers(-9, 9) | _TEXT,
            lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_TEXT, inner, max_size=2),
            max_leaves=4,
        ),
    }
    for key, values in optional.items():
        if draw(st.booleans()):
            entry[key] = draw(values)
    entry["recovery"] = {"action": draw(st.sampled_from(["fix-input", "inform-user", "escalate"]))}
    return entry


@st.composite
def catalogs(draw: st.DrawFn) -> dict[str, Any]:
    """Return a valid catalog with errors of both kinds of code."""
    names = draw(
        st.lists(_NAME, min_size=2, max_size=5, unique_by=lambda name: name.replace("_", ""))
    )
    policies = {key: dict(value) for key, value in _POLICIES.items()}
    policies["backoff"]["initial_delay"] = draw(_DURATION)
    return {
        "errgen": 1,
        "name": "any",
        "version": "1.0.0",
        "title": draw(_TEXT),
        "layers": {
            "one": {"enum": "OneCode", "code": "integer", "wire": "mcp-tool-result"},
            "two": {"enum": "TwoCode", "code": "string", "wire": "http-problem"},
        },
        "categories": {
            "numbers": {
                "title": draw(_TEXT),
                "layer": "one",
                "retry": draw(st.sampled_from([*policies])),
            },
            "texts": {
                "title": draw(_TEXT),
                "layer": "two",
                "retry": draw(st.sampled_from([*policies])),
            },
        },
        "ranges": [{"first": 1000, "last": 9999, "category": "numbers"}],
        "retry_policies": policies,
        "response": {
            "type": "Failure",
            "fields": {
                "code": {"from": "code"},
                "message": {"from": "message"},
                "retryable": {"from": "retryable"},
            },
        },
        "errors": {
            name: draw(errors(1000 + index if draw(st.booleans()) else f"E{index}"))
            for index, name in enumerate(names)
        }
        | {"NUMBERED": draw(errors(2000)), "TEXTUAL": draw(errors("E99")) | {"http_status": 400}},
    }


def bytes_of(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False, indent=1).encode()


@settings(max_examples=15 * _TIMES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(catalogs())
def test_a_valid_catalog_has_artifacts_that_agree_with_it_and_with_each_other(
    data: dict[str, Any],
) -> None:
    document = parse(bytes_of(data), "c.yaml")
    assert [item.message for item in check(document)] == []
    catalog = catalog_from(document.data)
    texts = {item.path: item.text for item in render(catalog, _CONFIG, [templates_dir()])}
    scope: dict[str, Any] = {"__name__": "any"}
    exec(compile(texts["out/python/errors.py"], "errors.py", "exec"), scope)  # noqa: S102
    schema = json.loads(texts["out/jsonschema/errors.schema.json"])
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator({"$ref": "#/$defs/Failure", "$defs": schema["$defs"]})
    examples = json.loads(texts["out/conformance/errors.json"])["errors"]
    assert {item["name"] for item in examples} == data["errors"].keys()
    for name, entry in data["errors"].items():
        spec = scope["find_by_name"](name)
        assert (spec.code, spec.description) == (entry["code"], entry.get("description", ""))
        assert spec.retryable is (data["categories"][entry["category"]]["retry"] != "never")
        params = entry.get("examples", [{"params": {}}])[0]["params"]
        kind = "OneError" if isinstance(entry["code"], int) else "TwoError"
        error = scope[kind](spec.code, params)
        assert error.message == " ".join(entry["message"].format(**params).split())
        validator.validate(error.to_response())
        assert scope["parse_response"](error.to_response()).spec is spec
        assert (
            f'{name}: {json.dumps(entry["code"], ensure_ascii=False)}'
            in texts["out/typescript/errors.ts"]
        )
        assert f'name="{name}"' in texts["out/markdown/errors.md"]
    assert since("c", document, document).deltas == ()


def places(node: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the path of every value in data."""
    items: Any = (
        node.items()
        if isinstance(node, dict)
        else enumerate(node) if isinstance(node, list) else ()
    )
    return [path, *(found for key, value in items for found in places(value, (*path, key)))]


_WRONG: Final = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**60), 2**60),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=9),
    st.just([]),
    st.just({}),
    st.just([{}]),
    st.just({"x": [None]}),
    st.sampled_from(["\0", "\u202e", "{", "}", "{field}", "never", "NOT_FOUND", "x" * 20_000]),
)


@pytest.mark.parametrize("name", ["s0-mcp-server", "reference"])
@settings(max_examples=60 * _TIMES, deadline=None)
@given(st.data())
def test_a_catalog_with_a_wrong_value_is_valid_or_has_findings_inside_the_file(
    name: str, data: st.DataObject
) -> None:
    known = copy.deepcopy(plain(name))
    *path, last = data.draw(st.sampled_from(places(known)[1:]))
    parent = known
    for step in path:
        parent = parent[step]
    value = data.draw(_WRONG)
    if data.draw(st.booleans()):
        parent[last] = value
    elif isinstance(parent, dict):
        parent[data.draw(st.text(max_size=9))] = parent.pop(last)
    else:
        parent.insert(0, value)
    assert_places(json.dumps(known, ensure_ascii=False, indent=1))


@pytest.mark.parametrize("name", ["s0-mcp-server", "s1-gateway"])
@settings(max_examples=60 * _TIMES, deadline=None)
@given(st.data())
def test_a_catalog_with_a_slip_of_the_hand_is_valid_or_has_findings_inside_the_file(
    name: str, data: st.DataObject
) -> None:
    text = CATALOGS[name].read_text("utf-8")
    start = data.draw(st.integers(0, len(text) - 1))
    end = start + data.draw(st.integers(0, 40))
    slip = data.draw(st.text(alphabet="\n\t -:{}[]&*!|>'\"%@`#,?ab1\0\r\u2028é", max_size=5))
    assert_places(text[:start] + slip + text[end:])


def plain(name: str) -> Any:
    """Return a real catalog as plain data."""
    return json.loads(json.dumps(parse(CATALOGS[name].read_bytes(), "c").data))


def assert_places(text: str) -> None:
    """Check a text that may be a catalog: it has a model, or findings that stand where the file has something."""
    try:
        document = parse(text.encode("utf-8", "surrogatepass"), "c.yaml")
        found = check(document)
    except CatalogError as error:
        found = error.diagnostics
    else:
        if all(item.level != "error" for item in found):
            assert catalog_from(document.data).errors
            return
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert found
    for item in found:
        assert item.message
        assert item.message.isprintable()
        assert 1 <= item.location.line <= len(lines)
        assert 1 <= item.location.column <= len(lines[item.location.line - 1]) + 1


@given(st.text("ab-. \n\t\u00a0\u2003é", max_size=60), st.integers(1, 20))
def test_paragraphs_are_filled_as_textwrap_fills_them(text: str, width: int) -> None:
    blocks = [f"x{block}" for block in text.split("\n\n")]
    # A line that begins with a mark of Markdown keeps its lines, which is not what is told here.
    blocks = [block.replace("\n", "\ny").replace("\t", " \t") for block in blocks]
    filled = [
        textwrap.fill(block, width, break_long_words=False, break_on_hyphens=False)
        for block in blocks
    ]
    assert wrapped("\n\n".join(blocks), width) == "\n\n".join(filled)
