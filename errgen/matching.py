"""Which entry of a newer catalog is which of an older one: entries of both flow in, pairs flow out."""

from collections.abc import Mapping
from typing import Any


def partner(item: Mapping[str, Any], others: list[Mapping[str, Any]]) -> int | None:
    """Return where the same reservation stands: of the same code, name or prefix, or of a span that is no narrower."""
    for index, other in enumerate(others):
        if any(key in item and item[key] == other.get(key) for key in ("code", "name", "prefix")):
            return index
        if _spans(other, item):
            return index
    return None


def _spans(outer: Mapping[str, Any], inner: Mapping[str, Any]) -> bool:
    if "first" not in outer or "first" not in inner:
        return False
    return bool(outer["first"] <= inner["first"] and inner["last"] <= outer["last"])


def held(item: Mapping[str, Any], others: list[Mapping[str, Any]]) -> bool:
    """Tell whether a span or a prefix holds the code of a reservation that has no name."""
    code = item.get("code")
    return "name" not in item and any(
        (isinstance(code, int) and "first" in other and other["first"] <= code <= other["last"])
        or (isinstance(code, str) and "prefix" in other and code.startswith(other["prefix"]))
        for other in others
    )


def pairs(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, str]:
    """Return the new name of each error that is still there: of the same name, or code, or with the name as alias.

    The name comes first: errors that have exchanged their codes are not renamed.
    """
    found = {name: name for name in old if name in new}
    by_code = {
        (type(body["code"]), body["code"]): name for name, body in new.items() if name not in found
    }
    for name, body in old.items():
        other = by_code.get((type(body["code"]), body["code"]))
        if name not in found and other is not None:
            found[name] = other
    taken = set(found.values())
    by_name = {alias: name for name, body in new.items() for alias in body.get("aliases", [])}
    for name in old:
        other = by_name.get(name)
        if name not in found and other is not None and other not in taken:
            found[name] = other
            taken.add(other)
    return found
