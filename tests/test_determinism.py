"""One catalog makes the same bytes on every machine: whatever the environment, the folder and the order of its keys."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import requires
from pathlib import Path
from typing import Any, Final

import pytest
from support import CATALOGS, ROOT, rendered, write_catalog

from errgen.source import load

_ENVIRONMENTS: Final = {
    "another hash seed": {"PYTHONHASHSEED": "1"},
    "and another": {"PYTHONHASHSEED": "4242"},
    "the C locale": {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "Turkish": {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
    "another time zone": {"TZ": "Pacific/Kiritimati"},
    "no colours": {"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "20"},
}


# What .ci/run installs beside the environment of the tests: other Pythons that the machine has, and an old black.
_OTHERS: Final = sorted(Path(sys.prefix).glob("other-*/bin/python"))
_OLD_BLACK: Final = Path(sys.prefix) / "black-oldest"


def built(
    folder: Path,
    start: Path,
    variables: Mapping[str, str],
    python: str = sys.executable,
    umask: int = -1,
) -> dict[str, bytes]:
    """Build a project in another process, from a folder in it, and return what was written."""
    subprocess.run(
        [python, "-m", "errgen", "build"],
        cwd=start,
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
        umask=umask,
        check=True,
        capture_output=True,
    )
    files = (path for path in (folder / "generated").rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def project(folder: Path) -> Path:
    """Make a project of the reference catalog, with letters of many scripts, and of a gateway's."""
    (folder / "catalog" / "below").mkdir(parents=True)
    (folder / "errgen.toml").write_text('catalog = ["catalog/errors.yaml", "catalog/other.yaml"]')
    (folder / "catalog" / "other.yaml").write_bytes(CATALOGS["s1-gateway"].read_bytes())
    text = CATALOGS["reference"].read_text("utf-8").replace("Nothing exists", "Ništa İıß 漢 exists")
    (folder / "catalog" / "errors.yaml").write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return what a plain environment makes."""
    folder = project(tmp_path_factory.mktemp("plain"))
    return built(folder, folder, {"PYTHONHASHSEED": "0"})


@pytest.mark.parametrize("variables", _ENVIRONMENTS.values(), ids=_ENVIRONMENTS)
def test_the_environment_changes_nothing(
    expected: dict[str, bytes], tmp_path: Path, variables: dict[str, str]
) -> None:
    folder = project(tmp_path / "another place with spaces")
    assert built(folder, folder / "catalog" / "below", variables) == expected


def test_the_umask_changes_nothing_but_modes(expected: dict[str, bytes], tmp_path: Path) -> None:
    folder = project(tmp_path / "project")
    assert built(folder, folder, {}, umask=0o077) == expected
    assert (folder / "generated/python/errors.py").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("python", _OTHERS, ids=lambda path: path.parts[-3])
def test_the_version_of_python_changes_nothing(
    expected: dict[str, bytes], tmp_path: Path, python: Path
) -> None:
    folder = project(tmp_path / "project")
    assert built(folder, folder, {}, str(python)) == expected


def test_the_oldest_black_that_is_allowed_changes_nothing(
    expected: dict[str, bytes], tmp_path: Path
) -> None:
    wanted = next(item for item in requires("errgen") or () if item.startswith("black"))
    old = {"PYTHONPATH": f"{_OLD_BLACK}{os.pathsep}{ROOT}"}
    shown = subprocess.run(
        [sys.executable, "-c", "import importlib.metadata as m; print(m.version('black'))"],
        env={**os.environ, **old},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert shown.startswith(wanted.removeprefix("black>=")), "run .ci/run once"
    folder = project(tmp_path / "project")
    assert built(folder, folder, old) == expected


def reversed_keys(node: Any) -> dict[str, Any]:
    """Return a mapping with the format's keys in the opposite order; extensions are printed in their owner's."""
    own = {key: value for key, value in node.items() if key.startswith("x-")}
    return {key: node[key] for key in reversed(node) if key not in own} | own


@pytest.mark.parametrize("name", CATALOGS)
def test_the_order_of_errors_and_of_keys_changes_nothing(name: str, tmp_path: Path) -> None:
    data = load(CATALOGS[name], "x").data
    errors = {key: reversed_keys(error) for key, error in reversed_keys(data["errors"]).items()}
    policies = data.get("retry_policies")
    other = reversed_keys(data) | {"errors": errors}
    if policies:
        other["retry_policies"] = {key: reversed_keys(item) for key, item in policies.items()}
    made = [
        rendered(write_catalog(tmp_path / str(number), json.dumps(item), "errors.yaml"))
        for number, item in enumerate((data, other))
    ]
    assert made[0] == made[1]


def test_a_disk_that_takes_no_more_leaves_the_old_set(tmp_path: Path) -> None:
    folder = project(tmp_path / "project")
    before = built(folder, folder, {})
    catalog = folder / "catalog" / "errors.yaml"
    catalog.write_text(catalog.read_text("utf-8").replace("exists", "is there"), "utf-8")
    limited = f'ulimit -f 40; exec "{sys.executable}" -m errgen build'
    done = subprocess.run(
        ["bash", "-c", limited],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert re.fullmatch(r"errgen: \S*/generated/\S+: File too large\n", done.stderr)
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in (folder / "generated").rglob("*")
        if path.is_file()
    }
    assert files == before
