"""What a build does to the disk: only to its own files, all of them or none, whatever interrupts it."""

import errno
import fcntl
import hashlib
import io
import itertools
import json
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn

import pytest
from support import Tree, tree

from errgen.artifact import MARKER, Artifact
from errgen.output import (
    Blocked,
    Change,
    ChangeKind,
    Plan,
    create,
    diff,
    plan,
    recover,
    write,
)

_MANIFEST: Final = "out/.errgen-manifest.json"
_WORK: Final = "out/.errgen-build"
_JOURNAL: Final = f"{_WORK}/journal.json"
_OS_CALLS: Final = ("chmod", "fsync", "mkdir", "open", "replace", "rmdir", "unlink", "utime")
_CALLS: Final = ((io, "open"), *((os, name) for name in _OS_CALLS))


def made(path: str, body: str = "body") -> Artifact:
    return Artifact(path, f"# {MARKER}; do not edit\n{body}\n")


def planned(root: Path, *artifacts: Artifact, is_partial: bool = False) -> Plan:
    return plan(artifacts, root, _MANIFEST, partial=is_partial)


def build(root: Path, *artifacts: Artifact, is_partial: bool = False) -> Plan:
    """Do what the build command does."""
    recover(root, _MANIFEST)
    result = planned(root, *artifacts, is_partial=is_partial)
    write(result)
    return result


def put(root: Path, path: str, content: str | bytes) -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def stamps(root: Path) -> dict[Path, tuple[int, int]]:
    """Return what tells that a file or folder was written, even with what it had."""
    return {
        path: (path.lstat().st_ino, path.lstat().st_mtime_ns) for path in (root, *root.rglob("*"))
    }


def actions(result: Plan) -> list[tuple[str, str]]:
    """Return the changes of a plan, but for the manifest's."""
    return [(item.kind.value, item.path) for item in result.changes if item.path != _MANIFEST]


def reasons(result: Plan) -> dict[str, str]:
    return {item.path: f"{item.reason}: {item.remedy}" for item in result.blocked}


def listed(root: Path) -> dict[str, str]:
    files: dict[str, str] = json.loads((root / _MANIFEST).read_text("utf-8"))["files"]
    return files


def sha256(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _handle: None)


# What a file on disk means for an artifact


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        pytest.param(None, [("create", "out/a.py")], id="a missing file is created"),
        pytest.param(made("").text, [], id="an equal file is unchanged"),
        pytest.param(
            made("").text.replace("\n", "\r\n"), [], id="a file that git gave CRLF is unchanged"
        ),
        pytest.param(
            made("", "edited").text, [("update", "out/a.py")], id="a marked file is updated"
        ),
        pytest.param(
            made("").text.rstrip("\n"),
            [("update", "out/a.py")],
            id="a missing line end at the end of the file counts",
        ),
        pytest.param(
            "\ufeff" + made("").text, [("update", "out/a.py")], id="a byte order mark counts"
        ),
        pytest.param(
            made("").text.encode() + b"\xff",
            [("update", "out/a.py")],
            id="what is not UTF-8 counts",
        ),
        pytest.param(
            "#" * 900 + MARKER, [("update", "out/a.py")], id="the mark may come a little later"
        ),
    ],
)
def test_a_file_and_its_artifact(
    tmp_path: Path, before: str | bytes | None, expected: list[tuple[str, str]]
) -> None:
    if before is not None:
        put(tmp_path, "out/a.py", before)
    result = build(tmp_path, made("out/a.py"))
    assert actions(result) == expected
    assert result.unchanged == (() if expected else ("out/a.py",))
    after = build(tmp_path, made("out/a.py"))
    assert (after.changes, after.unchanged) == ((), ("out/a.py",))


def test_a_byte_that_is_not_utf8_never_equals_a_replacement_character(tmp_path: Path) -> None:
    artifact = made("out/a.py", "\ufffd")
    put(tmp_path, "out/a.py", artifact.text.encode().replace("\ufffd".encode(), b"\xff"))
    assert actions(planned(tmp_path, artifact)) == [("update", "out/a.py")]


def test_a_listed_file_is_updated_even_without_the_mark(tmp_path: Path) -> None:
    build(tmp_path, made("out/a.py"))
    put(tmp_path, "out/a.py", "all is edited away\n")
    assert actions(build(tmp_path, made("out/a.py"))) == [("update", "out/a.py")]
    assert (tmp_path / "out/a.py").read_text("utf-8") == made("").text


def test_an_equal_file_is_adopted_without_being_touched(tmp_path: Path) -> None:
    plain = Artifact("out/a.txt", "no mark\n")
    before = stamps(put(tmp_path, "out/a.txt", "no mark\n"))
    build(tmp_path, plain)
    assert stamps(tmp_path / "out/a.txt") == before
    assert listed(tmp_path) == {"out/a.txt": sha256("no mark\n")}


def test_a_change_holds_both_texts(tmp_path: Path) -> None:
    build(tmp_path, made("out/a.py", "old"), made("out/gone.py"))
    changes = planned(tmp_path, made("out/a.py", "new"), made("out/b.py")).changes
    assert changes[1:] == (
        Change(ChangeKind.UPDATE, "out/a.py", made("", "old").text, made("", "new").text),
        Change(ChangeKind.CREATE, "out/b.py", None, made("").text),
        Change(ChangeKind.REMOVE, "out/gone.py", made("").text, None),
    )
    assert (changes[0].kind, changes[0].path) == (ChangeKind.UPDATE, _MANIFEST)


def test_results_are_sorted_by_path_whatever_the_order_of_artifacts(tmp_path: Path) -> None:
    for name in ("y", "x"):
        put(tmp_path, name, "foreign")
    artifacts = [made(path) for path in ("y", "out/b", "x", "out/a")]
    result = planned(tmp_path, *artifacts)
    assert [item.path for item in result.blocked] == ["x", "y"]
    assert [item.path for item in result.changes] == [_MANIFEST, "out/a", "out/b"]
    build(tmp_path, *artifacts[1::2])
    assert planned(tmp_path, *artifacts).unchanged == ("out/a", "out/b")


def test_planning_only_reads(tmp_path: Path) -> None:
    build(tmp_path, made("out/a.py"), made("out/gone.py"))
    put(tmp_path, _JOURNAL, "{}")
    before = stamps(tmp_path)
    planned(tmp_path, made("out/a.py", "new"), made("out/b/c.py"))
    assert stamps(tmp_path) == before


@pytest.mark.parametrize(
    "paths",
    [
        pytest.param(("out/a", "out/a"), id="the same path"),
        pytest.param(("out/a", "Out/A"), id="paths that differ in case"),
        pytest.param(("out/\u00e9", "out/e\u0301"), id="paths that differ in composition"),
    ],
)
def test_two_artifacts_with_one_path_are_a_mistake_of_the_caller(
    tmp_path: Path, paths: tuple[str, str]
) -> None:
    with pytest.raises(ValueError, match="same path"):
        planned(tmp_path, *map(made, paths))


# What stands in the way


def _link(root: Path, path: str, target: Path | str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).symlink_to(target)


def _outside(root: Path) -> Path:
    folder = root.parent / "outside"
    folder.mkdir()
    return folder


def _fifo(root: Path) -> None:
    (root / "out").mkdir()
    os.mkfifo(root / "out/a.py")


_OBSTACLES: Final[list[Any]] = [
    pytest.param(
        lambda root: put(root, "out/a.py", "mine"),
        "exists and errgen did not write it: move it away or set another output path in the config",
        id="a file that errgen did not write",
    ),
    pytest.param(
        lambda root: put(root, "out/a.py", "#" * 1000 + MARKER),
        "exists and errgen did not write it",
        id="a file that speaks of errgen further down",
    ),
    pytest.param(
        lambda root: put(root, "out/a.py", b"\xff\xfe"),
        "exists and errgen did not write it",
        id="a foreign file that is not text",
    ),
    pytest.param(
        lambda root: put(root, "out/a.py", ""),
        "exists and errgen did not write it",
        id="an empty file",
    ),
    pytest.param(lambda root: put(root, "out/a.py/b", ""), "is a folder", id="a folder"),
    pytest.param(_fifo, "is a special file", id="a pipe, which would block a reader"),
    pytest.param(
        lambda root: put(root, "out", made("").text),
        "lies under 'out', which is a file",
        id="a file where a folder belongs",
    ),
    pytest.param(
        lambda root: _link(root, "out/a.py", put(root, "real.py", made("").text)),
        "is a symbolic link",
        id="a link to a file of the project",
    ),
    pytest.param(
        lambda root: _link(root, "out/a.py", "nowhere"),
        "is a symbolic link",
        id="a link to nothing",
    ),
    pytest.param(
        lambda root: _link(root, "out/a.py", put(_outside(root), "x", made("").text)),
        "is a symbolic link",
        id="a link to a file outside the project",
    ),
    pytest.param(
        lambda root: _link(root, "out", _outside(root)),
        "lies under 'out', which is a symbolic link",
        id="a folder that is a link out of the project",
    ),
    pytest.param(
        lambda root: _link(root, "out", put(root, "real/x", "").parent),
        "lies under 'out', which is a symbolic link",
        id="a folder that is a link inside the project",
    ),
]


@pytest.mark.parametrize(("prepare", "reason"), _OBSTACLES)
def test_what_errgen_did_not_write_stops_the_build(
    tmp_path: Path, prepare: Callable[[Path], object], reason: str
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    prepare(root)
    before = stamps(tmp_path)
    recover(root, _MANIFEST)
    result = planned(root, made("out/a.py", "new"), made("ok.py"))
    found = reasons(result)["out/a.py"]
    assert found.startswith(reason)
    assert found.endswith("set another output path in the config")
    assert "out/a.py" not in [item.path for item in result.changes]
    assert result.unchanged == ()
    with pytest.raises(ValueError, match="move it away"):
        write(result)
    assert stamps(tmp_path) == before


@pytest.mark.parametrize(
    "path",
    [
        "../a",
        "/a",
        "out/../../a",
        "C:/a",
        "C:a",
        "out\\a",
        "out/./a",
        "",
        ".",
        ".git/a",
        "x/.GIT/a",
    ],
)
def test_no_artifact_leaves_the_project_or_enters_git(tmp_path: Path, path: str) -> None:
    assert "is not a path for files of the project" in reasons(planned(tmp_path, made(path)))[path]


def test_a_file_that_cannot_be_read_stops_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(tmp_path, made("out/a.py"), made("out/stale.py"))
    read = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.suffix == ".py":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    found = reasons(planned(tmp_path, made("out/a.py")))
    assert found["out/a.py"].startswith("cannot be read (Permission denied): ")
    assert "cannot be read (Permission denied): delete it" in found["out/stale.py"]


@pytest.mark.parametrize(
    ("paths", "blocked"),
    [
        pytest.param(("out/a", "out/a/b"), ["out/a/b"], id="an artifact below another"),
        pytest.param(("out/a", "Out/A/b"), ["Out/A/b"], id="below another where case is equal"),
        pytest.param(("out",), [_MANIFEST], id="an artifact above the manifest"),
        pytest.param((_MANIFEST,), [_MANIFEST], id="the manifest"),
        pytest.param((_WORK,), [_WORK], id="the work folder"),
        pytest.param((f"{_WORK}/a",), [f"{_WORK}/a"], id="a file in the work folder"),
    ],
)
def test_paths_that_cannot_both_be_files_stop_the_build(
    tmp_path: Path, paths: tuple[str, ...], blocked: list[str]
) -> None:
    found = reasons(planned(tmp_path, *map(made, paths)))
    assert list(found) == blocked
    assert all(reason.startswith("clashes with another path") for reason in found.values())


@pytest.mark.parametrize("kind", ["a symbolic link", "a file"])
def test_a_work_folder_that_errgen_did_not_make_stops_the_build(tmp_path: Path, kind: str) -> None:
    root = tmp_path / "root"
    precious = put(tmp_path, "outside/journal.json", "{}")
    if kind == "a file":
        put(root, _WORK, "mine")
    else:
        _link(root, _WORK, precious.parent)
    before = stamps(tmp_path)
    recover(root, _MANIFEST)
    result = planned(root, made("out/a.py"))
    assert reasons(result)[_WORK].startswith(f"lies under '{_WORK}', which is {kind}")
    assert not result.interrupted
    with pytest.raises(FileExistsError, match=r"out/\.errgen-build"):
        write(Plan(root, _MANIFEST, result.artifacts, result.changes, (), (), None, False, False))
    assert stamps(tmp_path) == before


# Files that are made no longer


def test_a_stale_file_is_removed_with_the_folders_that_it_leaves_empty(tmp_path: Path) -> None:
    put(tmp_path, "out/kept/mine.txt", "mine")
    build(tmp_path, made("out/a.py"), made("out/x/y/stale.py"), made("out/kept/stale.py"))
    result = build(tmp_path, made("out/a.py"))
    assert actions(result) == [("remove", "out/kept/stale.py"), ("remove", "out/x/y/stale.py")]
    assert tree(tmp_path).keys() == {
        *("out", "out/a.py", _MANIFEST, "out/kept", "out/kept/mine.txt")
    }
    assert listed(tmp_path).keys() == {"out/a.py"}


def test_a_stale_file_with_crlf_is_still_known(tmp_path: Path) -> None:
    build(tmp_path, made("out/a.py"), made("out/stale.py"))
    put(tmp_path, "out/stale.py", made("").text.replace("\n", "\r\n"))
    assert actions(build(tmp_path, made("out/a.py"))) == [("remove", "out/stale.py")]


@pytest.mark.parametrize("content", [made("", "edited").text.encode(), b"\xff"])
def test_a_stale_file_that_was_edited_stops_the_build(tmp_path: Path, content: bytes) -> None:
    build(tmp_path, made("out/a.py"), made("out/stale.py"))
    put(tmp_path, "out/stale.py", content)
    result = planned(tmp_path, made("out/a.py"))
    assert result.blocked == (
        Blocked(
            "out/stale.py",
            "is no longer made by errgen, but was edited since",
            "delete it or move it away",
        ),
    )


def _replace(root: Path, path: str, by: str) -> None:
    shutil.rmtree(root / path) if (root / path).is_dir() else (root / path).unlink()
    match by:
        case "folder":
            put(root, f"{path}/mine.txt", "mine")
        case "link":
            (root / path).symlink_to(put(root.parent, "outside/stale.py", made("").text).parent)
        case "file":
            put(root, path, "mine")
        case _:
            assert by == "nothing"


@pytest.mark.parametrize(
    ("path", "by"),
    [
        pytest.param("out/old/stale.py", "nothing", id="it is gone"),
        pytest.param("out/old", "nothing", id="its folder is gone"),
        pytest.param("out/old/stale.py", "folder", id="a folder is there"),
        pytest.param("out/old/stale.py", "link", id="a link is there"),
        pytest.param("out/old", "link", id="its folder is a link to one with such a file"),
        pytest.param("out/old", "file", id="its folder is a file"),
    ],
)
def test_a_stale_path_without_errgens_file_is_forgotten(tmp_path: Path, path: str, by: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    build(root, made("out/a.py"), made("out/old/stale.py"))
    _replace(root, path, by)
    before = tree(tmp_path)
    result = build(root, made("out/a.py"))
    assert [item.path for item in result.changes] == [_MANIFEST]
    assert listed(root).keys() == {"out/a.py"}
    assert {**tree(tmp_path), f"root/{_MANIFEST}": b""} == {**before, f"root/{_MANIFEST}": b""}


def test_a_file_is_not_stale_under_a_name_that_differs_in_case_only(tmp_path: Path) -> None:
    build(tmp_path, made("out/Errors.py"))
    # On a disk where case does not count both names are one file, as with this hard link.
    (tmp_path / "out/errors.py").hardlink_to(tmp_path / "out/Errors.py")
    assert actions(build(tmp_path, made("out/errors.py"))) == []
    assert (tmp_path / "out/Errors.py").exists()


def test_a_file_whose_name_changed_in_case_is_stale_where_case_counts(tmp_path: Path) -> None:
    build(tmp_path, made("out/Errors.py"))
    assert actions(build(tmp_path, made("out/errors.py"))) == [
        ("remove", "out/Errors.py"),
        ("create", "out/errors.py"),
    ]


def test_a_partial_build_leaves_other_outputs_alone_and_listed(tmp_path: Path) -> None:
    build(tmp_path, made("out/a.py"), made("out/other.py"))
    put(tmp_path, "out/other.py", "edited")
    result = build(tmp_path, made("out/a.py", "new"), is_partial=True)
    assert actions(result) == [("update", "out/a.py")]
    assert listed(tmp_path) == {
        "out/a.py": sha256(made("", "new").text),
        "out/other.py": sha256(made("").text),
    }
    assert (tmp_path / "out/other.py").read_text("utf-8") == "edited"


# The manifest


def test_the_manifest_is_sorted_and_says_that_it_is_generated(tmp_path: Path) -> None:
    build(tmp_path, made("out/b.py", "b"), made("lib/a.py", "a"))
    assert (tmp_path / _MANIFEST).read_text("utf-8") == (
        "{\n"
        '  "$comment": "Generated by errgen with \'errgen build\': the files it wrote; do not edit",\n'
        '  "errgen-manifest": 1,\n'
        '  "files": {\n'
        f'    "lib/a.py": "{sha256(made("", "a").text)}",\n'
        f'    "out/b.py": "{sha256(made("", "b").text)}"\n'
        "  }\n"
        "}\n"
    )


def test_a_missing_manifest_is_a_change_even_if_every_file_is_right(tmp_path: Path) -> None:
    build(tmp_path, made("out/a.py"))
    (tmp_path / _MANIFEST).unlink()
    result = build(tmp_path, made("out/a.py"))
    assert [(item.kind, item.path) for item in result.changes] == [(ChangeKind.CREATE, _MANIFEST)]


def test_a_manifest_that_git_gave_crlf_is_unchanged(tmp_path: Path) -> None:
    build(tmp_path, made("out/a.py"))
    manifest = tmp_path / _MANIFEST
    manifest.write_bytes(manifest.read_bytes().replace(b"\n", b"\r\n"))
    assert planned(tmp_path, made("out/a.py")).changes == ()


def test_without_artifacts_no_manifest_is_made(tmp_path: Path) -> None:
    assert build(tmp_path).changes == ()
    assert tree(tmp_path) == {}


def test_with_the_last_artifact_the_manifest_goes_too(tmp_path: Path) -> None:
    build(tmp_path, made("out/a.py"))
    kinds = {item.path: item.kind for item in build(tmp_path).changes}
    assert kinds == {"out/a.py": ChangeKind.REMOVE, _MANIFEST: ChangeKind.REMOVE}
    assert tree(tmp_path) == {}


def _manifest(files: object) -> str:
    return json.dumps({"errgen-manifest": 1, "files": files})


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n", id="a merge conflict"),
        pytest.param("", id="nothing"),
        pytest.param("[" * 100_000, id="JSON too deep to read"),
        pytest.param("[]", id="a list"),
        pytest.param(json.dumps({"errgen-manifest": 2, "files": {}}), id="another version"),
        pytest.param(json.dumps({"files": {}}), id="no version"),
        pytest.param(_manifest([]), id="files that are a list"),
        pytest.param(_manifest({"out/gone.py": 1}), id="a hash that is a number"),
        pytest.param(_manifest({"/etc/passwd": "x"}), id="an absolute path"),
        pytest.param(_manifest({"C:/x": "x"}), id="a path on a drive"),
        pytest.param(_manifest({"../mine": "x"}), id="a path out of the project"),
        pytest.param(_manifest({"./out/a.py": sha256(made("").text)}), id="another spelling"),
        pytest.param(_manifest({".git/config": "x"}), id="a path of git's"),
        pytest.param(
            _manifest({"out/x": "?"}).encode().replace(b"?", b"\xff"), id="bytes that are not UTF-8"
        ),
    ],
)
def test_a_damaged_manifest_counts_as_empty_and_is_healed(
    tmp_path: Path, content: str | bytes
) -> None:
    build(tmp_path, made("out/a.py"), made("out/b.py"))
    put(tmp_path, _MANIFEST, content)
    result = build(tmp_path, made("out/a.py"), made("out/b.py", "new"))
    assert result.manifest_problem is not None
    assert result.manifest_problem.endswith("run errgen build to write it anew")
    assert result.unchanged == ("out/a.py",)
    assert actions(result) == [("update", "out/b.py")]
    healed = planned(tmp_path, made("out/a.py"), made("out/b.py", "new"))
    assert (healed.manifest_problem, healed.changes) == (None, ())


def test_a_manifest_that_lists_itself_does_not_make_it_stale(tmp_path: Path) -> None:
    put(tmp_path, _MANIFEST, _manifest({_MANIFEST: "x"}))
    result = build(tmp_path, made("out/a.py"))
    assert (result.manifest_problem, result.blocked) == (None, ())
    assert listed(tmp_path).keys() == {"out/a.py"}


# Writing


def test_without_a_change_nothing_is_touched(tmp_path: Path) -> None:
    build(tmp_path, made("out/a.py"))
    result = planned(tmp_path, made("out/a.py"))
    before = stamps(tmp_path)
    calls = _Calls(lambda *_: None)
    with calls.watched():
        write(result)
    assert (calls.count, stamps(tmp_path)) == (0, before)


def test_files_that_did_not_change_are_not_touched(tmp_path: Path) -> None:
    build(tmp_path, made("out/a.py"), made("out/b.py"))
    before = stamps(tmp_path / "out/a.py")
    build(tmp_path, made("out/a.py"), made("out/b.py", "new"))
    assert stamps(tmp_path / "out/a.py") == before


def test_a_build_leaves_its_files_and_nothing_else(tmp_path: Path) -> None:
    build(tmp_path, made("out/x/a.py", "\u00fcber"), made("lib/b.py"))
    found = tree(tmp_path)
    assert found.keys() == {"out", "out/x", "out/x/a.py", "lib", "lib/b.py", _MANIFEST}
    assert found["out/x/a.py"] == f"# {MARKER}; do not edit\n\u00fcber\n".encode()


def test_lines_end_in_line_feeds_whatever_the_template_had(tmp_path: Path) -> None:
    windows = Artifact("out/a.py", made("").text.replace("\n", "\r\n"))
    build(tmp_path, windows)
    assert (tmp_path / "out/a.py").read_bytes() == made("").text.encode()
    assert planned(tmp_path, windows).changes == ()


@pytest.mark.parametrize("mode", [0o640, 0o755, 0o444])
def test_the_mode_of_a_file_is_kept(tmp_path: Path, mode: int) -> None:
    build(tmp_path, made("out/a.py"))
    (tmp_path / "out/a.py").chmod(mode)
    build(tmp_path, made("out/a.py", "new"))
    assert (tmp_path / "out/a.py").stat().st_mode & 0o777 == mode


def test_a_new_file_has_the_mode_that_the_umask_gives(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        build(tmp_path, made("out/a.py"))
    finally:
        os.umask(before)
    for path in ("out/a.py", _MANIFEST):
        assert (tmp_path / path).stat().st_mode & 0o777 == 0o640


def test_a_foreign_file_that_appears_after_planning_is_not_overwritten(tmp_path: Path) -> None:
    result = planned(tmp_path, made("out/a.py"), made("out/b.py"))
    put(tmp_path, "out/b.py", "mine")
    before = tree(tmp_path)
    with pytest.raises(FileExistsError, match=r"errgen did not write it.*out/b\.py"):
        write(result)
    assert tree(tmp_path) == before


def test_what_happened_after_planning_is_taken_into_account(tmp_path: Path) -> None:
    build(tmp_path, made("out/a.py"))
    result = planned(tmp_path, made("out/b.py"))
    build(tmp_path, made("out/c.py"))
    write(result)
    assert tree(tmp_path).keys() == {"out", "out/b.py", _MANIFEST}


def test_a_root_given_as_a_relative_path_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    build(Path(), made("out/x/a.py"))
    build(Path(), made("out/b.py"))
    assert tree(tmp_path).keys() == {"out", "out/b.py", _MANIFEST}


# A build that fails or dies, at each of its steps


_OLD: Final = (made("out/a.py", "old"), made("out/same.py"), made("lib/x/stale.py"))
_NEW: Final = (made("out/a.py", "new"), made("out/same.py"), made("new/y/z.py"))


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("old")
    build(root, *_OLD)
    return root


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory, old: Path) -> Path:
    root = tmp_path_factory.mktemp("new") / "root"
    shutil.copytree(old, root)
    build(root, *_NEW)
    return root


class _Calls:
    """Strike before chosen calls that reach the disk, numbered from 1."""

    def __init__(self, strike: Callable[[int, str, tuple[Any, ...]], object]) -> None:
        self.count = 0
        self._strike = strike

    @contextmanager
    def watched(self) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            for module, name in _CALLS:
                patch.setattr(module, name, self._watch(name, getattr(module, name)))
            yield

    def _watch(self, name: str, call: Callable[..., object]) -> Callable[..., object]:
        def watched(*args: object, **options: object) -> object:
            self.count += 1
            self._strike(self.count, name, args)
            return call(*args, **options)

        return watched


def _interrupt(_call: str) -> None:
    raise KeyboardInterrupt


def _fail(call: str) -> None:
    # A folder that cannot be removed is no reason to stop.
    if call != "rmdir":
        raise OSError(errno.EIO, "Input/output error")


def _without_work(found: Tree) -> Tree:
    return {path: data for path, data in found.items() if not path.startswith(_WORK)}


def _runs(tmp_path: Path, old: Path) -> Iterator[tuple[Path, int]]:
    """Yield copies of the old set, numbered from 1."""
    for number in itertools.count(1):
        root = tmp_path / str(number)
        shutil.copytree(old, root)
        yield root, number


@pytest.mark.parametrize(
    ("error", "lasting"),
    [
        pytest.param(_fail, False, id="one call fails"),
        pytest.param(_interrupt, False, id="one interrupt"),
        pytest.param(_fail, True, id="every call fails from then on"),
        pytest.param(_interrupt, True, id="interrupts without end"),
    ],
)
def test_a_build_that_fails_anywhere_leaves_one_whole_set(
    tmp_path: Path, old: Path, new: Path, error: Callable[[str], None], lasting: bool
) -> None:
    whole = (tree(old), tree(new))
    for root, number in _runs(tmp_path, old):

        def strike(count: int, call: str, _args: object, number: int = number) -> None:
            if count == number or (lasting and count > number):
                error(call)

        calls, result = _Calls(strike), planned(root, *_NEW)
        with calls.watched(), suppress(OSError, KeyboardInterrupt):
            write(result)
        if not lasting:
            assert not planned(root, *_NEW).interrupted, number
            assert _without_work(tree(root)) in whole, number
        recover(root, _MANIFEST)
        assert tree(root) in whole, number
        build(root, *_NEW)
        assert tree(root) == whole[1], number
        if calls.count < number:
            break


def test_whatever_a_step_relies_on_is_on_the_disk_before_it(tmp_path: Path, old: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(old, root)
    synced, moved = set(), []

    def strike(_count: int, call: str, args: tuple[Any, ...]) -> None:
        if call == "fsync":
            synced.add(os.fstat(args[0]).st_ino)
        elif call == "replace":
            source, target = args
            assert source.stat().st_ino in synced, target
            moved.append(target.relative_to(root).as_posix())
        elif call == "unlink" and args[0] == root / _JOURNAL:
            for folder in (root, root / "out", root / "new", root / "new/y"):
                assert folder.stat().st_ino in synced, folder

    result = planned(root, *_NEW)
    with _Calls(strike).watched():
        write(result)
    # A reader never finds the manifest ahead of the files that it lists.
    assert moved == [_JOURNAL, "new/y/z.py", "out/a.py", _MANIFEST]


def test_a_failure_is_raised_and_leaves_no_trace(
    tmp_path: Path, old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "root"
    shutil.copytree(old, root)
    before = tree(root)
    replace = os.replace

    def full(source: Path, target: Path) -> None:
        if target == root / "new/y/z.py":
            raise OSError(errno.ENOSPC, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        write(planned(root, *_NEW))
    assert tree(root) == before


def test_a_failed_build_keeps_modes_and_times(tmp_path: Path, old: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(old, root)
    file = root / "out/a.py"
    file.chmod(0o640)
    before = (file.stat().st_mode, file.stat().st_mtime_ns)
    _die_before_the_end(root)
    assert file.read_text("utf-8") == made("", "new").text
    recover(root, _MANIFEST)
    assert (file.stat().st_mode, file.stat().st_mtime_ns) == before


def _in_child(action: Callable[[], object]) -> int:
    """Run something in a process of its own and return the process's exit code."""
    child = os.fork()
    if child == 0:
        try:
            action()
        except BaseException:  # noqa: BLE001 - a child must never come back to pytest
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _killed_at(number: int, action: Callable[[], object]) -> bool:
    """Run something in a process that dies at a call, as by SIGKILL; tell whether it died."""

    def strike(count: int, call: str, args: tuple[Any, ...]) -> None:
        if count == number:
            if call == "fsync" and not stat.S_ISDIR(os.fstat(args[0]).st_mode):
                os.truncate(args[0], 0)  # what is not synced yet may be lost
            os._exit(9)

    def watched() -> None:
        with _Calls(strike).watched():
            action()

    code = _in_child(watched)
    assert code in (0, 9)
    return code == 9


def _die_before_the_end(root: Path) -> None:
    """Let a build die with every file in place and its journal still there."""

    def watched() -> None:
        unlink = os.unlink

        def die(path: Path, **options: int) -> None:
            if Path(path).name == "journal.json":
                os._exit(9)
            unlink(path, **options)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "unlink", die)
            write(planned(root, *_NEW))

    assert _in_child(watched) == 9
    assert (root / _JOURNAL).exists()


def _write_new(root: Path) -> None:
    write(planned(root, *_NEW))


def test_after_a_kill_at_any_call_the_next_build_makes_exactly_the_new_set(
    tmp_path: Path, old: Path, new: Path
) -> None:
    whole = (tree(old), tree(new))
    seen = set()
    for root, number in _runs(tmp_path, old):
        died = _killed_at(number, partial(_write_new, root))
        interrupted = planned(root, *_NEW).interrupted
        mixed = _without_work(tree(root)) not in whole
        assert interrupted == (root / _JOURNAL).exists(), number
        assert interrupted or not mixed, number
        seen.add((interrupted, mixed))
        recover(root, _MANIFEST)
        assert tree(root) in whole, number
        build(root, *_NEW)
        assert tree(root) == whole[1], number
        if not died:
            break
    assert seen == {(False, False), (True, False), (True, True)}


def test_a_recovery_that_is_killed_at_any_call_is_finished_by_the_next(
    tmp_path: Path, old: Path
) -> None:
    for root, number in _runs(tmp_path, old):
        _die_before_the_end(root)
        died = _killed_at(number, partial(recover, root, _MANIFEST))
        recover(root, _MANIFEST)
        assert tree(root) == tree(old), number
        if not died:
            break


@pytest.mark.parametrize("error", [_fail, _interrupt])
def test_a_recovery_that_fails_anywhere_is_finished_by_the_next(
    tmp_path: Path, old: Path, error: Callable[[str], None]
) -> None:
    for root, number in _runs(tmp_path, old):
        _die_before_the_end(root)

        def strike(count: int, call: str, _args: object, number: int = number) -> None:
            if count == number:
                error(call)

        calls = _Calls(strike)
        with calls.watched(), suppress(OSError, KeyboardInterrupt):
            recover(root, _MANIFEST)
        assert (root / _JOURNAL).exists() or _without_work(tree(root)) == tree(old), number
        recover(root, _MANIFEST)
        assert tree(root) == tree(old), number
        if calls.count < number:
            break


def test_writing_after_a_kill_needs_no_recovery_first(tmp_path: Path, old: Path, new: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(old, root)
    _die_before_the_end(root)
    result = planned(root, *_NEW)
    assert (result.changes, result.interrupted) == ((), True)
    write(result)
    assert tree(root) == tree(new)


def test_recovery_spares_what_was_edited_since(tmp_path: Path, old: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(old, root)
    _die_before_the_end(root)
    put(root, "out/a.py", "mine")
    put(root, "new/y/z.py", "mine too")
    put(root, "lib/x/stale.py", "mine as well")
    recover(root, _MANIFEST)
    found = tree(root)
    assert found["out/a.py"] == b"mine"
    assert found["new/y/z.py"] == b"mine too"
    assert found["lib/x/stale.py"] == b"mine as well"


def test_recovery_does_without_a_backup_that_is_gone(tmp_path: Path, old: Path, new: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(old, root)
    _die_before_the_end(root)
    for backup in (root / _WORK).glob("*.old"):
        backup.unlink()
    build(root, *_NEW)
    assert tree(root) == tree(new)


@pytest.mark.parametrize(
    "journal",
    [
        pytest.param("", id="nothing"),
        pytest.param("[]", id="a list"),
        pytest.param("{]", id="no JSON"),
        pytest.param("[" * 100_000, id="JSON too deep to read"),
        pytest.param('{"out/a.py": 1}', id="a step that is a number"),
        pytest.param('{"out/a.py": ["yes", null]}', id="a step with wrong types"),
        pytest.param('{"x": 1, "out/new.py": [true, null]}', id="a right step after a wrong one"),
        pytest.param('{"out/new.py": [false, null]}', id="a step that does nothing"),
        pytest.param('{"../mine": [false, "SHA"]}', id="a path out of the project"),
        pytest.param('{"link/mine": [false, "SHA"]}', id="a path through a link"),
        pytest.param('{"link/new": [true, null]}', id="a new path through a link"),
        pytest.param('{".git/hooks/new": [true, null]}', id="a path of git's"),
    ],
)
def test_a_journal_that_no_build_wrote_does_no_harm(tmp_path: Path, journal: str) -> None:
    root = tmp_path / "root"
    put(tmp_path, "mine", "precious")
    (tmp_path / "empty").mkdir()
    root.mkdir()
    build(root, made("out/a.py"))
    _link(root, "link", tmp_path)
    before = tree(tmp_path)
    put(root, f"{_WORK}/0.old", "evil")
    put(root, _JOURNAL, journal.replace("SHA", sha256("precious")))
    recover(root, _MANIFEST)
    assert tree(tmp_path) == before


def test_what_a_dead_build_leaves_is_not_offered_to_git(tmp_path: Path, old: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(old, root)
    _die_before_the_end(root)
    assert (root / _WORK / ".gitignore").read_text("utf-8") == "*\n"


def test_recovery_writes_nothing_where_nothing_happened(tmp_path: Path) -> None:
    build(tmp_path, made("out/a.py"))
    before = stamps(tmp_path)
    recover(tmp_path, _MANIFEST)
    assert stamps(tmp_path) == before


# Two builds at once


def _is_locked(root: Path) -> bool:
    handle = os.open(root, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def test_a_build_holds_the_lock_from_its_first_step_to_its_last(tmp_path: Path) -> None:
    locked = []

    def strike(_count: int, call: str, _args: object) -> None:
        if call != "open":
            locked.append(_is_locked(tmp_path))

    result = planned(tmp_path, made("out/a.py"))
    with _Calls(strike).watched():
        write(result)
    assert locked
    assert all(locked)
    assert not _is_locked(tmp_path)


def test_a_build_waits_for_another_and_then_looks_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flock = fcntl.flock

    def other_build_ends(handle: int, operation: int) -> None:
        monkeypatch.setattr(fcntl, "flock", flock)
        build(tmp_path, made("out/b.py", "other"))
        flock(handle, operation)

    result = planned(tmp_path, made("out/a.py"))
    monkeypatch.setattr(fcntl, "flock", other_build_ends)
    write(result)
    assert tree(tmp_path).keys() == {"out", "out/a.py", _MANIFEST}


def test_the_lock_of_a_killed_build_is_free(tmp_path: Path, old: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(old, root)
    _die_before_the_end(root)
    assert not _is_locked(root)


def test_a_disk_that_cannot_lock_does_not_stop_a_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_handle: int, _operation: int) -> NoReturn:
        raise OSError(errno.EBADF, "Bad file descriptor")

    monkeypatch.setattr(fcntl, "flock", refuse)
    build(tmp_path, made("out/a.py"))
    assert (tmp_path / "out/a.py").exists()


def test_builds_at_once_leave_the_whole_set_of_one(tmp_path: Path) -> None:
    sets = [
        (made("out/a.py", str(number)), *(made(f"out/{number}/{name}.py") for name in "xyz"))
        for number in range(4)
    ]
    whole = []
    for number, artifacts in enumerate(sets):
        (tmp_path / f"alone{number}").mkdir()
        build(tmp_path / f"alone{number}", *artifacts)
        whole.append(tree(tmp_path / f"alone{number}"))
    root = tmp_path / "root"
    root.mkdir()
    children = []
    for artifacts in sets:
        child = os.fork()
        if child == 0:
            try:
                for _ in range(20):
                    # A plan made while another build writes may see half of it, and is refused.
                    with suppress(ValueError):
                        build(root, *artifacts)
            except BaseException:  # noqa: BLE001 - a child must never come back to pytest
                os._exit(1)
            os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * len(sets)
    assert tree(root) in whole


# New files of a project


def test_a_file_is_created_once(tmp_path: Path) -> None:
    assert create(tmp_path, Artifact("a/b.toml", "text\n"))
    assert not create(tmp_path, Artifact("a/b.toml", "other\n"))
    assert tree(tmp_path) == {"a": None, "a/b.toml": b"text\n"}


@pytest.mark.parametrize("target", ["nowhere", "/"])
def test_a_link_or_folder_is_something_too(tmp_path: Path, target: str) -> None:
    _link(tmp_path, "errgen.toml", target)
    assert not create(tmp_path, Artifact("errgen.toml", "text\n"))


def test_no_file_is_created_through_a_link(tmp_path: Path) -> None:
    root = tmp_path / "root"
    _link(root, "a", _outside(root))
    with pytest.raises(
        FileExistsError, match=r"lies under 'a', which is a symbolic link.*a/b\.toml"
    ):
        create(root, Artifact("a/b.toml", "text\n"))
    assert list((tmp_path / "outside").iterdir()) == []


# Showing what differs


@pytest.mark.parametrize(
    ("old_text", "new_text", "expected"),
    [
        pytest.param(
            "a\nb\n",
            "a\nc\n",
            "--- x/y (on disk)\n+++ x/y (errgen build)\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n",
            id="a changed line",
        ),
        pytest.param(
            None,
            "a\n",
            "--- /dev/null\n+++ x/y (errgen build)\n@@ -0,0 +1 @@\n+a\n",
            id="a new file",
        ),
        pytest.param(
            "a\n",
            None,
            "--- x/y (on disk)\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
            id="a removed file",
        ),
        pytest.param(
            "a",
            "a\n",
            "--- x/y (on disk)\n+++ x/y (errgen build)\n@@ -1 +1 @@\n"
            "-a\n\\ No newline at end of file\n+a\n",
            id="a missing line end",
        ),
        pytest.param(
            "a\u2028b\x0cc\rd\n",
            "e\n",
            "--- x/y (on disk)\n+++ x/y (errgen build)\n@@ -1 +1 @@\n-a\u2028b\x0cc\rd\n+e\n",
            id="no line ends but line feeds",
        ),
        pytest.param(
            "\udcff\n",
            "e\n",
            "--- x/y (on disk)\n+++ x/y (errgen build)\n@@ -1 +1 @@\n-\ufffd\n+e\n",
            id="a byte that is not UTF-8",
        ),
    ],
)
def test_a_diff_goes_from_the_disk_to_the_build(
    old_text: str | None, new_text: str | None, expected: str
) -> None:
    assert diff(Change(ChangeKind.UPDATE, "x/y", old_text, new_text)) == expected


def test_a_diff_of_a_file_that_git_gave_crlf_shows_what_changed_alone(tmp_path: Path) -> None:
    build(tmp_path, made("out/a.py", "old"))
    put(tmp_path, "out/a.py", made("", "old").text.replace("\n", "\r\n"))
    [_, change] = planned(tmp_path, made("out/a.py", "new")).changes
    assert [line for line in diff(change).splitlines()[2:] if line[0] in "+-"] == ["-old", "+new"]
