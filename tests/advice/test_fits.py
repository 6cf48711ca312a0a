from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import jsonschema
import pytest

from mcp_error_middleware.advice.fits import Untold, fits

VALUES: list[Any] = [
    None, True, False, -1, 0, 1, 2, 3, 0.5, 1.0, "", "a", "ab", "b1",
    [], [1], [1, 1.0], [True, 1], ["a", 2, None],
    {}, {"a": 1}, {"a": "b", "b": 2}, {"ab": [1]}, {"a": {"b": 1}, "b": []},
]  # fmt: skip
TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"]


def schema_of(random: Random, depth: int = 2) -> Any:
    """Up to three keywords; those that hold schemas hold others of these."""
    pick = random.choice
    if depth == 0:
        return pick([True, False, {"type": pick(TYPES)}, {"const": pick(VALUES)}])

    def inner() -> Any:
        return schema_of(random, depth - 1)

    def fields() -> dict[str, Any]:
        return {name: inner() for name in random.sample(["a", "b"], 2)}

    keywords: dict[str, Callable[[], Any]] = {
        "$ref": lambda: "#/$defs/part",
        "type": lambda: pick([pick(TYPES), random.sample(TYPES, 2)]),
        "const": lambda: pick(VALUES),
        "enum": lambda: random.sample(VALUES, 5),
        "multipleOf": lambda: pick([1, 2, 0.5]),
        "pattern": lambda: pick(["^a", "b", "1$"]),
        "uniqueItems": lambda: pick([True, False]),
        "required": lambda: random.sample(["a", "b"], random.randint(0, 2)),
        "dependentRequired": lambda: {"a": ["b"]},
        "patternProperties": lambda: {"^a": inner()},
        **dict.fromkeys(["minimum", "maximum"], lambda: pick([0, 1, 1.5])),
        **dict.fromkeys(["exclusiveMinimum", "exclusiveMaximum"], lambda: pick([0, 1, 1.5])),
        **dict.fromkeys(["minLength", "maxLength", "minItems", "maxItems"], lambda: pick([0, 1, 2])),
        **dict.fromkeys(
            ["minProperties", "maxProperties", "minContains", "maxContains"], lambda: pick([0, 1])
        ),
        **dict.fromkeys(["allOf", "anyOf", "oneOf", "prefixItems"], lambda: [inner(), inner()]),
        **dict.fromkeys(["not", "if", "then", "else", "contains", "items"], inner),
        **dict.fromkeys(["additionalProperties", "propertyNames"], inner),
        **dict.fromkeys(["properties", "dependentSchemas"], fields),
    }
    return {name: keywords[name]() for name in random.sample(sorted(keywords), random.randint(1, 3))}


@pytest.mark.parametrize("seed", range(20))
def test_a_value_fits_where_the_reference_says_so(seed: int) -> None:
    random = Random(seed)
    for _ in range(40):
        schema = {"allOf": [schema_of(random)], "$defs": {"part": {"type": random.choice(TYPES)}}}
        validator = jsonschema.Draft202012Validator(schema)
        assert [(v, fits(v, schema, schema)) for v in VALUES] == [(v, validator.is_valid(v)) for v in VALUES]


@pytest.mark.parametrize(
    ("value", "schema", "told"),
    [
        ([1, "a"], {"items": [{"type": "integer"}], "additionalItems": {"type": "string"}}, True),
        ([1, 2], {"items": [{"type": "integer"}], "additionalItems": False}, False),
        ({"a": 1}, {"dependencies": {"a": ["b"]}}, False),
        ({"a": 1}, {"properties": {"a": {}}, "unevaluatedProperties": False}, True),
        ({"a": 1}, {"unevaluatedProperties": False}, False),
        ({"a": 1}, {"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False}, True),
        ({"a": 1, "b": 2}, {"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False}, False),
        ({"a": 1}, {"anyOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False}, True),
        ({"a": 1}, {"if": {"properties": {"a": {"const": 2}}}, "unevaluatedProperties": False}, False),
        ({"a": 1}, {"patternProperties": {"^a": {}}, "unevaluatedProperties": False}, True),
        ({"a": 1}, {"unevaluatedProperties": {"type": "integer"}}, True),
        ([1], {"items": {}, "unevaluatedItems": False}, True),
        ({"a": 1}, {"x-order": ["a"], "description": "A note"}, True),
    ],
)
def test_older_and_rarer_words_are_understood(value: Any, schema: Any, told: bool) -> None:
    assert fits(value, schema, schema) is told
    if "items" not in schema and "dependencies" not in schema:
        assert jsonschema.Draft202012Validator(schema).is_valid(value) is told


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        ({"a": 1}, {"unevaluatedProperties": False, "dependentSchemas": {"a": {"properties": {"a": {}}}}}),
        ([1], {"unevaluatedItems": False}),
        (1, {"$ref": "elsewhere.json"}),
        (1, {"$ref": "#"}),
        (1, {"not": {"$ref": "#/nowhere"}}),
        (1, "nonsense"),
    ],
)
def test_what_cannot_be_told_is_not_told(value: Any, schema: Any) -> None:
    with pytest.raises(Untold):
        fits(value, schema, schema)
