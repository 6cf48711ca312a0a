"""Raise an error that says why it failed, not a plain Exception.

A plain `Exception` or `RuntimeError` carries no code: the failure is answered as an InternalError, a bug of
the server, and its text does not leave. Say which it is with the class of a code, or with the SDK's
ToolError.

Bad:

    from mcp.server.mcpserver import MCPServer

    server = MCPServer("shop")

    @server.tool()
    def price(order: str) -> int:
        raise Exception(f"order {order} not found")

Good:

    from mcp.server.mcpserver import MCPServer
    from mcp_error_middleware import NotFound

    server = MCPServer("shop")

    @server.tool()
    def price(order: str) -> int:
        raise NotFound(f"Order {order} was not found.")
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.classify import classify
from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.expressions import beginning, is_caught
from mcp_error_middleware.lint.python.handler import Handler
from mcp_error_middleware.taxonomy import ErrorCode

_PLAIN: Final = frozenset({"builtins.Exception", "builtins.BaseException", "builtins.RuntimeError"})
_ABOVE: Final = ("Exception", "BaseException")
_BUG: Final = re.compile(
    r"unreachable|should (never|not)|never happen|impossible|must be called|initiali[sz]ed|\bbug\b|unset"
    r"|^(unexpected|internal) ",
    re.IGNORECASE,
)
"""What an author says where only a mistake of the server leads; an InternalError is right then."""


@rule(Severity.WARNING, "prefer-mcp-error-in-handler")
def check(handler: Handler) -> Iterator[Problem]:
    if not handler.exposed:
        return
    for node in handler.nodes(ast.Raise):
        call = node.exc if isinstance(node.exc, ast.Call) else None
        path = handler.path(call.func if call else node.exc)
        name = path.removeprefix("builtins.")
        if (
            path in _PLAIN
            and not _is_assertion(node, call, handler)
            and not is_caught([name, *_ABOVE], node, handler.function)
        ):
            yield handler.problem(node, f"{name} says nothing about why it failed; {_way_out(call)}.")


def _is_assertion(node: ast.Raise, call: ast.Call | None, handler: Handler) -> bool:
    """Whether its text, or the comment above it, says that only a bug leads here."""
    above = handler.function.module.lines[node.lineno - 2].strip()
    return any(_BUG.search(said) for said in (_text(call), above if above.startswith("#") else ""))


def _text(call: ast.Call | None) -> str:
    return beginning(call.args[0]) if call and call.args else ""


def _way_out(call: ast.Call | None) -> str:
    text = _text(call)
    code = classify(Exception(text)).code if text else ErrorCode.INTERNAL_ERROR
    if code is ErrorCode.INTERNAL_ERROR:
        return "raise the class of its code, such as NotFound or ServiceUnavailable"
    return f"raise {code.label}, if it is that"
