"""Say more than UnknownError.

UnknownError is what is left when nothing is known. A mode is known: choose the code that says why.

Bad:

    from mcp_error_middleware import Contract, ErrorCode, Mode

    class ShipErrors(Contract):
        no_stock = Mode(ErrorCode.UNKNOWN_ERROR, when="Too few boxes.", recovery="Call stock_of.")

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
from mcp_error_middleware.taxonomy import ErrorCode


@rule(Severity.WARNING, "error-contract-code-unknown-error")
def check(contract: DeclaredContract) -> Iterator[Problem]:
    for mode in contract.modes:
        if mode.code is ErrorCode.UNKNOWN_ERROR:
            yield Problem(
                mode.at("code"), "UnknownError tells a client nothing; choose the code that says why."
            )
