"""The running part of generated Python: messages, bodies, concealment, retries, translations and the safety net."""

import copy
import json
import math
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Checker
from support import CATALOGS, catalog_of, module_of, python_of, rendered, write_catalog

REF: Any = python_of("reference")
S1: Any = python_of("s1-gateway")
S3: Any = python_of("s3-sdk")
_CONTEXT = {"operation": "o", "subsystem": "s", "correlationId": "c"}


def error_of(module: Any, spec: Any, **options: Any) -> Any:
    """Make the error of a spec with sample values."""
    samples = {"string": "x", "integer": 1, "number": 1.5, "boolean": True}
    names = (f"{spec.layer.title()}Error", "KnownError")
    kind = next(getattr(module, name) for name in names if hasattr(module, name))
    params = {param.name: samples[param.type] for param in spec.params}
    retryable = False if spec.retryable is None else None
    return kind(spec.code, params, **{"retryable": retryable, **options})


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("one\ntwo\r\n\tthree", "one two three"),
        ("  spaced   out  ", "spaced out"),
        ("line\u2028separator\u2029", "line separator"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("bell\x07null\x00", "bellnull"),
        ("right\u202eleft", "rightleft"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("half \ud83d pair", "half \ufffd pair"),
        ("whole \U0001f600 pair", "whole \U0001f600 pair"),
        ("{field} {{}}", "{field} {{}}"),
    ],
)
def test_a_param_cannot_break_the_line(given: str, shown: str) -> None:
    error = REF.ToolError.validation_error(reason=given)
    assert error.message == f"The input is not valid: {shown}"
    assert error.message.encode()
    assert str(error) == error.message


def test_a_message_is_cut_at_its_limit_between_characters() -> None:
    error = S3.ToolError.tool_failed(reason="\U0001f600" * 600)
    assert len(error.message) == 512
    assert error.message.endswith("\U0001f600…")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (1e-5, "0.00001"),
        (1.5e-7, "1.5e-7"),
        (1e20, "100000000000000000000"),
        (2.0**60, "1152921504606847000"),
        (-1.5e16, "-15000000000000000"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e21, "1e+21"),
        (float("nan"), "NaN"),
        (float("-inf"), "-Infinity"),
        (10**16, "10000000000000000"),
    ],
)
def test_numbers_are_written_as_in_other_languages(value: float, shown: str) -> None:
    error = REF.ToolError.value_out_of_range(field="f", minimum=value, maximum=2)
    assert error.message == f"Field f must be from {shown} to 2"


@pytest.mark.parametrize(
    ("make", "log_message", "shown"),
    [
        (
            REF.ToolError.timeout,
            "TIMEOUT (3002): The operation took too long",
            "<ToolError TIMEOUT (3002): The operation took too long>",
        ),
        (
            S1.KnownError.resource_forbidden,
            "RESOURCE_FORBIDDEN: ",
            "<KnownError RESOURCE_NOT_REGISTERED: ",
        ),
        (
            lambda: REF.UnknownError("a\nb\x1b[31m", "m", retryable=False),
            "UNKNOWN (a b[31m): m",
            "<UnknownError UNKNOWN (a b[31m): m>",
        ),
        (
            lambda: REF.UnknownError([1], "m", retryable=False),
            "UNKNOWN: m",
            "<UnknownError UNKNOWN: m>",
        ),
        (
            lambda: REF.UnknownError(True, "m", retryable=False),
            "UNKNOWN: m",
            "<UnknownError UNKNOWN: m>",
        ),
    ],
)
def test_logs_have_the_name_and_the_code(make: Any, log_message: str, shown: str) -> None:
    error = make()
    assert error.log_message.startswith(log_message)
    assert repr(error).startswith(shown)
    assert str(error) == error.message


def test_the_log_message_alone_has_private_params() -> None:
    error = REF.ToolError.unexpected_failure(tool="search", exception="line 1\nline 2")
    assert error.log_message == "UNEXPECTED_FAILURE (4003): tool search failed: line 1 line 2"
    assert "search" not in json.dumps(error.to_wire()) + str(error)
    assert REF.ToolError.unexpected_failure().log_message.endswith(": tool ? failed: ?")


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: REF.ToolError.missing_required_field(field=None), "check \\['field'\\]"),
        (
            lambda: REF.ToolError.timeout().to_response({"correlation_id": 5}),
            "the field correlation_id takes string, not 5",
        ),
        (
            lambda: REF.ToolError.timeout().to_response({"details": {"field": ["a"]}}),
            "the field details.field takes string",
        ),
        (
            lambda: REF.ToolError.timeout().to_response({"details": "text"}),
            "details must be an object, not str",
        ),
        (
            lambda: S1.KnownError.timeout().to_response({**_CONTEXT, "upstreamStatus": 1.5}),
            "the field upstreamStatus takes integer, not 1.5",
        ),
        (lambda: S1.KnownError.timeout().to_response(None), "fields must be an object"),
        (lambda: REF.ToolError(REF.ProtocolErrorCode.PARSE_ERROR), "is no ErrorCode"),
        (lambda: REF.ProtocolError(REF.ErrorCode.TIMEOUT), "is no ProtocolErrorCode"),
        (lambda: REF.ToolError(3002), "is no ErrorCode"),
        (lambda: REF.ToolError(REF.ErrorCode.MISSING_REQUIRED_FIELD), "check \\['field'\\]"),
        (lambda: REF.ToolError(REF.ErrorCode.TIMEOUT, {"why": 1}), "check \\['why'\\]"),
        (
            lambda: REF.ToolError(REF.ErrorCode.TIMEOUT, private_params={"why": 1}),
            "TIMEOUT takes the private params \\[\\]; check \\['why'\\]",
        ),
        (lambda: REF.ToolError(REF.ErrorCode.ADAPTER_ERROR), "say whether"),
        (lambda: REF.ToolError(REF.ErrorCode.TIMEOUT, retryable=False), "retryable=True"),
        (lambda: REF.ToolError.not_found().to_jsonrpc_error(1), "has no jsonrpc_code"),
        (
            lambda: REF.ToolError.timeout(fields={"detials": {}}).to_response(),
            "no field detials",
        ),
        (
            lambda: REF.ToolError.timeout().to_response({"details": {"feild": 1}}),
            "no field details.feild",
        ),
        (lambda: S1.KnownError.timeout().to_response({}), "operation, subsystem, correlationId"),
        (lambda: REF.ToolError.timeout().delay_ms(0), "count from 1"),
        (lambda: REF.UnknownError(1, "m", retryable=True).delay_ms(0), "count from 1"),
        (lambda: REF.should_retry(REF.ToolError.timeout(), None, 0), "count from 1"),
    ],
)
def test_what_the_catalog_does_not_allow_is_a_value_error(make: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        make()


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (
            lambda: REF.ToolError.timeout(payment_id="p1"),
            (
                "TIMEOUT has no param or option 'payment_id'; params: none; "
                "options: fields, operation, retry_after_ms"
            ),
        ),
        (
            lambda: REF.ToolError.missing_required_field(field="a", feild="b"),
            (
                "MISSING_REQUIRED_FIELD has no param or option 'feild'; params: field; "
                "options: fields, operation, retry_after_ms"
            ),
        ),
        (
            lambda: REF.ToolError.unexpected_failure(tol="search"),
            (
                "UNEXPECTED_FAILURE has no param or option 'tol'; params: tool, exception; "
                "options: fields, operation, retry_after_ms"
            ),
        ),
        (
            lambda: REF.ToolError.timeout(retryable=True, correlation_id="c"),
            (
                "TIMEOUT has no param or option 'correlation_id'; params: none; "
                "options: fields, operation, retry_after_ms; "
                'give a field of the body as fields={"correlation_id": ...}'
            ),
        ),
        (
            lambda: REF.ToolError(REF.ErrorCode.TIMEOUT, original_error="E1"),
            (
                "TIMEOUT has no param or option 'original_error'; params: none; "
                "options: fields, operation, retry_after_ms; "
                'give a field of the body as fields={"details": {"original_error": ...}}'
            ),
        ),
        (
            lambda: REF.ToolError.not_found(details={}),
            (
                "NOT_FOUND has no param or option 'details'; params: none; "
                "options: fields, operation, retry_after_ms; "
                'give a field of the body as fields={"details": ...}'
            ),
        ),
        (lambda: REF.translate_exceptions(TimeoutError(), nope=1), "TIMEOUT has no param .*"),
        (
            lambda: REF.as_tool_result(REF.ToolError.timeout(), nope=1),
            "TIMEOUT has no param or option 'nope'; .*",
        ),
    ],
)
def test_a_keyword_that_nothing_takes_is_a_type_error(make: Any, problem: str) -> None:
    pattern = problem if problem.endswith(".*") else re.escape(problem)
    with pytest.raises(TypeError, match=f"^{pattern}$"):
        make()


def test_the_cause_is_kept_and_never_sent() -> None:
    cause = KeyError("secret")
    with pytest.raises(REF.CatalogError) as caught:
        raise REF.ToolError.backend_unavailable() from cause
    assert caught.value.__cause__ is cause
    assert "secret" not in json.dumps(caught.value.to_wire())


@pytest.mark.parametrize("name", CATALOGS)
def test_errors_can_be_copied_and_sent_to_another_process(name: str) -> None:
    module = python_of(name)
    for spec in module.SPECS.values():
        error = error_of(module, spec)
        again = pickle.loads(pickle.dumps(error))  # noqa: S301
        for other in (again, copy.deepcopy(error)):
            assert type(other) is type(error)
            assert (other.code, other.message, other.params, other.retryable) == (
                error.code,
                error.message,
                error.params,
                error.retryable,
            )


@pytest.mark.parametrize(
    "name",
    [name for name in CATALOGS if any(e.is_internal for e in catalog_of(CATALOGS[name]).errors)],
)
def test_what_leaves_of_an_internal_error_is_what_leaves_of_the_other(name: str) -> None:
    module: Any = python_of(name)
    context = [_CONTEXT] if name == "s1-gateway" else []
    for spec in module.SPECS.values():
        if not spec.is_internal:
            continue
        shown = module.spec(spec.conceal_as)
        internal = error_of(
            module,
            spec,
            private_params={param.name: "secret" for param in spec.private_params},
            retry_after_ms=5000,
        )
        public = error_of(module, shown)
        named = {"fields": context[0]} if context else {}
        assert internal.to_wire(**named) == public.to_wire(**named)
        assert internal.to_response(*context) == public.to_response(*context)
        assert str(internal) == str(public)
        assert internal.code == spec.code
        assert internal.log_message != public.log_message
        if hasattr(internal, "to_problem"):
            assert internal.to_problem(*context) == public.to_problem(*context)


def test_fields_that_every_body_has_leave_with_an_internal_error_too() -> None:
    hidden = S1.KnownError.resource_forbidden(
        fields={**_CONTEXT, "sessionId": "s", "actualState": "a"}
    )
    absent = S1.KnownError.resource_not_registered(
        fields={**_CONTEXT, "sessionId": "s", "actualState": "a"}
    )
    assert hidden.to_response({}) == absent.to_response({})


def test_details_that_were_raised_with_an_internal_error_do_not_leave() -> None:
    hidden = REF.ToolError.object_hidden(fields={"details": {"context": "secret"}})
    assert "secret" not in json.dumps(hidden.to_wire())
    assert hidden.to_response({"correlation_id": "c"})["correlation_id"] == "c"


def test_fields_of_the_sender_and_of_the_raiser_are_both_sent() -> None:
    error = REF.ToolError.missing_required_field(
        field="a.b", fields={"details": {"reason": "absent"}, "correlation_id": "inner"}
    )
    body = error.to_response({"correlation_id": "outer", "details": {"context": None}})
    assert body["correlation_id"] == "inner"
    assert body["details"] == {"field": "a.b", "reason": "absent", "context": None}


@pytest.mark.parametrize(
    ("operation", "safe"),
    [(None, False), ("read", True), ("idempotent_write", True), ("write", False), ("new", False)],
)
def test_safe_to_retry_is_worked_out_for_the_operation_that_failed(
    operation: str | None, safe: bool
) -> None:
    options = {} if operation is None else {"operation": operation}
    assert REF.ToolError.backend_unavailable(**options).to_response()["safe_to_retry"] is safe


@pytest.mark.parametrize(("asked", "seconds"), [(None, 30), (1, 30), (30_001, 31), (45_000, 45)])
def test_the_longer_wait_is_sent_in_whole_seconds(asked: int | None, seconds: int) -> None:
    options = {} if asked is None else {"retry_after_ms": asked}
    error = REF.ToolError.rate_limit_exceeded(**options)
    assert error.to_response()["retry_after_seconds"] == seconds
    assert error.retry_after_ms == max(asked or 0, 30_000)
    assert error.delay_ms(1) == max(asked or 0, 30_000)


def test_a_received_error_keeps_all_that_came_and_goes_on_as_it_came() -> None:
    body = {**REF.ToolError.timeout().to_response(), "newer": {"field": [1]}}
    error = REF.parse_response(body)
    assert type(error) is REF.ToolError
    assert error.code is REF.ErrorCode.TIMEOUT
    assert error.body == body
    assert error.to_response() == body


@pytest.mark.parametrize(
    "body",
    [
        {"code": 9999, "message": "new", "retryable": True},
        {"code": "3002", "message": "text", "retryable": True},
        {"code": -32700, "message": "a protocol's code in a body", "retryable": True},
        {"code": True, "retryable": True},
        {"code": None},
        {},
        [],
        "text",
        None,
        5,
    ],
)
def test_an_error_that_nobody_knows_keeps_its_body(body: Any) -> None:
    error = REF.parse_response(body)
    assert type(error) is REF.UnknownError
    assert error.spec is None
    assert error.body == (body if isinstance(body, dict) else {"body": body})
    retryable = isinstance(body, dict) and body.get("retryable") is True
    decisions = {
        operation: REF.should_retry(error, operation, 1, reconciled=True)
        for operation in REF.OperationName
    }
    assert decisions == {
        operation: retryable and operation == "read" for operation in REF.OperationName
    }
    assert not REF.should_retry(error, None, 1)


def test_an_unknown_error_is_retried_slowly_and_not_for_ever() -> None:
    error = REF.parse_response({"code": 9999, "retryable": True, "retry_after_seconds": 1.5})
    assert [error.delay_ms(attempt, lambda: 0.5) for attempt in range(1, 4)] == [1500, 1500, 3000]
    assert error.max_attempts == 3
    assert error.delay_ms(99, lambda: 0.0) == 15_000


@pytest.mark.parametrize(
    ("change", "retryable", "again"),
    [
        ({}, True, True),
        ({"retryable": False}, False, False),
        ({"retryable": "yes"}, False, False),
        # The server may not have known the class of the operation; the client does.
        ({"safe_to_retry": False}, True, True),
        ({"safe_to_retry": True}, True, True),
        ({"retry_after_seconds": -1}, True, True),
        ({"retry_after_seconds": "soon"}, True, True),
    ],
)
def test_client_and_server_must_agree_that_a_retry_is_right(
    change: dict[str, Any], retryable: bool, again: bool
) -> None:
    body = REF.ToolError.backend_unavailable(operation=REF.OperationName.READ).to_response()
    error = REF.parse_response({**body, **change})
    assert error.retryable is retryable
    assert REF.should_retry(error, REF.OperationName.READ, 1) is again


def test_what_the_catalog_denies_no_body_allows() -> None:
    body = REF.ToolError.not_found().to_response()
    error = REF.parse_response({**body, "retryable": True, "safe_to_retry": True})
    assert not error.retryable
    assert not REF.should_retry(error, REF.OperationName.READ, 1)


@pytest.mark.parametrize("said", [None, "yes", 1])
def test_what_varies_is_retried_only_if_the_body_says_so(said: object) -> None:
    body = REF.ToolError.adapter_error(retryable=True).to_response()
    silent = {key: value for key, value in body.items() if key != "retryable"}
    assert REF.parse_response(body).retryable
    assert not REF.parse_response(
        silent if said is None else {**silent, "retryable": said}
    ).retryable


def test_exceptions_of_others_are_never_retried() -> None:
    for error in (None, ValueError("x"), KeyboardInterrupt()):
        assert not REF.should_retry(error, REF.OperationName.READ, 1)


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (503, "CONNECTOR_UNAVAILABLE"),
        (500, "TARGET_UNAVAILABLE"),
        (599, "TARGET_UNAVAILABLE"),
        (404, "UPSTREAM_PROTOCOL_ERROR"),
        (200, "UPSTREAM_PROTOCOL_ERROR"),
        (0, "UPSTREAM_PROTOCOL_ERROR"),
    ],
)
def test_a_status_comes_before_its_class(status: int, expected: str) -> None:
    error = S1.translate_upstream_http(status, connector="Gitea", reason="r")
    assert error.name == expected
    assert error.to_response(_CONTEXT)["error"]["upstreamStatus"] == status


class _LateError(TimeoutError):
    pass


class _MuteError(Exception):
    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (TimeoutError(), "TIMEOUT"),
        (_LateError(), "TIMEOUT"),
        (ConnectionResetError(), "BACKEND_UNAVAILABLE"),
        (FileNotFoundError(), "NOT_FOUND"),
        (OSError(), "UNEXPECTED_FAILURE"),
        (KeyError("k"), "UNEXPECTED_FAILURE"),
        (_MuteError(), "UNEXPECTED_FAILURE"),
        (REF.ToolError.conflict(), "CONFLICT"),
        (REF.ProtocolError.parse_error(), "UNEXPECTED_FAILURE"),
    ],
)
def test_the_most_specific_class_of_an_exception_decides(error: Exception, expected: str) -> None:
    made = REF.translate_exceptions(error)
    assert made.name == expected
    assert made is error or made.__cause__ is error


def test_the_safety_net_makes_a_result_of_anything_and_logs_it() -> None:
    seen: list[Any] = []
    result = REF.as_tool_result(KeyError("secret"), tool="search", log=seen.append)
    assert result["isError"] is True
    assert "secret" not in json.dumps(result)
    assert seen[0].log_message == "UNEXPECTED_FAILURE (4003): tool search failed: 'secret'"


def test_a_tool_with_an_output_schema_has_the_body_elsewhere() -> None:
    error = REF.ToolError.timeout()
    result = error.to_tool_result(body_in="_meta")
    assert result["_meta"] == {REF.ERROR_META_KEY: error.to_response()}
    assert "structuredContent" not in result
    assert REF.from_wire(result).code is REF.ErrorCode.TIMEOUT
    assert error.to_tool_result(body_in=None).keys() == {"content", "isError"}


def test_an_error_is_read_from_its_text_alone() -> None:
    result = REF.ToolError.missing_required_field(field="a: b. Hint: c").to_tool_result()
    for kept in (("content",), ("content", "isError")):
        error = REF.from_wire({key: result[key] for key in kept})
        assert error.code is REF.ErrorCode.MISSING_REQUIRED_FIELD
        assert error.message == "Required field a: b. Hint: c is missing"
        assert not error.retryable


@pytest.mark.parametrize(
    "message",
    [
        {"content": [{"type": "text", "text": "fine"}]},
        {"content": [{"type": "text", "text": "TIMEOUT (9): no"}]},
        {"content": [{"type": "text", "text": "TIMEOUT (3002): x"}], "isError": False},
        {"content": [], "structuredContent": {"code": 3002}, "isError": False},
        {"jsonrpc": "2.0", "id": 1, "result": {"content": []}},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"title": "Something", "status": 200},
        {"title": "Something"},
        {},
        [],
        None,
        "TIMEOUT (3002): x",
    ],
)
def test_what_is_no_error_is_read_as_none(message: object) -> None:
    assert REF.from_wire(message) is None


def test_a_failed_tool_that_says_nothing_is_an_unknown_error() -> None:
    for content in ([], [{"type": "image"}], [{"type": "text", "text": "boom\n"}], None):
        error = REF.from_wire({"content": content, "isError": True})
        assert type(error) is REF.UnknownError
        assert error.body == {"content": content, "isError": True}
        assert error.message in ("boom", "unknown error")


def test_a_protocol_error_keeps_its_data() -> None:
    error = REF.ProtocolError.invalid_params(method="tools/call", data={"field": "a"})
    wire = error.to_wire(7)
    assert wire["id"] == 7
    for message in (wire, wire["error"]):
        read = REF.from_wire(message)
        assert (type(read), read.data) == (REF.ProtocolError, {"field": "a"})
    unknown = REF.from_wire({"code": -32000, "message": "Legacy", "data": 1})
    assert (type(unknown), unknown.code) == (REF.UnknownError, -32000)


_WRONG = """\
from errors import ErrorCode, ProtocolError, ProtocolErrorCode, ToolError, should_retry, OperationName
ToolError(ProtocolErrorCode.PARSE_ERROR)
ProtocolError(ErrorCode.TIMEOUT)
ProtocolError.parse_error().to_tool_result()
ProtocolError.parse_error().to_response()
ToolError.missing_required_field()
ToolError.missing_required_field("field")
ToolError.missing_required_field(field=1)
ToolError.adapter_error()
ToolError.timeout(retryable=False)
ToolError.timeout(fields={"detials": {}})
ToolError.timeout(operation="wirte")
should_retry(ToolError.timeout(), OperationName.READ)
"""


def test_mistakes_are_type_errors(mypy_strict: Checker, tmp_path: Path) -> None:
    (text,) = rendered(CATALOGS["reference"], "python").values()
    (tmp_path / "errors.py").write_text(text, "utf-8")
    wrong = tmp_path / "wrong.py"
    wrong.write_text(_WRONG, "utf-8")
    found = mypy_strict(wrong, tmp_path / "errors.py").stdout
    lines = {int(line.split(":")[1]) for line in found.splitlines() if "wrong.py:" in line}
    assert lines == set(range(2, len(_WRONG.splitlines()) + 1)), found


def test_names_that_are_taken_have_an_underscore(tmp_path: Path, mypy_strict: Checker) -> None:
    path = write_catalog(tmp_path, _TAKEN)
    (text,) = rendered(path, "python").values()
    (tmp_path / "taken.py").write_text(text, "utf-8")
    assert mypy_strict(tmp_path / "taken.py").returncode == 0
    scope: dict[str, Any] = {"__name__": "taken"}
    exec(compile(text, "taken.py", "exec"), scope)  # noqa: S102
    error = scope["KnownError"].import_(fields_="f", class_="c", operation_="o")
    assert error.message == "f c o"
    assert scope["KnownError"].code_().code == "CODE"
    made = scope["translate_http"](500, status_="s", spec="x", values="v", class_="c")
    assert made.message == "s x v"


_TAKEN = """\
errgen: 1
name: taken
version: 1.0.0
categories: { a: { retry: never } }
operations: { read: { effect: read, max_attempts: 2 } }
response: { type: Body, fields: { code: { from: code } } }
translations: { http: { kind: http-status, map: { 5xx: NAME }, default: NAME } }
errors:
  IMPORT:
    category: a
    message: "{fields} {class} {operation}"
    params: { fields: { type: string }, class: { type: string }, operation: { type: string } }
  CODE: { category: a, message: Code }
  NAME:
    category: a
    message: "{status} {spec} {values}"
    params: { status: { type: string }, spec: { type: string }, values: { type: string }, class: { type: string } }
"""


_RETIRED = """\
errgen: 1
name: retired
version: 1.0.0
layers: { number: { enum: NumberCode, code: integer }, text: { enum: TextCode, code: string } }
categories: { n: { layer: number, retry: never }, t: { layer: text, retry: never } }
ranges: [{ first: 1, last: 99, category: n }]
reserved:
  - { first: 50, last: 59, reason: Span }
  - { code: 51, name: OLD, reason: Number }
  - { prefix: X-, reason: Prefix }
  - { code: X-1, name: X_1, replaced_by: OPEN, reason: Text }
  - { name: NAME_ALONE, reason: Name }
errors:
  ONE: { code: 1, category: n, message: One }
  OPEN: { category: t, message: Open }
"""


@pytest.fixture(scope="module")
def retired(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Import the module of a catalog with reservations."""
    return module_of(write_catalog(tmp_path_factory.mktemp("retired"), _RETIRED), "retired")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (51, "Number"),
        (50, "Span"),
        (59, "Span"),
        (49, None),
        (60, None),
        ("X-1", "Text"),
        ("X-2", "Prefix"),
        ("x-1", None),
        ("51", None),
        (51.0, "Number"),
        (50.0, "Span"),
        (50.5, None),
        (math.nan, None),
        (math.inf, None),
        (True, None),
        (None, None),
        ([], None),
        (1, None),
        ("OPEN", None),
        ("NAME_ALONE", None),
    ],
)
def test_a_code_that_is_no_longer_in_use_is_found(
    retired: Any, code: object, reason: str | None
) -> None:
    found = retired.find_reserved(code)
    assert (found and found.reason) == reason
    assert retired.find(code) is None or found is None


def test_a_retired_code_is_an_unknown_error_which_is_not_repeated_blindly() -> None:
    body = {"code": 2004, "message": "Bad encoding", "retryable": True, "details": {}}
    error = REF.parse_response(body)
    assert (type(error), error.spec) == (REF.UnknownError, None)
    assert REF.should_retry(error, REF.OperationName.READ, 1)
    assert not REF.should_retry(error, None, 1)
    assert REF.find_reserved(error.code).replaced_by == "INVALID_FORMAT"
    assert not hasattr(REF.ErrorCode, "BAD_ENCODING")


def test_a_catalog_without_reservations_has_no_look_up_for_them() -> None:
    assert not hasattr(S1, "find_reserved")


def test_the_look_up_of_reservations_is_typed(
    tmp_path: Path, mypy_strict: Checker, pyright: Checker
) -> None:
    (text,) = rendered(write_catalog(tmp_path, _RETIRED), "python").values()
    (tmp_path / "retired.py").write_text(text, "utf-8")
    for check in (mypy_strict, pyright):
        result = check(tmp_path / "retired.py")
        assert result.returncode == 0, result.stdout
