"""Write URI templates as RFC 6570 says.

Every brace has its counterpart and every pair holds the name of a variable; otherwise nothing matches it.

Bad:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.resource("shop://{order/lines")
    def lines(order: str) -> str:
        return order

Bad, as a server advertises it:

    {"resourceTemplates": [{"name": "Order", "description": "One order.", "uriTemplate": "shop://{}/lines"}]}

Good:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.resource("shop://{order}/lines{?page,size}")
    def lines(order: str, page: int = 1, size: int = 10) -> str:
        return order
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import Definition, Problem, Severity, rule
from mcp_error_middleware.lint.schema import brief
from mcp_error_middleware.lint.uri_template import fault


@rule(Severity.ERROR, "uri-template-valid")
def check(definition: Definition) -> Iterator[Problem]:
    uri = definition.uri
    if definition.kind in ("resource", "template") and isinstance(uri, str) and (wrong := fault(uri)):
        message = f"{brief(uri)} is no URI template: {wrong}; write variables as {{name}}."
        yield Problem(definition.at("uri"), message)
