"""A server in, what it advertises out: real servers, in memory, as a process and over HTTP."""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from mcp import types
from mcp.server import Server
from mcp.server.mcpserver import MCPServer

from mcp_error_middleware.lint import LintError, Settings, lint
from mcp_error_middleware.lint import live as live_module
from mcp_error_middleware.lint.live import listing_at, listing_from, listing_of, load

SHOP = '''
from mcp.server.mcpserver import MCPServer

server = MCPServer("shop")
print("a word on stdout")


@server.tool()
def ship(order: str) -> str:
    """Ship it."""
    raise Exception("no")


@server.resource("order://{order}")
def order(order: str) -> str:
    return order


@server.prompt()
def ask(what: str) -> str:
    return what
'''


def names(listing: dict[str, Any]) -> dict[str, list[str]]:
    return {key: [each["name"] for each in entries] for key, entries in listing.items()}


EVERYTHING = {"tools": ["ship"], "resources": [], "resourceTemplates": ["order"], "prompts": ["ask"]}


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "lint_live_shop.py"
    path.write_text(SHOP, "utf-8")
    before = list(sys.path)
    yield path
    sys.path[:] = before
    sys.modules.pop(path.stem, None)


def test_an_mcpserver_lists_everything(shop: Path) -> None:
    server, file = load(f"{shop}:server")

    assert names(listing_of(server)) == EVERYTHING
    assert file == shop


def test_a_caller_in_an_event_loop_is_served_too() -> None:
    async def call() -> dict[str, Any]:
        return listing_of(MCPServer("shop"))

    assert asyncio.run(call())["tools"] == []


def test_fastmcp_lists_everything() -> None:
    fastmcp = pytest.importorskip("fastmcp")
    server = fastmcp.FastMCP("shop")
    server.add_tool(ship)

    assert names(listing_of(server)) == {
        "tools": ["ship"],
        "resources": [],
        "resourceTemplates": [],
        "prompts": [],
    }


def test_every_page_of_a_low_level_server_is_read() -> None:
    async def list_tools(ctx: Any, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        page = int(params.cursor or 0) if params else 0
        tool = types.Tool(name=f"tool{page}", input_schema={"type": "object"})
        return types.ListToolsResult(tools=[tool], next_cursor=str(page + 1) if page < 2 else None)

    assert names(listing_of(Server("shop", on_list_tools=list_tools)))["tools"] == ["tool0", "tool1", "tool2"]


def test_a_server_that_fails_is_said_in_one_sentence() -> None:
    async def list_tools(ctx: Any, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        raise RuntimeError("down")

    with pytest.raises(LintError, match="Server does not answer: MCPError"):
        listing_of(Server("shop", on_list_tools=list_tools))


def test_what_is_advertised_is_reported_where_it_is_written(shop: Path) -> None:
    report = lint(f"{shop}:server", settings=Settings(select=("plain-exception",)), root=shop.parent)

    assert [(each.location.path, each.location.line) for each in report.findings] == [(shop.name, 11)]
    assert (report.files, report.definitions) == (1, 3)


def test_a_command_is_asked_over_stdio(shop: Path) -> None:
    text = SHOP.replace('print("a word on stdout")', "") + '\nserver.run("stdio")\n'
    shop.write_text(text, "utf-8")

    assert names(listing_from(f"{sys.executable} {shop}")) == EVERYTHING


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("", "the command is empty"),
        ("'", "the command cannot be read"),
        ("/no/such/program", "/no/such/program does not answer"),
        (f"{sys.executable} -c pass", "does not answer"),
    ],
)
def test_a_command_that_starts_no_server_is_said_in_one_sentence(command: str, says: str) -> None:
    with pytest.raises(LintError) as error:
        listing_from(command)

    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_a_server_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_module, "PATIENCE", 0.5)

    with pytest.raises(LintError, match="does not answer within"):
        listing_from(f"{sys.executable} -c 'import sys; sys.stdin.read()'")


@contextmanager
def served(app: Any) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        serving = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none"))
        thread = threading.Thread(target=serving.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        finally:
            serving.should_exit = True
            thread.join()


@pytest.fixture
def url() -> Iterator[str]:
    server = MCPServer("shop")
    server.tool()(ship)
    with served(server.streamable_http_app()) as place:
        yield place


def ship(order: str) -> str:
    """Ship it."""
    return order


def test_a_running_server_is_asked_over_http(url: str) -> None:
    assert names(listing_at(url))["tools"] == ["ship"]


def test_a_url_nobody_serves_is_said_in_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]

    with pytest.raises(LintError, match="does not answer: ConnectError"):
        listing_at(f"http://127.0.0.1:{port}/mcp")


def test_a_url_is_reported_without_who_asks_and_with_what(url: str) -> None:
    secret = url.replace("http://", "http://anna:hunter2@") + "?token=hunter2&tenant=7"

    report = lint(secret, settings=Settings(select=("undescribed-field",)))

    assert [each.location.path for each in report.findings] == [url]


def test_a_url_that_refuses_is_named_without_its_secrets() -> None:
    async def refuse(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 401, "headers": []})
            await send({"type": "http.response.body"})

    with served(refuse) as place, pytest.raises(LintError) as error:
        listing_at(place.replace("http://", "http://anna:hunter2@") + "?token=hunter2")

    assert str(error.value).startswith(f"{place} does not answer: ")
    assert "hunter2" not in str(error.value)


def test_two_servers_told_apart_only_by_what_is_not_shown_stay_two(url: str) -> None:
    report = lint(f"{url}?tenant=7", f"{url}?tenant=8", settings=Settings(select=("duplicate-name",)))

    assert (report.definitions, report.findings) == (2, ())
