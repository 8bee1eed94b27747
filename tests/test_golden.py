"""Whole outputs of real catalogs against the committed ones, file by file and byte by byte."""

import shutil
from pathlib import Path

import pytest
from support import CASES, CATALOGS, rendered

_GOLDEN = {name: path for name, path in CATALOGS.items() if path.is_relative_to(CASES)}


@pytest.mark.parametrize("name", _GOLDEN)
def test_a_catalog_makes_its_expected_tree(name: str, *, update_golden: bool) -> None:
    folder = CASES / name
    made = rendered(_GOLDEN[name])
    if update_golden:
        shutil.rmtree(folder / "expected", ignore_errors=True)
        for path, text in made.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, "utf-8", newline="\n")
    assert made == _tree(folder)


def _tree(folder: Path) -> dict[str, str]:
    files = (path for path in (folder / "expected").rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode() for path in sorted(files)
    }
