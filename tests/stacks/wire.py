"""Real clients, over pipes and sockets."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.sse import sse_client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.stacks.stacks import MCP_1, Ask, ask

ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def over_stdio(command: Sequence[str], cwd: Path, era: str = "2025-11-25") -> AsyncIterator[Ask]:
    """A client of the server this command starts."""
    parameters = StdioServerParameters(command=command[0], args=list(command[1:]), cwd=cwd, env=_env())
    async with _asking(stdio_client(parameters), era) as asked:
        yield asked


@asynccontextmanager
async def over_http(url: str, era: str = "2025-11-25") -> AsyncIterator[Ask]:
    """A client of the server at this address; legacy SSE where it ends in `/sse`."""
    async with _asking(
        sse_client(url) if url.endswith("/sse") else streamable_http_client(url), era
    ) as asked:
        yield asked


@asynccontextmanager
async def _asking(transport: Any, era: str = "2025-11-25") -> AsyncIterator[Ask]:
    if MCP_1:
        async with transport as streams, ClientSession(streams[0], streams[1]) as session:
            await session.initialize()
            yield lambda method, params: ask(session, method, params)
    else:
        mode = "legacy" if era == "2025-11-25" else era
        async with import_module("mcp").Client(transport, mode=mode) as client:
            yield lambda method, params: ask(client.session, method, params)


@contextmanager
def listening(command: Sequence[str], cwd: Path = ROOT) -> Iterator[str]:
    """The address of the HTTP server this command starts, as long as it runs."""
    with subprocess.Popen(
        command,
        cwd=cwd,
        env=_env(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            yield _address(process)
        finally:
            process.kill()


def _address(process: subprocess.Popen[bytes]) -> str:
    assert process.stderr is not None
    said = b""
    for line in process.stderr:
        said += line
        if found := re.search(rb"running on (http://[\d.:]+)", line):
            # Whoever logs would wait for a reader.
            Thread(target=process.stderr.read, daemon=True).start()
            return found[1].decode()
    raise AssertionError(said.decode())


def _env() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "MCP_ERRORS_LOG": "false", "NO_COLOR": "1"}


def command(*words: str) -> list[str]:
    """`mcp-error-middleware` and its arguments."""
    return [sys.executable, "-m", "mcp_error_middleware", *words]
