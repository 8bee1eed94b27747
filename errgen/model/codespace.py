"""Layers, categories and the code space: what every error of a catalog lies in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Code: TypeAlias = int | str
Extensions: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Limits:
    """Longest texts in characters; None where the catalog sets no limit."""

    message: int | None
    hint: int | None


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer of errors: the name of its enum, the type of its codes and how its errors travel.

    `error_type` is the name of its exception in generated code, `text` a template of the text of its tool results.
    """

    name: str
    enum: str
    error_type: str
    code_type: str
    wire: str
    text: str
    profile: str | None
    title: str
    description: str
    extensions: Extensions


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """A rule for retrying; delays are whole milliseconds, `retryable` is None where it varies."""

    name: str
    member: str
    retryable: bool | None
    strategy: str | None
    initial_delay_ms: int | None
    multiplier: float | None
    max_delay_ms: int | None
    max_attempts: int | None
    jitter: str
    retry_after_ms: int | None
    safe_to_retry: str
    description: str
    extensions: Extensions

    @property
    def retry_after_seconds(self) -> int | None:
        """Return the shortest wait in whole seconds, rounded up, so that nobody comes too early."""
        return None if self.retry_after_ms is None else -(-self.retry_after_ms // 1000)


@dataclass(frozen=True, slots=True)
class Category:
    """A category of errors; `policy` is None where each of its errors names its own."""

    name: str
    member: str
    title: str
    description: str
    layer: Layer
    policy: RetryPolicy | None
    extensions: Extensions


@dataclass(frozen=True, slots=True)
class Range:
    """The codes of a category: `first` to `last`, or those that begin with `prefix`; `used` counts the taken ones."""

    first: int | None
    last: int | None
    prefix: str | None
    category: Category
    description: str
    used: int
    reserved: int
    extensions: Extensions

    def holds(self, code: Code) -> bool:
        """Tell whether a code lies in the range."""
        if isinstance(code, str):
            return self.prefix is not None and code.startswith(self.prefix)
        return self.first is not None and self.last is not None and self.first <= code <= self.last

    @property
    def size(self) -> int | None:
        """Return how many codes the range holds, or None for a prefix."""
        return None if self.first is None or self.last is None else self.last - self.first + 1

    @property
    def free(self) -> int | None:
        """Return how many codes are neither used nor reserved, or None for a prefix."""
        return None if self.size is None else self.size - self.used - self.reserved


@dataclass(frozen=True, slots=True)
class Operation:
    """A class of operation and how often it may be attempted in all."""

    name: str
    member: str
    effect: str
    idempotent: bool
    max_attempts: int
    is_default: bool
    description: str
    extensions: Extensions
