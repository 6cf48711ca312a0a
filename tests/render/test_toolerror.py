import json
from typing import Any

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator

from mcp_error_middleware.model import Failure
from mcp_error_middleware.render import error_object, tool_error_json
from mcp_error_middleware.taxonomy import ErrorCode
from tests.render.examples import NOT_FOUND, RATE_LIMITED, failure
from tests.strategies import hostile_failures

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["type", "message", "recoverable"],
    "properties": {
        "type": {
            "type": "string",
            "enum": ["NOT_FOUND", "CONFLICT", "VALIDATION", "PERMISSION", "TRANSIENT", "INTERNAL"],
        },
        "message": {"type": "string", "description": "Human-readable error description"},
        "recoverable": {
            "type": "boolean",
            "description": "Whether the operation may succeed if retried (possibly with modified input)",
        },
        "data": {
            "type": "object",
            "description": "Optional structured context for error recovery",
            "additionalProperties": True,
        },
    },
    "additionalProperties": False,
}


def test_a_tool_error_names_its_type_and_keeps_everything_else_in_data() -> None:
    declared = failure(reason="no_match", data={"order": "ord_999"})

    assert json.loads(tool_error_json(declared)) == {
        "type": "NOT_FOUND",
        "message": "Order 'ord_999' was not found.",
        "recoverable": False,
        "data": {
            "reason": "no_match",
            "recovery": {"hint": "Call list_orders and use an id from its result."},
            "order": "ord_999",
            "retry": "never",
            "error_name": "NotFound",
            "error_id": "3f9c2a7e1b40",
        },
    }


def test_a_transient_error_says_when_to_retry() -> None:
    error = json.loads(tool_error_json(RATE_LIMITED))

    assert (error["type"], error["recoverable"], error["data"]["retry_after"]) == ("TRANSIENT", True, 29.2)


def test_a_conflict_is_recoverable_where_the_failure_says_so() -> None:
    conflict = failure(code=ErrorCode.CONFLICT, retryable=True, data={"conflicts": [{"held_by": "agent-2"}]})
    error = json.loads(tool_error_json(conflict))

    assert (error["type"], error["recoverable"]) == ("CONFLICT", True)
    assert error["data"]["conflicts"] == [{"held_by": "agent-2"}]


@pytest.mark.parametrize("code", list(ErrorCode))
def test_every_code_fits_the_schema(code: ErrorCode) -> None:
    Draft202012Validator(SCHEMA).validate(json.loads(tool_error_json(failure(code=code))))


@given(hostile_failures)
@settings(deadline=None)
def test_whatever_a_failure_holds_the_json_fits_the_schema_and_says_what_the_object_says(
    failed: Failure,
) -> None:
    error = json.loads(tool_error_json(failed))
    expected = error_object(failed)

    Draft202012Validator(SCHEMA).validate(error)
    assert error["message"] == expected["message"]
    assert error["data"] == {
        **expected["data"],
        "retry": expected["retry"],
        "error_name": failed.name,
        "error_id": failed.error_id,
    }


def test_the_text_is_compact_json() -> None:
    assert tool_error_json(NOT_FOUND).startswith('{"type":"NOT_FOUND","message":"Order ')
