"""Give every tool, resource and prompt a description.

The description is what a model reads to decide whether to call it.

Bad:

    from mcp.server.mcpserver import MCPServer

    server = MCPServer("shop")

    @server.tool()
    def ship(order: str) -> str:
        return order

Good:

    from mcp.server.mcpserver import MCPServer

    server = MCPServer("shop")

    @server.tool()
    def ship(order: str) -> str:
        \"\"\"Ship an order that is packed. Returns its tracking number.\"\"\"
        return order
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import UNKNOWN, Definition, Problem, Severity, rule


@rule(Severity.WARNING, "description-required")
def check(definition: Definition) -> Iterator[Problem]:
    text = definition.description
    if text is not UNKNOWN and not (isinstance(text, str) and text.strip()):
        message = f"A model cannot tell what this {definition.kind} is for; say it in its description."
        yield Problem(definition.at("description"), message)
