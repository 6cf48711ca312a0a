"""Make every entry of a contract a mode.

What is not a `Mode(...)`, often because of a trailing comma, is refused as soon as the contract is
declared.

Bad:

    from mcp_error_middleware import Contract, ErrorCode, Mode

    class ShipErrors(Contract):
        no_stock = Mode(ErrorCode.CONFLICT, when="Too few boxes.", recovery="Call stock_of, ask for less."),

Good:

    from mcp_error_middleware import Contract, ErrorCode, Mode

    class ShipErrors(Contract):
        no_stock = Mode(
            ErrorCode.CONFLICT,
            when="The warehouse has too few boxes.",
            recovery="Call stock_of first and ask for no more than that.",
        )
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.contracts import DeclaredContract


@rule(Severity.ERROR, "error-contract-entry-type")
def check(contract: DeclaredContract) -> Iterator[Problem]:
    for location, text in contract.strays:
        shortened = text if len(text) <= 60 else f"{text[:57]}..."
        yield Problem(
            location, f"`{shortened}` is no mode; write Mode(...), or begin the name with an underscore."
        )
