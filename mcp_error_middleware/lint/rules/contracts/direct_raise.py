"""Raise a declared code through its mode.

A code that the contract declares, raised by its class, reaches the client without the mode's reason and
recovery. Raise the mode, or say its `reason=`.

Bad:

    from mcp.server.mcpserver import MCPServer
    from mcp_error_middleware import Conflict, Contract, ErrorCode, Mode, NotFound, raises

    server = MCPServer("shop")

    class ShipErrors(Contract):
        no_stock = Mode(
            ErrorCode.CONFLICT,
            when="The warehouse has too few boxes.",
            recovery="Call stock_of first and ask for no more than that.",
        )

    @server.tool()
    @raises(ShipErrors)
    def ship(order: str) -> str:
        raise Conflict(f"Order {order} needs more boxes than there are.")

Good:

    from mcp.server.mcpserver import MCPServer
    from mcp_error_middleware import Conflict, Contract, ErrorCode, Mode, NotFound, raises

    server = MCPServer("shop")

    class ShipErrors(Contract):
        no_stock = Mode(
            ErrorCode.CONFLICT,
            when="The warehouse has too few boxes.",
            recovery="Call stock_of first and ask for no more than that.",
        )

    @server.tool()
    @raises(ShipErrors)
    def ship(order: str) -> str:
        raise ShipErrors.no_stock.fail(f"Order {order} needs more boxes than there are.")
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.raises import Promise


@rule(Severity.WARNING, "error-contract-prefer-fail")
def check(promise: Promise) -> Iterator[Problem]:
    for raised in promise.raised:
        declared = promise.contract.reasons_of(raised.code) if raised.code is not None else []
        if declared and raised.reason is None:
            ways = " or ".join(f"{promise.contract.name}.{reason}.fail(...)" for reason in declared[:3])
            yield Problem(raised.location, f"This {raised.classes[0]} says no reason; raise {ways}.")
