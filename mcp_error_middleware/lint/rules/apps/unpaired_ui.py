"""Register the resource that a tool's page is.

Rename one of the two and the host finds nothing to show.

Bad:

    {
      "tools": [
        {
          "name": "chart",
          "description": "Draw a chart.",
          "inputSchema": {"type": "object"},
          "_meta": {"ui": {"resourceUri": "ui://shop/chart"}}
        }
      ],
      "resources": [{"name": "Charts", "description": "The chart.", "uri": "ui://shop/charts"}]
    }

Good:

    {
      "tools": [
        {
          "name": "chart",
          "description": "Draw a chart.",
          "inputSchema": {"type": "object"},
          "_meta": {"ui": {"resourceUri": "ui://shop/chart"}}
        }
      ],
      "resources": [{"name": "Chart", "description": "The chart.", "uri": "ui://shop/chart"}]
    }
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import Catalogue, Definition, Problem, Severity, rule
from mcp_error_middleware.lint.rules.apps.ui_without_resource import page
from mcp_error_middleware.lint.schema import brief


@rule(Severity.WARNING, "app-tool-resource-pairing")
def check(catalogue: Catalogue) -> Iterator[Problem]:
    served = [each.uri for each in catalogue.of("resource", "template")]
    for tool in catalogue.of("tool"):
        if tool.origin == "source" and not _shows_pages(catalogue.definitions):
            continue
        uri = (page(tool) or {}).get("resourceUri")
        if isinstance(uri, str) and uri.startswith("ui://") and uri not in served:
            message = f"No resource of this server is {brief(uri)}; register it, or correct the URI."
            yield Problem(tool.at("_meta", "ui", "resourceUri"), message)


def _shows_pages(definitions: tuple[Definition, ...]) -> bool:
    """Whether source registers pages, and with URIs that can be read: others may be made elsewhere."""
    uris = [each.uri for each in definitions if each.kind in ("resource", "template")]
    return all(isinstance(uri, str) for uri in uris) and any(str(uri).startswith("ui://") for uri in uris)
