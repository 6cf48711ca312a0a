"""Let a cancellation through.

A cancelled call has to end. An `except BaseException`, a bare `except` or an `except CancelledError` that
does not raise again keeps it running: the client waits, and a shutdown hangs. Catch Exception, or end with
`raise`.

Bad:

    import asyncio
    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    async def wait(seconds: float) -> str:
        try:
            await asyncio.sleep(seconds)
        except asyncio.CancelledError:
            return "stopped"
        return "done"

Good:

    import asyncio
    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    async def wait(seconds: float) -> str:
        try:
            await asyncio.sleep(seconds)
        except asyncio.CancelledError:
            tidy_up()
            raise
        return "done"

Good, a task of one's own:

    import asyncio
    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    async def poll() -> str:
        task = asyncio.create_task(watch())
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            pass
        return "done"
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.expressions import own_nodes, try_of
from mcp_error_middleware.lint.python.handler import Handler
from mcp_error_middleware.lint.python.module import path_of

_CANCELLATIONS: Final = frozenset(
    {
        "asyncio.CancelledError",
        "asyncio.exceptions.CancelledError",
        "builtins.BaseException",
        "trio.Cancelled",
    }
)


@rule(Severity.ERROR)
def check(handler: Handler) -> Iterator[Problem]:
    if not handler.function.is_async or not handler.awaited:
        return
    for node in handler.nodes(ast.ExceptHandler):
        let_through = _raises(node) or _ends_with_raise(node, handler) or _cancels(handler)
        if _catches(node, handler) and not let_through and _awaits(node, handler):
            what = ast.unparse(node.type) if node.type else "everything"
            message = f"This catches {what} and lets no cancellation through; end it with `raise`."
            yield handler.problem(node.type or node, message)


def _catches(node: ast.ExceptHandler, handler: Handler) -> bool:
    if node.type is None:
        return True
    kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    return any(path_of(kind, handler.function) in _CANCELLATIONS for kind in kinds)


def _raises(node: ast.ExceptHandler) -> bool:
    return any(isinstance(each, ast.Raise) for each in own_nodes(node.body))


def _ends_with_raise(node: ast.ExceptHandler, handler: Handler) -> bool:
    """Whether an `except` around it, which tidies up in a `try` of its own, raises afterwards."""
    around = (parent for parent, _ in handler.function.around_node(node))
    return any(
        isinstance(each, ast.ExceptHandler) and isinstance(each.body[-1], ast.Raise) for each in around
    )


def _awaits(node: ast.ExceptHandler, handler: Handler) -> bool:
    """Whether a cancellation can arrive at all: only while something is awaited."""
    tried = try_of(node, handler.function)
    waits = (ast.Await, ast.AsyncWith, ast.AsyncFor, ast.Yield)
    if tried is None or not any(isinstance(each, waits) for each in own_nodes(tried.body)):
        return False
    earlier = tried.handlers[: tried.handlers.index(node)]
    return not any(_catches(each, handler) and _raises(each) for each in earlier)


def _cancels(handler: Handler) -> bool:
    """Whether the function cancels a task of its own, whose end it then has to catch."""
    return any(
        isinstance(call.func, ast.Attribute) and call.func.attr == "cancel"
        for call in handler.nodes(ast.Call)
    )
