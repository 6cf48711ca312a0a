"""Text in, keys and hashes of passwords out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.spans import Pattern, Span

KEY_BLOCKS: Final = (
    Pattern(
        "pem",
        lazy(
            r"-----BEGIN [A-Z0-9 ]{0,40}(?:KEY|CERTIFICATE|MESSAGE|PARAMETERS)(?: BLOCK)?-----"
            r"(?!(?:[ ][a-z]{2,20}){1,8}+[.,;:)]?\Z)"
            r"(?=(?:\s|\\+[nr]){0,8}(?:[A-Za-z0-9+/=]{8}|[A-Z][A-Za-z-]{1,20}:))"
            r"(?:(?!-----END)[\s\S]){0,20000}(?:-----END [A-Z0-9 ]{0,60}(?:-----)?)?"
        ),
        ("-----begin ",),
        example="-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\n-----END RSA PRIVATE KEY-----",
        near_miss="starts with -----BEGIN PRIVATE KEY----- and a line",
    ),
    Pattern(
        "key",
        lazy(
            r"(?<![A-Za-z0-9])(?:MII[A-Za-z0-9+/]{40,8000}={0,2}|b3BlbnNzaC1rZXkt[A-Za-z0-9+/\s]{20,8000}={0,2})"
        ),
        ("mii", "b3blbnnzac1rzxkt"),
        example="key MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7",
        near_miss="MIIT confirmed the rule",
    ),
    Pattern(
        "key",
        lazy(r"PuTTY-User-Key-File-\d:[\s\S]{0,20000}"),
        ("putty-user-key-file",),
        example="PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\nAAAAIDs",
        near_miss="the PuTTY key file",
    ),
)

HASHES: Final = (
    Pattern(
        "password",
        lazy(
            r"(?<![\w$])\$(?:2[abxy]?|[15-9]|14|y|gy|P|H|S|apr1|argon2(?:id|i|d)|scrypt|pbkdf2[\w-]{0,20}"
            r"|krb5[a-z]{2,8})\$[\w./$=,+*:@-]{8,3000}"
        ),
        ("$",),
        example="hash $2b$12$abcdefghijklmnopqrstuuJ8Jz5y8Yx1nqQ0i6y3zG9vQm5vO5m6e",
        near_miss="costs $2 or $1",
    ),
    Pattern(
        "password",
        lazy(
            r"\b(?:pbkdf2[:_]\w{3,10}|scrypt|bcrypt(?:_sha256)?|argon2)(?::\d{1,8}){0,3}\$[\w+/=.$:,-]{16,300}"
        ),
        ("pbkdf2", "scrypt", "bcrypt", "argon2"),
        example="pbkdf2_sha256$600000$abcSALT$9oYJ8qk0pC3lWb4bX1g0m3xZt7s=",
        near_miss="hashed with bcrypt or argon2",
    ),
    Pattern(
        "password",
        lazy(r"\{(?:S?SHA(?:256|512)?|S?MD5|CRYPT)\}[A-Za-z0-9+/=$.]{12,200}"),
        ("{ssha", "{sha", "{md5", "{smd5", "{crypt"),
        example="userPassword {SSHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=",
        near_miss="the {SHA} scheme",
    ),
)

_KEY_END: Final = lazy(r"-----END [A-Z0-9 ]{0,40}(?:PRIVATE KEY|CERTIFICATE)(?: BLOCK)?-----")
_KEY_LINES: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\\ \n\t-")


def headless_keys(text: str) -> Iterator[Span]:
    """The lines before the end of a key whose beginning was cut off."""
    done = 0
    for end in _KEY_END.finditer(text):
        start = end.start()
        while start > done and text[start - 1] in _KEY_LINES:
            start -= 1
        if text.find("-----BEGIN ", start, end.start()) < 0:
            yield Span(start, end.end(), "pem")
        done = end.end()
