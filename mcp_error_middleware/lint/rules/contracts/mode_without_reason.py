"""Give every mode a reason.

The reason is the name clients switch on. In a class it is the attribute; in data it is `reason`.

Bad:

    from mcp_error_middleware import Contract, ErrorCode

    ShipErrors = Contract.of(
        [
            {
                "code": "Conflict",
                "when": "The warehouse has too few boxes.",
                "recovery": "Call stock_of first and ask for no more than that.",
            },
        ]
    )

Good:

    from mcp_error_middleware import Contract, ErrorCode

    ShipErrors = Contract.of(
        [
            {
                "reason": "no_stock",
                "code": "Conflict",
                "when": "The warehouse has too few boxes.",
                "recovery": "Call stock_of first and ask for no more than that.",
            },
        ]
    )
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.contracts import DeclaredContract


@rule(Severity.ERROR, "error-contract-reason-required")
def check(contract: DeclaredContract) -> Iterator[Problem]:
    for mode in contract.modes:
        if mode.reason is None or (isinstance(mode.reason, str) and not mode.reason.strip()):
            yield Problem(
                mode.at("reason"), 'This mode has no reason; add one, such as "reason": "no_match".'
            )
