"""A handler's coroutine in, the same out, so that however it ends its border hears of it.

asyncio throws what a future failed with in at the top of a task. A `GeneratorExit`, as a function in a thread
may raise it, closes all that is below, and no frame there has a say any more. And a task that has cancelled
itself, or has not left a scope it cancelled, is to everybody above one that somebody else cancelled.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import suppress
from contextvars import Context
from importlib import import_module
from types import coroutine
from typing import Any, Final, TypeVar

T = TypeVar("T")

Yields = Generator[Any, Any, T]

_states: Final[Mapping[asyncio.Task[Any], Any]] = getattr(
    import_module("anyio._backends._asyncio"), "_task_states", {}
)
"""What anyio knows of a task: the innermost scope it is in."""


@coroutine
def stepped(handler: Awaitable[T]) -> Yields[T]:
    """What it returns or raises; what it did to the task it runs in is undone."""
    steps, task = handler.__await__(), current_task()
    if task is None:
        return (yield from steps)
    state, sent, thrown, own = _states.get(task), None, None, 0
    outside = state and state.cancel_scope
    try:
        while True:
            before = task.cancelling()
            try:
                waiting = steps.send(sent) if thrown is None else steps.throw(thrown)
            finally:
                # Others cancel a task while it waits.
                own += max(task.cancelling() - before, 0)
            thrown = None
            try:
                sent = yield _Quiet(waiting) if _is_waited_for(waiting) else waiting
            except GeneratorExit:
                own = 0
                steps.close()
                raise
            except BaseException as exc:  # noqa: BLE001 - the handler's to deal with
                thrown = exc
    except StopIteration as ended:
        value: T = ended.value
        return value
    finally:
        thrown = None
        state = state or _states.get(task)
        if state is not None and state.cancel_scope is not outside:
            _leave(state, outside)
        if own:
            yield from _uncancelled(task, own)


def current_task() -> asyncio.Task[Any] | None:
    """The task at work; None outside of any, and under trio."""
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None


def _is_waited_for(waiting: Any) -> bool:
    return waiting is not None and getattr(waiting, "_asyncio_future_blocking", False) is True


class _Quiet(asyncio.Future[Any]):
    """Wakes a task when a future is done; the handler itself asks that one what it ended with."""

    def __init__(self, future: asyncio.Future[Any]) -> None:
        super().__init__(loop=future.get_loop())
        self.future = future
        self._asyncio_future_blocking, future._asyncio_future_blocking = True, False

    def add_done_callback(self, fn: Callable[[Any], object], /, *, context: Context | None = None) -> None:
        self.future.add_done_callback(lambda _: fn(self), context=context)

    def cancel(self, msg: Any | None = None) -> bool:
        return self.future.cancel(msg)

    def done(self) -> bool:
        return self.future.done()

    def result(self) -> None:
        return None


def _leave(state: Any, outside: Any) -> None:
    """The scopes somebody entered and never left."""
    with suppress(Exception):  # another version of anyio may keep them elsewhere
        scopes = [state.cancel_scope]
        while (parent := scopes[-1]._parent_scope) is not outside:
            scopes.append(parent)
        for scope in scopes:
            scope.__exit__(None, None, None)


def _uncancelled(task: asyncio.Task[Any], times: int) -> Yields[None]:
    """The task with so many of its cancellations taken back, and none on its way."""
    for _ in range(times):
        task.uncancel()
    if task.cancelling() == 0 and getattr(task, "_must_cancel", False):
        try:
            yield
        except asyncio.CancelledError:
            if task.cancelling():
                raise
