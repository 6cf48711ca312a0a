"""Entries in, the definitions a client would see out: the same as the real SDKs advertise."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest

from mcp_error_middleware.lint import Settings, lint
from mcp_error_middleware.lint.live import listing_of, load
from mcp_error_middleware.lint.model import UNKNOWN, Definition
from mcp_error_middleware.lint.python.definitions import definitions
from mcp_error_middleware.lint.python.project import Project
from mcp_error_middleware.lint.python.servers import entries


def written(text: str, folder: Path) -> list[Definition]:
    path = folder / "lint_shop.py"
    path.write_text(textwrap.dedent(text), "utf-8")
    project = Project(folder)
    module = project.load(path)
    return [each for entry in entries(module, project) for each in definitions(entry, project)]


SHOP = '''
    from enum import Enum
    from typing import Annotated, Literal, Optional

    from {package} import {server}
    from pydantic import BaseModel, Field

    server = {server}("shop")

    class Size(str, Enum):
        SMALL = "small"
        LARGE = "large"

    class Box(BaseModel):
        """A box."""

        size: Size
        weight: float = Field(ge=0, description="In kilograms.")
        label: str | None = None

    @server.tool(name="ship-order", description="Ship an order.")
    async def ship(
        order: Annotated[str, Field(description="Its id.")],
        how: Literal["air", "sea"],
        boxes: list[Box],
        count: int = 1,
        tags: Optional[list[str]] = None,
        extra: dict[str, int] = Field(default_factory=dict, description="Anything else."),
    ) -> str:
        """Not this."""
        return order

    @server.resource("order://{{order}}", name="Order", mime_type="text/plain")
    def order(order: str) -> str:
        """One order."""
        return order

    @server.prompt()
    def ask(what: str) -> str:
        """Ask."""
        return what
'''


def inlined(schema: Any, root: Any = None) -> Any:
    """A schema without what only an SDK adds: titles, defaults and references."""
    root = schema if root is None else root
    if isinstance(schema, list):
        return [inlined(each, root) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return inlined(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    dropped = {"title", "default", "$defs", "additionalProperties"}
    return {
        key: {name: inlined(each, root) for name, each in value.items()}
        if key == "properties"
        else inlined(value, root)
        for key, value in schema.items()
        if key not in dropped
    }


@pytest.mark.parametrize(
    ("package", "server"), [("mcp.server.mcpserver", "MCPServer"), ("fastmcp", "FastMCP")]
)
def test_the_source_says_what_the_server_advertises(package: str, server: str, tmp_path: Path) -> None:
    tool, template, prompt = written(SHOP.format(package=package, server=server), tmp_path)
    listing = listing_of(load(f"{tmp_path}/lint_shop.py:server")[0])

    (advertised,) = listing["tools"]
    assert (tool.kind, tool.name, tool.description) == ("tool", advertised["name"], advertised["description"])
    assert inlined(tool.input_schema) == inlined(advertised["inputSchema"])
    (advertised,) = listing["resourceTemplates"]
    assert (template.kind, template.name, template.uri, template.mime_type, template.description) == (
        "template",
        advertised["name"],
        advertised["uriTemplate"],
        advertised["mimeType"],
        advertised["description"],
    )
    (advertised,) = listing["prompts"]
    assert (prompt.kind, prompt.name, prompt.description) == (
        "prompt",
        advertised["name"],
        advertised["description"],
    )
    assert [*prompt.input_schema["properties"]] == [each["name"] for each in advertised["arguments"]]


def test_what_has_to_be_run_is_unknown(tmp_path: Path) -> None:
    (tool,) = written(
        """
        from fastmcp import Context, FastMCP
        from elsewhere import Thing, describe

        mcp = FastMCP("shop")

        @mcp.tool(description=describe("ship"), annotations=describe("hints"))
        async def ship(thing: Thing, ctx: Context, why=None) -> Thing:
            return thing
        """,
        tmp_path,
    )

    assert (tool.description, tool.annotations, tool.output_schema) == (UNKNOWN, UNKNOWN, UNKNOWN)
    assert tool.input_schema == {
        "type": "object",
        "properties": {"thing": {}, "why": {}},
        "required": ["thing"],
    }


@pytest.mark.parametrize(
    "docstring",
    [
        "Args:\n        order: Its id.",
        "Args:\n        order (str): Its id.",
        ":param order: Its id.",
        ":param str order: Its id.",
        "Parameters\n    ----------\n    order : Its id.",
    ],
)
def test_a_docstring_describes_parameters(docstring: str, tmp_path: Path) -> None:
    head = "from fastmcp import FastMCP\nmcp = FastMCP()\n@mcp.tool\ndef ship(order: str):\n"
    text = f'{head}    """Ship.\n\n    {docstring}\n    """\n'

    (tool,) = written(text, tmp_path)

    assert tool.input_schema["properties"]["order"]["description"] == "Its id."


def test_parts_stand_where_they_are_written(tmp_path: Path) -> None:
    (tool,) = written(
        """
        from fastmcp import FastMCP

        mcp = FastMCP("shop")

        @mcp.tool(
            annotations={"readOnlyHint": True, "destructive_hint": False},
        )
        async def ship(
            order: str,
        ) -> str:
            return order
        """,
        tmp_path,
    )

    assert tool.annotations == {"readOnlyHint": True, "destructiveHint": False}
    assert (tool.location.line, tool.location.column, tool.location.end_column) == (9, 11, 15)
    assert tool.at("inputSchema", "properties", "order", "type").line == 10
    assert tool.at("annotations", "readOnlyHint").line == 7
    assert tool.at("description").line == 9
    assert tool.at("annotations").pointer == "tools/ship.annotations"


def test_low_level_tools_are_read_from_what_is_listed(tmp_path: Path) -> None:
    one, two = written(
        """
        import mcp.types as types
        from mcp.server import Server

        server = Server("shop")
        price = types.Tool(name="price", description="Price.", inputSchema={"type": "object"})

        @server.list_tools()
        async def list_tools():
            return [types.Tool(name="ship", inputSchema={"type": "object"}, **more), price]
        """,
        tmp_path,
    )

    assert (one.name, one.description, one.input_schema) == ("ship", UNKNOWN, {"type": "object"})
    assert (two.name, two.description, two.location.line) == ("price", "Price.", 6)


TOOL = "Tool(name='ship', inputSchema={'type': 'object', 'properties': {'order': {'type': 'string'}}})"


@pytest.mark.parametrize(
    "files",
    [
        {"shop.py": f"TOOLS = [{TOOL}]\n@server.list_tools()\nasync def tools(): return TOOLS\n"},
        {
            "shop.py": f"SHIP = {TOOL}\nTOOLS = (SHIP,)\n"
            "@server.list_tools()\nasync def tools(): return [*TOOLS]\n"
        },
        {
            "shop.py": "from goods import TOOLS\n@server.list_tools()\nasync def tools(): return TOOLS\n",
            "goods.py": f"TOOLS = [{TOOL}]\n",
        },
        # Where it is listed cannot be told; that it is a tool can.
        {"goods.py": f"class Ship:\n    def described(self): return {TOOL}\n"},
    ],
)
def test_a_tool_is_known_wherever_it_is_written(files: dict[str, str], tmp_path: Path) -> None:
    head = "from mcp.server import Server\nfrom mcp.types import Tool\nserver = Server('shop')\n"
    for name, text in files.items():
        (tmp_path / name).write_text(head + text, "utf-8")

    report = lint(tmp_path, settings=Settings(select=("undescribed-field", "duplicate-name")), root=tmp_path)

    assert report.definitions == 1
    assert [each.location.pointer for each in report.findings] == ["tools/ship.inputSchema.properties.order"]


def test_a_server_of_any_type_is_known_by_its_name(tmp_path: Path) -> None:
    text = "from typing import Any\ndef register(mcp: Any):\n    @mcp.tool()\n    def ship(): ...\n"
    (tmp_path / "shop.py").write_text(text, "utf-8")

    assert lint(tmp_path, settings=Settings(), root=tmp_path).definitions == 1
