"""What the pages of the site say: their commands are run, their tables hold what the package goes by."""

import csv
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from build_site import assembled
from click.testing import CliRunner
from conftest import Node
from format_page import sections
from reference_pages import PARTS, RECORDS
from support import CASES, CATALOGS, EXAMPLES, README, ROOT, write_catalog

import errgen.model
from errgen.cli import main
from errgen.compatibility import TABLE
from errgen.resources import catalog_schema

_PAGES: Final = ROOT / ".github" / "site" / "docs"
_BLOCKS: Final = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def play(page: str, folder: Path, node: str) -> None:
    """Run the commands of a page in one shell, as a reader does, and compare what they print with what is shown."""
    blocks = _BLOCKS.findall((_PAGES / page).read_text("utf-8"))
    commands = [text for language, text in blocks if language == "sh"]
    shown = [
        following[1] if following and following[0] == "text" else None
        for (language, _), following in zip(blocks, [*blocks[1:], None], strict=True)
        if language == "sh"
    ]
    # Where a reader has what he installs, the tests have this repository.
    tools = (
        "set -e\n"
        'python3() { test "$*" = "-m venv .venv"; mkdir -p .venv/bin; touch .venv/bin/activate; }\n'
        'pip() { test "$*" = "install path/to/errgen"; }\n'
        f'errgen() {{ "{sys.executable}" -m errgen "$@"; }}\n'
        f'python() {{ PYTHONPATH="$PYTHONPATH:{ROOT}" "{sys.executable}" "$@"; }}\n'
        f'node() {{ "{node}" "$@"; }}\n'
        f'export PYTHONPATH="{ROOT}" PYTHONDONTWRITEBYTECODE=1\n'
    )
    done = subprocess.run(
        ["bash", "-c", tools + "printf '\\0'\n".join(commands)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    printed = done.stdout.split("\0")
    assert len(printed) == len(commands) > 1
    for expected, output in zip(shown, printed, strict=True):
        if expected is not None:
            # Three dots stand for lines that say nothing new.
            pattern = re.escape(expected).replace(re.escape("...\n"), "(?:.+\n)+")
            assert re.fullmatch(pattern, output), output


@pytest.fixture(scope="session")
def node_path(node: Node) -> str:
    """Return the path of the Node that the tests use."""
    return node("--print", "process.execPath").stdout.strip()


@pytest.mark.parametrize("page", ["quickstart.md", "migrating.md"])
def test_the_commands_of_a_page_do_what_it_says(page: str, tmp_path: Path, node_path: str) -> None:
    play(page, tmp_path, node_path)


def keys_of(schema: Any) -> Iterator[str]:
    """Yield every key that a schema names, at any depth."""
    if isinstance(schema, dict):
        yield from (
            schema.get("properties", {}) if isinstance(schema.get("properties"), dict) else ()
        )
        for value in schema.values():
            yield from keys_of(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from keys_of(value)


def test_every_key_of_the_format_has_a_row_with_what_it_says() -> None:
    schema = json.loads(catalog_schema())
    page = PARTS["format"]()
    rows = re.findall(
        r'^\| (?:<a id="([\w.]+)"></a>)?`(\w+)`(?:<br>required)? \| (.*) \| .+ \|$',
        page,
        re.MULTILINE,
    )
    assert sorted(key for _, key, _ in rows) == sorted(keys_of(schema))
    assert all(text for *_, text in rows)
    headings = re.findall(r'^<a id="([\w.]+)"></a>$', page, re.MULTILINE)
    anchors = [*headings, *filter(None, (anchor for anchor, *_ in rows))]
    assert len(set(anchors)) == len(anchors)


def test_what_the_format_page_says_of_values_is_what_the_schema_allows() -> None:
    page = PARTS["format"]()
    for section in sections():
        text = page.partition(f'<a id="{section.name}"></a>\n\n## ')[2].partition("\n\n<a id=")[0]
        for key, value in section.schema["properties"].items():
            (row,) = re.findall(rf"^.*`{key}`(?:<br>required)? \| .+ \|$", text, re.MULTILINE)
            assert ("<br>required" in row) == (key in section.schema.get("required", ()))
            for choice in value.get("enum", ()):
                assert f"`{choice if isinstance(choice, str) else json.dumps(choice)}`" in row


@pytest.mark.parametrize("part", sorted(PARTS))
def test_a_part_that_is_made_stands_on_a_page(part: str) -> None:
    pages = "".join(path.read_text("utf-8") for path in _PAGES.glob("*.md"))
    assert f"<!-- made: {part} -->" in pages
    assert "<!-- made" not in assembled(f"<!-- made: {part} -->\n")


@pytest.mark.parametrize("page", ["configuration.md", "commands.md", "pipelines.md"])
def test_what_a_page_takes_from_the_readme_is_there_with_links_of_the_site(page: str) -> None:
    text = (_PAGES / page).read_text("utf-8")
    made = assembled(text)
    names = re.findall(r"^<!-- readme: (.+) -->$", text, re.MULTILINE)
    assert names
    for name in names:
        section = README.partition(f"\n## {name}\n\n")[2].partition("\n## ")[0]
        for _, block in _BLOCKS.findall(section):
            assert block in made
        assert section.split("\n", 1)[0] in made
    assert not re.search("^<!--", made, re.MULTILINE)
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", made):
        assert (_PAGES / target).is_file() or (ROOT / "generated" / "markdown" / target).is_file()


def test_a_section_that_the_readme_lacks_stops_the_site() -> None:
    with pytest.raises(ValueError, match="not enough values"):
        assembled("<!-- readme: Nothing -->\n")


@pytest.mark.parametrize("name", sorted(main.commands))
def test_the_page_of_commands_says_what_help_says(name: str) -> None:
    page = PARTS["commands"]()
    for option in main.commands[name].params:
        assert all(word in page for word in option.opts if word.startswith("-"))
    assert f"## errgen {name}\n\n```text\nUsage: errgen {name} " in page


def test_the_compatibility_page_has_every_key_and_no_judgement_without_words() -> None:
    page = PARTS["key_levels"]()
    assert re.findall(r'^\| <a id="([^"]+)">', page, re.MULTILINE) == list(TABLE)
    linked = set(re.findall(r"\(#(by-\w+)\)", page))
    told = re.findall(
        r'^- <a id="(by-\w+)"></a>\*\*[\w ]+\*\*: .+$', PARTS["judgements"](), re.MULTILINE
    )
    assert linked == set(told)


def test_the_catalog_on_the_format_page_is_valid(tmp_path: Path) -> None:
    page = (_PAGES / "format.md").read_text("utf-8")
    (catalog,) = [text for language, text in _BLOCKS.findall(page) if language == "yaml"]
    (tmp_path / "errors.yaml").write_text(catalog, "utf-8")
    assert CliRunner().invoke(main, ["validate", str(tmp_path / "errors.yaml")]).exit_code == 0


_CSV: Final = ROOT / "tests" / "cases" / "targets" / "csv"


def test_the_table_for_a_spreadsheet_is_what_its_template_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, update_golden: bool
) -> None:
    shutil.copytree(_CSV, tmp_path, dirs_exist_ok=True)
    shutil.rmtree(tmp_path / "generated", ignore_errors=True)
    write_catalog(tmp_path / "catalog", EXAMPLES["catalog"], "errors.yaml")
    monkeypatch.chdir(tmp_path)
    built = CliRunner().invoke(main, ["build"])
    assert built.exit_code == 0, built.output
    made = (tmp_path / "generated/csv/errors.csv").read_text("utf-8")
    if update_golden:
        (_CSV / "generated/csv/errors.csv").write_text(made, "utf-8")
    assert (_CSV / "generated/csv/errors.csv").read_text("utf-8") == made
    _, head, *rows = csv.reader(made.splitlines())
    assert {len(row) for row in rows} == {len(head)}
    # What was made is known as such, and made again.
    assert CliRunner().invoke(main, ["check"]).exit_code == 0
    write_catalog(
        tmp_path / "catalog", EXAMPLES["catalog"].replace("too long", 'so "long"'), "errors.yaml"
    )
    assert CliRunner().invoke(main, ["build"]).exit_code == 0


def test_the_page_of_templates_says_what_every_record_holds() -> None:
    rows = dict(re.findall(r"^\| (.+?) \| (`name`.*|`.*) \|$", PARTS["model"](), re.MULTILINE))
    # What every catalog has but no template needs, and texts that are made for it.
    named = set(errgen.model.__all__) - {"Branch", "Code", "Extensions", "Pin"}
    assert {record.__name__ for record in RECORDS} == named
    assert list(rows) == list(RECORDS.values())
    assert "`category` (category)" in rows["error"]
    assert "`deprecated` (deprecation or `none`)" in rows["error"]
    assert "`examples` (list of example)" in rows["error"]
    assert "`http_status` (or `none`)" in rows["error"]
    assert "`title`" in rows["category"]


_CPP: Final = ROOT / "tests" / "cases" / "targets" / "cpp"
_WARNINGS: Final = ("-Wall", "-Wextra", "-Werror", "-std=c++17")


@pytest.fixture
def cpp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a project with the target for C++ of the how-to, and no catalog yet."""
    shutil.copytree(_CPP, tmp_path, dirs_exist_ok=True)
    shutil.rmtree(tmp_path / "generated", ignore_errors=True)
    (tmp_path / "catalog").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def compiled(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    if shutil.which("g++") is None:
        pytest.fail("g++ is not installed: run .ci/run once, or apt-get install g++")
    return subprocess.run(
        ["g++", *_WARNINGS, *options], cwd=folder, capture_output=True, text=True, check=False
    )


def test_the_header_for_c_plus_plus_is_built_compiled_and_run(
    cpp: Path, *, update_golden: bool
) -> None:
    shutil.copyfile(CASES / "s3-sdk" / "catalog.yaml", cpp / "catalog" / "errors.yaml")
    built = CliRunner().invoke(main, ["build"])
    assert built.exit_code == 0, built.output
    done = compiled(cpp, "-o", "client", "main.cpp")
    assert done.returncode == 0, done.stderr
    shown = subprocess.run([cpp / "client"], capture_output=True, text=True, check=True).stdout
    made = {"generated/cpp/errors.hpp": (cpp / "generated/cpp/errors.hpp").read_text("utf-8")}
    for path, text in {**made, "main.txt": shown}.items():
        if update_golden:
            (_CPP / path).parent.mkdir(parents=True, exist_ok=True)
            (_CPP / path).write_text(text, "utf-8")
        assert (_CPP / path).read_text("utf-8") == text


@pytest.mark.parametrize("name", sorted(CATALOGS))
def test_the_header_for_c_plus_plus_compiles_for_every_catalog(cpp: Path, name: str) -> None:
    shutil.copyfile(CATALOGS[name], cpp / "catalog" / "errors.yaml")
    built = CliRunner().invoke(main, ["build"])
    assert built.exit_code == 0, built.output
    (cpp / "main.cpp").write_text('#include "generated/cpp/errors.hpp"\nint main() {}\n', "utf-8")
    done = compiled(cpp, "-fsyntax-only", "main.cpp")
    assert done.returncode == 0, done.stderr


def test_the_header_for_c_plus_plus_keeps_every_text(cpp: Path) -> None:
    texts = ['say "no"', "a \\ b \\n c", "ends in \\", "%s ??/ ???/ */ // <?php", "ü 😀"]
    errors = [
        {"code": code, "category": "any", "message": text.replace("{", "{{").replace("}", "}}")}
        for code, text in enumerate(texts)
    ]
    catalog = {
        "errgen": 1,
        "name": "texts",
        "version": "1.0.0",
        "categories": {"any": {"retry": "never"}},
        "ranges": [{"first": 0, "last": 9, "category": "any"}],
        "errors": {f"TEXT_{error['code']}": error for error in errors},
    }
    # JSON is YAML.
    (cpp / "catalog" / "errors.yaml").write_text(json.dumps(catalog, ensure_ascii=False), "utf-8")
    built = CliRunner().invoke(main, ["build"])
    assert built.exit_code == 0, built.output
    (cpp / "main.cpp").write_text(
        '#include <iostream>\n#include "generated/cpp/errors.hpp"\n'
        "int main() { for (const auto& e : sdk::error_errors) std::cout << e.message << '\\n'; }\n",
        "utf-8",
    )
    done = compiled(cpp, "-o", "client", "main.cpp")
    assert done.returncode == 0, done.stderr
    shown = subprocess.run([cpp / "client"], capture_output=True, check=True).stdout.decode()
    assert shown.split("\n")[:-1] == texts


def test_the_how_to_shows_every_file_of_the_target() -> None:
    page = assembled((_PAGES / "targets.md").read_text("utf-8"))
    for path in _CPP.rglob("*"):
        if path.is_file():
            assert path.read_text("utf-8") in page
    assert f"g++ {' '.join(_WARNINGS)} -o client main.cpp" in page
