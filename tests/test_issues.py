import datetime
import ipaddress
import pathlib
import uuid
from collections import deque
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple, Self

import fastjsonschema
import jsonschema
import marshmallow
import msgspec
import pydantic
import pydantic_core
import pytest
import voluptuous

from mcp_error_middleware.issues import LIMIT, Given, issues_of, path_text, summary
from mcp_error_middleware.model import Condition, Issue


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
        Issue("amount", "must be a valid integer"),
        Issue("size", "must be 'small' or 'large'"),
        Issue("prices[1]", "must be a valid number"),
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


class Cat(pydantic.BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(pydantic.BaseModel):
    kind: Literal["dog"]
    tricks: list[str]


class Home(pydantic.BaseModel):
    pet: Cat | Dog | None = None
    tagged: Annotated[Cat | Dog, pydantic.Field(discriminator="kind")] | None = None
    door: int | str | None = None
    rooms: Annotated[list[str], pydantic.Field(max_length=1)] = []
    code: Annotated[str, pydantic.Field(pattern="^[a-z]+$")] = "a"
    key: uuid.UUID | None = None
    floors: int | list[int] | None = None
    address: ipaddress.IPv4Address | None = None


@pytest.mark.parametrize(
    ("arguments", "issues"),
    [
        ({"door": ["hunter2"]}, [Issue("door", "must be a valid integer or a valid string")]),
        ({"pet": {"kind": "cat", "lives": "hunter2"}}, [Issue("pet.lives", "must be a valid integer")]),
        ({"pet": {"kind": "hunter2"}}, [Issue("pet.kind", "must be 'cat' or 'dog'")]),
        ({"pet": "hunter2"}, [Issue("pet", "must be an object")]),
        ({"tagged": {"kind": "dog"}}, [Issue("tagged.tricks", "is required")]),
        ({"tagged": {"kind": "hunter2"}}, [Issue("tagged.kind", "must be one of 'cat', 'dog'")]),
        ({"tagged": {}}, [Issue("tagged.kind", "is required")]),
        ({"rooms": ["hunter2", "b"]}, [Issue("rooms", "must have at most 1 item")]),
        ({"code": "hunter2"}, [Issue("code", "must match the pattern ^[a-z]+$")]),
        ({"key": "hunter2"}, [Issue("key", "must be a valid UUID")]),
        ({"floors": "hunter2"}, [Issue("floors", "must be a valid integer or a valid list")]),
        ({"floors": [1, "hunter2"]}, [Issue("floors[1]", "must be a valid integer")]),
        ({"address": "hunter2"}, [Issue("address", "must be a valid IPv4 address")]),
    ],
    ids=repr,
)
def test_of_a_union_the_nearest_form_is_spoken_of_in_words_a_caller_knows(
    arguments: Any, issues: list[Issue]
) -> None:
    with pytest.raises(pydantic.ValidationError) as raised:
        Home.model_validate(arguments)

    assert list(issues_of(raised.value, Given(arguments))) == issues
    assert "hunter2" not in str(issues_of(raised.value))


class Point(NamedTuple):
    x: int


@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        (Sequence[int], "must be a valid list"),
        (Point, "must be a valid list"),
        (deque[int], "must be a valid list"),
        (set[int], "must be a valid list"),
        (pydantic.Base64Str, "must be a valid base64 string"),
        (pydantic.UUID4, "must be a valid UUID"),
        (Mapping[str, int], "must be an object"),
    ],
)
def test_a_type_of_python_is_spoken_of_as_what_it_is_in_json(kind: Any, problem: str) -> None:
    with pytest.raises(pydantic.ValidationError) as raised:
        pydantic.TypeAdapter(kind).validate_python("hunter2")
    assert issues_of(raised.value) == (Issue("", problem),)


def test_a_uuid_of_another_version_is_told_which() -> None:
    with pytest.raises(pydantic.ValidationError) as raised:
        pydantic.TypeAdapter(pydantic.UUID1).validate_python("00000000-0000-4000-8000-000000000000")
    assert issues_of(raised.value) == (Issue("", "must be a valid UUID of version 1"),)


class Person(pydantic.BaseModel):
    type: Literal["person"] = "person"
    first_name: str
    last_name: str
    email: str | None = pydantic.Field(None, pattern="@")
    birthday: datetime.date | None = None


class Company(pydantic.BaseModel):
    type: Literal["company"] = "company"
    name: str


@pytest.mark.parametrize(
    ("contact", "issues"),
    [
        (
            {"type": "person", "name": "hunter2"},
            [Issue("contact.first_name", "is required"), Issue("contact.last_name", "is required")],
        ),
        ({"type": "hunter2", "name": "x"}, [Issue("contact.type", "must be 'person' or 'company'")]),
        (
            {"first_name": "A", "last_name": "B", "email": "hunter2", "birthday": "hunter2"},
            [
                Issue("contact.email", "must match the pattern @"),
                Issue("contact.birthday", "must be a valid date, such as 2026-01-31"),
            ],
        ),
        (
            {"firstName": "A", "last-name": "B"},
            [Issue("contact.first_name", "is required"), Issue("contact.last_name", "is required")],
        ),
        ({"type": "company"}, [Issue("contact.name", "is required")]),
    ],
    ids=repr,
)
def test_the_form_of_a_union_is_the_one_that_was_said_or_begun(
    contact: dict[str, str], issues: list[Issue]
) -> None:
    model, arguments = pydantic.create_model("Add", contact=(Person | Company, ...)), {"contact": contact}
    with pytest.raises(pydantic.ValidationError) as raised:
        model.model_validate(arguments)

    assert list(issues_of(raised.value, Given(arguments))) == issues


def test_a_jsonschema_error_speaks_of_the_form_that_was_said() -> None:
    schema = pydantic.TypeAdapter(Person | Company).json_schema()
    with pytest.raises(jsonschema.ValidationError) as said:
        jsonschema.validate({"type": "person", "name": "hunter2"}, schema)
    with pytest.raises(jsonschema.ValidationError) as unknown:
        jsonschema.validate({"type": "hunter2", "name": "x"}, schema)

    assert issues_of(said.value) == (Issue("first_name", "is required"), Issue("last_name", "is required"))
    assert issues_of(unknown.value) == (Issue("type", "must be 'person' or 'company'"),)


def test_what_json_has_another_word_for_is_said_in_that() -> None:
    class Switch(pydantic.BaseModel):
        state: Literal["None", True, 1, None]
        path: pathlib.Path

    with pytest.raises(pydantic.ValidationError) as raised:
        Switch.model_validate({"state": "x", "path": 3})
    with pytest.raises(jsonschema.ValidationError) as refused:
        jsonschema.validate("x", {"enum": ["None", True, 1, None]})

    assert [issue.problem for issue in issues_of(raised.value)] == [
        "must be 'None', true, 1 or null",
        "must be a valid path",
    ]
    assert issues_of(refused.value)[0].problem == "must be one of 'None', true, 1, null"


def test_a_choice_too_long_to_be_said_shows_that_there_is_more() -> None:
    class Paint(pydantic.BaseModel):
        shade: Literal[tuple(f"grey{number}" for number in range(50))]  # type: ignore[valid-type]

    with pytest.raises(pydantic.ValidationError) as raised:
        Paint.model_validate({"shade": "hunter2"})

    (issue,) = issues_of(raised.value)
    assert issue.problem.startswith("must be 'grey0', 'grey1', ")
    assert issue.problem.endswith("…")


def test_a_field_of_arguments_that_were_sent_as_json_text_keeps_its_path() -> None:
    with pytest.raises(pydantic.ValidationError) as raised:
        Home.model_validate({"tagged": {"kind": "cat", "lives": "x"}})

    (issue,) = issues_of(raised.value, Given({"tagged": '{"kind": "cat", "lives": "x"}'}))
    assert issue == Issue("tagged.lives", "must be a valid integer")


@pytest.mark.parametrize("sent", ['{"kind": "cat"}', "[", "{" * 5_000])
def test_a_text_in_the_place_of_an_object_names_no_class_of_ours(sent: str) -> None:
    class Note(pydantic.BaseModel):
        text: str

    class Picture(pydantic.BaseModel):
        url: str

    class Page(pydantic.BaseModel):
        blocks: list[Note | Picture]

    with pytest.raises(pydantic.ValidationError) as raised:
        Page.model_validate({"blocks": [sent]})

    found = issues_of(raised.value, Given({"blocks": [sent]}))
    assert found[0] == Issue("blocks[0]", "must be an object")


def test_a_type_of_python_is_said_as_json_has_it() -> None:
    class Meeting(pydantic.BaseModel):
        start: datetime.datetime
        length: datetime.timedelta
        zoned: pydantic.AwareDatetime
        place: tuple[float, float]
        link: pydantic.HttpUrl
        id: uuid.UUID
        found: int | str | list[int]
        roles: dict[Literal["host", "guest"], str]

    sent: dict[str, Any] = {"start": "x", "length": "x", "zoned": "2026-01-01T00:00:00", "place": "x"}
    sent |= {"link": "x", "id": None, "found": {}, "roles": {"gest": "x"}}
    with pytest.raises(pydantic.ValidationError) as raised:
        Meeting.model_validate(sent)

    assert {issue.path: issue.problem for issue in issues_of(raised.value, Given(sent))} == {
        "start": "must be a valid date and time, such as 2026-01-31T12:00:00Z",
        "length": "must be a valid duration, such as PT1H30M",
        "zoned": "must have a time zone, such as 2026-01-31T12:00:00Z",
        "place": "must be a valid list",
        "link": "must be a valid URL, such as https://example.com/",
        "id": "must be a valid UUID",
        "found": "must be a valid integer, a valid string or a valid list",
        "roles.gest": "has a wrong name: it must be 'host' or 'guest'",
    }


def test_what_a_function_tells_the_forms_of_a_union_apart_by_is_no_field() -> None:
    def kind(value: Any) -> str | None:
        return "cat" if "lives" in value else value.get("is")

    tagged = Annotated[
        Annotated[Cat, pydantic.Tag("cat")] | Annotated[Dog, pydantic.Tag("dog")],
        pydantic.Discriminator(kind),
    ]
    model = pydantic.create_model("Home", pet=(tagged, ...))

    def problem(pet: Any) -> Issue:
        with pytest.raises(pydantic.ValidationError) as raised:
            model.model_validate({"pet": pet})
        return issues_of(raised.value)[0]

    assert problem({"is": "hunter2"}) == Issue("pet", "must be of one of 'cat', 'dog'")
    assert problem({}) == Issue("pet", "fits none of the allowed forms")


def test_a_validator_that_quotes_what_it_was_given_is_quoted_without_it() -> None:
    class Strict(pydantic.BaseModel):
        zone: str

        @pydantic.field_validator("zone")
        @classmethod
        def _known(cls, value: str) -> str:
            raise ValueError(f"Unknown zone {value!r}, use an IANA name")

    with pytest.raises(pydantic.ValidationError) as raised:
        Strict(zone="hunter2")

    assert issues_of(raised.value) == (Issue("zone", "unknown zone '…', use an IANA name"),)


def said_of(value: Any, sentence: str) -> str:
    """What is left of a check's own sentence about a value."""

    class Checked(pydantic.BaseModel):
        it: Any

        @pydantic.field_validator("it")
        @classmethod
        def _refuse(cls, value: Any) -> Any:
            raise ValueError(sentence.format(value))

    with pytest.raises(pydantic.ValidationError) as raised:
        Checked(it=value)
    return issues_of(raised.value)[0].problem


@pytest.mark.parametrize(
    ("value", "sentence", "left"),
    [
        ("q7z9x", "code {} is too weak", "code … is too weak"),
        ("q7", "{} is too weak", "… is too weak"),
        ("Zq", "got {}, wanted a colour", "got …, wanted a colour"),
        ("red", "{} is no shade of blue", "… is no shade of blue"),
        ("c++", "no compiler for {}", "no compiler for …"),
        ("a", "'{}' is too short", "'…' is too short"),
        ("?", "`{}` is no letter", "`…` is no letter"),
        ("it's\nme", "unknown user {!r}", 'unknown user "…"'),
        (15, "must be between 1 and 10, got {}", "must be between 1 and 10, got …"),
        (4711, "{} is a PIN everybody tries first", "… is a PIN everybody tries first"),
        ("4711", "the PIN {} is taken", "the PIN … is taken"),
        (1234567, "{:,} does not divide the total", "… does not divide the total"),
        (-3, "is {} but must be positive", "is … but must be positive"),
        (2.5, "{} is not whole", "… is not whole"),
        (5.0, "5 is taken", "… is taken"),
        (["ab1", 77], "{0[0]} and {0[1]} are taken", "… and … are taken"),
        ({"pin": 4711, "of": {"name": "Ann"}}, "{0[of][name]} has the PIN {0[pin]}", "… has the PIN …"),
    ],
)
def test_a_check_is_quoted_without_the_value_however_short(value: Any, sentence: str, left: str) -> None:
    assert said_of(value, sentence) == left


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (0, "must be at least 1"),
        (5, "must be greater than 5"),
        (5, "must be > 5"),
        (10, "must be above 5 and below 10"),
        (5, "must be strictly between 5 and 10"),
        (10, "must be strictly between 5 and 10"),
        (0, "cannot be 0"),
        (3, "must have 3 digits"),
        (3, "takes 3 to 5 items"),
        (1, "must be 10, 15 or 1.5"),
        (2.5, "is rounded, so 2 and 3 are the nearest"),
        (1, "use ISO-8601, as in 2026-01-1"),
        (7, "see RFC-7, v7 or 7th"),
        ("a", "must be a colour"),
        ("be", "must be a colour"),
        ("date", "not a valid date"),
        ("at", "must start with a capital, what is that"),
        ("re", "must be real"),
        ("-", "must be lower-case - no capitals"),
        ("", "must not be empty"),
        (True, "must be True or False"),
        (None, "must not be None"),
        pytest.param(10**5000, "is too large", id="long"),
        (float("nan"), "must be a number"),
    ],
)
def test_a_check_that_says_nothing_of_the_value_keeps_its_words(value: Any, sentence: str) -> None:
    assert said_of(value, sentence) == sentence


def test_what_hides_a_text_is_as_long_as_the_text() -> None:
    class Login(pydantic.BaseModel):
        word: Annotated[pydantic.SecretStr, pydantic.Field(max_length=1)]
        key: Annotated[pydantic.SecretBytes, pydantic.Field(min_length=20)]
        tags: Annotated[list[str], pydantic.Field(max_length=1)]

    with pytest.raises(pydantic.ValidationError) as raised:
        Login.model_validate({"word": "q7z9x", "key": b"q7z9x", "tags": ["a", "b"]})

    assert issues_of(raised.value) == (
        Issue("word", "must have at most 1 character"),
        Issue("key", "must have at least 20 characters"),
        Issue("tags", "must have at most 1 item"),
    )


def test_pydantics_own_sentences_keep_the_bounds_and_names_of_the_schema() -> None:
    class Bounded(pydantic.BaseModel):
        n: Annotated[int, pydantic.Field(multiple_of=7, gt=5)]
        at: datetime.date
        kind: Literal["red", "date"]

    with pytest.raises(pydantic.ValidationError) as raised:
        Bounded.model_validate({"n": 5, "at": "date", "kind": "be"})

    assert issues_of(raised.value) == (
        Issue("n", "must be a multiple of 7"),
        Issue("at", "must be a valid date, such as 2026-01-31"),
        Issue("kind", "must be 'red' or 'date'"),
    )


def test_an_error_of_a_pydantic_kind_of_the_authors_own_is_quoted_without_the_value() -> None:
    def refuse(value: str) -> str:
        raise pydantic_core.PydanticCustomError("weak_code", "{code} is too weak", {"code": value})

    with pytest.raises(pydantic.ValidationError) as raised:
        pydantic.TypeAdapter(Annotated[str, pydantic.AfterValidator(refuse)]).validate_python("q7z9x")

    assert issues_of(raised.value) == (Issue("", "… is too weak"),)


def test_a_check_of_the_whole_is_quoted_without_any_value_of_it() -> None:
    class Login(pydantic.BaseModel):
        name: str
        word: str

        @pydantic.model_validator(mode="after")
        def _refuse(self) -> Self:
            raise ValueError(f"{self.name} may not have the word {self.word}")

    with pytest.raises(pydantic.ValidationError) as raised:
        Login(name="Ann", word="q7z9x")

    assert issues_of(raised.value) == (Issue("", "… may not have the word …"),)


def test_checks_of_other_libraries_are_quoted_without_the_value() -> None:
    def refuse(value: str) -> None:
        raise marshmallow.ValidationError(f"{value} is too weak")

    class Login(marshmallow.Schema):
        word = marshmallow.fields.Str(validate=refuse)

    class Drawn(msgspec.Struct):
        shade: Literal["red"]

    def weak(value: str) -> str:
        raise voluptuous.Invalid(f"{value} is too weak")

    with pytest.raises(marshmallow.ValidationError) as tree:
        Login().load({"word": "q7z9x"})
    with pytest.raises(msgspec.ValidationError) as enum:
        msgspec.convert({"shade": "q7z9x"}, Drawn)
    with pytest.raises(voluptuous.Invalid) as listed:
        voluptuous.Schema({"word": weak})({"word": "q7z9x"})

    assert issues_of(tree.value) == (Issue("word", "… is too weak"),)
    assert issues_of(enum.value) == (Issue("shade", "invalid enum value"),)
    assert issues_of(listed.value, Given({"word": "q7z9x"})) == (Issue("word", "… is too weak"),)
    assert issues_of(listed.value, Given({"form": {"w": "q7z9x"}})) == (Issue("word", "… is too weak"),)


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
        ({"n": 1}, Issue("kind", "is required")),
        ({"n": 1, "kind": "a", "colour": "hunter2"}, Issue("colour", "is not a known field")),
    ],
)
def test_a_jsonschema_error_is_said_in_words_without_the_value(value: Any, issue: Issue) -> None:
    with pytest.raises(jsonschema.ValidationError) as raised:
        jsonschema.validate(value, SCHEMA)

    assert issues_of(raised.value) == (issue,)


def test_a_value_that_was_looked_at_on_its_own_has_the_name_of_its_argument() -> None:
    def issues(sent: dict[str, Any]) -> tuple[Issue, ...]:
        with pytest.raises(pydantic.ValidationError) as raised:
            pydantic.TypeAdapter(int).validate_python("hunter2")
        return issues_of(raised.value, Given(sent))

    assert issues({"n": "hunter2", "m": 1}) == (Issue("n", "must be a valid integer"),)
    assert issues({"n": "hunter2", "m": "hunter2"}) == (Issue("", "must be a valid integer"),)


def test_what_an_author_made_of_jsonschema_s_error_has_no_issues() -> None:
    assert issues_of(jsonschema.ValidationError("There have to be two of them.")) == ()


FORMS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "who": {"anyOf": [{"type": "string"}, {"properties": {"id": {"type": "integer"}}, "type": "object"}]},
        "pet": {
            "oneOf": [
                {
                    "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}},
                    "required": ["lives"],
                },
                {"properties": {"kind": {"const": "dog"}}, "required": ["tricks"]},
            ]
        },
        "card": {"dependentRequired": {"number": ["expiry"]}},
        "tags": {"propertyNames": {"pattern": "^[a-z]+$"}},
        "pair": {"prefixItems": [{}, {}], "items": False},
        "by": {"oneOf": [{"required": ["id"]}, {"required": ["name"]}]},
        "size": {"oneOf": [{"type": "number"}, {"type": "integer"}]},
        "range": {"oneOf": [{"required": ["from"]}, {"required": ["from", "to"]}]},
        "user": {"not": {"enum": ["root", "admin"]}},
        "place": {"not": {"type": "string"}},
        "zones": {"contains": {"const": "prod"}},
        "few": {"contains": {"type": "integer"}},
        "shade": {"enum": [f"grey{number}" for number in range(50)]},
        "some": {"minItems": 1},
        "filter": {
            "oneOf": [
                {"required": ["eq"], "properties": {"eq": {}}, "additionalProperties": False},
                {
                    "required": ["between"],
                    "properties": {"between": {"required": ["from", "to"]}},
                    "additionalProperties": False,
                },
            ]
        },
    },
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("value", "issue"),
    [
        ({"who": ["hunter2"]}, Issue("who", "must be of type string or of type object")),
        ({"who": {"id": "hunter2"}}, Issue("who.id", "must be of type integer")),
        ({"pet": {"kind": "cat", "lives": "hunter2"}}, Issue("pet.lives", "must be of type integer")),
        ({"card": {"number": "hunter2"}}, Issue("card.expiry", "is required where 'number' is given")),
        ({"tags": {"A hunter2": 1}}, Issue("tags", "has a field whose name is not allowed")),
        ({"pair": [1, 2, "hunter2"]}, Issue("pair", "has more items than are allowed")),
        ({"by": {"hunter2": 1}}, Issue("", "by.id is required or by.name is required")),
        (
            {"by": {"id": "hunter2", "name": "hunter2"}},
            Issue("by", "must have only one of 'id', 'name'"),
        ),
        (
            {"size": 12345},
            Issue("size", "fits more than one of the forms of which it must fit exactly one"),
        ),
        (
            {"range": {"from": "hunter2", "to": "hunter2"}},
            Issue("range", "fits more than one of the forms of which it must fit exactly one"),
        ),
        ({"user": "root"}, Issue("user", "must not be 'root' or 'admin'")),
        ({"place": "hunter2"}, Issue("place", "must not be of a form that is excluded")),
        ({"zones": ["hunter2"]}, Issue("zones", "must have an item that is 'prod'")),
        ({"few": ["hunter2"]}, Issue("few", "must have an item of the form that is asked for")),
        (
            {"shade": "hunter2"},
            Issue("shade", f"must be one of {', '.join(repr(f'grey{n}') for n in range(10))} and 40 more"),
        ),
        ({"some": []}, Issue("some", "must have at least 1 item")),
    ],
    ids=repr,
)
def test_a_jsonschema_error_about_one_of_several_forms_speaks_of_the_nearest(
    value: Any, issue: Issue
) -> None:
    with pytest.raises(jsonschema.ValidationError) as raised:
        jsonschema.validate(value, FORMS)

    assert issues_of(raised.value) == (issue,)


def test_a_form_is_not_less_near_for_what_lacks_further_inside() -> None:
    def issues(value: dict[str, Any]) -> tuple[Issue, ...]:
        with pytest.raises(jsonschema.ValidationError) as raised:
            jsonschema.validate({"filter": value}, FORMS)
        return issues_of(raised.value)

    assert issues({"between": {"start": 1}}) == (
        Issue("filter.between.from", "is required"),
        Issue("filter.between.to", "is required"),
    )
    assert issues({"eq": 1, "to": 2}) == (Issue("filter.to", "is not a known field"),)


def test_where_a_jsonschema_validator_named_one_problem_all_of_them_are_named() -> None:
    arguments = {"n": "hunter2", "colour": "hunter2"}
    with pytest.raises(jsonschema.ValidationError) as raised:
        jsonschema.validate(arguments, SCHEMA)

    assert set(issues_of(raised.value, Given(arguments, SCHEMA))) == {
        Issue("n", "must be of type integer"),
        Issue("kind", "is required"),
        Issue("colour", "is not a known field"),
    }


def test_a_document_that_a_handler_checked_is_not_taken_for_the_arguments() -> None:
    with pytest.raises(jsonschema.ValidationError) as raised:
        jsonschema.validate({"n": 0, "kind": "a"}, SCHEMA)

    given = Given({"path": "x"}, {"type": "object", "required": ["other"]})
    assert issues_of(raised.value, given) == (Issue("n", "must be at least 1"),)


def test_a_fastjsonschema_error_names_the_missing_field_alone() -> None:
    with pytest.raises(fastjsonschema.JsonSchemaValueException) as raised:
        fastjsonschema.compile(SCHEMA)({"n": 1})

    assert issues_of(raised.value) == (Issue("kind", "is required"),)


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


def test_the_summary_says_where_nobody_has_counted_further() -> None:
    issues = [Issue(f"f{n}", "is required") for n in range(LIMIT)]
    assert summary(issues).endswith("f4 is required; and 195+ more.")


def test_a_choice_of_many_counts_all_that_it_leaves_out() -> None:
    schema = {"properties": {"zone": {"enum": [f"Zone/{number}" for number in range(300)]}}}
    with pytest.raises(jsonschema.ValidationError) as caught:
        jsonschema.validate({"zone": "here"}, schema)

    assert issues_of(caught.value)[0].problem.endswith("'Zone/9' and 290 more")


def test_pydantics_sentences_speak_of_the_field_and_not_of_an_input() -> None:
    class Price(pydantic.BaseModel):
        amount: Annotated[Decimal, pydantic.Field(decimal_places=2)]
        count: int

    with pytest.raises(pydantic.ValidationError) as caught:
        Price.model_validate({"amount": "1.234", "count": 1e300})

    assert issues_of(caught.value) == (
        Issue("amount", "must have no more than 2 decimal places"),
        Issue("count", "must be a valid integer"),
    )


def test_what_a_check_of_the_authors_found_is_told_from_what_the_schema_says() -> None:
    class Visit(pydantic.BaseModel):
        day: datetime.date
        until: pydantic.FutureDate
        guests: int

        @pydantic.field_validator("guests")
        @classmethod
        def even(cls, guests: int) -> int:
            if guests % 2:
                raise ValueError("must be even")
            return guests

    with pytest.raises(pydantic.ValidationError) as caught:
        Visit.model_validate({"day": "soon", "until": "2001-01-01", "guests": 3})

    assert [type(issue) for issue in issues_of(caught.value)] == [Issue, Condition, Condition]
