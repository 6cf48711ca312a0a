"""Any sequence of requests and faults against one server: it answers each, counts each, and stays up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import anyio
from anyio.from_thread import start_blocking_portal
from fastmcp import FastMCP
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from mcp_error_middleware import ErrorPolicy, Failure, NotFound, RateLimited, install
from mcp_error_middleware.telemetry import names
from mcp_error_middleware.testing.answers import read_answer
from mcp_error_middleware.testing.memory import connected
from tests.fuzz.effort import effort
from tests.strategies import Raising, broken_text, cycle
from tests.telemetry.recording import recording


class _Unprintable(RuntimeError):
    def __str__(self) -> str:
        raise ValueError("no words")

    __repr__ = __str__


ERRORS: list[Callable[[Any], BaseException]] = [
    RuntimeError,
    ValueError,
    KeyError,
    OSError,
    TimeoutError,
    ToolError,
    _Unprintable,
    SystemExit,
    asyncio.CancelledError,
    lambda said: NotFound("gone", data={"said": said}),
    lambda said: RateLimited("slow down", data={"said": said}, retry_after=3),
    lambda said: ExceptionGroup("many", [ValueError(said), OSError(said)]),
    lambda said: UnicodeDecodeError("utf-8", b"\xff", 0, 1, str(type(said))),
]
HOSTILE: dict[str, Callable[[], Any]] = {
    "half a surrogate pair": lambda: "half \ud83d of it",
    "bytes": lambda: b"\xff\x00",
    "not a number": lambda: float("nan"),
    "a cycle": cycle,
    "an object that raises": Raising,
    "a huge text": lambda: "x" * 100_000,
    "a huge number": lambda: 10**5_000,
    "escapes": lambda: "\x1b[2J\r\n\u202e\u2028",
}
"""By name, so that a sequence that fails can be told."""


class Sequence(RuleBasedStateMachine):
    make: Callable[[list[BaseException]], Any]

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[BaseException] = []
        self.observed: list[Failure] = []
        self.answered: list[str] = []
        self.stack = ExitStack()
        self.recorded = self.stack.enter_context(recording())
        self.portal = self.stack.enter_context(start_blocking_portal())
        self.session = ExitStack()
        self.server = install(
            type(self).make(self.faults), ErrorPolicy(log=False, observers=(self._observe,))
        )
        self.connect()

    def _observe(self, failure: Failure) -> None:
        self.observed.append(failure)
        if len(self.observed) % 3 == 0:
            raise RuntimeError("an observer that fails now and then")

    def connect(self) -> None:
        self.connection = self.session.enter_context(
            self.portal.wrap_async_context_manager(connected(self.server))
        )

    def teardown(self) -> None:
        self.session.close()
        self.stack.close()

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        async def asked() -> Any:
            with anyio.fail_after(20):
                return await self.connection.ask(method, params)

        return read_answer(self.portal.call(asked))

    def asked_in_vain(self, method: str, params: dict[str, Any]) -> None:
        answer = self.ask(method, params)
        assert answer.channel != "success"
        assert answer.error is not None
        assert answer.error.error_id
        self.answered.append(answer.error.error_id)

    @rule(
        make=st.sampled_from(ERRORS),
        said=st.sampled_from(list(HOSTILE)),
        of=st.sampled_from(["tool", "resource", "prompt"]),
    )
    def a_handler_raises(self, make: Callable[[Any], BaseException], said: str, of: str) -> None:
        self.faults.append(make(HOSTILE[said]()))
        method, params = REQUESTS[of]
        self.asked_in_vain(method, params)

    @rule(arguments=st.dictionaries(st.sampled_from(["order", "other"]), st.none() | st.lists(st.integers())))
    def arguments_do_not_fit(self, arguments: dict[str, Any]) -> None:
        self.asked_in_vain("tools/call", {"name": "ship", "arguments": arguments})

    @rule(name=broken_text.map(lambda text: text.encode("utf-8", "replace").decode()))
    def nobody_knows_the_tool(self, name: str) -> None:
        self.asked_in_vain("tools/call", {"name": f"no {name}", "arguments": {}})

    @rule()
    def a_call_succeeds(self) -> None:
        assert self.ask("tools/call", REQUESTS["tool"][1]).channel == "success"

    @rule()
    def the_client_comes_back(self) -> None:
        self.session.close()
        self.connect()

    @invariant()
    def the_session_answers(self) -> None:
        assert self.ask("tools/list", {}).channel == "success"

    @invariant()
    def every_failure_has_an_id_of_its_own_and_is_counted_once(self) -> None:
        assert len(set(self.answered)) == len(self.answered)
        assert [failure.error_id for failure in self.observed] == self.answered
        assert sum(count for _, count in self.recorded.counts(names.ERRORS.name)) == len(self.answered)


REQUESTS: dict[str, tuple[str, dict[str, Any]]] = {
    "tool": ("tools/call", {"name": "ship", "arguments": {"order": "1"}}),
    "resource": ("resources/read", {"uri": "orders://1"}),
    "prompt": ("prompts/get", {"name": "ask", "arguments": {}}),
}


def _handlers(faults: list[BaseException]) -> tuple[Any, Any]:
    """They raise what is next, if anything is."""

    async def ship(order: str) -> str:
        if faults:
            raise faults.pop()
        return "done"

    async def read() -> str:
        return await ship("1")

    return ship, read


def _official(faults: list[BaseException]) -> Any:
    server: MCPServer[Any] = MCPServer("shop", log_level="CRITICAL")
    ship, read = _handlers(faults)
    server.tool("ship")(ship)
    server.resource("orders://1")(read)
    server.prompt("ask")(read)
    return server


def _fastmcp(faults: list[BaseException]) -> Any:
    server: FastMCP[Any] = FastMCP("shop")
    ship, read = _handlers(faults)
    server.tool(ship, name="ship")
    server.resource("orders://1")(read)
    server.prompt(read, name="ask")
    return server


class Official(Sequence):
    make = staticmethod(_official)


class Fast(Sequence):
    make = staticmethod(_fastmcp)


TestOfficial = Official.TestCase
TestOfficial.settings = effort(8)
TestFast = Fast.TestCase
TestFast.settings = effort(8)
