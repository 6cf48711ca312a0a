from __future__ import annotations

import re
from importlib import import_module
from typing import Annotated, Any

import pytest
from pydantic import Field

from mcp_error_middleware import ErrorPolicy, install
from mcp_error_middleware.testing import Report, assert_unbreakable
from mcp_error_middleware.testing.unbreakable import WAYS
from tests.stacks.stacks import MCP_1


def installed(shop: Any) -> Any:
    return install(shop, ErrorPolicy(log=False))


def test_an_installed_server_is_unbreakable(shop: Any, request: pytest.FixtureRequest) -> None:
    targets = 3 if "lowlevel" in request.node.name else 4

    report = assert_unbreakable(installed(shop))

    assert report == Report(breaks=targets * len(WAYS) + 4)
    assert str(report) == f"unbroken by {report.breaks} breaks"


def test_a_bare_server_is_not_and_the_report_says_how(shop: Any) -> None:
    with pytest.raises(AssertionError) as caught:
        assert_unbreakable(shop, patience=1)

    report = str(caught.value)
    assert report.startswith("the server is not unbreakable: ")
    assert "\n  tool ship\n" in report
    assert "    crash: carries no error id: " in report
    assert "    exit: ended the session with SystemExit\n" in report
    assert "    stray cancellation: " in report
    assert "leaks the planted secret in answer['result']['content'][0]['text'] (as it is): " in report or (
        "Internal server error" in report
    )


@pytest.mark.anyio
async def test_it_can_be_awaited_and_need_not_be(shop: Any) -> None:
    assert (await assert_unbreakable(installed(shop))).findings == []
    with pytest.raises(AssertionError):
        # Not awaited, and yet it was run.
        assert_unbreakable(type(shop)("empty"))


def test_no_handler_is_run(ran: list[str], noting: Any) -> None:
    assert_unbreakable(installed(noting))

    assert ran == []


def test_arguments_that_cannot_be_made_up_are_asked_for_and_taken(noting: Any) -> None:
    def pay(card: Annotated[str, Field(pattern=r"^\p{Lu}{4}-[0-9]{4}$")]) -> str:
        return card

    installed(noting).tool()(pay)

    with pytest.raises(
        AssertionError, match=re.escape("assert_unbreakable(server, arguments={'pay': {...}})")
    ):
        assert_unbreakable(noting)
    assert assert_unbreakable(noting, arguments={"pay": {"card": "ABCD-1234"}}).findings == []


def test_a_server_that_lists_nothing_proves_nothing(shop: Any) -> None:
    with pytest.raises(AssertionError, match="the server lists no tool, resource or prompt to break"):
        assert_unbreakable(type(shop)("empty"))


@pytest.fixture
def ran() -> list[str]:
    return []


@pytest.fixture
def noting(ran: list[str]) -> Any:
    """A server that notes which of its handlers ran."""
    name, cls = ("mcp.server.fastmcp", "FastMCP") if MCP_1 else ("mcp.server.mcpserver", "MCPServer")
    server = getattr(import_module(name), cls)("noting")

    def ship(order: str) -> str:
        ran.append(order)
        return "shipped"

    server.tool()(ship)
    return server


def test_what_is_no_server_is_refused() -> None:
    with pytest.raises(
        TypeError, match=r"^\S*int\S* is no MCP server; pass a FastMCP, MCPServer or low-level"
    ):
        assert_unbreakable(5)
