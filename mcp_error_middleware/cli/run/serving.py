"""A server in, served over the transport that was asked for."""

from __future__ import annotations

import argparse
import inspect
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from typing import Any, Final

from mcp_error_middleware.classify import mro_of, qualified_name
from mcp_error_middleware.cli.usage import UsageError
from mcp_error_middleware.install import STACKS

FASTMCP: Final = {
    "transport": "transport",
    "host": "host",
    "port": "port",
    "path": "path",
    "stateless_http": "stateless",
    "json_response": "json_response",
}
STREAMABLE: Final = {
    "host": "host",
    "streamable_http_path": "path",
    "stateless_http": "stateless",
    "json_response": "json_response",
}
SSE: Final = {"host": "host", "sse_path": "path"}
"""The SDKs' words for our options."""


@dataclass(frozen=True, slots=True)
class Options:
    """Where a server is to be reached; None leaves it to the server."""

    transport: str | None = None
    host: str | None = None
    port: int | None = None
    path: str | None = None
    stateless: bool | None = None
    json_response: bool | None = None

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> Options:
        """As given; what only HTTP has asks for HTTP."""
        given = {field.name: getattr(arguments, field.name, None) for field in fields(cls)}
        transport = given.pop("transport")
        of_http = [name.replace("_", "-") for name, value in given.items() if value is not None]
        if transport == "stdio" and of_http:
            raise UsageError(f"--{of_http[0]} is for HTTP alone; leave it out, or say --transport http")
        return cls(transport or ("http" if of_http else None), **given)

    @property
    def is_http(self) -> bool:
        """Whether HTTP was asked for."""
        return self.transport in ("http", "sse")

    def named(self, names: Mapping[str, str]) -> dict[str, Any]:
        """What is given, by the names somebody else has for it."""
        return {theirs: value for theirs, ours in names.items() if (value := getattr(self, ours)) is not None}


def check_port(options: Options) -> None:
    """Say so before anything starts where nothing could listen."""
    if options.port is None:
        return
    host = options.host or "127.0.0.1"
    try:
        family, *_, address = socket.getaddrinfo(host, options.port, type=socket.SOCK_STREAM)[0]
        socket.create_server(address, family=family).close()
    except OSError as error:
        said = (error.strerror or str(error)).lower()
        raise UsageError(
            f"nothing can listen at {host}, port {options.port}: {said}; choose another with --host or --port"
        ) from None


def is_server(value: object) -> bool:
    """Whether it is a server of one of the SDKs."""
    return _adapter(value) not in (None, "asgi")


def is_app(value: object) -> bool:
    """Whether it is an app that may have servers in it."""
    return _adapter(value) == "asgi"


def is_asgi(value: object) -> bool:
    """Whether it can be called as an ASGI app, and only so."""
    return callable(value) and _takes(value, "scope", "receive", "send") and not _takes(value)


def _takes(value: Callable[..., Any], *arguments: str) -> bool:
    try:
        inspect.signature(value).bind(*arguments)
    except (TypeError, ValueError):
        return False
    return True


def _adapter(value: object) -> str | None:
    return next((name for base in mro_of(type(value)) if (name := STACKS.get(qualified_name(base)))), None)


async def serve(server: Any, options: Options) -> None:
    """Serve it until it ends."""
    if not is_server(server):
        await _serve_app(server, options)
    elif _adapter(server) == "fastmcp":
        await _serve_fastmcp(server, options)
    elif hasattr(server, "run_stdio_async"):
        await _serve_high(server, options)
    elif options.is_http:
        await _serve_app(_app(server, options), options)
    else:
        stdio = import_module("mcp.server.stdio")
        async with stdio.stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())


async def _serve_fastmcp(server: Any, options: Options) -> None:
    # Its banner asks the network for news.
    if not options.is_http:
        await server.run_stdio_async(show_banner=False)
        return
    await server.run_http_async(show_banner=False, **options.named(FASTMCP))


async def _serve_high(server: Any, options: Options) -> None:
    """`MCPServer`, and the `FastMCP` of mcp 1.x, which reads its settings instead."""
    if not options.is_http:
        await server.run_stdio_async()
        return
    is_sse = options.transport == "sse"
    start = server.run_sse_async if is_sse else server.run_streamable_http_async
    given = options.named({"port": "port", **(SSE if is_sse else STREAMABLE)})
    if "host" in inspect.signature(start).parameters:
        await start(**given)
        return
    for name, value in given.items():
        setattr(server.settings, name, value)
    await start()


def _app(server: Any, options: Options) -> Any:
    """The HTTP app of a low-level server."""
    if options.transport == "sse":
        raise UsageError("a low-level server has no SSE app of its own; use --transport http")
    given = options.named(STREAMABLE)
    if hasattr(server, "streamable_http_app"):
        return server.streamable_http_app(**given)
    # In mcp 1.x only its FastMCP makes an app; of any server.
    high = import_module("mcp.server.fastmcp.server").FastMCP(server.name, **given)
    high._mcp_server = server
    return high.streamable_http_app()


async def _serve_app(app: Any, options: Options) -> None:
    if options.transport not in (None, "http"):
        raise UsageError(
            f"an app is served over HTTP, as it says itself; leave out --transport {options.transport}"
        )
    try:
        uvicorn = import_module("uvicorn")
    except ModuleNotFoundError:
        raise UsageError("to serve HTTP, uvicorn is needed: pip install uvicorn") from None
    server = uvicorn.Server(uvicorn.Config(app, **options.named({"host": "host", "port": "port"})))
    await server.serve()
    if not server.started:
        raise UsageError("the app did not start; what uvicorn said above tells why")
