"""Do not send an HTTP status as a JSON-RPC error code.

Some clients read such a number as the status of the transport: 401 and 403 start a login, others a retry.
Send a standard code, and the status in `data`.

Bad:

    from mcp.server.mcpserver import MCPServer
    from mcp.shared.exceptions import MCPError

    server = MCPServer("shop")

    @server.resource("order://{order}")
    def order(order: str) -> str:
        raise MCPError(code=401, message="no such order")

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
        if 400 <= number <= 599:
            message = f"Some clients take {number} for the transport's status; send a standard code."
            yield handler.problem(node, message)
