"""An HTTP status in words in, clue out."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from mcp_error_middleware.classify.clue import Clue, Weight
from mcp_error_middleware.classify.patterns.phrases import quiet, split
from mcp_error_middleware.taxonomy import http_status_to_code

STATUS: Final = r"""
    \b(status([ _-]?code)?|response code|error( code| status)?)<is><number>
    \bhttp(/\d(\.\d)?)?( error| status( code)?| response)?<is><number>
    \b(returned|responded|answered|got|received)( with| an?)?( error| http| status| code)*<is><number>
    \btoo many <number> error responses
    ^(error:? )?\(?<number>\)?:? ?(client|server) error\b
    \(<number>\)$ | ^\(<number>\)
    (fetch|get|post|request|download|upload|response|api|call)\b.{0,60}: <number>$
    https?://[^\s'"]{1,200}['"], ?<number>\b
    \b(get|head|post|put|patch|delete) \S{1,200} ?(->|=>|→) ?<number>
    \w(error|exception)\(<number> | \(<number>, ?['"{\[]
    \b<number>\W{1,3}(bad request|unauthorized|payment required|forbidden|not found|method not allowed)
    \b<number>\W{1,3}(not acceptable|request time-?out|conflict|gone|precondition failed|payload too large)
    \b<number>\W{1,3}(unsupported media|unprocessable|locked|too many requests|internal server error)
    \b<number>\W{1,3}(not implemented|bad gateway|service unavailable|gateway time-?out)
    ^<number>:? [a-z]+(_[a-z]+)+\b
"""


def status_in(lower: str) -> Clue | None:
    """What a status in a text in lower case says."""
    if not _A_STATUS.search(lower) or (match := status_regex().search(lower)) is None:
        return None
    status = int(next(filter(None, match.groups())))
    return Clue(http_status_to_code(status), Weight.TELLING, "pattern", f"http {status}")


@cache
def status_regex() -> re.Pattern[str]:
    """The phrases with only the number captured."""
    phrases = quiet("|".join(split(STATUS)))
    return re.compile(phrases.replace("<is>", _IS).replace("<number>", _NUMBER))


_NUMBER: Final = r"(4[0-5]\d|50\d|51[01]|52\d|599)\b(?![.,]?\d)"
_A_STATUS: Final = re.compile(_NUMBER)
_IS: Final = r"""['"]?[ :=(\[<-]{1,3}(?:was |of )?['"]?"""
