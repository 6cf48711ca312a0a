from __future__ import annotations

import base64

import pytest

from mcp_error_middleware.sanitize import sanitize_text


def _sent(said: str) -> str:
    return f"the server sent {base64.b64encode(said.encode()).decode()} back"


@pytest.mark.parametrize(
    "said",
    [
        "bob:hunter2-again",
        "\0bob\0hunter2-again",
        "bob@example.com:geheim!",
        '{"password": "hunter2"}',
        "db_password=hunter2",
    ],
)
def test_what_somebody_signs_in_with_goes_in_base64_too(said: str) -> None:
    assert sanitize_text(_sent(said)) == "the server sent [redacted:token] back"


@pytest.mark.parametrize(
    "said",
    [
        "User:1234567890", "Order:8ab976e6-64bc", "arrayconnection:25", "010:Repository1296269",
        "Hello, world", "2024-05-01T10:00:00Z", "user:password", "https://example.com/a",
    ],
)  # fmt: skip
def test_what_names_a_thing_stays(said: str) -> None:
    assert sanitize_text(_sent(said)) == _sent(said)


def test_where_the_next_page_begins_stays() -> None:
    text = "next_cursor dXNlcjpVMDYxTkZUVDI= was not accepted"
    assert sanitize_text(text) == text
    assert sanitize_text(text.replace("next_cursor ", "")) == "[redacted:token] was not accepted"


def test_what_is_no_base64_stays() -> None:
    text = "see internationalization_of_messages and docs/Guide/Getting0Started/now"
    assert sanitize_text(text) == text
