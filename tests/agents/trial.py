"""Every task, by every client's view, on every server, with the middleware and without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mcp_error_middleware import ErrorPolicy, install
from tests.agents.policy import Agent
from tests.agents.tasks import HINTED, PLAIN, TASKS, Task, World
from tests.agents.views import VIEWS
from tests.client.clients import CLIENTS

SERVERS = {"client": "MCPServer", "fastmcp": "FastMCP"}
"""Those whose clients are asked, by what they are called."""


@dataclass(frozen=True)
class Setting:
    """Which server, and what its client forwards."""

    client: str
    view: str

    @property
    def name(self) -> str:
        return f"{SERVERS[self.client]}, {self.view}"


SETTINGS = tuple(Setting(client, view) for client in SERVERS if client in CLIENTS for view in VIEWS)


WAYS: Mapping[str, ErrorPolicy | None] = {
    "without": None,
    "`install(server)`": PLAIN,
    "and two hints": HINTED,
}
"""How the middleware is installed, if it is."""


async def is_solved(task: Task, setting: Setting, policy: ErrorPolicy | None) -> bool:
    """One task on a fresh server; the agent is the same either way."""
    make, connect = CLIENTS[setting.client]
    server, world = make(), World()
    task.register(world, server)
    if policy is not None:
        wide = setting.view == "structuredContent"
        install(server, replace(policy, observers=(world.records.append,), widen_output_schema=wide))
    async with connect(server) as client:
        agent = Agent(client, VIEWS[setting.view], world.sleep, task.knows)
        return task.is_solved(await agent.solve(task.step), world)


async def solved(setting: Setting, policy: ErrorPolicy | None) -> frozenset[str]:
    """The names of the tasks that are."""
    return frozenset([task.name for task in TASKS if await is_solved(task, setting, policy)])


async def counts() -> dict[Setting, list[int]]:
    """How many are solved, by setting and way."""
    return {setting: [len(await solved(setting, policy)) for policy in WAYS.values()] for setting in SETTINGS}


def table(counted: Mapping[Setting, Sequence[int]]) -> Iterator[str]:
    """As markdown."""
    yield f"| server | the client forwards | {' | '.join(WAYS)} |"
    yield "|---" * (2 + len(WAYS)) + "|"
    for setting, numbers in counted.items():
        cells = " | ".join(f"{number} of {len(TASKS)}" for number in numbers)
        yield f"| {SERVERS[setting.client]} | {setting.view} | {cells} |"
