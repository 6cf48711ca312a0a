"""Where a quotation or a bracket begins in, where it ends out."""

from __future__ import annotations

from typing import Final

from mcp_error_middleware.lazy import lazy

QUOTE: Final = r"""(?:\\{0,6}["'`]|&quot;|&\#0?3[49];|&apos;|%2[27]|\\u002[27]|[“”„«»‘’「」『』《》‹›])"""
OPEN_QUOTE: Final = lazy(rf"[bBuUrRfF@N]?(?P<quote>\"\"\"|'''|\"\"(?=\w)|{QUOTE})")

# A separator belongs to a value only where something follows it that is none of the next name.
_CLOSERS: Final = {"“": "”", "„": "“”", "«": "»", "‘": "’", "「": "」", "『": "』", "《": "》", "‹": "›"}
"""Of several, the one that comes first: `„` is closed otherwise in Polish than in German."""
_OTHER_LETTERS: Final = "\u0900"
"""Where scripts begin in which a particle follows a quote at once: `'x'이`."""
_JOINED: Final = frozenset("」』》”")
"""What a word may follow at once."""
_DOUBLED: Final = frozenset("\"'")
"""What stands for itself where it is written twice."""
BRACKETS: Final = {"(": ")", "[": "]", "{": "}"}
_FAR: Final = 600


def closing_quote(text: str, at: int, quote: str) -> int:
    """Where the quoted value ends: its quote, or the line where that is missing."""
    line = text.find("\n", at)
    limit = len(text) if line < 0 else line
    closer = _CLOSERS.get(quote, quote)
    if quote == "„":
        closer = min(closer, key=lambda mark: text.find(mark, at, limit) % (limit + 1))
    end = text.find(closer, at, limit)
    is_doubled = False
    while end >= 0:
        if at < end and closer in _DOUBLED and text.startswith(closer, end + 1):
            # 'it''s'
            further = text.find(closer, end + 2, limit)
            if text[end + 2 : end + 3].isalnum() or (is_doubled and further > 0):
                is_doubled, end = True, further
                continue
        after = text[end + len(closer) : end + len(closer) + 1]
        if (closer in _JOINED or not after.isalnum() or after >= _OTHER_LETTERS) and not (
            len(closer) == 1 and _is_escaped(text, at, end)
        ):
            return end
        end = text.find(closer, end + 1, limit)
    return limit


def _is_escaped(text: str, at: int, end: int) -> bool:
    slashes = 0
    while end - slashes > at and text[end - slashes - 1] == "\\":
        slashes += 1
    return slashes % 2 == 1


def closing_bracket(text: str, at: int) -> int:
    opener, closer, depth = text[at], BRACKETS[text[at]], 0
    end = min(len(text), at + _FAR)
    for i in range(at, end):
        depth += (text[i] == opener) - (text[i] == closer)
        if not depth:
            return i
    return end
