"""Real servers, asked through every client people use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Literal

import anyio
import pytest

from mcp_error_middleware import ErrorPolicy, NotFound, RateLimited, ServiceUnavailable, install
from mcp_error_middleware.client import (
    Action,
    Decision,
    Outcome,
    Patience,
    RemoteError,
    call_with_recovery,
)
from tests.client.clients import CLIENTS
from tests.stacks.stacks import FASTMCP, MCP_1

pytestmark = pytest.mark.anyio


@dataclass
class Shop:
    """Fails as it is told, one failure per call, then ships."""

    failures: list[Exception] = field(default_factory=list)
    calls: int = 0

    async def ship(self, order: str, speed: Literal["slow", "fast"] = "slow") -> str:
        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)
        return f"{order} shipped {speed}"


@dataclass
class Clock:
    """Time passes only while somebody sleeps."""

    now: float = 0.0
    slept: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def shop() -> Shop:
    return Shop()


@pytest.fixture(params=CLIENTS)
def connected(request: pytest.FixtureRequest, shop: Shop) -> AbstractAsyncContextManager[Any]:
    """Each kind of client, before it is entered."""
    make, connect = CLIENTS[request.param]
    server = make()
    server.tool(name="ship")(shop.ship)
    install(server, ErrorPolicy(log=False, notice_repeats=False))
    return connect(server)


def text(outcome: Outcome) -> str:
    said: str = outcome.result.content[0].text
    return said


async def test_a_call_that_succeeds_is_made_once(
    connected: AbstractAsyncContextManager[Any], shop: Shop
) -> None:
    async with connected as client:
        outcome = await call_with_recovery(client, "ship", {"order": "ord_1"})

    assert (outcome.ok, text(outcome), outcome.attempts, shop.calls) == (True, "ord_1 shipped slow", 1, 1)


async def test_what_is_temporary_is_retried_after_growing_waits(
    connected: AbstractAsyncContextManager[Any], shop: Shop, clock: Clock
) -> None:
    shop.failures = [ServiceUnavailable(), ServiceUnavailable()]

    async with connected as client:
        outcome = await call_with_recovery(
            client,
            "ship",
            {"order": "ord_1"},
            idempotent=True,
            sleep=clock.sleep,
            random=lambda: 1.0,
            clock=clock,
        )

    assert (outcome.ok, text(outcome), outcome.attempts) == (True, "ord_1 shipped slow", 3)
    assert clock.slept == [0.5, 1.0]


async def test_the_servers_wait_is_kept(
    connected: AbstractAsyncContextManager[Any], shop: Shop, clock: Clock
) -> None:
    shop.failures = [RateLimited(retry_after=20)]

    async with connected as client:
        outcome = await call_with_recovery(
            client, "ship", {"order": "ord_1"}, sleep=clock.sleep, random=lambda: 0.5, clock=clock
        )

    assert (outcome.ok, clock.slept) == (True, [21])


async def test_retries_end_with_the_attempts(
    connected: AbstractAsyncContextManager[Any], shop: Shop, clock: Clock
) -> None:
    shop.failures = [RateLimited(retry_after=1) for _ in range(9)]

    async with connected as client:
        outcome = await call_with_recovery(
            client, "ship", {"order": "ord_1"}, sleep=clock.sleep, clock=clock, random=lambda: 0.0
        )

    assert outcome.decision == Decision(Action.GIVE_UP, "It still fails after 3 attempts.")
    assert outcome.error is not None
    assert (outcome.error.name, outcome.attempts, shop.calls) == ("RateLimited", 3, 3)


async def test_retries_end_with_the_deadline(
    connected: AbstractAsyncContextManager[Any], shop: Shop, clock: Clock
) -> None:
    shop.failures = [RateLimited(retry_after=20) for _ in range(9)]

    async with connected as client:
        outcome = await call_with_recovery(
            client,
            "ship",
            {"order": "ord_1"},
            patience=Patience(attempts=9, deadline=30),
            sleep=clock.sleep,
            clock=clock,
            random=lambda: 0.0,
        )

    assert outcome.decision == Decision(Action.GIVE_UP, "The deadline comes before the next attempt.")
    assert clock.slept == [20]


async def test_a_write_that_may_have_been_carried_out_is_not_repeated(
    connected: AbstractAsyncContextManager[Any], shop: Shop, clock: Clock
) -> None:
    shop.failures = [TimeoutError()]

    async with connected as client:
        outcome = await call_with_recovery(client, "ship", {"order": "ord_1"}, sleep=clock.sleep)

    assert outcome.decision == Decision(Action.VERIFY, "The call may have been carried out.")
    assert (shop.calls, clock.slept) == (1, [])


async def test_a_call_that_does_no_harm_twice_is_repeated_after_a_timeout(
    connected: AbstractAsyncContextManager[Any], shop: Shop, clock: Clock
) -> None:
    shop.failures = [TimeoutError()]

    async with connected as client:
        outcome = await call_with_recovery(
            client, "ship", {"order": "ord_1"}, idempotent=True, sleep=clock.sleep
        )

    assert (outcome.ok, shop.calls) == (True, 2)


async def test_refused_arguments_are_corrected_once(connected: AbstractAsyncContextManager[Any]) -> None:
    def choose(error: RemoteError, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        assert [issue.path for issue in error.issues] == ["speed"]
        return {**arguments, "speed": "fast"}

    async with connected as client:
        outcome = await call_with_recovery(client, "ship", {"order": "ord_1", "speed": "fst"}, fix=choose)

    assert (outcome.ok, text(outcome), outcome.attempts) == (True, "ord_1 shipped fast", 2)
    assert outcome.arguments == {"order": "ord_1", "speed": "fast"}


@pytest.mark.parametrize(
    "fix",
    [None, lambda error, arguments: None, lambda error, arguments: arguments],
    ids=["none", "no better", "the same"],
)
async def test_arguments_nobody_can_correct_are_not_sent_again(
    connected: AbstractAsyncContextManager[Any], fix: Callable[..., Any] | None
) -> None:
    async with connected as client:
        outcome = await call_with_recovery(client, "ship", {"speed": "slow"}, fix=fix)

    assert outcome.decision == Decision(Action.FIX_INPUT, "The arguments are not valid.")
    assert outcome.attempts == 1


async def test_something_else_can_be_asked_for_where_nothing_was_found(
    connected: AbstractAsyncContextManager[Any], shop: Shop
) -> None:
    shop.failures = [NotFound("There is no such order.")]

    async def another(error: RemoteError, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        return {**arguments, "order": "ord_2"}

    async with connected as client:
        outcome = await call_with_recovery(client, "ship", {"order": "ord_1"}, fix=another)

    assert (outcome.ok, text(outcome)) == (True, "ord_2 shipped slow")


async def test_an_unknown_tool_is_an_error_to_act_on(connected: AbstractAsyncContextManager[Any]) -> None:
    async with connected as client:
        outcome = await call_with_recovery(client, "shp", {"order": "ord_1"})

    assert outcome.error is not None
    assert outcome.decision is not None
    assert (outcome.error.name, outcome.decision.action) == ("InvalidParams", Action.FIX_INPUT)


@pytest.mark.skipif(MCP_1 or not FASTMCP, reason="this server checks what its tools return")
async def test_a_call_whose_result_the_client_refuses_is_not_sent_again(shop: Shop) -> None:
    from fastmcp import Client, FastMCP
    from fastmcp.tools.base import ToolResult

    server = FastMCP("shop")

    @server.tool(output_schema={"type": "object", "properties": {"shipped": {"type": "boolean"}}})
    async def ship(order: str) -> Any:
        return ToolResult(structured_content={"shipped": await shop.ship(order)})

    async with Client(server) as client:
        outcome = await call_with_recovery(
            client, "ship", {"order": "ord_1"}, fix=lambda error, arguments: {"order": "ord_2"}
        )

    assert outcome.decision == Decision(Action.VERIFY, "The call may have been carried out.")
    assert (shop.calls, outcome.arguments) == (1, {"order": "ord_1"})


class Broken:
    """A client whose own code fails."""

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
        raise AttributeError("'NoneType' object has no attribute 'send'")


async def test_a_bug_on_this_side_is_raised() -> None:
    with pytest.raises(AttributeError, match="NoneType"):
        await call_with_recovery(Broken(), "ship")


class Waiting:
    """A client that is never answered."""

    def __init__(self) -> None:
        self.called = anyio.Event()

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
        self.called.set()
        await anyio.sleep_forever()


async def test_cancellation_passes_through() -> None:
    client, came_back = Waiting(), False

    async def call() -> None:
        nonlocal came_back
        await call_with_recovery(client, "ship", idempotent=True)
        came_back = True

    async with anyio.create_task_group() as group:
        group.start_soon(call)
        await client.called.wait()
        group.cancel_scope.cancel()

    assert not came_back


async def test_a_call_without_an_answer_ends_with_the_deadline() -> None:
    outcome = await call_with_recovery(Waiting(), "ship", patience=Patience(deadline=0))

    assert outcome.decision == Decision(Action.VERIFY, "The call may have been carried out.")
    assert outcome.error is not None
    assert (outcome.error.name, outcome.result, outcome.attempts) == ("Timeout", None, 1)
