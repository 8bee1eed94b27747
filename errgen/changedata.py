"""Tell programs what has changed since a base: changes flow in, JSON flows out."""

import json
from collections.abc import Iterable
from typing import Any

from errgen.changes import Since, place, sentence
from errgen.compare import Delta
from errgen.versions import pays


def as_json(changes: Iterable[Since]) -> str:
    """Return all changes as a JSON array with an object a catalog."""
    return json.dumps([_data(change) for change in changes], ensure_ascii=False, indent=2) + "\n"


def _data(change: Since) -> dict[str, Any]:
    before, version, least = change.versions
    return {
        "path": change.new.path,
        "base": change.base,
        "version": {"old": before, "new": version, "owed": least, "paid": pays(version, least)},
        "breaking": change.is_breaking,
        "changes": [_change(delta, change) for delta in change.deltas],
    }


def _change(delta: Delta, change: Since) -> dict[str, Any]:
    where = place(delta, change)
    return {
        "level": delta.level,
        "kind": delta.kind,
        "path": list(delta.path),
        "old": delta.old,
        "new": delta.new,
        "message": sentence(delta, change),
        "line": where.line,
        "column": where.column,
    }
