"""Text in, what a test or an agent typed into the field of a secret out.

`get_by_label("Password").fill("x")`, `type(element="password field", text="x")`, `typed "x" into #password`
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.finders import assignments
from mcp_error_middleware.sanitize.judgement import is_password_like
from mcp_error_middleware.sanitize.keys import sensitivity
from mcp_error_middleware.sanitize.spans import Span, View
from mcp_error_middleware.sanitize.words import PROSE, is_coined, is_field, is_harmless

_SPOKEN: Final = ("type", "typing", "fill", "keys", "text", "value", "val(", ".set(", "sequential")
"""One of them is in every text that types something, in lower case."""
_TYPE: Final = (
    r"(?i:(?:browser_|keyboard_|press_?)?(?:type|fill)(?:_?in|_?text|_?form|_?sequentially)?|press_?sequentially"
    r"|send_?keys|(?:set|enter|input|insert)_?(?:text|value|keys)|(?:to_?)?have_?value|typed|typing|entered)"
)
_NAME: Final = lazy(
    r"(?<![\w-])[\w-]{0,30}?(?:pass|pwd|secret|token|key|otp|cvv|cvc)[\w-]{0,30}", re.IGNORECASE
)
_OWN: Final = lazy(r"(?<=[a-z])[_-]?(?:Field|Input|Box|Element|field|input|box)\Z")
"""What a variable for a field is called beside: `passwordField`."""
_REST: Final = r"[^()\n;,]{0,40}\){1,3}"
"""The rest of what says which field it is."""
_QUOTED: Final = r"[\"'`](?P<said>[^\"'`\\\n]{4,120})\\{0,4}[\"'`]"
_CHAINED: Final = lazy(
    rf"(?:{_REST}(?:\.\w{{1,24}}\([^()\n]{{0,80}}\)){{0,3}})?\.(?:perform\()?(?:{_TYPE}|val|set)\(\s{{0,8}}{_QUOTED}"
)
"""`get("[name=password]").clear().type("x"`"""
_BESIDE: Final = lazy(rf"[^()\n;,]{{0,30}}\){{0,3}},[ ]{{0,2}}(?:\w{{1,12}}(?:[ ]?=|:)[ ]?)?{_QUOTED}")
"""`type("#password", "x"`, `fill_in "Password", with: "x"`"""
_BEGUN: Final = lazy(rf"(?<![A-Za-z]){_TYPE}[( ][^;\n]{{0,60}}\Z")
_MARK: Final = r"\\{0,4}[\"']"
_MEMBER: Final = lazy(
    rf"(?:[ ][a-z]{{2,12}})?{_MARK}\s{{0,4}},\s{{0,4}}"
    rf"(?:{_MARK}\w{{1,20}}{_MARK}:\s?{_MARK}[^\"'\n]{{0,60}}[\"'],\s?)?"
    rf"{_MARK}(?:text|value|keys){_MARK}\s{{0,2}}:\s{{0,2}}\\{{0,4}}{_QUOTED}"
)
"""`"element": "Password field", "text": "x"`"""
_FIELD: Final = lazy(
    r"[\"'](?:element|selector|locator|target|field|label|placeholder)\\{0,4}[\"']\s{0,2}:\s{0,2}\\{0,4}"
    r"[\"'][^\"'\n]{0,60}\Z"
)
_INTO: Final = lazy(
    rf"(?<![A-Za-z]){_TYPE}[( ]{_QUOTED}\)?[ ](?:in|into|on)[ ](?:(?:the|a|input|field|element)[ ]){{0,2}}"
    r"[#.\[(\"']{0,4}(?:name=|id=)?[\"']?(?P<name>[\w-]{2,60})"
)
"""`typed "x" into the password field`"""


def find(view: View) -> list[Span]:
    """What was typed into the fields of secrets."""
    text = view.text
    if not (assignments.has_stem(view.lower) and ('"' in text or "'" in text)):
        return []
    return list(_typed(text)) if any(word in view.lower for word in _SPOKEN) else []


def _typed(text: str) -> Iterator[Span]:
    for name in _NAME.finditer(text):
        found = sensitivity(_OWN.sub("", name[0]))
        typed = _into(text, name) if found and found.firm else None
        if found and typed and _goes(typed["said"]):
            yield Span(*typed.span("said"), found.kind)
    for typed in _INTO.finditer(text):
        found = sensitivity(typed["name"])
        if found and found.firm and _goes(typed["said"]):
            yield Span(*typed.span("said"), found.kind)


def _into(text: str, name: re.Match[str]) -> re.Match[str] | None:
    """What was typed into the field with this name."""
    if chained := _CHAINED.match(text, name.end()):
        return chained
    before = max(0, name.start() - 100)
    if (beside := _BESIDE.match(text, name.end())) and _BEGUN.search(text, before, name.start()):
        return beside
    member = _MEMBER.match(text, name.end())
    is_value = member and _FIELD.search(text, before, name.start()) and _is_odd(member["said"])
    return member if is_value else None


def _is_odd(said: str) -> bool:
    """Whether it is no label of a field."""
    return " " not in said and (is_password_like(said) or is_coined(said))


def _goes(said: str) -> bool:
    is_key = said.startswith("{") and said.endswith("}")
    is_word = " " in said or said.lower() in PROSE or is_field(said)
    return not (is_key or is_word or is_harmless(said) or sensitivity(said))
