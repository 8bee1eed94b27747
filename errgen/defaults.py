"""What a catalog means where it says nothing: schema-valid raw data flows in, resolved facts flow out."""

from collections.abc import Mapping
from typing import Any, Final

DEFAULT_LAYER: Final = "error"
NEVER: Final = "never"
# What `errgen new` says in place of a message.
TO_WRITE: Final = "To be written"

_UNITS_MS: Final = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}


def layers_of(data: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the layers; without `layers` there is one, whose type of code is that of most errors."""
    if layers := data.get("layers"):
        return dict(layers)
    # A majority decides, so that one forgotten quote is one finding and not one for each other code.
    entries = [entry for entry in data["errors"].values() if isinstance(entry, dict)]
    integers = sum(isinstance(entry.get("code"), int) for entry in entries)
    kind = "integer" if integers * 2 >= len(entries) else "string"
    return {DEFAULT_LAYER: {"enum": "ErrorCode", "code": kind}}


def layer_of_category(data: Mapping[str, Any], category: Mapping[str, Any]) -> str | None:
    """Return the name of the layer that the category belongs to, or None where several could be meant."""
    layers = data.get("layers") or {DEFAULT_LAYER: {}}
    return category.get("layer") or (next(iter(layers)) if len(layers) == 1 else None)


def policies_of(data: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the retry policies, with `never` first where the catalog does not define it."""
    policies = data.get("retry_policies") or {}
    return dict(policies) if NEVER in policies else {NEVER: {"retryable": False}, **policies}


def code_of(name: str, entry: Mapping[str, Any]) -> int | str:
    """Return the code on the wire; an error of a string layer without one uses its name."""
    code: int | str = entry.get("code", name)
    return code


def policy_safety(policy: Mapping[str, Any]) -> str:
    """Return which operations may be repeated under the policy (S3: only what is idempotent, unless it is said)."""
    return str(policy.get("safe_to_retry", "idempotent" if policy["retryable"] else "never"))


def duration_ms(value: str | float) -> int:
    """Turn a valid duration (`100ms`, `30s`, `5m`, `1h`, or a number of seconds) into whole milliseconds."""
    if isinstance(value, str):
        unit = "ms" if value.endswith("ms") else value[-1]
        return int(value.removesuffix(unit)) * _UNITS_MS[unit]
    return round(value * 1000)


def extensions_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys that begin with x-, which are carried to templates and metadata."""
    return {key: value for key, value in body.items() if key.startswith("x-")}


def text_of(body: Mapping[str, Any]) -> str:
    """Return the description, or "" where there is none."""
    return str(body.get("description", "")).strip()
