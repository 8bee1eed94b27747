"""Change several files together or not at all: paths and texts flow in, one whole set is on disk.

What is new and a copy of what is old are put into a work folder, then a journal appears in it,
then the new files are moved into place, then the journal goes. As long as there is a journal,
whoever comes next puts the old files back; so a build may die between any two steps.
"""

import errno
import hashlib
import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Final

from errgen.artifact import digest, look

if sys.platform == "win32":
    import msvcrt
    import tempfile
else:
    import fcntl

JOURNAL: Final = "journal.json"


@contextmanager
def settled(root: Path, work: str) -> Iterator[None]:
    """Wait until no other process changes files below root, and end what a dead one left.

    The lock dies with its process. Raises OSError.
    """
    if sys.platform == "win32":
        name = hashlib.sha256(str(root.resolve()).casefold().encode()).hexdigest()[:16]
        place = Path(tempfile.gettempdir()) / f"errgen-{name}.lock"
        handle = os.open(place, os.O_CREAT | os.O_RDWR)
    else:
        handle = os.open(root, os.O_RDONLY)
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
        else:
            # Some network filesystems cannot lock a folder; no lock is better than no build.
            with suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_EX)
        _settle(root, work)
        yield
    finally:
        os.close(handle)


def replace_all(root: Path, work: str, texts: Mapping[str, str | None]) -> None:
    """Give every path its text, or remove the file where that is None: all of them or none.

    It happens within `settled`. Raises what went wrong once the old files are back.
    """
    try:
        _stage(root, root / work, texts)
        _apply(root, root / work, texts)
    finally:
        _settle(root, work)


def _settle(root: Path, work: str) -> None:
    """End what a change left behind: without a journal it is done, with one it is undone."""
    seen = look(root, f"{work}/{JOURNAL}")
    if seen.problem:
        raise FileExistsError(errno.EEXIST, seen.problem, f"{work}/{JOURNAL}")
    if seen.text is not None:
        steps = _steps(seen.text)
        for index, (path, (had_old, new)) in enumerate(steps.items()):
            _undo(root, path, new, root / work / f"{index}.old" if had_old else None)
        _sync_folders(root, steps)
        (root / work / JOURNAL).unlink()
    # What stays without a journal does no harm, and the next build tries again.
    shutil.rmtree(root / work, ignore_errors=True)
    _prune(root, (root / work).parent)


def _stage(root: Path, work: Path, texts: Mapping[str, str | None]) -> None:
    work.mkdir(parents=True, exist_ok=True)
    # What a killed build leaves must not be committed: a journal is obeyed.
    _put(work / ".gitignore", b"*\n")
    steps = {}
    for index, (path, text) in enumerate(texts.items()):
        target, new, old = root / path, work / f"{index}.new", work / f"{index}.old"
        had_old = target.exists()
        if text is not None:
            _put(new, text.encode())
        if text is not None and had_old:
            shutil.copymode(target, new)
        if had_old:
            _put(old, target.read_bytes())
            shutil.copystat(target, old)
        steps[path] = had_old, digest(text)
    _put(work / "journal.new", json.dumps(steps).encode())
    (work / "journal.new").replace(work / JOURNAL)
    _sync(work)


def _apply(root: Path, work: Path, texts: Mapping[str, str | None]) -> None:
    for index, (path, text) in enumerate(texts.items()):
        target = root / path
        if text is None:
            target.unlink()
            _prune(root, target.parent)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            (work / f"{index}.new").replace(target)
    _sync_folders(root, texts)
    (work / JOURNAL).unlink()


def _steps(journal: str) -> dict[str, tuple[bool, str | None]]:
    """Return for each path whether it had a file, and the digest of its new one, if any.

    A damaged journal has no steps: the next build makes every file right without it.
    """
    steps: dict[str, tuple[bool, str | None]] = {}
    with suppress(ValueError, AttributeError, RecursionError):
        for path, step in json.loads(journal).items():
            match step:
                case [bool(had_old), (str() | None) as new]:
                    steps[path] = had_old, new
                case _:
                    return {}
    return steps


def _undo(root: Path, path: str, new: str | None, backup: Path | None) -> None:
    target, seen = root / path, look(root, path)
    if seen.problem and seen.is_file:
        raise FileExistsError(errno.EEXIST, seen.problem, path)
    if seen.problem:
        return
    # A file that is not as the build left it is old already, or someone else's by now.
    if digest(seen.text) == new:
        if backup is None:
            target.unlink(missing_ok=True)
        elif backup.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            backup.replace(target)
    if backup is None:
        _prune(root, target.parent)


def _put(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        except OSError as error:
            # A full disk does not say which file it could not take.
            error.filename = error.filename or str(path)
            raise


def _sync_folders(root: Path, paths: Iterable[str]) -> None:
    for folder in {folder for path in paths for folder in PurePosixPath(path).parents}:
        _sync(root / folder)


def _sync(folder: Path) -> None:
    # Windows and some network filesystems cannot sync a folder, and a pruned one is gone.
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _prune(root: Path, folder: Path) -> None:
    """Remove a folder and those above it, below root, as far as they are empty."""
    while folder != root:
        try:
            folder.rmdir()
        except FileNotFoundError:
            pass  # gone before a kill; the ones above it may still be there
        except OSError:
            return
        folder = folder.parent
