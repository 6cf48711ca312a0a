"""The nouns that travel."""

from __future__ import annotations

import pytest

from mcp_error_middleware import Call

LONG = "x" * 10_000


@pytest.mark.parametrize("call", [Call(LONG), Call(target=LONG), Call("ping", protocol_version=LONG)])
def test_what_a_client_says_is_kept_in_a_call_up_to_a_length(call: Call) -> None:
    assert LONG not in call
    assert LONG[:2_000] in call


def test_a_call_of_usual_length_is_as_it_was_made_and_stays_so() -> None:
    call = Call("prompts/get", "greet", request_id=7, structured=False)

    assert (call.method, call.target, call.request_id, call.structured) == ("prompts/get", "greet", 7, False)
    assert call == Call(method="prompts/get", target="greet", request_id=7, structured=False)
    assert hash(call) == hash(call._replace())
    with pytest.raises(AttributeError):
        call.target = "other"  # type: ignore[misc]  # pyright: ignore


def test_only_the_target_of_a_tool_call_is_a_tool_and_records_show_its_alias() -> None:
    assert Call(target="ship").tool == "ship"
    assert Call("prompts/get", "greet").tool is None
    assert Call(target="ship", alias="[redacted]").shown == "[redacted]"
