"""Over a real pipe: what used to end the process is answered, and the next call too."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.stacks.stacks import FASTMCP, MCP_1
from tests.stacks.wire import over_stdio

ROOT = Path(__file__).parents[2]

SERVER = """
import anyio, asyncio, sys
from {module} import {name} as Server, Context
from mcp_error_middleware import install

server = Server("stdio")

@server.tool()
async def stray_cancellation() -> int:
    task = asyncio.create_task(asyncio.Event().wait())
    task.cancel()
    return await task

@server.tool()
async def system_exit() -> int:
    sys.exit(3)

@server.tool()
def system_exit_of_a_function() -> int:
    sys.exit(3)

@server.tool()
def generator_exit_of_a_function() -> int:
    raise GeneratorExit

@server.tool()
async def cancels_itself() -> int:
    asyncio.current_task().cancel()
    return await asyncio.sleep(0, 3)

@server.tool()
async def is_cancelled_by_a_timer() -> int:
    asyncio.get_running_loop().call_soon(asyncio.current_task().cancel)
    return await asyncio.Event().wait()

@server.tool()
async def system_exit_of_a_task() -> int:
    async def exits():
        sys.exit(3)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(exits)

@server.tool()
async def stop_iteration_of_a_thread() -> int:
    return await asyncio.to_thread(next, iter(()))

@server.tool()
def exception_without_a_class() -> int:
    class Odd(TimeoutError):
        __class__ = property(lambda self: 1 / 0)
    raise Odd("asked too much")

@server.tool()
async def leaves_a_scope_to_the_garbage_collector() -> int:
    async def orders():
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(asyncio.Event().wait)
            yield 3
    async for order in orders():
        raise ValueError("one is enough")

@server.tool()
def surrogate() -> int:
    raise ValueError("half \\ud83d of it")

@server.tool()
def half() -> str:
    return "half \\ud83d of it"

@server.tool()
def half_in_an_object() -> dict[str, list[str]]:
    return {{"files": ["whole", "half \\udcff of it"]}}

@server.resource("half://character")
def half_in_a_resource() -> str:
    return "half \\ud83d of it"

@server.prompt()
def half_in_a_prompt() -> str:
    return "half \\ud83d of it"

@server.tool()
async def half_on_the_way(ctx: Context) -> int:
    await ctx.report_progress(1, 2, "half \\ud83d of it")
    await ctx.info("half \\ud83d of it")
    raise ValueError("too much")

@server.tool()
async def add(a: int, b: int) -> int:
    return a + b

install(server)
server.run({run})
"""

SERVERS = {}
if FASTMCP is not None:
    SERVERS[f"fastmcp{FASTMCP}"] = SERVER.format(
        module="fastmcp", name="FastMCP", run="transport='stdio', show_banner=False"
    )
if MCP_1:
    SERVERS["fastmcp1"] = SERVER.format(module="mcp.server.fastmcp", name="FastMCP", run="transport='stdio'")
else:
    SERVERS["mcpserver"] = SERVER.format(
        module="mcp.server.mcpserver", name="MCPServer", run="transport='stdio'"
    )

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "pipe", "version": "1"}}

HALFWAY = {"_meta": {"progressToken": "p"}}


@pytest.mark.parametrize("kind", SERVERS)
@pytest.mark.parametrize(
    ("tool", "code"),
    [
        ("stray_cancellation", "Timeout"),
        ("system_exit", "InternalError"),
        ("system_exit_of_a_function", "InternalError"),
        ("generator_exit_of_a_function", "InternalError"),
        ("cancels_itself", "Timeout"),
        ("is_cancelled_by_a_timer", "Timeout"),
        ("system_exit_of_a_task", "InternalError"),
        ("stop_iteration_of_a_thread", "InternalError"),
        ("exception_without_a_class", "Timeout"),
        ("leaves_a_scope_to_the_garbage_collector", "ValidationError"),
        ("surrogate", "ValidationError"),
        ("half", "SerializationError"),
        ("half_in_an_object", "SerializationError"),
        ("half_on_the_way", "ValidationError"),
    ],
)
@pytest.mark.timeout(60)
def test_the_process_outlives_the_tool(kind: str, tool: str, code: str) -> None:
    command = [sys.executable, "-c", SERVERS[kind]]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            _ask(process, 1, "initialize", HELLO)
            _send(process, {"method": "notifications/initialized"})
            failed = _ask(process, 2, "tools/call", {**HALFWAY, "name": tool, "arguments": {}})
            served = _ask(process, 3, "tools/call", {"name": "add", "arguments": {"a": 1, "b": 2}})
        finally:
            process.kill()

    assert failed["result"]["isError"]
    assert f"({code};" in failed["result"]["content"][0]["text"]
    assert served["result"]["content"][0]["text"] == "3"


@pytest.mark.anyio
@pytest.mark.parametrize("kind", SERVERS)
async def test_half_a_character_in_a_resource_or_a_prompt_does_not_end_the_process(kind: str) -> None:
    async with over_stdio([sys.executable, "-c", SERVERS[kind]], ROOT) as ask:
        read = await ask("resources/read", {"uri": "half://character"})
        got = await ask("prompts/get", {"name": "half_in_a_prompt"})
        served = await ask("tools/call", {"name": "add", "arguments": {"a": 1, "b": 2}})

    assert [(each.number, each.error["name"]) for each in (read, got)] == [(-32603, "SerializationError")] * 2
    assert read.text.startswith("The resource returned something")
    assert got.text.startswith("The prompt returned something")
    assert served.text == "3"


@pytest.mark.anyio
@pytest.mark.skipif(MCP_1, reason="mcp 1.x does not speak 2026-07-28")
@pytest.mark.parametrize("kind", SERVERS)
async def test_a_pipe_has_one_client_even_where_the_protocol_knows_no_sessions(kind: str) -> None:
    async with over_stdio([sys.executable, "-c", SERVERS[kind]], ROOT, "2026-07-28") as ask:
        call = {"name": "surrogate", "arguments": {}}
        answers = [await ask("tools/call", call) for _ in range(3)]
    assert [answer.error["data"].get("repeat") for answer in answers] == [None, 2, 3]


def _ask(process: subprocess.Popen[str], id: int, method: str, params: dict[str, Any]) -> Any:
    _send(process, {"id": id, "method": method, "params": params})
    assert process.stdout is not None
    for line in process.stdout:
        if (message := json.loads(line)).get("id") == id:
            return message
    raise AssertionError("the process ended")


def _send(process: subprocess.Popen[str], message: dict[str, Any]) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    process.stdin.flush()
