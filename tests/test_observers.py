from __future__ import annotations

import asyncio
import gc
import logging
from dataclasses import dataclass

import pytest
from mcp import Client
from mcp.server.mcpserver import MCPServer

from mcp_error_middleware import ErrorPolicy, Failure, Triage, install, observers
from mcp_error_middleware.observers import tell
from mcp_error_middleware.telemetry.operation import Counted


def test_observers_are_told_and_one_that_raises_stops_nobody(caplog: pytest.LogCaptureFixture) -> None:
    told: list[Failure] = []

    def broken(_: Failure) -> None:
        raise RuntimeError("observer down")

    triage = Triage(ErrorPolicy(observers=(broken, told.append)))
    failures = [triage(ValueError("x")), triage(ValueError("y"))]

    assert told == failures
    assert [r.levelno for r in caplog.records] == [logging.WARNING]


@dataclass
class Pager:
    number: int

    def page(self, _: Failure) -> None:
        raise RuntimeError("nobody is on call")

    def __call__(self, _: Failure) -> None:
        raise RuntimeError("nobody is on call")


def _told_often(pager: Pager) -> None:
    failure = Triage()(ValueError("x"))
    for _ in range(3):
        tell(pager.page, failure)
        tell(pager, failure)
        tell(Counted(pager), failure)


def test_each_observer_that_raises_is_reported_once(caplog: pytest.LogCaptureFixture) -> None:
    for number in range(50):
        _told_often(Pager(number))

    assert len(caplog.records) == 50 * len(["page", "itself"])


def test_an_observer_that_was_reported_is_forgotten_with_its_object(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observers, "_reported", {})
    # What is captured would keep it.
    caplog.set_level(logging.CRITICAL, "mcp_error_middleware")

    _told_often(kept := Pager(1))
    _told_often(Pager(2))
    gc.collect()

    assert {owner for owner, _ in observers._reported} == {id(kept)}


@pytest.mark.parametrize("kind", [SystemExit, asyncio.CancelledError, GeneratorExit])
def test_an_observer_ends_neither_the_process_nor_the_session(kind: type[BaseException]) -> None:
    told: list[Failure] = []

    def ending(_: Failure) -> None:
        raise kind("enough")

    server = MCPServer("shop")

    @server.tool()
    def ship() -> str:
        raise ValueError("no boxes")

    install(server, ErrorPolicy(log=False, observers=(ending, told.append)))

    async def ask() -> list[bool | None]:
        async with Client(server) as client:
            return [(await client.call_tool("ship", {})).is_error for _ in range(2)]

    assert asyncio.run(ask()) == [True, True]
    assert len(told) == 2


def test_an_observer_may_be_stopped_by_ctrl_c_and_by_the_cancellation_of_its_task() -> None:
    def interrupted(_: Failure) -> None:
        raise KeyboardInterrupt

    def cancelled(_: Failure) -> None:
        raise asyncio.CancelledError

    async def stop() -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            Triage(ErrorPolicy(observers=(cancelled,)))(ValueError("x"))
        task.uncancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.sleep(0)

    with pytest.raises(KeyboardInterrupt):
        Triage(ErrorPolicy(observers=(interrupted,)))(ValueError("x"))
    asyncio.run(stop())
