"""Find the catalog to compare with: a git revision or a file flows in, its Document flows out.

Git is only asked to read: `show`, `rev-parse` and `diff`, without pager, hooks, external commands or network.
"""

from pathlib import Path
from typing import Final

from errgen.codes import DiagnosticCode as Code
from errgen.diagnostics import ErrgenError, Location, finding, shown_path
from errgen.git import git
from errgen.source import Document, load, parse
from errgen.words import shorten

_FULL_HASH: Final = 40


def base_of(base: str, catalog: Path) -> Document | None:
    """Return the catalog as it was at a base, or None where it did not exist yet.

    Raises ErrgenError where the base is neither a file nor a revision of this clone, and CatalogError where the catalog
    could not be read even then.
    """
    if Path(base).is_file():
        return load(Path(base), shown_path(Path(base)))
    folder = catalog.resolve().parent
    if (
        base.startswith("-")
        or git(folder, "rev-parse", "--verify", "--quiet", f"{base}^{{commit}}") is None
    ):
        raise _unknown(base, catalog, folder)
    for path in _paths(base, catalog.resolve()):
        content = git(folder, "show", "--no-textconv", f"{base}:./{path}")
        if content is not None:
            return parse(content, f"{base}:{shown_path(folder / path)}")
    return None


def _paths(base: str, catalog: Path) -> list[str]:
    """Return the name of the catalog, then the one that it had at the base if it was renamed since."""
    found = git(
        catalog.parent,
        "diff",
        "--no-ext-diff",
        "--relative",
        "-M",
        "-z",
        "--diff-filter=R",
        "--name-status",
        base,
    )
    parts = (found or b"").decode("utf-8", "surrogateescape").split("\0")
    renamed = zip(parts[1::3], parts[2::3], strict=False)
    return [catalog.name, *(old for old, new in renamed if new == catalog.name)]


def _unknown(base: str, catalog: Path, folder: Path) -> ErrgenError:
    remote, _, branch = base.partition("/")
    if git(folder, "rev-parse", "--git-dir") is None:
        remedy = "name a file, or run it in a clone"
    elif branch and remote in (git(folder, "remote") or b"").decode().split():
        remedy = f"run git fetch --depth=1 {remote} {branch}:refs/remotes/{base}"
    elif len(base) == _FULL_HASH:
        remedy = f"run git fetch --depth=1 origin {base}"
    else:
        remedy = f"run git fetch --depth=1 origin {base}:{base}, or name a file"
    return ErrgenError(
        [finding(Code.BASE_UNKNOWN, Location(shown_path(catalog)), base=shorten(base), help=remedy)]
    )
