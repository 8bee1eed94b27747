"""Five published error models: what each document says is what the code generated of its catalog does.

`cases/valid/SEEDS.md` goes through the documents sentence by sentence and names the tests.
"""

import ast
import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
from conftest import Node
from support import CASES, CATALOGS, catalog_of, python_of, rendered, validator_of

S0: Any = python_of("s0-mcp-server")
S1: Any = python_of("s1-gateway")
S2: Any = python_of("s2-two-tiers")
S3: Any = python_of("s3-sdk")
S4: Any = python_of("s4-envelope")
_TESTS: Final = Path(__file__).parent


def bytes_of(message: object) -> bytes:
    """Return a message as bytes, keys in one order."""
    return json.dumps(message, sort_keys=True).encode()


# S0: layers, structure, ranges, codes.


def test_s0_has_the_five_codes_of_json_rpc() -> None:
    assert {code.name: int(code) for code in S0.ProtocolErrorCode} == {
        "PARSE_ERROR": -32700,
        "INVALID_REQUEST": -32600,
        "METHOD_NOT_FOUND": -32601,
        "INVALID_PARAMS": -32602,
        "INTERNAL_ERROR": -32603,
    }
    assert S0.CATALOG_VERSION == "1.0.0"


def test_s0_has_the_structure_of_its_body() -> None:
    whole = {"code": 2001, "message": "m", "retryable": False, "details": {"context": [1]}}
    validator = validator_of("s0-mcp-server", "ErrorResponse")
    assert validator.is_valid(whole)
    for key in whole:
        assert not validator.is_valid({**whole, key: []})
        without = {name: value for name, value in whole.items() if name != key}
        assert validator.is_valid(without) == (key == "details")
    for key in ("field", "reason", "suggestion"):
        assert validator.is_valid({**whole, "details": {key: "text"}})
        assert not validator.is_valid({**whole, "details": {key: 1}})


@pytest.mark.parametrize(
    ("first", "last", "title"),
    [
        (1000, 1999, "Protocol"),
        (2000, 2999, "Validation"),
        (3000, 3999, "Business"),
        (4000, 4999, "System"),
        (5000, 5999, "Adapter/Integration"),
    ],
)
def test_s0_has_each_row_of_its_ranges(first: int, last: int, title: str) -> None:
    ranges = catalog_of(CATALOGS["s0-mcp-server"]).ranges
    found = {(item.first, item.last): item.category.title for item in ranges}
    assert found[first, last] == title


@pytest.mark.parametrize(
    ("code", "name", "title", "retryable"),
    [
        (2001, "VALIDATION_ERROR", "Validation", False),
        (2002, "MISSING_REQUIRED_FIELD", "Validation", False),
        (2003, "INVALID_FORMAT", "Validation", False),
        (3001, "RATE_LIMIT_EXCEEDED", "System", True),
        (3002, "TIMEOUT", "System", True),
        (4001, "ADAPTER_ERROR", "Adapter/Integration", None),
        (4002, "BACKEND_UNAVAILABLE", "System", True),
        (5001, "NOT_IMPLEMENTED", "Adapter/Integration", False),
    ],
)
def test_s0_has_each_row_of_its_codes(
    code: int, name: str, title: str, retryable: bool | None
) -> None:
    spec = S0.find(code)
    assert (spec.name, S0.CATEGORIES[spec.category].title, spec.retryable) == (
        name,
        title,
        retryable,
    )
    assert spec.description
    assert spec is S0.spec(getattr(S0.ErrorCode, name))
    for said in (True, False):
        body = {"code": code, "message": "m", "retryable": said}
        accepted = validator_of("s0-mcp-server", "ErrorResponse").is_valid(body)
        assert accepted == (retryable in (None, said))


def test_s0_sends_a_domain_failure_as_it_is_printed() -> None:
    printed = {
        "jsonrpc": "2.0",
        "result": {
            "error": {
                "code": 4001,
                "message": "Adapter error",
                "retryable": False,
                "details": {"originalError": "ORDER_NOT_FOUND"},
            }
        },
        "id": 1,
    }
    error = S0.translate_adapter_identifiers("ORDER_NOT_FOUND", retryable=False)
    assert json.dumps(error.to_wire(1)) == json.dumps(printed)
    validator_of("s0-mcp-server", "jsonrpc-result").validate(printed)
    read = S0.from_wire(printed)
    assert (read.code, read.retryable) == (S0.ErrorCode.ADAPTER_ERROR, False)
    assert read.body["details"] == {"originalError": "ORDER_NOT_FOUND"}


def test_s0_sends_a_protocol_failure_as_it_is_printed() -> None:
    printed = {
        "jsonrpc": "2.0",
        "error": {
            "code": -32602,
            "message": "Invalid params",
            "data": {"field": "order.customer.email"},
        },
        "id": 1,
    }
    error = S0.ProtocolError.invalid_params(data={"field": "order.customer.email"})
    assert json.dumps(error.to_wire(1)) == json.dumps(printed)
    validator_of("s0-mcp-server", "jsonrpc-error").validate(printed)
    assert S0.from_wire(printed).data == {"field": "order.customer.email"}


def test_s0_takes_a_success_for_none_of_its_errors() -> None:
    assert S0.from_wire({"jsonrpc": "2.0", "result": {"anything": 1}, "id": 1}) is None


@pytest.mark.parametrize("name", ["validation_error", "missing_required_field", "invalid_format"])
def test_s0_may_send_validation_as_a_protocol_error(name: str) -> None:
    params = {} if name == "validation_error" else {"field": "a.b"}
    error = getattr(S0.DomainError, name)(**params)
    wire = error.to_jsonrpc_error(1)
    assert wire["error"]["code"] == -32602
    assert wire["error"]["data"] == error.to_response()
    assert S0.from_wire(wire).code == error.code
    assert wire["error"]["data"].get("details", {}).get("field") == params.get("field")


def test_s0_forwards_any_identifier_of_an_adapter_beside_a_standard_code() -> None:
    for identifier in ("ORDER_NOT_FOUND", "INVALID_ORDER_STATE", "SOMETHING_ELSE"):
        body = S0.translate_adapter_identifiers(identifier, retryable=True).to_response()
        assert (body["code"], body["details"]) == (4001, {"originalError": identifier})
        assert S0.parse_response(body).retryable


def test_s0_retries_what_is_retryable_with_growing_random_delays() -> None:
    errors = S0.DomainError
    for error in (
        errors.rate_limit_exceeded(),
        errors.timeout(),
        errors.backend_unavailable(),
        errors.adapter_error(retryable=True),
    ):
        assert S0.should_retry(error, 1)
        assert [error.delay_ms(attempt, lambda: 0.999999) for attempt in (1, 2, 3)] == [
            200,
            400,
            800,
        ]
        assert error.delay_ms(3, lambda: 0.5) == 400
    for error in (
        errors.validation_error(),
        errors.missing_required_field(field="f"),
        errors.not_implemented(),
        errors.adapter_error(retryable=False),
    ):
        assert not S0.should_retry(error, 1, is_read=True, reconciled=True)


# S1: categories, rules, the example, retries by class.


def test_s1_has_the_fourteen_stable_names_and_one_that_never_leaves() -> None:
    assert {code.value for code in S1.ErrorCode} - {"RESOURCE_FORBIDDEN"} == set(
        """AUTHENTICATION_REQUIRED TOKEN_INVALID ACCESS_DENIED PROJECT_NOT_FOUND
        RESOURCE_NOT_REGISTERED CONNECTOR_DISABLED CONNECTOR_UNAVAILABLE TARGET_UNAVAILABLE
        VALIDATION_FAILED RATE_LIMITED TIMEOUT RESULT_TOO_LARGE UPSTREAM_PROTOCOL_ERROR
        INTERNAL_ERROR""".split()
    )
    assert S1.spec(S1.ErrorCode.RESOURCE_FORBIDDEN).is_internal


_S1_FIELDS: Final = {
    "operation": "unraid.container.health",
    "subsystem": "upstream_unraid",
    "correlationId": "...",
}


def test_s1_sends_its_example_as_it_is_printed() -> None:
    printed = {
        "error": {
            "code": "CONNECTOR_UNAVAILABLE",
            "category": "transient",
            "message": "The Unraid inventory connector is temporarily unavailable.",
            "operation": "unraid.container.health",
            "subsystem": "upstream_unraid",
            "retryable": True,
            "safeToRetry": True,
            "correlationId": "...",
            "sessionId": None,
            "upstreamStatus": 503,
            "expectedState": None,
            "actualState": None,
            "recoveryHint": "Retry the unchanged read after the bounded backoff.",
        }
    }
    error = S1.translate_upstream_http(
        503, connector="Unraid inventory", reason="", operation=S1.OperationName.R1
    )
    assert json.dumps(error.to_wire(fields=_S1_FIELDS)) == json.dumps(printed)
    validator_of("s1-gateway", "ErrorResponse").validate(printed)
    read = S1.from_wire(printed)
    assert (read.code, read.retryable, read.safe_to_retry) == ("CONNECTOR_UNAVAILABLE", True, True)


@pytest.mark.parametrize(
    ("operation", "attempts"),
    [("mcp_read", 2), ("r1", 2), ("gitea_get", 3), ("r2", 1), ("r3", 1), ("unknown", 1), (None, 1)],
)
def test_s1_repeats_each_class_as_often_as_it_says(operation: str | None, attempts: int) -> None:
    for error in (S1.KnownError.target_unavailable(), S1.KnownError.timeout()):
        made = 1
        while S1.should_retry(error, operation, made):
            made += 1
        assert made == attempts


def test_s1_says_that_a_write_is_retryable_and_not_safe() -> None:
    for operation, safe in (("r1", True), ("r2", False), ("unknown", False), (None, False)):
        options = {} if operation is None else {"operation": operation}
        body = S1.KnownError.target_unavailable(**options).to_response(_S1_FIELDS)["error"]
        assert (body["retryable"], body["safeToRetry"]) == (True, safe)


def test_s1_hides_a_forbidden_resource_behind_one_that_is_not_there() -> None:
    hidden = S1.KnownError.resource_forbidden(subject="eve", resource="vault")
    absent = S1.KnownError.resource_not_registered()
    assert hidden.to_wire(fields=_S1_FIELDS) == absent.to_wire(fields=_S1_FIELDS)
    assert hidden.log_message == "RESOURCE_FORBIDDEN: eve may not know of vault"


def test_s1_demands_what_finds_the_request_in_the_logs_and_names_what_failed() -> None:
    error = S1.KnownError.rate_limited()
    for name in ("correlationId", "operation", "subsystem"):
        some = {key: value for key, value in _S1_FIELDS.items() if key != name}
        with pytest.raises(ValueError, match=f"needs a value for {name}"):
            error.to_response(some)


def test_s1_keeps_addresses_and_exceptions_for_the_logs() -> None:
    error = S1.KnownError.connector_unavailable(
        connector="Gitea", url="https://token@host", exception="Traceback"
    )
    sent = json.dumps(error.to_wire(fields=_S1_FIELDS)) + str(error)
    for secret in ("token", "host", "Traceback"):
        assert secret not in sent
        assert secret in error.log_message


@pytest.mark.parametrize("status", [400, 404, 429, 503, 599, 700])
def test_s1_translates_a_target_and_keeps_its_status(status: int) -> None:
    error = S1.translate_upstream_http(status, connector="c", reason="r")
    assert error.code in S1.ErrorCode
    assert error.to_response(_S1_FIELDS)["error"]["upstreamStatus"] == status


def test_s1_tells_expected_and_actual_state_and_a_hint_of_bounded_length() -> None:
    states = {"expectedState": "running", "actualState": "stopped"}
    body = S1.KnownError.validation_failed(reason="stale", fields=states).to_response(_S1_FIELDS)
    assert states.items() <= body["error"].items()
    assert body["error"]["recoveryHint"]
    assert all(len(spec.recovery_hint) <= 200 for spec in S1.SPECS.values())


# S2: two tiers.


def test_s2_sends_a_protocol_error_as_it_is_printed() -> None:
    printed = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "..."}}
    sent = S2.ProtocolError.rate_limit_exceeded().to_wire(1)
    sent["error"]["message"] = "..."
    assert bytes_of(sent) == bytes_of(printed)
    read = S2.from_wire(printed)
    assert (type(read), read.code) == (S2.ProtocolError, S2.ErrorCodes.RATE_LIMIT_EXCEEDED)


def test_s2_sends_a_tool_error_as_it_is_printed() -> None:
    printed = {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {"content": [{"type": "text", "text": "Error: file not found"}], "isError": True},
    }
    result = S2.ToolError.file_not_found().to_tool_result(body_in=None)
    assert bytes_of({"jsonrpc": "2.0", "id": 1, "result": result}) == bytes_of(printed)
    for same in (FileNotFoundError("/etc/x"), S2.ToolError.file_not_found()):
        assert S2.as_tool_result(same, body_in=None) == result
    assert S2.translate_node_errors("ENOENT").to_tool_result(body_in=None) == result
    assert S2.from_wire(printed).message == "Error: file not found"


def test_s2_has_an_enum_for_each_tier() -> None:
    assert {code.name: int(code) for code in S2.ErrorCodes} == {
        "PARSE_ERROR": -32700,
        "METHOD_NOT_FOUND": -32601,
        "INVALID_PARAMS": -32602,
        "RATE_LIMIT_EXCEEDED": -32000,
        "SESSION_ERROR": -32001,
    }
    assert {"SESSION_NOT_FOUND", "SESSION_CAPACITY_REACHED"} <= set(
        S2.spec(S2.ErrorCodes.SESSION_ERROR).aliases
    )
    assert {code.value for code in S2.ToolErrorCodes} == set(
        """INVALID_INPUT FILE_NOT_FOUND PERMISSION_DENIED GIT_COMMAND_FAILED BAD_GIT_REF
        MERGE_CONFLICT COMMAND_FAILED EXTENSION_DISCONNECTED UNCAUGHT_EXCEPTION""".split()
    )


def test_s2_keeps_the_tiers_apart() -> None:
    with pytest.raises(ValueError, match="is no ToolErrorCodes"):
        S2.ToolError(S2.ErrorCodes.PARSE_ERROR)
    with pytest.raises(ValueError, match="is no ErrorCodes"):
        S2.ProtocolError(S2.ToolErrorCodes.FILE_NOT_FOUND)
    assert not hasattr(S2.ProtocolError, "to_tool_result")
    assert not hasattr(S2.ToolError, "to_jsonrpc_error")


def test_s2_catches_what_a_handler_throws_and_warns() -> None:
    seen: list[Any] = []
    result = S2.as_tool_result(RuntimeError("stack\ntrace"), tool="grep", log=seen.append)
    assert result["isError"] is True
    assert result["content"][0]["text"] == "Error: The tool failed unexpectedly"
    assert seen[0].spec.severity == "warning"
    assert seen[0].log_message == "UNCAUGHT_EXCEPTION: handler of grep threw: stack trace"
    assert isinstance(seen[0].__cause__, RuntimeError)


def test_s2_says_beside_the_text_what_programs_need() -> None:
    for spec in S2.SPECS.values():
        if spec.layer == "tool" and not spec.params:
            result = S2.ToolError(spec.code).to_tool_result()
            assert result["content"][0]["text"].startswith("Error: ")
            assert result["structuredContent"]["code"] == spec.code
            assert spec.recovery_hint in ("", result["structuredContent"].get("hint"))


# S3: codes, exceptions, deadlines, retries.


def test_s3_has_the_codes_of_json_rpc_and_its_own() -> None:
    assert {code.name: int(code) for code in S3.ProtocolErrorCode} == {
        "PARSE_ERROR": -32700,
        "INVALID_REQUEST": -32600,
        "METHOD_NOT_FOUND": -32601,
        "INVALID_PARAMS": -32602,
        "INTERNAL_ERROR": -32603,
        "UNAUTHORIZED": -32000,
        "REQUEST_TIMEOUT": -32001,
        "REQUEST_CANCELLED": -32800,
    }
    ranges = {(item.first, item.last) for item in catalog_of(CATALOGS["s3-sdk"]).ranges}
    assert (-32099, -32000) in ranges


def test_s3_makes_a_tool_result_of_an_exception_in_a_tool() -> None:
    result = S3.as_tool_result(KeyError("city"))
    assert (result["isError"], result["structuredContent"]["code"]) == (True, "TOOL_FAILED")
    read = S3.from_tool_result(result)
    assert (read.code, read.message) == (S3.ToolErrorCode.TOOL_FAILED, "The tool failed: 'city'")


def test_s3_makes_an_internal_error_of_an_exception_elsewhere() -> None:
    cause = RuntimeError("secret")
    error = S3.translate_handler_exceptions(cause)
    assert error.to_wire(1) == {
        "jsonrpc": "2.0",
        "error": {"code": -32603, "message": "Internal error"},
        "id": 1,
    }
    assert (error.log_message, error.__cause__) == ("INTERNAL_ERROR (-32603): secret", cause)


def test_s3_flattens_and_bounds_the_text_of_an_exception() -> None:
    result = S3.as_tool_result(ValueError("line one\n  line two\x1b[0m " + "x" * 999))
    message = result["structuredContent"]["message"]
    assert message.startswith("The tool failed: line one line two[0m xxx")
    assert (len(message), message[-1]) == (512, "…")
    assert "\n" not in result["content"][0]["text"]


def test_s3_tells_an_expected_failure_from_a_success_by_the_flag() -> None:
    result = S3.ToolError.file_not_found(path="notes/today.md").to_wire()
    assert S3.from_wire(result).code is S3.ToolErrorCode.FILE_NOT_FOUND
    assert S3.from_wire({"content": [{"type": "text", "text": "42"}], "isError": False}) is None


def test_s3_raises_a_protocol_error_with_code_and_message() -> None:
    read = S3.from_wire(
        {"jsonrpc": "2.0", "id": 9, "error": {"code": -32001, "message": "Request timed out"}}
    )
    with pytest.raises(S3.ProtocolError, match=r"^Request timed out$") as caught:
        raise read
    assert caught.value.code is S3.ProtocolErrorCode.REQUEST_TIMEOUT


@pytest.mark.parametrize(
    ("operation", "again", "reconciled"),
    [
        ("read", True, True),
        ("idempotent_tool", True, True),
        ("tool", False, False),
        (None, False, False),
    ],
)
def test_s3_takes_a_deadline_for_an_unknown_outcome(
    operation: str | None, again: bool, reconciled: bool
) -> None:
    error = S3.ProtocolError.request_timeout()
    assert error.spec.outcome == "unknown"
    assert S3.should_retry(error, operation, 1) is again
    assert S3.should_retry(error, operation, 1, reconciled=True) is reconciled


def test_s3_doubles_its_delays_and_stops() -> None:
    error = S3.ToolError.service_unavailable(service="search")
    assert [error.delay_ms(attempt) for attempt in (1, 2, 3)] == [100, 200, 400]
    assert error.delay_ms(99) == 10_000
    attempts = [n for n in range(1, 20) if S3.should_retry(error, S3.OperationName.READ, n)]
    assert attempts == [1, 2, 3, 4]


def test_s3_repeats_only_what_may_happen_twice() -> None:
    error = S3.ToolError.service_unavailable(service="search")
    assert {
        operation.value: S3.should_retry(error, operation, 1) for operation in S3.OperationName
    } == {"read": True, "idempotent_tool": True, "tool": False}


# S4: one envelope, five codes, what an agent does.


def test_s4_answers_success_and_failure_with_one_object() -> None:
    failure = S4.ToolError.not_found(resource="Invoice 4711").to_response()
    success = S4.success_response({"data": {"id": 1}})
    assert failure == {
        "success": False,
        "data": None,
        "error_code": "NOT_FOUND",
        "error_message": "Invoice 4711 was not found",
        "retry_recommended": False,
    }
    assert success == {"success": True, "data": {"id": 1}}
    assert (S4.is_success(success), S4.is_success(failure)) == (True, False)
    validator_of("s4-envelope", "ToolResponse").validate(failure)
    validator_of("s4-envelope", "ToolResponseSuccess").validate(success)


_S4_ROWS: Final = {
    "NOT_FOUND": ("inform-user", False),
    "PERMISSION_DENIED": ("escalate", False),
    "VALIDATION_ERROR": ("fix-input", False),
    "SYSTEM_UNAVAILABLE": ("retry", True),
    "RATE_LIMITED": ("wait", True),
}


@pytest.mark.parametrize("code", _S4_ROWS)
def test_s4_tells_an_agent_what_each_row_says(code: str) -> None:
    action, retryable = _S4_ROWS[code]
    spec = S4.spec(S4.ErrorCode(code))
    assert (spec.recovery_action, spec.retryable) == (action, retryable)
    error = S4.ToolError(spec.code, {param.name: "x" for param in spec.params})
    result = error.to_tool_result()
    body = result["structuredContent"]
    assert (body["error_code"], body["retry_recommended"]) == (code, retryable)
    assert ("retry_after_seconds" in body) == retryable
    assert result["content"][0]["text"].endswith(f"Hint: {spec.recovery_hint}")
    for read in (S4.from_wire(result), S4.parse_response(body)):
        assert S4.should_retry(read, 1) is retryable


def test_s4_has_no_code_beside_its_five() -> None:
    assert {code.value for code in S4.ErrorCode} == set(_S4_ROWS)


def test_s4_waits_at_least_as_long_as_the_error_says() -> None:
    made = S4.ToolError.system_unavailable(system="Billing", retry_after_ms=45_000)
    body = made.to_response()
    assert body["retry_after_seconds"] == 45
    read = S4.parse_response(body)
    assert read.delay_ms(1, lambda: 0.0) == 45_000
    assert S4.ToolError.rate_limited().delay_ms(1) == 60_000


def test_s4_backs_off_with_jitter() -> None:
    policy = S4.ToolError.system_unavailable(system="Billing").spec.policy
    assert (policy.strategy, policy.jitter, policy.multiplier) == ("exponential", "equal", 2)
    late = [policy.delay_ms(7, lambda chance=chance: chance) for chance in (0.0, 0.5, 0.999999)]
    assert late == [32_000, 48_000, 64_000]


# The same in TypeScript.

_IN_TYPESCRIPT: Final = """
import * as S0 from "./s0.ts";
import * as S1 from "./s1.ts";
import * as S2 from "./s2.ts";
import * as S4 from "./s4.ts";
const fields = { operation: "unraid.container.health", subsystem: "upstream_unraid", correlationId: "..." };
const failed = S0.translateAdapterIdentifiers("ORDER_NOT_FOUND", { retryable: false });
const invalid = S0.ProtocolError.invalidParams({ data: { field: "order.customer.email" } });
const upstream = S1.translateUpstreamHttp(
  503, { params: { connector: "Unraid inventory", reason: "" }, operation: S1.OperationName.R1 },
);
console.log(JSON.stringify([
  S0.toWire(failed, { requestId: 1 }),
  S0.toWire(invalid, { requestId: 1 }),
  S1.toWire(upstream, { fields }),
  S2.toWire(S2.ProtocolError.rateLimitExceeded(), { requestId: 1 }),
  S2.toToolResult(S2.ToolError.fileNotFound()),
  S2.asToolResult(new RangeError("secret"), { bodyIn: null }),
  S4.toResponse(S4.ToolError.notFound({ resource: "Invoice 4711" })),
  S4.successResponse({ data: { id: 1 } }),
]));
"""


def test_typescript_sends_every_printed_example_too(node: Node, tmp_path: Path) -> None:
    for name in ("s0-mcp-server", "s1-gateway", "s2-two-tiers", "s4-envelope"):
        (text,) = rendered(CATALOGS[name], "typescript").values()
        (tmp_path / f"{name[:2]}.ts").write_text(text, "utf-8")
    (tmp_path / "examples.mts").write_text(_IN_TYPESCRIPT, "utf-8")
    made = node("examples.mts", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    upstream = S1.translate_upstream_http(
        503, connector="Unraid inventory", reason="", operation=S1.OperationName.R1
    )
    assert made.stdout.strip() == json.dumps(
        [
            S0.translate_adapter_identifiers("ORDER_NOT_FOUND", retryable=False).to_wire(1),
            S0.ProtocolError.invalid_params(data={"field": "order.customer.email"}).to_wire(1),
            upstream.to_wire(fields=_S1_FIELDS),
            S2.ProtocolError.rate_limit_exceeded().to_wire(1),
            S2.ToolError.file_not_found().to_tool_result(),
            S2.as_tool_result(RuntimeError("secret"), body_in=None),
            S4.ToolError.not_found(resource="Invoice 4711").to_response(),
            S4.success_response({"data": {"id": 1}}),
        ],
        separators=(",", ":"),
    )


# The table itself.

_ROW: Final = re.compile(r"\| (?P<said>[^|]+) \| (?P<carried>[^|]+) \| (?P<shown>[^|]+) \|")
_NAMED: Final = re.compile(r"`([\w./-]+\.py)(?:::(\w+))?`")


def rows() -> list[re.Match[str]]:
    """Return the rows of SEEDS.md without heads."""
    lines = (CASES / "SEEDS.md").read_text("utf-8").splitlines()
    table = [line for line in lines if line.startswith("|")]
    matches = [_ROW.fullmatch(line) for line in table]
    assert all(matches), [line for line, match in zip(table, matches, strict=True) if not match]
    return [
        match
        for match in matches
        if match and not set(match["said"]) <= {"-"} and match["said"] != "The document says"
    ]


def test_every_sentence_of_a_document_has_a_test_or_a_reason() -> None:
    for row in rows():
        tests = _NAMED.findall(row["shown"])
        assert bool(tests) != row["shown"].startswith("Not ours: "), row[0]
        for file, name in tests:
            tree = ast.parse((_TESTS / file).read_text("utf-8"))
            defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
            assert not name or name in defined, (file, name)


def test_every_test_of_a_document_is_in_the_table() -> None:
    shown = {name for row in rows() for _, name in _NAMED.findall(row["shown"])}
    tree = ast.parse(Path(__file__).read_text("utf-8"))
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert {name for name in names if re.match(r"test_s\d_", name)} <= shown
