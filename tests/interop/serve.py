"""A server in, a port on loopback out."""

import socket
from typing import Any

import uvicorn


def serve(server: Any, **options: Any) -> None:
    """Serve streamable HTTP at `/mcp` until stopped; the first line printed is the port."""
    app = getattr(server, "http_app", None) or server.streamable_http_app
    # Said to be TCP: asyncio lets the answers of any other socket wait for each other.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    # Before the port is said: who connects waits until it is served.
    listening.listen()
    print(listening.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(app(**options), log_level="error")).run(sockets=[listening])
