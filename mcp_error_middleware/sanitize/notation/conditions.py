"""A name in a text and what matched behind it in, whether a value follows out."""

from __future__ import annotations

import re
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.notation.model import Name, Notation
from mcp_error_middleware.sanitize.notation.quotes import QUOTE
from mcp_error_middleware.sanitize.notation.values import UNSPACED, value_at
from mcp_error_middleware.sanitize.words import is_foreign_state, is_made


def is_pointer(text: str, start: int, end: int) -> bool:
    """Whether it is the end of a path in quotes: of a file, or into data as `"/user/password"`."""
    return text.startswith("/", start - 1) and start > 0 and text[end : end + 1] in _QUOTES


_QUOTES: Final = frozenset("\"'`")


def ends_pointer(text: str, name: Name, match: re.Match[str]) -> bool:
    return is_pointer(text, name.start, name.end)


def is_told(text: str, name: Name, match: re.Match[str]) -> bool:
    """Whether what a call is told is a secret: `password("x1")`, not `password("Your password: ")`."""
    value = value_at(text, match.end(), Notation.PAIRED)
    if value is None:
        return False
    spoken = text[name.start : name.end]
    if _SETTING_CALL.search(spoken):
        return True
    if spoken[0].isupper() and _DIGEST.fullmatch(text, value.start, value.end):
        return True  # ApiKey("3f9c…")
    is_put_together = _PUT_TOGETHER.fullmatch(text, value.start, value.end) is not None
    return is_put_together and is_password(text, name, match)


_SETTING_CALL: Final = lazy(
    r"(?:\A|[._>])(?:set|with|use|chang|reset|updat|add|verify|check|validat|compar|assign|put|stor)[A-Za-z]{0,3}_?"
    r"(?:[A-Za-z]{1,20}_){0,3}[A-Za-z]{2,30}$|\.(?:password|passwd|passphrase|api_?key|secret|token)$",
    re.IGNORECASE,
)
"""`user.setPassword("x")`, `check_password("x", hashed)`, `builder.password("x")`"""
_DIGEST: Final = lazy(r"[0-9a-fA-F]{32,128}")
_PUT_TOGETHER: Final = lazy(r"(?=.{0,80}[A-Za-z])(?=.{0,80}\d)[^\s/:;,()\[\]{}<>%]{6,100}")
"""No prompt, and no rule: `password("x1")`"""


def is_option(text: str, name: Name, match: re.Match[str]) -> object:
    return _FLAG.search(text, max(0, name.start - 4), name.start)


_FLAG: Final = lazy(rf"{QUOTE}--?\Z")


def is_partner(text: str, name: Name, match: re.Match[str]) -> bool:
    """Whether what follows is no name itself, nor a sentence beside another that ends with the name."""
    value = value_at(text, match.end(), Notation.PAIRED)
    if value is None:
        return False
    is_whole = _OPENED.search(text, max(0, name.start - 16), name.start)
    is_sentence = not is_whole and " " in text[value.start : value.end]
    return not (is_sentence or _KEY_END.match(text, value.end))


_OPENED: Final = lazy(rf"(?:{QUOTE}|\\A|:)(?:\w{{1,12}}[ ])?\Z")
_KEY_END: Final = lazy(rf"{QUOTE}\s{{0,4}}:")


def is_atom(text: str, name: Name, match: re.Match[str]) -> bool:
    return name.start > 0 and text[name.start - 1] in ":{" and is_partner(text, name, match)


def is_in_cons(text: str, name: Name, match: re.Match[str]) -> bool:
    return text[: name.start].endswith(("(", "(:", "'", '("'))


def is_tag(text: str, name: Name, match: re.Match[str]) -> object:
    before = max(0, name.start - 42)
    if _CLOSING_TAG.search(text, before, name.start):
        return False
    return _TAG.search(text, before, name.start) or ">" in text[name.end : name.end + 4]


_TAG: Final = lazy(r"(?:<|&lt;|\\u003[cC])(?:[\w.]{1,40}:)?$")
_CLOSING_TAG: Final = lazy(r"(?:<|&lt;|\\u003[cC])/(?:[\w.]{1,40}:)?$")


def is_form_field(text: str, name: Name, match: re.Match[str]) -> object:
    return _FORM_NAME.search(text, max(0, name.start - 14), name.start)


_FORM_NAME: Final = lazy(rf"\bname=(?:{QUOTE})?\Z")


def is_row(text: str, name: Name, match: re.Match[str]) -> bool:
    return not BARS.isdisjoint(text[max(0, name.start - 4) : name.start])


BARS: Final = frozenset("|│┃║┆┊")
"""What divides the cells of a table."""


def begins_line(text: str, name: Name, match: re.Match[str]) -> bool:
    return not text[: name.start].rpartition("\n")[2].strip()


def ends_line(text: str, name: Name, match: re.Match[str]) -> object:
    return ALONE.match(text, match.end())


ALONE: Final = lazy(r"[^\s\"'`]{4,200}+(?=\s*(?:\n|\Z))")
"""All there is on a line."""


def is_flag(text: str, name: Name, match: re.Match[str]) -> bool:
    return name.start > 0 and text[name.start - 1] == "-"


def is_directive(text: str, name: Name, match: re.Match[str]) -> bool:
    """Whether a line begins with a name that is no word of a sentence: `requirepass x`, `smtp_pass x`."""
    is_first = name.start == 0 or text[name.start - 1] == "\n"
    is_set = _SETTER.search(text, max(0, name.start - 12), name.start)
    spoken = text[name.start : name.end]
    is_setting = (spoken.islower() or "_" in spoken) and not (" " in spoken or "-" in spoken)
    is_named = is_first and is_setting and spoken.lower() not in _PLAIN_NAMES
    return (is_set is not None or is_named) and not name.sensitive.foreign


_SETTER: Final = lazy(r"\b(?:ENV|SetEnv|setenv|setx|(?i:config[ ]set))[ ]\Z")
_PLAIN_NAMES: Final = frozenset(
    """
    auth authorization cookie cookies credential credentials key passcode passkey passkeys passphrase password
    passwords pass pin secret secrets session signature token tokens bearer jwt code
    """.split()
)


def is_set(text: str, name: Name, match: re.Match[str]) -> object:
    return _SETTING.search(text, max(0, name.start - 50), name.start)


_SETTING: Final = lazy(
    r"\b(?:(?:re)?set(?:ting)?|chang(?:e|ed|ing)|updat(?:e|ed|ing))[ ]"
    r"(?:(?:the|your|its|\w{1,30}['’]s)[ ])?\Z",
    re.IGNORECASE,
)


def is_field_set(text: str, name: Name, match: re.Match[str]) -> object:
    return _IDENTIFIER.search(text, name.start, name.end) and is_set(text, name, match)


_IDENTIFIER: Final = lazy(r"_|[a-z][A-Z]")


def is_secret(text: str, name: Name, match: re.Match[str]) -> bool:
    return name.sensitive.kind == "secret"


def is_password(text: str, name: Name, match: re.Match[str]) -> bool:
    return name.sensitive.kind == "password"


def is_foreign(text: str, name: Name, match: re.Match[str]) -> bool:
    return name.sensitive.foreign


def is_unspaced(text: str, name: Name, match: re.Match[str]) -> bool:
    return name.sensitive.foreign and text[name.start] >= UNSPACED


def has_state(text: str, name: Name, match: re.Match[str]) -> bool:
    return name.sensitive.foreign or is_foreign_state(match[0].strip(" :="))


def is_found_wrong(text: str, name: Name, match: re.Match[str]) -> bool:
    return match["state"].lower() in _FOUND or is_foreign_state(match["state"])


_FOUND: Final = frozenset(("wrong", "incorrect", "invalid"))


def is_wrapped(text: str, name: Name, match: re.Match[str]) -> bool:
    """Whether what is in the brackets may be the value: `password[x]`, `ApiKey(3f9c…)`, not `token[i]`."""
    is_drawn = _DIGEST.match(text, match.end()) or is_made(text[match.end() : match.end() + _LONG])
    return is_password(text, name, match) or bool(is_drawn)


_LONG: Final = 20


def is_noun(text: str, name: Name, match: re.Match[str]) -> bool:
    # "Pass x" is an order more often than a password.
    is_order = text[name.start : name.end].lower() == "pass"
    return not is_order or text.endswith(("with ", "using "), 0, name.start)
