"""Sources in, findings out: what is found where, and what can never end a run."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_error_middleware.lint import Definition, Finding, Location, Problem, Rule, Settings, Severity, lint
from mcp_error_middleware.lint import engine as lint_engine
from mcp_error_middleware.lint.engine import apply, catalogues, located
from mcp_error_middleware.lint.model import Origin

HANDLERS = Settings(select=("handlers", "wire", "contracts"))


def write(folder: Path, **files: str) -> None:
    """`shop__prices="..."` becomes `shop/prices.py`."""
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), "utf-8")


def found(folder: Path, settings: Settings = HANDLERS) -> list[tuple[str, int, str]]:
    """Path, line and rule of each finding."""
    report = lint(folder, settings=settings, root=folder)
    return [(each.location.path, each.location.line, each.rule) for each in report.findings]


def test_a_finding_says_where_and_how_to_mend_it(tmp_path: Path) -> None:
    write(
        tmp_path,
        shop="""
            from fastmcp import FastMCP

            mcp = FastMCP("shop")

            @mcp.tool
            def price(order: str) -> int:
                raise Exception("order not found")
        """,
    )

    (finding,) = lint(tmp_path, settings=HANDLERS, root=tmp_path).findings

    line = '    raise Exception("order not found")'
    assert finding == Finding(
        "plain-exception",
        Severity.WARNING,
        "Exception says nothing about why it failed; raise NotFound, if it is that.",
        Location("shop.py", 8, 5, 8, len(line) + 1, line),
    )


def test_code_that_no_handler_reaches_is_left_alone(tmp_path: Path) -> None:
    write(
        tmp_path,
        shop="""
            from fastmcp import FastMCP

            mcp = FastMCP("shop")

            def unrelated():
                print("hello")
                raise Exception("no")
        """,
    )

    assert found(tmp_path) == []


def test_a_function_in_another_module_of_the_package_is_followed(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").touch()
    write(
        tmp_path,
        shop__server="""
            from fastmcp import FastMCP
            from .prices import look_up
            from shop import stock

            mcp = FastMCP("shop")

            @mcp.tool
            async def price(order: str) -> int:
                return look_up(order) + stock.Stock().count(order)
        """,
        shop__prices="""
            import time

            def look_up(order):
                time.sleep(1)
        """,
        shop__stock="""
            class Base:
                def count(self, order):
                    return self._ask(order)

                def _ask(self, order):
                    raise RuntimeError("down")

            class Stock(Base):
                pass
        """,
    )

    assert found(tmp_path) == [
        ("shop/prices.py", 5, "blocking-call"),
        ("shop/stock.py", 7, "plain-exception"),
    ]


def test_what_a_decorator_of_the_package_does_with_errors_counts(tmp_path: Path) -> None:
    write(
        tmp_path,
        shop="""
            from functools import wraps
            from fastmcp import FastMCP

            mcp = FastMCP("shop")

            def safely(function):
                @wraps(function)
                async def wrapper(*args, **kwargs):
                    try:
                        return await function(*args, **kwargs)
                    except Exception as exc:
                        return {"error": str(exc)}
                return wrapper

            @mcp.tool
            @safely
            async def price(order: str) -> dict:
                return {}
        """,
    )

    assert found(tmp_path) == [("shop.py", 13, "returned-error")]


@pytest.mark.parametrize("name", ["mcp", "server", "app", "shop"])
def test_a_tool_is_found_whatever_its_server_is_called_and_wherever_it_was_made(
    name: str, tmp_path: Path
) -> None:
    write(
        tmp_path,
        pkg____init__="",
        pkg__app=f"""
            from fastmcp import FastMCP

            {name} = FastMCP("shop")
            """,
        pkg__tools=f"""
            from .app import {name}


            @{name}.tool
            def ship(order: str) -> str:
                try:
                    return order.upper()
                except Exception:
                    return "Error: failed"
            """,
        pkg__broken=f"from .app import {name}\n\n@{name}.tool\ndef ship(:\n",
    )

    assert {path for path, _, _ in found(tmp_path)} == {"pkg/broken.py", "pkg/tools.py"}


def test_an_agent_framework_with_tools_of_its_own_is_no_server(tmp_path: Path) -> None:
    write(
        tmp_path,
        agent="""
            from pydantic_ai import Agent  # talks to an mcp server

            agent = Agent("model")

            @agent.tool
            def price(order: str) -> int:
                raise Exception("no")
        """,
    )

    assert found(tmp_path) == []


@pytest.mark.parametrize(
    "registered",
    [
        "@mcp.tool\ndef price(order): raise Exception('no')",
        "@mcp.tool()\nasync def price(order): raise Exception('no')",
        "@mcp.resource('order://{order}')\ndef price(order): raise Exception('no')",
        "@mcp.prompt()\ndef price(order): raise Exception('no')",
        "def price(order): raise Exception('no')\nmcp.add_tool(price)",
        "def price(order): raise Exception('no')\nmcp.tool(price, name='p')",
        "def price(order): raise Exception('no')\nmcp.tool(name='p')(price)",
        "def price(order): raise Exception('no')\nfor each in (price,):\n    mcp.add_tool(each)",
        "from fastmcp.tools import Tool\ndef price(order): raise Exception('no')\n"
        "mcp.add_tool(Tool.from_function(price))",
        "from fastmcp.tools import tool\n@tool\ndef price(order): raise Exception('no')",
        "from mcp.server import Server\nasync def price(ctx, params): raise Exception('no')\n"
        "server = Server('x', on_call_tool=price)",
        "from mcp.server import Server\nserver = Server('x')\n"
        "@server.call_tool()\nasync def price(name, arguments): raise Exception('no')",
        "def register(app: FastMCP):\n    @app.tool\n    def price(order): raise Exception('no')",
        "class Shop:\n    def __init__(self, app: FastMCP):\n        self.app = app\n"
        "    def register(self):\n        @self.app.tool()\n"
        "        def price(order): raise Exception('no')",
    ],
)
def test_every_way_to_register_a_handler_is_known(registered: str, tmp_path: Path) -> None:
    text = f"from fastmcp import FastMCP\nmcp = FastMCP('shop')\n{registered}\n"
    (tmp_path / "shop.py").write_text(text, "utf-8")

    assert [rule for _, _, rule in found(tmp_path)] == ["plain-exception"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (
            b"mcp = (",
            "This file cannot be linted: "
            f"not valid Python {sys.version_info.major}.{sys.version_info.minor}: '(' was never closed; "
            "if it is written for a newer one, run this with it.",
        ),
        (
            b"\n\n\nmcp = '\xff'",
            "This file cannot be linted: it is neither UTF-8 text nor in an encoding it names.",
        ),
        (
            b"# coding: klingon\nmcp = 1",
            "This file cannot be linted: it is neither UTF-8 text nor in an encoding it names.",
        ),
        (
            b"mcp\n" * 600_000,
            "This file cannot be linted: it is larger than 2 MB; exclude it, it is hardly code.",
        ),
    ],
)
def test_a_file_that_cannot_be_read_is_a_finding(content: bytes, reason: str, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_bytes(content)

    (finding,) = lint(tmp_path, settings=HANDLERS, root=tmp_path).findings

    assert (finding.rule, finding.severity) == ("unreadable-file", Severity.ERROR)
    assert finding.message == reason


@pytest.mark.parametrize(
    "text",
    [
        "mcp = 1\0",
        "mcp = " + "(" * 500 + ")" * 500,
        "mcp = " + "-" * 20_000 + "1",
        "mcp = " + "1+" * 20_000 + "1",
        "mcp = " + "f(" * 80 + ")" * 80,
    ],
)
def test_source_that_python_itself_gives_up_on_is_at_most_a_finding(text: str, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(text, "utf-8")

    assert {rule for _, _, rule in found(tmp_path)} <= {"unreadable-file"}


@pytest.mark.parametrize(
    "text",
    [
        "import mcp\na = a\nb = c\nc = b\n@b.tool\ndef f(): b.x(); c()\n",
        "from fastmcp import FastMCP\nmcp = FastMCP()\nt = t.strip()\n"
        "@mcp.tool\ndef f():\n    return t.x(t.y())\n",
        "from fastmcp import FastMCP\nmcp = FastMCP()\n@mcp.tool\ndef f():\n    return f()\n",
        "import mcp\nclass A(B): pass\nclass B(A): pass\nmcp = A()\n@mcp.tool\ndef f(): pass\n",
        "from mcp_error_middleware import Contract, raises\nclass A(B): pass\nclass B(A): pass\n"
        "@mcp.tool\n@raises(A)\ndef f(): raise A.x.fail()\n",
        "from shop import mcp\n@mcp.tool\ndef f(a: 'B', b: 'list[') -> None: pass\nB = C\nC = B\n",
        "from fastmcp import FastMCP\nmcp = FastMCP()\nclass Node(BaseModel):\n    next: 'Node'\n"
        "@mcp.tool\ndef f(a: Node) -> Node: pass\n",
    ],
)
def test_source_that_goes_in_circles_ends(text: str, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(text, "utf-8")

    assert found(tmp_path) == []


def test_a_rule_that_breaks_is_a_finding_and_stops_nothing() -> None:
    def broken(definition: Definition) -> Iterator[Problem]:
        raise KeyError(definition.name)

    def working(definition: Definition) -> Iterator[Problem]:
        yield Problem(definition.at("description"), "found")

    rules = [
        Rule(name, "tests", Severity.ERROR, Definition, check, "")
        for name, check in (("broken", broken), ("working", working))
    ]
    definition = Definition("tool", "ship", Location("shop.py", 3))

    assert [*apply(rules, Definition, definition)] == [
        Finding(
            "rule-failed",
            Severity.WARNING,
            "The rule broken broke here (KeyError); please report it.",
            Location("shop.py", 3),
        ),
        Finding("working", Severity.ERROR, "found", Location("shop.py", 3, pointer="tools/ship.description")),
    ]


def test_definitions_are_grouped_by_their_server() -> None:
    one, two = (Definition("tool", "ship", Location("shop.py"), server=name) for name in ("a", "b"))

    assert [(each.server, each.definitions) for each in catalogues([one, two])] == [
        ("a", (one,)),
        ("b", (two,)),
    ]


def test_what_a_server_advertises_is_found_in_its_source() -> None:
    written = Definition("tool", "ship", Location("shop.py", 7))
    elsewhere = Definition("tool", "price", Location("shop.py", 9))
    advertised = Definition("tool", "ship", Location("shop:mcp"), origin="server", description="Ship it.")

    place, other = located([advertised], [written, elsewhere])

    assert (place.location, place.description, place.origin) == (Location("shop.py", 7), "Ship it.", "server")
    assert other is elsewhere


def test_what_a_server_advertises_hides_nothing_of_another_server() -> None:
    def tools(server: str, path: str, *names: str, origin: Origin = "source") -> list[Definition]:
        return [Definition("tool", name, Location(path), origin, server=server) for name in names]

    shop = tools("shop", "shop.py", "ship", "price")
    bank = tools("bank", "bank.py", "ship", "pay")
    advertised = tools("live", "http://127.0.0.1", "ship", "pay", origin="server")

    places = [(each.origin, each.location.path, each.name) for each in located(advertised, shop + bank)]

    assert places == [
        ("server", "bank.py", "ship"),
        ("server", "bank.py", "pay"),
        ("source", "shop.py", "ship"),
        ("source", "shop.py", "price"),
    ]


def test_many_files_are_shared_among_processes_with_the_same_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(12):
        write(
            tmp_path,
            **{
                f"shop{number}": """
                    from fastmcp import FastMCP
                    from common import fail

                    mcp = FastMCP("shop")

                    @mcp.tool
                    def price(order: str) -> int:
                        fail()
                """
            },
        )
    write(tmp_path, common="def fail():\n    raise Exception('no')\n")
    alone = found(tmp_path)
    monkeypatch.setattr(lint_engine, "MANY", 1)
    monkeypatch.setattr(lint_engine, "CHUNK", 4)

    assert alone == [("common.py", 2, "plain-exception")]
    assert found(tmp_path) == alone


def test_a_long_run_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lint_engine, "CHUNK", 1)
    write(tmp_path, a="", b="", c="")
    seen: list[tuple[int, int]] = []

    lint(tmp_path, settings=HANDLERS, root=tmp_path, progress=lambda *each: seen.append(each))

    assert seen == [(1, 3), (2, 3), (3, 3)]
