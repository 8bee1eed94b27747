"""What is wrong with settings: tables of a config flow in, problems with their places and remedies flow out."""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

from errgen.tomlplaces import KeyPath
from errgen.words import closest, join_or, shorten

PUBLIC: Final = "public"
AUDIENCES: Final = ("internal", PUBLIC)
_KEYS: Final = ("catalog", "output", "templates", "targets", "audit")
_CATALOG_KEYS: Final = ("path", "output", "targets")
_AUDIT_KEYS: Final = ("layers", "exclude", "modules")
_OPTIONS: Final = ("output", "audience")
_MARKDOWN: Final = "markdown"
_MARKDOWN_OPTIONS: Final = ("pages", "front_matter")
PAGES: Final = ("single", "per-category", "per-error")
# Where a setting belongs that stands elsewhere.
_HOMES: Final = {
    **dict.fromkeys(_AUDIT_KEYS, "audit"),
    **dict.fromkeys(_MARKDOWN_OPTIONS, f"targets.{_MARKDOWN}"),
    "audience": "targets.<name>",
}
# How like a known option a key must be to be taken for a slip.
_MISSPELT: Final = 0.8
_PATH_REMEDY: Final = "write a path below the folder of the config"
_TARGETS_REMEDY: Final = 'write targets = ["python"], or a table [targets.python]'


class Problem(NamedTuple):
    """A setting that is wrong: where it is, below the settings of errgen, what is wrong, and what to write."""

    path: KeyPath
    text: str
    remedy: str


def config_problems(body: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is wrong with the general settings of a config."""
    yield from _unknown(body, _KEYS, ())
    yield from _problems(body, (), has_templates="templates" in body)
    yield from _audit_problems(body.get("audit", {}))


def _audit_problems(audit: object) -> Iterator[Problem]:
    """Yield what is wrong with the settings of the audit."""
    if not isinstance(audit, Mapping):
        yield _wrong(("audit",), "must be a table", audit, "write [audit]")
        return
    yield from _unknown(audit, _AUDIT_KEYS, ("audit",))
    layers = audit.get("layers", {})
    if not isinstance(layers, Mapping):
        must = "must be a table that leads from a layer to a list of paths"
        yield _wrong(("audit", "layers"), must, layers, "write [audit.layers]")
        layers = {}
    lists: dict[tuple[str, ...], Any] = {("layers", name): paths for name, paths in layers.items()}
    for key, value in {
        **lists,
        ("exclude",): audit.get("exclude", []),
        ("modules",): audit.get("modules", []),
    }.items():
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            remedy = f'write {key[-1]} = ["…"]'
            yield _wrong(("audit", *key), "must be a list of texts", value, remedy)


def catalog_problems(entries: Sequence[object], body: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is wrong with the settings of each catalog of a config."""
    remedy = 'write catalog = "catalog/errors.yaml"'
    if not entries:
        yield Problem(("catalog",), "catalog is an empty list", remedy)
    is_list = isinstance(body.get("catalog"), list)
    for index, entry in enumerate(entries):
        path: KeyPath = ("catalog", index) if is_list else ("catalog",)
        if not isinstance(entry, Mapping) or not isinstance(entry.get("path"), str):
            problem = "catalog must be a path, or a list of paths and of tables with a path"
            yield Problem(path, f"{problem}{_but(entry)}", remedy)
            continue
        yield from _unknown(entry, _CATALOG_KEYS, path)
        yield from _problems(entry, path, has_templates="templates" in body)


def _unknown(body: Mapping[str, Any], known: tuple[str, ...], path: KeyPath) -> Iterator[Problem]:
    for key in body:
        if key not in known:
            home = _HOMES.get(key, "")
            remedy = f"write it below [{home}]" if home else ""
            remedy = remedy or closest(key, known) or f"known are {', '.join(known)}"
            if not path and key in ("tool", "errgen"):
                remedy = "errgen.toml has the settings without [tool.errgen] above: write [targets]"
            yield Problem((*path, key), f"unknown key '{_dotted((*path, key))}'", remedy)


def _problems(body: Mapping[str, Any], path: KeyPath, *, has_templates: bool) -> Iterator[Problem]:
    """Yield what is wrong with the settings that a config and each of its catalogs share."""
    for key in ("output", "templates", "path"):
        if key in body and (problem := _path_problem(body[key])):
            yield Problem((*path, key), f"{key} {problem}", _PATH_REMEDY)
    targets = body.get("targets", {})
    names = targets if isinstance(targets, list) else []
    if targets == []:
        problem = "targets is an empty list, so that nothing would be built"
        yield Problem((*path, "targets"), problem, _TARGETS_REMEDY)
    if not isinstance(targets, list | Mapping) or not all(isinstance(name, str) for name in names):
        must = "must be a list of names, or a table"
        yield _wrong((*path, "targets"), must, targets, _TARGETS_REMEDY)
    if not isinstance(targets, Mapping):
        return
    for name, target in targets.items():
        for found in _target_problems(name, target, has_templates=has_templates):
            yield found._replace(path=(*path, *found.path))


def _target_problems(name: str, target: object, *, has_templates: bool) -> Iterator[Problem]:
    path: KeyPath = ("targets", name)
    if not isinstance(target, Mapping):
        if not isinstance(target, bool):
            remedy = f"write [targets.{name}], or {name} = false to leave the target out"
            yield _wrong(path, "must be a table, true or false", target, remedy)
        return
    if problem := _path_problem(target.get("output", "x")):
        yield Problem((*path, "output"), f"targets.{name}.output {problem}", _PATH_REMEDY)
    yield from _choice((*path, "audience"), target, AUDIENCES)
    known: tuple[str, ...] = _OPTIONS
    if name == _MARKDOWN:
        known += _MARKDOWN_OPTIONS
        yield from _choice((*path, "pages"), target, PAGES)
        if not isinstance(target.get("front_matter", False), bool):
            yield _wrong(
                (*path, "front_matter"),
                "must be true or false",
                target["front_matter"],
                "write front_matter = true",
            )
    for key in sorted(target.keys() - set(known)):
        near = difflib.get_close_matches(key, known, n=1, cutoff=_MISSPELT)
        # Templates of the project may have options of their own, so that only what is misspelt is refused.
        if near or not has_templates:
            text = f"unknown key 'targets.{name}.{key}'"
            yield Problem((*path, key), text, _option_remedy(key, near, known))


def _option_remedy(key: str, near: Sequence[str], known: Sequence[str]) -> str:
    if near:
        return f"did you mean '{near[0]}'?"
    if key in _MARKDOWN_OPTIONS:
        return f"it is an option of the target {_MARKDOWN}: write it below [targets.{_MARKDOWN}]"
    return f"known are {', '.join(known)}; others are for templates of your own"


def _choice(
    path: KeyPath, target: Mapping[str, Any], choices: tuple[str, ...]
) -> Iterator[Problem]:
    key = str(path[-1])
    value = target.get(key, choices[0])
    if value not in choices:
        near = closest(value, choices) if isinstance(value, str) else ""
        remedy = near or f'write {key} = "{choices[-1]}"'
        yield _wrong(path, f"must be {join_or(choices)}", value, remedy)


def _wrong(path: KeyPath, must: str, value: object, remedy: str) -> Problem:
    return Problem(path, f"{_dotted(path)} {must}{_but(value)}", remedy)


def _but(value: object) -> str:
    """Say what stands there instead."""
    match value:
        case bool():
            return f", not {str(value).lower()}"
        case str():
            return f", not '{shorten(value)}'"
        case list():
            return f", not {_listed(value)}"
        case Mapping():
            return f", not a table{'' if value else ' that is empty'}"
        case _:
            return f", not {shorten(str(value))}"


def _listed(values: list[Any]) -> str:
    others = [item for item in values if not isinstance(item, str)]
    return f"a list with{_but(others[0]).removeprefix(', not')}" if others else "a list"


def _dotted(path: KeyPath) -> str:
    return ".".join(part for part in path if isinstance(part, str))


def _path_problem(path: object) -> str:
    if not isinstance(path, str) or not path.strip():
        return f"must be a path{_but(path)}"
    pure = PurePosixPath(path.replace("\\", "/"))
    if pure.is_absolute() or ":" in "".join(pure.parts[:1]):
        return f"'{path}' must be relative to the folder of the config"
    depth = 0
    for part in pure.parts:
        depth += -1 if part == ".." else 1
        if depth < 0:
            return f"'{path}' leads out of the folder of the config"
    return ""
