"""Things asked of an agent that fail at first, on servers whose authors wrote no word about errors."""

# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from mcp.types import ToolAnnotations

from mcp_error_middleware import ErrorPolicy, Failure
from mcp_error_middleware.client import Action
from tests.agents.policy import Ending, Step
from tests.stacks.faults import httpx

PLAIN = ErrorPolicy(log=False)
HINTED = replace(
    PLAIN,
    hints_by_tool={
        "read_report": "Call list_reports and use a name from its result.",
        "rename_document": "Call get_document and send its version.",
    },
)
"""With what an operator can add in two lines."""


@dataclass
class World:
    """What a server works on. Time passes only while the agent sleeps."""

    now: float = 0.0
    calls: int = 0
    done: bool = False
    records: list[Failure] = field(default_factory=list)
    """What the operator was told."""

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


Register = Callable[[World, Any], None]
"""Adds the tools of a task to a server."""


@dataclass(frozen=True)
class Task:
    """What is asked, of which server, and when it is solved."""

    name: str
    register: Register
    step: Step
    knows: Mapping[str, Any] = field(default_factory=dict)
    ends: Action | None = None
    """Where no call can succeed: what the agent should do instead, at once."""
    needs_id: bool = False
    """Whether the operator must be able to find the failure by what the agent reports."""

    def is_solved(self, ending: Ending, world: World) -> bool:
        if self.ends is None:
            return ending.action is None and world.done
        if ending.action is not self.ends or ending.calls > 1:
            return False
        known = {record.error_id for record in world.records}
        return not self.needs_id or (ending.error is not None and ending.error.error_id in known)


# --- the servers ----------------------------------------------------------------------------------


def shipping(world: World, server: Any) -> None:
    @server.tool()
    def ship_order(order: str, address: str, boxes: int = 1, speed: Literal["slow", "fast"] = "slow") -> str:
        world.done = (order, address, boxes, speed) == ("ord_1", "12 Elm Road", 2, "fast")
        return "shipped"

    @server.tool()
    def list_orders() -> str:
        return "ord_1, ord_2"


def limited(world: World, server: Any) -> None:
    @server.tool()
    def search_items(query: str) -> str:
        world.calls += 1
        if world.now < 7:
            request = httpx.Request("GET", "https://search.example/v1")
            response = httpx.Response(429, headers={"retry-after": "7"}, request=request)
            response.raise_for_status()
        world.done = world.calls == 2
        return "3 results"


def failing_once(error: Exception, **options: Any) -> Register:
    def register(world: World, server: Any) -> None:
        @server.tool(**options)
        def get_price(item: str) -> str:
            world.calls += 1
            if world.calls == 1:
                raise error
            world.done = True
            return "9.50"

    return register


def failing_always(error: Callable[[], Exception]) -> Register:
    def register(world: World, server: Any) -> None:
        @server.tool()
        def close_account(account: str) -> str:
            raise error()

    return register


def reports(world: World, server: Any) -> None:
    names = ["sales-2025", "stock-2025"]

    @server.tool()
    def read_report(name: str) -> str:
        if name not in names:
            raise FileNotFoundError(2, "No such file or directory", f"{name}.csv")
        world.done = name == "sales-2025"
        return "a,b"

    @server.tool()
    def list_reports() -> str:
        return ", ".join(names)


def documents(world: World, server: Any) -> None:
    @server.tool()
    def rename_document(document: str, title: str, version: int) -> str:
        if version != 4:
            raise sqlite3.IntegrityError("UNIQUE constraint failed: revision.document, revision.version")
        world.done = title == "Plan B"
        return "renamed"

    @server.tool()
    def get_document(document: str) -> str:
        return "title: Plan, version: 4"


READS = ToolAnnotations.model_validate({"readOnlyHint": True})
ORDER = {"order": "ord_1", "address": "12 Elm Road", "boxes": 2, "speed": "fast"}


def ordering(**changes: Any) -> Step:
    return Step("ship_order", {**ORDER, **changes})


TASKS = (
    Task(
        "misspelt argument",
        shipping,
        Step("ship_order", {"ordr": "ord_1", "address": "12 Elm Road", "boxes": 2, "speed": "fast"}),
    ),
    Task("wrong choice", shipping, ordering(speed="fst")),
    Task(
        "missing argument",
        shipping,
        Step("ship_order", {"order": "ord_1", "boxes": 2, "speed": "fast"}),
        knows={"address": "12 Elm Road"},
    ),
    Task("wrong type", shipping, ordering(boxes="2 boxes")),
    Task("unknown tool", shipping, Step("ship_ordr", ORDER)),
    Task("rate limit with a time", limited, Step("search_items", {"query": "lamps"})),
    Task(
        "upstream down for a moment",
        failing_once(ConnectionRefusedError(111, "Connection refused")),
        Step("get_price", {"item": "lamp"}),
    ),
    Task(
        "timeout of a read",
        failing_once(TimeoutError("timed out"), annotations=READS),
        Step("get_price", {"item": "lamp"}),
    ),
    Task("not found", reports, Step("read_report", {"name": "sales-25"})),
    Task("conflict", documents, Step("rename_document", {"document": "d1", "title": "Plan B", "version": 3})),
    Task(
        "no permission",
        failing_always(lambda: PermissionError(13, "Permission denied")),
        Step("close_account", {"account": "a1"}),
        ends=Action.ESCALATE,
    ),
    Task(
        "bug in the server",
        failing_always(lambda: ZeroDivisionError("division by zero")),
        Step("close_account", {"account": "a1"}),
        ends=Action.GIVE_UP,
        needs_id=True,
    ),
)
