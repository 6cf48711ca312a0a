"""Show one server failing in every way, without the middleware and with it.

Examples:
  mcp-error-middleware demo --once
  mcp-error-middleware demo --only secret --only exit
"""

from __future__ import annotations

import argparse
import asyncio
import http.server
import json
import os
import shutil
import sys
import tempfile
import textwrap
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mcp_error_middleware.cli.usage import UsageError

UPSTREAM: Final = "SHOP_UPSTREAM"
PATIENCE: Final = 5
"""Seconds after which a server that says nothing counts as dead."""


@dataclass(frozen=True, slots=True)
class Story:
    """One way to fail: a tool, what it is called with, and what happens in it."""

    tool: str
    arguments: dict[str, Any]
    happens: str


STORIES: Final = (
    Story("refund", {"order": "ord_999"}, "the tool raises a typed error with a recovery step"),
    Story("ship", {"order": "ord_1", "boxes": 0}, "the tool raises a plain ValueError"),
    Story("ship", {"order": "ord_1", "boxes": "hunter2"}, "the client sends a wrong argument"),
    Story("secret", {}, "a crash whose text holds a password, a key and a path"),
    Story("chain", {}, "a three-deep chain; the root is a refused connection"),
    Story("group", {}, "two tasks of a group fail"),
    Story("upstream", {"status": 429}, "an upstream answers 429 with Retry-After"),
    Story("upstream", {"status": 503}, "an upstream answers 503"),
    Story("slow", {}, "an upstream never answers"),
    Story("register", {"email": "anna@example.com"}, "a unique constraint of the database"),
    Story("bug", {}, "a plain bug"),
    Story("nothing", {}, "a tool that does not exist"),
    Story("cancelled", {}, "a cancellation leaks out of another task"),
    Story("exit", {}, "library code calls sys.exit()"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `demo` takes."""
    parser.add_argument("--once", action="store_true", help="end after the last story instead of waiting")
    parser.add_argument(
        "--only", action="append", default=[], metavar="TOOL", help="tell only this tool's stories"
    )
    parser.add_argument("--serve", choices=["bare", "installed"], help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Tell the stories, or be the server of one."""
    if arguments.serve:
        serve(installed=arguments.serve == "installed")
        return 0
    stories = [story for story in STORIES if not arguments.only or story.tool in arguments.only]
    if not stories:
        known = ", ".join(dict.fromkeys(story.tool for story in STORIES))
        raise UsageError(f"no story of that tool; use one of {known}")
    with upstream() as address:
        asyncio.run(tell(stories, address))
    if not arguments.once:
        print("\nAdd `install(server)` to a server of yours, or run one story alone: --only secret")
    return 0


# --- the server ---------------------------------------------------------------------------------


def serve(*, installed: bool) -> None:
    """A stdio server whose every tool fails; nothing in its tools knows of the middleware but `refund`."""
    from mcp_error_middleware import install

    server = failing_server()
    if installed:
        install(server)
    server.run("stdio")


def failing_server() -> Any:
    """The server of the stories."""
    import sqlite3
    import urllib.request

    from mcp.server.mcpserver import MCPServer

    from mcp_error_middleware import NotFound

    server = MCPServer("shop")

    @server.tool()
    def refund(order: str) -> str:
        """Refund an order."""
        raise NotFound(
            f"Order '{order}' was not found.",
            data={"order": order},
            recovery="Call list_orders and use an id from its result.",
        )

    @server.tool()
    def ship(order: str, boxes: int) -> str:
        """Ship an order."""
        if boxes < 1:
            raise ValueError(f"boxes must be at least 1 to ship order {order}")
        return "shipped"

    @server.tool()
    def secret() -> str:
        """Crash with private text."""
        raise RuntimeError(
            "connect postgresql://shop:hunter2@db.internal:5432 failed, "
            "key sk-proj-4f9aB2cD8eF1gH3iJ5kL7mN9, see /home/shop/app.py"
        )

    @server.tool()
    def chain() -> str:
        """Fail three deep."""
        try:
            try:
                raise ConnectionRefusedError(111, "Connection refused")
            except OSError as exc:
                raise RuntimeError("inventory lookup failed") from exc
        except RuntimeError as exc:
            raise Exception("could not price the order") from exc  # noqa: TRY002

    @server.tool()
    async def group() -> str:
        """Fail in two tasks at once."""
        raise ExceptionGroup(
            "unhandled errors in a TaskGroup", [TimeoutError("pricing"), TimeoutError("stock")]
        )

    @server.tool()
    def upstream(status: int) -> str:
        """Ask a service that answers with an error."""
        with urllib.request.urlopen(f"{os.environ[UPSTREAM]}/{status}") as answer:  # noqa: S310
            return str(answer.read())

    @server.tool()
    async def slow() -> str:
        """Wait for a service that never answers."""
        async with asyncio.timeout(0.05):
            await asyncio.sleep(60)
        return "never"

    @server.tool()
    def register(email: str) -> str:
        """Register a customer."""
        with sqlite3.connect(":memory:") as db:
            db.execute("create table customers (email text unique)")
            for _ in range(2):
                db.execute("insert into customers values (?)", [email])
        return "registered"

    @server.tool()
    def bug() -> str:
        """Trip over a missing key."""
        return str({"total": 1}["totl"])

    @server.tool()
    async def cancelled() -> str:
        """Await a task that somebody else cancelled."""
        task = asyncio.create_task(asyncio.sleep(60))
        task.cancel()
        await task
        return "never"

    @server.tool()
    def exit() -> str:  # noqa: A001
        """Call a command line parser that gives up."""
        sys.exit(3)

    return server


# --- the upstream -------------------------------------------------------------------------------


class _Upstream(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(int(self.path[1:]))
        self.send_header("Retry-After", "30")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def upstream() -> Iterator[str]:
    """A service on loopback that answers `/429` with 429."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Upstream) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


# --- the telling --------------------------------------------------------------------------------


async def tell(stories: Sequence[Story], upstream: str) -> None:
    """Each story twice, side by side; the operator's line below."""
    print("starting the server without the middleware, then with it ...", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        before = await Teller("bare", upstream, Path(folder, "bare.log")).tell(stories)
        after = await Teller("installed", upstream, Path(folder, "installed.log")).tell(stories)
    for number, (story, (bare, _), (installed, line)) in enumerate(
        zip(stories, before, after, strict=True), 1
    ):
        show(number, story, bare, installed, line)


@dataclass(frozen=True, slots=True)
class Teller:
    """A client of one server process after the other: a new one where the last has died."""

    mode: str
    upstream: str
    log: Path

    async def tell(self, stories: Sequence[Story]) -> list[tuple[str, str]]:
        """What the agent and the operator got, story by story."""
        answers: list[tuple[str, str]] = []
        while len(answers) < len(stories):
            with suppress(Exception):
                async with self._client() as client:
                    for story in stories[len(answers) :]:
                        answer, lives = await self._answer(client, story)
                        answers.append((answer, operators_line(self.log)))
                        if not lives:
                            break
        return answers

    async def _answer(self, client: Any, story: Story) -> tuple[str, bool]:
        from mcp.shared.exceptions import MCPError

        try:
            result = await asyncio.wait_for(client.call_tool(story.tool, story.arguments), PATIENCE)
        except MCPError as error:
            if "closed" not in error.message.lower():
                return f"JSON-RPC error {error.code}: {error.message}", True
        except Exception:  # noqa: BLE001, S110 - whatever a dying server does to its client
            pass
        else:
            return "\n".join(block.text for block in result.content), True
        return "*** no answer: the server process is dead, and with it every other session ***", False

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[Any]:
        from mcp import Client, StdioServerParameters
        from mcp.client.stdio import stdio_client

        command = ["-m", "mcp_error_middleware", "demo", "--serve", self.mode]
        environment = {UPSTREAM: self.upstream, "PYTHONPATH": os.pathsep.join(sys.path)}
        parameters = StdioServerParameters(command=sys.executable, args=command, env=environment)
        with self.log.open("a") as log:
            async with Client(stdio_client(parameters, errlog=log)) as client:
                yield client


def operators_line(log: Path) -> str:
    """The newest line the operator of the second server can read, in short."""
    lines = [line for line in log.read_text(errors="replace").splitlines() if line.startswith('{"')]
    if not lines:
        return "nothing"
    record = json.loads(lines[-1])
    chain = " <- ".join(cause["type"] for cause in record["causes"])
    redacted = f", redacted {record['redactions']}" if "redactions" in record else ""
    what = f"{record['level']} {record['code']} ({record['fault']}) {chain}"
    return f"{what}, error id {record['error_id']}{redacted}"


def show(number: int, story: Story, before: str, after: str, line: str) -> None:
    """One story on the terminal."""
    width = max(60, min(shutil.get_terminal_size((150, 40)).columns, 180))
    half = (width - 3) // 2
    print(f"\n{number}. {story.happens}: {story.tool}({json.dumps(story.arguments)})")
    print(f"{'the agent, without':<{half}} | the agent, with")
    for left, right in columns(before, after, half):
        print(f"{left:<{half}} | {right}")
    print(f"the operator, with: {line}")


def columns(left: str, right: str, width: int) -> list[tuple[str, str]]:
    """Two texts side by side, wrapped."""
    wrapped = [
        [row for line in text.splitlines() for row in textwrap.wrap(line, width) or [""]]
        for text in (left, right)
    ]
    height = max(map(len, wrapped))
    first, second = (rows + [""] * (height - len(rows)) for rows in wrapped)
    return list(zip(first, second, strict=True))
