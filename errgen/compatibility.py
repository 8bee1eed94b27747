"""What a change of each key of the catalog format means to those who have an older copy of what was made of it.

`TABLE` is the whole truth: a row a key, with what adding, removing and changing it means, as a level or as a function
of the change. The key is written as in the schema: `errors.*` is an entry of `errors`, `error.code` a key of an entry.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from errgen.fieldlevels import absence, demanded, kind_of_value, nullness
from errgen.levels import (
    BODY,
    COMPATIBLE,
    NOTE,
    SOURCE,
    WIRE,
    Change,
    Level,
    address,
    doubt,
    effect,
    extension,
    gone,
    hidden,
    in_body,
    longer,
    lost,
    policy,
    weaker,
)

Verdict: TypeAlias = Level | Callable[[Change], Level]
_Row: TypeAlias = tuple[Verdict, Verdict, Verdict]

_TEXT: Final[_Row] = (NOTE, NOTE, NOTE)
_ENTRY: Final[_Row] = (COMPATIBLE, SOURCE, SOURCE)
_FIXED: Final[_Row] = (COMPATIBLE, WIRE, WIRE)

TABLE: Final[Mapping[str, _Row]] = {
    "errgen": _TEXT,
    "name": _TEXT,
    "version": _TEXT,
    "title": _TEXT,
    "description": _TEXT,
    "docs_url": (COMPATIBLE, address, address),
    "limits.message": (NOTE, longer, longer),
    "limits.hint": (NOTE, longer, longer),
    "layers.*": _ENTRY,
    "layer.enum": (SOURCE, SOURCE, SOURCE),
    "layer.code": (WIRE, WIRE, WIRE),
    "layer.wire": (WIRE, WIRE, WIRE),
    "layer.text": (BODY, BODY, BODY),
    "layer.profile": _TEXT,
    "layer.title": _TEXT,
    "layer.description": _TEXT,
    "categories.*": _ENTRY,
    "category.title": _TEXT,
    "category.description": _TEXT,
    "category.layer": (WIRE, WIRE, WIRE),
    "category.retry": _TEXT,
    "ranges.*": (COMPATIBLE, NOTE, NOTE),
    "range.first": _TEXT,
    "range.last": _TEXT,
    "range.prefix": _TEXT,
    "range.category": _TEXT,
    "range.description": _TEXT,
    "retry_policies.*": _ENTRY,
    "retry_policy.retryable": (WIRE, WIRE, WIRE),
    "retry_policy.strategy": _TEXT,
    "retry_policy.initial_delay": _TEXT,
    "retry_policy.multiplier": _TEXT,
    "retry_policy.max_delay": _TEXT,
    "retry_policy.max_attempts": _TEXT,
    "retry_policy.jitter": _TEXT,
    "retry_policy.retry_after": _TEXT,
    "retry_policy.safe_to_retry": (weaker, weaker, weaker),
    "retry_policy.description": _TEXT,
    "operations.*": _ENTRY,
    "operation.effect": (effect, effect, effect),
    "operation.idempotent": (lost, lost, lost),
    "operation.max_attempts": _TEXT,
    "operation.default": (WIRE, WIRE, WIRE),
    "operation.description": _TEXT,
    "response": (COMPATIBLE, BODY, BODY),
    "response.type": (SOURCE, SOURCE, SOURCE),
    "response.description": _TEXT,
    "response.wrap": (BODY, BODY, BODY),
    "response.success": (COMPATIBLE, BODY, BODY),
    "fields.*": (demanded, BODY, BODY),
    "field.from": (BODY, BODY, BODY),
    "field.value": (BODY, BODY, BODY),
    "field.type": (kind_of_value, kind_of_value, kind_of_value),
    "field.optional": (absence, absence, absence),
    "field.nullable": (nullness, nullness, nullness),
    "field.description": _TEXT,
    "translations.*": _ENTRY,
    "translation.kind": (SOURCE, SOURCE, SOURCE),
    "translation.map.*": _TEXT,
    "translation.default": _TEXT,
    "translation.fill.*": (SOURCE, SOURCE, SOURCE),
    "translation.description": _TEXT,
    "reserved.*": _FIXED,
    "reservation.code": (WIRE, WIRE, WIRE),
    "reservation.name": _TEXT,
    "reservation.first": _TEXT,
    "reservation.last": _TEXT,
    "reservation.prefix": (WIRE, WIRE, WIRE),
    "reservation.since": _TEXT,
    "reservation.replaced_by": _TEXT,
    "reservation.reason": _TEXT,
    "errors.*": (COMPATIBLE, gone, WIRE),
    "error.code": (WIRE, WIRE, WIRE),
    "error.category": (WIRE, WIRE, WIRE),
    "error.aliases.*": (COMPATIBLE, SOURCE, SOURCE),
    "error.message": _TEXT,
    "error.log_message": _TEXT,
    "error.params.*": (SOURCE, BODY, BODY),
    "error.private_params.*": (NOTE, SOURCE, SOURCE),
    "param.type": (SOURCE, SOURCE, SOURCE),
    "param.description": _TEXT,
    "error.description": _TEXT,
    "error.retry": (policy, policy, policy),
    "error.safe_to_retry": (weaker, weaker, weaker),
    "error.outcome": (doubt, doubt, doubt),
    "error.recovery.action": (COMPATIBLE, in_body("recovery_action"), in_body("recovery_action")),
    "error.recovery.hint": _TEXT,
    "error.http_status": _FIXED,
    "error.grpc_status": _FIXED,
    "error.jsonrpc_code": _FIXED,
    "error.severity": (NOTE, in_body("severity"), in_body("severity")),
    "error.visibility": (hidden, hidden, hidden),
    "error.conceal_as": (NOTE, NOTE, WIRE),
    "error.range_waiver": _TEXT,
    "error.since": _TEXT,
    "error.deprecated.since": (COMPATIBLE, NOTE, NOTE),
    "error.deprecated.reason": _TEXT,
    "error.deprecated.replaced_by": _TEXT,
    "error.examples.*": _TEXT,
    "error.see_also.*": _TEXT,
    "error.tags.*": _TEXT,
    "x-*": (extension, extension, extension),
}


def level_of(key: str, change: Change) -> Level:
    """Return the level of a change of a key of the format."""
    added, removed, changed = TABLE[key]
    verdict = added if change.old is None else removed if change.new is None else changed
    return verdict if isinstance(verdict, Level) else verdict(change)
