"""Subject in, the number a remote procedure or a message broker answered with out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from mcp_error_middleware.classify.clue import Clue, Weight
from mcp_error_middleware.classify.evidence.access import either, integer, is_list, is_text, item, text
from mcp_error_middleware.classify.evidence.subject import Subject
from mcp_error_middleware.taxonomy import ErrorCode

JSONRPC: Final[Mapping[int, ErrorCode]] = {
    **{int(code): code for code in ErrorCode},
    # What the MCP SDKs and older peers mean by these numbers goes before the taxonomy's meaning.
    -32001: ErrorCode.TIMEOUT,
    -32002: ErrorCode.NOT_FOUND,
    -32020: ErrorCode.INVALID_REQUEST,
    -32021: ErrorCode.INVALID_REQUEST,
    -32022: ErrorCode.INVALID_REQUEST,
    -32042: ErrorCode.UNAUTHORIZED,
}


def jsonrpc_clue(subject: Subject) -> Clue | None:
    """By the number of a JSON-RPC error, on the exception or in its `error`."""
    for value in (subject.get("code"), either(subject.get("error"), "code"), _first_of_pair(subject.args)):
        number = integer(value)
        if number is not None and (code := JSONRPC.get(number)):
            return Clue(code, Weight.TELLING, "jsonrpc", str(number))
    return None


def _first_of_pair(args: tuple[Any, ...]) -> Any:
    """The number before a message, among the arguments or in one of them; other numbers are anybody's."""
    pair: Any = args[0] if len(args) == 1 else args
    number = integer(item(pair, 0)) if is_list(pair) and is_text(item(pair, 1)) else None
    return number if number is not None and -32768 <= number <= -32000 else None


AMQP: Final[Mapping[int, ErrorCode]] = {
    311: ErrorCode.VALIDATION_ERROR,
    **dict.fromkeys((312, 313, 320, 501, 502, 503, 504, 505, 506), ErrorCode.SERVICE_UNAVAILABLE),
    402: ErrorCode.VALIDATION_ERROR,
    403: ErrorCode.FORBIDDEN,
    404: ErrorCode.NOT_FOUND,
    405: ErrorCode.CONFLICT,
    406: ErrorCode.CONFLICT,
    530: ErrorCode.FORBIDDEN,
    540: ErrorCode.INVALID_REQUEST,
    541: ErrorCode.INTERNAL_ERROR,
}


def amqp_clue(subject: Subject) -> Clue | None:
    """By the reply code of an AMQP broker, which looks like an HTTP status and is none."""
    number = integer(subject.get("reply_code"))
    if number is None or (code := AMQP.get(number)) is None:
        return None
    return Clue(code, Weight.FIRM, "amqp", str(number))


GRAPH: Final[Mapping[int, ErrorCode]] = {
    **dict.fromkeys((4, 17, 32, 341, 613, *range(80000, 80015)), ErrorCode.RATE_LIMITED),
    **dict.fromkeys((102, 190), ErrorCode.UNAUTHORIZED),
    **dict.fromkeys((3, 10, *range(200, 300)), ErrorCode.FORBIDDEN),
    **dict.fromkeys((1, 2), ErrorCode.SERVICE_UNAVAILABLE),
}
"""Meta's Graph API, whose status is 400 for nearly all of them and whose word is one for all."""


def graph_clue(subject: Subject) -> Clue | None:
    """By the number in an error of the Graph API, which is known by its one word."""
    for payload in subject.payloads:
        error = either(payload, "error")
        if text(either(error, "type")) == "OAuthException" and (number := integer(either(error, "code"))):
            code = GRAPH.get(number)
            return Clue(code, Weight.FIRM, "graph", str(number)) if code else None
    return None


_SOAP: Final = r"(?:[\w-]+:)?(?P<whose>Client|Sender|Server|Receiver)(?:\.\w+)*$"


def soap_clue(subject: Subject) -> Clue | None:
    """By the code of a SOAP fault, which says no more than whose it is."""
    code = text(subject.get("code"))
    if (
        code is None
        or not type(subject.exc).__name__.endswith("Fault")
        or not (said := re.match(_SOAP, code))
    ):
        return None
    is_callers = said["whose"] in ("Client", "Sender")
    return Clue(
        ErrorCode.INVALID_PARAMS if is_callers else ErrorCode.INTERNAL_ERROR, Weight.WEAK, "soap", code
    )
