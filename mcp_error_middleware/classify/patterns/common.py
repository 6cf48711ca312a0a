"""What everyday words say."""

from __future__ import annotations

from typing import Final

from mcp_error_middleware.classify.patterns.languages import LANGUAGES
from mcp_error_middleware.classify.patterns.phrases import Pattern
from mcp_error_middleware.taxonomy import ErrorCode

COMMON: Final[tuple[Pattern, ...]] = (
    Pattern(
        ErrorCode.RATE_LIMITED,
        """
        rate limit | rate-limit | ratelimit | rate_limit | too many requests | throttl | quota | slow down
        out of | used up
        """,
        r"""
        rate[ _-]?limit(s|ed|ing)?\b(?! (config|setting|header|value|must|of \d+ is)) | too many requests
        throttl(ed|ing) | quota (has been |was |is )?(exceeded|exhausted|reached) | (out of|over|no) quota
        slow down | \b(run|ran|are|is) out of (\w+ )?(credits?|requests|calls|quota)\b
        \bused up (all |your )+(\w+ )?(credits?|requests|calls|quota)\b
        """,
        (
            "Rate limit exceeded",
            "Too many requests, slow down",
            "Request was throttled",
            "You have run out of API credits for the current minute",
        ),
        ("rate limit must be positive", "out of stock"),
    ),
    Pattern(
        ErrorCode.VALIDATION_ERROR,
        "timeout | time-out",
        r"""
        (invalid|bad|negative|unknown|unsupported|missing) (\w+ )?time-?out
        time-?out (\w+ )?(must|should|needs|cannot|can't|value|is required|has to)
        """,
        ("invalid timeout: -1", "timeout must be positive"),
        ("timeout after 30 s",),
    ),
    Pattern(
        ErrorCode.TIMEOUT,
        "timeout | time out | timed out | timed-out | time-out | deadline | took too long",
        r"time[ -]?outs?\b | timed[ -]out | deadline[ _](was |is )?exceeded | took too long",
        ("The validation service timed out", "deadline exceeded", "ReadTimeout"),
        ("the deadline is on Friday",),
    ),
    Pattern(
        ErrorCode.SERVICE_UNAVAILABLE,
        """
        unavailable | gateway | upstream | overloaded | maintenance | offline | unreachable | down | circuit
        busy
        """,
        r"""
        service (is |was )?(temporarily )?(unavailable|unreachable|down) | temporarily unavailable
        bad gateway | upstream (\w+ )?(error|failed|failure|unavailable|returned)
        (is|are) (currently )?down\b
        (server|service|system|api|model|engine) (is |are )?(currently )?(overloaded|busy|offline|unreachable)
        (server|service|system|api|model|engine) (is |are )?(currently )?unavailable
        under maintenance | circuit (breaker )?([\w.-]{1,40} )?(is )?open
        (currently|temporarily) (unavailable|overloaded)
        """,
        ("Service Unavailable", "502 bad gateway", "upstream error", "Circuit shop is open"),
        ("upstream branch merged", "item is unavailable in blue"),
    ),
    Pattern(
        ErrorCode.UNAUTHORIZED,
        """
        authori | unauthenticated | logged | token | credential | api key | api_key | api-key | authenticat
        access key | access_key | access-key
        signature | session | log in | login | sign in
        """,
        r"""
        unauthori[sz]ed | unauthenticated | not\s+authori[sz]ed | \bnot\b.{0,20}\blogged.{0,4}\bin\b
        (invalid|expired|bad|revoked|missing|incorrect)<gap><whose>?(token|credentials?)\b
        (invalid|expired|bad|revoked|missing|incorrect)<gap><whose>?(api|access)[ _-]key\b
        (invalid|expired|bad|missing)<gap><whose>?signature\b
        (token|session|credential|api[ _-]key)s? (has |have |is |was |are )?(expired|revoked|invalid)
        authentication (is )?(required|failed|error|failure) | (failed|unable) to authenticate
        log ?in required | (could not|cannot) (validate|verify) (the )?credentials
        must (be logged in|log ?in|authenticate) | please (log|sign) in
        """,
        ("Unauthorized", "User is not logged in", "invalid token", "Your token has expired"),
        (
            "unexpected token at line 3",
            "the author is unknown",
            "invalid page_token: x",
            "not in stage a; only logged models in b",
        ),
    ),
    Pattern(
        ErrorCode.VALIDATION_ERROR,
        "characters | additional | extra | unknown | unexpected | unevaluated | unrecogni",
        r"""
        \b(control|space|special|white ?space|such) (\w+ )?characters (are )?not (allow|permitt)ed\b
        \b(additional|extra|un(known|expected|evaluated|recogni[sz]ed)) <part> (are )?not (allow|permitt)ed\b
        """,
        (
            "Control/space characters not allowed (key=b'a b')",
            "Additional properties are not allowed ('limits' was unexpected)",
            "1 validation error for call[x]: limits: Extra inputs are not permitted",
            "unknown field not allowed",
        ),
        ("user x is not allowed to see the characters", "Extra users are not allowed"),
    ),
    Pattern(
        ErrorCode.FORBIDDEN,
        """
        permission | forbidden | denied | allowed | permitted | privilege | scope | payment required
        entitled | upgrade your | your
        """,
        r"""
        forbidden | access.{0,40}denied | permission denied | denied (access|permission)
        not (be )?(allowed|permitted)\b | payment required
        (insufficient|no|lacks?|missing|without|requires?|needs?|have|has) (the |a )?(\w+ )?permissions?\b
        (insufficient|no|lacks?|missing|without|requires?|needs?) (the |a )?(\w+ )?(privileges?|scopes?)\b
        permissions? (is |are )?(required|needed|to|for|error)\b | \bpermissions?["'.:!]
        \bpermissions?$ | \bnot entitled to\b | \bupgrade your (\w+ )?(plan|account|subscription)\b
        \bnot (included|available|supported) (in|on|by|for|with) your (\w+ )?(plan|subscription|tier)\b
        """,
        (
            "Forbidden",
            "Access is denied",
            "You need permission to edit",
            "Operation not allowed",
            "Missing permission: x",
            "You are not entitled to this data. Please upgrade your plan",
        ),
        ("permission slip printed", "allowed values: a, b"),
    ),
    Pattern(
        ErrorCode.CONFLICT,
        "already | duplicate | unique constraint | exists in | exists at",
        r"""
        already (exists?|in use|(been )?<taken>\b) | unique constraint
        \bduplicate[sd]?\b | ^an? \w+ exists (in|at)\b
        """,
        (
            "User already exists",
            "Slot is already booked",
            "duplicate order",
            "A group exists in store memory at path a",
        ),
        ("already on its way", "Whether a group exists in the store is not known"),
    ),
    # What a text opens with is what it is about.
    Pattern(
        ErrorCode.VALIDATION_ERROR,
        "invalid",
        r"^\W?invalid\b(?! (json|xml|yaml|toml|csv|utf))",
        ("Invalid projection: crs not found",),
        ("the sum is invalidated", "Invalid JSON in the answer"),
    ),
    Pattern(
        ErrorCode.NOT_FOUND,
        "found | no such | exist | find | locate | unknown | match any | available for | open | repository",
        r"""
        \bnot[ _-]?(be )?found\b | \bno such\b | no longer exists? | \bno (\w+ ){1,3}(was |were )?found\b
        (doesn't|does not|didn't|did not|don't|do not) exists?
        (couldn't|could not|cannot|can't|unable to) (find|locate)
        \bunknown (tool|resource|prompt|user|customer|order|id|object)\b
        (does not|did not|doesn't) match any\b
        \bno (\w+ )?(information|data|results?|records?) (is |are )?available for\b
        (cannot|can't|couldn't|could not|unable to|failed to) open (the )?file\b
        ['"][^'"]{1,80}['"] could not be opened\b
        (cannot|can't|couldn't|could not|unable to|failed to) open (\w+ )?['"]?[\w./-]{1,80}\.\w{2,5}\b
        \bneither .{1,80} could be opened\b | \bnot an? (\w+ )?repository\b
        """,
        (
            "User not found",
            "no such file",
            "The page doesn't exist",
            "Couldn't find order 7",
            "Unknown tool: x",
            "No information available for that address.",
            "Could not open model.txt",
            "fatal: not a git repository",
        ),
        ("found nothing wrong", "cannot open the discussion"),
    ),
    Pattern(
        ErrorCode.NOT_FOUND,
        "no ",
        r"""
        ^no (\w+ ){1,2}(with|by|under|has|having) (\w+ )?(id|name|number|key|code|slug|e-?mail|title|uuid)\b
        ^no (matching )?(results?|matches|records?|entries|items?) (for|with|in)\b
        ^no ((?!is |was |were |been |ever )\w+ ){1,2}(called|named|known as) \S
        """,
        ("No order with id 7", "No results for that city", "No city called Atlantis"),
        ("no order was ever given with id cards", "no item is missing", "no customer was called back"),
    ),
    Pattern(
        ErrorCode.SERIALIZATION_ERROR,
        "json | xml | yaml | toml | csv | utf | pars | decod | serializ | unmarshal | encod | unexpected",
        r"""
        (invalid|malformed|bad|broken|unexpected|not valid) (json|xml|yaml|toml|csv|utf-?8)
        (parse|parsing|decod(e|ing)|encoding|(de)?serializ(e|ation)) (error|failed|failure) | parse ?exception
        (failed|unable|could not|cannot|can't) (to )?(parse|decode|(de|un)?serialize|unmarshal|encode)
        is not (valid )?json | not json serializable | unexpected (token|character|eof|end of)\b
        (error|exception) (while |when |during )?(parsing|(de|en)coding|(de)?serializ\w+)
        """,
        ("got invalid JSON", "failed to parse the answer", "cannot decode byte"),
        ("decode the mystery",),
    ),
    Pattern(
        ErrorCode.VALIDATION_ERROR,
        """
        invalid | validation | malformed | bad request | wrong format | missing | required | mandatory | must
        insufficient | not enough | out of stock | only | be empty | be blank | be negative | unsupported
        too large | too big | too long | too short
        """,
        r"""
        (?<![./])\binvalid | \bvalidation\b | malformed | bad request | wrong format
        \bis (required|mandatory)\b | \bis a required <part>\b
        (can't|cannot|can not|should not|may not) be (empty|blank|negative)\b
        missing\s+(required|param|field|input|value|arg) | missing \S{1,40} (argument|parameter|field)\b
        \b(argument|parameter|field) (is )?missing\b
        \bmust (not )?(be|have|contain|start|end|match|consist|include|evaluate)\b
        \b(insufficient|not enough) (\w+ )?(funds|balance|stock|inventory|credits?)\b | \bout of stock\b
        \bunsupported (file|image|audio|video|media|mime|document|archive|export) (type|format|extension)\b
        \bunsupported (currency|language|country|locale|unit)\b
        \b(file|image|upload|attachment|message|text|query|prompt|name) (is )?too (large|big|long|short)\b
        ^only .{1,60} (is|are) (allowed|supported|accepted|permitted)\b
        """,
        (
            "Invalid email",
            "schema validation failed",
            "missing required field",
            "'amount' is a required property",
            "query argument missing in arguments",
            "wrong format",
            "DNSSEC field invalid",
            "Only SELECT statements are allowed",
            "City name can't be empty",
            "Not enough balance",
            "Unsupported file type: .exe",
            "File too large (max 10 MB)",
        ),
        (
            "nothing is missing",
            "if only he were allowed",
            "not enough memory",
            "took too long",
            "unsupported type",
        ),
    ),
    Pattern(
        ErrorCode.CONFLICT,
        "conflict | mismatch | modif | stale | state | changed since",
        r"""
        \bconflict(s|ing|ed)?\b | version mismatch | modified by another | concurrent modif | \bstale\b
        (was|has been|have been) modified\b(?! (to|in|so)\b) | \bchanged since\b
        (can't|cannot) .{1,60} (from|in) (the |its )?(current )?state\b
        """,
        (
            "Edit conflict",
            "version mismatch",
            "Can't trigger event ship from state draft!",
            "It has been modified",
        ),
        ("stalemate",),
    ),
    Pattern(
        ErrorCode.TIMEOUT,
        "abort | cancel",
        r"\babort(ed)?\b | \bcancell?ed\b",
        ("The operation was aborted", "Request cancelled"),
        ("cancellation policy",),
    ),
    Pattern(ErrorCode.VALIDATION_ERROR, "zod", r"\bzod(error)?\b", ("ZodError: expected string",)),
    *LANGUAGES,
)


VALUES: Final[tuple[Pattern, ...]] = (
    Pattern(
        ErrorCode.VALIDATION_ERROR,
        """
        valid | conver | interpret | coerce | cast | support | unrecogni | out of | expected | match | too
        illegal | unknown | ambiguous | wrong number | equal | should be | not one of | exclusive | cannot be
        both be | expression | undefined | error: | missing | unbalanced | unmatched | unclosed | bad
        deduce | infer | relative url | type mismatch | length | size | number | count
        a directory | a folder | existing | not in | registered | no  | reverted | address | represent
        """,
        r"""
        \bnot (an? )?valid\b | (could not|cannot|can't|unable to|failed to) (convert|interpret|coerce|cast)
        conversion .{1,60} failed | \b(missing|empty|blank|invalid) or (missing|empty|blank|invalid)\b
        \bunsupported\b | \bnot supported\b | \bunrecogni[sz]ed\b | \bout of (range|bounds)\b | \billegal\b
        \bexpected .{1,120}\b(got|found|received|parsed|but|instead)\b
        \bexpected an? .{1,60}, not (the|an?)\b | (does not|doesn't|not|no) match
        \btoo (long|short|large|small|few|big)\b | \bunknown \w+ | \bambiguous\b
        (is|are|does) not equal\b | \bshould be (an? |one of |strings?\b) | \bnot one of\b
        \bwrong number of (arguments|parameters)\b
        \bmutually exclusive\b | (cannot|can't) both be\b | (does|do) not support\b
        cannot be (empty|negative|none|null|zero)\b | \bend of expression\b
        \bun(defined|registered) (variable|symbol|name|function|namespace|prefix)\b
        \b(reference|syntax)error: | \bcannot represent\b
        \b(missing|unbalanced|unmatched|unclosed) ((open|clos)(e|ing)? )?(parenthes[ie]s|bracket|brace|quote)
        (could not|cannot|can't|unable to) (deduce|infer) .{0,40}\b(format|type)\b
        \brelative url without a base\b
        \b(missing|unmatched|unbalanced|unclosed) ['"]?[()\[\]{}] | ^bad [a-z]{3,20}( [a-z]{3,20})?$
        \btypes? mismatch\b | \b(length|size|number|count) (is|was|of \d+ is) (>|<|greater|more|longer|less)
        \bis not an? (existing )?(director(y|ies)|folder|regular file)\b | \bis a (directory|folder)\b
        \b(is|are) not in (the|this) \w+\W*$ | \bno \w+ (is )?registered (for|as|under|with)\b
        ^no (\w+ ){1,2}in (the )?(text|input|data|query|string|image|document|file)\b
        \b(execution|transaction|call) reverted\b | \berror in \W?convert
        \baddress \S{1,60} is (already )?(defined|reserved|private|loopback|multicast)\b
        """,
        (
            "'x' is not a valid unit",
            "could not convert string to float",
            "unsupported format: xyz",
            "Missing close parenthesis for group started at index 0.",
            "expected a noun, but instead the expression ended",
            "The 'x' trait of an A instance expected an int, not the str 'a'.",
            "data type mismatch",
            "data, missing or empty",
            "Key length is > 250",
            "Source /home/x is not a directory",
            "The node 7 is not in the graph.",
            "No plugin registered for (nope, Parser)",
            "No features in text.",
            "execution reverted: no",
            "IPv4 address 10.0.0.1 is already defined as Private-Use Networks via RFC 1918.",
            "Undefined namespace prefix",
            "Int cannot represent non-integer value",
        ),
        (
            "the firm is represented by a namesake",
            "an unexpected gift",
            "he is not in the mood for it",
            "the length is known",
            "no file in there",
        ),
    ),
    Pattern(
        ErrorCode.SERIALIZATION_ERROR,
        ": | line",
        r"""
        ^(<\w{1,30}>|[^\s:]{1,200}\.(?!pyx?:)[a-z]\w{0,7}):\d{1,9}(:\d{1,9})?: \S
        \bline \d{1,9}, col(umn)?\b
        """,
        ("<string>:1: (WARNING/2) Inline text without end-string.", "report.rst:3:7: unexpected indent"),
        ("shop.py:7: boom", "10.0.0.1:80: hello", "line 7 is busy"),
    ),
)
"""Words about values. A library's own error that speaks of one means the value it was given; a bare
`RuntimeError` may speak of anything."""
