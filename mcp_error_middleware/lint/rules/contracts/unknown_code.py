"""Use a code there is.

A number or name that is no member of ErrorCode is refused as soon as the contract is declared.

Bad:

    from mcp_error_middleware import Contract, ErrorCode, Mode

    class ShipErrors(Contract):
        no_stock = Mode(-32050, when="Too few boxes.", recovery="Call stock_of and ask for less.")

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
from mcp_error_middleware.lint.python.contracts import DeclaredContract, Wrong


@rule(Severity.ERROR, "error-contract-code-unknown")
def check(contract: DeclaredContract) -> Iterator[Problem]:
    for mode in contract.modes:
        if isinstance(mode.code, Wrong) and mode.code.is_code_like:
            message = f"There is no code {mode.code.text}; use a member of ErrorCode."
            yield Problem(mode.at("code"), message)
