"""The catalog's JSON Schema as a strict validator: each mistake is one error, and no error quotes the data.

The message of an error is the key that is missing or unknown, or nothing: a repr of the data could be as large as
aliases make it. Types are those that were typed: `1.0` is no integer, and `1` is not `true`.
"""

import functools
from collections.abc import Iterator
from typing import Any

import jsonschema
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from errgen.compiled import pattern, schema

__all__ = ["ValidationError", "validator"]


@functools.cache
def validator() -> Any:
    """Return the validator of the catalog format."""
    checker = Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer)
    keywords = {
        "required": _required,
        "additionalProperties": _additional,
        "pattern": _pattern,
        "uniqueItems": _unique,
        "enum": _one_of,
        "const": _is,
        "type": _typed,
    }
    extend: Any = jsonschema.validators.extend
    strict = extend(Draft202012Validator, keywords, type_checker=checker)
    return strict(schema())


def _required(validator: Any, keys: Any, instance: Any, _: Any) -> Iterator[ValidationError]:
    if validator.is_type(instance, "object"):
        yield from (ValidationError(key) for key in keys if key not in instance)


def _additional(
    validator: Any, extra: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    if validator.is_type(instance, "object"):
        for key, value in instance.items():
            if extra is not False:
                yield from validator.descend(value, extra, path=key)
            elif key not in schema["properties"] and not key.startswith("x-"):
                yield ValidationError(key)


def _pattern(validator: Any, text: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "string") or len(instance) > schema.get(
        "maxLength", len(instance)
    ):
        return
    if not pattern(text).match(instance):
        yield ValidationError("")


def _unique(validator: Any, _: Any, instance: Any, __: Any) -> Iterator[ValidationError]:
    if validator.is_type(instance, "array"):
        seen: set[str] = set()
        for index, item in enumerate(instance):
            if isinstance(item, str) and item in seen:
                yield ValidationError("", path=(index,), instance=item)
            elif isinstance(item, str):
                seen.add(item)


def _one_of(_: Any, choices: Any, instance: Any, __: Any) -> Iterator[ValidationError]:
    if not any(type(choice) is type(instance) and choice == instance for choice in choices):
        yield ValidationError("")


def _is(validator: Any, choice: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    return _one_of(validator, [choice], instance, schema)


def _typed(validator: Any, types: Any, instance: Any, _: Any) -> Iterator[ValidationError]:
    wanted = [types] if isinstance(types, str) else types
    if not any(validator.is_type(instance, name) for name in wanted):
        yield ValidationError("")


def _is_integer(_: object, instance: object) -> bool:
    # JSON Schema counts 1.0 as an integer; a catalog means what was typed.
    return isinstance(instance, int) and not isinstance(instance, bool)
