from __future__ import annotations

from pathlib import Path

import pytest

from mcp_error_middleware.cli import main
from mcp_error_middleware.cli.doctor import environment

SERVER = """
from mcp.server.mcpserver import MCPServer
from mcp_error_middleware import install
from mcp_error_middleware.adapters.mcp_v2 import ErrorMiddleware

bare = MCPServer("bare")
mended = install(MCPServer("mended"))
own = MCPServer("own", middleware=[ErrorMiddleware()])
"""

APPS = """
from starlette.applications import Starlette
from starlette.middleware import Middleware
from mcp_error_middleware.adapters.asgi import ErrorMiddleware

layered = Starlette(middleware=[Middleware(ErrorMiddleware)])
wrapped = ErrorMiddleware(Starlette())
reading = ErrorMiddleware(Starlette(), wire=True)
bare = Starlette()
"""


def said(**environ: str) -> str:
    return "\n".join(f"{check.state}: {check.what} -> {check.mend}" for check in environment(environ))


def test_an_environment_without_a_fault_has_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    assert "no pins clash" in capsys.readouterr().out


def test_a_wrong_setting_says_what_is_right() -> None:
    assert "broken: MCP_ERRORS_EXPOSURE is 'none'; use one of declared, caller, all." in said(
        MCP_ERRORS_EXPOSURE="none"
    )
    assert "odd: MCP_ERRORS_EXPOSURE=all lets every error text leave" in said(MCP_ERRORS_EXPOSURE="all")


def test_an_exporter_that_is_not_there_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcp_error_middleware.cli.doctor._can_import", lambda module: False)
    assert (
        "broken: OTEL_* asks for prometheus, and its exporter is not installed"
        " -> pip install 'mcp-error-middleware[prometheus]'"
    ) in said(OTEL_METRICS_EXPORTER="prometheus")
    assert "asks for otlp" in said(OTEL_EXPORTER_OTLP_ENDPOINT="http://localhost:4318")


def test_an_older_fastmcp_is_said_to_know_less(monkeypatch: pytest.MonkeyPatch) -> None:
    have = {"fastmcp": "3.3.1"}
    monkeypatch.setattr("mcp_error_middleware.cli.doctor.version", lambda name: have.get(name, "2.3.0"))

    assert (
        "odd: FastMCP 3.3.1 is answered through mcp 1.x, without nearest names and examples"
        " -> pip install 'fastmcp>=3.4'"
    ) in said()


def test_several_workers_behind_one_port_are_pointed_out() -> None:
    assert "each scrape reads another worker" in said(OTEL_METRICS_EXPORTER="prometheus", WEB_CONCURRENCY="4")


def test_without_an_exporter_telemetry_goes_nowhere() -> None:
    assert "spans and metrics go nowhere" in said()


@pytest.mark.parametrize(
    ("name", "ends", "word"),
    [("bare", 1, "is not hooked"), ("mended", 0, "is hooked"), ("own", 0, "is hooked")],
)
def test_a_server_is_hooked_or_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, ends: int, word: str
) -> None:
    (tmp_path / f"shop_{name}.py").write_text(SERVER)
    assert main(["doctor", f"{tmp_path}/shop_{name}.py:{name}"]) == ends
    assert word in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "ends", "words"),
    [
        ("layered", 0, "note  {target} has the ASGI layer alone: it never sees what a tool raised\n"),
        ("wrapped", 0, "note  {target} has the ASGI layer alone: it never sees what a tool raised\n"),
        ("reading", 0, "ok    {target} has the ASGI layer\n"),
        ("bare", 1, "BAD   {target} is not hooked\n"),
    ],
)
def test_the_asgi_layer_alone_is_told_from_a_hooked_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, ends: int, words: str
) -> None:
    (tmp_path / "apps.py").write_text(APPS)
    target = f"{tmp_path}/apps.py:{name}"
    assert main(["doctor", target]) == ends
    assert words.format(target=target) in capsys.readouterr().out


def test_what_is_no_server_is_not_to_be_hooked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "math:pi"]) == 1
    assert "math:pi is of type float\n      -> name an MCP server or its app\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("nowhere.py:server", "there is no file nowhere.py"),
        ("json", "json names no object; add the server's name"),
    ],
)
def test_a_target_that_cannot_be_read_is_one_sentence(
    capsys: pytest.CaptureFixture[str], target: str, sentence: str
) -> None:
    assert main(["doctor", target]) == 2
    assert sentence in capsys.readouterr().err
