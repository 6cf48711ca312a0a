"""Anything a client hands over in, remote error out; None for a success. Never raises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from mcp_error_middleware.classify import (
    classify,
    mro_of,
    qualified_name,
    retry_after_from_headers,
    safe_str,
    walk,
)
from mcp_error_middleware.classify.chain import members_of
from mcp_error_middleware.classify.evidence.access import (
    either,
    integer,
    is_exception,
    is_list,
    is_mapping,
    is_text,
    item,
    read,
    text,
)
from mcp_error_middleware.client.prose import failed_text, json_object, read_text
from mcp_error_middleware.client.remote import RemoteError, Source
from mcp_error_middleware.client.shapes import (
    Said,
    described,
    done,
    error_object,
    is_unsure,
    read_object,
    service_error,
    tool_failure,
    wire_error,
)
from mcp_error_middleware.model import Retry
from mcp_error_middleware.render import META_KEY
from mcp_error_middleware.render.plain import plain
from mcp_error_middleware.render.toolfailure import TOOL_FAILURE_KEY
from mcp_error_middleware.sanitize import sanitize_text
from mcp_error_middleware.taxonomy import ErrorCode, ErrorType, http_status_to_code

_BLOCKS: Final = 20
_BODY: Final = 1_000_000


def parse_error(answer: object) -> RemoteError | None:
    """What a tool result, an exception, an HTTP response, a dict or a text says went wrong.

    A text alone, and a dict that is no result, are errors only where they have the form of one.
    """
    try:
        return _parsed(answer)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - somebody else's object; that it failed is all there is to know
        return described(Source.TEXT, None, {}, None)


def _parsed(answer: Any) -> RemoteError | None:
    if answer is None:
        return None
    if is_exception(answer):
        return _raised(answer)
    if is_text(answer):
        return read_text(text(answer) or "")
    if is_list(answer):
        return _in_texts(answer)
    if is_mapping(answer) and (whole := _whole(answer)) is not None:
        return whole
    if (status := integer(either(answer, "status_code"))) is not None:
        return _answered(answer, status)
    return _result(answer)


def _whole(answer: Any) -> RemoteError | None:
    """A dict that is the error, or has it at its top, as JSON-RPC does."""
    if item(answer, "isError") is not None or item(answer, "content") is not None:
        return None
    if is_mapping(inner := item(answer, "result")):
        return _result(inner)
    said = plain(answer, _BODY)
    return read_object(said) if isinstance(said, dict) else None


# --- tool results -------------------------------------------------------------------------------


def _result(answer: Any) -> RemoteError | None:
    """The first surface that speaks: `_meta`, `structuredContent`, the texts."""
    failed = _is_set(_field(answer, "is_error", "isError")) or text(_field(answer, "status")) == "error"
    if (error := _in_meta(answer) or _in_structured(answer, failed)) is not None:
        return error
    blocks = _field(answer, "content")
    error = _in_texts(blocks)
    if failed and (error is None or error.code is None):
        said = error.message if error else "\n".join(_texts(blocks))
        draft = _meta(answer, TOOL_FAILURE_KEY)
        return tool_failure(draft, said) if draft else _in_failed(blocks) or error or failed_text(said)
    return error if failed or (error and error.source is Source.ENVELOPE) else None


def _in_meta(answer: Any) -> RemoteError | None:
    found = error_object(_meta(answer, META_KEY))
    return found and replace(found, source=Source.META)


def _meta(answer: Any, key: str) -> dict[str, Any]:
    said = plain(item(_field(answer, "_meta", "meta"), key), _BODY)
    return said if isinstance(said, dict) else {}


def _in_structured(answer: Any, failed: bool) -> RemoteError | None:
    """An envelope says by itself that it is a failure; anything else needs the flag."""
    said = plain(_field(answer, "structured_content", "structuredContent"), _BODY)
    if not isinstance(said, dict) or not (failed or said.get("success") is False):
        return None
    error = read_object(said) or (service_error(said) if failed else None)
    return error if failed or (error and error.source is Source.ENVELOPE) else None


def _in_texts(blocks: Any) -> RemoteError | None:
    return next((error for block in _texts(blocks) if (error := read_text(block)) is not None), None)


def _in_failed(blocks: Any) -> RemoteError | None:
    """The first block that tells what went wrong, where it is known that something did."""
    found = map(failed_text, _texts(blocks))
    return next((error for error in found if error.code is not None), None)


def _texts(blocks: Any) -> Iterator[str]:
    if is_text(blocks):
        yield (text(blocks) or "")[:_BODY]
    elif is_list(blocks):
        found = (text(either(block, "text")) for block in islice(blocks, _BLOCKS))
        yield from (block[:_BODY] for block in found if block)


def _field(answer: Any, *names: str) -> Any:
    """Of a dict or an object, under the wire's name or Python's, which newer clients want to be read by."""
    return next((value for name in names if (value := either(answer, name)) is not None), None)


def _is_set(flag: object) -> bool:
    return flag is True or flag == 1 or text(flag) == "true"


# --- HTTP responses -----------------------------------------------------------------------------


def _answered(response: Any, status: int) -> RemoteError | None:
    body = next((read(response, name) for name in ("_content", "_body") if read(response, name)), None)
    said = json_object((text(body) or "")[:_BODY])
    error = _parsed(said) if said is not None else None
    if status < 300:
        return error
    wait = retry_after_from_headers(read(response, "headers"))
    if error is None or error.code is None:
        message = error.message if error else f"The server answered HTTP {status}."
        return described(
            Source.HTTP,
            http_status_to_code(status),
            {"retry_after": wait},
            message,
            number=status,
            unsure=is_unsure(status),
        )
    return error if wait is None or error.retry_after is not None else _delayed(error, wait)


def _delayed(error: RemoteError, wait: float) -> RemoteError:
    return replace(error, retry_after=wait, retry=Retry.AFTER if error.retry is Retry.SAFE else error.retry)


# --- exceptions ---------------------------------------------------------------------------------

PROTOCOL: Final = frozenset({"MCPError", "McpError"})
OF_TOOL: Final = frozenset({"ToolError", "ToolException"})
"""What clients raise for an answer that is a JSON-RPC error, or a tool's result with `isError`."""
_UNSENT: Final = frozenset(
    "ClientConnectorError ConnectError ConnectTimeout ConnectionRefusedError PoolTimeout gaierror".split()
)
"""Raised before a request has left."""


def _raised(exc: BaseException) -> RemoteError:
    """The server's words, wherever in the chain they are; else what this side met."""
    links = [link.exc for link in walk(exc) if link.relation != "suppressed"]
    told = next((error for link in links if (error := _told(link)) is not None), None)
    return told or _met(exc, links)


def _told(exc: BaseException) -> RemoteError | None:
    names = _names(exc)
    if names & PROTOCOL and (error := read(exc, "error")) is not None:
        return wire_error({key: plain(either(error, key), _BODY) for key in ("code", "message", "data")})
    if names & OF_TOOL:
        said = safe_str(exc, _BODY)
        return failed_text(said)
    response = read(exc, "response")
    status = integer(either(response, "status_code")) or integer(either(response, "status"))
    return _answered(response, status) if status is not None else None


def _met(exc: BaseException, links: list[BaseException]) -> RemoteError:
    verdict = classify(exc)
    code, unsent = verdict.code, _is_unsent(exc)
    if code.traits.type is ErrorType.VALIDATION:
        # Not the server's word on the arguments: what it answered is not what this side expects.
        code = ErrorCode.SERIALIZATION_ERROR
    facts: Said = {"retryable": verdict.retryable, "retry_after": verdict.retry_after}
    if not unsent:
        facts = done(code, facts)
    # What this side raises may quote its own credentials.
    spoken = next((link for link in links if not members_of(link)), exc)
    message = sanitize_text(safe_str(spoken)) or qualified_name(type(spoken))
    error = described(Source.EXCEPTION, code, facts, message, number=verdict.status, unsure=not unsent)
    return replace(error, retry=Retry.SAFE) if unsent and verdict.retryable else error


def _is_unsent(exc: BaseException) -> bool:
    """Whether the deciding exception is of before a request has left; of a group, each member's."""
    if members := members_of(exc):
        return all(map(_is_unsent, members))
    evidence = classify(exc).evidence
    deciding = (
        link.exc for link in walk(exc) if evidence and qualified_name(type(link.exc)) == evidence.type
    )
    return any(_names(link) & _UNSENT for link in deciding)


def _names(exc: BaseException) -> frozenset[str]:
    return frozenset(qualified_name(cls).rpartition(".")[2] for cls in mro_of(type(exc)))
