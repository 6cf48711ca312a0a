"""Findings in, mended text out."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_error_middleware.lint import Finding, Location, Settings, Severity, lint
from mcp_error_middleware.lint.fix import apply_edits, mended
from mcp_error_middleware.lint.model import Edit


def finding(*edits: Edit) -> Finding:
    return Finding("rule", Severity.WARNING, "", Location("shop.py", 1), edits)


def test_edits_that_overlap_wait_for_the_next_run() -> None:
    first = finding(Edit((1, 1), (1, 4), "one"))
    second = finding(Edit((1, 3), (1, 6), "two"))

    assert apply_edits("abcdef\n", [first, second]) == ("onedef\n", 1)


def test_a_line_that_two_fixes_need_is_added_once() -> None:
    line = Edit((1, 1), (1, 1), "import x\n")
    fixes = [finding(line, Edit((1, 1), (1, 2), "x")), finding(line, Edit((2, 1), (2, 2), "y"))]

    assert apply_edits("a\nb\n", fixes) == ("import x\nx\ny\n", 2)


def test_a_file_keeps_its_line_ends_and_its_letters(tmp_path: Path) -> None:
    text = (
        "from fastmcp import FastMCP\r\nmcp = FastMCP('größe')\r\n@mcp.tool\r\ndef f(a):\r\n    try:\r\n"
        "        g()\r\n    except KeyError{name}:\r\n        raise ValueError('größe', a){cause}\r\n"
    )
    (tmp_path / "shop.py").write_bytes(text.format(name="", cause="").encode())

    (each,) = mended(
        lint(tmp_path, settings=Settings(select=("lost-cause",)), root=tmp_path).findings, tmp_path
    )
    each.write()

    expected = text.format(name=" as exc", cause=" from exc").encode()
    assert (tmp_path / "shop.py").read_bytes() == expected
    assert each.fixes == 1
    assert "+    except KeyError as exc:" in each.diff()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1"])
def test_a_file_keeps_its_encoding(encoding: str, tmp_path: Path) -> None:
    text = (
        "# coding: latin-1\n"
        * (encoding == "latin-1")
        + "from fastmcp import FastMCP; mcp = FastMCP('größe')\n"
        "@mcp.tool\ndef f(a):\n    return {line}\n"
    )
    (tmp_path / "shop.py").write_bytes(text.format(line="'Error: größe'").encode(encoding))

    (each,) = mended(
        lint(tmp_path, settings=Settings(select=("returned-error",)), root=tmp_path).findings, tmp_path
    )
    each.write()

    after = (tmp_path / "shop.py").read_bytes().decode(encoding)
    assert after.replace("from fastmcp.exceptions import ToolError\n", "") == text.replace(
        "return {line}", "raise ToolError('größe')"
    )
    assert "import ToolError" in after


def test_lines_end_where_python_ends_them() -> None:
    assert apply_edits("a\x0c\u2028\rb\r\nc\n", [finding(Edit((3, 1), (3, 2), "d"))]) == (
        "a\x0c\u2028\rb\r\nd\n",
        1,
    )


def test_a_fix_that_would_break_the_file_is_not_made(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("a = 1\n", "utf-8")

    assert [*mended([finding(Edit((1, 1), (1, 2), "("))], tmp_path)] == []


def test_a_returned_error_becomes_the_stacks_own_tool_error(tmp_path: Path) -> None:
    path = tmp_path / "shop.py"
    path.write_text(
        '"""Shop."""\n\nfrom __future__ import annotations\n\nfrom mcp.server.fastmcp import FastMCP\n\n'
        'mcp = FastMCP("shop")\n\n\n@mcp.tool()\ndef price(order: str) -> dict:\n'
        '    return {"error": f"no order {order}"}\n',
        "utf-8",
    )

    (each,) = mended(
        lint(path, settings=Settings(select=("returned-error",)), root=tmp_path).findings, tmp_path
    )

    assert each.after == (
        '"""Shop."""\n\nfrom __future__ import annotations\n\n'
        "from mcp.server.fastmcp.exceptions import ToolError\nfrom mcp.server.fastmcp import FastMCP\n\n"
        'mcp = FastMCP("shop")\n\n\n@mcp.tool()\ndef price(order: str) -> dict:\n'
        '    raise ToolError(f"no order {order}")\n'
    )


@pytest.mark.parametrize(
    "body",
    [
        # Nobody would know why it is kept from the caller.
        "    return {\n        # said by the lawyers\n        'error': 'no'\n    }\n",
        # Somebody reads what it returns.
        "    return {'error': 'no'}\n\ndef other():\n    return 'error' in price(1)\n",
    ],
)
def test_a_returned_error_stays_where_more_than_it_would_change(body: str, tmp_path: Path) -> None:
    text = f"from fastmcp import FastMCP\nmcp = FastMCP('shop')\n@mcp.tool\ndef price(order):\n{body}"
    (tmp_path / "shop.py").write_text(text, "utf-8")

    (each,) = lint(tmp_path, settings=Settings(select=("returned-error",)), root=tmp_path).findings

    assert each.fix == ()
