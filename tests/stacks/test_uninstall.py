"""Nothing of it stays: a server, as deep as it goes, and the loggers of its SDK are what they were."""

from __future__ import annotations

import gc
import logging
from types import FunctionType, MethodType, ModuleType
from typing import Any

import pytest

from mcp_error_middleware import ErrorPolicy, install, uninstall
from tests.stacks.stacks import Stack

pytestmark = pytest.mark.anyio

LOGGERS = ("", "mcp", "fastmcp", "fastmcp.server.server", "fastmcp.prompts.function_prompt")
LEAVES = (str, bytes, int, float, type, ModuleType, FunctionType, MethodType)
DEEP = 7


def parts(thing: Any, path: str = "", found: dict[str, Any] | None = None) -> dict[str, Any]:
    """What a thing is made of, by where it is in it: a leaf's value, else which object it is."""
    found = {} if found is None else found
    is_leaf = isinstance(thing, LEAVES)
    found[path] = (type(thing), thing if is_leaf else id(thing))
    if is_leaf or path.count(".") > DEEP:
        return found
    inside = dict(enumerate(thing)) if isinstance(thing, list | tuple) else getattr(thing, "__dict__", None)
    for name, value in (thing if isinstance(thing, dict) else inside or {}).items():
        if f"{path}.{name}" not in found and not str(name).startswith(OF_A_RUN):
            parts(value, f"{path}.{name}", found)
    return found


OF_A_RUN = ("_shared_context_snapshot", "_state_sto", "_FastMCP__state_store", "_tool_cache")
"""What FastMCP and the SDK themselves make anew whenever they serve."""


async def test_a_server_is_what_it_was(stack: Stack) -> None:
    server = stack.server()

    async def used() -> dict[str, Any]:
        async with stack.connect(server) as ask:
            await ask("tools/list", {})
            await ask("tools/call", {"name": "add", "arguments": {"a": 1, "b": 2}})
            await ask("tools/call", {"name": "nope", "arguments": {}})
        return parts(server)

    # Others' tests may have left a layer to the garbage collector.
    gc.collect()
    before, filters = await used(), [list(logging.getLogger(name).filters) for name in LOGGERS]
    install(server, ErrorPolicy(log=False))
    install(server, ErrorPolicy(log=False, traces=False))
    assert await used() != before
    uninstall(server)

    assert await used() == before
    assert [list(logging.getLogger(name).filters) for name in LOGGERS] == filters
