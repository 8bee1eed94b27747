"""The shape of the package: imports point down, third-party packages have one home each, modules stay small."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from support import ROOT

_PACKAGE: Final = ROOT / "errgen"
# From the top: a module imports only from the lines below its own.
_LAYERS: Final = (
    "__main__",
    "cli",
    "editing explaining",
    "shell",
    "report styling",
    "pipeline exchange",
    "recent",
    "record",
    "authoring changedata",
    "output explain starter render audit changes baseline edit",
    "loaded targets",
    "staging filters validate config",
    "wireforms compare",
    "cases guidance resolve rules wording compatibility canonical matching reservations versions allocate",
    "audience bodies codespace pagenames fieldlevels foreign shapes signatures source",
    "given levels settings strict builder repeating",
    "model compiled",
    "git nodes scalars sandbox processes tomlplaces",
    "bytecode faults",
    "words",
    "resources message naming memo defaults diagnostics artifact",
    "codes",
)
_RANK: Final = {name: rank for rank, layer in enumerate(_LAYERS) for name in layer.split()}
_HOMES: Final = {
    "click": {"cli", "editing", "explaining", "shell", "styling"},
    "jinja2": {"bytecode", "faults", "sandbox"},
    "black": {"render", "filters"},
    "jsonschema": {"strict"},
    "tree_sitter": {"audit"},
    "tree_sitter_typescript": {"audit"},
    "yaml": {"source", "builder"},
}
_MODULES: Final = [
    path for path in sorted(_PACKAGE.rglob("*.py")) if path != _PACKAGE / "__init__.py"
]
_NOT_GENERATED: Final = [
    path for path in _MODULES if path.name != "codes.py" or path.parent != _PACKAGE
]
_MAX_LINES: Final = 250


def name_of(path: Path) -> str:
    """Return the top-level name of a module below errgen: a package counts as one."""
    return path.relative_to(_PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    """Yield the dotted name of every module that a file imports, at its top or in a function."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            if node.module == "errgen":
                yield from (f"errgen.{alias.name}" for alias in node.names)
            else:
                yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def ids(paths: list[Path]) -> list[str]:
    return [path.relative_to(_PACKAGE).as_posix() for path in paths]


@pytest.mark.parametrize("path", _MODULES, ids=ids(_MODULES))
def test_imports_point_down(path: Path) -> None:
    own = name_of(path)
    for module in imported(path):
        parts = module.split(".")
        if parts[0] == "errgen" and len(parts) > 1 and parts[1] not in (own, "__version__"):
            assert _RANK[parts[1]] > _RANK[own], f"{own} imports {parts[1]}"


@pytest.mark.parametrize("path", _MODULES, ids=ids(_MODULES))
def test_third_party_packages_have_one_home(path: Path) -> None:
    for module in imported(path):
        package = module.split(".")[0]
        if package != "errgen" and package not in sys.stdlib_module_names:
            assert name_of(path) in _HOMES[package], f"{name_of(path)} imports {package}"


@pytest.mark.parametrize("path", _NOT_GENERATED, ids=ids(_NOT_GENERATED))
def test_modules_stay_small_and_say_their_job(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= _MAX_LINES
    assert ast.get_docstring(ast.parse(text))


def test_the_command_line_starts_without_heavy_imports() -> None:
    code = "import sys, errgen.cli; print(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not {"jsonschema", "jinja2", "black", "yaml"} & set(result.stdout.split())


# Parts that depend on the catalog, and were too long to stay in errors.ts.j2.
_DEPENDENT: Final = {
    *("_classes.ts.j2", "_receiving.ts.j2", "_sending.ts.j2", "_specs.ts.j2", "_translations.ts.j2")
}


@pytest.mark.parametrize("language", ["python", "typescript"])
def test_the_fixed_parts_of_generated_code_are_code_as_they_stand(language: str) -> None:
    parts = sorted((ROOT / "templates" / language).glob("_*.j2"))
    tagged = {path.name for path in parts if re.search(r"\{[%{#]", path.read_text("utf-8"))}
    assert tagged == {path.name for path in parts} & _DEPENDENT
