"""Do not leave a recovery empty.

An empty step is worse than none: it looks as if somebody had thought about it.

Bad:

    from mcp_error_middleware import Contract, ErrorCode, Mode

    class ShipErrors(Contract):
        no_stock = Mode(ErrorCode.CONFLICT, when="Too few boxes.", recovery="")

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


@rule(Severity.ERROR, "error-contract-recovery-empty")
def check(contract: DeclaredContract) -> Iterator[Problem]:
    for mode in contract.modes:
        if isinstance(mode.recovery, str) and not mode.recovery.strip():
            yield Problem(mode.at("recovery"), "This recovery is empty; say what the agent should do next.")
