"""A URI template (RFC 6570) in, its variables or its fault out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_EXPRESSION: Final = re.compile(r"\{([^{}]*)\}")
_OPERATORS: Final = "+#./;?&"
_NAME: Final = re.compile(r"(?:\w|%[0-9A-Fa-f]{2})+(?:\.(?:\w|%[0-9A-Fa-f]{2})+)*")
_MODIFIER: Final = re.compile(r"(?:\*|:[1-9][0-9]{0,3})$")


def fault(template: str) -> str:
    """Why it is no template; nothing if it is one."""
    outside = _EXPRESSION.sub("", template)
    if "{" in outside or "}" in outside:
        return "its braces do not match"
    for name in _written(template):
        if not _NAME.fullmatch(_MODIFIER.sub("", name)):
            return f"{name!r} is no variable name" if name else "a variable has no name"
    return ""


def variables(template: str) -> list[str]:
    """The names it asks for, in order."""
    return [_MODIFIER.sub("", name) for name in _written(template)]


def _written(template: str) -> Iterator[str]:
    for expression in _EXPRESSION.findall(template):
        inner = expression[1:] if expression[:1] and expression[0] in _OPERATORS else expression
        yield from (name.strip() for name in inner.split(","))
