"""What docs advise on retries: it is what generated code does."""

from dataclasses import replace
from typing import Any

import pytest
from support import CATALOGS, catalog_of, module_of, python_of, write_catalog

from errgen import guidance
from errgen.guidance import advice, capped, delays, repeats, rule, safety, schedule
from errgen.model import Catalog, ErrorSpec


def attempts(module: Any, error: ErrorSpec, operation: str, *, reconciled: bool) -> int:
    """Count the attempts that generated code makes of an operation that always fails."""
    spec = module.find(error.code)
    kind = type(module.CatalogError("", "", retryable=False)).__subclasses__()
    layer = next(item for item in kind if item.__name__ == error.layer.error_type)
    params = {item.name: {"integer": 1, "number": 1.0}.get(item.type, "x") for item in spec.params}
    made = layer(spec.code, params, retryable=True if spec.retryable is None else None)
    count = 1
    while module.should_retry(made, operation, count, reconciled=reconciled):
        count += 1
    return count


def compare(catalog: Catalog, module: Any) -> int:
    """Compare advice and code for every error and class of operation; return how many there were."""
    count = 0
    for error in catalog.errors:
        told = {
            item.operation.name: item
            for item in repeats(
                catalog.operations, error.policy, error.safe_to_retry, error.outcome
            )
        }
        for operation in catalog.operations:
            item = told.get(operation.name)
            blind = item.attempts if item and not item.once_known else 1
            assert attempts(module, error, operation.name, reconciled=False) == blind
            known = item.attempts if item else 1
            assert attempts(module, error, operation.name, reconciled=True) == known
            count += 1
    return count


@pytest.mark.parametrize(
    "name", [name for name in CATALOGS if catalog_of(CATALOGS[name]).operations]
)
def test_advice_is_what_generated_code_does(name: str) -> None:
    assert compare(catalog_of(CATALOGS[name]), python_of(name))


_SAFETIES = ("always", "idempotent", "reconciled", "never")
_OUTCOMES = (None, "unknown", "not-applied", "partial")


def test_advice_is_right_for_every_rule(tmp_path: Any) -> None:
    errors = "".join(
        f"  E_{number}: {{ category: c, message: m, safe_to_retry: {safe}"
        + (f", outcome: {outcome} }}\n" if outcome else " }\n")
        for number, (safe, outcome) in enumerate(
            (safe, outcome)
            for safe in _SAFETIES
            for outcome in _OUTCOMES
            if (safe, outcome) != ("always", "unknown")
        )
    )
    path = write_catalog(tmp_path, _RULES + errors)
    assert compare(catalog_of(path), module_of(path)) == 60


_RULES = """\
errgen: 1
name: rules
version: 1.0.0
retry_policies:
  again: { retryable: true, strategy: fixed, initial_delay: 1s, max_attempts: 4 }
operations:
  read: { effect: read, max_attempts: 9 }
  put: { effect: write, idempotent: true, max_attempts: 3 }
  post: { effect: write, max_attempts: 2 }
  once: { effect: write, max_attempts: 1 }
categories: { c: { retry: again } }
errors:
"""


def test_advice_is_told_in_words() -> None:
    catalog = catalog_of(CATALOGS["s1-gateway"])
    bounded = next(policy for policy in catalog.policies if policy.name == "bounded")
    assert advice(catalog.operations, bounded, "reconciled") == (
        "Attempts at most: 2 of `mcp_read`, 2 of `r1`, 3 of `gitea_get`, 1 of any other"
    )
    reads = [item for item in catalog.operations if item.effect == "write"]
    assert advice(reads, bounded, "reconciled") == "No class of operation has a second attempt"
    assert advice((), bounded, "always") == "Safe for any operation"
    assert rule((), bounded) == advice((), bounded, "reconciled")
    assert rule(catalog.operations, bounded) == (
        "Safe for reads, and other operations once their actual state has been looked up. "
        + advice(catalog.operations, bounded, "reconciled")
    )
    assert safety("always", "partial") == safety("idempotent")
    assert safety("never", "unknown") == "no operation"


def test_delays_end_where_no_operation_has_a_further_attempt() -> None:
    catalog = catalog_of(CATALOGS["reference"])
    backoff = next(policy for policy in catalog.policies if policy.name == "backoff")
    assert backoff.max_attempts == 5
    assert schedule(capped(catalog.operations, backoff, "idempotent")).startswith(
        "wait 200 ms, 400 ms, then give up after 3 attempts"
    )
    writes = [item for item in catalog.operations if not item.idempotent]
    told = schedule(capped(writes, backoff, "idempotent"))
    assert told == "do not retry after the first attempt"
    assert capped((), backoff, "idempotent") == backoff


def test_no_delay_is_longer_than_generated_code_waits() -> None:
    backoff = next(
        policy for policy in catalog_of(CATALOGS["reference"]).policies if policy.name == "backoff"
    )
    growing = replace(backoff, multiplier=1000.0, max_delay_ms=None, jitter="none", max_attempts=6)
    module = python_of("reference")
    policy = module.RetryPolicy(
        **{name: getattr(growing, name) for name in ("strategy", "initial_delay_ms", "multiplier")},
        max_delay_ms=None,
        jitter="none",
        retry_after_ms=None,
        max_attempts=6,
    )
    told = delays(growing)
    assert told == tuple(policy.delay_ms(attempt) for attempt in range(1, 6))
    assert told[-1] == 2**31 - 1
    assert guidance.attempts((), growing, "always")[0].delays_ms == told
