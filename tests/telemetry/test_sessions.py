from __future__ import annotations

from contextlib import AsyncExitStack

import anyio
import pytest

from mcp_error_middleware import Call, ErrorPolicy
from mcp_error_middleware.telemetry import names, operation
from mcp_error_middleware.telemetry.metrics import instruments
from mcp_error_middleware.telemetry.sessions import follow
from tests.telemetry.recording import Recording

CALL = Call("initialize", protocol_version="2025-11-25", transport="http")


async def session(requests: int = 1) -> None:
    async with AsyncExitStack() as ending:
        for _ in range(requests):
            follow(ErrorPolicy(), ending, CALL)


def test_a_session_is_measured_once_when_it_is_over(recorded: Recording) -> None:
    anyio.run(session, 3)

    assert [count for _, count in recorded.counts(names.SESSIONS.name)] == [1]


def test_a_meter_that_raises_does_not_keep_a_session_from_its_end(
    recorded: Recording, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(seconds: float, call: Call) -> None:
        raise RuntimeError("no space left")

    monkeypatch.setattr(operation, "_complained", set())
    monkeypatch.setattr(instruments(), "session", broken)

    anyio.run(session)

    assert "a record for operation was lost" in caplog.text
