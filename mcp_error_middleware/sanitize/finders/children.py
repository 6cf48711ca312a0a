"""Text in, what is kept below the name for several secrets out: of YAML, of an INI or TOML file, of JSON.

What is kept there has a name of its own that tells nothing: `root: x` below `passwords:`, `db = "x"` below
`[secrets]`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.finders import assignments
from mcp_error_middleware.sanitize.finders.entropy import PUBLIC
from mcp_error_middleware.sanitize.keys import Sensitive, sensitivity, words_of
from mcp_error_middleware.sanitize.spans import Span, View
from mcp_error_middleware.sanitize.words import is_field, is_harmless, looks_chosen

MANIFEST: Final = "stringdata"
"""Where a secret of Kubernetes has its values, in lower case."""

_PARENT: Final = lazy(
    r"(?P<indent>[ \t]{0,40})(?:-[ ])?[\"']?(?P<name>[A-Za-z][\w.-]{3,60})[\"']?:[ \t]*(?:#.*)?"
)
_SECTION: Final = lazy(r"[ \t]{0,8}\[{1,2}[ ]?\"?(?P<name>[A-Za-z][\w.-]{3,60})[^\[\]\n]{0,40}\]{1,2}[ \t]*")
_CHILD: Final = lazy(
    r"[ \t]*(?P<item>-[ \t]+)?(?:[\"']?(?P<key>[\w./@-]{1,60})[\"']?[ ]{0,8}[:=][ \t]{1,8})?"
    r"(?P<quote>[\"']?)(?P<value>[^\s\"'{}\[\]|>&*!#][^\s\"']{2,300})(?P=quote)[ \t]*(?:#.*)?"
)
_DESCRIBED: Final = frozenset(
    """
    address algorithm arn at audience author backend chart class commit count created date description digest
    domain duration email engine env environment expires expiry field file filename fingerprint folder format
    from group hash host id image index issuer kind label length level limit location max min mode mount name
    namespace owner path permissions policy port prefix project provider ref region registry release repo
    repository required role rotation schedule scope sha source status store tag target template time ttl type
    uid updated url user username version
    """.split()
)
"""Words for what a secret has beside its value, or is kept in."""
_HOLDING: Final = frozenset("value val plaintext plain content".split())
_SLUG: Final = lazy(r"[a-z0-9.-]+")
"""How a store calls the secrets in it."""
_DATE: Final = lazy(r"\d{4}-\d\d-\d\d(?![\w-])|\d{4}-\d\d-\d\dT")
_MANY: Final = 400
"""Lines of a list that are looked at."""


class _Parent(NamedTuple):
    sensitive: Sensitive
    indent: int


def find(view: View) -> list[Span]:
    """The values below the names for several secrets."""
    if not (assignments.has_stem(view.lower) or MANIFEST in view.lower):
        return []
    found = list(_below(view.text)) if "\n" in view.text else []
    return [*found, *_within(view.text)] if "tokens" in view.lower else found


def _below(text: str) -> Iterator[Span]:
    parent: _Parent | None = None
    at = 0
    for line in text.split("\n", _MANY)[:_MANY]:
        parent = _opened(line) or (parent if parent and _is_below(line, parent) else None)
        child = _CHILD.fullmatch(line.rstrip("\r")) if parent else None
        if parent and child and _goes(child["key"], child["value"], parent.sensitive):
            yield Span(at + child.start("value"), at + child.end("value"), parent.sensitive.kind)
        at += len(line) + 1


def _opened(line: str) -> _Parent | None:
    """The name for several secrets, if the line has nothing else."""
    if line.lstrip().startswith("[") and (section := _SECTION.fullmatch(line)):
        found = next(filter(None, map(_several, section["name"].split("."))), None)
        return _Parent(found, -1) if found else None
    match = _PARENT.fullmatch(line.rstrip("\r")) if line.rstrip().endswith(":") or "#" in line else None
    found = _several(match["name"]) if match else None
    return _Parent(found, len(match["indent"])) if match and found else None


def _several(name: str) -> Sensitive | None:
    if name.lower() == MANIFEST:
        return Sensitive("secret")
    *_, last = words_of(name) or ("",)
    found = sensitivity(name) if last.endswith("s") else None
    return found if found and found.kind != "cookie" and (found.firm or found.kind == "token") else None


def _is_below(line: str, parent: _Parent) -> bool:
    said = line.lstrip()
    if not said or said.startswith("#"):
        return True
    if parent.indent < 0:
        return not said.startswith("[")
    indent = len(line) - len(said)
    return indent > parent.indent or (indent == parent.indent and said.startswith("- "))


def _goes(key: str | None, said: str, parent: Sensitive) -> bool:
    said = said.rstrip(",;")
    last = words_of(key)[-1:] if key else ()
    if (
        is_harmless(said)
        or is_field(said)
        or (last and last[0] in _DESCRIBED)
        or not any(map(str.isalpha, said))
    ):
        return False
    if _DATE.match(said) or "://" in said or said.startswith(("/", "./", "~")) or PUBLIC.fullmatch(said):
        return False
    if last and last[0] in _HOLDING:
        return parent.firm
    is_name = parent.kind != "password" and bool(_SLUG.fullmatch(said)) and "-" in said
    return not is_name and looks_chosen(said)


_TOKENS: Final = lazy(r"[Tt]okens[\"']?\s{0,4}[:=]?\s{0,4}[\[{](?P<inside>[^\[\]{}]{1,4000})[\]}]")
_DIGEST: Final = lazy(
    r"(?:[\"'](?P<key>[\w.-]{1,60})[\"']\s{0,4}:\s{0,4})?[\"'](?P<value>[0-9a-fA-F]{32,128})[\"']"
)


def _within(text: str) -> Iterator[Span]:
    """The same in a list or an object; what looks like a secret there is found without, but for digests."""
    for several in _TOKENS.finditer(text):
        for match in _DIGEST.finditer(text, *several.span("inside")):
            last = words_of(match["key"])[-1:] if match["key"] else ()
            if not (last and last[0] in _DESCRIBED):
                yield Span(*match.span("value"), "token")
