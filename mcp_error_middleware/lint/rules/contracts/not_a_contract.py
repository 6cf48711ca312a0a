"""Give `raises` a contract.

`@raises(...)` takes a subclass of Contract, and `Contract.of` a list or a mapping of modes. Anything else
raises as soon as the module is imported.

Bad:

    from mcp.server.mcpserver import MCPServer
    from mcp_error_middleware import NotFound, raises

    server = MCPServer("shop")

    @server.tool()
    @raises([NotFound])
    def price(order: str) -> int:
        raise NotFound(f"Order {order} was not found.")

Good:

    from mcp.server.mcpserver import MCPServer
    from mcp_error_middleware import Contract, ErrorCode, Mode, raises

    server = MCPServer("shop")

    class PriceErrors(Contract):
        no_order = Mode(ErrorCode.NOT_FOUND, when="No such order.", recovery="Call list_orders.")

    @server.tool()
    @raises(PriceErrors)
    def price(order: str) -> int:
        raise PriceErrors.no_order.fail(f"Order {order} was not found.")
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.contracts import DeclaredContract


@rule(Severity.ERROR, "error-contract-type")
def check(contract: DeclaredContract) -> Iterator[Problem]:
    if contract.mistaken_for:
        message = f"{contract.mistaken_for} is no contract; declare a subclass of Contract and name it here."
        yield Problem(contract.location, message)
