"""Give every resource a URI.

The URI is what a client reads it by.

Bad:

    {"resources": [{"name": "Orders", "description": "All orders.", "uri": ""}]}

Bad, a template:

    {"resourceTemplates": [{"name": "Order", "description": "One order."}]}

Good:

    {
      "resources": [{"name": "Orders", "description": "All orders.", "uri": "shop://orders"}],
      "resourceTemplates": [{"name": "Order", "description": "One.", "uriTemplate": "shop://orders/{id}"}]
    }
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import UNKNOWN, Definition, Problem, Severity, rule


@rule(Severity.ERROR, "uri-template-required")
def check(definition: Definition) -> Iterator[Problem]:
    if definition.kind not in ("resource", "template") or definition.uri is UNKNOWN:
        return
    if not (isinstance(definition.uri, str) and definition.uri.strip()):
        part = "uriTemplate" if definition.kind == "template" else "uri"
        message = f"No client can read this {definition.kind}; give its {part}, such as shop://orders."
        yield Problem(definition.at("uri"), message)
