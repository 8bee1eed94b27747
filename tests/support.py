"""What several test modules need: the names of real catalogs flow in, models and rendered targets flow out."""

import json
import re
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeAlias

from jsonschema import Draft202012Validator

from errgen.config import CatalogConfig
from errgen.model import Catalog
from errgen.render import render
from errgen.resolve import catalog_from
from errgen.resources import templates_dir
from errgen.source import load
from errgen.validate import check

ROOT: Final = Path(__file__).parents[1]
README: Final = (ROOT / "README.md").read_text("utf-8")
EXAMPLES: Final = dict(
    re.findall(r"<!-- example: (\w+) -->\n```\w+\n(.*?)```\n", README, re.DOTALL)
)
CASES: Final = ROOT / "tests" / "cases" / "valid"
CATALOGS: Final = {
    **{path.parent.name: path for path in sorted(CASES.glob("*/catalog.yaml"))},
    "reference": ROOT / "catalog" / "errors.yaml",
    "diagnostics": ROOT / "catalog" / "diagnostics.yaml",
}

Tree: TypeAlias = dict[str, bytes | None]


@cache
def catalog_of(path: Path) -> Catalog:
    """Return the model of a catalog, which must be without a finding."""
    document = load(path, path.name)
    assert check(document) == ()
    return catalog_from(document.data)


@cache
def rendered(path: Path, only: str | None = None) -> dict[str, str]:
    """Return what the bundled templates make of a catalog, by path: one target, or all."""
    targets = (only,) if only else None
    config = CatalogConfig(path.name, "expected", {}, targets, frozenset())
    artifacts = render(catalog_of(path), config, [templates_dir()])
    return {artifact.path: artifact.text for artifact in artifacts}


def page_of(path: Path) -> str:
    """Return the Markdown page that the bundled templates make of a catalog."""
    return rendered(path, "markdown")[f"expected/markdown/{path.stem}.md"]


def write_catalog(folder: Path, text: str, name: str = "catalog.yaml") -> Path:
    """Write a catalog and return its path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


@cache
def python_of(name: str) -> Any:
    """Return the Python module made of a real catalog, imported; it stays importable, as pickling needs it."""
    return module_of(CATALOGS[name], name)


def module_of(path: Path, name: str = "other") -> Any:
    """Return the Python module made of a catalog, imported."""
    (text,) = rendered(path, "python").values()
    module = ModuleType(f"generated_{name.replace('-', '_')}")
    sys.modules[module.__name__] = module
    exec(compile(text, f"{module.__name__}.py", "exec"), module.__dict__)  # noqa: S102
    return module


@cache
def json_of(name: str, target: str) -> Any:
    """Return the JSON that a target makes of a real catalog."""
    (text,) = rendered(CATALOGS[name], target).values()
    return json.loads(text)


def validator_of(name: str, definition: str) -> Draft202012Validator:
    """Return a validator of one definition of the JSON Schema of a real catalog."""
    definitions = json_of(name, "jsonschema")["$defs"]
    return Draft202012Validator({"$ref": f"#/$defs/{definition}", "$defs": definitions})


def tree(root: Path) -> Tree:
    """Return the content of every file below a folder, and None for a folder."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes() if path.is_file() else None
        for path in root.rglob("*")
    }
