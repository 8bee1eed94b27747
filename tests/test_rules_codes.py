"""The edges of the rules about codes: ranges, reservations, JSON-RPC's band and profiles."""

from typing import Final

import pytest
from fragments import case, errors, protocol, ranges, reserved, response, seen

_MAX: Final = 2**53 - 1
_STRINGS: Final = "layers:\n  error: { enum: ErrorCode, code: string }\nranges: []\n"

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
        "a reserved name is not used again in other words of the same spelling",
        reserved("name: NOT_2_OLD", "name: A_1")
        + errors(NOT2_OLD="code: 2001", B="code: 2002, aliases: [A1]"),
        "RESERVED_NAME NOT2_OLD",
        "RESERVED_NAME A1",
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
    *(
        case(
            f"a JSON-RPC layer may {'use' if code in (-32768, -32000) else 'not use'} {code}",
            protocol() + errors(A=f"code: {code}"),
            *(() if code in (-32768, -32000) else (f"PROTOCOL_CODE {code}",)),
        )
        for code in (-32769, -32768, -32000, -31999)
    ),
    *(
        case(
            f"another layer may {'not use' if code in (-32768, -32000) else 'use'} {code}",
            errors(A=f"code: {code}, range_waiver: x"),
            *((f"JSONRPC_BAND {code}",) if code in (-32768, -32000) else ()),
        )
        for code in (-32769, -32768, -32000, -31999)
    ),
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
    *(
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
    ),
    *(
        case(
            f"{profile} keeps {code} for future use",
            protocol(profile) + errors(A=f"code: {code}"),
            f"PROFILE_RESERVED {code}",
        )
        for profile in ("jsonrpc-2.0", "mcp-2025-11-25", "mcp-2026-07-28")
        for code in (-32768, -32604, -32599, -32100)
    ),
    *(
        case(
            f"{profile} leaves {code} to implementations",
            protocol(profile) + errors(A=f"code: {code}"),
        )
        for profile in ("jsonrpc-2.0", "mcp-2025-11-25")
        for code in (-32099, -32020, -32000)
    ),
    *(
        case(
            f"mcp-2026-07-28 allocates {code} to nobody else",
            _2026 + errors(A=f"code: {code}"),
            f"PROFILE_RESERVED {code}",
        )
        for code in (-32099, -32023, -32019, -32000)
    ),
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
