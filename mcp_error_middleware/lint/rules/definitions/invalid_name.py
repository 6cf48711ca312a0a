"""Name tools with letters, digits, dots, hyphens and underscores.

Clients and model vendors reject other characters, and names of more than 128. What people read is the title.

Bad:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool(name="ship order!")
    def ship(order: str) -> str:
        return order

Good:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool(name="ship_order", title="Ship order!")
    def ship(order: str) -> str:
        return order
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import Definition, Problem, Severity, rule
from mcp_error_middleware.lint.schema import brief

_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,128}")


@rule(Severity.ERROR, "name-format")
def check(definition: Definition) -> Iterator[Problem]:
    name = definition.name
    if definition.kind != "tool" or not isinstance(name, str) or not name.strip():
        return
    if not _NAME.fullmatch(name):
        message = (
            f"Clients reject the name {brief(name)}; use 1 to 128 letters, digits, dots, hyphens and "
            "underscores, and say the rest in the title."
        )
        yield Problem(definition.at("name"), message)
