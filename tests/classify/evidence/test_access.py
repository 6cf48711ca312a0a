"""Reading foreign objects."""

from __future__ import annotations

from collections import UserDict
from http import HTTPStatus
from types import MappingProxyType
from typing import NoReturn
from unittest.mock import MagicMock

import pytest

from mcp_error_middleware.classify.evidence.access import (
    called,
    either,
    entries,
    integer,
    is_exception,
    is_mapping,
    item,
    number,
    parsed,
    read,
    text,
)


class Bites:
    @property
    def code(self) -> NoReturn:
        raise SystemExit

    def __getitem__(self, key: object) -> NoReturn:
        raise GeneratorExit

    def act(self) -> NoReturn:
        raise BaseException("no")


class Liar:
    __class__ = dict  # type: ignore[assignment]


class Interrupts:
    @property
    def code(self) -> NoReturn:
        raise KeyboardInterrupt


def test_what_raises_and_what_is_missing_are_alike() -> None:
    assert read(Bites(), "code") is None
    assert read(Bites(), "other") is None
    assert item(Bites(), "x") is None
    assert called(Bites(), "act") is None
    assert called(Bites(), "other") is None


def test_a_ctrl_c_goes_through() -> None:
    with pytest.raises(KeyboardInterrupt):
        read(Interrupts(), "code")


@pytest.mark.parametrize(
    "mapping", [{"a": 1}, UserDict(a=1), MappingProxyType({"a": 1})], ids=["d", "u", "p"]
)
def test_entries_and_attributes_are_read_alike(mapping: object) -> None:
    assert is_mapping(mapping)
    assert either(mapping, "a") == 1
    assert either(mapping, "b") is None
    assert either(HTTPStatus.OK, "value") == 200


@pytest.mark.parametrize(
    "value", [Liar(), "text", None, [1], MagicMock()], ids=["liar", "text", "none", "list", "mock"]
)
def test_what_only_looks_like_a_mapping_is_none(value: object) -> None:
    assert not is_mapping(value)


def test_a_text_has_no_entries() -> None:
    assert item("abc", 0) is None
    assert item(None, "x") is None
    assert list(entries("abc")) == []
    assert list(entries((1, 2))) == [1, 2]
    assert list(entries([0] * 100)) == [0] * 20


@pytest.mark.parametrize(
    ("value", "whole"),
    [(7, 7), (HTTPStatus.OK, 200), (True, None), ("7", None), (7.0, None), (MagicMock(), None)],
)
def test_a_whole_number_is_one(value: object, whole: int | None) -> None:
    assert integer(value) == whole


@pytest.mark.parametrize(
    ("value", "amount"),
    [(7, 7.0), ("7.5", 7.5), (b"3", 3.0), (True, None), ("x", None), ("", None), (10**400, None), ([], None)],
)
def test_a_number_may_stand_in_a_string(value: object, amount: float | None) -> None:
    assert number(value) == amount


def test_a_text_may_come_in_bytes() -> None:
    assert [text("a"), text(b"a\xff"), text(1)] == ["a", "a\ufffd", None]


@pytest.mark.parametrize(
    ("value", "data"),
    [
        ('{"a": 1}', {"a": 1}),
        (b" [1]", [1]),
        ("nope", None),
        ("{broken", None),
        ("", None),
        ("[" * 9000, None),
        ('{"a": "' + "x" * 20_000 + '"}', None),
        ({"a": 1}, None),
    ],
    ids=["object", "list", "words", "broken", "empty", "deep", "long", "dict"],
)
def test_json_is_read_from_short_texts(value: object, data: object) -> None:
    assert parsed(value) == data


def test_an_exception_class_is_no_exception() -> None:
    assert is_exception(ValueError())
    assert not is_exception(ValueError)
