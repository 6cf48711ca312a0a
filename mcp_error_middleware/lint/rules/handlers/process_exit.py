"""Do not end the process from a handler.

`sys.exit()` in a handler takes every session of the server with it. Raise an error instead; the caller of
the tool is told, and the others go on.

Bad:

    import sys
    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    def price(order: str) -> int:
        if not configured():
            sys.exit(1)
        return 1

Good:

    from fastmcp import FastMCP
    from mcp_error_middleware import ConfigurationError

    mcp = FastMCP("shop")

    @mcp.tool
    def price(order: str) -> int:
        if not configured():
            raise ConfigurationError("The price service is not configured.")
        return 1
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.expressions import is_caught
from mcp_error_middleware.lint.python.handler import Handler

_EXITS: Final = frozenset({"sys.exit", "builtins.exit", "builtins.quit", "os._exit", "os.abort"})


@rule(Severity.ERROR)
def check(handler: Handler) -> Iterator[Problem]:
    for call in handler.nodes(ast.Call):
        path = handler.path(call.func)
        if path in _EXITS and not is_caught(["SystemExit", "BaseException"], call, handler.function):
            message = f"{path.removeprefix('builtins.')} ends the server for everybody; raise an error."
            yield handler.problem(call, message)
