"""What is measured against what: a further row is a line in `SUBJECTS`, a further server one in `STACKS`.

Logging is plain and goes
nowhere: the tracebacks that the servers paint by default cost a hundred times as much and would flatter us.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import fastmcp
from fastmcp.server.middleware import Middleware
from fastmcp.server.middleware.error_handling import ErrorHandlingMiddleware
from fastmcp.server.middleware.logging import StructuredLoggingMiddleware
from mcp.server.mcpserver import MCPServer

from mcp_error_middleware import ErrorPolicy, install

FASTMCP = f"FastMCP {fastmcp.__version__}"
MCPSERVER = "MCPServer of mcp 2.x"

STACKS: dict[str, Callable[[], Any]] = {
    FASTMCP: lambda: fastmcp.FastMCP("shop"),
    MCPSERVER: lambda: MCPServer("shop"),
}


@dataclass(frozen=True)
class Subject:
    """What is done to a server."""

    prepare: Callable[[Any], object] = lambda server: None
    wrap: Callable[[Any], Any] = lambda app: app
    """What is done to its HTTP app."""
    traced: bool = False
    """Whether the process has the OTel SDK: a batch processor, exporters that throw away."""
    stacks: tuple[str, ...] = (FASTMCP, MCPSERVER)
    places: tuple[str, ...] = ("memory", "http")


BARE = "bare"
NOTHING = "a middleware that does nothing"
OURS = "**mcp-error-middleware**"
SPANS = "the SDK's own spans"
PEER = "opentel-mcp 0.1.0"
TRACED = "**mcp-error-middleware**, all telemetry"
UNADVISED = "mcp-error-middleware without advice"


def _do_nothing(server: Any) -> None:
    if isinstance(server, MCPServer):
        server.middleware.append(_passed_on)
    else:
        server.add_middleware(_PassedOn())


async def _passed_on(ctx: Any, call_next: Any) -> Any:
    return await call_next(ctx)


class _PassedOn(Middleware):
    async def on_call_tool(self, context: Any, call_next: Any) -> Any:
        return await call_next(context)


def _handle_errors(server: Any) -> None:
    server.add_middleware(ErrorHandlingMiddleware())


def _handle_and_log(server: Any) -> None:
    _handle_errors(server)
    server.add_middleware(StructuredLoggingMiddleware())


def _opentel_mcp(server: Any) -> None:
    low = getattr(server, "_mcp_server", server)
    import_module("opentel_mcp").instrument_mcp_server(low)


def _every_line(server: Any) -> None:
    install(server, ErrorPolicy(log_burst=0))


def _without_advice(server: Any) -> None:
    off = {"suggest": False, "verify_writes": False, "notice_repeats": False, "advertise_contracts": False}
    install(server, ErrorPolicy(silent_failures="off", **off))  # type: ignore[arg-type]


def _asgi_spans(app: Any) -> Any:
    return import_module("opentelemetry.instrumentation.asgi").OpenTelemetryMiddleware(app)


SUBJECTS: dict[str, Subject] = {
    BARE: Subject(),
    NOTHING: Subject(_do_nothing),
    OURS: Subject(install),
    f"{OURS} on the HTTP app": Subject(wrap=install, places=("http",)),
    "FastMCP's ErrorHandlingMiddleware": Subject(_handle_errors, stacks=(FASTMCP,)),
    "the same and StructuredLoggingMiddleware": Subject(_handle_and_log, stacks=(FASTMCP,)),
    SPANS: Subject(traced=True),
    PEER: Subject(_opentel_mcp, traced=True),
    "opentelemetry-instrumentation-asgi": Subject(wrap=_asgi_spans, traced=True, places=("http",)),
    TRACED: Subject(install, traced=True),
    f"{TRACED}, every log line in full": Subject(_every_line, traced=True),
}
"""The first is the yardstick."""

ALL: dict[str, Subject] = {**SUBJECTS, UNADVISED: Subject(_without_advice)}


def subjects(stack: str, place: str) -> list[str]:
    """Those that can be had there."""
    return [name for name, subject in SUBJECTS.items() if stack in subject.stacks and place in subject.places]
