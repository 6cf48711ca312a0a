"""Name tools so that every vendor takes the name as it is.

MCP allows dots and 128 characters, OpenAI and Anthropic letters, digits, hyphens and underscores, 64 in all.
Clients that do not rewrite names lose the tool.

Bad:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool(name="orders.ship")
    def ship(order: str) -> str:
        return order

Good:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool(name="orders_ship")
    def ship(order: str) -> str:
        return order
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import Definition, Problem, Severity, rule
from mcp_error_middleware.lint.schema import brief

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


@rule(Severity.WARNING, strict=True)
def check(definition: Definition) -> Iterator[Problem]:
    name = definition.name
    if definition.kind == "tool" and isinstance(name, str) and name and not _NAME.fullmatch(name):
        message = (
            f"OpenAI and Anthropic refuse the name {brief(name)}; use at most 64 letters, digits, hyphens "
            "and underscores."
        )
        yield Problem(definition.at("name"), message)
