"""Text in, pods out, unless the text is about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.sanitize.finders.hosts.names import (
    ascii_only,
)
from mcp_error_middleware.sanitize.spans import Span

_POD: Final = ascii_only(
    r"-(?=[a-z]{0,9}\d)[bcdfghjklmnpqrstvwxz2456789]{8,10}-[bcdfghjklmnpqrstvwxz2456789]{5}(?![a-z0-9-])"
)
"""How the names of pods end: without the letters that make words."""
_ABOUT_POD: Final = ascii_only(r"(?<!\bon )(?<!\bin )(?<!\bfrom )\b[Pp]ods?[ /](?:\\{0,7}['\"]|&quot;)?\Z")
"""Before a pod that the text is about, not one that it comes from: `pod x is not ready`."""

_TOLD_POD: Final = ascii_only(
    r"\bkubectl(?:[ ]-{1,2}[\w-]{1,40}(?:[= ][\w.-]{1,60})?){0,3}[ ][a-z-]{2,20}"
    r"(?:[ ]-{1,2}[\w-]{1,40}(?:[= ][\w.-]{1,60})?){0,4}(?:[ ]pods?)?[ /]\Z"
)
"""Before a pod that a command is about: `kubectl logs -p x`."""


def pods(text: str) -> Iterator[Span]:
    for tail in _POD.finditer(text):
        start, floor = tail.start(), max(0, tail.start() - 60)
        while start > floor and (text[start - 1].isalnum() or text[start - 1] == "-"):
            start -= 1
        is_subject = _ABOUT_POD.search(text, max(0, start - 12), start) or _TOLD_POD.search(
            text, max(0, start - 100), start
        )
        if start < tail.start() and not is_subject:
            yield Span(start, tail.end(), "host")
