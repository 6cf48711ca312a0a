"""Do not require an empty scope.

No token has it, so every call is refused; where a server compares loosely, it lets everybody in.

Bad:

    from fastmcp import FastMCP
    from fastmcp.server.auth import require_scopes

    mcp = FastMCP("shop")

    @mcp.tool(auth=require_scopes("orders:write", ""))
    def ship(order: str) -> str:
        return order

Good:

    from fastmcp import FastMCP
    from fastmcp.server.auth import require_scopes

    mcp = FastMCP("shop")

    @mcp.tool(auth=require_scopes("orders:write"))
    def ship(order: str) -> str:
        return order
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.handler import Handler
from mcp_error_middleware.lint.python.module import Module, module_of

_KEYWORDS: Final = frozenset({"required_scopes", "valid_scopes", "default_scopes", "scopes_supported"})


@rule(Severity.ERROR, "auth-scope-format")
def check(handler: Handler) -> Iterator[Problem]:
    for _, value, module in scopes(handler):
        for each in (value, *members(value)):
            if isinstance(each, ast.Constant) and isinstance(each.value, str) and not each.value.strip():
                message = "No token has an empty scope; name the scope, or leave it out."
                yield Problem(module.at(each), message)


def scopes(handler: Handler) -> Iterator[tuple[str, ast.expr, Module]]:
    """What a handler's module says about scopes, to whom (a tool, a check or a provider), and where."""
    call, module = handler.entry.call, module_of(handler.entry.scope)
    if handler.function is not handler.entry.function:
        return
    calls = [each for each, _ in module.calls] if "scopes" in module.text else []
    said = [*_said([call, *calls] if call is not None else calls)]
    if call is not None:
        said += [(name, each) for name, each in _keywords(call) if name == "auth"]
    yield from ((name, each, module) for name, each in said)


def members(value: ast.expr) -> list[ast.expr]:
    """What a list holds that is written out."""
    return value.elts if isinstance(value, ast.List | ast.Tuple | ast.Set) else []


def _said(calls: Iterable[ast.Call]) -> Iterator[tuple[str, ast.expr]]:
    for outer in calls:
        for call in ast.walk(outer):
            if not isinstance(call, ast.Call):
                continue
            yield from ((name, each) for name, each in _keywords(call) if name in _KEYWORDS)
            if ast.unparse(call.func).rpartition(".")[2] == "require_scopes":
                yield from (("require_scopes", each) for each in call.args)


def _keywords(call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    return ((each.arg, each.value) for each in call.keywords if each.arg)
