"""Declare each reason once.

Two modes of one name cannot be told apart; the second is refused as soon as the contract is declared.

Bad:

    from mcp_error_middleware import Contract, ErrorCode, Mode

    class ShipErrors(Contract):
        no_stock = Mode(ErrorCode.CONFLICT, when="Too few boxes.", recovery="Call stock_of and ask for less.")
        no_stock = Mode(ErrorCode.NOT_FOUND, when="No such box.", recovery="Call stock_of and use its ids.")

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


@rule(Severity.ERROR, "error-contract-reason-unique")
def check(contract: DeclaredContract) -> Iterator[Problem]:
    seen: set[str] = set()
    for mode in contract.modes:
        if isinstance(mode.reason, str) and mode.reason in seen:
            yield Problem(mode.location, f"Reason {mode.reason!r} is declared twice; rename one of the two.")
        seen.add(str(mode.reason))
