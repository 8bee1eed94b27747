"""Carries out a plan of calls with either generation of the Python SDK, and prints what came of each as JSON."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeAlias

from mcp import ClientSession, StdioServerParameters, stdio_client

Json: TypeAlias = dict[str, Any]

_VERSION: Final = version("mcp")


@asynccontextmanager
async def first(server: StdioServerParameters) -> AsyncIterator[tuple[Any, Json]]:
    """Connect with the first generation."""
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        yield session, {"server": hello.serverInfo.version, "protocol": hello.protocolVersion}


@asynccontextmanager
async def second(server: StdioServerParameters) -> AsyncIterator[tuple[Any, Json]]:
    """Connect with the second generation, which asks for the newest protocol first."""
    from mcp import Client

    async with Client(server) as client:
        yield client, {"server": client.server_info.version, "protocol": client.protocol_version}


async def answer(session: Any, step: Json) -> tuple[str, Json]:
    """Make one call, and return which form its answer has and the answer as JSON."""
    if _VERSION.startswith("1."):
        from mcp import McpError as WireError
    else:
        from mcp import MCPError as WireError
    try:
        if "tool" in step:
            result = await session.call_tool(step["tool"], step["arguments"])
        elif "prompt" in step:
            result = await session.get_prompt(step["prompt"], step["arguments"])
        else:
            result = await session.read_resource(step["resource"])
    except WireError as error:
        return "error", error.error.model_dump(mode="json", by_alias=True, exclude_none=True)
    return "result", result.model_dump(mode="json", by_alias=True, exclude_none=True)


def shown(error: Any) -> Json | None:
    """Show what the generated module knows of an error."""
    if error is None:
        return None
    facts = ("name", "code", "message", "retryable", "body")
    return {fact: getattr(error, fact) for fact in facts}


async def stepped(session: Any, module: Any, step: Json) -> Json:
    """Carry out a step, then prove with another call that the session has survived it."""
    form, raw = await answer(session, step)
    if form == "error":
        seen = {"error": shown(module.from_jsonrpc_error(raw))}
    else:
        text = {"content": raw.get("content")}
        seen = {
            "error": shown(module.from_tool_result(raw)),
            "text": shown(module.from_tool_result(text)),
        }
    _, pong = await answer(session, {"tool": "ping", "arguments": {}})
    return {"form": form, "raw": raw, **seen, "after": pong["content"][0]["text"]}


async def retried(session: Any, module: Any, step: Json) -> Json:
    """Call a tool until it works or is not to be called again; the waits are asked for, not waited."""
    delays: list[int] = []
    for attempt in count(1):
        _, raw = await answer(session, step)
        error = module.from_tool_result(raw)
        if "operation" in step:
            again = module.should_retry(error, module.OperationName(step["operation"]), attempt)
        else:
            again = module.should_retry(error, attempt, is_read=step["is_read"])
        if not again:
            return {"calls": attempt, "delays": delays, "error": shown(error)}
        delays.append(error.delay_ms(attempt, lambda: 0.5))
    raise AssertionError


async def main(plan: Json) -> None:
    """Carry out the plan in one session."""
    modules = {name: import_module(name) for name in ("s0", "reference")}
    connect = first if _VERSION.startswith("1.") else second
    async with connect(StdioServerParameters(**plan["server"])) as (session, met):
        # A client that knows the tools holds each result against the schema of its tool.
        await session.list_tools()
        done: Json = {
            name: await (retried if name.startswith("retry ") else stepped)(
                session, modules[step["catalog"]], step
            )
            for name, step in plan["steps"].items()
        }
    sys.stdout.write(json.dumps({"met": {"client": _VERSION, **met}, "steps": done}))


if __name__ == "__main__":
    asyncio.run(main(json.loads(Path(sys.argv[1]).read_text("utf-8"))))
