"""Any text in, text that is safe to print out.

Control characters, terminal escapes and invisible marks can forge log lines, and can hide a secret
from the patterns by splitting it; so they go first.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from mcp_error_middleware.lazy import lazy

_ESCAPES: Final = lazy(
    r"\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]"  # CSI: colours, cursor
    r"|\x1b\][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)?"  # OSC: titles, links
    r"|\x1b[PX^_][^\x1b\n]{0,2000}(?:\x1b\\)?"  # DCS, SOS, PM, APC
    r"|\x9b[0-?]{0,64}[ -/]{0,8}[@-~]"
    r"|\x1b[@-Z\\^_=>78c]?"
)
_BREAKS: Final = lazy("\r\n?|[\u2028\u2029\x85\x0b\x0c]")
_CONTROLS: Final = lazy("[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_INVISIBLE: Final = lazy(
    "(\U0001f3f4[\U000e0020-\U000e007e]{2,8}\U000e007f)"  # a region's flag is spelt with them
    "|[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u202a-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
# They belong to scripts and to emoji; between ASCII characters they only hide.
_JOINERS: Final = lazy("(?<=[!-~])[\u061c\u200c-\u200f\ufe00-\ufe0f]+(?=[!-~])")
_SURROGATES: Final = lazy("[\ud800-\udfff]")
_SHOWN: Final = bytes(c if 32 <= c < 127 or c in b"\n\t" else 0 for c in range(256))


def printable(text: str) -> str:
    """The text without what could act on a terminal, a log or a reader's eye."""
    if text.isascii():
        return text if 0 not in text.encode().translate(_SHOWN) else _without_controls(text)
    text = _SURROGATES.sub("\ufffd", _without_controls(text))
    return _JOINERS.sub("", _INVISIBLE.sub(lambda m: m[1] or "", text))


def folded(text: str) -> str:
    """The text in the letters it imitates, character by character: what is looked at, never what is shown."""
    if text.isascii():
        return text
    text = _WIDE.sub(_narrow, text)
    return _LOOKALIKES.sub(lambda m: m[0].translate(_LATIN), text) if _LETTER.search(text) else text


# Spaces of every width, full-width forms, circled and mathematical letters.
_WIDE: Final = lazy(
    "[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2460-\u24ff\u3000\uff01-\uff5e\U0001d400-\U0001d7ff]"
)
_CYRILLIC: Final = "асеорхуіѕјԁһАВСЕНКМОРТХЅ"
_LATIN: Final = str.maketrans(_CYRILLIC, "aceopxyisjdhABCEHKMOPTXS")
_LETTER: Final = lazy(f"[{_CYRILLIC}]")
# The second from the start of a run only: from each of its letters would take the square of its length.
_LOOKALIKES: Final = lazy(f"(?<=[A-Za-z])[{_CYRILLIC}]+|(?<![{_CYRILLIC}])[{_CYRILLIC}]++(?=[A-Za-z])")


def _narrow(match: re.Match[str]) -> str:
    plain = unicodedata.normalize("NFKC", match[0])
    return plain if len(plain) == 1 else match[0]


def _without_controls(text: str) -> str:
    return _CONTROLS.sub("", _BREAKS.sub("\n", _ESCAPES.sub("", text)))
