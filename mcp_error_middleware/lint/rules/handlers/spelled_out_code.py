"""Raise the class of a code instead of McpError with the code in it.

`NotFound("...")` says the same as `McpError(ErrorCode.NOT_FOUND, "...")`, is shorter, and can be caught by
name.

Bad:

    from mcp.server.mcpserver import MCPServer
    from mcp_error_middleware import ErrorCode, McpError

    server = MCPServer("shop")

    @server.tool()
    def price(order: str) -> int:
        raise McpError(ErrorCode.NOT_FOUND, f"Order {order} was not found.")

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
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.errors import BY_CODE
from mcp_error_middleware.lint.model import Edit, Problem, Severity, rule
from mcp_error_middleware.lint.python.handler import Handler
from mcp_error_middleware.lint.python.raises import code_argument

_CLASS: Final = frozenset({"mcp_error_middleware.McpError", "mcp_error_middleware.errors.McpError"})


@rule(Severity.WARNING, "prefer-error-factory", fixable=True)
def check(handler: Handler) -> Iterator[Problem]:
    for call in handler.nodes(ast.Call):
        if handler.path(call.func) in _CLASS and (code := code_argument(call, handler.function)) is not None:
            cls = BY_CODE[code].__name__
            message = f"There is a class for this code; write {cls}(...)."
            yield Problem(handler.at(call), message, _fix(call, cls, handler))


def _fix(call: ast.Call, cls: str, handler: Handler) -> tuple[Edit, ...]:
    module = handler.function.module
    taken = handler.function.binding(cls)
    if taken is not None and handler.path(ast.Name(cls)) not in (
        f"mcp_error_middleware.{cls}",
        f"mcp_error_middleware.errors.{cls}",
    ):
        return ()
    rest = [module.source(each) for each in call.args[1 if not _has_code_keyword(call) else 0 :]]
    rest += [module.source(each) for each in call.keywords if each.arg != "code"]
    return (module.edit(call, f"{cls}({', '.join(rest)})"), *module.importing("mcp_error_middleware", cls))


def _has_code_keyword(call: ast.Call) -> bool:
    return any(each.arg == "code" for each in call.keywords)
