"""How the cost of a failure grows with what there is of something: it must not grow faster than that.

python -m tests.benchmarks.curves    what a failure costs at every size, as JSON, for `grown`
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager, redirect_stderr
from functools import partial
from pathlib import Path
from typing import Any

from mcp_error_middleware import Call, Contract, ErrorCode, ErrorPolicy, Mode, NotFound, Triage, install
from mcp_error_middleware.render import tool_result
from tests.benchmarks.failures import WORKLOADS, bad_value, raised
from tests.benchmarks.measure import Case, counting, measured
from tests.benchmarks.memory import Session, connected
from tests.benchmarks.subjects import FASTMCP, MCPSERVER, STACKS

CALLS, ROUNDS = 1, 40
MOST = 1.1
"""The exponent a curve may have: linear, and room for what rounds up."""

Sized = Callable[[AsyncExitStack, int], Any]
"""A size in, the case of that size out, as an awaitable."""


# --- triage alone -------------------------------------------------------------------------------


def _triaged(make: Callable[[int], BaseException], triage: Triage | None = None, **options: Any) -> Case:
    chosen, call = triage or Triage(), Call(target="price")

    async def run(failures: list[Any]) -> None:
        for failure in failures:
            tool_result(chosen(failure, call, **options))

    return Case(run, make, CALLS)


async def _chain(_: AsyncExitStack, links: int) -> Case:
    def make(number: int) -> BaseException:
        exc: BaseException = ConnectionRefusedError(111, "Connection refused")
        for link in range(1, links):
            outer = RuntimeError(f"step {link} of order ord_{number} failed")
            outer.__cause__ = exc
            exc = outer
        return exc

    return _triaged(make)


async def _message(_: AsyncExitStack, size: int) -> Case:
    words = "the warehouse in Rotterdam has no boxes left, ask for another; "
    return _triaged(lambda number: ValueError(f"order {number}: {words * (size // len(words) + 1)}"[:size]))


async def _dense_message(_: AsyncExitStack, size: int) -> Case:
    words = "https://shop.example/v1/orders/17?page=2 key=abc12345 10.0.0.7:443 a@b.example /srv/app.py:12 "
    return _triaged(lambda number: ValueError(f"order {number}: {words * (size // len(words) + 1)}"[:size]))


async def _data(_: AsyncExitStack, entries: int) -> Case:
    def make(number: int) -> BaseException:
        return NotFound("No such order.", data={f"line_{i}": f"order {number}" for i in range(entries)})

    return _triaged(make)


async def _modes(_: AsyncExitStack, modes: int) -> Case:
    contract = type("Shop", (Contract,), {f"reason_{i}": _mode() for i in range(modes)})
    return _triaged(partial(raised, bad_value), contract=contract)


async def _contracts(_: AsyncExitStack, contracts: int) -> Case:
    shop = type("Shop", (Contract,), {"gone": _mode()})
    policy = ErrorPolicy(contracts={f"tool_{i}": shop for i in range(contracts)})
    return _triaged(partial(raised, bad_value), Triage(policy))


def _mode() -> Mode:
    return Mode(ErrorCode.NOT_FOUND, when="It is gone.", recovery="List the orders, then ask again.")


async def _rules(_: AsyncExitStack, rules: int) -> Case:
    def undecided(exc: BaseException) -> None: ...

    return _triaged(partial(raised, bad_value), Triage(ErrorPolicy(rules=(undecided,) * rules)))


# --- a whole server -----------------------------------------------------------------------------


async def _tools(stack: str, tool: str, opened: AsyncExitStack, tools: int) -> Case:
    server = _shop(stack)
    for number in range(tools):
        server.add_tool(_named(f"find_{number}_boxes"))
    session = await opened.enter_async_context(connected(server))
    return session.case((tool, lambda order: {"order": order}), CALLS)


async def _sessions(opened: AsyncExitStack, sessions: int) -> Case:
    server = _shop(MCPSERVER)
    open_ones = [await opened.enter_async_context(connected(server)) for _ in range(sessions)]

    async def run(orders: list[int]) -> None:
        for order in orders:
            await _fail(open_ones[order % sessions], order)

    for order, session in enumerate(open_ones):
        await _fail(session, order)
    return Case(run, int, CALLS)


async def _fail(session: Session, order: int) -> None:
    tool, arguments = WORKLOADS["ValueError"]
    await session.ask("tools/call", {"name": tool, "arguments": arguments(order)})


def _shop(stack: str) -> Any:
    server = STACKS[stack]()
    server.add_tool(bad_value)
    return install(server)


def _named(name: str) -> Callable[[int], str]:
    def tool(order: int) -> str:
        return name

    tool.__name__ = name
    return tool


CURVES: Mapping[str, tuple[tuple[int, ...], Sized]] = {
    "links of the cause chain": ((1, 10, 50, 100, 200), _chain),
    "characters of the message": ((100, 1_000, 10_000, 100_000, 1_000_000), _message),
    "characters of the message, full of what might be private": (
        (100, 1_000, 10_000, 100_000),
        _dense_message,
    ),
    "entries of the data": ((10, 100, 1_000, 10_000), _data),
    "modes of the tool's contract": ((1, 10, 100, 400), _modes),
    "contracts of the server": ((1, 10, 100, 1_000), _contracts),
    "rules of the user": ((1, 10, 100, 1_000), _rules),
    "tools, one fails (FastMCP)": ((10, 100, 500, 2_000), partial(_tools, FASTMCP, "bad_value")),
    "tools, one fails (MCPServer)": ((10, 100, 500, 2_000), partial(_tools, MCPSERVER, "bad_value")),
    "tools, a misspelt one is asked for (FastMCP)": ((10, 100, 500), partial(_tools, FASTMCP, "bad_valeu")),
    "tools, a misspelt one is asked for (MCPServer)": (
        (10, 100, 500, 2_000),
        partial(_tools, MCPSERVER, "bad_valeu"),
    ),
    "sessions open at once": ((1, 10, 50, 200), _sessions),
}


# --- what they give -----------------------------------------------------------------------------

Curve = dict[int, float]
"""By size, the cost."""


def exponent(curve: Curve) -> float:
    """The growth at the large end: 0 where it is flat, 1 where twice as much costs twice as much."""
    (less, its), (more, whole) = list(curve.items())[-2:]
    return math.log(whole / its) / math.log(more / less)


async def grow(names: Iterable[str]) -> dict[str, Curve]:
    """Every curve, in this process."""
    return {name: await _curve(*CURVES[name]) for name in names}


async def _curve(sizes: tuple[int, ...], sized: Sized) -> Curve:
    with _quiet():
        async with AsyncExitStack() as opened:
            cases = {str(size): await sized(opened, size) for size in sizes}
            costs = await measured(cases, ROUNDS)
    return {int(size): min(rounds) for size, rounds in costs.items()}


@contextmanager
def _quiet() -> Iterator[None]:
    with Path(os.devnull).open("w") as nowhere, redirect_stderr(nowhere):
        logging.basicConfig(stream=nowhere, force=True)
        yield


def grown(names: Iterable[str] = CURVES, *, is_counting: bool) -> dict[str, Curve]:
    """Every curve, in a process of its own: thousands of instructions, or microseconds."""
    with counting(is_counting) as (before, environment):
        command = [*before, sys.executable, "-m", "tests.benchmarks.curves", *names]
        run = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(run.stderr)
    said: dict[str, dict[str, float]] = json.loads(run.stdout)
    return {name: {int(size): cost for size, cost in curve.items()} for name, curve in said.items()}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(grow(sys.argv[1:]))))
