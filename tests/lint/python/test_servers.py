"""Which server a handler belongs to."""

from __future__ import annotations

from pathlib import Path

from mcp_error_middleware.lint.python.project import Project
from mcp_error_middleware.lint.python.servers import entries, transports

TOOL = "@{}.tool\ndef {}(): pass\n"


def servers(path: Path, text: str) -> list[str]:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    project = Project(path.parent)
    return [entry.server for entry in entries(project.load(path), project)]


def test_modules_of_one_package_share_their_server(tmp_path: Path) -> None:
    home = tmp_path / "shop"
    home.mkdir()
    (home / "__init__.py").touch()
    app = "from fastmcp import FastMCP\nmcp = FastMCP('shop')\n" + TOOL.format("mcp", "ship")

    own = servers(home / "app.py", app)

    assert own == [f"{tmp_path}:shop.app.mcp"]
    assert servers(home / "more.py", "from .app import mcp\n" + TOOL.format("mcp", "price")) == own
    assert servers(home / "even.py", "from shop.app import mcp as m\n" + TOOL.format("m", "price")) == own


def test_scripts_of_the_same_name_have_servers_of_their_own(tmp_path: Path) -> None:
    text = "from fastmcp import FastMCP\nmcp = FastMCP('shop')\n" + TOOL.format("mcp", "ship")

    assert servers(tmp_path / "a" / "server.py", text) != servers(tmp_path / "b" / "server.py", text)


def test_two_functions_that_make_a_server_make_two(tmp_path: Path) -> None:
    make = "def {}():\n    mcp = FastMCP('shop')\n    @mcp.tool\n    def ship(): pass\n"
    text = "from fastmcp import FastMCP\n" + make.format("one") + make.format("two")

    assert servers(tmp_path / "shop.py", text) == [f"{tmp_path}:shop.one.mcp", f"{tmp_path}:shop.two.mcp"]


def test_a_module_says_how_its_server_is_started(tmp_path: Path) -> None:
    path = tmp_path / "shop.py"
    path.write_text("mcp.run()\nmcp.run(transport='http')\nmcp.run(HOW)\nHOW = 'sse'\n", "utf-8")

    assert transports(Project(tmp_path).load(path)) == {"stdio", "http", "sse"}
