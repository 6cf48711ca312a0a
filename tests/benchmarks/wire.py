"""Servers over HTTP on loopback, asked by a client that does nothing but send bytes and read the answer."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from statistics import median, quantiles
from typing import Any

from mcp_types import CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, PROTOCOL_VERSION_META_KEY

from tests.benchmarks.failures import WORKLOADS
from tests.benchmarks.measure import Costs
from tests.benchmarks.memory import HELLO
from tests.benchmarks.subjects import ALL
from tests.benchmarks.workers import Worker, working

WIRES = ("JSON", "SSE", "2026-07-28")
MODERN = WIRES[-1]

_META = {
    PROTOCOL_VERSION_META_KEY: MODERN,
    CLIENT_INFO_META_KEY: HELLO["clientInfo"],
    CLIENT_CAPABILITIES_META_KEY: {},
}
_numbers = count(1)


@dataclass
class Session:
    """One connection, kept alive."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    headers: dict[str, str] = field(default_factory=dict)
    is_modern: bool = False

    async def call(self, workload: str) -> bytes:
        tool, arguments = WORKLOADS[workload]
        return await self.ask("tools/call", {"name": tool, "arguments": arguments(next(_numbers))})

    async def ask(self, method: str, params: dict[str, Any]) -> bytes:
        headers = self.headers
        if self.is_modern:
            params = {**params, "_meta": _META}
            headers = {**headers, "Mcp-Method": method, "Mcp-Name": params.get("name", "")}
        return await self.post(
            {"jsonrpc": "2.0", "id": next(_numbers), "method": method, "params": params}, headers
        )

    async def post(self, message: dict[str, Any], headers: dict[str, str]) -> bytes:
        body = json.dumps(message).encode()
        lines = [
            "POST /mcp HTTP/1.1",
            "Host: 127.0.0.1:{}".format(self.writer.get_extra_info("peername")[1]),
            "Content-Type: application/json",
            "Accept: application/json, text/event-stream",
            f"Content-Length: {len(body)}",
            *(f"{name}: {value}" for name, value in headers.items() if value),
        ]
        self.writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        head = await self.reader.readuntil(b"\r\n\r\n")
        said = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:-2])
        if (session := said.get(b"mcp-session-id")) is not None:
            self.headers["Mcp-Session-Id"] = session.decode()
        if b"content-length" in said:
            return await self.reader.readexactly(int(said[b"content-length"]))
        return await self._chunks() if b"transfer-encoding" in said else b""

    async def _chunks(self) -> bytes:
        body = b""
        while size := int(await self.reader.readuntil(b"\r\n"), 16):
            body += (await self.reader.readexactly(size + 2))[:-2]
        await self.reader.readexactly(2)
        return body


@asynccontextmanager
async def connected(port: int, wire: str) -> AsyncIterator[Session]:
    """A session in the terms of this wire."""
    session = Session(*await asyncio.open_connection("127.0.0.1", port), is_modern=wire == MODERN)
    if session.is_modern:
        session.headers["MCP-Protocol-Version"] = MODERN
    else:
        await session.ask("initialize", HELLO)
        session.headers["MCP-Protocol-Version"] = HELLO["protocolVersion"]
        await session.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, session.headers)
    listed = await session.ask("tools/list", {})
    assert b"bad_value" in listed, listed
    for workload in WORKLOADS:
        said = await session.call(workload)
        is_failure = b'"isError":true' in said or b'"error":{' in said
        assert is_failure is (workload != "success"), said
    yield session
    session.writer.close()


def _serving(stack: str, name: str) -> AbstractContextManager[Worker]:
    return working("http", stack, name, traced=ALL[name].traced)


async def served(stack: str, subjects: Iterable[str], calls: int, rounds: int) -> dict[str, dict[str, Costs]]:
    """By wire, workload and subject, microseconds of the server's CPU a call in each round."""
    costs: dict[str, dict[str, Costs]] = {}
    with ExitStack() as ended:
        workers = {name: ended.enter_context(_serving(stack, name)) for name in subjects}
        ports = {name: worker.hear() for name, worker in workers.items()}
        for wire in WIRES:
            costs[wire] = {workload: {name: [] for name in workers} for workload in WORKLOADS}
            for _ in range(rounds):
                for name, worker in workers.items():
                    async with connected(ports[name][wire == "SSE"], wire) as session:
                        for workload in WORKLOADS:
                            cost = await _cpu(worker, session, workload, calls)
                            costs[wire][workload][name].append(cost)
    return costs


async def _cpu(worker: Worker, session: Session, workload: str, calls: int) -> float:
    before = worker.ask()
    for _ in range(calls):
        await session.call(workload)
    taken: float = worker.ask() - before
    return taken / calls


@dataclass(frozen=True)
class Storm:
    """How a server bore it."""

    rate: float
    """Answers a second."""
    p50: float
    p99: float
    """Milliseconds."""
    cpu: float = 0.0
    """Of the server, in microseconds an answer."""


async def stormed(
    stack: str, subjects: Iterable[str], *, clients: int, calls: int, rounds: int
) -> dict[str, list[Storm]]:
    """By subject, each round of nothing but failures from several clients at once."""
    with ExitStack() as ended:
        workers = {name: ended.enter_context(_serving(stack, name)) for name in subjects}
        ports = {name: worker.hear()[0] for name, worker in workers.items()}
        storms: dict[str, list[Storm]] = {name: [] for name in workers}
        for _ in range(rounds + 1):
            for name, worker in workers.items():
                before = worker.ask()
                storm = await _storm(ports[name], clients, calls)
                storms[name].append(replace(storm, cpu=(worker.ask() - before) / clients / calls))
    # The first round warms up.
    return {name: rounds[1:] for name, rounds in storms.items()}


FAILING = [workload for workload in WORKLOADS if workload != "success"]


async def _storm(port: int, clients: int, calls: int) -> Storm:
    begun: list[float] = []
    taken: list[float] = []

    async def client() -> None:
        async with connected(port, "JSON") as session:
            await together.wait()
            begun.append(time.perf_counter())
            for number in range(calls):
                start = time.perf_counter()
                await session.call(FAILING[number % len(FAILING)])
                taken.append(1000 * (time.perf_counter() - start))

    together = asyncio.Barrier(clients)
    async with asyncio.TaskGroup() as group:
        for _ in range(clients):
            group.create_task(client())
    return Storm(len(taken) / (time.perf_counter() - begun[0]), median(taken), quantiles(taken, n=100)[98])
