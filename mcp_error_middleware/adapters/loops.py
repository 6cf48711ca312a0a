"""A loop in, the same out, which outlives what the tasks and threads of a handler end with.

asyncio lets a `SystemExit` of any task end the loop, and with it every session. And what a function in a
thread raised is handed over by a callback; where the exception itself stops that (a `StopIteration`, before
Python 3.12.2; one that raises when its class is asked for), whoever awaits the thread waits for ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from itertools import dropwhile
from traceback import walk_tb
from types import CellType, CodeType
from typing import Any, Final, cast

from mcp_error_middleware.classify.chain import traceback_of

_HANDS_OVER: Final = frozenset({"asyncio.futures", "anyio._backends._asyncio"})
"""Whose callbacks bring what a thread ended with; the future that waits for it comes first."""

Loop = asyncio.AbstractEventLoop


def tasks_of(loop: Loop) -> Tasks:
    """What makes the tasks of a loop, set once, as is who hands over what its threads raise."""
    try:
        found = loop.get_task_factory()
        if type(found) is Tasks:
            return found
        if type(hears := loop.get_exception_handler()) is not _Lost:
            loop.set_exception_handler(_Lost(hears))
        loop.set_task_factory(tasks := Tasks(found or _task))
    except NotImplementedError:  # not every loop lets itself be told
        return Tasks(_task)
    return tasks


class Tasks:
    """Makes tasks as before; those that a handler starts cannot end the loop."""

    __slots__ = ("is_stepping", "make")

    def __init__(self, make: Callable[..., Any]) -> None:
        self.make = make
        self.is_stepping = False
        """Whether a handler is at work at this moment."""

    def __call__(self, loop: Loop, coro: Any, **options: Any) -> Any:
        return self.make(loop, self._contained(coro), **options)

    def _contained(self, coro: Any) -> Any:
        return _Task(self, coro) if self.is_stepping else coro

    # anyio looks here whether tasks begin at once, and what makes them otherwise: its own must not.
    @property
    def __code__(self) -> CodeType:
        return cast("CodeType", cast("Any", self.make).__code__)

    @property
    def __closure__(self) -> tuple[CellType, ...]:
        make = cast("Any", self.make).__closure__[0].cell_contents
        return (CellType(lambda coro, **options: make(self._contained(coro), **options)),)

    def step(self, resume: Callable[[Any], Any], value: Any) -> Any:
        """What a coroutine of a handler does next."""
        before, self.is_stepping = self.is_stepping, True
        try:
            return resume(value)
        finally:
            self.is_stepping = before


def _task(loop: Loop, coro: Any, **options: Any) -> asyncio.Task[Any]:
    return asyncio.Task(coro, loop=loop, **options)


class _Task(Coroutine[Any, Any, Any]):
    """What a task does, its exit being an exception as any other.

    No coroutine around it: one that is cancelled before it began would leave the other never awaited.
    """

    def __init__(self, tasks: Tasks, coro: Any) -> None:
        self.tasks, self.coro = tasks, coro

    def send(self, value: Any) -> Any:
        return self._resumed(self.coro.send, value)

    def throw(self, error: Any, *_: Any) -> Any:
        return self._resumed(self.coro.throw, error)

    def _resumed(self, resume: Callable[[Any], Any], value: Any) -> Any:
        try:
            return self.tasks.step(resume, value)
        except SystemExit as exc:
            raise _exit() from exc

    def close(self) -> None:
        self.coro.close()

    def __await__(self) -> Generator[Any, Any, Any]:
        return (yield from self.coro.__await__())

    # Whoever shows a task asks for its code and its frame.
    def __getattr__(self, name: str) -> Any:
        return getattr(self.coro, name)


def _exit() -> RuntimeError:
    return RuntimeError("a task of a handler raised SystemExit")


@dataclass(frozen=True, slots=True)
class _Lost:
    """Hears what a loop's callbacks raise; ends the future that one of them should have ended."""

    before: Callable[[Loop, dict[str, Any]], object] | None

    def __call__(self, loop: Loop, context: dict[str, Any]) -> None:
        if _delivered(context.get("exception")):
            return
        if self.before is not None:
            self.before(loop, context)
        else:
            with suppress(Exception):  # of a log that cannot be written the loop would end
                loop.default_exception_handler(context)


def _delivered(problem: BaseException | None) -> bool:
    """Whether somebody waited for what a callback could not hand over, and now has it as a cause."""
    future, *brought = _handed(problem) or (None,)
    if not brought or not isinstance(future, asyncio.Future) or future.done():
        return False
    error = RuntimeError("a thread ended with an exception that cannot be raised here")
    error.__cause__ = _raised(brought[-1]) or problem
    future.set_exception(error)
    return True


def _handed(problem: BaseException | None) -> list[Any]:
    """What a callback was called with, from a future on.

    By its frame: the handle of another loop, such as uvloop's, does not tell.
    """
    for frame, _ in walk_tb(None if problem is None else traceback_of(problem)):
        if frame.f_globals.get("__name__") in _HANDS_OVER:
            names = frame.f_code.co_varnames[: frame.f_code.co_argcount]
            values = map(frame.f_locals.get, names)
            return list(dropwhile(lambda value: not issubclass(type(value), asyncio.Future), values))
    return []


def _raised(brought: Any) -> BaseException | None:
    """What a thread raised, itself or in the future that has it."""
    if issubclass(type(brought), BaseException):
        return cast("BaseException", brought)
    return brought.exception() if isinstance(brought, Future) else None
