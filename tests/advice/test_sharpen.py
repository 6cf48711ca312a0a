from __future__ import annotations

from typing import Any

import pytest

from mcp_error_middleware.advice.sharpen import at, sharpened
from mcp_error_middleware.model import Issue

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "order_id": {"type": "string"},
        "speed": {"$ref": "#/$defs/Speed"},
        "boxes": {"type": "array", "items": {"$ref": "#/$defs/Box"}},
        "colour": {"anyOf": [{"enum": ["red", "green"]}, {"type": "null"}]},
        "pet": {"oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]},
    },
    "$defs": {
        "Cat": {"properties": {"kind": {"const": "cat"}, "lives": {}}},
        "Dog": {"allOf": [{"properties": {"kind": {"const": "dog"}}}, {"properties": {"barks": {}}}]},
        "Speed": {"enum": ["express", "standard"]},
        "Box": {"type": "object", "properties": {"weight": {"type": "number"}}},
    },
}


@pytest.mark.parametrize(
    ("path", "problem", "arguments", "sharper"),
    [
        ("ordr_id", "is not a known argument", {}, "is not a known argument; did you mean 'order_id'?"),
        ("boxes[0].wight", "is not a known field", {}, "is not a known field; did you mean 'weight'?"),
        (
            "order_id",
            "is required",
            {"orderId": "x"},
            "is required, and 'orderId' is not known; did you mean 'order_id'?",
        ),
        (
            "boxes[0].weight",
            "is required",
            {"boxes": [{"wght": 1}]},
            "is required, and 'wght' is not known; did you mean 'weight'?",
        ),
        ("speed", "must be one of", {"speed": "expres"}, "must be one of; did you mean 'express'?"),
        (
            "boxes[0].weight",
            "is required",
            {"boxes": [{"w": 1}]},
            "is required, and 'w' is not known; did you mean 'weight'?",
        ),
        ("order_id", "is required", {"reference": 7}, "is required, and 'reference' is not known"),
        ("order_id", "is required", {"reference": 7, "note": 8}, "is required"),
        ("pet.kind", "must be one of", {"pet": {"kind": "dgo"}}, "must be one of; did you mean 'dog'?"),
        ("colour", "must be one of", {"colour": "GREEN"}, "must be one of; did you mean 'green'?"),
        (
            "pet.lives",
            "is required",
            {"pet": {"kind": "cat", "livs": 9}},
            "is required, and 'livs' is not known; did you mean 'lives'?",
        ),
        ("pet.brks", "is not a known field", {}, "is not a known field; did you mean 'barks'?"),
        ("pet.kind", "must be 'cat'", {"pet": {"kind": "ct"}}, "must be 'cat'; did you mean 'cat'?"),
    ],
)  # fmt: skip
def test_an_issue_says_what_was_probably_meant(
    path: str, problem: str, arguments: object, sharper: str
) -> None:
    assert sharpened([Issue(path, problem)], SCHEMA, arguments) == (Issue(path, sharper),)


@pytest.mark.parametrize(
    "issue",
    [
        Issue("zzz", "is not a known argument"),
        Issue("order_id", "is required"),
        Issue("speed", "must be 'express' or 'standard'"),
        Issue("boxes", "must be a list"),
        Issue("", "fits none of the allowed forms"),
    ],
    ids=repr,
)
@pytest.mark.parametrize(
    "schema", [SCHEMA, None, {}, {"properties": 5}, {"$ref": "#"}], ids=["whole", *"abcd"]
)
def test_where_nothing_is_near_an_issue_stays_as_it_is(issue: Issue, schema: Any) -> None:
    assert sharpened([issue], schema, {"speed": "teleport", "unrelated": 1, "too": 2}) == (issue,)


def test_a_misspelt_name_is_said_once() -> None:
    missing, unknown = Issue("order_id", "is required"), Issue("orderId", "is not a known argument")
    stray = Issue("colr", "is not a known argument")
    arguments = {"orderId": "x", "colr": "red"}

    assert sharpened([missing, unknown, stray], SCHEMA, arguments) == (
        Issue("order_id", "is required, and 'orderId' is not known; did you mean 'order_id'?"),
        Issue("colr", "is not a known argument; did you mean 'colour'?"),
    )


def test_a_rejected_value_is_never_said() -> None:
    (issue,) = sharpened([Issue("speed", "must be 'express' or 'standard'")], SCHEMA, {"speed": "expresss"})
    assert "expresss" not in issue.problem


def test_a_path_leads_through_lists_references_and_options() -> None:
    assert at(SCHEMA, "boxes[3].weight") == {"type": "number"}
    assert at(SCHEMA, "nowhere.else") == {}
