"""Give scopes as a list of strings.

Python takes a string for a list of its letters: `required_scopes="read"` asks for r, e, a and d, which no
token has. A tool's `auth=` takes a check such as `require_scopes("read")`, not the scope itself.

Bad:

    from fastmcp import FastMCP
    from fastmcp.server.auth.providers.jwt import JWTVerifier

    mcp = FastMCP("shop", auth=JWTVerifier(public_key="...", required_scopes="orders:read"))

    @mcp.tool
    def ship(order: str) -> str:
        return order

Bad, on a tool:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool(auth=["orders:write"])
    def ship(order: str) -> str:
        return order

Good:

    from fastmcp import FastMCP
    from fastmcp.server.auth import require_scopes
    from fastmcp.server.auth.providers.jwt import JWTVerifier

    mcp = FastMCP("shop", auth=JWTVerifier(public_key="...", required_scopes=["orders:read"]))

    @mcp.tool(auth=require_scopes("orders:write"))
    def ship(order: str) -> str:
        return order
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.handler import Handler
from mcp_error_middleware.lint.rules.definitions.empty_scope import members, scopes


@rule(Severity.ERROR, "auth-type")
def check(handler: Handler) -> Iterator[Problem]:
    for name, value, module in scopes(handler):
        if name == "auth" and (_is_text(value) or any(map(_is_text, members(value)))):
            message = 'A scope is no check, and this asks for nothing; use auth=require_scopes("...").'
            yield Problem(module.at(value), message)
        elif name not in ("auth", "require_scopes") and _is_text(value):
            message = f"{name} takes a list; write [{ast.unparse(value)}], or every letter becomes a scope."
            yield Problem(module.at(value), message)
        elif name == "require_scopes" and members(value):
            message = "require_scopes takes each scope as an argument of its own; put a * before the list."
            yield Problem(module.at(value), message)


def _is_text(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, str)
