"""A handler's coroutine in, the same out, so that however it ends its border hears of it.

asyncio throws what a future failed with in at the top of a task. A `GeneratorExit`, as a function in a thread
may raise it, closes all that is below, and no frame there has a say any more. And a task that has cancelled
itself, or has not left a scope it cancelled, is to everybody above one that somebody else cancelled.
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
    before = task.cancelling()
    try:
        while True:
            waiting = steps.send(sent) if thrown is None else steps.throw(thrown)
            if (after := task.cancelling()) > before:
                own += after - before
            thrown = None
            try:
                sent = yield waiting if waiting is None else _quiet(waiting)
            except GeneratorExit:
                own, before = 0, sys.maxsize  # nobody is left to tell
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
        thrown = None
        if (after := task.cancelling()) > before:
            own += after - before
        if (state := state or _states.get(ref(task))) and state.cancel_scope is not outside:
            _leave(state, outside)
        if own:
            yield from _uncancelled(task, own)


def current_task() -> asyncio.Task[Any] | None:
    """The task at work; None outside of any, and under trio."""
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None


def _quiet(waiting: Any) -> Any:
    is_future = getattr(waiting, "_asyncio_future_blocking", False) is True
    return _Quiet(waiting) if is_future else waiting


class _Quiet:
    """Wakes a task when a future is done; the handler itself asks that one what it ended with."""

    __slots__ = ("_asyncio_future_blocking", "future", "get_loop")

    def __init__(self, future: asyncio.Future[Any]) -> None:
        self.future, self.get_loop = future, future.get_loop
        self._asyncio_future_blocking, future._asyncio_future_blocking = True, False

    # Who cancels a task asks whether what it waits for is done already.
    __class__ = property(lambda _: asyncio.Future)  # pyright: ignore[reportIncompatibleMethodOverride]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.future, name)

    def add_done_callback(self, fn: Callable[[Any], object], /, *, context: Context | None = None) -> None:
        self.future.add_done_callback(lambda _: fn(self), context=context)

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
