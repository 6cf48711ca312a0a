from __future__ import annotations

import pytest

from mcp_error_middleware.sanitize import sanitize_text

KEY = "MIIEpAIBAAKCAQEA7v1B2c3D4e5F6g7H8i9J0k"


@pytest.mark.parametrize(
    "text",
    [
        f"bad: -----BEGIN RSA PRIVATE KEY-----\n{KEY}\n-----END RSA PRIVATE KEY-----",
        f"bad: -----BEGIN PRIVATE KEY-----\\n{KEY}\\n-----END PRIVATE KEY-----",
        f"bad: -----BEGIN EC PRIVATE KEY-----\n{KEY}",
    ],
)
def test_a_key_goes_whole_or_cut_off(text: str) -> None:
    assert sanitize_text(text) == "bad: [redacted:pem]"


def test_the_line_that_a_key_begins_with_stays_where_words_follow() -> None:
    said = "-----BEGIN CERTIFICATE----- expected"

    assert sanitize_text(said) == said
    assert sanitize_text(f"-----BEGIN PRIVATE KEY----- {KEY}") == "[redacted:pem]"
    assert sanitize_text("-----BEGIN CERTIFICATE----- passwords:\n  root: Marble-7") == "[redacted:pem]"
    assert sanitize_text("-----BEGIN PRIVATE KEY----- abcdefghijkLM") == "[redacted:pem]"


def test_a_key_without_its_beginning_goes() -> None:
    assert sanitize_text(f"{KEY}\n-----END PRIVATE KEY----- is bad") == "[redacted:pem] is bad"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("sent Bearer mF_9.B5f-4.1JqM twice", "sent Bearer [redacted:token] twice"),
        ("curl -u bob:hunter2 x", "curl -u bob:[redacted:password] x"),
        ("mysql -u root -phunter2 shop", "mysql -u root -p[redacted:password] shop"),
        ("bob:hunter2@tcp(db.example.com)/x", "[redacted:url-credentials]@tcp(db.example.com)/x"),
        (
            "https://hooks.slack.com/services/T0/B0/abcdef failed",
            "https://hooks.slack.com/services/[redacted:token] failed",
        ),
    ],
)
def test_only_the_credential_goes(text: str, clean: str) -> None:
    assert sanitize_text(text) == clean
