"""Keep the cause of a new error: `raise ... from exc`.

An error raised while another is handled hides what really happened, unless it says `from`. The cause
decides the code of a generic error and is what the operator needs. Write `from None` to drop it on purpose.

Bad:

    from fastmcp import FastMCP
    from fastmcp.exceptions import ToolError

    mcp = FastMCP("shop")

    @mcp.tool
    async def price(order: str) -> int:
        try:
            return prices[order]
        except KeyError:
            raise ToolError(f"Order {order} has no price.")

Good:

    from fastmcp import FastMCP
    from fastmcp.exceptions import ToolError

    mcp = FastMCP("shop")

    @mcp.tool
    async def price(order: str) -> int:
        try:
            return prices[order]
        except KeyError as exc:
            raise ToolError(f"Order {order} has no price.") from exc
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mcp_error_middleware.lint.model import Edit, Problem, Severity, rule
from mcp_error_middleware.lint.python.expressions import except_around, mentions
from mcp_error_middleware.lint.python.handler import Handler


@rule(Severity.WARNING, "preserve-cause-on-rethrow", fixable=True)
def check(handler: Handler) -> Iterator[Problem]:
    for node in handler.nodes(ast.Raise):
        if node.exc is None or node.cause is not None or not _is_new(node.exc, handler):
            continue
        around = except_around(node, handler.function)
        if around is not None:
            message = f"This loses its cause; write `raise ... from {around.name or 'exc'}`."
            yield Problem(handler.at(node), message, _fix(node, around, handler))


def _is_new(raised: ast.expr, handler: Handler) -> bool:
    """Whether an error is made here; one that a variable holds may have its cause already."""
    return isinstance(raised, ast.Call) or handler.path(raised).rpartition(".")[2][:1].isupper()


def _fix(node: ast.Raise, around: ast.ExceptHandler, handler: Handler) -> tuple[Edit, ...]:
    module = handler.function.module
    if around.name is not None:
        return (module.after(node, f" from {around.name}"),)
    if around.type is None or any(mentions(each, "exc") for each in around.body):
        return ()
    return (module.after(around.type, " as exc"), module.after(node, " from exc"))
