"""Serves the errors of generated modules over stdio, under either generation of the Python SDK."""

import asyncio
import builtins
import json
import sys
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from typing import Any, Final, TypeAlias

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

Arguments: TypeAlias = dict[str, Any]
Result: TypeAlias = dict[str, Any]

_VERSION: Final = version("mcp")
_IS_FIRST: Final = _VERSION.startswith("1.")
_CATALOGS: Final = {name: import_module(name) for name in ("s0", "reference")}
_SUM: Final = {
    "type": "object",
    "properties": {"sum": {"type": "integer"}},
    "required": ["sum"],
    "additionalProperties": False,
}
_calls: Final = Counter[str]()


def made(arguments: Arguments) -> Any:
    """Make the error that the arguments describe, with its factory."""
    kind = getattr(_CATALOGS[arguments["catalog"]], arguments["kind"])
    return getattr(kind, arguments["factory"])(**arguments.get("given", {}))


def ping(_arguments: Arguments) -> Result:
    """Show that the session still works."""
    return {"content": [{"type": "text", "text": "pong"}]}


def fail(arguments: Arguments) -> Result:
    """Return an error where every tool may have it."""
    result: Result = made(arguments).to_tool_result(arguments.get("fields"))
    return result


def typed(arguments: Arguments) -> Result:
    """Return an error beside the output schema of this tool, or without arguments what the schema says."""
    if not arguments:
        return {"content": [], "structuredContent": {"sum": 3}}
    if "exception" in arguments:
        return crash(arguments)
    result: Result = made(arguments).to_tool_result(arguments.get("fields"), body_in="_meta")
    return result


def flaky(arguments: Arguments) -> Result:
    """Fail twice, then work."""
    _calls[arguments["key"]] += 1
    return fail(arguments) if _calls[arguments["key"]] <= 2 else ping(arguments)


def crash(arguments: Arguments) -> Result:
    """Raise what no handler expects."""
    raise getattr(builtins, arguments["exception"])(arguments["secret"])


_TOOLS: Final[dict[str, Callable[[Arguments], Result]]] = {
    tool.__name__: tool for tool in (ping, fail, typed, flaky, crash)
}


def tools() -> list[types.Tool]:
    """Describe the tools; one of them declares what it returns."""
    anything = {"type": "object"}
    described = [{"name": name, "inputSchema": anything} for name in _TOOLS]
    return [
        types.Tool.model_validate(
            tool | ({"outputSchema": _SUM} if tool["name"] == "typed" else {})
        )
        for tool in described
    ]


def call(name: str, arguments: Arguments) -> types.CallToolResult:
    """Call a tool above the safety net."""
    try:
        result = _TOOLS[name](arguments)
    except Exception as error:  # noqa: BLE001 - a net catches whatever falls
        place = "_meta" if name == "typed" else "structuredContent"
        net = _CATALOGS["reference"].as_tool_result
        result = net(error, tool=name, body_in=place, log=log)
    return types.CallToolResult.model_validate(result)


def log(error: Any) -> None:
    """Write to the log, which no client can read, as the protocol travels over the standard output."""
    sys.stderr.write(f"{error.log_message}\n")


def refuse(arguments: dict[str, str] | None) -> types.GetPromptResult:
    """Raise a protocol error: the handler of a prompt has no result that could hold one."""
    wire = made(json.loads((arguments or {})["made"])).to_jsonrpc_error()["error"]
    data = types.ErrorData(**wire)
    if _IS_FIRST:
        from mcp import McpError

        raise McpError(data)
    from mcp import MCPError

    raise MCPError.from_error_data(data)


def first() -> Any:
    """Make a server of the first generation, which takes its handlers one by one."""

    async def _list() -> list[types.Tool]:
        return tools()

    async def _call(name: str, arguments: Arguments) -> types.CallToolResult:
        return call(name, arguments)

    async def _prompt(_name: str, arguments: dict[str, str] | None) -> types.GetPromptResult:
        return refuse(arguments)

    server = Server("errors", version=_VERSION)
    server.list_tools()(_list)
    server.call_tool()(_call)
    server.get_prompt()(_prompt)
    return server


def second() -> Any:
    """Make a server of the second generation, which takes its handlers at once."""

    async def _list(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools())

    async def _call(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        return call(params.name, params.arguments or {})

    async def _prompt(_context: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        return refuse(params.arguments)

    return Server(
        "errors",
        version=_VERSION,
        on_list_tools=_list,
        on_call_tool=_call,
        on_get_prompt=_prompt,
    )


async def main() -> None:
    """Serve until the client closes the stream."""
    server = first() if _IS_FIRST else second()
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
