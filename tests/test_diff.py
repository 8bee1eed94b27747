"""`errgen diff` and `check --against` in real git repositories: bases, reports and the version that is owed."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
from click.testing import CliRunner, Result

from errgen.cli import main
from errgen.levels import Level
from errgen.versions import owed, pays

Run: TypeAlias = Callable[..., Result]

_CATALOG = """\
errgen: 1
name: shop
version: 1.4.2
categories:
  validation: { title: Validation, retry: never }
  system: { title: System, retry: again }
retry_policies:
  again: { retryable: true, retry_after: 1s, max_attempts: 3 }
response:
  type: Body
  fields: { code: { from: code }, message: { from: message } }
errors:
  MISSING: { code: MISSING, category: validation, message: A field is missing }
  BUSY: { code: BUSY, category: system, message: "Try later | or *never*" }
"""


@pytest.fixture
def run() -> Run:
    """Run errgen with arguments in the present folder."""

    def invoke(*args: str) -> Result:
        return CliRunner().invoke(main, args, catch_exceptions=False)

    return invoke


def git(folder: Path, *args: str) -> str:
    """Run git, whatever the user's own settings are."""
    settings = ("-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false")
    command = ["git", "-C", str(folder), *settings, *args]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def commit(folder: Path, text: str, path: str = "catalog/errors.yaml") -> None:
    """Write a catalog and commit it."""
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "a step")


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a repository with one commit on main, tagged v1."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "none"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    commit(folder, _CATALOG)
    git(folder, "tag", "v1")
    monkeypatch.chdir(folder)
    return folder


def edit(repo: Path, *changes: tuple[str, str]) -> str:
    """Change the catalog on disk and return it."""
    text = _CATALOG
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    (repo / "catalog/errors.yaml").write_text(text, "utf-8")
    return text


_BREAKING = ("category: system", "category: validation")
_COMPATIBLE = ("errors:\n", "errors:\n  NEW: { category: validation, message: New }\n")
_NOTE = ("A field is missing", "A field is not there")


@pytest.mark.parametrize("base", ["HEAD", "main", "v1", "catalog/errors.yaml"])
def test_nothing_has_changed_since_the_same(repo: Path, run: Run, base: str) -> None:
    result = run("diff", base)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        f"catalog/errors.yaml: 1.4.2 at {base}, 1.4.2 now: nothing has changed\n"
    )


def test_the_worst_comes_first_with_its_place(repo: Path, run: Run) -> None:
    edit(repo, _BREAKING, _COMPATIBLE, _NOTE)
    result = run("diff", "v1")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "catalog/errors.yaml: 1.4.2 at v1, 1.4.2 now: 2 wire, 1 compatible, 1 note (2.0.0 is owed)",
        (
            "  wire        catalog/errors.yaml:15:33: category of error BUSY (BUSY):"
            ' "system" -> "validation"'
        ),
        '  wire        catalog/errors.yaml:15:3: retry of error BUSY (BUSY): "again" -> "never"',
        "  compatible  catalog/errors.yaml:13:3: error NEW is new",
        (
            "  note        catalog/errors.yaml:14:60: message of error MISSING (MISSING):"
            ' "A field is missing" -> "A field is not there"'
        ),
    ]


@pytest.mark.parametrize(
    ("change", "code"), [(_COMPATIBLE, 0), (_NOTE, 0), (_BREAKING, 1)], ids=["new", "note", "wire"]
)
def test_only_what_breaks_somebody_fails(
    repo: Path, run: Run, change: tuple[str, str], code: int
) -> None:
    edit(repo, change)
    for style in ("text", "json", "github", "markdown"):
        assert run("diff", "main", "--format", style).exit_code == code


_TOMB: Final = (
    "reserved:\n  - { code: BUSY, name: BUSY, replaced_by: MISSING, reason: Never sent }\n"
)
_RETIRED: Final = ("errors:\n", _TOMB + "errors:\n")
_WITHOUT: Final = (
    '  BUSY: { code: BUSY, category: system, message: "Try later | or *never*" }\n',
    "",
)


def test_a_retired_error_names_its_successor_and_stands_in_its_reservation(
    repo: Path, run: Run
) -> None:
    edit(repo, _RETIRED, _WITHOUT)
    assert run("diff", "v1").stdout.splitlines()[1:] == [
        (
            "  source      catalog/errors.yaml:13:5: error BUSY (BUSY) is gone"
            " (reserved, use MISSING instead; clients may still meet it in old data)"
        ),
        "  compatible  catalog/errors.yaml:13:5: reservation of BUSY (BUSY) is new",
    ]
    removed, _ = json.loads(run("diff", "v1", "--format", "json").stdout)[0]["changes"]
    assert (removed["kind"], removed["line"], removed["column"]) == ("removed", 13, 5)


def test_an_error_that_is_gone_without_a_reservation_stands_where_errors_are(
    repo: Path, run: Run
) -> None:
    edit(repo, _WITHOUT)
    (line,) = run("diff", "v1").stdout.splitlines()[1:]
    assert line == "  wire  catalog/errors.yaml:12:1: error BUSY (BUSY) is gone"


@pytest.mark.parametrize(
    ("item", "held"),
    [
        ("code: OLD, name: OLDER, reason: Gone", "OLDER (OLD)"),
        ("code: OLD, reason: Gone", "OLD"),
        ("name: OLDER, reason: Gone", "OLDER"),
        ("first: 10, last: 19, reason: Gone", "10 to 19"),
        ("prefix: OLD, reason: Gone", "codes that begin with 'OLD'"),
    ],
    ids=["tombstone", "code", "name", "span", "prefix"],
)
def test_a_reservation_goes_by_what_it_holds(repo: Path, run: Run, item: str, held: str) -> None:
    edit(repo, ("errors:\n", f"reserved:\n  - {{ {item} }}\nerrors:\n"))
    assert f": reservation of {held} is new\n" in run("diff", "v1").stdout
    assert (
        f'| reservation of {held} |  | "Gone" |' in run("diff", "v1", "--format", "markdown").stdout
    )
    git(repo, "commit", "-qam", "reserve")
    edit(repo, ("errors:\n", f"reserved:\n  - {{ {item.replace('Gone', 'Lost')} }}\nerrors:\n"))
    assert f'reason of reservation of {held}: "Gone" -> "Lost"' in run("diff", "HEAD").stdout
    edit(repo)
    told = f"reservation of {held} is gone (what it held can be used again)"
    assert told in run("diff", "HEAD").stdout


def test_an_entry_without_a_text_is_only_told_to_be_there(repo: Path, run: Run) -> None:
    edit(repo, ("retry_policies:\n", "retry_policies:\n  once: { retryable: false }\n"))
    row = "| retry policy 'once' |  | yes |\n"
    assert row in run("diff", "v1", "--format", "markdown").stdout


@pytest.mark.parametrize(
    ("version", "debt"),
    [("1.4.9", "1.5.0 is owed"), ("1.5.0", "1.5.0 was owed and is paid")],
    ids=["unpaid", "paid"],
)
def test_the_summary_says_whether_the_version_is_paid(
    repo: Path, run: Run, version: str, debt: str
) -> None:
    edit(repo, _COMPATIBLE, ("version: 1.4.2", f"version: {version}"))
    summary = f"catalog/errors.yaml: 1.4.2 at v1, {version} now: 1 compatible ({debt})"
    assert run("diff", "v1").stdout.splitlines()[0] == summary


def test_programs_get_values_and_places(repo: Path, run: Run) -> None:
    edit(repo, _BREAKING)
    (found,) = json.loads(run("diff", "main", "--format", "json").stdout)
    assert found["version"] == {"old": "1.4.2", "new": "1.4.2", "owed": "2.0.0", "paid": False}
    assert (found["path"], found["base"], found["breaking"]) == (
        "catalog/errors.yaml",
        "main",
        True,
    )
    assert found["changes"][0] == {
        "level": "wire",
        "kind": "changed",
        "path": ["errors", "BUSY", "category"],
        "old": "system",
        "new": "validation",
        "message": 'category of error BUSY (BUSY): "system" -> "validation"',
        "line": 14,
        "column": 33,
    }


def test_github_shows_each_change_beside_its_line(repo: Path, run: Run) -> None:
    edit(repo, _COMPATIBLE)
    assert run("diff", "main", "--format", "github").stdout == (
        "::notice file=catalog/errors.yaml,line=13,col=3,title=EG804 compatible change"
        "::error NEW is new%0Ahelp: a new minor version tells of it\n"
    )


def test_a_pull_request_gets_tables(repo: Path, run: Run) -> None:
    edit(repo, _BREAKING, ("Try later", "Try again"))
    assert run("diff", "main", "--format", "markdown").stdout == (
        "## catalog/errors.yaml: 1.4.2 → 1.4.2\n\n"
        "**Version 2.0.0 is owed**, the catalog says 1.4.2.\n\n"
        "### Breaks clients that know only code, category and retry rule\n\n"
        "| What | Before | After |\n| --- | --- | --- |\n"
        '| category of error BUSY (BUSY) | "system" | "validation" |\n'
        '| retry of error BUSY (BUSY) | "again" | "never" |\n\n'
        "### Breaks nobody\n\n"
        "| What | Before | After |\n| --- | --- | --- |\n"
        '| message of error BUSY (BUSY) | "Try later \\| or \\*never\\*" '
        '| "Try again \\| or \\*never\\*" |\n'
    )


def test_a_catalog_that_did_not_exist_is_all_new(repo: Path, run: Run) -> None:
    git(repo, "checkout", "-q", "--orphan", "other")
    git(repo, "rm", "-rqf", ".")
    (repo / "readme").write_text("x", "utf-8")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "empty")
    commit(repo, _CATALOG)
    result = run("diff", "HEAD~1")
    assert result.exit_code == 0
    assert "1.4.2 is new, nothing of it existed at HEAD~1" in result.stdout
    assert "did not exist at `HEAD~1`" in run("diff", "HEAD~1", "--format", "markdown").stdout
    assert run("check", "--against", "HEAD~1").stderr.count("EG811") == 0


def test_a_catalog_that_was_renamed_is_found(repo: Path, run: Run) -> None:
    (repo / "errgen.toml").write_text('catalog = "catalog/shop.yaml"\n', "utf-8")
    git(repo, "mv", "catalog/errors.yaml", "catalog/shop.yaml")
    git(repo, "commit", "-qm", "rename")
    assert "nothing has changed" in run("diff", "v1").stdout
    assert "shop.yaml: 1.4.2 at v1" in run("diff", "v1").stdout


def test_a_base_that_is_no_catalog_is_told_as_such(repo: Path, run: Run) -> None:
    commit(repo, _CATALOG.replace("category: system", "category: sytem"))
    edit(repo)
    result = run("diff", "HEAD")
    assert result.exit_code == 1
    assert result.stderr.startswith("HEAD:catalog/errors.yaml:14:33: EG301")


@pytest.mark.parametrize(
    ("base", "remedy"),
    [
        ("origin/main", "run git fetch --depth=1 origin main:refs/remotes/origin/main"),
        ("v9", "run git fetch --depth=1 origin v9:v9, or name a file"),
        ("a" * 40, f"run git fetch --depth=1 origin {'a' * 40}"),
        ("--output=x", "run git fetch"),
    ],
)
def test_a_revision_that_is_not_here_is_told_how_to_fetch(
    repo: Path, run: Run, base: str, remedy: str
) -> None:
    git(repo, "remote", "add", "origin", "../nowhere")
    result = run("diff", "--", base)
    assert result.exit_code == 1
    assert result.stderr.startswith(
        f"catalog/errors.yaml: EG821 '{base}' is neither a file nor a revision of this clone\n"
    )
    assert f"help: {remedy}" in result.stderr
    assert not (repo / "x").exists()


def test_a_base_that_is_not_here_is_a_finding_in_every_form(repo: Path, run: Run) -> None:
    told = "'v9' is neither a file nor a revision of this clone"
    (item,) = json.loads(run("diff", "v9", "--format", "json").stdout)
    assert (item["path"], item["line"], item["message"]) == ("catalog/errors.yaml", None, told)
    assert run("diff", "v9", "--format", "github").stdout.startswith(
        f"::error file=catalog/errors.yaml,title=EG821 base unknown::{told}%0A"
    )
    run("build")
    log = json.loads(run("check", "--against", "v9", "--format", "sarif").stdout)
    (result,) = log["runs"][0]["results"]
    assert result["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "catalog/errors.yaml"}}}
    ]
    (issue,) = json.loads(run("check", "--against", "v9", "--format", "gitlab").stdout)
    assert issue["location"] == {"path": "catalog/errors.yaml", "lines": {"begin": 1}}
    assert issue["description"].startswith(f"EG821 {told}")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("retry_after: 1s", "retry_after: 100ms", "1 s -> 100 ms"),
        ("retry_after: 1s", "retry_after: 0", "1 s -> 0 ms"),
        ("retry_after: 1s", "retry_after: 0.5", "1 s -> 500 ms"),
        ("retry_after: 1s", "retry_after: 1h", "1 s -> 1 h"),
    ],
)
def test_durations_have_units(repo: Path, run: Run, old: str, new: str, told: str) -> None:
    edit(repo, (old, new))
    assert run("diff", "main").stdout.endswith(f"{told}\n")
    row = run("diff", "main", "--format", "markdown").stdout
    assert f"| {' | '.join(told.split(' -> '))} |" in row


def test_durations_that_come_and_go_have_units(repo: Path, run: Run) -> None:
    edit(repo, ("retry_after: 1s", "strategy: fixed, initial_delay: 2m"))
    found = run("diff", "main").stdout
    assert "retry_after of retry policy 'again' is gone: it was 1 s\n" in found
    assert "initial_delay of retry policy 'again' is new: 2 min\n" in found


def test_a_shallow_clone_has_what_the_remedy_fetches(
    repo: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(repo, "checkout", "-qb", "topic")
    commit(repo, _CATALOG.replace(*_NOTE))
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth=1", "--branch", "topic", repo.as_uri(), str(clone))
    monkeypatch.chdir(clone)
    result = run("diff", "origin/main")
    (remedy,) = [line for line in result.stderr.splitlines() if "help:" in line]
    git(clone, *remedy.partition("run git ")[2].split())
    assert "1 note (1.4.3 is owed)" in run("diff", "origin/main").stdout


def test_outside_of_git_a_file_can_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "catalog").mkdir()
    (tmp_path / "catalog/errors.yaml").write_text(_CATALOG, "utf-8")
    (tmp_path / "old.yaml").write_text(_CATALOG.replace("1.4.2", "1.4.1"), "utf-8")
    assert "1.4.1 at old.yaml, 1.4.2 now: nothing has changed" in run("diff", "old.yaml").stdout
    assert "help: name a file, or run it in a clone" in run("diff", "main").stderr


@pytest.mark.parametrize(
    ("change", "least"),
    [(_BREAKING, "2.0.0"), (_COMPATIBLE, "1.5.0"), (_NOTE, "1.4.3")],
    ids=["wire", "new", "note"],
)
def test_check_asks_for_the_version_that_is_owed(
    repo: Path, run: Run, change: tuple[str, str], least: str
) -> None:
    text = edit(repo, change)
    run("build")
    assert run("check").exit_code == 0
    result = run("check", "--against", "v1")
    assert result.exit_code == 1
    assert "catalog/errors.yaml:3:10: EG811 version 1.4.2 is too low" in result.stderr
    assert f"help: write version: {least}" in result.stderr
    path = repo / "catalog/errors.yaml"
    path.write_text(text.replace("version: 1.4.2", f"version: {least}"), "utf-8")
    run("build")
    assert run("check", "--against", "v1").exit_code == 0


def test_what_is_owed_names_the_worst_and_counts_the_rest(repo: Path, run: Run) -> None:
    edit(repo, _BREAKING, _COMPATIBLE, _NOTE)
    run("build")
    detail = run("check", "--against", "v1").stderr.partition("help: write version: 2.0.0\n")[2]
    assert detail.count("\n  wire: ") + detail.startswith("  wire: ") == len(["category", "retry"])
    assert "  and 2 more of lower levels\n" in detail


def test_a_renamed_error_is_told_under_both_names(repo: Path, run: Run) -> None:
    edit(repo, ("  MISSING: {", "  LACKING: { aliases: [MISSING],"))
    assert (
        "errors.yaml:13:12: error LACKING (MISSING) was called MISSING: renamed; MISSING stays as an alias\n"
    ) in run("diff", "main").stdout


def test_a_pull_request_that_owes_nothing_says_so(repo: Path, run: Run) -> None:
    nothing = run("diff", "main", "--format", "markdown").stdout
    assert nothing.endswith("1.4.2 → 1.4.2\n\nNothing has changed since `main`.\n")
    edit(repo, _COMPATIBLE, ("version: 1.4.2", "version: 1.5.0"))
    paid = run("diff", "main", "--format", "markdown").stdout
    assert paid.startswith("## catalog/errors.yaml: 1.4.2 → 1.5.0\n\n### New, and breaks nobody\n")


def test_without_git_a_base_is_a_file(
    repo: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(repo / "nowhere"))
    assert "help: name a file, or run it in a clone" in run("diff", "main").stderr
    assert run("diff", "catalog/errors.yaml").exit_code == 0


def test_a_base_is_compared_from_any_folder(
    repo: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(repo, _NOTE)
    monkeypatch.chdir(repo / "catalog")
    assert "1.4.2 at main, 1.4.2 now: 1 note" in run("diff", "main").stdout


@pytest.mark.parametrize(
    ("version", "levels", "least"),
    [
        ("1.2.3", [], "1.2.3"),
        ("1.2.3", [Level.NOTE], "1.2.4"),
        ("1.2.3", [Level.COMPATIBLE, Level.NOTE], "1.3.0"),
        ("1.2.3", [Level.SOURCE, Level.COMPATIBLE], "2.0.0"),
        ("1.2.3", [Level.BODY], "2.0.0"),
        ("1.2.3", [Level.WIRE], "2.0.0"),
        ("0.2.3", [Level.WIRE], "0.3.0"),
        ("0.2.3", [Level.COMPATIBLE], "0.2.4"),
        ("0.2.3", [Level.NOTE], "0.2.4"),
        ("2.0.0-rc.1", [Level.NOTE], "2.0.1"),
        ("1.9.9+build", [Level.COMPATIBLE], "1.10.0"),
    ],
)
def test_the_version_owed_is_that_of_semver(version: str, levels: list[Level], least: str) -> None:
    assert owed(version, levels) == least


@pytest.mark.parametrize(
    ("version", "least", "paid"),
    [
        ("2.0.0", "2.0.0", True),
        ("2.0.0-rc.1", "2.0.0", True),
        ("1.10.0", "1.9.0", True),
        ("1.9.9", "2.0.0", False),
        ("3.0.0+x-y", "2.0.0", True),
    ],
)
def test_a_version_pays(version: str, least: str, paid: bool) -> None:
    assert pays(version, least) is paid


def test_unknown_forms_are_usage_errors(repo: Path, run: Run) -> None:
    result: Any = run("diff", "main", "--format", "xml")
    assert result.exit_code == 2
    assert run("build", "--format", "markdown").exit_code == 2
