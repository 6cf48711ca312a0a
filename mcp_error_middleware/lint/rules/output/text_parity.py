"""Say in the text what the structure says.

Some clients hand a model the text of a result, others its structure. Where a tool writes both itself, what is
only in one of them is lost on half of the clients. Return the value alone and the SDK writes both; or put
every value into the text.

Bad:

    from fastmcp import FastMCP
    from fastmcp.tools import ToolResult

    mcp = FastMCP("shop")

    @mcp.tool
    def track(order: str) -> ToolResult:
        place, day = find(order)
        return ToolResult(content="Found it.", structured_content={"place": place, "day": day})

Bad, only one of two:

    from mcp.types import CallToolResult, TextContent
    from mcp.server.mcpserver import MCPServer

    server = MCPServer("shop")

    @server.tool()
    def track(order: str) -> CallToolResult:
        place, day = find(order)
        return CallToolResult(
            content=[TextContent(type="text", text=f"It is in {place}.")],
            structured_content={"place": place, "day": day},
        )

Good:

    from fastmcp import FastMCP
    from fastmcp.tools import ToolResult

    mcp = FastMCP("shop")

    @mcp.tool
    def track(order: str) -> ToolResult:
        place, day = find(order)
        text = f"It is in {place} since {day}."
        return ToolResult(content=text, structured_content={"place": place, "day": day})
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.handler import Handler
from mcp_error_middleware.lint.python.servers import keyword
from mcp_error_middleware.lint.schema import brief

_RESULTS: Final = ("ToolResult", "CallToolResult")


@rule(Severity.ERROR, "format-parity")
def check(handler: Handler) -> Iterator[Problem]:
    for call in handler.nodes(ast.Call):
        if handler.path(call.func).rpartition(".")[2] not in _RESULTS or _is_error(call):
            continue
        structure = keyword(call, "structured_content", "structuredContent")
        content = keyword(call, "content") or (call.args[0] if call.args else None)
        text = _text(content, handler)
        if content is None or text is None or not isinstance(structure, ast.Dict):
            continue
        if missing := [*_missing(structure, content, text)]:
            message = (
                f"The text does not say {', '.join(map(brief, missing))}, and some clients show nothing "
                "else; write it into the text, or return the value alone and let the SDK write both."
            )
            yield handler.problem(call, message)


def _text(content: ast.expr | None, handler: Handler) -> ast.expr | None:
    """The expression of the only text, if it is written out: a literal or an f-string."""
    match content:
        case ast.Name(id=name):
            return _only_value(name, handler)
        case ast.Constant(value=str()) | ast.JoinedStr():
            return content
        case ast.List(elts=[ast.Call() as block]):
            return _text(keyword(block, "text"), handler)
        case _:
            return None


def _only_value(name: str, handler: Handler) -> ast.expr | None:
    """What a name is bound to, if that is a text and it is bound once and never added to."""
    if any(getattr(each.target, "id", "") == name for each in handler.nodes(ast.AugAssign)):
        return None
    bound = [
        each.value
        for each in handler.nodes(ast.Assign)
        if any(getattr(target, "id", "") == name for target in each.targets)
    ]
    return bound[0] if len(bound) == 1 and isinstance(bound[0], ast.Constant | ast.JoinedStr) else None


def _missing(structure: ast.Dict, *texts: ast.expr) -> Iterator[str]:
    said = {ast.dump(part) for text in texts for part in ast.walk(text)}
    for key, value in zip(structure.keys, structure.values, strict=True):
        if not isinstance(key, ast.Constant) or isinstance(value, ast.Constant):
            continue
        # Computed from, or part of, what the text shows: near enough not to nag.
        names = {ast.dump(part) for part in ast.walk(value) if isinstance(part, ast.Name)}
        if names and not names & said:
            yield str(key.value)


def _is_error(call: ast.Call) -> bool:
    """Whether it answers a failure; its facts have their own surfaces."""
    return keyword(call, "is_error", "isError") is not None
