"""What an import means: the name of a module flows in, the files that it can mean flow out."""

import os
from pathlib import Path
from typing import Final

_ENDINGS: Final = (".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs")
# What an import calls a file of TypeScript once it is compiled.
_COMPILED: Final = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
_ALIASES: Final = ("@", "~", "#", "$")


def python_candidates(file: Path, module: str, root: Path) -> tuple[Path, ...]:
    """Return the files that an import can mean, the nearest first: any folder above may be on Python's path."""
    name = module.lstrip(".")
    level = len(module) - len(name)
    parts = name.split(".") if name else []
    if level:
        folders = [file.parents[level - 1]] if level <= len(file.parents) else []
    else:
        above = [folder for folder in file.parents if folder.is_relative_to(root)]
        folders = [*above, root / "src"]
    places = [folder.joinpath(*parts) for folder in folders]
    return tuple(
        path
        for place in places
        for path in (place.with_name(f"{place.name}.py"), place / "__init__.py", place)
    )


def python_is_tail(module: str, path: tuple[str, ...]) -> bool:
    """Tell whether an absolute import names the end of a generated module's path, or the path the import's end."""
    parts = tuple(module.split("."))
    size = min(len(parts), len(path))
    return bool(module) and not module.startswith(".") and parts[-size:] == path[-size:]


def python_within(module: str, name: str) -> str | None:
    """Return how a module within a package is imported."""
    return f"{module}{name}" if module.endswith(".") else f"{module}.{name}"


def typescript_candidates(file: Path, module: str, _root: Path) -> tuple[Path, ...]:
    """Return the files that a relative import can mean; one that is written as compiled means its source first."""
    if not module.startswith("."):
        return ()
    place = Path(os.path.normpath(file.parent / module))
    sources = [place.with_suffix(ending) for ending in _COMPILED.get(place.suffix, ())]
    added = [place.with_name(place.name + ending) for ending in _ENDINGS]
    inside = [place / f"index{ending}" for ending in _ENDINGS]
    # A file comes before the folder of its name, which is there only as its index.
    return (*sources, *added, *inside, place)


def typescript_is_tail(module: str, path: tuple[str, ...]) -> bool:
    """Tell whether an import through an alias, such as `@/api/errors`, names the end of a generated module's path."""
    parts = tuple(module.split("/"))
    last = parts[-1]
    stem = next((last.removesuffix(end) for end in _ENDINGS if last.endswith(end)), last)
    if module.startswith(".") or len(parts) == 1:
        return False
    names = (*parts[:-1], stem)
    is_alias = names[0] in _ALIASES or names[0].startswith(("#", "$", "~"))
    size = 1 if is_alias else 2
    below = names[1:] if is_alias else names
    shared = min(len(below), len(path))
    return shared >= size and below[-shared:] == path[-shared:]


def typescript_within(_module: str, _name: str) -> str | None:
    """Return nothing: a module of JavaScript has no modules within it."""
    return None
