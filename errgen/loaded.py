"""Catalogs as commands have them: a Config flows in; what its catalogs mean, and how they are built, flows out."""

from dataclasses import dataclass

from errgen.config import CatalogConfig, Config
from errgen.diagnostics import CatalogError, Diagnostic, shown_path
from errgen.model import Catalog
from errgen.resolve import catalog_from
from errgen.source import load
from errgen.validate import check


@dataclass(frozen=True, slots=True)
class Loaded:
    """A catalog that broke no rule, the settings it is built with, its path for people, and the warnings about it."""

    catalog: Catalog
    config: CatalogConfig
    shown: str
    warnings: tuple[Diagnostic, ...]


def load_catalogs(config: Config) -> tuple[Loaded, ...]:
    """Read and validate every catalog of a project. Raises CatalogError with the findings of all of them."""
    loaded: list[Loaded] = []
    findings: list[Diagnostic] = []
    for item in config.catalogs:
        shown = shown_path(config.root / item.path)
        try:
            document = load(config.root / item.path, shown)
            found = check(document)
        except CatalogError as error:
            findings += error.diagnostics
            continue
        findings += found
        if all(diagnostic.level != "error" for diagnostic in found):
            loaded.append(Loaded(catalog_from(document.data), item, shown, found))
    if any(diagnostic.level == "error" for diagnostic in findings):
        raise CatalogError(findings)
    return tuple(loaded)
