"""Say when a mode happens.

`when` is the sentence a person or a model reads to understand the mode, and the message where the raise has
none.

Bad:

    from mcp_error_middleware import Contract, ErrorCode, Mode

    class ShipErrors(Contract):
        no_stock = Mode(ErrorCode.CONFLICT, recovery="Call stock_of and ask for less.")

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


@rule(Severity.ERROR, "error-contract-when-required")
def check(contract: DeclaredContract) -> Iterator[Problem]:
    for mode in contract.modes:
        if mode.when is None or (isinstance(mode.when, str) and not mode.when.strip()):
            yield Problem(mode.at("when"), "This mode has no `when`; say in which situation it happens.")
