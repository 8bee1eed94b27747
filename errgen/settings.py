"""What is wrong with settings: tables of a config flow in, problems in words flow out."""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Final

from errgen.words import closest, join_or

PUBLIC: Final = "public"
AUDIENCES: Final = ("internal", PUBLIC)
_KEYS: Final = ("catalog", "output", "templates", "targets", "audit")
_CATALOG_KEYS: Final = ("path", "output", "targets")
_AUDIT_KEYS: Final = ("layers", "exclude", "modules")
_OPTIONS: Final = ("output", "audience")
_MARKDOWN: Final = "markdown"
PAGES: Final = ("single", "per-category", "per-error")
# How like a known option a key must be to be taken for a slip.
_MISSPELT: Final = 0.8


def config_problems(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the general settings of a config."""
    yield from _unknown(body, _KEYS, "")
    yield from _problems(body)
    yield from _audit_problems(body.get("audit", {}))


def _audit_problems(audit: object) -> Iterator[str]:
    """Yield what is wrong with the settings of the audit."""
    if not isinstance(audit, Mapping):
        yield "audit must be a table"
        return
    yield from _unknown(audit, _AUDIT_KEYS, "audit.")
    layers = audit.get("layers", {})
    if not isinstance(layers, Mapping):
        yield "audit.layers must be a table that leads from a layer to a list of paths"
        layers = {}
    lists = {f"layers.{name}": paths for name, paths in layers.items()}
    for key, value in {
        **lists,
        "exclude": audit.get("exclude", []),
        "modules": audit.get("modules", []),
    }.items():
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            yield f"audit.{key} must be a list of texts"


def catalog_problems(entries: Sequence[object]) -> Iterator[str]:
    """Yield what is wrong with the settings of each catalog of a config."""
    if not entries:
        yield "catalog is an empty list"
    for entry in entries:
        if not isinstance(entry, Mapping) or not isinstance(entry.get("path"), str):
            yield "catalog must be a path, or a list of paths and of tables with a path"
            continue
        yield from _unknown(entry, _CATALOG_KEYS, "catalog.")
        yield from _problems(entry)


def _unknown(body: Mapping[str, Any], known: tuple[str, ...], prefix: str) -> Iterator[str]:
    for key in body:
        if key not in known:
            hint = f"; {closest(key, known) or 'known are ' + ', '.join(known)}"
            yield f"unknown key '{prefix}{key}'{hint}"


def _problems(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the settings that a config and each of its catalogs share."""
    for key in ("output", "templates", "path"):
        if key in body and (problem := _path_problem(body[key])):
            yield f"{key} {problem}"
    targets = body.get("targets", {})
    names = targets if isinstance(targets, list) else []
    if targets == []:
        yield "targets is an empty list, so that nothing would be built"
    if not isinstance(targets, list | Mapping) or not all(isinstance(name, str) for name in names):
        yield "targets must be a list of names, or a table"
    if not isinstance(targets, Mapping):
        return
    for name, target in targets.items():
        yield from _target_problems(name, target)


def _target_problems(name: str, target: object) -> Iterator[str]:
    if not isinstance(target, Mapping):
        if not isinstance(target, bool):
            yield f"targets.{name} must be a table, true or false"
        return
    if problem := _path_problem(target.get("output", "x")):
        yield f"targets.{name}.output {problem}"
    if target.get("audience", PUBLIC) not in AUDIENCES:
        yield f"targets.{name}.audience must be {' or '.join(AUDIENCES)}"
    known: tuple[str, ...] = _OPTIONS
    if name == _MARKDOWN:
        known += ("pages", "front_matter")
        if target.get("pages", PAGES[0]) not in PAGES:
            yield f"targets.{name}.pages must be {join_or(PAGES)}"
        if not isinstance(target.get("front_matter", False), bool):
            yield f"targets.{name}.front_matter must be true or false"
    # Templates of the project may have options of their own, so that only what is misspelt is refused.
    for key in sorted(target.keys() - set(known)):
        for near in difflib.get_close_matches(key, known, n=1, cutoff=_MISSPELT):
            yield f"unknown key 'targets.{name}.{key}'; did you mean '{near}'?"


def _path_problem(path: object) -> str:
    if not isinstance(path, str) or not path.strip():
        return "must be a path"
    pure = PurePosixPath(path.replace("\\", "/"))
    if pure.is_absolute() or ":" in "".join(pure.parts[:1]):
        return f"'{path}' must be relative to the folder of the config"
    depth = 0
    for part in pure.parts:
        depth += -1 if part == ".." else 1
        if depth < 0:
            return f"'{path}' leads out of the folder of the config"
    return ""
