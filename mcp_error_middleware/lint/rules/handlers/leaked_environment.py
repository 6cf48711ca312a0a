"""Keep the environment and its secrets out of answers.

The environment of a server holds its keys. Returned or put into a message, they reach the model, its
transcript and every client in between. Name the setting that is missing or wrong, never its value.

Bad:

    import os
    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    def settings() -> dict:
        return dict(os.environ)

Bad, in a message:

    import os
    from fastmcp import FastMCP
    from fastmcp.exceptions import ToolError

    mcp = FastMCP("shop")

    @mcp.tool
    def price(order: str) -> int:
        key = os.environ["PRICES_API_KEY"]
        raise ToolError(f"the price service refused {key}")

Good:

    import os
    from fastmcp import FastMCP
    from fastmcp.exceptions import ToolError

    mcp = FastMCP("shop")

    @mcp.tool
    def price(order: str) -> str:
        if "PRICES_API_KEY" not in os.environ:
            raise ToolError("PRICES_API_KEY is not set.")
        return os.environ["PRICES_REGION"]
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.handler import Handler
from mcp_error_middleware.lint.python.leaving import leaving

_SECRET: Final = re.compile(r"key|token|secret|passw|credential|auth|dsn|private", re.IGNORECASE)
_COPIES: Final = frozenset(
    {"builtins.dict", "os.environ.copy", "os.environ.items", "json.dumps", "builtins.str"}
)


@rule(Severity.ERROR)
def check(handler: Handler) -> Iterator[Problem]:
    for node in leaving(handler):
        if _is_whole(node, handler):
            yield handler.problem(
                node, "This puts the whole environment into the answer; name what is meant."
            )
        elif name := _secret(node, handler):
            yield handler.problem(node, f"This puts {name} into the answer; name the setting, not its value.")


def _is_whole(node: ast.AST, handler: Handler) -> bool:
    match node:
        case ast.Call(func=func, args=args) if handler.path(func) in _COPIES:
            return handler.path(func).startswith("os.environ.") or any(
                handler.path(each) == "os.environ" for each in args
            )
        case _:
            return False


def _secret(node: ast.AST, handler: Handler) -> str:
    match node:
        case ast.Subscript(value=value, slice=ast.Constant(value=str(name))) if (
            handler.path(value) == "os.environ"
        ):
            return name if _SECRET.search(name) else ""
        case ast.Call(func=func, args=[ast.Constant(value=str(name)), *_]) if handler.path(func) in (
            "os.getenv",
            "os.environ.get",
        ):
            return name if _SECRET.search(name) else ""
        case _:
            return ""
