"""The same well-behaved shop on every stack there is in this environment; nothing is installed on it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from mcp import types

from tests.stacks.stacks import FASTMCP, MCP_1


def ship(order: str, boxes: int) -> str:
    return f"{boxes} boxes of {order}"


def all_orders() -> str:
    return "ord_1"


def one_order(order: str) -> str:
    return f"order {order}"


def greet(name: str) -> str:
    return f"Greet {name}."


def _decorated(server: Any) -> Any:
    server.tool(name="ship")(ship)
    server.resource("orders://all")(all_orders)
    server.resource("order://{order}")(one_order)
    server.prompt(name="greet")(greet)
    return server


def _fastmcp() -> Any:
    return _decorated(import_module("fastmcp").FastMCP("shop"))


def _mcpserver() -> Any:
    return _decorated(import_module("mcp.server.mcpserver").MCPServer("shop"))


def _fastmcp_of_mcp_1() -> Any:
    return _decorated(import_module("mcp.server.fastmcp").FastMCP("shop"))


SCHEMA = {
    "type": "object",
    "properties": {"order": {"type": "string"}, "boxes": {"type": "integer"}},
    "required": ["order", "boxes"],
}


def _listed() -> tuple[Any, Any, Any]:
    any_types: Any = types
    tool = any_types.Tool.model_validate({"name": "ship", "inputSchema": SCHEMA})
    resource = any_types.Resource.model_validate({"name": "all", "uri": "orders://all"})
    argument = {"name": "name", "required": True}
    prompt = any_types.Prompt.model_validate({"name": "greet", "arguments": [argument]})
    return tool, resource, prompt


def _text(text: str) -> Any:
    return types.TextContent(type="text", text=text)


def _lowlevel() -> Any:
    from mcp.server.lowlevel.server import Server

    any_types: Any = types
    tool, resource, prompt = _listed()

    async def list_tools(ctx: Any, params: Any) -> Any:
        return any_types.ListToolsResult(tools=[tool])

    async def list_resources(ctx: Any, params: Any) -> Any:
        return any_types.ListResourcesResult(resources=[resource])

    async def list_prompts(ctx: Any, params: Any) -> Any:
        return any_types.ListPromptsResult(prompts=[prompt])

    async def call_tool(ctx: Any, params: Any) -> Any:
        return any_types.CallToolResult(content=[_text(ship(**params.arguments))])

    async def read_resource(ctx: Any, params: Any) -> Any:
        contents = any_types.TextResourceContents(uri=params.uri, text=all_orders())
        return any_types.ReadResourceResult(contents=[contents])

    async def get_prompt(ctx: Any, params: Any) -> Any:
        message = any_types.PromptMessage(role="user", content=_text(greet(**params.arguments)))
        return any_types.GetPromptResult(messages=[message])

    make: Any = Server
    return make(
        "shop",
        on_list_tools=list_tools,
        on_list_resources=list_resources,
        on_list_prompts=list_prompts,
        on_call_tool=call_tool,
        on_read_resource=read_resource,
        on_get_prompt=get_prompt,
    )


def _lowlevel_of_mcp_1() -> Any:
    from mcp.server.lowlevel.server import Server

    any_types: Any = types
    server: Any = Server("shop")
    tool, resource, prompt = _listed()

    async def list_tools() -> Any:
        return [tool]

    async def list_resources() -> Any:
        return [resource]

    async def list_prompts() -> Any:
        return [prompt]

    async def call_tool(name: str, arguments: dict[str, Any]) -> Any:
        return [_text(ship(**arguments))]

    async def read_resource(uri: Any) -> Any:
        contents = import_module("mcp.server.lowlevel.helper_types").ReadResourceContents
        return [contents(content=all_orders(), mime_type="text/plain")]

    async def get_prompt(name: str, arguments: Any) -> Any:
        message = any_types.PromptMessage(role="user", content=_text(greet(**arguments)))
        return any_types.GetPromptResult(messages=[message])

    for register, handler in (
        (server.list_tools, list_tools),
        (server.list_resources, list_resources),
        (server.list_prompts, list_prompts),
        (server.call_tool, call_tool),
        (server.read_resource, read_resource),
        (server.get_prompt, get_prompt),
    ):
        register()(handler)
    return server


SHOPS: dict[str, Callable[[], Any]] = {}
"""Kind to builder."""

if FASTMCP is not None:
    SHOPS[f"fastmcp{FASTMCP}"] = _fastmcp
if MCP_1:
    SHOPS |= {"fastmcp1": _fastmcp_of_mcp_1, "lowlevel": _lowlevel_of_mcp_1}
else:
    SHOPS |= {"mcpserver": _mcpserver, "lowlevel": _lowlevel}
