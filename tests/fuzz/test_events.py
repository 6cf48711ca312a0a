from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from mcp_error_middleware.adapters.asgi.events import EventFilter
from tests.fuzz.effort import effort

ENDS = st.sampled_from([b"\n", b"\r\n", b"\r"])
FIELDS = st.sampled_from(
    [b"data: secret", b"data:quiet", b"data: ", b"event: message", b"id: 7", b": ping", b"data"]
)


@st.composite
def streams(draw: st.DrawFn) -> bytes:
    """Whole events, each line with an end of its own."""
    lines = draw(st.lists(st.lists(FIELDS, min_size=1, max_size=4), max_size=5))
    return b"".join(line + draw(ENDS) for event in lines for line in (*event, b"")) + b"\n\n"


def hidden(data: bytes) -> bytes | None:
    """In one line, as JSON is."""
    return b" ".join(data.replace(b"secret", b"hidden").split()) if b"secret" in data else None


def as_a_client_reads(stream: bytes) -> list[bytes]:
    """The data of every event, by the letter of the standard."""
    events: list[bytes] = []
    data: list[bytes] = []
    for line in stream.splitlines():
        if not line:
            events += [b" ".join(b" ".join(data).split())] if data else []
            data = []
        elif line == b"data" or line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
    return events


@effort(80)
@given(streams(), st.lists(st.integers(0, 200), max_size=10), st.sampled_from([5, 1_000]))
def test_a_client_reads_the_same_events_with_their_data_rewritten(
    stream: bytes, cuts: list[int], limit: int
) -> None:
    places = sorted({0, len(stream), *(min(cut, len(stream)) for cut in cuts)})
    events = EventFilter(hidden, limit)
    sent = b"".join([events.feed(stream[start:end]) for start, end in pairwise(places)]) + events.rest()

    expected = [data.replace(b"secret", b"hidden") for data in as_a_client_reads(stream)]
    read = as_a_client_reads(sent)
    # What is longer than may be held passes as it came; nothing is lost.
    assert (read if limit == 1_000 else [data.replace(b"secret", b"hidden") for data in read]) == expected


@effort(60)
@given(st.lists(st.binary(max_size=40), max_size=8))
def test_bytes_that_are_no_events_pass_and_no_more_is_held_than_may_be(chunks: list[bytes]) -> None:
    events = EventFilter(lambda _: None, 16)
    sent = b""
    for chunk in chunks:
        sent += events.feed(chunk)
        assert len(events.pending) <= 16
    assert sent + events.rest() == b"".join(chunks)
