"""The benchmarks: every row of the table has a number, and a measurement that fails says so and stops no other."""

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support import ROOT

_RUN = ROOT / "tests" / "benchmarks" / "run.py"
_SMALL = ("--size", "40", "--runs", "1")


def _run(*arguments: str) -> str:
    command = [sys.executable, str(_RUN), *_SMALL, *arguments]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout


def _rows(*arguments: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(_run("--json", *arguments))
    return rows


def test_every_row_has_a_number_but_for_those_that_need_peers() -> None:
    rows = _rows()
    without = {row["budget"] for row in rows if row["verdict"] == "needs --peers"}
    assert without == {"1 x buf generate", "0.6 x buf generate"}
    measured = [row for row in rows if row["budget"] not in without]
    assert len(measured) >= 20
    for row in measured:
        assert row["measured"] is not None, row
        assert row["measured"] > 0
        assert min(row["sides"]) > 0
        assert (row["verdict"] == "met") == (row["measured"] <= row["limit"])


def test_only_rows_that_hold_the_word_are_printed_as_one_table() -> None:
    head, rule, *rows = _run("--only", "help").splitlines()
    assert head.split("|")[1].strip() == "work"
    assert set(rule) == {"|", "-", " "}
    (row,) = rows
    assert "errgen --help" in row
    assert len({len(line) for line in (head, rule, row)}) == 1


def test_a_measurement_that_takes_too_long_says_so() -> None:
    rows = _rows("--only", "help", "--timeout", "0.001")
    assert [row["verdict"] for row in rows] == ["timed out after 0.001 s"]


def test_a_command_that_fails_says_why_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(_RUN.parent)
    measuring: Any = importlib.import_module("measuring")

    def command(code: str, **settings: Any) -> Any:
        return measuring.Command((sys.executable, "-c", code), tmp_path, **settings)

    fails = command("import sys; sys.exit('no such\\nthing')")
    raises = command("raise ValueError('odd')")
    missing = measuring.Command(("no-such-program",), tmp_path)
    told = command("print(1.5)", times=True)
    finds = command("import sys; sys.exit(1)", exits=1)
    measured = measuring.in_turn((fails, raises, missing, told, finds), 2, 60)
    assert measured[fails] == "failed with 1: no such"
    assert measured[raises] == "failed with 1: ValueError: odd"
    assert "no-such-program" in measured[missing]
    assert measured[told].seconds == 1.5
    assert measured[finds].megabytes > 1
