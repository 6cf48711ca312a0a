"""Many sessions at once against one server, and what clients, log and metrics each have to say of it."""

from __future__ import annotations

import gc
import json
import logging
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import anyio
from mcp.server.mcpserver import MCPServer
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from mcp_error_middleware import ErrorPolicy, Failure, NotFound, install
from mcp_error_middleware.advice.repeats import Repeats
from mcp_error_middleware.classify.engine import _KNOWN
from mcp_error_middleware.sanitize import Scrubber
from mcp_error_middleware.telemetry import logs, names
from mcp_error_middleware.testing.answers import read_answer
from mcp_error_middleware.testing.memory import Connection, connected

IS_LONG = os.environ.get("SOAK") == "all"


def _missing(number: int) -> BaseException:
    return NotFound(f"Order {number} was not found.", data={"number": number})


def _refused(number: int) -> BaseException:
    return ConnectionRefusedError(111, f"refused, order {number}, password=hunter2-{number}")


def _bug(number: int) -> BaseException:
    return KeyError(f"password=hunter2-{number}")


def _bad(number: int) -> BaseException:
    return ValueError(f"Order {number} has no boxes.")


WAYS = (_missing, _refused, _bug, _bad, None)
"""By the remainder of a call's number; the last succeeds."""

CODES = ("NotFound", "ServiceUnavailable", "InternalError", "ValidationError", None)


def server() -> MCPServer[Any]:
    made: MCPServer[Any] = MCPServer("shop", log_level="CRITICAL")

    @made.tool()
    async def ship(number: int) -> str:
        await anyio.lowlevel.checkpoint()
        if (way := WAYS[number % len(WAYS)]) is not None:
            raise way(number)
        return f"shipped {number}"

    return made


@dataclass
class Told:
    """What a handler of the product's logger hears."""

    lines: Counter[str] = field(default_factory=Counter)
    """Failures by code, those that were only counted included."""
    ids: set[str] = field(default_factory=set)
    summaries: int = 0
    leaks: int = 0

    def hear(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        self.leaks += "hunter2" in text
        said = json.loads(text)
        self.lines[said["code"]] += said.get("count", 1)
        if said["event"] == names.SUMMARY_EVENT:
            self.summaries += 1
        else:
            self.ids.add(said["error_id"])


@dataclass
class Watched:
    """The operator's side of a storm."""

    told: Told
    reader: InMemoryMetricReader

    def errors(self) -> Counter[str]:
        """The counter, by code."""
        data = self.reader.get_metrics_data()
        points = [
            point
            for resource in (data.resource_metrics if data else ())
            for scope in resource.scope_metrics
            for metric in scope.metrics
            if metric.name == names.ERRORS.name
            for point in metric.data.data_points
        ]
        found: Counter[str] = Counter()
        for point in points:
            found[str((point.attributes or {})[names.CODE])] += int(getattr(point, "value", 0))
        return +found


class _Handler(logging.Handler):
    def __init__(self, told: Told) -> None:
        super().__init__()
        self.told = told

    def emit(self, record: logging.LogRecord) -> None:
        self.told.hear(record)


@contextmanager
def watched() -> Iterator[Watched]:
    """A meter provider and a log handler of our own, for as long as the block lasts."""
    reader, told = InMemoryMetricReader(), Told()
    meters, handler, logger = MeterProvider([reader]), _Handler(told), logging.getLogger(names.SCOPE)
    logger.addHandler(handler)
    # Whatever is set for the root.
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    try:
        with patch("opentelemetry.metrics._internal._METER_PROVIDER", meters):
            yield Watched(told, reader)
    finally:
        logger.propagate = True
        logger.setLevel(logging.NOTSET)
        logger.removeHandler(handler)
        meters.shutdown()


@dataclass
class Storm:
    """Calls from many sessions at once, and what each was answered."""

    sessions: int
    calls: int
    """Of each session."""
    watched: Watched
    codes: Counter[str] = field(default_factory=Counter)
    ids: set[str] = field(default_factory=set)
    crossed: list[int] = field(default_factory=list)
    """Calls that got somebody else's answer, or none."""
    succeeded: int = 0
    alive: list[int] = field(default_factory=list)
    """Failures and exceptions that somebody still holds, after each fifth."""
    blocks: list[int] = field(default_factory=list)
    resident: list[int] = field(default_factory=list)
    """Pieces of memory, and pages of it."""

    async def run(self, fifths: int = 5) -> None:
        shop = install(server(), ErrorPolicy(traces=False))
        async with AsyncExitStack() as stack:
            open_ = [await stack.enter_async_context(connected(shop)) for _ in range(self.sessions)]
            each = self.calls // fifths
            for fifth in range(fifths):
                async with anyio.create_task_group() as group:
                    for session, connection in enumerate(open_):
                        group.start_soon(self._ask, connection, session * self.calls + fifth * each, each)
                self._measure()
        logs.flush()

    async def _ask(self, connection: Connection, first: int, count: int) -> None:
        for number in range(first, first + count):
            answer = await connection.ask("tools/call", {"name": "ship", "arguments": {"number": number}})
            self._hear(number, answer)

    def _hear(self, number: int, answer: dict[str, Any]) -> None:
        said, expected = read_answer(answer), CODES[number % len(CODES)]
        if expected is None:
            self.succeeded += 1
            is_own = said.channel == "success" and f"shipped {number}" in said.text
        else:
            error = said.error
            is_own = error is not None and error.name == expected and error.error_id not in self.ids
            # Two of the four may name what they are about.
            is_own &= expected not in ("NotFound", "ValidationError") or f"Order {number} " in said.text
            if error is not None:
                self.codes[str(error.name)] += 1
                self.ids.add(str(error.error_id))
        if not is_own or "hunter2" in json.dumps(answer):
            self.crossed.append(number)

    def _measure(self) -> None:
        _forget()
        gc.collect()
        self.alive.append(sum(type(thing) in _HELD for thing in gc.get_objects()))
        self.blocks.append(sys.getallocatedblocks())
        self.resident.append(int(Path("/proc/self/statm").read_text().split()[1]) if _HAS_PROC else 0)


def _forget() -> None:
    """Drop what is remembered on purpose: it is emptied when full, a wave of thousands of pieces."""
    _KNOWN.clear()
    for thing in gc.get_objects():
        if type(thing) is Scrubber:
            thing._harmless.clear()
        elif type(thing) is Repeats:
            thing._seen.clear()
            thing._failed.clear()


_HELD = frozenset({Failure, *(type(way(0)) for way in WAYS if way)})
_HAS_PROC = Path("/proc/self/statm").exists()
