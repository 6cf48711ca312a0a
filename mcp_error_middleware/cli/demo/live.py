"""The desk, with servers beside it that somebody calls all the time."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from mcp_error_middleware.cli.demo.servers import STACKS, UPSTREAM, stacks_here
from mcp_error_middleware.cli.demo.stories import Story
from mcp_error_middleware.cli.usage import UsageError
from mcp_error_middleware.desk import Desk
from mcp_error_middleware.install import install
from mcp_error_middleware.policy import ErrorPolicy
from mcp_error_middleware.testing.memory import connected

PORT: Final = 8765


def show_desk(stories: Sequence[Story], stacks: Sequence[str], upstream: str, port: int | None) -> None:
    """Serve the desk on loopback until Ctrl-C, and open it."""
    import uvicorn
    from starlette.applications import Starlette
    from starlette.routing import Mount

    os.environ[UPSTREAM] = upstream
    here = [name for name in stacks if name in stacks_here()] or stacks_here()[:1]
    # The page shows what a log would, and the frameworks' own lines would bury what was told.
    logging.disable(logging.ERROR)
    servers = [install(STACKS[name].build(), ErrorPolicy(log=False)) for name in here]

    @asynccontextmanager
    async def traffic(app: Any) -> AsyncIterator[None]:
        callers = [asyncio.create_task(_call_for_ever(server, stories)) for server in servers]
        yield
        for caller in callers:
            caller.cancel()

    # Bound before it is told of, so that whoever opens it is let in.
    door = _listening(port)
    address = f"http://127.0.0.1:{door.getsockname()[1]}/errors/?minutes=15"
    print(f"\nThe same servers go on failing; see them at {address} (Ctrl-C ends it).")
    print(
        "Add `install(server)` to a server of yours, `install(server, desk=True)` for this page.", flush=True
    )
    app = Starlette(routes=[Mount("/errors", Desk())], lifespan=traffic)
    if _has_screen():
        webbrowser.open(address)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[door])


def _listening(port: int | None) -> socket.socket:
    """On the port asked for; without one, on the usual or else a free one."""
    for wanted in [port] if port is not None else [PORT, 0]:
        with suppress(OSError):
            return socket.create_server(("127.0.0.1", wanted))
    raise UsageError(f"port {port} is taken; leave out --port for a free one")


def _has_screen() -> bool:
    """A browser in the terminal would hide what was told."""
    return sys.platform != "linux" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


async def _call_for_ever(server: Any, stories: Sequence[Story]) -> None:
    """A client of it, in memory; one that has died is followed by another."""
    while True:
        with suppress(Exception):
            async with connected(server) as client:
                for _ in range(50):
                    story = random.choice(stories)  # noqa: S311 - traffic, no secret
                    params = {"name": story.tool, "arguments": story.arguments}
                    with suppress(Exception):
                        await client.ask("tools/call", params)
                    await asyncio.sleep(random.expovariate(1.5))
