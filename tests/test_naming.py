"""Names: how each target spells them, and which ones the generated modules need for themselves."""

import ast
import re
from collections.abc import Callable, Iterator

import pytest
from support import CATALOGS, catalog_of, rendered

from errgen.naming import TAKEN_PYTHON, TAKEN_TYPESCRIPT, camel, member, pascal, snake, title

_PASCAL = re.compile(r"[A-Z][A-Za-z0-9]*")
_DECLARED = re.compile(
    r"^(?:export )?(?:const|let|function|type|interface|class) (\w+)", re.MULTILINE
)


@pytest.mark.parametrize(
    ("spell", "name", "expected"),
    [
        (member, "connector_get", "CONNECTOR_GET"),
        (member, "NetworkError", "NETWORK_ERROR"),
        (member, "class_0A", "CLASS_0A"),
        (member, "HTTPStatus", "HTTP_STATUS"),
        (member, "a.b-c", "A_B_C"),
        (snake, "NOT_FOUND", "not_found"),
        (snake, "HTTP_404", "http_404"),
        (camel, "NOT_FOUND", "notFound"),
        (camel, "upstream_http", "upstreamHttp"),
        (camel, "OK", "ok"),
        (pascal, "originalError", "OriginalError"),
        (pascal, "error_code", "ErrorCode"),
        (pascal, "details", "Details"),
        (title, "connector_get", "Connector get"),
        (title, "validation", "Validation"),
    ],
)
def test_spelling(spell: Callable[[str], str], name: str, expected: str) -> None:
    assert spell(name) == expected


def own_types(name: str) -> set[str]:
    """Return the type names that come from the catalog itself."""
    catalog = catalog_of(CATALOGS[name])
    response = catalog.response
    bodies = response.types + response.success_types if response else ()
    return {layer.enum for layer in catalog.layers} | {body.name for body in bodies}


def runtime_types(name: str) -> set[str]:
    """Return the names of exceptions, and of what a program says in a body."""
    catalog = catalog_of(CATALOGS[name])
    response = catalog.response
    given = response.given + response.context + response.success_given if response else ()
    return {layer.error_type for layer in catalog.layers} | {body.name for body in given}


def python_names(text: str) -> Iterator[str]:
    """Yield every name at the top of a Python module."""
    for node in ast.parse(text).body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                yield name
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield name
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from (alias.asname or alias.name for alias in names)
            case _:
                pass


@pytest.mark.parametrize("name", CATALOGS)
def test_no_enum_can_be_called_as_the_python_module_calls_something(name: str) -> None:
    (text,) = rendered(CATALOGS[name], "python").values()
    names = {found for found in python_names(text) if _PASCAL.fullmatch(found)}
    assert names > own_types(name) | runtime_types(name)
    assert names - own_types(name) - runtime_types(name) <= TAKEN_PYTHON


@pytest.mark.parametrize("name", CATALOGS)
def test_no_enum_can_be_called_as_the_typescript_module_calls_something(name: str) -> None:
    (text,) = rendered(CATALOGS[name], "typescript").values()
    names = {found for found in _DECLARED.findall(text) if _PASCAL.fullmatch(found)}
    assert names > own_types(name) | runtime_types(name)
    assert names - own_types(name) - runtime_types(name) <= TAKEN_TYPESCRIPT


@pytest.mark.parametrize("name", CATALOGS)
def test_no_test_of_an_enum_can_be_called_as_another_function(name: str) -> None:
    (text,) = rendered(CATALOGS[name], "typescript").values()
    tests = set(re.findall(r"^(?:export )?(?:function|const|let) is([A-Z]\w*)", text, re.MULTILINE))
    assert tests >= {layer.enum for layer in catalog_of(CATALOGS[name]).layers}
    assert tests - own_types(name) <= TAKEN_TYPESCRIPT


@pytest.mark.parametrize("name", ["ValueError", "True", "TypedDict", "Category"])
def test_what_python_itself_calls_something_is_taken(name: str) -> None:
    assert name in TAKEN_PYTHON


@pytest.mark.parametrize("name", ["Error", "Object", "Record", "Promise", "Category"])
def test_what_typescript_itself_calls_something_is_taken(name: str) -> None:
    assert name in TAKEN_TYPESCRIPT
