import copy
from typing import Any

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator

from mcp_error_middleware.model import Failure
from mcp_error_middleware.render import Format, structured_allowed, tool_result, widen_schema
from tests.render.examples import NOT_FOUND
from tests.strategies import Raising, cycle, failures

OPEN: list[Any] = [
    None,
    {"type": "object"},
    {"type": "object", "additionalProperties": True},
    {"type": "object", "additionalProperties": {}},
    {"type": "object", "properties": {"total": {"type": "integer"}}, "required": []},
    {"type": "object", "title": "Order", "$defs": {"A": {"type": "string"}}, "x-fastmcp-wrap-result": True},
    {},
]

CLOSED: dict[str, tuple[dict[str, Any], list[Any], list[Any]]] = {
    # name: (schema, successes, what is neither a success nor an error)
    "wrapped": (
        {
            "type": "object",
            "properties": {"result": {"type": "integer"}},
            "required": ["result"],
            "x-fastmcp-wrap-result": True,
        },
        [{"result": 1}],
        [{"result": "one"}, {}, {"error": {}}],
    ),
    "no additional properties": (
        {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False},
        [{}, {"a": "x"}],
        [{"b": 1}],
    ),
    "typed additional properties": (
        {"type": "object", "additionalProperties": {"type": "integer"}},
        [{"a": 1}],
        [{"a": "x"}],
    ),
    "no unevaluated properties": (
        {
            "type": "object",
            "allOf": [{"properties": {"a": {"type": "string"}}, "required": ["a"]}],
            "unevaluatedProperties": False,
        },
        [{"a": "x"}],
        [{"a": "x", "b": 1}, {}],
    ),
    "reference": (
        {
            "type": "object",
            "$ref": "#/$defs/Node",
            "$defs": {
                "Node": {
                    "type": "object",
                    "properties": {"next": {"$ref": "#/$defs/Node"}, "value": {"type": "integer"}},
                    "required": ["value"],
                }
            },
        },
        [{"value": 1, "next": {"value": 2}}],
        [{"next": {"value": 2}}],
    ),
    "union": (
        {
            "type": "object",
            "oneOf": [
                {"properties": {"kind": {"const": "a"}}, "required": ["kind"]},
                {"properties": {"kind": {"const": "b"}, "n": {"type": "integer"}}, "required": ["kind", "n"]},
            ],
        },
        [{"kind": "a"}, {"kind": "b", "n": 1}],
        [{"kind": "b"}, {}],
    ),
    "exclusion": (
        {"type": "object", "not": {"required": ["secret"]}, "required": ["a"]},
        [{"a": 1}],
        [{"a": 1, "secret": 1}, {}],
    ),
    "condition": (
        {
            "type": "object",
            "if": {"required": ["a"]},
            "then": {"required": ["b"]},
            "else": {"required": ["c"]},
        },
        [{"a": 1, "b": 1}, {"c": 1}],
        [{"a": 1}, {}],
    ),
    "patterns": (
        {
            "type": "object",
            "properties": {"total": {"type": "integer"}},
            "patternProperties": {"^[a-e]": {"type": "string"}},
            "additionalProperties": False,
        },
        [{"total": 1, "b": "x"}],
        [{"total": "x"}, {"b": 1}, {"z": 1}],
    ),
    "names": (
        {"type": "object", "propertyNames": {"maxLength": 3}, "minProperties": 2},
        [{"a": 1, "b": 2}],
        [{"a": 1}, {"long_name": 1, "b": 2}],
    ),
    "an error property of its own": (
        {
            "type": "object",
            "properties": {"ok": {"type": "boolean"}, "error": {"type": ["string", "null"]}},
            "required": ["ok", "error"],
        },
        [{"ok": True, "error": None}, {"ok": False, "error": "none left"}],
        [{"ok": True, "error": 1}, {"error": "none left"}],
    ),
    "an envelope of its own": (
        {
            "type": "object",
            "properties": {
                "success": {"const": True},
                "data": {"type": "object", "required": ["orders"]},
                "error": {"type": "null"},
                "meta": {"type": "object"},
            },
            "required": ["success", "data", "error", "meta"],
            "additionalProperties": False,
        },
        [{"success": True, "data": {"orders": []}, "error": None, "meta": {}}],
        [{"success": True, "data": {}, "error": None, "meta": {}}],
    ),
}

closed = pytest.mark.parametrize(("schema", "successes", "neither"), CLOSED.values(), ids=list(CLOSED))
formats = pytest.mark.parametrize("form", list(Format))


@pytest.mark.parametrize("schema", OPEN)
@formats
def test_an_error_fits_where_there_is_no_schema_or_an_open_one(schema: Any, form: Format) -> None:
    assert structured_allowed(schema, format=form)
    Draft202012Validator(schema or {}).validate(tool_result(NOT_FOUND, format=form)["structuredContent"])


@closed
@formats
def test_an_error_does_not_fit_a_closed_schema(
    schema: dict[str, Any], successes: list[Any], neither: list[Any], form: Format
) -> None:
    assert not structured_allowed(schema, format=form)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array"},
        {"type": ["object", "null"]},
        {"type": "object", "properties": {"error": {}}},
        {"type": "object", "additionalProperties": {"type": "object"}},
        {"type": "object", "dependentRequired": {"error": ["x"]}},
        {"type": "object", "keywordOfTomorrow": 1},
        {"type": "object", "properties": {"a": Raising()}},
        {"type": "object", "$defs": cycle()},
        {"type": "object", "properties": 5},
        {"type": "object", "anyOf": [{}, {"required": ["error"]}], "properties": {"error": {"anyOf": 5}}},
        {1: 2},
        True,
        "object",
        [],
    ],
)
def test_in_doubt_an_error_does_not_fit(schema: Any) -> None:
    assert not structured_allowed(schema)


def test_what_the_envelope_needs_is_more_than_what_the_error_needs() -> None:
    schema = {"type": "object", "properties": {"data": {"type": "array"}}}

    assert structured_allowed(schema)
    assert not structured_allowed(schema, format=Format.ENVELOPE)


def test_a_schema_is_widened_to_success_or_error() -> None:
    wrapped, _, _ = CLOSED["wrapped"]
    widened = widen_schema(wrapped)

    assert widened.pop("properties").keys() == {"result", "error"}
    assert widened == {
        "type": "object",
        "x-fastmcp-wrap-result": True,
        "anyOf": [{"required": ["result"], "not": {"required": ["error"]}}, {"required": ["error"]}],
    }


@closed
@formats
def test_a_widened_schema_accepts_every_success_and_the_error_and_nothing_else(
    schema: dict[str, Any], successes: list[Any], neither: list[Any], form: Format
) -> None:
    widened = widen_schema(schema, format=form)

    Draft202012Validator.check_schema(widened)
    validator = Draft202012Validator(widened)
    error = tool_result(NOT_FOUND, format=form)["structuredContent"]
    assert [validator.is_valid(value) for value in [*successes, error]] == [True] * (len(successes) + 1)
    assert [validator.is_valid(value) for value in neither] == [False] * len(neither)


@closed
@formats
def test_a_widened_schema_stays_as_it_is_and_lets_errors_through(
    schema: dict[str, Any], successes: list[Any], neither: list[Any], form: Format
) -> None:
    before = copy.deepcopy(schema)
    widened = widen_schema(schema, format=form)

    assert widen_schema(widened, format=form) == widened
    assert structured_allowed(widened, format=form)
    assert widened["type"] == "object"
    assert schema == before


@given(failures())
@settings(deadline=None)
def test_every_error_fits_a_widened_schema(failed: Failure) -> None:
    for form in Format:
        if structured := tool_result(failed, format=form).get("structuredContent"):
            Draft202012Validator(widen_schema(CLOSED["wrapped"][0], format=form)).validate(structured)


@pytest.mark.parametrize(
    "schema", [*OPEN[1:], {"type": "array", "items": {"type": "string"}}, {"$ref": "#/$defs/A"}]
)
def test_what_is_open_or_no_object_is_not_widened(schema: dict[str, Any]) -> None:
    assert widen_schema(schema) == schema


def test_no_two_widened_schemas_share_an_object() -> None:
    wrapped, _, _ = CLOSED["wrapped"]
    widen_schema(wrapped)["properties"]["error"]["description"] = "changed"

    assert widen_schema(wrapped)["properties"]["error"]["description"] == "Present only when the call failed."


def test_what_could_never_be_sent_comes_back_untouched() -> None:
    schema = cycle()

    assert widen_schema(schema) is schema
