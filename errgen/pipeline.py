"""The one composition of the parts: a Config flows in; catalogs, artifacts, plans and findings flow out."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from errgen.artifact import Artifact, digest, folded, look, texts_of
from errgen.codes import DiagnosticCode as Code
from errgen.config import Config, misconfigured
from errgen.diagnostics import (
    CatalogError,
    Diagnostic,
    Location,
    OutputError,
    finding,
    shown_path,
)
from errgen.loaded import Loaded, load_catalogs
from errgen.output import ChangeKind, Plan, diff, plan, recover, write
from errgen.recent import Built, Recent, Told, keep, sources, still
from errgen.resources import templates_dir
from errgen.settings import Problem
from errgen.source import load
from errgen.targets import jobs, targets_in
from errgen.validate import check
from errgen.words import closest

if TYPE_CHECKING:
    from errgen.audit import Audited
    from errgen.changes import Since

_DRIFT = {
    ChangeKind.CREATE: Code.OUTPUT_MISSING,
    ChangeKind.UPDATE: Code.OUTPUT_CHANGED,
    ChangeKind.REMOVE: Code.OUTPUT_STALE,
}


def build(config: Config, last: Recent, tell: Callable[[int, int], None]) -> Built:
    """Make what the catalogs say, and write what has changed; what is left of the last build is not made again.

    `tell` takes how many steps are done, of how many.

    Raises ErrgenError, and OSError once the old files are back.
    """
    before = sources(config)
    kept = [_kept(config, told) for told in still(last, before)]
    rest = tuple(item for item, known in zip(config.catalogs, kept, strict=True) if not known)
    try:
        loaded = load_catalogs(replace(config, catalogs=rest))
    except CatalogError as error:
        warnings = [warning for known in filter(None, kept) for warning in known[0].warnings]
        raise CatalogError([*error.diagnostics, *warnings]) from error
    fresh = iter(zip(loaded, generate(config, loaded, tell), strict=True))
    made = [known or next(fresh) for known in kept]
    artifacts = together(config, [texts for _, texts in made])
    told = [_told(item, texts) if isinstance(item, Loaded) else item for item, texts in made]
    recover(config.root, config.manifest)
    planned = plan_outputs(config, artifacts)
    if stopped := blocked(config, planned):
        raise OutputError(stopped)
    write(planned)
    keep(config, before, told)
    changes = tuple(
        (change.kind.value, change.path)
        for change in planned.changes
        if change.path != planned.manifest
    )
    return Built(tuple(told), changes, len(planned.unchanged))


def _kept(config: Config, told: Told | None) -> tuple[Told, tuple[Artifact, ...]] | None:
    """Return what a catalog made last with what is told of it, or None unless all of it is on disk as it was."""
    if told is None:
        return None
    seen = {path: look(config.root, path).text for path in told.outputs}
    if any(digest(seen[path]) != recorded for path, recorded in told.outputs.items()):
        return None
    return told, tuple(Artifact(path, text or "") for path, text in seen.items())


def _told(item: Loaded, artifacts: Sequence[Artifact]) -> Told:
    return Told(
        path=item.config.path,
        name=item.catalog.name,
        version=item.catalog.version,
        errors=len(item.catalog.errors),
        warnings=item.warnings,
        outputs={path: digest(text) or "" for path, text in texts_of(artifacts).items()},
    )


def generate(
    config: Config, loaded: Sequence[Loaded], tell: Callable[[int, int], None] | None = None
) -> list[tuple[Artifact, ...]]:
    """Render every target of each catalog, and tell how many templates are done.

    Raises ConfigError and TemplateError.
    """
    from errgen.render import render  # jinja2 is needed on this path alone

    templates = _templates(config)
    _check_targets(config, templates)
    steps = sum(1 for item in loaded for _ in jobs(item.config, templates))
    done = count(1)
    step = (lambda: tell(next(done), steps)) if tell else None
    return [render(item.catalog, item.config, templates, step) for item in loaded]


def together(config: Config, made: Sequence[Sequence[Artifact]]) -> tuple[Artifact, ...]:
    """Return what all catalogs make, each in its turn. Raises OutputError where two make one file."""
    origins: dict[str, str] = {}
    for item, artifacts in zip(config.catalogs, made, strict=True):
        for path in (artifact.path for artifact in artifacts):
            if first := origins.get(folded(path)):
                place = Location(config.file or shown_path(config.root / item.path))
                clash = finding(
                    Code.OUTPUT_COLLISION, place, path=path, first=first, second=item.path
                )
                raise OutputError([clash])
            origins[folded(path)] = item.path
    return tuple(artifact for artifacts in made for artifact in artifacts)


def plan_outputs(config: Config, artifacts: tuple[Artifact, ...]) -> Plan:
    """Compare artifacts with what is on disk; a build of a part of the project leaves the rest alone."""
    return plan(artifacts, config.root, config.manifest, partial=config.is_partial)


def changes_since(config: Config, base: str) -> "tuple[Since, ...]":
    """Compare every catalog of a project with what it was at a base. Raises ErrgenError, and CatalogError of either."""
    from errgen.baseline import base_of
    from errgen.changes import since

    found = []
    for item in config.catalogs:
        path = config.root / item.path
        old, new = base_of(base, path), load(path, shown_path(path))
        if broken := [
            one for side in filter(None, (old, new)) for one in check(side) if one.level == "error"
        ]:
            raise CatalogError(broken)
        found.append(since(base, old, new))
    return tuple(found)


def owed_since(config: Config, base: str) -> tuple[Diagnostic, ...]:
    """Say which catalogs have a version that is too low for what has changed since a base."""
    from errgen.changes import unpaid

    return tuple(item for change in changes_since(config, base) for item in unpaid(change))


def audited(config: Config, paths: Sequence[Path]) -> "Audited":
    """Hold source code against every catalog of a project. Raises CatalogError and ConfigError."""
    from errgen.audit import audit

    loaded = load_catalogs(config)
    layers = {layer.name for item in loaded for layer in item.catalog.layers}
    for name in config.audit.layers:
        if name not in layers:
            problem = f"audit.layers: no catalog has a layer '{name}'"
            remedy = closest(name, layers) or f"there are {', '.join(sorted(layers))}"
            place = ("audit", "layers", name)
            raise misconfigured(config.root, config.file, Problem(place, problem, remedy))
    return audit(config, loaded, _templates(config), paths)


def drift(config: Config, planned: Plan) -> tuple[Diagnostic, ...]:
    """Say what on disk differs from what the catalogs make."""
    return tuple(sorted(_drift(config, planned)))


def blocked(config: Config, planned: Plan) -> tuple[Diagnostic, ...]:
    """Say which outputs cannot be written without harming what errgen did not make."""
    return tuple(
        finding(
            Code.OUTPUT_BLOCKED,
            Location(shown_path(config.root / item.path)),
            reason=item.reason,
            help=item.remedy,
        )
        for item in planned.blocked
    )


def _drift(config: Config, planned: Plan) -> Iterator[Diagnostic]:
    if planned.interrupted:
        yield finding(Code.BUILD_INTERRUPTED, Location(shown_path(config.root / planned.manifest)))
    # That the manifest lags is no news beside the files that it lists.
    changes = [change for change in planned.changes if change.path != planned.manifest]
    for change in changes or planned.changes:
        place = Location(shown_path(config.root / change.path))
        yield finding(_DRIFT[change.kind], place, detail=diff(change))
    yield from blocked(config, planned)


def _templates(config: Config) -> tuple[Path, ...]:
    if config.templates is None:
        return (templates_dir(),)
    own = config.root / config.templates
    if not own.is_dir():
        problem = f"templates '{config.templates}' is not a folder"
        remedy = "make the folder, or leave templates out"
        raise misconfigured(config.root, config.file, Problem(("templates",), problem, remedy))
    return (own, templates_dir())


def _check_targets(config: Config, templates: tuple[Path, ...]) -> None:
    known = targets_in(templates).keys()
    for item in config.catalogs:
        for name in sorted({*(item.only or ()), *item.targets, *item.without} - known):
            problem = f"targets: there is no target '{name}'"
            remedy = closest(name, known) or f"there are {', '.join(known)}"
            place = ("targets", name)
            raise misconfigured(config.root, config.file, Problem(place, problem, remedy))
