"""How grave a change is: one value before and after flows in, the level of the change flows out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final


class Level(StrEnum):
    """Whom a change breaks, the worst first."""

    WIRE = "wire"
    """A client that knows only code, category and retry rule."""
    BODY = "body"
    """A client that validates the body, or reads fields of it."""
    SOURCE = "source"
    """A program that is compiled against the names."""
    COMPATIBLE = "compatible"
    """Nobody; something new can be used."""
    NOTE = "note"
    """Nobody; what people read has changed, or what the server alone uses."""

    @property
    def is_breaking(self) -> bool:
        """Tell whether somebody has to do something."""
        return self in (Level.WIRE, Level.BODY, Level.SOURCE)

    @property
    def rank(self) -> int:
        """Return the place in the order, 0 for the worst."""
        return list(Level).index(self)


@dataclass(frozen=True, slots=True)
class Change:
    """One value before and after, None where there is none; `old_side` and `new_side` are the whole catalogs."""

    path: tuple[str | int, ...]
    old: Any
    new: Any
    old_side: Mapping[str, Any]
    new_side: Mapping[str, Any]

    @property
    def key(self) -> str:
        """Return the key that has changed."""
        return str(self.path[-1]) if self.path else ""

    @property
    def owners(self) -> tuple[Any, Any]:
        """Return the entry that has the key, before and after; its path must be the same in both catalogs."""
        old: Any = self.old_side
        new: Any = self.new_side
        for step in self.path[:-1]:
            old, new = old[step], new[step]
        return old, new


WIRE, BODY, SOURCE, COMPATIBLE, NOTE = Level
_SAFETIES: Final = ("never", "reconciled", "idempotent", "always")
_CERTAINTIES: Final = ("unknown", "partial", "not-applied")


def weaker(change: Change) -> Level:
    """`wire` if less may be repeated than before; if more, `body` where a field tells it, else `compatible`."""
    if _SAFETIES.index(change.new) < _SAFETIES.index(change.old):
        return WIRE
    return BODY if _carries(change, "safe_to_retry") else COMPATIBLE


def doubt(change: Change) -> Level:
    """`wire` if it is less certain that nothing happened; else `body` where a field tells it, else `compatible`."""
    old, new = (value or _CERTAINTIES[-1] for value in (change.old, change.new))
    if _CERTAINTIES.index(new) < _CERTAINTIES.index(old):
        return WIRE
    if _carries(change, "outcome"):
        return BODY
    return COMPATIBLE if new != old else NOTE


def effect(change: Change) -> Level:
    """`wire` if operations of the class write from now on, as repeating them does harm; else `compatible`."""
    return WIRE if change.new == "write" else COMPATIBLE


def lost(change: Change) -> Level:
    """`wire` if the promise was true and is false; else `compatible`."""
    return COMPATIBLE if change.new else WIRE


def longer(change: Change) -> Level:
    """`body` if the text may become longer, as it would no longer validate; else `note`."""
    return BODY if change.new is None or change.new > (change.old or change.new) else NOTE


def in_body(source: str) -> Callable[[Change], Level]:
    """Return a verdict on what clients see only where a field of the body is filled from it."""
    return lambda change: BODY if _carries(change, source) else NOTE


def extension(change: Change) -> Level:
    """`body` if a field of the body was filled from the key; else `note`."""
    return BODY if _carries(change, change.key) and change.old is not None else NOTE


def _carries(change: Change, source: str) -> bool:
    return source in sources(change.old_side.get("response", {}).get("fields", {}))


def sources(fields: Mapping[str, Any]) -> set[str]:
    """Return what the fields of a body are filled from, those of nested objects too."""
    found = {str(field["from"]) for field in fields.values() if "from" in field}
    return found.union(*(sources(field.get("fields", {})) for field in fields.values()))


def address(change: Change) -> Level:
    """`body` where problem details, whose `type` is made from it (RFC 9457, 3.1.1), or a field show it; else `note`."""
    layers = change.old_side["layers"].values()
    if any(layer.get("wire") == "http-problem" for layer in layers):
        return BODY
    return in_body("docs_url")(change)


def policy(change: Change) -> Level:
    """`wire` if the other policy makes another promise (`retryable`); else `note`."""
    old = change.old_side["retry_policies"].get(change.old, {}).get("retryable")
    new = change.new_side["retry_policies"].get(change.new, {}).get("retryable")
    return WIRE if old != new else NOTE


def hidden(change: Change) -> Level:
    """`wire` if the error becomes internal, as clients no longer meet it; else `compatible`."""
    return WIRE if change.new == "internal" else COMPATIBLE


def gone(change: Change) -> Level:
    """`source` if code and name are reserved, so that old data misleads nobody; else `wire`."""
    for item in change.new_side.get("reserved", []):
        if item.get("code") == change.old["code"] and item.get("name") == change.old["name"]:
            return SOURCE
    return WIRE
