"""Calls the shop: mostly well, and now and then in each of the ways that fail.

python deploy/traffic.py http://127.0.0.1:8000/mcp
"""

import asyncio
import random
import sys
from contextlib import suppress

from mcp import Client
from mcp.shared.exceptions import MCPError

from mcp_error_middleware.cli.demo.stories import STORIES, Story

WELL = Story("ship", {"order": "ord_1", "boxes": 2}, "the tool succeeds")
SILENT = Story("reserve", {"words": "boots"}, "the tool says it succeeded")


async def call(address: str, pause: float = 0.2) -> None:
    """Call until stopped, in one session: nine times well, then one story."""
    async with Client(address, mode="legacy") as client:
        while True:
            for story in [*[WELL] * 9, random.choice([*STORIES, SILENT])]:  # noqa: S311
                with suppress(MCPError):
                    await client.call_tool(story.tool, story.arguments)
                await asyncio.sleep(pause)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(call(sys.argv[1]))
