"""Show one server failing in every way, without the middleware and with it.

Tells each way to fail twice, side by side; then serves the desk with live traffic until Ctrl-C.

Examples:
  mcp-error-middleware demo
  mcp-error-middleware demo --once
  mcp-error-middleware demo --stack fastmcp --transport http --only secret
"""

from __future__ import annotations

import argparse
import asyncio

from mcp_error_middleware.cli.demo.stories import STORIES
from mcp_error_middleware.cli.usage import UsageError

_STACKS = ("mcpserver", "fastmcp")
_TRANSPORTS = ("stdio", "http")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `demo` takes."""
    parser.add_argument("--once", action="store_true", help="end after the last story")
    parser.add_argument("--stack", choices=_STACKS, default="mcpserver", help="the server's framework")
    parser.add_argument("--transport", choices=_TRANSPORTS, default="stdio", help="how it is called")
    parser.add_argument(
        "--only", action="append", default=[], metavar="TOOL", help="tell only this tool's stories"
    )
    parser.add_argument("--port", type=int, default=8765, help="of the desk (8765)")
    parser.add_argument("--serve", choices=["bare", "installed"], help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Tell the stories, or be the server of one."""
    # Here, so that the other commands need not wait for a server's imports.
    from mcp_error_middleware.cli.demo.live import show_desk
    from mcp_error_middleware.cli.demo.servers import serving_upstream
    from mcp_error_middleware.cli.demo.telling import Scene, serve, tell

    scene = Scene(arguments.stack, arguments.transport)
    if arguments.serve:
        serve(scene, installed=arguments.serve == "installed")
        return 0
    stories = [story for story in STORIES if not arguments.only or story.tool in arguments.only]
    if not stories:
        known = ", ".join(dict.fromkeys(story.tool for story in STORIES))
        raise UsageError(f"no story of that tool; use one of {known}")
    with serving_upstream() as address:
        asyncio.run(tell(stories, scene, address))
        if not arguments.once:
            show_desk(stories, arguments.stack, address, arguments.port)
    return 0
