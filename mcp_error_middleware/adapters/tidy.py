"""What somebody else said in, the same fit to leave out: results marked `isError`, steps of the protocol.

Whatever a stranger can write, our own `_meta` key among it, is no reason to leave a text unscrubbed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeGuard
from urllib.parse import quote

from mcp_error_middleware.render import META_KEY
from mcp_error_middleware.render.plain import plain
from mcp_error_middleware.sanitize import Scrubber
from mcp_error_middleware.told import without_rejected

Text = Callable[[str], str]
Data = Callable[[Any], Any]

# --- results --------------------------------------------------------------------------------------

_BYTES: Final = frozenset({"data", "blob"})
"""Fields of a block that hold a picture, a sound, a file."""
_OWN_RULES: Final = frozenset({"content", "_meta", "structuredContent"})
_TRACE: Final = frozenset({"traceparent", "tracestate", "baggage"})
_SPECS: Final = "io.modelcontextprotocol/"
_MARKER: Final = re.compile(r"\[(redacted:[^\]]*)\]")


def tidied(result: Mapping[str, Any], scrub: Scrubber, read: Text = str) -> dict[str, Any]:
    """A result in the wire's spelling, its texts and data made fit to leave.

    `read` is given each text first.
    """
    meta = _meta(result.get("_meta"), scrub.data)
    if META_KEY in meta:
        scrub = _roomy(scrub)
    blocks, data = result.get("content"), scrub.data

    def text(said: str) -> str:
        return scrub.text(without_rejected(read(said)))

    tidy = {key: data(value) for key, value in result.items() if key not in _OWN_RULES}
    if result.get("structuredContent") is not None:
        tidy["structuredContent"] = _structured(result["structuredContent"], data)
    tidy["content"] = [_block(block, text, data) for block in blocks] if isinstance(blocks, list) else []
    tidy["_meta"] = meta
    return tidy


def _roomy(scrub: Scrubber) -> Scrubber:
    """For a text that holds all of an error object: its message is one text of it, its data are others."""
    return replace(scrub, limits=replace(scrub.limits, text=4 * scrub.limits.text))


def _structured(said: Any, data: Data) -> Any:
    error = said["error"] if isinstance(said, dict) and said.keys() == {"error"} else None
    if is_error_object(error):
        return {"error": error_tidied(error, data)}
    return data(said)


def _block(block: Any, text: Text, data: Data) -> dict[str, Any]:
    if not isinstance(block, dict):
        return {"type": "text", "text": ""}
    tidy = _fields(block, text, data)
    if isinstance(resource := block.get("resource"), dict):
        tidy["resource"] = _fields(resource, text, data)
    if block.get("type") == "text" and not isinstance(block.get("text"), str):
        tidy["text"] = ""
    return tidy


def _fields(block: Mapping[str, Any], text: Text, data: Data) -> dict[str, Any]:
    tidy: dict[str, Any] = {}
    for key, value in block.items():
        if key == "_meta" and isinstance(value, dict):
            tidy[key] = _meta(value, data)
        elif key == "uri" and isinstance(value, str):
            tidy[key] = _uri(value, text)
        elif isinstance(value, str):
            tidy[key] = value if key in _BYTES else text(value)
        else:
            tidy[key] = data(value)
    return tidy


def _uri(uri: str, text: Text) -> str:
    """A URI stays one: SDKs refuse a block without."""
    clean = text(uri)
    return uri if clean == uri else _MARKER.sub(lambda found: quote(found[1], safe=":"), clean)


def _meta(said: Any, data: Data) -> dict[str, Any]:
    """`_meta` with what the specification put there as it is; our key only where an error object is in it."""
    if not isinstance(said, dict):
        return {}
    kept = {key: value for key, value in said.items() if _is_of_the_protocol(key)}
    rest = data({key: value for key, value in said.items() if key not in kept and key != META_KEY})
    ours = {META_KEY: error_tidied(said[META_KEY], data)} if is_error_object(said.get(META_KEY)) else {}
    return {**(rest if isinstance(rest, dict) else {}), **kept, **ours}


def _is_of_the_protocol(key: str) -> bool:
    return key == "progressToken" or key in _TRACE or key.startswith(_SPECS)


# --- error objects of ours, or that say so --------------------------------------------------------

_OBJECT: Final = frozenset({"error_id", "name", "category", "retryable", "data"})


def is_error_object(said: Any) -> TypeGuard[Mapping[str, Any]]:
    """Whether a failure was answered, and so recorded, by somebody's copy of this package."""
    return isinstance(said, dict) and said.keys() >= _OBJECT and isinstance(said["error_id"], str)


def error_tidied(said: Mapping[str, Any], data: Data) -> dict[str, Any]:
    """An error object scrubbed once more, within the limits its own `data` was made in.

    In a JSON-RPC error what is in there is repeated beside it.
    """
    own = said["data"] if isinstance(said["data"], dict) else {}
    inner = data(said["data"])
    repeated = {key for key, value in own.items() if key in said and said[key] == value}
    rest = data({key: value for key, value in said.items() if key != "data" and key not in repeated})
    again = {key: inner[key] for key in repeated if key in inner} if isinstance(inner, dict) else {}
    return {**again, **(rest if isinstance(rest, dict) else {}), "data": inner}


# --- steps of the protocol ------------------------------------------------------------------------

_LINK: Final = {"url": re.compile(r"https?://\S{1,4000}"), "elicitationId": re.compile(r"\S{1,200}")}
_NAME: Final = re.compile(r"[\w./-]{1,100}")
_DEPTH: Final = 20


def asked_for(data: Any, scrub: Scrubber) -> Any:
    """The data of a protocol step, scrubbed but for what clients act on and is of the spec's own form."""
    said = plain(data)
    safe = scrub.data(said)
    if isinstance(said, dict) and isinstance(safe, dict):
        safe.update({key: keep(said[key], scrub) for key, keep in _ACTED_ON.items() if key in said})
    return safe


def _elicitations(asked: Any, scrub: Scrubber) -> Any:
    if not isinstance(asked, list):
        return scrub.data(asked)
    return [_elicitation(item, scrub) for item in asked[: scrub.limits.breadth]]


def _elicitation(item: Any, scrub: Scrubber) -> Any:
    """The address and the id are for a program; the message is for people, as any other."""
    safe = scrub.data(item)
    if isinstance(item, dict) and isinstance(safe, dict):
        safe.update({key: item[key] for key, form in _LINK.items() if _has_form(item.get(key), form)})
    return safe


def _has_form(value: Any, form: re.Pattern[str]) -> bool:
    return isinstance(value, str) and form.fullmatch(value) is not None


def _capabilities(asked: Any, scrub: Scrubber) -> Any:
    return asked if _names_nothing_else(asked) else scrub.data(asked)


def _names_nothing_else(asked: Any, depth: int = 0) -> bool:
    """Whether it is made of names and yes or no alone."""
    if not isinstance(asked, dict) or depth > _DEPTH:
        return isinstance(asked, bool)
    return all(
        _has_form(key, _NAME) and _names_nothing_else(value, depth + 1) for key, value in asked.items()
    )


_ACTED_ON: Final[Mapping[str, Callable[[Any, Scrubber], Any]]] = {
    "elicitations": _elicitations,
    "requiredCapabilities": _capabilities,
}
"""Where a client looks for what to do; versions are no secret to any scrubber."""
