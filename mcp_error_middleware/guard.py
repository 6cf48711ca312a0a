"""Service code in, the same code with its failures logged and named out. Always re-raises.

with guard("orders.fetch", code=ErrorCode.SERVICE_UNAVAILABLE, context={"order": order_id}):
    return client.get(order_id)

@guard("parse_config", code=ErrorCode.CONFIGURATION_ERROR)
def parse_config(raw: str) -> Config: ...
"""

from __future__ import annotations

import logging
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from functools import wraps
from inspect import isasyncgenfunction, iscoroutine, iscoroutinefunction, isgeneratorfunction
from types import TracebackType
from typing import Any, Final, ParamSpec, TypeVar

from mcp_error_middleware.classify import classify
from mcp_error_middleware.errors import McpError, known_code, naming
from mcp_error_middleware.sanitize import sanitize_data
from mcp_error_middleware.taxonomy import ErrorCode
from mcp_error_middleware.told import stand_in

P = ParamSpec("P")
R = TypeVar("R")

Mapper = Callable[[Exception], "BaseException | type[BaseException] | None"]
"""An exception in, the one to raise instead out; None leaves it to the guard."""

_LOG: Final = logging.getLogger("mcp_error_middleware.guard")


@dataclass(frozen=True, slots=True)
class guard:  # noqa: N801 - used like a function
    """Context manager and decorator, for functions and generators, synchronous and asynchronous alike.

    An exception is logged once with the operation, the scrubbed context and input, and leaves as an
    `McpError` with the original as its cause. Its text is the code's: whether the original's words reach the
    caller is for the policy to say, as if there were no guard. An `McpError` leaves as it is.
    """

    operation: str
    code: ErrorCode | None = None
    """The code where the exception brings none; classified if not given."""
    context: Mapping[str, Any] = field(default_factory=dict)
    input: Any = None
    critical: bool = False
    include_stack: bool = True
    mapper: Mapper | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.operation, str):
            raise TypeError(
                f'guard takes the name of an operation first, not {self.operation!r}: guard("name").'
            )
        if self.code is not None:
            object.__setattr__(self, "code", known_code(self.code))

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        # Cancellation, exit and interrupts are not failures of the operation.
        if not isinstance(exc, Exception):
            return
        self._log(exc)
        named = self._named(exc)
        if named is not exc:
            raise named from exc

    async def __aenter__(self) -> None:
        return None

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.__exit__(kind, exc, traceback)

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        guarded = next((kind for is_of, kind in _KINDS if is_of(function)), _function)
        return wraps(function)(guarded(self, function))

    def _named(self, exc: Exception) -> BaseException | type[BaseException]:
        if self.mapper is not None and (mapped := self.mapper(exc)) is not None:
            return mapped
        if issubclass(type(exc), McpError):
            return exc
        return naming(exc, self.code or classify(exc).code)

    def _log(self, exc: Exception) -> None:
        with suppress(Exception):  # a logger's trouble is not the service's
            shown = stand_in(exc)
            _LOG.log(
                logging.CRITICAL if self.critical else logging.ERROR,
                "%s failed: %s",
                self.operation,
                str(shown),
                exc_info=shown if self.include_stack else None,
                extra={
                    "operation": self.operation,
                    "critical": self.critical,
                    "context": sanitize_data(self.context),
                    "input": sanitize_data(self.input),
                },
            )


# --- what can be decorated: each kind stays of its kind ------------------------------------------


def _function(own: guard, function: Callable[..., Any]) -> Callable[..., Any]:
    def guarded(*args: Any, **kwargs: Any) -> Any:
        with own:
            result = function(*args, **kwargs)
        return _awaited(own, result) if iscoroutine(result) else result

    return guarded


async def _awaited(own: guard, started: Coroutine[Any, Any, Any]) -> Any:
    """What a function returned that is asynchronous without saying so."""
    with own:
        return await started


def _coroutine(own: guard, function: Callable[..., Any]) -> Callable[..., Any]:
    async def guarded(*args: Any, **kwargs: Any) -> Any:
        with own:
            return await function(*args, **kwargs)

    return guarded


def _generator(own: guard, function: Callable[..., Any]) -> Callable[..., Any]:
    def guarded(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        with own:
            return (yield from function(*args, **kwargs))

    return guarded


def _async_generator(own: guard, function: Callable[..., Any]) -> Callable[..., Any]:
    async def guarded(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
        with own:
            async with aclosing(function(*args, **kwargs)) as inner:
                step = _started(inner)
                while True:
                    try:
                        value = await step
                    except StopAsyncIteration:
                        return
                    try:
                        sent = yield value
                    except GeneratorExit:
                        raise
                    except BaseException as thrown:  # noqa: BLE001 - the generator's to answer
                        step = inner.athrow(thrown)
                    else:
                        step = inner.asend(sent)

    return guarded


def _started(inner: AsyncGenerator[Any, Any]) -> Any:
    """Its first step, kept from the loop: that closes what it knows of at its end, and so do we."""
    hooks = sys.get_asyncgen_hooks()
    sys.set_asyncgen_hooks(None, None)
    try:
        return inner.asend(None)
    finally:
        sys.set_asyncgen_hooks(*hooks)


_KINDS: Final[tuple[tuple[Callable[[Any], bool], Callable[[guard, Any], Callable[..., Any]]], ...]] = (
    (iscoroutinefunction, _coroutine),
    (isgeneratorfunction, _generator),
    (isasyncgenfunction, _async_generator),
)
