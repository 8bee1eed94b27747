"""Rules about retries: policies are complete, and what errors say beside them is no contradiction."""

import math
from collections.abc import Iterator
from typing import Final

from errgen.codes import DiagnosticCode as Code
from errgen.defaults import duration_ms, policy_safety
from errgen.diagnostics import Diagnostic, finding
from errgen.rules.accepted import Entry
from errgen.rules.facts import Facts
from errgen.rules.registry import rule

_TIMING: Final = (
    "strategy",
    "initial_delay",
    "multiplier",
    "max_delay",
    "max_attempts",
    "jitter",
    "retry_after",
)


@rule(Code.UNKNOWN_OUTCOME_ALWAYS_SAFE)
def unknown_outcome_always_safe(facts: Facts) -> Iterator[Diagnostic]:
    """What may have happened already is not always safe to repeat (S3)."""
    for name, entry in facts.errors.items():
        policy = _policy(facts, entry)
        if entry.get("outcome") != "unknown" or policy is None or policy[1]["retryable"] is False:
            continue
        if entry.get("safe_to_retry", policy_safety(policy[1])) == "always":
            key = "safe_to_retry" if "safe_to_retry" in entry else "outcome"
            yield finding(
                Code.UNKNOWN_OUTCOME_ALWAYS_SAFE, facts.at("errors", name, key), name=name
            )


@rule(Code.RETRY_NOT_RETRYABLE)
def retry_not_retryable(facts: Facts) -> Iterator[Diagnostic]:
    """Nobody is told to retry what is not retryable."""
    for name, entry in facts.errors.items():
        action, policy = entry.get("recovery", {}).get("action"), _policy(facts, entry)
        if action in ("retry", "wait") and policy and policy[1]["retryable"] is False:
            place = facts.at("errors", name, "recovery", "action")
            yield finding(
                Code.RETRY_NOT_RETRYABLE, place, name=name, action=action, policy=policy[0]
            )


@rule(Code.NO_RETRY_POLICY)
def no_retry_policy(facts: Facts) -> Iterator[Diagnostic]:
    """Every error has a retry policy, its own or its category's."""
    lacking: dict[str, list[str]] = {}
    decided = set()
    for name, entry in facts.errors.items():
        category = entry["category"]
        if "retry" in entry:
            decided.add(category)
        elif category in facts.categories and "retry" not in facts.categories[category]:
            lacking.setdefault(category, []).append(name)
    for category, names in lacking.items():
        # Where no error decides for itself, it is the category that should have.
        if category not in decided:
            place = facts.at("categories", category, key=True)
            more = f" and {len(names) - 1} more of its errors" if names[1:] else ""
            yield finding(Code.NO_RETRY_POLICY, place, name=f"{names[0]}{more}", category=category)
            continue
        for name in names:
            place = facts.at("errors", name, key=True)
            yield finding(Code.NO_RETRY_POLICY, place, name=name, category=category)


@rule(Code.POLICY_INCOMPLETE)
def policy_incomplete(facts: Facts) -> Iterator[Diagnostic]:
    """A policy says all that a client needs in order to follow it, and nothing that it cannot follow."""
    for name, policy in facts.sections["retry_policies"].items():
        if fault := _fault(policy):
            place = facts.at("retry_policies", name, key=True)
            problem, remedy = fault
            yield finding(Code.POLICY_INCOMPLETE, place, policy=name, problem=problem, help=remedy)


def _fault(policy: Entry) -> tuple[str, str] | None:
    """Return what is wrong with a policy and what to write instead, or None."""
    given = [key for key in _TIMING if key in policy]
    if policy["retryable"] is False and given:
        return (
            f"is not retryable but has {', '.join(given)}",
            "delete what it has, or write retryable: true",
        )
    if policy["retryable"] is True:
        if "max_attempts" not in policy:
            return (
                "is retryable but has no max_attempts",
                "add max_attempts: 3, say; the first attempt counts",
            )
        if policy["max_attempts"] == 1:
            return (
                "is retryable but has max_attempts 1, which allows no second attempt",
                "write max_attempts: 2 or more, or retryable: false",
            )
        if "strategy" not in policy and "retry_after" not in policy:
            return (
                "is retryable but has neither a strategy nor retry_after",
                "add retry_after: 30s, say, or a strategy with initial_delay",
            )
    return _strategy_fault(policy) or _delay_fault(policy)


def _strategy_fault(policy: Entry) -> tuple[str, str] | None:
    strategy = policy.get("strategy")
    if strategy in ("linear", "exponential") and "initial_delay" not in policy:
        return f"has strategy {strategy} but no initial_delay", "add initial_delay: 100ms, say"
    if strategy == "fixed" and not {"initial_delay", "retry_after"} & policy.keys():
        return (
            "has strategy fixed but neither initial_delay nor retry_after",
            "add initial_delay: 1s, say",
        )
    idle = [key for key in ("initial_delay", "max_delay", "jitter") if key in policy]
    if strategy is None and idle:
        return (
            f"has {', '.join(idle)} but no strategy",
            "add strategy: fixed, linear or exponential",
        )
    if "multiplier" in policy and strategy != "exponential":
        return (
            "has a multiplier but not strategy exponential",
            "write strategy: exponential, or delete the multiplier",
        )
    return None


def _delay_fault(policy: Entry) -> tuple[str, str] | None:
    for key in ("initial_delay", "max_delay", "retry_after"):
        value = policy.get(key, 0)
        if not isinstance(value, str) and not math.isclose(value * 1000, round(value * 1000)):
            return (
                f"has {key} {value}, a part of a millisecond",
                f"write whole milliseconds, such as {math.ceil(value * 1000)}ms",
            )
    first, most = (duration_ms(policy.get(key, 0)) for key in ("initial_delay", "max_delay"))
    if "max_delay" in policy and most < first:
        return (
            "has a max_delay shorter than its initial_delay",
            f"write max_delay: {policy['initial_delay']} or more",
        )
    return None


@rule(Code.SAFE_NOT_RETRYABLE)
def safe_not_retryable(facts: Facts) -> Iterator[Diagnostic]:
    """What is not retryable is not safe to retry under any condition."""
    for name, policy in facts.sections["retry_policies"].items():
        safe = policy.get("safe_to_retry", "never")
        if policy["retryable"] is False and safe != "never" and not _fault(policy):
            place = facts.at("retry_policies", name, "safe_to_retry")
            yield finding(
                Code.SAFE_NOT_RETRYABLE, place, name=f"policy '{name}'", safe=safe, policy=name
            )
    for name, entry in facts.errors.items():
        safe, used = entry.get("safe_to_retry", "never"), _policy(facts, entry)
        if safe != "never" and used and used[1]["retryable"] is False:
            place = facts.at("errors", name, "safe_to_retry")
            yield finding(Code.SAFE_NOT_RETRYABLE, place, name=name, safe=safe, policy=used[0])


def _policy(facts: Facts, entry: Entry) -> tuple[str, Entry] | None:
    """Return an error's retry policy, unless that contradicts itself: then the policy alone is to be mended."""
    policy = facts.policy(entry)
    return None if policy is None or _fault(policy[1]) else policy


@rule(Code.DEFAULT_OPERATION)
def default_operation(facts: Facts) -> Iterator[Diagnostic]:
    """At most one class of operation is the default."""
    first = ""
    for name, operation in facts.sections["operations"].items():
        if operation.get("default") and first:
            place = facts.at("operations", name, "default")
            yield finding(Code.DEFAULT_OPERATION, place, name=name, other=first)
        first = first or (name if operation.get("default") else "")
