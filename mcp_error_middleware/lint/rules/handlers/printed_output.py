"""Do not print to stdout.

On a stdio server stdout belongs to the protocol: one printed line and the client reads broken JSON. Log, or
print to stderr.

Bad:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    def price(order: str) -> int:
        print("looking up", order)
        return 1

Good:

    import sys
    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    def price(order: str) -> int:
        print("looking up", order, file=sys.stderr)
        return 1

Good, a server that never speaks over stdio:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    def price(order: str) -> int:
        print("looking up", order)
        return 1

    mcp.run(transport="http")
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.handler import Handler
from mcp_error_middleware.lint.python.servers import transports


@rule(Severity.ERROR)
def check(handler: Handler) -> Iterator[Problem]:
    if not _may_be_stdio(handler):
        return
    for call in handler.nodes(ast.Call):
        path = handler.path(call.func)
        is_print = path == "builtins.print" and not any(each.arg == "file" for each in call.keywords)
        if is_print or path == "sys.stdout.write":
            yield handler.problem(call, "On stdio this breaks the protocol; log it, or print to stderr.")


def _may_be_stdio(handler: Handler) -> bool:
    started = transports(handler.entry.function.module) | transports(handler.function.module)
    return not started or "stdio" in started
