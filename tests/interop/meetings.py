"""A client and a server in, what arrives out."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mcp_error_middleware.render import META_KEY
from tests.interop.packages import HERE, HOME, NEW, NODE, OLD
from tests.interop.things import REQUESTS

BOTH = LEGACY, MODERN = "2025-11-25", "2026-07-28"


@dataclass(frozen=True)
class Server:
    kind: str
    name: str
    python: Path
    eras: tuple[str, ...] = (LEGACY,)
    transports: tuple[str, ...] = ("http",)

    @property
    def command(self) -> tuple[str, ...]:
        return (str(self.python), "-m", "tests.interop.shop", self.kind)


@dataclass(frozen=True)
class Client:
    name: str
    runs: Path
    script: str
    eras: tuple[str, ...] = (LEGACY,)
    transports: tuple[str, ...] = ("http", "stdio")
    keeps_data: bool = True
    """Of a JSON-RPC error; otherwise the message is all it shows."""
    decides: frozenset[str] = frozenset()
    """What it answers by itself, without asking the server."""


SERVERS = (
    Server("mcpserver", "MCPServer of mcp 2.3", NEW, BOTH, ("http", "stdio")),
    Server("fastmcp4", "FastMCP 4.1", NEW, BOTH),
    Server("fastmcp3", "FastMCP 3.4", OLD, transports=("http", "stdio")),
    Server("fastmcp1", "FastMCP of mcp 1.30", OLD),
)

CLIENTS = (
    Client("TypeScript SDK 1.32", NODE, "ts_v1.mjs"),
    Client("TypeScript client 2.4", NODE, "ts_v2.mjs", BOTH),
    Client(
        "Inspector CLI 2.12",
        NEW,
        "inspector.py",
        BOTH,
        # It is a process per request; over a pipe that would be a server per request too.
        ("http",),
        keeps_data=False,
        decides=frozenset({"an unknown tool"}),
    ),
    Client("mcp 1.30", OLD, "mcp1.py"),
    Client("mcp 2.3", NEW, "mcp2.py", BOTH),
    Client("FastMCP 3.4", OLD, "fastmcp_client.py"),
    Client("FastMCP 4.1", NEW, "fastmcp_client.py", BOTH),
)


@dataclass(frozen=True)
class Meeting:
    client: Client
    server: Server
    transport: str
    era: str

    def __str__(self) -> str:
        return f"{self.client.name} - {self.server.name} - {self.transport} - {self.era}"


MEETINGS = tuple(
    Meeting(client, server, transport, era)
    for server in SERVERS
    for client in CLIENTS
    for transport in server.transports
    if transport in client.transports
    for era in server.eras
    if era in client.eras
)


@dataclass(frozen=True)
class Arrived:
    """An answer, as the client's program gets it."""

    failed: bool
    number: int | None
    """Of a JSON-RPC error; None for a result."""
    text: str
    error: Mapping[str, Any]
    """The error object; nothing where the client drops it."""
    structured: Any
    whole: Any
    """All of it, as it came."""


Answers = Mapping[str, Arrived]
"""By the name of what was asked."""
Meet = Callable[[Meeting], Answers]


@contextmanager
def meetings() -> Iterator[Meet]:
    """Each server is started once, and each meeting held once."""
    with ExitStack() as running:

        @cache
        def url(server: Server) -> str:
            return running.enter_context(served(*server.command, "http"))

        @cache
        def meet(meeting: Meeting) -> Answers:
            server = meeting.server
            target = [url(server)] if meeting.transport == "http" else [*server.command, "stdio"]
            return held(meeting, *target)

        yield meet


@contextmanager
def served(*command: str, **environment: str) -> Iterator[str]:
    """The URL of a server that prints its port first."""
    with subprocess.Popen(
        command,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            port = process.stdout.readline() if process.stdout else ""
            assert port, f"{command} did not start"
            yield f"http://127.0.0.1:{int(port)}/mcp"
        finally:
            process.kill()


def held(meeting: Meeting, *target: str) -> Answers:
    """Run the client's script; it prints the answers in the order of the requests."""
    script = HERE / "clients" / meeting.client.script
    # Read from a pipe, a module finds its packages in the working directory.
    read = ("--input-type=module", "-") if meeting.client.runs == NODE else (str(script),)
    with script.open() as source:
        done = subprocess.run(
            [meeting.client.runs, *read, meeting.era, json.dumps([*REQUESTS.values()]), *target],
            cwd=HOME,
            stdin=source,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    answers = (_arrived(**answer) for answer in json.loads(done.stdout))
    return dict(zip(REQUESTS, answers, strict=True))


def _arrived(result: Any = None, error: Any = None) -> Arrived:
    if error:
        number = error["code"] if isinstance(error["code"], int) else None
        return Arrived(True, number, error["message"], error.get("data") or {}, None, error)
    return Arrived(
        bool(result.get("isError")),
        None,
        result["content"][0]["text"],
        (result.get("_meta") or {}).get(META_KEY, {}),
        result.get("structuredContent"),
        result,
    )
