"""What is asked of the shop, and the facts of the answer, whoever asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

SECRET = "sk-live-4eC39HqLyjWDarjtT1zdp7dc"
"""Planted, to be looked for in everything that arrives."""

INTERNAL = "An internal error stopped the operation."

CLOSED = "a tool with a closed output schema crashes"


@dataclass(frozen=True)
class Thing:
    """A request that fails."""

    name: str
    method: str
    target: str
    """The tool, the URI or the prompt."""
    code: str
    says: str
    """A part of the message."""
    number: int | None = None
    """Of the JSON-RPC error; None for a tool's result."""
    arguments: Mapping[str, Any] | None = None


THINGS = (
    Thing("a tool crashes", "tools/call", "crash", "InternalError", INTERNAL),
    Thing("a tool fails as declared", "tools/call", "declared", "NotFound", "Order 'ord_9' was not found."),
    Thing("a tool times out", "tools/call", "slow", "Timeout", "The operation did not finish in time."),
    Thing(CLOSED, "tools/call", "weigh", "InternalError", INTERNAL, arguments={"item": "stone"}),
    Thing(
        "bad arguments",
        "tools/call",
        "add",
        "ValidationError",
        "Validation failed: a must be a valid integer",
        arguments={"a": SECRET, "b": 2},
    ),
    Thing("an unknown tool", "tools/call", "nope", "InvalidParams", "Unknown tool: nope", -32602),
    Thing(
        "an unknown resource", "resources/read", "shop://nothing", "NotFound", "Unknown resource: ", -32602
    ),
    Thing("a resource crashes", "resources/read", "shop://crash", "InternalError", INTERNAL, -32603),
    Thing("a prompt crashes", "prompts/get", "crash", "InternalError", INTERNAL, -32603),
)

SUCCESS = "what succeeds"
"""Asked last: the server still answers, and what its schema allows is left alone."""

REQUESTS = {
    **{thing.name: (thing.method, thing.target, thing.arguments) for thing in THINGS},
    SUCCESS: ("tools/call", "weigh", {"item": "feather"}),
}
"""Each by its name, in the order they are sent."""
