"""Do not send a JSON-RPC error code that MCP forbids.

MCP 2026-07-28 reserves -32020 to -32099 for codes it defines itself, and retired -32002 and -32042. A
server must not send any of them for a failure of its own: clients act on their meaning. Use -32602 or
-32603, or a number outside of -32768 to -32000, and say the rest in `data`.

Bad:

    from mcp.server.mcpserver import MCPServer
    from mcp.shared.exceptions import MCPError

    server = MCPServer("shop")

    @server.resource("order://{order}")
    def order(order: str) -> str:
        raise MCPError(code=-32042, message="no such order")

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
from mcp_error_middleware.taxonomy import may_leave

_RETIRED = frozenset({-32002, -32042})


@rule(Severity.ERROR)
def check(handler: Handler) -> Iterator[Problem]:
    for node, number in wire_codes(handler):
        reserved = -32099 <= number <= -32020 and not may_leave(number)
        if reserved or number in _RETIRED:
            message = f"MCP forbids {number} here; send -32602 or -32603 and say the rest in data."
            yield handler.problem(node, message)
