"""Write reasons in snake_case.

Reasons are constants of a public interface: `no_match`, not `NoMatch` or `no-match`. Others are refused as
soon as the contract is declared.

Bad:

    from mcp_error_middleware import Contract, ErrorCode, Mode

    class ShipErrors(Contract):
        NoStock = Mode(ErrorCode.CONFLICT, when="Too few boxes.", recovery="Call stock_of and ask for less.")

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

import re
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.contracts import DeclaredContract

_SNAKE: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


@rule(Severity.WARNING, "error-contract-reason-format")
def check(contract: DeclaredContract) -> Iterator[Problem]:
    for mode in contract.modes:
        if isinstance(mode.reason, str) and mode.reason.strip() and not _SNAKE.fullmatch(mode.reason):
            yield Problem(mode.at("reason"), f"{mode.reason!r} is not snake_case; write it like no_match.")
