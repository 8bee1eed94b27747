"""What a build skips: only work whose outcome is on disk already, and never in a way that shows."""

import json
import os
import random
import shutil
from collections.abc import Callable, Mapping
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any, Final

import jinja2
import pytest
from click.testing import CliRunner
from support import tree

from errgen import loaded, output, pipeline, record, render
from errgen.artifact import digest_of
from errgen.cli import main
from errgen.config import find_config
from errgen.recent import recent
from errgen.resources import templates_dir

_CATALOG: Final = """\
errgen: 1
name: {name}
version: 1.0.0
categories:
  validation: {{ title: Validation, retry: never }}
ranges:
  - {{ first: 2000, last: 2999, category: validation }}
errors:
  MISSING_FIELD: {{ code: 2001, category: validation, message: A field is missing }}
  RETIRING: {{ code: 2002, category: validation, message: To be written }}
"""
_CONFIG: Final = """\
templates = "own"
catalog = [
  { path = "one.yaml", output = "generated/one" },
  { path = "two.yaml", output = "generated/two" },
  { path = "one.yaml", output = "generated/again", targets = ["typescript"] },
]
"""
_OWN: Final = "own/listing/errors.txt.j2"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a project of two catalogs, of which one is built twice, with a template of its own; it is built."""
    root = tmp_path / "project"
    (root / _OWN).parent.mkdir(parents=True)
    (root / _OWN).write_text("{# errors #}{{ header }}\n{{ catalog.name }}\n", "utf-8")
    for name in ("one", "two"):
        (root / f"{name}.yaml").write_text(_CATALOG.format(name=name), "utf-8")
    (root / "errgen.toml").write_text(_CONFIG, "utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(root)
    assert built()[0] == 0
    return root


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the catalogs that are read."""
    seen: list[str] = []
    load = loaded.load_catalogs

    def spy(config: Any) -> Any:
        seen.extend(item.path for item in config.catalogs)
        return load(config)

    monkeypatch.setattr(pipeline, "load_catalogs", spy)
    return seen


def built(*arguments: str) -> tuple[int, str, str]:
    """Build, and return the exit code and what is told."""
    result = CliRunner().invoke(main, ["build", *arguments], catch_exceptions=False)
    return result.exit_code, result.stdout, result.stderr


def edit(path: str, old: str, new: str) -> None:
    file = Path(path)
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def forget() -> None:
    shutil.rmtree(os.environ["XDG_CACHE_HOME"])


def all_unchanged() -> str:
    """Return what is told of all files that were generated, the manifest left out."""
    files = [path for path in Path("generated").rglob("*") if path.is_file()]
    return f"{len(files) - 1} files unchanged\n"


def records() -> list[Path]:
    return sorted(Path(os.environ["XDG_CACHE_HOME"], "errgen").iterdir())


def test_nothing_is_made_again_and_the_same_is_told(project: Path, rendered: list[str]) -> None:
    before = tree(project)
    told = built()
    assert rendered == []
    assert "warning" in told[2]
    assert told[1].endswith(all_unchanged())
    forget()
    assert built() == told
    assert rendered == ["one.yaml", "two.yaml", "one.yaml"]
    assert tree(project) == before


def test_paths_are_told_from_where_the_build_is_started(
    project: Path, rendered: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project / "own")
    told = built()
    assert rendered == []
    assert told[1].startswith("../one.yaml: one 1.0.0, 2 errors\n")
    assert "../one.yaml:10:" in told[2]


def test_findings_of_a_skipped_build_have_every_form(project: Path, rendered: list[str]) -> None:
    told = built("--format", "json")
    assert rendered == []
    forget()
    assert built("--format", "json") == told


def touch(path: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        (root / path).write_bytes((root / path).read_bytes())
        os.utime(root / path, (1, 1))

    return change


def test_files_of_other_times_and_the_same_content_are_the_same(
    project: Path, rendered: list[str]
) -> None:
    for path in ("one.yaml", "two.yaml", "generated/two/python/two.py"):
        touch(path)(project)
    assert built()[1].endswith(all_unchanged())
    assert rendered == []


_EDITS: Final[Mapping[str, tuple[Callable[[Path], object], list[str]]]] = {
    "a catalog": (
        lambda _: edit("two.yaml", "A field is missing", "No field"),
        ["two.yaml"],
    ),
    "a catalog that is built twice": (
        lambda _: edit("one.yaml", "A field is missing", "No field"),
        ["one.yaml", "one.yaml"],
    ),
    "an output": (lambda _: edit("generated/one/python/one.py", "2001", "2003"), ["one.yaml"]),
    "an output that is gone": (
        lambda root: (root / "generated/again/typescript/one.ts").unlink(),
        ["one.yaml"],
    ),
    "an output of the same size and times": (
        lambda root: _forged(root / "generated/two/markdown/two.md", b"2001", b"2009"),
        ["two.yaml"],
    ),
    "a catalog of the same size and times": (
        lambda root: _forged(root / "two.yaml", b"2001", b"2009"),
        ["two.yaml"],
    ),
    "a template": (
        lambda _: edit(_OWN, "catalog.name", "catalog.version"),
        ["one.yaml", "two.yaml", "one.yaml"],
    ),
    "a new template": (
        lambda root: (root / "own/listing/more.txt.j2").write_text("{{ header }}\n", "utf-8"),
        ["one.yaml", "two.yaml", "one.yaml"],
    ),
    "the config": (
        lambda _: edit("errgen.toml", 'targets = ["typescript"]', 'targets = ["python"]'),
        ["one.yaml", "two.yaml", "one.yaml"],
    ),
    "the manifest": (
        lambda _: edit("generated/.errgen-manifest.json", "sha256:", "sha256:0"),
        [],
    ),
    "a folder of outputs": (
        lambda root: _linked(root / "generated/two/python"),
        ["two.yaml"],
    ),
}


def _linked(folder: Path) -> None:
    elsewhere = folder.with_name("elsewhere")
    folder.rename(elsewhere)
    folder.symlink_to("elsewhere")


def _forged(path: Path, old: bytes, new: bytes) -> None:
    status = path.stat()
    path.write_bytes(path.read_bytes().replace(old, new))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert path.stat().st_size == status.st_size


@pytest.mark.parametrize("name", _EDITS)
def test_what_has_changed_is_made_as_a_whole_build_makes_it(
    project: Path,
    rendered: list[str],
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    change, expected = _EDITS[name]
    change(project)
    other = tmp_path / "other"
    shutil.copytree(project, other, symlinks=True)
    told = built()
    assert rendered == expected
    monkeypatch.chdir(other)
    assert built() == told
    assert tree(other) == tree(project)


def test_random_edits_make_what_whole_builds_make(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(7)  # noqa: S311 - no secret
    whole = tmp_path / "whole"
    for _ in range(25):
        for _ in range(chance.choice((0, 1, 1, 2))):
            _random_edit(chance)
        shutil.rmtree(whole, ignore_errors=True)
        shutil.copytree(project, whole)
        told = built()
        with monkeypatch.context() as elsewhere:
            elsewhere.chdir(whole)
            assert built() == told
        assert tree(whole) == tree(project)
        assert CliRunner().invoke(main, ["check"]).exit_code == 0


def _random_edit(chance: random.Random) -> None:
    files = sorted(path for path in Path().rglob("*") if path.is_file() and path.suffix != ".toml")
    file = chance.choice(files)
    if file.suffix == ".yaml" or file.name == "errors.txt.j2":
        text = file.read_text("utf-8")
        word = chance.choice(("A field is missing", "Validation", "catalog.name", "header"))
        new = {"catalog.name": "catalog.title", "header": "header  "}.get(word, f"{word}!")
        file.write_text(text.replace(word, new, 1), "utf-8")
    elif chance.random() < 0.5:
        file.unlink()
    else:
        file.write_text(f"{file.read_text('utf-8')}\n", "utf-8")


def test_check_believes_no_record(project: Path) -> None:
    touched = Path("generated/two/python/two.py")
    edit(str(touched), "A field is missing", "Nothing is missing")
    manifest = Path("generated/.errgen-manifest.json")
    data = json.loads(manifest.read_text("utf-8"))
    data["files"][touched.as_posix()] = digest_of(touched.read_bytes())
    manifest.write_text(json.dumps(data, indent=2, sort_keys=True) + "\n", "utf-8")
    (file,) = records()
    kept = json.loads(file.read_text("utf-8"))
    for path in (touched, manifest):
        kept["files"][path.as_posix()] = record.seal(path)
    kept["catalogs"][1]["outputs"][touched.as_posix()] = data["files"][touched.as_posix()]
    file.write_text(json.dumps(kept), "utf-8")
    result = CliRunner().invoke(main, ["check"])
    assert result.exit_code == 1
    assert "two.py" in result.stderr


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{", b'{"setting": 1}', b"\xff", b"[" * 100_000, None],
    ids=["empty", "a list", "cut", "another", "no text", "deep", "no file"],
)
def test_a_record_that_makes_no_sense_is_none(
    project: Path, rendered: list[str], content: bytes | None
) -> None:
    (file,) = records()
    if content is None:
        file.unlink()
        file.mkdir()
    else:
        file.write_bytes(content)
    assert built()[1].endswith(all_unchanged())
    assert len(rendered) == 3


@pytest.mark.parametrize("key", ["made", "files", "catalogs", "setting"])
def test_a_record_that_lacks_something_is_none(
    project: Path, rendered: list[str], key: str
) -> None:
    (file,) = records()
    kept = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps(kept | {key: None}), "utf-8")
    assert built()[1].endswith(all_unchanged())
    assert len(rendered) == 3


def test_another_errgen_or_library_makes_everything_anew(
    project: Path, rendered: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = {
        "black": "black",
        "jinja2": "jinja2",
        "jsonschema": "jsonschema",
        "markupsafe": "markupsafe",
    }
    packages["yaml"] = "pyyaml"
    built()
    for name in packages:
        with monkeypatch.context() as patch:
            # As if the version of one were another.
            patch.setattr(record, "_PACKAGES", packages | {name: "click"})
            rendered.clear()
            built()
            assert len(rendered) == 3
    monkeypatch.setattr(record, "__version__", "99.0.0")
    rendered.clear()
    built()
    assert len(rendered) == 3


def test_a_library_of_unknown_version_leaves_no_record(
    project: Path, rendered: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record, "_PACKAGES", {"errgen": "not there"})
    built()
    built()
    assert len(rendered) == 6


def test_a_catalog_that_changes_while_it_is_built_leaves_no_record(
    project: Path, rendered: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    forget()
    generate = pipeline.generate

    def slow(*arguments: Any) -> Any:
        edit("two.yaml", "A field", "One field")
        return generate(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "generate", slow)
        built()
    built()
    assert rendered == ["one.yaml", "two.yaml", "one.yaml"] * 2


def test_warnings_of_what_is_kept_stand_beside_errors(project: Path) -> None:
    edit("two.yaml", "category: validation, message: A", "category: unknown, message: A")
    told = built()
    assert told[0] == 1
    assert "one.yaml:10:" in told[2]
    forget()
    assert built() == told


@pytest.mark.parametrize("path", ["one.yaml", _OWN])
def test_what_changes_once_it_was_compared_is_made_anew(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    edit("two.yaml", "A field is missing", "Another")
    config = find_config(project)
    last = recent(config)
    edit(
        path,
        *{"one.yaml": ("A field", "One field"), _OWN: ("catalog.name", "catalog.version")}[path],
    )
    pipeline.build(config, last, lambda *_: None)
    assert_whole(project, tmp_path, monkeypatch)


def assert_whole(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Build, and compare with what is made without a record."""
    other = tmp_path / "other"
    shutil.copytree(project, other, symlinks=True)
    told = built()
    with monkeypatch.context() as elsewhere:
        elsewhere.chdir(other)
        again = built()
    assert tree(other) == tree(project)
    assert told[0] == again[0] == 0


def test_files_that_another_build_lists_are_judged_anew(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy("one.yaml", "three.yaml")
    edit("one.yaml", "A field is missing", "No field")
    write = output.write
    with monkeypatch.context() as patch:

        def and_another(planned: Any) -> None:
            write(planned)
            patch.undo()
            built("three.yaml")

        patch.chdir(project)
        patch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        patch.setattr(pipeline, "write", and_another)
        config = find_config(project)
        pipeline.build(config, recent(config), lambda *_: None)
    assert Path("generated/markdown/three.md").exists()
    assert_whole(project, tmp_path, monkeypatch)


def _edited_and_restored() -> Callable[[], object]:
    text = Path(_OWN).read_text("utf-8")
    Path(_OWN).write_text(text.replace("catalog.name", "catalog.version"), "utf-8")
    return lambda: Path(_OWN).write_text(text, "utf-8")


def _added_and_removed() -> Callable[[], object]:
    own = Path("own", "extra", "errors.txt.j2")
    own.parent.mkdir()
    own.write_text("{{ header }}\n", "utf-8")
    return lambda: shutil.rmtree(own.parent)


@pytest.mark.parametrize("change", [_edited_and_restored, _added_and_removed])
def test_a_template_that_was_another_for_a_while_leaves_no_record(
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[], Callable[[], object]],
) -> None:
    forget()
    generate = pipeline.generate

    def meanwhile(*arguments: Any) -> Any:
        undo = change()
        made = generate(*arguments)
        undo()
        return made

    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "generate", meanwhile)
        built()
    assert_whole(project, tmp_path, monkeypatch)


def test_what_a_template_includes_may_have_any_name(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    included = Path("own", "listing", "__pycache__", "part.j2")
    included.parent.mkdir()
    included.write_text("one\n", "utf-8")
    edit(_OWN, "{{ catalog.name }}", '{% include "listing/__pycache__/part.j2" %}')
    built()
    included.write_text("two\n", "utf-8")
    assert_whole(project, tmp_path, monkeypatch)


def test_bundled_templates_of_the_same_size_and_times_are_told_apart(
    project: Path, rendered: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundled = tmp_path / "bundled"
    shutil.copytree(templates_dir(), bundled)
    for module in ("record", "pipeline"):
        monkeypatch.setattr(f"errgen.{module}.templates_dir", lambda: bundled)
    built()
    rendered.clear()
    built()
    assert rendered == []
    _forged(bundled / "markdown" / "errors.md.j2", b"Catalog `", b"catalog `")
    render._environment.cache_clear()  # noqa: SLF001 - as in another process
    assert_whole(project, tmp_path, monkeypatch)


def test_a_library_of_the_same_version_elsewhere_makes_everything_anew(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = record.setting(find_config(project))
    package = Path(str(jinja2.__file__)).parent
    (tmp_path / "jinja2").symlink_to(package)
    for found in package.parent.glob("jinja2-*-info"):
        (tmp_path / found.name).symlink_to(found)
    spec = ModuleSpec("jinja2", None, origin=str(tmp_path / "jinja2" / "__init__.py"))
    monkeypatch.setattr(jinja2, "__spec__", spec)
    after = record.setting(find_config(project))
    assert None not in (before, after)
    assert before != after


def test_no_record_is_taken_from_where_the_build_is_started(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert built()[0] == 0
    assert not Path("cache").exists()


def test_a_build_that_was_interrupted_is_made_anew(project: Path, rendered: list[str]) -> None:
    work = project / "generated" / ".errgen-build"
    work.mkdir()
    (work / "journal.json").write_text("{}", "utf-8")
    built()
    assert not work.exists()


def test_a_part_of_a_project_is_neither_recorded_nor_skipped(
    project: Path, rendered: list[str]
) -> None:
    (file,) = records()
    before = file.read_bytes()
    built("two.yaml")
    built("two.yaml")
    assert rendered == ["two.yaml"] * 2
    assert file.read_bytes() == before


def test_a_cache_that_cannot_be_written_does_not_stop_a_build(
    project: Path, rendered: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert built()[0] == 0
    assert len(rendered) == 3


def test_a_home_that_is_unknown_does_not_stop_a_build(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", _no_home)
    assert built()[0] == 0


def _no_home() -> Path:
    raise RuntimeError


def test_records_of_many_projects_do_not_pile_up(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record, "_MOST_RECORDS", 3)
    folder = Path(os.environ["XDG_CACHE_HOME"], "errgen")
    for index in range(5):
        old = folder / f"{index}.json"
        old.write_text("{}", "utf-8")
        os.utime(old, (index, index))
    forgotten = records()
    forget_one = next(path for path in forgotten if len(path.stem) > 1)
    forget_one.unlink()
    built()
    assert [path.stem for path in records() if len(path.stem) == 1] == ["3", "4"]
