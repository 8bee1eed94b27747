"""Audit source code: catalogs and paths flow in; findings about misused, hand-written and unused errors flow out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from errgen.artifact import origin
from errgen.audience import public
from errgen.audit.files import matches, relative, source_files
from errgen.audit.generated import names_of
from errgen.audit.index import index_of
from errgen.audit.judge import Judge
from errgen.audit.languages import LANGUAGES, SUFFIXES, is_installed
from errgen.audit.modules import Home, Modules
from errgen.audit.sightings import Scan
from errgen.audit.unused import unused
from errgen.audit.waivers import waived
from errgen.codes import DiagnosticCode as Code
from errgen.config import Config
from errgen.diagnostics import Diagnostic, Location, finding, shown_path
from errgen.loaded import Loaded
from errgen.targets import jobs

__all__ = ["Audited", "audit"]

_HEAD: Final = 1000


class Audited(NamedTuple):
    """What an audit found, and the files that it read."""

    findings: tuple[Diagnostic, ...]
    files: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class _Auditor:
    """What files are held against: catalogs, and the generated modules of each language."""

    root: Path
    judge: Judge
    modules: Mapping[str, Modules]

    def file(self, path: Path, content: bytes) -> Iterator[Diagnostic]:
        """Yield the findings in one file."""
        shown = shown_path(path)
        modules = self.modules[SUFFIXES[path.suffix]]
        scan = modules.read(path, content)
        found = [*self._found(path, shown, scan, modules)]
        yield from waived(shown, scan.comments, found)

    def _found(self, path: Path, shown: str, scan: Scan, modules: Modules) -> Iterator[Diagnostic]:
        judge = self.judge.of(shown, relative(path, self.root))
        if scan.problem:
            place, problem = scan.problem
            yield finding(Code.SOURCE_UNREADABLE, place.within(shown), problem=problem)
        for chain in scan.chains:
            if found := modules.find(path, chain.names):
                yield from judge.member(chain.place, found)
        for literal in scan.literals:
            user = modules.find(path, literal.user) if literal.user else None
            yield from judge.literal(literal, user)


def audit(
    config: Config, loaded: Sequence[Loaded], templates: Sequence[Path], paths: Sequence[Path]
) -> Audited:
    """Hold the source files at and below paths against catalogs.

    Errors that nobody uses are looked for where one of the paths is a folder: a file alone does not show it.
    """
    judge = Judge(config.audit.layers, [index_of(item.catalog) for item in loaded])
    auditor = _Auditor(config.root, judge, _modules(config, loaded, templates))
    findings: set[Diagnostic] = set()
    files = []
    missing = None
    for path in source_files(paths, config.root):
        try:
            content = path.read_bytes()
        except OSError as error:
            findings.add(_unreadable(path, error))
            continue
        if origin(content[:_HEAD].decode(errors="replace")) is not None:
            continue
        if not is_installed(SUFFIXES[path.suffix]):
            missing = missing or finding(Code.PARSER_MISSING, Location(shown_path(path)))
            continue
        # What an excluded file uses is used all the same.
        found = list(auditor.file(path, content))
        if not matches(relative(path, config.root), config.audit.exclude):
            findings.update(found)
            files.append(path)
    if any(path.is_dir() for path in paths):
        findings.update(_idle(config.root, loaded, judge.used))
    return Audited(tuple(sorted(findings | {missing} if missing else findings)), tuple(files))


def _unreadable(path: Path, error: OSError) -> Diagnostic:
    problem = error.strerror or "the system does not say why"
    return finding(Code.SOURCE_UNREADABLE, Location(shown_path(path)), problem=problem)


def _idle(root: Path, loaded: Sequence[Loaded], used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    for item in loaded:
        names = {name for catalog, name in used if catalog == item.catalog.name}
        yield from unused(item.catalog, root / item.config.path, item.shown, names)


def _modules(
    config: Config, loaded: Sequence[Loaded], templates: Sequence[Path]
) -> dict[str, Modules]:
    """Return for each language the modules that are generated in it."""
    homes: dict[str, list[Home]] = {target: [] for target in LANGUAGES}
    for item in loaded:
        for job in jobs(item.config, templates):
            if job.is_main and job.target in LANGUAGES:
                seen = public(item.catalog) if job.settings.is_public else item.catalog
                names = names_of(index_of(seen), job.target)
                homes[job.target].append(Home(config.root / job.path, names))
    return {
        target: Modules(language, config.root, homes[target], frozenset(config.audit.modules), {})
        for target, language in LANGUAGES.items()
    }
