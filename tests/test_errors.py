"""Errors an author raises on purpose."""

from __future__ import annotations

import copy
import pickle
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_error_middleware import errors
from mcp_error_middleware.errors import (
    BY_CODE,
    CodedError,
    Conflict,
    Forbidden,
    McpError,
    NotFound,
    RateLimited,
    ServiceUnavailable,
    Timeout,
    ValidationError,
    error_for,
    is_mcp_error,
)
from mcp_error_middleware.taxonomy import ErrorCode


class OrderMissing(NotFound):
    """A domain's own error, with a signature of its own."""

    def __init__(self, order: str, shop: int) -> None:
        super().__init__(f"Order {order!r} was not found.", {"order": order})
        self.shop = shop


class MissingKey(NotFound, KeyError):
    """Ours, and something existing code already catches."""


COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda error: pickle.loads(pickle.dumps(error)),
    "oldest pickle": lambda error: pickle.loads(pickle.dumps(error, protocol=0)),
}


def whole(error: McpError) -> tuple[Any, ...]:
    return type(error), error.code, error.message, error.data, error.retryable, error.args, str(error)


# --- one class per code ------------------------------------------------------------------------


@pytest.mark.parametrize("code", ErrorCode)
def test_every_code_has_a_class_named_by_its_label(code: ErrorCode) -> None:
    cls = getattr(errors, code.label)
    assert (cls.__name__, cls.CODE, BY_CODE[code], cls.__base__) == (code.label, code, cls, CodedError)
    assert cls.__doc__


def test_every_class_is_in_the_table_and_no_subclass_of_an_author() -> None:
    assert set(BY_CODE) == set(ErrorCode)
    assert OrderMissing not in BY_CODE.values()


def test_the_tree_in_the_docstring_names_every_class() -> None:
    assert [code.label for code in ErrorCode if code.label not in (errors.__doc__ or "")] == []


@pytest.mark.parametrize("code", ErrorCode)
def test_an_error_without_a_message_says_what_its_code_says(code: ErrorCode) -> None:
    for error in (BY_CODE[code](), McpError(code), error_for(code)):
        assert (error.code, error.message, error.data) == (code, code.traits.message, {})
        assert (str(error), error.args) == (code.traits.message, (code.traits.message,))
        assert (error.reason, error.retryable, error.retry_after) == (None, None, None)


def test_an_empty_message_is_the_authors_own() -> None:
    assert str(NotFound("")) == ""


@pytest.mark.parametrize("code", ErrorCode)
def test_an_error_is_made_for_its_code(code: ErrorCode) -> None:
    assert whole(error_for(code, "text", {"a": 1})) == (
        BY_CODE[code],
        code,
        "text",
        {"a": 1},
        None,
        ("text",),
        "text",
    )


def test_a_code_may_be_a_number_of_the_taxonomy() -> None:
    assert McpError(-32001, "gone").code is ErrorCode.NOT_FOUND


@pytest.mark.parametrize("code", [-32011, 404, 0, "NotFound", None, []])
def test_a_code_nobody_knows_is_refused(code: Any) -> None:
    with pytest.raises(ValueError, match=r"is not an ErrorCode; use one of its members, such as NOT_FOUND$"):
        McpError(code, "gone")


def test_raising_keeps_the_cause() -> None:
    cause = KeyError("ord_999")
    with pytest.raises(NotFound) as caught:
        raise NotFound("gone") from cause
    assert caught.value.__cause__ is cause


# --- what can be said --------------------------------------------------------------------------


def test_options_land_in_the_data() -> None:
    error = NotFound("gone", {"a": 1}, reason="no_match", recovery="Search.", retryable=True, retry_after=1.5)
    assert error.data == {"a": 1, "reason": "no_match", "recovery": {"hint": "Search."}, "retry_after": 1.5}
    assert (error.reason, error.retryable, error.retry_after) == ("no_match", True, 1.5)


def test_an_option_goes_before_the_data() -> None:
    data = {"reason": "data", "recovery": {"hint": "Data."}, "retry_after": 1}
    assert NotFound("gone", data).data == data
    assert NotFound("gone", data, reason="option", recovery="Option.", retry_after=2).data == {
        "reason": "option",
        "recovery": {"hint": "Option."},
        "retry_after": 2,
    }


def test_nothing_said_is_not_in_the_data() -> None:
    options: dict[str, Any] = {"reason": None, "recovery": None, "retryable": None, "retry_after": None}
    assert NotFound("gone", None, resource=None, id=None, **options).data == {}


@pytest.mark.parametrize("seconds", ["30", True, None, [1]])
def test_a_waiting_time_that_is_no_number_is_none(seconds: Any) -> None:
    assert Timeout(data={"retry_after": seconds}).retry_after is None


@pytest.mark.parametrize("reason", [7, None, ["no_match"]])
def test_a_reason_that_is_no_text_is_none(reason: Any) -> None:
    assert NotFound(data={"reason": reason}).reason is None


@pytest.mark.parametrize(
    ("error", "message", "data"),
    [
        (
            NotFound(resource="Order", id="ord_999"),
            "Order 'ord_999' was not found.",
            {"resource": "Order", "id": "ord_999"},
        ),
        (NotFound(resource="Order", id=0), "Order 0 was not found.", {"resource": "Order", "id": 0}),
        (NotFound(resource="Order"), "Order was not found.", {"resource": "Order"}),
        (NotFound(id=7), "The requested item was not found.", {"id": 7}),
        (NotFound("Own.", resource="Order", id=7), "Own.", {"resource": "Order", "id": 7}),
        (
            ServiceUnavailable(service="NCBI"),
            "NCBI is unavailable.",
            {"service": "NCBI"},
        ),
        (ServiceUnavailable("Own.", {"a": 1}, service="NCBI"), "Own.", {"a": 1, "service": "NCBI"}),
        (
            Forbidden(required_role="admin"),
            "Permission for this operation was denied.",
            {"required_role": "admin"},
        ),
        (
            ValidationError("Invalid user input", fields={"email": ["must contain @"]}),
            "Invalid user input",
            {"fields": {"email": ["must contain @"]}},
        ),
        (
            RateLimited(retry_after=30),
            "A rate limit or quota was exceeded.",
            {"retry_after": 30},
        ),
    ],
    ids=repr,
)
def test_a_payload_has_its_keyword(error: McpError, message: str, data: dict[str, Any]) -> None:
    assert (error.message, error.data) == (message, data)


def test_an_error_becomes_plain_data() -> None:
    assert NotFound("gone", {"a": [1]}, reason="no_match").to_dict() == {
        "code": -32001,
        "name": "NotFound",
        "kind": "not_found",
        "message": "gone",
        "data": {"a": [1], "reason": "no_match"},
    }
    assert type(NotFound().to_dict()["code"]) is int
    assert type(NotFound().to_dict()["kind"]) is str


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (NotFound("gone"), "NotFound('gone')"),
        (NotFound("gone", {"a": 1}), "NotFound('gone', data={'a': 1})"),
        (McpError(ErrorCode.CONFLICT, "stale"), "McpError(ErrorCode.CONFLICT, 'stale')"),
        (OrderMissing("7", 1), "OrderMissing(\"Order '7' was not found.\", data={'order': '7'})"),
    ],
    ids=["class", "data", "code", "subclass"],
)
def test_an_error_is_readable(error: McpError, shown: str) -> None:
    assert repr(error) == shown


def test_a_class_existing_code_catches_can_be_mixed_in() -> None:
    error = MissingKey("gone", {"a": 1})
    assert isinstance(error, KeyError)
    assert str(error) == "gone"


# --- data is the error's own -------------------------------------------------------------------


def test_the_authors_data_is_copied_on_the_way_in() -> None:
    data = {"list": [1]}
    fields = {"email": ["bad"]}
    error = ValidationError("bad", data, fields=fields, reason="invalid")
    data["list"].append(2)
    fields["email"].append("worse")
    assert error.data == {"list": [1], "fields": {"email": ["bad"]}, "reason": "invalid"}
    assert data == {"list": [1, 2]}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"size": ["is too big", "is odd"], "to": ["is required"]},
            "size is too big; size is odd; to is required.",
        ),
        ({"size": "is too big"}, "size is too big."),
        ({"size": 3}, "A value is not valid for this operation."),
        (["size"], "A value is not valid for this operation."),
        ({}, "A value is not valid for this operation."),
    ],
)
def test_the_problems_of_fields_are_the_message_where_there_is_none(fields: Any, message: str) -> None:
    assert ValidationError(fields=fields).message == message
    assert ValidationError("No.", fields=fields).message == "No."


def test_the_data_is_copied_on_the_way_out() -> None:
    error = NotFound("gone", {"list": [1]})
    error.to_dict()["data"]["list"].append(2)
    assert error.data == {"list": [1]}


def test_data_that_cannot_be_copied_is_kept_as_it_is() -> None:
    lock = threading.Lock()
    data = {"lock": lock}
    error = NotFound("gone", data, reason="no_match")
    assert error.data == {"lock": lock, "reason": "no_match"}
    assert data == {"lock": lock}
    assert error.to_dict()["data"] == error.data


def test_data_may_contain_itself() -> None:
    data: dict[str, Any] = {}
    data["self"] = data
    error = NotFound("gone", data)
    assert error.data["self"]["self"] is error.data["self"]
    assert error.data["self"] is not data


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(st.sampled_from(ErrorCode), st.text(), st.dictionaries(st.text(), json_like, max_size=4))
@settings(deadline=None)
def test_any_error_survives_any_copy(code: ErrorCode, message: str, data: dict[str, Any]) -> None:
    for error in (error_for(code, message, data), McpError(code, message, data, retryable=True)):
        assert all(whole(duplicate(error)) == whole(error) for duplicate in COPIES.values())


@pytest.mark.parametrize("duplicate", COPIES.values(), ids=COPIES)
def test_a_subclass_with_its_own_signature_survives_a_copy(duplicate: Callable[[Any], Any]) -> None:
    error = OrderMissing("ord_999", 7)
    error.add_note("asked twice")
    again = duplicate(error)
    assert whole(again) == whole(error)
    assert (again.shop, again.__notes__) == (7, ["asked twice"])
    again.data["order"] = "other"
    assert error.data == {"order": "ord_999"}


@pytest.mark.parametrize("duplicate", COPIES.values(), ids=COPIES)
def test_a_mixed_in_class_survives_a_copy(duplicate: Callable[[Any], Any]) -> None:
    assert whole(duplicate(MissingKey("gone", {"a": 1}))) == whole(MissingKey("gone", {"a": 1}))


# --- hostile input ----------------------------------------------------------------------------


class Mute:
    def __str__(self) -> str:
        raise RuntimeError

    __repr__ = __str__


class Unreadable(dict[str, Any]):
    def keys(self) -> Any:
        raise RuntimeError

    __iter__ = __bool__ = keys


class Forgetful(NotFound):
    def __init__(self, order: str) -> None:
        self.order = order


class Disguised:
    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # pyright: ignore
        return NotFound


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        (KeyError("pmid"), "'pmid'"),
        (7, "7"),
        pytest.param(Mute(), "The requested item was not found.", id="mute"),
    ],
)
def test_a_message_that_is_no_text_becomes_one(message: Any, shown: str) -> None:
    assert (NotFound(message).message, str(NotFound(message)), NotFound(message).args) == (
        shown,
        shown,
        (shown,),
    )


@pytest.mark.parametrize(
    ("data", "kept"),
    [([1], {"value": [1]}), ("abc", {"value": "abc"}), (Unreadable(a=1), {})],
    ids=["list", "text", "hostile"],
)
def test_data_that_is_no_mapping_does_not_hide_the_failure(data: Any, kept: dict[str, Any]) -> None:
    for error in (NotFound("gone", data), McpError(-32001, "gone", data)):
        assert (error.message, error.data) == ("gone", kept)


def test_a_subclass_that_forgets_its_base_is_still_an_error_to_show() -> None:
    error = Forgetful("ord_999")
    assert whole(error)[1:5] == (ErrorCode.NOT_FOUND, "The requested item was not found.", {}, None)
    assert (str(error), error.reason, error.order) == ("The requested item was not found.", None, "ord_999")
    assert repr(error) == "Forgetful('The requested item was not found.')"


def test_a_disguise_is_not_recognised() -> None:
    assert not is_mcp_error(Disguised())


# --- recognising -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "code", "expected"),
    [
        (NotFound(), None, True),
        (OrderMissing("7", 1), ErrorCode.NOT_FOUND, True),
        (McpError(-32001), ErrorCode.NOT_FOUND, True),
        (NotFound(), ErrorCode.CONFLICT, False),
        (NotFound, None, False),
        (KeyError("gone"), None, False),
        (None, None, False),
    ],
)
def test_an_error_is_recognised(value: object, code: ErrorCode | None, expected: bool) -> None:
    assert is_mcp_error(value, code) is expected


# --- subclasses of all kinds -------------------------------------------------------------------


@dataclass(frozen=True)
class Frozen(NotFound):
    order: str


class Slotted(NotFound):
    __slots__ = ("order",)

    def __init__(self, order: str) -> None:
        super().__init__(f"No order {order}.")
        self.order = order


class OwnNew(NotFound):
    def __new__(cls, shop: str, order: str) -> Self:
        return super().__new__(cls)

    def __init__(self, shop: str, order: str) -> None:
        super().__init__(f"No order {order} in {shop}.")


class WorkedOut(NotFound):
    def __init__(self, order: str) -> None:
        super().__init__()
        self.order = order

    @property
    def message(self) -> str:  # type: ignore[override]  # pyright: ignore
        return f"No order {self.order}."


@pytest.mark.parametrize(
    "error", [Frozen("7"), Slotted("7"), OwnNew("shop", "7"), Forgetful("7"), WorkedOut("7")]
)
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))])
def test_a_subclass_comes_back_whole_however_it_is_made(
    error: NotFound, again: Callable[[NotFound], NotFound]
) -> None:
    twin = again(error)

    assert type(twin) is type(error)
    assert (str(twin), twin.args, twin.data, vars(twin)) == (str(error), error.args, error.data, vars(error))
    assert getattr(twin, "order", None) == getattr(error, "order", None)
    assert twin.code is ErrorCode.NOT_FOUND


def test_a_class_whose_code_is_none_of_ours_is_refused_where_it_is_written() -> None:
    with pytest.raises(ValueError, match="'Conflict' is not an ErrorCode; use one of its members"):
        type("Clash", (Conflict,), {"CODE": "Conflict"})


def test_data_that_holds_the_same_tuple_many_times_is_copied_once() -> None:
    shared: tuple[Any, ...] = (1,)
    for _ in range(60):
        shared = (shared, shared)

    kept = NotFound(data={"shared": shared}).data["shared"]

    assert kept[0] is kept[1]
