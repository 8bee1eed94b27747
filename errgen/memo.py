"""What is worked out once for several files of one catalog: a function flows in, one that remembers flows out."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

_Made = TypeVar("_Made")


def remembered(function: Callable[..., _Made]) -> Callable[..., _Made]:
    """Keep what a function made last, as long as it is given the same object first, and equal others."""
    kept: list[tuple[Any, tuple[Any, ...], _Made]] = []

    @wraps(function)
    def wrapper(first: Any, *others: Any) -> _Made:
        for known, given, made in kept:
            # A catalog has no hash, and comparing it would cost more than what is saved.
            if known is first and given == others:
                return made
        made = function(first, *others)
        kept[:] = [(first, others, made)]
        return made

    return wrapper
