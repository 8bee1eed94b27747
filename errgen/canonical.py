"""A catalog as it is meant: schema-valid raw data flows in, the same with every default written out flows out.

Two catalogs that mean the same are equal in this form, whatever their authors left unsaid.
"""

from collections.abc import Mapping
from typing import Any, Final

from errgen.defaults import (
    code_of,
    duration_ms,
    layer_of_category,
    layers_of,
    policies_of,
    policy_safety,
)

DURATIONS: Final = ("initial_delay", "max_delay", "retry_after")


def canonical(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the catalog with defaults, and durations in milliseconds."""
    policies = {name: _policy(body) for name, body in policies_of(data).items()}
    categories = {
        name: {"layer": layer_of_category(data, body), **body}
        for name, body in data["categories"].items()
    }
    errors = {
        name: _error(name, body, categories, policies) for name, body in data["errors"].items()
    }
    whole = {
        **data,
        "layers": {name: {"wire": "body", **body} for name, body in layers_of(data).items()},
        "categories": categories,
        "retry_policies": policies,
        "operations": {
            name: {"idempotent": body["effect"] == "read", "default": False, **body}
            for name, body in data.get("operations", {}).items()
        },
        "errors": errors,
    }
    if "response" in data:
        whole["response"] = _response(data["response"])
    return whole


def _policy(body: Mapping[str, Any]) -> dict[str, Any]:
    delays = {key: duration_ms(body[key]) for key in DURATIONS if key in body}
    return {"safe_to_retry": policy_safety(body), "jitter": "none", **body, **delays}


def _error(
    name: str,
    body: Mapping[str, Any],
    categories: Mapping[str, Any],
    policies: Mapping[str, Any],
) -> dict[str, Any]:
    retry = body.get("retry", categories[body["category"]].get("retry"))
    return {
        "code": code_of(name, body),
        "severity": "error",
        "visibility": "public",
        "safe_to_retry": policies[retry]["safe_to_retry"],
        "retry": retry,
        **body,
    }


def _response(body: Mapping[str, Any]) -> dict[str, Any]:
    whole = {**body, "fields": _fields(body["fields"])}
    if "success" in body:
        whole["success"] = {**body["success"], "fields": _fields(body["success"]["fields"])}
    return whole


def _fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: {"optional": False, "nullable": False, **field}
        | ({"fields": _fields(field["fields"])} if "fields" in field else {})
        for name, field in fields.items()
    }
