"""A name in a text and the ways to put a value behind it, one table: the first that fits decides."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.notation import conditions, readers
from mcp_error_middleware.sanitize.notation.model import Name, Notation, Value
from mcp_error_middleware.sanitize.notation.quotes import QUOTE
from mcp_error_middleware.sanitize.notation.values import value_at

Condition: TypeAlias = Callable[[str, Name, re.Match[str]], object]
"""What has to be so besides, of a text, a name in it and what matched behind the name."""
Reader: TypeAlias = Callable[[str, Name, re.Match[str]], Value | None]


class Way(NamedTuple):
    """One way to put a value behind its name."""

    pattern: re.Pattern[str]
    """What stands between the two, or the value too, as the group of that name."""
    example: str
    notation: Notation = Notation.BESIDE
    when: Condition | None = None
    read: Reader | None = None
    """For a value that does not simply begin where the pattern ends, or whose notation depends on more."""

    def match(self, text: str, name: Name) -> re.Match[str] | None:
        match = self.pattern.match(text, name.end)
        return match if match and (self.when is None or self.when(text, name, match)) else None

    def value(self, text: str, name: Name, match: re.Match[str]) -> Value | None:
        if self.read:
            return self.read(text, name, match)
        if "value" in match.re.groupindex:
            return Value(*match.span("value"), self.notation)
        return value_at(text, match.end(), self.notation)


def value_of(text: str, name: Name) -> Value | None:
    """What follows the name, if anything does."""
    for way in WAYS:
        if match := way.match(text, name):
            return way.value(text, name, match)
    return None


_SIGN: Final = (
    r"(?:=>|:=|(?<!\))(?<!\)[ ])->|<-(?=[ \"'])|[→⇒]|[=:]{1,3}>?"
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

_SEEN_BY: Final = rf":(?:{QUOTE}?[\w\\]{{1,60}}{QUOTE}?:)?(?:protected|private)(?=\])"
"""Behind the name of a property, as PHP dumps one: `["password":protected]=>`."""

_NUMBER: Final = r"\[\d{0,3}\]|%5[bB]\d{0,3}%5[dD]|[ ]\#\d{1,3}"
"""Which of several it is: `passwords[0]: x`, `password #1: x`."""
_LATELY: Final = r"(?:now|currently|still|already|temporarily|then|again|just)"
_PAIR: Final = rf"{QUOTE}?\w{{1,20}}{QUOTE}?[ ]?[:=][ ]?{QUOTE}[^\"'\n]{{0,200}}{QUOTE}[\s,;]{{1,4}}"
_OBJECT: Final = rf"{QUOTE}\w{{1,20}}{QUOTE}[ ]?:[ ]?\{{[^{{}}\n]{{0,200}}\}}[\s,;]{{1,4}}"
_LABELLED: Final = (
    rf"(?:{QUOTE},?[\])]?[\s,;]{{1,8}}(?:{_PAIR}|{_OBJECT}){{0,3}}|{QUOTE}[ ]?\{{[^{{}}\"']{{0,200}}?\b"
    rf"|[,;][ ]?|[({{\[]|\n[ \t]{{1,40}}){QUOTE}?"
    r"(?i:\w{0,24}value|val|v|input|content|data|default|actual|got|received)"
    rf"{QUOTE}?[ \t]{{0,4}}[=:][ \t]{{0,4}}"
    r"|\n[ ]{2}(?![^\n]{0,200}\[type=missing\b)[^\n]{0,200}?\binput_value="
    rf"|{QUOTE}\s{{1,8}}value\s{{0,2}}:?\s{{0,2}}\{{\s{{0,8}}(?!null)\w{{1,20}}_value:[ ]{{0,2}}"
)
_GIVEN: Final = "provided|supplied|sent|used|entered|gave|given|passed|presented|submitted|typed"
WAYS: Final = (
    # By a sign, or on the next line.
    Way(
        lazy(rf"(?:{_LABELLED})?"),
        'the field "/user/password", value: Otter-Lake9',
        when=conditions.ends_pointer,
        read=readers.labelled,
    ),
    Way(
        lazy(
            rf"{QUOTE}[ ]?[:{{]?[ \t]*\n[ \t]{{0,40}}\d{{1,6}}[:|][ \t]{{1,40}}"
            r"(?:default|value)[ \t]{0,20}[=:][ ]{0,4}"
        ),
        'in variable "password":\n  3:   default = "Otter-Lake9"',
        Notation.ASSIGNED,
    ),
    Way(
        lazy(r"[ ]{0,40}\n[ ]{0,4}[-=]{3,80}[ ]{0,40}\n[ ]{0,40}(?=\S)"),
        "Password\n--------\nOtter-Lake9",
        Notation.LISTED,
    ),
    Way(
        lazy(rf"(?:{QUOTE}(?:\](?=:))?)?[ ]?[:=][ \t]*(?P<block>[|>][+-]?[ \t]*)?\n[ \t]{{0,40}}"),
        "password:\n  Otter-Lake9",
        read=readers.on_next_line,
    ),
    Way(
        lazy(
            rf"(?:{QUOTE}|{_SEEN_BY}|\(s\)|\\?[\])}}]|%5[dD]|\*{{1,2}}|</\w{{1,10}}>|{_NUMBER}){{0,3}}{_WHOSE}"
            r"(?:[ ](?:provided|given|used|value|supplied|received|sent|found|tried|attempt|entered"
            r"|header|param|parameter|here|was|is|set)){0,2}"
            rf"(?:[ ]?\.{{2,60}})?[ \t]{{0,40}}(?:{_TYPE}[ ]?)?(?P<sign>{_SIGN})"
            rf"(?:\*\*|</\w{{1,10}}>)?[ \t]{{0,40}}"
            r"(?:\n[ ]{1,40}(?=string\())?"
            # As PHP dumps one, a tag of YAML, `Some("x")`.
            r"(?:string\(\d{1,9}\)[ ]{1,4}(?=[\"'])|!{1,2}[A-Za-z]{1,12}[ ])?"
            r"(?:(?:[A-Za-z][\w.:-]{0,60}\(|ConvertTo-SecureString[ ])(?=[bBuUrR]?[\"'][^\"'\s]))?"
        ),
        "password=Otter-Lake9",
        read=readers.assigned,
    ),
    # `token not found: x`; as often the reason follows.
    Way(
        lazy(
            rf"{QUOTE}?"
            r"[ ](?:(?:is|was|has[ ]been|could|does|did|do)[ ])?"
            r"(?:not[ ](?:be[ ])?|no[ ]longer[ ]|already[ ])?"
            r"(?:found|known|valid|invalid|recogni[sz]ed|accepted|allowed|authori[sz]ed|active|rejected|refused|revoked"
            r"|expired|unknown|denied|blocked|disabled|incorrect|wrong|malformed|mismatch|match|exist|missing|leaked"
            r"|differs?|different|changed|updated|rotated|reset)"
            r"(?:[ ]?[:=][ ]{1,4}|[ ]\()(?=\S)",
            re.IGNORECASE,
        ),
        "password incorrect (Otter-Lake9)",
        read=readers.echoed,
    ),
    Way(
        lazy(r"[ ]\((?:old|was|current|got|expected|actual|previous)[ ]?[:=]?[ ](?=\S)"),
        "password (old: Otter-Lake9, new: y)",
        read=readers.echoed,
    ),
    Way(
        lazy(
            r"[ ][\[(][bu]?(?P<q>[\"'])[^\"'\n]{1,80}(?P=q),[ ]?[bu]?(?P=q)"
            r"(?P<value>[^\"'\n]{1,200})(?P=q)[\])]"
        ),
        "credentials ('bob', 'Otter-Lake9')",
        Notation.ASSIGNED,
        when=conditions.is_secret,
    ),
    Way(
        lazy(
            rf"{QUOTE}?[ ](?:got|gets|received|has|had|with|of|contains|holds)(?:[ ](?:the|a|an))?(?:[ ]"
            r"(?:invalid|bad|wrong|unexpected|unknown|illegal|new|old))?[ ]value:?[ ]"
            r"(?!of[ ]|is[ ]|was[ ])(?=\S)"
        ),
        "field api_key got value Otter-Lake9",
        Notation.LISTED,
    ),
    # In markup and in code.
    Way(
        lazy(rf"(?:{QUOTE}[ ]?/?|[ ][^<>&\n]{{0,200}}|)(?:>(?!>)|&gt;|\\u003[eE])(?:<!\[CDATA\[)?(?=[^<\n])"),
        "<password>Otter-Lake9</password>",
        when=conditions.is_tag,
        read=readers.content,
    ),
    Way(
        lazy(_LABELLED),
        '{"name": "password", "value": "Otter-Lake9"}',
        Notation.ASSIGNED,
    ),
    Way(
        lazy(
            r"\((?:[^()\n]{0,200}?,[ ]?)?(?=[bBuU@]?(?:\"[^\"\n]{1,200}\"|'[^'\n]{1,200}')[ ]?\))"
            r"|\((?=[bBuU@]?(?:\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'),)"
        ),
        'user.setPassword("Otter-Lake9")',
        Notation.PAIRED,
        when=conditions.is_told,
    ),
    Way(
        lazy(r"(?:\([^()\n]{0,60}\))?[ ](?:returned|returns|gave|yielded)[ ](?=[bBuU]?[\"'])"),
        'get_password() returned "Otter-Lake9"',
    ),
    Way(
        lazy(rf"{QUOTE}[ ]{{0,2}},[ ]{{0,2}}(?:<<|[bBuUrR])?(?={QUOTE})"),
        "['tool', '--password', 'Otter-Lake9 y']",
        Notation.FLAGGED,
        when=conditions.is_option,
    ),
    Way(
        lazy(rf"{QUOTE}(?:>>)?[ ]{{0,2}},[ ]{{0,2}}(?:<<|[bBuUrR])?(?={QUOTE})"),
        "('password', 'Otter-Lake9')",
        Notation.PAIRED,
        when=conditions.is_partner,
    ),
    Way(
        lazy(rf"{QUOTE};s:\d{{1,9}}:(?={QUOTE})"),
        's:8:"password";s:11:"Otter-Lake9";',
        Notation.ASSIGNED,
    ),
    Way(
        lazy(r",[ ]{0,2}(?:<<)?(?=[\"'])"),
        '{:password, "Otter-Lake9"}',
        Notation.PAIRED,
        when=conditions.is_atom,
    ),
    Way(
        lazy(rf"{QUOTE}[^\n]{{0,80}}(?:\r?\n|\\r\\n|\\n){{2}}(?P<value>(?:(?!\\[rn])[^\r\n]){{1,4000}})"),
        'form-data; name="password"\n\nOtter-Lake9',
        Notation.ASSIGNED,
        when=conditions.is_form_field,
    ),
    Way(
        lazy(
            rf"(?:{QUOTE}[^<>\n]{{0,80}}>|:?</\w{{1,20}}>)\s{{0,20}}<(?:(?P<named>(?i:\w{{0,24}}value|string))"
            r"|(?i:td|dd|span|div|p|code|b))(?:[ ][^<>\n]{0,100})?>(?=[^<\s][^<\n]{0,400}</)"
        ),
        "<key>password</key><string>Otter-Lake9</string>",
        read=readers.next_content,
    ),
    Way(
        lazy(r"[|\t](?=[^\s|-])|[ ]{2,40}(?=[^\s|-]\S{3,200}[ ]{0,40}(?:\n|\Z))"),
        "password|Otter-Lake9",
        Notation.PAIRED,
    ),
    Way(
        lazy(r"(?:[ ](?:for|of)[ ](?:user[ ])?[^\s:=]{1,60})?[ ](?:to|from)[ ](?=\S)"),
        "changed api_key from Otter-Lake9 to y",
        Notation.LISTED,
        when=conditions.is_field_set,
    ),
    Way(
        lazy(r"(?:[ ](?:for|of)[ ](?:user[ ])?[^\s:=]{1,60})?[ ](?:to|from)[ ](?=\S)"),
        "set password to Otter-Lake9",
        when=conditions.is_set,
    ),
    Way(
        lazy(r"\"?[ ]\.[ ](?=[\"'])"),
        '(password . "Otter-Lake9")',
        Notation.PAIRED,
        when=conditions.is_in_cons,
    ),
    # In columns and lines.
    Way(
        lazy(r"[ ]?[.·]{4,60}[ ](?=\S)"),
        "password ......... Otter-Lake9",
    ),
    Way(
        lazy(r"[ ]{1,40}[|│┃║┆┊][ ]{1,40}(?=[^\s|│┃║┆┊-])"),
        "| password | Otter-Lake9 |",
        Notation.LISTED,
        when=conditions.is_row,
    ),
    Way(
        lazy(r"[ ]{1,40}[|│┃║┆┊][ ]{1,40}(?=[^\s|│┃║┆┊-])"),
        "password │ Otter-Lake9 |",
        Notation.PAIRED,
        when=conditions.begins_line,
    ),
    Way(
        lazy(r"[ ]{1,40}[|│┃║┆┊][ ]{1,40}(?=[^\s|│┃║┆┊-])"),
        "the password | Otter-Lake9",
        when=conditions.ends_line,
    ),
    Way(
        lazy(r"[ ]"),
        "--password Otter-Lake9",
        when=conditions.is_flag,
        read=readers.argument,
    ),
    # In a sentence.
    Way(
        lazy(
            rf"{QUOTE}?[:,]?[ ][a-z0-9 ,:-]{{0,80}}?\b(?:(?:got|received|found|saw)[ ]?[:=]?"
            r"|but(?=[ ][\"'`][^\"'`\n]{1,200}[\"'`][ ](?:was|is|has[ ]been)[ ]"
            r"(?:given|provided|supplied|received|used|sent|entered|found)))[ ](?=[\"'`])",
            re.IGNORECASE,
        ),
        'password must be an object, got "Otter-Lake9"',
    ),
    Way(
        lazy(
            r"['’]s[ ](?=[^\s\"'`])|[ ](?:(?:was|has been)[ ])?(?:changed|reset|rotated|updated|renamed)"
            r"[ ]from[ ]"
            r"(?:[\"'`]?\[redacted:[a-z-]{1,30}\][\"'`]?[ ]to[ ])?"
        ),
        "the password's Otter-Lake9",
    ),
    Way(
        lazy(
            r"[ ](?:(?:must|should|may|can)(?:not)?|(?:not[ ])?to)[ ](?:not[ ])?"
            r"(?:(?:be[ ])?(?:differ(?:ent)?[ ]from|equal(?:[ ]to)?)|be)[ ](?=\S)"
        ),
        "password must not be Otter-Lake9",
    ),
    Way(
        lazy(r"[ ][^\n'\"`:]{1,80}?[ ]but[ ](?:(?:it[ ])?(?:is|was)|got)[ ](?=\S)"),
        "password must have 8 letters but is Otter-Lake9",
    ),
    Way(
        lazy(
            rf"{QUOTE}?{_WHOSE}[ ](?:is|was|are|equals|being|set to|reset to|changed to|now|to be"
            r"|ist|lautet|lautete|heißt|war|reads|est|était|es|era|fue|foi|jest|är|er|è|é)"
            rf"[ ]{{1,2}}(?:(?:set|reset|changed|updated|rotated) to[ ])?(?!{_LATELY}[ ])",
            re.IGNORECASE,
        ),
        "the password is Otter-Lake9",
        read=readers.said,
    ),
    Way(
        lazy(
            rf"{QUOTE}?(?:(?:[ ](?i:for|of|on|to|at|in)(?:[ ][^\s:=,;.]{{1,40}}){{1,9}}?)?[ ]"
            rf"(?:is|was|will[ ]be|ha[sd][ ](?:{_LATELY}[ ])?been|is[ ]being|can[ ]be)"
            rf"[ ](?:{_LATELY}[ ]){{0,2}}"
            r"(?:(?:(?:re)?set|changed|updated|rotated|reverted|restored|initiali[sz]ed)"
            r"(?:[ ]back)?[ ](?:to|as)[ ])?"
            r"|[ ]as[ ])(?=[\"'`]|[^\s\"'`]{0,60}[\d!@\#$%^&*])"
        ),
        "set the password as Otter-Lake9",
    ),
    Way(
        lazy(r"\("),
        "密码(Otter-Lake9)",
        when=conditions.is_foreign,
    ),
    Way(
        lazy(r"[ ](?:je|este|e|е|on|to|là|adalah|ni|da|og)[ ](?=\S)"),
        "salasana on Otter-Lake9",
        Notation.SAID,
        when=conditions.is_foreign,
    ),
    Way(
        lazy(r"(?:(?:[ ][^\W\d_]{1,20}){1,3}|[\u0900-\uff00]{1,8})[ ]?[:=][ ]{0,4}(?=\S)"),
        "пароль пользователя: Otter-Lake9",
        Notation.LISTED,
        when=conditions.has_state,
    ),
    Way(
        lazy(r"(?=(?!(?i:sha|md|base|aes|utf|rsa)-?\d)(?=[!-~]{6})[!-~]{0,40}\d)"),
        "密码Otter-Lake9",
        when=conditions.is_unspaced,
    ),
    Way(
        lazy(r"[ \t](?P<value>[!-~]{4,200}(?<![\"'`=:]))(?=[ \t]*(?:\n|\Z))"),
        "requirepass Otter-Lake9",
        Notation.FLAGGED,
        when=conditions.is_directive,
    ),
    Way(
        lazy(r"[ ]?(?=[「『《‹“][\x21-\x7e])"),
        "パスワード「Otter-Lake9」",
    ),
    Way(
        lazy(r"[\[<(](?=[^\s\[\]<>()\"'`]{4,100}[\]>)](?:[ ,.;]|$))"),
        "password[Otter-Lake9]",
        when=conditions.is_wrapped,
    ),
    Way(
        lazy(
            r"(?:(?<=phrase)|(?<=mnemonic))[ ]"
            r"(?!(?:[a-z]{3,8}[ ]){0,11}(?:and|are|been|but|for|from|has|not|the|was|were|with)\b)"
            r"(?P<value>(?:[a-z]{3,8}[ ]){11,23}?[a-z]{3,8})(?=[ ](?:is|was|has|in)|[ ]\w{2,12}$|[.,;:)\n]|$)"
        ),
        "seed phrase army van cup art bus car dog ear fan gas hat ink",
        Notation.ASSIGNED,
        when=conditions.is_password,
    ),
    Way(
        lazy(
            r"(?<=s)[ ][\[(](?P<value>[bBuU]?(?P<q>[\"'])[^\"'\n]{1,80}(?P=q)"
            r"(?:,[ ]?[bBuU]?(?P=q)[^\"'\n]{1,80}(?P=q)){0,20})(?=[\])])"
        ),
        "the passwords ['Otter-Lake9', 'y']",
        Notation.ASSIGNED,
        when=conditions.is_password,
    ),
    Way(
        lazy(r"[ ](?P<state>[^\W\d_]{3,20})[ ](?=\S{0,40}[A-Za-z])"),
        "password wrong Otter-Lake9",
        when=conditions.is_found_wrong,
    ),
    Way(
        lazy(r",[ ](?=[^\s,]{6,200},[ ](?:is|was|has|does|did)\b)"),
        "your password, Otter-Lake9, is wrong",
    ),
    Way(
        lazy(r"[ ][A-Za-z ,]{1,60}:[ \t]{0,4}\n{1,3}[ ]{0,8}(?=[^\s\"'`]{4,200}+(?:\n|\Z))"),
        "the password to go on with:\n\nOtter-Lake9",
    ),
    Way(
        lazy(rf"[ ]{{1,4}}(?:you|we|they)[ ](?:{_GIVEN})[ ]\((?=\S)"),
        "the password you entered (Otter-Lake9)",
        Notation.QUOTED,
    ),
    Way(
        lazy(
            rf"(?:{QUOTE}[ \t]{{1,4}}(?!\(|[\w:-]{{1,30}}=[\"'])(?:(?:with|has|had) value[ ])?|[ \t]{{1,4}}"
            r"(?:of[ ]|-[ ]|(?:with|has|had|header|param|parameter) value[ ]|REG_[A-Z_]{2,20}[ ]{1,4}"
            rf"|(?:you[ ]|we[ ]|they[ ])?(?:{_GIVEN})[ ]"
            r"|[05789][ ](?=[0-9A-F]{8}|\$))?\(?)(?=\S)"
        ),
        "with password Otter-Lake9",
        when=conditions.is_noun,
    ),
)
