"""Where a text could not be read."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_error_middleware.classify import classify
from mcp_error_middleware.taxonomy import ErrorCode


def error(name: str = "LabError", text: str = "the words say nothing", **attributes: Any) -> Exception:
    exc: Exception = type(name, (Exception,), {})(text)
    vars(exc).update(attributes)
    return exc


@pytest.mark.parametrize(
    "place",
    [{"lineno": 3}, {"line": 3, "column": 7}, {"line_number": 3}, {"start_line": 3}, {"row": 2, "col": 1}],
    ids=str,
)
def test_who_names_a_line_has_tried_to_read_a_text(place: dict[str, Any]) -> None:
    assert classify(error(**place)).code is ErrorCode.SERIALIZATION_ERROR


@pytest.mark.parametrize(
    "state", [{"line": "SELECT 1"}, {"line": None}, {"lineno": True}, {"row": 2}, {"pos": 2}], ids=str
)
def test_what_is_no_place_says_nothing(state: dict[str, Any]) -> None:
    assert classify(error(**state)).code is ErrorCode.INTERNAL_ERROR


def test_a_telling_name_and_a_providers_words_say_more_than_a_place() -> None:
    assert classify(error("TemplateNotFound", line=3)).code is ErrorCode.NOT_FOUND
    assert classify(error(text="connection refused", line=3)).code is ErrorCode.SERVICE_UNAVAILABLE
