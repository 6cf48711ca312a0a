from __future__ import annotations

from typing import Annotated, Any, Literal

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from mcp_error_middleware.advice import example_of


class Item(BaseModel):
    sku: str = Field(min_length=3, max_length=8)
    count: Annotated[int, Field(ge=1, le=10)]
    note: str | None = None


class Order(BaseModel):
    customer: str
    items: list[Item] = Field(min_length=1)
    priority: Literal["low", "high"]
    weight: Annotated[float, Field(gt=0, lt=0.4)]
    gift: bool = False
    copies: Annotated[int, Field(multiple_of=5, gt=10)]


def test_an_example_has_what_is_required_and_nothing_else() -> None:
    example = example_of(Order.model_json_schema())
    assert example == {
        "customer": "customer",
        "items": [{"sku": "sku", "count": 1}],
        "priority": "low",
        "weight": 0.2,
        "copies": 15,
    }
    Order.model_validate(example)


class Read(BaseModel):
    operation: Literal["read"] = "read"
    key: str


class Write(BaseModel):
    operation: Literal["write"] = "write"
    key: str


class Step(BaseModel):
    step: Annotated[Read | Write, Field(discriminator="operation")]


def test_an_example_has_what_tells_alternatives_apart() -> None:
    example = example_of(Step.model_json_schema())
    assert example == {"step": {"key": "key", "operation": "read"}}
    Step.model_validate(example)


@pytest.mark.parametrize(
    ("schema", "example"),
    [
        ({"type": "string"}, "value"),
        ({"type": "string", "format": "date"}, "2026-01-31"),
        ({"type": "string", "examples": ["ord_1"], "pattern": "ord_.*"}, "ord_1"),
        ({"enum": ["b", "a"]}, "b"),
        ({"const": 7}, 7),
        ({"type": ["null", "integer"]}, 1),
        ({"type": "integer", "minimum": 40}, 40),
        ({"type": "integer", "maximum": -3}, -3),
        ({"type": "integer", "exclusiveMinimum": 40, "multipleOf": 7}, 42),
        ({"anyOf": [{"type": "null"}, {"type": "boolean"}]}, True),
        ({"allOf": [{"type": "object", "required": ["a"]}, {"properties": {"a": {"const": 1}}}]}, {"a": 1}),
        ({"$ref": "#/$defs/id", "$defs": {"id": {"type": "string", "minLength": 8}}}, "valuexxx"),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 2}, [1, 1]),
        ({"type": "array", "items": {"type": "integer"}}, [1]),
        ({"type": "object", "additionalProperties": {"type": "integer", "minimum": 5}}, {"1": 5}),
        ({"type": "object", "additionalProperties": {}}, {}),
        ({"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 0}, {}),
        (
            {"type": "object", "additionalProperties": {}, "propertyNames": {"pattern": "^x"}},
            {},
        ),
        (
            {
                "type": "object",
                "additionalProperties": {"const": 1},
                "propertyNames": {"pattern": "^[A-Z]+$"},
            },
            {"A": 1},
        ),
        (
            {"type": "object", "additionalProperties": False, "patternProperties": {"^x-": {"const": 1}}},
            {"x-": 1},
        ),
        ({"type": "object", "additionalProperties": False, "patternProperties": {"(?=x)": {"const": 1}}}, {}),
        ({"properties": {"a": {"const": 1}}}, {}),
        ({"type": "array", "items": {"properties": {"a": {"const": 1}}}}, [{"a": 1}]),
        ({"type": "array", "items": {"properties": {"a": {"const": 1}}, "maxProperties": 0}}, [{}]),
        (
            {"type": "object", "required": ["a"], "dependentRequired": {"a": ["b"], "c": ["d"]}},
            {"a": "a", "b": "b"},
        ),
        (
            {
                "properties": {"by": {"enum": ["air", "sea"]}},
                "required": ["by"],
                "if": {"properties": {"by": {"const": "air"}}},
                "then": {"required": ["flight"]},
                "else": {"required": ["ship"]},
            },
            {"by": "air", "flight": "flight"},
        ),
        (
            {
                "type": "object",
                "allOf": [
                    {"required": ["a"], "if": {"required": ["a"]}, "then": {"required": ["b"]}},
                    {"if": {"required": ["z"]}, "then": {"required": ["y"]}, "else": {"required": ["c"]}},
                ],
            },
            {"a": "a", "b": "b", "c": "c"},
        ),
        (
            {"type": "object", "additionalProperties": {"type": "null"}, "propertyNames": {"enum": ["a"]}},
            {"a": None},
        ),
        ({"type": "object", "additionalProperties": {"type": "string", "pattern": "(?=1)2"}}, {}),
        ({"type": "array", "items": {"type": "string", "pattern": "^(?=.*1)[A-Z]{3}$"}}, []),
        ({"type": "string", "pattern": "^[A-Z]{2,9}-\\d+$"}, "AA-1"),
        ({"type": "string", "pattern": "^[a-z]+$", "minLength": 3}, "aaa"),
        ({"type": "string", "format": "uuid4"}, "00000000-0000-4000-8000-000000000000"),
        ({"type": "string", "format": "password"}, "value"),
        ({"type": "integer", "minimum": 3, "default": 1}, 3),
        ({"type": "integer", "default": "7"}, 1),
        ({"type": "string", "examples": [7, "ord_1"]}, "ord_1"),
        ({"oneOf": [{"type": "integer"}, {"type": "number"}, {"type": "boolean"}]}, True),
        ({"oneOf": [{"type": "number"}, {"type": "integer", "minimum": 5}]}, 1),
        (
            {"type": "object", "properties": {"a": {"const": 1}, "b": {"const": 2}}, "minProperties": 1},
            {"a": 1},
        ),
        ({"type": "string", "not": {"const": "x"}}, "value"),
        ({"type": "object", "properties": {"a": {}}, "dependentRequired": {"a": ["b"]}, "required": []}, {}),
        ({"properties": {"a": {"const": 1}}, "required": ["a"], "patternProperties": {"^x": {}}}, {"a": 1}),
        ({"type": "array", "maxItems": 0}, []),
        ({"type": "string", "description": "A zone (e.g., 'Europe/Berlin', 'UTC')"}, "Europe/Berlin"),
        ({"type": "string", "description": 'A key, for example "PROJ-1"', "maxLength": 3}, "val"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}], "description": "Such as `A1:D20`."}, "A1:D20"),
        ({"type": "string", "description": "Many, e.g. '...'"}, "value"),
        ({"type": "integer", "description": "e.g. '7'"}, 1),
        ({}, "value"),
        (True, "value"),
        ({"$ref": "#/$defs/My%20Id", "$defs": {"My Id": {"type": "integer"}}}, 1),
        ({"$ref": "#/$defs/pair/prefixItems/1", "$defs": {"pair": {"prefixItems": [{}, {"const": 7}]}}}, 7),
        ({"$ref": "#/$defs/a", "minimum": 10, "$defs": {"a": {"type": "integer", "minimum": 20}}}, 20),
        ({"allOf": [{"type": "number"}, {"type": "integer", "minimum": 3}, {"minimum": 10}]}, 10),
        ({"allOf": [{"type": ["string", "integer"]}, {"type": "integer"}]}, 1),
        ({"allOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]}, "b"),
        (
            {
                "allOf": [
                    {"properties": {"a": {"type": "integer"}}, "required": ["a"]},
                    {"properties": {"a": {"minimum": 7}}},
                ]
            },
            {"a": 7},
        ),
        (
            {
                "type": "object",
                "allOf": [
                    {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
                    {"anyOf": [{"required": ["c"]}, {"required": ["d"]}]},
                ],
            },
            {"a": "a", "c": "c"},
        ),
        ({"type": "object", "required": ["x_1"], "patternProperties": {"^x_": {"const": 1}}}, {"x_1": 1}),
        (
            {"type": "object", "additionalProperties": {"const": 1}, "minProperties": 2},
            {"1": 1, "2": 1},
        ),
        (
            {
                "type": "object",
                "propertyNames": {"pattern": "^[a-z]{2,4}$"},
                "additionalProperties": {"const": 1},
                "minProperties": 2,
            },
            {"aa": 1, "aaa": 1},
        ),
        (
            {
                "type": "object",
                "required": ["card"],
                "dependentSchemas": {"card": {"properties": {"cvc": {"const": 1}}, "required": ["cvc"]}},
            },
            {"card": "card", "cvc": 1},
        ),
        ({"type": "object", "required": ["a"], "dependencies": {"a": ["b"]}}, {"a": "a", "b": "b"}),
        (
            {"type": "array", "items": {"enum": ["x", "y"]}, "minItems": 2, "uniqueItems": True},
            ["x", "y"],
        ),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 3, "uniqueItems": True}, [1, 2, 3]),
        (
            {"type": "array", "items": {"type": "string"}, "minItems": 2, "uniqueItems": True},
            ["value", "value2"],
        ),
        ({"type": "array", "prefixItems": [{"const": 1}], "items": {"const": 2}, "minItems": 3}, [1, 2, 2]),
        ({"type": "array", "contains": {"const": 5}}, [5]),
        (
            {"type": "array", "items": {"type": "integer"}, "contains": {"minimum": 5}, "minContains": 2},
            [5, 5],
        ),
        ({"type": "string", "not": {"const": "value"}}, "value2"),
        (
            {
                "type": "string",
                "contentMediaType": "application/json",
                "contentSchema": {"type": "object", "required": ["a"]},
            },
            '{"a":"a"}',
        ),
        (
            {
                "type": "object",
                "allOf": [{"properties": {"a": {"const": 1}}, "required": ["a"]}],
                "anyOf": [{"properties": {"b": {"const": 2}}, "required": ["b"]}, {"required": ["c"]}],
                "unevaluatedProperties": False,
            },
            {"a": 1, "b": 2},
        ),
        ({"type": "string", "format": "uri-reference"}, "https://example.com/"),
        ({"type": "integer", "minimum": 1.2, "multipleOf": 0.5}, 2),
        ({"type": "string", "pattern": "^foo-\\d$|^bar$"}, "foo-1"),
    ],
)
def test_an_example_fits_its_schema(schema: Any, example: Any) -> None:
    assert example_of(schema) == example
    jsonschema.validate(example, schema)


@pytest.mark.parametrize(
    "schema",
    [
        None,
        "nonsense",
        {"type": "string", "pattern": "^(?=.*1)[A-Z]{3}$"},
        {"type": "string", "pattern": "("},
        {"type": "string", "contentMediaType": "application/json"},
        {"type": "string", "pattern": "^[A-Z]{3}$", "minLength": 4},
        {"enum": ["a"], "type": "integer"},
        {"type": "object", "required": ["a"], "unevaluatedProperties": False},
        {"type": "array", "items": {"type": "array"}, "minItems": 4, "maxItems": 1},
        {"type": "string", "format": "iban"},
        {"not": {"type": "string"}},
        {"$ref": "#/$defs/self", "$defs": {"self": {"$ref": "#/$defs/self"}}},
        {"$ref": "elsewhere.json"},
        {"type": "integer", "minimum": 5, "maximum": 4},
        {"type": "array", "items": {"type": "string", "maxLength": 0}, "minItems": 2, "uniqueItems": True},
        {"type": "array", "items": {"const": 1}, "minItems": 2, "uniqueItems": True},
        {"type": "object", "required": 5},
        {"$ref": "#anchor", "$defs": {"a": {"$anchor": "anchor", "type": "integer"}}},
        {"type": "object", "properties": {"a": {"$dynamicRef": "#a"}}, "required": ["a"]},
        {"allOf": [{"enum": ["a"]}, {"enum": ["b"]}]},
        {"type": "colour"},
    ],
)
def test_what_cannot_be_vouched_for_has_no_example(schema: Any) -> None:
    assert example_of(schema) is None


scalars = st.fixed_dictionaries(
    {"type": st.sampled_from(["integer", "number"])},
    optional={
        "minimum": st.integers(-50, 50),
        "maximum": st.integers(-50, 50),
        "exclusiveMinimum": st.integers(-50, 50),
        "exclusiveMaximum": st.integers(-50, 50),
        "multipleOf": st.sampled_from([1, 2, 7]),
    },
) | st.fixed_dictionaries(
    {"type": st.just("string")}, optional={"minLength": st.integers(0, 9), "maxLength": st.integers(9, 20)}
)
schemas = st.recursive(
    scalars,
    lambda inner: (
        st.fixed_dictionaries(
            {
                "type": st.just("object"),
                "properties": st.dictionaries(st.sampled_from("abc"), inner),
                "required": st.lists(st.sampled_from("abc"), unique=True),
            }
        )
        | st.fixed_dictionaries({"type": st.just("array"), "items": inner, "minItems": st.integers(0, 3)})
        | st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=3)})
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(schemas)
def test_every_example_given_is_valid(schema: dict[str, Any]) -> None:
    if (example := example_of(schema)) is not None:
        jsonschema.validate(example, schema)


odd = st.recursive(
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(
                ["integer", "number", "string", ["string", "null"], ["integer", "string"]]
            ),
            "minimum": st.integers(-9, 9),
            "exclusiveMaximum": st.integers(0, 20),
            "multipleOf": st.sampled_from([1, 3, 0.5]),
            "minLength": st.integers(0, 9),
            "pattern": st.sampled_from(["^[a-z]+$", "^(ab){2}|c$", "\\d{2}", "^(?!x)[a-z]"]),
            "enum": st.sampled_from([["a", "b"], [1, 2, None], ["b", 2]]),
            "not": st.sampled_from([{"const": 1}, {"enum": ["value", "a"]}, {"type": "null"}]),
        },
    ),
    lambda inner: (
        st.fixed_dictionaries({"allOf": st.lists(inner, min_size=1, max_size=2)}, optional={"not": inner})
        | st.fixed_dictionaries(
            {"oneOf": st.lists(inner, min_size=1, max_size=2)},
            optional={"anyOf": st.lists(inner, min_size=1)},
        )
        | st.fixed_dictionaries(
            {"type": st.just("array")},
            optional={
                "items": inner,
                "prefixItems": st.lists(inner, min_size=1, max_size=2),
                "contains": inner,
                "minContains": st.integers(0, 2),
                "minItems": st.integers(0, 3),
                "maxItems": st.integers(0, 3),
                "uniqueItems": st.booleans(),
            },
        )
        | st.fixed_dictionaries(
            {"type": st.just("object")},
            optional={
                "properties": st.dictionaries(st.sampled_from("ab"), inner),
                "patternProperties": st.dictionaries(st.sampled_from(["^a", "b$"]), inner, max_size=1),
                "additionalProperties": inner | st.just(False),
                "propertyNames": st.sampled_from([{"pattern": "^[ab]+$"}, {"enum": ["a", "ab"]}]),
                "required": st.lists(st.sampled_from("abc"), unique=True),
                "minProperties": st.integers(0, 3),
                "dependentRequired": st.dictionaries(st.sampled_from("ab"), st.just(["c"]), max_size=1),
                "dependentSchemas": st.dictionaries(st.sampled_from("ab"), inner, max_size=1),
                "if": st.just({"required": ["a"]}),
                "then": st.just({"required": ["b"]}),
                "else": inner,
                "unevaluatedProperties": st.just(False),
            },
        )
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(odd)
def test_every_example_of_an_odd_schema_is_valid(schema: dict[str, Any]) -> None:
    if (example := example_of(schema)) is not None:
        jsonschema.validate(example, schema)


def test_a_union_of_unions_ends() -> None:
    variants = [{"$ref": "#/$defs/node", "title": f"v{n}"} for n in range(30)]
    node = {"type": "object", "required": ["next"], "properties": {"next": {"anyOf": variants}}}
    assert example_of({"$ref": "#/$defs/node", "$defs": {"node": node}}) is None


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "format": "uri", "maxLength": 5},
        {"type": "string", "minLength": 5, "maxLength": 2},
        {"type": "integer", "minimum": 1.2, "maximum": 1.8, "multipleOf": 0.5},
        {"type": "array", "contains": {"type": "integer"}, "items": {"type": "string"}},
        {"type": "array", "prefixItems": [{"type": "string"}], "items": False, "minItems": 2},
        {"type": "array", "prefixItems": [{"type": "string"}], "maxItems": 0},
        {"type": "object", "required": ["b"], "propertyNames": {"pattern": "^a"}},
        {"type": "object", "required": ["a"], "dependentRequired": {"a": ["b"]}, "maxProperties": 1},
        {"type": "object", "required": ["a"], "if": {"required": ["a"]}, "then": False},
        {"type": "object", "required": ["a"], "if": {"required": ["a"]}, "then": {"$ref": "#"}},
        {"type": "object", "required": ["a"], "additionalProperties": False},
        {"type": "object", "required": ["a", "b"], "maxProperties": 1},
        {"allOf": [{"type": "integer"}, {"type": "string"}]},
        {"type": "object", "anyOf": [{"type": "integer"}]},
    ],
    ids=repr,
)
def test_what_cannot_be_vouched_for_is_not_shown(schema: dict[str, Any]) -> None:
    assert example_of(schema) is None


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "object", "properties": {"a": {"const": None}}, "required": ["a"]}, {"a": None}),
        ({"type": "object", "required": ["a"], "additionalProperties": {"type": "integer"}}, {"a": 1}),
        ({"type": "object", "properties": {"a": {"enum": [None, "x"]}}, "required": ["a"]}, {"a": "x"}),
        ({"type": "object", "properties": {"a": {"const": False}}, "required": ["a"]}, {"a": False}),
    ],
    ids=repr,
)  # fmt: skip
def test_an_example_fits_the_schema_it_is_from(schema: dict[str, Any], value: object) -> None:
    jsonschema.validate(value, schema)
    assert example_of(schema) == value
