"""A JSON Schema in, its parts out; any JSON is taken."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_error_middleware.lint.schema import DEEPEST, LARGEST, branches, brief, properties, resolved, walk

json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(["$ref", "anyOf"]), inner),
    max_leaves=10,
)

BOX = {
    "type": "object",
    "properties": {
        "size": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/Size"}]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "pair": {"prefixItems": [{"type": "integer"}, True]},
        "default": {"default": {"properties": {"not": "a schema"}}, "enum": [{"items": {}}]},
    },
    "additionalProperties": False,
    "$defs": {"Size": {"type": "number"}},
}


def test_every_schema_inside_is_walked_in_order_and_data_is_not() -> None:
    assert [path for path, _ in walk(BOX)] == [
        (),
        ("properties", "size"),
        ("properties", "size", "anyOf", 0),
        ("properties", "size", "anyOf", 1),
        ("properties", "tags"),
        ("properties", "tags", "items"),
        ("properties", "pair"),
        ("properties", "pair", "prefixItems", 0),
        ("properties", "default"),
        ("$defs", "Size"),
    ]


def test_a_property_called_like_a_keyword_is_a_property() -> None:
    schema = {"properties": {"items": {"type": "array"}, "properties": {"type": "object"}}}

    assert [path for path, _ in walk(schema)] == [(), ("properties", "items"), ("properties", "properties")]


def test_a_walk_ends_however_deep_and_wide_the_schema_is() -> None:
    deep: dict[str, Any] = {}
    for _ in range(5_000):
        deep = {"items": deep}
    wide: dict[str, Any] = {"properties": {str(number): {} for number in range(2 * LARGEST)}}

    assert max(len(path) for path, _ in walk(deep)) == DEEPEST
    assert len([*walk(wide)]) == LARGEST


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ({"$ref": "#/$defs/Size"}, {"type": "number"}),
        ({"type": "string"}, {"type": "string"}),
        ({"$ref": "#/$defs/Other"}, {}),
        ({"$ref": "https://example.com/size.json"}, {}),
        ({"$ref": "#"}, BOX),
        ({"$ref": 3}, {"$ref": 3}),
        (True, {}),
    ],
)
def test_a_reference_is_followed_inside_of_the_document(schema: Any, found: Any) -> None:
    assert resolved(schema, BOX) == found


def test_references_in_a_circle_lead_nowhere() -> None:
    root = {"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}}

    assert resolved({"$ref": "#/$defs/A"}, root) == {}


@given(json_values, json_values)
def test_any_json_is_taken(schema: Any, root: Any) -> None:
    for _, part in walk(schema):
        assert isinstance(part, dict)
        assert all(isinstance(path, tuple) for path, _ in branches(part))
    assert isinstance(properties(schema), dict)
    assert isinstance(resolved(schema, root), dict)
    assert len(brief(schema)) < 10_000


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "null"),
        (True, "true"),
        (1, "1"),
        ("a\ud800", r"'a\ud800'"),
        ("x" * 100, f"'{'x' * 60}...'"),
        ([1], "a list"),
        ({}, "an object"),
    ],
)
def test_a_value_is_shown_in_brief(value: Any, shown: str) -> None:
    assert brief(value) == shown
