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
from errgen.config import AuditConfig, CatalogConfig
from errgen.diagnostics import Diagnostic, Location, finding, shown_path
from errgen.model import Catalog
from errgen.targets import jobs

__all__ = ["Audited", "Subject", "audit"]

_HEAD: Final = 1000


class Subject(NamedTuple):
    """A catalog to audit for, with the settings of its targets and the path of its file as people see it."""

    catalog: Catalog
    config: CatalogConfig
    shown: str


class Audited(NamedTuple):
    """What an audit found, and how many files it read."""

    findings: tuple[Diagnostic, ...]
    files: int


@dataclass(frozen=True, slots=True)
class _Auditor:
    """What files are held against: catalogs, generated modules, rules of the config."""

    root: Path
    config: AuditConfig
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
    root: Path,
    config: AuditConfig,
    subjects: Sequence[Subject],
    templates: Sequence[Path],
    paths: Sequence[Path],
) -> Audited:
    """Hold the source files at and below paths against catalogs.

    Errors that nobody uses are looked for where one of the paths is a folder: a file alone does not show it.
    """
    judge = Judge(config.layers, [index_of(subject.catalog) for subject in subjects])
    modules = _modules(root, config, subjects, templates)
    auditor = _Auditor(root, config, judge, modules)
    findings: list[Diagnostic] = []
    count = 0
    for path in source_files(paths, root):
        try:
            content = path.read_bytes()
        except OSError as error:
            problem = error.strerror or "the system does not say why"
            findings.append(
                finding(Code.SOURCE_UNREADABLE, Location(shown_path(path)), problem=problem)
            )
            continue
        if origin(content[:_HEAD].decode(errors="replace")) is not None:
            continue
        if is_installed(SUFFIXES[path.suffix]):
            found = list(auditor.file(path, content))
            # What an excluded file uses is used all the same.
            if not matches(relative(path, root), config.exclude):
                findings += found
                count += 1
        elif not any(item.code == Code.PARSER_MISSING for item in findings):
            findings.append(finding(Code.PARSER_MISSING, Location(shown_path(path))))
    if any(path.is_dir() for path in paths):
        for subject in subjects:
            file = root / subject.config.path
            used = {name for catalog, name in judge.used if catalog == subject.catalog.name}
            findings += unused(subject.catalog, file, subject.shown, used)
    return Audited(tuple(sorted(set(findings))), count)


def _modules(
    root: Path, config: AuditConfig, subjects: Sequence[Subject], templates: Sequence[Path]
) -> dict[str, Modules]:
    """Return for each language the modules that are generated in it."""
    homes: dict[str, list[Home]] = {target: [] for target in LANGUAGES}
    for subject in subjects:
        for job in jobs(subject.config, templates):
            if job.is_main and job.target in LANGUAGES:
                seen = public(subject.catalog) if job.settings.is_public else subject.catalog
                names = names_of(index_of(seen), job.target)
                homes[job.target].append(Home(root / job.path, names))
    return {
        target: Modules(language, root, homes[target], frozenset(config.modules), {})
        for target, language in LANGUAGES.items()
    }
