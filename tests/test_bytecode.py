"""Compiled templates are used again only where they are errgen's own and nothing about them has changed."""

import sys
from pathlib import Path

import jinja2
import pytest
from jinja2.bccache import bc_magic

from errgen import bytecode
from errgen.sandbox import Sandbox


@pytest.fixture
def bundled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that holds errgen's own templates: one."""
    folder = tmp_path / "bundled"
    (folder / "text").mkdir(parents=True)
    (folder / "text" / "a.txt.j2").write_text("one {{ word }}\n", "utf-8")
    monkeypatch.setattr(bytecode, "templates_dir", lambda: folder)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return folder


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """Collect the templates that are compiled."""
    seen: list[str | None] = []
    whole = Sandbox._parse  # noqa: SLF001 - what jinja2 calls

    def spy(self: Sandbox, source: str, name: str | None, filename: str | None) -> object:
        seen.append(name)
        return whole(self, source, name, filename)

    monkeypatch.setattr(Sandbox, "_parse", spy)
    return seen


def made(*folders: Path, word: str = "word") -> str:
    return Sandbox(folders).text_of("text/a.txt.j2", {"word": word})


def test_a_bundled_template_is_compiled_once(bundled: Path, compiled: list[str | None]) -> None:
    assert [made(bundled), made(bundled, word="other")] == ["one word\n", "one other\n"]
    assert compiled == ["text/a.txt.j2"]
    assert [path.name for path in (bundled / "__pycache__").iterdir()] == ["text.a.txt.j2.bytecode"]


def test_a_change_of_the_template_is_seen(bundled: Path, compiled: list[str | None]) -> None:
    made(bundled)
    (bundled / "text" / "a.txt.j2").write_text("two {{ word }}\n", "utf-8")
    assert made(bundled) == "two word\n"
    assert len(compiled) == 2


@pytest.mark.parametrize("what", ["sandbox", "version", "jinja2", "interpreter", "damage", "cut"])
def test_what_another_errgen_compiled_is_not_used(
    bundled: Path, compiled: list[str | None], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    made(bundled)
    if what == "sandbox":
        other = bundled / "sandbox.py"
        other.write_text("", "utf-8")
        monkeypatch.setattr(bytecode, "_SANDBOX", other)
    elif what == "version":
        monkeypatch.setattr(bytecode, "__version__", "99.0.0")
    elif what == "jinja2":
        monkeypatch.setattr(jinja2, "__version__", "99.0.0")
    elif what == "interpreter":
        monkeypatch.setattr(sys.implementation, "cache_tag", "other-311")
    elif what == "cut":
        (file,) = (bundled / "__pycache__").iterdir()
        file.write_bytes(file.read_bytes()[: len(bc_magic) + 20])
    else:
        next((bundled / "__pycache__").iterdir()).write_bytes(b"no bytecode")
    assert made(bundled) == "one word\n"
    assert len(compiled) == 2


def test_templates_of_a_project_are_neither_kept_nor_taken_from_what_is_kept(
    bundled: Path, compiled: list[str | None], tmp_path: Path
) -> None:
    own = tmp_path / "own"
    (own / "text").mkdir(parents=True)
    (own / "text" / "a.txt.j2").write_text("own {{ word }}\n", "utf-8")
    made(bundled)
    (own / "__pycache__").symlink_to(bundled / "__pycache__")
    assert [made(own, bundled), made(own, bundled)] == ["own word\n"] * 2
    assert len(compiled) == 3
    assert len(list((bundled / "__pycache__").iterdir())) == 1


def test_nothing_is_written_where_python_writes_no_bytecode(
    bundled: Path, compiled: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert [made(bundled), made(bundled)] == ["one word\n"] * 2
    assert len(compiled) == 2
    assert [path.name for path in bundled.iterdir()] == ["text"]


def test_a_folder_that_cannot_be_written_does_no_harm(bundled: Path) -> None:
    (bundled / "__pycache__").write_text("a file", "utf-8")
    assert made(bundled) == "one word\n"
