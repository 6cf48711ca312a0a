"""What the clients people use hand to a model: never all of an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

View: TypeAlias = Callable[[Any], object]
"""A result or an exception in, what is left of it out."""


def first_text(answer: Any) -> object:
    """The first block of text; of a JSON-RPC error its message."""
    text = str(answer) if isinstance(answer, Exception) else _wire(answer)["content"][0]["text"]
    return _text(text, failed=_failed(answer))


def structured(answer: Any) -> object:
    """`structuredContent` in place of the text, where there is any."""
    if isinstance(answer, Exception) or (content := _wire(answer).get("structuredContent")) is None:
        return first_text(answer)
    return {"isError": _failed(answer), "content": [], "structuredContent": content}


def meta(answer: Any) -> object:
    """A program that reads `_meta`, and the `data` of a JSON-RPC error; no text."""
    if isinstance(answer, Exception):
        error = getattr(answer, "error", None)
        return error.model_dump() if error else _text("", failed=True)
    return {"isError": _failed(answer), "content": [], "_meta": _wire(answer).get("_meta")}


VIEWS: Mapping[str, View] = {
    "first text block": first_text,
    "structuredContent": structured,
    "_meta": meta,
}


def _failed(answer: Any) -> bool:
    return isinstance(answer, Exception) or _wire(answer).get("isError") is True


def _wire(answer: Any) -> dict[str, Any]:
    said: dict[str, Any] = answer.model_dump(by_alias=True)
    return said


def _text(text: str, *, failed: bool) -> dict[str, Any]:
    return {"isError": failed, "content": [{"type": "text", "text": text}]}
