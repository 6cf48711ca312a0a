"""A header in, what it holds out: its scheme stays."""

from __future__ import annotations

import re
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.notation.model import Name, Notation, Value
from mcp_error_middleware.sanitize.notation.quotes import BRACKETS, OPEN_QUOTE, closing_bracket, closing_quote
from mcp_error_middleware.sanitize.notation.values import BARE, value_at
from mcp_error_middleware.sanitize.spans import PLACEHOLDER

_HEADER: Final = lazy(r"""(?:[^\r\n"'<>\\]|(?<==)"[^"\r\n]{0,500}"|["'](?=[\w=/+.-])|\\(?![nr"']))*+""")
_SCHEME: Final = lazy(
    r"(?:bearer|basic|token|apikey|api-key|bot|key|ssws|geniekey|splunk|negotiate|ntlm|jwt|sharedkey|zoho-oauthtoken)"
    r"[ ]+(?=\S)",
    re.IGNORECASE,
)


_CHALLENGE: Final = lazy(
    r"(?:Basic|Bearer|DPoP)[ ](?:(?:realm|charset|error|error_description|scope|resource_metadata)"
    r"=\"[^\"\n]{0,200}\"(?:,[ ])?){1,6}(?=[.]?\s*(?:\n|\Z)|[;)\]'\"]|(?-i:[ ][a-z]{2,20}(?:[ ,.]|\Z)))",
    re.IGNORECASE,
)
"""What a server asks for, not what it is sent: `Basic realm="x"`."""


def is_header(text: str, name: Name, match: re.Match[str]) -> bool:
    """Whether all of the line belongs to the name."""
    if name.sensitive.kind == "cookie":
        return ":" in match[0]
    return "uthorization" in text[name.start : name.end]


def header(text: str, at: int, is_cookie: bool) -> Value | None:
    """The value of a header, without the name of its scheme."""
    if PLACEHOLDER.match(text, at):
        return value_at(text, at, Notation.ASSIGNED)
    if quote := OPEN_QUOTE.match(text, at):
        start, end = quote.end(), closing_quote(text, quote.end(), quote["quote"])
        scheme = _SCHEME.match(text, start, end)
        return Value(scheme.end() if scheme else start, end, Notation.ASSIGNED)
    if text[at : at + 1] in BRACKETS:
        scheme = _SCHEME.match(text, at + 1)
        return Value(scheme.end() if scheme else at + 1, closing_bracket(text, at), Notation.ASSIGNED)
    if _CHALLENGE.match(text, at):
        return None
    if scheme := _SCHEME.match(text, at):
        return value_at(text, scheme.end(), Notation.LISTED)
    line, bare = _HEADER.match(text, at), BARE.match(text, at)
    if not line or line.end() == at:
        return None
    if is_cookie and _ATTRIBUTE.match(line[0]) and ";" not in line[0]:
        return None
    if is_cookie and "=" not in line[0]:
        return value_at(text, at, Notation.LISTED)
    if is_cookie:
        return Value(at, _cookies_end(text, at, line.end()), Notation.ASSIGNED)
    is_single = bare and any(c.isdigit() for c in bare[0])
    return Value(at, bare.end() if bare and is_single else line.end(), Notation.ASSIGNED)


_ATTRIBUTE: Final = lazy(r"(?:samesite|path|domain|max-age|expires|priority)=", re.IGNORECASE)
"""What no cookie is called: `Cookie: SameSite=None requires Secure`."""
_COOKIES: Final = lazy(r"[^\s;=]+=[^\s;]*(?:;\s{0,2}(?:(?i:expires)=[^;\n]{0,40}GMT|[^\s;]+))*+;?")

_PLAIN_COOKIES: Final = lazy(
    r";\s{0,2}(?:(?:(?i:path)=/[\w./-]{0,60}|(?i:domain)=[\w.-]{1,60}|(?i:expires)=[\w, :-]{1,40}"
    r"|(?i:max-age)=\d{1,12}|(?i:samesite|priority)=[A-Za-z]{1,12}|(?i:secure|httponly|partitioned)"
    r"|(?:lang|language|locale|theme|currency|timezone|tz)=[A-Za-z]{2,12}(?:[_/-][A-Za-z]{2,12})?)"
    r"(?:;\s{0,2}|\Z)){1,20}\Z"
)
"""What stands behind a cookie and is none, or tells nothing: `; Path=/; Secure`, `; locale=de_DE`."""


def _cookies_end(text: str, at: int, line: int) -> int:
    """Where the last cookie ends, if nothing behind it may be one."""
    cookies = _COOKIES.match(text, at, line)
    end = cookies.end() if cookies and "=" not in text[cookies.end() : line] else line
    plain = _PLAIN_COOKIES.search(text, at, end)
    return plain.start() if plain else end
