"""The same agent, with the middleware and without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agents import policy
from tests.agents.tasks import HINTED, PLAIN, TASKS
from tests.agents.trial import SETTINGS, Setting, solved, table

ALL = frozenset(task.name for task in TASKS)
SAID_BY_THE_SDK = frozenset(
    {"misspelt argument", "wrong choice", "missing argument", "wrong type", "unknown tool"}
)
"""What the SDKs' own texts are enough for."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


NEEDS_A_WORD = frozenset({"not found", "conflict"})
"""Only the operator knows which tool helps here."""


@pytest.mark.anyio
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
async def test_with_a_hint_for_each_tool_that_needs_one_every_task_is_solved(setting: Setting) -> None:
    assert await solved(setting, HINTED) == ALL


@pytest.mark.anyio
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
async def test_one_line_is_enough_for_all_that_needs_no_knowledge_of_the_server(setting: Setting) -> None:
    assert await solved(setting, PLAIN) >= ALL - NEEDS_A_WORD


@pytest.mark.anyio
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
async def test_without_it_only_what_the_sdk_says_itself_is_solved(setting: Setting) -> None:
    said = frozenset() if setting.view == "_meta" else SAID_BY_THE_SDK

    assert await solved(setting, None) == said


def test_the_agent_knows_no_task() -> None:
    source = Path(policy.__file__).read_text(encoding="utf-8")
    tools = {task.step.tool for task in TASKS} | {"list_orders", "list_reports", "get_document"}

    assert [name for name in tools if name in source] == []


def test_the_table_says_how_many() -> None:
    lines = list(table({Setting("client", "first text block"): [5, 10, 12]}))

    assert lines == [
        "| server | the client forwards | without | `install(server)` | and two hints |",
        "|---|---|---|---|---|",
        "| MCPServer | first text block | 5 of 12 | 10 of 12 | 12 of 12 |",
    ]
