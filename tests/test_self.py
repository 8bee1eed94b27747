"""The repository as a user of errgen: what it committed is what its own catalogs make."""

import pytest
from click.testing import CliRunner
from support import CATALOGS, ROOT, catalog_of

from errgen.cli import main
from errgen.codes import DiagnosticCode, spec
from errgen.message import placeholders


def test_errgen_check_passes_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(main, ["check"])
    assert (result.exit_code, result.stderr) == (0, "")


def test_the_findings_in_the_package_are_those_of_the_catalog() -> None:
    errors = catalog_of(CATALOGS["diagnostics"]).errors
    assert {error.name: error.code for error in errors} == {
        code.name: code.value for code in DiagnosticCode
    }


@pytest.mark.parametrize("code", DiagnosticCode)
def test_a_finding_says_what_is_wrong_and_what_to_do(code: DiagnosticCode) -> None:
    rule = spec(code)
    assert rule.description
    assert rule.recovery_hint
    assert not rule.message[0].isupper()
    assert not rule.message.endswith(".")
    assert {param.name for param in rule.params} == set(placeholders(rule.message))
