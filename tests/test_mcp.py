"""Generated errors on their way through the official MCP SDKs: servers and clients of two generations, over stdio."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
from conftest import Node
from support import CATALOGS, ROOT, rendered, write_catalog

Json: TypeAlias = dict[str, Any]

_PEERS: Final = ROOT / "tests" / "mcp"
_NODE_MODULES: Final = ROOT / "tests" / "js" / "node_modules"
_PRIVATE: Final = "password=hunter2 in /srv/app/settings.py"
_PAIRINGS: Final = [
    (server, client)
    for server in ("2", "1")
    for client in ("python-2", "python-1", "node-2", "node-1")
]


def tool(factory: str, given: Json, fields: Json | None = None, name: str = "fail") -> Json:
    """Call a tool that returns an error of S0."""
    described = {"catalog": "s0", "kind": "DomainError", "factory": factory, "given": given}
    return {"catalog": "s0", "tool": name, "arguments": {**described, "fields": fields}}


def prompt(catalog: str, kind: str, factory: str, **given: Any) -> Json:
    """Get a prompt whose handler raises an error."""
    described = {"catalog": catalog, "kind": kind, "factory": factory, "given": given}
    return {"catalog": catalog, "prompt": "refuse", "arguments": {"made": json.dumps(described)}}


def body(code: int, message: str, *, retryable: bool, details: Json | None = None) -> Json:
    """Return the body that S0 promises."""
    known: Json = {"code": code, "message": message, "retryable": retryable}
    return {**known, "details": details} if details else known


_CONTEXT: Final = {"ids": [1, 2.5, "drei", None, True], "deep": {"empty": {}, "none": None}}
# Each of S0's eight codes by name: the call, and the body that must arrive as it is.
_CODES: Final[dict[str, tuple[Json, Json]]] = {
    "VALIDATION_ERROR": (
        tool("validation_error", {}, {"details": {"context": _CONTEXT}}),
        body(
            2001,
            "The parameters are not valid",
            retryable=False,
            details={"context": _CONTEXT},
        ),
    ),
    "MISSING_REQUIRED_FIELD": (
        tool(
            "missing_required_field",
            {"field": "order.customer.email"},
            {"details": {"field": "order.customer.email", "suggestion": "Send it"}},
        ),
        body(
            2002,
            "Required field order.customer.email is missing",
            retryable=False,
            details={"field": "order.customer.email", "suggestion": "Send it"},
        ),
    ),
    "INVALID_FORMAT": (
        tool("invalid_format", {"field": "größe\n€"}, {"details": {"reason": "NOT_A_NUMBER"}}),
        body(
            2003,
            "Field größe € has the wrong format",
            retryable=False,
            details={"field": "größe\n€", "reason": "NOT_A_NUMBER"},
        ),
    ),
    "RATE_LIMIT_EXCEEDED": (
        tool("rate_limit_exceeded", {}),
        body(3001, "Rate limit exceeded", retryable=True),
    ),
    "TIMEOUT": (tool("timeout", {}), body(3002, "The operation timed out", retryable=True)),
    "ADAPTER_ERROR": (
        tool(
            "adapter_error",
            {"retryable": True},
            {"details": {"originalError": "ORDER_NOT_FOUND"}},
        ),
        body(4001, "Adapter error", retryable=True, details={"originalError": "ORDER_NOT_FOUND"}),
    ),
    "BACKEND_UNAVAILABLE": (
        tool("backend_unavailable", {}),
        body(4002, "The backend is unavailable", retryable=True),
    ),
    "NOT_IMPLEMENTED": (
        tool("not_implemented", {}),
        body(5001, "The adapter does not support this tool", retryable=False),
    ),
}
# Protocol errors by name: the call, and the code, message and data that must arrive.
_PROTOCOL: Final[dict[str, tuple[Json, Json]]] = {
    "PARSE_ERROR": (
        prompt("s0", "ProtocolError", "parse_error"),
        {"code": -32700, "message": "Parse error"},
    ),
    "INVALID_REQUEST": (
        prompt("s0", "ProtocolError", "invalid_request", data="text"),
        {"code": -32600, "message": "Invalid request", "data": "text"},
    ),
    "METHOD_NOT_FOUND": (
        prompt("s0", "ProtocolError", "method_not_found", data=["a", 1]),
        {"code": -32601, "message": "Method not found", "data": ["a", 1]},
    ),
    "INVALID_PARAMS": (
        prompt("s0", "ProtocolError", "invalid_params", data={"at": _CONTEXT}),
        {"code": -32602, "message": "Invalid params", "data": {"at": _CONTEXT}},
    ),
    "INTERNAL_ERROR": (
        prompt("s0", "ProtocolError", "internal_error", data={"id": 7}),
        {"code": -32603, "message": "Internal error", "data": {"id": 7}},
    ),
    "HEADER_MISMATCH": (
        prompt("reference", "ProtocolError", "header_mismatch", header="MCP-Protocol-Version"),
        {
            "code": -32020,
            "message": "Header MCP-Protocol-Version does not agree with the request body",
        },
    ),
    "MISSING_REQUIRED_CLIENT_CAPABILITY": (
        prompt(
            "reference",
            "ProtocolError",
            "missing_required_client_capability",
            capability="sampling",
            data={"requiredCapabilities": {"sampling": {}}},
        ),
        {
            "code": -32021,
            "message": "The request needs the client capability sampling",
            "data": {"requiredCapabilities": {"sampling": {}}},
        },
    ),
    "UNSUPPORTED_PROTOCOL_VERSION": (
        prompt(
            "reference",
            "ProtocolError",
            "unsupported_protocol_version",
            requested="1.0",
            supported="2026-07-28",
            data={"requested": "1.0", "supported": ["2026-07-28"]},
        ),
        {
            "code": -32022,
            "message": "Protocol version 1.0 is not supported, only 2026-07-28",
            "data": {"requested": "1.0", "supported": ["2026-07-28"]},
        },
    ),
}


_CARRIED: Final = body(
    2002, "Required field city is missing", retryable=False, details={"field": "city"}
)


def crash(exception: str, name: str = "crash") -> Json:
    """Call a tool that raises an exception that nobody expects."""
    arguments = {"exception": exception, "secret": _PRIVATE}
    return {"catalog": "reference", "tool": name, "arguments": arguments}


def flaky(key: str, factory: str, *, is_read: bool) -> Json:
    """Call a tool that fails twice with an error of S0, whose catalog has no operations."""
    called = tool(factory, {}, name="flaky")
    return {**called, "arguments": {**called["arguments"], "key": key}, "is_read": is_read}


def flaky_operation(key: str, factory: str, operation: str, **given: Any) -> Json:
    """Call a tool of a known class of operation that fails twice."""
    described = {"catalog": "reference", "kind": "ToolError", "factory": factory}
    arguments = {**described, "given": {"operation": operation, **given}, "key": key}
    called = {"catalog": "reference", "tool": "flaky", "arguments": arguments}
    return {**called, "operation": operation}


def steps() -> dict[str, Json]:
    """Return every call of the exercise by name; those that begin with retry are repeated."""
    return {
        **{f"tool {name}": step for name, (step, _) in _CODES.items()},
        **{f"protocol {name}": step for name, (step, _) in _PROTOCOL.items()},
        "carried": prompt("s0", "DomainError", "missing_required_field", field="city"),
        "foreign": {"catalog": "s0", "resource": "file:///nobody/serves/resources"},
        "typed error": tool("missing_required_field", {"field": "city"}, name="typed"),
        "typed success": {"catalog": "s0", "tool": "typed", "arguments": {}},
        "crash RuntimeError": crash("RuntimeError"),
        "crash TimeoutError": crash("TimeoutError"),
        "crash beside a schema": crash("RuntimeError", "typed"),
        "retry read": flaky("a", "rate_limit_exceeded", is_read=True),
        "retry no read": flaky("b", "backend_unavailable", is_read=False),
        "retry never": flaky("c", "not_implemented", is_read=True),
        "retry paced": flaky_operation("d", "rate_limit_exceeded", "read", retry_after_ms=45_000),
        "retry twice": flaky_operation("e", "backend_unavailable", "idempotent_write"),
        "retry write": flaky_operation("f", "backend_unavailable", "write"),
    }


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with the generated modules and what the clients of Node import."""
    folder = tmp_path_factory.mktemp("mcp")
    published = CATALOGS["s0-mcp-server"].read_text("utf-8")
    # S0 has its errors in a result of its own form, which no tool result of MCP can have.
    as_tools = published.replace("wire: jsonrpc-result", "wire: mcp-tool-result")
    assert as_tools != published
    catalogs = {"s0": write_catalog(folder, as_tools), "reference": CATALOGS["reference"]}
    for name, path in catalogs.items():
        for target, suffix in (("python", "py"), ("typescript", "ts")):
            (text,) = rendered(path, target).values()
            (folder / f"{name}.{suffix}").write_text(text, "utf-8")
    for script in _PEERS.glob("*.mjs"):
        shutil.copy(script, folder)
    (folder / "node_modules").symlink_to(_NODE_MODULES, target_is_directory=True)
    return folder


@pytest.fixture(scope="module", params=_PAIRINGS, ids=lambda pair: f"server-{pair[0]}-{pair[1]}")
def pairing(request: pytest.FixtureRequest) -> tuple[str, str]:
    """Name a generation of the server, and a language and generation of the client."""
    pair: tuple[str, str] = request.param
    return pair


@pytest.fixture(scope="module")
def met(pairing: tuple[str, str], workshop: Path, node: Node) -> Json:
    """Let a client carry out the whole plan against a server, once, and return what it saw."""
    server, client = pairing
    plan = workshop / f"plan-{server}.json"
    started = {
        "command": sys.executable,
        "args": [str(_PEERS / "server.py")],
        "env": {"PYTHONPATH": python_path(server, workshop), "PYTHONUTF8": "1"},
    }
    plan.write_text(json.dumps({"server": started, "steps": steps()}), "utf-8")
    language, generation = client.split("-")
    if language == "node":
        result = node(f"client_{generation}.mjs", str(plan), cwd=workshop)
    else:
        result = run_python(generation, workshop, str(_PEERS / "client.py"), str(plan))
    assert result.returncode == 0, result.stderr
    seen: Json = json.loads(result.stdout)
    return {**seen, "log": result.stderr}


def python_path(generation: str, workshop: Path) -> str:
    """Return where Python finds one generation of the SDK and the generated modules."""
    sdk = ROOT / ".venv" / f"mcp-{generation}"
    if not (sdk / "mcp").is_dir():
        pytest.fail(f"{sdk.name} is not installed: run .ci/run once", pytrace=False)
    return os.pathsep.join((str(sdk), str(workshop)))


def run_python(generation: str, workshop: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a script with one generation of the SDK."""
    settings = {"PYTHONPATH": python_path(generation, workshop), "PYTHONUTF8": "1"}
    return subprocess.run(
        (sys.executable, *command),
        env=os.environ | settings,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def test_both_sides_are_of_the_wanted_generation(
    pairing: tuple[str, str], met: Json, capsys: pytest.CaptureFixture[str]
) -> None:
    server, client = pairing
    versions = met["met"]
    assert versions["server"].split(".")[0] == server
    assert versions["client"].split(".")[0] == client.split("-")[1]
    # Two newer sides agree on the newer protocol.
    newest = server == "2" and client.endswith("2")
    assert versions["protocol"] == ("2026-07-28" if newest else "2025-11-25")
    language = client.split("-")[0]
    line = f"server {versions['server']} met {language} client {versions['client']}"
    with capsys.disabled():
        sys.stdout.write(f"\n{line} in protocol {versions['protocol']}\n")


def test_the_session_works_after_every_step(met: Json) -> None:
    done = {name: step for name, step in met["steps"].items() if not name.startswith("retry ")}
    assert {name: step["after"] for name, step in done.items()} == dict.fromkeys(done, "pong")


@pytest.mark.parametrize("name", _CODES)
def test_a_code_travels_as_a_tool_result(name: str, met: Json) -> None:
    _, expected = _CODES[name]
    step = met["steps"][f"tool {name}"]
    assert step["form"] == "result"
    assert step["raw"]["isError"] is True
    assert step["error"] == {
        "name": name,
        "code": expected["code"],
        "message": expected["message"],
        "retryable": expected["retryable"],
        "body": expected,
    }


@pytest.mark.parametrize("name", _CODES)
def test_a_code_is_read_from_the_text_alone(name: str, met: Json) -> None:
    _, expected = _CODES[name]
    seen = met["steps"][f"tool {name}"]["text"]
    assert (seen["name"], seen["code"]) == (name, expected["code"])
    assert seen["message"] == expected["message"]
    # The text does not say what the catalog leaves open, so that nobody retries on a guess.
    assert seen["retryable"] is (expected["retryable"] and name != "ADAPTER_ERROR")


def test_an_error_travels_beside_an_output_schema(met: Json) -> None:
    step = met["steps"]["typed error"]
    assert step["form"] == "result"
    assert "structuredContent" not in step["raw"]
    assert step["raw"]["_meta"]["errgen/error"] == _CARRIED
    assert (step["error"]["name"], step["error"]["code"]) == ("MISSING_REQUIRED_FIELD", 2002)
    assert (step["error"]["retryable"], step["error"]["body"]) == (False, _CARRIED)


def test_what_an_output_schema_describes_is_no_error(met: Json) -> None:
    step = met["steps"]["typed success"]
    assert step["raw"]["structuredContent"] == {"sum": 3}
    assert (step["form"], step["error"]) == ("result", None)


@pytest.mark.parametrize("name", _PROTOCOL)
def test_a_protocol_error_travels_as_a_jsonrpc_error(
    name: str, pairing: tuple[str, str], met: Json
) -> None:
    _, wire = _PROTOCOL[name]
    step = met["steps"][f"protocol {name}"]
    assert step["form"] == "error"
    expected = {**wire, "message": as_told(pairing, wire["code"], wire["message"])}
    assert step["raw"] == expected
    assert step["error"] == {
        "name": name,
        "code": wire["code"],
        "message": wire["message"],
        "retryable": False,
        "body": expected,
    }


def as_told(pairing: tuple[str, str], code: int, message: str) -> str:
    """Return how a client tells the message of a JSON-RPC error: one of them puts the code before it."""
    return f"MCP error {code}: {message}" if pairing[1] == "node-1" else message


def test_an_error_of_a_tool_travels_as_a_jsonrpc_error_with_its_body(met: Json) -> None:
    step = met["steps"]["carried"]
    assert (step["form"], step["raw"]["code"]) == ("error", -32602)
    assert step["raw"]["data"] == _CARRIED
    assert (step["error"]["name"], step["error"]["code"]) == ("MISSING_REQUIRED_FIELD", 2002)
    assert (step["error"]["retryable"], step["error"]["body"]) == (False, _CARRIED)


def test_an_error_that_the_sdk_itself_makes_is_recognised(met: Json) -> None:
    step = met["steps"]["foreign"]
    assert (step["form"], step["raw"]["code"]) == ("error", -32601)
    assert (step["error"]["name"], step["error"]["retryable"]) == ("METHOD_NOT_FOUND", False)


@pytest.mark.parametrize(
    ("step", "calls", "delays", "error"),
    [
        ("read", 3, [100, 200], None),
        # S0 tells its clients to repeat whatever is retryable.
        ("no read", 3, [100, 200], None),
        ("never", 1, [], "NOT_IMPLEMENTED"),
        ("paced", 3, [45_000, 45_000], None),
        ("twice", 3, [100, 200], None),
        ("write", 1, [], "BACKEND_UNAVAILABLE"),
    ],
)
def test_a_client_retries_as_the_catalog_says(
    step: str, calls: int, delays: list[int], error: str | None, met: Json
) -> None:
    seen = met["steps"][f"retry {step}"]
    assert (seen["calls"], seen["delays"]) == (calls, delays)
    assert (seen["error"] and seen["error"]["name"]) == error


# What a tool raises: the error that the client is told of, and what the log says.
_CRASHES: Final[dict[str, tuple[tuple[str, int, bool], str]]] = {
    "crash RuntimeError": (
        ("UNEXPECTED_FAILURE", 4003, False),
        f"tool crash failed: {_PRIVATE}",
    ),
    "crash TimeoutError": (("TIMEOUT", 3002, True), "The operation took too long"),
    "crash beside a schema": (
        ("UNEXPECTED_FAILURE", 4003, False),
        f"tool typed failed: {_PRIVATE}",
    ),
}


@pytest.mark.parametrize("step", _CRASHES)
def test_the_safety_net_tells_the_log_alone_what_happened(step: str, met: Json) -> None:
    expected, logged = _CRASHES[step]
    seen = met["steps"][step]
    assert seen["form"] == "result"
    assert tuple(seen["error"][fact] for fact in ("name", "code", "retryable")) == expected
    assert [seen["error"]["body"][fact] for fact in ("name", "code")] == list(expected[:2])
    told = json.dumps(seen)
    secrets = ("hunter2", "settings.py", "Traceback", "RuntimeError", "TimeoutError")
    assert [secret for secret in secrets if secret in told] == []
    name, code, _ = expected
    assert f"{name} ({code}): {logged}" in met["log"].splitlines()
