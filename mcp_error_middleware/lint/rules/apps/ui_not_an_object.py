"""Make `_meta.ui` an object.

Hosts look for `resourceUri` inside of it; of a string or a list they make nothing.

Bad:

    {
      "tools": [
        {
          "name": "chart",
          "description": "Draw a chart.",
          "inputSchema": {"type": "object"},
          "_meta": {"ui": "ui://shop/chart"}
        }
      ]
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

from mcp_error_middleware.lint.model import Definition, Problem, Severity, rule
from mcp_error_middleware.lint.schema import brief


@rule(Severity.ERROR, "meta-ui-type")
def check(definition: Definition) -> Iterator[Problem]:
    meta = definition.meta if definition.kind == "tool" and isinstance(definition.meta, dict) else {}
    if "ui" in meta and not isinstance(meta["ui"], dict):
        message = f'_meta.ui is {brief(meta["ui"])}; write {{"resourceUri": "ui://..."}}.'
        yield Problem(definition.at("_meta", "ui"), message)
