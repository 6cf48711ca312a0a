"""Do not send a JSON-RPC error code of the legacy band.

-32000 to -32019 mean different things to different SDKs: -32001 is a timeout to one client and a lost
session to another, which then connects anew. MCP 2026-07-28 asks new servers not to use them. Use a
standard code, or a number outside of -32768 to -32000.

Bad:

    from mcp.server.mcpserver import MCPServer
    from mcp.shared.exceptions import MCPError

    server = MCPServer("shop")

    @server.resource("order://{order}")
    def order(order: str) -> str:
        raise MCPError(code=-32001, message="no such order")

Good:

    from mcp.server.mcpserver import MCPServer
    from mcp.shared.exceptions import MCPError

    server = MCPServer("shop")

    @server.resource("order://{order}")
    def order(order: str) -> str:
        raise MCPError(code=-32602, message="no such order")
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.handler import Handler
from mcp_error_middleware.lint.python.wire import wire_codes


@rule(Severity.WARNING)
def check(handler: Handler) -> Iterator[Problem]:
    for node, number in wire_codes(handler):
        if -32019 <= number <= -32000 and number != -32002:
            message = (
                f"Clients disagree about {number}; send a standard code, or one outside of -32768..-32000."
            )
            yield handler.problem(node, message)
