from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mcp_error_middleware.advice import outline_of
from mcp_error_middleware.advice.sharpen import sharpened
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
        Issue("zzz[0].zzz", "is not a known field"),
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
    assert sharpened([issue], schema, {"speed": "teleport"}) == (issue,)


def test_where_nothing_is_near_an_unknown_field_the_known_ones_are_said_once() -> None:
    unknown, other = Issue("zzz", "is not a known argument"), Issue("yyy", "is not a known argument")
    inside = Issue("boxes[0].zzz", "is not a known field")
    arguments = {"zzz": 1, "yyy": 2, "pet": {}, "speed": "x", "boxes": [{"zzz": 1, "weight": 2}]}

    assert sharpened([unknown, other, inside], SCHEMA, arguments) == (
        Issue("zzz", "is not a known argument (known: 'order_id', 'colour')"),
        other,
        inside,  # all there is was given
    )


def test_the_known_fields_are_said_as_far_as_there_is_room_and_not_where_they_lack_anyway() -> None:
    schema: dict[str, Any] = {"properties": {"id": {}, **{f"field_number_{n}": {} for n in range(50)}}}
    lacks, unknown = Issue("id", "is required"), Issue("zzz", "is not a known argument")

    _, sharp = sharpened([lacks, unknown], schema, {"zzz": {}, "yyy": {}})[:2]

    assert sharp.problem.startswith("is not a known argument (known: 'field_number_0', 'field_number_1'")
    assert len(sharp.problem) < 200


@pytest.mark.parametrize(
    ("name", "meant"),
    [("q", "query"), ("desc", "description"), ("mx_items", None), ("to", None), ("l", None)],
)
def test_an_unknown_field_is_the_one_that_it_is_short_for(name: str, meant: str | None) -> None:
    schema: dict[str, Any] = {
        "properties": {"query": {}, "description": {}, "token": {}, "limit": {}, "language": {}}
    }
    (issue,) = sharpened([Issue(name, "is not a known argument")], schema, {name: 1})
    said = (
        f"did you mean '{meant}'?"
        if meant
        else "(known: 'query', 'description', 'token', 'limit', 'language')"
    )
    assert issue.problem.endswith(said)


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
    assert outline_of(SCHEMA).at("boxes[3].weight").part == {"type": "number"}
    assert outline_of(SCHEMA).at("nowhere.else").part == {}


def test_a_name_that_was_cut_short_or_written_out_is_recognised() -> None:
    schema = {"type": "object", "properties": {"repo": {"type": "string"}, "number": {"type": "integer"}}}
    issues = [Issue("repo", "is required"), Issue("number", "is required")]

    sharp = sharpened(issues, schema, {"repository": "a", "num": 3})

    assert [issue.problem for issue in sharp] == [
        "is required, and 'repository' is not known; did you mean 'repo'?",
        "is required, and 'num' is not known; did you mean 'number'?",
    ]


def test_a_field_that_belongs_inside_another_is_told_where() -> None:
    place = {"type": "object", "properties": {"lat": {"type": "number"}, "lon": {"type": "number"}}}
    schema = {"type": "object", "properties": {"at": place}}
    issues = [Issue("at", "is required"), Issue("lat", "is not a known argument")]

    sharp = sharpened(issues, schema, {"lat": 1, "lon": 2})

    assert sharp == (
        Issue("at", "is required"),
        Issue("lat", "is not a known argument; did you mean 'at.lat'?"),
        Issue("lon", "is not a known argument; did you mean 'at.lon'?"),
    )


def test_a_field_that_belongs_inside_one_of_two_belongs_in_the_one_that_lacks_it() -> None:
    place = {"type": "object", "properties": {"lat": {"type": "number"}}}
    schema = {"type": "object", "properties": {"start": place, "end": place}}
    unknown = Issue("lat", "is not a known argument")

    assert sharpened([unknown], schema, {"start": {"lat": 1}, "lat": 2}) == (
        Issue("lat", "is not a known argument; did you mean 'end.lat'?"),
    )
    assert sharpened([unknown], schema, {"start": {"lat": 1}, "end": {"lat": 2}, "lat": 2}) == (unknown,)


def test_what_was_wrapped_into_a_field_of_its_own_belongs_one_level_up() -> None:
    schema = {"type": "object", "properties": {"title": {}, "folder": {"properties": {"title": {}}}}}
    lacks, unknown = Issue("title", "is required"), Issue("arguments", "is not a known argument")
    moved = Issue("arguments", "is not a known argument, so move the fields inside it one level up")

    assert sharpened([lacks, unknown], schema, {"arguments": {"title": "x"}}) == (lacks, moved)
    stays = Issue("arguments", "is not a known argument (known: 'title', 'folder')")
    assert sharpened([unknown], schema, {"arguments": {"limit": "x"}}) == (stays,)


def test_an_object_that_was_misspelt_is_not_taken_for_a_wrapper() -> None:
    schema = {"type": "object", "properties": {"title": {}, "parent": {"properties": {"title": {}}}}}
    unknown = Issue("paret", "is not a known argument")
    meant = Issue("paret", "is not a known argument; did you mean 'parent'?")

    assert sharpened([unknown], schema, {"paret": {"title": "x"}}) == (meant,)


def test_a_scalar_is_no_other_spelling_of_an_object() -> None:
    schema = {"type": "object", "properties": {"fields": {"type": "object"}}}
    lacks = Issue("fields", "is required")

    assert sharpened([lacks], schema, {"summary": "x"}) == (
        lacks,
        Issue("summary", "is not a known argument"),
    )
    assert sharpened([lacks], schema, {"summary": {}}) == (
        Issue("fields", "is required, and 'summary' is not known"),
    )


@pytest.mark.parametrize(
    "problem",
    ["must be an object", "must be a valid list", "must be of type object", "must be of type array"],
)
def test_json_that_was_sent_as_a_text_is_told_apart(problem: str) -> None:
    issue = Issue("order_id", problem)
    sharp = (Issue("order_id", f"{problem}, not a text with JSON in it"),)

    assert sharpened([issue], SCHEMA, {"order_id": ' {"a": 1}'}) == sharp
    assert sharpened([issue], SCHEMA, {"order_id": "[1]"}) == sharp
    assert sharpened([issue], SCHEMA, {"order_id": "plain"}) == (issue,)
    assert sharpened([issue], SCHEMA, {"order_id": 7}) == (issue,)


def test_where_fields_lack_those_that_are_not_known_are_said_too() -> None:
    line = {"type": "object", "properties": {"sku": {"type": "string"}, "count": {"type": "integer"}}}
    schema = {"type": "object", "properties": {"lines": {"type": "array", "items": line}, "to": {}}}
    issues = [Issue("to", "is required"), Issue("lines[0].sku", "is required")]
    arguments = {"lines": [{"article": "a", "amount": 2, "count": 3}], "target": "x", "speed": 1}

    assert sharpened(issues, schema, arguments) == (
        *issues,
        Issue("target", "is not a known argument"),
        Issue("speed", "is not a known argument"),
        Issue("lines[0].article", "is not a known field"),
        Issue("lines[0].amount", "is not a known field"),
    )


def test_an_object_that_takes_any_field_has_none_that_is_not_known() -> None:
    schema = {"type": "object", "properties": {"to": {}}, "additionalProperties": True}
    issue = Issue("to", "is required")

    assert sharpened([issue], schema, {"target": "x", "speed": 1}) == (issue,)


def test_no_more_is_said_than_an_answer_has_room_for() -> None:
    schema = {"type": "object", "properties": {"to": {}}}
    arguments = {f"{n}" * 1_000: n for n in range(1_000)}

    said = sharpened([Issue("to", "is required")], schema, arguments)

    assert len(said) == 20
    assert max(len(issue.path) for issue in said) == 80


def test_no_number_of_fields_holds_a_server_up() -> None:
    schema = {"type": "object", "properties": {f"field_number_{n}": {} for n in range(20)}}
    issues = [Issue(f"field_number_{n}", "is required") for n in range(20)]
    looked_at: list[str] = []

    class Sent(dict[str, int]):
        def __iter__(self) -> Iterator[str]:
            for name in super().__iter__():
                looked_at.append(name)
                yield name

    sharpened(issues, schema, Sent({f"k{n}": n for n in range(50_000)}))

    assert len(looked_at) < 1_000


def test_one_unknown_field_is_not_taken_for_two() -> None:
    schema = {"type": "object", "properties": {"first_name": {}, "last_name": {}}}
    issues = [Issue("first_name", "is required"), Issue("last_name", "is required")]

    assert sharpened(issues, schema, {"name": "Anna"}) == (*issues, Issue("name", "is not a known argument"))


def test_of_two_that_are_alike_each_is_told_its_own() -> None:
    schema = {"type": "object", "properties": {"source_timezone": {}, "target_timezone": {}}}
    issues = [Issue("source_timezone", "is required"), Issue("target_timezone", "is required")]

    assert [issue.problem for issue in sharpened(issues, schema, {"to_timezone": 1, "from_timezone": 2})] == [
        "is required, and 'from_timezone' is not known; did you mean 'source_timezone'?",
        "is required, and 'to_timezone' is not known; did you mean 'target_timezone'?",
    ]


def test_a_field_that_belongs_into_a_list_is_told_where_in_any_spelling() -> None:
    edit = {"type": "object", "properties": {"oldText": {"type": "string"}}}
    schema = {"type": "object", "properties": {"edits": {"type": "array", "items": edit}}}
    issues = [Issue("edits", "is required")]

    assert sharpened(issues, schema, {"old_text": "a", "path": "b"}) == (
        *issues,
        Issue("old_text", "is not a known argument; did you mean 'edits[0].oldText'?"),
        Issue("path", "is not a known argument"),
    )
