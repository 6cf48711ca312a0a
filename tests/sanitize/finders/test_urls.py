from __future__ import annotations

import pytest

from mcp_error_middleware.sanitize import sanitize_text


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (
            "postgres://bob:p@ss/w#rd@db.example.com:5432/shop",
            "postgres://[redacted:url-credentials]@db.example.com:5432/shop",
        ),
        ("https://bob@example.com/x", "https://[redacted:url-credentials]@example.com/x"),
        ("https://example.com/?a=1&token=abc123&b=2", "https://example.com/?a=1&token=[redacted:token]&b=2"),
        (
            "https://b.example.com/k?X-Amz-Signature=fe5f80f77d5fa3be&x=1",
            "https://b.example.com/k?X-Amz-Signature=[redacted:signature]&x=1",
        ),
        ("http://bob:otter@203.0.113", "http://[redacted:url-credentials]@203.0.113"),
        ("https://u%3Ap%40h.example.com", "https://u%3A[redacted:email]"),
    ],
)
def test_the_public_part_of_a_url_stays(text: str, clean: str) -> None:
    assert sanitize_text(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "ssh://git@github.com/acme/app.git",
        "git@github.com:acme/app.git",
        "https://medium.com/@author/post",
        "https://example.com:8443/a:b/c",
        "https://example.com/search?q=token&code=E404&state=CA&key=name",
        "notes://today/list and ui://widget/x",
        "prompt://summary@v2",
        "https://example.com/cb?error_description=token%3A%20This%20field%20is%20required.&a=1",
        "s3://bucket/prefix/key.csv",
    ],
)
def test_a_url_without_secrets_stays(text: str) -> None:
    assert sanitize_text(text) == text
