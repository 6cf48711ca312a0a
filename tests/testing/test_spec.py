from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from mcp_error_middleware.render import jsonrpc_error, tool_result
from mcp_error_middleware.testing import assert_spec_compliant
from mcp_error_middleware.testing.spec import find_problems
from tests.strategies import hostile_failures

TEXT = {"type": "text", "text": "fine"}


def result(**fields: Any) -> dict[str, Any]:
    return {"content": [TEXT], **fields}


def error(code: object, **fields: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": "no", **fields}}


GOOD = [
    (result(), None),
    (result(isError=True, structuredContent={"error": {}}), "2025-06-18"),
    (result(structuredContent=[1]), "2026-07-28"),
    (
        result(
            _meta={"io.modelcontextprotocol/serverInfo": {}, "com.example.shop/error": 1, "traceparent": "x"}
        ),
        None,
    ),
    (result(content=[{"type": "image", "data": "aGk=", "mimeType": "image/png"}]), None),
    (result(content=[{"type": "resource", "resource": {"uri": "a://b", "text": "x"}}]), "2024-11-05"),
    (result(content=[{"type": "resource_link", "uri": "a://b", "name": "b"}]), "2025-06-18"),
    ({"jsonrpc": "2.0", "id": "a", "result": {"contents": [{"uri": "a://b", "blob": "aGk="}]}}, None),
    ({"jsonrpc": "2.0", "id": 0, "result": {"messages": [{"role": "user", "content": TEXT}]}}, None),
    (error(-32602, data={"uri": "a://b"}), None),
    (error(-32042), "2025-11-25"),
    (error(-32000), "2025-06-18"),
    (error(4711), None),
    ({"jsonrpc": "2.0", "error": {"code": -32700, "message": "no"}}, None),
    ({"jsonrpc": "2.0", "method": "notifications/progress", "params": {}}, None),
]

BAD = [
    (result(content="fine"), None, "content is not a list"),
    (result(content=[{"type": "text"}]), None, "content[0].text is not a string"),
    (result(content=["fine"]), None, "content[0] is not an object"),
    (result(content=[{"type": "video"}]), None, "content[0].type 'video' is not one 2026-07-28 knows"),
    (
        result(content=[{"type": "audio", "data": "aGk=", "mimeType": "audio/wav"}]),
        "2024-11-05",
        "content[0].type 'audio' is not one 2024-11-05 knows",
    ),
    (
        result(content=[{"type": "image", "data": "*", "mimeType": "image/png"}]),
        None,
        "content[0].data is not base64",
    ),
    (
        result(content=[{"type": "resource", "resource": {"uri": "a://b"}}]),
        None,
        "content[0].resource has a part with neither text nor a base64 blob",
    ),
    (result(isError="true"), None, "isError is 'true', neither true nor false"),
    ({"isError": True}, None, "a tool result has no content"),
    ({"isError": True, "content": []}, None, "isError is true and content says nothing"),
    (result(structuredContent=[1]), "2025-11-25", "structuredContent is not an object, as 2025-11-25 asks"),
    (result(_meta=[1]), None, "_meta is not an object"),
    (result(_meta={"-bad": 1}), None, "_meta key '-bad' is not of the form [prefix/]name"),
    (result(_meta={"1a.b/c": 1}), None, "_meta key '1a.b/c' is not of the form [prefix/]name"),
    (result(_meta={"dev.mcp/x": 1}), None, "_meta key 'dev.mcp/x' has a prefix that is reserved for MCP"),
    (result(resultType="maybe"), None, "resultType 'maybe' is not known"),
    (
        result(x=float("nan")),
        None,
        "cannot be written as JSON in UTF-8: Out of range float values are not JSON compliant",
    ),
    (
        result(content=[{"type": "text", "text": "\ud83d"}]),
        None,
        "cannot be written as JSON in UTF-8: 'utf-8' codec can't encode character '\\ud83d' in position 50: "
        "surrogates not allowed",
    ),
    ({"result": {"messages": [{"role": "system"}]}}, None, "messages[0].role is neither user nor assistant"),
    ({"result": {"contents": [{"text": "x"}]}}, None, "contents has a part without a uri"),
    ({"jsonrpc": "1.0", "id": 1, "result": {}}, None, "jsonrpc is '1.0', not '2.0'"),
    (
        {"jsonrpc": "2.0", "result": {}},
        None,
        "id is None; an answer carries the string or number of its request",
    ),
    ({"jsonrpc": "2.0", "id": 1}, None, "has neither result nor error"),
    ({"jsonrpc": "2.0", "id": 1, "result": []}, None, "result is not an object"),
    ({**error(-32603), "id": 1.5}, None, "id is 1.5, neither a string nor a number"),
    ({**error(-32603), "result": {}}, None, "has both result and error"),
    (error("E42"), None, "error.code is 'E42', not a whole number"),
    (error(-32002), None, "error.code -32002 is not for a server's own use in 2026-07-28"),
    (error(-32002), "2025-06-18", "error.code -32002 is not for a server's own use in 2025-06-18"),
    (error(-32042), "2026-07-28", "error.code -32042 is not for a server's own use in 2026-07-28"),
    (error(-32603, message=None), None, "error.message is not a string"),
    (error(-32603, hint="x"), None, "error has members JSON-RPC does not know: hint"),
    (KeyError("x"), None, "KeyError is no message of a server"),
]


@pytest.mark.parametrize(("answer", "version"), GOOD, ids=range(len(GOOD)))
def test_what_the_specification_allows_passes(answer: object, version: str | None) -> None:
    assert_spec_compliant(answer, version)


@pytest.mark.parametrize(("answer", "version", "problem"), BAD, ids=range(len(BAD)))
def test_what_it_does_not_is_named(answer: object, version: str | None, problem: str) -> None:
    assert find_problems(answer, version) == [problem]


def test_the_report_names_the_version() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_spec_compliant(error(-32070), "2025-11-25")

    assert str(caught.value) == (
        "not as MCP 2025-11-25 asks:\n  error.code -32070 is not for a server's own use in 2025-11-25"
    )


@given(hostile_failures)
def test_whatever_we_render_is_compliant(failure: Any) -> None:
    version = failure.call.protocol_version

    assert find_problems(tool_result(failure), version) == []
    assert find_problems({"jsonrpc": "2.0", "id": 1, "error": jsonrpc_error(failure)}, version) == []


def test_a_version_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^'2026-7-28' is no version of the protocol; use one like '2026-"):
        assert_spec_compliant({"content": []}, "2026-7-28")
