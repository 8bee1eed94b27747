"""Tell what has changed since a base: documents flow in; findings, text and a Markdown report flow out."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from errgen import reservations
from errgen.canonical import DURATIONS
from errgen.codes import DiagnosticCode as Code
from errgen.compare import Delta, compare
from errgen.diagnostics import Diagnostic, Location, finding
from errgen.guidance import duration
from errgen.levels import Level
from errgen.source import Document
from errgen.versions import owed, pays
from errgen.words import describe, shorten

_CODES: Final = {
    Level.WIRE: Code.WIRE_CHANGE,
    Level.BODY: Code.BODY_CHANGE,
    Level.SOURCE: Code.SOURCE_CHANGE,
    Level.COMPATIBLE: Code.COMPATIBLE_CHANGE,
    Level.NOTE: Code.NOTE_CHANGE,
}
_HEADINGS: Final = {
    Level.WIRE: "Breaks clients that know only code, category and retry rule",
    Level.BODY: "Breaks clients that read the body",
    Level.SOURCE: "Breaks programs that are compiled against the names",
    Level.COMPATIBLE: "New, and breaks nobody",
    Level.NOTE: "Breaks nobody",
}
# Of an entry that is new or gone, a table shows the first of these that it has.
_SAYINGS: Final = ("message", "title", "reason", "description")
_MARKS: Final = str.maketrans({char: "\\" + char for char in "\\`*_{}[]<>|#"})


@dataclass(frozen=True, slots=True)
class Since:
    """A catalog now and at a base, of which it may know nothing, with the changes between them, the worst first."""

    base: str
    old: Document | None
    new: Document
    deltas: tuple[Delta, ...]

    @property
    def is_breaking(self) -> bool:
        """Tell whether somebody breaks."""
        return any(delta.level.is_breaking for delta in self.deltas)

    @property
    def versions(self) -> tuple[str | None, str, str]:
        """Return the version at the base, the one now, and the least that is owed."""
        version = str(self.new.data["version"])
        if self.old is None:
            return None, version, version
        before = str(self.old.data["version"])
        return before, version, owed(before, (delta.level for delta in self.deltas))


def since(base: str, old: Document | None, new: Document) -> Since:
    """Compare two valid catalogs; without an older one, all of the newer one is new."""
    return Since(base, old, new, compare(old.data, new.data) if old else ())


def findings(change: Since) -> tuple[Diagnostic, ...]:
    """Return a finding a change, the worst first, each where it stands in the newer catalog."""
    return tuple(
        finding(
            _CODES[delta.level],
            place(delta, change),
            change=sentence(delta, change),
        )
        for delta in change.deltas
    )


def place(delta: Delta, change: Since) -> Location:
    """Return where a change stands in the newer catalog; a retired error stands in its reservation."""
    if delta.kind == "removed" and delta.path[:-1] == ("errors",):
        tomb = reservations.tombstone(change.new.data, str(delta.path[1]))
        if tomb is not None:
            return change.new.locate("reserved", tomb)
    return change.new.locate(*delta.path, key=delta.kind == "added")


def unpaid(change: Since) -> Iterator[Diagnostic]:
    """Yield a finding if the version is lower than the one that is owed; its detail says for what."""
    before, version, least = change.versions
    if before is None or pays(version, least):
        return
    worst = [delta for delta in change.deltas if delta.level == change.deltas[0].level]
    detail = "".join(f"  {delta.level}: {sentence(delta, change)}\n" for delta in worst)
    if rest := len(change.deltas) - len(worst):
        detail += f"  and {rest} more of lower levels\n"
    yield finding(
        Code.VERSION_OWED,
        change.new.locate("version"),
        version=version,
        base=f"{before} at {change.base}",
        help=f"write version: {least}",
        detail=detail,
    )


def sentence(delta: Delta, change: Since) -> str:
    """Say what has changed: `retryable of retry policy 'backoff': true -> false`."""
    subject = _subject(delta, change)
    if delta.note.startswith("renamed"):
        return f"{subject} was called {delta.old}: {delta.note}"
    old, new = _values(delta)
    note = f" ({delta.note})" if delta.note else ""
    match delta.kind:
        case "added":
            return f"{subject} is new{f': {new}' if new else ''}{note}"
        case "removed":
            return f"{subject} is gone{f': it was {old}' if old else ''}{note}"
        case _:
            return (
                f"{subject}: {old} -> {new}{note}"
                if old and new
                else f"{subject} has changed{note}"
            )


def _subject(delta: Delta, change: Since) -> str:
    if delta.path[0] != "reserved":
        return f"{describe(delta.path)}{_code(delta, change)}"
    now = len(delta.path) > 1
    item = change.new.data["reserved"][delta.path[1]] if now else delta.old
    return reservations.subject(item, delta.path[2:])


def _code(delta: Delta, change: Since) -> str:
    """Return the number of an error, which readers of logs know better than its name."""
    if delta.path[:1] != ("errors",) or len(delta.path) < _ENTRY:
        return ""
    for document in (change.new, change.old):
        entry: Any = document.data["errors"].get(delta.path[1]) if document else None
        if entry and "code" in entry:
            return f" ({entry['code']})"
    return ""


_ENTRY: Final = 2


def _values(delta: Delta) -> tuple[str, str]:
    """Return both values as text; canonical durations are milliseconds."""
    if delta.path[0] == "retry_policies" and delta.path[-1] in DURATIONS:
        old, new = ("" if ms is None else duration(ms) for ms in (delta.old, delta.new))
        return old, new
    return _value(delta.old), _value(delta.new)


def _value(value: Any) -> str:
    if isinstance(value, dict | list) or value is None:
        return ""
    return shorten(json.dumps(value, ensure_ascii=False))


def summary(change: Since) -> str:
    """Say in a line how many changes there are of each level, and which version they owe."""
    before, version, least = change.versions
    shown = change.new.path
    if before is None:
        return f"{shown}: {version} is new, nothing of it existed at {change.base}"
    counts = [
        f"{count} {level}"
        for level in Level
        if (count := sum(delta.level is level for delta in change.deltas))
    ]
    debt = f"{least} was owed and is paid" if pays(version, least) else f"{least} is owed"
    told = f"{', '.join(counts)} ({debt})" if counts else "nothing has changed"
    return f"{shown}: {before} at {change.base}, {version} now: {told}"


def text(changes: Iterable[Since]) -> str:
    """Return a line a catalog, and below it a line a change with its level and place."""
    return "".join(f"{line}\n" for change in changes for line in (summary(change), *_lines(change)))


def _lines(change: Since) -> Iterator[str]:
    width = max((len(delta.level) for delta in change.deltas), default=0)
    for delta, item in zip(change.deltas, findings(change), strict=True):
        yield f"  {delta.level:<{width}}  {item.location}: {item.message}"


def markdown(changes: Sequence[Since]) -> str:
    """Return a report for a pull request: what clients will see, the worst first."""
    return "\n".join(line for change in changes for line in _report(change))


def _report(change: Since) -> Iterator[str]:
    before, version, least = change.versions
    yield f"## {_plain(change.new.path)}: {before or 'new'} → {version}"
    yield ""
    if before is None:
        yield f"The catalog did not exist at `{change.base}`."
        yield ""
        return
    if not change.deltas:
        yield f"Nothing has changed since `{change.base}`."
        yield ""
        return
    if not pays(version, least):
        yield f"**Version {least} is owed**, the catalog says {version}."
        yield ""
    for level in Level:
        items = [delta for delta in change.deltas if delta.level is level]
        if items:
            yield f"### {_HEADINGS[level]}"
            yield ""
            yield "| What | Before | After |"
            yield "| --- | --- | --- |"
            yield from (_row(delta, change) for delta in items)
            yield ""


def _row(delta: Delta, change: Since) -> str:
    subject = _plain(_subject(delta, change))
    note = f" — {_plain(delta.note)}" if delta.note else ""
    old, new = map(_cell, (delta.old, delta.new), _values(delta))
    return f"| {subject}{note} | {old} | {new} |"


def _cell(value: Any, shown: str) -> str:
    if value is None:
        return ""
    if isinstance(value, dict):
        shown = _value(next((value[key] for key in _SAYINGS if key in value), None))
    return _plain(shown) or "yes"


def _plain(text: str) -> str:
    return text.translate(_MARKS)
