"""What an adapter can tell about a call that failed, beyond the call itself."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from mcp_error_middleware.advice.retry import Effects
from mcp_error_middleware.advice.verify import reads


class Around(NamedTuple):
    """The surroundings of a call, asked for once it has failed."""

    arguments: Any = None
    """As they were sent; compared, never kept or shown."""
    session: Hashable | None = None
    """Whose calls may repeat each other; None where nobody can tell."""
    schema: Any = None
    """The tool's input schema."""
    annotations: Mapping[str, Any] = MappingProxyType({})
    """The tool's own: `readOnlyHint`, `idempotentHint`."""
    tools: Callable[[], Mapping[str, Any]] = dict
    """Name to input schema of every tool this client may see; asked for by the few failures it helps."""
    names: Callable[[], tuple[str, ...]] = tuple
    """What could have been asked for instead, where what was asked for does not exist."""

    def effects(self, method: str, tool: str | None) -> Effects:
        """What repeating the call would do."""
        if method != "tools/call" or tool is None:
            return Effects(read_only=True)
        read_only = self.annotations.get("readOnlyHint")
        return Effects(
            read_only=reads(tool) if read_only is None else read_only is True,
            idempotent=self.annotations.get("idempotentHint") is True,
        )


NOWHERE = Around()
"""Nothing is known."""
