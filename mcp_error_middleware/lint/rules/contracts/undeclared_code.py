"""Declare every code a tool raises.

A tool with a contract says how it can fail; a code that it raises beside it takes its callers by surprise.
Codes that anything may end in (InternalError, ServiceUnavailable, Timeout, ValidationError,
SerializationError) need no mode. Raises are followed through the functions of the same package.

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

    def load(order: str) -> str:
        raise NotFound(f"Order {order} was not found.")

    @server.tool()
    @raises(ShipErrors)
    def ship(order: str) -> str:
        return load(order)

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
from typing import Final

from mcp_error_middleware.lint.model import UNKNOWN, Problem, Severity, rule
from mcp_error_middleware.lint.python.raises import Promise
from mcp_error_middleware.taxonomy import ErrorCode

BASELINE: Final = frozenset(
    {
        ErrorCode.INTERNAL_ERROR,
        ErrorCode.SERVICE_UNAVAILABLE,
        ErrorCode.TIMEOUT,
        ErrorCode.VALIDATION_ERROR,
        ErrorCode.SERIALIZATION_ERROR,
    }
)
"""Codes that any tool may end in."""


@rule(Severity.WARNING, "error-contract-conformance")
def check(promise: Promise) -> Iterator[Problem]:
    if not promise.contract.complete or UNKNOWN in promise.contract.codes():
        return
    for raised in promise.raised:
        if (
            raised.code is not None
            and raised.code not in BASELINE
            and raised.code not in promise.contract.codes()
        ):
            message = (
                f"{promise.entry.function.name} raises {raised.code.label}, which {promise.contract.name} "
                "does not declare; add a mode for it."
            )
            yield Problem(raised.location, message)
