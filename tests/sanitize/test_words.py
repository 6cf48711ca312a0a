from __future__ import annotations

import pytest

from mcp_error_middleware.sanitize.words import is_field, is_harmless, is_made, is_opaque, wordiness


@pytest.mark.parametrize(
    "value",
    [
        "", "  ", "***", "xxxxx", "…", "null", "None", "required", "Missing", "string", "<your token>",
        "${TOKEN}", "$TOKEN", "{{ token }}", "%s", "[REDACTED]", "[redacted:token]",
        "your-api-key-here", "must be at least 8 characters", "This field may not be blank.",
        "is too short", "Please choose a stronger one",
    ],
)  # fmt: skip
def test_what_is_said_about_a_secret_may_stay(value: str) -> None:
    assert is_harmless(value)


@pytest.mark.parametrize(
    "value",
    [
        "hunter2", "sunshine", "letmein", "p@ss w0rd", "correct horse battery staple", "admin", "changeme",
        "[redacted:token]abc", "$ecret1", "root",
    ],
)  # fmt: skip
def test_what_may_be_a_secret_is_not_harmless(value: str) -> None:
    assert not is_harmless(value)


@pytest.mark.parametrize(
    "value", ["abc123def", "s3cr3t!x", "mF_9.B5f-4.1JqM", "NONBgPPNYHbHmPXQ", "3f9c2a7e1b40d85c"]
)
def test_what_a_machine_made_is_opaque(value: str) -> None:
    assert is_opaque(value, 8)


@pytest.mark.parametrize(
    "value",
    [
        "2024-01-02",
        "1.2.3",
        "created_at",
        "my-app-tls",
        "user-profile-page",
        "foo(a)",
        "Kubernetes",
        "v2",
        "sha256",
        "a b c d e",
    ],
)
def test_what_a_person_wrote_is_not_opaque(value: str) -> None:
    assert not is_opaque(value, 2)


@pytest.mark.parametrize("value", ["email", "first_name", "tenantId", "workload_identity_provider"])
def test_the_name_of_a_field_is_known(value: str) -> None:
    assert is_field(value)


@pytest.mark.parametrize("value", ["hunter2", "changeme", "iovFMOCojhKZU"])
def test_a_value_is_not_taken_for_the_name_of_a_field(value: str) -> None:
    assert not is_field(value)


def test_a_password_has_a_mixture_that_names_do_not_have() -> None:
    assert [v for v in ("tR4vQ9xZ2k", "xk*v9qpw4z", "h7#Qr2!mZ") if not is_made(v)] == []
    assert [
        v for v in ("X509Certificate2", "SHA256withRSA", "report-2024", "a1b2c3d4", "8080:80") if is_made(v)
    ] == []


def test_names_read_like_words_and_tokens_do_not() -> None:
    assert wordiness("InternalServerErrorExceptionMapper") > 0.7
    assert wordiness("wJalrXUtnFEMIK7MDENGbPxRfiCYzQ") < 0.45
