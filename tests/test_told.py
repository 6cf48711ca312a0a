from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

import attrs
import jsonschema
import marshmallow.validate
import msgspec
import pytest
import voluptuous
from pydantic import AfterValidator, BaseModel, Field, TypeAdapter, ValidationError

from mcp_error_middleware import Call, Triage
from mcp_error_middleware.advice import Around
from mcp_error_middleware.told import stand_in, words_of


class Order(BaseModel):
    boxes: int
    to: list[str]


class Cat(BaseModel):
    kind: Literal["cat"]


class Dog(BaseModel):
    kind: Literal["dog"]


class Cats(msgspec.Struct):
    kind: Literal["cat"]
    name: str = ""

    def __post_init__(self) -> None:
        if self.name:
            raise ValueError(f"{self.name} was already used")


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


def test_records_have_the_rule_of_a_schema_and_not_all_of_it() -> None:
    schema = {"properties": {"boxes": {"items": {"type": "integer", "title": "Zq" * 5_000}}}}
    with pytest.raises(jsonschema.ValidationError) as raised:
        jsonschema.validate({"boxes": ["Anna"]}, schema)

    assert words_of(raised.value) == (
        "the value is not of type 'integer'\n\n"
        "Failed validating 'type' in schema['properties']['boxes']['items']"
    )


class Unshowable:
    def __repr__(self) -> str:
        raise SystemExit(1)


def test_a_value_that_cannot_be_shown_does_no_harm() -> None:
    error = jsonschema.ValidationError("no", validator="type", instance=Unshowable())
    assert isinstance(words_of(error), str)


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


def taken(value: str) -> str:
    raise ValueError(f"{value} was already used")


def by_pydantic() -> None:
    TypeAdapter(Annotated[str, AfterValidator(taken)]).validate_python("q7z9x")


def by_a_tag() -> None:
    TypeAdapter(Annotated[Cat | Dog, Field(discriminator="kind")]).validate_python({"kind": "q7z9x"})


def by_an_assertion() -> None:
    def known(value: str) -> str:
        assert value == "anna", f"{value} is not anna"
        return value

    TypeAdapter(Annotated[str, AfterValidator(known)]).validate_python("q7z9x")


def by_marshmallow() -> None:
    def known(value: str) -> None:
        raise marshmallow.ValidationError(f"{value} was already used")

    odd = marshmallow.validate.OneOf(["a"], error='it\'s "{input}"')

    class Login(marshmallow.Schema):
        word = marshmallow.fields.Str(validate=known)
        name = marshmallow.fields.Str(validate=odd)

    Login().load({"word": "q7z9x", "name": "q7z9x"})


def by_msgspec() -> None:
    msgspec.convert({"kind": "q7z9x"}, Cats)


def by_msgspecs_author() -> None:
    msgspec.convert({"kind": "cat", "name": "q7z9x"}, Cats)


def by_voluptuous() -> None:
    def weak(value: str) -> str:
        raise voluptuous.Invalid(f"{value} was already used")

    voluptuous.Schema({"name": weak})({"name": "q7z9x"})


def by_jsonschema() -> None:
    jsonschema.validate({"name": "q7z9x"}, {"properties": {"name": False}})


def go_on(check: Callable[[], None], wrapped: bool) -> None:
    try:
        check()
    except Exception as error:
        error.add_note(f"while reading {error}")
        if wrapped:
            raise RuntimeError(f"cannot go on: {error}") from error
        raise


@pytest.mark.parametrize(
    "refuse",
    [
        by_pydantic,
        by_a_tag,
        by_an_assertion,
        by_marshmallow,
        by_msgspec,
        by_msgspecs_author,
        by_voluptuous,
        by_jsonschema,
    ],
)
@pytest.mark.parametrize("wrapped", [False, True], ids=["", "wrapped"])
def test_records_have_a_checks_own_words_without_what_it_was_given(
    refuse: Callable[[], None], wrapped: bool
) -> None:
    with pytest.raises(Exception) as raised:  # noqa: PT011
        go_on(refuse, wrapped)
    around = Around(arguments={"name": "q7z9x"})

    failure = Triage()(raised.value, Call(), around=around)

    assert "q7z9x" in str(raised.value)
    assert "q7z9x" not in str(failure.causes)
    assert all("…" in cause.message or "the value" in cause.message for cause in failure.causes)


@attrs.define
class Member:
    role: str = attrs.field(default="a", validator=attrs.validators.in_(["a", "b"]))
    age: int = attrs.field(default=1, validator=attrs.validators.instance_of(int))
    name: str = attrs.field(default="a", validator=attrs.validators.matches_re("[a-z]"))


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("role", "'role' must be in ['a', 'b'] (got '…')"),
        ("age", "'age' must be <class 'int'> (got '…' that is a <class 'str'>)."),
        ("name", "'name' must match regex '[a-z]' ('…' doesn't)"),
    ],
)
def test_of_what_attrs_refuses_its_sentence_is_told_without_the_value(field: str, said: str) -> None:
    with pytest.raises((ValueError, TypeError)) as raised:
        Member(**{field: "q7z9x"})  # type: ignore[arg-type]

    assert Triage()(raised.value, Call()).causes[0].message == said


class Reasoned(ValueError):
    def __str__(self) -> str:
        return f"({len(self.args)} reasons)"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("no such order", object()), "no such order"),
        (ValueError("no such order", 17), "('no such order', 17)"),
        (ValueError("no such order", {"id": 17}), "('no such order', {'id': 17})"),
        (RuntimeError("was reset", ValueError(1)), "('was reset', ValueError(1))"),
        (ValueError("gone", int), "('gone', <class 'int'>)"),
        (Reasoned("no such order", object()), "(2 reasons)"),
    ],
)
def test_objects_behind_a_sentence_are_left_out_where_they_tell_nothing(error: Exception, said: str) -> None:
    assert words_of(error) == said


def test_a_records_words_keep_what_only_looks_like_what_was_refused() -> None:
    with pytest.raises(ValidationError) as raised:
        TypeAdapter(dict[str, Annotated[str, AfterValidator(taken)]]).validate_python({"shade": "had"})

    assert words_of(raised.value).splitlines()[1:3] == [
        "shade",
        "  Value error, had was already used [type=value_error, input_type=str]",
    ]


def test_a_sentence_that_was_cut_off_is_left_out() -> None:
    error = TypeAdapter(list[Annotated[str, AfterValidator(taken)]])
    with pytest.raises(ValidationError) as raised:
        error.validate_python([f"q7z9x{'-' * 700}" for _ in range(20)])

    said = words_of(raised.value)
    assert "Value error, … was already used" in said
    assert "q7z9x" not in said


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("There is no item named 'a' in the archive", "There is no item named 'a' in the archive"),
        ("port", "'port'"),
        ("first name", "'first name'"),
        (("a", "b"), "('a', 'b')"),
    ],
)
def test_a_sentence_is_not_quoted_as_the_key_that_it_is_not(said: object, words: str) -> None:
    assert words_of(KeyError(said)) == words
