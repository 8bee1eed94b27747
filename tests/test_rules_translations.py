"""Rules about translations and about the text of a layer: what is right, and each thing that is not."""

import pytest
from fragments import case, concealed, errors, response, seen

_LAYERS = """\
layers:
  first: { enum: FirstCode, code: integer }
  second: { enum: SecondCode, code: integer }
categories:
  validation: { layer: first, retry: never }
  system: { layer: second, retry: never }
"""
_ERRORS = errors(
    A='code: 2001, message: "{reason} {count}", '
    "params: { reason: { type: string }, count: { type: integer } }",
    B="code: 2002, log_message: '{why}', private_params: { why: { type: string } }",
    C="code: 2003",
)
_BODY = response(
    "code: { from: code }, status: { type: integer }, ratio: { type: number },"
    " details: { optional: true, fields: { origin: { type: string, optional: true },"
    " deep: { optional: true, fields: { extra: { type: any, optional: true } } } } }"
)


def translation(kind: str, to: str, *fill: str, key: str = "") -> str:
    """Write a translation whose only key and default lead to an error."""
    key = key or {"http-status": "404", "exception": "KeyError", "code": "x"}[kind]
    filled = f", fill: {{ {', '.join(fill)} }}" if fill else ""
    return (
        f"translations:\n  t: {{ kind: {kind}, map: {{ {key}: {to} }}, default: {to}{filled} }}\n"
    )


_CASES = [
    case(
        "a translation leads to errors of one layer",
        _LAYERS
        + errors(A="code: 2001", B="category: system, code: 4001")
        + "translations:\n  t: { kind: code, map: { a: A, b: B, c: B }, default: A }\n",
        "TRANSLATION_LAYERS B",
        "TRANSLATION_LAYERS B",
    ),
    case(
        "where nobody knows the layer, nobody is told of it",
        _LAYERS
        + errors(A="code: 2001")
        + "translations:\n  t: { kind: code, map: { a: NOBODY }, default: A }\n",
        "UNKNOWN_REFERENCE NOBODY",
    ),
    *(
        case(
            f"{kind} has no {source}",
            _ERRORS + _BODY + translation(kind, "C", f"details.origin: {source}"),
            "TRANSLATION_FILL details.origin",
        )
        for kind, source in (
            ("exception", "status"),
            ("exception", "code"),
            ("http-status", "message"),
            ("code", "type"),
        )
    ),
    *(
        case(
            f"{source} of {kind} fills {path}",
            _ERRORS + _BODY + translation(kind, to, f"{path}: {source}"),
        )
        for kind, source, path, to in (
            ("exception", "message", "details.origin", "C"),
            ("exception", "type", "details.deep.extra", "C"),
            ("exception", "message", "why", "B"),
            ("http-status", "status", "status", "C"),
            ("http-status", "status", "ratio", "C"),
            ("http-status", "status", "details.origin", "C"),
            ("http-status", "status", "reason", "A"),
            ("http-status", "status", "count", "A"),
            ("code", "code", "details.origin", "C"),
            ("code", "code", "reason", "A"),
        )
    ),
    *(
        case(
            f"{source} of {kind} does not fill {path}",
            _ERRORS + _BODY + translation(kind, to, f"{path}: {source}"),
            f"TRANSLATION_FILL {path}",
        )
        for kind, source, path, to in (
            ("code", "code", "status", "C"),
            ("code", "code", "count", "A"),
            ("code", "code", "details", "C"),
            ("code", "code", "origin", "C"),
            ("code", "code", "code", "C"),
            ("code", "code", "reason", "C"),
        )
    ),
    case(
        "an exception leaves no param open",
        _ERRORS + _BODY + translation("exception", "A", "reason: message"),
        "TRANSLATION_FILL A",
        "TRANSLATION_FILL A",
    ),
    case(
        "a private param may stay open",
        _ERRORS + _BODY + translation("exception", "B"),
    ),
    case(
        "whoever translates a status gives what is open",
        _ERRORS + _BODY + translation("http-status", "A"),
    ),
    case(
        "the text of a tool result takes what every error has",
        "layers: { error: { enum: ErrorCode, code: integer, wire: mcp-tool-result,"
        ' text: "{name} {code} {message} {hint} {{x}}" } }\n',
    ),
    *(
        case(
            f"the text {text} is wrong",
            f"layers: {{ error: {{ enum: ErrorCode, code: integer, wire: {wire}, text: '{text}' }} }}\n"
            + response("code: { from: code }"),
            "WRONG_COMBINATION text",
        )
        for text, wire in (
            ("{retry}", "mcp-tool-result"),
            ("{message", "mcp-tool-result"),
            ("{}", "mcp-tool-result"),
            ("{message}", "body"),
            ("{message}", "jsonrpc-result"),
        )
    ),
    case(
        "a jsonrpc-result holds a body",
        "layers: { error: { enum: ErrorCode, code: integer, wire: jsonrpc-result } }\n",
        "WRONG_COMBINATION error",
    ),
    case(
        "an error is concealed as one whose params it has",
        errors(
            A='code: 2001, message: "{a}", params: { a: { type: string } }',
            B=concealed(2002, "A")
            + ', message: "{a}{b}", params: { a: { type: string }, b: { type: string } }',
            C=concealed(2003, "A"),
        ),
        "CONCEALMENT A",
    ),
    *(
        case(
            f"no type is called {name} twice",
            f"layers:\n  tool: {{ enum: {enum}, code: integer }}\n"
            f"response:\n  type: {name}\n  fields: {{ code: {{ from: code }} }}\n",
            f"NAME_COLLISION {name}",
        )
        for name, enum in (("ToolError", "ToolErrorCode"), ("ToolErrorCode", "ToolErrorCode"))
    ),
]


@pytest.mark.parametrize(("fragment", "expected"), _CASES)
def test_translations(fragment: str, expected: list[str]) -> None:
    assert seen(fragment) == expected
