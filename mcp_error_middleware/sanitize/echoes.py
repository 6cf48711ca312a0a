"""Places found in, the other places that say the same out.

A host in an address, a password in a flag: what one finder knows by its notation may be said again without.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.spans import Span

_KINDS: Final = frozenset(("host", "password", "token", "key", "secret", "url-credentials"))
_TELLING: Final = lazy(r"(?=\S{0,80}[A-Za-z])(?=\S{0,80}(?:\d|[a-z][A-Z]|\w[-_.!@#$%^&*]\w))[^\s\[\]]{5,400}")
"""What is no word of a sentence; a host called `redis` or a password `admin` may be one."""
_PORT: Final = lazy(r":\d{1,5}$")
_USER: Final = lazy(r"\A[^:/]*[:/]")
_MOST: Final = 20
"""More of them are no message."""


def find(text: str, spans: Iterable[Span]) -> list[Span]:
    """Where the text says again what is cut out of it elsewhere."""
    said = {word: span.kind for span in spans if (word := _word(text, span))}
    return [found for word, kind in list(said.items())[:_MOST] for found in again(text, word, kind)]


def _word(text: str, span: Span) -> str | None:
    if span.kind not in _KINDS:
        return None
    said = text[span.start : span.end]
    if span.kind == "host":
        said = _PORT.sub("", said)
    elif span.kind == "url-credentials":
        said = _USER.sub("", said, count=1)
    return said if is_telling(said) else None


def is_telling(said: str) -> bool:
    """Whether a text that has this in it means the same thing."""
    return _TELLING.fullmatch(said) is not None


def again(text: str, word: str, kind: str) -> Iterator[Span]:
    """Where the word stands on its own."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not (_goes_on(text[at - 1 : at]) or _goes_on(text[end : end + 1]) or _is_dotted(text, end)):
            yield Span(at, end, kind)
        at = text.find(word, end)


def _goes_on(beside: str) -> bool:
    return beside.isalnum() or beside in ("_", "-")


def _is_dotted(text: str, end: int) -> bool:
    """Whether the name goes on: `db-1.example.com` is another host."""
    return text[end : end + 1] == "." and text[end + 1 : end + 2].isalnum()
