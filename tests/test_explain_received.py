"""`errgen explain -`: bodies, wire forms and lines of logs on standard input, and what is said of them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
from click.testing import CliRunner, Result
from support import CATALOGS, catalog_of, python_of, write_catalog
from test_explain import ANSWER

from errgen.cli import main
from errgen.diagnostics import CatalogError
from errgen.explain import Answer, explain_received, in_form
from errgen.explain.received import MAX_BYTES
from errgen.wireforms import conformance

Read: TypeAlias = Callable[[Any], Answer]

_CATALOG: Final = """\
errgen: 1
name: shop
version: 1.0.0
docs_url: https://shop.example/errors
layers:
  protocol: { enum: ProtocolCode, code: integer, wire: jsonrpc-error }
  tool: { enum: ToolCode, code: integer, wire: mcp-tool-result }
categories:
  rpc: { retry: never, layer: protocol }
  input: { retry: never, layer: tool }
  system: { retry: backoff, layer: tool }
  vague: { retry: by_data, layer: tool }
ranges:
  - { first: -32768, last: -32600, category: rpc }
  - { first: 2000, last: 2999, category: input }
  - { first: 4000, last: 4999, category: system }
  - { first: 5000, last: 5999, category: vague }
retry_policies:
  backoff: { retryable: true, strategy: exponential, initial_delay: 100ms, max_attempts: 3 }
  by_data: { retryable: varies, strategy: fixed, initial_delay: 1s, max_attempts: 3 }
response:
  type: Failure
  wrap: error
  fields:
    kind: { value: failure }
    code: { from: code }
    category: { from: category }
    message: { from: message }
    retryable: { from: retryable }
    safe: { from: safe_to_retry }
    wait: { from: retry_after_seconds, optional: true }
    more: { optional: true, fields: { count: { type: number, optional: true } } }
    list: { type: array, optional: true, nullable: true }
    extra: { type: any, optional: true }
reserved:
  - { code: 2009, name: OLD_INPUT, reason: Merged, replaced_by: BAD_INPUT }
errors:
  PARSE_ERROR: { code: -32700, category: rpc, message: Not JSON }
  BAD_INPUT: { code: 2001, category: input, message: "Field {field} is bad, see {page}", jsonrpc_code: -32602,
    http_status: 400, params: { field: { type: string }, page: { type: string } } }
  ODD_INPUT: { code: 2002, category: input, message: The input is odd, jsonrpc_code: -32602 }
  TIMEOUT: { code: 4001, category: system, message: Too late, outcome: unknown, aliases: [LATE],
    recovery: { action: wait, hint: Wait for it } }
  SECRET: { code: 4002, category: system, message: Hidden, visibility: internal, conceal_as: TIMEOUT }
  BACKEND: { code: 5001, category: vague, message: The backend failed }
"""


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Read:
    """Explain what was received: text, bytes or data that is sent as JSON."""
    catalog = catalog_of(write_catalog(tmp_path_factory.mktemp("shop"), _CATALOG))

    def explained(received: Any) -> Answer:
        if not isinstance(received, str | bytes):
            received = json.dumps(received)
        content = received.encode() if isinstance(received, str) else received
        answer = explain_received({"c.yaml": catalog}, content)
        assert [*ANSWER.iter_errors(json.loads(in_form(answer, "json")))] == []
        for form in ("text", "markdown"):
            assert "\x1b" not in in_form(answer, form)
        return answer

    return explained


def names(answer: Answer) -> list[str]:
    """Return the names of what is explained or listed."""
    return [item["name"] for item in (*answer.explained, *answer.candidates)]


def differences(answer: Answer) -> list[str]:
    """Return what differs, in words."""
    assert answer.received is not None
    return [item["text"] for item in answer.received["differences"]]


def body(**fields: Any) -> dict[str, Any]:
    """Return the body of a TIMEOUT with other fields."""
    return {
        "kind": "failure",
        "code": 4001,
        "category": "system",
        "message": "Too late",
        "retryable": True,
        "safe": False,
        **fields,
    }


def forms() -> list[tuple[str, str, str]]:
    """Return catalog, error and wire form of each error in each form."""
    return [
        (name, error.name, form)
        for name, path in CATALOGS.items()
        for error in catalog_of(path).errors
        for form in conformance(catalog_of(path), error).get("forms", ())
    ]


@pytest.mark.parametrize(("name", "error", "form"), forms())
def test_every_error_is_known_in_every_form_and_does_not_differ(
    name: str, error: str, form: str
) -> None:
    catalog = catalog_of(CATALOGS[name])
    sent = conformance(catalog, next(item for item in catalog.errors if item.name == error))
    answer = explain_received({name: catalog}, json.dumps(sent["forms"][form]).encode())
    assert [item["code"] for item in answer.explained] == [sent.get("concealed_as", sent["code"])]
    assert differences(answer) == []


def attempts(module: Any, error: Any, told: Any) -> int:
    """Count the attempts that generated code makes with a received error, once the state is looked up."""
    plain: dict[str, dict[str, bool]] = {
        "reads": {"is_read": True},
        "writes that may be done twice": {"is_idempotent": True},
        "other writes": {},
    }
    count = 1
    if told in plain:
        while module.should_retry(error, count, **plain[told], reconciled=True):
            count += 1
    else:
        while module.should_retry(error, told, count, reconciled=True):
            count += 1
    return count


@pytest.mark.parametrize("name", [name for name in CATALOGS if name != "diagnostics"])
@pytest.mark.parametrize("retryable", [True, False])
def test_what_is_said_of_a_received_error_is_what_generated_code_does(
    name: str, retryable: bool
) -> None:
    catalog, module = catalog_of(CATALOGS[name]), python_of(name)
    response = catalog.response
    assert response is not None
    for error in catalog.errors:
        sent = conformance(catalog, error).get("forms", {}).get("body")
        place = response.paths.get("retryable")
        if sent is None or place is None:
            continue
        inner = sent[response.wrap] if response.wrap else sent
        inner[place[0]] = retryable
        answer = explain_received({name: catalog}, json.dumps(sent).encode())
        parsed = module.parse_response(sent)
        assert answer.received is not None
        retry = answer.received["retry"]
        assert retry["retryable"] == parsed.retryable
        for told in retry["operations"]:
            assert told["attempts"] == attempts(module, parsed, told["name"])
        assert retry["operations"] or not parsed.retryable


@pytest.mark.parametrize(
    ("received", "form"),
    [
        ({"error": body()}, "error body"),
        (body(), "error body"),  # without its wrapping
        ([{"error": body()}], "error body"),
        ({"level": "error", "response": {"error": body()}}, "error body"),
        (
            {"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "x", "data": body()}},
            "JSON-RPC response",
        ),
        ({"jsonrpc": "2.0", "id": 1, "result": {"error": body()}}, "JSON-RPC response"),
        (
            {"isError": True, "content": [], "structuredContent": {"error": body()}},
            "MCP tool result",
        ),
        ({"isError": True, "_meta": {"errgen/error": {"error": body()}}}, "MCP tool result"),
        (
            {"isError": True, "content": [{"type": "text", "text": "TIMEOUT (4001): Late."}]},
            "MCP tool result",
        ),
        (
            {"isError": True, "content": [{"type": "text", "text": json.dumps(body())}]},
            "MCP tool result",
        ),
        ({"type": "about:blank", "title": "TIMEOUT", "status": 504}, "problem details"),
        (
            {"type": "https://shop.example/errors#4001", "title": "Gone", "status": 504},
            "problem details",
        ),
        ("TIMEOUT", "line of text"),
        ("worker-7: LATE after 4002 ms", "line of text"),
        ("2026-12-03T04:00:01Z [2001ms] code=4001", "line of text"),
        ("10.4.0.1:2001 v2.2002 failed (4001)", "line of text"),
        ("sorry: Too late!", "line of text"),
        ('12:00 ERROR answer={"code": 4001, "message": "x"} 2002', "error body"),
        (json.dumps(body()) + "\n" + json.dumps({"code": 2002}), "error body"),
        ({"error": body(code=None, message="LATE again")}, "JSON"),
        ({"a": {"level": 3, "code": 17, "message": "TIMEOUT at 5001"}}, "JSON"),
        ('"TIMEOUT (4001)"', "line of text"),
        ("\ufeff" + json.dumps(body()), "error body"),
    ],
)
def test_an_error_is_found_in(read: Read, received: Any, form: str) -> None:
    answer = read(received)
    assert names(answer) == ["TIMEOUT"]
    assert len(answer.explained) == 1
    assert answer.received is not None
    assert answer.received["form"] == form


def test_params_of_a_message_do_not_hide_it(read: Read) -> None:
    assert names(read("oops: Field a.b is bad, see page 7")) == ["BAD_INPUT"]


def test_a_code_that_several_errors_travel_under_lists_them(read: Read) -> None:
    answer = read({"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "x"}})
    assert answer.explained == ()
    assert names(answer) == ["BAD_INPUT", "ODD_INPUT"]


def test_a_line_with_several_errors_lists_them(read: Read) -> None:
    assert names(read("first TIMEOUT, then BACKEND")) == ["TIMEOUT", "BACKEND"]


def test_the_name_counts_more_than_a_number(read: Read) -> None:
    assert names(read("5001 items: TIMEOUT")) == ["TIMEOUT"]


def test_a_retired_code_is_explained(read: Read) -> None:
    answer = read(body(code=2009))
    assert names(answer) == ["OLD_INPUT"]
    assert answer.explained[0]["kind"] == "reservation"


@pytest.mark.parametrize(
    ("received", "told"),
    [
        (body(category="input"), ['category is "input"; the catalog says "system"']),
        (body(kind="success"), ['kind is "success"; the catalog says "failure"']),
        (body(retryable=False), ["retryable is false; the catalog says true"]),
        (body(code="4001"), ['code is "4001"; the catalog says 4001']),
        (
            body(code=2001, category="input", wait=3),
            [
                "retryable is true; the catalog says false",
                "wait is 3; the catalog has none",
            ],
        ),
        (
            {"code": 5001, "message": "x", "category": "vague", "safe": False, "kind": "failure"},
            ["retryable is not there; every body has it"],
        ),
        (
            {"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "x", "data": body()}},
            ["error.code is -32602; the catalog says 4001"],
        ),
        (
            {"type": "about:blank", "title": "BAD_INPUT", "status": 500},
            ["status is 500; the catalog says 400"],
        ),
        (
            {"isError": False, "structuredContent": {"error": body()}},
            ["isError is false; the catalog says true"],
        ),
        (
            {"isError": True, "content": [{"type": "text", "text": "TIMEOUT (9): x"}]},
            ['content.0.text: the code is "9"; the catalog says "4001"'],
        ),
        (
            {"isError": True, "content": [{"type": "text", "text": json.dumps(body(kind="x"))}]},
            ['kind is "x"; the catalog says "failure"'],
        ),
        (
            '{"kind": 1e999, "code": 4001, "category": NaN, "message": "", "retryable": true, "safe": true}',
            [
                'category is "NaN"; the catalog says "system"',
                'kind is "1e999"; the catalog says "failure"',
            ],
        ),
        (body(message=5), ["message is 5; the catalog wants text"]),
        (body(message=None), ["message is null; the catalog wants text"]),
        (body(safe="no"), ['safe is "no"; the catalog wants true or false']),
        (body(wait="2"), ['wait is "2"; the catalog wants a whole number']),
        (body(wait=True), ["wait is true; the catalog wants a whole number"]),
        (body(wait=2.5), ["wait is 2.5; the catalog wants a whole number"]),
        (body(wait=2.0), []),
        (
            {**body(code=4002), "more": 1, "extra": []},
            [
                "SECRET is internal; callers are told TIMEOUT",
                "more is 1; the catalog wants an object",
            ],
        ),
        (body(more={"count": "1"}, extra={}), ['more.count is "1"; the catalog wants a number']),
        (body(more={"count": 1.5}, list=None, extra=1), []),
        (body(list={}), ["list is {}; the catalog wants a list"]),
        (body(), []),
        (body(new_field=1, safe=True), []),
    ],
)
def test_what_the_catalog_fixes_otherwise_is_told(
    read: Read, received: Any, told: list[str]
) -> None:
    answer = read(received)
    assert differences(answer) == told
    text = in_form(answer, "text").replace("\n" + " " * 16, " ")
    assert all(line in text for line in told)


@pytest.mark.parametrize(
    ("received", "retry"),
    [
        (body(), "wait 100 ms, 200 ms, then give up after 3 attempts"),
        (
            body(wait=2),
            "wait 100 ms, 200 ms, then give up after 3 attempts; the response asks for at least 2 s",
        ),
        (body(wait=-1), "wait 100 ms, 200 ms, then give up after 3 attempts"),
        (body(wait=float("inf")), "wait 100 ms, 200 ms, then give up after 3 attempts"),
        (body(wait="2"), "wait 100 ms, 200 ms, then give up after 3 attempts"),
        (body(retryable=False), "do not retry, the response says no"),
        (body(retryable="yes"), "do not retry, the response does not say that it may be"),
        (body(code=2001), "do not retry"),
        (body(code=5001), "wait 1 s, 1 s, then give up after 3 attempts"),
        (body(code=5001, retryable=None), "do not retry, the response does not say that it may be"),
        (
            {"isError": False, "structuredContent": {"error": body()}},
            "do not retry, the response does not say that it may be",
        ),
    ],
)
def test_the_body_has_its_say_on_retries(read: Read, received: Any, retry: str) -> None:
    answer = read(received)
    assert answer.received is not None
    assert answer.received["retry"]["text"] == retry
    if "wait" in received and received["wait"] == 2:
        assert answer.received["retry"]["operations"][0]["delays_ms"] == [2000, 2000]


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_what_the_response_denies_is_not_advised(read: Read, form: str) -> None:
    denied, allowed = (
        " ".join(in_form(read(body(retryable=word)), form).split()) for word in (False, True)
    )
    assert "Do not retry this one. Where a retry is allowed: Wait for it." in denied
    assert "Wait, then retry the same request" not in denied
    assert "Wait, then retry the same request, where that is safe. Wait for it." in allowed


@pytest.mark.parametrize("code", [4001, 9999, "\ud800"])
def test_half_a_character_is_written_in_every_form(read: Read, code: int | str) -> None:
    answer = read({"error": body(code=code, message="half \ud800", kind="\ud800")})
    for form in ("text", "markdown", "json"):
        assert in_form(answer, form).encode()
    assert answer.received is not None
    assert json.loads(in_form(answer, "json"))["received"]["message"] == "half \ud800"


def test_a_body_with_an_unknown_code_is_not_the_error_that_its_message_names(read: Read) -> None:
    answer = read({"error": {"code": 9999, "message": "see TIMEOUT", "retryable": True}})
    assert names(answer) == []
    assert answer.received is not None
    assert (answer.received["known"], answer.received["code"]) == (False, 9999)


def test_text_says_first_what_happened_and_then_what_was_received(read: Read) -> None:
    assert in_form(
        read(body(wait=2, retryable=True, message="Too \x1b[31mlate")), "text"
    ).startswith(
        "4001 TIMEOUT (shop 1.0.0)\n"
        "  Too late\n"
        "\n"
        "  retry         yes (backoff): wait 100 ms, 200 ms, then give up after 3 attempts; the\n"
        "                response asks for at least 2 s\n"
        "                reads, writes that may be done twice: 2 s, 2 s, then give up after 3\n"
        "                attempts\n"
        "                other writes: once looked up that it did not happen, 2 s, 2 s, then give\n"
        "                up after 3 attempts\n"
        "  outcome       It is unknown whether the operation happened.\n"
        "  what to do    Wait, then retry the same request, where that is safe. Wait for it.\n"
        "\n"
        "  received      error body\n"
        "  message       Too \\x1b[31mlate\n"
        "  says          retryable: yes, safe to retry: no, retry after 2 s\n"
    )


@pytest.mark.parametrize(
    ("received", "code", "delays"),
    [
        (body(code=4999), 4999, []),  # its body says that it is not safe
        (body(code=4999, safe=None), 4999, [1000, 2000]),
        (body(code=4999, safe=True, wait=1.5), 4999, [1500, 2000]),
        (body(code=4999, safe=True, retryable=False), 4999, []),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": -32001, "message": "New"}}, -32001, []),
    ],
)
def test_an_unknown_code_is_repeated_for_reads_alone(
    read: Read, received: Any, code: int, delays: list[int]
) -> None:
    answer = read(received)
    assert answer.explained == answer.candidates == ()
    assert answer.problem is not None
    assert answer.problem.message == f"no error has the code or name '{code}'"
    assert answer.received is not None
    told = answer.received
    assert (told["known"], told["code"]) == (False, code)
    assert [item["delays_ms"] for item in told["retry"]["operations"]] == (
        [delays] if delays else []
    )
    text = in_form(answer, "text")
    assert text.startswith(f"{code} is not in the catalog\n\n  received ")
    assert ("reads alone: wait" in text) == bool(delays)
    assert "what to do" in text


def test_what_is_said_of_an_unknown_code_is_what_generated_code_does() -> None:
    module = python_of("reference")
    received = {"code": 4999, "message": "New", "retryable": True, "retry_after_seconds": 1.5}
    catalog = catalog_of(CATALOGS["reference"])
    answer = explain_received({"c": catalog}, json.dumps(received).encode())
    assert answer.received is not None
    (told,) = answer.received["retry"]["operations"]
    error, read_ = module.parse_response(received), module.OperationName.READ
    assert attempts(module, error, module.OperationName.WRITE) == 1
    assert attempts(module, error, read_) == told["attempts"]
    assert [error.delay_ms(1, lambda: 1.0), error.delay_ms(2, lambda: 1.0)] == told["delays_ms"]


@pytest.mark.parametrize(
    ("received", "problem"),
    [
        ("", "it is empty"),
        (" \n", "it is empty"),
        (b"\xff", "byte 0xff is not UTF-8"),
        (b"x" * (MAX_BYTES + 1), "it is larger than 1 MiB"),
        ('{"code": 4001,', "it is not JSON: Expecting property name"),
        ('{"a":' * 100_000, "its JSON is nested too deep"),
        ('{"code": ' + "1" * 5000 + "}", "has a number too long"),
        ("hello", "no code, name or message of an error is in it"),
        ("42", "no code, name or message of an error is in it"),
        ("[]", "no code, name or message of an error is in it"),
        ({"content": [{"text": "{broken"}]}, "no code, name or message of an error is in it"),
        ("code \u0664\u0660\u0660\u0661", "no code, name or message of an error is in it"),
        ({"jsonrpc": "2.0", "error": {"code": {}, "message": []}}, "no code, name or message"),
        ({"jsonrpc": "2.0", "error": {"code": True}}, "no code, name or message of an error"),
        ({"code": 17}, "no code, name or message of an error is in it"),
        ({"code": True, "message": "x"}, "no code, name or message of an error is in it"),
        ("at 4001 ms, 4001% or 4001.5", "no code, name or message of an error is in it"),
    ],
)
def test_what_holds_no_error_is_a_finding(read: Read, received: Any, problem: str) -> None:
    with pytest.raises(CatalogError, match="cannot read an error from standard input") as caught:
        read(received)
    (item,) = caught.value.diagnostics
    assert item.code == "EG722"
    assert problem in item.message
    assert item.location.path == "<stdin>"


def test_a_mistake_in_json_is_found_by_its_place(read: Read) -> None:
    with pytest.raises(CatalogError) as caught:
        read('{\n  "code" 4001}')
    assert str(caught.value.diagnostics[0].location) == "<stdin>:2:10"


def test_what_is_large_and_deep_is_read_in_bounded_time(read: Read) -> None:
    wide = {"items": [{"code": 0}] * 60_000, "last": "TIMEOUT"}
    with pytest.raises(CatalogError):
        read(wide)
    assert names(read({"items": [[]] * 9000, "last": body()})) == ["TIMEOUT"]


def test_a_body_that_carries_the_name_is_known_by_it(tmp_path: Path) -> None:
    text = _CATALOG.replace("code: { from: code }", "code: { from: name }")
    catalogs = {"c.yaml": catalog_of(write_catalog(tmp_path, text))}
    for name in ("TIMEOUT", "LATE"):
        assert names(explain_received(catalogs, json.dumps(body(code=name)).encode())) == [
            "TIMEOUT"
        ]
    unknown = explain_received(catalogs, json.dumps(body(code="NEW_ONE")).encode())
    assert unknown.received is not None
    assert unknown.received["code"] == "NEW_ONE"


def invoke(text: str, *arguments: str) -> Result:
    return CliRunner().invoke(
        main, ["explain", "-", *arguments], input=text, catch_exceptions=False
    )


def test_standard_input_is_read_by_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_catalog(tmp_path, _CATALOG, "catalog/errors.yaml")
    monkeypatch.chdir(tmp_path)
    known = invoke(json.dumps(body()))
    assert (known.exit_code, known.stderr) == (0, "")
    assert known.stdout.startswith("4001 TIMEOUT (shop 1.0.0)\n")
    unknown = invoke(json.dumps(body(code=4999)), "--format", "json")
    assert unknown.exit_code == 1
    assert json.loads(unknown.stdout)["received"]["known"] is False
    assert "EG721 no error has the code or name '4999'" in unknown.stderr
    assert "codes from 4000 to 4999 are of category 'system'" in unknown.stderr
    wrong = invoke("{", "--format", "json")
    assert (wrong.exit_code, wrong.stdout) == (1, "")
    assert wrong.stderr.startswith("<stdin>:1:2: EG722 ")
