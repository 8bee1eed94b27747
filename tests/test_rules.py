"""The rules: examples from errgen's own catalog of findings, and the edges of each rule, flow in as catalogs."""

import re
from pathlib import Path
from typing import Any, Final

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


def catalog(fragment: str) -> str:
    """Return the base catalog with the fragment's sections in place of its own."""
    return "".join((sections(_BASE) | sections(fragment)).values())


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


_MAX: Final = 2**53 - 1
_STRINGS: Final = "layers:\n  error: { enum: ErrorCode, code: string }\nranges: []\n"
_TWO_LAYERS: Final = """\
layers:
  first: { enum: FirstCode, code: integer }
  second: { enum: SecondCode, code: integer }
"""
_POLICIES: Final = """\
retry_policies:
  backoff: { retryable: true, strategy: exponential, initial_delay: 100ms, max_attempts: 5 }
  by_data: { retryable: varies }
  blind: { retryable: true, strategy: fixed, initial_delay: 1s, max_attempts: 2, safe_to_retry: always }
"""
_BOTH: Final = "code: { from: code }, retryable: { from: retryable }"

_RANGES: Final = [
    case("the first code of a range lies inside", errors(A="code: 2000")),
    case("the last code of a range lies inside", errors(A="code: 2999")),
    case("the code before a range lies outside", errors(A="code: 1999"), "OUTSIDE_RANGE 1999"),
    case("the code after a range lies outside", errors(A="code: 3000"), "OUTSIDE_RANGE 3000"),
    case("another category's range does not count", errors(A="code: 4001"), "OUTSIDE_RANGE 4001"),
    case("a waiver excuses a code outside", errors(A="code: 3000, range_waiver: Published")),
    case(
        "a waiver for a code inside is needless",
        errors(A="code: 2000, range_waiver: Published"),
        "NEEDLESS_WAIVER range_waiver",
    ),
    case(
        "a category may have several ranges",
        ranges("first: 2000, last: 2009", "first: 3000, last: 3009") + errors(A="code: 3009"),
    ),
    case(
        "between two ranges of its category a code lies outside",
        ranges("first: 2000, last: 2009", "first: 3000, last: 3009") + errors(A="code: 2010"),
        "OUTSIDE_RANGE 2010",
    ),
    case("a range may hold one code", ranges("first: 7, last: 7") + errors(A="code: 7")),
    case(
        "ranges that touch do not overlap",
        ranges("first: 2000, last: 2999", "first: 3000, last: 4999, category: system"),
    ),
    case(
        "ranges that share one code overlap",
        ranges("first: 2000, last: 3000", "first: 3000, last: 4999, category: system"),
        "RANGE_OVERLAP {",
    ),
    case(
        "a range inside another overlaps it, whatever lies between them",
        ranges(
            "first: 2000, last: 4999",
            "first: 2100, last: 2200",
            "first: 2300, last: 2400, category: system",
        ),
        "RANGE_OVERLAP {",
    ),
    case(
        "ranges of one category may overlap",
        ranges("first: 2000, last: 2999", "first: 2500, last: 3999"),
    ),
    case(
        "a reversed range says nothing of codes and other ranges",
        ranges("first: 2999, last: 100", "first: 200, last: 300, category: system"),
        "RANGE_REVERSED 100",
    ),
    case(
        "a range without its end says nothing of codes",
        ranges("first: 3000"),
        "WRONG_COMBINATION {",
    ),
    case(
        "a range without its beginning says nothing of codes",
        ranges("last: 1000"),
        "WRONG_COMBINATION {",
    ),
    case(
        "a range of an unknown category may hold any code",
        ranges("first: 2000, last: 2999, category: validaton"),
        "UNKNOWN_REFERENCE validaton",
    ),
    case(
        "a range of an unknown category holds no code that lies elsewhere",
        ranges("first: 100, last: 200, category: nobody", "first: 2000, last: 2999")
        + errors(A="code: 3000"),
        "UNKNOWN_REFERENCE nobody",
        "OUTSIDE_RANGE 3000",
    ),
    case(
        "a prefix for integer codes says nothing of them",
        ranges('prefix: "2"'),
        "RANGE_TYPE {",
    ),
    case(
        "a range that the schema refuses says nothing of codes",
        ranges("first: many, last: 3000"),
        "WRONG_TYPE many",
    ),
    case("integer codes need a range", "ranges: []\n", "NO_RANGE validation"),
    case(
        "a waiver stands in for the range that a category lacks",
        "ranges: []\n" + errors(A="code: 1, range_waiver: Published"),
    ),
    case(
        "of many ranges three are named",
        ranges(*(f"first: {n}, last: {n}" for n in range(10, 15))) + errors(A="code: 20"),
        "OUTSIDE_RANGE 20",
    ),
    case("string codes need no prefix", _STRINGS + errors(A="code: anything")),
    case(
        "a string code begins with its category's prefix",
        _STRINGS.replace("ranges: []\n", "") + ranges("prefix: AU") + errors(A="code: AUTH"),
    ),
    case(
        "a string code without its category's prefix lies outside",
        _STRINGS.replace("ranges: []\n", "") + ranges("prefix: AU") + errors(A="code: XAU"),
        "OUTSIDE_RANGE XAU",
    ),
    case(
        "a string code with another category's prefix lies outside",
        _STRINGS.replace("ranges: []\n", "")
        + ranges("prefix: AU, category: system")
        + errors(A="code: AUTH"),
        "OUTSIDE_RANGE AUTH",
    ),
    case(
        "a name that is the code begins with its category's prefix too",
        _STRINGS.replace("ranges: []\n", "") + ranges("prefix: AU") + errors(AUTH="", BAD=""),
        "OUTSIDE_RANGE BAD",
    ),
    case(
        "a prefix inside another category's overlaps",
        _STRINGS.replace("ranges: []\n", "")
        + ranges("prefix: AU", "prefix: AUX, category: system")
        + errors(AUTH=""),
        "RANGE_OVERLAP {",
    ),
    case(
        "prefixes that part ways do not overlap",
        _STRINGS.replace("ranges: []\n", "")
        + ranges("prefix: AUT", "prefix: AUX, category: system")
        + errors(AUTH=""),
    ),
]

_CODES: Final = [
    case(
        "an integer and a string are different codes",
        "layers:\n  n: { enum: NumberCode, code: integer }\n  t: { enum: TextCode, code: string }\n"
        "categories:\n  validation: { layer: n, retry: never }\n  texts: { layer: t, retry: never }\n"
        + ranges("first: 2000, last: 2999")
        + errors(A="code: 2001", B='category: texts, code: "2001"'),
    ),
    case(
        "each later error with a code is told of the first",
        errors(A="code: 2001", B="code: 2001", C="code: 2001"),
        "DUPLICATE_CODE 2001",
        "DUPLICATE_CODE 2001",
    ),
    case(
        "a name may not be the code of another error",
        _STRINGS + errors(A="code: B", B=""),
        "DUPLICATE_CODE B",
    ),
    case(
        "a code that is taken and lies outside is one mistake",
        errors(A="category: system, code: 4001", B="code: 4001"),
        "DUPLICATE_CODE 4001",
    ),
    case("an integer layer needs a code", errors(A="code: 2001", B=""), "CODE_TYPE B"),
    case("a string layer takes the name", _STRINGS + errors(A="")),
    case("a string layer has no numbers", _STRINGS + errors(A="code: 5"), "CODE_TYPE 5"),
    case(
        "a quoted number is no number and no other mistake",
        errors(A="code: 2001", B='code: "3001", range_waiver: x'),
        'CODE_TYPE "3001"',
    ),
    case(
        "the largest integer of JSON is a code",
        ranges(f"first: 5, last: {_MAX}") + errors(A=f"code: {_MAX}"),
    ),
    case(
        "the next integer is too large, and that is all",
        ranges("first: 5, last: 9") + errors(A=f"code: {_MAX + 1}"),
        f"INTEGER_TOO_LARGE {_MAX + 1}",
    ),
    case(
        "negative integers have the same bound",
        errors(A=f"code: -{_MAX + 1}, range_waiver: x"),
        f"INTEGER_TOO_LARGE -{_MAX + 1}",
    ),
    case(
        "a range ends at the largest integer at most",
        ranges(f"first: 2000, last: {_MAX + 1}"),
        f"INTEGER_TOO_LARGE {_MAX + 1}",
    ),
    case(
        "a constant of the body survives JSON",
        response(f"code: {{ from: code }}, version: {{ value: {_MAX + 1} }}"),
        f"INTEGER_TOO_LARGE {_MAX + 1}",
    ),
    case(
        "the code before a reserved range is free",
        reserved("first: 2010, last: 2019") + errors(A="code: 2009", B="code: 2020"),
    ),
    case(
        "the ends of a reserved range are reserved",
        reserved("first: 2010, last: 2019") + errors(A="code: 2010", B="code: 2019"),
        "RESERVED_CODE 2010",
        "RESERVED_CODE 2019",
    ),
    case(
        "a reserved range inside another does not end it",
        reserved("first: 2010, last: 2090", "first: 2020, last: 2030") + errors(A="code: 2050"),
        "RESERVED_CODE 2050",
    ),
    case(
        "reserved ranges may touch",
        reserved("first: 2010, last: 2019", "first: 2020, last: 2029") + errors(A="code: 2020"),
        "RESERVED_CODE 2020",
    ),
    case(
        "a single number is reserved",
        reserved("code: 2001") + errors(A="code: 2001", B="code: 2002"),
        "RESERVED_CODE 2001",
    ),
    case("a reserved text is not the number", reserved('code: "2001"') + errors(A="code: 2001")),
    case(
        "codes with a reserved prefix are reserved",
        _STRINGS + reserved("prefix: X-") + errors(A="code: X-1", B="code: X"),
        "RESERVED_CODE X-1",
    ),
    case(
        "a reserved name is no alias either",
        reserved("name: OLD") + errors(A="code: 2001, aliases: [NEW, OLD]"),
        "RESERVED_NAME OLD",
    ),
    case(
        "a waiver does not free a reserved number",
        reserved("code: 3001") + errors(A="code: 3001, range_waiver: Published"),
        "RESERVED_CODE 3001",
    ),
    case(
        "a reservation of nothing is none",
        reserved("since: 1.0.0"),
        "WRONG_COMBINATION {",
    ),
]

_BANDS: Final = [
    case(
        f"a JSON-RPC layer may {'use' if code in (-32768, -32000) else 'not use'} {code}",
        protocol() + errors(A=f"code: {code}"),
        *(() if code in (-32768, -32000) else (f"PROTOCOL_CODE {code}",)),
    )
    for code in (-32769, -32768, -32000, -31999)
]
_BANDS += [
    case(
        f"another layer may {'not use' if code in (-32768, -32000) else 'use'} {code}",
        errors(A=f"code: {code}, range_waiver: x"),
        *((f"JSONRPC_BAND {code}",) if code in (-32768, -32000) else ()),
    )
    for code in (-32769, -32768, -32000, -31999)
]
_BANDS += [
    case(
        "a range that ends before the band is free",
        ranges("first: -40000, last: -32769") + errors(A="code: -32769"),
    ),
    case(
        "a range that begins after the band is free",
        ranges("first: -31999, last: 0") + errors(A="code: -31999"),
    ),
    case(
        "a range that reaches into the band stands for its codes",
        ranges("first: -32000, last: 0") + errors(A="code: -32000", B="code: -5"),
        "JSONRPC_BAND {",
    ),
    case(
        "a waiver keeps a published code outside the band",
        protocol() + errors(A="code: -32800, range_waiver: Sent since 0.1"),
    ),
    case(
        "a waiver inside the band is needless without a profile",
        protocol() + errors(A="code: -32001, range_waiver: Sent since 0.1"),
        "NEEDLESS_WAIVER range_waiver",
    ),
    case(
        "a JSON-RPC layer has integer codes",
        "layers:\n  error: { enum: ErrorCode, code: string, wire: jsonrpc-error }\nranges: []\n"
        + errors(A=""),
        "WRONG_COMBINATION error",
    ),
]

_2025: Final = protocol("mcp-2025-11-25")
_2026: Final = protocol("mcp-2026-07-28")
_PROFILES: Final = [
    case(
        f"{profile} knows the five codes of JSON-RPC by name",
        protocol(profile)
        + errors(
            PARSE_ERROR="code: -32700",
            INVALID_REQUEST="code: -32600",
            METHOD_NOT_FOUND="code: -32601",
            INVALID_PARAMS="code: -32602",
            FAILED="code: -32603, aliases: [INTERNAL_ERROR]",
        ),
    )
    for profile in ("jsonrpc-2.0", "mcp-2025-11-25", "mcp-2026-07-28")
]
_PROFILES += [
    case(
        f"{profile} keeps {code} for future use",
        protocol(profile) + errors(A=f"code: {code}"),
        f"PROFILE_RESERVED {code}",
    )
    for profile in ("jsonrpc-2.0", "mcp-2025-11-25", "mcp-2026-07-28")
    for code in (-32768, -32604, -32599, -32100)
]
_PROFILES += [
    case(
        f"{profile} leaves {code} to implementations", protocol(profile) + errors(A=f"code: {code}")
    )
    for profile in ("jsonrpc-2.0", "mcp-2025-11-25")
    for code in (-32099, -32020, -32000)
]
_PROFILES += [
    case(
        f"mcp-2026-07-28 allocates {code} to nobody else",
        _2026 + errors(A=f"code: {code}"),
        f"PROFILE_RESERVED {code}",
    )
    for code in (-32099, -32023, -32019, -32000)
]
_PROFILES += [
    case(
        "mcp-2026-07-28 knows three codes of its own by name",
        _2026
        + errors(
            HEADER_MISMATCH="code: -32020",
            MISSING_REQUIRED_CLIENT_CAPABILITY="code: -32021",
            UNSUPPORTED_PROTOCOL_VERSION="code: -32022",
        ),
    ),
    case(
        "mcp-2026-07-28 sends application codes outside the band",
        _2026 + errors(A="code: -31999", B="code: -32769", C="code: 4711"),
    ),
    case(
        "there, a waiver outside the band is needless",
        _2026 + errors(A="code: 4711, range_waiver: x"),
        "NEEDLESS_WAIVER range_waiver",
    ),
    case(
        "a waiver keeps a published legacy code",
        _2026 + errors(A="code: -32000, range_waiver: Sent since 0.1"),
    ),
    case(
        "a waiver keeps a published code of the specification's part",
        _2026 + errors(A="code: -32099, range_waiver: Sent since 0.1"),
    ),
    case(
        "a waiver keeps another meaning of what implementations may define",
        _2026 + errors(A="code: -32021, range_waiver: Sent since 0.1"),
    ),
    case(
        "no waiver keeps another meaning of JSON-RPC's own codes",
        _2026 + errors(A="code: -32601, range_waiver: Sent since 0.1"),
        "STANDARD_CODE -32601",
        "NEEDLESS_WAIVER range_waiver",
    ),
    case(
        "a waiver for a code under its standard name is needless",
        _2026 + errors(HEADER_MISMATCH="code: -32020, range_waiver: x"),
        "NEEDLESS_WAIVER range_waiver",
    ),
    case(
        "no waiver keeps a retired code",
        _2026 + errors(A="code: -32002, range_waiver: x", B="code: -32042"),
        "RETIRED_CODE -32002",
        "RETIRED_CODE -32042",
    ),
    case(
        "mcp-2025-11-25 has the codes that were retired later",
        _2025 + errors(RESOURCE_NOT_FOUND="code: -32002", URL_ELICITATION_REQUIRED="code: -32042"),
    ),
    case(
        "mcp-2025-11-25 gives them a meaning",
        _2025 + errors(A="code: -32002", B="code: -32042, range_waiver: Sent since 0.1"),
        "STANDARD_CODE -32002",
    ),
    case(
        "a retired code does not travel in place of another either",
        _2026 + errors(A="code: 5, jsonrpc_code: -32002"),
        "RETIRED_CODE -32002",
    ),
    case(
        "without a profile of that version it does",
        _2025 + errors(A="code: -32050, jsonrpc_code: -32002"),
    ),
    case(
        "a profile on the wrong wire is one mistake",
        protocol("jsonrpc-2.0").replace("jsonrpc-error", "body") + errors(A="code: -32601"),
        "PROFILE_WIRE jsonrpc-2.0",
    ),
]

_REFERENCES: Final = [
    case(
        "an unknown category is one mistake",
        errors(A="code: 9, category: validaton, recovery: { action: retry }"),
        "UNKNOWN_REFERENCE validaton",
    ),
    case(
        "an unknown retry policy is one mistake",
        errors(A="code: 2001, retry: backof, recovery: { action: retry }, safe_to_retry: always"),
        "UNKNOWN_REFERENCE backof",
    ),
    case("never is a policy without being written", errors(A="code: 2001, retry: never")),
    case(
        "an alias is a name",
        errors(A="code: 2001, aliases: [OLD]", B="code: 2002, see_also: [OLD]"),
    ),
    case(
        "the alias of an error that the schema refuses is a name",
        errors(A="code: 2001, aliases: [OLD], severity: x", B="code: 2002, see_also: [OLD, A]"),
        "WRONG_VALUE x",
    ),
    case(
        "a category that the schema refuses is a name",
        "categories:\n  validation: { titel: V, retry: never }\n  system: { retry: never }\n",
        "UNKNOWN_KEY titel",
    ),
    case(
        "where a section cannot be read, nothing is missing from it",
        "categories: none\n",
        "WRONG_TYPE none",
    ),
    case(
        "see_also takes an address",
        errors(A="code: 2001, see_also: ['https://example.com/a?b#c']"),
    ),
    case(
        "see_also takes no half of an address",
        errors(A="code: 2001, see_also: [www.example.com]"),
        "UNKNOWN_REFERENCE www.example.com",
    ),
    case(
        "every reference of a translation is looked up",
        "translations:\n  t: { kind: http-status, map: { 404: X }, default: Y }\n",
        "UNKNOWN_REFERENCE X",
        "UNKNOWN_REFERENCE Y",
    ),
    case(
        "a tombstone names its successor",
        reserved("code: 9, replaced_by: INVALD"),
        "UNKNOWN_REFERENCE INVALD",
    ),
    case(
        "one layer needs no name",
        "layers:\n  only: { enum: OnlyCode, code: integer }\n",
    ),
    case(
        "of several layers each category names its own",
        _TWO_LAYERS,
        "MISSING_KEY validation",
        "MISSING_KEY system",
    ),
    case(
        "a layer that the schema refuses counts as one of several",
        _TWO_LAYERS.replace("SecondCode", "second_code"),
        "MISSING_KEY validation",
        "MISSING_KEY system",
        "WRONG_FORM second_code",
    ),
    case(
        "an unknown layer is one mistake",
        "categories:\n  validation: { layer: tool, retry: never }\n  system: { retry: never }\n",
        "UNKNOWN_REFERENCE tool",
    ),
]


def deprecated(code: int, successor: str) -> str:
    """Write what a deprecated error has, with its successor."""
    return f"code: {code}, deprecated: {{ since: 1.0.0, reason: x, replaced_by: {successor} }}"


def concealed(code: int, other: str) -> str:
    """Write what an internal error has, with what is told instead."""
    return f"code: {code}, visibility: internal, conceal_as: {other}"


_CHAINS: Final = [
    case("an error cannot replace itself", errors(A=deprecated(2001, "A")), "REFERENCE_CYCLE A"),
    case(
        "an alias of itself is itself",
        errors(A=deprecated(2001, "OLD") + ", aliases: [OLD]"),
        "REFERENCE_CYCLE OLD",
    ),
    case(
        "two errors cannot replace each other",
        errors(A=deprecated(2001, "B"), B=deprecated(2002, "A")),
        "REFERENCE_CYCLE A",
    ),
    case(
        "three errors cannot replace each other",
        errors(A=deprecated(2001, "B"), B=deprecated(2002, "C"), C=deprecated(2003, "A")),
        "REFERENCE_CYCLE A",
    ),
    case(
        "what leads into a circle is not on it",
        errors(A=deprecated(2001, "B"), B=deprecated(2002, "C"), C=deprecated(2003, "B")),
        "REFERENCE_CYCLE B",
    ),
    case(
        "a chain of replacements is longer than it need be",
        errors(A=deprecated(2001, "B"), B=deprecated(2002, "C"), C="code: 2003"),
        "REPLACEMENT_DEPRECATED B",
    ),
    case(
        "an error is not concealed as itself",
        errors(A=concealed(2001, "A")),
        "REFERENCE_CYCLE A",
    ),
    case(
        "errors are not concealed as each other",
        errors(A=concealed(2001, "B"), B=concealed(2002, "A")),
        "REFERENCE_CYCLE A",
    ),
    case(
        "an error is concealed as a public one",
        errors(A=concealed(2001, "B"), B=concealed(2002, "C"), C="code: 2003"),
        "CONCEALMENT B",
    ),
    case(
        "a public error is not concealed",
        errors(A="code: 2001, conceal_as: B", B="code: 2002"),
        "CONCEALMENT B",
    ),
    case(
        "an error is concealed as one of its own layer",
        _TWO_LAYERS + "categories:\n  validation: { layer: first, retry: never }\n"
        "  system: { layer: second, retry: never }\n"
        + errors(A=concealed(2001, "B"), B="category: system, code: 4001"),
        "CONCEALMENT B",
    ),
    case(
        "an unknown cover is one mistake",
        errors(A=concealed(2001, "NOBODY")),
        "UNKNOWN_REFERENCE NOBODY",
    ),
]

_NAMES: Final = [
    case(
        "an alias is not its own error's name",
        errors(A="code: 2001, aliases: [A]"),
        "DUPLICATE_NAME A",
    ),
    case(
        "two errors do not share an alias",
        errors(A="code: 2001, aliases: [X]", B="code: 2002, aliases: [X]"),
        "DUPLICATE_NAME X",
    ),
    case(
        "an alias is not the name of a later error",
        errors(A="code: 2001, aliases: [B]", B="code: 2002"),
        "DUPLICATE_NAME B",
    ),
    case(
        "names that differ in camelCase alone collide",
        errors(A1="code: 2001", A_1="code: 2002"),
        "NAME_COLLISION A_1",
    ),
    case(
        "params that differ in camelCase alone collide",
        errors(A="code: 2001, params: { a_1: { type: string }, a1: { type: string } }"),
        "NAME_COLLISION a1",
    ),
    case(
        "public and private params collide too",
        errors(
            A="code: 2001, log_message: '{a1}', params: { a_1: { type: string } }, "
            "private_params: { a1: { type: string } }"
        ),
        "NAME_COLLISION a1",
    ),
    case(
        "two layers do not share an enum",
        _TWO_LAYERS.replace("SecondCode", "FirstCode")
        + "categories:\n  validation: { layer: first, retry: never }\n"
        "  system: { layer: second, retry: never }\n",
        "NAME_COLLISION FirstCode",
    ),
    case(
        "the response is not called like an enum",
        "layers:\n  error: { enum: ErrorResponse, code: integer }\n"
        + response("code: { from: code }"),
        "NAME_COLLISION ErrorResponse",
    ),
    case(
        "an object in the response makes a type, whose name an enum may have",
        "layers:\n  error: { enum: ErrorResponseDetails, code: integer }\n"
        + response("code: { from: code }, details: { fields: { a: { type: string } } }"),
        "NAME_COLLISION details",
    ),
    case(
        "what wraps the response makes a type",
        "layers:\n  error: { enum: ErrorResponseBody, code: integer }\n"
        + response("code: { from: code }", "  wrap: error\n"),
        "NAME_COLLISION error",
    ),
    case(
        "the body of a success makes a type",
        "layers:\n  error: { enum: ErrorResponseSuccess, code: integer }\n"
        + response("code: { from: code }", "  success: { fields: { ok: { value: true } } }\n"),
        "NAME_COLLISION success",
    ),
    case(
        "objects at different depths may make one type",
        response(
            "code: { from: code }, a_b: { fields: { c: { type: any } } }, "
            "a: { fields: { b: { fields: { c: { type: any } } } } }"
        ),
        "NAME_COLLISION b",
    ),
    case(
        "an object does not make a type that the module needs",
        response("code: { from: code }, spec: { fields: { a: { type: any } } }").replace(
            "ErrorResponse", "Category"
        ),
        "NAME_TAKEN Category",
        "NAME_TAKEN spec",
    ),
]

_TEXTS: Final = [
    case("doubled braces are text", errors(A='code: 2001, message: "{{a}} }}{{"')),
    case(
        "a param may stand in doubled braces",
        errors(A='code: 2001, message: "{{{a}}}", params: { a: { type: string } }'),
    ),
    *(
        case(
            f"{text} is no placeholder",
            errors(A=f'code: 2001, message: "x {text}", params: {{ a: {{ type: string }} }}'),
            f'BAD_PLACEHOLDER "x {text}"',
        )
        for text in (
            "{",
            "}",
            "{}",
            "{ a }",
            "{A}",
            "{a.b}",
            "{a!r}",
            "{a:d}",
            "{{a}",
            "{a}}",
            "{0}",
        )
    ),
    case(
        "a param that both texts lack is one mistake",
        errors(A='code: 2001, message: "{a}", log_message: "{a} again"'),
        'UNKNOWN_PLACEHOLDER "{a}"',
    ),
    case(
        "a misspelt placeholder does not leave its param unused",
        errors(A='code: 2001, log_message: "{sqll}", private_params: { sql: { type: string } }'),
        'UNKNOWN_PLACEHOLDER "{sqll}"',
    ),
    case(
        "a brace that cannot be read does not leave a param unused",
        errors(A='code: 2001, log_message: "{sql", private_params: { sql: { type: string } }'),
        'BAD_PLACEHOLDER "{sql"',
    ),
    case(
        "a private param in the message is not unused",
        errors(A='code: 2001, message: "{sql}", private_params: { sql: { type: string } }'),
        'PRIVATE_PARAM "{sql}"',
    ),
    case(
        "the log may use params of both kinds",
        errors(
            A='code: 2001, log_message: "{a} {b}", params: { a: { type: string } }, '
            "private_params: { b: { type: string } }"
        ),
    ),
    case("a public param may be unused", errors(A="code: 2001, params: { a: { type: string } }")),
    case(
        "a param that is public and private is one mistake",
        errors(
            A="code: 2001, params: { a: { type: string } }, private_params: { a: { type: string } }"
        ),
        "PARAM_TWICE a",
    ),
    *(
        case(
            f"an example gives {article} {kind} {value}",
            errors(
                A=f'code: 2001, message: "{{a}}", params: {{ a: {{ type: {kind} }} }}, '
                f"examples: [{{ params: {{ a: {value} }} }}]"
            ),
            *(() if fits else (f"EXAMPLE_PARAMS {value}",)),
        )
        for article, kind, value, fits in (
            ("an", "integer", "1", True),
            ("no", "integer", "1.0", False),
            ("no", "integer", "true", False),
            ("a", "number", "1", True),
            ("a", "number", "1.5", True),
            ("no", "number", "false", False),
            ("a", "boolean", "true", True),
            ("no", "boolean", "1", False),
            ("a", "string", "one", True),
            ("no", "string", "1", False),
        )
    ),
    case(
        "an example lacks no param that the message does not use",
        errors(A="code: 2001, params: { a: { type: string } }, examples: [{ params: {} }]"),
    ),
    case(
        "an example lacks a param of the message",
        errors(
            A='code: 2001, message: "{a}", params: { a: { type: string } }, examples: [{ params: {} }]'
        ),
        "EXAMPLE_PARAMS {",
    ),
    case(
        "an example has no private params",
        errors(
            A='code: 2001, log_message: "{sql}", private_params: { sql: { type: string } }, '
            "examples: [{ params: { sql: x } }]"
        ),
        "EXAMPLE_PARAMS x",
    ),
    case("a message of the limit's length fits", "limits: { message: 13 }\n"),
    case(
        "a message one character longer does not",
        "limits: { message: 12 }\n",
        "TEXT_TOO_LONG Invalid",
    ),
    case(
        "length counts characters, not bytes",
        "limits: { message: 3 }\n" + errors(A="code: 2001, message: ü€😀"),
    ),
    case(
        "a hint has a limit of its own",
        "limits: { hint: 3 }\n" + errors(A="code: 2001, recovery: { action: none, hint: four }"),
        "TEXT_TOO_LONG four",
    ),
    *(
        case(
            f"no message holds U+{code:04X}",
            errors(A=f'code: 2001, message: "a\\u{code:04X}b"'),
            f'UNSAFE_CHARACTER "a\\u{code:04X}b"',
        )
        for code in (0x00, 0x07, 0x09, 0x1B, 0x7F, 0x85, 0x200B, 0x2028, 0x202E, 0x2066, 0xFEFF)
    ),
    case("a joined emoji is text", errors(A="code: 2001, message: 👩\u200d🔬")),
    case(
        "a description may have lines and tabs",
        errors(A='code: 2001, description: "a\\n\\tb"'),
    ),
    case("an extension may have lines", errors(A='code: 2001, x-note: "a\\nb"')),
    case(
        "a key is text too",
        errors(A='code: 2001, x-note: { "a\\u202Eb": 1 }'),
        'UNSAFE_CHARACTER "a\\u202Eb"',
    ),
    case(
        "an unsafe name that is also unknown is one mistake",
        errors(A='code: 2001, retry: "bac\\u200Bkoff"'),
        'UNSAFE_CHARACTER "bac\\u200Bkoff"',
    ),
]

_PROMISES: Final = [
    case(
        "a policy that is always safe does not go with an unknown outcome",
        _POLICIES + errors(A="code: 2001, retry: blind, outcome: unknown"),
        "UNKNOWN_OUTCOME_ALWAYS_SAFE unknown",
    ),
    case(
        "the error's own word overrides the policy's",
        _POLICIES
        + errors(A="code: 2001, retry: blind, outcome: unknown, safe_to_retry: reconciled"),
    ),
    case(
        "what is not retryable is not made safe by its outcome",
        errors(A="code: 2001, outcome: unknown, safe_to_retry: always"),
        "SAFE_NOT_RETRYABLE always",
    ),
    case(
        "what varies may be waited for",
        _POLICIES
        + response(_BOTH)
        + errors(A="code: 2001, retry: by_data, recovery: { action: wait }"),
    ),
    case(
        "to wait is to retry",
        errors(A="code: 2001, recovery: { action: wait }"),
        "RETRY_NOT_RETRYABLE wait",
    ),
    case(
        "what varies is carried, which is one mistake for all errors of a policy",
        _POLICIES + errors(A="code: 2001, retry: by_data", B="code: 2002, retry: by_data"),
        "VARIES_NOT_CARRIED varies",
    ),
    case("a policy that nobody uses need not be carried", _POLICIES),
    case(
        "a nested field carries too",
        _POLICIES
        + response("code: { from: code }, meta: { fields: { again: { from: retryable } } }")
        + errors(A="code: 2001, retry: by_data"),
    ),
    case(
        "a response that the schema refuses may carry it",
        _POLICIES
        + response("code: { from: code }, again: { from: retryble }")
        + errors(A="code: 2001, retry: by_data"),
        "WRONG_FORM retryble",
    ),
    case(
        "a category without a policy is one mistake for all its errors",
        "categories:\n  validation: { title: V }\n  system: { retry: never }\n"
        + errors(A="code: 2001", B="code: 2002"),
        "NO_RETRY_POLICY validation",
    ),
    case(
        "where other errors decide for themselves, each has to",
        "categories:\n  validation: { title: V }\n  system: { retry: never }\n"
        + errors(A="code: 2001", B="code: 2002, retry: never"),
        "NO_RETRY_POLICY A",
    ),
    *(
        case(
            f"a policy of {body} is {'complete' if complete else 'not complete'}",
            f"retry_policies:\n  backoff: {{ {body} }}\n"
            + (response(_BOTH) if "varies" in body else ""),
            *(() if complete else ("POLICY_INCOMPLETE backoff",)),
        )
        for body, complete in (
            ("retryable: true, retry_after: 1, max_attempts: 2", True),
            ("retryable: true, strategy: fixed, retry_after: 1, max_attempts: 2", True),
            ("retryable: true, strategy: fixed, max_attempts: 2", False),
            ("retryable: true, strategy: linear, retry_after: 1s, max_attempts: 2", False),
            ("retryable: true, retry_after: 1s", False),
            ("retryable: true, max_attempts: 2", False),
            ("retryable: true, retry_after: 1s, max_attempts: 2, jitter: full", False),
            ("retryable: false, max_attempts: 1", False),
            ("retryable: false, safe_to_retry: always, retry_after: 1s", False),
            ("retryable: varies", True),
            (
                ("retryable: true, strategy: linear, initial_delay: 1s, max_delay: 1000ms, "
                "max_attempts: 2"),
                True,
            ),
            (
                ("retryable: true, strategy: linear, initial_delay: 1.001, max_delay: 1s, "
                "max_attempts: 2"),
                False,
            ),
            (
                ("retryable: true, strategy: linear, initial_delay: 1s, multiplier: 2, "
                "max_attempts: 2"),
                False,
            ),
        )
    ),
    case(
        "a policy that is safe but not retryable is one mistake",
        "retry_policies:\n  backoff: { retryable: false, safe_to_retry: always }\n",
        "SAFE_NOT_RETRYABLE always",
    ),
    case(
        "a name tells the error as a code does",
        response("name: { from: name }"),
    ),
    case(
        "a field that says nothing may be the code",
        response("code: { optional: true }"),
        "WRONG_COMBINATION code",
    ),
    case(
        "a success has nothing of an error",
        response("code: { from: code }", "  success: { fields: { code: { from: code } } }\n"),
        "WRONG_COMBINATION code",
    ),
    case(
        "each error that lacks what a field needs is told",
        response("code: { from: code }, status: { from: http_status }")
        + errors(A="code: 2001, http_status: 400", B="code: 2002"),
        "RESPONSE_UNSET B",
    ),
    case(
        "an internal error needs no field",
        response("code: { from: code }, status: { from: http_status }")
        + errors(A="code: 2001, http_status: 400", B=concealed(2002, "A")),
    ),
    *(
        case(
            f"a field from {source} is set",
            (docs or "")
            + response(f"code: {{ from: code }}, it: {{ from: {source} }}")
            + errors(A=f"code: 2001{entry}"),
        )
        for source, entry, docs in (
            ("recovery_action", ", recovery: { action: none }", ""),
            ("recovery_hint", ", recovery: { action: none, hint: h }", ""),
            ("outcome", ", outcome: unknown", ""),
            ("x-owner", ", x-owner: me", ""),
            ("severity", "", ""),
            ("docs_url", "", "docs_url: https://example.com\n"),
        )
    ),
    *(
        case(
            f"a field from {source} is not set",
            response(f"code: {{ from: code }}, it: {{ from: {source} }}") + errors(A="code: 2001"),
            "RESPONSE_UNSET A",
        )
        for source in ("recovery_action", "recovery_hint", "outcome", "x-owner", "docs_url")
    ),
    *(
        case(
            f"{key} is {'no ' if not fits else ''}key of kind {kind}",
            f'translations:\n  t: {{ kind: {kind}, map: {{ "{key}": INVALID }}, default: INVALID }}\n',
            *(() if fits else (f'WRONG_FORM "{key}"',)),
        )
        for kind, key, fits in (
            ("http-status", "404", True),
            ("http-status", "5xx", True),
            ("http-status", "99", False),
            ("http-status", "600", False),
            ("http-status", "6xx", False),
            ("exception", "os.TimeoutError", True),
            ("exception", "os.", False),
            ("code", "any thing", True),
            ("code", " padded", False),
        )
    ),
]


@pytest.mark.parametrize(("fragment", "expected"), _RANGES)
def test_ranges(fragment: str, expected: list[str]) -> None:
    assert seen(fragment) == expected


@pytest.mark.parametrize(("fragment", "expected"), _CODES)
def test_codes(fragment: str, expected: list[str]) -> None:
    assert seen(fragment) == expected


@pytest.mark.parametrize(("fragment", "expected"), _BANDS)
def test_the_reserved_band(fragment: str, expected: list[str]) -> None:
    assert seen(fragment) == expected


@pytest.mark.parametrize(("fragment", "expected"), _PROFILES)
def test_profiles(fragment: str, expected: list[str]) -> None:
    assert seen(fragment) == expected


@pytest.mark.parametrize(("fragment", "expected"), _REFERENCES)
def test_references(fragment: str, expected: list[str]) -> None:
    assert seen(fragment) == expected


@pytest.mark.parametrize(
    ("section", "misspelt"),
    [
        ("categories", "categorys"),
        ("ranges", "range"),
        ("retry_policies", "retry_policy"),
        ("errors", "error"),
    ],
)
def test_where_a_section_is_misspelt_nothing_is_missing_from_it(
    section: str, misspelt: str
) -> None:
    text = _BASE.replace(f"\n{section}:", f"\n{misspelt}:")
    (found,) = check(parse(text.encode(), "catalog.yaml"))
    assert found.message == f"unknown key '{misspelt}' in the catalog"
    assert found.help == f"did you mean '{section}'?"


@pytest.mark.parametrize(("fragment", "expected"), _CHAINS)
def test_chains(fragment: str, expected: list[str]) -> None:
    assert seen(fragment) == expected


@pytest.mark.parametrize(("fragment", "expected"), _NAMES)
def test_names(fragment: str, expected: list[str]) -> None:
    assert seen(fragment) == expected


@pytest.mark.parametrize(("fragment", "expected"), _TEXTS)
def test_texts(fragment: str, expected: list[str]) -> None:
    assert seen(fragment) == expected


@pytest.mark.parametrize(("fragment", "expected"), _PROMISES)
def test_promises(fragment: str, expected: list[str]) -> None:
    assert seen(fragment) == expected
