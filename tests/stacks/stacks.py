"""One stack per kind of server and protocol era, all built alike and asked alike.

A further stack is a builder in `SERVERS`; which of them exist is decided by what is installed.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any, Literal

from anyio import to_thread
from mcp import types
from mcp.shared import exceptions
from pydantic import BaseModel, ConfigDict

from mcp_error_middleware.render import META_KEY
from tests.stacks.faults import Fault

MCP_1 = version("mcp").startswith("1.")
FASTMCP = version("fastmcp").partition(".")[0] if find_spec("fastmcp") else None

ProtocolError: Any = exceptions.McpError if MCP_1 else exceptions.MCPError  # type: ignore[attr-defined, unused-ignore]

PLAIN = "plain_"
"""Before the name of what fails in a plain function; on most stacks that is in a thread."""

Ask = Callable[[str, Mapping[str, Any]], Awaitable["Answer"]]


@dataclass(frozen=True)
class Answer:
    """What came over the wire, in either channel."""

    channel: Literal["result", "jsonrpc", "success"]
    text: str
    error: Mapping[str, Any]
    """The error object; of the SDK's own errors, nothing."""
    number: int | None = None
    structured: Any = None
    data: Any = None
    raw: Any = None
    """The whole result."""


@dataclass(frozen=True)
class Stack:
    """A kind of server, and the era its client is of."""

    kind: str
    era: str

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.era}"

    def server(self, *faults: Fault) -> Any:
        """A fresh server whose tools, resources and prompts fail so; nothing is installed."""
        return SERVERS[self.kind](faults)

    @asynccontextmanager
    async def connect(self, server: Any) -> AsyncIterator[Ask]:
        async with _client(server, self.era) as client:
            yield lambda method, params: ask(client.session, method, params)


class _Result(BaseModel):
    model_config = ConfigDict(extra="allow")


async def ask(session: Any, method: str, params: Mapping[str, Any]) -> Answer:
    """Send a request as it stands; no client-side model has a say in it."""
    request = types.Request[dict[str, Any], str](method=method, params=dict(params))
    try:
        result = (await session.send_request(request, _Result)).model_dump(by_alias=True)
    except ProtocolError as raised:
        error = raised.error
        ours = isinstance(error.data, dict) and "error_id" in error.data
        return Answer("jsonrpc", error.message, error.data if ours else {}, error.code, data=error.data)
    texts = [block.get("text", "") for block in result.get("content", ())]
    return Answer(
        "result" if result.get("isError") else "success",
        texts[0] if texts else "",
        (result.get("_meta") or {}).get(META_KEY, {}),
        structured=result.get("structuredContent"),
        raw=result,
    )


def _client(server: Any, era: str) -> Any:
    mode: dict[str, Any] = {} if MCP_1 else {"mode": "legacy" if era == "2025-11-25" else era}
    if type(server).__module__.startswith("fastmcp."):
        from fastmcp import Client

        return Client(server, **mode)
    if MCP_1:
        return _session(server)
    from mcp import Client as OfficialClient  # type: ignore[attr-defined, unused-ignore]

    return OfficialClient(server, **mode)


@asynccontextmanager
async def _session(server: Any) -> AsyncIterator[Any]:
    memory: Any = import_module("mcp.shared.memory")
    async with memory.create_connected_server_and_client_session(server) as session:
        yield SimpleNamespace(session=session)


# --- the same server on every stack -------------------------------------------------------------


def _fastmcp(faults: Iterable[Fault]) -> Any:
    from fastmcp import FastMCP
    from fastmcp.exceptions import ToolError

    server = FastMCP("matrix")
    _register(faults, _Sdk(ToolError), server.tool, server.resource, server.prompt)
    return server


def _mcpserver(faults: Iterable[Fault]) -> Any:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    server = MCPServer("matrix")
    _register(faults, _Sdk(ToolError), server.tool, server.resource, server.prompt)
    return server


def _fastmcp_of_mcp_1(faults: Iterable[Fault]) -> Any:
    server: Any = import_module("mcp.server.fastmcp").FastMCP("matrix")
    tool_error = import_module("mcp.server.fastmcp.exceptions").ToolError
    _register(faults, _Sdk(tool_error), server.tool, server.resource, server.prompt)
    return server


def _register(faults: Iterable[Fault], sdk: _Sdk, tool: Any, resource: Any, prompt: Any) -> None:
    tool(name="add")(_add)
    resource("fine://here")(_fine)
    prompt(name="greet")(_greet)
    for fault in faults:
        tool(name=fault.name)(_failing(fault, sdk))
        resource(f"fault://{fault.name}")(_failing(fault, sdk))
        prompt(name=fault.name)(_failing(fault, sdk))
        tool(name=f"{PLAIN}{fault.name}")(_failing_plainly(fault, sdk))
        resource(f"fault://{PLAIN}{fault.name}")(_failing_plainly(fault, sdk))
        prompt(name=f"{PLAIN}{fault.name}")(_failing_plainly(fault, sdk))


def _add(a: int, b: int) -> int:
    return a + b


def _fine() -> str:
    return "here"


def _greet(name: str) -> str:
    return f"Greet {name}."


def _failing(fault: Fault, sdk: _Sdk) -> Callable[[], Awaitable[str]]:
    async def handler() -> str:
        raise fault.raises(sdk)

    return handler


def _failing_plainly(fault: Fault, sdk: _Sdk) -> Callable[[], str]:
    def handler() -> str:
        raise fault.raises(sdk)

    return handler


def _lowlevel(faults: Iterable[Fault]) -> Any:
    from mcp.server.lowlevel.server import Server

    fail = _failing_by_name(faults)

    async def call_tool(ctx: Any, params: Any) -> Any:
        if params.name != "add":
            await fail(params.name)
        text = str(params.arguments["a"] + params.arguments["b"])
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)])

    async def read_resource(ctx: Any, params: Any) -> Any:
        await fail(str(params.uri).removeprefix("fault://"))

    async def get_prompt(ctx: Any, params: Any) -> Any:
        await fail(params.name)

    return Server("matrix", on_call_tool=call_tool, on_read_resource=read_resource, on_get_prompt=get_prompt)


def _lowlevel_of_mcp_1(faults: Iterable[Fault]) -> Any:
    from mcp.server.lowlevel.server import Server

    server: Any = Server("matrix")
    fail = _failing_by_name(faults)

    @server.call_tool()  # type: ignore[untyped-decorator, unused-ignore]
    async def call_tool(name: str, arguments: dict[str, Any]) -> Any:
        if name != "add":
            await fail(name)
        return [types.TextContent(type="text", text=str(arguments["a"] + arguments["b"]))]

    @server.read_resource()  # type: ignore[untyped-decorator, unused-ignore]
    async def read_resource(uri: Any) -> Any:
        await fail(str(uri).removeprefix("fault://"))

    @server.get_prompt()  # type: ignore[untyped-decorator, unused-ignore]
    async def get_prompt(name: str, arguments: Any) -> Any:
        await fail(name)

    return server


def _failing_by_name(faults: Iterable[Fault]) -> Callable[[str], Awaitable[None]]:
    sdk, named = _Sdk(None), {fault.name: fault for fault in faults}

    async def fail(name: str) -> None:
        if name.startswith(PLAIN):
            await to_thread.run_sync(_failing_plainly(named[name.removeprefix(PLAIN)], sdk))
        raise named[name].raises(sdk)

    return fail


@dataclass(frozen=True)
class _Sdk:
    tool_error_class: Any

    def tool_error(self, text: str) -> Exception:
        error: Exception = self.tool_error_class(text)
        return error

    def protocol_error(self, code: int, message: str, data: Any = None) -> Exception:
        make = getattr(ProtocolError, "from_error_data", ProtocolError)
        error: Exception = make(types.ErrorData(code=code, message=message, data=data))
        return error


SERVERS: dict[str, Callable[[Iterable[Fault]], Any]] = {}
"""Kind to builder."""

if FASTMCP is not None:
    SERVERS[f"fastmcp{FASTMCP}"] = _fastmcp
if MCP_1:
    SERVERS |= {"fastmcp1": _fastmcp_of_mcp_1, "lowlevel": _lowlevel_of_mcp_1}
else:
    SERVERS |= {"mcpserver": _mcpserver, "lowlevel": _lowlevel}

ERAS = ("2025-11-25",) if MCP_1 else ("2025-11-25", "2026-07-28")
STACKS = tuple(Stack(kind, era) for kind in SERVERS for era in ERAS)
