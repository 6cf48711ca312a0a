"""Raise only reasons that the contract declares.

A reason nobody declared is answered as a bug of the server. Type checkers see `ShipErrors.no_stock`; only
this rule sees a reason in a string, or a mode of another tool's contract.

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
        raise ShipErrors.fail("out_of_stock", f"Order {order} needs more boxes than there are.")

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

from mcp_error_middleware.lint.model import UNKNOWN, Problem, Severity, rule
from mcp_error_middleware.lint.python.raises import Promise


@rule(Severity.ERROR)
def check(promise: Promise) -> Iterator[Problem]:
    reasons = {mode.reason for mode in promise.contract.modes}
    if not promise.contract.complete or UNKNOWN in reasons:
        return
    for raised in promise.raised:
        if isinstance(raised.reason, str) and raised.reason not in reasons:
            declared = ", ".join(sorted(map(str, reasons)))
            message = f"{promise.contract.name} declares no reason {raised.reason!r}, only {declared}."
            yield Problem(raised.location, message)
