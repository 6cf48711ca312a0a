"""Say which resource is a tool's page.

A host shows what `_meta.ui.resourceUri` names; without it the tool has no page. A tool that only a page calls
says `"visibility": ["app"]` and needs none.

Bad:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool(meta={"ui": {"resourceUri": ""}})
    def chart() -> str:
        return "drawn"

Good:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool(meta={"ui": {"resourceUri": "ui://shop/chart"}})
    def chart() -> str:
        return "drawn"

    @mcp.tool(meta={"ui": {"visibility": ["app"]}})
    def refresh() -> str:
        return "drawn"
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcp_error_middleware.lint.model import Definition, Problem, Severity, rule


@rule(Severity.ERROR, "meta-ui-resource-uri-required")
def check(definition: Definition) -> Iterator[Problem]:
    ui = page(definition)
    if ui is None or ("resourceUri" not in ui and ui.get("visibility") == ["app"]):
        return
    uri = ui.get("resourceUri")
    if not (isinstance(uri, str) and uri.strip()):
        message = "The tool has no page to show; name its resource in _meta.ui.resourceUri."
        yield Problem(definition.at("_meta", "ui", "resourceUri"), message)


def page(definition: Definition) -> dict[str, Any] | None:
    """What a tool says about its page, if it has one."""
    meta = definition.meta if definition.kind == "tool" else None
    ui = meta.get("ui") if isinstance(meta, dict) else None
    return ui if isinstance(ui, dict) else None
