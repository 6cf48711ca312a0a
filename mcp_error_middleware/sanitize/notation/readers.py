"""A name in a text and what matched behind it in, the value out."""

from __future__ import annotations

import re
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.notation.conditions import ALONE
from mcp_error_middleware.sanitize.notation.headers import header, is_header
from mcp_error_middleware.sanitize.notation.model import Name, Notation, Value
from mcp_error_middleware.sanitize.notation.quotes import BRACKETS
from mcp_error_middleware.sanitize.notation.values import passphrase, value_at
from mcp_error_middleware.sanitize.spans import CUT_OFF


def labelled(text: str, name: Name, match: re.Match[str]) -> Value | None:
    return value_at(text, match.end(), Notation.ASSIGNED) if match[0] else None


def on_next_line(text: str, name: Name, match: re.Match[str]) -> Value | None:
    at = match.end()
    if not match["block"] and (pair := _PAIR_LINE.match(text, at)):
        return value_at(text, pair.end(), Notation.ASSIGNED) if pair["value"] else None
    is_value = match["block"] or ALONE.match(text, at)
    return value_at(text, at, Notation.LISTED if is_value else Notation.BESIDE)


_PAIR_LINE: Final = lazy(
    r"(?:(?P<value>value|val|data|default|plain|text)|[A-Za-z_][\w.-]{0,60})"
    r"(?:[ ]{0,4}=(?![=\s])[ ]?|:[ ]{1,4})(?=\S)"
)
"""The next name, where nothing is below a name: `full_key:\\n  object_type=None`."""


def assigned(text: str, name: Name, match: re.Match[str]) -> Value | None:
    at, sign = match.end(), match["sign"]
    if is_header(text, name, match):
        return header(text, at, name.sensitive.kind == "cookie")
    if ":" in sign and (echo := _ECHO.match(text, at)):
        # An error that says what it was given: `password: got "x", want ...`
        in_brackets = text[echo.end()] in BRACKETS
        return value_at(text, echo.end(), Notation.LISTED if in_brackets else Notation.BESIDE)
    is_loose = ":" in sign or not sign.isascii() or match[0].endswith(" ")
    notation = Notation.LISTED if is_loose else Notation.ASSIGNED
    return passphrase(text, name, at) or value_at(text, at, notation)


def echoed(text: str, name: Name, match: re.Match[str]) -> Value | None:
    echo = _ECHO.match(text, match.end())
    return value_at(text, (echo or match).end(), Notation.BESIDE)


_ECHO: Final = lazy(
    r"(?:[Ii]nvalid[ ](?:input|value|string)[:,][ ])?"
    r"(?:(?:an?[ ])?(?:invalid|bad|wrong|unexpected|illegal|the)[ ])?"
    r"(?:(?:(?i:got|received|have|had|want(?:ed)?|expected|actual|given|found|was)|rejected)"
    r"(?:[ ](?:value|input|string))?|(?i:value|input|string))"
    r"[ ]?[:=]?[ ](?:(?=[\"'`“«\[])|(?=\S{0,60}\d)(?=\S{0,60}[^\W\d_]))"
)
"""What stands before a value that was turned down."""


def content(text: str, name: Name, match: re.Match[str]) -> Value | None:
    at = match.end()
    if close := _ELEMENT_END.search(text, at):
        return Value(at, close.start(), Notation.ASSIGNED)
    # Without a letter no element was opened: `'<token>', 3`
    value = value_at(text, at, Notation.BESIDE) if text[at : at + 1].isalnum() else None
    return value._replace(notation=Notation.ASSIGNED) if value and CUT_OFF.match(text, value.end) else value


def next_content(text: str, name: Name, match: re.Match[str]) -> Value | None:
    close = _ELEMENT_END.search(text, match.end())
    notation = Notation.ASSIGNED if match["named"] else Notation.PAIRED
    return Value(match.end(), close.start(), notation) if close else None


_ELEMENT_END: Final = lazy(r"\]\]>|(?:<|&lt;|\\u003[cC])/")


def argument(text: str, name: Name, match: re.Match[str]) -> Value | None:
    # An unquoted bracket is no argument.
    return None if text.startswith("(", match.end()) else value_at(text, match.end(), Notation.FLAGGED)


def said(text: str, name: Name, match: re.Match[str]) -> Value | None:
    phrase = None if name.sensitive.foreign else passphrase(text, name, match.end())
    return phrase or value_at(text, match.end(), Notation.SAID)
