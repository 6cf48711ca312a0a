from __future__ import annotations

import configparser
import json
from collections.abc import Callable
from typing import Any

import pytest

from mcp_error_middleware.advice import Around
from mcp_error_middleware.blame import blamed, lacked
from mcp_error_middleware.classify import classify


def raised(step: Callable[..., object], *args: object) -> BaseException:
    try:
        step(*args)
    except Exception as exc:
        return exc
    raise AssertionError("nothing was raised")


def first(rows: list[int], at: int) -> int:
    return rows[at]


@pytest.mark.parametrize(
    ("step", "sent", "name"),
    [
        (json.loads, {"text": "{bad"}, "text"),
        (lambda term: eval(term), {"term": "1 / 0"}, "term"),
        (configparser.ConfigParser()["DEFAULT"].__getitem__, {"option": "colour"}, None),
        (lambda text: json.loads("{" + text), {"text": "x"}, None),
        (lambda count: 1 // 0 + len(count), {"count": "1/0"}, None),
        (lambda index: first([], index), {"index": 7}, None),
    ],
    ids=[
        "a document",
        "a term",
        "a setting",
        "what the code made",
        "a number of the code",
        "a row of the code",
    ],
)
def test_the_argument_is_named_that_was_the_very_thing(
    step: Callable[..., object], sent: dict[str, Any], name: str | None
) -> None:
    exc = raised(step, *sent.values())

    assert blamed(classify(exc), exc, (), sent) == name
    assert blamed(classify(exc), exc, (), dict.fromkeys(sent, "other")) is None


def test_the_argument_is_named_that_a_bug_misses_and_the_schema_requires() -> None:
    sizes: dict[str, int] = {}
    exc = raised(sizes.__getitem__, "order")
    around = Around(
        schema={"properties": {"order": {}, "size": {}}, "required": ["order"]}, arguments={"size": 1}
    )

    assert lacked(classify(exc), exc, around) == "order"
    assert lacked(classify(exc), exc, around._replace(arguments={"order": 1})) is None
