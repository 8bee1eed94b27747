"""What generated Python makes of errors that other processes sent, and how it sends them on."""

import json
from pathlib import Path
from typing import Any, Final

import pytest
from conftest import Checker
from support import module_of, python_of, rendered, write_catalog

REF: Any = python_of("reference")
S4: Any = python_of("s4-envelope")

_CONCEALED: Final = """\
errgen: 1
name: concealed
version: 1.0.0
layers:
  protocol: { enum: ProtocolErrorCode, code: integer, wire: jsonrpc-error }
  tool: { enum: ToolErrorCode, code: string, wire: mcp-tool-result }
categories: { p: { layer: protocol, retry: never }, t: { layer: tool, retry: never } }
ranges: [{ first: -32099, last: -32000, category: p }]
response:
  type: Body
  wrap: error
  fields:
    code: { from: code }
    message: { from: message }
    what: { type: string }
errors:
  GONE: { code: -32001, category: p, message: Gone }
  SEALED:
    { code: -32002, category: p, message: Sealed, visibility: internal, conceal_as: GONE }
  NOT_FOUND:
    category: t
    message: "There is no {what}"
    params: { what: { type: string } }
  HIDDEN:
    category: t
    message: "There is a {what} of {owner}"
    params: { what: { type: string }, owner: { type: string } }
    visibility: internal
    conceal_as: NOT_FOUND
"""


@pytest.fixture(scope="module")
def concealed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return the module of a catalog with internal errors in both layers."""
    return module_of(write_catalog(tmp_path_factory.mktemp("concealed"), _CONCEALED))


def test_a_received_internal_error_goes_on_as_the_one_that_conceals_it(concealed: Any) -> None:
    told = {"error": {"code": "HIDDEN", "message": "There is a safe of Eve", "what": "safe"}}
    error = concealed.parse_response(told)
    assert (error.name, error.body, error.log_message) == (
        "HIDDEN",
        told,
        "HIDDEN: There is a safe of Eve",
    )
    assert error.message == str(error) == "There is no ?"
    with pytest.raises(ValueError, match="needs a value for what"):
        error.to_response({})
    result = error.to_tool_result({"what": "thing"})
    assert result["structuredContent"] == {
        "error": {"code": "NOT_FOUND", "message": "There is no ?", "what": "thing"}
    }
    assert "Eve" not in json.dumps(result)
    assert "HIDDEN" not in json.dumps(result)


def test_the_data_of_an_internal_protocol_error_stay_here(concealed: Any) -> None:
    made = concealed.ProtocolError.sealed(data={"secret": 1})
    received = concealed.from_wire({"code": -32002, "message": "Sealed", "data": {"secret": 1}})
    for error in (made, received):
        assert error.data == {"secret": 1}
        assert error.to_wire(1)["error"] == {"code": -32001, "message": "Gone"}


def test_a_protocol_error_from_problem_details_travels_as_any_other() -> None:
    made = REF.ProtocolError.internal_error()
    problem = made.to_problem()
    read = REF.from_problem(problem)
    assert (type(read), read.code, read.data) == (REF.ProtocolError, made.code, None)
    assert read.to_wire(1) == made.to_wire(1)


def test_problem_details_go_on_as_a_body_without_the_members_of_the_rfc() -> None:
    body = REF.ToolError.timeout().to_response()
    read = REF.from_problem(REF.ToolError.timeout().to_problem(instance="urn:x"))
    assert read.body["instance"] == "urn:x"
    assert read.to_response() == body
    again = read.to_problem()
    assert again == REF.ToolError.timeout().to_problem()


@pytest.mark.parametrize(
    "body",
    [{"retry_after_ms": 10**12}, {"retry_after_seconds": 10**9}, {"retry_after_seconds": 1e300}],
)
def test_no_server_makes_a_client_wait_longer_than_timers_can(
    body: dict[str, Any], tmp_path: Path
) -> None:
    module = module_of(write_catalog(tmp_path, _WAITS))
    error = module.parse_response({"code": "A", **body})
    unknown = module.parse_response({"code": "B", **body})
    longest = 2**31 - 1
    assert error.retry_after_ms == error.delay_ms(1) == unknown.delay_ms(1) == longest
    assert error.spec.policy.delay_ms(1, retry_after_ms=10**12) == longest
    made = module.KnownError.a(retry_after_ms=10**12)
    assert made.to_response()["retry_after_ms"] == made.delay_ms(1) == longest


_WAITS: Final = """\
errgen: 1
name: waits
version: 1.0.0
retry_policies:
  again: { retryable: true, strategy: fixed, initial_delay: 1s, max_attempts: 3 }
categories: { a: { retry: again } }
response:
  type: Body
  fields:
    code: { from: code }
    retry_after_ms: { from: retry_after_ms, optional: true }
    retry_after_seconds: { from: retry_after_seconds, optional: true }
errors: { A: { category: a, message: Again } }
"""


def test_what_came_as_text_alone_is_what_is_logged() -> None:
    made = REF.ToolError.unexpected_failure(tool="search", exception="boom")
    result = made.to_tool_result(body_in=None)
    read = REF.from_wire(result)
    assert (read.name, read.body) == ("UNEXPECTED_FAILURE", None)
    assert read.message == made.message
    assert read.log_message == f"UNEXPECTED_FAILURE (4003): {made.message}"
    assert read.to_response() == made.to_response()


def test_a_failed_tool_has_failed_whatever_its_body_says() -> None:
    body = {**S4.ToolError.rate_limited().to_response(), "success": True}
    failed = {"content": [], "structuredContent": body, "isError": True}
    assert S4.from_wire(failed).code is S4.ErrorCode.RATE_LIMITED
    assert S4.from_wire({"content": [], "structuredContent": body}) is None
    assert S4.from_wire({"structuredContent": {**body, "success": 1}}).name == "RATE_LIMITED"
    with pytest.raises(ValueError, match="that of a success"):
        S4.parse_response(body)


_NAMED: Final = """\
errgen: 1
name: named
version: 1.0.0
layers:
  protocol: { enum: ProtocolErrorCode, code: integer, wire: jsonrpc-error }
  api: { enum: ApiErrorCode, code: integer, wire: jsonrpc-result }
categories: { p: { layer: protocol, retry: never }, a: { layer: api, retry: never } }
ranges: [{ first: -32099, last: -32000, category: p }, { first: 10, last: 99, category: a }]
response:
  type: Body
  fields: { title_of: { from: name }, number: { type: integer } }
errors:
  REFUSED: { code: -32001, category: p, message: Refused }
  FULL: { code: 10, category: a, message: Full, jsonrpc_code: -32001, http_status: 507 }
"""


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return the module of a catalog whose bodies are known by name, and hold what the server must give."""
    return module_of(write_catalog(tmp_path_factory.mktemp("named"), _NAMED))


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ({"title_of": "FULL", "number": 1}, "FULL"),
        ({"title_of": 10}, "REFUSED"),
        ({"title_of": "REFUSED"}, "REFUSED"),
        ({"title_of": ["FULL"]}, "REFUSED"),
        (None, "REFUSED"),
    ],
)
def test_a_body_says_by_name_which_error_a_jsonrpc_error_is(
    named: Any, data: object, name: str
) -> None:
    read = named.from_jsonrpc_error({"code": -32001, "message": "m", "data": data})
    assert read.name == name


def test_fields_are_named_whether_a_server_must_give_them_or_may(named: Any) -> None:
    made = named.ApiError.full()
    body = {"title_of": "FULL", "number": 5}
    assert made.to_jsonrpc_result(7, fields={"number": 5}) == {
        "jsonrpc": "2.0",
        "result": {"error": body},
        "id": 7,
    }
    assert made.to_wire(7, fields={"number": 5}) == made.to_jsonrpc_result(7, fields={"number": 5})
    assert made.to_jsonrpc_error(7, fields={"number": 5})["error"] == {
        "code": -32001,
        "message": "Full",
        "data": body,
    }
    assert named.ProtocolError.refused().to_wire(7)["id"] == 7


_EMPTY_LAYERS: Final = """\
errgen: 1
name: empty-layers
version: 1.0.0
layers:
  protocol: { enum: ProtocolErrorCode, code: integer, wire: jsonrpc-error }
  result: { enum: ResultErrorCode, code: integer, wire: jsonrpc-result }
  tool: { enum: ToolErrorCode, code: integer, wire: mcp-tool-result }
  web: { enum: WebErrorCode, code: integer, wire: http-problem }
  error: { enum: ErrorCode, code: string, wire: body }
categories: { a: { layer: error, retry: never } }
response: { type: Body, fields: { code: { from: code } } }
errors: { A: { category: a, message: A } }
"""


@pytest.mark.parametrize("catalog", [_CONCEALED, _NAMED, _WAITS, _EMPTY_LAYERS])
def test_strict_type_checkers_accept_it(catalog: str, tmp_path: Path, mypy_strict: Checker) -> None:
    (text,) = rendered(write_catalog(tmp_path, catalog), "python").values()
    (tmp_path / "some.py").write_text(text, "utf-8")
    assert "no issues" in mypy_strict(tmp_path / "some.py").stdout


def test_a_net_holds_whatever_tears(tmp_path: Path) -> None:
    module = module_of(write_catalog(tmp_path, _NET))
    made = module.as_tool_result(ValueError("v"), {"host": "h"}, log=lambda error: error.nothing)
    assert made["structuredContent"] == {"code": "FAILED", "host": "h"}
    for fields in ({}, {"host": None}, {"hots": "h"}):
        assert module.as_tool_result(ValueError("v"), fields) == {
            "content": [{"type": "text", "text": "FAILED: It failed"}],
            "isError": True,
        }


_NET: Final = """\
errgen: 1
name: net
version: 1.0.0
layers: { tool: { enum: ToolErrorCode, code: string, wire: mcp-tool-result } }
categories: { t: { layer: tool, retry: never } }
response: { type: Body, fields: { code: { from: code }, host: { type: string } } }
translations: { exceptions: { kind: exception, map: { KeyError: FAILED }, default: FAILED } }
errors: { FAILED: { category: t, message: It failed } }
"""


_HINTS: Final = """\
errgen: 1
name: hints
version: 1.0.0
layers: { tool: { enum: ToolErrorCode, code: string, wire: mcp-tool-result } }
categories: { t: { layer: tool, retry: never } }
errors:
  BARE: { category: t, message: "{x}", params: { x: { type: string } } }
  HINTED:
    category: t
    message: "{x}"
    params: { x: { type: string } }
    recovery: { action: none, hint: Go on }
  STOPPED: { category: t, message: It ended., recovery: { action: none, hint: Go on } }
"""


@pytest.mark.parametrize("said", ["Plain", "See. Hint: this", "Hint: x", "What now?", "a: b"])
def test_a_message_is_read_from_the_text_as_it_was_said(tmp_path: Path, said: str) -> None:
    module = module_of(write_catalog(tmp_path, _HINTS))
    for make in (module.ToolError.bare, module.ToolError.hinted):
        assert module.from_wire(make(x=said).to_wire()).message == said
    assert module.from_wire(module.ToolError.stopped().to_wire()).message == "It ended."


def test_a_client_decides_for_its_own_operation() -> None:
    body = REF.as_tool_result(ConnectionError("x"))["structuredContent"]
    assert body["safe_to_retry"] is False
    read = REF.parse_response(body)
    assert read.safe_to_retry is False
    assert REF.should_retry(read, REF.OperationName.READ, 1)
    assert not REF.should_retry(read, REF.OperationName.WRITE, 1)


@pytest.mark.parametrize(
    "result",
    [
        {"content": [{"type": "text", "text": "{}"}], "structuredContent": {"code": "EUR"}},
        {"content": [], "structuredContent": {"code": 3002, "rate": 1.1}},
        {"content": [], "structuredContent": {"code": 3002, "message": 5, "retryable": True}},
        {"content": [], "structuredContent": {"code": 3002, "message": "m", "retryable": "yes"}},
        {"content": [{"type": "text", "text": "TIMEOUT (3002): how we fixed it"}]},
        {"content": [{"type": "text", "text": "NOT_FOUND: The object is gone"}]},
    ],
)
def test_what_does_not_say_that_it_failed_is_a_success(result: dict[str, Any]) -> None:
    assert REF.from_tool_result(result) is None
    assert REF.from_wire({"jsonrpc": "2.0", "id": 1, "result": result}) is None
    failed = REF.from_tool_result({**result, "isError": True})
    assert isinstance(failed, REF.CatalogError)


def test_an_error_in_its_own_words_is_one_without_the_flag() -> None:
    result = REF.ToolError.timeout().to_tool_result()
    for kept in (("content",), ("structuredContent",), ("content", "structuredContent")):
        read = REF.from_tool_result({key: result[key] for key in kept})
        assert read.code is REF.ErrorCode.TIMEOUT
    assert REF.from_tool_result({"content": result["content"]}).retryable
    # A whole body may be that of a success all the same.
    assert not REF.from_tool_result({"structuredContent": result["structuredContent"]}).retryable


def test_the_net_tells_an_error_of_the_catalog_of_its_case() -> None:
    options = {"fields": {"correlation_id": "c"}, "operation": "read", "retry_after_ms": 99_000}
    for error in (
        REF.ToolError.rate_limit_exceeded(),
        ConnectionError("x"),
        REF.ToolError.object_hidden(),
    ):
        body = REF.as_tool_result(error, **options)["structuredContent"]
        assert body["correlation_id"] == "c"
    body = REF.as_tool_result(REF.ToolError.rate_limit_exceeded(), **options)["structuredContent"]
    assert (body["safe_to_retry"], body["retry_after_seconds"]) == (True, 99)


def test_a_body_that_cannot_be_made_is_a_note_for_the_log() -> None:
    seen: list[Any] = []
    result = REF.as_tool_result(TimeoutError(), fields={"detials": {}}, log=seen.append)
    assert result.keys() == {"content", "isError"}
    assert seen[0].__notes__ == ["its body was not sent: the body has no field detials to be given"]
    wrongs: tuple[Any, ...] = (5, [], "x")
    for wrong in wrongs:
        assert REF.as_tool_result(TimeoutError(), fields=wrong)["isError"] is True


def test_what_is_relayed_tells_of_the_operation_that_relays_it() -> None:
    made = REF.ToolError.backend_unavailable(operation="read", fields={"correlation_id": "theirs"})
    read = REF.parse_response({**made.to_response(), "newer": 1})
    assert read.to_response()["safe_to_retry"] is True
    passed = REF.as_tool_result(read, operation="write", fields={"correlation_id": "ours"})
    body = passed["structuredContent"]
    assert (body["safe_to_retry"], body["correlation_id"], body["newer"]) == (False, "ours", 1)


@pytest.mark.parametrize("error", [{}, {"code": "x", "message": "m"}, None, 5, {"code": 1}])
def test_a_response_with_an_error_is_never_a_success(error: object) -> None:
    read = REF.from_wire({"jsonrpc": "2.0", "id": 1, "error": error})
    assert type(read) is REF.UnknownError
    assert not read.retryable
    assert S4.from_wire({"jsonrpc": "2.0", "id": 1, "error": error}).message == read.message


def test_a_whole_response_of_json_rpc_is_read_too() -> None:
    made = REF.ProtocolError.parse_error().to_jsonrpc_error(1)
    assert REF.from_jsonrpc_error(made).code == REF.from_jsonrpc_error(made["error"]).code


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        ({"type": "about:blank", "title": "Forbidden", "status": 403}, "Forbidden"),
        ({"title": "Forbidden", "status": 500, "detail": "Not you"}, "Not you"),
        ({"type": "https://x.org/p"}, "unknown error"),
        ({"title": 5}, "unknown error"),
    ],
)
def test_problem_details_of_others_are_unknown_errors(
    problem: dict[str, Any], message: str
) -> None:
    read = REF.from_problem(problem)
    assert (type(read), read.message, read.body) == (REF.UnknownError, message, problem)
    assert not read.retryable
    assert (REF.from_wire(problem) is not None) == ("status" in problem)


_SHARED: Final = """\
errgen: 1
name: shared
version: 1.0.0
categories: { a: { retry: never } }
x-owner: x
response:
  type: Body
  fields:
    code: { from: code }
    fixed: { value: { list: [1] } }
    owner: { from: x-owner }
errors: { A: { category: a, message: "A {n}", params: { n: { type: string } }, x-owner: { of: [1] } } }
"""


def test_constants_and_extensions_are_copied(tmp_path: Path) -> None:
    module = module_of(write_catalog(tmp_path, _SHARED))
    body = module.KnownError.a(n="1").to_response()
    body["fixed"]["list"].append(2)
    body["owner"]["of"].append(2)
    again = module.KnownError.a(n="1").to_response()
    assert (again["fixed"], again["owner"]) == ({"list": [1]}, {"of": [1]})
    # A body without a message leaves what the message took unknown.
    assert module.parse_response(body).message == "A ?"


def test_a_number_too_long_for_a_message_is_not_shown() -> None:
    error = REF.ToolError.value_out_of_range(field="f", minimum=10**5000, maximum=1)
    assert error.message == "Field f must be from ? to 1"


@pytest.mark.parametrize("wait", [-5, True, "5", float("nan"), None])
def test_a_wait_that_is_none_counts_for_nothing(wait: Any) -> None:
    assert REF.ToolError.timeout(retry_after_ms=wait).retry_after_ms is None


def test_a_wait_is_whole_milliseconds() -> None:
    assert REF.ToolError.timeout(retry_after_ms=2500.5).retry_after_ms == 2501
    assert REF.ToolError.timeout(retry_after_ms=float("inf")).retry_after_ms == 2**31 - 1


@pytest.mark.parametrize("value", [5, True, ["a"], object()])
def test_a_param_is_of_its_type(value: Any) -> None:
    with pytest.raises(ValueError, match="the param field of MISSING_REQUIRED_FIELD takes string"):
        REF.ToolError.missing_required_field(field=value)
    with pytest.raises(ValueError, match="takes number"):
        REF.ToolError.value_out_of_range(field="f", minimum=True, maximum="2")


def test_an_unknown_error_is_not_retried_where_its_body_says_no() -> None:
    body = {"code": 9999, "retryable": True}
    for safe, again in ((None, True), (True, True), (False, False)):
        read = REF.parse_response(body if safe is None else {**body, "safe_to_retry": safe})
        assert REF.should_retry(read, REF.OperationName.READ, 1) is again


def test_an_alias_makes_the_same_error() -> None:
    for spec in REF.SPECS.values():
        for alias in spec.aliases:
            kind = REF.ProtocolError if spec.layer == "protocol" else REF.ToolError
            assert getattr(kind, alias.lower()) is getattr(kind, spec.name.lower())
    assert any(spec.aliases for spec in REF.SPECS.values())
