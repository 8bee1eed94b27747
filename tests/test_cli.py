"""The commands as a user meets them: exit codes, streams and what is on disk afterwards."""

import io
import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeAlias

import pytest
from click.testing import CliRunner, Result
from support import ROOT

from errgen import shell
from errgen.cli import main

Run: TypeAlias = Callable[..., Result]

_CATALOG = """\
errgen: 1
name: shop
version: 1.0.0
categories:
  validation: { title: Validation, retry: never }
ranges:
  - { first: 2000, last: 2999, category: validation }
errors:
  MISSING_FIELD: { code: 2001, category: validation, message: A field is missing }
"""
_OUTPUTS = {
    "generated/conformance/errors.json",
    "generated/python/errors.py",
    "generated/jsonschema/errors.schema.json",
    "generated/typescript/errors.ts",
    "generated/markdown/errors.llms.txt",
    "generated/markdown/errors.md",
    "generated/markdown/errors.ranges.svg",
}


@pytest.fixture
def run() -> Run:
    """Run errgen with arguments in the present folder."""

    def invoke(*args: str) -> Result:
        return CliRunner().invoke(main, args, catch_exceptions=False)

    return invoke


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a folder with a small catalog."""
    (tmp_path / "catalog").mkdir()
    (tmp_path / "catalog" / "errors.yaml").write_text(_CATALOG, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def edit(project: Path, old: str, new: str, path: str = "catalog/errors.yaml") -> None:
    """Change one place of a file."""
    text = (project / path).read_text("utf-8")
    assert text.count(old) == 1
    (project / path).write_text(text.replace(old, new), "utf-8")


def files(project: Path) -> Mapping[str, bytes]:
    """Return every generated file, the manifest left out."""
    found = (path for path in (project / "generated").rglob("*") if path.is_file())
    return {
        path.relative_to(project).as_posix(): path.read_bytes()
        for path in found
        if not path.name.startswith(".")
    }


def test_build_writes_every_target_and_says_so(project: Path, run: Run) -> None:
    result = run("build")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "catalog/errors.yaml: shop 1.0.0, 1 error",
        *(f"wrote {path}" for path in sorted(_OUTPUTS)),
    ]
    assert result.stderr == ""
    assert files(project).keys() == _OUTPUTS


def test_a_second_build_writes_nothing(project: Path, run: Run) -> None:
    run("build")
    before = {path: path.stat().st_mtime_ns for path in project.rglob("*")}
    result = run("build")
    assert result.stdout.splitlines()[1:] == [f"{len(_OUTPUTS)} files unchanged"]
    assert {path: path.stat().st_mtime_ns for path in project.rglob("*")} == before


def test_check_agrees_with_build(project: Path, run: Run) -> None:
    run("build")
    result = run("check")
    told = f"{len(_OUTPUTS)} files up to date\n"
    assert (result.exit_code, result.stdout, result.stderr) == (0, told, "")


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


@pytest.mark.parametrize("command", ["build", "check"])
@pytest.mark.parametrize(
    ("patience", "stream", "shown"),
    [(0, Terminal, ["100%"]), (60, Terminal, []), (0, io.StringIO, [])],
    ids=["long", "short", "piped"],
)
@pytest.mark.usefixtures("project")
def test_progress_is_shown_on_a_terminal_when_work_takes_long(
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    patience: float,
    stream: type[io.StringIO],
    shown: list[str],
) -> None:
    monkeypatch.setattr(shell, "_PATIENCE", patience)
    monkeypatch.setattr("sys.stderr", told := stream())
    with suppress(SystemExit):
        main([command], standalone_mode=False)
    assert re.findall(r"errgen  \[#{36}\]  (\d+%)", told.getvalue()) == shown
    assert ("[#" in told.getvalue()) is bool(shown)


def test_one_change_of_the_catalog_reaches_all_four(project: Path, run: Run) -> None:
    run("build")
    before = files(project)
    edit(project, "A field is missing", "A field is absent")
    checked = run("check")
    assert checked.exit_code == 1
    texts = _OUTPUTS - {"generated/markdown/errors.ranges.svg"}
    for path in texts:
        assert f"{path}: EG711 differs" in checked.stderr
    assert files(project) == before
    run("build")
    after = files(project)
    assert all(
        after[path] != before[path] and b"A field is absent" in after[path] for path in texts
    )
    assert run("check").exit_code == 0


def test_check_shows_the_line_that_was_deleted(project: Path, run: Run) -> None:
    run("build")
    path = project / "generated" / "typescript" / "errors.ts"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    gone = next(line for line in lines if "MISSING_FIELD" in line)
    path.write_text("".join(line for line in lines if line is not gone), "utf-8")
    result = run("check")
    assert result.exit_code == 1
    assert f"+{gone}" in result.stderr
    assert [line for line in result.stderr.splitlines() if " EG7" in line] == [
        "generated/typescript/errors.ts: EG711 differs from what the catalog makes"
    ]


def test_check_finds_missing_and_stale_files_and_build_mends_them(project: Path, run: Run) -> None:
    run("build")
    (project / "generated" / "python" / "errors.py").unlink()
    (project / "errgen.toml").write_text("targets = { typescript = false }\n")
    result = run("check")
    assert result.exit_code == 1
    assert "generated/python/errors.py: EG712 is missing" in result.stderr
    assert "generated/typescript/errors.ts: EG713 is stale" in result.stderr
    built = run("build")
    assert "wrote generated/python/errors.py" in built.stdout
    assert "removed generated/typescript/errors.ts" in built.stdout
    assert files(project).keys() == _OUTPUTS - {"generated/typescript/errors.ts"}
    assert run("check").exit_code == 0


def test_a_file_of_the_user_is_not_overwritten(project: Path, run: Run) -> None:
    mine = project / "generated" / "python" / "errors.py"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine = True\n")
    result = run("build")
    assert result.exit_code == 1
    assert "generated/python/errors.py: EG705" in result.stderr
    assert "another output path" in result.stderr
    assert files(project) == {"generated/python/errors.py": b"mine = True\n"}


def test_an_invalid_catalog_writes_nothing(project: Path, run: Run) -> None:
    edit(project, "2001", "3001")
    for command in ("build", "check", "validate"):
        result = run(command)
        assert result.exit_code == 1
        assert result.stdout == ""
        assert result.stderr.splitlines()[0] == (
            "catalog/errors.yaml:9:26: EG203 code 3001 of MISSING_FIELD lies outside the ranges "
            "of its category 'validation' (2000-2999)"
        )
    assert not (project / "generated").exists()


def test_findings_of_every_catalog_are_reported_at_once(project: Path, run: Run) -> None:
    (project / "other.yaml").write_text(_CATALOG.replace("validation }", "validaton }"), "utf-8")
    edit(project, "2001", "3001")
    (project / "errgen.toml").write_text(
        'catalog = ["catalog/errors.yaml", "other.yaml", "gone.yaml"]'
    )
    result = run("validate", "--format", "json")
    assert result.exit_code == 1
    assert [(item["path"], item["code"]) for item in json.loads(result.stdout)] == [
        ("catalog/errors.yaml", "EG203"),
        ("gone.yaml", "EG001"),
        ("other.yaml", "EG301"),
    ]


def test_validate_takes_paths(project: Path, run: Run) -> None:
    (project / "bad.yaml").write_text("errgen: 1\n", "utf-8")
    assert run("validate", "catalog/errors.yaml").exit_code == 0
    result = run("validate", "catalog/errors.yaml", "bad.yaml", "--format", "github")
    assert result.exit_code == 1
    assert result.stdout.startswith("::error file=bad.yaml,line=1,col=1,title=EG102 missing key::")


def test_a_warning_is_printed_and_does_not_fail(project: Path, run: Run) -> None:
    with (project / "catalog" / "errors.yaml").open("a") as stream:
        deprecated = "deprecated: { since: 1.0.0, reason: Old, replaced_by: %s }"
        for code, name, other in ((2002, "A", "B"), (2003, "B", "MISSING_FIELD")):
            stream.write(
                f"  {name}: {{ code: {code}, category: validation, message: x, {deprecated % other} }}\n"
            )
    result = run("build")
    assert result.exit_code == 0
    assert "EG611 warning: A is replaced by B" in result.stderr
    assert run("check").exit_code == 0


def test_two_outputs_of_one_path_are_refused(project: Path, run: Run) -> None:
    (project / "errors.yaml").write_text(_CATALOG, "utf-8")
    (project / "errgen.toml").write_text('catalog = ["catalog/errors.yaml", "errors.yaml"]')
    result = run("build")
    assert result.exit_code == 1
    assert "EG703" in result.stderr
    assert not (project / "generated").exists()


def test_a_catalog_by_path_leaves_the_others_alone(project: Path, run: Run) -> None:
    (project / "other.yaml").write_text(_CATALOG, "utf-8")
    (project / "errgen.toml").write_text('catalog = ["catalog/errors.yaml", "other.yaml"]')
    run("build")
    edit(project, "A field is missing", "Changed", "other.yaml")
    assert run("check", "catalog/errors.yaml").exit_code == 0
    run("build", "other.yaml")
    assert run("check").exit_code == 0
    assert len(files(project)) == 2 * len(_OUTPUTS)


def test_an_output_path_moves_a_target(project: Path, run: Run) -> None:
    (project / "errgen.toml").write_text(
        '[targets]\npython = { output = "src/app/codes.py" }\nmarkdown = { output = "docs/" }'
    )
    run("build")
    assert (project / "src" / "app" / "codes.py").is_file()
    assert (project / "docs" / "errors.md").is_file()
    assert not (project / "generated" / "python").exists()


def test_a_python_module_gets_a_name_that_can_be_imported(project: Path, run: Run) -> None:
    (project / "http-status.v2.yaml").write_text(_CATALOG, "utf-8")
    run("build", "http-status.v2.yaml")
    assert (project / "generated" / "python" / "http_status_v2.py").is_file()
    assert (project / "generated" / "typescript" / "http-status.v2.ts").is_file()


def test_own_templates_override_and_add_targets(project: Path, run: Run) -> None:
    for path, text in {
        "own/typescript/errors.ts.j2": "// {{ header }}\n",
        "own/csv/errors.csv.j2": "{% for e in catalog.errors %}{{ e.code }},{{ e.name }}\n{% endfor %}",
    }.items():
        (project / path).parent.mkdir(parents=True)
        (project / path).write_text(text)
    (project / "errgen.toml").write_text('templates = "own"')
    run("build")
    made = files(project)
    assert made["generated/csv/errors.csv"] == b"2001,MISSING_FIELD\n"
    assert made["generated/typescript/errors.ts"] == (
        b"// Generated by errgen from catalog/errors.yaml (shop 1.0.0) with 'errgen build'; do not edit\n"
    )
    assert made.keys() == _OUTPUTS | {"generated/csv/errors.csv"}


@pytest.mark.parametrize(
    ("template", "where", "problem"),
    [
        ("x\n{% if %}\n", "own/bad/errors.txt.j2:2", "Expected an expression"),
        ("x\n\n{{ catalog.nothing }}\n", "own/bad/errors.txt.j2:3", "UndefinedError"),
        ("{% include 'gone.j2' %}", "own/bad/errors.txt.j2:1", "TemplateNotFound"),
        *(
            (f"{{{{ {code} }}}}", "own/bad/errors.txt.j2:1", "SecurityError")
            for code in (
                "''.__class__.__mro__",
                "catalog.__class__",
                "catalog|attr('__init__')",
                "'{0.__class__}'.format(catalog)",
                "catalog['__class__']",
                "cycler.__init__.__globals__",
                "self.__init__.__globals__",
                "options.update({'a': 1})",
                "'x' * 10 ** 9",
                "'x' * 2000000",
                "2000000 * [1]",
                "9 ** 99999999",
            )
        ),
        *(
            (f"x\n{template}", "own/bad/errors.txt.j2:2", "it takes more memory than 2 GB")
            for template in (
                "{{ 'x'|center(99999999999) }}",
                "{{ 'x'.ljust(99999999999) }}",
                "{{ '%99999999999d'|format(1) }}",
                "{{ '{:99999999999}'.format(1) }}",
                "{{ ('x' * 1000000)|replace('x', 'y' * 1000000) }}",
                "{{ ('x' * 1000000).join(range(99999)|map('string')) }}",
                "{% set own = namespace(x='x') %}{% for a in range(99) %}{% set own.x = own.x ~ own.x %}{% endfor %}",
            )
        ),
        ("{{ lipsum(9) }}", "own/bad/errors.txt.j2:1", "UndefinedError"),
        ("{% include '../secret.txt' %}", "own/bad/errors.txt.j2:1", "TemplateNotFound"),
        ("{% include '/etc/hosts' %}", "own/bad/errors.txt.j2:1", "TemplateNotFound"),
        ("{% include 'bad/link.j2' %}", "own/bad/errors.txt.j2:1", "TemplateNotFound"),
        ("{% include 'bad/errors.txt.j2' %}", "own/bad/errors.txt.j2:1", "RecursionError"),
        (
            "{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}",
            "own/bad/errors.txt.j2:1",
            "Recursion",
        ),
        (
            "{% for a in range(99999) %}\n{% for b in range(99999) %}{% endfor %}{% endfor %}",
            "own/bad/errors.txt.j2:2",
            "the loops take more than 20000000 steps",
        ),
        (
            "{% for a in range(99999)|map('abs') %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
            "own/bad/errors.txt.j2:1",
            "the loops take more than 20000000 steps",
        ),
        ("{% for a in range(9999999) %}{% endfor %}", "own/bad/errors.txt.j2:1", "Range too big"),
    ],
)
def test_a_failing_template_names_its_line(
    project: Path, run: Run, template: str, where: str, problem: str
) -> None:
    (project / "own" / "bad").mkdir(parents=True)
    (project / "own" / "bad" / "errors.txt.j2").write_text(template)
    (project / "secret.txt").write_text("secret")
    (project / "own" / "bad" / "link.j2").symlink_to(project / "secret.txt")
    (project / "errgen.toml").write_text('templates = "own"')
    result = run("build")
    assert result.exit_code == 1
    assert "secret" not in result.output.replace("../secret.txt", "")
    place, _, told = result.stderr.partition(": EG704 template bad/errors.txt.j2 failed: ")
    assert place.rpartition(":")[0] == where
    assert problem in told
    assert not (project / "generated").exists()


_LONG: Final = "x" * 150


@pytest.mark.parametrize(
    ("template", "place", "told"),
    [
        (
            f"{_LONG} {{{{ catalog.errors[0].polcy }}}}",
            173,
            ("ErrorSpec has no attribute 'polcy'", "did you mean 'policy'?"),
        ),
        (
            "{{ catalog.errors[0].polcy.name if true }}",
            22,
            ("ErrorSpec has no attribute 'polcy'", "did you mean 'policy'?"),
        ),
        ("{{ catalgo.name }}", 4, ("'catalgo' is undefined", "did you mean 'catalog'?")),
        ("{{ outputs.zzz }}", 12, ("dict has no attribute 'zzz'", "correct the template")),
        (
            "{{ options.audiense }}",
            12,
            ("dict has no attribute 'audiense'", "did you mean 'audience'?"),
        ),
        (
            "{{ catalog.limits.hint.zzz }}",
            24,
            ("None has no attribute 'zzz'", "correct the template"),
        ),
        ("a {{ stem | pystrr }}", 13, ("No filter named 'pystrr'.", "did you mean 'pystr'?")),
        (
            "{% if stem is strin %}{% endif %}",
            15,
            ("No test named 'strin'", "did you mean 'string'?"),
        ),
        ("a {% fro a in b %}", 6, ("Encountered unknown tag 'fro'.", "correct the template")),
        ("ab {{ 1 / 0 }}", 7, ("ZeroDivisionError: division by zero", "correct the template")),
    ],
)
def test_a_failing_template_names_the_place_and_what_was_meant(
    project: Path, run: Run, template: str, place: int, told: tuple[str, str]
) -> None:
    (project / "own" / "bad").mkdir(parents=True)
    (project / "own" / "bad" / "errors.txt.j2").write_text(template)
    config = 'templates = "own"\n[targets.bad]\naudience = "internal"\n'
    (project / "errgen.toml").write_text(config)
    lines = run("build").stderr.splitlines()
    problem, remedy = told
    assert lines[0].startswith(f"own/bad/errors.txt.j2:1:{place}: EG704 template ")
    assert problem in lines[0]
    assert lines[3] == f"  help: {remedy}"
    # The caret stands below the word.
    assert template[place - 1] == lines[1][lines[2].index("^")]


@pytest.mark.parametrize("word", ["eror", "Error", "errors", "categry"])
def test_a_misspelt_word_in_the_name_of_a_template_is_told(
    project: Path, run: Run, word: str
) -> None:
    path = project / "own" / "bad" / f"[{word}].txt.j2"
    path.parent.mkdir(parents=True)
    path.write_text("x")
    (project / "errgen.toml").write_text('templates = "own"\n')
    told = run("build").stderr
    assert told.startswith(f"own/bad/[{word}].txt.j2: EG704 ")
    assert f"its name has [{word}]\n  help: did you mean '" in told
    path.rename(path.with_name("[slug].txt.j2"))
    assert run("build").exit_code == 0


def test_an_endless_output_ends(project: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("errgen.sandbox.MAX_CHARACTERS", 10_000)
    (project / "own" / "bad").mkdir(parents=True)
    text = "{% for a in range(99999) %}{{ 'x' * 1000 }}{% endfor %}"
    (project / "own" / "bad" / "errors.txt.j2").write_text(text)
    (project / "errgen.toml").write_text('templates = "own"\ntargets = ["bad"]')
    result = run("build")
    assert result.exit_code == 1
    assert "failed: SecurityError: the output is longer than 10000 characters" in result.stderr
    assert not (project / "generated").exists()


@pytest.mark.parametrize(("name", "text"), [("errors.py", "def"), ("errors.json", "{,}")])
def test_a_template_that_makes_no_python_or_json_is_named(
    project: Path, run: Run, name: str, text: str
) -> None:
    (project / "own" / "bad").mkdir(parents=True)
    (project / "own" / "bad" / f"{name}.j2").write_text(text)
    (project / "errgen.toml").write_text('templates = "own"')
    result = run("build")
    assert result.exit_code == 1
    assert f"template bad/{name}.j2 failed: what it makes is not" in result.stderr


@pytest.mark.parametrize(
    ("config", "told"),
    [
        (
            'targets = ["pyton"]',
            (
                "1:12: EG701 targets: there is no target 'pyton'\n"
                '  1 | targets = ["pyton"]\n'
                "    |            ^^^^^^^\n"
                "  help: did you mean 'python'?\n"
            ),
        ),
        (
            "targets = { rust = {} }",
            (
                "1:13: EG701 targets: there is no target 'rust'\n"
                "  1 | targets = { rust = {} }\n"
                "    |             ^^^^\n"
                "  help: there are conformance, jsonschema, markdown, python, typescript\n"
            ),
        ),
        (
            '[[catalog]]\npath = "catalog/errors.yaml"\n[catalog.targets.rust]\n',
            (
                "3:18: EG701 targets: there is no target 'rust'\n"
                "  3 | [catalog.targets.rust]\n"
                "    |                  ^^^^\n"
                "  help: there are conformance, jsonschema, markdown, python, typescript\n"
            ),
        ),
        (
            'templates = "none"',
            (
                "1:1: EG701 templates 'none' is not a folder\n"
                '  1 | templates = "none"\n'
                "    | ^^^^^^^^^\n"
                "  help: make the folder, or leave templates out\n"
            ),
        ),
    ],
)
def test_a_wrong_config_exits_with_2(project: Path, run: Run, config: str, told: str) -> None:
    (project / "errgen.toml").write_text(config)
    result = run("build")
    assert result.exit_code == 2
    assert result.stderr == f"errgen.toml:{told}1 error\n"


@pytest.mark.parametrize(
    "arguments", [("nonsense",), ("build", "--nonsense"), ("check", "--format", "xml")]
)
def test_wrong_usage_exits_with_2(run: Run, arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_a_disk_that_fails_exits_with_2(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device", "generated")

    monkeypatch.setattr("os.fsync", fail)
    result = run("build")
    assert result.exit_code == 2
    assert result.stderr == "errgen: generated: No space left on device\n"
    assert not files(project)


def test_init_build_and_check_work_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    assert [run(command).exit_code for command in ("init", "build", "check")] == [0, 0, 0]
    assert files(tmp_path).keys() == _OUTPUTS | {"generated/markdown/errors.retry.svg"}
    reference = (ROOT / "catalog" / "errors.yaml").read_text("utf-8")
    modeline, _, catalog = (tmp_path / "catalog" / "errors.yaml").read_text("utf-8").partition("\n")
    assert catalog == reference
    # Editors find the schema by the first line, beside the catalog.
    assert modeline == "# yaml-language-server: $schema=errgen.schema.json"
    schema = (tmp_path / "catalog" / "errgen.schema.json").read_text("utf-8")
    assert schema == run("schema").stdout


@pytest.mark.parametrize(
    ("shell", "words", "word"),
    [("bash", "errgen ch", "1"), ("zsh", "errgen ch", "1"), ("fish", "errgen", "ch")],
)
def test_shells_complete_commands(shell: str, words: str, word: str) -> None:
    environment = {
        "_ERRGEN_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": word,
    }
    done = CliRunner().invoke(main, env=environment, prog_name="errgen")
    assert done.stdout.startswith(("plain,check", "plain\ncheck"))
    assert "build" not in done.stdout


def test_init_keeps_what_is_there(project: Path, run: Run) -> None:
    result = run("init")
    assert result.exit_code == 0
    assert "kept catalog/errors.yaml" in result.stdout
    assert "wrote errgen.toml" in result.stdout
    assert (project / "catalog" / "errors.yaml").read_text("utf-8") == _CATALOG


def test_schema_prints_the_schema_of_the_format(run: Run) -> None:
    schema = json.loads(run("schema").stdout)
    assert schema["$id"] == "urn:errgen:catalog:1"
    assert schema["properties"]["errors"]["description"]


@pytest.mark.parametrize("wanted", ["2001", "0x7d1", "MISSING_FIELD"])
def test_explain_finds_an_error_by_code_and_name(project: Path, run: Run, wanted: str) -> None:
    result = run("explain", wanted)
    assert result.exit_code == 0
    assert result.stdout.startswith("2001 MISSING_FIELD (shop 1.0.0)\n")


def test_explain_takes_a_negative_code(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.chdir(ROOT)
    assert run("explain", "-32700").stdout.startswith("-32700 PARSE_ERROR (mcp-server")


def test_explain_suggests_what_may_have_been_meant(project: Path, run: Run) -> None:
    result = run("explain", "MISING_FIELD")
    assert result.exit_code == 1
    assert "did you mean 'MISSING_FIELD'?" in result.stderr


def test_help_names_every_command(run: Run) -> None:
    text = run("--help").stdout
    for command in ("build", "check", "explain", "init", "schema", "validate"):
        assert f"\n  {command} " in text
        assert run(command, "--help").exit_code == 0


def test_a_catalog_of_its_own_takes_no_files_of_another(project: Path, run: Run) -> None:
    assert run("build").exit_code == 0
    before = files(project)
    other = project / "other" / "errors.yaml"
    other.parent.mkdir()
    other.write_text(_CATALOG.replace("name: shop", "name: depot"), "utf-8")
    result = run("build", "other/errors.yaml")
    assert result.exit_code == 1
    assert (
        "generated/python/errors.py: EG705 was made from catalog/errors.yaml, "
        "and would be made from other/errors.yaml\n"
        "  help: list both catalogs in the config, with an output path for each\n"
    ) in result.stderr
    assert files(project) == before
    other.rename(other.with_name("depot.yaml"))
    assert run("build", "other/depot.yaml").exit_code == 0
    assert before.items() <= files(project).items()
    assert run("build", "catalog/errors.yaml").exit_code == 0


def test_what_is_missing_is_named_and_not_printed(project: Path, run: Run) -> None:
    result = run("check")
    assert result.exit_code == 1
    assert result.stderr.count("EG712") == len(_OUTPUTS)
    assert "MISSING_FIELD" not in result.stderr
    assert "manifest" not in result.stderr


def test_a_long_difference_is_cut(project: Path, run: Run) -> None:
    run("build")
    path = project / "generated/python/errors.py"
    path.write_text("# Generated by errgen\n" + "x = 1\n" * 500, "utf-8")
    result = run("check")
    assert 200 < len(result.stderr.splitlines()) < 220
    assert "more lines" in result.stderr


def test_init_leaves_the_settings_to_pyproject(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[tool.errgen]\n", "utf-8")
    assert run("init").exit_code == 0
    assert not (tmp_path / "errgen.toml").exists()
    assert run("build").exit_code == 0


@pytest.mark.parametrize("variable", ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"])
def test_ci_gets_paths_from_the_folder_that_it_checked_out(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, str(project.parent))
    edit(project, "category: validation, message", "category: validaton, message")
    place = f"{project.name}/catalog/errors.yaml"
    assert f"file={place}," in run("validate", "--format", "github").stdout
    (issue,) = json.loads(run("validate", "--format", "gitlab").stdout)
    assert issue["location"]["path"] == place
    (found,) = json.loads(run("validate", "--format", "sarif").stdout)["runs"][0]["results"]
    assert found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == place
    assert "catalog/errors.yaml:9:42: EG301" in run("validate").stderr
