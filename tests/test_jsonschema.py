"""The JSON Schema target: the meta-schema accepts it, right bodies pass, and one wrong fact in a body fails."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from support import CATALOGS, catalog_of, rendered, write_catalog

from errgen.model import Catalog, ErrorSpec, Field

_WITH_BODY = [name for name, path in CATALOGS.items() if catalog_of(path).response]
_SAMPLES: dict[str, Any] = {
    "string": "text",
    "integer": 7,
    "number": 1.5,
    "boolean": True,
    "object": {},
    "array": [],
    "any": {"free": 1},
}
_SOURCES = {"category", "layer"}


def schema_of(path: Path) -> dict[str, Any]:
    """Return the JSON Schema that is made of a catalog."""
    (text,) = rendered(path, "jsonschema").values()
    schema: dict[str, Any] = json.loads(text)
    return schema


def body_schema(path: Path) -> Draft202012Validator:
    """Return a validator of the error body alone."""
    schema, response = schema_of(path), catalog_of(path).response
    assert response
    del schema["$id"]
    return Draft202012Validator({"$ref": f"#/$defs/{response.type}", "$defs": schema["$defs"]})


def sent(catalog: Catalog) -> list[ErrorSpec]:
    """Return the errors that travel in the response body."""
    return [
        error
        for error in catalog.errors
        if error.layer.wire != "jsonrpc-error" and not error.is_internal
    ]


def value_of(field: Field, error: ErrorSpec, *, retryable: bool) -> Any:
    """Return what a right body says in a field."""
    match field.kind, field.source:
        case "constant", _:
            return field.value
        case "object", _:
            return {
                inner.name: value_of(inner, error, retryable=retryable) for inner in field.fields
            }
        case "runtime", _:
            return _SAMPLES[field.type]
        case _, "retryable":
            return retryable if error.retryable is None else error.retryable
        case _, "safe_to_retry":
            return error.safe_to_retry != "never"
        case _, "category" | "layer" as source:
            return getattr(error, source).name
        case _, "retry_after_seconds":
            return error.policy.retry_after_seconds
        case _, source:
            assert source
            return (
                error.extensions.get(source) if source.startswith("x-") else getattr(error, source)
            )


def body_of(catalog: Catalog, error: ErrorSpec, *, retryable: bool = False) -> dict[str, Any]:
    """Return a right body of an error, without the optional fields for which the catalog has no value."""
    assert catalog.response
    body = {
        field.name: value_of(field, error, retryable=retryable) for field in catalog.response.fields
    }
    absent = {
        field.name for field in catalog.response.fields if field.optional and not field.nullable
    }
    body = {name: value for name, value in body.items() if value is not None or name not in absent}
    return {catalog.response.wrap: body} if catalog.response.wrap else body


def pinned(catalog: Catalog) -> Iterator[tuple[ErrorSpec, tuple[str, ...], Any]]:
    """Yield each error with the path and the only right value of each field that the catalog fixes."""
    assert catalog.response
    for error in sent(catalog):
        for branch in catalog.response.branches:
            if error.code in branch.values or error.name in branch.values:
                yield from (
                    (error, pin.path, pin.value) for pin in branch.pins if not pin.is_absent
                )


def changed(body: dict[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    """Return a copy of a body with another value at a path."""
    result = deepcopy(body)
    place = result
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    return result


@pytest.mark.parametrize("name", CATALOGS)
def test_the_meta_schema_accepts_the_schema(name: str) -> None:
    schema = schema_of(CATALOGS[name])
    assert schema["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("name", CATALOGS)
def test_codes_names_and_facts_are_those_of_the_catalog(name: str) -> None:
    catalog, schema = catalog_of(CATALOGS[name]), schema_of(CATALOGS[name])
    for layer, errors in catalog.errors_by_layer:
        found = schema["$defs"][layer.enum]
        assert found["enum"] == [error.code for error in errors]
        assert found["x-enum-varnames"] == [error.name for error in errors]
    assert schema["$defs"]["Category"]["enum"] == [category.name for category in catalog.categories]
    facts = {item["name"]: item for item in schema["x-errors"]}
    assert len(facts) == len(catalog.errors)
    for error in catalog.errors:
        found = facts[error.name]
        assert (
            found["code"],
            found["category"],
            found["layer"],
            found["retry"],
            found["severity"],
        ) == (
            error.code,
            error.category.name,
            error.layer.name,
            error.policy.name,
            error.severity,
        )
        assert found["retryable"] == ("varies" if error.retryable is None else error.retryable)
        assert found.get("tags", []) == list(error.tags)
        assert found.get("recovery_action") == error.recovery_action
        assert {key: found[key] for key in found if key.startswith("x-")} == error.extensions
        assert not {"log_message", "private_params"} & found.keys()


@pytest.mark.parametrize("name", _WITH_BODY)
def test_a_right_body_of_every_error_passes(name: str) -> None:
    catalog, validator = catalog_of(CATALOGS[name]), body_schema(CATALOGS[name])
    assert sent(catalog)
    for error in sent(catalog):
        for retryable in (True, False):
            problems = list(validator.iter_errors(body_of(catalog, error, retryable=retryable)))
            assert problems == [], error.name


# Two of these catalogs send a code and a text alone, in which nothing else can be wrong.
@pytest.mark.parametrize(
    "name", [name for name in _WITH_BODY if any(pinned(catalog_of(CATALOGS[name])))]
)
def test_a_body_that_contradicts_the_catalog_in_one_fact_fails(name: str) -> None:
    catalog, validator = catalog_of(CATALOGS[name]), body_schema(CATALOGS[name])
    facts = list(pinned(catalog))
    assert facts
    for error, path, value in facts:
        body = body_of(catalog, error)
        wrong = (
            [not value]
            if isinstance(value, bool)
            else [f"not {value}", 599 if value != 599 else 598]
        )
        for other in wrong:
            assert not validator.is_valid(changed(body, path, other)), (error.name, path, other)


@pytest.mark.parametrize("name", _WITH_BODY)
def test_a_body_with_an_unknown_missing_or_mistyped_field_fails(name: str) -> None:
    catalog, validator = catalog_of(CATALOGS[name]), body_schema(CATALOGS[name])
    assert catalog.response
    outer = (catalog.response.wrap,) if catalog.response.wrap else ()
    body = body_of(catalog, sent(catalog)[0])
    assert validator.is_valid(body)
    assert not validator.is_valid(changed(body, (*outer, "surplus"), 1))
    for field in catalog.response.fields:
        inner = body[outer[0]] if outer else body
        if not field.optional:
            less = {key: value for key, value in inner.items() if key != field.name}
            assert not validator.is_valid({outer[0]: less} if outer else less), field.name
        if field.type != "any":
            assert (
                not validator.is_valid(changed(body, (*outer, field.name), [[]]))
                or field.type == "array"
            )


@pytest.mark.parametrize("name", _WITH_BODY)
def test_every_code_lies_in_exactly_one_branch(name: str) -> None:
    catalog = catalog_of(CATALOGS[name])
    assert catalog.response
    values = [value for branch in catalog.response.branches for value in branch.values]
    assert sorted(map(str, values)) == sorted(str(error.code) for error in sent(catalog))
    facts = [repr(branch.pins) for branch in catalog.response.branches]
    assert len(facts) == len(set(facts))


@pytest.mark.parametrize("code", [9999, "2001", True, None, 2001.5])
def test_a_code_that_the_catalog_lacks_fails(code: object) -> None:
    path = CATALOGS["s0-mcp-server"]
    validator, catalog = body_schema(path), catalog_of(path)
    body = body_of(catalog, next(error for error in catalog.errors if error.code == 2001))
    assert validator.is_valid(body)
    assert not validator.is_valid(body | {"code": code})


def test_internal_and_protocol_errors_have_no_body() -> None:
    catalog, validator = catalog_of(CATALOGS["reference"]), body_schema(CATALOGS["reference"])
    hidden = [error for error in catalog.errors if error not in sent(catalog)]
    assert {error.is_internal for error in hidden} == {True, False}
    for error in hidden:
        assert not validator.is_valid(body_of(catalog, error)), error.name


def test_the_success_body_shares_the_envelope_but_no_branch() -> None:
    schema = schema_of(CATALOGS["s4-envelope"])
    del schema["$id"]
    validator = Draft202012Validator(schema)
    assert validator.is_valid({"success": True, "data": {"id": 1}})
    assert not validator.is_valid({"success": True, "data": None})
    assert not validator.is_valid({"success": False, "data": {"id": 1}})


def test_limits_bound_the_message(tmp_path: Path) -> None:
    text = "errgen: 1\nname: one\nversion: 1.0.0\nlimits: { message: 3 }\ncategories: { a: { retry: never } }\n"
    text += "response: { type: Body, fields: { code: { from: code }, text: { from: message } } }\n"
    text += "errors: { ONE: { category: a, message: One } }\n"
    validator = body_schema(write_catalog(tmp_path, text))
    assert validator.is_valid({"code": "ONE", "text": "One"})
    assert not validator.is_valid({"code": "ONE", "text": "Four"})
