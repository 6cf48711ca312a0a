"""Do not answer that a method does not exist from inside of one.

-32601 says that the server does not know the request's method, and HTTP answers it with 404. A handler that
runs proves the opposite: what is missing is an item, and that is -32602.

Bad:

    from mcp.server.mcpserver import MCPServer
    from mcp.shared.exceptions import MCPError

    server = MCPServer("shop")

    @server.resource("order://{order}")
    def order(order: str) -> str:
        raise MCPError(code=-32601, message="no such order")

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
        if number == -32601:
            message = "-32601 says the method does not exist, but its handler runs; send -32602."
            yield handler.problem(node, message)
