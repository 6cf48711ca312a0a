"""Let somebody read the canvas a tool fills.

A `canvas_id` in a result is a token for another tool. If none takes it, the data behind it is out of reach.

Bad:

    {
      "tools": [
        {
          "name": "load_orders",
          "description": "Load orders into a canvas.",
          "inputSchema": {"type": "object"},
          "outputSchema": {
            "type": "object",
            "properties": {"canvas_id": {"type": "string", "description": "The canvas."}}
          }
        }
      ]
    }

Good:

    {
      "tools": [
        {
          "name": "load_orders",
          "description": "Load orders into a canvas.",
          "inputSchema": {"type": "object"},
          "outputSchema": {
            "type": "object",
            "properties": {"canvas_id": {"type": "string", "description": "The canvas."}}
          }
        },
        {
          "name": "shop_dataframe_query",
          "description": "Query a canvas.",
          "inputSchema": {
            "type": "object",
            "properties": {"canvas_id": {"type": "string", "description": "From load_orders."}}
          }
        }
      ]
    }
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import Catalogue, Definition, Problem, Severity, rule
from mcp_error_middleware.lint.schema import properties


@rule(Severity.WARNING, "canvas-consumer-missing")
def check(catalogue: Catalogue) -> Iterator[Problem]:
    tools = catalogue.of("tool")
    if any(_reads(tool) for tool in tools):
        return
    for tool in tools:
        for name in ("canvas_id", "canvasId"):
            if name in properties(tool.output_schema):
                message = f"No tool of this server takes the {name}; add one that does, or return the data."
                yield Problem(tool.at("outputSchema", "properties", name), message)
                return


def _reads(tool: Definition) -> bool:
    taken = properties(tool.input_schema)
    return str(tool.name).endswith("_dataframe_query") or "canvas_id" in taken or "canvasId" in taken
