from __future__ import annotations

import pytest

from mcp_error_middleware.sanitize import sanitize_data, sanitize_text
from tests.effort import effort


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (
            "http://billing-int:8080/v2 gave 502 (billing-int is draining)",
            "http://[redacted:host]/v2 gave 502 ([redacted:host] is draining)",
        ),
        (
            "password=cobalt-Otter9 rejected: cobalt-Otter9 is too weak",
            "password=[redacted:password] rejected: [redacted:password] is too weak",
        ),
        (
            "amqp://kim:cobalt-Otter9@mq.example.com refused cobalt-Otter9",
            "amqp://[redacted:url-credentials]@mq.example.com refused [redacted:url-credentials]",
        ),
    ],
)
def test_what_is_cut_once_is_cut_wherever_it_is_said(text: str, clean: str) -> None:
    assert sanitize_text(text) == clean


@pytest.mark.parametrize(
    "rest",
    [
        "the admin was told",
        "redis is down",
        "db-eu-12 and db-eu-1.example.com are well",
    ],
)
def test_a_word_of_the_sentence_or_a_part_of_another_name_stays(rest: str) -> None:
    cut = "password=admin, redis://redis:6379/0, host=db-eu-1; "

    assert sanitize_text(cut + rest).endswith(rest)


def test_what_went_because_of_its_key_goes_from_the_sentences_beside_it() -> None:
    data = {
        "why": ["cobalt-Otter9 is too weak"],
        "login": {"password": "cobalt-Otter9"},
        "hostname": "db-eu-1",
    }

    assert sanitize_data(data | {"at": "db-eu-1 is down"}) == {
        "why": ["[redacted:password] is too weak"],
        "login": {"password": "[redacted:password]"},
        "hostname": "[redacted:host]",
        "at": "[redacted:host] is down",
    }


def test_long_credentials_without_a_password_are_read_in_linear_time() -> None:
    text = "https://" + "0@" * 2_000
    sanitize_text(text)

    assert effort(lambda: sanitize_text(text + "a")) < 2
