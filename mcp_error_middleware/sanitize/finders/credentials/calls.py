"""Text in, passwords among the arguments of a call out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.spans import Span
from mcp_error_middleware.sanitize.words import (
    is_field,
    is_harmless,
    is_opaque,
    looks_chosen,
)

_CALL: Final = lazy(
    r"(?i:(?P<sure>log_?in|logon|sign_?in|basic_?auth|credentials?|authenticator|auth_?provider|pw_set"
    r"|simple_bind(?:_s)?|bind(?=\([bu]?[\"'](?:cn|uid|ou|dc|dn|userid)=))\("
    r"|(?P<third>pdo|mysqli(?:_connect)?|getconnection|ldap_bind)\("
    r"|(?:authenticate|auth|connect|create_?connection|__construct|sequelize)\("
    r"|(?:login|logon|basic_?auth)[ ])(?=(?:[\w.]{1,40},[ ]?){0,2}[\"'])"
)
"""What signs somebody in; the password is not the first thing it is told."""
CALLED: Final = (
    "login", "log_in", "logon", "signin", "sign_in", "basicauth", "basic_auth", "credential", "authenticat",
    "auth(", "pw_set", "connect(", "connection(", "__construct", "sequelize", "pdo(", "mysqli",
    "getconnection(", "bind(", "bind_s(", "provider(",
)  # fmt: skip
_ARGUMENT: Final = lazy(
    r"\s{0,4}(?:[bBuU]?(?P<quote>[\"'])(?P<value>(?:\\.|(?!(?P=quote))[^\n\\]){0,300})(?P=quote)|[\w.]{1,60})"
    r"\s{0,4}(?P<more>,)?"
)
_MOST_ARGUMENTS: Final = 8


def arguments(text: str) -> Iterator[Span]:
    """Passwords among the arguments of a call: `login("bob", "x")`."""
    for call in _CALL.finditer(text):
        at, is_third = call.end(), call["third"] is not None
        is_sure = is_third or call["sure"] is not None
        for n in range(_MOST_ARGUMENTS):
            argument = _ARGUMENT.match(text, at)
            if not argument:
                break
            at, value = argument.end(), argument["value"]
            if n > is_third and value and _is_argument(value, is_sure=is_sure, is_third=n > 1):
                yield Span(*argument.span("value"), "password")
            if not argument["more"]:
                break


def _is_argument(value: str, *, is_sure: bool, is_third: bool) -> bool:
    if is_harmless(value) or is_field(value) or "://" in value:
        return False
    # Behind a place and a user comes the password: `pg_connect("db1", "shop", "x")`.
    return is_sure or is_opaque(value, 6) or (is_third and looks_chosen(value))
