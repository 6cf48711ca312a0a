"""An answer in, the error it carries out; or one readable block about why it is not the one expected."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any, Final, TypeAlias

from mcp_error_middleware.client import RemoteError
from mcp_error_middleware.errors import McpError
from mcp_error_middleware.taxonomy import BY_LABEL, ErrorCode
from mcp_error_middleware.testing.answers import Answer, Channel, read_answer

Code: TypeAlias = ErrorCode | int | str | type[McpError]
"""`ErrorCode.NOT_FOUND`, `"NotFound"` or `NotFound`; of a protocol error also the number on the wire."""

_UNSAID: Final[Any] = object()


def assert_tool_error(
    answer: object,
    code: Code | None = None,
    *,
    reason: str | None = _UNSAID,
    retryable: bool | None = None,
    message: str | re.Pattern[str] | None = None,
) -> RemoteError:
    """Assert that a tool said it failed, and so; returns what it said.

    `message` is a part of the text or a pattern; what is not given may be anything.
    """
    __tracebackhide__ = True
    return _asserted("tool error", answer, code, reason, retryable, message)


def assert_protocol_error(
    answer: object,
    code: Code | None = None,
    *,
    reason: str | None = _UNSAID,
    retryable: bool | None = None,
    message: str | re.Pattern[str] | None = None,
) -> RemoteError:
    """Assert that the answer is a JSON-RPC error, and this one; returns what it said."""
    __tracebackhide__ = True
    return _asserted("protocol error", answer, code, reason, retryable, message)


def _asserted(
    channel: Channel,
    said: object,
    code: Code | None,
    reason: str | None,
    retryable: bool | None,
    message: str | re.Pattern[str] | None,
) -> RemoteError:
    __tracebackhide__ = True
    answer = read_answer(said)
    if answer.channel != channel or answer.error is None:
        raise AssertionError(_block(f"expected a {channel}, got {_got(answer, said)}", answer))
    wrong = list(_differences(answer, answer.error, code, reason, retryable, message))
    if wrong:
        raise AssertionError(_block("\n".join([f"the {channel} is not the one expected:", *wrong]), answer))
    return answer.error


def _got(answer: Answer, said: object) -> str:
    if answer.channel == "no answer":
        return f"no answer of a server but {type(said).__name__}"
    return answer.channel if answer.channel == "success" else f"a {answer.channel}"


def _differences(
    answer: Answer,
    error: RemoteError,
    code: Code | None,
    reason: str | None,
    retryable: bool | None,
    message: str | re.Pattern[str] | None,
) -> Iterator[str]:
    if type(code) is int and answer.channel == "protocol error":
        if answer.wire_error.get("code") != code:
            yield _line("code", code, answer.wire_error.get("code"))
    elif code is not None and error.code is not (expected := _code(code)):
        yield _line("code", expected.label, error.name)
    if reason is not _UNSAID and error.reason != reason:
        yield _line("reason", reason, error.reason)
    if retryable is not None and error.retryable is not retryable:
        yield _line("retryable", retryable, error.retryable)
    if message is not None and not _fits(message, error.message):
        yield _line("message", message if isinstance(message, str) else message.pattern, error.message)


def _fits(message: str | re.Pattern[str], said: str) -> bool:
    return message in said if isinstance(message, str) else message.search(said) is not None


def _line(name: str, expected: object, got: object) -> str:
    return f"  {name}: expected {expected!r}, got {got!r}"


def _code(code: Code) -> ErrorCode:
    if isinstance(code, int):
        return ErrorCode(code)
    if isinstance(code, str):
        if code not in BY_LABEL:
            near = get_close_matches(code, BY_LABEL, 1)
            raise ValueError(
                f"{code!r} is no code; " + (f"did you mean {near[0]!r}?" if near else "see ErrorCode")
            )
        return BY_LABEL[code]
    found = getattr(code, "CODE", None)
    if not isinstance(found, ErrorCode):
        raise TypeError(
            f"{code!r} is no code; pass a member of ErrorCode, its label, or a class such as NotFound"
        )
    return found


def _block(problem: str, answer: Answer) -> str:
    read = answer.text or "(nothing)"
    return "\n".join([problem, "the agent reads:", *(f"  | {line}" for line in read.splitlines())])
