"""Where a value begins in, where it ends out: in quotes, in brackets or bare."""

from __future__ import annotations

import re
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.notation.model import Name, Notation, Value
from mcp_error_middleware.sanitize.notation.quotes import BRACKETS, OPEN_QUOTE, closing_bracket, closing_quote
from mcp_error_middleware.sanitize.spans import CUT_OFF, MARK, PLACEHOLDER
from mcp_error_middleware.sanitize.words import FOREIGN_PROSE, PROSE, is_prose, wordiness

BARE: Final = lazy(
    r"""(?:
        [^\s"'`<>,;&)\]}\\|“”]
      | [,;&|](?!\s|$|[^\x00-\x7f]|[\w.\[\]%-]{1,60}(?:[ ]\w{1,20}){0,2}[ ]?[=:]|["'\\{\[(])
      | ["'`)\]}](?=[\w@!\#$%^*+~])
      | \\(?![nrtu"'\\]|$)
      | <(?![/\s!]|$)
    )++""",
    re.VERBOSE,
)
GROUPED: Final = lazy(
    r"(?=[A-Za-z -]{0,40}[2-7])"
    r"(?:[A-Z2-7]{4}(?:[ -][A-Z2-7]{4}){3,15}|[a-z2-7]{4}(?:[ -][a-z2-7]{4}){3,15})(?![\w-])"
)
"""A seed as an authenticator shows it: `krsx g5ct mvrx ezlu`."""
_NUMBERS: Final = lazy(r"\d{3,4}(?:[ ]\d{3,4}){1,3}(?![\w.,:-])")
"""A code as it is read aloud: `5885 5008`."""
_APP_PASSWORD: Final = lazy(r"[a-z]{4}(?:[ ][a-z]{4}){3}(?![\w-])")
"""As Google hands one out: `qwhz nbtk plmd vrxa`."""
_BLANK: Final = lazy(r"<[A-Za-z][\w ./|():-]{0,60}>|\.\.\.")
"""A place to fill in: `<your token>`."""
_EMPHASIS: Final = lazy(
    r"(?:<(?i:b|i|u|em|strong|mark|code|kbd|samp|tt|span|pre|br)(?:[ ][^<>\n]{0,100})?/?>"
    r"\s{0,4}){1,3}(?=[^\s<])"
)
"""What begins around a value on a page: `password: <b>x</b>`."""
_ENCODED_END: Final = lazy(rf"&amp;|%26|%3[bB]|\\u0026|\?(?=[a-z]{{2,20}}=)|(?=[\[<(])(?:{MARK})")
"""What ends a value without a space: the next parameter, what says that the rest is left out."""
_NEXT_PARAMETER: Final = lazy(r"(?:&amp;|%26|\\u0026)[\w.-]{1,60}(?:=|%3[dD])")
UNSPACED: Final = "\u0900"
"""Where scripts begin whose words have marks in them, or no space between them; no password is in one."""
_UNSPACED: Final = lazy(f"[{UNSPACED}-\uffef]")
"""Scripts that put no space between a word of ours and one of theirs: `密码:abc失败`."""
_PHRASE: Final = lazy(r"[a-z]{2,14}(?:[ ][a-z]{2,14}){3,30}(?=[\s.,;)\"']|$)")
_IN_QUOTES: Final = {
    Notation.LISTED: Notation.ASSIGNED,
    Notation.SAID: Notation.ASSIGNED,
    Notation.BESIDE: Notation.QUOTED,
}
"""What quotes make of a notation."""


def value_at(text: str, at: int, notation: Notation) -> Value | None:
    """The value that begins here, in quotes or without."""
    if done := PLACEHOLDER.match(text, at):
        # Only what is glued to a placeholder is still to be judged, together with it.
        is_cut = text[done.end() : done.end() + 1] in BRACKETS and CUT_OFF.match(text, done.end())
        is_whole = is_cut or _NEXT_PARAMETER.match(text, done.end())
        glued = None if is_whole else BARE.match(text, done.end())
        return Value(at, glued.end(), notation) if glued else None
    if emphasis := _EMPHASIS.match(text, at):
        at = emphasis.end()
    if quote := OPEN_QUOTE.match(text, at):
        end = closing_quote(text, quote.end(), quote["quote"])
        return Value(quote.end(), end, _IN_QUOTES.get(notation, notation))
    if groups := GROUPED.match(text, at) or _NUMBERS.match(text, at) or _app_password(text, at):
        return Value(at, groups.end(), notation)
    if text[at : at + 1] in BRACKETS:
        is_listed = notation is Notation.LISTED
        return Value(at + 1, closing_bracket(text, at), Notation.ASSIGNED if is_listed else notation)
    bare = BARE.match(text, at)
    return (
        Value(at, _bare_end(text, at, bare.end()), notation) if bare and not _BLANK.match(text, at) else None
    )


def _app_password(text: str, at: int) -> re.Match[str] | None:
    match = _APP_PASSWORD.match(text, at)
    return match if match and is_grouped(match[0]) else None


def is_grouped(said: str) -> bool:
    """Whether it is put down in groups of letters that are no words."""
    is_seed = GROUPED.fullmatch(said) is not None
    return is_seed or (_APP_PASSWORD.fullmatch(said) is not None and wordiness(said) < _NO_WORD)


_NO_WORD: Final = 0.45


def _bare_end(text: str, at: int, end: int) -> int:
    if cut := _ENCODED_END.search(text, at, end):
        end = cut.start()
    if text[at].isascii() and (other := _UNSPACED.search(text, at, end)):
        end = other.start()
    while end > at + 1 and text[end - 1] in ".,:;":
        end -= 1
    return end


def passphrase(text: str, name: Name, at: int) -> Value | None:
    """Words that say nothing: `correct horse battery staple`."""
    phrase = _PHRASE.match(text, at) if name.sensitive.kind == "password" else None
    words = phrase[0].split() if phrase else []
    is_told = sum(word in FOREIGN_PROSE for word in words) > (not name.sensitive.foreign)
    if (
        not phrase
        or is_told
        or is_prose(phrase[0])
        or sum(word in PROSE for word in words) > 0.4 * len(words)
    ):
        return None
    return Value(at, phrase.end(), Notation.ASSIGNED)
