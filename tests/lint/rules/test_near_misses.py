"""What each rule on definitions finds beyond its page, and what looks like it but is right."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import pytest

from mcp_error_middleware.lint import Settings, lint


def found(rule: str, content: Any, folder: Path, name: str = "listing.json") -> list[str]:
    """Where one rule finds something."""
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    report = lint(path, settings=Settings(select=(rule,)), root=folder)
    return [each.location.pointer for each in report.findings]


def tool(**more: Any) -> dict[str, Any]:
    return {"tools": [{"name": "ship", "description": "Ship.", "inputSchema": {"type": "object"}} | more]}


def taking(**properties: Any) -> dict[str, Any]:
    return tool(inputSchema={"type": "object", "properties": properties})


LISTINGS = [
    ("missing-name", tool(name=None), True),
    ("missing-name", tool(name=3), True),
    ("invalid-name", tool(name="ship.order-2_x"), False),
    ("invalid-name", tool(name="x" * 128), False),
    ("invalid-name", tool(name="x" * 129), True),
    ("invalid-name", tool(name="ship\n"), True),
    ("invalid-name", {"prompts": [{"name": "Ship an order", "description": "Ship."}]}, False),
    ("duplicate-name", {"tools": tool()["tools"] * 2}, True),
    ("duplicate-name", tool() | {"prompts": [{"name": "ship", "description": "Ship."}]}, False),
    ("missing-description", tool(description=" "), True),
    ("missing-description", {"prompts": [{"name": "ask"}]}, True),
    ("missing-description", {"resources": [{"name": "Orders", "uri": "shop://orders"}]}, True),
    ("schema-not-object", tool(inputSchema=None), True),
    ("schema-not-object", tool(inputSchema={"$ref": "#/$defs/A"}), True),
    ("schema-not-object", tool(inputSchema={"type": ["object"]}), True),
    ("schema-not-object", tool(outputSchema={"type": "array"}), True),
    ("schema-not-object", tool(outputSchema=None), False),
    ("undescribed-field", taking(order={"type": "string"}), True),
    ("undescribed-field", taking(order={"const": "a"}), False),
    ("undescribed-field", taking(how={"enum": ["air", "sea"]}), True),
    ("undescribed-field", taking(order={"anyOf": [{"type": "string", "description": "Its id."}]}), False),
    ("undescribed-field", taking(boxes={"type": "array", "items": {}, "description": "Boxes."}), False),
    (
        "undescribed-field",
        taking(box={"type": "object", "description": "A box.", "properties": {"size": {"type": "number"}}}),
        True,
    ),
    (
        "undescribed-field",
        tool(
            inputSchema={
                "type": "object",
                "properties": {"box": {"$ref": "#/$defs/Box"}},
                "$defs": {"Box": {"type": "object", "description": "A box."}},
            }
        ),
        False,
    ),
    (
        "undescribed-field",
        {"tools": [taking(order={})["tools"][0] | {"description": "Ship.\n\nArgs:\n    order: Its id."}]},
        False,
    ),
    (
        "undescribed-field",
        {"tools": [taking(order={})["tools"][0] | {"description": "Ship an order today."}]},
        True,
    ),
    (
        "undescribed-field",
        tool(outputSchema={"type": "object", "properties": {"result": {"type": "string"}}}),
        False,
    ),
    (
        "undescribed-field",
        tool(outputSchema={"type": "object", "properties": {"day": {"type": "string"}}}),
        True,
    ),
    ("undescribed-field", {"prompts": [{"name": "ask", "arguments": [{"name": "what"}]}]}, True),
    ("hint-not-boolean", tool(annotations={"idempotentHint": 1}), True),
    ("hint-not-boolean", tool(annotations={"openWorldHint": False, "title": "Ship"}), False),
    ("destructive-read-only", tool(annotations={"readOnlyHint": True, "destructiveHint": True}), True),
    ("destructive-read-only", tool(annotations={"destructiveHint": True}), False),
    ("phantom-required", tool(inputSchema={"type": "object", "required": ["a"]}), False),
    ("unknown-type", taking(count={"type": "int"}), True),
    ("unknown-type", taking(count={"type": ["integer", "null"]}), False),
    ("unknown-type", taking(type={"type": "string"}), False),
    ("ui-not-an-object", tool(_meta={"ui": None}), True),
    ("ui-not-an-object", tool(_meta={}), False),
    ("ui-without-resource", tool(_meta={"ui": {}}), True),
    ("foreign-ui-scheme", tool(_meta={"ui": {"resourceUri": "http://shop.example"}}), True),
    ("unpaired-ui", tool(_meta={"ui": {"resourceUri": "ui://shop"}}), True),
    (
        "unpaired-ui",
        tool(_meta={"ui": {"resourceUri": "ui://shop/{a}"}})
        | {"resourceTemplates": [{"name": "A", "uriTemplate": "ui://shop/{a}"}]},
        False,
    ),
    ("unportable-format", taking(page={"type": "string", "format": "uri"}), True),
    ("unportable-format", taking(day={"type": "string", "format": "date"}), False),
    ("unportable-format", taking(format={"type": "string", "enum": ["uri"]}), False),
    ("unportable-format", taking(day={"type": "string", "default": {"format": "uri"}}), False),
    (
        "unportable-format",
        tool(inputSchema={"type": "object", "$defs": {"A": {"type": "string", "format": "binary"}}}),
        True,
    ),
    ("untyped-branch", taking(how={"oneOf": [{}]}), True),
    ("untyped-branch", taking(how={"anyOf": [{"$ref": "#/properties/when"}], "when": {}}), True),
    ("untyped-branch", taking(how={"anyOf": [{"$ref": "#/properties/by"}]}, by={"type": "string"}), False),
    ("discriminator-keyword", taking(discriminator={"type": "string"}), False),
    ("schema-references", taking(box={"$ref": "#/$defs/Box"}), True),
    ("alternatives-at-the-root", tool(inputSchema={"type": "object", "oneOf": []}), True),
    ("alternatives-at-the-root", taking(how={"oneOf": []}), False),
    ("array-without-items", taking(pair={"type": "array", "prefixItems": [{"type": "string"}]}), True),
    ("array-without-items", taking(any={"type": "array", "items": {}}), False),
    ("unportable-property", taking(**{"a.b-c_d": {}}), False),
    ("unportable-property", taking(größe={}), True),
]


@pytest.mark.parametrize(("rule", "listing", "bad"), LISTINGS)
def test_a_listing_is_judged(rule: str, listing: dict[str, Any], bad: bool, tmp_path: Path) -> None:
    assert bool(found(rule, listing, tmp_path)) is bad


def capped(limit: str, *fields: str) -> dict[str, Any]:
    output = {"orders": {"type": "array"}} | {field: {"type": "integer"} for field in fields}
    entry = taking(**{limit: {"type": "integer"}})["tools"][0]
    return {"tools": [entry | {"outputSchema": {"type": "object", "properties": output}}]}


@pytest.mark.parametrize("limit", ["limit", "per_page", "perPage", "page_size", "maxResults", "MAX_ITEMS"])
def test_a_list_is_capped_by_every_usual_name(limit: str, tmp_path: Path) -> None:
    assert found("silent-cap", capped(limit), tmp_path) == ["tools/ship.outputSchema.properties.orders"]


@pytest.mark.parametrize("field", ["truncated", "totalCount", "total", "has_more", "next_cursor", "nextPage"])
def test_a_cap_is_disclosed_by_every_usual_name(field: str, tmp_path: Path) -> None:
    assert found("silent-cap", capped("limit", field), tmp_path) == []


def test_a_tool_without_a_limit_or_a_list_caps_nothing(tmp_path: Path) -> None:
    assert found("silent-cap", capped("delimiter"), tmp_path) == []
    assert found("silent-cap", taking(limit={"type": "integer"}), tmp_path) == []


LOW_LEVEL = """
import mcp.types as types
from mcp.server.lowlevel import Server

server = Server("shop")

@server.list_{what}()
async def lists():
{body}
"""
TOOLS = [
    # An early return, and the rest.
    (
        "duplicate-name",
        "    if small:\n        return [types.Tool(name='ship', description='Ship.', inputSchema={})]\n"
        "    return [types.Tool(name='ship', description='Ship well.', inputSchema={})]",
        False,
    ),
    (
        "duplicate-name",
        "    return [types.Tool(name='ship', inputSchema={}), types.Tool(name='ship', inputSchema={})]",
        True,
    ),
    # One place that is reached twice is one definition.
    ("duplicate-name", "    return [made(a=1)] if x else [made(a=2)]", False),
    ("missing-handler", "    return []", False),
    ("missing-handler", "    return [made(a=1)]", True),
]


@pytest.mark.parametrize(("rule", "body", "bad"), TOOLS)
def test_a_low_level_listing_is_judged(rule: str, body: str, bad: bool, tmp_path: Path) -> None:
    made = "\ndef made(a):\n    return types.Tool(name='made', description='Made.', inputSchema={})\n"
    text = LOW_LEVEL.format(what="tools", body=body) + made

    assert bool(found(rule, text, tmp_path, "shop.py")) is bad


def test_a_field_of_a_written_schema_is_found_at_its_key(tmp_path: Path) -> None:
    schema = "{\n    'type': 'object',\n    'properties': {\n      'order': {'type': 'string'},\n    }}"
    text = LOW_LEVEL.format(
        what="tools", body=f"    return [types.Tool(name='a', description='A.', inputSchema={schema})]"
    )
    (tmp_path / "shop.py").write_text(text, "utf-8")

    (finding,) = lint(tmp_path, settings=Settings(select=("undescribed-field",)), root=tmp_path).findings

    place = finding.location
    assert place.text[place.column - 1 : place.end_column - 1] == "'order'"


HEAD = """
from typing import Annotated, Literal, Optional
from elsewhere import ORDER_FIELD, Thing, describe
from fastmcp import Context, FastMCP
from fastmcp.tools import ToolResult
from pydantic import AnyUrl, BaseModel, Field
from collections.abc import Callable

mcp = FastMCP("shop")
NAME_FIELD = Field(description="Its name.")

class Own: ...
class Model(BaseModel): ...

"""

SOURCES = [
    ("undescribed-field", "@mcp.tool\ndef ship(name: str = NAME_FIELD): 'Ship.'", False),
    ("undescribed-field", "@mcp.tool\ndef ship(name: Annotated[str, NAME_FIELD]): 'Ship.'", False),
    ("undescribed-field", "@mcp.tool\ndef ship(order: Annotated[str, ORDER_FIELD]): 'Ship.'", False),
    ("undescribed-field", "@mcp.tool\ndef ship(order: Annotated[str, 'Its id.']): 'Ship.'", False),
    ("undescribed-field", "@mcp.tool\ndef ship(thing: Thing): 'Ship.'", False),
    ("undescribed-field", "@mcp.tool\ndef ship(ctx: Optional[Context] = None): 'Ship.'", False),
    ("undescribed-field", "@mcp.tool\ndef ship(stock: Annotated[str, Resolve(find)]): 'Ship.'", False),
    ("undescribed-field", "@mcp.tool\ndef ship(how: str = 'air'): 'Ship.'", True),
    ("undescribed-field", "@mcp.tool(description=describe())\ndef ship(how: str): ...", False),
    ("missing-description", "@mcp.tool(description=describe())\ndef ship(): ...", False),
    ("duplicate-name", "@mcp.tool\ndef ship(): ...\n@mcp.tool(name='ship')\ndef other(): ...", True),
    (
        "duplicate-name",
        "@mcp.tool(version='1')\ndef ship(): ...\n@mcp.tool(name='ship', version='2')\ndef b(): ...",
        False,
    ),
    # Only one of them is ever there.
    (
        "duplicate-name",
        "if a:\n    @mcp.tool\n    def ship(): ...\nelse:\n    @mcp.tool\n    def ship(order): ...",
        False,
    ),
    (
        "duplicate-name",
        "if a:\n    @mcp.tool\n    def ship(): ...\nif not a:\n    @mcp.tool()\n    def ship(order): ...",
        False,
    ),
    (
        "duplicate-name",
        "try:\n    import x\n    @mcp.tool\n    def ship(): ...\nexcept ImportError:\n    @mcp.tool\n"
        "    def ship(order): ...",
        False,
    ),
    ("duplicate-name", "if a:\n    @mcp.tool\n    def ship(): ...\n@mcp.tool\ndef ship(order): ...", True),
    (
        "duplicate-uri",
        "if a:\n    @mcp.resource('a://b')\n    def b(): ...\nelse:\n    @mcp.resource('a://b')\n"
        "    def c(): ...",
        False,
    ),
    ("duplicate-uri", "@mcp.resource('a://b')\ndef b(): ...\n@mcp.resource('a://b')\ndef c(): ...", True),
    # The SDK shows what the wrapped function says.
    (
        "missing-description",
        "from functools import wraps\ndef safe(fn):\n    @mcp.tool\n    @wraps(fn)\n"
        "    def inner(**given): ...",
        False,
    ),
    ("missing-description", "@mcp.tool(name_of(x), text_of(x))\ndef ship(): ...", False),
    ("missing-description", "@mcp.tool('ship')\ndef ship(): ...", True),
    ("missing-description", "def ship(): ...\nmcp.add_tool(ship, 'ship')", True),
    ("unmatched-template-variable", "@mcp.resource('a://{b}')\ndef get(**given): ...", False),
    ("undescribed-field", "@mcp.tool\ndef move(dx: int): 'Move by (dx, dy).'", False),
    ("undescribed-field", "@mcp.tool\ndef read(stack: str): 'Read /opt/<stack>/compose.yaml.'", False),
    ("undescribed-field", "@mcp.tool\ndef read(stack: str): 'Read the stack, all of it.'", True),
    ("unserialisable-type", "@mcp.tool\ndef ship(then: Optional[Callable[[str], None]] = None): ...", True),
    ("unserialisable-type", "@mcp.tool\ndef ship(own: list[Own]): ...", True),
    ("unserialisable-type", "@mcp.tool\ndef ship(model: Model, how: Literal['Own'], x: Thing): ...", False),
    ("unserialisable-type", "@mcp.tool\ndef ship(ctx: Context): ...", False),
    ("unserialisable-type", "def helper(own: Own): ...\n@mcp.tool\ndef ship():\n    helper(Own())", False),
    ("unmatched-template-variable", "@mcp.resource('a://{b*}{?c}')\ndef get(b: str, c: int = 1): ...", False),
    ("unmatched-template-variable", "@mcp.resource('a://{b}/{c}')\ndef get(b: str): ...", True),
    ("misshapen-scopes", "@mcp.tool(auth=require_scopes(['a']))\ndef ship(): ...", True),
    ("misshapen-scopes", "@mcp.tool(auth=[check, require_scopes('a', 'b')])\ndef ship(): ...", False),
    ("empty-scope", "mcp.auth = Provider(required_scopes=['a', ' '])\n@mcp.tool\ndef ship(): ...", True),
    ("empty-scope", "@mcp.tool(auth=lambda context: context.token != '')\ndef ship(): ...", False),
    ("misshapen-scopes", "mcp.auth = Provider(required_scopes=scopes)\n@mcp.tool\ndef ship(): ...", False),
    (
        "text-parity",
        "@mcp.tool\ndef a():\n    return ToolResult(content=t, structured_content={'x': x})",
        False,
    ),
    (
        "text-parity",
        "@mcp.tool\ndef a():\n    return ToolResult(content=f'{x}', structured_content={'x': x.y})",
        False,
    ),
    (
        "text-parity",
        "@mcp.tool\ndef a():\n    t = 'Is: '\n    t += x\n"
        "    return ToolResult(content=t, structured_content={'x': x})",
        False,
    ),
    (
        "text-parity",
        "@mcp.tool\ndef a():\n    t = 'Done.'\n    return ToolResult(content=t, structured_content={'x': x})",
        True,
    ),
]


@pytest.mark.parametrize(("rule", "body", "bad"), SOURCES)
def test_source_is_judged(rule: str, body: str, bad: bool, tmp_path: Path) -> None:
    assert bool(found(rule, HEAD + textwrap.dedent(body) + "\n", tmp_path, "shop.py")) is bad


def test_a_field_of_a_shared_model_is_found_once(tmp_path: Path) -> None:
    body = (
        "class Box(BaseModel):\n    size: int\n    inner: 'Box'\n"
        "@mcp.tool\ndef ship(box: Annotated[Box, 'A.']): ...\n"
        "@mcp.tool\ndef open(box: Annotated[Box, 'B.']): ...\n"
    )

    assert found("undescribed-field", HEAD + body, tmp_path, "shop.py") == [
        "tools/ship.inputSchema.properties.box.properties.size",
        "tools/ship.inputSchema.properties.box.properties.inner",
    ]
