"""The desk, with a server beside it that somebody calls all the time."""

from __future__ import annotations

import asyncio
import os
import random
import webbrowser
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from mcp_error_middleware.cli.demo.servers import STACKS, UPSTREAM
from mcp_error_middleware.cli.demo.stories import Story
from mcp_error_middleware.desk import Desk
from mcp_error_middleware.install import install
from mcp_error_middleware.policy import ErrorPolicy


def show_desk(stories: Sequence[Story], stack: str, upstream: str, port: int) -> None:
    """Serve the desk on loopback until Ctrl-C, and open it."""
    import uvicorn
    from starlette.applications import Starlette
    from starlette.routing import Mount

    os.environ[UPSTREAM] = upstream
    # The page shows what a log would.
    server = install(STACKS[stack](), ErrorPolicy(log=False))

    @asynccontextmanager
    async def traffic(app: Any) -> AsyncIterator[None]:
        caller = asyncio.create_task(_call_for_ever(server, stories))
        webbrowser.open(address)
        yield
        caller.cancel()

    address = f"http://127.0.0.1:{port}/errors/"
    print(f"\nThe same server goes on failing; see it at {address} (Ctrl-C ends it).")
    print("Add `install(server)` to a server of yours, `install(server, desk=True)` for this page.")
    app = Starlette(routes=[Mount("/errors", Desk())], lifespan=traffic)
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")


async def _call_for_ever(server: Any, stories: Sequence[Story]) -> None:
    """A client of it, in memory; one that has died is followed by another."""
    while True:
        with suppress(Exception):
            async with _client(server) as client:
                while True:
                    story = random.choice(stories)  # noqa: S311 - traffic, no secret
                    with suppress(Exception):
                        await client.call_tool(story.tool, story.arguments)
                    await asyncio.sleep(random.expovariate(3))


def _client(server: Any) -> Any:
    if type(server).__module__.startswith("fastmcp"):
        from fastmcp import Client as FastClient

        return FastClient(server)
    from mcp import Client

    return Client(server)
