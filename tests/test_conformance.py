"""The conformance file: generated Python sends and reads every form in it, the JSON Schema accepts no others."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest
from support import CATALOGS, catalog_of, json_of, module_of, python_of, validator_of, write_catalog

from errgen.wireforms import conformance

_NAMES: Final = [name for name in CATALOGS if name != "diagnostics"]
_OTHERS: Final[tuple[Any, ...]] = (7, "x", True, None, [])
Example = tuple[str, dict[str, Any], str, dict[str, Any]]


def examples() -> Iterator[Example]:
    """Yield catalog, error, form and message of each example."""
    for name in _NAMES:
        for case in json_of(name, "conformance")["errors"]:
            for form, message in case["forms"].items():
                yield name, case, form, message


_EXAMPLES: Final = list(examples())
_IDS: Final = [f"{name} {case['name']} as {form}" for name, case, form, _ in _EXAMPLES]
each_example = pytest.mark.parametrize("example", _EXAMPLES, ids=_IDS)


def definition_of(name: str, form: str) -> str:
    """Return the definition in the JSON Schema for a form."""
    response = catalog_of(CATALOGS[name]).response
    return response.type if response and form == "body" else form.removesuffix(" in _meta")


def refuses(name: str, form: str, message: Any) -> bool:
    return not validator_of(name, definition_of(name, form)).is_valid(message)


def error_of(name: str, case: dict[str, Any]) -> Any:
    """Make the error of a case by its code, as a program does that has nothing but the file."""
    module = python_of(name)
    spec = module.find(case["code"])
    kind = getattr(module, catalog_layer(name, case["layer"]))
    retryable = False if spec.retryable is None else None
    return kind(spec.code, case.get("params", {}), retryable=retryable)


def catalog_layer(name: str, layer: str) -> str:
    return next(item.error_type for item in catalog_of(CATALOGS[name]).layers if item.name == layer)


def sent(error: Any, form: str, case: dict[str, Any]) -> Any:
    """Return an error in a form."""
    fields = [case["fields"]] if "fields" in case else []
    named = {"fields": fields[0]} if fields else {}
    match form:
        case "body":
            return error.to_response(*fields)
        case "jsonrpc-error":
            return error.to_jsonrpc_error(1, **named)
        case "jsonrpc-result":
            return error.to_jsonrpc_result(1, **named)
        case "http-problem":
            return error.to_problem(*fields)
        case "mcp-tool-result":
            return error.to_tool_result(*fields)
        case _:
            return error.to_tool_result(*fields, body_in="_meta")


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield each plain value in JSON with its path."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from leaves(item, (*path, key))
    else:
        yield path, value


def changed(message: Any, path: tuple[Any, ...], value: Any) -> Any:
    copy = deepcopy(message)
    inner = copy
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return copy


def sources_of(name: str) -> dict[str, str]:
    """Return the field of the body that is filled from each source."""
    response = catalog_of(CATALOGS[name]).response
    return {source: path[-1] for source, path in response.paths.items()} if response else {}


def test_every_error_has_an_example_of_every_form_that_it_takes() -> None:
    for name in _NAMES:
        catalog = catalog_of(CATALOGS[name])
        cases = {case["name"]: case for case in json_of(name, "conformance")["errors"]}
        assert set(cases) == {error.name for error in catalog.errors}
        for error in catalog.errors:
            forms = set(cases[error.name]["forms"])
            assert error.layer.wire in forms, error.name
            assert ("http-problem" in forms) == (error.http_status is not None) or error.is_internal
            assert ("body" in forms) == (error.layer.wire != "jsonrpc-error")


@each_example
def test_python_sends_it(example: Example) -> None:
    name, case, form, message = example
    assert json.dumps(sent(error_of(name, case), form, case)) == json.dumps(message)


@each_example
def test_python_reads_it(example: Example) -> None:
    name, case, _, message = example
    error = python_of(name).from_wire(message)
    assert error.code == case.get("concealed_as", case["code"])
    assert error.message == case["message"]
    assert error.retryable is (error.spec.retryable is True)


@each_example
def test_the_schema_accepts_it(example: Example) -> None:
    name, _, form, message = example
    validator_of(name, definition_of(name, form)).validate(message)


@each_example
def test_the_schema_refuses_it_with_one_value_of_another_type(example: Example) -> None:
    name, case, form, message = example
    free = {"data"} if case["layer"] == "protocol" else set[str]()
    for path, value in leaves(message):
        if free & set(path) or path[-1] == "id":
            continue
        for other in _OTHERS:
            if type(other) is not type(value) and not (
                (other is None and nullable(name, path)) or isinstance(value, type(other))
            ):
                wrong = changed(message, path, other)
                assert refuses(name, form, wrong) or open_type(name, path, other), (path, other)


def nullable(name: str, path: tuple[Any, ...]) -> bool:
    """Tell whether the catalog allows null at the end of a path."""
    return any(field.nullable or field.type == "any" for field in fields_at(name, path))


def open_type(name: str, path: tuple[Any, ...], value: Any) -> bool:
    """Tell whether the catalog allows a value at the end of a path, as it does where null stands in the example."""
    kinds = {"string": str, "integer": int, "boolean": bool}
    return any(
        field.type == "any" or (field.nullable and type(value) is kinds.get(field.type))
        for field in fields_at(name, path)
    )


def fields_at(name: str, path: tuple[Any, ...]) -> Iterator[Any]:
    response = catalog_of(CATALOGS[name]).response
    todo = list(response.fields) if response else []
    while todo:
        field = todo.pop()
        todo += field.fields
        if field.name == path[-1]:
            yield field


@each_example
def test_the_schema_refuses_it_with_another_fact(example: Example) -> None:
    name, case, form, message = example
    sources, catalog = sources_of(name), catalog_of(CATALOGS[name])
    shown = python_of(name).find(case.get("concealed_as", case["code"]))
    flips = 0
    for path, value in leaves(message):
        if path[-1] == sources.get("retryable") and shown.retryable is not None:
            wrong: Any = not value
        elif path[-1] == sources.get("category"):
            wrong = next(item.name for item in catalog.categories if item.name != value)
        elif path[-1] == sources.get("code", "code"):
            wrong = str(value) if isinstance(value, int) else len(value)
        else:
            continue
        flips += 1
        assert refuses(name, form, changed(message, path, wrong)), (path, wrong)
    assert flips or form == "http-problem"


@each_example
def test_the_schema_refuses_it_with_a_field_that_nobody_sends(example: Example) -> None:
    name, case, _, _ = example
    if case["layer"] == "protocol" or "body" not in case["forms"]:
        return
    whole = case["forms"]["body"]
    assert refuses(name, "body", {**whole, "stranger": 1})


@pytest.mark.parametrize("name", _NAMES)
def test_a_reader_takes_codes_and_fields_that_it_does_not_know(name: str) -> None:
    response = catalog_of(CATALOGS[name]).response
    assert response
    reader, count = validator_of(name, f"{response.type}Open"), 0
    for case in json_of(name, "conformance")["errors"]:
        for code in (99999, "A_NEWER_ONE") if "body" in case["forms"] else ():
            path: tuple[Any, ...] = response.paths["code"]
            path = (response.wrap, *path) if response.wrap else path
            body = changed(case["forms"]["body"], path, code)
            inner = body[response.wrap] if response.wrap else body
            inner["stranger"] = {"new": [1]}
            reader.validate(body)
            assert refuses(name, "body", body)
            count += 1
    assert count


@pytest.mark.parametrize("name", _NAMES)
def test_a_reader_refuses_what_is_no_body(name: str) -> None:
    response = catalog_of(CATALOGS[name]).response
    assert response
    reader = validator_of(name, f"{response.type}Open")
    bodies: tuple[Any, ...] = ({}, [], "text", None, {"message": "no code"})
    assert not any(map(reader.is_valid, bodies))


_NESTED = """\
errgen: 1
name: nested
version: 1.0.0
retry_policies: { again: { retryable: true, retry_after: 1s, max_attempts: 2, safe_to_retry: always } }
categories: { a: { retry: again } }
operations: { get: { effect: read, max_attempts: 2, default: true } }
response:
  type: Body
  fields:
    code: { from: code }
    safe: { from: safe_to_retry }
    maybe: { optional: true, fields: { must: { type: integer }, fixed: { value: 1 } } }
    nil: { nullable: true, fields: { must: { type: integer } } }
    empty: { nullable: true, fields: { some: { type: integer, optional: true } } }
    filled: { optional: true, fields: { n: { type: integer } } }
    sure: { fields: { must: { type: string }, deep: { fields: { flag: { type: boolean } } } } }
errors:
  A: { category: a, message: "A {n}", params: { n: { type: integer } }, outcome: partial }
  B: { category: a, message: B, retry: always_no }
""".replace(", retry: always_no", ", safe_to_retry: idempotent")


def test_objects_are_there_as_generated_code_makes_them(tmp_path: Path) -> None:
    path = write_catalog(tmp_path, _NESTED)
    module, catalog = module_of(path), catalog_of(path)
    for error in catalog.errors:
        case = conformance(catalog, error)
        made = module.KnownError(module.find(case["code"]).code, case.get("params", {}))
        assert made.to_response(case["fields"]) == case["forms"]["body"]
    body = conformance(catalog, catalog.errors[0])["forms"]["body"]
    assert body == {
        "code": "A",
        "safe": True,
        "nil": None,
        "empty": None,
        "filled": {"n": 1},
        "sure": {"must": "…", "deep": {"flag": False}},
    }
