import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_error_middleware.model import Call, Failure
from mcp_error_middleware.render import (
    META_KEY,
    Format,
    enrich_result,
    envelope,
    error_object,
    error_text,
    merge_meta,
    tool_error_json,
    tool_result,
)
from tests.render.examples import NOT_FOUND, failure
from tests.strategies import failures, hostile_failures

TEXT = [{"type": "text", "text": error_text(NOT_FOUND)}]
META = {META_KEY: error_object(NOT_FOUND)}
CLOSED = failure(call=Call(structured=False))


def test_the_key_is_the_one_clients_rely_on() -> None:
    assert META_KEY == "io.github.mcp-error-middleware/error"


def test_a_tool_result_says_the_same_on_every_surface() -> None:
    assert tool_result(NOT_FOUND) == {
        "content": TEXT,
        "isError": True,
        "_meta": META,
        "structuredContent": {"error": error_object(NOT_FOUND)},
    }


def test_where_a_client_would_check_it_against_a_schema_the_error_is_only_in_meta() -> None:
    assert tool_result(CLOSED) == {"content": TEXT, "isError": True, "_meta": META}


def test_the_toolerror_format_puts_its_json_in_the_text() -> None:
    assert tool_result(NOT_FOUND, format="toolerror") == {
        "content": [{"type": "text", "text": tool_error_json(NOT_FOUND)}],
        "isError": True,
        "_meta": META,
        "structuredContent": {"error": error_object(NOT_FOUND)},
    }


def test_the_envelope_format_is_an_envelope_in_text_and_structure() -> None:
    result = tool_result(NOT_FOUND, format=Format.ENVELOPE)

    assert json.loads(result["content"][0].pop("text")) == envelope(NOT_FOUND)
    assert result == {
        "content": [{"type": "text"}],
        "isError": True,
        "_meta": META,
        "structuredContent": envelope(NOT_FOUND),
    }


def test_a_format_nobody_knows_is_answered_in_prose() -> None:
    assert tool_result(NOT_FOUND, format="yaml") == tool_result(NOT_FOUND)


def test_no_two_surfaces_share_an_object() -> None:
    result = tool_result(NOT_FOUND)
    result["structuredContent"]["error"]["data"]["recovery"]["hint"] = "changed"

    assert result["_meta"] == META


@given(hostile_failures, st.sampled_from(Format))
@settings(deadline=None)
def test_whatever_a_failure_holds_the_result_is_valid_json(failed: Failure, form: Format) -> None:
    result = tool_result(failed, format=form)

    assert json.loads(json.dumps(result, allow_nan=False, ensure_ascii=False).encode("utf-8")) == result


@given(failures())
@settings(deadline=None)
def test_the_surfaces_agree(failed: Failure) -> None:
    result = tool_result(failed)

    assert result["_meta"] == {META_KEY: error_object(failed)}
    assert result.get("structuredContent") == (
        {"error": error_object(failed)} if failed.call.structured else None
    )


def test_meta_is_merged_never_replaced() -> None:
    assert merge_meta({"traceparent": "00-1"}, NOT_FOUND) == {"traceparent": "00-1", **META}
    assert merge_meta(None, NOT_FOUND) == META
    assert merge_meta({META_KEY: "theirs", "a": 1}, NOT_FOUND) == {META_KEY: "theirs", "a": 1}


def test_a_foreign_error_result_keeps_what_it_says() -> None:
    theirs: dict[str, Any] = {
        "content": [{"type": "text", "text": "The order is locked."}, {"type": "image", "data": "aGk="}],
        "isError": True,
        "structuredContent": {"locked_by": "bob"},
        "_meta": {"traceparent": "00-1"},
        "extra": 1,
    }
    before = copy.deepcopy(theirs)

    assert enrich_result(theirs, NOT_FOUND) == {**before, "_meta": {"traceparent": "00-1", **META}}
    assert theirs == before


def test_a_foreign_text_is_not_hidden_behind_structured_content_of_ours() -> None:
    theirs = {"content": [{"type": "text", "text": "The order is locked."}], "isError": True}

    assert enrich_result(theirs, NOT_FOUND) == {**theirs, "_meta": META}


@pytest.mark.parametrize("content", [[], None, [{"type": "text", "text": " "}]])
def test_a_foreign_error_result_that_says_nothing_gets_our_words(content: Any) -> None:
    assert enrich_result({"content": content, "isError": True}, NOT_FOUND) == tool_result(NOT_FOUND)


def test_structured_content_without_text_stays_and_gets_a_text() -> None:
    theirs = {"content": [], "isError": True, "structuredContent": {"locked_by": "bob"}}

    assert enrich_result(theirs, NOT_FOUND) == {**theirs, "content": TEXT, "_meta": META}


def test_an_error_result_of_ours_from_another_server_stays_as_it_is() -> None:
    theirs = tool_result(failure(error_id="000000000000", call=Call(structured=False)))

    assert enrich_result(theirs, NOT_FOUND) == theirs
