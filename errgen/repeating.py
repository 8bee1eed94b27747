"""Which operations may be repeated: what an error says and what is known of the operation flow in, a verdict out."""


def is_safe(safe_to_retry: str, outcome: str | None, *, is_read: bool, is_idempotent: bool) -> bool:
    """Tell whether repeating does no harm, as generated code does; what may have happened is not repeated blindly."""
    is_repeatable = is_read or is_idempotent
    if outcome in ("unknown", "partial") and not is_repeatable:
        return False
    return {
        "always": True,
        "idempotent": is_repeatable,
        "reconciled": is_read,
        "never": False,
    }[safe_to_retry]
