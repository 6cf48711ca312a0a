"""What tells a mistake of the code from a bad value."""

from __future__ import annotations

from typing import Final

from mcp_error_middleware.classify.patterns.phrases import Pattern
from mcp_error_middleware.taxonomy import ErrorCode

MISUSE: Final[tuple[Pattern, ...]] = (
    Pattern(
        ErrorCode.INTERNAL_ERROR,
        """
        happen | bug | unreachable | entered | awaited | instantiated | started | call | closed | unpack
        circular | main thread | executing | compliant | in state | class | decorat | empty | not in
        missing | object has no field | substring | slice step | sequence of | no active | detached | released
        uninitiali
        """,
        r"""
        (should|must|can) ?(never|not) happen | \b(is|found) a bug\b | report (this|the|a) bug\b
        \bunreachable code
        (must|should|needs? to|has to|can only) be (called|entered|awaited|instantiated|started before)\b
        \b(before|without) calling\b | \bcall \S{1,60} (first|before)\b | \bby calling \S{1,60}\(
        \b(on|to|into|from) (an? )?closed (file|pipe|handle|archive|store|database|cursor|loop|image|stream)\b
        ^(read|write|seek|tell|flush) of closed (file|stream)\b
        \b(buffer|stream) has been detached\b | \bon (an? )?(released|uninitiali[sz]ed) (memoryview|object)\b
        \b<handle> (\w+ ){0,2}(already|been) closed\b | \b<handle> closed\b
        ^(not enough|too many) values to unpack\b | ^circular reference detected | \bin (the )?main thread\b
        \bclass\b.{1,60} missing @\w | (is|are|be|not) decorated with\b | \bmissing (an? )?@\w
        ^\w+\(\) (arg|iterable argument) is (an )?empty
        \bno active (connection|session|cursor|transaction)\b
        ^(list|tuple|array|deque)\.\w+\(x\): x not in \w+ | is not in (list|deque)$
        ^substring not found$ | ^slice step cannot be zero | ^attempt to assign sequence of size\b
        ^"\w+" object has no field | already executing\b | not json compliant | \b(illegal|invalid) in state\b
        """,
        (
            "this should never happen",
            "This is a bug, please tell us",
            "setup() must be called before loop()",
            "Cannot call env.step() before calling env.reset()",
            "I/O operation on closed file.",
            "Attempt to use ZIP archive that was already closed",
            "seek of closed file",
            "underlying buffer has been detached",
            "not enough values to unpack (expected 2, got 1)",
            "no active connection",
            "max() arg is an empty sequence",
            '"Order" object has no field "boxs"',
            "list.remove(x): x not in list",
            "Make sure to initialize the SDK by calling setup().",
            "Invalid workflow class: Missing @workflow.run method",
        ),
        ("the call must be free", "no call was made before noon", "the file is closed on Sundays"),
    ),
    # --- the shapes of arrays and tables, which code makes ---
    Pattern(
        ErrorCode.INTERNAL_ERROR,
        """
        truth value | broadcast | mismatch | not aligned | core dimension | same length | same shape
        length of | all scalar values | inconsistent | inhomogeneous | reshape | reindex | array element
        is read-only | out of bounds | merge on | shape | zero-size | labeled | array dimensions
        tensor | d array | input array
        """,
        r"""
        \btruth value of (an?|the) \w | \b(could not|cannot) (be )?broadcast\b
        \b(shape|dimension|length|dtype)s? mismatch\b | ^shapes .{1,80} not aligned\b | \bcore dimension\b
        \b(arrays|columns|operands|tensors|series) must (all )?(be|have) (of )?(the )?same (length|shape)\b
        \blength of .{1,40} does not match (the )?length\b
        \busing all scalar values\b
        \binconsistent (\w+ ){0,2}(lengths|shapes|dimensions|numbers of samples)\b | \binhomogeneous shape\b
        \bcannot (reshape|reindex) \w | ^setting an array element\b | \b(destination|array) is read-only\b
        \b(have|with) shapes \( | \b(from|into) shape [(\[] | ^shape (of .{1,40} is )?'?[(\[]\d
        \bzero-size array\b | \bidentically-labeled\b | ^all the input array | \bsize of tensor\b
        \bexpected \dd array, got\b
        \baxis -?\d+ is out of bounds\b | \bmerge on \w+ and \w+ columns\b
        """,
        (
            "The truth value of a Series is ambiguous.",
            "operands could not be broadcast together with shapes (3,) (4,)",
            "Length mismatch: Expected axis has 2 elements, new values have 3 elements",
            "shapes (3,) and (4,) not aligned: 3 (dim 0) != 4 (dim 0)",
            "All arrays must be of the same length",
            "If using all scalar values, you must pass an index",
            "Length of values (3) does not match length of index (2)",
            "Found input variables with inconsistent numbers of samples: [3, 2]",
            "cannot reshape array of size 6 into shape (4,2)",
            "setting an array element with a sequence.",
            "assignment destination is read-only",
            "axis 2 is out of bounds for array of dimension 1",
            "x and y must have same first dimension, but have shapes (3,) and (4,)",
            "Shape of passed values is (3, 2), indices imply (3, 3)",
            "Can only compare identically-labeled Series objects",
            "You are trying to merge on int64 and object columns",
            "all the input arrays must have same number of dimensions",
        ),
        (
            "the truth value of nothing",
            "The broadcast could not be found",
            "names and values must have the same length",
            "the length of the password does not match the policy",
            "inconsistent dates",
            "Index contains duplicate entries, cannot reshape",
            "the file is read-only",
            "page 7 is out of bounds",
            "the shape of things to come",
        ),
    ),
    # --- formats, modes and protocols of the language itself ---
    Pattern(
        ErrorCode.INTERNAL_ERROR,
        """
        format | mode | cannot specify | field | end of string | conversion specifier
        newline | unbuffered | a different context | __ | mmap
        file descriptor | filedescriptor | modified during | is shorter than | is longer than | closed
        null pointer | whence | encountered | binary | update sequence | ',' | loop
        """,
        r"""
        \b(unknown format code|invalid format specifier) .{1,60} for object of type
        \bformat specifier missing precision\b | ^unsupported format character\b | ^incomplete format\b
        ^single '[{}]' encountered in | ^expected '}' before end of string
        ^(empty attribute|missing '\]'|too many decimal digits|only '\.') .{0,40}\bin format (string|field)\b
        ^unknown conversion specifier\b
        \bnot allowed (in|with) .{1,60}\bformat specifier\b | ^cannot specify (both )?',' (with|and) '
        (automatic|manual) field (numbering|specification) to (manual|automatic)
        \bdictionary update sequence element\b
        \bbinary mode doesn't take an? \w+ argument\b | ^must have exactly one of .{1,60} mode$
        ^can't have (unbuffered|text and binary)\b | ^invalid whence\b | ^illegal newline value\b
        ^invalid mode: '[rwxabtu+]{0,6}'$ | ^<token .{1,200}> was created in a different context\b
        \b(belongs|bound|attached) to a different (event )?loop\b
        \b__[a-z]+__(\(\))? (should|must|method|slot|returned|attribute)\b | \bin __slots__\b
        ^mmap (closed|length|offset|object|can't)\b | \bmodified during (sort|iteration)\b
        ^zip\(\) argument \d+ is (shorter|longer) than
        \bfile ?descriptor (cannot be a negative|out of range)\b | \bon closed (epoll|kqueue|devpoll|poll)\b
        ^null pointer access\b | ^i/o operation on closed\b
        """,
        (
            "Unknown format code 'd' for object of type 'str'",
            "Single '}' encountered in format string",
            "Sign not allowed in string format specifier",
            "Cannot specify ',' with 's'.",
            "cannot switch from manual field specification to automatic field numbering",
            "dictionary update sequence element #0 has length 1; 2 is required",
            "binary mode doesn't take an encoding argument",
            "must have exactly one of create/read/write/append mode",
            "can't have text and binary mode at once",
            "<Token var=<ContextVar name='v'> at 0x7f> was created in a different Context",
            "The future belongs to a different loop than the one specified",
            "__len__() should return >= 0",
            "'a' in __slots__ conflicts with class variable",
            "mmap closed or invalid",
            "list modified during sort",
            "zip() argument 2 is shorter than argument 1",
            "file descriptor cannot be a negative integer (-1)",
            "NULL pointer access",
        ),
        (
            "Unknown format code 'd'",
            "invalid format string for a date: %Q",
            "a sequence element was updated",
            "invalid mode: 'walk'",
            "the order was created in a different context",
            "__all__ is no valid city",
            "you must have a driver's licence",
            "dark mode",
            "the account is bound to another loop line",
            "a comma is not allowed in format strings",
            "the file descriptor cannot be found",
        ),
    ),
    # --- loops, queues, and what else only code can hand to code ---
    Pattern(
        ErrorCode.INTERNAL_ERROR,
        """
        expected | required | too many times | loop | yield | docstring | type hint | type annotation | must
        invalid state | for < | not callable
        """,
        r"""
        \ban? (coroutine|future|awaitable|callable|generator) (object )?(was|is) (expected|required)\b
        \b(called|released) too many times\b
        (can't|cannot) (patch|run|close|stop) (an? |the )?(running )?(event )?loop\b
        \b(bad|invalid|illegal) yield\b | \byielded (an? )?(unknown|unexpected|unsupported) (object|value)\b
        \b(must|should|needs to) have (an? )?(docstring|type (hint|annotation)s?)\b
        \bmust be (an? )?(coroutine|awaitable|callable|generator|subclass)\b | ^\S{1,60} is not callable\b
        ^invalid state\W{1,3}expected\b | \b(invalid|unknown) \w+ for <\w+\(
        """,
        (
            "a coroutine was expected, got 5",
            "task_done() called too many times",
            "Can't patch loop of type <class 'Loop'>",
            "Cannot close a running event loop",
            "yielded unknown object 5",
            "Function must have a docstring",
            "handler must be callable",
            "'int' is not callable",
            "invalid state: expected RUNNING, got IDLE",
            "Invalid fields for <OrderSchema(many=False)>: {'x'}.",
        ),
        (
            "a future date is required",
            "the doorbell was rung too many times",
            "cannot close the account in a loop",
            "Order 7 is in an invalid state: expected paid",
            "this number is not callable",
            "Invalid value for <input>",
        ),
    ),
)
"""Words of a library about itself, or about the code that uses it."""

CONFESSIONS: Final[tuple[Pattern, ...]] = (
    Pattern(
        ErrorCode.CONFIGURATION_ERROR,
        "key | credentials | url | uri",
        r"""
        \bapi[ _-]?key (is|must|should|cannot|was|has|does)\b | \bapi[ _-]?key shouldn't\b
        \b(service|base|endpoint|server|api)[ _]ur[il]\W{1,2}(is|must) (\w+ ){0,2}(required|missing|set)\b
        \b(invalid|provide|requires?|valid|missing|no|set) (\w+ ){0,3}api[ _-]?key\b
        \b(invalid|provide|requires?|valid|missing|no|set) (\w+ ){0,3}(auth\w*|api|service) credentials\b
        """,
        ("Invalid API key provided.", "Provide valid auth credentials", "The service_url is required"),
        ("invalid key: colour", "the url is required"),
    ),
    Pattern(
        ErrorCode.INTERNAL_ERROR,
        "unexpected | internal | unhandled",
        r"(unexpected|internal|unhandled) (internal |server )?(error|exception|failure)\b",
        ("Unexpected error: None",),
        ("an unexpected value", "internal id missing"),
    ),
    Pattern(
        ErrorCode.RATE_LIMITED,
        "too many requests | limit | quota",
        r"""
        \btoo many requests\b | \brate[ -]limited\b
        \b(rate|usage)[ -]limit (was |is |has been )?(exceeded|reached|hit)\b
        \bquota (was |is |has been )?(exceeded|exhausted|reached)\b
        """,
        ("API returned error: {'code': 429, 'message': 'Too many requests'}", "rate limit was hit"),
        ("the rate limit is 5", "too many values requested"),
    ),
    Pattern(
        ErrorCode.TIMEOUT,
        "timed | took too long | deadline",
        r"\w (has |have )?timed[ -]?out\b | \btook too long\b | \bdeadline (was |has been )?exceeded\b",
        ("Command timed out after 5 seconds", "The query took too long"),
        ("the timeout is -1", "'timed out' is not a valid status", "the deadline is over"),
    ),
)
"""What makes a bad value no caller's. Around another error's words they say nothing."""

PLAIN: Final[tuple[Pattern, ...]] = (
    Pattern(
        ErrorCode.CONFLICT,
        "already exists",
        r"^\w.{0,200} already exists\W*$",
        ("Collection [orders] already exists",),
        ("whatever already exists was not read",),
    ),
    Pattern(
        ErrorCode.NOT_FOUND,
        "exist | not found",
        r"^\w.{0,200} (does not|doesn't) exist\W*$ | ^\w.{0,200} (was )?not found\W*$",
        ("Collection orders does not exist.", "index 'a' not found"),
        ("not found in the cache, so it was read again",),
    ),
    Pattern(
        ErrorCode.VALIDATION_ERROR,
        "-- invalid",
        r"-- invalid [\w ]{1,30}\W*$",
        ("Error at iterators.c:813: Cannot create iterator, invalid vertex ID. -- Invalid vertex ID",),
        ("-- invalid page 7 in block 8 of relation 9 on disk 10",),
    ),
)
"""Whole sentences that speak even where a class says no more than that something internal failed."""

LIFECYCLE: Final[tuple[Pattern, ...]] = (
    Pattern(
        ErrorCode.INTERNAL_ERROR,
        """
        be used | entered | started | awaited | initiali | constructed | in use | free port | called
        event loop
        """,
        r"""
        (must|should|can only|cannot) be used (as an?|inside|within|from|outside)\b
        (has|have|was|were|is) (not|never) (yet )?(been )?(entered|started|awaited|initiali[sz]ed|constructed)
        already been (entered|awaited|initiali[sz]ed|constructed)
        \b(address|port)( \S{1,40})? (is )?already in use | \bfree ports?\b | \bevent loop is\b
        called (during|within|outside)\b
        """,
        (
            "Timeout context manager should be used inside a task",
            "Timeout has not been entered",
            "is the port already in use?",
        ),
        ("a coupon may be used from June", "the race has started"),
    ),
)
"""What a plain error says of the order its own code has to keep."""
