from __future__ import annotations

import jsonschema
import pytest
from pydantic import BaseModel, ValidationError

from mcp_error_middleware import Call, Triage
from mcp_error_middleware.told import stand_in, words_of


class Order(BaseModel):
    boxes: int
    to: list[str]


def refused(boxes: object) -> ValidationError:
    with pytest.raises(ValidationError) as raised:
        Order.model_validate({"boxes": boxes, "to": 7})
    return raised.value


class Lines:
    def __repr__(self) -> str:
        return "Anna,\n[type=a, input_type=str"


@pytest.mark.parametrize(
    "value",
    ["Anna's", {"Anna": 1}, ["Anna", "input_type=str]"], Lines()],
    ids=["text", "dict", "list", "lines"],
)
def test_records_have_what_a_validator_says_without_what_it_was_given(value: object) -> None:
    error = refused(value)

    for said in (words_of(error), str(stand_in(error)), Triage()(error, Call()).causes[0].message):
        assert "Anna" not in said
        assert "2 validation errors for Order" in said
        assert "to\n  Input should be a valid list [type=list_type, input_type=int]" in said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("Anna's", "the value is not of type 'object'"),
        ({"Anna": 1}, "'boxes' is a required property"),
        ({"boxes": "Anna"}, "the value is not of type 'integer'"),
    ],
)
def test_records_have_what_a_schema_says_without_what_it_was_given(value: object, said: str) -> None:
    schema = {"type": "object", "required": ["boxes"], "properties": {"boxes": {"type": "integer"}}}
    with pytest.raises(jsonschema.ValidationError) as raised:
        jsonschema.validate(value, schema)

    words = words_of(raised.value)
    assert words.startswith(f"{said}\n\nFailed validating")
    assert "Anna" not in words


def test_a_value_at_which_the_text_was_cut_is_left_out_too() -> None:
    said = words_of(ValueError("x\n  Odd [type=odd, input_value='Anna" + "a" * 10_000))

    assert said == "x\n  Odd [type=odd, "


@pytest.mark.parametrize(
    "text", ["input_value= has to be set", "[type=odd] input_value=1", "no value at all"]
)
def test_other_words_stay(text: str) -> None:
    assert words_of(ValueError(text)) == text


def test_a_text_of_nothing_but_beginnings_is_read_at_once() -> None:
    assert len(words_of(ValueError("[type=a, input_value=" * 1_000))) < 100
