"""Service code in, the same code with its failures logged and named out. Always re-raises.

with guard("orders.fetch", code=ErrorCode.SERVICE_UNAVAILABLE, context={"order": order_id}):
    return client.get(order_id)

@guard("parse_config", code=ErrorCode.CONFIGURATION_ERROR)
def parse_config(raw: str) -> Config: ...
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import wraps
from inspect import iscoroutine, iscoroutinefunction
from types import TracebackType
from typing import Any, Final, ParamSpec, TypeVar

from mcp_error_middleware.classify import classify, qualified_name, safe_str
from mcp_error_middleware.errors import McpError, error_for
from mcp_error_middleware.sanitize import sanitize_data, sanitize_text
from mcp_error_middleware.taxonomy import ErrorCode, Fault

P = ParamSpec("P")
R = TypeVar("R")

Mapper = Callable[[Exception], BaseException]
"""An exception in, the one to raise instead out."""

_LOG: Final = logging.getLogger("mcp_error_middleware.guard")


class _Scrubbed(Exception):
    """Stands for an exception in the log, with its places and the words it may have there."""


@dataclass(frozen=True, slots=True)
class guard:  # noqa: N801 - used like a function
    """Context manager and decorator, for synchronous and asynchronous code alike.

    An exception is logged once with the operation, the scrubbed context and input, and leaves as an
    `McpError` with the original as its cause. One that is an `McpError` already leaves as it is.
    """

    operation: str
    code: ErrorCode | None = None
    """The code where the exception brings none; classified if not given."""
    context: Mapping[str, Any] = field(default_factory=dict)
    input: Any = None
    critical: bool = False
    include_stack: bool = True
    mapper: Mapper | None = None

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        # Cancellation, exit and interrupts are not failures of the operation.
        if not isinstance(exc, Exception):
            return
        self._log(exc)
        if isinstance(exc, McpError) and self.mapper is None:
            return
        raise self._named(exc) from exc

    async def __aenter__(self) -> None:
        return None

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.__exit__(kind, exc, traceback)

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        if iscoroutinefunction(function):

            @wraps(function)
            async def guarded_async(*args: P.args, **kwargs: P.kwargs) -> Any:
                with self:
                    return await function(*args, **kwargs)

            return guarded_async  # type: ignore[return-value]

        @wraps(function)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> Any:
            with self:
                result = function(*args, **kwargs)
            return self._awaited(result) if iscoroutine(result) else result

        return guarded

    async def _awaited(self, started: Coroutine[Any, Any, Any]) -> Any:
        """What a function returned that is asynchronous without saying so."""
        with self:
            return await started

    def _named(self, exc: Exception) -> BaseException:
        if self.mapper is not None:
            return self.mapper(exc)
        code = self.code or classify(exc).code
        # Only a caller has use for the original words, and only the caller's own mistakes are about them.
        words = sanitize_text(safe_str(exc)) if code.traits.fault is Fault.CALLER else None
        return error_for(code, words or None)

    def _log(self, exc: Exception) -> None:
        with suppress(Exception):  # a logger's trouble is not the service's
            said = f"{qualified_name(type(exc))}: {sanitize_text(safe_str(exc))}"
            _LOG.log(
                logging.CRITICAL if self.critical else logging.ERROR,
                "%s failed: %s",
                self.operation,
                said,
                exc_info=_Scrubbed(said).with_traceback(exc.__traceback__) if self.include_stack else None,
                extra={
                    "operation": self.operation,
                    "critical": self.critical,
                    "context": sanitize_data(self.context),
                    "input": sanitize_data(self.input),
                },
            )
