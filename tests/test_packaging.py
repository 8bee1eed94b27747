"""The wheel: it holds every file that errgen needs, and works away from this repository."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel as a release would."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(folder),
        str(ROOT),
    ]
    subprocess.run(command, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return path


def test_the_wheel_holds_the_package_its_templates_and_the_starter_catalog(wheel: Path) -> None:
    package = [path for path in (ROOT / "errgen").rglob("*") if path.is_file()]
    expected = {
        path.relative_to(ROOT).as_posix() for path in package if "__pycache__" not in path.parts
    }
    templates = (ROOT / "templates").rglob("*.j2")
    expected |= {f"errgen/{path.relative_to(ROOT).as_posix()}" for path in templates}
    expected |= {"errgen/catalog/errors.yaml"}
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert names == expected


def test_every_file_below_templates_is_a_template() -> None:
    files = [path for path in (ROOT / "templates").rglob("*") if path.is_file()]
    # What is compiled of them lies beside them.
    assert {path.suffix for path in files if "__pycache__" not in path.parts} == {".j2"}


def test_the_installed_wheel_makes_what_this_repository_holds(wheel: Path, tmp_path: Path) -> None:
    installed, project = tmp_path / "installed", tmp_path / "project"
    project.mkdir()
    # The wheel's own files come first; its dependencies are those of this environment.
    zipfile.ZipFile(wheel).extractall(installed)
    environment = os.environ | {"PYTHONPATH": str(installed)}
    for command in ("init", "build", "check"):
        subprocess.run(
            [sys.executable, "-m", "errgen", command],
            check=True,
            capture_output=True,
            cwd=project,
            env=environment,
        )
    made = {
        path.relative_to(project).as_posix(): path for path in (project / "generated").glob("*/*")
    }
    assert len(made) == 8
    for path, file in made.items():
        here = path.replace("conformance/errors.json", "conformance.json")
        assert file.read_bytes() == (ROOT / here).read_bytes()
