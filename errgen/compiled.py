"""The catalog's JSON Schema compiled into predicates: data flows in, whether the format accepts it flows out.

They cost a tenth of what a validator does, but tell no reasons: `strict` does, of the suspects that are left here.
"""

import functools
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from errgen.nodes import Map, Seq
from errgen.resources import catalog_schema

Predicate: TypeAlias = Callable[[Any], bool]

# The types of data, each with those that a schema calls it. Types are those that were typed: `1.0` is no integer.
_TYPES: Final[Mapping[type, tuple[str, ...]]] = {
    str: ("string",),
    int: ("integer", "number"),
    float: ("number",),
    bool: ("boolean",),
    type(None): ("null",),
    **dict.fromkeys((Map, dict), ("object",)),
    **dict.fromkeys((Seq, list), ("array",)),
}
_CHOICES: Final = (str, int, float, bool, type(None))
_ANNOTATIONS: Final = frozenset(
    ("$schema", "$id", "$defs", "title", "description", "x-expected", "patternProperties")
)
_KEYWORDS: Final = frozenset("""
    additionalProperties const enum items maximum maxLength minimum minLength minProperties pattern properties
    propertyNames required type uniqueItems
    """.split())
_EXTENSION: Final = "^x-"
_RECURRING: Final = ("fields", "field")


@functools.cache
def schema() -> Any:
    """Return the schema with definitions in place of references, which are slow to follow, but for those that recur."""
    whole = json.loads(catalog_schema())
    return _inlined(whole, whole["$defs"])


def _inlined(part: Any, definitions: Any) -> Any:
    if isinstance(part, list):
        return [_inlined(item, definitions) for item in part]
    if not isinstance(part, dict):
        return part
    reference = part.get("$ref", "").removeprefix("#/$defs/")
    if reference and reference not in _RECURRING:
        part = definitions[reference] | {key: part[key] for key in part if key != "$ref"}
    return {key: _inlined(value, definitions) for key, value in part.items()}


def accepts(data: Any) -> bool:
    """Tell whether data is a catalog by its schema."""
    return _definition("")(data)


def suspects(data: Any) -> Any:
    """Return a catalog with those named entries alone that the schema refuses, so that few are looked at twice."""
    if not isinstance(data, dict):
        return data
    return {key: _refused(schema()["properties"].get(key, {}), data[key]) for key in data}


def _refused(section: Any, entries: Any) -> Any:
    if not section.get("additionalProperties") or not isinstance(entries, dict) or not entries:
        return entries
    is_name, is_entry = compiled(section["propertyNames"]), compiled(
        section["additionalProperties"]
    )
    found = {key: item for key, item in entries.items() if not (is_name(key) and is_entry(item))}
    # A section with nothing in it would be refused for that.
    return found or dict([next(iter(entries.items()))])


@functools.cache
def _definition(name: str) -> Predicate:
    return compiled(schema()["$defs"][name] if name else schema())


def compiled(part: Mapping[str, Any]) -> Predicate:
    """Return a predicate that accepts what a schema does. Raises ValueError for a keyword that is not known."""
    if "$ref" in part:
        name = part["$ref"].removeprefix("#/$defs/")
        # Not yet: a field has fields.
        return lambda value: _definition(name)(value)  # noqa: PLW0108
    unknown = part.keys() - _ANNOTATIONS - _KEYWORDS
    if unknown or part.get("patternProperties", {}).keys() - {_EXTENSION}:
        message = f"no predicate is made of {sorted(unknown) or 'patternProperties'}"
        raise ValueError(message)
    if not part.keys() & _KEYWORDS:
        return _anything
    tests: dict[type, Predicate | None] = {}

    def accepts(value: Any) -> bool:
        kind = type(value)
        try:
            test = tests[kind]
        except KeyError:
            # Not earlier: most catalogs hold little of what the format has.
            test = tests[kind] = _test(part, kind) if kind in _TYPES else None
        return test is not None and test(value)

    return accepts


def _test(part: Mapping[str, Any], kind: type) -> Predicate | None:
    """Return the test of values of one type, or None where none of them is accepted."""
    wanted = part.get("type", _TYPES[kind])
    if (
        not {wanted} & {*_TYPES[kind]}
        if isinstance(wanted, str)
        else not {*wanted} & {*_TYPES[kind]}
    ):
        return None
    choices = part.get("enum", [part["const"]] if "const" in part else None)
    if choices is not None:
        allowed = frozenset(choice for choice in choices if type(choice) is kind)
        return allowed.__contains__ if allowed else None
    return _TESTS[_TYPES[kind][-1]](part)


def _anything(_: Any) -> bool:
    return True


def _string(part: Mapping[str, Any]) -> Predicate:
    least, most = part.get("minLength", 0), part.get("maxLength", float("inf"))
    if "pattern" not in part:
        return lambda value: least <= len(value) <= most
    match = pattern(part["pattern"]).match
    return lambda value: least <= len(value) <= most and match(value) is not None


@functools.cache
def pattern(text: str) -> re.Pattern[str]:
    """Compile a pattern: ECMA 262, which JSON Schema names, has no `$` that stops before a last line break."""
    return re.compile(text.removesuffix("$") + r"\Z")


def _number(part: Mapping[str, Any]) -> Predicate:
    least, most = part.get("minimum", float("-inf")), part.get("maximum", float("inf"))
    return lambda value: least <= value <= most


def _array(part: Mapping[str, Any]) -> Predicate:
    is_item, unique = compiled(part.get("items", {})), part.get("uniqueItems", False)

    def accepts(value: Any) -> bool:
        if not all(map(is_item, value)):
            return False
        texts = [item for item in value if isinstance(item, str)] if unique else ()
        return len(set(texts)) == len(texts)

    return accepts


def _object(part: Mapping[str, Any]) -> Predicate:
    extra = part.get("additionalProperties", {})
    if extra is False:
        return _fixed(part)
    is_name, is_value = compiled(part.get("propertyNames", {})), compiled(extra)
    least = part.get("minProperties", 0)
    return lambda value: (
        len(value) >= least and all(map(is_name, value)) and all(map(is_value, value.values()))
    )


def _fixed(part: Mapping[str, Any]) -> Predicate:
    tests = {key: compiled(value) for key, value in part["properties"].items()}
    required = tuple(part.get("required", ()))

    def accepts(value: Any) -> bool:
        for key, item in value.items():
            test = tests.get(key)
            if not (key.startswith("x-") if test is None else test(item)):
                return False
        return all(map(value.__contains__, required))

    return accepts


_TESTS: Final[Mapping[str, Callable[[Mapping[str, Any]], Predicate]]] = {
    "string": _string,
    "number": _number,
    "array": _array,
    "object": _object,
    "boolean": lambda _: _anything,
    "null": lambda _: _anything,
}
