from __future__ import annotations

import gc
from typing import Any

from mcp_error_middleware.advice.outline import Outline, outline_of, steps


def test_a_path_is_the_names_and_numbers_on_the_way() -> None:
    assert steps("items[0].price") == ("items", "0", "price")
    assert steps("price") == ("price",)
    assert steps("") == ()


def test_a_schema_is_looked_at_once_and_one_in_its_place_anew() -> None:
    schema: dict[str, Any] = {"properties": {"city": {"enum": ["Paris"]}}}
    before = outline_of(schema)
    place = before.at("city")

    assert outline_of(schema) is before
    assert before.at("city") is place
    assert outline_of({"properties": {"city": {"enum": ["Rome"]}}}).at("city").options == ["Rome"]


def test_no_schema_is_taken_for_another_that_had_its_address() -> None:
    for number in range(2_000):
        assert [*outline_of({"properties": {f"field_{number}": {}}}).at("").fields] == [f"field_{number}"]
    gc.collect()


def test_places_that_there_are_not_take_no_room() -> None:
    outline = Outline({"properties": {"items": {"items": {"properties": {"price": {}}}}}})
    for number in range(1_000):
        assert not outline.at(f"nowhere_{number}").part
        assert [*outline.at(f"items[{number}]").fields] == ["price"]
    assert len(outline._places) <= 64


def test_the_fields_of_what_is_beside_a_field_are_found_by_their_words() -> None:
    outline = Outline(
        {
            "properties": {
                "customer": {"properties": {"firstName": {}}},
                "lines": {"items": {"properties": {"first_name": {}}}},
            }
        }
    )
    assert outline.at("").inside == {("first", "name"): ["customer.firstName", "lines[0].first_name"]}


def test_null_is_no_form_of_its_own() -> None:
    assert not Outline({"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}).varies
    assert Outline({"properties": {"a": {"items": {"oneOf": [{"type": "string"}, {}]}}}}).varies
    assert not Outline(None).varies
