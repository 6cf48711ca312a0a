from __future__ import annotations

from unittest import mock

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mcp_error_middleware.sanitize import Scrubber, sanitize_text, spans
from mcp_error_middleware.sanitize.finders import FINDERS
from mcp_error_middleware.sanitize.public import without_public
from tests.sanitize.leaks import LEAKS
from tests.sanitize.test_scrubber import BENIGN

PUBLIC = [
    "https://prices.example/orders/123",
    "https://developer.mozilla.org/en-US/docs/Web/HTTP/Status/503",
    "http://api.example.com/v1/payment_intents/ord_42/",
    "https://errors.pydantic.dev/page.html",
    "https://api.example.com/users/8ab976e6-64bc-4b38-98f7-731e7a349970/orders",
    "8ab976e6-64bc-4b38-98f7-731e7a349970",
    "2024-05-06",
    "2024-05-06T10:11:12.123+00:00",
]
NOT_PLAINLY = [
    "https://bob:hunter2@example.com/orders",
    "https://example.com/orders?token=abc123def456",
    "https://example.com/orders#token=abc123def456",
    "https://billing-api/v1",
    "https://example.com/reset/abcdefgh-ijkl",
    "https://example.com/Verify-Email/abcdefgh-ijkl",
    "https://example.com:8080/orders",
    "https://example.com/orders/4111 1111 1111 1111",
    "https://example.com/token: abc",
    "https://example.com)bob@example.org",
    "access-sandbox-8ab976e6-64bc-4b38-98f7-731e7a349970",
    "41555526-1234-1234-1234-123456789012",
    "+49 30 2024-05-06",
]


@pytest.mark.parametrize("public", PUBLIC)
def test_what_is_plainly_public_is_taken_out(public: str) -> None:
    assert without_public(f"no '{public}', see {public}.") == "no ' ', see  ."


@pytest.mark.parametrize("text", NOT_PLAINLY)
def test_what_may_hide_something_stays_in(text: str) -> None:
    assert without_public(f"see {text} now") == f"see {text} now"


@settings(deadline=None, max_examples=300)
@given(
    st.lists(
        st.sampled_from(PUBLIC)
        | st.sampled_from(NOT_PLAINLY)
        | st.sampled_from([text for _, text in LEAKS])
        | st.sampled_from(BENIGN)
        | st.sampled_from("password token: call tel at line \n key=".split(" ")),
        max_size=6,
    ).map(" ".join)
)
@example("Server error '503 Service Unavailable' for url 'https://prices.example/orders/123'\nFor more: x")
def test_nothing_less_is_found_where_what_is_public_was_taken_out(text: str) -> None:
    with mock.patch.object(spans, "without_public", lambda text: text):
        assert Scrubber(finders=(*FINDERS,)).text(text) == sanitize_text(text)
