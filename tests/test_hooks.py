"""What others put errgen into: pre-commit, GitHub's workflows, GitLab's pipelines; each is run as they would run it."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from support import EXAMPLES, ROOT

_ACTION: Final[dict[str, Any]] = yaml.safe_load(
    (ROOT / ".github/actions/errgen/action.yml").read_text("utf-8")
)
_STEPS: Final[dict[str, str]] = {
    step["name"]: step["run"] for step in _ACTION["runs"]["steps"] if "run" in step
}
_CATALOG: Final = """\
errgen: 1
name: shop
version: 1.0.0
categories: { input: { title: Input, retry: never } }
ranges:
  - { first: 2000, last: 2999, category: input }
errors:
  MISSING_FIELD: { code: 2001, category: input, message: A field is missing }
"""
_SECOND: Final = "  NO_STOCK: { code: 2002, category: input, message: Nothing is left }\n"
# No package is fetched: what errgen needs is what this environment has.
_OFFLINE: Final = {
    "PIP_NO_INDEX": "1",
    "PIP_NO_DEPS": "1",
    "PIP_NO_BUILD_ISOLATION": "0",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PYTHONPATH": sysconfig.get_path("purelib"),
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.com",
    "GIT_CONFIG_GLOBAL": os.devnull,
}


def run(folder: Path, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command offline in a folder."""
    outside = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("GIT_", "GITHUB_", "CI_"))
    }
    return subprocess.run(
        command,
        cwd=folder,
        env={**outside, **_OFFLINE, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def commit(folder: Path, message: str = "x") -> str:
    """Commit everything in a folder and return the commit."""
    run(folder, "git", "add", "-A")
    done = run(folder, "git", "commit", "-q", "--no-verify", "-m", message)
    assert done.returncode == 0, done.stderr
    return run(folder, "git", "rev-parse", "HEAD").stdout.strip()


@pytest.fixture(scope="module")
def committed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository with a catalog and what is made of it, committed."""
    folder = tmp_path_factory.mktemp("committed") / "shop"
    (folder / "catalog").mkdir(parents=True)
    (folder / "catalog" / "errors.yaml").write_text(_CATALOG, "utf-8")
    run(folder, "git", "init", "-q", "-b", "main")
    build(folder)
    commit(folder)
    return folder


@pytest.fixture
def shop(committed: Path, tmp_path: Path) -> Path:
    """Return a copy of that repository."""
    return Path(shutil.copytree(committed, tmp_path / "shop"))


def build(folder: Path) -> None:
    """Build the catalog of a folder."""
    done = run(folder, sys.executable, "-m", "errgen", "build", PYTHONPATH=str(ROOT))
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return a clean clone of this repository, with what is not committed yet, and its commit."""
    folder = tmp_path_factory.mktemp("clone") / "errgen"
    run(ROOT, "git", "clone", "-q", str(ROOT), str(folder))
    listed = run(ROOT, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    run(folder, "git", "add", "-A")
    run(folder, "git", "commit", "-q", "--allow-empty", "-m", "x")
    return folder, run(folder, "git", "rev-parse", "HEAD").stdout.strip()


def test_pre_commit_runs_the_hooks_from_a_clean_clone(
    clone: tuple[Path, str], shop: Path, tmp_path: Path
) -> None:
    repo, revision = clone
    hooks = [{"id": "errgen-validate"}, {"id": "errgen-check"}]
    config = {"repos": [{"repo": str(repo), "rev": revision, "hooks": hooks}]}
    (shop / ".pre-commit-config.yaml").write_text(json.dumps(config), "utf-8")
    commit(shop)

    def hooked() -> subprocess.CompletedProcess[str]:
        run(shop, "git", "add", "-A")
        command = (sys.executable, "-m", "pre_commit", "run", "--color=never")
        return run(shop, *command, PRE_COMMIT_HOME=str(tmp_path / "home"))

    catalog = shop / "catalog" / "errors.yaml"
    catalog.write_text(_CATALOG + _SECOND, "utf-8")
    stale = hooked()
    assert stale.returncode == 1, stale.stderr
    assert (
        "errgen validate..........................................................Passed"
        in stale.stdout
    )
    assert (
        "errgen check.............................................................Failed"
        in stale.stdout
    )
    assert "generated/python/errors.py: EG711 differs from what the catalog makes" in stale.stdout
    build(shop)
    assert hooked().returncode == 0
    catalog.write_text(
        _CATALOG.replace("category: input, message", "category: inptu, message"), "utf-8"
    )
    wrong = hooked()
    assert wrong.returncode == 1
    assert "catalog/errors.yaml:8:42: EG301 category of error MISSING_FIELD names" in wrong.stdout
    assert wrong.stdout.count("did you mean 'input'?") == 2


@pytest.mark.parametrize("hook", ["errgen-validate", "errgen-check"])
def test_hooks_run_commands_that_exist(hook: str) -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    (found,) = (item for item in hooks if item["id"] == hook)
    assert found["entry"] == hook.replace("-", " ")
    assert found["language"] == "python"


@pytest.mark.parametrize("step", _STEPS)
def test_no_input_of_the_action_is_put_into_a_command(step: str) -> None:
    assert "${{" not in _STEPS[step]


def act(folder: Path, temp: Path, step: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a step of the action as a runner does."""
    known = {
        "RUNNER_TEMP": str(temp),
        "GITHUB_ACTION_PATH": str(ROOT / ".github" / "actions" / "errgen"),
        "GITHUB_WORKSPACE": str(folder),
        "GITHUB_STEP_SUMMARY": str(temp / "summary.md"),
        "BASE": "",
        "CATALOG": "",
    }
    command = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", _STEPS[step])
    return run(folder, *command, **{**known, **variables})


@pytest.fixture
def temp(tmp_path: Path) -> Path:
    """Return a runner's folder in which errgen is installed."""
    installed(tmp_path / "temp" / "errgen" / "bin")
    return tmp_path / "temp"


def installed(folder: Path) -> Path:
    """Make a folder of programs with errgen in it."""
    folder.mkdir(parents=True)
    script = folder / "errgen"
    script.write_text(
        f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m errgen "$@"\n', "utf-8"
    )
    script.chmod(0o755)
    return folder


def test_the_action_installs_errgen(tmp_path: Path) -> None:
    done = act(tmp_path, tmp_path, "Install errgen")
    assert done.returncode == 0, done.stderr
    shown = run(tmp_path, str(tmp_path / "errgen" / "bin" / "errgen"), "--version")
    assert shown.stdout.startswith("errgen, version ")


def test_the_action_annotates_findings(shop: Path, temp: Path) -> None:
    assert act(shop, temp, "Check the catalog").returncode == 0
    (shop / "catalog" / "errors.yaml").write_text(_CATALOG + _SECOND, "utf-8")
    done = act(shop, temp, "Check the catalog")
    assert done.returncode == 1
    assert "::error file=generated/python/errors.py," in done.stdout
    assert not (temp / "summary.md").exists()


@pytest.mark.parametrize(
    ("catalog", "code", "summary"),
    [
        (_CATALOG.replace("1.0.0", "1.1.0") + _SECOND, 0, "error NO\\_STOCK (2002)"),
        (_CATALOG + _SECOND, 1, "error NO\\_STOCK (2002)"),
        (
            _CATALOG.replace("1.0.0", "2.0.0").replace("2001", "2009"),
            0,
            "code of error MISSING\\_FIELD",
        ),
    ],
    ids=["paid", "not paid", "paid for what breaks"],
)
def test_the_action_reports_what_a_pull_request_changes(
    shop: Path, temp: Path, catalog: str, code: int, summary: str
) -> None:
    (shop / "catalog" / "errors.yaml").write_text(catalog, "utf-8")
    build(shop)
    commit(shop)
    done = act(shop, temp, "Check the catalog", BASE="HEAD~1", CATALOG="catalog/errors.yaml")
    assert done.returncode == code, done.stderr
    assert ("EG811" in done.stdout) == bool(code)
    assert summary in (temp / "summary.md").read_text("utf-8")


@pytest.mark.parametrize("base", ["origin/main", "v1", "tip"])
def test_the_action_fetches_the_base_of_a_shallow_clone(
    shop: Path, temp: Path, tmp_path: Path, base: str
) -> None:
    run(shop, "git", "tag", "v1")
    tip = run(shop, "git", "rev-parse", "HEAD").stdout.strip()
    run(shop, "git", "switch", "-q", "-c", "topic")
    (shop / "catalog" / "errors.yaml").write_text(
        _CATALOG.replace("1.0.0", "1.1.0") + _SECOND, "utf-8"
    )
    build(shop)
    commit(shop)
    shallow = tmp_path / "shallow"
    url = shop.as_uri()
    run(
        tmp_path,
        "git",
        "clone",
        "-q",
        "--depth=1",
        "--branch=topic",
        "--no-tags",
        url,
        str(shallow),
    )
    base = tip if base == "tip" else base
    assert act(shallow, temp, "Check the catalog", BASE=base).returncode == 1
    assert act(shallow, temp, "Fetch the base", BASE=base).returncode == 0
    assert act(shallow, temp, "Check the catalog", BASE=base).returncode == 0


@pytest.mark.parametrize(
    "base", ["$(touch pwned)", "--upload-pack=touch pwned", "`touch pwned`; touch pwned"]
)
def test_a_base_is_never_a_command(shop: Path, temp: Path, base: str) -> None:
    for step in ("Fetch the base", "Check the catalog"):
        assert act(shop, temp, step, BASE=base).returncode != 0
    assert not (shop / "pwned").exists()


def test_the_pipeline_in_the_readme_reports_code_quality(shop: Path, tmp_path: Path) -> None:
    base = run(shop, "git", "rev-parse", "HEAD").stdout.strip()
    (shop / "catalog" / "errors.yaml").write_text(_CATALOG + _SECOND, "utf-8")
    commit(shop)
    install, *script = yaml.safe_load(EXAMPLES["pipeline"])["errors"]["script"]
    assert install.startswith("pip install ")
    run(shop, "git", "remote", "add", "origin", str(shop))
    path = os.pathsep.join((str(installed(tmp_path / "bin")), os.environ["PATH"]))
    variables = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": base, "CI_PROJECT_DIR": str(shop), "PATH": path}
    done = run(shop, "bash", "-ec", "\n".join(script), **variables)
    assert done.returncode == 1, done.stderr
    issues = json.loads((shop / "gl-code-quality-report.json").read_text("utf-8"))
    assert {issue["check_name"] for issue in issues} == {"EG711", "EG811"}
    assert "catalog/errors.yaml" in {issue["location"]["path"] for issue in issues}


def test_the_readme_names_hooks_and_an_action_that_exist() -> None:
    known = {item["id"] for item in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    (repo,) = yaml.safe_load(EXAMPLES["hooks"])["repos"]
    assert {hook["id"] for hook in repo["hooks"]} == known
    *_, step = yaml.safe_load(EXAMPLES["workflow"])["jobs"]["errors"]["steps"]
    path = step["uses"].partition("@")[0].split("/", 2)[2]
    assert (ROOT / path / "action.yml").is_file()
