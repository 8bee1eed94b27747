"""The tools that judge generated files, on files that are right and files with one fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Checker, Node

_MARKDOWN = "# Errors\n\nEach error has a code.\n"
_PYTHON = '"""A module."""\n\nfrom enum import StrEnum\n\n\nclass Code(StrEnum):\n    OK = "ok"\n'
_TYPESCRIPT = """\
export const Code = { ok: "ok" } as const;
export type Code = (typeof Code)[keyof typeof Code];
"""
_NEIGHBOUR_PYTHON = "from errors import Code\n\nsome: Code = Code.OK\n"
_NEIGHBOUR_TYPESCRIPT = 'import { Code } from "./errors.ts";\nexport const some: Code = Code.ok;\n'

_SOUND = {
    "tsc": ("ts", _TYPESCRIPT, _NEIGHBOUR_TYPESCRIPT),
    "pyright": ("py", _PYTHON, _NEIGHBOUR_PYTHON),
    "mypy_strict": ("py", _PYTHON, _NEIGHBOUR_PYTHON),
    "markdownlint": ("md", _MARKDOWN, _MARKDOWN),
}
_UNSOUND = {
    "tsc finds a type error": ("tsc", 'export const a: number = "1";', "TS2322"),
    "tsc refuses the enum keyword": ("tsc", "export enum A { b }", "TS1294"),
    "tsc knows no DOM": ("tsc", "export const a = document.title;", "TS2584"),
    "tsc knows no Node": ("tsc", "export const a = process.env;", "TS2591"),
    "tsc refuses a local that is not used": ("tsc", "const a = 1;\nexport {};", "TS6133"),
    "tsc refuses undefined for an optional property": (
        "tsc",
        "export const a: { b?: number } = { b: undefined };",
        "TS2375",
    ),
    "tsc doubts every index": (
        "tsc",
        "export const a = (b: number[]): number => b[0];",
        "TS2322",
    ),
    "tsc refuses a property of an index signature": (
        "tsc",
        "export const a = (b: Record<string, number>) => b.c;",
        "TS4111",
    ),
    "tsc refuses a type imported as a value": (
        "tsc",
        'import { Code } from "./types.ts";\nexport type A = Code;',
        "TS1484",
    ),
    "tsc wants every path to return": (
        "tsc",
        "export function a(b: boolean): number | undefined {\n  if (b) return 1;\n}",
        "TS7030",
    ),
    "tsc wants an override to be marked": (
        "tsc",
        "class A { b(): void {} }\nexport class C extends A { b(): void {} }",
        "TS4114",
    ),
    "pyright finds a type error": ("pyright", 'a: int = "1"\n', "reportAssignmentType"),
    "pyright refuses a missing annotation": (
        "pyright",
        "def a(b):\n    return b\n",
        "reportMissingParameterType",
    ),
    "pyright reads Python 3.11": ("pyright", "type A = int\n", "requires Python 3.12"),
    "mypy finds a type error": ("mypy_strict", 'a: int = "1"\n', "[assignment]"),
    "mypy refuses a missing annotation": (
        "mypy_strict",
        "def a(b):\n    return b\n",
        "[no-untyped-def]",
    ),
    "mypy reads Python 3.11": ("mypy_strict", "type A = int\n", "Python 3.12"),
    "markdownlint wants every heading level": ("markdownlint", "# A\n\n### B\n", "MD001"),
    "markdownlint wants lines around a heading": ("markdownlint", "# A\nb\n", "MD022"),
    "markdownlint wants short lines": ("markdownlint", f"# A\n\n{'word ' * 30}word\n", "MD013"),
}


@pytest.mark.parametrize("tool", _SOUND)
def test_a_tool_accepts_sound_files_of_the_same_name_at_once(
    tool: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    suffix, text, neighbour = _SOUND[tool]
    files = [
        tmp_path / folder / f"{name}.{suffix}"
        for folder in ("a-1", "b-2")
        for name in ("errors", "neighbour")
    ]
    for file in files:
        file.parent.mkdir(exist_ok=True)
        file.write_text(text if file.stem == "errors" else neighbour, "utf-8")
    check: Checker = request.getfixturevalue(tool)
    result = check(*files)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(("tool", "text", "finding"), _UNSOUND.values(), ids=_UNSOUND)
def test_a_tool_refuses_a_file_with_one_fault_beside_a_sound_one(
    tool: str, text: str, finding: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    suffix, sound_text, _ = _SOUND[tool]
    sound, faulty = tmp_path / f"sound.{suffix}", tmp_path / "other" / f"faulty.{suffix}"
    faulty.parent.mkdir()
    sound.write_text(sound_text, "utf-8")
    faulty.write_text(text, "utf-8")
    (faulty.parent / "types.ts").write_text("export type Code = 1;\n", "utf-8")
    check: Checker = request.getfixturevalue(tool)
    result = check(sound, faulty)
    shown = result.stdout + result.stderr
    assert result.returncode == 1
    assert finding in shown
    assert "faulty" in shown


@pytest.mark.parametrize("tool", _SOUND)
def test_a_tool_does_not_pass_when_there_is_nothing_to_check(
    tool: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    check: Checker = request.getfixturevalue(tool)
    with pytest.raises(pytest.fail.Exception, match="no files"):
        check()
    with pytest.raises(FileNotFoundError):
        check(tmp_path / "missing")


def test_node_runs_typescript_without_a_flag(node: Node, tmp_path: Path) -> None:
    (tmp_path / "errors.ts").write_text(_TYPESCRIPT, "utf-8")
    (tmp_path / "main.ts").write_text(f"{_NEIGHBOUR_TYPESCRIPT}console.log(some);\n", "utf-8")
    result = node("main.ts", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (0, "ok\n"), result.stderr


def test_node_does_not_run_what_cannot_be_stripped(node: Node, tmp_path: Path) -> None:
    (tmp_path / "main.ts").write_text("export enum A { b }\n", "utf-8")
    result = node("main.ts", cwd=tmp_path)
    assert result.returncode == 1
    assert "enum is not supported" in result.stderr
