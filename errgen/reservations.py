"""Reservations in words: an item of `reserved` flows in; what to call it, or the error that it retired, flows out."""

from collections.abc import Mapping, Sequence
from typing import Any

from errgen.words import describe, shorten


def tombstone(data: Mapping[str, Any], name: str) -> int | None:
    """Return the index of the reservation of a name, or None."""
    items = enumerate(data.get("reserved", []))
    return next((index for index, item in items if item.get("name") == name), None)


def retired(data: Mapping[str, Any], name: str) -> str:
    """Say what has become of an error whose code and name are reserved."""
    index = tombstone(data, name)
    other = None if index is None else data["reserved"][index].get("replaced_by")
    instead = f", use {shorten(other)} instead" if other else ""
    return f"reserved{instead}; clients may still meet it in old data"


def subject(item: Mapping[str, Any], keys: Sequence[str | int] = ()) -> str:
    """Say which reservation this is, or a key of it: it has no name, and goes by what it holds."""
    whole = f"reservation of {_held(item)}"
    return f"{describe(keys)} of {whole}" if keys else whole


def _held(item: Mapping[str, Any]) -> str:
    if "first" in item:
        return f"{item['first']} to {item['last']}"
    if "prefix" in item:
        return f"codes that begin with '{shorten(item['prefix'])}'"
    if "name" in item and "code" in item:
        return f"{shorten(item['name'])} ({shorten(str(item['code']))})"
    return shorten(str(item.get("name", item.get("code"))))
