"""What the last build made, and of what: a Config flows in; what a build would say now flows out, or what it can keep.

Only `build` asks. A file is as recorded if its status is, as git's index has it, or else if its content is.
"""

import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from errgen.artifact import digest, manifest_of, misplaced, work_beside
from errgen.codes import DiagnosticCode
from errgen.config import CatalogConfig, Config
from errgen.diagnostics import Diagnostic, Location, shown_path
from errgen.record import read, seal, setting, stamps, status_of, write

# What was changed so shortly before it was recorded may be changed again without a trace in its times: clocks of file
# systems tick a hundred times a second, or where they know whole seconds alone, every other second.
_TICK_NS: Final = 50_000_000
_SLOW_TICK_NS: Final = 2_000_000_000
_SECOND_NS: Final = 1_000_000_000


class Told(NamedTuple):
    """What a build says of one catalog; `outputs` leads from paths to digests."""

    path: str
    name: str
    version: str
    errors: int
    warnings: tuple[Diagnostic, ...]
    outputs: Mapping[str, str]


class Built(NamedTuple):
    """What a build says: of each catalog, what it changed on disk (how, and which path), how many files it left."""

    told: tuple[Told, ...]
    changes: tuple[tuple[str, str], ...]
    unchanged: int


class Recent(NamedTuple):
    """What is left of the last build: for each catalog what it said if nothing has changed, and all if nothing has.

    `made_of` is what it was made of: as `sources`, without the marks of time.
    """

    kept: tuple[Told | None, ...]
    whole: Built | None
    made_of: Mapping[str, Any]


def recent(config: Config) -> Recent:
    """Say what of the last build is on disk as it was, made of what is there now."""
    record = read(config)
    # A record that makes no sense is none.
    with suppress(LookupError, TypeError, ValueError, OSError):
        if record is not None and record["setting"] == setting(config):
            return _recent(config, record)
    return Recent((None,) * len(config.catalogs), None, {})


def _recent(config: Config, record: Mapping[str, Any]) -> Recent:
    look = _Look(config.root, record)
    kept = []
    for item, entry in zip(config.catalogs, record["catalogs"], strict=True):
        is_same = look.is_same(item.path, is_output=False) and all(
            map(look.is_same, entry["outputs"])
        )
        kept.append(_told(config, item, entry) if is_same else None)
    told = tuple(filter(None, kept))
    is_whole = (
        len(told) == len(kept)
        and look.is_same(config.manifest)
        and not os.path.lexists(config.root / work_beside(config.manifest))
    )
    if is_whole and look.hashed:
        write(config, {**record, "made": look.began, "files": record["files"] | look.hashed})
    unchanged = sum(len(item.outputs) for item in told)
    return Recent(tuple(kept), Built(told, (), unchanged) if is_whole else None, record)


class _Look:
    """Compares files with their record; `hashed` are those whose content had to be read, as they are now."""

    def __init__(self, root: Path, record: Mapping[str, Any]) -> None:
        self.began = time.time_ns()
        self.hashed: dict[str, list[Any]] = {}
        self._root, self._made, self._files = root, record["made"], record["files"]

    def is_same(self, path: str, *, is_output: bool = True) -> bool:
        """Tell whether a file holds what it held; an output also stands where it may."""
        try:
            return not (is_output and misplaced(self._root, path)) and self._holds(path)
        except OSError:
            return False

    def _is_settled(self, changed: int) -> bool:
        """Tell whether a change after the last would show in the times of a file."""
        tick = _TICK_NS if changed % _SECOND_NS else _SLOW_TICK_NS
        # Windows has no time of change, only one that programs can set.
        return changed < self._made - tick and sys.platform != "win32"

    def _holds(self, path: str) -> bool:
        recorded = self._files[path]
        status = status_of(self._root / path)
        if status == recorded[:-1] and self._is_settled(max(recorded[1:3])):
            return True
        now = seal(self._root / path)
        if now is None or now[-1] != recorded[-1]:
            return False
        self.hashed[path] = now
        return True


def sources(config: Config) -> dict[str, Any]:
    """Return what a build is about to read, to be compared with what `keep` finds when it is done."""
    return {
        "setting": setting(config),
        "stamps": stamps(config),
        "files": {item.path: seal(config.root / item.path) for item in config.catalogs},
    }


def still(last: Recent, before: Mapping[str, Any]) -> tuple[Told | None, ...]:
    """Return what is left of each catalog if what a build is about to read is what `last` was compared with."""
    if not last.made_of or before["setting"] != last.made_of["setting"]:
        return (None,) * len(last.kept)
    now, known = before["files"], last.made_of["files"]
    return tuple(
        told if told and now[told.path] and now[told.path][-1] == known[told.path][-1] else None
        for told in last.kept
    )


def keep(config: Config, before: Mapping[str, Any], told: Sequence[Told]) -> None:
    """Record a build, unless what it read has changed meanwhile, or what it wrote is not there.

    Nothing depends on a record: one that cannot be written is none.
    """
    made = time.time_ns()
    after = sources(config)
    digests = {path: wanted for item in told for path, wanted in item.outputs.items()}
    digests |= {config.manifest: digest(manifest_of(digests)) or ""}
    files = after["files"] | {path: seal(config.root / path) for path in digests}
    is_sure = (
        after == before
        and after["setting"] is not None
        and all(files.values())
        and all(files[path][-1] == wanted for path, wanted in digests.items())
    )
    if not is_sure:
        return
    catalogs = [_entry(config, item) for item in told]
    write(config, {"setting": after["setting"], "made": made, "files": files, "catalogs": catalogs})


def _entry(config: Config, told: Told) -> dict[str, Any]:
    shown = shown_path(config.root / told.path)
    warnings = [item.moved("") for item in told.warnings if item.location.path == shown]
    return {
        "name": told.name,
        "version": told.version,
        "errors": told.errors,
        "outputs": told.outputs,
        "warnings": [
            [
                _place(item.location),
                item.code,
                item.message,
                item.help,
                [*map(_place, item.related)],
                item.detail,
            ]
            for item in warnings
        ],
    }


def _place(location: Location) -> list[Any]:
    return [location.path, location.line, location.column]


def _told(config: Config, item: CatalogConfig, entry: Mapping[str, Any]) -> Told:
    shown = shown_path(config.root / item.path)
    warnings = tuple(
        Diagnostic(
            Location(*place),
            DiagnosticCode(code),
            message,
            remedy,
            tuple(Location(*one) for one in related),
            detail,
        ).moved(shown)
        for place, code, message, remedy, related, detail in entry["warnings"]
    )
    return Told(
        item.path, entry["name"], entry["version"], entry["errors"], warnings, entry["outputs"]
    )
