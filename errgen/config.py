"""Find and read the configuration: a folder or catalog path flows in, what to build and where flows out."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, Final

from errgen.codes import DiagnosticCode as Code
from errgen.diagnostics import ConfigError, Diagnostic, Location, finding, shown_path
from errgen.settings import PUBLIC, Problem, catalog_problems, config_problems
from errgen.tomlplaces import KeyPath, place_of, told_place

CONFIG_FILES: Final = ("pyproject.toml", "errgen.toml")
DEFAULT_CATALOG: Final = PurePosixPath("catalog/errors.yaml")
DEFAULT_OUTPUT: Final = "generated"


@dataclass(frozen=True, slots=True)
class TargetConfig:
    """How one target is built: `output` is the path of its main file or None, `options` go to its templates."""

    output: str | None
    options: Mapping[str, Any]

    @property
    def is_public(self) -> bool:
        """Tell whether strangers read what the target makes."""
        return self.options.get("audience") == PUBLIC


@dataclass(frozen=True, slots=True)
class CatalogConfig:
    """One catalog: its path, its output folder and its targets; `only` lists the targets to build, or all if None."""

    path: str
    output: str
    targets: Mapping[str, TargetConfig]
    only: tuple[str, ...] | None
    without: frozenset[str]


@dataclass(frozen=True, slots=True)
class AuditConfig:
    """How source is audited; all patterns are of paths relative to the root, in which `**` means any folders.

    `layers` leads from a layer to the files that may use it, `exclude` are files whose findings are not
    told, and `modules` are imports that mean a generated module although no file of that path is there.
    """

    layers: Mapping[str, tuple[str, ...]]
    exclude: tuple[str, ...]
    modules: tuple[str, ...]


_NO_AUDIT: Final = AuditConfig({}, (), ())


@dataclass(frozen=True, slots=True)
class Config:
    """What to build: all paths are relative to `root`, with `/`; `file` is the config's path, or "" without one.

    `is_partial` says that the project has outputs that these catalogs do not make.
    """

    root: Path
    file: str
    catalogs: tuple[CatalogConfig, ...]
    templates: str | None
    output: str
    audit: AuditConfig = _NO_AUDIT
    is_partial: bool = False

    @property
    def manifest(self) -> str:
        """Return the path of the list of files that errgen wrote, relative to the root."""
        return PurePosixPath(self.output, ".errgen-manifest.json").as_posix()


def find_config(start: Path, catalog: Path | None = None) -> Config:
    """Find what to build from a folder, or for one catalog. Raises ConfigError.

    The nearest folder upwards that has a config or `catalog/errors.yaml` is the project's root; a config comes first.
    A catalog that the config does not list is built with the config's general settings.
    """
    begin = (catalog.parent if catalog else start).resolve()
    for folder in (begin, *begin.parents):
        if found := _body(folder):
            config = _config(folder, *found)
            return config if catalog is None else _for_catalog(config, catalog)
        if (folder / DEFAULT_CATALOG).is_file():
            config = _plain(folder, str(DEFAULT_CATALOG))
            return config if catalog is None else _for_catalog(config, catalog)
    if catalog is not None:
        root = begin.parent if begin.name == DEFAULT_CATALOG.parent.name else begin
        return _plain(root, (begin / catalog.name).relative_to(root).as_posix())
    raise ConfigError(
        [finding(Code.CATALOG_NOT_FOUND, Location("errgen"), folder=begin.name or "/")]
    )


def _plain(root: Path, path: str) -> Config:
    catalog = CatalogConfig(path, DEFAULT_OUTPUT, {}, None, frozenset())
    return Config(root, "", (catalog,), None, DEFAULT_OUTPUT)


def _for_catalog(config: Config, catalog: Path) -> Config:
    """Return the config of one catalog of a project."""
    path = (catalog.parent.resolve() / catalog.name).relative_to(config.root).as_posix()
    listed = tuple(item for item in config.catalogs if item.path == path)
    first = config.catalogs[0]
    general = CatalogConfig(path, config.output, {}, first.only, first.without)
    return replace(config, catalogs=listed or (general,), is_partial=listed != config.catalogs)


def is_configured(folder: Path) -> bool:
    """Tell whether a folder's pyproject.toml has settings of errgen. Raises ConfigError for one that cannot be read."""
    found = _body(folder)
    return found is not None and found[0] == "pyproject.toml"


def _body(folder: Path) -> tuple[str, Any] | None:
    for name in CONFIG_FILES:
        path = folder / name
        if not path.is_file():
            continue
        try:
            data = tomllib.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            if name == "pyproject.toml" and "[tool.errgen" not in path.read_text(
                "utf-8", "replace"
            ):
                continue
            raise ConfigError([_unreadable(path, error)]) from error
        body = data.get("tool", {}).get("errgen") if name == "pyproject.toml" else data
        if body is not None:
            other = CONFIG_FILES[-1]
            if name != other and (folder / other).is_file():
                problem = f"{name} has settings of errgen too"
                raise misconfigured(folder, other, Problem((), problem, "keep one of both"))
            return name, body
    return None


def _config(root: Path, file: str, body: Mapping[str, Any]) -> Config:
    items: Any = body.get("catalog", str(DEFAULT_CATALOG))
    entries = [
        {"path": item} if isinstance(item, str) else item
        for item in (items if isinstance(items, list) else [items])
    ]
    if problems := [*config_problems(body), *catalog_problems(entries, body)]:
        raise misconfigured(root, file, *problems)
    return Config(
        root=root,
        file=file,
        catalogs=tuple(_catalog(entry, body) for entry in entries),
        templates=body.get("templates"),
        output=_clean(body.get("output", DEFAULT_OUTPUT)),
        audit=_audit(body.get("audit", {})),
    )


def _audit(body: Mapping[str, Any]) -> AuditConfig:
    return AuditConfig(
        layers={name: tuple(patterns) for name, patterns in body.get("layers", {}).items()},
        exclude=tuple(body.get("exclude", ())),
        modules=tuple(body.get("modules", ())),
    )


def _catalog(entry: Mapping[str, Any], body: Mapping[str, Any]) -> CatalogConfig:
    general, own = body.get("targets", {}), entry.get("targets", {})
    only = (
        own if isinstance(own, list) else general if isinstance(general, list) and not own else None
    )
    tables = [targets for targets in (general, own) if isinstance(targets, Mapping)]
    merged: dict[str, Any] = {}
    for targets in tables:
        for name, target in targets.items():
            both = isinstance(target, Mapping) and isinstance(merged.get(name), Mapping)
            merged[name] = {**merged[name], **target} if both else target
    return CatalogConfig(
        path=_clean(entry["path"]),
        output=_clean(entry.get("output", body.get("output", DEFAULT_OUTPUT))),
        targets={
            name: TargetConfig(
                output=_output(target),
                options={key: value for key, value in target.items() if key != "output"},
            )
            for name, target in merged.items()
            if isinstance(target, Mapping)
        },
        only=None if only is None else tuple(only),
        without=frozenset(name for name, target in merged.items() if target is False),
    )


def _output(target: Mapping[str, Any]) -> str | None:
    output = target.get("output")
    if output is None:
        return None
    return _clean(output) + ("/" if output.endswith("/") else "")


def _clean(path: str) -> str:
    parts: list[str] = []
    for part in PurePosixPath(path.replace("\\", "/")).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts) or "."


def misconfigured(root: Path, file: str, *problems: Problem) -> ConfigError:
    """Return what is wrong in a config as an error that says where it stands."""
    path = root / file
    text = path.read_text("utf-8") if path.is_file() else ""
    above: KeyPath = ("tool", "errgen") if file == CONFIG_FILES[0] else ()
    return ConfigError(
        finding(
            Code.CONFIG_INVALID,
            Location(shown_path(path), *place_of(text, (*above, *item.path))),
            problem=item.text,
            help=item.remedy,
        )
        for item in problems
    )


def _unreadable(path: Path, error: Exception) -> Diagnostic:
    problem, line, column = told_place(str(error))
    place = Location(shown_path(path), line, column)
    return finding(Code.CONFIG_INVALID, place, problem=problem)
