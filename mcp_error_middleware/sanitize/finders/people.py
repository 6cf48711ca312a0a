"""Text in, what belongs to a person out: e-mail, phone, card, social security number, bank account."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.notation import UNSPACED
from mcp_error_middleware.sanitize.spans import MARK, Finder, Pattern, Span, View, table
from mcp_error_middleware.sanitize.words import is_placeholder

PHONES: Final = frozenset("phone telephone mobile cellphone tel fax msisdn whatsapp phonenumber".split())
"""Words at the end of the name of a field that holds a phone number."""

_ROLES: Final = frozenset(
    """
    support help helpdesk noreply no-reply donotreply do-not-reply security abuse feedback contact sales
    postmaster git
    """.split()
)
"""Mailboxes that belong to nobody: where to turn to is what a reader needs."""


def _is_persons(address: str) -> bool:
    name, _, domain = address.lower().partition("@")
    return (
        name not in _ROLES
        and not _DENSITY.fullmatch(domain)
        and not (_MESSAGE_ID.fullmatch(name) or is_placeholder(name))
    )


_DENSITY: Final = lazy(
    r"\d(?:\.\d{1,2})?x(?:[~-][a-z]{2,8})?\.(?:a?png|jpe?g|gif|webp|avif|svg|bmp|tiff?|ico|heic)"
)
"""Of a picture: `logo@2x.png`."""
_MESSAGE_ID: Final = lazy(r"\d{8,}\.[\d.]+")


_FREE: Final = r"(?a:(?<![\w./#-]))(?<!\d,)"
"""Nothing before it that would make the digits a part of something longer."""

_MAIL: Final = (
    r"(?<![\w.+%/@-])\w(?:[\w.!#$&*+?^{|}~'-]{0,63}\w)?@(?:[\w-]{1,63}\.){1,6}[^\W\d_](?:[\w-]{0,30}\w)"
    r"|(?<=\w/)\w(?:[\w.+-]{0,63}\w)?@(?:[\w-]{1,63}\.){1,6}(?:com|net|org|io|edu|gov|[a-z]{2})(?![\w.-])"
)
MAIL: Final = Pattern(
    "email",
    lazy(
        rf"{_MAIL}|"
        r"(?:(?<![\w.+%@-])|(?<=%3[dDaA])|(?<=%2[0cCfF])|(?<=%22))\w(?:(?:[\w.+-]|%2[bB]){0,63}\w)?(?:%40|&\#64;|\\u0040)(?:[\w-]{1,63}\.){1,6}[A-Za-z]{2,24}\b"
    ),
    ("@", "%40", "&#64;", "\\u0040"),
    example="no account for jane.doe@example.com",
    near_miss="write to support@example.com about left-pad@1.3.0 and <20240601120000.1234@mail.example.com>",
    check=_is_persons,
)

_CUT_DOMAIN: Final = (
    r"@(?!(?i:v?\d|(?:latest|next|beta|alpha|canary|main|master|stable|lts|dev|head|rc)\b))"
    r"(?:[\w-]{1,63}\.){0,6}[\w-]{0,63}"
)
"""No version of a package."""
CUT_MAIL: Final = Pattern(
    "email",
    lazy(
        r"(?<![\w.+%/@:-])(?=[^\W\d])(?:"
        rf"\w[\w.+-]{{1,63}}{_CUT_DOMAIN}(?<!@)(?=[ ]?(?:{MARK}))"
        rf"|(?=\w{{1,63}}[.+\d])\w[\w.+-]{{1,63}}{_CUT_DOMAIN}(?=[ ]?(?:{MARK})|\s*\Z))"
    ),
    ("@",),
    example="no account for jane.doe@exam...",
    near_miss="write to support@exam..., npm install left-pad@1.3..., deploy@web, <jane@...>",
    check=_is_persons,
)
"""What is left of one that somebody cut off."""

NUMBERS: Final = (
    Pattern(
        "phone",
        lazy(
            r"(?<![A-Za-z0-9.+/])(?:\+|00(?=[1-9](?:[ .()/-]{0,3}\d){8})(?!\d{9,14}[A-Z]))(?!\d{4}-\d\d-\d\d)"
            r"[1-9](?:[ .()/-]{0,3}\d){7,14}(?!\d|:\d)"
        ),
        ("+", "00"),
        example="call +44 20 7946 0958 now",
        near_miss="at 2024-01-02T03:04:05+00:00 in UTC+02, SKU 0012-3456-78, id 00300000003T2PG",
    ),
    Pattern(
        "phone",
        lazy(
            rf"{_FREE}(?:1[ .-])?(?:\([2-9]\d\d\)[ .-]?|[2-9]\d\d[.-])[2-9]\d\d[ .-]\d{{4}}"
            r"(?:[ ]?(?:x|ext\.?)[ ]?\d{1,6})?(?a:(?![\w-]))"
        ),
        ("-", ".", "("),
        example="call (415) 555-2671 or 415-555-2671",
        near_miss="order 2024-0155-2671 and 100-555-2671",
    ),
    Pattern(
        "phone",
        lazy(
            rf"{_FREE}(?:[2-9]\d\d[ ][2-9]\d\d[ ]\d{{4}}|0[1-9](?:[ .]\d\d){{4}}|0[1-9]\d{{2,3}}[ ]\d{{5,6}}"
            r"|0[1-9]\d{1,2}[ ]\d{3,4}[ ]\d{4}|0[17-9]\d-\d{3,4}-\d{4}|1[3-9]\d[ -]\d{4}[ -]\d{4}"
            r"|8[ -]\(?\d{3}\)?[ -]\d{3}-\d\d-\d\d)(?a:(?![\w-]))"
        ),
        (" ", ".", "-"),
        example="call 06 12 34 56 78 or 020 7946 0958 or 090-1234-5678",
        near_miss="rows 100 200 3000 and 12 34 56, parcel 9400 1000 0000 0000 0000 00",
    ),
    Pattern(
        "phone",
        lazy(
            r"(?<![A-Za-z])(?i:phone|telephone|mobile|cell|tel|fax|sms|whatsapp|msisdn|call(?:er)?|dial|text"
            r"|telefon[oea]?|téléphone|teléfono|mobil|handy|celular|móvil|телефон|電話|电话|手机|携帯|전화"
            r"|r[üu]e?ckruf|anruf|rufnummer|festnetz|durchwahl|telefonisch)"
            r"(?:[ _-]?(?i:number|nummer|no|nr|num)|号码?|番号|번호)?\b[\"'\s:=.#]{1,6}"
            r"(?:is[ ]|was[ ]|at[ ]|to[ ]|us at[ ]|me at[ ]|unter[ ]|auf[ ]|an[ ]|lautet[ ]|ist[ ])?[\"']?"
            r"(?!\(?\d{4}-\d\d-\d\d)(\+?\(?\d(?:[ .()/-]{0,3}\d){6,14})(?a:(?!\w))"
        ),
        (
            "phone", "mobil", "cell", "tel", "fax", "sms", "whatsapp", "msisdn", "call", "dial", "text",
            "handy", "celular", "móvil", "телефон", "電話", "电话", "手机", "携帯", "전화", "ruf", "festnetz",
            "durchwahl",
        ),
        example="phone: 4155552671",
        near_miss="phone: 12345, and call (2026-07-28) to confirm",
    ),
    Pattern(
        "phone",
        lazy(
            r"(?:電話|电话|手机|携帯|전화|โทรศัพท์|โทร)(?:号码?|番号|번호)?[ ]?[はが是为：]?[ ]?"
            r"(\+?\(?\d(?:[ .()/-]{0,3}\d){6,14})(?a:(?!\w))"
        ),
        ("電話", "电话", "手机", "携帯", "전화", "โทร"),
        example="電話番号09012345678は無効です",
        near_miss="電話123は無効です",
    ),
    Pattern(
        "ssn",
        lazy(r"(?<![A-Za-z0-9.-])(?!000|666|9\d\d)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?![A-Za-z0-9-])"),
        ("-",),
        example="ssn 123-45-6789",
        near_miss="part 000-45-6789, date 2024-01-0200",
    ),
    Pattern(
        "ssn",
        lazy(
            r"\b(?:ssn|social[ ]security(?:[ ](?:number|no))?)\b[\"'\s:=#.]{1,4}"
            r"(?!000|666|9\d\d)(\d{3}[ .]?(?!00)\d\d[ .]?(?!0000)\d{4})(?![\w-])",
            re.IGNORECASE,
        ),
        ("ssn", "social security"),
        example="SSN 536 22 1987 does not match",
        near_miss="SSN 536 is too short, social security 000 22 1987",
    ),
)  # fmt: skip

# --- cards ---------------------------------------------------------------------------------------

_CARDLIKE: Final = lazy(
    r"(?:(?<![\w.-])|(?<=%B)|(?<=card_)|(?<=pan_)|(?<=cc_))\d(?:[ .-]?\d){11,30}(?![A-Za-z0-9]|_\d|\.\d)",
    re.ASCII,
)
_CARD_LENGTHS: Final = (16, 15, 19, 14)
_SPOKEN_OF: Final = lazy(
    r"(?<![a-z])(?:(?:credit|debit|bank|kredit|giro)?(?:card|karte)s?|carte|tarjeta|cart[ãa]o|carta"
    r"|maestro|union ?pay|mastercard|visa|pan)(?![a-z])|карт|卡|カード|카드|银联|銀聯|บัตร",
    re.IGNORECASE,
)
_OTHER_LENGTHS: Final = (18, 17, 13, 12)
_OTHER_ISSUERS: Final = lazy(r"(?:5[0678]|6\d)\d{10,17}|4\d{12}")
"""Of debit cards; orders and parcels have such numbers, too: only beside a word for a card."""
_MOST_GROUPS: Final = 8
_ISSUERS: Final = lazy(
    r"4(?:\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|6(?:011|5\d\d|4[4-9]\d)\d{12}(?:\d{3})?"
    r"|35(?:2[89]|[3-8]\d)\d{12}|3(?:0[0-5]|[689]\d)\d{11}|62\d{14}(?:\d{3})?|(?:5[0678]|6[37])\d{14}|220[0-4]\d{12}"
)


def luhn(digits: str) -> bool:
    """Whether the check digit of a card number is right."""
    doubled = digits[-2::-2].translate(_DOUBLED)
    return (sum(map(int, digits[-1::-2])) + sum(map(int, doubled))) % 10 == 0


_DOUBLED: Final = str.maketrans("0123456789", "0246813579")
"""Twice a digit, the digits of which are added."""


def _cards(text: str) -> Iterator[Span]:
    """Card numbers, also where other digits stand beside them: `4111 1111 1111 1111 12/26`."""
    for run in _CARDLIKE.finditer(text):
        at = [i for i, char in enumerate(run[0], run.start()) if char.isdigit()]
        digits = "".join([text[i] for i in at])
        gaps = [n for n in range(1, len(at)) if at[n] - at[n - 1] > 1]
        lasts = {*gaps, len(at)}
        is_said = _SPOKEN_OF.search(text, max(0, run.start() - 40), run.end() + 24)
        lengths = (*_CARD_LENGTHS, *_OTHER_LENGTHS) if is_said else _CARD_LENGTHS
        for first in (0, *gaps)[:_MOST_GROUPS]:
            for last in (first + n for n in lengths if first + n in lasts):
                number = digits[first:last]
                is_issued = _ISSUERS.fullmatch(number) or (is_said and _OTHER_ISSUERS.fullmatch(number))
                if number[0] in "23456" and is_issued and luhn(number):
                    yield Span(at[first], at[last - 1] + 1, "card")


# --- bank accounts -------------------------------------------------------------------------------

_IBANLIKE: Final = lazy(r"[0-9](?<=(?<![A-Za-z0-9])[A-Za-z]{2}[0-9])\d(?=[ -]?[A-Za-z0-9]{4})")
"""From the third of its letters on: digits are rarer than letters."""
_IBAN_COUNTRIES: Final = {
    15: "NO",
    16: "BE",
    18: "DK FI FO GL NL SD",
    19: "MK SI",
    20: "AT BA EE KZ LT LU MN XK",
    21: "CH HR LI LV",
    22: "BG BH CR DE GB GE IE ME RS VA",
    23: "AE GI IL IQ OM SO TL",
    24: "AD CZ ES MD PK RO SA SE SK TN VG",
    25: "LY PT ST",
    26: "IS TR",
    27: "BI DJ FR GR IT MC MR SM",
    28: "AL AZ BY CY DO GT HU LB NI PL SV",
    29: "BR EG PS QA UA",
    30: "JO KW MU YE",
    31: "MT SC",
    32: "LC",
    33: "RU",
}
"""Countries by the length of their account numbers."""
_IBAN_LENGTHS: Final = {name: length for length, names in _IBAN_COUNTRIES.items() for name in names.split()}


def _ibans(text: str) -> Iterator[Span]:
    for match in _IBANLIKE.finditer(text):
        start = match.start() - 2
        length = _IBAN_LENGTHS.get(text[start : start + 2].upper(), 0)
        at = [i for i in range(start, min(len(text), start + 50)) if text[i] not in " -"][:length]
        iban = "".join(text[i] for i in at)
        if length and len(iban) == length and iban.isascii() and iban.isalnum() and _checks_out(iban):
            yield Span(start, at[-1] + 1, "iban")


def _checks_out(iban: str) -> bool:
    return int("".join(str(int(c, 36)) for c in iban[4:] + iban[:4])) % 97 == 1


# -------------------------------------------------------------------------------------------------

_mail: Final[Finder] = table((MAIL,))
_plain_mail: Final[Finder] = table((replace(MAIL, regex=lazy(_MAIL)), CUT_MAIL))
_numbers: Final[Finder] = table(NUMBERS)


def _has_escaped_sign(text: str) -> bool:
    return (
        ("%" in text and "%40" in text)
        or ("&" in text and "&#64;" in text)
        or ("\\" in text and "\\u0040" in text)
    )


_LATIN_MAIL: Final = lazy(
    rf"[^{UNSPACED}-\uffef@]+@[^{UNSPACED}-\uffef@]+\.[A-Za-z]{{2,24}}(?=[{UNSPACED}-\uffef]|\Z)"
)
"""An address in our letters, between words of a script that puts no space between theirs and ours."""


def _without_neighbours(text: str, span: Span) -> Span:
    """Without the words that are glued to it: `邮箱bob@example.com已存在`."""
    latin = _LATIN_MAIL.search(text, span.start, span.end)
    return span._replace(start=latin.start(), end=latin.end()) if latin else span


_IN_LOGIN: Final = lazy(r"://[^\s/:@]{0,80}:\Z")
"""Before the password of a URL, behind whose `@` is a host: `https://user:pass@example.com`."""


def find(view: View) -> list[Span]:
    """What belongs to a person."""
    text = view.text
    found = list(_mail(view)) if _has_escaped_sign(text) else list(_plain_mail(view)) if "@" in text else []
    if found and "://" in text:
        found = [span for span in found if not _IN_LOGIN.search(text, max(0, span.start - 90), span.start)]
    if found and not text.isascii():
        found = [_without_neighbours(text, span) for span in found]
    if view.has_number:
        found += _numbers(view)
        if view.digits >= 10:
            found += _ibans(text)
        if view.digits >= 12:
            found += _cards(text)
    return found
