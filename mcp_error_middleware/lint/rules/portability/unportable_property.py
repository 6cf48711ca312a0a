"""Name arguments with letters, digits, dots, hyphens and underscores.

Anthropic refuses a request if one tool has an argument with another character or more than 64 of them.

Bad:

    {
      "tools": [
        {
          "name": "find",
          "description": "Find orders.",
          "inputSchema": {
            "type": "object",
            "properties": {"filter[status]": {"type": "string", "description": "Open or sent."}}
          }
        }
      ]
    }

Good:

    {
      "tools": [
        {
          "name": "find",
          "description": "Find orders.",
          "inputSchema": {
            "type": "object",
            "properties": {"filter_status": {"type": "string", "description": "Open or sent."}}
          }
        }
      ]
    }
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import Definition, Problem, Severity, rule
from mcp_error_middleware.lint.schema import brief, input_parts, properties

_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")


@rule(Severity.WARNING)
def check(definition: Definition) -> Iterator[Problem]:
    for path, schema in input_parts(definition):
        for name in properties(schema):
            if isinstance(name, str) and not _NAME.fullmatch(name):
                message = (
                    f"Anthropic refuses the argument name {brief(name)}; use 1 to 64 letters, digits, dots, "
                    "hyphens and underscores."
                )
                yield Problem(definition.at(*path, "properties", name), message)
