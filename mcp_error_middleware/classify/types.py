"""Qualified class name in, clue out: the types whose names say too little, or the wrong thing."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from mcp_error_middleware.classify.clue import Clue, Weight
from mcp_error_middleware.taxonomy import ErrorCode

BUGS: Final = frozenset(
    """
    ArithmeticError AssertionError AttributeError BufferError FloatingPointError ImportError IndexError
    KeyError MemoryError NameError NotImplementedError OverflowError RecursionError ReferenceError
    StopAsyncIteration StopIteration SystemError TypeError UnboundLocalError ZeroDivisionError
    GeneratorExit KeyboardInterrupt SystemExit Warning
    """.split()
)
"""Builtins that mean a mistake in code, or a process being ended. Words in their text never matter."""

SOFT: Final = "ValueError"
"""A bad value from the caller, unless it was raised from an upstream's failure."""

GENERIC: Final = frozenset(
    """
    BaseException BaseExceptionGroup Exception ExceptionGroup OSError RuntimeError object
    celery.exceptions.CeleryError
    fastmcp.exceptions.PromptError fastmcp.exceptions.ResourceError fastmcp.exceptions.ToolError
    mcp.server.fastmcp.exceptions.ResourceError mcp.server.fastmcp.exceptions.ToolError
    mcp.server.mcpserver.exceptions.ResourceError mcp.server.mcpserver.exceptions.ToolError
    mcp.server.mcpserver.exceptions.UnexpectedResourceError
    mcp.server.mcpserver.exceptions.UnexpectedToolError
    tenacity.RetryError
    urllib.error.URLError
    urllib3.exceptions.ResponseError
    """.split()
)
"""Types that say nothing of themselves: look inside, then at the text."""

_BUILTINS: Final = (
    (ErrorCode.INTERNAL_ERROR, "ChildProcessError InterruptedError"),
    (ErrorCode.CONFIGURATION_ERROR, "ModuleNotFoundError"),
    (ErrorCode.CONFLICT, "FileExistsError"),
    (ErrorCode.FORBIDDEN, "PermissionError"),
    (ErrorCode.NOT_FOUND, "FileNotFoundError ProcessLookupError"),
    (ErrorCode.SERIALIZATION_ERROR, "UnicodeError"),
    (ErrorCode.SERVICE_UNAVAILABLE, "ConnectionError BlockingIOError"),
    (ErrorCode.TIMEOUT, "TimeoutError"),
    (ErrorCode.VALIDATION_ERROR, "ValueError SyntaxError IsADirectoryError NotADirectoryError"),
    *((ErrorCode.INTERNAL_ERROR, bug) for bug in sorted(BUGS)),
)

_FAINT_BUILTINS: Final = (
    (ErrorCode.INTERNAL_ERROR, "LookupError"),
    (ErrorCode.SERIALIZATION_ERROR, "EOFError"),
)
"""Those whose text may say more: what was looked up, and what came to its end, a file or a connection."""

_STANDARD_LIBRARY: Final = (
    (
        ErrorCode.CONFIGURATION_ERROR,
        "configparser.Error importlib.metadata.PackageNotFoundError",
    ),
    (
        ErrorCode.INTERNAL_ERROR,
        """
        _pickle.PicklingError asyncio.exceptions.BrokenBarrierError asyncio.exceptions.LimitOverrunError
        asyncio.queues.QueueEmpty asyncio.queues.QueueFull
        concurrent.futures._base.BrokenExecutor concurrent.futures.process.BrokenProcessPool
        concurrent.futures.thread.BrokenThreadPool
        ctypes.ArgumentError decimal.DivisionByZero http.client.CannotSendRequest
        http.client.ResponseNotReady io.UnsupportedOperation pickle.PicklingError
        threading.BrokenBarrierError
        """,
    ),
    (ErrorCode.RATE_LIMITED, "queue.Full"),
    (
        ErrorCode.SERIALIZATION_ERROR,
        """
        _csv.Error _lzma.LZMAError binascii.Error configparser.ParsingError copy.Error csv.Error
        email.errors.MessageParseError gzip.BadGzipFile plistlib.InvalidFileException struct.error
        tarfile.TarError wave.Error xml.parsers.expat.ExpatError xml.sax._exceptions.SAXParseException
        zlib.error
        """,
    ),
    (
        ErrorCode.SERVICE_UNAVAILABLE,
        """
        aiohttp.client_exceptions.ClientPayloadError aiohttp.http_exceptions.HttpProcessingError
        asyncio.exceptions.IncompleteReadError ftplib.error_proto
        ftplib.error_temp http.client.HTTPException imaplib.IMAP4.abort socket.gaierror socket.herror
        """,
    ),
    (
        ErrorCode.TIMEOUT,
        "_queue.Empty asyncio.exceptions.CancelledError concurrent.futures._base.CancelledError",
    ),
    (
        ErrorCode.VALIDATION_ERROR,
        """
        argparse.ArgumentError decimal.DecimalException decimal.InvalidOperation getopt.GetoptError
        http.client.InvalidURL http.cookies.CookieError locale.Error re.PatternError re.error
        shutil.SameFileError smtplib.SMTPRecipientsRefused smtplib.SMTPSenderRefused tokenize.TokenError
        """,
    ),
)

_ELSEWHERE: Final = (
    (
        ErrorCode.CONFIGURATION_ERROR,
        """
        botocore.exceptions.ProfileNotFound bs4.FeatureNotFound bs4.exceptions.FeatureNotFound
        jwt.exceptions.InvalidKeyError
        """,
    ),
    (
        ErrorCode.DATABASE_ERROR,
        """
        cassandra.protocol.SyntaxException django.db.transaction.TransactionManagementError
        sqlalchemy.exc.CompileError sqlalchemy.exc.InvalidRequestError
        """,
    ),
    (
        ErrorCode.INTERNAL_ERROR,
        """
        anyio.ClosedResourceError anyio._core._exceptions.ClosedResourceError
        botocore.exceptions.UnknownServiceError cerberus.schema.SchemaError cvxpy.error.DCPError
        django.urls.exceptions.NoReverseMatch fastmcp.exceptions.InvalidSignature
        h11._util.LocalProtocolError httpx.LocalProtocolError httpx.StreamError
        jsonschema.exceptions.SchemaError lark.exceptions.GrammarError
        mcp.server.fastmcp.exceptions.InvalidSignature
        mcp.server.mcpserver.exceptions.InvalidSignature numpy.AxisError
        numpy.exceptions.AxisError pydantic.errors.PydanticErrorMixin
        pydantic_core._pydantic_core.SchemaError
        sqlalchemy.exc.ArgumentError sqlalchemy.exc.MultipleResultsFound starlette.routing.NoMatchFound
        tomlkit.exceptions.ConvertError tornado.gen.BadYieldError trio.ClosedResourceError
        web3.exceptions.MismatchedABI
        """,
    ),
    (ErrorCode.FORBIDDEN, "cassandra.Unauthorized"),
    (ErrorCode.NOT_FOUND, "dns.resolver.NXDOMAIN dns.resolver.NoAnswer hvac.exceptions.InvalidPath"),
    (
        ErrorCode.SERVICE_UNAVAILABLE,
        "kazoo.exceptions.SessionExpiredError neo4j.exceptions.SessionExpired",
    ),
    (ErrorCode.TIMEOUT, "trio.Cancelled"),
    (
        ErrorCode.UNAUTHORIZED,
        "asyncssh.misc.PermissionDenied authlib.jose.errors.DecodeError jwt.exceptions.DecodeError",
    ),
    (
        ErrorCode.VALIDATION_ERROR,
        """
        bson.errors.InvalidId defusedxml.common.DTDForbidden defusedxml.common.EntitiesForbidden
        defusedxml.common.ExternalReferenceForbidden idna.core.IDNAError openai.LengthFinishReasonError
        regex._regex_core.error
        """,
    ),
)

_FAINT: Final = (
    (
        ErrorCode.DATABASE_ERROR,
        """
        _dbm.error _gdbm.error dbm.error redis.exceptions.ExecAbortError redis.exceptions.ResponseError
        valkey.exceptions.ExecAbortError valkey.exceptions.ResponseError
        """,
    ),
    (ErrorCode.SERVICE_UNAVAILABLE, "poplib.error_proto"),
)
"""Those whose text may say more."""

_Groups = tuple[tuple[ErrorCode, str], ...]


def _table(groups: _Groups, weight: Weight) -> Mapping[str, Clue]:
    return MappingProxyType(
        {name: Clue(code, weight, "type", name) for code, names in groups for name in names.split()}
    )


BUILTINS: Final = {
    **_table(_BUILTINS, Weight.BASE),
    **_table(_FAINT_BUILTINS, Weight.WEAK),
}
"""What a builtin says, of itself and of subclasses with no telling name."""

TYPES: Final = {
    **_table(_STANDARD_LIBRARY, Weight.FIRM),
    **_table(_ELSEWHERE, Weight.FIRM),
    **_table(_FAINT, Weight.WEAK),
    **{
        name: Clue(ErrorCode.CONFLICT, Weight.FIRM, "type", name, retryable=True)
        for name in ("redis.exceptions.WatchError", "valkey.exceptions.WatchError")
    },
}
"""Classes named too briefly, and those that use a word of the table of names in another sense."""
