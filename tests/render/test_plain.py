import json
from collections.abc import Iterator, Mapping
from itertools import count
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings

from mcp_error_middleware.render.plain import UNFIT, dumps, plain
from tests.strategies import Raising, cycle, hostile_values, json_values


class Endless(Mapping[str, int]):
    def __getitem__(self, key: str) -> int:
        return 0

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[str]:
        return map(str, count())


class Liar:
    __class__: Any = str


@given(json_values)
@settings(deadline=None)
def test_plain_json_comes_back_equal(value: Any) -> None:
    assert plain(value) == value


@given(hostile_values)
@settings(deadline=None)
def test_any_value_becomes_valid_json_in_valid_utf_8(value: Any) -> None:
    json.loads(dumps(value).decode("utf-8"), parse_constant=pytest.fail)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("caf\udc80", "caf?"),
        (float("nan"), None),
        ([float("inf"), "\ud800"], [None, "?"]),
        (1 << 64, "18446744073709551616"),
        ([10**5000], [UNFIT]),
        (b"raw", UNFIT),
        (
            {1: "one", None: "none", False: "no", 2.5: "half"},
            {"1": "one", "null": "none", "false": "no", "2.5": "half"},
        ),
        ({(1, 2): "pair"}, {"[1,2]": "pair"}),
        ({"set": {1}, "tuple": (1, object())}, {"set": [1], "tuple": [1, UNFIT]}),
        (MappingProxyType({"a": MappingProxyType({"b": 1})}), {"a": {"b": 1}}),
        ([Raising(), "kept"], [UNFIT, "kept"]),
        ([Liar(), "kept"], [UNFIT, "kept"]),
        ({Raising(): "kept"}, {UNFIT: "kept"}),
    ],
)
def test_what_json_has_no_words_for_is_replaced_by_the_nearest(value: Any, expected: Any) -> None:
    assert plain(value) == expected


@pytest.mark.parametrize(
    "value", [cycle(), Endless(), [[[0] * 100] * 100, {1}] * 100], ids=["cycle", "endless", "wide"]
)
def test_what_never_ends_is_cut(value: Any) -> None:
    assert "…" in dumps(value).decode()
    assert len(dumps(value)) < 100_000
