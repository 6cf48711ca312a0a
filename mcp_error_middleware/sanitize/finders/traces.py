"""Text in, stack traces out: the frames go as one, the message stays."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.spans import Asked, Finder, Pattern, Span, View, table, words

_FRAMES: Final = {
    "Python": r"""
        (?:Exception[ ]Group[ ])?Traceback[ ]\(most[ ]recent[ ]call[ ]last\)
      | File[ ](?!\\{0,7}"[^"\\\n]{1,400}(?<!\.py)\\{0,7}",[ ]line[ ]\d{1,7}:[ ])
        \\{0,7}"[^"\n]{1,500}",[ ]line[ ]\d
      | File[ ][^\s"]{1,400}:\d{1,7},[ ]in[ ](?:<|[\w.]{1,100}\()
      | -{2,8}>[ ]\d{1,7}[ ] | Cell[ ]In\[\d{1,7}\],[ ]line[ ]\d
      | \[Previous[ ]line[ ]repeated | \+?-{8,40}[ ]\d{1,4}[ ]-{8,40} | \+-{8,40}""",
    "Java, .NET": r"""
        at[ ](?:[\w.$-]{1,200}/{1,2}){0,4}[\w.$<>\[\]`,+|]{1,400}\([^\n]{0,600}\)
      | \.\.\.[ ]\d+[ ](?:more\s*$|common[ ]frames)
      | ---[ ]End[ ]of[ ] | bei[ ][\w.]{1,200}\(""",
    "JavaScript": r"""
        at[ ][^\n()]{0,200}[ ]?\([^()\n]{0,500}[./\\:][^()\n]{0,500}:\d+(?::\d+)?\)
      | at[ ](?:async[ ])?[^\s()]{1,500}:\d+(?::\d+)?\s*$ | at[ ]<anonymous>\s*$ | at[ ]native\b
      | at[ ][^\n()]{1,200}[ ]\((?:<anonymous>|native|index[ ]\d{1,9})\)\s*$
      | at[ ][\w.$<>]{1,200}[ ]\[as[ ] | at[ ]async[ ]""",
    "Go": r"""
        goroutine[ ]\d+[ ]\[ | \S{1,400}\.go:\d+(?:[ ]\+0x[0-9a-f]+)?\s*$ | created[ ]by[ ]\S | \[signal[ ]SIG
      | exit[ ]status[ ]2\s*$
      | [\w./-]{3,200}\.(?:\(\*?\w{1,80}\)\.)?[\w.]{1,100}
        \([^\n()]{0,200}0x[0-9a-f]{1,16}[^\n()]{0,200}\)\s*$""",
    "Ruby": r"""
        (?:from[ ]|\d+:[ ]from[ ])?\S{1,400}:\d+:in[ ][`'"][^\n']{1,200}['"]\s*$
      | \S{1,400}\.(?:rb|erb|haml|slim|jbuilder|rake):\d+\s*$""",
    "Lua, R": r"""stack[ ]traceback:\s*$ | (?:\[C\]|\S{1,400}\.lua:\d+):[ ]in[ ] | Calls:[ ][^\n]{1,400}->""",
    "PHP, Dart, debuggers": r"""
        \#\d+[ ]{1,8}(?:\S{1,400}\(\d+\)|\{main\}|\[internal[ ]function\]|0x[0-9a-f]
          |[^\n(]{1,200}\([^\n)]{1,300}:\d+(?::\d+)?\))
      | Stack[ ]trace:\s*$ | thrown[ ]in[ ]\S{1,400}[ ]on[ ]line[ ]\d""",
    "Rust": r"""
        stack[ ]backtrace:\s*$
      | \d+:[ ]{1,8}(?:0x[0-9a-f]{1,16}[ ]-[ ])?[\w<>$&*,\ ]{1,200}::[\w<>$&*{}\#,:\ ]{1,400}
      | \d+:[ ]{1,8}(?:rust_\w+|main|_start|__\w+|clone3?)\s*$
      | at[ ]\S{1,400}\.rs:\d""",
    "Elixir": r"\([\w.]{1,100}[ ][\d.]{1,20}\)[ ]\S{1,400}\.exs?:\d",
    "native": r"\d{1,3}[ ]{1,8}\S{1,100}[ ]{1,40}0x[0-9a-f]{8,16}[ ]",
}
_FRAME: Final = lazy(rf"(?:[\s|+>]|\\[t|]){{0,80}}+(?:{'|'.join(_FRAMES.values())})", re.VERBOSE)
_PYTHON_PLACE: Final = lazy(
    r'(?:[\s|+>]|\\[t|]){0,80}(?:File (?:\\{0,7}"|[^\s"]{1,400}:\d{1,7}, in (?:<|[\w.]{1,100}\())|Cell In\[)'
)
_SOURCE: Final = lazy(
    r"(?!\s{0,80}\| \S)(?:[|\s]|\\[t|]){4,80}\S|\s{0,80}[~^]{1,400}\s*$|\s{0,80}\.{3}<\d+ lines>\.{3}\s*$"
)
_GO_CALL: Final = lazy(
    r"(?=\S{1,300}[.)])[\w./*()\[\]{}…-]{3,300}+(?<=[\w)])\s*$|[\w./*-]{3,300}\([^\n]{0,300}\)\s*$"
)
_GO_PLACE: Final = lazy(r"\s{1,8}\S{1,400}\.go:\d")
_NODE_PLACE: Final = lazy(r"(?:node:|file://|/|[A-Za-z]:\\)\S{1,400}:\d+\s*$")
_CARET: Final = lazy(r"\s{0,400}[~^]{1,400}\s*$")
_BREAK: Final = lazy(r"\n")
# Also where a string begins with a frame, and where one ends: by what follows in a list or an object.
_NEXT_STRING: Final = r"[\"'],\s{0,8}[\"'](?=\s{0,8}\S)"
_ANY_BREAK: Final = lazy(
    rf"\n|\\{{1,4}}n(?:{_NEXT_STRING})?|(?<!\\){_NEXT_STRING}"
    r"|(?<=[\"'])(?=[ ]{2}File |\#0 |[ ]{3,4}at )"
    r"|(?=(?<!\\)\"(?:[}\]]{1,9}(?:\s|$|,[ ]?[\"{\[])|,[ ]?\"[\w-]{1,40}\":))"
)
_ESCAPED: Final = lazy(
    r"\\n(?:\\{1,4}t|[ \t|]{0,40})(?:at |File |#\d|\S{1,200}\.go:|from |goroutine )"
    r"|, line \d{1,7}(?:, in [\w<>.]{1,100})?\\{1,4}n"
    r"|[\"']\s{0,8}(?:File \\{0,7}\"[^\"\n]{1,400}\", line \d|at [^\"'\n]{1,300}:\d{1,6}\)?[\"'])"
)


def _runs(text: str, end: re.Pattern[str]) -> Iterator[Span]:
    """Frames that follow each other, as one place."""
    lines = _lines(text, end)
    n = 0
    while n < len(lines):
        last = _last_frame(text, lines, n)
        if last >= n:
            start, stop = lines[n]
            line = text[start:stop]
            yield Span(start + len(line) - len(line.lstrip(" \t|+")), lines[last][1], "trace")
        n = max(last, n) + 1


def _lines(text: str, end: re.Pattern[str]) -> list[tuple[int, int]]:
    ends = [match.span() for match in end.finditer(text)]
    starts = [0, *(after for _, after in ends)]
    return list(zip(starts, [*(before for before, _ in ends), len(text)], strict=True))


def _last_frame(text: str, lines: list[tuple[int, int]], n: int) -> int:
    """The last line of the run of frames that starts at line n; n - 1 where none does."""
    first, last = n, n - 1
    while n < len(lines):
        line = text[slice(*lines[n])]
        after = text[slice(*lines[n + 1])] if n + 1 < len(lines) else ""
        if _FRAME.match(line):
            last = _after_source(text, lines, n) if _PYTHON_PLACE.match(line) else n
        elif _GO_PLACE.match(after) and _GO_CALL.match(line):
            last = n + 1
        elif _NODE_PLACE.match(line) and _CARET.match(text[slice(*lines[min(n + 2, len(lines) - 1)])]):
            last = n + 2
        elif last < first or line.strip() or not _FRAME.match(after):
            break
        n = max(last, n) + 1
    return last


def _after_source(text: str, lines: list[tuple[int, int]], n: int) -> int:
    """The last of the lines that show the code of a frame."""
    while n + 1 < len(lines):
        line = text[slice(*lines[n + 1])]
        if not _SOURCE.match(line) or _FRAME.match(line):
            break
        n += 1
    return n


_FIELD: Final = lazy(r"[{}]|[\"'](?P<name>[A-Za-z_]{1,24})\\{0,4}[\"'][ ]?:")
_LINES: Final = frozenset("line lineno linenumber".split())
_FILES: Final = frozenset("file filename abspath".split())
_CODE: Final = frozenset(
    "function func functionname method methodname class classname declaringclass declaringtype".split()
)


def is_frame(names: Iterable[str]) -> bool:
    """Whether fields of these names tell a place in code: the line, the file and what is written there."""
    plain = {name.lower().replace("_", "") for name in names}
    return not any(map(plain.isdisjoint, (_LINES, _FILES, _CODE)))


def _objects(text: str) -> Iterator[Span]:
    """Frames written as objects: `{"className": "Pay", "fileName": "Pay.java", "lineNumber": 9}`."""
    opened: list[tuple[int, list[str]]] = []
    for match in _FIELD.finditer(text):
        if match[0] == "{":
            opened.append((match.end(), []))
        elif opened and match[0] != "}":
            opened[-1][1].append(match["name"])
        elif opened:
            start, names = opened.pop()
            if is_frame(names):
                yield Span(start, match.start(), "trace")


def has_frame(lines: Iterable[str]) -> bool:
    """Whether one of the lines is a frame."""
    return any(map(_FRAME.match, lines))


PLACES: Final = (
    Pattern(
        "trace",
        lazy(
            r"<(?:frame|code object [\w<>.]{1,100}) at 0x[0-9a-fA-F]{1,16}, "
            r"file [\"'][^\"'\n]{1,400}[\"'], line \d{1,7}(?:, code [\w<>.]{1,100})?>"
            r"|<FrameSummary file [^\n>]{1,400}, line \d{1,7} in [\w<>.]{1,100}>?"
        ),
        (" at 0x", "<framesummary"),
        example="stuck in <frame at 0x7f2a, file '/srv/app/loop.py', line 44, code drain>",
        near_miss="a frame at 0x7f2a in the file 'loop.txt', line 44",
    ),
    Pattern(
        "trace",
        lazy(
            r"File (?!(?:\\{0,7}\"|&quot;)[^\"&\\\n]{1,400}(?<!\.py)(?:\\{0,7}\"|&quot;), line \d{1,7}: )"
            r"(?:\\{0,7}\"|&quot;)[^\"&\n]{1,400}(?:\"|&quot;), line \d{1,7}(?:, in [\w<>.]{1,100})?"
            r"|[^\s\"']{1,300}\.py(?:, line |:)\d{1,7}[,:]? in (?!(?:the|an?|this|that|your|our)\b)"
            r"[\w<>.]{1,100}"
        ),
        ('file "', "file \\", "file &quot;", ".py, line ", ".py:"),
        example='failed in File "app.py", line 42, in run, called by jobs/sync.py:41 in pull',
        near_miss='File "app.py" was not found; see app.py:42 in the archive; File "a.csv", line 3: no date',
    ),
    Pattern(
        "trace",
        lazy(
            r"(?:\b|(?<=\\[nt]))at (?:async )?[\w.$<>/]{1,200} ?\("
            r"(?=[^()\s]{0,300}[./\\])[^()\s]{1,300}:\d{1,6}(?::\d{1,6})?\)"
        ),
        ("at ",),
        example="boom at com.acme.Billing.charge(Billing.java:42) again",
        near_miss="meet at noon (12:30)",
    ),
    Pattern(
        "trace",
        lazy(
            r"\bat [\w.<>`+$]{1,200}\([^()\n]{0,200}\) in [^\n]{1,300}?:line \d{1,6}"
            r"(?: at [\w.<>`+$]{3,200}\([^()\n]{0,200}\)){0,20}"
        ),
        (":line ",),
        example=r"failed at Acme.Pay.Run(String id) in C:\src\Pay.cs:line 7",
        near_miss="in that file:line 7",
    ),
    Pattern(
        "trace",
        lazy(
            r"^(?>[^\n]*?Traceback \(most recent call last\):)[^\n]{0,20}?(File [^\n]{1,3000})"
            r"(?=[ ][\w.]{0,100}(?:Error|Exception|Interrupt|Exit|Timeout|Empty|Full|Warning)\b)",
            re.MULTILINE,
        ),
        ("traceback (",),
        example='Traceback (most recent call last): File "a.py", line 3, in run go() KeyError: 3',
        near_miss="Traceback (most recent call last) is off",
    ),
    Pattern(
        "trace",
        lazy(
            r"(?<![\w.])(?:[\w.$<>/]{3,200}\((?=[^()\s]{1,110}\)))?"
            r"[\w$]{1,100}\.(?:java|kt|scala|groovy|cs|vb|clj):(?:line )?\d{1,6}\b"
            r"(?!(?::\d{1,6})?:[ ](?:error|warning|note)\b)\)?"
        ),
        (".java:", ".kt:", ".scala:", ".groovy:", ".cs:", ".vb:", ".clj:"),
        example="NullPointerException at UserService.java:142",
        near_miss="UserService.java: not found, Main.java:5: error: ';' expected, a.kt:5:9: warning: unused",
    ),
    Pattern(
        "trace",
        lazy(
            r"(?<![^\s\"'`])[^\s\"'`]{1,200}\.(?:rs|go|rb|rake|erb|haml|slim|jbuilder|php|exs?|cpp|cc):\d{1,6}"
            r"(?::in [`'][^'\n]{1,200}'| \+0x[0-9a-f]{1,16})"
            r"|(?<=\S )(?<!--> )[^\s\"'`]{1,200}\.(?:rs|go|rb|php|exs?|cpp|cc):\d{1,6}:\d{1,6}(?!\d|:[ ]\w)"
        ),
        (
            ".rs:",
            ".go:",
            ".rb:",
            ".rake:",
            ".erb:",
            ".haml:",
            ".slim:",
            ".jbuilder:",
            ".php:",
            ".ex:",
            ".exs:",
            ".cpp:",
            ".cc:",
        ),
        example="thread 'main' panicked at src/main.rs:2:5",
        near_miss="src/main.rs:2:5: expected a value",
    ),
    Pattern(
        "trace",
        lazy(r"(?<!\S)#\d{1,3} \S{1,300}\(\d{1,6}\): [^\n]{1,1000}"),
        ("#",),
        example="#2 /srv/app/Cart.php(31): Cart->total('x')",
        near_miss="#2 of the list (31): the total",
    ),
    Pattern(
        "trace",
        lazy(
            r"\[([\"'][^\"'\n]{1,300}\.py[\"'],[ ]?\d{1,7},[ ]?[\"'][\w<>.]{1,100}[\"']"
            r"(?:,[ ]?[\"'][^\n]{0,300}?[\"'])?)\]"
        ),
        ('.py",', ".py',"),
        example='[["/var/task/app.py", 12, "handler", "charge(card)"]] in line 12',
        near_miss='["app.py", "12", "handler"] in line 12',
    ),
    Pattern(
        "trace",
        lazy(r"\bFrameSummary\([^\n]{0,200}?lineno=\d{1,7}[^\n]{0,400}?\)(?=[,\])\s]|$)"),
        ("framesummary(",),
        example="[FrameSummary(filename='/srv/a.py', lineno=3, name='run', line='go()')]",
        near_miss="FrameSummary() takes a lineno",
    ),
    Pattern(
        "trace",
        lazy(r"\bat (?:\S{1,200}\.(?:pl|pm)|\"[A-Z][\w$#.]{1,120}\",) line \d{1,6}"),
        (" line ",),
        example='Can\'t locate it at script.pl line 12, ORA-06512: at "SHOP.BILLING", line 44',
        near_miss='at the line 12, at "noon", line 3',
    ),
    Pattern(
        "trace",
        lazy(
            r"(?<![\w./-])[\w-]{1,60}(?:\.[\w-]{1,60}){1,4}/[\w./@-]{1,200}\.go:\d{1,6}"
            r"|(?<=[ ])[\w.-]{1,80}\.(?:go|cc|cpp):\d{1,6}(?=\] )"
        ),
        (".go:", ".cc:", ".cpp:"),
        example="E0512 10:11:12 1 reflector.go:138] k8s.io/client-go/factory.go:134: failed",
        near_miss="cmd/main.go:12: undefined: x",
    ),
)
"""Single places in code, inside a sentence."""

ASKED: Final[Asked] = {
    **dict.fromkeys(words("line traceback at goroutine rb exs backtrace thrown bei nat tat nfile"), ("",)),
    b"framesummary": ("lineno=",),
    b"file": ("line", ".py:"),
    b"go": (".go:",),
    **{word: (f".{word.decode()}:",) for word in words("erb haml slim jbuilder rake")},
    b"ex": (".ex:",),
    b"stack": ("trace",),
    b"stacktrace": ("",),
    b"more": ("...",),
    b"end": ("---",),
    b"main": (":",),
    b"calls": ("->",),
}
_PLACED: Final = words("line framesummary")
"""Words for a place without a colon before a number."""
_places: Final[Finder] = table(PLACES)


def find(view: View) -> list[Span]:
    """Runs of frames, and single places in the code."""
    text = view.text
    is_escaped = "\\" in text or "']" in text or '"]' in text
    is_object = "{" in text and "line" in view.lower
    if not (
        view.has_place or "\n" in text or is_escaped or "#" in text or is_object or view.speaks_of(_PLACED)
    ):
        return []
    is_trace = view.has_beside(ASKED)
    found = list(_places(view)) if is_trace or view.has_place or "#" in text else []
    if is_object:
        found += _objects(text)
    if is_trace or "::" in text or ":in " in text or "^" in text:
        found += _runs(text, _ANY_BREAK if is_escaped and _ESCAPED.search(text) else _BREAK)
    return found
