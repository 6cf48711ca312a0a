"""Show servers failing in every way, without the middleware and with it.

Tells each way to fail twice, side by side, on one stack, and counts what came of it on all of them; then
serves the desk with live traffic until Ctrl-C.

Examples:
  mcp-error-middleware demo
  mcp-error-middleware demo --once
  mcp-error-middleware demo --stack fastmcp --transport http --only secret
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_error_middleware.cli.demo.stories import STORIES, Story
from mcp_error_middleware.cli.usage import UsageError, port

if TYPE_CHECKING:
    from mcp_error_middleware.cli.demo.telling import Pair, Scene

_STACKS = ("mcpserver", "fastmcp", "lowlevel", "fastmcp1", "fastmcp3", "lowlevel1")
_TRANSPORTS = ("stdio", "http")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `demo` takes."""
    parser.add_argument("--once", action="store_true", help="end after the last story")
    parser.add_argument("--stack", choices=_STACKS, help="only this kind of server (all there are)")
    parser.add_argument("--transport", choices=_TRANSPORTS, default="stdio", help="how it is called")
    parser.add_argument(
        "--only", action="append", default=[], metavar="TOOL", help="tell only this tool's stories"
    )
    parser.add_argument("--port", type=port, help="of the desk (8765, or a free one)")
    parser.add_argument(
        "--older", metavar="PYTHON", help="one that has mcp 1.x and FastMCP 3, and this package"
    )
    parser.add_argument("--serve", choices=["bare", "installed"], help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Tell the stories, or be the server of one."""
    # Here, so that the other commands need not wait for a server's imports.
    from mcp_error_middleware.cli.demo.live import show_desk
    from mcp_error_middleware.cli.demo.servers import serving_upstream
    from mcp_error_middleware.cli.demo.telling import Scene, serve

    if arguments.serve:
        serve(Scene(arguments.stack, arguments.transport), installed=arguments.serve == "installed")
        return 0
    stories = [story for story in STORIES if not arguments.only or story.tool in arguments.only]
    if not stories:
        known = ", ".join(dict.fromkeys(story.tool for story in STORIES))
        raise UsageError(f"no story of that tool; use one of {known}")
    scenes = _scenes(arguments)
    with serving_upstream() as address:
        asyncio.run(_tell(stories, scenes, address))
        if not arguments.once:
            show_desk(stories, [scene.stack for scene in scenes], address, arguments.port)
    return 0


def _scenes(arguments: argparse.Namespace) -> list[Scene]:
    from mcp_error_middleware.cli.demo.servers import STACKS, line_here, stacks_here
    from mcp_error_middleware.cli.demo.telling import Scene

    pythons = dict.fromkeys(stacks_here(), sys.executable)
    if arguments.older and Path(arguments.older).exists() and line_here() == 2:
        pythons |= {name: arguments.older for name, stack in STACKS.items() if stack.line == 1}
    wanted = [arguments.stack] if arguments.stack else [*pythons]
    if missing := [name for name in wanted if name not in pythons]:
        raise UsageError(
            f"{STACKS[missing[0]].title} is not installed here; there are {', '.join(pythons)}, and with "
            "--older PYTHON the older ones (make demo sets them up)"
        )
    return [Scene(name, arguments.transport, pythons[name]) for name in wanted]


async def _tell(stories: Sequence[Story], scenes: Sequence[Scene], upstream: str) -> None:
    from mcp_error_middleware.cli.demo.showing import Progress, show, show_table
    from mcp_error_middleware.cli.demo.telling import tell

    progress = Progress(2 * len(stories) * len(scenes))
    pairs: list[Pair] = []
    async for pair in tell(stories, scenes, upstream, progress.step):
        if not pairs:
            progress.clear()
            show(pair, stories)
        pairs.append(pair)
    progress.clear()
    show_table(pairs)
