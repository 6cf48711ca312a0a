"""Why a call failed: the codes and their traits, one table."""

from collections.abc import Mapping
from enum import IntEnum, StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple


class Fault(StrEnum):
    """Whose turn it is."""

    CALLER = "caller"
    UPSTREAM = "upstream"
    SERVER = "server"


class Category(StrEnum):
    """The coarse class of the `envelope` format (`error_type`)."""

    VALIDATION = "validation"
    AUTHENTICATION = "authentication"
    AUTHORIZATION = "authorization"
    NOT_FOUND = "not_found"
    CONFLICT = "conflict"
    RATE_LIMIT = "rate_limit"
    INTERNAL = "internal"
    UNAVAILABLE = "unavailable"


class ErrorType(StrEnum):
    """The six branches an agent takes (`toolerror` format)."""

    NOT_FOUND = "NOT_FOUND"
    CONFLICT = "CONFLICT"
    VALIDATION = "VALIDATION"
    PERMISSION = "PERMISSION"
    TRANSIENT = "TRANSIENT"
    INTERNAL = "INTERNAL"


class ErrorKind(StrEnum):
    """The kinds plain HTTP routes speak of (`problem+json`)."""

    VALIDATION = "validation"
    NOT_FOUND = "not_found"
    UNAUTHORIZED = "unauthorized"
    FORBIDDEN = "forbidden"
    CONFLICT = "conflict"
    RATE_LIMIT = "rate_limit"
    EXTERNAL = "external"
    INTERNAL = "internal"


class ErrorCode(IntEnum):
    """Why a call failed. The value is the taxonomy's number, not what a JSON-RPC envelope carries."""

    PARSE_ERROR = -32700
    INVALID_REQUEST = -32600
    METHOD_NOT_FOUND = -32601
    INVALID_PARAMS = -32602
    INTERNAL_ERROR = -32603
    SERVICE_UNAVAILABLE = -32000
    NOT_FOUND = -32001
    CONFLICT = -32002
    RATE_LIMITED = -32003
    TIMEOUT = -32004
    FORBIDDEN = -32005
    UNAUTHORIZED = -32006
    VALIDATION_ERROR = -32007
    CONFIGURATION_ERROR = -32008
    INITIALIZATION_FAILED = -32009
    DATABASE_ERROR = -32010
    SERIALIZATION_ERROR = -32070
    UNKNOWN_ERROR = -32099

    # Enum hashes the name, in Python; the table below is read on every failure.
    __hash__ = int.__hash__

    @property
    def traits(self) -> "Traits":
        return TRAITS[self]

    @property
    def label(self) -> str:
        """The name on the wire and in metrics: `NotFound`."""
        return TRAITS[self].label


class Traits(NamedTuple):
    """What follows from a code."""

    label: str
    """CamelCase: class name, `name` on the wire, metric label."""
    category: Category
    type: ErrorType
    kind: ErrorKind
    fault: Fault
    retryable: bool
    """Whether the same call may succeed later, unless the evidence says otherwise."""
    status: int
    """HTTP status of a plain route's answer."""
    wire: int
    """JSON-RPC code of an envelope; always one of the five standard ones."""
    registry: str
    """The string code of the `envelope` format."""
    hint: str
    """The next step where nothing better is known: one imperative sentence."""
    message: str
    """What may be said where the original text may not leave."""

    @property
    def name(self) -> str:
        """snake_case."""
        return "".join(f"_{c.lower()}" if c.isupper() else c for c in self.label).lstrip("_")


TRAITS: Final[Mapping[ErrorCode, Traits]] = MappingProxyType(
    {
        ErrorCode.PARSE_ERROR: Traits(
            "ParseError", Category.VALIDATION, ErrorType.VALIDATION, ErrorKind.VALIDATION,
            Fault.CALLER, False, 400, -32700, "INVALID_FORMAT",
            "Send one well-formed JSON-RPC message encoded as UTF-8.",
            "The message could not be parsed as JSON.",
        ),
        ErrorCode.INVALID_REQUEST: Traits(
            "InvalidRequest", Category.VALIDATION, ErrorType.VALIDATION, ErrorKind.VALIDATION,
            Fault.CALLER, False, 400, -32600, "VALIDATION_ERROR",
            "Change the request to an operation that is supported here.",
            "The request is not supported in this form.",
        ),
        ErrorCode.METHOD_NOT_FOUND: Traits(
            "MethodNotFound", Category.NOT_FOUND, ErrorType.NOT_FOUND, ErrorKind.NOT_FOUND,
            Fault.CALLER, False, 404, -32601, "RESOURCE_NOT_FOUND",
            "Use one of the methods this server advertises.",
            "The requested method does not exist.",
        ),
        ErrorCode.INVALID_PARAMS: Traits(
            "InvalidParams", Category.VALIDATION, ErrorType.VALIDATION, ErrorKind.VALIDATION,
            Fault.CALLER, False, 400, -32602, "VALIDATION_ERROR",
            "Correct the arguments to match the input schema, then call again.",
            "The arguments are not valid.",
        ),
        ErrorCode.INTERNAL_ERROR: Traits(
            "InternalError", Category.INTERNAL, ErrorType.INTERNAL, ErrorKind.INTERNAL,
            Fault.SERVER, False, 500, -32603, "INTERNAL_ERROR",
            "Do not repeat this call; report the error id to the operator.",
            "An internal error stopped the operation.",
        ),
        ErrorCode.SERVICE_UNAVAILABLE: Traits(
            "ServiceUnavailable", Category.UNAVAILABLE, ErrorType.TRANSIENT, ErrorKind.EXTERNAL,
            Fault.UPSTREAM, True, 503, -32603, "SERVICE_UNAVAILABLE",
            "Wait a moment, then retry the same call once or twice.",
            "A service this operation depends on is unavailable.",
        ),
        ErrorCode.NOT_FOUND: Traits(
            "NotFound", Category.NOT_FOUND, ErrorType.NOT_FOUND, ErrorKind.NOT_FOUND,
            Fault.CALLER, False, 404, -32602, "RESOURCE_NOT_FOUND",
            "Check the identifier, or list what exists and pick from it.",
            "The requested item was not found.",
        ),
        ErrorCode.CONFLICT: Traits(
            "Conflict", Category.CONFLICT, ErrorType.CONFLICT, ErrorKind.CONFLICT,
            Fault.CALLER, False, 409, -32600, "RESOURCE_CONFLICT",
            "Read the current state first, then decide whether the change is still needed.",
            "The operation conflicts with the current state.",
        ),
        ErrorCode.RATE_LIMITED: Traits(
            "RateLimited", Category.RATE_LIMIT, ErrorType.TRANSIENT, ErrorKind.RATE_LIMIT,
            Fault.UPSTREAM, True, 429, -32603, "RATE_LIMIT_EXCEEDED",
            "Wait before the next call and send fewer requests.",
            "A rate limit or quota was exceeded.",
        ),
        ErrorCode.TIMEOUT: Traits(
            "Timeout", Category.UNAVAILABLE, ErrorType.TRANSIENT, ErrorKind.EXTERNAL,
            Fault.UPSTREAM, True, 504, -32603, "DEPENDENCY_FAILED",
            "Retry once after a short wait, or ask for less in one call.",
            "The operation did not finish in time.",
        ),
        ErrorCode.FORBIDDEN: Traits(
            "Forbidden", Category.AUTHORIZATION, ErrorType.PERMISSION, ErrorKind.FORBIDDEN,
            Fault.CALLER, False, 403, -32600, "PERMISSION_DENIED",
            "Ask the user to grant the missing permission, or choose another resource.",
            "Permission for this operation was denied.",
        ),
        ErrorCode.UNAUTHORIZED: Traits(
            "Unauthorized", Category.AUTHENTICATION, ErrorType.PERMISSION, ErrorKind.UNAUTHORIZED,
            Fault.CALLER, False, 401, -32600, "AUTHENTICATION_REQUIRED",
            "Ask the user to sign in again or to renew the credentials.",
            "Valid credentials are required for this operation.",
        ),
        ErrorCode.VALIDATION_ERROR: Traits(
            "ValidationError", Category.VALIDATION, ErrorType.VALIDATION, ErrorKind.VALIDATION,
            Fault.CALLER, False, 422, -32602, "VALIDATION_ERROR",
            "Correct the value the message names, then call again.",
            "A value is not valid for this operation.",
        ),
        ErrorCode.CONFIGURATION_ERROR: Traits(
            "ConfigurationError", Category.INTERNAL, ErrorType.INTERNAL, ErrorKind.INTERNAL,
            Fault.SERVER, False, 500, -32603, "INTERNAL_ERROR",
            "Do not retry; tell the user that the server's configuration must be mended.",
            "The server is not configured for this operation.",
        ),
        ErrorCode.INITIALIZATION_FAILED: Traits(
            "InitializationFailed", Category.UNAVAILABLE, ErrorType.INTERNAL, ErrorKind.INTERNAL,
            Fault.SERVER, False, 503, -32603, "SERVICE_UNAVAILABLE",
            "Do not retry; tell the user that the server did not start correctly.",
            "A part of the server could not be started.",
        ),
        ErrorCode.DATABASE_ERROR: Traits(
            "DatabaseError", Category.INTERNAL, ErrorType.INTERNAL, ErrorKind.EXTERNAL,
            Fault.SERVER, False, 500, -32603, "DEPENDENCY_FAILED",
            "Do not repeat this call; report the error id to the operator.",
            "The data store could not complete the operation.",
        ),
        ErrorCode.SERIALIZATION_ERROR: Traits(
            "SerializationError", Category.INTERNAL, ErrorType.INTERNAL, ErrorKind.INTERNAL,
            Fault.SERVER, False, 500, -32603, "INTERNAL_ERROR",
            "Do not repeat this call unchanged; check the format of any data you supplied.",
            "Data could not be read or written in the expected format.",
        ),
        ErrorCode.UNKNOWN_ERROR: Traits(
            "UnknownError", Category.INTERNAL, ErrorType.INTERNAL, ErrorKind.INTERNAL,
            Fault.SERVER, False, 500, -32603, "INTERNAL_ERROR",
            "Do not repeat this call; report the error id to the operator.",
            "The operation failed for an unknown reason.",
        ),
    }
)  # fmt: skip


# --- lookups from the other vocabularies -------------------------------------------------------

BY_LABEL: Final[Mapping[str, ErrorCode]] = MappingProxyType({t.label: c for c, t in TRAITS.items()})

BY_TYPE: Final[Mapping[ErrorType, ErrorCode]] = MappingProxyType(
    {
        ErrorType.NOT_FOUND: ErrorCode.NOT_FOUND,
        ErrorType.CONFLICT: ErrorCode.CONFLICT,
        ErrorType.VALIDATION: ErrorCode.VALIDATION_ERROR,
        ErrorType.PERMISSION: ErrorCode.FORBIDDEN,
        ErrorType.TRANSIENT: ErrorCode.SERVICE_UNAVAILABLE,
        ErrorType.INTERNAL: ErrorCode.INTERNAL_ERROR,
    }
)

BY_KIND: Final[Mapping[ErrorKind, ErrorCode]] = MappingProxyType(
    {
        ErrorKind.VALIDATION: ErrorCode.VALIDATION_ERROR,
        ErrorKind.NOT_FOUND: ErrorCode.NOT_FOUND,
        ErrorKind.UNAUTHORIZED: ErrorCode.UNAUTHORIZED,
        ErrorKind.FORBIDDEN: ErrorCode.FORBIDDEN,
        ErrorKind.CONFLICT: ErrorCode.CONFLICT,
        ErrorKind.RATE_LIMIT: ErrorCode.RATE_LIMITED,
        ErrorKind.EXTERNAL: ErrorCode.SERVICE_UNAVAILABLE,
        ErrorKind.INTERNAL: ErrorCode.INTERNAL_ERROR,
    }
)

BY_CATEGORY: Final[Mapping[Category, ErrorCode]] = MappingProxyType(
    {
        Category.VALIDATION: ErrorCode.VALIDATION_ERROR,
        Category.AUTHENTICATION: ErrorCode.UNAUTHORIZED,
        Category.AUTHORIZATION: ErrorCode.FORBIDDEN,
        Category.NOT_FOUND: ErrorCode.NOT_FOUND,
        Category.CONFLICT: ErrorCode.CONFLICT,
        Category.RATE_LIMIT: ErrorCode.RATE_LIMITED,
        Category.INTERNAL: ErrorCode.INTERNAL_ERROR,
        Category.UNAVAILABLE: ErrorCode.SERVICE_UNAVAILABLE,
    }
)

BY_REGISTRY: Final[Mapping[str, ErrorCode]] = MappingProxyType(
    {
        "VALIDATION_ERROR": ErrorCode.VALIDATION_ERROR,
        "INVALID_FORMAT": ErrorCode.VALIDATION_ERROR,
        "MISSING_REQUIRED": ErrorCode.VALIDATION_ERROR,
        "VALUE_OUT_OF_RANGE": ErrorCode.VALIDATION_ERROR,
        "AUTHENTICATION_REQUIRED": ErrorCode.UNAUTHORIZED,
        "INVALID_CREDENTIALS": ErrorCode.UNAUTHORIZED,
        "TOKEN_EXPIRED": ErrorCode.UNAUTHORIZED,
        "PERMISSION_DENIED": ErrorCode.FORBIDDEN,
        "QUOTA_EXCEEDED": ErrorCode.RATE_LIMITED,
        "RESOURCE_NOT_FOUND": ErrorCode.NOT_FOUND,
        "RESOURCE_ALREADY_EXISTS": ErrorCode.CONFLICT,
        "RESOURCE_CONFLICT": ErrorCode.CONFLICT,
        "RATE_LIMIT_EXCEEDED": ErrorCode.RATE_LIMITED,
        "INTERNAL_ERROR": ErrorCode.INTERNAL_ERROR,
        "SERVICE_UNAVAILABLE": ErrorCode.SERVICE_UNAVAILABLE,
        "DEPENDENCY_FAILED": ErrorCode.SERVICE_UNAVAILABLE,
    }
)

_BY_STATUS: Final[Mapping[int, ErrorCode]] = MappingProxyType(
    {
        400: ErrorCode.INVALID_PARAMS,
        401: ErrorCode.UNAUTHORIZED,
        402: ErrorCode.FORBIDDEN,
        403: ErrorCode.FORBIDDEN,
        404: ErrorCode.NOT_FOUND,
        408: ErrorCode.TIMEOUT,
        409: ErrorCode.CONFLICT,
        420: ErrorCode.RATE_LIMITED,  # what services say that are older than 429
        422: ErrorCode.VALIDATION_ERROR,
        423: ErrorCode.CONFLICT,
        424: ErrorCode.CONFLICT,
        425: ErrorCode.TIMEOUT,
        429: ErrorCode.RATE_LIMITED,
        500: ErrorCode.INTERNAL_ERROR,
        501: ErrorCode.INTERNAL_ERROR,
        504: ErrorCode.TIMEOUT,
    }
)


def http_status_to_code(status: int) -> ErrorCode:
    """The code for an HTTP status of 400 and above; anything else is an InternalError."""
    if (code := _BY_STATUS.get(status)) is not None:
        return code
    if 400 <= status < 500:
        return ErrorCode.INVALID_REQUEST
    if 500 <= status < 600:
        return ErrorCode.SERVICE_UNAVAILABLE
    return ErrorCode.INTERNAL_ERROR


# --- numbers on the wire -----------------------------------------------------------------------

MODERN: Final = "2026-07-28"
"""The protocol version that divided up -32000..-32099; later versions sort after it."""

STANDARD_WIRE_CODES: Final = frozenset({-32700, -32600, -32601, -32602, -32603})

SPEC_CODES: Final = frozenset({-32020, -32021, -32022})
"""What the specification itself raises, and clients act on by its data."""
_NEVER: Final = frozenset({-32002, -32070, -32099})
URL_ELICITATION: Final = -32042
"""Asks the user to open a URL; only 2025-11-25 knows it."""
_ELICITATION_VERSION: Final = "2025-11-25"


def may_leave(number: int, version: str | None = None) -> bool:
    """Whether a JSON-RPC envelope towards a peer of this protocol version may carry the number."""
    if number in STANDARD_WIRE_CODES or not -32768 <= number <= -32000:
        return True
    modern = not version or version >= MODERN
    if number in SPEC_CODES:
        return modern
    if number == URL_ELICITATION:
        return version == _ELICITATION_VERSION
    return not modern and -32019 <= number <= -32000 and number not in _NEVER


def wire_code(code: ErrorCode, version: str | None = None, *, taxonomy_numbers: bool = False) -> int:
    """The number a JSON-RPC envelope carries for a handler's failure.

    A standard code, unless the taxonomy's own numbers were asked for and this peer may see them.
    -32601 is left to the SDK: modern HTTP answers it with 404.
    """
    if taxonomy_numbers and code not in STANDARD_WIRE_CODES and may_leave(code, version):
        return int(code)
    wire = code.traits.wire
    return -32600 if wire == -32601 else wire
