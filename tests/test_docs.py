"""The README: its example is built, and what it shows is what comes out."""

import doctest
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import Checker, Node
from support import EXAMPLES, README, ROOT

from errgen.cli import main
from errgen.resources import catalog_schema


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a folder with the README's catalog."""
    (tmp_path / "catalog").mkdir()
    (tmp_path / "catalog" / "errors.yaml").write_text(EXAMPLES["catalog"], "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("example", "path"),
    [("python", "generated/python/errors.py"), ("typescript", "generated/typescript/errors.ts")],
)
def test_the_example_becomes_what_the_readme_shows(project: Path, example: str, path: str) -> None:
    assert CliRunner().invoke(main, ["build"]).exit_code == 0
    assert EXAMPLES[example] in (project / path).read_text("utf-8")


def test_the_session_in_the_readme_is_a_real_one(project: Path) -> None:
    assert CliRunner().invoke(main, ["build"]).exit_code == 0
    text = (project / "generated/python/errors.py").read_text("utf-8")
    scope: dict[str, object] = {"__name__": "errors"}
    exec(compile(text, "errors.py", "exec"), scope)  # noqa: S102
    test = doctest.DocTestParser().get_doctest(EXAMPLES["session"], scope, "README", None, 0)
    assert len(test.examples) == 5
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_client_in_the_readme_prints_what_is_shown(
    project: Path, node: Node, tsc: Checker
) -> None:
    assert CliRunner().invoke(main, ["build"]).exit_code == 0
    (project / "client.mts").write_text(EXAMPLES["client"], "utf-8")
    made = node("client.mts", cwd=project)
    assert made.stderr == ""
    shown = README.partition("<!-- example: client -->")[2].split("```text\n")[1]
    assert shown.startswith(made.stdout + "```")
    typed = EXAMPLES["client"].replace("console.log", "String")
    (project / "client.mts").write_text(typed, "utf-8")
    assert tsc(project / "client.mts").returncode == 0


def test_the_mistake_is_named_as_the_readme_shows(project: Path) -> None:
    catalog = project / "catalog" / "errors.yaml"
    text = catalog.read_text("utf-8")
    catalog.write_text(text.replace("    category: system\n", "    category: sytem\n"), "utf-8")
    assert EXAMPLES["finding"] in CliRunner().invoke(main, ["validate"]).stderr


def test_the_delays_in_the_readme_are_those_of_the_page(project: Path) -> None:
    CliRunner().invoke(main, ["build"])
    page = (project / "generated" / "markdown" / "errors.md").read_text("utf-8")
    shown = "100 ms, 200 ms, 400 ms, then give up"
    assert shown in README.replace("\n", " ")
    assert shown in page


@pytest.mark.parametrize("command", sorted(main.commands))
def test_the_readme_names_every_command(command: str) -> None:
    assert f"`errgen {command}" in README


@pytest.mark.parametrize("target", re.findall(r"\]\(([^)#]+)\)", README))
def test_links_of_the_readme_resolve(target: str) -> None:
    assert target.startswith("https://") or (ROOT / target).is_file()


def test_the_completion_in_the_readme_is_what_the_schema_says() -> None:
    outcome = json.loads(catalog_schema())["$defs"]["error"]["properties"]["outcome"]
    shown = re.findall(r"│ ([^│]+?) +│", EXAMPLES["completion"])
    assert shown == ["outcome", *outcome["enum"]]
    assert f"│ {outcome['description']} │" in EXAMPLES["completion"]
