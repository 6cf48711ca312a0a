"""Every failure of an MCP server becomes an answer an agent can act on, and a record an operator can follow.

from mcp_error_middleware import install
install(server)
"""

from mcp_error_middleware.classify import (
    Classifier,
    Explanation,
    by_pattern,
    by_predicate,
    by_type,
    classify,
    explain,
)
from mcp_error_middleware.contracts import Contract, ContractError, Mode, raises, recovery_for
from mcp_error_middleware.errors import (
    ConfigurationError,
    Conflict,
    DatabaseError,
    Forbidden,
    InitializationFailed,
    InternalError,
    InvalidParams,
    InvalidRequest,
    McpError,
    MethodNotFound,
    NotFound,
    ParseError,
    RateLimited,
    SerializationError,
    ServiceUnavailable,
    Timeout,
    Unauthorized,
    UnknownError,
    ValidationError,
    is_mcp_error,
)
from mcp_error_middleware.guard import guard
from mcp_error_middleware.install import install, uninstall
from mcp_error_middleware.model import Call, Evidence, Failure, Hint, Verdict
from mcp_error_middleware.policy import ErrorPolicy, Exposure
from mcp_error_middleware.render import Format
from mcp_error_middleware.sanitize import Scrubber, sanitize_data, sanitize_text
from mcp_error_middleware.taxonomy import ErrorCode, Fault, http_status_to_code
from mcp_error_middleware.triage import Triage
from mcp_error_middleware.upstream import http_error_from_response

__all__ = [
    "Call",
    "Classifier",
    "ConfigurationError",
    "Conflict",
    "Contract",
    "ContractError",
    "DatabaseError",
    "ErrorCode",
    "ErrorPolicy",
    "Evidence",
    "Explanation",
    "Exposure",
    "Failure",
    "Fault",
    "Forbidden",
    "Format",
    "Hint",
    "InitializationFailed",
    "InternalError",
    "InvalidParams",
    "InvalidRequest",
    "McpError",
    "MethodNotFound",
    "Mode",
    "NotFound",
    "ParseError",
    "RateLimited",
    "Scrubber",
    "SerializationError",
    "ServiceUnavailable",
    "Timeout",
    "Triage",
    "Unauthorized",
    "UnknownError",
    "ValidationError",
    "Verdict",
    "by_pattern",
    "by_predicate",
    "by_type",
    "classify",
    "explain",
    "guard",
    "http_error_from_response",
    "http_status_to_code",
    "install",
    "is_mcp_error",
    "raises",
    "recovery_for",
    "sanitize_data",
    "sanitize_text",
    "uninstall",
]
