"""Numbers of remote procedures and brokers: every row."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from mcp_error_middleware.classify import classify
from mcp_error_middleware.classify.evidence.rpc import AMQP, JSONRPC
from mcp_error_middleware.taxonomy import ErrorCode


def error(name: str = "MCPThing", **attributes: Any) -> Exception:
    exc: Exception = type(name, (Exception,), {})("words")
    vars(exc).update(attributes)
    return exc


@pytest.mark.parametrize(("number", "code"), JSONRPC.items())
def test_every_json_rpc_number_has_its_code(number: int, code: ErrorCode) -> None:
    assert classify(error(code=number)).code is code
    assert classify(error(error=SimpleNamespace(code=number))).code is code
    assert classify(error(error={"code": number})).code is code


def test_a_resource_that_was_not_found_is_not_a_conflict() -> None:
    assert classify(error(code=-32002)).code is ErrorCode.NOT_FOUND


def test_a_firm_name_says_more_than_a_number_for_anything() -> None:
    assert classify(error("RateLimitError", code=-32000)).code is ErrorCode.RATE_LIMITED


@pytest.mark.parametrize(("number", "code"), AMQP.items())
def test_every_reply_of_a_broker_has_its_code(number: int, code: ErrorCode) -> None:
    verdict = classify(error("ChannelClosedByBroker", reply_code=number, reply_text="NO"))
    assert (verdict.code, verdict.status) == (code, None)
