"""Say the next step in five words or more.

"Try again." guides nobody. Name the tool to call, the argument to change or the time to wait.

Bad:

    from mcp_error_middleware import Contract, ErrorCode, Mode

    class ShipErrors(Contract):
        no_stock = Mode(ErrorCode.CONFLICT, when="Too few boxes.", recovery="Try again.")

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
from typing import Final

from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.contracts import DeclaredContract

ENOUGH: Final = 5
"""Words."""


@rule(Severity.WARNING, "error-contract-recovery-min-words")
def check(contract: DeclaredContract) -> Iterator[Problem]:
    for mode in contract.modes:
        if isinstance(mode.recovery, str) and 0 < len(mode.recovery.split()) < ENOUGH:
            message = "This recovery is too short to act on; name the tool, the argument or the time to wait."
            yield Problem(mode.at("recovery"), message)
