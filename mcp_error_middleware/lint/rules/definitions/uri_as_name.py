"""Give a resource a name of its own.

Clients show the name to people. A URI is a poor one, and it stands beside the name anyway.

Bad:

    {"resources": [{"name": "shop://orders", "description": "All orders.", "uri": "shop://orders"}]}

Good:

    {"resources": [{"name": "Orders", "description": "All orders.", "uri": "shop://orders"}]}
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import Definition, Problem, Severity, rule


@rule(Severity.WARNING, "resource-name-not-uri")
def check(definition: Definition) -> Iterator[Problem]:
    if definition.kind not in ("resource", "template") or not isinstance(definition.name, str):
        return
    if definition.name and definition.name == definition.uri:
        message = "People are shown this URI as its name; say name= in a word or two."
        yield Problem(definition.at("name"), message)
