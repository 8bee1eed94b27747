"""What generated functions take: two catalogs in canonical form flow in, what is called otherwise flows out."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Side: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """A function that is called otherwise: what it is made of, what it took, what it takes, and what that means."""

    path: tuple[str, ...]
    old: tuple[str, ...]
    new: tuple[str, ...]
    note: str


def calls(old: Side, new: Side) -> Iterator[Call]:
    """Yield each function that takes something else because of what no single key of the catalog tells."""
    yield from _retries(old, new)
    for name, body in new.get("translations", {}).items():
        before = old.get("translations", {}).get(name)
        if before is not None and before["kind"] == body["kind"]:
            yield from _translation(("translations", name), before, body, old, new)


def _retries(old: Side, new: Side) -> Iterator[Call]:
    """Yield a change of how retries are asked for: by class of operation, or not."""
    before, after = tuple(sorted(old["operations"])), tuple(sorted(new["operations"]))
    if bool(before) != bool(after):
        note = "should_retry takes a class of operation" if after else "should_retry takes none"
        yield Call(("operations",), before, after, note)


def _translation(
    path: tuple[str, ...], before: Side, after: Side, old: Side, new: Side
) -> Iterator[Call]:
    """Yield a change of what a translation takes, where other errors are the reason."""
    # What has changed of an error is told of that; what fills a param is told of the translation.
    filled = {*before.get("fill", {}), *after.get("fill", {})}
    asked = _asked(before, _by_name(old) | _by_name(new), filled)
    asks = _asked(after, _by_name(new), filled)
    is_thrown = after["kind"] == "exception"
    more = [name for name, must in sorted(asks.items()) if must and not asked.get(name)]
    more = [name for name in more if not (is_thrown and name == "retryable")]
    less = [name for name in sorted(asked) if name not in asks]
    notes = [f"its function needs {', '.join(more)}"] if more else []
    notes += [f"its function takes no {', '.join(less)}"] if less else []
    if notes:
        yield Call(path, tuple(sorted(asked)), tuple(sorted(asks)), "; ".join(notes))


def _by_name(side: Side) -> dict[str, Side]:
    """Return every error by its name and aliases, with what its policy promises."""
    return {
        key: {**body, "retryable": side["retry_policies"][body["retry"]]["retryable"]}
        for name, body in side["errors"].items()
        for key in (name, *body.get("aliases", ()))
    }


def _asked(body: Side, errors: Mapping[str, Side], filled: set[str]) -> dict[str, bool]:
    """Return what the function of a translation takes, and whether it must be said."""
    names = (*body["map"].values(), body["default"])
    targets = [errors[name] for name in names if name in errors]
    asked = {name: False for item in targets for name in item.get("private_params", {})}
    asked |= {name: True for item in targets for name in item.get("params", {})}
    asked = {name: must for name, must in asked.items() if name not in filled}
    if any(item["retryable"] == "varies" for item in targets):
        asked["retryable"] = True
    return asked
