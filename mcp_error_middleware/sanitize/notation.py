"""A name in a text in, the value that follows it out, in whatever notation."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import Final, NamedTuple

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.keys import Sensitive
from mcp_error_middleware.sanitize.spans import CUT_OFF, MARK, PLACEHOLDER
from mcp_error_middleware.sanitize.words import FOREIGN_PROSE, PROSE, is_foreign_state, is_prose, wordiness


class Notation(Enum):
    """How sure the notation makes it that what follows is a value."""

    ASSIGNED = auto()
    """By a sign or in quotes: `password=x`, `"password": "x"`."""
    FLAGGED = auto()
    """`--password x`."""
    PAIRED = auto()
    """`('password', 'x')`."""
    LISTED = auto()
    """A colon and bare words: `password: x`; also how a sentence begins."""
    SAID = auto()
    """`the password is x`."""
    QUOTED = auto()
    """`with password "x"`."""
    BESIDE = auto()
    """`with password x`."""


class Name(NamedTuple):
    """A sensitive name in a text."""

    start: int
    end: int
    sensitive: Sensitive


class Value(NamedTuple):
    """What follows a name."""

    start: int
    end: int
    notation: Notation


_QUOTE: Final = r"""(?:\\{0,6}["'`]|&quot;|&\#0?3[49];|&apos;|%2[27]|\\u002[27]|[“”„«»‘’「」『』《》‹›])"""
_SIGN: Final = (
    r"(?:=>|:=|(?<!\))(?<!\)[ ])->|<-(?=[ \"'])|[→⇒]|[=:]{1,2}>?"
    r"|%(?:25)?3[aAdD]|\\u003[aAdD]|&\#(?:61|x3[dD]);|[—–](?=\s)|[是为為は는은])"
)
_OWNERS: Final = (
    r"(?i:user|account|role|database|server|service|instance|login|host|benutzer|konto|compte|utilisateur|cuenta"
    r"|usuario|conta|usuário|utente|gebruiker|użytkownika|key|file|keystore|certificate|archive|volume|device"
    r"|wallet|share)"
)
_WHOSE: Final = (
    r"(?:[ ](?i:for|of|für|von|vom|des|pour|du|para|de|del|do|da|di|per|voor|van|dla|для)[ ]"
    r"(?!https?:|nil:|main:|\#<)"
    r"(?i:(?:the|your|my|our|den|die|das|dem|der|la|el|le|il|lo|o|a|het|de)[ ])?"
    r"(?!(?:user|username|account|role|profile|client|service|server|device|email|tenant|project)[ ]?[:=])"
    rf"(?:{_OWNERS}[ ])?[^\s:=]{{1,60}}(?:[ ]{_OWNERS}){{0,2}}(?=[:\s]))?"
)

_TYPE: Final = r":[ ]?&?[A-Za-z][\w.]{0,30}(?:[<\[]\w{1,20}[>\]])?[?!]?(?=[ ]?=[ ]?[\"'])"
"""`let password: String = "x"`"""

_ASSIGNED: Final = lazy(
    rf"(?:{_QUOTE}|\\?[\])}}]|%5[dD]|\*\*){{0,2}}{_WHOSE}"
    r"(?:[ ](?:provided|given|used|value|supplied|received|sent|found|tried|attempt|entered|header|param"
    r"|parameter|here|was|is|set)){0,2}"
    rf"(?:[ ]?\.{{2,60}})?[ \t]{{0,8}}(?:{_TYPE}[ ]?)?(?P<sign>{_SIGN})(?:\*\*|</\w{{1,10}}>)?[ \t]{{0,8}}"
    r"(?:\n[ ]{1,40}(?=string\())?"
    r"(?:string\(\d{1,9}\)[ ]{1,4}(?=[\"'])|!{1,2}[A-Za-z]{1,12}[ ])?"  # as PHP dumps one, a tag of YAML
    r"(?:(?:[A-Za-z][\w.:-]{0,60}\(|ConvertTo-SecureString[ ])(?=[bBuUrR]?[\"'][^\"'\s]))?"  # `Some("x")`
)
_NEXT_LINE: Final = lazy(
    rf"(?:{_QUOTE}(?:\](?=:))?)?[ ]?[:=][ \t]*(?P<block>[|>][+-]?[ \t]*)?\n[ \t]{{0,40}}"
)
_PAIR_LINE: Final = lazy(
    r"(?:(?P<value>value|val|data|default|plain|text)|[A-Za-z_][\w.-]{0,60})"
    r"(?:[ ]{0,4}=(?![=\s])[ ]?|:[ ]{1,4})(?=\S)"
)
"""The next name, where nothing is below a name: `full_key:\\n  object_type=None`."""
_UNDERLINED: Final = lazy(r"[ ]{0,40}\n[ ]{0,4}[-=]{3,80}[ ]{0,40}\n[ ]{0,40}(?=\S)")
"""A heading, or the head of a column."""
_ALONE: Final = lazy(r"[^\s\"'`]{4,200}+(?=\s*(?:\n|\Z))")
"""All there is on a line."""
_COLUMN: Final = lazy(r"[|\t](?=[^\s|-])|[ ]{2,40}(?=[^\s|-]\S{3,200}[ ]{0,40}(?:\n|\Z))")
_TO: Final = lazy(r"(?:[ ](?:for|of)[ ](?:user[ ])?[^\s:=]{1,60})?[ ](?:to|from)[ ](?=\S)")
_IDENTIFIER: Final = lazy(r"_|[a-z][A-Z]")
_SETTING: Final = lazy(
    r"\b(?:set|setting|chang(?:e|ed|ing)|reset|updat(?:e|ed|ing))[ ](?:(?:the|your|its)[ ])?\Z", re.IGNORECASE
)
"""`set password to x`, `changed api_key from x to y`"""
_PAIR: Final = rf"{_QUOTE}?\w{{1,20}}{_QUOTE}?[ ]?[:=][ ]?{_QUOTE}[^\"'\n]{{0,200}}{_QUOTE}[\s,;]{{1,4}}"
_OBJECT: Final = rf"{_QUOTE}\w{{1,20}}{_QUOTE}[ ]?:[ ]?\{{[^{{}}\n]{{0,200}}\}}[\s,;]{{1,4}}"
_LABELLED: Final = lazy(
    rf"(?:{_QUOTE},?[\])]?[\s,;]{{1,8}}(?:{_PAIR}|{_OBJECT}){{0,3}}|{_QUOTE}[ ]?\{{[^{{}}\"']{{0,200}}?\b"
    rf"|[,;][ ]|[({{\[]|\n[ \t]{{1,40}}){_QUOTE}?"
    r"(?i:\w{0,24}value|val|v|input|content|data|default|actual|got|received)"
    rf"{_QUOTE}?[ \t]{{0,4}}[=:][ \t]{{0,4}}"
    r"|\n[ ]{2}(?![^\n]{0,200}\[type=missing\b)[^\n]{0,200}?\binput_value="
    rf"|{_QUOTE}\s{{1,8}}value\s{{0,2}}:?\s{{0,2}}\{{\s{{0,8}}(?!null)\w{{1,20}}_value:[ ]{{0,2}}"
)
"""`name="password" value="x"`, `"name": "password", "value": "x"`, `variable "password" { default = "x" }`"""
_NUMBERED_LINE: Final = lazy(
    rf"{_QUOTE}[ ]?[:{{]?[ \t]*\n[ \t]{{0,40}}\d{{1,6}}[:|][ \t]{{1,40}}"
    r"(?:default|value)[ \t]{0,20}[=:][ ]{0,4}"
)
"""A line of a file as it is shown: `in variable "password":\n  3:   default = "x"`"""
BARS: Final = frozenset("|│┃║┆┊")
"""What divides the cells of a table."""
_CELL: Final = lazy(r"[ ]{1,40}[|│┃║┆┊][ ]{1,40}(?=[^\s|│┃║┆┊-])")
"""A row of a table: `| password | x |`"""
_GOT: Final = lazy(
    rf"{_QUOTE}?[:,]?[ ][a-z0-9 ,:-]{{0,80}}?\b(?:(?:got|received|found|saw)[ ]?[:=]?"
    r"|but(?=[ ][\"'`][^\"'`\n]{1,200}[\"'`][ ](?:was|is|has[ ]been)[ ]"
    r"(?:given|provided|supplied|received|used|sent|entered|found)))[ ](?=[\"'`])",
    re.IGNORECASE,
)
"""`password must be an object, got "x"`"""
_ECHO: Final = lazy(
    r"(?:[Ii]nvalid[ ](?:input|value|string)[:,][ ])?"
    r"(?:(?:an?[ ])?(?:invalid|bad|wrong|unexpected|illegal|the)[ ])?"
    r"(?:(?:(?i:got|received|have|had|want(?:ed)?|expected|actual|given|found|was)|rejected)"
    r"(?:[ ](?:value|input|string))?|(?i:value|input|string))"
    r"[ ]?[:=]?[ ](?:(?=[\"'`“«\[])|(?=\S{0,60}\d)(?=\S{0,60}[^\W\d_]))"
)
"""What stands before a value that was turned down."""
_QUOTES: Final = frozenset("\"'`")
_PAIRED: Final = lazy(rf"{_QUOTE}[ ]{{0,2}},[ ]{{0,2}}(?:<<|[bBuUrR])?(?={_QUOTE})")
_CALLED: Final = lazy(
    r"\((?:[^()\n]{0,200}?,[ ]?)?(?=[bBuU@]?(?:\"[^\"\n]{1,200}\"|'[^'\n]{1,200}')[ ]?\))"
    r"|\((?=[bBuU@]?(?:\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'),)"
)
_SETTING_CALL: Final = lazy(
    r"(?:\A|[._>])(?:set|with|use|chang|reset|updat|add|verify|check|validat|compar|assign|put|stor)[A-Za-z]{0,3}_?"
    r"(?:[A-Za-z]{1,20}_){0,3}[A-Za-z]{2,30}$|\.(?:password|passwd|passphrase|api_?key|secret|token)$",
    re.IGNORECASE,
)
"""`user.setPassword("x")`, `check_password("x", hashed)`, `builder.password("x")`"""
_PUT_TOGETHER: Final = lazy(r"(?=.{0,80}[A-Za-z])(?=.{0,80}\d)[^\s/:;,()\[\]{}<>%]{6,100}")
"""No prompt, and no rule: `password("x1")`"""
_FLAG: Final = lazy(rf"{_QUOTE}--?\Z")
"""`['tool', '--password', 'x y']`"""
_ATOM: Final = lazy(r",[ ]{0,2}(?:<<)?(?=[\"'])")
"""`{:password, "x"}`, `{password, <<"x">>}`"""
_DOTTED: Final = lazy(r"\"?[ ]\.[ ](?=[\"'])")
"""`(password . "x")`"""
_RETURNED: Final = lazy(r"\([^()\n]{0,60}\)[ ](?:returned|returns|gave|yielded)[ ](?=[bBuU]?[\"'])")
"""`get_password() returned "x"`"""
_LEADERS: Final = lazy(r"[ ]?[.·]{4,60}[ ](?=\S)")
"""As tables of contents have it: `password ......... x`."""
_TAG: Final = lazy(r"(?:<|&lt;|\\u003[cC])(?:[\w.]{1,40}:)?$")
_CLOSING_TAG: Final = lazy(r"(?:<|&lt;|\\u003[cC])/(?:[\w.]{1,40}:)?$")
_ELEMENT: Final = lazy(
    rf"(?:{_QUOTE}[ ]?/?|[ ][^<>&\n]{{0,200}}|)(?:>|&gt;|\\u003[eE])(?:<!\[CDATA\[)?(?=[^<\n])"
)
_ELEMENT_END: Final = lazy(r"\]\]>|(?:<|&lt;|\\u003[cC])/")
"""`<password>x</password>`, `<property name="password">x</property>`"""
_NEXT_ELEMENT: Final = lazy(
    rf"(?:{_QUOTE}[^<>\n]{{0,80}}>|:?</\w{{1,20}}>)\s{{0,20}}<(?:(?P<value>(?i:\w{{0,24}}value|string))"
    r"|(?i:td|dd|span|div|p|code|b))(?:[ ][^<>\n]{0,100})?>(?=[^<\s][^<\n]{0,400}</)"
)
"""`<key>password</key><string>x</string>`, `<td>password</td><td>x</td>`"""
_OPENED: Final = lazy(rf"(?:{_QUOTE}|\\A|:)(?:\w{{1,12}}[ ])?\Z")
_KEY_END: Final = lazy(rf"{_QUOTE}\s{{0,4}}:")
_FORM_NAME: Final = lazy(rf"\bname=(?:{_QUOTE})?\Z")
_FORM_PART: Final = lazy(rf"{_QUOTE}[^\n]{{0,80}}(?:\r?\n|\\r\\n|\\n){{2}}")
"""A part of a multipart form: name, blank line, value."""
_LATELY: Final = r"(?:now|currently|still|already|temporarily|then|again|just)"
_BECAME: Final = lazy(
    rf"{_QUOTE}?(?:(?:[ ](?i:for|of|on|to|at|in)(?:[ ][^\s:=,;.]{{1,40}}){{1,9}}?)?[ ]"
    rf"(?:is|was|will[ ]be|ha[sd][ ](?:{_LATELY}[ ])?been|is[ ]being|can[ ]be)[ ](?:{_LATELY}[ ]){{0,2}}"
    r"(?:(?:(?:re)?set|changed|updated|rotated|reverted|restored|initiali[sz]ed)(?:[ ]back)?[ ](?:to|as)[ ])?"
    r"|[ ]as[ ])(?=[\"'`]|[^\s\"'`]{0,60}[\d!@\#$%^&*])"
)
"""`password will be x`, `the password for the admin of this host is now x`, `set the password as x`"""
_SAID: Final = lazy(
    rf"{_QUOTE}?{_WHOSE}[ ](?:is|was|are|equals|being|set to|reset to|changed to|now|to be"
    r"|ist|lautet|lautete|heißt|war|reads|est|était|es|era|fue|foi|jest|är|er|è|é)"
    rf"[ ]{{1,2}}(?:(?:set|reset|changed|updated|rotated) to[ ])?(?!{_LATELY}[ ])",
    re.IGNORECASE,
)
_JUDGED: Final = lazy(
    rf"{_QUOTE}?"
    r"[ ](?:(?:is|was|has[ ]been|could|does|did|do)[ ])?(?:not[ ](?:be[ ])?|no[ ]longer[ ]|already[ ])?"
    r"(?:found|known|valid|invalid|recogni[sz]ed|accepted|allowed|authori[sz]ed|active|rejected|refused|revoked"
    r"|expired|unknown|denied|blocked|disabled|incorrect|wrong|malformed|mismatch|match|exist|missing|leaked"
    r"|differs?|different|changed|updated|rotated|reset)"
    r"(?:[ ]?[:=][ ]{1,4}|[ ]\()(?=\S)",
    re.IGNORECASE,
)
"""`token not found: x`, `password incorrect (x)`; as often the reason follows."""
_IN_VERSIONS: Final = lazy(r"[ ]\((?:old|was|current|got|expected|actual|previous)[ ]?[:=]?[ ](?=\S)")
"""`password (old: x, new: y)`"""
_VALUED: Final = lazy(
    rf"{_QUOTE}?[ ](?:got|gets|received|has|had|with|of|contains|holds)(?:[ ](?:the|a|an))?(?:[ ]"
    r"(?:invalid|bad|wrong|unexpected|unknown|illegal|new|old))?[ ]value:?[ ](?!of[ ]|is[ ]|was[ ])(?=\S)"
)
"""`field api_key got value x`"""
_COMPARED: Final = lazy(
    r"[ ](?:(?:must|should|may|can)(?:not)?|(?:not[ ])?to)[ ](?:not[ ])?"
    r"(?:(?:be[ ])?(?:differ(?:ent)?[ ]from|equal(?:[ ]to)?)|be)[ ](?=\S)"
)
"""`password must not be x`"""
_BUT: Final = lazy(r"[ ][^\n'\"`:]{1,80}?[ ]but[ ](?:(?:it[ ])?(?:is|was)|got)[ ](?=\S)")
"""`password must have 8 letters but is x`"""
_CLOSED_IN: Final = lazy(r"[\[<(](?=[^\s\[\]<>()\"'`]{4,100}[\]>)](?:[ ,.;]|$))")
"""`password[x]`"""
_STATED: Final = lazy(r"[ ](?P<state>[^\W\d_]{3,20})[ ](?=\S{0,40}[A-Za-z])")
"""`password wrong x`"""
_FOUND: Final = frozenset(("wrong", "incorrect", "invalid"))
_LOGIN: Final = lazy(
    r"[ ][\[(][bu]?(?P<q>[\"'])[^\"'\n]{1,80}(?P=q),[ ]?[bu]?(?P=q)(?P<secret>[^\"'\n]{1,200})(?P=q)[\])]"
)
"""`credentials ('bob', 'x')`"""
_BELOW: Final = lazy(r"[ ][A-Za-z ,]{1,60}:[ \t]{0,4}\n{1,3}[ ]{0,8}(?=[^\s\"'`]{4,200}+(?:\n|\Z))")
"""`the password to go on with:\n\nx`"""
_BESIDE: Final = lazy(
    rf"(?:{_QUOTE}[ \t]{{1,4}}(?!\(|[\w:-]{{1,30}}=[\"'])(?:(?:with|has|had) value[ ])?|[ \t]{{1,4}}"
    r"(?:of[ ]|(?:with|has|had|header|param|parameter) value[ ]|REG_[A-Z_]{2,20}[ ]{1,4}"
    r"|(?:you[ ]|we[ ]|they[ ])?(?:provided|supplied|sent|used|entered|gave|given|passed|presented|submitted"
    r"|typed)[ ]|[05789][ ](?=[0-9A-F]{8}|\$))?\(?)(?=\S)"
)
_OPEN_QUOTE: Final = lazy(rf"[bBuUrRfF@N]?(?P<quote>\"\"\"|'''|\"\"(?=\w)|{_QUOTE})")

# A separator belongs to a value only where something follows it that is none of the next name.
_BARE: Final = lazy(
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
_ENCODED_END: Final = lazy(rf"&amp;|%26|%3[bB]|\\u0026|\?(?=[a-z]{{2,20}}=)|(?=[\[<(])(?:{MARK})")
"""What ends a value without a space: the next parameter, what says that the rest is left out."""
_NEXT_PARAMETER: Final = lazy(r"(?:&amp;|%26|\\u0026)[\w.-]{1,60}(?:=|%3[dD])")
UNSPACED: Final = "\u0900"
"""Where scripts begin whose words have marks in them, or no space between them; no password is in one."""
_UNSPACED: Final = lazy(f"[{UNSPACED}-\uffef]")
"""Scripts that put no space between a word of ours and one of theirs: `密码:abc失败`."""
_PHRASE: Final = lazy(r"[a-z]{2,14}(?:[ ][a-z]{2,14}){3,30}(?=[\s.,;)\"']|$)")
_SEED_WORDS: Final = lazy(
    r"(?:(?<=phrase)|(?<=mnemonic))[ ]"
    r"(?!(?:[a-z]{3,8}[ ]){0,11}(?:and|are|been|but|for|from|has|not|the|was|were|with)\b)"
    r"(?P<words>(?:[a-z]{3,8}[ ]){11,23}?[a-z]{3,8})(?=[ ](?:is|was|has|in)|[ ]\w{2,12}$|[.,;:)\n]|$)"
)
"""The words of a wallet, right behind their name."""
_SEVERAL: Final = lazy(
    r"(?<=s)[ ][\[(](?P<words>[bBuU]?(?P<q>[\"'])[^\"'\n]{1,80}(?P=q)"
    r"(?:,[ ]?[bBuU]?(?P=q)[^\"'\n]{1,80}(?P=q)){0,20})(?=[\])])"
)
"""`the passwords ['x', 'y']`"""
_REST_OF_LINE: Final = lazy(r"(?:(?!\\[rn])[^\r\n]){0,4000}")
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


def value_of(text: str, name: Name) -> Value | None:
    """What follows the name, if anything does."""
    end = name.end
    if is_pointer(text, name.start, end):
        match = _LABELLED.match(text, end)
        return _quoted_or_bare(text, match.end(), Notation.ASSIGNED) if match else None
    if match := _NUMBERED_LINE.match(text, end):
        return _quoted_or_bare(text, match.end(), Notation.ASSIGNED)
    if match := _UNDERLINED.match(text, end):
        return _quoted_or_bare(text, match.end(), Notation.LISTED)
    if match := _NEXT_LINE.match(text, end):
        if not match["block"] and (pair := _PAIR_LINE.match(text, match.end())):
            return _quoted_or_bare(text, pair.end(), Notation.ASSIGNED) if pair["value"] else None
        is_value = match["block"] or _ALONE.match(text, match.end())
        return _quoted_or_bare(text, match.end(), Notation.LISTED if is_value else Notation.BESIDE)
    if match := _ASSIGNED.match(text, end):
        return _assigned(text, name, match)
    if match := _JUDGED.match(text, end) or _IN_VERSIONS.match(text, end):
        echo = _ECHO.match(text, match.end())
        return _quoted_or_bare(text, (echo or match).end(), Notation.BESIDE)
    if name.sensitive.kind == "secret" and (match := _LOGIN.match(text, end)):
        return Value(*match.span("secret"), Notation.ASSIGNED)
    if match := _VALUED.match(text, end):
        return _quoted_or_bare(text, match.end(), Notation.LISTED)
    if match := _in_tag(text, name):
        return _content(text, match.end())
    if not text.startswith(" ", end) and (value := _quoted_value(text, name)):
        return value
    if match := _NEXT_ELEMENT.match(text, end):
        close = _ELEMENT_END.search(text, match.end())
        notation = Notation.ASSIGNED if match["value"] else Notation.PAIRED
        return Value(match.end(), close.start(), notation) if close else None
    if match := _COLUMN.match(text, end):
        return _quoted_or_bare(text, match.end(), Notation.PAIRED)
    if (match := _TO.match(text, end)) and _SETTING.search(text, max(0, name.start - 20), name.start):
        is_field = _IDENTIFIER.search(text, name.start, end)
        return _quoted_or_bare(text, match.end(), Notation.LISTED if is_field else Notation.BESIDE)
    if (match := _DOTTED.match(text, end)) and text[: name.start].endswith(("(", "(:", "'", '("')):
        return _quoted_or_bare(text, match.end(), Notation.PAIRED)
    if match := _LEADERS.match(text, end):
        return _quoted_or_bare(text, match.end(), Notation.BESIDE)
    if match := _CELL.match(text, end):
        is_row = not BARS.isdisjoint(text[max(0, name.start - 4) : name.start])
        if is_row or not text[: name.start].rpartition("\n")[2].strip():
            return _quoted_or_bare(text, match.end(), Notation.LISTED if is_row else Notation.PAIRED)
        if _ALONE.match(text, match.end()):
            return _quoted_or_bare(text, match.end(), Notation.BESIDE)
    if name.start and text[name.start - 1] == "-" and text.startswith(" ", end):
        if text.startswith("(", end + 1):
            return None  # an unquoted bracket is no argument
        return _quoted_or_bare(text, end + 1, Notation.FLAGGED)
    if not _QUOTES.isdisjoint(text[end : end + 100]) and (match := _GOT.match(text, end)):
        return _quoted_or_bare(text, match.end(), Notation.BESIDE)
    if match := _CHANGED.match(text, end) or _COMPARED.match(text, end) or _but(text, end):
        return _quoted_or_bare(text, match.end(), Notation.BESIDE)
    if match := _SAID.match(text, end):
        phrase = None if name.sensitive.foreign else _passphrase(text, name, match.end())
        return phrase or _quoted_or_bare(text, match.end(), Notation.SAID)
    if match := _BECAME.match(text, end):
        return _quoted_or_bare(text, match.end(), Notation.BESIDE)
    if name.sensitive.foreign and text.startswith("(", end):
        return _quoted_or_bare(text, end + 1, Notation.BESIDE)
    if name.sensitive.foreign and (match := _FOREIGN_SAID.match(text, end)):
        return _quoted_or_bare(text, match.end(), Notation.SAID)
    if (match := _WORDS_BETWEEN.match(text, end)) and (
        name.sensitive.foreign or is_foreign_state(match[0].strip(" :="))
    ):
        return _quoted_or_bare(text, match.end(), Notation.LISTED)
    if name.sensitive.foreign and text[name.start] >= UNSPACED and _GLUED.match(text, end):
        return _quoted_or_bare(text, end, Notation.BESIDE)
    if (match := _DIRECTIVE.match(text, end)) and _is_directive(text, name):
        return Value(end + 1, match.end(), Notation.FLAGGED)
    if match := _CORNERED.match(text, end):
        return _quoted_or_bare(text, match.end(), Notation.BESIDE)
    if name.sensitive.kind == "password" and (match := _CLOSED_IN.match(text, end)):
        return _quoted_or_bare(text, match.end(), Notation.BESIDE)
    if name.sensitive.kind == "password" and (
        match := _SEED_WORDS.match(text, end) or _SEVERAL.match(text, end)
    ):
        return Value(match.start("words"), match.end(), Notation.ASSIGNED)
    if (match := _STATED.match(text, end)) and (
        match["state"].lower() in _FOUND or is_foreign_state(match["state"])
    ):
        return _quoted_or_bare(text, match.end(), Notation.BESIDE)
    if match := _BELOW.match(text, end):
        return _quoted_or_bare(text, match.end(), Notation.BESIDE)
    # "Pass x" is an order more often than a password.
    if text[name.start : end].lower() != "pass" and (match := _BESIDE.match(text, end)):
        return _quoted_or_bare(
            text, match.end(), Notation.QUOTED if _IN_BRACKETS.fullmatch(match[0]) else Notation.BESIDE
        )
    return None


def is_pointer(text: str, start: int, end: int) -> bool:
    """Whether it is the end of a path in quotes: of a file, or into data as `"/user/password"`."""
    return text.startswith("/", start - 1) and start > 0 and text[end : end + 1] in _QUOTES


_CHANGED: Final = lazy(
    r"['’]s[ ](?=[^\s\"'`])|[ ](?:(?:was|has been)[ ])?(?:changed|reset|rotated|updated|renamed)[ ]from[ ]"
    r"(?:[\"'`]?\[redacted:[a-z-]{1,30}\][\"'`]?[ ]to[ ])?"
)
"""`the password's x`, `password changed from x to y`"""
_CORNERED: Final = lazy(r"[ ]?(?=[「『《‹“][\x21-\x7e])")
"""`パスワード「x」`; in their own letters it is a word."""
_IN_BRACKETS: Final = lazy(r"[ ]+(?:you|we|they)[ ]\w+[ ]\(")
"""`the password you entered (x)`"""
_FOREIGN_SAID: Final = lazy(r"[ ](?:je|este|e|е|on|to|là|adalah|ni|da|og)[ ](?=\S)")
"""What is no verb behind an English name: `salasana on x`."""
_WORDS_BETWEEN: Final = lazy(r"(?:(?:[ ][^\W\d_]{1,20}){1,3}|[\u0900-\uff00]{1,8})[ ]?[:=][ ]{0,4}(?=\S)")
"""What stands between a name in another language and its value: `пароль пользователя: x`."""
_GLUED: Final = lazy(r"(?!(?i:sha|md|base|aes|utf|rsa)-?\d)(?=[!-~]{6})[!-~]{0,40}\d")
"""`密码x1`"""
_DIRECTIVE: Final = lazy(r"[ \t][!-~]{4,200}(?<![\"'`=:])(?=[ \t]*(?:\n|\Z))")
_SETTER: Final = lazy(r"\b(?:ENV|SetEnv|setenv|setx)[ ]\Z")
_PLAIN_NAMES: Final = frozenset(
    """
    auth authorization cookie cookies credential credentials key passcode passkey passkeys passphrase password
    passwords pass pin secret secrets session signature token tokens bearer jwt code
    """.split()
)


def _is_directive(text: str, name: Name) -> bool:
    """Whether a line begins with a name that is no word of a sentence: `requirepass x`, `smtp_pass x`."""
    is_first = name.start == 0 or text[name.start - 1] == "\n"
    is_set = _SETTER.search(text, max(0, name.start - 10), name.start)
    spoken = text[name.start : name.end]
    is_setting = (spoken.islower() or "_" in spoken) and not (" " in spoken or "-" in spoken)
    is_named = is_first and is_setting and spoken.lower() not in _PLAIN_NAMES
    return (is_set is not None or is_named) and not name.sensitive.foreign


def _but(text: str, end: int) -> re.Match[str] | None:
    return _BUT.match(text, end) if text.find(" but ", end, end + 90) >= 0 else None


def _quoted_value(text: str, name: Name) -> Value | None:
    """What belongs to a name in quotes, or stands on the next line."""
    end = name.end
    if match := _LABELLED.match(text, end):
        return _quoted_or_bare(text, match.end(), Notation.ASSIGNED)
    if called := _CALLED.match(text, end):
        value = _quoted_or_bare(text, called.end(), Notation.PAIRED)
        if _SETTING_CALL.search(text[name.start : end]) or _is_told(text, name, value):
            return value
    if match := _RETURNED.match(text, end):
        return _quoted_or_bare(text, match.end(), Notation.BESIDE)
    is_atom = name.start > 0 and text[name.start - 1] in ":{"
    if match := _PAIRED.match(text, end) or (_ATOM.match(text, end) if is_atom else None):
        value = _quoted_or_bare(text, match.end(), Notation.PAIRED)
        if value and _FLAG.search(text, max(0, name.start - 4), name.start):
            return value._replace(notation=Notation.FLAGGED)
        return value if value and _is_partner(text, name, value) else None
    if (match := _FORM_PART.match(text, end)) and _FORM_NAME.search(
        text, max(0, name.start - 14), name.start
    ):
        return _rest_of_line(text, match.end())
    return None


def _is_told(text: str, name: Name, value: Value | None) -> bool:
    """Whether what a call is told is a password: `password("x1")`, not `password("Your password: ")`."""
    if value is None or name.sensitive.kind != "password":
        return False
    return _PUT_TOGETHER.fullmatch(text, value.start, value.end) is not None


def _is_partner(text: str, name: Name, value: Value) -> bool:
    """Whether the value is no name itself, nor a sentence beside another that ends with the name."""
    is_whole = _OPENED.search(text, max(0, name.start - 16), name.start)
    is_sentence = not is_whole and " " in text[value.start : value.end]
    return not (is_sentence or _KEY_END.match(text, value.end))


def _in_tag(text: str, name: Name) -> re.Match[str] | None:
    before = max(0, name.start - 42)
    if _CLOSING_TAG.search(text, before, name.start):
        return None
    is_tag = _TAG.search(text, before, name.start) or ">" in text[name.end : name.end + 4]
    return _ELEMENT.match(text, name.end) if is_tag else None


def _content(text: str, at: int) -> Value | None:
    if close := _ELEMENT_END.search(text, at):
        return Value(at, close.start(), Notation.ASSIGNED)
    # Without a letter no element was opened: `'<token>', 3`
    value = _quoted_or_bare(text, at, Notation.BESIDE) if text[at : at + 1].isalnum() else None
    return value._replace(notation=Notation.ASSIGNED) if value and CUT_OFF.match(text, value.end) else value


def _rest_of_line(text: str, at: int) -> Value | None:
    line = _REST_OF_LINE.match(text, at)
    return Value(at, line.end(), Notation.ASSIGNED) if line and line[0] else None


def _assigned(text: str, name: Name, match: re.Match[str]) -> Value | None:
    at, sign = match.end(), match["sign"]
    if _is_header(text, name, match):
        return _header(text, at, name.sensitive.kind == "cookie")
    if ":" in sign and (echo := _ECHO.match(text, at)):
        # An error that says what it was given: `password: got "x", want ...`
        in_brackets = text[echo.end()] in _BRACKETS
        return _quoted_or_bare(text, echo.end(), Notation.LISTED if in_brackets else Notation.BESIDE)
    is_loose = ":" in sign or not sign.isascii() or match[0].endswith(" ")
    notation = Notation.LISTED if is_loose else Notation.ASSIGNED
    return _passphrase(text, name, at) or _quoted_or_bare(text, at, notation)


def _passphrase(text: str, name: Name, at: int) -> Value | None:
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


def _is_header(text: str, name: Name, match: re.Match[str]) -> bool:
    if name.sensitive.kind == "cookie":
        return ":" in match[0]
    return "uthorization" in text[name.start : name.end]


def _header(text: str, at: int, is_cookie: bool) -> Value | None:
    """The value of a header, without the name of its scheme."""
    if PLACEHOLDER.match(text, at):
        return _quoted_or_bare(text, at, Notation.ASSIGNED)
    if quote := _OPEN_QUOTE.match(text, at):
        start, end = quote.end(), _closing_quote(text, quote.end(), quote["quote"])
        scheme = _SCHEME.match(text, start, end)
        return Value(scheme.end() if scheme else start, end, Notation.ASSIGNED)
    if text[at : at + 1] in _BRACKETS:
        scheme = _SCHEME.match(text, at + 1)
        return Value(scheme.end() if scheme else at + 1, _closing_bracket(text, at), Notation.ASSIGNED)
    if _CHALLENGE.match(text, at):
        return None
    if scheme := _SCHEME.match(text, at):
        return _quoted_or_bare(text, scheme.end(), Notation.LISTED)
    line, bare = _HEADER.match(text, at), _BARE.match(text, at)
    if not line or line.end() == at:
        return None
    if is_cookie and "=" not in line[0]:
        return _quoted_or_bare(text, at, Notation.LISTED)
    if is_cookie:
        return Value(at, _cookies_end(text, at, line.end()), Notation.ASSIGNED)
    is_single = bare and any(c.isdigit() for c in bare[0])
    return Value(at, bare.end() if bare and is_single else line.end(), Notation.ASSIGNED)


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


_IN_QUOTES: Final = {
    Notation.LISTED: Notation.ASSIGNED,
    Notation.SAID: Notation.ASSIGNED,
    Notation.BESIDE: Notation.QUOTED,
}
"""What quotes make of a notation."""


def value_at(text: str, at: int, notation: Notation) -> Value | None:
    """The value that begins here, in quotes or without."""
    return _quoted_or_bare(text, at, notation)


def _quoted_or_bare(text: str, at: int, notation: Notation) -> Value | None:
    if done := PLACEHOLDER.match(text, at):
        # Only what is glued to a placeholder is still to be judged, together with it.
        is_cut = text[done.end() : done.end() + 1] in _BRACKETS and CUT_OFF.match(text, done.end())
        is_whole = is_cut or _NEXT_PARAMETER.match(text, done.end())
        glued = None if is_whole else _BARE.match(text, done.end())
        return Value(at, glued.end(), notation) if glued else None
    if quote := _OPEN_QUOTE.match(text, at):
        end = _closing_quote(text, quote.end(), quote["quote"])
        return Value(quote.end(), end, _IN_QUOTES.get(notation, notation))
    if groups := GROUPED.match(text, at) or _NUMBERS.match(text, at) or _app_password(text, at):
        return Value(at, groups.end(), notation)
    if text[at : at + 1] in _BRACKETS:
        is_listed = notation is Notation.LISTED
        return Value(at + 1, _closing_bracket(text, at), Notation.ASSIGNED if is_listed else notation)
    bare = _BARE.match(text, at)
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


_CLOSERS: Final = {"“": "”", "„": "“”", "«": "»", "‘": "’", "「": "」", "『": "』", "《": "》", "‹": "›"}
"""Of several, the one that comes first: `„` is closed otherwise in Polish than in German."""
_OTHER_LETTERS: Final = "\u0900"
"""Where scripts begin in which a particle follows a quote at once: `'x'이`."""
_JOINED: Final = frozenset("」』》”")
"""What a word may follow at once."""
_DOUBLED: Final = frozenset("\"'")
"""What stands for itself where it is written twice."""
_BRACKETS: Final = {"(": ")", "[": "]", "{": "}"}
_FAR: Final = 600


def _closing_quote(text: str, at: int, quote: str) -> int:
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


def _closing_bracket(text: str, at: int) -> int:
    opener, closer, depth = text[at], _BRACKETS[text[at]], 0
    end = min(len(text), at + _FAR)
    for i in range(at, end):
        depth += (text[i] == opener) - (text[i] == closer)
        if not depth:
            return i
    return end
