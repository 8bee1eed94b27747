"""A catalog as commands have it: what it means, and how it is built."""

from dataclasses import dataclass

from errgen.config import CatalogConfig
from errgen.diagnostics import Diagnostic
from errgen.model import Catalog


@dataclass(frozen=True, slots=True)
class Loaded:
    """A catalog that broke no rule, the settings it is built with, its path for people, and the warnings about it."""

    catalog: Catalog
    config: CatalogConfig
    shown: str
    warnings: tuple[Diagnostic, ...]
