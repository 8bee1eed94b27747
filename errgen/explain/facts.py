"""What is known of an error, as data that keeps its keys: matches flow in, mappings that JSON can hold flow out."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from errgen import codes
from errgen.explain.lookup import Match
from errgen.guidance import OUTCOME, RECOVERY, Attempts, attempts, capped, schedule
from errgen.message import fill
from errgen.model import Catalog, ErrorRef, ErrorSpec, Reservation

Facts: TypeAlias = dict[str, Any]


def facts_of(match: Match) -> Facts:
    """Return what a catalog says of an error or a reservation."""
    item = match.item
    body = _reserved(item) if isinstance(item, Reservation) else _error(match.catalog, item)
    return {"kind": body.pop("kind"), "catalog": catalog_facts(match), **body}


def catalog_facts(match: Match) -> Facts:
    """Return which catalog it is."""
    return {"name": match.catalog.name, "version": match.catalog.version, "path": match.path}


def brief(match: Match) -> Facts:
    """Return what a line of a list needs."""
    item, is_error = match.item, isinstance(match.item, ErrorSpec)
    return {
        "code": item.code,
        "name": item.name,
        "category": item.category.name if isinstance(item, ErrorSpec) else "reserved",
        "message": fill(item.message, {}) if isinstance(item, ErrorSpec) else item.reason,
        "kind": "error" if is_error else "reservation",
        "catalog": catalog_facts(match),
    }


def own_facts(rule: codes.ErrorSpec) -> Facts:
    """Return what is known of a finding of errgen itself."""
    return {
        "kind": "finding",
        "code": str(rule.code),
        "name": rule.name,
        "severity": rule.severity,
        "message": rule.message,
        "description": rule.description,
        "recovery": {"hint": rule.recovery_hint},
        "bad": _example(rule, "x-bad"),
        "good": _example(rule, "x-good"),
    }


def _example(rule: codes.ErrorSpec, key: str) -> str | None:
    return str(rule.extensions[key]).rstrip() if key in rule.extensions else None


def _reserved(item: Reservation) -> Facts:
    return {
        "kind": "reservation",
        "code": item.code,
        "name": item.name,
        "first": item.first,
        "last": item.last,
        "prefix": item.prefix,
        "since": item.since,
        "reason": item.reason,
        "replaced_by": _ref(item.replaced_by),
    }


def _error(catalog: Catalog, error: ErrorSpec) -> Facts:
    deprecated = error.deprecated
    return {
        "kind": "error",
        "code": error.code,
        "name": error.name,
        "message": fill(error.message, {}),
        "retry": retry_facts(catalog, error),
        "outcome": {"applied": error.outcome, "text": OUTCOME.get(error.outcome or "")},
        "recovery": {
            "action": error.recovery_action,
            "text": RECOVERY.get(error.recovery_action or ""),
            "hint": error.recovery_hint or None,
        },
        "http_status": error.http_status,
        "grpc_status": error.grpc_status,
        "jsonrpc_code": error.jsonrpc_code,
        "severity": error.severity,
        "category": {"name": error.category.name, "title": error.category.title},
        "layer": {"name": error.layer.name, "wire": error.layer.wire},
        "description": error.description or None,
        "deprecated": deprecated
        and {
            "since": deprecated.since,
            "reason": deprecated.reason,
            "replaced_by": _ref(deprecated.replaced_by),
        },
        "visibility": error.visibility,
        "conceal_as": _ref(error.conceal_as),
        "params": [
            {"name": param.name, "type": param.type, "description": param.description or None}
            for param in error.params
        ],
        "examples": [
            {
                "params": dict(example.params),
                "message": example.message,
                "description": example.description or None,
            }
            for example in error.examples
        ],
        "aliases": list(error.aliases),
        "tags": list(error.tags),
        "since": error.since,
        "range_waiver": error.range_waiver or None,
        "see_also": [
            link.url or (link.error.name if link.error else "") for link in error.see_also
        ],
        "docs_url": error.docs_url,
    }


def _ref(target: ErrorRef | None) -> Facts | None:
    return None if target is None else {"code": target.code, "name": target.name}


def retry_facts(catalog: Catalog, error: ErrorSpec) -> Facts:
    """Return the rule of an error, and what generated code makes of it for each class of operation."""
    policy, rule = error.policy, (error.policy, error.safe_to_retry, error.outcome)
    found = attempts(catalog.operations, *rule)
    return {
        "retryable": "varies" if policy.retryable is None else policy.retryable,
        "policy": policy.name,
        "text": schedule(capped(catalog.operations, *rule)),
        "safe_to_retry": error.safe_to_retry,
        "max_attempts": policy.max_attempts,
        "jitter": policy.jitter,
        "retry_after_ms": policy.retry_after_ms,
        "operations": operation_facts(found),
    }


def operation_facts(found: Sequence[Attempts]) -> list[Mapping[str, Any]]:
    """Return what is done with each class of operation."""
    return [
        {
            "name": item.operation,
            "attempts": item.attempts,
            "delays_ms": list(item.delays_ms),
            "after_lookup": item.once_known,
        }
        for item in found
    ]
