from __future__ import annotations

import pytest

from mcp_error_middleware.sanitize import sanitize_text
from mcp_error_middleware.sanitize.judgement import goes, looks_secret
from mcp_error_middleware.sanitize.keys import Sensitive, sensitivity
from mcp_error_middleware.sanitize.notation import Name, value_of


def _goes(text: str, name: str) -> bool:
    found = sensitivity(name)
    assert found is not None
    start = text.index(name)
    spoken = Name(start, start + len(name), found)
    value = value_of(text, spoken)
    return value is not None and goes(text, spoken, value)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("password=sunshine", "password"),
        ("password: sunshine for bob", "password"),
        ("password is sunshine", "password"),
        ("password hunter2", "password"),
        ("password 'sunshine'", "password"),
        ("password=123", "password"),
        ("--password sunshine", "password"),
        ("('password', 'sunshine')", "password"),
        ("token: abc", "token"),
        ("token=12345", "token"),
        ("token abcDEF12", "token"),
        ('using secret "sunshine"', "secret"),
        ("credentials bob:hunter2", "credentials"),
        ("auth=('bob', 'x1')", "auth"),
        ("session=abc123def456", "session"),
        ("pin: 1234", "pin"),
        ("cvv 737", "cvv"),
    ],
)
def test_a_secret_goes(text: str, name: str) -> None:
    assert _goes(text, name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("password=missing", "password"),
        ("password: must be long", "password"),
        ("password is compromised", "password"),
        ("password policy", "password"),
        ("password=8", "password"),
        ("password=PASSWORD", "password"),
        ("--password is required", "password"),
        ("('password', 'email')", "password"),
        ("token: Kubernetes refused it", "token"),
        ("token: TimeoutError", "token"),
        ("token=42", "token"),
        ("token v2", "token"),
        ("token=https://login.example.com/x", "token"),
        ('secret "tls-cert" not found', "secret"),
        ("session=42", "session"),
        ("key=users/42.csv", "key"),
        ("pin: 12", "pin"),
    ],
)
def test_what_is_said_about_a_secret_stays(text: str, name: str) -> None:
    assert not _goes(text, name)


@pytest.mark.parametrize(
    "said", ["d41d8cd98f00b204e9800998ecf8427e", "uploads/a1b2c3d4e5f6a7b8", "a1b2c3d4e5f6a7b8c9.jpg"]
)
def test_the_key_of_a_store_is_no_secret(said: str) -> None:
    assert not looks_secret(said, Sensitive("key", firm=False))


def test_of_a_login_in_a_url_the_rest_stays() -> None:
    told = "dsn postgresql://[redacted:url-credentials]@[redacted:host]/shop"

    assert sanitize_text("dsn postgresql://bob:hunter2@db.internal/shop") == told
    assert sanitize_text("--password ab://Zx9!kk refused") == "--password [redacted:password] refused"


@pytest.mark.parametrize(
    "text",
    [
        "password == confirm_password must hold",
        "new_password = old_password is not allowed",
        "token != expected_token",
        "password: unchanged since 2024-03-12",
        "passwordFrom: env",
        "existingSecret: redis-auth\nexistingSecretPasswordKey: redis-password",
        "secretKeyRef:\n  name: app\n  key: client-secret",
        "InChIKey=RYYVLZVUVIJVGH-UHFFFAOYSA-N unknown",
        'Authorization: Basic realm="Restricted"',
        'Authorization: Bearer realm="api", error="invalid_token" was answered',
    ],
)
def test_a_name_in_the_place_of_a_value_stays(text: str) -> None:
    assert sanitize_text(text) == text


@pytest.mark.parametrize(
    ("secret", "text"),
    [
        ("old_password", "password = old_password"),
        ("my_password", "password == my_password"),
        ("test_password", "db_password = test_password"),
        ("Xk9f2Lm!z8", "passwordFrom: Xk9f2Lm!z8"),
        ("Zephyr-moon-71", "passwordFrom=Zephyr-moon-71"),
        ("Xk9f2Lm8z4Qw", "existingSecret: Xk9f2Lm8z4Qw"),
        ("hunter2", "existing_password=hunter2"),
        ("Lantern-Lake-18", "name: app\n  key: Lantern-Lake-18"),
        ("dXNlcjpwYXNz", "Authorization: Basic dXNlcjpwYXNz"),
        ("hunter2", 'Authorization: Bearer realm="api", token="hunter2"'),
    ],
)
def test_a_secret_that_looks_like_a_name_goes(secret: str, text: str) -> None:
    assert secret not in sanitize_text(text)
