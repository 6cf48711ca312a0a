"""Say what the agent should do next.

`recovery` is the step that follows: it reaches the agent with every failure of this mode.

Bad:

    from mcp_error_middleware import Contract, ErrorCode, Mode

    class ShipErrors(Contract):
        no_stock = Mode(ErrorCode.CONFLICT, when="Too few boxes.")

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


@rule(Severity.ERROR, "error-contract-recovery-required")
def check(contract: DeclaredContract) -> Iterator[Problem]:
    for mode in contract.modes:
        if not isinstance(mode.recovery, str | Unknown):
            yield Problem(
                mode.at("recovery"), "This mode has no `recovery`; say what the agent should do next."
            )
