"""The edges of the rules about texts and params, and about what an error promises to clients."""

from typing import Final

import pytest
from fragments import case, concealed, errors, response, seen

_POLICIES: Final = """\
retry_policies:
  backoff: { retryable: true, strategy: exponential, initial_delay: 100ms, max_attempts: 5 }
  by_data: { retryable: varies }
  blind: { retryable: true, strategy: fixed, initial_delay: 1s, max_attempts: 2, safe_to_retry: always }
"""
_BOTH: Final = "code: { from: code }, retryable: { from: retryable }"

# The first and the last of each span of invisible characters, and what stands beside them.
_INVISIBLE: Final = (
    *(
        0x00,
        0x07,
        0x09,
        0x0D,
        0x1B,
        0x1F,
        0x7F,
        0x85,
        0x9F,
        0xAD,
        0x115F,
        0x1160,
        0x180E,
        0x200B,
    ),
    *(
        0x2028,
        0x2029,
        0x202A,
        0x202E,
        0x2060,
        0x2064,
        0x2066,
        0x2069,
        0x206A,
        0x206F,
        0x3164,
        0xFDD0,
    ),
    *(0xFDEF, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFB, 0xFFFE, 0xFFFF, 0x1FFFE, 0xE0000, 0xE007F, 0x10FFFF),
)
_NEIGHBOURS: Final = (
    *(
        0x20,
        0x7E,
        0xA0,
        0xAC,
        0xAE,
        0x115E,
        0x1161,
        0x180D,
        0x180F,
        0x200A,
        0x200C,
        0x200D,
        0x200E,
        0x200F,
    ),
    *(
        0x2027,
        0x202F,
        0x205F,
        0x2070,
        0x3163,
        0x3165,
        0xFDCF,
        0xFDF0,
        0xFE0F,
        0xFF9F,
        0xFFA1,
        0xFFFC,
        0xFFFD,
    ),
    *(0x1FFFD, 0x20000, 0xE0100, 0x10FFFD),
)

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
            errors(A=f'code: 2001, message: "a\\U{code:08X}b"'),
            f'UNSAFE_CHARACTER "a\\U{code:08X}b"',
        )
        for code in _INVISIBLE
    ),
    *(
        case(
            f"a message may hold U+{code:04X}",
            errors(A=f'code: 2001, message: "a\\U{code:08X}b"'),
        )
        for code in _NEIGHBOURS
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
                (
                    "retryable: true, strategy: linear, initial_delay: 1s, max_delay: 1000ms, "
                    "max_attempts: 2"
                ),
                True,
            ),
            (
                (
                    "retryable: true, strategy: linear, initial_delay: 1.001, max_delay: 1s, "
                    "max_attempts: 2"
                ),
                False,
            ),
            (
                (
                    "retryable: true, strategy: linear, initial_delay: 1s, multiplier: 2, "
                    "max_attempts: 2"
                ),
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
        "what several errors lack is told of the field",
        response("code: { from: code }, status: { from: http_status }")
        + errors(A="code: 2001", B="code: 2002, http_status: 400", C="code: 2003"),
        "RESPONSE_UNSET status",
    ),
    *(
        case(
            f"the field {field} of a problem {'is' if right else 'is not'} the member of that name",
            "layers: { error: { enum: ErrorCode, code: integer, wire: http-problem } }\n"
            "docs_url: https://x.org\n"
            + response(f"code: {{ from: code }}, {field}")
            + errors(A="code: 2001, http_status: 400"),
            *(() if right else (f"WRONG_COMBINATION {field.partition(':')[0]}",)),
        )
        for field, right in (
            ("title: { from: name }", True),
            ("title: { from: message }", False),
            ("detail: { from: message }", True),
            ("status: { from: http_status }", True),
            ("status: { type: string }", False),
            ("type: { from: docs_url }", True),
            ("instance: { type: string }", False),
            ("details: { fields: { instance: { type: string } } }", True),
        )
    ),
    case(
        "where nothing travels as a problem, its members are free",
        response("code: { from: code }, instance: { type: string }") + errors(A="code: 2001"),
    ),
    *(
        case(
            f"a success with {constant} {'is' if right else 'is not'} told from an error with {field}",
            response(
                f"code: {{ from: code }}, {field}",
                f"  success: {{ fields: {{ {constant}, data: {{ type: object }} }} }}\n",
            ),
            *(() if right else ("WRONG_COMBINATION success",)),
        )
        for field, constant, right in (
            ("ok: { value: false }", "ok: { value: true }", True),
            ("ok: { value: true }", "ok: { value: true }", False),
            ("ok: { type: boolean }", "ok: { value: true }", False),
            ("other: { value: 1 }", "ok: { value: true }", True),
            ("ok: { value: true }", "ok: { value: true }, fine: { value: 1 }", True),
        )
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


@pytest.mark.parametrize(("fragment", "expected"), _TEXTS)
def test_texts(fragment: str, expected: list[str]) -> None:
    assert seen(fragment) == expected


@pytest.mark.parametrize(("fragment", "expected"), _PROMISES)
def test_promises(fragment: str, expected: list[str]) -> None:
    assert seen(fragment) == expected
