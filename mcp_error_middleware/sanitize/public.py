"""Text in, the same text without what is plainly public out: links, ids and dates.

They have the marks and the digits that finders look for, and are in every other message. What is left when
they are taken out tells whether there is anything to look for; it is never what is searched or shown.
"""

from __future__ import annotations

from typing import Final

from mcp_error_middleware.lazy import lazy

_UUID: Final = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_WORDS: Final = r"[a-z]{1,30}(?:[-_][a-z]{1,30}){0,9}"
_KEYS: Final = "reset|password|token|verif|invit|magic|confirm|activat|unsubscribe|sso|MII"
"""How the parts of links begin behind which a key stands."""
# Nothing but words, numbers and ids in it, and nothing behind it that could belong to it.
_LINK: Final = lazy(
    rf"https?://(?:[a-z][a-z0-9-]{{0,40}}\.){{1,5}}[a-z]{{2,12}}"
    rf"(?:/(?!(?i:{_KEYS}))(?:{_UUID}|[a-z]{{0,12}}[-_]?[0-9]{{1,11}}|{_WORDS}(?:\.[a-z]{{2,4}})?|[A-Za-z]{{1,15}}"
    r"|[a-z]{2}-[A-Z]{2}|v?[0-9]{1,4}\.[0-9]{1,4}(?:\.[0-9]{1,4})?)(?=[/\s\"'`.,;)\]>]|\Z)){0,12}/?"
    r"(?=[.,;)\]>]{0,3}(?:[\"'`]|\s(?![0-9])|\Z))"
)
_ID: Final = lazy(
    r"[0-9a-f](?<![\w./:@%+=?#&~!*^$-].)(?:"
    # An id may begin as a phone number does.
    r"(?:(?<=[a-f])|(?=[0-9]{0,6}[a-f]))[0-9a-f]{7}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-]|[.?#:=~!]\w)"
    r"|(?<=[12])(?<![0-9]\s.)[0-9]{3}-[01][0-9]-[0-3][0-9]"
    r"(?:T[0-9:]{5,8}(?:\.[0-9]{1,9})?(?:Z|[+-][0-9:]{4,6})?)?(?![\w:/-]|[.?#=~!]\w))"
)


def without_public(text: str) -> str:
    """The text itself, where there is nothing of the kind in it."""
    rest = _LINK.sub(" ", text) if "://" in text else text
    return _ID.sub(" ", rest) if "-" in rest else rest
