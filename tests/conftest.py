"""Generated files flow in, the verdicts of the languages' own tools on them flow out."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Protocol, TypeAlias

import pytest

Result: TypeAlias = subprocess.CompletedProcess[str]


class Node(Protocol):
    """Runs Node with arguments, in a folder."""

    def __call__(self, *args: str, cwd: Path | None = None) -> Result:
        """Run it, whatever comes of it."""


class Checker(Protocol):
    """Runs a tool on files, of which several in different folders may have one name."""

    def __call__(self, *files: Path) -> Result:
        """Run the tool once for all files, as starting it is what takes the time."""


_TOOLS: Final = Path(__file__).parent / "js" / "node_modules"
_OLDEST_NODE: Final = (22, 18)
_OLDEST_PYTHON: Final = "3.11"
_TIMEOUT: Final = 300
_TSC_FLAGS: Final = (
    *("--ignoreConfig", "--pretty", "false", "--noEmit", "--allowImportingTsExtensions"),
    *("--module", "esnext", "--moduleResolution", "bundler", "--target", "es2022"),
    *("--lib", "es2022", "--types", ""),
    "--strict",
    "--isolatedModules",
    "--erasableSyntaxOnly",
    "--exactOptionalPropertyTypes",
    "--noImplicitOverride",
    "--noImplicitReturns",
    "--noPropertyAccessFromIndexSignature",
    "--noUncheckedIndexedAccess",
    "--noUnusedLocals",
    "--noUnusedParameters",
    "--verbatimModuleSyntax",
)
_FOREIGN_SETTINGS: Final = {
    "FORCE_COLOR",
    "MYPYPATH",
    "MYPY_FORCE_COLOR",
    "NODE_OPTIONS",
    "NODE_PATH",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that accepts what errgen makes today."""
    parser.addoption("--update-golden", action="store_true", help="rewrite the expected files")


@pytest.fixture(autouse=True)
def _no_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget where a CI system checked out, from where it wants paths to begin."""
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the records of builds apart from the user's own, those of other processes too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def update_golden(pytestconfig: pytest.Config) -> bool:
    """Tell whether golden files are to be rewritten instead of compared."""
    return bool(pytestconfig.getoption("--update-golden"))


@pytest.fixture(scope="session")
def node() -> Node:
    """Run a Node that strips types without a flag."""
    binary = _find_node()

    def run(*args: str, cwd: Path | None = None) -> Result:
        return _run(binary, *args, cwd=cwd)

    return run


@pytest.fixture(scope="session")
def tsc(node: Node) -> Checker:
    """Check TypeScript at its strictest, without DOM, Node types or any tsconfig."""
    script = _tool("typescript/bin/tsc")

    def check(*files: Path) -> Result:
        return node(script, *_TSC_FLAGS, *_paths(files), cwd=_TOOLS)

    return check


@pytest.fixture(scope="session")
def pyright(node: Node, tmp_path_factory: pytest.TempPathFactory) -> Checker:
    """Check Python with pyright in strict mode; a warning fails too."""
    script = _tool("pyright/index.js")

    def check(*files: Path) -> Result:
        paths = _paths(files)
        project = tmp_path_factory.mktemp("pyright")
        # A root for each folder lets a file import its neighbours, whatever other folders hold.
        roots = [{"root": folder} for folder in _by_folder(paths)]
        config = {
            "typeCheckingMode": "strict",
            "pythonVersion": _OLDEST_PYTHON,
            "executionEnvironments": roots,
        }
        (project / "pyrightconfig.json").write_text(json.dumps(config), "utf-8")
        options = ("--warnings", "--pythonpath", sys.executable, "--project", str(project))
        return node(script, *options, *paths, cwd=project)

    return check


@pytest.fixture(scope="session")
def mypy_strict(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Checker:
    """Check Python with mypy --strict and no config; what it learns is kept from run to run."""
    neutral = tmp_path_factory.mktemp("mypy")
    cache = pytestconfig.rootpath / ".mypy_cache" / "generated"
    options = ("--strict", "--config-file=", "--python-version", _OLDEST_PYTHON)
    # Not in this process: mypy raises the recursion limit.
    command = (sys.executable, "-m", "mypy", *options, "--cache-dir", str(cache))

    def check(*files: Path) -> Result:
        # mypy refuses two modules of one name, so that each folder needs a run.
        folders = _by_folder(_paths(files)).values()
        return _merged([_run(*command, *paths, cwd=neutral) for paths in folders])

    return check


@pytest.fixture(scope="session")
def markdownlint(node: Node, tmp_path_factory: pytest.TempPathFactory) -> Checker:
    """Check copies of Markdown files, so that only the tool's defaults apply."""
    script = _tool("markdownlint-cli2/markdownlint-cli2-bin.mjs")

    def check(*files: Path) -> Result:
        folder = tmp_path_factory.mktemp("markdown")
        copies = [_copy(Path(path), folder) for path in _paths(files)]
        return node(script, "--no-globs", *(f":{copy.as_posix()}" for copy in copies), cwd=folder)

    return check


def _run(*command: str, cwd: Path | None = None) -> Result:
    """Run a command without input, colours, or settings of the person who runs the tests."""
    environment = {
        name: value for name, value in os.environ.items() if name not in _FOREIGN_SETTINGS
    }
    return subprocess.run(
        command,
        cwd=cwd,
        env=environment | {"NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=_TIMEOUT,
        check=False,
    )


def _find_node() -> str:
    """Return the test tools' Node, else the one on PATH, else fail."""
    for binary in (*map(str, _TOOLS.glob("node-*/bin/node")), shutil.which("node")):
        if binary is not None and _version(binary) >= _OLDEST_NODE:
            return binary
    return _missing(f"Node {'.'.join(map(str, _OLDEST_NODE))} or later")


def _version(binary: str) -> tuple[int, ...]:
    """Return the version of a program, or an empty one if it does not run here."""
    try:
        shown = _run(binary, "--version").stdout
    except OSError:
        return ()
    return tuple(int(number) for number in re.findall(r"\d+", shown))


def _tool(script: str) -> str:
    """Return the path of an npm package's script, or fail."""
    path = _TOOLS / script
    return str(path) if path.is_file() else _missing(path.name)


def _missing(what: str) -> str:
    """Fail the test that needs a tool: a skipped proof proves nothing."""
    pytest.fail(f"{what} is not installed: run .ci/run once", pytrace=False)


def _paths(files: Sequence[Path]) -> list[str]:
    """Return absolute paths of files that exist, at least one: a check of nothing would pass."""
    if not files:
        pytest.fail("no files to check")
    return [str(file.resolve(strict=True)) for file in files]


def _by_folder(paths: Sequence[str]) -> dict[str, list[str]]:
    """Group paths by the folder that holds them."""
    groups: dict[str, list[str]] = {}
    for path in paths:
        groups.setdefault(str(Path(path).parent), []).append(path)
    return groups


def _copy(file: Path, folder: Path) -> Path:
    """Copy a file into a folder, keeping its path, and return the copy's path in the folder."""
    inside = file.relative_to(file.anchor)
    (folder / inside).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, folder / inside)
    return inside


def _merged(results: Sequence[Result]) -> Result:
    """Join the results of several runs of a tool into one."""
    return subprocess.CompletedProcess(
        args=[result.args for result in results],
        returncode=max(result.returncode for result in results),
        stdout="".join(result.stdout for result in results),
        stderr="".join(result.stderr for result in results),
    )
