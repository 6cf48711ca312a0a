"""Text in, what a URL must not say out: user and password, sensitive parameters, links that are keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.finders.hosts.names import SCHEMES
from mcp_error_middleware.sanitize.keys import sensitivity
from mcp_error_middleware.sanitize.spans import CUT_OFF, LONG, PLACEHOLDER, Span, View
from mcp_error_middleware.sanitize.words import (
    PROSE,
    is_example_login,
    is_harmless,
    is_made,
    is_opaque,
    wordiness,
)

_URL: Final = lazy(r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{0,40}:(?://|\\/\\/)(?P<rest>[^\s\"'`]{1,4000})")
_AUTHORITY_END: Final = lazy(r"[/?#\\]")
_ENCODED: Final = lazy(r"%3a%2f%2f((?:(?!%2f|%3f|%40)[^\s&\"'<>]){1,300})%40", re.IGNORECASE)
_NEXT: Final = r"[\w.%-]{1,60}(?:[ ]\w{1,20}){0,2}="
_PARAMETER: Final = lazy(
    rf"[?&;#]([\w.\[\]%~-]{{1,60}})=((?:[^&;\s\"'<>`#?]|;(?!{_NEXT})|\?(?!{_NEXT})){{1,4000}}+)"
)
_LINK: Final = lazy(
    r"/(?:reset|reset-password|password-reset|password/reset|token|verify|verify-email|verification|invite|invitation"
    r"|magic|magic-link|confirm|confirmation|activate|activation|unsubscribe|sso)/([\w.~-]{16,600})",
    re.IGNORECASE,
)
"""Whoever has the link has what it opens."""
_FRAGMENT: Final = lazy(r"https?://[^\s\"'<>#]{4,500}#([\w-]{16,128})(?=[\s\"'<>).,;\]]|$)")
"""The key to what the link leads to; no server ever sees it."""
_HOST: Final = lazy(r"[^:]*(?::\d*)?")
_TAG: Final = lazy(r"[<>]")
_WEB: Final = ("http", "https", "ws", "wss")
_VERSION: Final = lazy(r"@v?\d{1,4}(?:\.\d{1,4}){0,2}(?:[/?#]|$)")
"""What is no host: `prompt://summary@v2`."""

_SIGNATURES: Final = frozenset(
    "sig sign signature hmac mac x-amz-signature x-amz-credential x-goog-signature x-goog-credential".split()
)
_PARAMETERS: Final = {
    **dict.fromkeys("auth auth_key wskey sk skey".split(), 4),
    "key": 10,
    **dict.fromkeys("k access apikey appid app_id s t h hash code state nonce ticket".split(), 12),
}
"""Parameters that carry a secret where their value is at least this long and opaque."""
_SLUG: Final = lazy(r"[A-Za-z]?[a-z]{0,40}(?:[-_.][a-z]{1,40}){0,10}|\d{1,5}")


def find(view: View) -> list[Span]:
    """User information of every URL, the values of sensitive parameters, and links that are keys."""
    text = view.text
    found: list[Span] = []
    if "@" in text and "/" in text and ("://" in text or ":\\/\\/" in text):
        found += _userinfos(text)
    if "://" in text or ":\\/\\/" in text or "%2" in text:
        found += _cut_userinfos(text)
    if b"/" in view.marks and LONG in view.runs:
        found += [Span(*m.span(1), "token") for m in _LINK.finditer(text) if is_opaque(m[1], 16)]
    if "#" in text and "://" in text and LONG in view.runs:
        found += [Span(*m.span(1), "token") for m in _FRAGMENT.finditer(text) if is_made(m[1])]
    if "%" in text and "%3a%2f%2f" in view.lower:
        found += [
            Span(*m.span(1), "url-credentials") for m in _ENCODED.finditer(text) if not _is_public(m[1])
        ]
    if "=" in text and ("?" in text or "&" in text or "#" in text or ";" in text):
        found += _parameters(text)
    return found


def _userinfos(text: str) -> Iterator[Span]:
    for match in _URL.finditer(text):
        is_web = match[0].partition(":")[0].lower() in _WEB
        rest = _TAG.split(match["rest"])[0] if is_web else match["rest"]
        length = _userinfo(rest, is_web)
        is_version = not is_web and _VERSION.match(rest, length)
        if length and not (is_version or _is_public(rest[:length])):
            start = match.start("rest")
            yield Span(start, start + length, "url-credentials")


_USER: Final = r"(?P<info>(?P<user>[^\s:/@?#\[\]\"'`<>(){}\\,;&…]{0,80}?)"
_REST: Final = r"(?P<password>[^\s@\"'`<>(){}\[\]\\,;&…]{1,200}+))(?!@)"
_CUT_USERINFO: Final = lazy(rf"://{_USER}:{_REST}")
_CUT_ESCAPED: Final = lazy(rf":\\/\\/{_USER}:{_REST}")
_CUT_ENCODED: Final = lazy(rf"%3[aA]%2[fF]%2[fF]{_USER}%3[aA]{_REST}")
_SCHEME: Final = lazy(r"[A-Za-z][A-Za-z0-9+.-]{0,40}\Z")
_KNOWN_SCHEME: Final = lazy(rf"(?:{SCHEMES})(?:\+\w{{1,20}})?", re.IGNORECASE)
_PORT: Final = lazy(r"\d{0,5}(?:[/?#%].*)?|\d{0,2}\*{1,5}")
_PLACE: Final = lazy(r"localhost|[\w-]+(?:\.[\w-]+)+", re.IGNORECASE)
"""What is rather a host than a user."""


def _cut_userinfos(text: str) -> Iterator[Span]:
    """User and password of a URL of which everything from the `@` on was cut off: no port looks like that."""
    pattern = _CUT_USERINFO if "://" in text else _CUT_ESCAPED if ":\\/\\/" in text else _CUT_ENCODED
    for match in pattern.finditer(text):
        password = match["password"].rstrip(".,")
        if pattern is _CUT_ENCODED and "%40" in password:
            password = password[: password.rfind("%40")]
        end = match.start("password") + len(password)
        if not _PORT.fullmatch(password) and _is_cut_login(text, match, password, end):
            yield Span(match.start("info"), end, "url-credentials")


def _is_cut_login(text: str, match: re.Match[str], password: str, end: int) -> bool:
    user, scheme = match["user"], _SCHEME.search(text, max(0, match.start() - 41), match.start())
    said = _AUTHORITY_END.split(password)[0]
    if said.lower() in PROSE or is_example_login(f"{user}:{said}") or not scheme:
        return False
    is_cut = CUT_OFF.match(text, end)
    if user and not _KNOWN_SCHEME.fullmatch(scheme[0]):
        return bool(is_cut) and (is_made(password) if end == len(text) else is_opaque(password, 8))
    is_secret = is_opaque(password, 6)
    if _PLACE.fullmatch(user):
        return is_secret and bool(is_cut)
    if is_secret or not is_cut:
        return is_secret
    # `http://foo:bar` is what people write who have no other example.
    return is_cut.end() > end or scheme[0].lower() not in _WEB or (len(said) > 5 and not said.islower())


def _is_public(info: str) -> bool:
    """A user without a password whom everybody knows, an example, or what is left of a secret."""
    info = info.replace("&lt;", "<").replace("&gt;", ">")
    return info == "git" or bool(PLACEHOLDER.fullmatch(info)) or is_example_login(info)


def _userinfo(rest: str, is_web: bool) -> int:
    """How many characters before the `@` are the user's, 0 where there are none."""
    end = _AUTHORITY_END.search(rest)
    authority = rest[: end.start()] if end else rest
    if "@" in authority and is_web:
        return authority.rfind("@")
    if "@" not in authority and not _has_password(authority):
        return 0
    # A password may hold the very characters that end an authority; a database's path holds no `@`.
    query = rest.find("?")
    return max(rest.rfind("@", 0, query if "@" in rest[: max(query, 0)] else len(rest)), 0)


def _has_password(authority: str) -> bool:
    is_hosts = all(_HOST.fullmatch(host) for host in authority.split(","))
    return not is_hosts and not authority.startswith("[")


def _parameters(text: str) -> Iterator[Span]:
    for match in _PARAMETER.finditer(text):
        if kind := _parameter_kind(unquote(match[1]), unquote(match[2])):
            yield Span(*match.span(2), kind)


def _parameter_kind(name: str, value: str) -> str | None:
    """What kind of secret the value is, if it is one."""
    if PLACEHOLDER.fullmatch(value):
        return None
    found = sensitivity(name)
    if found and found.firm and name.lower() not in _SIGNATURES:
        is_count = value.isdigit() and len(value) < (3 if found.numeric else 5)
        return None if is_count or is_harmless(value) else found.kind
    if name.lower() in _SIGNATURES:
        return "signature" if len(value) >= 6 and not _SLUG.fullmatch(value) else None
    least = _PARAMETERS.get(name.lower(), 8 if found else 0)
    is_secret = is_opaque(value, least) or (len(value) >= 16 and wordiness(value) < 0.6)
    return (found.kind if found else "token") if least and is_secret else None
