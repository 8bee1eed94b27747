"""Which errors nobody uses: catalogs and the errors that source uses flow in, findings in the catalogs flow out."""

from collections.abc import Collection, Iterator
from pathlib import Path

from errgen.audit.waivers import comments_in, waived
from errgen.codes import DiagnosticCode as Code
from errgen.diagnostics import Diagnostic, finding
from errgen.model import Catalog
from errgen.source import lines_of, load


def unused(catalog: Catalog, path: Path, shown: str, used: Collection[str]) -> Iterator[Diagnostic]:
    """Yield a finding for each error that is not used, at its name; deprecated ones are on their way out anyway."""
    document = load(path, shown)
    kept = {*used, *_referred(catalog, used)}
    idle = [error for error in catalog.errors if error.name not in kept and not error.deprecated]
    found = [
        finding(Code.UNUSED_ERROR, document.locate("errors", error.name, key=True), name=error.name)
        for error in idle
    ]
    left = list(waived(shown, comments_in(lines_of(path)), found))
    idle_ones = [item for item in left if item.code == Code.UNUSED_ERROR]
    if not used and len(idle_ones) > 1:
        # One finding tells of a catalog that no source imports.
        place = document.locate("errors", key=True)
        left = [item for item in left if item not in idle_ones]
        left.append(finding(Code.UNUSED_ERROR, place, name=f"any of {len(idle_ones)} errors"))
    yield from left


def _referred(catalog: Catalog, used: Collection[str]) -> Iterator[str]:
    """Yield the errors that generated code itself makes: those of translations, and those that conceal others."""
    for translation in catalog.translations:
        yield translation.default.name
        yield from (error.name for _, error in translation.entries)
    for error in catalog.errors:
        if error.conceal_as and error.name in used:
            yield error.conceal_as.name
