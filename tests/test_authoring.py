"""`errgen new` and `errgen retire`: the file of a catalog gains or loses lines, and keeps all others."""

import difflib
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

import pytest
from click.testing import CliRunner, Result
from fragments import FULL
from support import CATALOGS, write_catalog

from errgen.cli import main
from errgen.source import load
from errgen.validate import check

Run: TypeAlias = Callable[..., Result]

_CATALOG = """\
# The shop.
errgen: 1
name: shop
version: 1.0.0
categories:
  validation: { title: Validation, retry: never } # 2000
  system: { retry: never }
  empty: { retry: never }
ranges:
  - { first: 2000, last: 2005, category: validation }
  - { first: 4000, last: 4999, category: system }
  - { first: 5000, last: 5999, category: empty }
reserved:
  - { code: 2003, name: OLD, reason: Merged }
errors:
  # The first.
  INVALID:
    code: 2001   # published
    category: validation
    message: 'Invalid input'

  # The second.
  MISSING:
    code: 2002
    category: validation
    aliases: [LOST]
    message: "Missing"
    # about it

  # System errors from here.

  TIMEOUT:
    code: 4001
    category: system
    message: Timeout
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run errgen in a folder with a catalog."""
    write_catalog(tmp_path / "catalog", _CATALOG, "errors.yaml")
    monkeypatch.chdir(tmp_path)

    def invoke(*args: str) -> Result:
        return CliRunner().invoke(main, args, catch_exceptions=False)

    return invoke


def text() -> str:
    return Path("catalog/errors.yaml").read_bytes().decode()


def changes(old: str, new: str) -> list[str]:
    """Return the lines that differ, with their signs."""
    lines = difflib.ndiff(old.splitlines(keepends=True), new.splitlines(keepends=True))
    return [line for line in lines if line[0] in "+-"]


def is_valid() -> bool:
    found = check(load(Path("catalog/errors.yaml"), "c"))
    return all(item.level != "error" for item in found)


def test_a_new_error_stands_beside_its_like_and_nothing_else_changes(run: Run) -> None:
    result = run("new", "BAD_FORMAT", "--category", "validation")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("catalog/errors.yaml:30:3: BAD_FORMAT has code 2004\n")
    above, below = _CATALOG.split("    # about it\n")
    added = (
        "\n  BAD_FORMAT:\n    code: 2004\n    category: validation\n    message: To be written\n"
    )
    assert text() == f"{above}    # about it\n{added}{below}"
    assert is_valid()
    assert "BAD_FORMAT:" in text().splitlines()[29]


@pytest.mark.parametrize(
    ("category", "codes"),
    [("validation", [2004, 2005, 2000]), ("system", [4002, 4003]), ("empty", [5000, 5001])],
)
def test_codes_go_up_from_the_last_and_fill_gaps_at_the_end(
    run: Run, category: str, codes: list[int]
) -> None:
    for number, code in enumerate(codes):
        result = run("new", f"N_{number}", "--category", category)
        assert f"N_{number} has code {code}" in result.stdout
    assert is_valid()


def test_where_the_category_has_no_retry_policy_the_error_gets_one(run: Run) -> None:
    path = Path("catalog/errors.yaml")
    path.write_text(_CATALOG.replace("  empty: { retry: never }", "  empty: {}"), "utf-8")
    before = text()
    assert run("new", "FIRST", "--category", "empty").exit_code == 0
    assert "+     retry: never\n" in changes(before, text())
    assert is_valid()


def test_a_full_range_says_what_to_do(run: Run) -> None:
    for number in range(3):
        run("new", f"N_{number}", "--category", "validation")
    before = text()
    result = run("new", "LATE", "--category", "validation")
    assert result.exit_code == 1
    assert "EG832 category 'validation' has no free code in 2000 to 2005" in result.stderr
    assert "help: widen a range, add another one, or write the error by hand" in result.stderr
    assert text() == before


def test_random_codes_are_free_ones(run: Run) -> None:
    for number in range(3):
        assert run("new", f"N_{number}", "--category", "validation", "--random").exit_code == 0
    data = load(Path("catalog/errors.yaml"), "c").data
    codes = {entry["code"] for entry in data["errors"].values()}
    assert codes == {2000, 2001, 2002, 2004, 2005, 4001}
    assert run("new", "LATE", "--category", "validation", "--random").exit_code == 1


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("MISSING", "the name MISSING is that of an error already"),
        ("LOST", "the name LOST is an alias of MISSING"),
        ("OLD", "the name OLD is reserved: Merged"),
        ("badFormat", "the name badFormat is not UPPER_SNAKE, such as NOT_FOUND"),
        ("MISS_ING", None),
        ("MISSING_2", None),
    ],
)
def test_a_name_must_be_free(run: Run, name: str, problem: str | None) -> None:
    result = run("new", name, "--category", "system")
    assert result.exit_code == (1 if problem else 0)
    if problem:
        assert f"catalog/errors.yaml: EG831 {problem}" in result.stderr
        assert text() == _CATALOG


def test_a_name_that_is_spelled_like_another_is_refused(run: Run) -> None:
    run("new", "NOT_2_FOUND", "--category", "system")
    before = text()
    result = run("new", "NOT2_FOUND", "--category", "system")
    assert (result.exit_code, "EG402" in result.stderr) == (1, True)
    assert result.stderr.startswith("catalog/errors.yaml: EG402")
    assert text() == before


def test_a_name_that_is_spelled_like_a_reserved_one_is_refused(run: Run) -> None:
    path = Path("catalog/errors.yaml")
    path.write_text(_CATALOG.replace("name: OLD", "name: NOT_2_OLD"), "utf-8")
    before = text()
    result = run("new", "NOT2_OLD", "--category", "system")
    assert (result.exit_code, text()) == (1, before)
    assert "EG831 the name NOT2_OLD is reserved: Merged" in result.stderr


def test_a_category_must_be_there(run: Run) -> None:
    result = run("new", "X", "--category", "sytem")
    assert result.exit_code == 1
    assert "catalog/errors.yaml:5:1: EG301 --category names category 'sytem'" in result.stderr
    assert "help: did you mean 'system'?" in result.stderr


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_byte_order_marks_stay(run: Run, end: str, mark: bytes) -> None:
    path = Path("catalog/errors.yaml")
    path.write_bytes(mark + _CATALOG.rstrip("\n").replace("\n", end).encode())
    assert run("new", "SLOW", "--category", "system").exit_code == 0
    content = path.read_bytes()
    assert content.startswith(mark + b"# The shop.")
    assert content.decode("utf-8-sig").replace(end, "\n") == (
        _CATALOG + "\n  SLOW:\n    code: 4002\n    category: system\n    message: To be written\n"
    )


def test_a_catalog_of_one_line_entries_gets_one_line(run: Run) -> None:
    old = write_catalog(Path("catalog"), FULL, "errors.yaml").read_text("utf-8")
    assert run("new", "NEXT", "--category", "system").exit_code == 0
    assert changes(old, text()) == [
        "+   NEXT: { code: 4002, category: system, message: To be written }\n"
    ]


def test_a_string_layer_has_names_for_codes_or_counts_on(run: Run) -> None:
    path = Path("catalog/errors.yaml")
    path.write_text(_STRINGS, "utf-8")
    assert run("new", "PLAIN", "--category", "free").exit_code == 0
    assert run("new", "COUNTED", "--category", "counted").exit_code == 0
    assert changes(_STRINGS, text()) == [
        "+   COUNTED: { code: E010, category: counted, message: To be written }\n",
        "+   PLAIN: { category: free, message: To be written }\n",
    ]
    result = run("new", "OTHER", "--category", "lettered")
    assert "EG832 category 'lettered' has no free code after X" in result.stderr
    assert is_valid()


_STRINGS = """\
errgen: 1
name: strings
version: 1.0.0
layers: { text: { enum: TextCode, code: string } }
categories: { free: { retry: never }, counted: { retry: never }, lettered: { retry: never } }
ranges: [{ prefix: E, category: counted }, { prefix: X, category: lettered }]
errors:
  A: { code: E007, category: counted, message: A }
  B: { code: E009, category: counted, message: B }
  C: { category: free, message: C }
  D: { code: Xa, category: lettered, message: D }
"""


def test_a_profile_has_its_say(run: Run) -> None:
    path = Path("catalog/errors.yaml")
    path.write_text(
        "errgen: 1\nname: p\nversion: 1.0.0\n"
        "layers: { p: { enum: PCode, code: integer, wire: jsonrpc-error, profile: mcp-2026-07-28 } }\n"
        "categories: { p: { retry: never } }\n"
        "ranges: [{ first: -32101, last: -31999, category: p }]\n"
        "errors:\n  METHOD_NOT_FOUND: { code: -32601, category: p, message: M, range_waiver: x }\n",
        "utf-8",
    )
    result = run("new", "MINE", "--category", "p")
    assert result.exit_code == 0, result.stderr
    assert "MINE has code -31999" in result.stdout


@pytest.mark.parametrize(
    ("catalog", "remedy"),
    [
        (
            "errors: { A: { code: 2001, category: validation, message: m } }\n",
            "write each of the errors in lines of its own, its name first",
        ),
        (
            "errors: {\n  A: { code: 2001, category: validation, message: m }, C: *x }\n".replace(
                "*x", "{ code: 2002, category: validation, message: m }"
            ),
            "write each of the errors in lines of its own, its name first",
        ),
    ],
)
def test_what_has_no_lines_of_its_own_stays(run: Run, catalog: str, remedy: str) -> None:
    path = Path("catalog/errors.yaml")
    path.write_text(_CATALOG.split("errors:\n", maxsplit=1)[0] + catalog, "utf-8")
    before = text()
    result = run("new", "B_2", "--category", "validation")
    assert result.exit_code == 1
    assert "EG833" in result.stderr
    assert f"help: {remedy}" in result.stderr
    assert text() == before


_SETTINGS: Final = (
    *("-c", "user.name=n", "-c", "user.email=e@example.com"),
    *("-c", "commit.gpgsign=false", "-c", "merge.conflictStyle=merge"),
)


def git(*args: str) -> None:
    subprocess.run(["git", *_SETTINGS, *args], check=True, capture_output=True)


@pytest.fixture
def branches(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Stand on main, beside a branch `one` on which `errgen new` has added an error to the category system."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(Path("none").resolve()))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-qm", "start")
    git("checkout", "-qb", "one")
    assert "ONE has code 4002" in run("new", "ONE", "--category", "system").stdout
    git("commit", "-qam", "one")
    git("checkout", "-q", "main")
    return run


def shown(revision: str) -> str:
    """Return the catalog at a revision."""
    command = ["git", "show", f"{revision}:./catalog/errors.yaml"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def merged() -> bool:
    """Merge the branch one into this one, and tell whether git asked; then what each has added at the end is kept."""
    command = ["git", *_SETTINGS, "merge", "-q", "one"]
    is_clean = subprocess.run(command, check=False, capture_output=True).returncode == 0
    if not is_clean:
        both = shown("main") + shown("one").removeprefix(_CATALOG)
        Path("catalog/errors.yaml").write_text(both, "utf-8")
    return not is_clean


def test_a_branch_that_knows_another_gets_a_number_of_its_own(branches: Run) -> None:
    found = branches("new", "TWO", "--category", "system", "--against", "one")
    assert "TWO has code 4003" in found.stdout
    git("commit", "-qam", "two")
    assert merged()
    data = load(Path("catalog/errors.yaml"), "c").data
    assert {name: data["errors"][name]["code"] for name in ("ONE", "TWO")} == {
        "ONE": 4002,
        "TWO": 4003,
    }
    assert is_valid()


def test_a_name_of_another_branch_is_taken(branches: Run) -> None:
    taken = branches("new", "ONE", "--category", "system", "--against", "one")
    assert "EG831 the name ONE is that of an error already at the base" in taken.stderr
    assert text() == _CATALOG


@pytest.mark.parametrize("is_asked", [True, False], ids=["asked", "clean"])
def test_a_number_that_two_branches_took_is_found_after_the_merge(
    branches: Run, is_asked: bool
) -> None:
    if is_asked:
        # Both stand at the end of the file, so that git asks.
        assert "TWO has code 4002" in branches("new", "TWO", "--category", "system").stdout
    else:
        # Written in another place, both go in without a word from git.
        added = "errors:\n  TWO: { code: 4002, category: system, message: Two }\n"
        Path("catalog/errors.yaml").write_text(text().replace("errors:\n", added), "utf-8")
    git("commit", "-qam", "two")
    assert merged() is is_asked
    result = branches("check")
    first, later = (n for n, line in enumerate(text().splitlines(), 1) if "code: 4002" in line)
    name = "TWO" if text().index("TWO") < text().index("ONE:") else "ONE"
    assert result.exit_code == 1
    assert f"catalog/errors.yaml:{later}:" in result.stderr
    assert f"EG201 code 4002 is already used by {name} on line {first}" in result.stderr


def test_a_retired_error_is_a_reservation(run: Run) -> None:
    result = run("retire", "MISSING", "--reason", "Nobody sends it", "--replaced-by", "INVALID")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("catalog/errors.yaml:15:5: MISSING (2002) is reserved\n")
    assert changes(_CATALOG, text()) == [
        "+   - { code: 2002, name: MISSING, replaced_by: INVALID, reason: Nobody sends it }\n",
        "+   - { name: LOST, replaced_by: INVALID, reason: Nobody sends it }\n",
        "-   # The second.\n",
        "-   MISSING:\n",
        "-     code: 2002\n",
        "-     category: validation\n",
        "-     aliases: [LOST]\n",
        '-     message: "Missing"\n',
        "-     # about it\n",
        "- \n",
    ]
    assert is_valid()
    for name in ("MISSING", "LOST"):
        assert "is reserved: Nobody sends it" in run("new", name, "--category", "system").stderr
    assert "has code 2004" in run("new", "NEXT", "--category", "validation").stdout
    assert "2002 MISSING is reserved" in run("explain", "2002").stdout


def test_the_first_reservation_makes_its_section(run: Run) -> None:
    old = _CATALOG.replace("reserved:\n  - { code: 2003, name: OLD, reason: Merged }\n", "")
    Path("catalog/errors.yaml").write_text(old, "utf-8")
    assert run("retire", "TIMEOUT", "--reason", "Never, ever: gone").exit_code == 0
    assert changes(old, text())[:3] == [
        "+ reserved:\n",
        '+   - { code: 4001, name: TIMEOUT, reason: "Never, ever: gone" }\n',
        "+ \n",
    ]
    assert is_valid()


def test_what_others_name_is_not_retired(run: Run) -> None:
    path = Path("catalog/errors.yaml")
    old = _CATALOG.replace("message: Timeout", "message: Timeout\n    see_also: [MISSING]")
    path.write_text(old, "utf-8")
    result = run("retire", "MISSING", "--reason", "x")
    assert result.exit_code == 1
    assert "EG301 item 1 of see_also of error TIMEOUT names error 'MISSING'" in result.stderr
    assert text() == old


@pytest.mark.parametrize("name", ["MISING", "LOST"])
def test_only_an_error_is_retired(run: Run, name: str) -> None:
    result = run("retire", name, "--reason", "x")
    assert result.exit_code == 1
    assert f"EG721 no error has the code or name '{name}'" in result.stderr
    assert text() == _CATALOG


@pytest.mark.parametrize("name", CATALOGS)
def test_every_error_of_real_catalogs_can_have_a_neighbour(name: str, run: Run) -> None:
    old = write_catalog(Path("catalog"), CATALOGS[name].read_text("utf-8"), "errors.yaml")
    data = load(old, "c").data
    categories = {entry["category"] for entry in data["errors"].values()}
    for number, category in enumerate(sorted(categories)):
        before = text()
        result = run("new", f"NEIGHBOUR_{number}", "--category", category)
        if result.exit_code:
            assert "EG832" in result.stderr
            continue
        assert {line[0] for line in changes(before, text())} == {"+"}
        assert is_valid() != ("still to do" in result.stdout)
        old.write_text(before, "utf-8")


def test_what_the_body_needs_is_left_to_the_author(run: Run) -> None:
    write_catalog(Path("catalog"), CATALOGS["s1-gateway"].read_text("utf-8"), "errors.yaml")
    result = run("new", "BROKEN", "--category", "fault")
    assert result.exit_code == 0
    assert (
        "still to do: BROKEN: no recovery_hint, which the response field 'recoveryHint' needs\n"
    ) in result.stdout


def test_several_catalogs_must_be_told_apart(run: Run) -> None:
    Path("errgen.toml").write_text('catalog = ["catalog/errors.yaml", "b.yaml"]\n', "utf-8")
    result = run("new", "X", "--category", "system")
    assert result.exit_code == 2
    assert "name the catalog: catalog/errors.yaml, b.yaml" in result.stderr
    assert run("new", "X_1", "catalog/errors.yaml", "--category", "system").exit_code == 0


def test_a_broken_catalog_stays_as_it_is(run: Run) -> None:
    path = Path("catalog/errors.yaml")
    path.write_text(_CATALOG.replace("code: 2002", "code: 2001"), "utf-8")
    before = text()
    for command in (("new", "X", "--category", "system"), ("retire", "INVALID", "--reason", "r")):
        result = run(*command)
        assert (result.exit_code, "EG201" in result.stderr) == (1, True)
    assert text() == before


def test_the_mode_of_the_file_stays(run: Run) -> None:
    path = Path("catalog/errors.yaml")
    path.chmod(0o640)
    run("new", "X", "--category", "system")
    assert path.stat().st_mode & 0o777 == 0o640
    assert [item.name for item in path.parent.iterdir()] == ["errors.yaml"]


def test_a_disk_that_fails_leaves_the_catalog_and_nothing_else(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", fail)
        result = run("new", "X", "--category", "system")
    assert (result.exit_code, result.stderr) == (2, "errgen: No space left on device\n")
    assert text() == _CATALOG
    assert [item.name for item in Path("catalog").iterdir()] == ["errors.yaml"]
