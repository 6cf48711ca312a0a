"""Errors an author raises on purpose: one class per code.

McpError
 ├─ ParseError            ├─ InvalidRequest        ├─ MethodNotFound
 ├─ InvalidParams         ├─ InternalError         ├─ ServiceUnavailable(service=)
 ├─ NotFound(resource=, id=)                       ├─ Conflict
 ├─ RateLimited(retry_after=)                      ├─ Timeout(retry_after=)
 ├─ Forbidden(required_role=)                      ├─ Unauthorized
 ├─ ValidationError(fields=)                       ├─ ConfigurationError
 ├─ InitializationFailed  ├─ DatabaseError
 └─ SerializationError    └─ UnknownError

What is said here is declared: message and data leave the server, scrubbed.

    raise NotFound("Order 'ord_999' was not found.", data={"order": "ord_999"}) from exc
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self, TypedDict, TypeGuard, Unpack

from mcp_error_middleware.taxonomy import ErrorCode


class Options(TypedDict, total=False):
    """What every error takes beside its message and data."""

    reason: str | None
    recovery: str | None
    retryable: bool | None
    retry_after: float | None


def known_code(code: ErrorCode | int) -> ErrorCode:
    """The member of this number; one sentence where there is none."""
    try:
        return ErrorCode(code)
    except ValueError:
        raise ValueError(f"{code!r} is not an ErrorCode; use one of its members, such as NOT_FOUND") from None


class McpError(Exception):
    """A failure with a code, a message for the caller and data for the program."""

    code: ErrorCode
    message: str
    data: dict[str, Any]
    retryable: bool | None

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "CODE" in vars(cls):
            setattr(cls, "CODE", known_code(vars(cls)["CODE"]))  # noqa: B010 - only those with a code have it

    def __new__(cls, *args: Any, **options: Any) -> Self:
        # A subclass may forget super().__init__(); it must still be an error that can be shown.
        error = super().__new__(cls, *args)
        code = getattr(cls, "CODE", ErrorCode.INTERNAL_ERROR)
        error._hold(code, code.traits.message, {}, None)
        return error

    def _hold(self, code: ErrorCode, message: str, data: dict[str, Any], retryable: bool | None) -> None:
        # Not by assignment: a subclass may be frozen, or work one of these out.
        self.__dict__.update(code=code, message=message, data=data, retryable=retryable)

    def __init__(
        self,
        code: ErrorCode | int,
        message: str | None = None,
        data: Mapping[str, Any] | None = None,
        *,
        reason: str | None = None,
        recovery: str | None = None,
        retryable: bool | None = None,
        retry_after: float | None = None,
    ) -> None:
        own = known_code(code)
        text = _text(message, own.traits.message)
        facts = _copied(data)
        if reason is not None:
            facts["reason"] = reason
        if recovery is not None:
            facts["recovery"] = {"hint": recovery}
        if retry_after is not None:
            facts["retry_after"] = retry_after
        self._hold(own, text, facts, retryable)
        super().__init__(text)

    @property
    def reason(self) -> str | None:
        """The mode of the contract this failure is, if it says so."""
        reason = self.data.get("reason")
        return reason if isinstance(reason, str) else None

    @property
    def retry_after(self) -> float | None:
        """Seconds to wait before the next try."""
        seconds = self.data.get("retry_after")
        return seconds if isinstance(seconds, int | float) and not isinstance(seconds, bool) else None

    def to_dict(self) -> dict[str, Any]:
        """The error as plain data, a copy."""
        return {
            "code": int(self.code),
            "name": self.code.label,
            "kind": self.code.traits.kind.value,
            "message": self.message,
            "data": _copied(self.data),
        }

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        code = f"ErrorCode.{self.code.name}, " if type(self) is McpError else ""
        data = f", data={self.data!r}" if self.data else ""
        return f"{type(self).__name__}({code}{self.message!r}{data})"

    def __reduce__(self) -> tuple[Any, ...]:
        state: Any = object.__getstate__(self)
        held, slots = state if isinstance(state, tuple) else (state, {})
        return _rebuilt, (type(self), self.args, {**held, "data": _copied(self.data)}, slots)


class CodedError(McpError):
    """A class that is its code. Subclass one of those below to name a domain's own error."""

    CODE: ClassVar[ErrorCode]

    def __init__(
        self,
        message: str | None = None,
        data: Mapping[str, Any] | None = None,
        **options: Unpack[Options],
    ) -> None:
        super().__init__(self.CODE, message, data, **options)


class ParseError(CodedError):
    """Malformed JSON was received."""

    CODE: ClassVar[ErrorCode] = ErrorCode.PARSE_ERROR


class InvalidRequest(CodedError):
    """The operation is not supported in this form."""

    CODE: ClassVar[ErrorCode] = ErrorCode.INVALID_REQUEST


class MethodNotFound(CodedError):
    """The requested method does not exist."""

    CODE: ClassVar[ErrorCode] = ErrorCode.METHOD_NOT_FOUND


class InvalidParams(CodedError):
    """The arguments do not fit the schema."""

    CODE: ClassVar[ErrorCode] = ErrorCode.INVALID_PARAMS


class InternalError(CodedError):
    """A bug, or something nobody expected."""

    CODE: ClassVar[ErrorCode] = ErrorCode.INTERNAL_ERROR


class ServiceUnavailable(CodedError):
    """Something this server depends on is down."""

    CODE: ClassVar[ErrorCode] = ErrorCode.SERVICE_UNAVAILABLE

    def __init__(
        self,
        message: str | None = None,
        data: Mapping[str, Any] | None = None,
        *,
        service: str | None = None,
        **options: Unpack[Options],
    ) -> None:
        if message is None and service is not None:
            message = f"{service} is unavailable."
        super().__init__(message, _with(data, service=service), **options)


class NotFound(CodedError):
    """What was asked for does not exist."""

    CODE: ClassVar[ErrorCode] = ErrorCode.NOT_FOUND

    def __init__(
        self,
        message: str | None = None,
        data: Mapping[str, Any] | None = None,
        *,
        resource: str | None = None,
        id: str | int | None = None,
        **options: Unpack[Options],
    ) -> None:
        if message is None and resource is not None:
            message = f"{resource} {id!r} was not found." if id is not None else f"{resource} was not found."
        super().__init__(message, _with(data, resource=resource, id=id), **options)


class Conflict(CodedError):
    """A duplicate, a stale version or a concurrent change."""

    CODE: ClassVar[ErrorCode] = ErrorCode.CONFLICT


class RateLimited(CodedError):
    """Too many requests."""

    CODE: ClassVar[ErrorCode] = ErrorCode.RATE_LIMITED


class Timeout(CodedError):
    """It took too long."""

    CODE: ClassVar[ErrorCode] = ErrorCode.TIMEOUT


class Forbidden(CodedError):
    """Known, but not allowed."""

    CODE: ClassVar[ErrorCode] = ErrorCode.FORBIDDEN

    def __init__(
        self,
        message: str | None = None,
        data: Mapping[str, Any] | None = None,
        *,
        required_role: str | None = None,
        **options: Unpack[Options],
    ) -> None:
        super().__init__(message, _with(data, required_role=required_role), **options)


class Unauthorized(CodedError):
    """No credentials, or not valid any more."""

    CODE: ClassVar[ErrorCode] = ErrorCode.UNAUTHORIZED


class ValidationError(CodedError):
    """A value breaks a rule of the domain."""

    CODE: ClassVar[ErrorCode] = ErrorCode.VALIDATION_ERROR

    def __init__(
        self,
        message: str | None = None,
        data: Mapping[str, Any] | None = None,
        *,
        fields: Mapping[str, Sequence[str]] | None = None,
        **options: Unpack[Options],
    ) -> None:
        if message is None and (said := problems_of(fields)):
            message = f"{'; '.join(f'{field} {problem}' for field, problem in said)}."
        super().__init__(message, _with(data, fields=fields), **options)


class ConfigurationError(CodedError):
    """The server lacks a setting, or has a wrong one."""

    CODE: ClassVar[ErrorCode] = ErrorCode.CONFIGURATION_ERROR


class InitializationFailed(CodedError):
    """A part of the server did not start."""

    CODE: ClassVar[ErrorCode] = ErrorCode.INITIALIZATION_FAILED


class DatabaseError(CodedError):
    """The data store failed."""

    CODE: ClassVar[ErrorCode] = ErrorCode.DATABASE_ERROR


class SerializationError(CodedError):
    """Data could not be read or written in its format."""

    CODE: ClassVar[ErrorCode] = ErrorCode.SERIALIZATION_ERROR


class UnknownError(CodedError):
    """Nothing else fits."""

    CODE: ClassVar[ErrorCode] = ErrorCode.UNKNOWN_ERROR


def problems_of(fields: object) -> list[tuple[str, str]]:
    """Each field with each of its problems, of what a `ValidationError` was given."""
    named = fields.items() if isinstance(fields, Mapping) else ()
    lists = ((str(field), [told] if isinstance(told, str) else told) for field, told in named)
    return [
        (field, problem)
        for field, told in lists
        if isinstance(told, list | tuple)
        for problem in told
        if isinstance(problem, str)
    ]


BY_CODE: dict[ErrorCode, type[CodedError]] = {cls.CODE: cls for cls in CodedError.__subclasses__()}


def error_for(code: ErrorCode, message: str | None = None, data: Mapping[str, Any] | None = None) -> McpError:
    """An instance of the class of this code."""
    return BY_CODE[code](message, data)


_NAMES_ITS_CAUSE = "_names_its_cause"


def naming(original: BaseException, code: ErrorCode) -> McpError:
    """The error of this code that stands for another and has no words of its own."""
    error = error_for(code)
    error.__cause__ = original
    error.__dict__[_NAMES_ITS_CAUSE] = True
    return error


def worded(exc: BaseException) -> BaseException:
    """The exception whose words an answer may have: this one, or the one it only names."""
    names = issubclass(type(exc), McpError) and _NAMES_ITS_CAUSE in exc.__dict__
    return exc.__cause__ or exc if names else exc


def is_mcp_error(value: object, code: ErrorCode | None = None) -> TypeGuard[McpError]:
    """Whether the value is an McpError, of this code if one is given."""
    return issubclass(type(value), McpError) and (code is None or getattr(value, "code", None) is code)


def _with(data: Mapping[str, Any] | None, **named: Any) -> dict[str, Any]:
    return {**_mapping(data), **{key: value for key, value in named.items() if value is not None}}


def _text(message: object, otherwise: str) -> str:
    # `raise NotFound(exc) from exc` is common, and str() of an error must return text.
    try:
        return otherwise if message is None else str(message)
    except Exception:  # noqa: BLE001 - its own text fails: the code still has one
        return otherwise


def _mapping(data: object) -> dict[str, Any]:
    try:
        return dict(data) if isinstance(data, Mapping) else {} if data is None else {"value": data}
    except Exception:  # noqa: BLE001 - a hostile mapping must not replace the failure at hand
        return {}


def _copied(data: Mapping[str, Any] | None) -> dict[str, Any]:
    own = _mapping(data)
    try:
        known: dict[int, Any] = {}
        return {key: _copy(value, known) for key, value in own.items()}
    except RecursionError:
        return own


def _copy(value: Any, known: dict[int, Any]) -> Any:
    """Plain containers are copied; anything else is shared, since nobody knows what copying it would do."""
    if id(value) in known:
        return known[id(value)]
    if type(value) is dict:
        copied: dict[Any, Any] = {}
        known[id(value)] = copied
        copied.update((key, _copy(item, known)) for key, item in value.items())
        return copied
    if type(value) is list:
        items: list[Any] = []
        known[id(value)] = items
        items.extend(_copy(item, known) for item in value)
        return items
    if type(value) is tuple:
        return known.setdefault(id(value), tuple([_copy(item, known) for item in value]))
    return set(value) if type(value) is set else value


def _rebuilt(
    cls: type[McpError], args: tuple[Any, ...], held: dict[str, Any], slots: dict[str, Any]
) -> McpError:
    # Not by its own __new__ or __init__: those may want what only the raise knew.
    error = McpError.__new__(cls)
    object.__setattr__(error, "args", args)
    error.__dict__.update(held)
    for name, value in slots.items():
        object.__setattr__(error, name, value)
    return error
