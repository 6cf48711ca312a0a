"""A server in, a real client of it out, both in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from mcp import types
from pydantic import BaseModel, ConfigDict

from mcp_error_middleware.lint.live import in_memory
from mcp_error_middleware.testing.answers import message_of

_PAGES: Final = 100


class _Result(BaseModel):
    """Whatever the server sent: no model of the client's has a say in it."""

    model_config = ConfigDict(extra="allow")


@dataclass(frozen=True, slots=True)
class Connection:
    """One session."""

    session: Any

    async def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """The server's message: a `result` or an `error`. Raises where none comes."""
        request = types.Request[dict[str, Any], str](method=method, params=dict(params))
        try:
            result = await self.session.send_request(request, _Result)
        except Exception as exc:
            if (message := message_of(exc)) is None:
                raise
            if message.get("error", {}).get("message") == "Connection closed":
                # The client's own words for an answer that will not come.
                raise ConnectionError("the server closed the session") from exc
            return message
        return {"result": result.model_dump(by_alias=True)}

    async def list(self, method: str, key: str) -> list[dict[str, Any]]:
        """All pages; none where the server has no such list."""
        found: list[dict[str, Any]] = []
        params: dict[str, Any] = {}
        for _ in range(_PAGES):
            result = (await self.ask(method, params)).get("result", {})
            found += result.get(key, [])
            if (cursor := result.get("nextCursor")) is None:
                break
            params = {"cursor": cursor}
        return found

    @property
    def protocol_version(self) -> str:
        told = getattr(self.session, "protocol_version", None)
        # A session of mcp 1.x does not say; both sides are of the same package.
        return told if isinstance(told, str) else str(types.LATEST_PROTOCOL_VERSION)


@asynccontextmanager
async def connected(server: Any) -> AsyncIterator[Connection]:
    """A session with the server, as long as the block lasts."""
    async with in_memory(server) as client:
        yield Connection(getattr(client, "session", client))
