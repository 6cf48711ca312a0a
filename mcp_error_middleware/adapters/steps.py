"""A handler's coroutine in, the same out, so that however it ends its border hears of it.

asyncio throws what a future failed with in at the top of a task. A `GeneratorExit`, as a function in a thread
may raise it, closes all that is below, and no frame there has a say any more. And a task that has cancelled
itself, or had a timer do so, or has not left a scope it cancelled, is to everybody above one that the server
cancelled.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import suppress
from contextvars import Context
from importlib import import_module
from types import CoroutineType, coroutine
from typing import Any, TypeVar
from weakref import ref

from mcp_error_middleware.adapters.loops import tasks_of

T = TypeVar("T")

Yields = Generator[Any, Any, T]

try:
    _states: Mapping[Any, Any] = import_module("anyio._backends._asyncio")._task_states.data
except Exception:  # noqa: BLE001 - another version may keep them elsewhere
    _states = {}
"""What anyio knows of a task, by a reference to it: the innermost scope it is in."""


@coroutine
def stepped(handler: Awaitable[T]) -> Yields[T]:
    """What it returns or raises; what it did to the task it runs in is undone."""
    task = current_task()
    if task is None:
        return (yield from handler.__await__())
    steps: Any = handler if type(handler) is CoroutineType else handler.__await__()
    state, sent, thrown, own = _states.get(ref(task)), None, None, 0
    outside = state and state.cancel_scope
    tasks = tasks_of(task.get_loop())
    was_stepping = tasks.is_stepping
    first = before = task.cancelling()
    try:
        while True:
            # As `Tasks.step` does, without the price of a call.
            tasks.is_stepping = True
            waiting = steps.send(sent) if thrown is None else steps.throw(thrown)
            tasks.is_stepping = was_stepping
            if (after := task.cancelling()) > before:
                own += after - before
            thrown = None
            try:
                sent = yield waiting if waiting is None else _quiet(waiting)
            except GeneratorExit:
                own, first, before = 0, sys.maxsize, sys.maxsize  # nobody is left to tell
                steps.close()
                raise
            except BaseException as exc:  # noqa: BLE001 - the handler's to deal with
                thrown = exc
            # Others cancel a task while it waits.
            before = task.cancelling()
    except StopIteration as ended:
        value: T = ended.value
        return value
    finally:
        tasks.is_stepping = was_stepping
        thrown = None
        if (after := task.cancelling()) > before:
            own += after - before
        if (state := state or _states.get(ref(task))) and state.cancel_scope is not outside:
            _leave(state, outside)
        if (after := task.cancelling() - first) > own and _is_cancelled_alone(task, outside):
            own = after
        if own:
            yield from _uncancelled(task, own)


def current_task() -> asyncio.Task[Any] | None:
    """The task at work; None outside of any, and under trio."""
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None


def _quiet(waiting: Any) -> Any:
    if getattr(waiting, "_asyncio_future_blocking", False) is not True:
        return waiting
    # Filled from here: a constructor of its own would cost more than the rest of it.
    quiet = _Quiet()
    quiet.future, quiet.get_loop = waiting, waiting.get_loop
    waiting._asyncio_future_blocking = False
    return quiet


class _Quiet:
    """Wakes a task when a future is done; the handler itself asks that one what it ended with."""

    future: asyncio.Future[Any]
    get_loop: Callable[[], asyncio.AbstractEventLoop]
    _asyncio_future_blocking = True

    # Who cancels a task asks whether what it waits for is done already.
    __class__ = property(lambda _: asyncio.Future)  # pyright: ignore[reportIncompatibleMethodOverride]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.future, name)

    def add_done_callback(self, fn: Callable[[Any], object], /, *, context: Context | None = None) -> None:
        self.future.add_done_callback(lambda _: fn(self), context=context)

    # The task asks whether to go on or to raise. None's own class says None, with no function of ours called.
    result = type(None)


def _leave(state: Any, outside: Any) -> None:
    """The scopes somebody entered and never left."""
    with suppress(Exception):  # another version of anyio may keep them elsewhere
        scopes = [state.cancel_scope]
        while (parent := scopes[-1]._parent_scope) is not outside:
            scopes.append(parent)
        for scope in scopes:
            scope.__exit__(None, None, None)


def _is_cancelled_alone(task: asyncio.Task[Any], scope: Any) -> bool:
    """Whether neither a scope this task was started in, nor who opened one, was cancelled with it.

    Who serves cancels by those; a task that is in none but its own is cancelled by itself, and rightly so.
    """
    is_child = False
    with suppress(Exception):  # another version of anyio may keep them elsewhere
        while scope is not None:
            host = scope._host_task
            if scope.cancel_called or (host is not task and host.cancelling()):
                return False
            is_child |= host is not task
            scope = scope._parent_scope
        return is_child
    return False


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
