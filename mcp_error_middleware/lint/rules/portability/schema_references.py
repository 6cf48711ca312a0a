"""Write schemas out instead of referring to parts of them.

Gemini refuses `$ref` and `$defs`. Others follow them, and they save tokens; this is for servers that every
vendor's models should be able to call.

Bad:

    {
      "tools": [
        {
          "name": "ship",
          "description": "Ship a box.",
          "inputSchema": {
            "type": "object",
            "properties": {"box": {"$ref": "#/$defs/Box"}},
            "$defs": {"Box": {"type": "object", "description": "A box."}}
          }
        }
      ]
    }

Good:

    {
      "tools": [
        {
          "name": "ship",
          "description": "Ship a box.",
          "inputSchema": {
            "type": "object",
            "properties": {"box": {"type": "object", "description": "A box."}}
          }
        }
      ]
    }
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import Definition, Problem, Severity, rule
from mcp_error_middleware.lint.schema import input_parts


@rule(Severity.WARNING, "schema-no-defs", strict=True)
def check(definition: Definition) -> Iterator[Problem]:
    for path, schema in input_parts(definition):
        for keyword in ("$defs", "definitions", "$ref"):
            if keyword in schema:
                message = f"Gemini refuses {keyword}; write the schema out where it is used."
                yield Problem(definition.at(*path, keyword), message)
                return
