"""Text in, file paths out; paths of the web, of JSON and relative ones stay.

The directories go. A plain file name stays: it is what the reader needs.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.notation import UNSPACED
from mcp_error_middleware.sanitize.spans import Span, View

_CERTAIN: Final = "home|etc|var|usr|opt|srv|tmp|root|proc"
_ROOTS: Final = (
    f"{_CERTAIN}|Users|mnt|private|sys|boot|lib64|sbin|Library|Applications|Volumes|System|nix|snap|workspaces?"
    "|[a-z]/(?:Users|home|ProgramData)|github/workspace|cygdrive|rustc|vercel|databricks|dbfs|bitnami|export/home|scratch|nfs|sdcard|u\\d\\d"
)
_WEB_ROOTS: Final = lazy(
    r"(?:api|v\d{1,3}|rest|graphql|rpc|oauth2?|auth|webhooks?|hooks|health|public|static|assets|docs?|images?|img|css|js"
    r"|fonts|\.well-known|items|properties|definitions|paths|components|spec|schemas?|favicon)$",
    re.IGNORECASE,
)


def own_roots(places: Iterable[str]) -> set[str]:
    """The first parts of these paths that no path of the web begins with."""
    roots = {place.split("/")[1] for place in places if place.startswith("/")}
    return {root for root in roots if root and not _WEB_ROOTS.match(root)}


def _own_places() -> Iterator[str]:
    """Where this process runs, whose it is and what it is made of."""
    yield from (sys.prefix, __file__)
    for place in (Path.home, Path.cwd):
        with suppress(OSError, RuntimeError):  # there may be none
            yield str(place())


_SHARED_ROOTS: Final = "|".join(
    (
        "data|app|run|dev|media|code|builds?|lib|bin|go|src|www|config|secrets|certs|backups?|logs?|storage",
        *map(re.escape, sorted(own_roots(_own_places()))),
    )
)
"""First parts that a path of the web may have as well, and those of this machine."""
_EXTENSIONS: Final = (
    "py|pyc|pyi|ipynb|js|mjs|cjs|ts|tsx|jsx|java|kt|scala|go|rb|php|rs|cs|c|h|cc|cpp|hpp|so|dll|dylib|exe|json|jsonl"
    "|yaml|yml|toml|ini|cfg|conf|env|log|txt|csv|tsv|xml|sql|db|sqlite|sqlite3|pem|key|crt|cer|p12|pfx|jks|sh|bash|tar"
    "|gz|tgz|zip|bak|lock|pid|sock|pdf|docx?|xlsx?|parquet|avro|whl|jar|war|ex|exs|erl|lua|pl|swift|vue|md|html?|png"
    "|jpe?g|gif|svg|pkl|pt|bin"
)
_PART: Final = r"[^\s/\"'`<>|:;,()\[\]{}*?\\&=#…]{1,120}+"
# What stands before a slash is asked behind it: to look for a slash is quick, to look everywhere is not.
_FREE: Final = r"\w/.\])}~$%*-"

_KNOWN: Final = lazy(
    rf"/(?:(?<![{_FREE}]/)|(?<![\w-]-[IL]/)(?<=-[IL]/)|(?<=[{UNSPACED}-\uffef]/)(?=(?:{_CERTAIN}|Users|mnt)/)"
    rf"|(?<=(?<!\*)\*\*/)(?=(?:{_CERTAIN}|Users|mnt)/[^\s*]{{1,300}}(?<!/)\*\*))"
    rf"(?P<root>{_ROOTS}|{_SHARED_ROOTS})(?=/)(?:/{_PART}){{1,40}}+/?"
)
_RELATIVE: Final = lazy(
    rf"//(?<![\w:/.]//)(?=[a-z-]{{1,20}}[\d-])[a-z][\w-]{{3,62}}(?:/{_PART}){{1,40}}+/?|"
    rf"(?<![{_FREE}])(?:\.\./){{1,20}}(?P<root>{_ROOTS}|{_SHARED_ROOTS})(?=/)(?:/{_PART}){{1,40}}+/?"
    rf"|(?<![\w/])(?:~\w{{0,32}}|\$HOME|\$\{{HOME\}}|\$PWD)(?:/{_PART}){{1,40}}+/?"
)
_DEEP: Final = lazy(
    rf"/(?<![{_FREE}:]/)(?P<root>[A-Za-z0-9_.-]{{1,60}})(?:/{_PART}){{0,40}}"
    rf"/[\w@%+ -]{{0,80}}\.(?:{_EXTENSIONS})(?![\w/])"
)
_ANY: Final = lazy(rf"/(?<![{_FREE}:]/)(?P<root>[A-Za-z0-9_.-]{{1,60}})(?:/{_PART}){{1,40}}+/?")
_HOME: Final = lazy(
    r"(?<![A-Za-z0-9])(?:[A-Z][A-Z0-9]{0,30}_)?(?:HOME|DIR|WORKDIR|CWD)(?:=[\"']?|[\"']:[ ]?[\"'])"
    r"(?P<path>/\w[\w.-]{1,60})(?![\w/])"
)
"""Of the environment, and a place right below the root: `HOME=/root`."""
_MOUNTED: Final = lazy(
    rf"/(?:(?<=\[redacted:ip\]:/)|(?<=\[redacted:host\]:/))(?P<root>[A-Za-z0-9_.-]{{1,60}})(?:/{_PART}){{1,40}}+/?"
)
"""On a machine that is named before it: `[redacted:host]:/exports/x`."""
_FILE_ERRORS: Final = (
    "no such file", "not a directory", "is a directory", "[errno ", "enoent", "eacces", "eisdir",
    "read-only file", "no space left", ": permission denied", "mkdir", "cwd",
)  # fmt: skip
"""What is said of paths of files alone."""
_QUOTED: Final = lazy(rf"/(?<=[\"'`]/)(?P<root>{_PART})(?:/[^/\"'`\n]{{1,120}}){{1,40}}(?=[\"'`])")
_FILED: Final = lazy(
    rf"/(?:{_ROOTS}|{_SHARED_ROOTS})/"
    r"|.*/(?:node_modules|site-packages|dist-packages|__pycache__|\.[a-z][\w-]{1,30}|venv|virtualenvs|WEB-INF)/"
)
_SPACED: Final = lazy(
    rf"[ ](?!and/or\b|or/and\b|/)[\w.()-]{{1,40}}(?:[ ][\w.()-]{{1,40}})?(?:/{_PART}){{1,40}}+"
)
"""How a path goes on behind a space: `/Users/John Smith/x`."""
_NEXT_PATH: Final = (
    r"(?:(?<=\.\w\w)|(?<=\.\w{3})|(?<=\.\w{4})"
    r"|[ ](?:to|and|or|into|onto|from|as|with|over|by|->|=>|→)(?:[ ]\w{1,20})?)"
    r"[ ](?:[A-Za-z]:[\\/]|\\|/[\w.-]{1,60}/)"
)
"""The beginning of another path, behind the name of a file or a word between the two."""
_WINDOWS_PART: Final = rf"(?:(?!{_NEXT_PATH})[^\\/:*?\"'<>|\r\n\t,;]){{1,120}}"
_WINDOWS: Final = lazy(
    r"(?<![A-Za-z0-9])[A-Za-z]:(?:\\{1,4}|/(?=[\w.$ -]{1,60}/|Users|Windows|Program))"
    rf"(?:{_WINDOWS_PART}(?:\\{{1,4}}(?![rn]\b)|/))*+[^\\/:*?\"<>|\s,;)\]}}']{{0,120}}"
    r"|(?<![\w\\.])\\{2,4}(?!u[0-9a-fA-F]{4})(?:[A-Za-z0-9][\w.$-]{1,62}|\?|\.)\\{1,2}"
    rf"(?:(?!{_NEXT_PATH})[\w$. -]){{2,80}}"
    rf"(?:\\{{1,2}}(?:{_WINDOWS_PART}(?=\\)|[^\\/:*?\"'<>|\s,;)\]}}]{{1,120}}))*+"
    r"|%(?:USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMDATA|TEMP|TMP|HOMEPATH|SYSTEMROOT|WINDIR)%"
    r"(?:[\\/]{1,2}[^\\/:*?\"'<>|\s,;)]{1,120})*+"
)
_FILE_URL: Final = lazy(
    r"\bfile:(?://|\\/\\/)(?!/?\{\w{1,40}\}(?![\w/]))[^\s\"'<>`)\]},;]{1,1000}"
    r"|/(?<=[a-z]:///)(?:home|users|root)(?=/)(?:/[^\s\"'<>`)\]},;?/:]{1,120}){1,40}"
    r"|/(?<=[a-z]:///)(?<!sqlite:///)(?:etc|var|usr|opt|srv|tmp|proc)(?=/)(?:/[^\s\"'<>`)\]},;?/:]{1,120}){1,40}"
    r"|(?<=:///)/[^\s\"'<>`)\]},;?]{1,1000}|(?<=\bunix://)/[^\s\"'<>`)\]},;?]{1,1000}",
    re.IGNORECASE,
)
"""Also `sqlite:////srv/x.db` and `unix:///run/x.sock`; with one slash less it is a relative one."""

_REMOTE: Final = lazy(
    r"://(?<!http://)(?<!https://)(?<!ws://)(?<!wss://)(?<!s3://)(?<!gs://)(?P<shell>(?<=ssh://)|(?<=ftp://)|(?<=ync://)"
    r"|(?<=scp://)|(?<=smb://)|(?<=nfs://))?[^\s/\"'`<>]{1,120}"
    rf"(?P<path>/(?:home|Users)(?:/{_PART}){{3,40}}+|(?(shell)/(?:{_CERTAIN})(?:/{_PART}){{1,40}}+|(?!)))"
)
"""What an editor or a shell opens: `vscode-remote://wsl+Ubuntu/home/bob/x`."""

_SPOKEN_OF: Final = lazy(
    r"(?:\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|CONNECT|TRACE)"
    r"|(?i:\b(?:endpoint|route|router|url|uri|pointer|request|href|redirect)))"
    r"(?:[ ](?:to|for|at|is))?[\s:=]{0,2}[\"'`(]{0,2}$|\]\($"
)
"""What makes the path behind it one of the web."""
_WEB_TAIL: Final = lazy(r"\{|\?\w")
_NO_PLACE: Final = lazy(
    r"/dev/(?:null|zero|u?random|tty|std(?:in|out|err)|fd/\d)$"
    r"|/data/(?:attributes|relationships|\d+)(?:/|$)"  # JSON:API
    r"|/Users/[0-9a-f-]{4,40}$"  # SCIM
)
_BASE_NAME: Final = lazy(
    rf"[/\\][A-Za-z][\w-]{{0,60}}(?:\.[A-Za-z0-9_-]{{1,20}})?\.(?:{_EXTENSIONS})$", re.IGNORECASE
)
_TELLING: Final = lazy(
    r"secret|passw|cred|token|private|shadow|\.env|id_[rd]sa|id_ed|\.sock$|\.pem$|\.key$|\.p12$|\.pfx$|\.jks$|\.crt$|\.cer$"
    r"|service.?account|kube|htpasswd|wp-config",
    re.IGNORECASE,
)
"""File names that say where the secrets are."""


def find(view: View) -> list[Span]:
    """Directories that tell where a system lives."""
    text = view.text
    is_unix, is_windows = b"/" in view.marks, "\\" in text or "%" in text
    if not (is_unix or is_windows):
        return []
    found = list(_unix(text)) if is_unix else []
    is_absolute = is_unix and ("'/" in text or " /" in text or '"/' in text or text[0] == "/")
    if is_absolute and any(error in view.lower for error in _FILE_ERRORS):
        found += _of_files(text)
    if is_windows or (b":/" in view.marks and ":/" in text):
        found += (_directories(text, *m.span()) for m in _WINDOWS.finditer(text) if len(m[0]) > 4)
    if is_unix and (":///" in text or "file:" in view.lower):
        found += (_directories(text, *m.span()) for m in _FILE_URL.finditer(text))
    return found


def _unix(text: str) -> Iterator[Span]:
    has_relative = "../" in text or "~" in text or "$" in text or "//" in text
    for match in chain(_KNOWN.finditer(text), _RELATIVE.finditer(text) if has_relative else ()):
        end = _with_spaces(text, match.end())
        if not (_NO_PLACE.match(text[match.start() : end]) or _is_web(text, match)):
            yield _directories(text, match.start(), end)
    if "HOME" in text or "DIR" in text or "CWD" in text:
        yield from (Span(*match.span("path"), "path") for match in _HOME.finditer(text))
    if "://" in text:
        yield from (_directories(text, *match.span("path")) for match in _REMOTE.finditer(text))
    if "]:/" in text:
        yield from (_directories(text, *match.span()) for match in _MOUNTED.finditer(text))
    for match in _DEEP.finditer(text):
        if not (_WEB_ROOTS.match(match["root"]) or _is_web(text, match)):
            yield _directories(text, *match.span())
    for match in _QUOTED.finditer(text):
        if _FILED.match(match[0]) and not (_NO_PLACE.match(match[0]) or _is_web(text, match)):
            yield _directories(text, *match.span())


def _of_files(text: str) -> Iterator[Span]:
    """Paths in a text about files, wherever they begin."""
    for match in _ANY.finditer(text):
        if not (_WEB_ROOTS.match(match["root"]) or _NO_PLACE.match(match[0]) or _is_web(text, match)):
            yield _directories(text, *match.span())


def _with_spaces(text: str, end: int) -> int:
    more = _SPACED.match(text, end)
    return more.end() if more else end


def _is_web(text: str, match: re.Match[str]) -> bool:
    if match["root"] is None or match["root"] in _CERTAIN.split("|"):
        return False
    is_spoken_of = _SPOKEN_OF.search(text, max(0, match.start() - 28), match.start())
    return bool(is_spoken_of or _WEB_TAIL.match(text, match.end()))


_GLUED: Final = lazy(
    r"[。、](?=[^/\\]*\Z)"
    rf"|(?<=[A-Za-z0-9])(?=[{UNSPACED}-\uffef]{{1,40}}\Z)(?:(?<=\.\w)|(?<=\.\w\w)|(?<=\.\w{{3}})|(?<=\.\w{{4}}))"
)
"""Where the sentence goes on in a script that puts no space between its words and ours."""
_CORNERS: Final = {"」": "「", "』": "『", "》": "《", "】": "【", "〉": "〈", "”": "“", "’": "‘", "»": "«"}


def _in_sentence(text: str, start: int, end: int) -> int:
    """Where a path ends among words that have no space between them: `「/etc/x」がありません`."""
    for at in range(start, end):
        if (opener := _CORNERS.get(text[at])) and opener not in text[start:at]:
            end = at
            break
    glued = _GLUED.search(text, start + 1, end)
    return glued.start() if glued else end


def _directories(text: str, start: int, end: int) -> Span:
    if not text.isascii():
        end = _in_sentence(text, start, end)
    while end > start + 1 and text[end - 1] in ".,!)":
        end -= 1
    name = _BASE_NAME.search(text, max(start, end - 100), end)
    if name and name.start() > start and not _TELLING.search(name[0]):
        end = name.start()
    return Span(start, end, "path")
