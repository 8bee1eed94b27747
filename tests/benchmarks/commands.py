"""Folders of inputs flow in, the commands that benchmarks compare flow out."""

import shutil
import sys
from functools import partial
from pathlib import Path
from typing import Final

from measuring import ROOT, Command, run

_HERE: Final = Path(__file__).parent
_TOOLS: Final = ROOT / "tests" / "js" / "node_modules"
_TSC: Final = (
    *("--ignoreConfig", "--pretty", "false", "--noEmit", "--strict"),
    *("--module", "esnext", "--moduleResolution", "bundler"),
    *("--target", "es2022", "--lib", "es2022", "--types", ""),
)
_TIMED_IMPORT: Final = """\
import sys, time
begin = time.perf_counter()
import {}
print(time.perf_counter() - begin)
"""
_PREPARING: Final = 600
_SOURCES: Final = ("errors.yaml", "errgen.toml")


def python(code: str, folder: Path) -> Command:
    """Run Python code."""
    return Command((sys.executable, "-c", code), folder)


def yaml_load(folder: Path) -> Command:
    """Load a project's catalog with the fastest loader of PyYAML."""
    code = "import yaml; yaml.load(open('errors.yaml', 'rb'), Loader=yaml.CSafeLoader)"
    return python(code, folder)


def errgen(folder: Path, *arguments: str, exits: int = 0) -> Command:
    """Run errgen in a project's folder."""
    return Command(_errgen(*arguments), folder, exits=exits)


def build_cold(folder: Path) -> Command:
    """Build a project of which nothing is left but its sources."""
    return Command(_errgen("build"), folder, partial(_clear, folder))


def build_unchanged(folder: Path) -> Command:
    """Build a project that is built."""
    return Command(_errgen("build"), folder, partial(_built, folder))


def build_changed(folder: Path, other: Path) -> Command:
    """Build a project that was built before its catalog and another took each other's place."""
    return Command(_errgen("build"), folder, partial(_swapped, folder, other))


def import_generated(folder: Path) -> Command:
    """Time the import of a project's Python, which is compiled."""
    target = folder / "generated" / "python"
    return Command(
        _timed("errors"), target, partial(_compiled, folder, target / "errors.py"), times=True
    )


def import_bare(folder: Path) -> Command:
    """Time the import of a bare enum, which is compiled."""
    return Command(_timed("bare"), folder, partial(_compile, folder / "bare.py"), times=True)


def raising(folder: Path, kind: str, times: int) -> Command:
    """Time raising errors and making their bodies: `generated` or `by-hand`."""
    arguments = (str(folder / "generated" / "python"), kind, str(times))
    argv = (sys.executable, str(_HERE / "raising.py"), *arguments)
    return Command(argv, folder, partial(_built, folder), times=True)


def tsc_generated(folder: Path) -> Command:
    """Check a project's TypeScript."""
    file = folder / "generated" / "typescript" / "errors.ts"
    return Command(_tsc(file), folder, partial(_built, folder))


def tsc_empty(folder: Path) -> Command:
    """Check an empty module."""
    file = folder / "empty.ts"
    return Command(_tsc(file), folder, partial(_write_empty, file))


def _errgen(*arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "errgen", *arguments)


def _timed(module: str) -> tuple[str, ...]:
    return (sys.executable, "-c", _TIMED_IMPORT.format(module))


def _tsc(file: Path) -> tuple[str, ...]:
    node = next(_TOOLS.glob("node-*/bin/node"), "node")
    return (str(node), str(_TOOLS / "typescript" / "bin" / "tsc"), *_TSC, str(file))


def _write_empty(file: Path) -> None:
    file.write_text("export {};\n", "utf-8")


def _clear(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name not in _SOURCES:
            path.unlink()


def _built(folder: Path) -> None:
    if not (folder / "generated").is_dir():
        run(errgen(folder, "build"), _PREPARING)


def _swapped(folder: Path, other: Path) -> None:
    _built(folder)
    mine = folder / "errors.yaml"
    aside = other.rename(other.with_suffix(".aside"))
    mine.rename(other)
    aside.rename(mine)


def _compiled(folder: Path, module: Path) -> None:
    _built(folder)
    _compile(module)


def _compile(module: Path) -> None:
    # In a process of its own, as what this one uses counts for all that it starts.
    run(Command((sys.executable, "-m", "py_compile", str(module)), module.parent), _PREPARING)
