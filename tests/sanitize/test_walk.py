from __future__ import annotations

import datetime
import decimal
import enum
import itertools
import json
import numbers
import pathlib
import uuid
from collections import OrderedDict, deque, namedtuple
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_error_middleware.sanitize import Limits, Scrubber, sanitize_data
from tests.strategies import broken_text


class Colour(enum.Enum):
    RED = "red"
    TWO = 2


@dataclass
class Login:
    user: str
    password: str


Pair = namedtuple("Pair", ["user", "api_key"])


class Model:
    """As a pydantic model looks."""

    __pydantic_fields__: ClassVar[dict[str, object]] = {"user": object(), "token": object()}

    def __init__(self) -> None:
        self.user, self.token = "bob", "abc123"


class Hostile:
    """Everything about it raises."""

    def __str__(self) -> str:
        raise RuntimeError("str")

    __repr__ = __str__

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError("iter")


class Liar:
    @property  # type: ignore[misc]
    def __class__(self) -> type:  # pyright: ignore[reportIncompatibleMethodOverride]
        return dict


class Endless(Mapping[int, int]):
    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[int]:
        n = 0
        while True:
            yield n
            n += 1

    def __getitem__(self, key: int) -> int:
        return key


class Broken(Mapping[str, str]):
    def __len__(self) -> int:
        raise RuntimeError("len")

    def __iter__(self) -> Iterator[str]:
        raise RuntimeError("iter")

    def __getitem__(self, key: str) -> str:
        raise RuntimeError("getitem")


class Shouting(str):
    def __str__(self) -> str:
        raise RuntimeError("str")

    def lower(self) -> str:
        raise RuntimeError("lower")


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (None, None),
        (True, True),
        (1.5, 1.5),
        (1e300, 1e300),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (2**63 - 1, 2**63 - 1),
        (2**64 - 1, 2**64 - 1),
        (2**64, "18446744073709551616"),
        (1 << 100_000, "<int of 100001 bits>"),
        ("a\ud800b", "a\ufffdb"),
        (b"caf\xc3\xa9 \xff", "café \ufffd"),
        (bytearray(b"ab"), "ab"),
        (Colour.RED, "red"),
        (Colour.TWO, 2),
        (datetime.datetime(2024, 1, 2, tzinfo=datetime.UTC), "2024-01-02T00:00:00+00:00"),
        (datetime.date(2024, 1, 2), "2024-01-02"),
        (datetime.timedelta(seconds=90), "0:01:30"),
        (uuid.UUID(int=5), "00000000-0000-0000-0000-000000000005"),
        (decimal.Decimal("1.50"), "1.50"),
        (pathlib.PurePosixPath("/home/bob/in.csv"), "[redacted:path]/in.csv"),
        ({"b", "a"}, ["a", "b"]),
        ((1, [2]), [1, [2]]),
        (deque([1]), [1]),
        (OrderedDict(a=1), {"a": 1}),
        (MappingProxyType({"a": 1}), {"a": 1}),
        ({7: "a", None: "b", True: "c"}, {"7": "a", "null": "b", "true": "c"}),
        (Login("bob", "hunter2"), {"user": "bob", "password": "[redacted:password]"}),
        (Pair("bob", "abc"), {"user": "bob", "api_key": "[redacted:key]"}),
        (Model(), {"user": "bob", "token": "[redacted:token]"}),
        (Shouting("hello"), "hello"),
        (object, "<builtins.type>"),
        (iter([1]), "<builtins.list_iterator>"),
        (4111111111111111, "[redacted:card]"),
    ],
    ids=itertools.count(),
)
def test_every_value_becomes_plain_data(value: object, plain: object) -> None:
    assert sanitize_data(value) == plain
    json.dumps(sanitize_data(value), allow_nan=False).encode()


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        ({"password": "hunter2"}, {"password": "[redacted:password]"}),
        ({"nested": [{"apiKey": "abc"}]}, {"nested": [{"apiKey": "[redacted:key]"}]}),
        ({"credentials": {"user": "bob", "pw": "x1"}}, {"credentials": "[redacted:secret]"}),
        (
            {"password": None, "token": False, "max_tokens": 10},
            {"password": None, "token": False, "max_tokens": 10},
        ),
        ({"pin": 1234, "tokens": 1500}, {"pin": "[redacted:code]", "tokens": 1500}),
        (
            {"fields": {"password": ["must be at least 8 characters"]}},
            {"fields": {"password": ["must be at least 8 characters"]}},
        ),
        (
            [("Authorization", "Bearer x"), ("Accept", "*/*")],
            [["Authorization", "[redacted:token]"], ["Accept", "*/*"]],
        ),
        (["Host", "a.com", "X-Api-Key", "abc123"], ["Host", "a.com", "X-Api-Key", "[redacted:key]"]),
        (["tool", "--password", "sunshine", "-v"], ["tool", "--password", "[redacted:password]", "-v"]),
        (["password", "email"], ["password", "email"]),
        ({"name": "Authorization", "value": "x"}, {"name": "Authorization", "value": "[redacted:token]"}),
        (
            {"ParameterKey": "DBPassword", "ParameterValue": "x1"},
            {"ParameterKey": "DBPassword", "ParameterValue": "[redacted:password]"},
        ),
        (
            {"element": "Password field", "text": "x1"},
            {"element": "Password field", "text": "[redacted:password]"},
        ),
        (
            {"ParameterKey": "Size", "ParameterValue": "x1"},
            {"ParameterKey": "Size", "ParameterValue": "x1"},
        ),
        (
            {"loc": ("body", "password"), "input": "hunter2", "msg": "too short"},
            {"loc": ["body", "password"], "input": "[redacted:password]", "msg": "too short"},
        ),
        (
            {"field": "password", "from": "hunter2", "to": None, "by": "bob"},
            {"field": "password", "from": "[redacted:password]", "to": None, "by": "bob"},
        ),
        ({"field": "size", "from": "S", "to": "M"}, {"field": "size", "from": "S", "to": "M"}),
        ({"token": {"state": "old", "name": "a1"}}, {"token": {"state": "old", "name": "a1"}}),
        ({"token": {"state": "old", "value": "a1"}}, {"token": "[redacted:token]"}),
        ({"auth": ("bob", "otter")}, {"auth": "[redacted:token]"}),
        ({"auth": ("basic", "bearer")}, {"auth": ["basic", "bearer"]}),
        ({"dbHost": "orders-db"}, {"dbHost": "[redacted:host]"}),
        ({"awsAccountId": "123456789012"}, {"awsAccountId": "[redacted:account]"}),
        ({"a@example.com": 1, "b@example.com": 2}, {"[redacted:email]": 1, "[redacted:email] 2": 2}),
        ({"note": "password=hunter2"}, {"note": "password=[redacted:password]"}),
    ],
)
def test_the_value_of_a_sensitive_name_goes_wherever_it_stands(value: object, plain: object) -> None:
    assert sanitize_data(value) == plain
    assert sanitize_data(plain) == plain


@pytest.mark.parametrize(
    ("value", "name"),
    [(Hostile(), "Hostile"), (Liar(), "Liar"), (Broken(), "Broken")],
    ids=["hostile", "liar", "broken"],
)
def test_of_an_object_nobody_knows_only_the_type_is_said(value: object, name: str) -> None:
    assert sanitize_data({"a": value})["a"].endswith(f"{name}>")


def test_an_object_under_a_sensitive_name_goes() -> None:
    assert sanitize_data({"password": Hostile()}) == {"password": "[redacted:password]"}


def test_a_mapping_without_end_is_cut() -> None:
    plain = sanitize_data(Endless())

    assert len(plain) == 50
    assert plain["…"] == "(+951 more)"


def test_a_cycle_is_named() -> None:
    value: dict[str, Any] = {"a": 1}
    value["self"] = value

    assert sanitize_data(value) == {"a": 1, "self": "…(cycle)"}


def test_what_is_too_deep_is_cut() -> None:
    scrubber = Scrubber(Limits(depth=2))

    assert scrubber.data({"a": {"b": {"c": 1}}}) == {"a": {"b": "…"}}


def test_what_is_too_broad_is_cut_and_says_how_much() -> None:
    scrubber = Scrubber(Limits(breadth=3))

    assert scrubber.data([1, 2, 3]) == [1, 2, 3]
    assert scrubber.data([1, 2, 3, 4]) == [1, 2, "…(+2 more)"]
    assert scrubber.data({"a": 1, "b": 2, "c": 3, "d": 4}) == {"a": 1, "b": 2, "…": "(+2 more)"}


def test_what_is_too_much_in_all_is_cut() -> None:
    plain = Scrubber(Limits(size=100)).data(["x" * 60, "y" * 60, "z"])

    assert plain == ["x" * 60, "y" * 60, "…(+1 more)"]


def test_a_pair_to_sign_in_with_goes() -> None:
    assert sanitize_data({"auth": ["bob", "hunter2!x9"], "tokens": [1, 2, 3]}) == {
        "auth": "[redacted:token]",
        "tokens": [1, 2, 3],
    }


def test_an_argument_is_read_behind_its_command_and_its_flag() -> None:
    assert sanitize_data({"cmd": ["mysql", "-u", "root", "-pS3cret", "shop"]}) == {
        "cmd": ["mysql", "-u", "root", "-p[redacted:password]", "shop"]
    }
    assert sanitize_data(["curl", "-u", "bob:hunter2", "--compressed"]) == [
        "curl", "-u", "bob:[redacted:password]", "--compressed",
    ]  # fmt: skip


def test_in_a_pair_the_first_names_the_second_whatever_it_is() -> None:
    assert sanitize_data([["api_key", {"value": "hunter2"}], ["pin", 4711], ["retries", 4711]]) == [
        ["api_key", "[redacted:key]"],
        ["pin", "[redacted:code]"],
        ["retries", 4711],
    ]


def test_a_list_of_assignments_names_nothing_beyond_them() -> None:
    assert sanitize_data(["DB_PASSWORD=hunter2", "LANG=C"]) == ["DB_PASSWORD=[redacted:password]", "LANG=C"]


def test_a_key_is_a_secret_if_its_owner_makes_it_one() -> None:
    key = "3f9c2a7e1b40d85c6e7f8091a2b3c4d5"

    assert sanitize_data({"encryption": {"key": key}, "cache": {"key": key}, "team": {"key": "ENG"}}) == {
        "encryption": {"key": "[redacted:secret]"},
        "cache": {"key": key},
        "team": {"key": "ENG"},
    }


def test_what_a_field_may_hold_and_how_often_it_passed_stay() -> None:
    value = {"schema": {"password": {"type": "string"}}, "pass": 41, "fail": 1}

    assert sanitize_data(value) == value
    for kept in ({"pass": 496, "fail": 12}, {"scopes": ["secrets:read", "tokens:write"]}):
        assert sanitize_data(kept) == kept


def test_a_long_key_is_cut() -> None:
    assert Scrubber(Limits(key=5)).data({"abcdefgh": 1}) == {"abcd…": 1}


def test_names_only_this_server_knows_are_sensitive() -> None:
    scrubber = Scrubber(extra_keys=frozenset({"member-number"}))

    assert scrubber.data({"memberNumber": 7, "MEMBER_NUMBER": "x"}) == {
        "memberNumber": "[redacted:secret]",
        "MEMBER_NUMBER": "[redacted:secret]",
    }


def test_what_was_removed_is_counted_by_kind() -> None:
    tally: dict[str, int] = {}
    Scrubber().data({"password": "x1", "to": "a@example.com", "cc": ["b@example.com"]}, tally)

    assert tally == {"password": 1, "email": 2}


values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | broken_text | st.binary(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(
            broken_text | st.integers() | st.sampled_from(["password", "token", "…"]), inner, max_size=4
        )
    ),
    max_leaves=20,
)


@settings(deadline=None, max_examples=200)
@given(values)
def test_whatever_goes_in_comes_out_as_json_and_stays_as_it_is(value: Any) -> None:
    plain = sanitize_data(value)

    json.dumps(plain, allow_nan=False).encode()
    assert sanitize_data(plain) == plain


def test_a_frame_goes_as_one_and_lines_of_a_trace_are_read_together() -> None:
    data = {
        "stackTrace": [
            {"className": "com.acme.Pay", "methodName": "charge", "fileName": "Pay.java", "lineNumber": 9}
        ],
        "traceback": [
            '  File "/opt/a/tax.py", line 61, in vat',
            "    rate = RATES[country]",
            "KeyError: 'XK'",
        ],
        "issue": {"file": "data.csv", "line": 12, "error": "not a number"},
    }

    assert sanitize_data(data) == {
        "stackTrace": ["[redacted:trace]"],
        "traceback": ["  [redacted:trace]", "KeyError: 'XK'"],
        "issue": {"file": "data.csv", "line": 12, "error": "not a number"},
    }


def test_a_number_of_another_library_is_a_number() -> None:
    class Int64:
        def __int__(self) -> int:
            return 7

    class Broken:
        def __float__(self) -> float:
            raise RuntimeError("no number")

    numbers.Integral.register(Int64)
    numbers.Real.register(Broken)

    data = sanitize_data({"boxes": Int64(), "share": Fraction(1, 4), "broken": Broken()})
    assert (data["boxes"], data["share"]) == (7, 0.25)
    assert "Broken" in data["broken"]


def test_a_column_that_is_named_a_secret_goes_from_every_row() -> None:
    table = [["user", "password"], ["bob", "sunshine"], ("amy", "hunter2")]

    assert sanitize_data({"rows": table}) == {
        "rows": [["user", "password"], ["bob", "[redacted:password]"], ["amy", "[redacted:password]"]]
    }


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (
            {"columns": ["user", "password"], "rows": [["bob", "sunshine"], ["eve"]]},
            {"columns": ["user", "password"], "rows": [["bob", "[redacted:password]"], ["eve"]]},
        ),
        (
            {"fields": [{"name": "id"}, {"name": "api_key"}], "data": [7, "abc"]},
            {"fields": [{"name": "id"}, {"name": "api_key"}], "data": [7, "[redacted:key]"]},
        ),
        ({"columns": ["user", "city"], "rows": [["bob", "Bern"]]},) * 2,
    ],
)
def test_what_stands_below_the_head_of_a_secret_goes(value: object, plain: object) -> None:
    assert sanitize_data(value) == plain


def test_of_a_secret_in_its_manifest_only_the_names_stay() -> None:
    def manifest(kind: str, port: str) -> dict[str, object]:
        return {"kind": kind, "metadata": {"name": "db"}, "data": {"port": port, "empty": ""}}

    assert sanitize_data(manifest("Secret", "NTQzMg==")) == manifest("Secret", "[redacted:secret]")
    assert sanitize_data(manifest("ConfigMap", "5432")) == manifest("ConfigMap", "5432")


def test_what_is_bound_to_a_statement_goes_with_it() -> None:
    bound = {"sql": "SELECT * FROM t WHERE n = ?", "params": ["bob", {"a": [1]}, None], "ms": 4}
    cut = "[redacted:sql]"

    assert sanitize_data(bound) == {"sql": cut, "params": [cut, {"a": [cut]}, None], "ms": 4}
    for kept in ({"query": "shoes", "params": {"color": "red"}}, {"pin": 17, "mode": "OUTPUT"}):
        assert sanitize_data(kept) == kept


def test_rows_that_are_no_table_are_read_one_by_one() -> None:
    rows = [["user", "password"], ["bob"], [["tag", "token"], 3]]

    assert sanitize_data({"rows": rows}) == {"rows": rows}


@pytest.mark.parametrize("key", ["phone", "homePhone", "phone_number", "mobileNumber", "Tel", "fax"])
@pytest.mark.parametrize("number", ["2782115488", "030 1234567", 2025550123])
def test_a_number_is_a_persons_where_its_key_says_so(key: str, number: str | int) -> None:
    assert sanitize_data({key: number}) == {key: "[redacted:phone]"}


@pytest.mark.parametrize("key", ["hotel", "phone_id", "phones", "order", "automobile", "number"])
def test_a_number_of_another_key_is_a_number(key: str) -> None:
    assert sanitize_data({key: 2782115488}) == {key: 2782115488}


@pytest.mark.parametrize("said", ["is required", True, None, 7, "", ["a"]])
def test_what_is_said_of_a_phone_number_is_none(said: object) -> None:
    assert sanitize_data({"phone": said}) == {"phone": said}
