"""What the tasks and threads of a handler end with is the handler's, and never the loop's end."""

from __future__ import annotations

import asyncio
import gc
import inspect
import sys
import warnings
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

import anyio
import pytest

from mcp_error_middleware.adapters.steps import stepped

Handler = Callable[[], Coroutine[Any, Any, Any]]


def _outcome(handler: Handler) -> BaseException:
    """What a handler ends with in a loop of its own, which must be its only end."""

    async def main() -> BaseException:
        try:
            await stepped(handler())
        except Exception as exc:
            await asyncio.sleep(0)
            return exc
        raise AssertionError("it ended well")

    return asyncio.run(main())


async def exits() -> NoReturn:
    raise SystemExit(3)


async def awaits_a_task() -> None:
    await asyncio.create_task(exits())


async def gathers() -> None:
    await asyncio.gather(awaits_a_task(), exits())


@pytest.mark.parametrize("handler", [awaits_a_task, gathers])
def test_a_task_of_a_handler_that_exits_is_an_exception_of_the_handler(handler: Handler) -> None:
    error = _outcome(handler)
    assert str(error) == "a task of a handler raised SystemExit"
    assert isinstance(error.__cause__, SystemExit)


def test_a_member_of_a_group_that_exits_takes_its_group_with_it_and_nothing_else() -> None:
    async def handler() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(exits)
            tasks.start_soon(anyio.sleep_forever)

    error = _outcome(handler)
    assert isinstance(error, ExceptionGroup)
    assert [type(one.__cause__) for one in error.exceptions] == [SystemExit]


def test_a_task_that_exits_after_its_handler_ended_ends_nothing() -> None:
    async def main() -> BaseException | None:
        left: list[asyncio.Task[None]] = []
        ended = asyncio.Event()

        async def later() -> None:
            await ended.wait()
            raise SystemExit(3)

        async def handler() -> None:
            left.append(asyncio.create_task(later()))

        await stepped(handler())
        ended.set()
        await asyncio.wait(left)
        return left[0].exception()

    assert isinstance(asyncio.run(main()), RuntimeError)


def test_a_task_that_is_no_handlers_exits_as_ever() -> None:
    async def nothing() -> None: ...

    async def main() -> None:
        await stepped(nothing())
        task = asyncio.create_task(exits())
        assert inspect.iscoroutine(task.get_coro())
        await task

    with pytest.raises(SystemExit):
        asyncio.run(main())


def test_a_task_cancelled_before_it_began_leaves_nothing_unawaited() -> None:
    async def handler() -> None:
        asyncio.create_task(exits()).cancel()
        await asyncio.sleep(0)
        gc.collect()
        raise ValueError("as ever")

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert isinstance(_outcome(handler), ValueError)


def test_a_factory_of_tasks_that_was_there_before_still_makes_them() -> None:
    made = []

    def factory(loop: asyncio.AbstractEventLoop, coro: Any, **options: Any) -> asyncio.Task[Any]:
        made.append(coro.__qualname__)
        return asyncio.Task(coro, loop=loop, **options)

    async def main() -> None:
        asyncio.get_running_loop().set_task_factory(factory)
        with pytest.raises(RuntimeError):
            await stepped(awaits_a_task())

    asyncio.run(main())
    assert made[0] == "exits"


@pytest.mark.parametrize("is_handler", [True, False])
def test_groups_of_anyio_are_as_ever_where_tasks_begin_at_once(is_handler: bool) -> None:
    async def child() -> None:
        with anyio.move_on_after(0):
            await anyio.sleep_forever()

    async def grouped() -> str:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(child)
        return "as ever"

    async def main() -> str:
        if sys.version_info >= (3, 12):
            asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
        await stepped(asyncio.sleep(0))
        return await (stepped(grouped()) if is_handler else grouped())

    assert asyncio.run(main()) == "as ever"


def test_a_factory_that_a_handler_sets_stays_set() -> None:
    def factory(loop: asyncio.AbstractEventLoop, coro: Any, **options: Any) -> asyncio.Task[Any]:
        return asyncio.Task(coro, loop=loop, **options)

    async def main() -> bool:
        loop = asyncio.get_running_loop()

        async def handler() -> None:
            loop.set_task_factory(factory)

        await stepped(handler())
        return loop.get_task_factory() is factory

    assert asyncio.run(main())


class Unaskable(TimeoutError):
    """Does not say of what class it is."""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        raise ZeroDivisionError


def unaskable() -> NoReturn:
    raise Unaskable("asked too much")


def stops() -> NoReturn:
    raise StopIteration("nothing more")


async def asks_in_a_thread_of_anyio() -> None:
    await anyio.to_thread.run_sync(unaskable)


async def stops_in_a_thread_of_asyncio() -> None:
    await asyncio.to_thread(stops)


@pytest.mark.parametrize(
    ("handler", "kind"),
    [
        (asks_in_a_thread_of_anyio, Unaskable),
        (stops_in_a_thread_of_asyncio, StopIteration),
    ],
)
@pytest.mark.timeout(20)
def test_nobody_waits_for_ever_for_what_no_future_takes(handler: Handler, kind: type[BaseException]) -> None:
    error = _outcome(handler)
    assert isinstance(error, RuntimeError)
    assert type(error.__cause__) is kind


@pytest.mark.timeout(20)
def test_nobody_waits_for_ever_where_the_loop_does_not_show_whom_it_called() -> None:
    class Loop(asyncio.SelectorEventLoop):
        def call_exception_handler(self, context: dict[str, Any]) -> None:
            super().call_exception_handler(context | {"handle": None})

    with asyncio.Runner(loop_factory=Loop) as runner, pytest.raises(RuntimeError) as caught:
        runner.run(stepped_in_a_task(asks_in_a_thread_of_anyio))
    assert type(caught.value.__cause__) is Unaskable


async def stepped_in_a_task(handler: Handler) -> None:
    await stepped(handler())


def test_a_loop_that_cannot_be_told_how_to_make_tasks_serves_as_ever() -> None:
    class Loop(asyncio.SelectorEventLoop):
        def get_task_factory(self) -> NoReturn:
            raise NotImplementedError

    async def handler() -> None:
        raise ValueError("as ever")

    with asyncio.Runner(loop_factory=Loop) as runner, pytest.raises(ValueError, match="as ever"):
        runner.run(stepped_in_a_task(handler))


def test_any_other_callback_that_raises_is_reported_as_ever() -> None:
    told: list[str] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: told.append(repr(context["exception"])))

        async def handler() -> None:
            waiting = loop.create_future()
            loop.call_soon(lambda future, other: 1 / other, waiting, 0)
            await asyncio.sleep(0)
            assert not waiting.done()

        await stepped(handler())

    asyncio.run(main())
    assert told == ["ZeroDivisionError('division by zero')"]


def test_a_log_that_cannot_be_written_does_not_end_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("no space left on device")

    async def handler() -> None:
        asyncio.get_running_loop().call_soon(lambda: 1 / 0)
        await asyncio.sleep(0)
        raise ValueError("as ever")

    monkeypatch.setattr("asyncio.base_events.logger.error", full)
    assert isinstance(_outcome(handler), ValueError)
