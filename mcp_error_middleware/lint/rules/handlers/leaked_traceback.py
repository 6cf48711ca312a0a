"""Keep stack traces out of answers.

A trace shows the agent, and whoever reads its transcript, file paths, code and values. It belongs in the
log, where the operator finds it under the error id.

Bad:

    import traceback
    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    def price(order: str) -> str:
        try:
            return prices[order]
        except KeyError:
            return traceback.format_exc()

Good:

    import logging
    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    def price(order: str) -> str:
        try:
            return prices[order]
        except KeyError:
            logging.exception("no price")
            raise
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.handler import Handler
from mcp_error_middleware.lint.python.leaving import leaving

_TRACES: Final = frozenset(
    f"traceback.{name}" for name in ("format_exc", "format_exception", "format_tb", "format_stack")
)


@rule(Severity.ERROR)
def check(handler: Handler) -> Iterator[Problem]:
    for node in leaving(handler):
        if isinstance(node, ast.Call) and handler.path(node.func) in _TRACES:
            yield handler.problem(node, "This puts a stack trace into the answer; log it instead.")
