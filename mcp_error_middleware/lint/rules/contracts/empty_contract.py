"""Declare at least one mode, or no contract.

A contract without modes promises nothing, and raises as soon as it is declared.

Bad:

    from mcp_error_middleware import Contract

    class ShipErrors(Contract):
        pass

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


@rule(Severity.WARNING, "error-contract-empty")
def check(contract: DeclaredContract) -> Iterator[Problem]:
    if not (contract.modes or contract.strays or contract.mistaken_for) and contract.complete:
        yield Problem(
            contract.location, f"{contract.name} declares no mode; add one, or declare no contract."
        )
