"""Answer the calls of what you list.

A low-level server that lists tools, resources or prompts and has no handler that runs, reads or gets them
answers every call with "method not found".

Bad:

    import mcp.types as types
    from mcp.server.lowlevel import Server

    server = Server("shop")

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        return [types.Tool(name="ship", description="Ship.", inputSchema={"type": "object"})]

Bad, prompts:

    import mcp.types as types
    from mcp.server.lowlevel import Server

    server = Server("shop")

    @server.list_prompts()
    async def list_prompts() -> list[types.Prompt]:
        return [types.Prompt(name="ask", description="Ask.")]

Good:

    import mcp.types as types
    from mcp.server.lowlevel import Server

    server = Server("shop")

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        return [types.Tool(name="ship", description="Ship.", inputSchema={"type": "object"})]

    @server.call_tool()
    async def call_tool(name: str, arguments: dict[str, object]) -> list[types.TextContent]:
        return [types.TextContent(type="text", text="shipped")]
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Final

from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.handler import Handler

_ANSWERS: Final[Mapping[str, tuple[str, ...]]] = {
    "list_tools": ("call_tool", "CallToolRequest", "tools/call"),
    "list_resources": ("read_resource", "ReadResourceRequest", "resources/read"),
    "list_resource_templates": ("read_resource", "ReadResourceRequest", "resources/read"),
    "list_prompts": ("get_prompt", "GetPromptRequest", "prompts/get"),
}
"""What lists, and the words of which one has to be there to answer."""


@rule(Severity.ERROR, "handler-required", "generate-required")
def check(handler: Handler) -> Iterator[Problem]:
    function, words = handler.function, _ANSWERS.get(handler.entry.kind)
    if words is None or function is not handler.entry.function or not _makes_a_server(handler):
        return
    if _lists_nothing(handler):
        return
    if not any(word in function.module.text for word in words):
        message = f"What this lists cannot be called: the server has no {words[0]} handler; add one."
        yield handler.problem(function.node, message)


def _lists_nothing(handler: Handler) -> bool:
    """Whether it only answers clients that ask although there is nothing."""
    values = [node.value for node in handler.nodes(ast.Return)]
    return bool(values) and all(isinstance(each, ast.List) and not each.elts for each in values)


def _makes_a_server(handler: Handler) -> bool:
    """Whether the server is this module's own; the rest of another's may stand anywhere."""
    calls = (call.func for call, _ in handler.function.module.calls)
    return any(ast.unparse(each).rpartition(".")[2] == "Server" for each in calls)
