from __future__ import annotations

import base64
import html
import json
import logging
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic import AnyUrl

from mcp_error_middleware import Call
from mcp_error_middleware.testing import Failures, assert_no_leak
from mcp_error_middleware.testing.hostile import Biting, Raising, Unprintable, cycle
from mcp_error_middleware.testing.leaks import SPELLINGS
from mcp_error_middleware.testing.strategies import exceptions, hostile_values
from mcp_error_middleware.triage import Triage

httpx: Any = import_module("httpx2" if find_spec("httpx2") else "httpx")

CANARY = 'p&ss "wörd"/4711+x'

SPELLED: dict[str, Callable[[str], str]] = {
    "as it is": str.swapcase,
    "as JSON": json.dumps,
    "URL-encoded": lambda canary: f"https://example.com/?q={quote(canary, safe='')}",
    "as HTML": html.escape,
    "base64": lambda canary: base64.b64encode(f"Bearer {canary}!".encode()).decode(),
    "hex": lambda canary: canary.encode().hex().upper(),
    "reversed": lambda canary: canary[::-1],
}


def leak(canary: str, *places: object, **named: object) -> str:
    with pytest.raises(AssertionError) as caught:
        assert_no_leak(canary, *places, **named)
    return str(caught.value)


def test_every_spelling_has_an_example() -> None:
    assert SPELLED.keys() == SPELLINGS.keys()


@pytest.mark.parametrize("form", SPELLED)
def test_a_secret_is_found_in_every_spelling(form: str) -> None:
    assert f"place ({form}): " in leak(CANARY, place=f"before {SPELLED[form](CANARY)} after")


@given(st.binary(max_size=5), st.text(st.characters(exclude_categories=["Cs"]), min_size=6, max_size=30))
def test_base64_is_found_at_every_offset(before: bytes, canary: str) -> None:
    encoded = base64.b64encode(before + canary.encode() + b"after").decode()

    assert "leaks" in leak(canary, encoded)


def test_what_does_not_hold_it_passes() -> None:
    assert_no_leak(CANARY, "p&ss w", {"ok": ["word", b"\xff", 4711, None, object()]}, ValueError("p&ss"))


@pytest.mark.parametrize(
    ("place", "path"),
    [
        ({"a": [{"b": f"x {CANARY}"}]}, "place['a'][0]['b']"),
        ({CANARY: 1}, "place key "),
        ([("x", {CANARY.encode()})], "place[0][1][0]"),
        (RuntimeError("safe", {"dsn": CANARY}), "place text"),
        (Call(target=CANARY), "place.target"),
    ],
    ids=["nested", "key", "bytes", "exception", "slots"],
)
def test_the_report_says_where(place: object, path: str) -> None:
    assert f"  {path}" in leak(CANARY, place=place)


def test_a_cause_and_a_note_are_looked_at() -> None:
    error = RuntimeError("safe")
    error.__cause__ = OSError("safe too")
    error.__cause__.add_note(CANARY)

    assert "place.__cause__.__notes__[0]" in leak(CANARY, place=error)


def test_a_number_can_be_a_secret() -> None:
    assert "card['number']" in leak("4111111111111111", card={"number": 4111111111111111})


def test_what_was_made_in_another_language_is_read_as_text() -> None:
    assert "uri._url text (as it is)" in leak("secret-order", uri=AnyUrl("orders://x/secret-order"))


def test_a_secret_may_be_buried_deep() -> None:
    place: Any = CANARY
    for _ in range(500):
        place = [place]

    assert "[0][0] (as it is)" in leak(CANARY, place=place)


def test_a_place_without_end_is_refused() -> None:
    class Endless:
        @property
        def __dict__(self) -> Any:  # type: ignore[override]
            return {"next": Endless()}

    with pytest.raises(ValueError, match="place holds too much to be searched; pass the part that leaves"):
        assert_no_leak(CANARY, place=Endless())


def test_failures_are_judged_by_what_may_be_shown() -> None:
    failure = Triage()(RuntimeError(f"api_key=sk-live-{'a1b2' * 6}"), Call(target="ship"))

    assert failure.exception is not None
    assert_no_leak(f"sk-live-{'a1b2' * 6}", Failures([failure]), [failure])
    assert "failures.heard[0].call.target" in leak(
        "secret-tool", failures=Failures([Triage()(KeyError(), Call(target="secret-tool"))])
    )


def test_captured_logs_are_looked_at_with_their_tracebacks(caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise OSError(CANARY)
    except OSError:
        logging.getLogger("shop").exception("shipping failed", extra={"order": 1})

    assert "LogCaptureFixture.text" in leak(CANARY, caplog)
    assert_no_leak("not-in-there", caplog)


def test_captured_output_is_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    print(f"token {CANARY}")

    assert "CaptureFixture.readouterr().out" in leak(CANARY, capsys)


def test_spans_are_looked_at() -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with provider.get_tracer("shop").start_as_current_span("ship") as span:
        span.add_event("failed", {"exception.message": CANARY})

    assert "InMemorySpanExporter[0].events[0]" in leak(CANARY, exporter)
    assert_no_leak("not-in-there", exporter, exporter.get_finished_spans())


def test_a_response_is_judged_by_what_came_back() -> None:
    request = httpx.Request("POST", "https://example.com", content=CANARY.encode())

    assert_no_leak(CANARY, httpx.Response(200, text="fine", request=request))
    assert "Response.content" in leak(CANARY, httpx.Response(200, text=CANARY, request=request))


def test_places_of_one_kind_are_told_apart() -> None:
    assert "  place 2 (as it is)" in leak(CANARY, "fine", CANARY)


def test_a_canary_found_by_chance_is_refused() -> None:
    with pytest.raises(ValueError, match="fewer than 6 characters is found by chance; plant a longer one"):
        assert_no_leak("abc", "anything")


def test_hostile_places_do_no_harm() -> None:
    assert_no_leak(CANARY, [Raising(), Unprintable("x"), Biting("x"), cycle()])


@given(st.lists(exceptions | hostile_values, max_size=3))
def test_nothing_is_found_where_nothing_is(places: list[object]) -> None:
    assert_no_leak("a-canary-nobody-planted", places)
