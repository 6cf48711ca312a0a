"""What triage and its steps cost, beside formatting the traceback of the same exception."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any

from mcp.server.mcpserver import MCPServer

from mcp_error_middleware import Call, Triage, classify, sanitize_text
from mcp_error_middleware.render import tool_result
from tests.benchmarks.failures import raised, refused, shallow
from tests.benchmarks.measure import Case, Cases

CALLS, ROUNDS = 50, 60

HARMLESS = (
    "The order could not be placed because the warehouse in Rotterdam has only 12 boxes left and 40 were "
    "asked for; choose another warehouse with list_warehouses, or ask for fewer boxes, then place {} again."
)

DEPENDENCIES = "asyncio, mcp, opentelemetry.sdk.trace, orjson, starlette.applications, structlog"

YARDSTICK = "traceback.format_exception"
WHOLE = "triage and tool result"

_triage = Triage()
_call = Call(target="price")


def answered(exc: BaseException) -> object:
    return tool_result(_triage(exc, _call))


def cases(make: Callable[[int], BaseException]) -> Cases:
    """What a chain costs, the yardstick first; every call has a chain of its own, with an id of its own."""
    steps: dict[str, Callable[[Any], object]] = {
        YARDSTICK: traceback.format_exception,
        WHOLE: answered,
        "triage": lambda exc: _triage(exc, _call),
        "classify": classify,
    }
    return {name: _case(step, make) for name, step in steps.items()}


def caught(order: int) -> BaseException:
    """What a tool raised, as the official SDK hands it over: out of a worker thread."""
    calling = _server.call_tool("refused", {"order": order})
    failed = _elsewhere.submit(asyncio.run, calling).exception()
    assert failed is not None
    assert failed.__cause__ is not None
    return failed.__cause__


_server = MCPServer("shop")
_server.add_tool(refused)
_elsewhere = ThreadPoolExecutor(1)

CHAINS: dict[str, Callable[[int], BaseException]] = {
    "A three-deep chain of a tool on the official SDK": caught,
    "The same chain without a server": partial(raised, refused),
    "A three-deep chain out of one function": partial(raised, shallow),
}
"""Through a handler, a service, a repository and a driver, but for the last."""

MOST = {"classify a KeyError": 3.0, "sanitize_text, 200 harmless characters": 8.0}
"""Microseconds."""


def smaller() -> Cases:
    """What has no chain."""
    return {
        "classify a ValueError": _case(classify, lambda order: ValueError(f"{order} boxes")),
        "classify a KeyError": _case(classify, lambda order: KeyError(f"total_{order}")),
        "sanitize_text, 200 harmless characters": _case(sanitize_text, HARMLESS.format),
        "sanitize_text, the same again": _case(sanitize_text, lambda _: HARMLESS),
    }


def import_cost(first: str) -> float:
    """Milliseconds of CPU that importing the package takes after these, the least of nine interpreters."""
    code = f"import {first}, time\nstart = time.process_time()\nimport mcp_error_middleware\n"
    with TemporaryDirectory() as folder:
        # Compiled, as installed: the first of them compiles.
        env = {**os.environ, "PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
        command = [sys.executable, "-c", code + "print(time.process_time() - start)"]
        runs = [subprocess.run(command, env=env, capture_output=True, check=True) for _ in range(10)]
    return min(float(run.stdout) for run in runs[1:]) * 1000


def _case(step: Callable[[Any], object], make: Callable[[int], object]) -> Case:
    async def run(things: list[Any]) -> None:
        for thing in things:
            step(thing)

    return Case(run, make, CALLS)
