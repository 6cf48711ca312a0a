"""Value in, whether it lets somebody in out."""

from __future__ import annotations

import base64
import binascii
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.words import (
    PROSE,
    is_coined,
    is_example_login,
    is_opaque,
    is_placeholder,
    wordiness,
)


def is_token(value: str) -> bool:
    return value.lower() not in PROSE and not _NEXT.fullmatch(value) and is_opaque(value, 8)


_NEXT: Final = lazy(r"[a-z]{2,20}(?:_[a-z]{2,20}){0,3}=\w{0,8}")
"""What has a name of its own: `token_type=bearer expires_in=3600`."""


def is_basic(value: str) -> bool:
    """Whether the value is base64 of `user:password`."""
    try:
        return ":" in base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return is_opaque(value, 16)


def is_secret(value: str) -> bool:
    # Where the text is quoted in another, the end of the quotation follows.
    is_word = value.lower().partition("&quot;")[0].partition("<")[0].rstrip(".,:;!?)\\") in PROSE
    return not is_word and not is_placeholder(value) and any(map(str.isalnum, value))


def is_login(value: str) -> bool:
    return not is_example_login(value)


def has_mixture(value: str) -> bool:
    """Whether there is a letter in it, and something that people put into passwords."""
    rest = value.strip(".:!?)").lower()
    return len(rest) > 4 and rest.upper() != rest and bool(_PUT_IN.search(rest))


_PUT_IN: Final = lazy(r"[\d!@#$%^&*+~=?]")


def is_phrase(value: str) -> bool:
    """Whether several words and a number are put together: `Dragon-river-68`."""
    return is_coined(value) and len(_WORDS.findall(value)) > 1


_WORDS: Final = lazy(r"[A-Z]?[a-z]{2,}")


def is_no_number(value: str) -> bool:
    return not value.isdigit() and is_secret(value)


def is_no_port(value: str) -> bool:
    return is_secret(value) and not _PORT_OR_PATH.match(value)


_PORT_OR_PATH: Final = lazy(r"[\d:.,-]+(?:/\w{3})?(?:$|[<\\&])|[./~]")


def is_rest_of_token(value: str) -> bool:
    is_long = len(value) >= 16 or len({c.isupper() for c in value if c.isalpha()}) > 1
    return is_long and is_opaque(value, 10) and wordiness(value) < 0.45 and not _REST_OF_ID.fullmatch(value)


_REST_OF_ID: Final = lazy(r"[0-9a-f-]+|\d{4}-\d\d-\d\dT[\d:.Z+-]+")
