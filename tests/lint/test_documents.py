"""JSON in, manifests and listings out."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from mcp_error_middleware.lint import Location
from mcp_error_middleware.lint.documents import from_listing, is_listing, manifest

TEXT = """{
  "name": "io.github.shop/server",
  "packages": [
    {"identifier": "shop", "version": "latest"}
  ]
}"""


def test_every_value_of_a_manifest_has_its_place() -> None:
    found = manifest(TEXT, "server.json")

    line = '    {"identifier": "shop", "version": "latest"}'
    assert found.at("packages", 0, "version") == Location(
        "server.json", 4, 39, 4, 47, line, "packages[0].version"
    )
    assert found.at("packages", 0, "transport") == Location(
        "server.json", 4, 5, 4, 6, line, "packages[0].transport"
    )
    assert found.at("version") == Location("server.json", 1, 1, 1, 2, "{", "version")


def test_a_manifest_knows_the_version_of_its_project(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nversion = '1.2.3'\n", "utf-8")

    assert manifest("{}", "server.json", tmp_path / "server.json").project_version == "1.2.3"
    assert manifest("{}", "server.json").project_version is None


def test_a_listing_becomes_definitions() -> None:
    listing = {
        "tools": [
            {
                "name": "ship",
                "title": "Ship",
                "description": "Ship it.",
                "inputSchema": {"type": "object"},
                "outputSchema": {"type": "string"},
                "annotations": {"readOnlyHint": True},
                "_meta": {"ui": 1},
            }
        ],
        "resources": [{"name": "order", "uri": "order://1", "mimeType": "text/plain"}],
        "resourceTemplates": [{"name": "orders", "uriTemplate": "order://{id}"}],
        "prompts": [{"name": "ask", "arguments": [{"name": "what", "description": "What."}, 3]}],
    }

    tool, resource, template, prompt = from_listing(listing, Location("x"), "x")

    assert (tool.input_schema, tool.output_schema) == ({"type": "object"}, {"type": "string"})
    assert (tool.title, tool.description, tool.annotations, tool.meta) == (
        "Ship",
        "Ship it.",
        {"readOnlyHint": True},
        {"ui": 1},
    )
    assert (resource.kind, resource.uri, resource.mime_type) == ("resource", "order://1", "text/plain")
    assert (template.kind, template.uri) == ("template", "order://{id}")
    assert prompt.input_schema == {
        "type": "object",
        "properties": {"what": {"type": "string", "description": "What."}},
    }


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(json_values, st.sampled_from([None, 1, 4]))
def test_any_json_is_taken(value: object, indent: int | None) -> None:
    found = manifest(json.dumps(value, indent=indent), "server.json")

    assert found.data == value
    assert found.at("any", 0, "where").path == "server.json"


@given(st.dictionaries(st.sampled_from(["tools", "resources", "resourceTemplates", "prompts"]), json_values))
def test_any_listing_is_taken(listing: dict[str, object]) -> None:
    found = [*from_listing(listing, Location("x"), "x")]

    assert all(each.pointer for each in found)
    assert is_listing(listing) is any(isinstance(each, list) for each in listing.values())
