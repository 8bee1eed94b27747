"""Pages of the Markdown target: one in all, one a category or one an error, and the links between them."""

import html
import posixpath
import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PureWindowsPath
from typing import Any, Final
from urllib.parse import unquote

import pytest
import yaml
from click.testing import CliRunner
from conftest import Checker
from markdown_it import MarkdownIt
from support import CATALOGS, README, catalog_of, page_of, write_catalog
from test_hostile import catalog_with as catalog_of_texts
from test_markdown import HOSTILE, dangers, hostile, ids_of, minimal, slug, walk

from errgen.artifact import Artifact, Seen
from errgen.cli import main
from errgen.codespace import anchor
from errgen.config import CatalogConfig, TargetConfig
from errgen.filters.markdown.front import mdbrief, mdfront
from errgen.filters.markdown.places import MOST_ON_A_PAGE
from errgen.memo import remembered
from errgen.model import Catalog
from errgen.pagenames import page_names
from errgen.render import render
from errgen.resources import templates_dir
from errgen.settings import PAGES

_PARSER: Final = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
_OUTPUTS: Final = {
    None: ("out/markdown/{stem}.md", "out/markdown/{stem}/"),
    "docs/": ("docs/{stem}.md", "docs/{stem}/"),
    "docs/all errors.md": ("docs/all errors.md", "docs/all errors/"),
    "README.md": ("README.md", "README/"),
}
_CODES: Final = {
    "PLAIN": "NoSuchKey",
    "OTHER_CASE": "nosuchkey",
    "COLONS": "PD:region:not-found",
    "DASHES": "PD-region-not-found",
    "URN": "urn:ietf:params:acme:error:rateLimited",
    "SLASHES": "../../etc/passwd",
    "DEVICE": "con",
    "DEVICE_WITH_END": "NUL.txt",
    "FOLDER": "index",
    "HIDDEN": ".git",
    "DOT": "a.",
    "LONG": "x" * 200,
    "SPACES": "PD region (not found)",
    "OTHER_SCRIPT": "\u00fcber \u6f22",
    "NUMBER": "404",
    "MARKUP": '<b>`|"&amp;*[x](y)',
}


def made(
    path: Path, options: Mapping[str, Any], output: str | None = None, targets: Sequence[str] = ()
) -> dict[str, str]:
    """Return what the Markdown target makes of a catalog, by path."""
    only = ("markdown", *targets)
    settings = {"markdown": TargetConfig(output, options)}
    config = CatalogConfig(path.name, "out", settings, only, frozenset())
    return texts(render(catalog_of(path), config, [templates_dir()]))


def texts(artifacts: Sequence[Artifact]) -> dict[str, str]:
    return {artifact.path: artifact.text for artifact in artifacts}


def catalog_with(folder: Path, codes: Mapping[str, str | int]) -> Path:
    """Write a catalog whose errors have some codes; they refer to each other in texts and in facts."""
    names = [*codes, next(iter(codes))]
    errors = {
        name: {
            "code": code,
            "category": "number" if isinstance(code, int) else "text",
            "message": f"About {name}",
            "description": f"[A](#{names[index + 1]}) [b](#{anchor(codes[names[index + 1]])}).",
            "see_also": [names[index + 1]],
            "aliases": [f"ALSO_{name}"],
        }
        for index, (name, code) in enumerate(codes.items())
    }
    data = {
        "errgen": 1,
        "name": "codes",
        "version": "1.0.0",
        "docs_url": "https://example.com/errors",
        "layers": {
            "numbers": {"enum": "NumberCode", "code": "integer"},
            "texts": {"enum": "TextCode", "code": "string"},
        },
        "categories": {
            "number": {"layer": "numbers", "retry": "never", "description": f"As [x](#{names[0]})"},
            "text": {"layer": "texts", "retry": "never"},
        },
        "ranges": [{"first": -99, "last": 999, "category": "number"}],
        "reserved": [{"code": 7, "name": "GONE", "reason": "Old"}],
        "errors": errors,
    }
    return write_catalog(folder, yaml.safe_dump(data, allow_unicode=True, sort_keys=False))


def check_links(files: Mapping[str, str], folder: str) -> None:
    """Check that each link between files leads to a file, and each fragment to one place of it."""
    pages = {path: text for path, text in files.items() if path.endswith(".md")}
    ids = {path: ids_of(text) for path, text in pages.items()}
    assert all(len(set(found)) == len(found) for found in ids.values())
    for path, text in files.items():
        if path.endswith(".svg"):
            continue
        tokens = _PARSER.parse(text)
        for token in walk(tokens):
            target = str(token.attrGet("href") or token.attrGet("src") or "")
            if re.match(r"https?://|mailto:", target) or not target:
                continue
            file, _, fragment = target.partition("#")
            place = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(file)))
            place = place if file else path
            assert place in (pages if token.type == "link_open" else files), (path, target)
            assert place.startswith(folder.rpartition("/")[0]) or place == path
            assert not fragment or unquote(fragment) in ids[place], (path, target)


def check_entry(catalog: Catalog, entry: str) -> None:
    """Check that whoever follows the link of an error, or knows one of its names, finds it in the entry."""
    found = set(ids_of(entry))
    for error in catalog.errors:
        known = {anchor(error.code), unquote(anchor(error.code))}
        assert known & found, error.code
        assert {error.name, *error.aliases} <= found
        if error.docs_url:
            fragment = error.docs_url.partition("#")[2]
            assert {fragment, unquote(fragment)} & found
    for item in catalog.reserved:
        assert {str(name) for name in (item.code, item.name) if name is not None} <= found


@pytest.mark.parametrize("form", PAGES)
@pytest.mark.parametrize("name", CATALOGS)
def test_every_link_between_pages_finds_one_place(name: str, form: str) -> None:
    catalog, stem = catalog_of(CATALOGS[name]), CATALOGS[name].stem
    for output, paths in _OUTPUTS.items():
        files = made(CATALOGS[name], {"pages": form}, output)
        entry, folder = (path.format(stem=stem) for path in paths)
        check_links(files, folder)
        check_entry(catalog, files[entry])
        others = {path for path in files if path.endswith(".md")} - {entry}
        assert all(posixpath.dirname(path) == folder.rstrip("/") for path in others)
        groups = [errors for _, errors in catalog.errors_by_category if errors]
        count = {"single": 0, "per-category": len(groups), "per-error": len(catalog.errors)}
        assert len(others) == count[form]


@pytest.mark.parametrize("form", PAGES)
def test_codes_of_any_text_have_pages(form: str, tmp_path: Path) -> None:
    path = catalog_with(tmp_path, {"ONE": 404, "MINUS": -32, **_CODES})
    files = made(path, {"pages": form})
    check_links(files, "out/markdown/catalog/")
    check_entry(catalog_of(path), files["out/markdown/catalog.md"])
    for error in catalog_of(path).errors:
        places = [text for text in files.values() if f"# {error.name}\n" in text]
        assert len(places) == 1
        assert f"Code `{error.code}`" in places[0] or "`" in str(error.code)


@pytest.mark.parametrize("form", PAGES[1:])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_text_of_a_catalog_escapes_its_page(text: str, form: str, tmp_path: Path) -> None:
    path = write_catalog(
        tmp_path, yaml.safe_dump(hostile(text), allow_unicode=True, sort_keys=False, width=10_000)
    )
    files = made(path, {"pages": form, "front_matter": True})
    check_links(files, "out/markdown/catalog/")
    fold = "<details><summary>", "<details open><summary>"
    ours = (*(f"{begin}Example and code</summary>" for begin in fold), "</details>", "</a>")
    pages = {file: page for file, page in files.items() if not file.endswith(".svg")}
    for file, page in pages.items():
        body = page.partition("\n---\n")[2] if file.endswith(".md") else page
        for found in dangers(_PARSER.parse(body)):
            is_ours = found.strip() in ours or found.startswith(("<a id=", "<!-- "))
            assert is_ours, found
        slugs = [slug(line.lstrip("# ")) for line in body.split("\n") if re.match("#+ ", line)]
        assert slugs


def test_markdownlint_accepts_pages_of_every_form(markdownlint: Checker, tmp_path: Path) -> None:
    catalogs = [*CATALOGS.values(), catalog_with(tmp_path, {"ONE": 404, **_CODES})]
    for index, text in enumerate(HOSTILE.values()):
        data = yaml.safe_dump(hostile(text), allow_unicode=True, sort_keys=False, width=10_000)
        catalogs.append(write_catalog(tmp_path, data, f"hostile-{index}.yaml"))
    everywhere = catalog_of_texts([text.strip() for text in HOSTILE.values()])
    catalogs.append(write_catalog(tmp_path, yaml.safe_dump(everywhere), "everywhere.yaml"))
    files = []
    for index, path in enumerate(catalogs):
        for form in PAGES:
            options = {"pages": form, "front_matter": form != "per-category"}
            for name, text in made(path, options).items():
                if name.endswith(".md"):
                    files.append(tmp_path / f"{index}-{form}" / name)
                    files[-1].parent.mkdir(parents=True, exist_ok=True)
                    files[-1].write_text(text, "utf-8")
    result = markdownlint(*files)
    assert result.returncode == 0, result.stdout + result.stderr


def numbered(count: int) -> dict[str, str | int]:
    return {f"E{number}": number for number in range(100, 100 + count)}


def test_a_page_is_split_where_a_forge_would_no_longer_show_it(tmp_path: Path) -> None:
    few = catalog_with(tmp_path / "few", numbered(MOST_ON_A_PAGE))
    many = catalog_with(tmp_path / "many", numbered(MOST_ON_A_PAGE + 1))
    assert [name for name in made(few, {}) if "/catalog/" in name] == []
    assert [name for name in made(many, {}) if "/catalog/" in name] == [
        "out/markdown/catalog/number.md"
    ]
    assert made(many, {}) == made(many, {"pages": "per-category"})
    assert made(few, {}) == made(few, {"pages": "single"})


def names_of(folder: Path, codes: Mapping[str, str | int]) -> dict[str, str]:
    names = page_names(catalog_of(catalog_with(folder, codes)))
    return {name: names["error", name] for name in codes}


def test_files_have_names_that_every_system_takes(tmp_path: Path) -> None:
    names = names_of(tmp_path, {"ONE": 404, "MINUS": -32, **_CODES})
    assert (names["ONE"], names["MINUS"]) == ("404", "-32")
    assert names["DASHES"] == "PD-region-not-found"
    assert re.fullmatch("PD-region-not-found-[0-9a-f]{8}", names["COLONS"])
    assert re.fullmatch("NoSuchKey-[0-9a-f]{8}", names["PLAIN"])
    assert re.fullmatch("nosuchkey-[0-9a-f]{8}", names["OTHER_CASE"])
    assert re.fullmatch("404-[0-9a-f]{8}", names["NUMBER"])
    assert re.fullmatch("index-[0-9a-f]{8}", names["FOLDER"])
    assert f"`{names['COLONS']}.md`" in README
    folded = [name.lower() for name in names.values()]
    assert len(set(folded)) == len(folded)
    for name in names.values():
        file = f"{name}.md"
        assert re.fullmatch(r"[A-Za-z0-9-][A-Za-z0-9._-]*", file)
        assert not PureWindowsPath(file).is_reserved()
        assert len(file) < 90


def test_codes_of_one_short_hash_have_files_of_their_own(tmp_path: Path) -> None:
    first, second = "\u4e4f\u4f84", "\u4f00\u4e77"
    codes = {"SLASH": "a/b", "PLAIN": "a-b-c14cddc0", "FIRST": first, "SECOND": second}
    names = names_of(tmp_path, codes)
    assert len(set(names.values())) == len(codes)
    for name in ("SLASH", "PLAIN"):
        assert re.fullmatch(r"a-b-[0-9a-f]{64}|a-b-c14cddc0-[0-9a-f]{64}", names[name])
    for name in ("FIRST", "SECOND"):
        assert re.fullmatch(r"[0-9a-f]{64}", names[name])


def test_the_name_of_a_file_depends_on_its_code_and_on_those_that_are_alike(tmp_path: Path) -> None:
    alone = names_of(tmp_path / "a", {"COLONS": "PD:x", "PLAIN": "NoSuchKey"})
    more = names_of(tmp_path / "b", {"COLONS": "PD:x", "PLAIN": "NoSuchKey", "SPACE": "PD x"})
    assert alone == {name: more[name] for name in alone}
    assert alone["PLAIN"] == "NoSuchKey"


def test_an_error_s_page_stands_on_its_own() -> None:
    files = made(CATALOGS["reference"], {"pages": "per-error", "front_matter": True})
    page = files["out/markdown/errors/3002.md"]
    front, _, body = page.removeprefix("---\n").partition("\n---\n")
    assert yaml.safe_load(front) == {
        "title": "3002 TIMEOUT",
        "description": "The operation took too long",
        "code": 3002,
        "name": "TIMEOUT",
    }
    assert re.match(r"\n<!-- markdownlint[^\n]*-->\n\n# TIMEOUT\n", body)
    assert "\n<details open><summary>" in body
    assert '"code": 3002' in body
    assert "One of [MCP server errors](../errors.md), category [System](../errors.md#" in body
    assert "[backoff](../errors.md#retry-backoff)" in body
    entry = files["out/markdown/errors.md"]
    assert "| [TIMEOUT](errors/3002.md) |" in entry
    assert '| <a id="3002" name="3002"></a><a id="TIMEOUT" name="TIMEOUT"></a>`3002` |' in entry
    assert "#### TIMEOUT" not in entry


def test_a_category_s_page_has_its_table_and_its_errors() -> None:
    files = made(CATALOGS["reference"], {"pages": "per-category", "front_matter": True})
    page = files["out/markdown/errors/system.md"]
    front = yaml.safe_load(page.removeprefix("---\n").partition("\n---\n")[0])
    assert front == {
        "title": "System",
        "description": "Load, time limits and this server's own defects.",
    }
    assert "\n# System\n" in page
    assert "| `3002` | [TIMEOUT](#TIMEOUT) |" in page
    assert "\n## TIMEOUT\n" in page
    assert "## NOT_FOUND" not in page
    entry = files["out/markdown/errors.md"]
    assert "| [TIMEOUT](errors/system.md#TIMEOUT) |" in entry
    assert "Each of them in full: [System](errors/system.md)." in entry


def test_a_page_holds_the_same_of_an_error_in_every_form() -> None:
    single = page_of(CATALOGS["reference"])
    block = single.partition("\n#### TIMEOUT\n")[2].partition("\n</details>")[0]
    split = made(CATALOGS["reference"], {"pages": "per-category"})["out/markdown/errors/system.md"]
    other = split.partition("\n## TIMEOUT\n")[2].partition("\n</details>")[0]
    assert other.replace("../errors.md#", "#") == block


def test_relative_addresses_in_texts_are_those_of_the_entry(tmp_path: Path) -> None:
    data = minimal()
    told = "[a](../guide.md?b#c) [d](/e) [f](https://a.example) [g](#INVALID) [h](?i)"
    data["errors"]["INVALID"]["description"] = told
    path = write_catalog(tmp_path, yaml.safe_dump(data))
    same = "[d](/e) [f](https://a.example)"
    for output, folder in ((None, "out/markdown/catalog/"), ("catalog.md", "catalog/")):
        assert f"\n{told}\n" in page_of(path)
        files = made(path, {"pages": "per-error"}, output)
        assert f"[a](../../guide.md?b#c) {same} [g](#INVALID)" in files[f"{folder}2001.md"]


@pytest.mark.parametrize("text", [*HOSTILE.values(), "y" * 9000, "a\u2028b\u0085c", "no", "1.0"])
def test_front_matter_is_read_back(text: str) -> None:
    front = mdfront({"title": mdbrief(text), "code": text, "empty": "", "number": 0}, "made by x")
    assert front.startswith("---\n# made by x\n")
    assert front.endswith("\n---")
    assert "\n---" not in front[:-4]
    read = yaml.safe_load(front.removesuffix("---"))
    assert read == {"title": mdbrief(text), "code": text, "number": 0}
    assert len(read["title"]) <= 300


@pytest.mark.parametrize("end", ["\n", "\r", "\x85", "\u2028", "\u2029", "\x01", "\ufeff"])
def test_front_matter_is_read_back_whatever_the_path_of_the_catalog(end: str) -> None:
    front = mdfront({"code": 1}, f"made from a{end}code: [.yaml")
    assert yaml.safe_load(front.removesuffix("---")) == {"code": 1}


@pytest.mark.parametrize("name", CATALOGS)
def test_pages_with_front_matter_are_known_as_generated(name: str) -> None:
    for form in PAGES:
        for text in made(CATALOGS[name], {"pages": form, "front_matter": True}).values():
            assert Seen(text).is_marked
            assert text.count("Generated by errgen") == 1


@pytest.mark.parametrize("name", CATALOGS)
@pytest.mark.parametrize("form", PAGES)
def test_the_index_has_a_line_for_each_error(name: str, form: str) -> None:
    catalog, stem = catalog_of(CATALOGS[name]), CATALOGS[name].stem
    files = made(CATALOGS[name], {"pages": form})
    index = files[f"out/markdown/{stem}.llms.txt"]
    mark, _, title, _, summary, *_ = index.split("\n")
    assert mark.startswith("<!-- Generated by errgen")
    assert title.startswith("# ")
    assert summary.startswith("> ")
    lines = re.findall(r"^- \[([^\]]+)\]\(([^)]+)\): (.*)$", index, re.MULTILINE)
    shown = [error for _, errors in catalog.errors_by_category for error in errors]
    for (label, address, told), error in zip(lines, shown, strict=True):
        assert html.unescape(label).replace("\\", "").split(" ")[-1] == error.name
        assert str(error.code) in label.replace("\\", "")
        assert address.startswith(f"{stem}.md#" if form == "single" else f"{stem}/")
        word = {True: "yes", False: "no", None: "varies"}[error.retryable]
        policy = "" if error.retryable is False else f" ({error.policy.name})"
        assert f"retry: {word}{policy}" in told
        for fact, value in (("recovery", error.recovery_action), ("outcome", error.outcome)):
            assert (f"; {fact}: {value}" in told) == bool(value)
        assert ("internal, callers see" in told) == error.is_internal


def test_the_index_says_what_an_agent_must_know_before_it_acts(tmp_path: Path) -> None:
    data = minimal()
    data["retry_policies"] = {
        "backoff": {
            "retryable": True,
            "strategy": "fixed",
            "initial_delay": "1s",
            "max_attempts": 3,
        }
    }
    data["errors"]["NO_ANSWER"] = {
        "code": 2002,
        "category": "validation",
        "message": "No answer",
        "aliases": ["TIMED_OUT"],
        "retry": "backoff",
        "outcome": "unknown",
        "recovery": {"action": "retry", "hint": "Ask for the state first"},
        "deprecated": {"since": "1.0.0", "reason": "Split", "replaced_by": "INVALID"},
    }
    data["reserved"] = [
        {"code": 2003, "name": "BAD_ENCODING", "reason": "Merged", "replaced_by": "INVALID"},
        {"first": 2900, "last": 2999, "reason": "Vendor extensions"},
    ]
    path = write_catalog(tmp_path, yaml.safe_dump(data))
    index = made(path, {})["out/markdown/catalog.llms.txt"]
    assert (
        "- [2002 NO_ANSWER](catalog.md#NO_ANSWER): No answer (deprecated, use [INVALID](catalog.md#INVALID); "
        "also called TIMED_OUT; retry: yes (backoff); safe for operations that may be done twice, such as reads, "
        "and others once their actual state has been looked up; outcome: unknown; recovery: retry). "
        "Ask for the state first.\n"
    ) in index
    assert index.endswith(
        "## Reserved codes\n\nThese are never used, or never again.\n\n"
        "- 2003 BAD_ENCODING: Merged. Use [INVALID](catalog.md#INVALID).\n"
        "- 2900 to 2999: Vendor extensions.\n"
    )


@pytest.mark.parametrize("form", PAGES)
def test_strangers_find_no_page_of_an_internal_error(form: str) -> None:
    files = made(CATALOGS["reference"], {"pages": form, "audience": "public"})
    assert not any("3006" in name for name in files)
    assert not any("OBJECT_HIDDEN" in text for text in files.values())
    files = made(CATALOGS["reference"], {"pages": form})
    assert any("OBJECT_HIDDEN" in text for text in files.values())


def test_snippets_import_what_the_build_makes(tmp_path: Path) -> None:
    path = CATALOGS["reference"]
    settings = {
        "markdown": TargetConfig(None, {}),
        "python": TargetConfig("src/app/codes.py", {}),
        "typescript": TargetConfig("web/codes.gen.ts", {}),
    }
    for only, found in {
        ("markdown", "python", "typescript"): ({"codes"}, {"./codes.gen.ts"}),
        ("markdown", "python"): ({"codes"}, set()),
        ("markdown",): ({"errors"}, {"./errors.ts"}),
    }.items():
        config = CatalogConfig(path.name, "out", settings, only, frozenset())
        files = texts(render(catalog_of(path), config, [templates_dir()]))
        page = files["out/markdown/errors.md"]
        folded = "".join(re.findall(r"<details>.*?</details>", page, re.DOTALL))
        assert set(re.findall(r"^from (\w+) import", folded, re.MULTILINE)) == found[0]
        assert set(re.findall(r'^import .* from "(.+)";$', folded, re.MULTILINE)) == found[1]
    other = write_catalog(tmp_path, path.read_text("utf-8"), "http-errors.yaml")
    assert "from http_errors import" in page_of(other)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project with a small catalog, in which the test runs."""
    data = minimal()
    data["errors"]["ABSENT"] = {"code": 2002, "category": "validation", "message": "Absent"}
    write_catalog(tmp_path / "catalog", yaml.safe_dump(data, sort_keys=False), "errors.yaml")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str) -> tuple[int, str]:
    """Run errgen; return its exit code and what it said."""
    result = CliRunner().invoke(main, args)
    return result.exit_code, result.output


def test_the_page_of_an_error_that_is_gone_is_removed(project: Path) -> None:
    (project / "errgen.toml").write_text('[targets]\nmarkdown = { pages = "per-error" }\n')
    assert run("build")[0] == 0
    pages = project / "generated" / "markdown" / "errors"
    assert sorted(path.name for path in pages.iterdir()) == ["2001.md", "2002.md"]
    catalog = project / "catalog" / "errors.yaml"
    text = catalog.read_text("utf-8")
    catalog.write_text(text[: text.index("  ABSENT:")], "utf-8")
    code, said = run("check")
    assert code == 1
    assert "generated/markdown/errors/2002.md: EG713 is stale" in said
    assert "removed generated/markdown/errors/2002.md" in run("build")[1]
    assert [path.name for path in pages.iterdir()] == ["2001.md"]


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ('pages = "per_error"', "targets.markdown.pages must be single, per-category or per-error"),
        ("pages = 3", "targets.markdown.pages must be single, per-category or per-error"),
        ('front_matter = "yes"', "targets.markdown.front_matter must be true or false"),
        ('page = "single"', "unknown key 'targets.markdown.page'"),
        ("front-matter = true", "unknown key 'targets.markdown.front-matter'"),
    ],
)
def test_a_wrong_option_is_a_finding(project: Path, settings: str, problem: str) -> None:
    (project / "errgen.toml").write_text(f"[targets]\nmarkdown = {{ {settings} }}\n")
    code, said = run("build")
    assert code == 2
    assert "EG701" in said
    assert problem in said
    assert not (project / "generated").exists()


def test_own_templates_make_a_file_for_each_error_or_category(project: Path) -> None:
    for path, text in {
        "own/csv/errors/[error].csv.j2": "{{ header }}\n{{ error.code }},{{ path }}\n",
        "own/csv/by/[category].csv.j2": "{{ header }}\n{{ category.name }},{{ errors | length }}\n",
        "own/csv/errors.csv.j2": "{{ header }}\n{{ outputs['csv/errors/[error].csv.j2'] }}\n",
        "own/csv/none.csv.j2": "{% if false %}x{% endif %}\n \n",
        "own/csv/some/[error].txt.j2": "{% if error.code == 2002 %}{{ header }}{% endif %}",
    }.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text)
    (project / "errgen.toml").write_text('templates = "own"\ntargets = ["csv"]\n')
    assert run("build")[0] == 0
    folder = project / "generated" / "csv"
    found = {
        path.relative_to(folder).as_posix(): path.read_text().split("\n", 1)[1]
        for path in folder.rglob("*.*")
        if path.is_file()
    }
    assert found == {
        "errors.csv": "generated/csv/errors/[error].csv\n",
        "errors/2001.csv": "2001,generated/csv/errors/2001.csv\n",
        "errors/2002.csv": "2002,generated/csv/errors/2002.csv\n",
        "by/validation.csv": "validation,2\n",
        "some/2002.txt": "",
    }
    assert run("check")[0] == 0


def test_a_failing_page_names_its_line(project: Path) -> None:
    (project / "own" / "bad").mkdir(parents=True)
    (project / "own" / "bad" / "[error].txt.j2").write_text("a\n{{ error.nothing }}\n")
    (project / "errgen.toml").write_text('templates = "own"\n')
    code, said = run("build")
    assert code == 1
    assert said.startswith("own/bad/[error].txt.j2:2:10: EG704")


def test_two_files_of_one_path_are_refused(project: Path) -> None:
    (project / "own" / "markdown" / "errors").mkdir(parents=True)
    (project / "own" / "markdown" / "errors" / "2001.md.j2").write_text("{{ header }}\n")
    (project / "errgen.toml").write_text(
        'templates = "own"\n[targets]\nmarkdown = { pages = "per-error" }\n'
    )
    code, said = run("build")
    assert code == 1
    assert "EG703" in said
    assert "generated/markdown/errors/2001.md" in said


def test_the_bounds_of_a_template_hold_for_all_its_files(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "own" / "bad").mkdir(parents=True)
    (project / "own" / "bad" / "[error].txt.j2").write_text("{{ 'x' * 8 }}")
    (project / "errgen.toml").write_text('templates = "own"\ntargets = ["bad"]\n')
    monkeypatch.setattr("errgen.sandbox.MAX_CHARACTERS", 15)
    code, said = run("build")
    assert code == 1
    assert "the output is longer than 15 characters" in said
    assert not (project / "generated").exists()


def test_what_was_made_of_another_catalog_is_not_remembered() -> None:
    calls = []

    @remembered
    def listed(items: list[int], *others: str) -> tuple[object, ...]:
        calls.append(others)
        return (*items, *others)

    first, second = [1], [1]
    assert listed(first, "a") == listed(first, "a") == (1, "a")
    assert len(calls) == 1
    assert listed(first, "b") == (1, "b")
    assert listed(second, "b") == (1, "b")
    assert len(calls) == 3
