"""Every kind of server on every HTTP transport, all in one process: `python -m tests.stacks.serve`."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import anyio
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Mount, Route

from mcp_error_middleware import ErrorPolicy, Failure, install
from tests.stacks.faults import FAULTS, MISDEEDS, Fault
from tests.stacks.stacks import MCP_1, SERVERS

FAULTS_OVER_HTTP = (
    *FAULTS,
    *MISDEEDS,
    Fault("memory", lambda _: MemoryError("out of it"), "InternalError", "internal error"),
    Fault(
        "unserialisable",
        lambda sdk: sdk.protocol_error(-32602, "Cannot be written.", {"of": object(), "in": b"\xff"}),
        "InvalidParams",
        "Cannot be written.",
        number=-32602,
        from_tool="jsonrpc",
    ),
)

VARIANTS: dict[str, dict[str, bool]] = {
    "stream": {"json_response": False, "stateless_http": False},
    "json": {"json_response": True, "stateless_http": False},
    "stateless-stream": {"json_response": False, "stateless_http": True},
    "stateless-json": {"json_response": True, "stateless_http": True},
}
"""Of streamable HTTP."""


@dataclass(eq=False)
class Gate:
    """Where a call waits, so that a test can say what happens meanwhile."""

    held: anyio.Event = field(default_factory=anyio.Event)
    opened: anyio.Event = field(default_factory=anyio.Event)
    ended: anyio.Event = field(default_factory=anyio.Event)
    how: str = ""


gates: dict[str, Gate] = defaultdict(Gate)


async def hold(gate: str) -> str:
    """Wait to be let go, and fail."""
    here = gates[gate]
    here.held.set()
    try:
        await here.opened.wait()
        raise ValueError("let go")
    except BaseException as exc:
        here.how = type(exc).__name__
        raise
    finally:
        here.ended.set()


def _server(kind: str) -> Any:
    server = SERVERS[kind](
        fault for fault in FAULTS_OVER_HTTP if kind != "lowlevel" or not fault.needs_tool_error
    )
    if kind != "lowlevel":
        server.tool(name="hold")(hold)
        server.tool(name="progress")(_progress(kind))
    return server


def _progress(kind: str) -> Callable[..., Any]:
    module = (
        "fastmcp"
        if kind in ("fastmcp3", "fastmcp4")
        else "mcp.server.fastmcp"
        if MCP_1
        else "mcp.server.mcpserver"
    )

    async def progress(ctx: Any) -> str:
        for done in range(3):
            await ctx.report_progress(done, 3, "half \ud83d of it")
        raise TimeoutError("after two of three")

    progress.__annotations__["ctx"] = import_module(module).Context
    return progress


def _app(kind: str, variant: str) -> Starlette:
    server = _server(kind)
    if variant == "sse":
        app = server.http_app(transport="sse") if hasattr(server, "http_app") else server.sse_app()
    elif hasattr(server, "http_app"):
        app = server.http_app(path="/mcp", **VARIANTS[variant])
    elif not MCP_1:
        app = server.streamable_http_app(**VARIANTS[variant])
    else:
        app = _app_of_mcp_1(server, **VARIANTS[variant])
    assert isinstance(app, Starlette)
    return app


def _app_of_mcp_1(server: Any, **settings: bool) -> Any:
    high: Any = import_module("mcp.server.fastmcp").FastMCP("http", **settings)
    high._mcp_server = getattr(server, "_mcp_server", server)
    return high.streamable_http_app()


PLACES = tuple(
    (kind, variant)
    for kind in SERVERS
    for variant in (*VARIANTS, "sse")
    if (kind, variant) != ("lowlevel", "sse")
)
"""Which servers are mounted, and where."""


def whole() -> Starlette:
    """All of them, one installed app."""
    failures: list[Failure] = []
    apps = {f"/{kind}/{variant}": _app(kind, variant) for kind, variant in PLACES}

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for app in apps.values():
                await stack.enter_async_context(app.router.lifespan_context(app))
            yield

    async def recorded(request: Request) -> JSONResponse:
        since = int(request.query_params["since"])
        return JSONResponse([failure.error_id for failure in failures[since:]])

    async def gate(request: Request) -> JSONResponse:
        here, event = gates[request.path_params["name"]], request.path_params["event"]
        if event == "opened":
            here.opened.set()
        await getattr(here, event).wait()
        return JSONResponse(here.how)

    routes = [Route("/failures", recorded), Route("/gates/{name}/{event}", gate)]
    app = Starlette(routes=[*routes, *(Mount(path, app) for path, app in apps.items())], lifespan=lifespan)
    return install(app, ErrorPolicy(log=False, observers=(failures.append,)))


if __name__ == "__main__":
    for name in ("mcp", "fastmcp"):
        # Their tracebacks in colour take longer than all the rest.
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    uvicorn.run(whole(), port=0, access_log=False)
