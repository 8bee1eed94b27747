"""Catalogs with a mistake flow in, the reports that their authors read flow out: one finding, where the mistake is."""

from pathlib import Path
from typing import Final

import pytest
import yaml
from support import CASES, ROOT

from errgen.codes import DiagnosticCode
from errgen.diagnostics import CatalogError, Diagnostic
from errgen.report import text
from errgen.source import load
from errgen.validate import check

_INVALID: Final = ROOT / "tests" / "cases" / "invalid"
_S0: Final = "EG203-s0-without-waivers"
_FILES: Final = sorted(_INVALID.glob("*.yaml"))
_IDS: Final = [path.stem for path in _FILES]
_EXAMPLES: Final = yaml.safe_load((ROOT / "catalog" / "diagnostics.yaml").read_text("utf-8"))


def findings(path: Path) -> tuple[Diagnostic, ...]:
    """Return what is found in a catalog, under the name of its file."""
    try:
        return check(load(path, path.name))
    except CatalogError as error:
        return error.diagnostics


@pytest.mark.parametrize("path", _FILES, ids=_IDS)
def test_the_report_is_as_expected(path: Path, update_golden: bool) -> None:
    expected, report = path.with_suffix(".txt"), text(findings(path))
    if update_golden:
        expected.write_text(report, "utf-8")
    assert report == expected.read_text("utf-8")


@pytest.mark.parametrize("path", _FILES, ids=_IDS)
def test_one_mistake_gives_one_finding(path: Path) -> None:
    found = findings(path)
    assert {item.code for item in found} == {path.stem.split("-")[0]}
    assert len(found) == (3 if path.stem == _S0 else 1)


def test_the_table_of_s0_breaks_its_own_ranges_in_three_codes() -> None:
    codes = [item.message.split()[1] for item in findings(_INVALID / f"{_S0}.yaml")]
    assert codes == ["3001", "3002", "4001"]


def test_s0_without_waivers_is_the_valid_catalog_without_three_lines() -> None:
    lines = (CASES / "s0-mcp-server" / "catalog.yaml").read_text("utf-8").splitlines()
    kept = [line for line in lines if not line.lstrip().startswith("range_waiver:")]
    assert len(lines) - len(kept) == 3
    assert (_INVALID / f"{_S0}.yaml").read_text("utf-8").splitlines() == kept


def test_every_report_belongs_to_a_case() -> None:
    assert {path.stem for path in _INVALID.glob("*.txt")} == set(_IDS)


def test_every_finding_about_a_catalog_has_a_case_or_an_example() -> None:
    shown = {stem.split("-")[0] for stem in _IDS}
    shown |= {entry["code"] for entry in _EXAMPLES["errors"].values() if "x-bad" in entry}
    assert {code for code in DiagnosticCode if code < "EG700"} <= shown
