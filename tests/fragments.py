"""What tests of rules need: short words for parts of a catalog flow in, its findings flow out, each where it stands."""

import re
from typing import Any, Final

import pytest

from errgen.diagnostics import CatalogError, Diagnostic
from errgen.source import parse
from errgen.validate import check

BASE: Final = """\
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


TWO_LAYERS: Final = """\
layers:
  first: { enum: FirstCode, code: integer }
  second: { enum: SecondCode, code: integer }
"""


def sections(text: str) -> dict[str, str]:
    """Split a catalog's text at its top-level keys."""
    parts = re.split(r"(?m)^(?=[a-z_]+:)", text)
    return {part.split(":", 1)[0]: part for part in parts if part}


def catalog(fragment: str) -> str:
    """Return the base catalog with the fragment's sections in place of its own."""
    return "".join((sections(BASE) | sections(fragment)).values())


def findings(fragment: str) -> tuple[Diagnostic, ...]:
    """Check the base catalog with the fragment's sections in place of its own."""
    try:
        return check(parse(catalog(fragment).encode(), "catalog.yaml"))
    except CatalogError as error:
        return error.diagnostics


def seen(fragment: str) -> list[str]:
    """Return each finding as its name and the word at which it stands."""
    lines = catalog(fragment).splitlines()
    return [f"{item.code.name} {word(lines, item)}" for item in findings(fragment)]


def word(lines: list[str], item: Diagnostic) -> str:
    """Return the word that begins where a finding stands."""
    rest = lines[item.location.line - 1][item.location.column - 1 :]
    found = re.match(r'"[^"]*"|[^\s,:{}\[\]"]+|.', rest)
    assert found is not None
    return found[0]


def errors(**entries: str) -> str:
    """Write errors by name, each with a category and a message unless it has its own."""
    lines = [f"  {name}: {{ {_full(entry)} }}" for name, entry in entries.items()]
    return "\n".join(["errors:", *lines, ""])


def _full(entry: str) -> str:
    category = "" if "category:" in entry else "category: validation, "
    return category + ("" if "message:" in entry.split() else "message: m, ") + entry


def ranges(*items: str) -> str:
    """Write ranges, of the category validation unless they have their own."""
    given = [item if "category:" in item else f"{item}, category: validation" for item in items]
    return "\n".join(["ranges:", *(f"  - {{ {item} }}" for item in given), ""])


def reserved(*items: str) -> str:
    """Write reservations."""
    return "\n".join(["reserved:", *(f"  - {{ {item}, reason: Old }}" for item in items), ""])


def response(fields: str, rest: str = "") -> str:
    """Write a response with fields."""
    return f"response:\n  type: ErrorResponse\n  fields: {{ {fields} }}\n{rest}"


def protocol(profile: str = "") -> str:
    """Write a layer of JSON-RPC errors, with a profile or without, whose codes may lie anywhere."""
    given = f", profile: {profile}" if profile else ""
    return (
        f"layers:\n  error: {{ enum: ErrorCode, code: integer, wire: jsonrpc-error{given} }}\n"
        + ranges("first: -40000, last: 40000")
    )


def case(sentence: str, fragment: str, *expected: str) -> Any:
    """Return a parameter set: what is true, a part of a catalog, and the findings as `seen` gives them."""
    return pytest.param(fragment, list(expected), id=sentence)


def deprecated(code: int, successor: str) -> str:
    """Write what a deprecated error has, with its successor."""
    return f"code: {code}, deprecated: {{ since: 1.0.0, reason: x, replaced_by: {successor} }}"


def concealed(code: int, other: str) -> str:
    """Write what an internal error has, with what is told instead."""
    return f"code: {code}, visibility: internal, conceal_as: {other}"
