"""What can go wrong inside a handler, and between a client and one; and what is answered, on every stack."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal, Protocol

import anyio

from mcp_error_middleware import InternalError, NotFound, RateLimited

httpx: Any = import_module("httpx2" if find_spec("httpx2") else "httpx")
"""The one the SDK itself came with."""

SECRET = "sk-live-4eC39HqLyjWDarjtT1zdp7dc"
"""Planted, to be looked for in every answer."""


class Sdk(Protocol):
    """The classes an author of one stack would raise."""

    def tool_error(self, text: str) -> Exception: ...

    def protocol_error(self, code: int, message: str, data: Any = None) -> Exception: ...


@dataclass(frozen=True)
class Fault:
    """An exception out of a handler, and the facts of its answer."""

    name: str
    raises: Callable[[Sdk], BaseException]
    code: str
    """The label."""
    text: str
    """A part of what is said; the rest is the renderer's business."""
    retryable: bool = False
    number: int = -32603
    """Of the JSON-RPC error, where the answer is one: from resources and prompts always."""
    from_tool: Literal["result", "jsonrpc"] = "result"
    data: Mapping[str, Any] = field(default_factory=dict)
    """What the error object's own data holds among others."""
    needs_tool_error: bool = False


def chained(exc: BaseException, *causes: BaseException) -> BaseException:
    """As `raise exc from cause` leaves it, several deep."""
    link = exc
    for cause in causes:
        link.__cause__ = cause
        link = cause
    return exc


def http_error(status: int, **headers: str) -> Exception:
    """As `raise_for_status` raises it."""
    request = httpx.Request("GET", f"https://upstream.test/v1/items?api_key={SECRET}")
    response = httpx.Response(status, headers=headers, request=request, text=f"token={SECRET}")
    error: Exception = httpx.HTTPStatusError(
        f"{status} for {request.url}", request=request, response=response
    )
    return error


class Unprintable(ValueError):
    """Cannot be put into words."""

    def __str__(self) -> str:
        raise RuntimeError(f"no words for {SECRET}")


class Hostile(ValueError):
    """Fights back when looked at."""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        raise RuntimeError(SECRET)

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(SECRET)


class Rootless(ValueError):
    """Says nothing of where it came from."""

    @property
    def __cause__(self) -> Any:  # type: ignore[override]
        raise RuntimeError(SECRET)

    __context__ = __cause__  # pyright: ignore[reportAssignmentType]


def numberless(sdk: Sdk) -> BaseException:
    """A protocol error that ends whoever asks what it is."""

    def refuse(_: object) -> Any:
        raise SystemExit(SECRET)

    kind = type(sdk.protocol_error(1, ""))
    made: type[BaseException] = type(
        "Numberless", (kind,), {"__init__": lambda _: None, "error": property(refuse)}
    )
    return made()


class Order(Exception):
    """Of the author's own making, without a telling name."""


ENDINGS = (
    Fault("stray_cancellation", lambda _: asyncio.CancelledError(), "Timeout", "", retryable=True),
    Fault("system_exit", lambda _: SystemExit(3), "InternalError", "internal error"),
    Fault("generator_exit", lambda _: GeneratorExit(), "InternalError", "internal error"),
    Fault(
        "base_group",
        lambda _: BaseExceptionGroup("two", [SystemExit(1), ValueError("a")]),
        "InternalError",
        "",
    ),
)
"""What would end the process, or the session of every client."""

FAULTS = (
    # --- bugs: the message was written for us, not for the caller ---
    Fault("key_error", lambda _: KeyError(SECRET), "InternalError", "internal error"),
    Fault("zero_division", lambda _: ZeroDivisionError("division"), "InternalError", "internal error"),
    Fault("assertion", lambda _: AssertionError(f"{SECRET} held"), "InternalError", "internal error"),
    Fault("recursion", lambda _: RecursionError("too deep"), "InternalError", "internal error"),
    Fault("silent", lambda _: RuntimeError(), "InternalError", "internal error"),
    Fault("own_class", lambda _: Order(f"dsn=postgres://u:{SECRET}@db/x"), "InternalError", "internal error"),
    # --- the caller's to mend: the text leaves, scrubbed ---
    Fault(
        "value_error",
        lambda _: ValueError("amount must be above 0"),
        "ValidationError",
        "amount must be above 0",
        number=-32602,
    ),
    Fault(
        "leaky_value_error",
        lambda _: ValueError(f"bad key api_key={SECRET}"),
        "ValidationError",
        "bad key",
        number=-32602,
    ),
    Fault("unprintable", lambda _: Unprintable(), "ValidationError", "", number=-32602),
    Fault("hostile", lambda _: Hostile("odd"), "ValidationError", "", number=-32602),
    Fault("rootless", lambda _: Rootless("odd"), "ValidationError", "", number=-32602),
    Fault("numberless", numberless, "InternalError", ""),
    Fault("surrogate", lambda _: ValueError("half \ud83d of it"), "ValidationError", "half", number=-32602),
    Fault(
        "permission",
        lambda _: PermissionError(13, "Permission denied", "/srv/private"),
        "Forbidden",
        "",
        number=-32600,
    ),
    # --- upstream ---
    Fault("timeout", lambda _: TimeoutError(f"db {SECRET}"), "Timeout", "", retryable=True),
    Fault(
        "refused",
        lambda _: ConnectionRefusedError(111, "Connection refused"),
        "ServiceUnavailable",
        "",
        retryable=True,
    ),
    Fault(
        "http_429",
        lambda _: http_error(429, **{"retry-after": "7"}),
        "RateLimited",
        "",
        retryable=True,
        data={"retry_after": 7, "status": 429},
    ),
    Fault(
        "http_503",
        lambda _: http_error(503),
        "ServiceUnavailable",
        "HTTP 503",
        retryable=True,
        data={"status": 503},
    ),
    Fault("http_404", lambda _: http_error(404), "NotFound", "", number=-32602, data={"status": 404}),
    # --- chains and groups ---
    Fault(
        "chain",
        lambda _: chained(RuntimeError("sync failed"), OSError("socket"), http_error(503)),
        "ServiceUnavailable",
        "HTTP 503",
        retryable=True,
    ),
    Fault(
        "group",
        lambda _: ExceptionGroup("two", [ValueError("a"), ConnectionResetError("b")]),
        "ServiceUnavailable",
        "",
        retryable=True,
    ),
    # --- declared ---
    Fault(
        "declared",
        lambda _: NotFound("Order 'ord_9' was not found.", {"order": "ord_9"}, recovery="Call list_orders."),
        "NotFound",
        "Order 'ord_9' was not found.",
        number=-32602,
        data={"order": "ord_9", "recovery": {"hint": "Call list_orders."}},
    ),
    Fault(
        "declared_wait",
        lambda _: RateLimited("Slow down.", retry_after=3),
        "RateLimited",
        "Slow down.",
        retryable=True,
        data={"retry_after": 3},
    ),
    Fault(
        "declared_bug",
        lambda _: InternalError("The index is being rebuilt."),
        "InternalError",
        "The index is being rebuilt.",
    ),
    Fault(
        "declared_hostile",
        lambda _: NotFound("Gone.", {"o": object(), "b": b"\xff", "n": float("nan"), "token": SECRET}),
        "NotFound",
        "Gone.",
        number=-32602,
    ),
    Fault(
        "tool_error",
        lambda sdk: sdk.tool_error("Closed on Sundays."),
        "InternalError",
        "Closed on Sundays.",
        needs_tool_error=True,
    ),
    Fault(
        "tool_error_from",
        lambda sdk: chained(sdk.tool_error("Customer 42 is not on file."), http_error(404)),
        "NotFound",
        "Customer 42 is not on file.",
        number=-32602,
        needs_tool_error=True,
    ),
    # --- an SDK's protocol error, raised on purpose ---
    Fault(
        "protocol",
        lambda sdk: sdk.protocol_error(-32602, "No such cursor.", {"cursor": "c1"}),
        "InvalidParams",
        "No such cursor.",
        number=-32602,
        from_tool="jsonrpc",
        data={"cursor": "c1"},
    ),
    Fault(
        "protocol_own_number",
        lambda sdk: sdk.protocol_error(4711, "Out of paper."),
        "InternalError",
        "Out of paper.",
        number=4711,
        from_tool="jsonrpc",
    ),
    Fault(
        "protocol_forbidden_number",
        lambda sdk: sdk.protocol_error(-32002, f"Nothing there, token={SECRET}"),
        "NotFound",
        "Nothing there",
        number=-32602,
        from_tool="jsonrpc",
    ),
    *ENDINGS,
)
"""Each is raised in a tool, a resource and a prompt."""


def _cancels_itself(_: Sdk) -> BaseException:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    return ValueError("too late")


def _stays_in_a_scope(_: Sdk) -> BaseException:
    anyio.CancelScope().__enter__().cancel()
    return ValueError("still inside")


MISDEEDS = (
    Fault("cancels_itself", _cancels_itself, "ValidationError", "too late", number=-32602),
    Fault("stays_in_a_scope", _stays_in_a_scope, "ValidationError", "still inside", number=-32602),
)
"""What a handler can do to the task it runs in; trio itself ends a task for it."""


@dataclass(frozen=True)
class Request:
    """A request no handler can serve, and the facts of its answer."""

    name: str
    method: str
    params: Mapping[str, Any]
    channel: Literal["result", "jsonrpc"]
    text: str
    code: str | None = None
    """The label; None where the SDK's own answer stands."""
    number: int = -32602
    data: Mapping[str, Any] = field(default_factory=dict)
    lacking: frozenset[str] = frozenset()
    """Stacks that never hand it on."""


REQUESTS = (
    Request(
        "bad_argument",
        "tools/call",
        {"name": "add", "arguments": {"a": SECRET, "b": 2}},
        "result",
        "a must be",
        "ValidationError",
    ),
    Request(
        "missing_argument",
        "tools/call",
        {"name": "add", "arguments": {"b": 2}},
        "result",
        "a is required",
        "ValidationError",
    ),
    Request(
        "unknown_tool",
        "tools/call",
        {"name": "nope", "arguments": {}},
        "jsonrpc",
        "Unknown tool: nope",
        "InvalidParams",
    ),
    Request(
        "malformed",
        "tools/call",
        {"arguments": {"token": SECRET}},
        "jsonrpc",
        "name is required",
        "ValidationError",
    ),
    Request(
        "unknown_method",
        "no/such",
        {},
        "jsonrpc",
        "Method not found",
        number=-32601,
    ),
    Request(
        "unknown_resource",
        "resources/read",
        {"uri": "nothing://here"},
        "jsonrpc",
        "",
        "NotFound",
        data={"uri": "nothing://here"},
    ),
    Request(
        "unknown_prompt", "prompts/get", {"name": "nope"}, "jsonrpc", "Unknown prompt: nope", "InvalidParams"
    ),
    Request("missing_prompt_argument", "prompts/get", {"name": "greet"}, "jsonrpc", "name", "InvalidParams"),
)
