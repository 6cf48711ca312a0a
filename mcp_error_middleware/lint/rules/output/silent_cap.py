"""Say when a list was cut off.

A tool that takes a `limit` and returns a list leaves a model to take the first page for all there is. Say
`truncated`, `total_count`, `has_more` or `next_cursor` beside the list.

Bad:

    from fastmcp import FastMCP
    from pydantic import BaseModel

    mcp = FastMCP("shop")

    class Orders(BaseModel):
        orders: list[str]

    @mcp.tool
    def list_orders(limit: int = 10) -> Orders:
        return Orders(orders=[])

Good:

    from fastmcp import FastMCP
    from pydantic import BaseModel

    mcp = FastMCP("shop")

    class Orders(BaseModel):
        orders: list[str]
        total_count: int

    @mcp.tool
    def list_orders(limit: int = 10) -> Orders:
        return Orders(orders=[], total_count=0)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from mcp_error_middleware.lint.model import Definition, Problem, Severity, rule
from mcp_error_middleware.lint.schema import branches, brief, properties, resolved

_LIMITS: Final = frozenset({"limit", "perpage", "pagesize", "maxresults", "maxitems"})
_DISCLOSED: Final = re.compile(
    r"truncated|total|hasmore|hasnext|more$|next|cursor|pagination|pageinfo|remaining"
)


@rule(Severity.WARNING, "capped-list-no-truncation")
def check(definition: Definition) -> Iterator[Problem]:
    if definition.kind != "tool":
        return
    limit = next((name for name in properties(definition.input_schema) if _plain(name) in _LIMITS), None)
    answered = properties(resolved(definition.output_schema, definition.output_schema))
    lists = [name for name, field in answered.items() if _is_list(field, definition.output_schema)]
    if limit is None or not lists or any(_DISCLOSED.search(_plain(name)) for name in answered):
        return
    message = (
        f"{brief(limit)} may cut {brief(lists[0])} off, and nobody is told; return truncated or total_count "
        "beside it."
    )
    yield Problem(definition.at("outputSchema", "properties", lists[0]), message)


def _plain(name: Any) -> str:
    return str(name).lower().replace("_", "").replace("-", "")


def _is_list(field: Any, root: Any) -> bool:
    found = resolved(field, root)
    every = [found, *(resolved(branch, root) for _, branch in branches(found))]
    return any(each.get("type") == "array" for each in every)
