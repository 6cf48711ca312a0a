"""Text about signing in in, what somebody signed in with out.

No name and no notation gives it away ("bind as admin with x7Kq… failed"); the subject of the text and the
look of the word do, unless the word is said to be something else: a request, an order, a checksum.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.finders.entropy import PUBLIC
from mcp_error_middleware.sanitize.spans import Span, View, words
from mcp_error_middleware.sanitize.words import is_coined, is_made, is_opaque

_SECRETS: Final = words(
    """
    auth authentication unauthorized password token tokens secret secrets apikey credential credentials
    signature signatures signing hmac csrf
    """
)
SPOKEN: Final = _SECRETS | words(
    """
    passwords passphrase passwd wrongpass pwd userpwd cred creds login logon signin sign bind kinit sasl
    authenticate authenticated unauthenticated authorization denied forbidden proxy dsn conninfo connection
    logged signed port int integer 401 403 407
    """
)
"""What a text about signing in speaks of, or one about a connection string that was read wrongly."""

_STEMS: Final = ("authent", "unauthor", "credential", "passw")
"""As parts of longer names: `AuthenticationException`."""
PHRASES: Final = ("log in ", "logged in ", "logging in ", "sign in ", "signed in ", "signing in ")
"""In two words."""
_PARTS: Final = (*_STEMS, *PHRASES)
ASKED: Final = SPOKEN | words("log logging")
"""Also the beginnings of those."""
_WORD: Final = lazy(
    r"(?<![^\s\"'`<>,;(){}\[\]|=])(?:[\w.-]{1,40}=)?"
    r"(?P<word>[^\s\"'`<>,;(){}\[\]|/\\&=]{8,200}={0,2})(?![^\s\"'`<>,;(){}\[\]|\\])"
)
_CONTAINER: Final = lazy(
    r"%(?:25){0,3}(?:22|7[bBdD]|3[aA]%(?:25){0,3}2[fF]%(?:25){0,3}2[fF])|%(?:25){0,3}(?:26|3[fF])\w{1,40}%(?:25){0,3}3[dD]"
)
"""In what is written as one word and holds several: a link, an object, parameters."""
_PROSE: Final = lazy(r"%(?:25){0,3}(?:0[aAdD]|[89a-fA-F][0-9a-fA-F])|\w%(?:25){0,3}20\w")
"""In what holds a text, of which nobody can tell what is in it."""
_DIGEST: Final = lazy(r"[0-9a-fA-F]{32,128}")
_LEAST: Final = 8
_DIGEST_LENGTH: Final = 32
_MIXED: Final = b"A!#$%^*~?" + bytes(range(128, 256))
"""What is in a word that is made up, beside small letters and digits, as a shape has it."""
_SPICE: Final = lazy(r"[^\W_](?:[!#$^*~]{1,3}[^\W_]|[#$^*~]{1,3}\Z)")
_SUM: Final = lazy(r"\bsha-?\d|\bmd5|hash|checksum|digest")
_BEFORE: Final = lazy(r"(\w{1,30})(\W{1,6})\Z")
_HANDING: Final = frozenset(
    """
    after and as auth but by entered expected given got is key password port presented provided received send
    sent supplied to tried typed used using value via was with
    """.split()
)
"""Words before what somebody was given; any other word says what follows: `order x`."""
_NAMING: Final = lazy(
    r"(?i:\w{0,20}(?:ids?|uuid|guid|sha\d{0,3}|md5|hash|digest|checksum|etag|name|ref|cursor|version|revision)"
    r"|req|request|trace|span|order|user|users|tenant|file|folder|document|doc|object|commit|run|job|task|batch"
    r"|message|event|item|page|instance|node|pod|container|build|ticket|issue|case|invoice|customer|project"
    r"|account|bucket|channel|thread|video|sheet|spreadsheet|found|code|reason|type|class|model|index|table|column|key)"
)
"""Words before a sign that do so: `order: x`."""
_OPTION: Final = lazy(
    r"(?:--?[A-Za-z][a-z]{1,20}[:=]?\d{0,6}[kKmMgG]?|-XX:[+-]?[A-Z][A-Za-z0-9]{2,60}(?:=\d{1,9}[kKmMgG]?)?)(?!\S)"
)
_OPTION_BEFORE: Final = lazy(r"(?<!\S)-[\w.:-]{1,80}[ =]\[redacted:[a-z-]{1,30}\][ ]\Z")
"""Before the next option of a command: `-Dpassword=[redacted:password] -Xmx512m`."""
_VIDEO: Final = ("?v=", "&v=")
"""Which of all there are, in links to them."""
_SIGNED: Final = frozenset(("v0", "v1"))
"""What a signature is called in its header: `t=1717000000,v1=x`."""


def find(view: View) -> list[Span]:
    """Words that nobody writes, in a text about signing in."""
    lower = view.lower
    if not (view.digits and (view.speaks_of(SPOKEN) or any(part in lower for part in _PARTS))):
        return []
    if not has_long_word(view.shape):
        return []
    is_about_secrets = view.speaks_of(_SECRETS) and not _SUM.search(lower)
    return list(_handed(view.text, is_about_secrets))


def has_long_word(shape: bytes) -> bool:
    """Whether a word is long enough, and has a digit and either a capital or a sign, or is a digest."""
    words = (word for word in shape.split() if len(word) >= _LEAST and b"0" in word)
    return any(len(word) >= _DIGEST_LENGTH or word.translate(None, _MIXED) != word for word in words)


def _handed(text: str, is_about_secrets: bool) -> Iterator[Span]:
    for match in _WORD.finditer(text):
        at, word = match.start("word"), match["word"].rstrip(".:!?")
        said = word.rpartition(":")[2]
        end = at + len(word)
        if _is_pair(text, at, word):
            yield Span(at + word.find(":") + 1, end, "password")
            continue
        if "%" in word and _CONTAINER.search(word) and not _PROSE.search(word):
            if _is_made_up(said) and _is_handed(text, at, is_digest=False):
                yield from (Span(at + low, at + high, "token") for low, high in _parts(word))
            continue
        if _EXCLAIMED.match(text, end) and is_coined(word) and _is_handed(text, at, is_digest=False):
            yield Span(at, end, "password")
            continue
        is_digest = is_about_secrets and bool(_DIGEST.fullmatch(said))
        if (is_digest or _is_made_up(said)) and _is_handed(text, at, is_digest):
            yield Span(end - len(said), end, "token")


def _parts(word: str) -> Iterator[tuple[int, int]]:
    """What is made up of what is written as one word: `https%3A%2F%2Fexample.com%3Fk%3Dx`."""
    name = ""
    for part in _PART.finditer(word):
        said = part[1] or ""
        if _is_given(unquote(said)) and not _NAMING.fullmatch(name):
            yield part.span(1)
        name = said or (name if part[0].lower().endswith("3d") else "")


def _is_given(said: str) -> bool:
    """Whether one of several may be what somebody signed in with."""
    is_chosen = is_opaque(said, 6) or (is_coined(said) and len(said) >= _LEAST)
    has_digit = any(map(str.isdigit, said))
    return has_digit and (is_chosen or _CODE.fullmatch(said) is not None)


_CODE: Final = lazy(r"\d{6,}|[0-9a-fA-F]{32,128}")
_BETWEEN: Final = r"%(?:25){0,3}(?:2[026cCfF]|3[aAdD]|[57][bBdD]|3[fF](?=\w{1,40}%(?:25){0,3}3[dD]))"
"""What stands between the parts of a link, of an object, of parameters."""
_PART: Final = lazy(rf"{_BETWEEN}|((?:[^%]++|(?!{_BETWEEN})%)+)")


def _is_pair(text: str, at: int, word: str) -> bool:
    """Whether it is a name and a password: `login refused for bob:Maple_anvil.742`."""
    name, colon, said = word.partition(":")
    return bool(
        colon
        and _SIGNED_IN.search(text, max(0, at - 60), at)
        and name.isidentifier()
        and said[:1].isalpha()
        and any(map(str.isdigit, said))
        and is_coined(said.rstrip("@"))
    )


_SIGNED_IN: Final = lazy(
    r"(?i:log(?:ged|ging in|in|on| in)|sign(?:ed|ing)?[ -]?in|authenticat)"
    r"[^\n]{1,40}\b(?:for|as|using|with)[ ]['\"]?\Z"
)


def _is_made_up(said: str) -> bool:
    return len(said) >= _LEAST and (is_made(said) or _is_spiced(said)) and not PUBLIC.fullmatch(said)


_EXCLAIMED: Final = lazy(
    r"(?<=\d)!{1,3}(?:[\"'`]|[ ](?:failed|fails|was|is|did|does|rejected|refused|denied)\b)"
)
"""Behind a word in the middle of a sentence, of which it is a part: `bob with Winter2024! failed`."""
_ENTITY: Final = lazy(r"(?<=[\[<])[A-Z][a-z]{1,30}(?:[A-Z][a-z]{1,30}){0,4}#\d{1,9}(?=[\]>])")
"""One of many, as a mapper has it: `[Order#17]`."""


def _is_spiced(said: str) -> bool:
    """Whether letters and digits have a sign among them that no word has: `Tr0ub4dor!x`."""
    return bool(_SPICE.search(said)) and any(map(str.isdigit, said)) and is_opaque(said, _LEAST)


def _is_handed(text: str, at: int, is_digest: bool) -> bool:
    if text[at] == "-" and _OPTION.match(text, at) and _OPTION_BEFORE.search(text, max(0, at - 140), at):
        return False
    if text.endswith(_VIDEO, 0, at) or _ENTITY.match(text, at):
        return False
    before = _BEFORE.search(text, max(0, at - 40), at)
    if not before:
        return at > 0
    if before[2].strip(" \"'`"):
        return before[1] in _SIGNED if is_digest else not _NAMING.fullmatch(before[1])
    return before[1].lower() in _HANDING
