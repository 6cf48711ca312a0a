"""Serve a tool's page from the server itself, at `ui://`.

Hosts read the page over MCP and show it in a sandbox. Another scheme says that it is fetched from elsewhere,
which most of them refuse.

Bad:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool(meta={"ui": {"resourceUri": "https://shop.example/chart"}})
    def chart() -> str:
        return "drawn"

Good:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool(meta={"ui": {"resourceUri": "ui://shop/chart"}})
    def chart() -> str:
        return "drawn"
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import Definition, Problem, Severity, rule
from mcp_error_middleware.lint.rules.apps.ui_without_resource import page
from mcp_error_middleware.lint.schema import brief


@rule(Severity.WARNING, "meta-ui-resource-uri-scheme")
def check(definition: Definition) -> Iterator[Problem]:
    uri = (page(definition) or {}).get("resourceUri")
    if isinstance(uri, str) and uri.strip() and not uri.startswith("ui://"):
        message = f"Hosts expect the page at ui://, not at {brief(uri)}; register it as a ui:// resource."
        yield Problem(definition.at("_meta", "ui", "resourceUri"), message)
