"""Text in, the values of sensitive names out: `password=x`, `"token": "x"`, `--secret x`, `<pwd>x</pwd>`, ...

A sensitive word is looked for first; only around it is the text read closely.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.finders.comparisons import others
from mcp_error_middleware.sanitize.judgement import goes, is_password_like, looks_secret
from mcp_error_middleware.sanitize.keys import FOREIGN, Sensitive, sensitivity, words_of
from mcp_error_middleware.sanitize.notation import UNSPACED, Name, Value, is_pointer, value_of
from mcp_error_middleware.sanitize.spans import Span, View, words
from mcp_error_middleware.sanitize.words import (
    is_coined,
    is_field,
    is_harmless,
    is_opaque,
    looks_chosen,
    wordiness,
)

STEMS: Final = ("pass", "psk", "token", "secret", "key", "pw", "auth", "cred", "sess", "cookie", "kennwort")
"""What names are made of, alone or glued to something: `PGPASSWORD`, `authtoken`, `Startkennwort`."""

_PHRASES: Final[dict[str, list[str]]] = {}
"""Names of several words, by the first of them."""
for _phrase in (name for name in FOREIGN if " " in name and name.isascii()):
    _PHRASES.setdefault(_phrase.partition(" ")[0], []).append(_phrase)

SPOKEN: Final = words(
    """
    password passwords passwd passphrase psk passcode passkey passe pwd pw psw pword pass secret secrets
    token tokens key keys auth authorization oauth cred creds credential credentials cookie cookies
    session sess sid sig signature otp totp pin cvv cvc cvv2 cvc2 dsn salt pepper csrf xsrf csrftoken
    xsrftoken jwt mnemonic phrase ssn assertion samlresponse saml bearer hmac card cardnumber ccnumber
    creditcard sas security code codes answer maiden conn connection connstr connectionstring requirepass
    tan mtan itan smstan pushtan phototan chiptan
    accesstoken apikey authtoken bearertoken clientsecret idtoken privatekey refreshtoken secretkey
    pat masterauth pasword paswd psswd pssword seed puk community crumb clave
    """
) | frozenset(name.partition(" ")[0].encode() for name in FOREIGN if name.isascii())
"""Names, or the beginnings of names, that stand on their own."""

STRINGS: Final = words("conn connection")
"""Names only together with `string` or `str`."""
_ALONE: Final = SPOKEN - STRINGS

_LONG_VALUE: Final = 200
_MOST_NAMES: Final = 120
"""More of them are no message; reading each would hold up everybody else."""

_MORE: Final = lazy(r"(?:,[ ]?(?=[^\s,;=:]{0,40}\d)[^\s,;=:'\"()\[\]{}<>]{4,64}(?![\w=:.]))+")
"""What follows the first of several: `backup codes: 11855873, 58955993`."""
_PARTNER: Final = lazy(r"[ ]/[ ]([^\s,;'\"`()\[\]{}<>]{3,100})")
"""What follows the first of two that are named together: `user / password: bob / x`."""


def _more(text: str, name: Name, value: Value) -> re.Match[str] | None:
    partner = _PARTNER.match(text, value.end)
    if partner and (text.endswith(" / ", 0, name.start) or looks_chosen(partner[1])):
        return partner
    return _MORE.match(text, value.end) if text[name.end - 1] in "sS" else None


_ASSIGNMENT: Final = lazy(r"[A-Za-z_][\w.-]{0,80}[ ]=[ ][\"']")
"""What follows a name and is itself a name with its value: `(key "db.token"): token = "x"`."""


def find(view: View) -> list[Span]:
    """The values of sensitive names."""
    anchors = _anchors(view)
    if not anchors:
        return []
    identifiers = _identifiers(view, anchors)
    if len(identifiers) > _MOST_NAMES:
        return [Span(0, len(view.text), "secret")]
    found = _named_behind(view.text)
    done, unsaid = 0, list[Name]()
    is_redacted = "=[redacted:" in view.text
    is_quoted = '"' in view.text or "'" in view.text or "`" in view.text
    for bounds in sorted(identifiers):
        is_open = bounds[0] >= done and not (is_redacted and _REDACTED.match(view.text, bounds[1]))
        name = _name(view.text, *bounds) if is_open or (is_quoted and bounds[0] >= done) else None
        value = value_of(view.text, name) if name and is_open else None
        if name and value and not _ASSIGNMENT.match(view.text, value.start):
            is_secret = goes(view.text, name, value)
            if is_secret:
                more = _more(view.text, name, value)
                end = more.end() if more else value.end
                found.append(Span(value.start, end, name.sensitive.kind))
            found += [
                Span(*place, name.sensitive.kind) for place in others(view.text, value, is_secret=is_secret)
            ]
            if is_secret or value.end - value.start > _LONG_VALUE:
                # Names inside a value are part of it; reading each of them again would take for ever.
                done = value.end
        if name and name.sensitive.firm and not (found and found[-1].start >= name.end):
            unsaid.append(name)
    return [*found, *_rejected(view.text, unsaid)] if unsaid and is_quoted else found


_REDACTED: Final = lazy(r"=\[redacted:[a-z-]{1,30}\](?=\s|\Z)")


_REJECTED: Final = lazy(
    r"\b(?:unmarshal[ ]\w{1,20}|parsing|with[ ]base[ ]\d{1,2}:|[Ff]or[ ]input[ ]string:|[Ii]nvalid[ ]value"
    r"|invalid[ ]choice:|argument:|but[ ](?:got|found|received)|(?i:value|data|input|received|actual):)"
    r"[ ][\"'`]([^\"'`\n]{4,200})[\"'`]"
)
"""What a parser could not read: `For input string: "x"`"""


def _rejected(text: str, unsaid: list[Name]) -> Iterator[Span]:
    """The same, where the line has the name of a secret and no value of it."""
    for match in _REJECTED.finditer(text):
        start, end = text.rfind("\n", 0, match.start()), text.find("\n", match.end())
        names = (name for name in unsaid if start < name.start and (name.start < end or end < 0))
        name, said = next(names, None), match[1]
        is_value = is_password_like(said) and any(map(str.isalpha, said))
        if name and is_value and not (is_harmless(said) or is_field(said)):
            yield Span(*match.span(1), name.sensitive.kind)


_JUDGED: Final = (
    r"(?:(?:(?:is|was)(?:[ ]not|n['’]t)|is[ ]no|(?:does|did)(?:[ ]not|n['’]t)[ ]match"
    r"|(?:was[ ])?(?:rejected|refused|denied)[ ]as)[ ]"
    r"(?:(?:an?|the|your|our|his|her|any|valid|correct|right|current|stored|known|expected|actual)[ ]){0,3}"
    r"|is[ ]an?[ ](?:invalid|wrong|bad|unknown|expired)[ ])"
)
_ABOUT: Final = "(?:hash|hashing|algorithm|field|type|format|encoding|policy|prefix|suffix|name|length)"
_NAMED_BEHIND: Final = lazy(
    r"[\"'`]([^\"'`\n]{3,200})[\"'`][ ]"
    r"(?:(?:was[ ])?(?:supplied|provided|given|passed|used|sent|set|specified|tried|entered|typed|submitted"
    r"|presented|attempted)[ ])?"
    r"(?:(?:for|as|of)[ ](?:(?:the|field|parameter|option|header)[ ]){0,2}"
    rf"|{_JUDGED}|is[ ]too[ ]\w{{3,12}}[ ]an?[ ])"
    r"[\"'`]?([\w.-]{1,59}\w(?:[ ](?:key|token|secret|code|password)\b)?)"
)
"""`value "x" supplied for api_key`, `"x" is not a valid password`"""


_JUDGED_BEFORE: Final = lazy(
    rf"(?<![^\s(])((?=[^\s\"'`]{{0,60}}\d)[^\s\"'`(){{}}\[\]<>,;/\\]{{8,200}})[ ](?:{_JUDGED}"
    r"|was[ ](?:used|tried|sent|entered|given|typed|supplied)[ ]as[ ](?:(?:the|a|my|your)[ ])?)"
    r"([\w.-]{1,59}\w(?:[ ](?:key|token|secret|code|password)\b)?)"
    rf"(?![ ]{_ABOUT}\b)"
)
"""`x is not the password for bob`, `x was rejected as API key`"""


_VALUE_BEFORE: Final = lazy(
    r"\b(?i:value|use|using|with|typed|entered|gave|sent|tried|submitted|presented)[ ]"
    r"((?=[^\s\"'`]{0,60}[\d!@#$%^&*])[^\s\"'`]{4,200})[ ](?:for|of|as)[ ]"
    r"(?:(?:the|a|my|your|their|field|parameter|option|header|new|old|temporary|initial|default|current|admin"
    r"|root)[ ]){0,3}([\w.-]{1,59}\w(?:[ ](?:key|token|secret|code|password)\b)?)"
    rf"(?![ ]{_ABOUT}\b)"
)
"""`the value x for password`, `using x as the password`"""


_NAMED_BELOW: Final = lazy(
    r"[\"'`]([^\"'`\n]{3,200})[\"'`][ ](?:is|of|was|could|cannot|does)[^\n]{0,120}?(?:\n|\\n)[ ]{0,8}"
    r"(?:\w{1,20}_)?(?:key|field|name|path):[ ][\"'`]?([\w.-]{2,60})"
)
"""The same on the next line: `Value 'x' could not be converted\n  key: password`"""


_IN_SCHEMA: Final = lazy(
    r"[\"'`]([^\"'`\n]{3,200})[\"'`][ ](?:is|does)[ ][^\n]{0,200}\n{1,2}"
    r"Failed validating [^\n]{0,400}\[[\"']([\w.-]{2,60})[\"']\]:"
)
"""As jsonschema has it: `'x' is too short\n\nFailed validating 'minLength' in schema[...]['password']:`"""


_ATTRIBUTE_FIRST: Final = lazy(
    r"<\w{1,20}[ ](?:[^<>]{0,200}[ ])?value=[\"']([^\"'<>\n]{3,200})[\"'][ ]"
    r"(?:[^<>]{0,200}[ ])?(?:name|key|id)=[\"']([\w.-]{2,60})[\"']"
)
"""`<input value="x" name="password">`"""


_VALUE_FIRST: Final = lazy(
    r"[\"'](?:\w{0,24}[vV]alue|input|received|actual|data)[\"'][ ]?:[ ]?[\"']([^\"'\n]{3,200})[\"'],[ ]?"
    r"(?:[\"']\w{1,20}[\"'][ ]?:[ ]?[\"'][^\"'\n]{0,200}[\"'],[ ]?){0,3}"
    r"[\"'](?:\w{0,20}[nN]ame|\w{0,20}[kK]ey|field|path|property|param|parameter)[\"'][ ]?:[ ]?[\"']"
    r"([\w.-]{2,60})[\"']"
)
"""`{"rejectedValue": "x", "field": "password"}`"""


def _named_behind(text: str) -> list[Span]:
    found = chain(_NAMED_BEHIND.finditer(text), _VALUE_BEFORE.finditer(text), _JUDGED_BEFORE.finditer(text))
    if "key: " in text or "field: " in text or "name: " in text or "path: " in text:
        found = chain(found, _NAMED_BELOW.finditer(text))
    if 'alue"' in text or "alue'" in text or '"input' in text or "'input" in text or '"data"' in text:
        found = chain(found, _VALUE_FIRST.finditer(text))
    if "value=" in text:
        found = chain(found, _ATTRIBUTE_FIRST.finditer(text))
    if "Failed validating " in text:
        found = chain(found, _IN_SCHEMA.finditer(text))
    pairs = ((match, sensitivity(match[2])) for match in found if _is_value(match))
    return [
        Span(*match.span(1), found.kind)
        for match, found in pairs
        if found
        and (found.firm or looks_secret(match[1], found))
        and not (is_harmless(match[1]) or is_field(match[1]) or sensitivity(match[1]))
    ]


def _is_value(match: re.Match[str]) -> bool:
    """Whether what is named behind is in quotes, called a value, or looks like one."""
    said = match[1]
    is_coinage = is_coined(said) and any(map(str.isdigit, said))
    return match[0][0] in "\"'`<" or match[0][:6].lower() == "value " or is_opaque(said, 6) or is_coinage


def named(view: View, names: re.Pattern[str]) -> list[Span]:
    """The values of these names, whatever they are."""
    found = [Name(*match.span(), Sensitive("secret", numeric=True)) for match in names.finditer(view.text)]
    pairs = [(name, value) for name in found if (value := value_of(view.text, name))]
    return [Span(v.start, v.end, n.sensitive.kind) for n, v in pairs if goes(view.text, n, v)]


@lru_cache(maxsize=64)
def spelling(names: frozenset[str]) -> re.Pattern[str]:
    """A pattern for the names in any case and with any separators."""
    spelt = (r"[ _.-]?".join(map(re.escape, words_of(name) or (name,))) for name in names)
    longest_first = "|".join(sorted(spelt, key=len, reverse=True))
    return lazy(rf"(?<![^\W_])(?:{longest_first})(?![^\W_])", re.IGNORECASE)


def has_stem(lower: str) -> bool:
    """Whether a part of a name is in the text."""
    return (
        # One by one: no loop is as quick.
        "auth" in lower or "pw" in lower or "psk" in lower or "cookie" in lower
        or ("ke" in lower and ("key" in lower or "token" in lower or "kennwort" in lower))
        or ("cre" in lower and ("secret" in lower or "cred" in lower))
        or ("ss" in lower and ("pass" in lower or "sess" in lower))
    )  # fmt: skip


# --- names ---------------------------------------------------------------------------------------


def _anchors(view: View) -> list[str]:
    """The parts of names that are in the text."""
    text = view.text
    lower = view.lower
    anchors = [word.decode() for word in view.spoken & (SPOKEN if "str" in lower else _ALONE)]
    anchors += [name for word in anchors for name in _PHRASES.get(word, ()) if name in lower]
    if (view.marks or view.digits) and has_stem(lower):
        anchors += [stem for stem in STEMS if stem in lower]
    if len(anchors) > 1:
        # What has another in it is found with it.
        anchors = [a for a in anchors if " " in a or not any(b in a and b != a for b in anchors)]
    if not text.isascii():
        anchors += [name for name in FOREIGN if name in lower]
    return anchors


_FOLLOWS: Final = frozenset(" \t\n\"'`\\&%=:-<>[](){},|“”‘’„«»;*—–→⇒是为為は는은「『《‹")
"""What may stand between a name and its value."""


_LEADER: Final = lazy(r"[ ]?\.{2,60}[ ]?[:=]|\.{4,60}[ ](?=\S)")
"""As tables of contents have it: `Password........: x`."""


def _identifiers(view: View, anchors: list[str]) -> set[tuple[int, int]]:
    """The bounds of every identifier with one of the anchors in it."""
    text, lower = view.text, view.lower
    found: set[tuple[int, int]] = set()
    for anchor in anchors:
        at = lower.find(anchor)
        while at >= 0:
            is_word = anchor[0] < UNSPACED and " " not in anchor
            start, end = _around(text, at) if is_word else (at, at + len(anchor))
            # The end of a path is no name, unless something is assigned to it.
            is_path = (
                text.endswith("/", 0, start)
                and not text[end : end + 2].lstrip().startswith(("=", ":"))
                and not is_pointer(text, start, end)
            )
            leader = _LEADER.match(text, end)
            behind = ":" if leader else text[end : end + 1]
            if behind == "-" and not text.startswith("->", end):
                behind = "."
            is_unspaced = anchor[0] >= UNSPACED and (behind >= UNSPACED or behind.isalnum())
            is_free = not behind or behind in _FOLLOWS or is_unspaced
            if (
                is_free
                and not is_path
                and not text.endswith("[redacted:", 0, start)
                and not _is_told(view, start, end)
            ):
                found.add((start, end))
            at = lower.find(anchor, max(end, at + 1))
    return found


def _is_told(view: View, start: int, end: int) -> bool:
    """Whether the name is in a string, and not at its end: what belongs to it is there, too."""
    n = bisect_right(view.strings, (start, len(view.text))) - 1
    return n >= 0 and end < view.strings[n][1]


_IDENTIFIER: Final = lazy(r"(?:[\w.]|-(?!-)){1,100}+")


def _around(text: str, at: int) -> tuple[int, int]:
    start, floor = at, max(0, at - 80)
    while start > floor and (text[start - 1].isalnum() or text[start - 1] in "_-."):
        start -= 1
        if text.startswith("--", start):
            break
    match = _IDENTIFIER.match(text, at)
    end = match.end() if match else at
    while start < at and text[start] in "-.":
        start += 1
    while end > at and text[end - 1] in "-.":
        end -= 1
    return start, end


_BEHIND: Final = lazy(
    r"[ ](?:id|identifier|keys?(?:[ ]id)?|codes?|string|number|phrase|seed|hash|answer|name)\b", re.IGNORECASE
)
_FILE: Final = lazy(
    r"\.(?:ya?ml|json|toml|ini|conf|cfg|properties|txt|xml|md|log|csv|lock|html?|s?css|sql|sh|proto|tf|gradle"
    r"|pyi?|[cm]?jsx?|[cm]?tsx?|vue|svelte|go|rb|php|java|kts?|scala|swift|dart|cs|rs|cpp|hpp|cc|c|h|exs?|lua)$"
)
_PARSERS: Final = lazy(
    r"(?:unexpected|unrecogni[sz]ed|illegal|expected|stop|page|continuation|sync|next|stray)[ _-]?$",
    re.IGNORECASE,
)
"""Before a token that is a piece of syntax or a position."""


def _name(text: str, start: int, end: int) -> Name | None:
    """The name at this place, read together with the words around it: `api key`, `session id`."""
    # java -Dapi_key=x
    spoken = text[start + text.startswith("-D", start - 1) : end] if start else text[:end]
    if _FILE.search(spoken) or _is_code(spoken):
        return None
    if behind := _BEHIND.match(text, end):
        longer = spoken + behind[0]
        if found := sensitivity(longer) or _with_words_before(text, start, longer):
            return Name(start, behind.end(), found)
    found = sensitivity(spoken)
    if found is None or not found.firm:
        found = _with_words_before(text, start, spoken) or found
    if found is None or (found.kind == "token" and _is_syntax(text, start, spoken)):
        return None
    return Name(start, end, found)


def _is_syntax(text: str, start: int, spoken: str) -> bool:
    """Whether it is a token of a parser: `unexpected token`, but not `expected access_token`."""
    return spoken[:5].lower() == "token" and bool(_PARSERS.search(text, max(0, start - 14), start))


def _is_code(spoken: str) -> bool:
    """What no name is, though it may end as one and `=` behind it: base64."""
    return len(spoken) >= _CODE_LENGTH and spoken.isalnum() and wordiness(spoken) < 0.4


_CODE_LENGTH: Final = 16
_BETWEEN: Final = frozenset("at by for from in of on to with".split())
"""What no name goes on behind: `password in keychain`."""


def _is_part(word: str) -> bool:
    return (word.isalpha() or word.lower() == "2fa") and word not in _BETWEEN


_REFERENCE: Final = lazy(r"KeyRef[\"']?:\s{1,40}name:[ ]\S{1,64}\n[ ]{1,40}\Z")
"""What says in which object the key is, as its last word does not say whose key it is."""


_APART: Final = str.maketrans("-_([{<", "      ")
"""What stands between words, or before the first: `(api key: x)`."""


def _with_words_before(text: str, start: int, spoken: str) -> Sensitive | None:
    before = text[max(0, start - 42) : start]
    if not before.endswith((" ", "-", "_")) or before.endswith((" -", "--")):
        return None
    # A quotation begins a name anew: `"label": "API key"`.
    before = before.rpartition('"')[2].rpartition("'")[2]
    if _REFERENCE.search(text, max(0, start - 160), start):
        return None
    last = before.translate(_APART).split()[-2:]
    if last and not _is_part(last[-1]):
        return None
    last = [word for word in last if _is_part(word)]
    found = sensitivity(" ".join((*last[-1:], spoken))) if last else None
    return found or (sensitivity(" ".join((*last, spoken))) if len(last) == 2 else None)
