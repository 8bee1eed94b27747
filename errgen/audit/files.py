"""Which files are audited: paths flow in, source files that people wrote flow out."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from os import fsdecode, fsencode, walk
from pathlib import Path
from typing import Final

from errgen.audit.languages import SUFFIXES
from errgen.git import git

_FOREIGN: Final = frozenset(("node_modules", "__pycache__", "site-packages"))
_GLOB: Final = re.compile(r"\*\*/?|.", re.DOTALL)
_PARTS: Final = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def source_files(paths: Sequence[Path], root: Path) -> list[Path]:
    """Return the files of the languages that errgen audits, in order, at and below paths.

    In folders, what is hidden, foreign or ignored by git is left out.
    """
    named = [path.resolve() for path in paths if path.is_file()]
    below = [file for path in paths if path.is_dir() for file in _below(path.resolve())]
    ignored = _ignored(below, root) - set(named)
    return [file for file in sorted({*named, *below} - ignored) if file.suffix in SUFFIXES]


def matches(path: str, patterns: Sequence[str]) -> bool:
    """Tell whether a path fits one of the patterns: `**` means any folders, `*` and `?` what has no slash."""
    return any(_glob(pattern).fullmatch(path) for pattern in patterns)


def relative(file: Path, root: Path) -> str:
    """Return a path as patterns see it: below the root, or whole."""
    return file.relative_to(root).as_posix() if file.is_relative_to(root) else file.as_posix()


@cache
def _glob(pattern: str) -> re.Pattern[str]:
    return re.compile("".join(map(_part, _GLOB.findall(pattern))))


def _part(text: str) -> str:
    return _PARTS.get(text) or re.escape(text)


def _below(folder: Path) -> Iterator[Path]:
    for place, folders, names in walk(folder):
        folders[:] = sorted(name for name in folders if _is_searched(Path(place, name)))
        files = [Path(place, name) for name in names if Path(name).suffix in SUFFIXES]
        # A link to a file that is here too is no second file.
        yield from (file.resolve() for file in files if file.is_file())


def _is_searched(folder: Path) -> bool:
    is_own = not folder.name.startswith(".") and folder.name not in _FOREIGN
    return is_own and not (folder / "pyvenv.cfg").exists()


def _ignored(files: Sequence[Path], root: Path) -> set[Path]:
    """Return the files that git ignores; none where there is no git."""
    inside = [fsencode(file) for file in files if file.is_relative_to(root)]
    found = git(root, "check-ignore", "-z", "--stdin", given=b"\0".join(inside)) if inside else None
    return {Path(fsdecode(name)) for name in (found or b"").split(b"\0") if name}
