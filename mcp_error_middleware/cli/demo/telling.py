"""The telling: each story twice, as the agent and as the operator get it."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TextIO

from mcp_error_middleware.cli.demo.servers import STACKS, UPSTREAM
from mcp_error_middleware.cli.demo.stories import Story
from mcp_error_middleware.cli.run.serving import Options
from mcp_error_middleware.cli.run.serving import serve as serve_as
from mcp_error_middleware.cli.usage import UsageError
from mcp_error_middleware.install import install

PORT: Final = "SHOP_PORT"

PATIENCE: Final = 5
"""Seconds after which no answer counts as none."""

DEAD: Final = "*** no answer, and the session is dead: nothing can be called any more ***"
SILENT: Final = f"*** no answer within {PATIENCE} seconds ***"

Step = Callable[[], None]
"""Is told of each story that was told."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Where the stories play: a stack, a transport, and the Python that has them."""

    stack: str = "mcpserver"
    transport: str = "stdio"
    python: str = sys.executable

    @property
    def title(self) -> str:
        return f"{STACKS[self.stack].title}, {self.transport}"


@dataclass(frozen=True, slots=True)
class Told:
    """What came of one story: the agent's answer, and what was written to the log meanwhile."""

    answer: str
    log: str

    @property
    def is_answered(self) -> bool:
        return self.answer not in (DEAD, SILENT)


@dataclass(frozen=True, slots=True)
class Pair:
    """What came of all stories in one scene, without the middleware and with it."""

    scene: Scene
    without: Sequence[Told]
    with_it: Sequence[Told]


def serve(scene: Scene, *, installed: bool) -> None:
    """Be the server of the stories."""
    server = STACKS[scene.stack].build()
    if installed:
        install(server)
    options = Options("stdio")
    if scene.transport == "http":
        options = Options("http", host="127.0.0.1", port=int(os.environ[PORT]))
    asyncio.run(serve_as(server, options))


async def tell(
    stories: Sequence[Story], scenes: Sequence[Scene], upstream: str, step: Step
) -> AsyncIterator[Pair]:
    """Scene after scene, in this order; as many servers at once as there are processors."""
    turn = asyncio.Semaphore(max(2, os.cpu_count() or 2))
    with tempfile.TemporaryDirectory() as folder:
        logs = iter(Path(folder, f"{number}.log") for number in range(2 * len(scenes)))

        async def told(mode: str, scene: Scene) -> list[Told]:
            teller = Teller(mode, scene, upstream, next(logs), step)
            async with turn:
                return await teller.tell(stories)

        playing = [
            [asyncio.create_task(told(mode, scene)) for mode in ("bare", "installed")] for scene in scenes
        ]
        try:
            for scene, (without, with_it) in zip(scenes, playing, strict=True):
                yield Pair(scene, await without, await with_it)
        finally:
            tasks = [task for pair in playing for task in pair]
            for task in tasks:
                task.cancel()
            # One that could not be told ends the show; what became of the others is nobody's question.
            await asyncio.gather(*tasks, return_exceptions=True)


@dataclass(frozen=True, slots=True)
class Teller:
    """A client of one server process after the other: a new one where the last has died."""

    mode: str
    scene: Scene
    upstream: str
    log: Path
    step: Step

    async def tell(self, stories: Sequence[Story]) -> list[Told]:
        """What the agent and the operator got, story by story."""
        answers: list[str] = []
        ends: list[int] = [0]
        while len(answers) < len(stories):
            before = len(answers)
            with suppress(Exception):
                async with self._session() as session:
                    ends[-1] = self.log.stat().st_size
                    for story in stories[before:]:
                        # A transport that falls takes the waiting client along: nobody answered.
                        answer = DEAD
                        try:
                            answer = await _answer(session, story)
                        finally:
                            answers.append(answer)
                            ends.append(self.log.stat().st_size)
                            self.step()
                        if answers[-1] == DEAD:
                            break
            # What a server writes as it dies belongs to what killed it.
            ends[-1] = self.log.stat().st_size
            if len(answers) == before:
                said = self.log.read_text(errors="replace").strip().splitlines()[-5:]
                raise UsageError("\n".join([f"{self.scene.title} does not start:", *said]))
        written = self.log.read_bytes()
        logs = [written[start:end].decode(errors="replace") for start, end in pairwise(ends)]
        return [Told(answer, log) for answer, log in zip(answers, logs, strict=True)]

    @asynccontextmanager
    async def _session(self) -> AsyncIterator[Any]:
        session: Any = import_module("mcp").ClientSession
        connect = self._stdio if self.scene.transport == "stdio" else self._http
        with self.log.open("a") as log:
            async with connect(log) as transport, transport as streams, session(*streams[:2]) as client:
                async with asyncio.timeout(8 * PATIENCE):
                    await client.initialize()
                yield client

    @asynccontextmanager
    async def _stdio(self, log: TextIO) -> AsyncIterator[AbstractAsyncContextManager[Any]]:
        from mcp import StdioServerParameters, stdio_client

        command, *arguments = self._command()
        parameters = StdioServerParameters(command=command, args=arguments, env=self._environment())
        yield stdio_client(parameters, errlog=log)

    @asynccontextmanager
    async def _http(self, log: TextIO) -> AsyncIterator[AbstractAsyncContextManager[Any]]:
        port = str(_free_port())
        environment = {**os.environ, **self._environment(), PORT: port}
        process = await asyncio.create_subprocess_exec(
            *self._command(), env=environment, stderr=log, stdout=log
        )
        try:
            await _reachable(int(port))
            client: Any = import_module("mcp.client.streamable_http")
            yield client.streamable_http_client(f"http://127.0.0.1:{port}/mcp")
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    def _command(self) -> list[str]:
        scene = ["--stack", self.scene.stack, "--transport", self.scene.transport]
        return [self.scene.python, "-m", "mcp_error_middleware", "demo", "--serve", self.mode, *scene]

    def _environment(self) -> dict[str, str]:
        # Another Python has its own packages.
        path = sys.path if self.scene.python == sys.executable else []
        # Wide, so that what a server paints for its operator is not broken in two.
        return {UPSTREAM: self.upstream, "PYTHONPATH": os.pathsep.join(path), "COLUMNS": "200"}


async def _answer(session: Any, story: Story) -> str:
    try:
        async with asyncio.timeout(PATIENCE):
            result = await session.call_tool(story.tool, story.arguments)
    except Exception as raised:  # noqa: BLE001 - whatever a dying server does to its client
        if not await _lives(session):
            return DEAD
        error = getattr(raised, "error", None)
        return f"JSON-RPC error {error.code}: {error.message}" if error else SILENT
    return "\n".join(block.text for block in result.content)


async def _lives(session: Any) -> bool:
    with suppress(Exception):
        async with asyncio.timeout(PATIENCE / 2):
            await session.send_ping()
            return True
    return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def _reachable(port: int) -> None:
    async with asyncio.timeout(8 * PATIENCE):
        while True:
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                return
            await asyncio.sleep(0.05)
