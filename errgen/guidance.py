"""Advice in words and numbers: policies and errors flow in, what a client should do flows out.

The delays are those before jitter: fixed, linear (initial delay times the attempt) or exponential (initial delay
times multiplier to the power of the attempts before), cut at the maximum, and never shorter than retry_after.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from errgen.model import ErrorSpec, Operation, RetryPolicy
from errgen.repeating import is_safe

_SHOWN_DELAYS: Final = 6
# The longest wait that every timer knows.
LONGEST_MS: Final = 2**31 - 1
_UNITS: Final = ((3_600_000, "h"), (60_000, "min"), (1000, "s"))

RECOVERY: Final = {
    "retry": "Retry the same request, where that is safe.",
    "wait": "Wait, then retry the same request, where that is safe.",
    "fix-input": "Correct the input, then send it again.",
    "inform-user": "Tell the user.",
    "escalate": "Ask a human with more rights or knowledge.",
    "none": "Nothing; the error is final.",
}
_LOOKED_UP: Final = "once their actual state has been looked up"
_SAFETY: Final = {
    "always": "any operation",
    "idempotent": f"operations that may be done twice, such as reads, and others {_LOOKED_UP}",
    "reconciled": f"reads, and other operations {_LOOKED_UP}",
    "never": "no operation",
}
OUTCOME: Final = {
    "unknown": "It is unknown whether the operation happened.",
    "not-applied": "The operation did not happen.",
    "partial": "The operation may have happened in part.",
}
JITTER: Final = {
    "full": "each delay is a random time up to that",
    "equal": "each delay is a random time between half of that and that",
    "decorrelated": "each delay is a random time between the first delay and three times the one before",
}


class Repeat(NamedTuple):
    """A class of operation that may be repeated, how often it may be attempted in all, and on which condition."""

    operation: Operation
    attempts: int
    once_known: bool


def repeats(
    operations: Sequence[Operation],
    policy: RetryPolicy,
    safe_to_retry: str,
    outcome: str | None = None,
) -> tuple[Repeat, ...]:
    """Return which classes of operation generated code repeats, some only once their state is looked up."""
    found = []
    for operation in operations if policy.retryable is not False else ():
        limits = (policy.max_attempts, operation.max_attempts)
        attempts = min((limit for limit in limits if limit is not None), default=1)
        if attempts > 1 and safe_to_retry != "never":
            is_read = operation.effect == "read"
            once_known = not is_safe(
                safe_to_retry, outcome, is_read=is_read, is_idempotent=operation.idempotent
            )
            found.append(Repeat(operation, attempts, once_known))
    return tuple(found)


class Attempts(NamedTuple):
    """How often operations of a class may be attempted in all, and the waits between in whole milliseconds."""

    operation: str
    attempts: int
    once_known: bool
    delays_ms: tuple[int, ...]


# What generated code asks about an operation where a catalog has no classes of operations.
_PLAIN: Final = (
    ("reads", True, True),
    ("writes that may be done twice", False, True),
    ("other writes", False, False),
)


def attempts(
    operations: Sequence[Operation],
    policy: RetryPolicy,
    safe_to_retry: str,
    outcome: str | None = None,
    least_ms: int = 0,
) -> tuple[Attempts, ...]:
    """Return what generated code does with each class of operation; no wait is shorter than `least_ms`."""
    classes = operations or [
        _operation(name, policy, is_read=is_read, is_idempotent=is_idempotent)
        for name, is_read, is_idempotent in _PLAIN
    ]
    repeated = {
        item.operation.name: item for item in repeats(classes, policy, safe_to_retry, outcome)
    }
    found = []
    for operation in classes:
        item = repeated.get(operation.name)
        count = item.attempts if item else 1
        once_known = item is not None and item.once_known
        waits = tuple(max(_delay(policy, attempt), least_ms) for attempt in range(1, count))
        found.append(Attempts(operation.name, count, once_known, waits))
    return tuple(found)


def _operation(name: str, policy: RetryPolicy, *, is_read: bool, is_idempotent: bool) -> Operation:
    return Operation(
        name=name,
        member="",
        effect="read" if is_read else "write",
        idempotent=is_idempotent,
        max_attempts=policy.max_attempts or 1,
        is_default=False,
        description="",
        extensions={},
    )


def safety(safe_to_retry: str, outcome: str | None = None) -> str:
    """Say which operations may be repeated; what may have happened is never repeated blindly."""
    is_doubtful = outcome in ("unknown", "partial") and safe_to_retry == "always"
    return _SAFETY["idempotent" if is_doubtful else safe_to_retry]


def advice(
    operations: Sequence[Operation],
    policy: RetryPolicy,
    safe_to_retry: str,
    outcome: str | None = None,
) -> str:
    """Say without a stop at its end what may be repeated, and where there are operations, how often."""
    if not operations:
        return f"Safe for {safety(safe_to_retry, outcome)}"
    found = repeats(operations, policy, safe_to_retry, outcome)
    if not found:
        return "No class of operation has a second attempt"
    told = [
        f"{item.attempts} of `{item.operation.name}`"
        + (" once its state has been looked up" if item.once_known else "")
        for item in found
    ]
    rest = ", 1 of any other" if len(found) < len(operations) else ""
    return f"Attempts at most: {', '.join(told)}{rest}"


def rule(operations: Sequence[Operation], policy: RetryPolicy) -> str:
    """Say what a policy lets be repeated, and how often where there are operations."""
    told = advice(operations, policy, policy.safe_to_retry)
    return f"Safe for {safety(policy.safe_to_retry)}. {told}" if operations else told


def capped(
    operations: Sequence[Operation],
    policy: RetryPolicy,
    safe_to_retry: str,
    outcome: str | None = None,
) -> RetryPolicy:
    """Return a policy without the attempts that no class of operation has."""
    found = repeats(operations, policy, safe_to_retry, outcome)
    most = max((item.attempts for item in found), default=1)
    return replace(policy, max_attempts=most) if operations else policy


def duration(ms: int) -> str:
    """Write milliseconds in the largest unit that keeps them short: `100 ms`, `1.5 s`, `5 min`, `1 h`."""
    for size, unit in _UNITS:
        if ms >= size and ms * 10 % size == 0:
            return f"{ms / size:g} {unit}"
    return f"{ms} ms"


def delays(policy: RetryPolicy) -> tuple[int, ...]:
    """Return the delay before each retry in whole milliseconds, before jitter; empty where nothing is fixed."""
    if policy.max_attempts is None or policy.strategy is None:
        return ()
    return tuple(_delay(policy, attempt) for attempt in range(1, policy.max_attempts))


def _delay(policy: RetryPolicy, attempt: int) -> int:
    initial, floor = policy.initial_delay_ms or 0, policy.retry_after_ms or 0
    factor: float = 1
    if policy.strategy == "linear":
        factor = attempt
    elif policy.strategy == "exponential":
        # An exponent beyond a float's is beyond every maximum too.
        factor = min((policy.multiplier or 1) ** min(attempt - 1, 100), 1e12)
    most = LONGEST_MS if policy.max_delay_ms is None else policy.max_delay_ms
    # Generated code waits no longer than every timer can.
    return min(LONGEST_MS, max(floor, min(round(initial * factor), most)))


def waits_in_words(waits: Sequence[int]) -> str:
    """Write waits one after the other, the first few of many: `100 ms, 200 ms, 400 ms`."""
    shown = [duration(wait) for wait in waits[:_SHOWN_DELAYS]]
    if len(waits) > len(shown):
        shown.append(f"and so on up to {duration(waits[-1])}")
    return ", ".join(shown)


def waits(policy: RetryPolicy) -> tuple[tuple[int, int], ...]:
    """Return the shortest and the longest delay before each retry, as chance may have it in generated code."""
    first, floor = policy.initial_delay_ms or 0, policy.retry_after_ms or 0
    most = LONGEST_MS if policy.max_delay_ms is None else policy.max_delay_ms
    found, steady, longest = [], first, first
    for delay in delays(policy):
        # Half of a delay is rounded up.
        shortest = {"full": floor, "equal": max(floor, (delay + 1) // 2)}.get(policy.jitter, delay)
        if policy.jitter == "decorrelated":
            shortest = max(floor, first)
            # Whoever does not say how long the wait before was gets three times what it should have been.
            longest = max(floor, min(most, max(first, 3 * max(longest, steady))))
        else:
            longest = delay
        steady = delay
        found.append((min(shortest, LONGEST_MS), min(longest, LONGEST_MS)))
    return tuple(found)


def schedule(policy: RetryPolicy) -> str:
    """Say what following a policy looks like: `wait 100 ms, 200 ms, 400 ms, then give up`."""
    if policy.retryable is False:
        return "do not retry"
    fixed = delays(policy)
    if not fixed:
        varies = "whether to retry is said in each response"
        return varies if policy.retryable is None else "do not retry after the first attempt"
    text = f"wait {waits_in_words(fixed)}, then give up after {policy.max_attempts} attempts"
    if policy.jitter in JITTER:
        text += f"; {JITTER[policy.jitter]}"
        # Chance makes no wait shorter than the one that the response asks for.
        if policy.retry_after_ms:
            text += f", but never less than {duration(policy.retry_after_ms)}"
    if policy.retryable is None:
        text = f"if the response says so, {text}"
    return text


def retry_word(found: ErrorSpec | RetryPolicy) -> str:
    """Return yes, no or varies."""
    return {True: "yes", False: "no", None: "varies"}[found.retryable]
