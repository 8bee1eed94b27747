"""Compare artifacts with the files on disk and write them: Artifacts flow in, a Plan flows out.

errgen overwrites and removes only what it wrote: the files that its manifest lists, and those that
carry its mark. Everything else stands in the way of a build until its owner moves it.
"""

import difflib
import errno
import io
import os
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Final

from errgen.artifact import (
    Artifact,
    Seen,
    digest,
    files_in,
    folded,
    look,
    manifest_of,
    origin,
    texts_of,
    work_beside,
)
from errgen.staging import JOURNAL, replace_all, settled

_SHOWN_LINES: Final = 200
_SET: Final = "set another output path in the config"
_LIST: Final = "list both catalogs in the config, with an output path for each"
_MOVE: Final = f"move it away or {_SET}"


class ChangeKind(StrEnum):
    """What a build does to a file: it is missing, differs, or is no longer made."""

    CREATE = "create"
    UPDATE = "update"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Change:
    """A file to write or remove; texts have LF line ends, and None means no file."""

    kind: ChangeKind
    path: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class Blocked:
    """A path where errgen would harm what it did not write, why, and how to proceed."""

    path: str
    reason: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What a build would do, sorted by path; `unchanged` are artifacts, the manifest left out.

    `interrupted` tells of a build that died, or is busy, between its first change and its last.
    """

    root: Path
    manifest: str
    artifacts: tuple[Artifact, ...]
    changes: tuple[Change, ...]
    blocked: tuple[Blocked, ...]
    unchanged: tuple[str, ...]
    manifest_problem: str | None
    interrupted: bool
    partial: bool


def plan(
    artifacts: Sequence[Artifact], root: Path, manifest: str, *, partial: bool = False
) -> Plan:
    """Compare artifacts with the disk, which is only read; paths are relative to root.

    With `partial`, listed files that are no artifacts are left alone and stay listed.
    Raises ValueError if two artifacts have one path, be it only where case does not count.
    """
    texts = texts_of(artifacts)
    seen = look(root, manifest)
    listed, problem = files_in(seen.text)
    results = [_compare(look(root, path), path, text, listed) for path, text in texts.items()]
    results += _clashes(texts, manifest)
    results += _foreign(root, texts) if partial else []
    rest = {path: listed[path] for path in listed.keys() - texts.keys() - {manifest}}
    if not partial:
        results += [_stale(root, path, rest.pop(path), texts) for path in sorted(rest)]
    if files := rest | {path: digest(text) for path, text in texts.items()}:
        results.append(_compare(seen, manifest, manifest_of(files), {manifest}))
    elif seen.text is not None:
        results.append(Change(ChangeKind.REMOVE, manifest, seen.text, None))
    journal = look(root, f"{work_beside(manifest)}/{JOURNAL}")
    if journal.problem:
        results.append(Blocked(work_beside(manifest), journal.problem, _MOVE))
    blocked = {item.path: item for item in results if isinstance(item, Blocked)}
    changes = {item.path: item for item in results if isinstance(item, Change)}
    return Plan(
        root=root,
        manifest=manifest,
        artifacts=tuple(artifacts),
        changes=tuple(changes[path] for path in sorted(changes.keys() - blocked.keys())),
        blocked=tuple(blocked[path] for path in sorted(blocked)),
        unchanged=tuple(sorted(texts.keys() - changes.keys() - blocked.keys())),
        manifest_problem=problem,
        interrupted=journal.text is not None,
        partial=partial,
    )


def write(planned: Plan) -> None:
    """Make the changes of a plan, all or none, as the disk needs them once no other build runs.

    Raises ValueError for a plan with blocked paths, and OSError once the old files are back.
    """
    if planned.blocked:
        raise ValueError(planned.blocked[0])
    if not planned.changes and not planned.interrupted:
        return
    root, manifest = planned.root, planned.manifest
    with settled(root, work_beside(manifest)):
        fresh = plan(planned.artifacts, root, manifest, partial=planned.partial)
        for item in fresh.blocked:
            raise FileExistsError(errno.EEXIST, f"{item.reason}: {item.remedy}", item.path)
        # The manifest goes last, so that no reader finds it ahead of its files.
        changes = sorted(fresh.changes, key=lambda change: change.path == manifest)
        if changes:
            replace_all(
                root, work_beside(manifest), {change.path: change.new for change in changes}
            )


def recover(root: Path, manifest: str) -> None:
    """Put the old files back if a build died while it wrote, and clear up. Raises OSError."""
    work = work_beside(manifest)
    # What is no folder of errgen's own is left for `plan` to report.
    if (root / work).is_dir() and not look(root, f"{work}/{JOURNAL}").problem:
        with settled(root, work):
            pass


def create(root: Path, artifact: Artifact) -> bool:
    """Write a file unless something is there; tell whether it was written. Raises OSError."""
    work = work_beside(".")
    with settled(root, work):
        if os.path.lexists(root / artifact.path):
            return False
        if problem := look(root, artifact.path).problem:
            raise FileExistsError(errno.EEXIST, problem, artifact.path)
        replace_all(root, work, {artifact.path: artifact.text})
        return True


def diff(change: Change) -> str:
    """Return a unified diff from the text on disk to the one that a build writes, cut after some 200 lines.

    A file that is missing or stale has none: it is there as a whole or not at all.
    """
    if change.kind is not ChangeKind.UPDATE:
        return ""
    old = "/dev/null" if change.old is None else f"{change.path} (on disk)"
    new = "/dev/null" if change.new is None else f"{change.path} (errgen build)"
    lines = difflib.unified_diff(_lines(change.old), _lines(change.new), old, new)
    shown = [
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    ]
    rest = len(shown) - _SHOWN_LINES
    return "".join([*shown[:_SHOWN_LINES], *([f"… and {rest} more lines\n"] if rest > 0 else [])])


def _lines(text: str | None) -> list[str]:
    # Bytes that are not UTF-8 cannot be printed; and unlike splitlines, only LF ends a line.
    shown = (text or "").encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return io.StringIO(shown).readlines()


def _clashes(texts: Collection[str], manifest: str) -> Iterator[Blocked]:
    own = {folded(manifest), folded(work_beside(manifest))}
    files = {folded(path) for path in texts} | own
    for path in (*texts, manifest):
        above = {folded(folder.as_posix()) for folder in PurePosixPath(path).parents}
        if above & files or (path in texts and folded(path) in own):
            yield Blocked(path, "clashes with another path that errgen writes", _SET)


def _compare(seen: Seen, path: str, text: str, ours: Container[str]) -> Change | Blocked | None:
    if seen.problem:
        return Blocked(path, seen.problem, _MOVE)
    if seen.text is None:
        return Change(ChangeKind.CREATE, path, None, text)
    if seen.text == text:
        return None
    if path in ours or seen.is_marked:
        return Change(ChangeKind.UPDATE, path, seen.text, text)
    return Blocked(path, "exists and errgen did not write it", _MOVE)


def _foreign(root: Path, texts: Mapping[str, str]) -> Iterator[Blocked]:
    """Yield outputs that were made from another catalog than the one that is built on its own."""
    for path, text in texts.items():
        theirs, ours = origin(look(root, path).text), origin(text)
        if theirs and ours and theirs != ours:
            yield Blocked(path, f"was made from {theirs}, and would be made from {ours}", _LIST)


def _stale(root: Path, path: str, recorded: str, texts: Collection[str]) -> Change | Blocked | None:
    """Judge a listed file that is made no longer."""
    seen = look(root, path)
    # Where case does not count, a renamed output is still the same file.
    same = (root / other for other in texts if folded(other) == folded(path))
    if not seen.is_file or any(other.exists() and other.samefile(root / path) for other in same):
        return None
    if digest(seen.text) != recorded:
        problem = f"is no longer made by errgen, but {seen.problem or 'was edited since'}"
        return Blocked(path, problem, "delete it or move it away")
    return Change(ChangeKind.REMOVE, path, seen.text, None)
