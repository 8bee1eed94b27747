"""The Python target: what is generated is imported, type-checked, and compared with the catalog field by field."""

import importlib.util
import math
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from conftest import Checker
from support import CATALOGS, catalog_of, python_of, rendered, write_catalog

from errgen.model import Catalog, ErrorSpec

_SAME = (
    "name",
    "message",
    "safe_to_retry",
    "outcome",
    "recovery_action",
    "recovery_hint",
    "http_status",
    "grpc_status",
    "jsonrpc_code",
    "severity",
    "is_internal",
    "since",
    "aliases",
    "tags",
    "docs_url",
    "log_message",
    "description",
    "extensions",
    "retryable",
)


def module_of(path: Path, folder: Path) -> ModuleType:
    """Write the Python of a catalog into a folder and import it."""
    (text,) = rendered(path, "python").values()
    file = folder / "generated.py"
    file.write_text(text, "utf-8")
    found = importlib.util.spec_from_file_location(f"generated_{id(folder)}", file)
    assert found
    assert found.loader
    module = importlib.util.module_from_spec(found)
    sys.modules[module.__name__] = module
    try:
        found.loader.exec_module(module)
    finally:
        del sys.modules[module.__name__]
    return module


@pytest.fixture(scope="module", params=CATALOGS)
def made(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Catalog, Any]:
    """Return a real catalog and the module made of it."""
    path = CATALOGS[request.param]
    return catalog_of(path), module_of(path, tmp_path_factory.mktemp("python"))


def members(catalog: Catalog, module: Any) -> Iterator[tuple[ErrorSpec, Any]]:
    for error in catalog.errors:
        yield error, getattr(module, error.layer.enum)[error.name]


def test_enums_have_exactly_the_errors_of_their_layer(made: tuple[Catalog, Any]) -> None:
    catalog, module = made
    for layer, errors in catalog.errors_by_layer:
        enum = getattr(module, layer.enum)
        expected = {name: error.code for error in errors for name in (error.name, *error.aliases)}
        assert {name: member.value for name, member in enum.__members__.items()} == expected
        assert [member.name for member in enum] == [error.name for error in errors]
        assert {type(member.value) for member in enum} <= {
            {"integer": int, "string": str}[layer.code_type]
        }


def test_specs_say_what_the_catalog_says(made: tuple[Catalog, Any]) -> None:
    catalog, module = made
    assert len(module.SPECS) == len(catalog.errors)
    for error, member in members(catalog, module):
        found = module.spec(member)
        assert found.code is member
        for name in _SAME:
            assert getattr(found, name) == getattr(error, name), (error.name, name)
        assert found.layer == error.layer.name
        assert found.category == error.category.name
        assert found.retry == error.policy.name
        assert found.conceal_as == (error.conceal_as and error.conceal_as.code)
        assert found.see_also == tuple(
            link.url or (link.error and link.error.name) for link in error.see_also
        )


def values(record: Any) -> tuple[Any, ...]:
    """Return the values of a generated record."""
    return tuple(getattr(record, name) for name in type(record).__annotations__)


def test_params_and_deprecations_say_what_the_catalog_says(made: tuple[Catalog, Any]) -> None:
    catalog, module = made
    for error, member in members(catalog, module):
        found = module.spec(member)
        for name in ("params", "private_params"):
            expected = [
                (param.name, param.type, param.description, param.extensions)
                for param in getattr(error, name)
            ]
            assert [values(item) for item in getattr(found, name)] == expected
        examples = [(item.message, item.params, item.description) for item in error.examples]
        assert [values(item) for item in found.examples] == examples
        if error.deprecated is None:
            assert found.deprecated is None
        else:
            instead = error.deprecated.replaced_by
            expected_deprecation = (
                error.deprecated.since,
                error.deprecated.reason,
                instead and instead.name,
            )
            assert values(found.deprecated) == expected_deprecation


def test_policies_categories_and_operations_say_what_the_catalog_says(
    made: tuple[Catalog, Any],
) -> None:
    catalog, module = made
    for policy in catalog.policies:
        found = module.RETRY_POLICIES[policy.name]
        for name in type(found).__annotations__:
            assert getattr(found, name) == getattr(policy, name), (policy.name, name)
        assert getattr(module.RetryPolicyName, policy.member) == policy.name
    for category in catalog.categories:
        found = module.CATEGORIES[getattr(module.Category, category.member)]
        assert (found.title, found.layer, found.description, found.extensions) == (
            category.title,
            category.layer.name,
            category.description,
            category.extensions,
        )
        assert found.retry == (category.policy and category.policy.name)
    assert hasattr(module, "OPERATIONS") == bool(catalog.operations)
    for operation in catalog.operations:
        found = module.OPERATIONS[getattr(module.OperationName, operation.member)]
        for name in type(found).__annotations__:
            assert getattr(found, name) == getattr(operation, name), (operation.name, name)
        is_default = operation.name == module.DEFAULT_OPERATION
        assert operation.is_default is is_default


def test_reservations_say_what_the_catalog_says(made: tuple[Catalog, Any]) -> None:
    catalog, module = made
    names = ("reason", "code", "name", "first", "last", "prefix", "since", "extensions")
    assert [tuple(getattr(item, name) for name in names) for item in module.RESERVED] == [
        tuple(getattr(item, name) for name in names) for item in catalog.reserved
    ]


def test_an_error_is_found_by_raw_code_name_and_alias(made: tuple[Catalog, Any]) -> None:
    catalog, module = made
    for error, member in members(catalog, module):
        assert module.find(error.code) is module.spec(member)
        for name in (error.name, *error.aliases):
            assert module.find_by_name(name) is module.spec(member)


@pytest.mark.parametrize(
    "value", [True, 1.5, math.nan, math.inf, None, "no-such-code", -1, (), [], {}]
)
def test_what_is_no_code_is_not_found(value: object, tmp_path: Path) -> None:
    text = "errgen: 1\nname: one\nversion: 1.0.0\ncategories: { a: { retry: never } }\n"
    text += "ranges: [{ first: 1, last: 9, category: a }]\n"
    text += "errors: { ONE: { code: 1, category: a, message: One } }\n"
    module: Any = module_of(write_catalog(tmp_path, text), tmp_path)
    assert module.find(1) is module.find(1.0) is module.spec(1)
    assert module.find(value) is None


def test_bodies_have_the_fields_of_the_response(made: tuple[Catalog, Any]) -> None:
    catalog, module = made
    types = catalog.response.types + catalog.response.success_types if catalog.response else ()
    for body in types:
        found = getattr(module, body.name)
        assert found.__required_keys__ | found.__optional_keys__ == {
            field.name for field in body.fields
        }
        assert found.__optional_keys__ == {field.name for field in body.fields if field.optional}


def test_strict_type_checkers_accept_every_module(
    tmp_path: Path, mypy_strict: Checker, pyright: Checker
) -> None:
    files = []
    for name, path in CATALOGS.items():
        files.append(tmp_path / f"{name.replace('-', '_')}.py")
        (text,) = rendered(path, "python").values()
        files[-1].write_text(text, "utf-8")
    for check in (mypy_strict, pyright):
        result = check(*files)
        assert result.returncode == 0, result.stdout


def test_records_compare_by_value_and_cannot_be_changed() -> None:
    module = python_of("reference")
    made, again = (module.Deprecation(since="1.0.0", reason="Merged") for _ in range(2))
    assert made == again
    assert hash(made) == hash(again)
    assert made != module.Deprecation(since="1.0.0", reason="Merged", replaced_by="OTHER")
    assert made != ("1.0.0", "Merged", None)
    assert repr(made) == "Deprecation(since='1.0.0', reason='Merged', replaced_by=None)"
    with pytest.raises(AttributeError, match="Deprecation cannot be changed"):
        made.reason = "Split"
    with pytest.raises(AttributeError, match="Deprecation cannot be changed"):
        del made.reason
    assert pickle.loads(pickle.dumps(made)) == made  # noqa: S301 - made here
