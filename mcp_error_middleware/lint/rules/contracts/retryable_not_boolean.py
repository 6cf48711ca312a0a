"""Make `retryable` True or False, or leave it out.

Left out, the code decides. Anything else is refused as soon as the contract is declared.

Bad:

    from mcp_error_middleware import Contract, ErrorCode, Mode

    class ShipErrors(Contract):
        no_stock = Mode(
            ErrorCode.CONFLICT, when="Too few boxes.", recovery="Call stock_of.", retryable="yes"
        )

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

from mcp_error_middleware.lint.model import Problem, Severity, Unknown, rule
from mcp_error_middleware.lint.python.contracts import DeclaredContract


@rule(Severity.WARNING, "error-contract-retryable-type")
def check(contract: DeclaredContract) -> Iterator[Problem]:
    for mode in contract.modes:
        if mode.retryable is not None and not isinstance(mode.retryable, bool | Unknown):
            message = f"`retryable` is {mode.retryable!r}; use True, False or leave it out."
            yield Problem(mode.at("retryable"), message)
