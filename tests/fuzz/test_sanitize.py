from __future__ import annotations

from typing import Any

import orjson
from hypothesis import given
from hypothesis import strategies as st

from mcp_error_middleware import sanitize_data, sanitize_text
from mcp_error_middleware.sanitize import Limits
from tests.fuzz.effort import effort
from tests.strategies import broken_text, hostile_values

LIMITS = Limits()

SECRETS = st.sampled_from(
    [
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzqqgy",
        "AKIAQYLPMN5HHHFPZAM2",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
        "postgresql://shop:hV9x7Lw2Qp@db.internal:5432/orders",
    ]
)
KEPT = {"postgresql://shop:hV9x7Lw2Qp@db.internal:5432/orders": "hV9x7Lw2Qp"}
"""Of an address only the password is a secret."""

AROUND = st.text(st.sampled_from(" \n\t,;:()[]{}<>\"'=|\u200b\u202eабв…"), max_size=30)
"""What may stand beside a secret without being part of it."""


@effort(80)
@given(AROUND, SECRETS, AROUND, st.text(max_size=200))
def test_a_secret_is_found_whatever_stands_around_it(before: str, secret: str, after: str, rest: str) -> None:
    # A space on both sides: nothing else says where a token ends.
    clean = sanitize_text(f"{before} {secret} {after}{rest}")
    assert KEPT.get(secret, secret) not in clean


@effort(60)
@given(st.integers(0, 5_000), SECRETS)
def test_a_secret_is_found_wherever_the_text_is_cut(length: int, secret: str) -> None:
    clean = sanitize_text("no answer " * (length // 10) + " " * (length % 10) + secret)
    kept = KEPT.get(secret, secret)
    assert not any(kept[:at] in clean for at in (len(kept), len(kept) * 3 // 4))


@effort(80)
@given(broken_text | st.text(max_size=5_000))
def test_any_text_becomes_one_that_is_short_enough_printable_and_stays_as_it_is(text: str) -> None:
    clean = sanitize_text(text)
    assert len(clean) <= LIMITS.text
    assert all(char.isprintable() or not char.isascii() or char in "\n\t" for char in clean)
    clean.encode()
    assert sanitize_text(clean) == clean


@effort(80)
@given(hostile_values)
def test_any_value_becomes_json_of_a_bounded_size(value: Any) -> None:
    clean = sanitize_data(value)
    assert len(orjson.dumps(clean)) < 4 * LIMITS.size


@effort(60)
@given(st.sampled_from(["password", "api_key", "clientSecret", "X-Auth-Token"]), hostile_values)
def test_what_is_named_a_secret_never_leaves(name: str, value: Any) -> None:
    clean = sanitize_data({name: {"inner": "correct horse battery", "other": value}, "safe": 1})
    assert "correct horse battery" not in str(clean)
    assert clean["safe"] == 1
