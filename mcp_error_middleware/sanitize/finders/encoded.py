"""Text in, base64 of what somebody signs in with out: of `user:password`, or of an assignment."""

from __future__ import annotations

import base64
import binascii
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.finders import assignments
from mcp_error_middleware.sanitize.spans import Span, View
from mcp_error_middleware.sanitize.words import is_example_login

_WORD: Final = lazy(r"(?<![\w+/=.-])(?:[A-Za-z0-9+/]{16,2000}+={0,2}|[\w-]{16,2000}+={0,2})(?![\w+/=.-])")
_LOGIN: Final = lazy(r"[^\s:/\\\"'{}\[\]()<>,;]{1,80}:[^\s/][^\s]{3,200}")
_PLAIN: Final = lazy(r"[^\0]{0,80}\0[^\0\s]{1,80}\0[^\0]{3,200}")
"""As a mail client signs in: whose, user and password, with NUL in between."""
_ID: Final = lazy(
    r"\d+:.*|\w+:(?:v\d:)?(?:\d+|[0-9a-f-]{16,64})|[A-Z][A-Za-z]+:[\w=-]+|[^:]*:\d\d:.*|[^:]*(?i:cursor|connection):.*"
)
"""What looks alike and says which thing is meant, not who: `User:42`, `arrayconnection:10`."""


def find(view: View) -> list[Span]:
    """Words that say something private once decoded."""
    if not view.is_long:
        return []
    words = (match for match in _WORD.finditer(view.text) if "--" not in match[0])
    return [
        Span(*match.span(), "token")
        for match in words
        if _is_private(match[0]) and not _PAGED.search(view.text, max(0, match.start() - 12), match.start())
    ]


_PAGED: Final = lazy(r"(?i:cursor)[\"']?[ ]?[:=]?[ ]?[\"']?\Z")
"""Before what says where the next page begins."""


def _is_private(word: str) -> bool:
    said = _decoded(word)
    if not said or not (said.replace("\0", "").isprintable() or "\n" in said):
        return False
    if _PLAIN.fullmatch(said):
        return True
    if _LOGIN.fullmatch(said):
        return not (_ID.fullmatch(said) or is_example_login(said))
    return bool(assignments.find(View.of(said, assignments.SPOKEN)))


def _decoded(word: str) -> str:
    word = word.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(word + "=" * (-len(word) % 4), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return ""
