"""Do not say of a read-only tool whether it destroys.

`destructiveHint` means something only where a tool changes anything. Beside `readOnlyHint: true` it is a
contradiction, or a sign that one of them was copied.

Bad:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool(annotations={"readOnlyHint": True, "destructiveHint": False})
    def price(order: str) -> int:
        return 1

Good:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool(annotations={"readOnlyHint": True})
    def price(order: str) -> int:
        return 1

Good, it changes something:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool(annotations={"readOnlyHint": False, "destructiveHint": False})
    def ship(order: str) -> int:
        return 1
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import UNKNOWN, Definition, Problem, Severity, rule


@rule(Severity.WARNING, "annotation-coherence")
def check(definition: Definition) -> Iterator[Problem]:
    said = definition.annotations
    if definition.kind != "tool" or not isinstance(said, dict) or said.get("readOnlyHint") is not True:
        return
    destructive = said.get("destructiveHint")
    if destructive is not None and destructive is not UNKNOWN:
        message = (
            "A read-only tool has nothing to destroy; leave destructiveHint out, or say what it changes."
        )
        yield Problem(definition.at("annotations", "destructiveHint"), message)
