"""The rules: examples from errgen's own catalog of findings, and the edges of each rule, flow in as catalogs."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from errgen.codes import DiagnosticCode
from errgen.diagnostics import CatalogError, Diagnostic
from errgen.rules import RULES
from errgen.source import parse
from errgen.validate import check

_ROOT = Path(__file__).parents[1]
_FINDINGS: dict[str, Any] = yaml.safe_load(
    (_ROOT / "catalog" / "diagnostics.yaml").read_text("utf-8")
)["errors"]
_WITH_EXAMPLES = [name for name, entry in _FINDINGS.items() if "x-bad" in entry]

_BASE = """\
errgen: 1
name: base
version: 1.0.0
categories:
  validation: { title: Validation, retry: never }
  system: { title: System, retry: backoff }
ranges:
  - { first: 2000, last: 2999, category: validation }
  - { first: 4000, last: 4999, category: system }
retry_policies:
  backoff: { retryable: true, strategy: exponential, initial_delay: 100ms, max_attempts: 5 }
errors:
  INVALID: { code: 2001, category: validation, message: Invalid input }
"""


def sections(text: str) -> dict[str, str]:
    """Split a catalog's text at its top-level keys."""
    parts = re.split(r"(?m)^(?=[a-z_]+:)", text)
    return {part.split(":", 1)[0]: part for part in parts if part}


def findings(fragment: str) -> tuple[Diagnostic, ...]:
    """Check the base catalog with the fragment's sections in place of its own."""
    text = "".join((sections(_BASE) | sections(fragment)).values())
    try:
        return check(parse(text.encode(), "catalog.yaml"))
    except CatalogError as error:
        return error.diagnostics


def test_the_base_catalog_is_clean() -> None:
    assert findings("") == ()


@pytest.mark.parametrize("name", _WITH_EXAMPLES)
def test_the_bad_example_of_a_rule_yields_its_finding_alone(name: str) -> None:
    found = findings(_FINDINGS[name]["x-bad"])
    assert {item.code.name for item in found} == {name}
    assert all(item.help for item in found)
    assert all(item.location.line > 1 for item in found)


@pytest.mark.parametrize("name", _WITH_EXAMPLES)
def test_the_good_example_of_a_rule_is_clean(name: str) -> None:
    assert findings(_FINDINGS[name]["x-good"]) == ()


def test_every_rule_about_a_catalog_has_examples() -> None:
    of_catalogs = {code.name for code in DiagnosticCode if "EG100" < code < "EG700"}
    assert of_catalogs == {name for name in _WITH_EXAMPLES if _FINDINGS[name]["code"] > "EG100"}


def test_every_finding_beyond_the_schema_has_one_rule() -> None:
    beyond = {code for code in DiagnosticCode if "EG200" < code < "EG700"}
    assert beyond <= RULES.keys()
