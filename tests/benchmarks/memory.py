"""A server in, the bare messages of a session with it out: no client of any library shares the bill."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from statistics import median
from typing import Any

import anyio
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from tests.benchmarks.failures import Workload
from tests.benchmarks.measure import Case

HELLO: dict[str, Any] = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}

_ids = count(1)


@dataclass(frozen=True)
class Session:
    """Requests in, responses out."""

    reading: Any
    writing: Any

    async def ask(self, method: str, params: dict[str, Any]) -> Any:
        """The result; None where it is an error."""
        request = JSONRPCRequest(jsonrpc="2.0", id=next(_ids), method=method, params=params)
        await self.writing.send(SessionMessage(request))
        answer = (await self.reading.receive()).message
        return answer.result if isinstance(answer, JSONRPCResponse) else None

    def case(self, workload: Workload, calls: int) -> Case:
        """Calls of a tool."""
        tool, arguments = workload

        async def run(orders: list[int]) -> None:
            for order in orders:
                await self.ask("tools/call", {"name": tool, "arguments": arguments(order)})

        return Case(run, int, calls)


@asynccontextmanager
async def connected(server: Any) -> AsyncIterator[Session]:
    """A session that has seen the tools, as an agent's has."""
    low = getattr(server, "_mcp_server", None) or server._lowlevel_server
    async with create_client_server_memory_streams() as (ours, its), anyio.create_task_group() as group:
        group.start_soon(lambda: low.run(*its, low.create_initialization_options()))
        session = Session(*ours)
        await session.ask("initialize", HELLO)
        initialized = JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized")
        await session.writing.send(SessionMessage(initialized))
        await session.ask("tools/list", {})
        yield session
        group.cancel_scope.cancel()


async def kilobytes(case: Case) -> tuple[float, float]:
    """What one call holds at its peak, and what a call leaves behind."""
    await case.run(case.things())
    tracemalloc.start()
    await case.run(case.things())
    peaks = []
    for thing in case.things():
        gc.collect()
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        await case.run([thing])
        peaks.append(tracemalloc.get_traced_memory()[1] - before)
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    things = case.things(10)
    await case.run(things)
    gc.collect()
    left = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return median(peaks) / 1000, left / len(things) / 1000
