"""Whether to try again what failed with a received error: what it says flows in, what generated code does flows out."""

import math
from typing import Any, Final

from errgen.explain.differences import differences
from errgen.explain.facts import Facts, operation_facts, retry_facts
from errgen.explain.forms import at
from errgen.explain.received import Received
from errgen.guidance import JITTER, LONGEST_MS, attempts, duration, waits_in_words
from errgen.model import Catalog, ErrorSpec

# What generated code does with an error that its catalog does not have.
_UNKNOWN_DELAYS_MS: Final = (1000, 2000)
_UNKNOWN_JITTER: Final = "equal"
_ADVICE: Final = (
    "Read its message. Build from the newest catalog, where the error may be described."
)


def received_facts(received: Received, error: ErrorSpec | None) -> Facts:
    """Return what was received: of a known error how it differs, of any whether to repeat."""
    says, inner, catalog = _said(received), received.inner, received.catalog
    denied = _is_denied(received) or not received.reading.failed
    facts: Facts = {
        "form": received.reading.form,
        "known": bool(received.matches),
        "code": received.code,
        "message": received.reading.message if isinstance(received.reading.message, str) else None,
        "says": says,
        "retry": None,
        "differences": [],
        "advice": None,
    }
    if not received.matches:
        facts |= {"retry": _unknown(says), "advice": _ADVICE}
    elif catalog and error:
        facts["retry"] = _known(catalog, error, says, denied=denied)
        facts["differences"] = list(differences(catalog, error, received.reading, inner))
    return facts


def _said(received: Received) -> Facts:
    """Return what a body says of retries; None where it says nothing that can be read."""
    catalog, inner = received.catalog, received.inner
    paths = catalog.response.paths if catalog and catalog.response and inner is not None else {}
    words = {key: at(inner, paths.get(key)) for key in ("retryable", "safe_to_retry")}
    known = {key: word if isinstance(word, bool) else None for key, word in words.items()}
    asked = None
    for source, factor in (("retry_after_seconds", 1000), ("retry_after_ms", 1)):
        wait = at(inner, paths.get(source))
        is_number = isinstance(wait, int | float) and not isinstance(wait, bool)
        if is_number and 0 <= wait < math.inf:
            asked = math.ceil(min(min(wait, LONGEST_MS) * factor, LONGEST_MS))
    return {**known, "retry_after_ms": asked}


def _is_denied(received: Received) -> bool:
    """Tell whether a body has another word than yes where it says whether it may be repeated."""
    response = received.catalog.response if received.catalog else None
    path = response.paths.get("retryable") if response and received.inner is not None else None
    said = at(received.inner, path)
    return said is not None and said is not True


def _known(catalog: Catalog, error: ErrorSpec, says: Facts, *, denied: bool) -> Facts:
    """Return the rule for this one case: neither the catalog nor the body may deny a retry."""
    policy, fixed = error.policy, error.retryable
    agreed = not denied and (says["retryable"] or fixed)
    retry = retry_facts(catalog, error)
    if fixed is False or not agreed:
        why = "do not retry" if fixed is False else _why(says)
        return {**retry, "retryable": False, "text": why, "operations": []}
    asked = says["retry_after_ms"]
    found = attempts(
        catalog.operations, policy, error.safe_to_retry, error.outcome, least_ms=asked or 0
    )
    text = retry["text"].removeprefix("if the response says so, ")
    if asked:
        text += f"; the response asks for at least {duration(asked)}"
    return {**retry, "retryable": True, "text": text, "operations": operation_facts(found)}


def _why(says: Facts) -> str:
    if says["retryable"] is False:
        return "do not retry, the response says no"
    return "do not retry, the response does not say that it may be"


def _unknown(says: Facts) -> Facts:
    """Return the rule for an error of a newer server: what it calls retryable is repeated for reads alone."""
    is_safe = says["retryable"] is True and says["safe_to_retry"] is not False
    waits = tuple(max(wait, says["retry_after_ms"] or 0) for wait in _UNKNOWN_DELAYS_MS)
    count = len(waits) + 1
    text = (
        f"reads alone: wait {waits_in_words(waits)}, then give up after {count} attempts; {JITTER[_UNKNOWN_JITTER]}"
        if is_safe
        else "do not retry: only a response that says that it is retryable is repeated, and for reads alone"
    )
    return {
        "retryable": is_safe,
        "policy": None,
        "text": text,
        "safe_to_retry": None,
        "max_attempts": count if is_safe else None,
        "jitter": _UNKNOWN_JITTER if is_safe else "none",
        "retry_after_ms": says["retry_after_ms"],
        "operations": (
            [{"name": "reads", "attempts": count, "delays_ms": list(waits), "after_lookup": False}]
            if is_safe
            else []
        ),
    }


def shown_code(code: Any) -> str:
    """Return an unknown code as a sentence can hold it."""
    return str(code)[:100]
