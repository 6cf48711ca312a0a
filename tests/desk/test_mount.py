from __future__ import annotations

from typing import Any

import pytest
from fastmcp import FastMCP
from mcp.server.lowlevel.server import Server
from mcp.server.mcpserver import MCPServer
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from mcp_error_middleware import install, uninstall
from mcp_error_middleware.desk import Desk

SERVERS: dict[str, Any] = {
    "Starlette": lambda: (app := Starlette(routes=[Mount("/", Starlette())]), lambda: app),
    "MCPServer": lambda: (server := MCPServer("shop"), server.streamable_http_app),
    "FastMCP": lambda: (server := FastMCP("shop"), server.http_app),
}


def status(app: Any) -> int:
    client = TestClient(
        app, base_url="http://localhost", client=("127.0.0.1", 50_000), raise_server_exceptions=False
    )
    return client.get("/errors/").status_code


@pytest.mark.parametrize("stack", SERVERS)
def test_a_desk_is_served_until_it_is_taken_off(stack: str) -> None:
    server, app = SERVERS[stack]()
    install(server, desk=True)
    install(server, desk=True)
    assert status(app()) == 200
    uninstall(server)
    assert status(app()) == 404


def test_without_being_asked_for_there_is_none() -> None:
    server, app = SERVERS["MCPServer"]()
    install(server)
    assert status(app()) == 404


def test_a_desk_of_ones_own_takes_the_place_of_another() -> None:
    app, mine = Starlette(), Desk(token="s3cret")
    install(app, desk=True)
    install(app, desk=mine)
    assert [route.app for route in app.router.routes if isinstance(route, Mount)] == [mine]


def test_a_server_without_http_routes_says_what_can_be_done() -> None:
    with pytest.raises(
        TypeError, match=r"cannot show a desk on mcp\.server\.lowlevel\.server\.Server; pass a FastMCP"
    ):
        install(Server("shop"), desk=True)
