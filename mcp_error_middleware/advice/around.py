"""What an adapter can tell about a call that failed, beyond the call itself."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from mcp_error_middleware.advice.retry import Effects
from mcp_error_middleware.advice.verify import reads, writes


class Around(NamedTuple):
    """The surroundings of a call, asked for once it has failed."""

    arguments: Any = None
    """As they were sent; compared, never kept or shown."""
    session: Hashable | None = None
    """Whose calls may repeat each other; None where nobody can tell."""
    schema: Any = None
    """The tool's input schema."""
    annotations: Mapping[str, Any] = MappingProxyType({})
    """The tool's own: `readOnlyHint`, `destructiveHint`, `idempotentHint`."""
    tools: Callable[[], Mapping[str, Any]] = dict
    """Name to input schema of every tool this client may see; asked for by the few failures it helps."""
    looks: Callable[[], Mapping[str, bool]] = dict
    """Of those of them that say so themselves, whether they only look."""
    names: Callable[[], tuple[str, ...]] = tuple
    """What could have been asked for instead, where what was asked for does not exist."""

    def effects(self, method: str, tool: str | None) -> Effects:
        """What repeating the call would do."""
        if method != "tools/call" or tool is None:
            return Effects(read_only=True)
        looks = only_looks(self.annotations)
        return Effects(
            read_only=reads(tool) if looks is None else looks,
            idempotent=self.annotations.get("idempotentHint") is True,
            writes=writes(tool) if looks is None else not looks,
        )


def only_looks(annotations: Mapping[str, Any]) -> bool | None:
    """Whether a tool only looks; None where it does not say."""
    if (said := annotations.get("readOnlyHint")) is not None:
        return said is True
    return False if annotations.get("destructiveHint") is True else None


NOWHERE = Around()
"""Nothing is known."""
