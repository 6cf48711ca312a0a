"""Server files as people have them, started by the command, asked by real clients."""

from __future__ import annotations

import json
import shlex
import socket
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from textwrap import dedent, indent

import pytest
from mcp.server.lowlevel.server import Server
from starlette.applications import Starlette

from mcp_error_middleware import targets
from mcp_error_middleware.cli import main
from tests.stacks.stacks import FASTMCP, MCP_1, Answer, Ask
from tests.stacks.wire import command, listening, over_http, over_stdio

pytestmark = pytest.mark.anyio

OFFICIAL = "mcp.server.fastmcp import FastMCP" if MCP_1 else "mcp.server.mcpserver import MCPServer"

HIGH = """
import sys
from {server} as Server

server = Server("shop")

@server.tool()
def ship(boxes: int) -> str:
    if boxes < 1:
        raise ValueError(f"boxes must be at least 1 {{sys.argv[1:]}}")
    return "shipped"
"""

LOW = """
from mcp import types
from mcp.server.lowlevel.server import Server

async def ship(ctx, params):
    if params.arguments["boxes"] < 1:
        raise ValueError("boxes must be at least 1 []")
    return types.CallToolResult(content=[types.TextContent(type="text", text="shipped")])

server = Server("shop", on_call_tool=ship)
"""

LOW_1 = """
from mcp import types
from mcp.server.lowlevel.server import Server

server = Server("shop")

@server.call_tool(validate_input=False)
async def ship(name, arguments):
    if arguments["boxes"] < 1:
        raise ValueError("boxes must be at least 1 []")
    return [types.TextContent(type="text", text="shipped")]
"""

SHOP = HIGH.format(server=OFFICIAL)
KINDS = {"official": SHOP, "lowlevel": LOW_1 if MCP_1 else LOW}
if FASTMCP is not None:
    KINDS["fastmcp"] = HIGH.format(server="fastmcp import FastMCP")

MAIN = f"def main():\n{indent(SHOP, '    ')}\n    server.run()\n"
PIPE = """
import anyio
from mcp.server.stdio import stdio_server

async def main():
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
"""
HEEDS = """
import asyncio
import signal
from mcp.server.stdio import stdio_server

async def main():
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with stdio_server() as (read, write):
        serving = asyncio.create_task(server.run(read, write, server.create_initialization_options()))
        await stop.wait()
        serving.cancel()
        await asyncio.wait([serving])
    return 7
"""
WAYS = {
    "under another name": (f"{SHOP}\nshop = server\ndel server\n", "server.py"),
    "started where it is the program": (
        f"{SHOP}\nif __name__ == '__main__':\n    server.run('stdio')\n",
        "server.py",
    ),
    "started on import": (f"{SHOP}\nserver.run()\n", "server.py"),
    "built in main": (f"{MAIN}\nif __name__ == '__main__':\n    main()\n", "server.py"),
    "main named": (MAIN, "server:main"),
    "object named": (
        f"{SHOP}\nif __name__ != 'server':\n    raise SystemExit('not imported')",
        "server.py:server",
    ),
    "factory": (f"def create():\n{indent(SHOP, '    ')}\n    return server", "server.py:create"),
    "async factory": (f"async def create():\n{indent(SHOP, '    ')}\n    return server", "server:create"),
    "module": (MAIN + "\nif __name__ == '__main__':\n    main()\n", "server"),
    "async main": (KINDS["lowlevel"] + PIPE, "server.py:main"),
    "async main run": (f"{KINDS['lowlevel']}{PIPE}\nanyio.run(main)\n", "server.py"),
}
"""How files come by their server, and what is then typed."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize("kind", KINDS)
async def test_a_server_is_found_and_served_over_stdio(kind: str, tmp_path: Path) -> None:
    _write(tmp_path, KINDS[kind])
    async with over_stdio(command("run", "server.py"), tmp_path) as ask:
        await _check(ask)


@pytest.mark.parametrize("kind", KINDS)
async def test_what_the_sdk_refuses_before_any_handler_is_answered_too(kind: str, tmp_path: Path) -> None:
    _write(tmp_path, KINDS[kind])
    async with over_stdio(command("run", "server.py"), tmp_path) as ask:
        answer = await ask("tools/call", {"name": 7})

    assert answer.error["data"]["issues"] == [{"path": "params.name", "problem": "must be a valid string"}]


@pytest.mark.parametrize("way", WAYS)
async def test_a_file_is_run_as_it_stands(way: str, tmp_path: Path) -> None:
    source, target = WAYS[way]
    _write(tmp_path, source)
    async with over_stdio(command("run", target), tmp_path) as ask:
        await _check(ask)


@pytest.mark.parametrize("kind", KINDS)
async def test_http_is_served_where_it_is_asked_for(kind: str, tmp_path: Path) -> None:
    _write(tmp_path, KINDS[kind])
    words = ("server.py", "--port", "0", "--path", "/here", "--stateless", "--json-response")
    with listening(command("run", *words), tmp_path) as address:
        async with over_http(f"{address}/here") as ask:
            await _check(ask)


@pytest.mark.parametrize("way", ["started where it is the program", "built in main", "async main run"])
async def test_a_program_that_chose_stdio_can_be_served_over_http(way: str, tmp_path: Path) -> None:
    source, target = WAYS[way]
    _write(tmp_path, source)
    with listening(command("run", target, "--transport", "http", "--port", "0"), tmp_path) as address:
        async with over_http(f"{address}/mcp") as ask:
            await _check(ask)


async def test_legacy_sse_is_served_where_it_is_asked_for(tmp_path: Path) -> None:
    _write(tmp_path, SHOP)
    with listening(command("run", "server.py", "--transport", "sse", "--port", "0"), tmp_path) as address:
        async with over_http(f"{address}/sse") as ask:
            await _check(ask)


async def test_an_app_is_served_with_the_servers_inside(tmp_path: Path) -> None:
    _write(tmp_path, f"{SHOP}\nserver = server.streamable_http_app()\n")
    with listening(command("run", "server:server", "--port", "0"), tmp_path) as address:
        await _check_http(f"{address}/mcp")


async def test_an_app_that_a_program_serves_itself_has_the_layer_too(tmp_path: Path) -> None:
    _write(tmp_path, f"{SHOP}\nimport uvicorn\nuvicorn.run(server.streamable_http_app(), port=0)\n")
    with listening(command("run", "server.py"), tmp_path) as address:
        await _check_http(f"{address}/mcp")


async def test_an_asgi_app_of_any_kind_is_served(tmp_path: Path) -> None:
    _write(
        tmp_path,
        f"{SHOP}\ninside = server.streamable_http_app()\n"
        "async def app(scope, receive, send):\n    await inside(scope, receive, send)\n",
    )
    with listening(command("run", "server.py:app", "--port", "0"), tmp_path) as address:
        await _check_http(f"{address}/mcp")


async def test_arguments_after_the_dashes_are_the_servers(tmp_path: Path) -> None:
    _write(tmp_path, SHOP)
    words = ("server.py", "--transport", "stdio", "--", "--port", "7")
    async with over_stdio(command("run", *words), tmp_path) as ask:
        answer = await ask("tools/call", {"name": "ship", "arguments": {"boxes": 0}})

    assert answer.error["message"] == "boxes must be at least 1 ['--port', '7']"


def test_a_command_has_its_own_name_and_imports_nothing_from_where_it_is_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command_of = EntryPoint("mcp-shop", "shop_server.cli:main", "console_scripts")
    monkeypatch.setattr(targets, "entry_points", lambda **asked: [command_of] * (asked["name"] == "mcp-shop"))
    for folder in ("installed", "here"):
        package = tmp_path / folder / "shop_server"
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
    (tmp_path / "installed/shop_server/cli.py").write_text(
        "import argparse\ndef main(): argparse.ArgumentParser().parse_args()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path / "installed"))
    monkeypatch.chdir(tmp_path / "here")

    with pytest.raises(SystemExit):
        main(["run", "mcp-shop", "--", "--db"])

    assert capsys.readouterr().err.startswith("usage: mcp-shop [-h]")


def test_a_command_that_need_not_serve_decides_the_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command_of = EntryPoint("mcp-shop", "shop_version:main", "console_scripts")
    monkeypatch.setattr(targets, "entry_points", lambda **asked: [command_of])
    (tmp_path / "shop_version.py").write_text("def main(): return 4\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    assert main(["run", "mcp-shop"]) == 4


OWN = {
    "install": "mcp_error_middleware.install(server, policy)",
    "the SDK's middleware": (
        "from mcp_error_middleware.adapters import mcp_v2\n"
        "server = Server('shop', middleware=[mcp_v2.ErrorMiddleware(policy=policy)])\n"
        "server.tool()(ship)"
    ),
}


@pytest.mark.parametrize("way", OWN)
async def test_what_the_author_installed_stays(way: str, tmp_path: Path) -> None:
    if MCP_1 and way != "install":
        pytest.skip("mcp 1.x has no middleware")
    policy = "policy = mcp_error_middleware.ErrorPolicy(hints_by_tool={'ship': 'Own.'})"
    _write(tmp_path, f"{SHOP}\nimport mcp_error_middleware\n{policy}\n{OWN[way]}\n")
    async with over_stdio(command("run", "server.py"), tmp_path) as ask:
        answer = await ask("tools/call", {"name": "ship", "arguments": {"boxes": 0}})

    assert answer.error["data"]["recovery"] == {"hint": "Own."}


def test_nothing_is_said_on_stdout_but_messages(tmp_path: Path) -> None:
    _write(tmp_path, SHOP)
    ended = subprocess.run(
        command("run", "server.py"), cwd=tmp_path, input=b"", capture_output=True, timeout=50
    )

    assert (ended.returncode, ended.stdout) == (0, b"")


def test_a_function_that_served_decides_the_exit_code(tmp_path: Path) -> None:
    _write(tmp_path, f"{MAIN}    return 3\n")
    ended = subprocess.run(command("run", "server:main"), cwd=tmp_path, stdin=subprocess.DEVNULL, timeout=50)

    assert ended.returncode == 3


def test_a_program_that_heeds_signals_itself_ends_over_http_too(tmp_path: Path) -> None:
    _write(tmp_path, KINDS["lowlevel"] + HEEDS)
    with subprocess.Popen(
        command("run", "server.py:main", "--port", "0"), cwd=tmp_path, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        assert any(b"running on" in line for line in process.stderr)
        process.terminate()
        process.communicate(timeout=30)

    assert process.returncode == 7


def test_a_server_that_was_asked_something_ends_quietly(tmp_path: Path) -> None:
    _write(tmp_path, SHOP)
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    ended = subprocess.run(
        command("run", "server.py"),
        cwd=tmp_path,
        input=json.dumps(message).encode() + b"\n",
        capture_output=True,
        timeout=50,
    )

    assert (ended.returncode, ended.stdout.count(b"\n")) == (0, 1)
    assert b"Traceback" not in ended.stderr


# --- what is wrong ---------------------------------------------------------------------------------

WRONG = {
    "no file": ("", "nope.py", "there is no file nope.py; give the path"),
    "no module": ("", "no_such.module:app", "there is no file, module or command no_such.module;"),
    "no program": ("", "json", "json cannot be run by itself; name the module that starts the server, as in"),
    "no code": ("", "sys", "sys cannot be run by itself; name the module that starts the server"),
    "here": ("", ".", " . is a folder; give the file in it that has the server, as in server.py\n"),
    "a folder": (
        "",
        "./broken:app",
        "./broken is a folder; give the file in it that has the server, as in broken/",
    ),
    "no absolute name": ("", ".server:app", "there is no file .server; give the path"),
    "null bytes": (
        "x = 1\0",
        "server.py",
        "server.py is no source of Python, as it has null bytes in it; save",
    ),
    "null bytes around a name": (
        "x = 1\0",
        "server.py:x",
        "server.py is no source of Python, as it has null",
    ),
    "an address": (
        "",
        "https://shop.example/mcp",
        "https://shop.example/mcp is an address; give the file, module or command that starts the server",
    ),
    "a command line": (
        SHOP,
        "'python server.py'",
        "python server.py is several words and no file; give only the file, module or command among them",
    ),
    "a command line without a path": ("", "'npx -y shop'", "npx -y shop is several words and no file; give"),
    "nothing": ("", "''", "'' names no file and no module; give the one"),
    "nothing before the colon": ("", ":app", "':app' names no file and no module; give the one"),
    "no argument": (
        "",
        "json:dumps",
        f"missing 1 required positional argument: 'obj' ({json.__file__}); mend that and start it again",
    ),
    "no server": ("x = 1", "server.py", "server.py started no MCP server and has none"),
    "several": (
        f"{SHOP}\none, two = Server('a'), Server('b')\ndel server",
        "server.py",
        "server.py has several servers; name one: server.py:one or server.py:two",
    ),
    "no such name": (SHOP, "server.py:shop", "server.py has no shop; it has sys, Server, server, ship"),
    "no server by that name": (
        "shop = 3",
        "server.py:shop",
        "server.py:shop is of type int, and started no server",
    ),
    "factory of nothing": ("def make(): pass", "server.py:make", "server.py:make is of type NoneType"),
    "missing package": (
        "\nimport no_such_package",
        "server.py",
        "ModuleNotFoundError: No module named 'no_such_package' ({here}:2); install no_such_package in ",
    ),
    "package that misses another": (
        "",
        "broken.server:main",
        "ModuleNotFoundError: No module named 'no_such_package' ({folder}/broken/__init__.py:1); install",
    ),
    "bug": (
        "import json\n\njson.loads('')",
        "server.py",
        "JSONDecodeError: Expecting value: line 1 column 1 (char 0) ({here}:3); mend that",
    ),
    "secret in what it says": (
        "raise ConnectionError('no postgres://shop:hunter2@db/orders, password=hunter2, see /srv/shop.toml')",
        "server.py",
        "ConnectionError: no postgres://db/orders, password=…, see /srv/shop.toml ({here}:1); mend that",
    ),
    "no such option": (
        SHOP,
        "server.py --db x",
        "run does not know --db; what is for the server comes after --",
    ),
    "relative import": (
        "from . import prices",
        "server.py",
        "attempted relative import with no known parent package ({here}:1); name it as the module",
    ),
    "another line of the SDK": (
        "\nfrom mcp.server.lowlevel import Server\nServer('shop').no_such_decorator()",
        "server.py",
        "no attribute 'no_such_decorator' ({here}:3); "
        "if it was written for another line of mcp than " + ("1." if MCP_1 else "2."),
    ),
    "an option of HTTP over stdio": (
        SHOP,
        "server.py --transport stdio --json-response",
        "--json-response is for HTTP alone; leave it out, or say --transport http",
    ),
    "typing error": ("x = 1\ndef (:", "server.py", "SyntaxError: invalid syntax ({here}:2)"),
    "app over stdio": (
        "from starlette.applications import Starlette\napp = Starlette()",
        "server.py --transport stdio",
        "leave out --transport stdio",
    ),
}


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("json", "json cannot be run by itself; name its command: mcp-shop\n"),
        ("json.decoder", "if its command starts it, that: mcp-shop\n"),
    ],
)
def test_what_starts_nothing_is_told_its_packages_command(
    target: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installed = {"mcp-bank": "bank.cli:main", "mcp-shop": "json.tool:main"}
    commands = [EntryPoint(name, value, "console_scripts") for name, value in installed.items()]
    monkeypatch.setattr(targets, "entry_points", lambda **asked: [] if "name" in asked else commands)

    assert main(["run", target]) == 2
    assert capsys.readouterr().err.endswith(said)


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_said_in_one_sentence(
    wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source, words, said = WRONG[wrong]
    here = _write(tmp_path, source)
    package = tmp_path / "broken"
    package.mkdir()
    (package / "__init__.py").write_text("import no_such_package\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "server", raising=False)

    assert main(["run", *shlex.split(words)]) == 2

    out, err = capsys.readouterr()
    assert out == ""
    assert said.format(here=here, folder=tmp_path) in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--port", "65536", "65536 is no port; use 0 to 65535"),
        ("--port", "http", "http is no port; use 0 to 65535"),
        ("--path", "mcp", "mcp does not begin with a slash; use /mcp"),
    ],
)
@pytest.mark.parametrize("at", [0, 1])
def test_a_place_nothing_can_be_served_at_says_what_can(
    at: int, option: str, value: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["server.py"]
    words[at:at] = [option, value]
    with pytest.raises(SystemExit):
        main(["run", *words])

    assert said in capsys.readouterr().err


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_port_that_is_taken_is_named_before_anything_starts(
    host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as taken:
        port = taken.getsockname()[1]
        assert main(["run", "nowhere.py", "--host", host, "--port", str(port)]) == 2

    assert f"nothing can listen at {host}, port {port}: address already in use" in capsys.readouterr().err


def test_a_host_that_is_not_there_is_named_before_anything_starts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "nowhere.py", "--host", "no such host", "--port", "0"]) == 2

    assert "nothing can listen at no such host, port 0: " in capsys.readouterr().err


def test_an_exit_that_a_task_group_wrapped_is_still_an_exit(tmp_path: Path) -> None:
    _write(tmp_path, "def main():\n    raise BaseExceptionGroup('tasks', [SystemExit(3)])\n")
    ended = subprocess.run(command("run", "server:main"), cwd=tmp_path, capture_output=True, timeout=50)

    assert (ended.returncode, ended.stderr) == (3, b"")


def test_a_setting_that_cannot_be_read_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MCP_ERRORS_EXPOSURE", "everything")

    assert main(["run", "server.py"]) == 2
    assert "MCP_ERRORS_EXPOSURE is 'everything'; use one of" in capsys.readouterr().err


def test_everything_is_as_it_was_afterwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(tmp_path, "x = 1")
    monkeypatch.chdir(tmp_path)

    def state() -> list[object]:
        watched = (Server.run, Starlette.__call__, vars(Server).get("lifespan"))
        return [*watched, sys.argv, sys.path, sys.stdin, sys.modules["__main__"]]

    before = state()
    assert main(["run", "server.py", "--transport", "http"]) == 2
    assert state() == before


def _write(folder: Path, source: str) -> Path:
    file = folder / "server.py"
    file.write_text(dedent(source))
    return file


async def _check(ask: Ask) -> None:
    failed = await ask("tools/call", {"name": "ship", "arguments": {"boxes": 0}})
    served = await ask("tools/call", {"name": "ship", "arguments": {"boxes": 1}})

    assert _facts(failed) == ("result", "ValidationError", "boxes must be at least 1 []")
    assert _facts(served) == ("success", None, None)


async def _check_http(url: str) -> None:
    """The server has the middleware, and the app has the layer."""
    async with over_http(url) as ask:
        await _check(ask)
    from tests.stacks.faults import httpx

    refused = httpx.post(url, content=b"{", headers={"content-type": "text/plain"})
    assert refused.json()["error"]["data"]["error_id"]


def _facts(answer: Answer) -> tuple[str, object, object]:
    return answer.channel, answer.error.get("name"), answer.error.get("message")
