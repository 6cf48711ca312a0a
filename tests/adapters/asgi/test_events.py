from __future__ import annotations

from itertools import pairwise

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_error_middleware.adapters.asgi.events import EventFilter, Watch, rewritten


def upper(data: bytes) -> bytes | None:
    return data.upper() if b"x" in data else None


def fed(chunks: list[bytes], limit: int = 1000) -> bytes:
    events = EventFilter(upper, limit)
    return b"".join([*(events.feed(chunk) for chunk in chunks), events.rest()])


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_an_event_keeps_its_other_fields_and_its_line_ends(end: bytes) -> None:
    event = end.join([b"event: message", b"id: 7", b"data: ax", b"", b""])

    joint = b"\n" if end == b"\r" else end
    assert rewritten(event, upper) == joint.join([b"event: message", b"id: 7", b"data: AX", b"", b""])


def test_an_event_behind_a_byte_order_mark_is_read_like_any_other() -> None:
    assert rewritten(b"\xef\xbb\xbfdata: ax\n\n", upper) == b"data: AX\n\n"


def test_data_of_several_lines_is_read_as_one_value() -> None:
    seen: list[bytes] = []

    assert rewritten(b'data: {"a":\ndata: 1}\n\n', seen.append) == b'data: {"a":\ndata: 1}\n\n'
    assert orjson.loads(seen[0]) == {"a": 1}


def test_a_whole_event_is_handed_out_at_once_and_an_unfinished_one_is_not() -> None:
    events = EventFilter(upper, 1000)

    assert events.feed(b": ping\r\n\r\ndata: x") == b": ping\r\n\r\n"
    assert events.feed(b"y\r\n\r") == b""
    assert events.feed(b"\n") == b"data: XY\r\n\r\n"


STREAM = b": ping\r\n\r\nevent: message\r\ndata: axb\r\n\r\nid: 1\ndata: quiet\n\ndata: x\n\ndata: end"


@settings(deadline=None)
@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_where_chunks_are_cut_makes_no_difference(cuts: list[int]) -> None:
    places = sorted({0, len(STREAM), *cuts})
    chunks = [STREAM[start:end] for start, end in pairwise(places)]

    assert fed(chunks) == fed([STREAM])


def test_an_event_over_the_limit_passes_as_it_is_and_the_next_is_looked_at_again() -> None:
    long = b"data: " + b"x" * 500 + b"\n\n"
    chunks = [long[i : i + 7] for i in range(0, len(long), 7)] + [b"data: x\n\n"]
    events = EventFilter(upper, 100)

    held = 0
    out = []
    for chunk in chunks:
        out.append(events.feed(chunk))
        held = max(held, len(events.pending))

    assert b"".join(out) == long + b"data: X\n\n"
    assert held <= 100


# --- whether a stream has answered ----------------------------------------------------------------

PROGRESS = b'event: message\r\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\r\n\r\n'
ANSWERED = b'event: message\r\ndata: {"jsonrpc":"2.0","id":7,"result":{}}\r\n\r\n'


def watched(chunks: list[bytes], limit: int = 1000) -> Watch:
    watch = Watch(limit)
    for chunk in chunks:
        watch.see(chunk)
    return watch


@pytest.mark.parametrize(
    ("stream", "ending"),
    [
        (b"", b""),
        (b": ping - now\r\n\r\n", b""),
        (b":\n\n:\n\n", b""),
        (PROGRESS, b""),
        (b"data:\n\n", b""),
        (b'data: {"jsonrpc":"2.0","id":7,"method":"sampling/createMessage"}\n\n', b""),
        (b": pi", b"\r\n\r\n"),
        (b"event: message\r\n", b"\r\n\r\n"),
        (ANSWERED, None),
        (PROGRESS + ANSWERED, None),
        (ANSWERED[:-4], None),
        (b'data: {"id":"a\\"b","jsonrpc":"2.0",\ndata: "error":{"code":1,"message":"x"}}\n\n', None),
        (b'data: [{"jsonrpc":"2.0","id":7,"result":{}}]\n\n', None),
        (b"data: nobody can read this\n\n", None),
        (b'data: {"jsonrpc":"2.0","id":7,"resu', None),
        (b"id: 3\ndata:\n\n", None),
        (b"\xef\xbb\xbf" + ANSWERED, None),
        (b"\xef\xbb\xbfid: 3\ndata:\n\n", None),
        (b"\xef\xbb\xbf" + PROGRESS, b""),
    ],
)
def test_a_stream_is_owed_an_answer_until_one_has_passed_or_can_still_come(
    stream: bytes, ending: bytes | None
) -> None:
    assert watched([stream]).ending() == ending
    assert watched([stream[i : i + 1] for i in range(len(stream))]).ending() == ending


def test_of_an_event_over_the_limit_nothing_is_kept_and_it_may_be_the_answer() -> None:
    watch = watched([b"data: " + b"x" * 60, b"x" * 60], limit=100)

    assert (watch.is_settled, watch.pending) == (True, b"")
