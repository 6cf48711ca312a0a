from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import orjson

from mcp_error_middleware.handed import handed


def innermost_of(step: Callable[[str], object], text: str) -> list[object]:
    try:
        step(text)
    except ValueError as exc:
        return handed(exc)
    raise AssertionError("nothing was raised")


def test_what_was_handed_to_what_failed_is_what_the_very_expression_took() -> None:
    def read(text: str) -> object:
        size = 3
        return orjson.loads(text)[size]

    def read_encoded(text: str) -> object:
        return orjson.loads(
            text.encode("utf-8"),
        )

    def read_inside(text: str) -> object:
        for part in text.split(","):
            orjson.loads(part)
        return None

    assert innermost_of(read, "{") == ["{"]
    assert innermost_of(read_encoded, "{") == ["{"]
    assert innermost_of(read_inside, "1,{") == ["{"]


def test_what_was_handed_to_another_call_was_not() -> None:
    def fetched(order: str) -> str:
        return "{" + order

    def read(text: str) -> object:
        return orjson.loads(fetched(text))

    def read_made(text: str) -> object:
        return orjson.loads(fetched(text).encode())

    def refuse(text: str) -> object:
        raise ValueError(text)

    for step in (read, read_made, refuse):
        assert innermost_of(step, "x") == []


def test_a_library_was_handed_more_than_can_be_told() -> None:
    assert innermost_of(json.loads, "{") == []


def test_code_without_positions_or_without_end_hands_nothing() -> None:
    source = "import orjson\ndef read(text): return orjson.loads(text)\ndef long(text):\n"
    made: dict[str, Any] = {"__name__": "shop"}
    exec(compile(source + "    text\n" * 3_000 + "    orjson.loads(text)", "shop.py", "exec"), made)
    assert innermost_of(made["long"], "{") == []
    read = made["read"]
    assert innermost_of(read, "{") == ["{"]
    read.__code__ = read.__code__.replace(co_linetable=b"")

    assert innermost_of(read, "{") == []
    assert handed(ValueError()) == []
