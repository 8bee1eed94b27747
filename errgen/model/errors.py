"""Errors: everything a catalog says of one, and of those that it no longer has."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from errgen.message import Part
from errgen.model.codespace import Category, Code, Extensions, Layer, RetryPolicy


@dataclass(frozen=True, slots=True)
class Param:
    """A value in a message; `is_private` ones reach protected logs alone."""

    name: str
    type: str
    description: str
    is_private: bool
    extensions: Extensions


@dataclass(frozen=True, slots=True)
class ErrorRef:
    """Another error, by name and code."""

    name: str
    code: Code
    enum: str


@dataclass(frozen=True, slots=True)
class Link:
    """A see-also: another error, or an address."""

    error: ErrorRef | None
    url: str | None


@dataclass(frozen=True, slots=True)
class Deprecation:
    """Since which catalog version and why an error is no longer to be used."""

    since: str
    reason: str
    replaced_by: ErrorRef | None


@dataclass(frozen=True, slots=True)
class Example:
    """A situation with values for the params, and the message that they make."""

    params: Mapping[str, Any]
    message: str
    description: str


@dataclass(frozen=True, slots=True)
class ErrorSpec:
    """One error with everything the catalog says of it, defaults filled in; texts are "" where there is none."""

    name: str
    code: Code
    layer: Layer
    category: Category
    policy: RetryPolicy
    aliases: tuple[str, ...]
    message: str
    message_parts: tuple[Part, ...]
    log_message: str
    params: tuple[Param, ...]
    private_params: tuple[Param, ...]
    description: str
    safe_to_retry: str
    outcome: str | None
    recovery_action: str | None
    recovery_hint: str
    http_status: int | None
    grpc_status: str | None
    jsonrpc_code: int | None
    severity: str
    visibility: str
    conceal_as: ErrorRef | None
    range_waiver: str
    since: str | None
    deprecated: Deprecation | None
    examples: tuple[Example, ...]
    see_also: tuple[Link, ...]
    tags: tuple[str, ...]
    docs_url: str | None
    extensions: Extensions

    @property
    def retryable(self) -> bool | None:
        """Return the policy's answer; None where whoever raises the error must say."""
        return self.policy.retryable

    @property
    def is_internal(self) -> bool:
        """Tell whether the error never leaves the process as itself."""
        return self.visibility == "internal"

    @property
    def ref(self) -> ErrorRef:
        """Return the error as others refer to it."""
        return ErrorRef(self.name, self.code, self.layer.enum)


@dataclass(frozen=True, slots=True)
class Fill:
    """A value that a foreign error supplies: `source` of it fills the param or the field of the body at `path`."""

    path: tuple[str, ...]
    source: str
    is_param: bool
    is_private: bool
    type: str


@dataclass(frozen=True, slots=True)
class Translation:
    """Foreign errors to errors of one layer, the most specific key first.

    `params` are those of all these errors that `fills` leaves to the caller, `varies` tells whether one of the errors
    leaves it to the caller whether it is retryable.
    """

    name: str
    kind: str
    layer: Layer
    entries: tuple[tuple[str, ErrorRef], ...]
    default: ErrorRef
    fills: tuple[Fill, ...]
    params: tuple[Param, ...]
    varies: bool
    description: str
    extensions: Extensions


@dataclass(frozen=True, slots=True)
class Reservation:
    """A code, name, range or prefix that is never to be used, or never again."""

    code: Code | None
    name: str | None
    first: int | None
    last: int | None
    prefix: str | None
    since: str | None
    replaced_by: ErrorRef | None
    reason: str
    extensions: Extensions
