"""Text in, strings that no person wrote and no registry documents out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.spans import Span, View
from mcp_error_middleware.sanitize.words import wordiness

_RUN: Final = lazy(r"(?<![\w+/-])[\w+/-]{32,8000}+={0,2}(?![\w=])", re.ASCII)
_ENCODED_RUN: Final = lazy(r"(?<![\w+/-])(?:[\w+/-]|%(?:2[BFbf]|3[Dd])){32,8000}+={0,2}(?![\w=])", re.ASCII)
_DOTTED: Final = lazy(
    r"(?<![\w.-])(?=[\w.-]{32})[\w-]{5,400}(?:\.[\w-]{5,400}){1,4}(?![\w]|\.(?!\.))", re.ASCII
)
_HEX: Final = lazy(r"(?:0x)?(?:[0-9a-f]+|[0-9A-F]+)|0x[0-9a-fA-F]{40}")
PUBLIC: Final = lazy(
    r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?:[-_/]\w{1,20}){0,4}"  # UUID
    r"|[a-z]{2,12}_(?:test_|live_)?[A-Za-z0-9]{8,30}|cs_(?:test|live)_[A-Za-z0-9]{50,80}"  # objects: cus_…
    r"|(?:dpl|prj|team)_[A-Za-z0-9]{20,48}"
    r"|(?:file|chatcmpl|req|run|batch|gen|cmpl|asst|ft)-[A-Za-z0-9]{8,40}"
    r"|[A-Z]{2,8}(?:_[A-Z]{1,8}){0,2}_[A-Z0-9]{16,30}"
    r"|(?:PL|UU|OL|RD)[\w-]{32}"  # playlists
    r"|(?!SK)[A-Z]{2}[0-9a-f]{32}"  # a call or a message of Twilio; SK is a key
    r"|baf[a-z2-7]{50,110}|(?:Qm|12D3KooW)[1-9A-HJ-NP-Za-km-z]{44}|k51[a-z0-9]{59}"  # IPFS
    r"|(?:bc1|tb1|ltc1|age1|cosmos1|addr1)[02-9ac-hj-np-z]{38,100}"  # Bech32
    r"|sha(?:1|256|384|512)-[A-Za-z0-9+/]{27,90}={0,2}"  # integrity of a package
)
"""Identifiers that are no secret, however random."""
_BOARD: Final = lazy(r"[1-8pnbrqkPNBRQK]{1,8}(?:/[1-8pnbrqkPNBRQK]{1,8}){7}")
"""The squares of a chess board."""
_DRIVE_ID: Final = lazy(r"1[\w-]{32}|1[\w-]{43}|0[AB][\w-]{26,32}")
_SPOKEN_OF: Final = lazy(
    r"(?:files?|folders?|docs?|documents?|sheets?|spreadsheets?|presentations?|drives?|\bd|ids?)\b",
    re.IGNORECASE,
)
"""What is said of the files of a drive."""
_PUBLISHED: Final = lazy(
    r"(?:SHA(?:256|512):|(?<![A-Za-z0-9])"
    r"(?:h1:|(?i:version(?:[ _-]?id)?|e-?tag|checksum|revision)[\"']?[ :=]{1,3}[\"']?))\Z"
)
"""What a fingerprint, a sum or the version of an object is written behind."""
_HEX_PIECE: Final = lazy(r"(?<![A-Za-z0-9])(?:[0-9a-f]{7,}|[0-9A-F]{7,})(?![A-Za-z0-9])")
_HEX_PAIR: Final = lazy(r"(?<![\w:./@-])[0-9a-f]{32}:[0-9a-f]{32}(?![\w:-])")
"""The two halves of a login that were given out together."""
_LONG: Final = b"x" * 32
_AWS_SECRET: Final = 40
"""The length of a secret key that may have slashes in it, as a path has."""
_SEPARATORS: Final = lazy(r"[-_/+=]+")
_FOLDER: Final = lazy(r"[a-z]{4,40}/")


def find(view: View) -> list[Span]:
    """Long strings of mixed characters."""
    if _LONG not in view.runs:
        return []
    is_encoded = "%" in view.text
    runs = (_ENCODED_RUN if is_encoded else _RUN).finditer(view.text)
    found = [span for match in runs for span in _random_parts(view.text, match)]
    if is_encoded:
        found = [_without_escape(view.text, span) for span in found]
    found += [Span(*match.span(), "token") for match in _HEX_PAIR.finditer(view.text)]
    if "." in view.text:
        found += [Span(*m.span(), "token") for m in _DOTTED.finditer(view.text) if _is_mixed(m[0])]
    return found


_ESCAPE: Final = lazy(r"(?:(?<=%)[0-9A-F]{2})?(?:[A-Za-z_]{1,40}%3[dD](?!\Z))?")


def _without_escape(text: str, span: Span) -> Span:
    """Without half an escape, or the name of a parameter, that it begins with: `%22x`, `token%3Dx`."""
    escape = _ESCAPE.match(text, span.start, span.end)
    return span._replace(start=escape.end()) if escape and escape.end() < span.end else span


def _is_mixed(run: str) -> bool:
    """Names with dots (hosts, packages, files) have words, or no capitals, or no digits."""
    return (
        all(any(map(test, run)) for test in (str.islower, str.isupper, str.isdigit)) and wordiness(run) < 0.4
    )


def _random_parts(text: str, run: re.Match[str]) -> Iterator[Span]:
    """The run, or the parts of it where it is the path of a URL."""
    at, parts = run.start(), [run[0]]
    is_path = text[at - 1 : at] == "." or run[0].startswith("/") or _FOLDER.match(run[0])
    if "/" in run[0] and is_path and _is_path(run[0]):
        parts = run[0].split("/")
    for part in parts:
        is_public = _is_file(text, at, part) or _PUBLISHED.search(text, max(0, at - 20), at)
        if len(part) >= 32 and not is_public and is_random(part):
            yield Span(at, at + len(part), "token")
        at += len(part) + 1


def _is_path(run: str) -> bool:
    return len(run) != _AWS_SECRET or any(
        len(part) > 2 and part.isalpha() and part.islower() for part in run.split("/")
    )


def _is_file(text: str, at: int, run: str) -> bool:
    return bool(_DRIVE_ID.fullmatch(run) and _SPOKEN_OF.search(text, max(0, at - 40), at))


def is_random(run: str) -> bool:
    """Whether a run of token characters is neither words nor a well-known identifier."""
    if _HEX.fullmatch(run) or PUBLIC.fullmatch(run) or _BOARD.fullmatch(run):
        return False
    rest = _HEX_PIECE.sub("", run)
    pieces = [piece for piece in _SEPARATORS.split(rest) if piece]
    if len(rest) < 24 or (len(pieces) >= 4 and all(map(_is_short_name, pieces))):
        return False
    lower, upper, digits = (any(map(test, rest)) for test in (str.islower, str.isupper, str.isdigit))
    if not digits:
        return lower and upper and wordiness(rest) < 0.5
    return (lower or upper) and wordiness(rest) < 0.55


def _is_short_name(piece: str) -> bool:
    """A part of a composed name: `AES256` and `GCM` of a cipher suite, `x2x9z` of a pod."""
    return len(piece) <= 10 and piece in (piece.lower(), piece.upper(), piece.capitalize())
