"""Write hints as booleans.

`readOnlyHint`, `destructiveHint`, `idempotentHint` and `openWorldHint` are `true` or `false`. Strict clients
drop a tool that says `"yes"`; the others take every string for true.

Bad:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool(annotations={"readOnlyHint": "yes"})
    def price(order: str) -> int:
        return 1

Good:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool(annotations={"readOnlyHint": True})
    def price(order: str) -> int:
        return 1
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import UNKNOWN, Definition, Problem, Severity, rule
from mcp_error_middleware.lint.schema import brief

HINTS: Final = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


@rule(Severity.WARNING, "annotation-type")
def check(definition: Definition) -> Iterator[Problem]:
    said = definition.annotations
    if definition.kind != "tool" or not isinstance(said, dict):
        return
    for hint in HINTS:
        value = said.get(hint)
        if value is not None and value is not UNKNOWN and not isinstance(value, bool):
            message = f"{hint} is {brief(value)}; say true or false, or leave it out."
            yield Problem(definition.at("annotations", hint), message)
