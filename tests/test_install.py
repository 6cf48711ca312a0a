import logging
from typing import Any

import pytest
from fastmcp import FastMCP
from mcp.server.mcpserver import MCPServer
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from mcp_error_middleware import ErrorPolicy, install, uninstall
from mcp_error_middleware.adapters.fastmcp import ErrorMiddleware
from mcp_error_middleware.adapters.seam import Traced


def test_it_returns_its_target() -> None:
    server = MCPServer("shop")

    assert install(server) is server
    assert uninstall(server) is server
    assert uninstall(server) is server


def test_a_session_manager_stands_for_the_server_it_runs() -> None:
    official, server = MCPServer[Any]("shop"), FastMCP[Any]("shop")
    before = list(official.middleware), list(server.middleware)
    managers = [
        StreamableHTTPSessionManager(official._lowlevel_server),
        StreamableHTTPSessionManager(server._mcp_server),
    ]

    assert [install(manager) for manager in managers] == managers
    assert isinstance(official.middleware[0], Traced)
    assert isinstance(server.middleware[0], ErrorMiddleware)

    assert [uninstall(manager) for manager in managers] == managers
    assert (official.middleware, server.middleware) == before


def test_the_environment_is_the_policy_where_none_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCP_ERRORS_EXPOSURE", "everything")

    with pytest.raises(ValueError, match="MCP_ERRORS_EXPOSURE is 'everything'"):
        install(MCPServer("shop"))


def test_exposing_everything_warns_at_the_start(caplog: pytest.LogCaptureFixture) -> None:
    install(MCPServer("shop"), ErrorPolicy(exposure="all"))  # type: ignore[arg-type]

    assert [record.levelno for record in caplog.records if record.name == "mcp_error_middleware"] == [
        logging.WARNING
    ]


@pytest.mark.parametrize("target", [object(), "server", None, {}])
def test_a_target_that_cannot_be_served_says_what_can(target: Any) -> None:
    with pytest.raises(TypeError, match=r"^cannot install on .*; pass a FastMCP server, "):
        install(target)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"policy": "declared"}, r"^policy is 'declared'; pass an ErrorPolicy, as in ErrorPolicy\(exposure="),
        ({"triage": ErrorPolicy}, r"^triage is <class .*>; pass a Triage, as in Triage\(policy\)$"),
        ({"desk": "failures.db"}, r"^desk is 'failures.db'; pass True or a Desk, as in Desk\(path="),
    ],
    ids=str,
)
def test_a_setting_of_the_wrong_kind_says_what_to_pass(given: dict[str, Any], words: str) -> None:
    server = MCPServer("shop")
    before = list(server.middleware)

    with pytest.raises(TypeError, match=words):
        install(server, **given)
    assert server.middleware == before
