"""The JSON Schema of the catalog format: what editors read."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from support import CATALOGS

from errgen.resources import catalog_schema
from errgen.source import load

_SCHEMA: dict[str, Any] = json.loads(catalog_schema())


def properties(node: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every property that a catalog can have, with its path in the schema."""
    if isinstance(node, dict):
        for name, schema in node.get("properties", {}).items():
            yield f"{path}/{name}", schema
        for key, value in node.items():
            yield from properties(value, f"{path}/{key}")


def objects(node: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every schema of a mapping with fixed keys."""
    if isinstance(node, dict):
        if "properties" in node:
            yield path, node
        for key, value in node.items():
            yield from objects(value, f"{path}/{key}")


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(_SCHEMA)


@pytest.mark.parametrize(("path", "schema"), list(properties(_SCHEMA)))
def test_every_key_is_described(path: str, schema: dict[str, Any]) -> None:
    assert schema["description"].endswith("."), path


@pytest.mark.parametrize(("path", "schema"), list(objects(_SCHEMA)))
def test_every_mapping_is_closed_but_for_extensions(path: str, schema: dict[str, Any]) -> None:
    assert schema["additionalProperties"] is False, path
    assert "^x-" in schema["patternProperties"], path


@pytest.mark.parametrize("name", CATALOGS)
def test_a_plain_validator_accepts_real_catalogs_as_editors_do(name: str) -> None:
    data = load(CATALOGS[name], name).data
    assert list(Draft202012Validator(_SCHEMA).iter_errors(data)) == []
