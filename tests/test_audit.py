"""The audit: each planted misuse is found at its line and nothing else, in Python and in TypeScript."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner
from support import ROOT

from errgen.audit.files import matches
from errgen.cli import main
from errgen.codes import Category, spec
from errgen.codes import DiagnosticCode as Code

_CASE: Final = ROOT / "tests" / "cases" / "audit"
_TEXTS: Final = """\
errgen: 1
name: texts
version: 1.0.0
layers: { error: { enum: ErrorCode, code: string, wire: body } }
categories: { auth: { title: Auth, retry: never } }
ranges: [{ prefix: AUTH-, category: auth }, { prefix: NOT_, category: auth }]
errors:
  DENIED: { code: AUTH-001, category: auth, message: No }
  NOT_ALLOWED: { category: auth, message: No }
"""
_PLANTED: Final = re.compile(r"finds((?: EG\d+)+)( above)?")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the project with misuses once."""
    folder = tmp_path_factory.mktemp("built") / "project"
    shutil.copytree(_CASE, folder)
    done = CliRunner().invoke(main, ["build", str(folder / "catalog" / "errors.yaml")])
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture
def project(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a copy of the project with misuses, with what is generated for it."""
    shutil.copytree(built, tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


def planted(folder: Path) -> Iterator[tuple[str, int, str]]:
    """Yield what the sources say that the audit finds in them."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in (".py", ".ts", ".tsx", ".jsx"):
            for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
                if found := _PLANTED.search(line):
                    for code in found[1].split():
                        shown = path.relative_to(folder).as_posix()
                        yield shown, number - bool(found[2]), code


def audited(*arguments: str) -> list[tuple[str, int, str]]:
    """Return file, line and code of each finding."""
    text = CliRunner().invoke(main, ["audit", *arguments]).stderr
    found = re.findall(r"^(\S+?):(\d+):\d+: (EG\d+)", text, re.MULTILINE)
    return sorted((path, int(line), code) for path, line, code in found)


@pytest.mark.parametrize("folder", ["server", "web"])
def test_each_planted_misuse_is_found_at_its_line_and_nothing_else(
    project: Path, folder: str
) -> None:
    found = [one for one in audited(folder) if one[0] != "catalog/errors.yaml"]
    assert found == sorted(one for one in planted(project) if one[0].startswith(f"{folder}/"))


def test_the_whole_report_is_as_expected(project: Path, update_golden: bool) -> None:
    report = CliRunner().invoke(main, ["audit", "server", "web"])
    expected = _CASE / "expected.txt"
    if update_golden:
        expected.write_text(report.stderr, "utf-8")
    assert report.stderr == expected.read_text("utf-8")
    assert report.exit_code == 1


def test_every_finding_of_the_audit_is_planted(project: Path) -> None:
    found = {code for _, _, code in audited("server", "web")}
    asked = {str(code) for code in Code if spec(code).category == Category.USAGE}
    assert asked - found == {"EG912"}


def test_clean_source_has_no_findings(project: Path) -> None:
    shutil.rmtree(project / "web")
    (project / "server" / "tools" / "files.py").unlink()
    (project / "server" / "tools" / "broken.py").unlink()
    (project / "server" / "transport" / "http.py").write_text(
        "from server.errors import ToolError\n\nyield_ = ToolError.timeout()\n", "utf-8"
    )
    result = CliRunner().invoke(main, ["audit", "server/transport/http.py"])
    assert (result.exit_code, result.output) == (0, "1 file audited\n")


@pytest.mark.parametrize(
    ("paths", "idle"),
    [
        (["server", "web"], ["NEVER_RAISED"]),
        (["server/tools/files.py"], []),
        (["server/transport"], ["CONCEALED", "HIDDEN"]),
        (["empty"], ["any of 7 errors"]),
    ],
    ids=["all", "a file shows nothing", "one folder", "nothing is used"],
)
def test_unused_errors_are_looked_for_in_folders(
    project: Path, paths: list[str], idle: list[str]
) -> None:
    (project / "empty").mkdir()
    text = CliRunner().invoke(main, ["audit", *paths]).stderr
    found = re.findall(r"EG907 warning: nothing in the source uses (.*)", text)
    assert set(idle) <= set(found)
    assert bool(idle) == bool(found)
    assert "OLD_LIMIT" not in found  # it is deprecated
    assert "UPSTREAM_FAILED" not in found  # a translation makes it
    assert "RAISED_ELSEWHERE" not in found  # a comment allows it


def test_an_error_that_only_conceals_a_used_one_is_used(project: Path) -> None:
    assert "CONCEALED" not in (project / "server/tools/files.py").read_text("utf-8")
    text = CliRunner().invoke(main, ["audit", "server/tools"]).stderr
    assert "uses NEVER_RAISED" in text
    assert "uses CONCEALED" not in text


@pytest.mark.parametrize(
    ("folder", "is_searched"),
    [
        ("lib", True),
        (".hidden", False),
        ("node_modules/x", False),
        ("__pycache__", False),
        ("env", False),
        ("ignored", False),
        ("excluded", False),
    ],
)
def test_folders_that_hold_no_source_of_ours_are_left_out(
    project: Path, folder: str, is_searched: bool
) -> None:
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    (project / ".gitignore").write_text("/app/ignored/\n", "utf-8")
    config = project / "errgen.toml"
    config.write_text(
        config.read_text("utf-8").replace('["**/*.test.ts"]', '["app/excluded/**"]'), "utf-8"
    )
    place = project / "app" / folder
    place.mkdir(parents=True)
    (project / "app" / "env").mkdir(exist_ok=True)
    (project / "app" / "env" / "pyvenv.cfg").write_text("", "utf-8")
    (place / "a.py").write_text("code = 4001\n", "utf-8")
    found = [one for one in audited("app") if one[0] != "catalog/errors.yaml"]
    assert found == ([(f"app/{folder}/a.py", 1, "EG905")] if is_searched else [])
    # What is named is audited, wherever it is, unless the config says otherwise.
    named = [] if folder == "excluded" else [(f"app/{folder}/a.py", 1, "EG905")]
    assert audited(f"app/{folder}/a.py") == named


def test_what_an_excluded_file_uses_is_used(project: Path) -> None:
    (project / "web" / "tools" / "never.test.ts").write_text("const code = 4005;\n", "utf-8")
    text = CliRunner().invoke(main, ["audit", "server", "web"]).stderr
    assert "never.test.ts" not in text
    assert "EG907" not in text


def test_a_dangling_link_is_no_source(project: Path) -> None:
    (project / "app").mkdir()
    (project / "app" / "a.py").symlink_to("nowhere.py")
    assert CliRunner().invoke(main, ["audit", "app"]).stdout == "0 files audited\n"


def test_a_link_to_a_file_that_is_audited_is_no_second_file(project: Path) -> None:
    (project / "app" / "inner").mkdir(parents=True)
    (project / "app" / "a.py").write_text("code = 4001\n", "utf-8")
    (project / "app" / "link.py").symlink_to("a.py")
    (project / "app" / "inner" / "loop").symlink_to("..")
    found = [one for one in audited("app", "app/inner", "app/link.py") if one[2] == "EG905"]
    assert found == [("app/a.py", 1, "EG905")]


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_audited(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Path.read_bytes

    def failing(path: Path) -> bytes:
        if path.name == "gone.py":
            raise FileNotFoundError(2, "No such file or directory", str(path))
        return read(path)

    for name in ("gone.py", "here.py"):
        (project / name).write_text("code = 4001\n", "utf-8")
    monkeypatch.setattr(Path, "read_bytes", failing)
    result = CliRunner().invoke(main, ["audit", "gone.py", "here.py"])
    assert "gone.py: EG911 warning: the file is not audited whole: No such file" in result.stderr
    assert "here.py:1:8: EG905" in result.stderr
    assert result.exit_code == 1


def test_lines_end_as_on_any_system(project: Path) -> None:
    for end in ("\n", "\r\n", "\r"):
        for name, mark in (("a.py", "#"), ("a.ts", "//")):
            lines = (
                "x = 1",
                f"{mark} errgen: allow EG905: it counts",
                "code = 4001",
                "code = 4001",
                "",
            )
            (project / name).write_bytes(end.join(lines).encode())
            assert audited(name) == [(name, 4, "EG905")]


def test_what_errgen_made_is_not_audited(project: Path) -> None:
    result = CliRunner().invoke(main, ["audit", "server/errors.py", "web/errors.ts"])
    assert (result.exit_code, result.output) == (0, "0 files audited\n")


def test_a_public_module_does_not_have_internal_errors(project: Path) -> None:
    config = project / "errgen.toml"
    text = config.read_text("utf-8")
    config.write_text(text.replace('"server/errors.py"', '"server/errors.py", audience = "public"'))
    (project / "a.py").write_text("from server.errors import ErrorCode\n\nErrorCode.HIDDEN\n")
    assert audited("a.py") == [("a.py", 3, "EG901")]


def test_without_its_parser_typescript_is_no_silent_gap(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("errgen.audit.is_installed", lambda target: target == "python")
    result = CliRunner().invoke(main, ["audit", "web", "server/tools/broken.py"])
    assert result.exit_code == 1
    assert re.findall(r"^(\S+): (EG912.*)", result.stderr, re.MULTILINE) == [
        ("web/tools/broken.ts", "EG912 no parser for TypeScript and JavaScript is installed")
    ]
    assert "pip install 'errgen[audit]'" in result.stderr
    assert "EG911" in result.stderr


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ("audit = 1", "audit must be a table"),
        ("[audit]\nlayer = {}", "errgen.toml:2:1: EG701 unknown key 'audit.layer'"),
        ("[audit]\nlayers = []", "audit.layers must be a table that leads from a layer"),
        ('[audit.layers]\ntool = "src"', "audit.layers.tool must be a list of texts"),
        ("[audit]\nexclude = [1]", "audit.exclude must be a list of texts"),
        ('[audit]\nmodules = "x"', "audit.modules must be a list of texts"),
        (
            '[audit.layers]\ntools = ["x"]',
            "errgen.toml:2:1: EG701 audit.layers: no catalog has a layer 'tools'",
        ),
        ('[audit.layers]\nxyz = ["x"]', "help: there are protocol, tool"),
    ],
)
def test_settings_of_the_audit_are_checked(project: Path, settings: str, problem: str) -> None:
    (project / "errgen.toml").write_text(settings, "utf-8")
    result = CliRunner().invoke(main, ["audit", "server"])
    assert result.exit_code == 2
    assert problem in result.stderr


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (b"\xff = 1\n", "invalid or missing encoding"),
        (b"# coding: nothing\n", "unknown encoding"),
        (b"x = '\0'\n", "null bytes"),
        (b"# coding: latin-1\ncode = 4001 # \xe9\n", "EG905"),
        (b"\xef\xbb\xbfcode = 4001\r\ncode = 4001\r\n", "EG905"),
        (("(" * 1000 + ")" * 1000).encode(), "too many nested parentheses"),
        (("a" + ".b" * 4000).encode(), "it is nested too deeply"),
    ],
    ids=["no UTF-8", "unknown encoding", "NUL", "Latin 1", "BOM and CRLF", "brackets", "dots"],
)
def test_any_bytes_are_read_as_python_reads_them(project: Path, source: bytes, found: str) -> None:
    (project / "a.py").write_bytes(source)
    result = CliRunner().invoke(main, ["audit", "a.py"])
    assert found in result.stderr
    assert isinstance(result.exception, SystemExit | None)


@pytest.mark.parametrize(
    ("source", "code"),
    [
        (b"\xff", "EG911"),
        (b"import a from './errors';\na" + b".b" * 4000, "EG911"),
        (b"\xef\xbb\xbfconst code = 4001;\r\nconst x = 4001;", "EG905"),
    ],
    ids=["no UTF-8", "dots", "BOM and CRLF"],
)
def test_any_bytes_are_read_as_typescript(project: Path, source: bytes, code: str) -> None:
    (project / "a.ts").write_bytes(source)
    assert audited("a.ts") == [("a.ts", 1, code)]


@pytest.mark.parametrize(
    ("name", "source", "line"),
    [
        (
            "a.py",
            "X = {\n" + "".join(f"{n!r}: {n},\n" for n in map(str, range(30000))) + "}\n",
            30003,
        ),
        ("a.py", f"def f({','.join(f'a{n}={n}' for n in range(20000))}): pass\n", 2),
        ("a.py", f"x = {' == '.join(map(str, range(20000)))}\n", 2),
        ("a.py", "é = 1; " + "x(code=9); " * 40000 + "\n", 2),
        ("a.py", "# errgen: allow EG905: it is sent\n" * 20000 + "\n", 20002),
        ("a.ts", "(" * 15000 + "1" + ")" * 15000 + ";\n", 2),
    ],
    ids=["table", "parameters", "comparison", "long line", "comments", "brackets"],
)
def test_a_file_of_unusual_size_is_audited_to_its_end(
    project: Path, name: str, source: str, line: int
) -> None:
    (project / name).write_text(f"{source}code = 4001\n", "utf-8")
    assert audited(name)[-1] == (name, line, "EG905")


def test_codes_that_are_texts(project: Path) -> None:
    (project / "catalog" / "errors.yaml").write_text(_TEXTS, "utf-8")
    config = project / "errgen.toml"
    config.write_text(config.read_text("utf-8").partition("[audit]")[0], "utf-8")
    (project / "a.py").write_text(
        "from server.errors import ErrorCode\n\n"
        'ErrorCode("AUTH-001")\n'
        'code = "AUTH-001"\n'
        'code = "AUTH-"\n'
        'code = "AUTH-002"\n'
        'code = "OTHER-2"\n'
        'title = "AUTH-001"\n'
        'MESSAGES = {"AUTH-001": "x"}\n'
        "ErrorCode.NOT_ALLOWED\n"
        "code = 1\n",
        "utf-8",
    )
    assert audited("a.py") == [
        ("a.py", 3, "EG905"),
        ("a.py", 4, "EG905"),
        ("a.py", 6, "EG902"),
        ("a.py", 9, "EG905"),
    ]


@pytest.mark.parametrize("style", ["json", "github", "sarif", "gitlab"])
def test_findings_of_the_audit_come_in_every_form(project: Path, style: str) -> None:
    (project / "a.py").write_text("code = 4001\n", "utf-8")
    result = CliRunner().invoke(main, ["audit", "a.py", "--format", style])
    assert result.exit_code == 1
    assert "EG905" in result.stdout
    assert "a.py" in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("src/transport/**", "src/transport/a.py", True),
        ("src/transport/**", "src/transport/b/a.py", True),
        ("src/transport/**", "src/transports/a.py", False),
        ("**/*.test.ts", "a.test.ts", True),
        ("**/*.test.ts", "a/b/a.test.ts", True),
        ("*.py", "a/b.py", False),
        ("a?.py", "ab.py", True),
        ("a.py", "axpy", False),
        ("src/*/x.py", "src/a/x.py", True),
    ],
)
def test_patterns_of_paths(pattern: str, path: str, fits: bool) -> None:
    assert matches(path, [pattern]) is fits


def test_this_repository_passes_its_own_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert {(path, code) for path, _, code in audited("errgen")} == {
        ("catalog/errors.yaml", "EG907")  # the reference catalog is for others to use
    }
