"""The record of a build on disk, and the marks by which files and tools are known again.

It lies in the user's cache folder, so that nothing which is pushed can claim to be built.
"""

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from stat import S_ISREG
from typing import Any, Final

from errgen import __version__
from errgen.artifact import digest_of
from errgen.config import Config
from errgen.resources import PACKAGE, templates_dir

_FORMAT: Final = 1
_MOST_RECORDS: Final = 200
# Packages whose version can change what a build makes, with the names of their distributions.
_PACKAGES: Final = {
    "black": "black",
    "jinja2": "jinja2",
    "jsonschema": "jsonschema",
    "markupsafe": "markupsafe",
    "yaml": "pyyaml",
}


def _folder() -> Path:
    if sys.platform == "win32":
        return (
            Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
            / "errgen"
            / "cache"
        )
    # Where the folder is relative, its standard wants it ignored; it could lie in the project, and be pushed.
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (given if given.is_absolute() else Path.home() / ".cache") / "errgen"


def _file(config: Config) -> Path:
    # Several configs may stand in one folder, each with outputs of its own.
    name = hashlib.sha256(
        f"{config.root.resolve()}\0{config.file}".encode("utf-8", "surrogateescape")
    )
    return _folder() / f"{name.hexdigest()[:32]}.json"


def read(config: Config) -> dict[str, Any] | None:
    """Return what is recorded of a project, or None."""
    # Without a home there is a RuntimeError.
    with suppress(OSError, ValueError, RuntimeError, RecursionError):
        record = json.loads(_file(config).read_bytes())
        return record if isinstance(record, dict) else None
    return None


def write(config: Config, record: Mapping[str, Any]) -> None:
    """Record something of a project, or nothing where that cannot be; the oldest records of others go."""
    with suppress(OSError, RuntimeError):
        place = _file(config)
        place.parent.mkdir(parents=True, exist_ok=True)
        new = place.with_suffix(f".{os.getpid()}.new")
        new.write_text(json.dumps(record), "utf-8")
        new.replace(place)
        records = sorted(place.parent.iterdir(), key=lambda path: path.stat().st_mtime)
        for old in records[:-_MOST_RECORDS]:
            old.unlink()


def setting(config: Config) -> str | None:
    """Return a hash of all that a build depends on but its catalogs, or None where it cannot be told."""
    try:
        versions = _versions()
        own = [] if config.templates is None else [*_entries(config.root / config.templates)]
    except OSError:
        return None
    if versions is None or config.is_partial:
        return None
    facts = (
        _FORMAT,
        __version__,
        sys.version,
        versions,
        [_trace(entry) for folder in (PACKAGE, templates_dir()) for entry in _own_files(folder)],
        (config.root, config.file, config.output, config.templates),
        [
            (item.path, item.output, item.targets, item.only, sorted(item.without))
            for item in config.catalogs
        ],
        [(entry.path, (seal(Path(entry.path)) or [None])[-1]) for entry in own],
    )
    return hashlib.sha256(repr(facts).encode("utf-8", "surrogateescape")).hexdigest()


def stamps(config: Config) -> list[tuple[str, int]] | None:
    """Return when each file and folder of a project's templates was changed last, or None where it cannot be told."""
    if config.templates is None:
        return []
    folder = config.root / config.templates
    with suppress(OSError):
        entries = [(entry.path, entry.stat().st_ctime_ns) for entry in _entries(folder)]
        return [(str(folder), folder.stat().st_ctime_ns), *entries]
    return None


def seal(path: Path) -> list[Any] | None:
    """Return the status of a regular file and the digest of its content, or None."""
    with suppress(OSError, ValueError):
        status = status_of(path)
        if status is not None:
            return [*status, digest_of(path.read_bytes())]
    return None


def status_of(path: Path) -> list[int] | None:
    """Return by what a regular file shows that it was not changed, or None. Raises OSError."""
    found = path.stat()
    if not S_ISREG(found.st_mode):
        return None
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]


def _entries(folder: Path | str, without: str = "") -> Iterator[os.DirEntry[str]]:
    """Yield the files and folders below a folder, in one order everywhere, except folders of some name."""
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if not entry.is_dir():
                yield entry
            elif entry.name != without:
                yield entry
                yield from _entries(entry.path, without)


def _own_files(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Yield the files of errgen itself in a folder, those left out that are compiled of others."""
    return (entry for entry in _entries(folder, "__pycache__") if not entry.is_dir())


def _trace(file: os.DirEntry[str]) -> tuple[str, int, int, int]:
    """Return by what Python too knows whether a module is as it was, and when it was changed or put there."""
    status = file.stat()
    return file.path, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _versions() -> list[str] | None:
    """Return where packages are, and the folders that say which versions; not read, as reading takes too long."""
    found = []
    for package, distribution in _PACKAGES.items():
        spec = find_spec(package)
        if spec is None or spec.origin is None:
            return None
        with os.scandir(Path(spec.origin).parents[1]) as entries:
            names = [
                entry.name
                for entry in entries
                if entry.name.casefold().startswith(f"{distribution}-")
                and entry.name.endswith("-info")
            ]
        if len(names) != 1:
            return None
        found += [spec.origin, *names]
    return found
