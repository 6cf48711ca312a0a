"""What a server says in, the same fit to be written out: half a character is what no transport can send.

The SDKs find that out in the middle of a write, where it ends the session, and a pipe's whole process.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import orjson

from mcp_error_middleware.render.plain import plain


def half(said: object) -> UnicodeEncodeError | None:
    """What a write would say of half a character in it."""
    with suppress(TypeError):  # others write more than this one can
        orjson.dumps(said, default=_fields)
        return None
    try:
        json.dumps(said, default=_fields, ensure_ascii=False).encode()
    except UnicodeEncodeError as exc:
        return exc
    except Exception:  # noqa: BLE001 - of whatever else is wrong with it the SDK learns in time
        return None
    return None


def whole(said: Any) -> Any:
    """A text or a mapping, with something else in the place of half a character."""
    return said if half(said) is None else plain(said)


def _fields(value: object) -> Any:
    """Those of a model; any other object is no text."""
    return getattr(value, "__dict__", None)


# --- what a session of mcp 2.x says unasked -------------------------------------------------------


def mend(session: Any) -> None:
    """Have its notifications and requests whole; there is a session for every request."""
    kind = type(session)
    mending = _MENDING.get(kind)
    if mending is kind:
        return
    try:
        session.__class__ = mending or _mending(kind)
    except Exception:  # noqa: BLE001 - whoever has none of the SDK's sessions says what it likes
        _MENDING[kind] = kind


_MENDING: dict[Any, Any] = {}
"""By class: the one with the same methods, and what they say whole."""


def _mending(kind: Any) -> Any:
    # Of one base: Python lets an object change its class for no other.
    class Mending(kind):  # type: ignore[misc]
        async def send_request(self, request: Any, *args: Any, **kwargs: Any) -> Any:
            return await super().send_request(_whole_model(request), *args, **kwargs)

        async def _notify(self, notification: Any, **kwargs: Any) -> None:
            await super()._notify(_whole_model(notification), **kwargs)

        async def report_progress(
            self, progress: float, total: float | None = None, message: str | None = None
        ) -> None:
            await super().report_progress(progress, total, whole(message))

    _MENDING[kind] = _MENDING[Mending] = Mending
    return Mending


def _whole_model(said: Any) -> Any:
    if half(said) is None:
        return said
    return type(said).model_validate(plain(said.model_dump(by_alias=True, mode="json", exclude_none=True)))
