"""What triage and its steps cost, beside formatting the traceback of the same exception."""

from __future__ import annotations

import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any

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


def cases(fail: Callable[[int], str]) -> Cases:
    """What a chain costs, the yardstick first; every call has a chain of its own, with an id of its own."""
    steps: dict[str, Callable[[Any], object]] = {
        YARDSTICK: traceback.format_exception,
        WHOLE: answered,
        "triage": lambda exc: _triage(exc, _call),
        "classify": classify,
    }
    return {name: _case(step, partial(raised, fail)) for name, step in steps.items()}


CHAINS: dict[str, Callable[[int], str]] = {
    "A three-deep chain through a handler, a service, a repository and a driver": refused,
    "A three-deep chain out of one function": shallow,
}

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
