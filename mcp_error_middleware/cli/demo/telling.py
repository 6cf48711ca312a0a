"""The telling: each story twice, side by side, as the agent and the operator get it."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import sys
import tempfile
import textwrap
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TextIO

from mcp_error_middleware.cli.demo.servers import STACKS, UPSTREAM
from mcp_error_middleware.cli.demo.stories import Story
from mcp_error_middleware.install import install

PORT: Final = "SHOP_PORT"

PATIENCE: Final = 5
"""Seconds after which a server that says nothing counts as dead."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Where the stories play: a framework and a transport."""

    stack: str = "mcpserver"
    transport: str = "stdio"


def serve(scene: Scene, *, installed: bool) -> None:
    """Be the server of the stories."""
    server = STACKS[scene.stack]()
    if installed:
        install(server)
    if scene.transport == "stdio":
        server.run("stdio")
    else:
        server.run("streamable-http", host="127.0.0.1", port=int(os.environ[PORT]))


async def tell(stories: Sequence[Story], scene: Scene, upstream: str) -> None:
    """Each story twice, side by side; the operator's line below."""
    STACKS[scene.stack]()
    print("starting the server without the middleware ...", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        before = await Teller("bare", scene, upstream, Path(folder, "bare.log")).tell(stories)
        print("... and with it ...", file=sys.stderr)
        after = await Teller("installed", scene, upstream, Path(folder, "installed.log")).tell(stories)
    for number, (story, (bare, _), (installed, line)) in enumerate(
        zip(stories, before, after, strict=True), 1
    ):
        show(number, story, bare, installed, line)


@dataclass(frozen=True, slots=True)
class Teller:
    """A client of one server process after the other: a new one where the last has died."""

    mode: str
    scene: Scene
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
        from mcp import Client

        with self.log.open("a") as log:
            connect = self._stdio if self.scene.transport == "stdio" else self._http
            async with connect(log) as transport, Client(transport) as client:
                yield client

    @asynccontextmanager
    async def _stdio(self, log: TextIO) -> AsyncIterator[Any]:
        from mcp import StdioServerParameters
        from mcp.client.stdio import stdio_client

        command, *arguments = self._command()
        parameters = StdioServerParameters(command=command, args=arguments, env=self._environment())
        yield stdio_client(parameters, errlog=log)

    @asynccontextmanager
    async def _http(self, log: TextIO) -> AsyncIterator[Any]:
        port = str(_free_port())
        environment = {**os.environ, **self._environment(), PORT: port}
        process = await asyncio.create_subprocess_exec(
            *self._command(), env=environment, stderr=log, stdout=log
        )
        try:
            await _reachable(int(port))
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    def _command(self) -> list[str]:
        scene = ["--stack", self.scene.stack, "--transport", self.scene.transport]
        return [sys.executable, "-m", "mcp_error_middleware", "demo", "--serve", self.mode, *scene]

    def _environment(self) -> dict[str, str]:
        return {UPSTREAM: self.upstream, "PYTHONPATH": os.pathsep.join(sys.path)}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def _reachable(port: int) -> None:
    async with asyncio.timeout(4 * PATIENCE):
        while True:
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                return
            await asyncio.sleep(0.05)


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
