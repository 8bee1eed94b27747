"""Spell names as target languages do: catalog names flow in, members, functions and fields flow out."""

import builtins
import keyword
import re
from typing import Final

_WORD: Final = re.compile(
    r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z][a-z0-9]*|[0-9]+[a-z][a-z0-9]*|[A-Z0-9]+"
)

# What the generated modules define or import themselves, beside the language's own names.
_GENERATED: Final = frozenset("""
    Any BodyPlace CATEGORIES Callable CatalogError CatalogInfo Category CategorySpec Code CodeOf Collection
    Deprecation ErrorOptions ErrorSpec Example Extensions Final Generic IntEnum Iterator Layer Literal Mapping
    MappingProxyType NoReturn NotRequired OPERATIONS Operation OperationName Outcome Param ParamValue Params
    RESERVED Random Recovery RecoveryAction Required Reservation Reserved RetryPolicy RetryPolicyName Retryable
    SPECS SafeToRetry Self Sequence Severity SpecOf Specs SpecsByCode StrEnum TypeAlias TypeGuard TypeVar TypedDict
    UnknownError Unpack
    """.split())
TAKEN_PYTHON: Final = frozenset(
    {*_GENERATED, *keyword.kwlist, *(name for name in dir(builtins) if name[0].isupper())}
)
# A module of TypeScript has types for what its functions take and return, and isSuccess, which an enum would make too.
TAKEN_TYPESCRIPT: Final = _GENERATED | frozenset("""
    BodyField Came Circumstances CodesByRetry ErrorFacts ErrorName JsonObject Making Named ParamRecord
    ProtocolOptions RetryableOf SendOptions Sent SentJsonrpcError SentJsonrpcResult SentProblem SentToolResult Success
    Undecided
    AggregateError Array ArrayBuffer Atomics Awaited BigInt Boolean Capitalize ConstructorParameters DataView Date
    Deno Error EvalError Exclude Extract FinalizationRegistry Function Infinity InstanceType Int8Array Intl Iterator
    JSON Map Math NaN NonNullable Number Object Omit Parameters Partial Pick Promise PropertyKey Proxy RangeError
    Readonly ReadonlyArray ReadonlyMap ReadonlySet Record ReferenceError Reflect RegExp Required ReturnType Set String
    Symbol SyntaxError ThisType TypeError URIError Uint8Array WeakMap WeakRef WeakSet
    """.split())


def words(name: str) -> list[str]:
    """Split a name of any convention into its words, as written."""
    return _WORD.findall(name)


def member(name: str) -> str:
    """Spell the name of an enum member: UPPER_SNAKE."""
    return "_".join(words(name)).upper()


def snake(name: str) -> str:
    """Spell the name of a Python function or parameter."""
    return "_".join(words(name)).lower()


def camel(name: str) -> str:
    """Spell the name of a TypeScript function or field."""
    first, *rest = words(name)
    return first.lower() + "".join(word.capitalize() for word in rest)


def pascal(name: str) -> str:
    """Spell the name of a type."""
    return "".join(word[0].upper() + word[1:] for word in words(name))


def title(name: str) -> str:
    """Spell a name as a heading: `connector_get` is `Connector get`."""
    text = " ".join(words(name))
    return text[0].upper() + text[1:]


def error_type(layer: str, enum: str) -> str:
    """Spell the exception of a layer: `tool` has ToolError, `error` has KnownError.

    Where its enum is called so, it is ToolErrorException.
    """
    name = f"{pascal(layer).removesuffix('Errors').removesuffix('Error') or 'Known'}Error"
    return f"{name}Exception" if name == enum else name
