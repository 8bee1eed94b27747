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


FULL: Final = """\
errgen: 1
name: full
version: 1.0.0
title: Full
description: Everything
docs_url: https://example.com/errors
limits: { message: 500, hint: 200 }
x-owner: { team: [a, b] }
layers:
  protocol:
    { enum: ProtocolErrorCode, code: integer, wire: jsonrpc-error, profile: mcp-2025-11-25, title: P, description: d }
  tool: { enum: ToolErrorCode, code: integer, wire: mcp-tool-result, text: "{name}: {message}" }
  text: { enum: TextCode, code: string, wire: body }
categories:
  proto: { title: P, layer: protocol, retry: never }
  validation: { title: Validation, description: d, layer: tool, retry: never }
  system: { title: System, layer: tool, retry: backoff }
  texts: { layer: text, retry: never }
ranges:
  - { first: -32768, last: -32000, category: proto }
  - { first: 2000, last: 2999, category: validation, description: x }
  - { first: 4000, last: 4999, category: system }
  - { prefix: "T", category: texts }
retry_policies:
  backoff:
    retryable: true
    strategy: exponential
    initial_delay: 100ms
    multiplier: 2
    max_delay: 30s
    max_attempts: 5
    jitter: full
    safe_to_retry: idempotent
    description: x
  paced: { retryable: true, strategy: fixed, retry_after: 30, max_attempts: 3, safe_to_retry: always }
  by_data: { retryable: varies }
operations:
  read: { effect: read, max_attempts: 2, idempotent: true, description: x }
  unknown: { effect: write, max_attempts: 1, default: true }
response:
  type: ErrorResponse
  description: x
  wrap: error
  fields:
    code: { from: code }
    message: { from: message, description: m }
    retryable: { from: retryable }
    version: { value: 1 }
    status: { from: http_status, optional: true, nullable: true }
    details:
      optional: true
      fields:
        field: { type: string, optional: true }
        deep: { fields: { context: { type: any } } }
  success:
    fields: { success: { value: true }, data: { type: object } }
translations:
  http:
    kind: http-status
    map: { 404: NOT_FOUND, 5xx: TIMEOUT }
    default: TIMEOUT
    fill: { field: status }
    description: x
  exc: { kind: exception, map: { a.TimeoutError: TIMEOUT }, default: TIMEOUT }
reserved:
  - { code: 2004, name: BAD_ENCODING, since: 0.9.0, replaced_by: NOT_FOUND, reason: Merged }
  - { first: 2900, last: 2999, reason: Vendor }
  - { prefix: TX, reason: Old }
errors:
  PARSE_ERROR: { code: -32700, category: proto, message: Parse error }
  NOT_FOUND:
    code: 2002
    category: validation
    aliases: [MISSING]
    message: "Field {field} is missing"
    log_message: "Field {field} {sql}"
    params: { field: { type: string, description: d } }
    private_params: { sql: { type: string } }
    description: d
    retry: never
    safe_to_retry: never
    outcome: not-applied
    recovery: { action: fix-input, hint: Send it }
    http_status: 404
    grpc_status: NOT_FOUND
    jsonrpc_code: -32602
    severity: error
    visibility: public
    since: 1.0.0
    deprecated: { since: 1.2.0, reason: Old, replaced_by: GONE }
    examples: [ { params: { field: a.b }, description: x } ]
    see_also: [GONE, https://example.com]
    tags: [quota, other]
  GONE: { code: 2003, category: validation, message: Gone }
  SECRET: { code: 2005, category: validation, message: Secret, visibility: internal, conceal_as: GONE }
  TIMEOUT: { code: 5001, category: system, message: Timeout, range_waiver: Published }
  BACKEND: { code: 4001, category: system, message: Backend, retry: by_data }
  TEXTUAL: { code: T1, category: texts, message: Text }
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
