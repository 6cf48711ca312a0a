"""Text in, statements and values of a database out; English that uses the same words stays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.spans import Asked, Finder, Pattern, Span, View, table, words
from mcp_error_middleware.sanitize.words import PROSE, is_field

_PAIRS: Final = (
    (b"select", b"from"), (b"insert", b"into"), (b"update", b"set"), (b"delete", b"from"),
    (b"create", b"table"), (b"alter", b"table"), (b"drop", b"table"),
)  # fmt: skip
"""What every statement in lower case has in it."""
VERBS: Final = words(
    """
    select insert update delete create alter drop truncate grant merge replace exec execute copy explain
    match
    """
)
ASKED: Final[Asked] = {
    b"sql": ("[sql: ", "sql statement", "sql:"),
    b"parameters": ("parameters: ", "parameters=[", "with parameters"),
    b"parameter": ("binding parameter",),
    **dict.fromkeys((b"generated", b"cached"), ("generated in ", "cached since ")),
    **dict.fromkeys(
        words("params bindings bind args arguments"),
        ("query", "statement", "sql", "insert", "update", "select", "delete"),
    ),
    **dict.fromkeys((b"p0", b"p1"), ("@p0", "@p1")),
    b"line": ("line ",),
    b"key": ("key (", "dup key: {", "[no key "),
    b"failing": ("failing row contains",),
    **dict.fromkeys((b"near", b"syntax"), ("near '", 'near "')),
    b"statement": ("statement:", "statement was:", 'statement "'),
    b"query": ("query:", "query was:"),
    b"duplicate": ("duplicate entry '",),
    b"dup": ("dup key: {",),
    b"incorrect": ("incorrect string value: '",),
    b"copy": (", column ",),
}
SPOKEN: Final = frozenset(ASKED) | VERBS | frozenset(word for pair in _PAIRS for word in pair)

_NAME: Final = r"[\w.\"`\[\]$#@:-]{1,128}"
_THING: Final = (
    "TABLE|INDEX|VIEW|USER|ROLE|DATABASE|SCHEMA|FUNCTION|PROCEDURE|TRIGGER|SEQUENCE|TYPE|EXTENSION|LOGIN"
)
_TOLD: Final = r"[^()\n]{0,100}\)[ ](?:is|was|are|has|can|should|must|will|does|returns?)\b"
"""How a sentence goes on behind a call: `SELECT COUNT(*) is slow`."""
_SPOKEN_OF: Final = (
    r"(?:is|was|are|has|can|cannot|must|should|may|needs|requires|statements?|clauses?|commands?|queries"
    r"|permissions?|privileges?|access)[ ]"
    r"(?![^\n\"]{1,200}[\w)\]\"`][ ]?=[ ]?(?:['\d:?%$@(]|NULL))"
)
"""What is said of a statement."""
# Capitals are how statements are shouted; no sentence is.
_SHOUTED: Final = rf"""
    SELECT\b(?![ ](?:\.\.\.|…|{_SPOKEN_OF}))
      (?=[\s\S]{{1,400}}?\b(?:FROM\b(?![ ](?:clause|keyword|is|was|must)\b)|WHERE[ ][\w.]{{1,128}}[ ]?[=<>]))
  | SELECT[ ](?=[\w.]+\((?!{_TOLD})|['\d@:$]|\*(?![ ](?:as|for|in|is|on|was|with)\b))
  | (?:INSERT[ ](?:IGNORE[ ]|OR[ ]\w+[ ])?INTO|DELETE[ ]FROM|MERGE[ ]INTO|REPLACE[ ]INTO)[ ](?!{_SPOKEN_OF})
  | UPDATE[ ](?!{_SPOKEN_OF}){_NAME}[ \n](?=[\s\S]{{0,80}}?\bSET\b)
  | TRUNCATE[ ](?:TABLE[ ])?(?={_NAME}) | WITH[ ]{_NAME}[ ]AS[ ]\(
  | (?:CREATE|ALTER|DROP)[ ](?:OR[ ]REPLACE[ ]|TEMP(?:ORARY)?[ ]|UNIQUE[ ]){{0,3}}
    (?:{_THING})[ ](?:CONCURRENTLY[ ])?+(?!permission|statement|failed|{_SPOKEN_OF})
  | GRANT[ ][\w, ]{{1,200}}[ ](?:ON|TO)[ ] | EXEC(?:UTE)?[ ]{_NAME}[ ]@
  | CALL[ ]{_NAME}\( | COPY[ ]{_NAME}[ ](?:FROM|TO)[ ]
  | EXPLAIN[ ](?:ANALYZE[ ])?(?=SELECT|INSERT|UPDATE|DELETE)
  | MATCH[ ]\([^)]{{0,200}}\)(?=[\s\S]{{0,400}}?\bRETURN\b)
"""
_WHERE: Final = r"(?i:where|limit|order[ ]by|group[ ]by|(?:inner[ ]|left[ ]|outer[ ])?join)"
_COMPARED: Final = r"[\w.\"`\[\]]{1,128}[ ]?(?:[=<>!]|(?i:in|like|is|between|on|asc|desc)\b|$|\d)"
_COLUMN: Final = r"(?!(?i:a|an|and|at|no|not|or|please|the|then)\b)[\w.\"`*()\[\]]{1,128}"
_FROM: Final = r"(?i:from)[ ](?!(?i:a|an|any|each|it|its|my|one|our|that|the|them|these|this|those|your)\b)"
"""No table is called so: `select size, color from the menu`."""
# In any case, where the grammar is a statement's and not a sentence's.
_SPELT: Final = rf"""
    (?i:select)[ ](?:(?i:distinct|top[ ]\d+)[ ])?
      (?: \*[ ] | {_COLUMN}(?:[ ]?,[ ]?{_COLUMN}){{1,60}}[ ]
        | [\w.]{{1,128}}\([^)\n]{{0,200}}\)[^\n]{{0,200}}?[ ] | [\w\"`]{{1,64}}[._\"`][\w.\"`]{{0,128}}[ ] )
      {_FROM}(?={_NAME})
  | (?i:select)[ ][\w.\"`]{{1,128}}[ ]{_FROM}{_NAME}[ ]{_WHERE}[ ](?={_COMPARED})
  | (?i:insert)[ ](?i:into)[ ]{_NAME}[ ]?(?:\([^)\n]{{1,500}}\)|(?i:values?|select)\b)
  | (?i:update)[ ]{_NAME}[ ](?i:set)[ ][\w.\"`\[\]]{{1,128}}[ ]?=
  | (?i:delete)[ ](?i:from)[ ]{_NAME}[ ](?i:where)[ ](?={_COMPARED})
  | (?i:(?:create|alter|drop)[ ]table)[ ](?i:if[ ](?:not[ ])?exists[ ])?{_NAME}[ ]?
      (?:\(|(?i:add|drop|alter|rename|modify|cascade)\b|;)
  | (?i:with)[ ]\w{{1,64}}[ ](?i:as)[ ]\([ ]?(?i:select)\b
"""
_STATEMENT: Final = lazy(rf"(?<![\w.])(?:{_SHOUTED}|{_SPELT})", re.VERBOSE)
_GOES_ON: Final = lazy(
    r"""\n(?:[ \t]*\n)?(?!\(Background[ ])(?=[ \t]*(?:
        (?i:from|where|and|or|values?|set|join|left|right|inner|outer|cross|on|group|order|having|limit|offset|returning
          |union|select|into|as|when|then|else|end)\b
        | [),(] | --[ ])
      | [ \t]{2,}\S)""",
    re.VERBOSE,
)
_FAILED: Final = lazy(
    r"[ ](?:(?:failed|was rejected|timed out)(?=:[ ]|[ ]with[ ]|[.]?$)"
    r"|(?:is|are|was)[ ](?:not[ ](?:allowed|permitted|supported|authori[sz]ed|enabled|possible|available)"
    r"|forbidden|denied|blocked|prohibited|disallowed|unsupported|too[ ](?:long|slow|large|complex))\b"
    r"[^\n'\"=<>]{0,200}$)"
)
"""What is said of a statement behind it."""
_CLOSERS: Final = {'"': '"', "'": "'", "`": "`", "“": "”"}
_WORD_BEHIND: Final = lazy(r"[\w.]|[ ][\w(=<>!*]")


def _statements(text: str) -> Iterator[Span]:
    at = 0
    while match := _STATEMENT.search(text, at):
        start, at = match.start(), max(_end(text, match.start()), match.end())
        yield Span(start, at, "sql")
        if text[start - 1 : start] not in _CLOSERS:
            yield from _echoed(text, start, at)


def _end(text: str, start: int) -> int:
    """Where the statement ends: its quote, its bracket, what is said of it, or the last of its lines."""
    line = _line_end(text, start)
    if closer := _CLOSERS.get(text[start - 1 : start]):
        # Values stand in single quotes themselves: only the last one on the line is safe.
        end = text.rfind(closer, start, line) if closer == "'" else _closing(text, start, line, closer)
        return end if end > start else line
    while more := _GOES_ON.match(text, line):
        line = _line_end(text, more.end())
    if (failed := _FAILED.search(text, start, line)) and text.count("'", start, failed.start()) % 2 == 0:
        return failed.start()
    if (told := _told(text, start, line)) is not None:
        return told
    return line - (text.endswith("[SQL: ", 0, start) and text.endswith("]", start, line))


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _closing(text: str, start: int, line: int, closer: str) -> int:
    """A quote that ends something: not escaped, and no word goes on behind it."""
    end = text.find(closer, start, line)
    while end >= 0 and (text[end - 1] == "\\" or _WORD_BEHIND.match(text, end + 1)):
        end = text.find(closer, end + 1, line)
    return end


_SIGN: Final = lazy(r"(?P<quote>['\"`])|(?P<open>[(\[{])|(?P<close>[)\]}])|[:;](?=[ ])|[ ](?=--[ ])")
"""Where literals and brackets begin and end, and where what is said of a statement may begin."""
_LITERAL: Final = lazy(
    r"(?:(?<!\w)|(?<=(?<!\w)[NEBXnebx]))"
    r"(?:'(?:[^'\\\n]|'')*+'|\"(?:[^\"\\\n]|\"\")*+\"|`[^`\\\n]*+`)(?!\w)"
)
"""One beyond doubt: of `'O'Brien'` and `'a\\'` nobody knows where they end."""
_BOUND_LATER: Final = lazy(r"(?<![\w?])\?(?![\w?])|%s|%\(\w|\$\d|(?<![\w:]):[A-Za-z]\w*|(?<![\w@])@\w")
"""Where a value belongs that may stand behind the statement."""


def _told(text: str, start: int, end: int) -> int | None:
    """Where the statement ends, if something is said of it on its last line: `[UPDATE …]; nested exception`.

    Only where every quote before surely begins or ends a literal: else what looks like words may be in one.
    """
    if _DOLLARS.search(text, start, end):
        return None
    at, depth, left, last = start, 0, _MOST_ENDS, text.rfind("\n", start, end)
    while left and (sign := _SIGN.search(text, at, end)):
        at, place = sign.end(), sign.start()
        if sign["quote"]:
            if not (literal := _LITERAL.match(text, place, end)):
                return None
            at = literal.end()
            continue
        depth += bool(sign["open"]) - bool(sign["close"])
        is_end = depth < 0 if sign["close"] else depth == 0 and not sign["open"]
        if is_end and place > last and (left := left - 1):
            is_whole = sign["close"] and text[start - 1 : start] + sign["close"] in _BRACKETS
            if _is_said_of(text[start:place], text[place:end], bool(is_whole)):
                return place
        depth = max(depth, 0)
    return None


_MOST_ENDS: Final = 16
"""More places where it may end, and nobody can tell."""
_DOLLARS: Final = lazy(r"\$\w{0,60}\$")
"""What begins or ends a literal without a quote."""
_BRACKETS: Final = frozenset(("()", "[]", "{}"))
_APOSTROPHE: Final = lazy(r"(?<=[a-z])['’](?=[a-z])")
_IN_QUOTES: Final = lazy(r"'([^'\n]*)'|\"([^\"\n]*)\"|`([^`\n]*)`")
_AROUND: Final = ".,:;?()[]{}<>-|"
_FAILURE: Final = lazy(r"[\w.$]{0,120}(?:Error|Exception|Timeout|Failure)|SQLSTATE|SQLCODE|ORA-\d{5}|Msg")
_CLAUSES: Final = frozenset(
    """
    and begin call commit copy create declare delete drop exec execute explain from grant insert into limit
    merge on or order replace returning revoke select set show truncate union update use values where with
    """.split()
)
"""What a statement goes on with, or the next one begins with."""
_MOST_WORDS: Final = 8


def _is_said_of(statement: str, said: str, is_whole: bool) -> bool:
    """Whether this is said of the statement: neither more of it, nor what was bound to it."""
    bare = _IN_QUOTES.sub(" ", _APOSTROPHE.sub("", said))
    if not {"'", '"', "`"}.isdisjoint(bare) or (said.startswith(" --") and bare != said):
        return False
    rest = _LITERAL.sub(" ", statement)
    is_complete = not _BOUND_LATER.search(rest)
    if "=" in bare or "|" in bare:
        return False
    words = [word for part in bare.split() if (word := part.strip(_AROUND))]
    if not words or words[0].lower() in _CLAUSES:
        return not said.strip(_AROUND + " ")
    if not all(_is_word(word) or (_NAMED.fullmatch(word) and word in rest) for word in words):
        return False
    if is_whole and is_complete:
        return True
    words = words[:_MOST_WORDS]
    if not (is_complete or any(map(_is_failing, words))):
        return False
    return 2 * sum(map(_is_known, words)) >= sum(not word.isdigit() for word in words) > 0


def _is_failing(word: str) -> bool:
    """Whether the word is said of what went wrong, and hardly in what was bound."""
    return _is_known(word) and (word.lower().endswith(_FAILING) or _FAILURE.fullmatch(word) is not None)


_FAILING: Final = ("ed", "error", "exist", "exists", "violates", "timeout", "invalid", "fails", "missing")


def _is_word(said: str) -> bool:
    return said.replace(".", "").replace("-", "").isalpha() or _CODE.fullmatch(said) is not None


_NAMED: Final = lazy(r"[\w.]{1,128}")
_CODE: Final = lazy(
    r"\d{1,5}|[0-9A-Z]{5}|SQLSTATE\[\w{5}|ORA-\d{5}|[A-Za-z]{2,12}'[a-z]{1,2}|[A-Za-z]{1,20}/[A-Za-z]{1,20}"
)
"""What is said in place of a word: the number of an error."""


def _is_known(word: str) -> bool:
    return word.lower() in PROSE or _FAILURE.fullmatch(word) is not None


def _echoed(text: str, start: int, at: int) -> Iterator[Span]:
    """The values in what is said of a statement: its own, and such as no name of anything."""
    end, statement = _line_end(text, at), text[start:at]
    values = "\n".join(literal[0] for literal in _LITERAL.finditer(statement))
    rest = _LITERAL.sub(" ", statement)
    is_bound = _BOUND_LATER.search(rest) is not None
    for match in _IN_QUOTES.finditer(text, at, end):
        said = match[0][1:-1]
        is_known = _NAMED.fullmatch(said) and said.rpartition(".")[2] in rest
        is_name = is_known or (is_field(said) and not (is_bound and match[1]))
        if said and not is_name:
            yield Span(match.start() + 1, match.end() - 1, "sql")
    for value in {literal[0].strip("'\"`") for literal in _LITERAL.finditer(statement)}:
        is_name = value.lower() in PROSE or value in rest or len(value) < _LEAST
        place = -1 if is_name else text.find(value, at, end)
        if place >= 0:
            yield Span(place, place + len(value), "sql")
    for match in _BARE.finditer(text, at, end):
        is_last = match.end() == end and text.endswith(": ", at, match.start())
        is_new = match[0] not in rest and not _is_known(match[0])
        if is_new and (match[0] in values or (is_last and not is_field(match[0]))):
            yield Span(*match.span(), "sql")


_LEAST: Final = 3
_BARE: Final = lazy(r"[^\s'\"`,;:()\[\]{}<>=]{3,200}+")


_ONE_WORD: Final = lazy(
    r"[A-Za-z]{1,12}(?:[ ]\d{1,4})?;?(?:\n[ \t]*\^)?|[:@$][a-z]\w{0,12}|[^\w\s'\"]{1,3}\d{0,2}"
)


def _says_more(near: str) -> bool:
    """Whether the place of an error is more than the one word that is wrong."""
    return not _ONE_WORD.fullmatch(near)


_BOUND: Final = "params|parameters|bindings|bind values|args|arguments"
DETAILS: Final = (
    Pattern(
        "sql",
        lazy(r"\[SQL: ((?:(?!\]\s{0,4}(?:\n|\[|\(Background|$))[\s\S]){1,6000})"),
        ("[sql: ",),
        example="(sqlite3.OperationalError) locked\n[SQL: PRAGMA journal_mode]",
        near_miss="[SQL] is a language",
    ),
    Pattern(
        "sql",
        lazy(r"\[parameters: ((?:(?!\]\s{0,4}(?:\n|\(Background|$))[\s\S]){1,6000})"),
        ("[parameters: ",),
        example="[parameters: ('bob', 42)]",
        near_miss="[parameters] are listed below",
    ),
    Pattern(
        "sql",
        lazy(
            r"(?:(?:DETAIL:|==>|--|\bportal with)\s{1,4}(?i:parameters): "
            r"|binding parameter (?:\[\d{1,4}\] as \[\w{1,30}\] - |\(\d{1,4}:\w{1,30}\) <- ))"
            r"([^\n]{1,4000})"
        ),
        ("parameters: ", "binding parameter"),
        example="binding parameter [1] as [VARCHAR] - [bob]",
        near_miss="Invalid parameters: limit",
    ),
    Pattern(
        "sql",
        lazy(
            r"\[(?:(?i:generated in|cached since|no key) [^\]\n]{0,40}\] [(\[{](?=[^\n]{0,200}?['\",\d])"
            r"|Parameters=\[)"
            r"((?:(?!\](?:[, ][A-Z ]|\]|$))[^\n]){1,4000})"
        ),
        ("generated in ", "cached since ", "no key ", "parameters=["),
        example="Executed DbCommand (3ms) [Parameters=[@p0='bob', @p1='42'], CommandType='Text']",
        near_miss="[Parameters=[], CommandType='Text'], [cached since 1.2s ago] (hit)",
    ),
    Pattern(
        "sql",
        lazy(r"(?<![\w.@$:])@p\d{1,3}[ ]?=[ ]?N?'((?:[^'\n]|''){1,2000}+)'"),
        ("='", "= '"),
        example="VALUES (@p0, $2);@p0 = 'bob' [Type: String (0:0:0)]",
        near_miss="//div[@class='main'] and @param='x'",
    ),
    Pattern(
        "sql",
        lazy(
            r"\b(?:(?i:execut\w{1,4} (?:a |the )?(?:prepared )?(?:query|statement|sql))|SQL|SELECT|INSERT"
            r"|UPDATE|DELETE)\b[^\n]{0,400}?"
            rf"\b(?:with (?:{_BOUND}):? |(?i:params|bindings):[ ]?)"
            r"([\[({](?:[^\n]{1,4000}[\])}]|[^\n]{1,4000}))"
        ),
        tuple(bound + sign for bound in _BOUND.split("|") for sign in (" [", " (", " {", ": [", ": {", ":[")),
        example='An exception occurred while executing a query with params ["bob", 42]',
        near_miss='a query with params {"q": "shoes"} is slow, executing the tool with args {"q": 1}',
    ),
    Pattern(
        "sql",
        lazy(r"\bLINE \d{1,5}: ([^\n]{1,2000}(?:\n[ \t]{0,400}\^)?)"),
        ("line ",),
        example="LINE 1: select oops\n               ^",
        near_miss="see Line 1: it is empty, LINE 1: selec 1\n        ^",
        check=_says_more,
    ),
    Pattern(
        "sql",
        lazy(r"\bKey \([^()\n]{1,300}\)=\(((?:[^()\n]|\([^()\n]{0,100}\)){1,1000}+)(?:\)|$)"),
        ("key (",),
        example="DETAIL:  Key (email)=(bob) already exists.",
        near_miss="Key (email) is unique",
    ),
    Pattern(
        "sql",
        lazy(r"\bFailing row contains \(([^\n]{1,4000})(?:\)|$)"),
        ("failing row contains",),
        example="DETAIL:  Failing row contains (1, bob, null).",
        near_miss="a failing row",
    ),
    Pattern(
        "sql",
        lazy(r"\bDuplicate entry '([^\n]{1,600}(?='[ ]for[ ]key[ ])|[^'\n]{1,600}$)"),
        ("duplicate entry '",),
        example="Duplicate entry 'bob' for key 'users.name'",
        near_miss="Duplicate entry in the list",
    ),
    Pattern(
        "sql",
        lazy(r"\bIncorrect string value: '([^\n]{1,600})'(?= for column )"),
        ("incorrect string value: '",),
        example="Incorrect string value: 'Bob' for column 'name' at row 1",
        near_miss="Incorrect value: 'abc' for column type int",
    ),
    Pattern(
        "sql",
        lazy(r"\bCOPY [\w.\"]{1,130}, line \d{1,12}, column [\w\"]{1,130}: \"([^\n]{1,2000})\""),
        (", column ",),
        example='CONTEXT:  COPY customers, line 3, column name: "Bob"',
        near_miss="COPY customers, line 3, column 4",
    ),
    Pattern(
        "sql",
        lazy(r"\bdup key: \{([^\n}]{1,600})(?:\}|$)"),
        ("dup key: {",),
        example='E11000 duplicate key error collection: shop.users dup key: { name: "bob" }',
        near_miss="dup key: none",
    ),
    Pattern(
        "sql",
        lazy(r"\bnear '([^\n]{1,600})'(?= at line \d)"),
        ("near '",),
        example="use near 'WHERE name = 'bob'' at line 1",
        near_miss="use near 'FORM' at line 1; a hotel near 'Berlin' at noon",
        check=_says_more,
    ),
    Pattern(
        "sql",
        lazy(r"(?i:syntax)[^\n]{0,80}?\b(?i:near) ['\"]([^'\"\n]{1,300})"),
        ("syntax",),
        example="Incorrect syntax near 'FORM users'.",
        near_miss="a syntax error in the template near you, syntax error at or near ')'",
        check=_says_more,
    ),
    Pattern(
        "sql",
        lazy(r"\bnear \"([^\"\n]{1,500})\": syntax error"),
        ("syntax error",),
        example='near "badge-17": syntax error',
        near_miss='near "FORM": syntax error',
        check=_says_more,
    ),
    Pattern(
        "sql",
        lazy(
            r"(?:\bSTATEMENT|\bQUERY|SQL statement|(?<!\[)\bSQL|\b[Qq]uery was|\b[Ss]tatement was"
            r"|Executed query|\b[Qq]uery(?=:[ ](?:SELECT|INSERT|UPDATE|DELETE|WITH)[ ]))"
            r":[ ]{1,4}(?=[A-Za-z(]{2,12}[ ])([^\n]{4,4000})"
        ),
        ("statement", "query", "sql:"),
        example="STATEMENT:  vacuum full orders",
        near_miss="QUERY: 42",
    ),
    Pattern(
        "sql",
        lazy(r"SQL statement \"([^\n]{1,4000})\""),
        ("sql statement",),
        example='CONTEXT:  SQL statement "vacuum orders"',
        near_miss="an SQL statement",
    ),
)

_details: Final[Finder] = table(DETAILS)


def find(view: View) -> list[Span]:
    """Statements, their parameters and the rows they failed on."""
    text = view.text
    found = list(_details(view)) if view.spoken and view.has_beside(ASKED) else []
    if has_statement(view) or "CALL " in text:
        found += _statements(text)
    return [_within_its_string(text, span) for span in found] if found and '":' in text else found


_STRING_END: Final = lazy(r"(?<!\\)\"[ ]?(?:,\s{0,40}\"[\w.-]{1,60}\"[ ]?:|\s{0,40}[}\]])")


def _within_its_string(text: str, span: Span) -> Span:
    """Without what follows the string of JSON that it is in; JSON within a statement is a part of it."""
    end = _STRING_END.search(text, span.start, span.end)
    if end is None or "{" in text[span.start : end.start()]:
        return span
    return span._replace(end=max(end.start(), span.start + 1))


def has_statement(view: View) -> bool:
    """Whether there are the words of a statement, other than `CALL`."""
    return view.speaks_of(VERBS) and (b"AAAA" in view.shape or _has_pair(view.spoken))


def _has_pair(spoken: frozenset[bytes]) -> bool:
    return any(verb in spoken and partner in spoken for verb, partner in _PAIRS)
