from __future__ import annotations

import pytest

from mcp_error_middleware.sanitize import sanitize_text

MADE = "tR4vQ9xZ2kLm"
DIGEST = "3f9c2a7e1b40d85c6e7f8091a2b3c4d5"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (f"bind as cn=admin with {MADE} failed", "bind as cn=admin with [redacted:token] failed"),
        (f"WRONGPASS args: ['default', '{MADE}']", "WRONGPASS args: ['default', '[redacted:token]']"),
        (f"407 from the proxy, sent bob:{MADE}.", "407 from the proxy, sent bob:[redacted:token]."),
        (f'missing "=" after "{MADE}" in conninfo', 'missing "=" after "[redacted:token]" in conninfo'),
        (f'invalid port ":{MADE}" after host', 'invalid port ":[redacted:token]" after host'),
        (f"AuthenticationException: A(admin, {MADE})", "AuthenticationException: A(admin, [redacted:token])"),
        (
            f"no signature found in t=1717000000,v1={DIGEST}",
            "no signature found in t=1717000000,v1=[redacted:token]",
        ),
        (f"csrf mismatch: got {DIGEST}", "csrf mismatch: got [redacted:token]"),
        ("login failed for bob with Otter#17", "login failed for bob with [redacted:token]"),
    ],
)
def test_what_somebody_signed_in_with_goes(text: str, clean: str) -> None:
    assert sanitize_text(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        f"403 Forbidden: order {MADE} belongs to another account",
        f"login failed (request id: {MADE})",
        f"unauthorized: sheet '{MADE}' is private",
        f"The parcel was sent with {MADE}",
        f"token layer: sha256 mismatch, got {DIGEST}",
        f"authentication failed for request {DIGEST}",
        "login with OAuth2Authenticator1 failed",
        "could not initialize proxy [Order#17] - no Session",
        "access denied to user usr_8aF3kL2m9Q",
        "login needed for https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    ],
)
def test_what_is_said_to_be_something_else_stays(text: str) -> None:
    assert sanitize_text(text) == text
