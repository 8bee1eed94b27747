"""The languages that are audited: a file's ending flows in, how it is read and what its imports mean flow out."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from errgen.audit import imports, python
from errgen.audit.sightings import Scan

SUFFIXES: Final = {
    **dict.fromkeys((".py", ".pyi", ".pyw"), "python"),
    **dict.fromkeys((".ts", ".tsx", ".mts", ".cts"), "typescript"),
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs"), "typescript"),
}


@dataclass(frozen=True, slots=True)
class Language:
    """A language: `scan` reads the bytes of a file, `candidates` says which files an import may mean.

    `is_tail` tells whether an import that no file answers means a generated module, by its path without the ending;
    `within` is how a module within a package is imported, or None.
    """

    scan: Callable[[Path, bytes], Scan]
    candidates: Callable[[Path, str, Path], tuple[Path, ...]]
    is_tail: Callable[[str, tuple[str, ...]], bool]
    within: Callable[[str, str], str | None]


def _scan_typescript(path: Path, content: bytes) -> Scan:
    # Its parser is an extra.
    from errgen.audit.typescript import scan

    return scan(path, content)


def is_installed(target: str) -> bool:
    """Tell whether the parser of a language is there."""
    packages = ("tree_sitter", "tree_sitter_typescript") if target == "typescript" else ()
    return all(find_spec(package) for package in packages)


LANGUAGES: Final = {
    "python": Language(
        python.scan, imports.python_candidates, imports.python_is_tail, imports.python_within
    ),
    "typescript": Language(
        _scan_typescript,
        imports.typescript_candidates,
        imports.typescript_is_tail,
        imports.typescript_within,
    ),
}
