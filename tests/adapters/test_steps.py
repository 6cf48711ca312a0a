"""However a handler ends, whoever awaited it hears of it, and the task is as it was."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Generator
from typing import Any, NoReturn

import anyio
import anyio.lowlevel
import pytest

from mcp_error_middleware.adapters.steps import stepped

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def exits() -> NoReturn:
    raise GeneratorExit("from a thread")


async def in_a_thread_of_anyio() -> None:
    await anyio.to_thread.run_sync(exits)


async def in_a_thread_of_asyncio() -> None:
    await asyncio.to_thread(exits)


@pytest.mark.parametrize("handler", [in_a_thread_of_anyio, in_a_thread_of_asyncio])
async def test_a_generator_exit_of_a_thread_is_an_exception_like_any_other(
    handler: Callable[[], Awaitable[None]],
) -> None:
    with pytest.raises(GeneratorExit, match="from a thread"):
        await stepped(handler())
    await anyio.lowlevel.checkpoint()


async def cancels_and_waits() -> str:
    _task().cancel()
    await asyncio.sleep(0)
    return "never"


async def cancels_and_returns() -> str:
    _task().cancel()
    return "done"


async def cancels_and_goes_on() -> str:
    _task().cancel()
    try:
        await asyncio.sleep(0)
    except asyncio.CancelledError:
        await asyncio.sleep(0)
    return "done"


@pytest.mark.parametrize(
    ("handler", "outcome"),
    [
        (cancels_and_waits, "CancelledError"),
        (cancels_and_returns, "done"),
        (cancels_and_goes_on, "done"),
    ],
)
async def test_a_task_that_cancels_itself_is_no_longer_cancelled_afterwards(
    handler: Callable[[], Awaitable[str]], outcome: str
) -> None:
    assert await _outcome(stepped(handler())) == outcome
    assert _task().cancelling() == 0
    await asyncio.sleep(0)


async def stays() -> str:
    anyio.CancelScope().__enter__()
    anyio.CancelScope().__enter__().cancel()
    return "done"


async def stays_and_waits() -> str:
    anyio.CancelScope().__enter__().cancel()
    await anyio.lowlevel.checkpoint()
    return "never"


@pytest.mark.parametrize(
    ("handler", "outcome"),
    [(stays, "done"), (stays_and_waits, "CancelledError")],
)
async def test_a_scope_that_was_never_left_is_left(
    handler: Callable[[], Awaitable[str]], outcome: str
) -> None:
    with anyio.CancelScope() as scope:
        assert await _outcome(stepped(handler())) == outcome
        assert anyio.current_effective_deadline() == float("inf")
        await anyio.lowlevel.checkpoint()
    assert not scope.cancelled_caught


async def test_a_scope_that_was_never_left_is_left_where_there_was_none_before() -> None:
    async def served() -> float:
        await stepped(stays())
        return anyio.current_effective_deadline()

    assert await asyncio.create_task(served()) == float("inf")


async def test_a_cancellation_by_somebody_else_stays_one() -> None:
    waits = anyio.Event()

    async def handler() -> None:
        waits.set()
        await asyncio.Event().wait()

    async def served() -> None:
        await stepped(handler())

    task = asyncio.create_task(served())
    await waits.wait()
    task.cancel("enough")
    with pytest.raises(asyncio.CancelledError, match="enough"):
        await task
    assert task.cancelled()


async def test_a_cancelled_task_waits_until_what_it_waits_for_has_ended() -> None:
    waits, cleaned = anyio.Event(), []

    async def slow() -> str:
        waits.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.sleep(0)
            cleaned.append("up")
        return "after all"

    async def handler() -> str:
        return await asyncio.create_task(slow())

    async def served() -> str:
        return await stepped(handler())

    task = asyncio.create_task(served())
    await waits.wait()
    task.cancel()
    assert (await task, cleaned) == ("after all", ["up"])


async def test_time_outs_and_groups_inside_work_as_ever() -> None:
    async def timed() -> str:
        async with asyncio.timeout(0):
            await asyncio.Event().wait()
        return "never"

    async def grouped() -> str:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_raises(ValueError("one")))
            await asyncio.Event().wait()
        return "never"

    async def moved_on() -> str:
        with anyio.move_on_after(0):
            await anyio.sleep_forever()
        return "done"

    assert await _outcome(stepped(timed())) == "TimeoutError"
    assert await _outcome(stepped(grouped())) == "ExceptionGroup"
    assert await _outcome(stepped(moved_on())) == "done"
    assert _task().cancelling() == 0


async def test_what_is_closed_closes_what_it_awaits() -> None:
    closed = []

    async def handler() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            closed.append("handler")

    async def served() -> None:
        await stepped(handler())

    serving = served()
    serving.send(None)
    serving.close()
    assert closed == ["handler"]


async def test_a_future_of_another_loop_is_refused_as_ever() -> None:
    other = asyncio.new_event_loop()
    try:
        with pytest.raises(RuntimeError, match="different loop"):
            await stepped(_awaiting(other.create_future()))
    finally:
        other.close()


async def test_what_is_yielded_and_not_awaited_is_refused_as_ever() -> None:
    class Wrong:
        def __await__(self) -> Generator[Any, Any, None]:
            yield asyncio.get_running_loop().create_future()

    with pytest.raises(RuntimeError, match="yield was used instead"):
        await stepped(Wrong())


async def test_an_exception_leaves_no_reference_to_itself_behind() -> None:
    error = ValueError("one")
    before = sys.getrefcount(error)
    with pytest.raises(ValueError, match="one"):
        await stepped(_raises(error))
    error.__traceback__ = None
    assert sys.getrefcount(error) == before


async def _awaiting(future: asyncio.Future[Any]) -> Any:
    return await future


async def _raises(error: Exception) -> NoReturn:
    raise error


async def _outcome(awaitable: Awaitable[str]) -> str:
    """What it returns, or the name of what it raises."""
    try:
        return await awaitable
    except BaseException as exc:
        return type(exc).__name__


def _task() -> asyncio.Task[Any]:
    task = asyncio.current_task()
    assert task is not None
    return task


async def _in_a_group(handler: Awaitable[str], tasks: list[asyncio.Task[Any]]) -> list[str]:
    """What whoever serves a handler in a task of its own hears."""
    heard: list[str] = []

    async def served() -> None:
        tasks.append(_task())
        heard.append(await _outcome(stepped(handler)))
        await asyncio.sleep(0)
        heard.append(f"cancelled {_task().cancelling()} times")

    async with anyio.create_task_group() as group:
        group.start_soon(served)
    return heard


async def test_a_task_that_a_timer_cancelled_is_no_longer_cancelled_afterwards() -> None:
    async def handler() -> str:
        asyncio.get_running_loop().call_soon(_task().cancel)
        await asyncio.Event().wait()
        return "never"

    assert await _in_a_group(handler(), []) == ["CancelledError", "cancelled 0 times"]


async def test_a_task_whose_group_is_cancelled_by_its_host_stays_cancelled() -> None:
    heard: list[str] = []
    waits = anyio.Event()

    async def handler() -> str:
        waits.set()
        await asyncio.Event().wait()
        return "never"

    async def host() -> None:
        heard.extend(await _in_a_group(handler(), []))

    serving = asyncio.create_task(host())
    await waits.wait()
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving
    assert heard == []


async def test_a_task_cancelled_with_all_others_as_the_loop_ends_stays_cancelled() -> None:
    tasks: list[asyncio.Task[Any]] = []
    heard: list[str] = []
    waits = anyio.Event()

    async def handler() -> str:
        waits.set()
        await asyncio.Event().wait()
        return "never"

    async def host() -> None:
        heard.extend(await _in_a_group(handler(), tasks))

    serving = asyncio.create_task(host())
    await waits.wait()
    for task in (*tasks, serving):
        task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving
    assert heard == []
    assert tasks[0].cancelled()
