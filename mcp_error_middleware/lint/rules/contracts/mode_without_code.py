"""Give every mode a code.

The code is what clients, metrics and retries go by. It is a member of ErrorCode.

Bad:

    from mcp_error_middleware import Contract, ErrorCode, Mode

    class ShipErrors(Contract):
        no_stock = Mode(when="Too few boxes.", recovery="Call stock_of and ask for less.")

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


@rule(Severity.ERROR, "error-contract-code-type")
def check(contract: DeclaredContract) -> Iterator[Problem]:
    for mode in contract.modes:
        if mode.code is None or (isinstance(mode.code, Wrong) and not mode.code.is_code_like):
            message = "This mode has no code; give it a member of ErrorCode, such as ErrorCode.NOT_FOUND."
            yield Problem(mode.at("code"), message)
