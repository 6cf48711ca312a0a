"""What leaves a handler, through the functions it calls."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from mcp_error_middleware.lint import Settings, lint

HEAD = """
from mcp.server.mcpserver import MCPServer
from mcp_error_middleware import (
    Conflict, Contract, ErrorCode, Forbidden, McpError, Mode, NotFound, ServiceUnavailable, raises
)

server = MCPServer("shop")


class Errors(Contract):
    no_stock = Mode(ErrorCode.CONFLICT, when="No stock.", recovery="Call stock_of first and ask for less.")


"""


def found(body: str, folder: Path) -> list[str]:
    path = folder / "shop.py"
    path.write_text(HEAD + textwrap.dedent(body), "utf-8")
    settings = Settings(select=("undeclared-code", "direct-raise", "undeclared-reason"))
    return [each.rule for each in lint(path, settings=settings, root=folder).findings]


TOOL = "@server.tool()\n@raises(Errors)\ndef ship(order):\n"


@pytest.mark.parametrize(
    ("body", "rules"),
    [
        ("    raise NotFound('no')", ["undeclared-code"]),
        ("    raise NotFound", ["undeclared-code"]),
        ("    raise McpError(ErrorCode.NOT_FOUND, 'no')", ["undeclared-code"]),
        ("    raise McpError(-32001, 'no')", ["undeclared-code"]),
        ("    error = NotFound('no')\n    raise error", ["undeclared-code"]),
        ("    raise ServiceUnavailable('no')", []),
        ("    raise Conflict('no')", ["direct-raise"]),
        ("    raise Conflict('no', reason='no_stock')", []),
        ("    raise Conflict('no', data={'reason': 'no_stock'})", []),
        ("    raise Conflict('no', reason='no_stok')", ["undeclared-reason"]),
        ("    raise Errors.no_stock.fail('no')", []),
        ("    raise Errors.fail('no_stock', 'no')", []),
        ("    raise Errors.fail('no_stok', 'no')", ["undeclared-reason"]),
        ("    raise Errors.fail(order, 'no')", []),
        ("    raise ValueError('no')", []),
        ("    if order.code == ErrorCode.NOT_FOUND:\n        return 1", []),
    ],
)
def test_a_raise_is_held_against_the_contract(body: str, rules: list[str], tmp_path: Path) -> None:
    assert found(TOOL + body, tmp_path) == rules


@pytest.mark.parametrize(
    ("handler", "rules"),
    [
        ("except NotFound:\n        return 1", []),
        ("except McpError:\n        return 1", []),
        ("except Exception:\n        return 1", []),
        ("except (KeyError, NotFound):\n        return 1", []),
        ("except NotFound:\n        raise", ["undeclared-code"]),
        ("except NotFound as exc:\n        log(exc)\n        raise exc", ["undeclared-code"]),
        ("except Conflict:\n        return 1", ["undeclared-code"]),
        ("finally:\n        pass", ["undeclared-code"]),
    ],
)
def test_what_is_caught_on_the_way_does_not_leave(handler: str, rules: list[str], tmp_path: Path) -> None:
    helper = "def load(order):\n    return deep(order)\n\ndef deep(order):\n    raise NotFound('no')\n\n"

    assert found(f"{helper}{TOOL}    try:\n        load(order)\n    {handler}", tmp_path) == rules


def test_a_contract_that_is_not_known_whole_is_not_held_against_anybody(tmp_path: Path) -> None:
    body = """
        from elsewhere import Common

        class More(Common, Errors):
            pass

        @server.tool()
        @raises(More)
        def ship(order):
            raise NotFound("no")
    """

    assert found(body, tmp_path) == []


@pytest.mark.parametrize(
    ("body", "rules"),
    [
        ("    raise Gone('no')", ["undeclared-code"]),
        ("    try:\n        raise Gone('no')\n    except Gone:\n        return 1", []),
        ("    try:\n        raise Gone('no')\n    except NotFound:\n        return 1", []),
        ("    try:\n        raise NotFound('no')\n    except Gone:\n        return 1", ["undeclared-code"]),
    ],
)
def test_an_error_of_the_package_has_the_code_of_its_base(
    body: str, rules: list[str], tmp_path: Path
) -> None:
    assert (
        found(f"class Missing(NotFound): pass\nclass Gone(Missing): pass\n\n{TOOL}{body}", tmp_path) == rules
    )


def test_inherited_modes_count(tmp_path: Path) -> None:
    body = """
        class More(Errors):
            hidden = Mode(ErrorCode.FORBIDDEN, when="Not yours.", recovery="Ask the owner of it first.")

        @server.tool()
        @raises(More)
        def ship(order):
            if order:
                raise More.no_stock.fail()
            raise Forbidden("no")
    """

    assert found(body, tmp_path) == ["direct-raise"]
