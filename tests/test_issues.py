from typing import Annotated, Any, Literal

import fastjsonschema
import jsonschema
import marshmallow
import msgspec
import pydantic
import pytest
import voluptuous

from mcp_error_middleware.issues import LIMIT, issues_of, path_text, summary
from mcp_error_middleware.model import Issue


class Order(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")

    amount: Annotated[int, pydantic.Field(ge=1)]
    size: Literal["small", "large"]
    prices: list[float]

    @pydantic.field_validator("prices")
    @classmethod
    def _not_empty(cls, value: list[float]) -> list[float]:
        if not value:
            raise ValueError("needs at least one price")
        return value


def pydantic_error(value: Any) -> BaseException:
    with pytest.raises(pydantic.ValidationError) as raised:
        Order.model_validate(value)
    return raised.value


def test_a_pydantic_error_says_where_and_what_was_expected_but_never_the_value() -> None:
    exc = pydantic_error(
        {"amount": "hunter2", "size": "hunter2", "prices": [1, "hunter2"], "colour": "hunter2"}
    )

    assert issues_of(exc) == (
        Issue("amount", "must be a valid integer, unable to parse string as an integer"),
        Issue("size", "must be 'small' or 'large'"),
        Issue("prices[1]", "must be a valid number, unable to parse string as a number"),
        Issue("colour", "is not a known field"),
    )


def test_a_missing_field_is_required_and_a_validators_words_are_kept() -> None:
    assert issues_of(pydantic_error({"size": "small", "prices": []})) == (
        Issue("amount", "is required"),
        Issue("prices", "needs at least one price"),
    )


def test_an_assertion_in_a_validator_does_not_quote_what_it_compared() -> None:
    class Strict(pydantic.BaseModel):
        name: str

        @pydantic.field_validator("name")
        @classmethod
        def _known(cls, value: str) -> str:
            assert value == "anna", f"{value} is not anna"
            return value

    with pytest.raises(pydantic.ValidationError) as raised:
        Strict(name="hunter2")

    assert issues_of(raised.value) == (Issue("name", "does not meet a condition"),)


def test_the_branches_of_a_union_are_not_part_of_the_path() -> None:
    class Holder(pydantic.BaseModel):
        value: int | list[int]

    with pytest.raises(pydantic.ValidationError) as raised:
        Holder.model_validate({"value": ["x"]})

    assert {issue.path for issue in issues_of(raised.value)} <= {"value", "value.int", "value[0]"}


SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer", "minimum": 1}, "kind": {"enum": ["a", "b"]}},
    "required": ["n", "kind"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("value", "issue"),
    [
        ({"n": "hunter2", "kind": "a"}, Issue("n", "must be of type integer")),
        ({"n": 0, "kind": "a"}, Issue("n", "must be at least 1")),
        ({"n": 1, "kind": "hunter2"}, Issue("kind", "must be one of 'a', 'b'")),
        ({"n": 1}, Issue("", "must have 'kind'")),
        ({"n": 1, "kind": "a", "hunter2": 1}, Issue("", "has a field that is not known")),
    ],
)
def test_a_jsonschema_error_is_said_in_words_without_the_value(value: Any, issue: Issue) -> None:
    with pytest.raises(jsonschema.ValidationError) as raised:
        jsonschema.validate(value, SCHEMA)

    assert issues_of(raised.value) == (issue,)


def test_a_fastjsonschema_error_is_said_in_words_without_the_value() -> None:
    with pytest.raises(fastjsonschema.JsonSchemaValueException) as raised:
        fastjsonschema.compile(SCHEMA)({"n": "hunter2", "kind": "a"})

    assert issues_of(raised.value) == (Issue("n", "must be of type integer"),)


def test_a_tree_of_messages_is_read_leaf_by_leaf() -> None:
    class Item(marshmallow.Schema):
        price = marshmallow.fields.Integer(required=True)

    class Basket(marshmallow.Schema):
        items = marshmallow.fields.List(marshmallow.fields.Nested(Item))
        owner = marshmallow.fields.String(required=True)

    with pytest.raises(marshmallow.ValidationError) as raised:
        Basket().load({"items": [{"price": 1}, {"price": "hunter2"}]})

    assert set(issues_of(raised.value)) == {
        Issue("items[1].price", "not a valid integer"),
        Issue("owner", "missing data for required field"),
    }


def test_an_error_whose_text_names_the_place_is_taken_apart() -> None:
    class Item(msgspec.Struct):
        prices: list[int]

    with pytest.raises(msgspec.ValidationError) as raised:
        msgspec.convert({"prices": [1, "hunter2"]}, Item)

    assert issues_of(raised.value) == (Issue("prices[1]", "expected int, got str"),)


def test_a_voluptuous_error_lists_every_place() -> None:
    schema = voluptuous.Schema({voluptuous.Required("n"): int, voluptuous.Required("kind"): str})

    with pytest.raises(voluptuous.MultipleInvalid) as raised:
        schema({"n": "hunter2"})

    assert set(issues_of(raised.value)) == {
        Issue("n", "expected int"),
        Issue("kind", "required key not provided"),
    }


def test_a_long_list_of_problems_is_bounded() -> None:
    with pytest.raises(pydantic.ValidationError) as raised:
        pydantic.TypeAdapter(list[int]).validate_python(["x"] * 500)

    assert len(issues_of(raised.value)) == LIMIT


def test_other_exceptions_have_no_issues() -> None:
    assert issues_of(ValueError("no")) == ()


def test_an_object_that_only_pretends_is_passed_over() -> None:
    class Pretender(Exception):
        __module__ = "pydantic.fake"

        def errors(self, **_: Any) -> Any:
            raise RuntimeError("hostile")

    assert issues_of(Pretender()) == ()


def test_a_path_reads_like_code() -> None:
    assert path_text(["items", 0, "price"]) == "items[0].price"


@pytest.mark.parametrize(
    ("issue", "text"),
    [
        (Issue("n", "must be at least 1"), "n must be at least 1"),
        (Issue("n", "expected int, got str"), "n: expected int, got str"),
        (Issue("", "must have 'kind'"), "must have 'kind'"),
    ],
)
def test_an_issue_reads_as_a_clause(issue: Issue, text: str) -> None:
    assert issue.clause == text


def test_the_summary_names_five_and_counts_the_rest() -> None:
    issues = [Issue(f"f{n}", "is required") for n in range(7)]

    assert summary(issues) == (
        "Validation failed: f0 is required; f1 is required; f2 is required; f3 is required; f4 is required; "
        "and 2 more."
    )
