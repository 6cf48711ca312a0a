"""Exceptions provoked from real libraries, each labelled with the code it deserves.

Importing this package fills ``CASES``.  The libraries themselves are imported inside the cases, so a missing
library breaks only its own cases.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["CASES", "Case", "case"]


@dataclass(frozen=True)
class Case:
    """One provoked exception and what is expected of its classification.

    ``also`` lists further acceptable labels.  ``retryable`` and ``retry_after`` (in seconds, give or take
    two) are not asserted when they are ``None``.
    """

    name: str
    label: str
    also: tuple[str, ...]
    retryable: bool | None
    retry_after: float | None
    provoke: Callable[[], Any]


CASES: list[Case] = []


def case(
    label: str,
    *,
    also: tuple[str, ...] = (),
    retryable: bool | None = None,
    retry_after: float | None = None,
) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Register the decorated function, which must raise, under its own name."""

    def register(provoke: Callable[[], Any]) -> Callable[[], Any]:
        name = provoke.__name__
        if any(known.name == name for known in CASES):
            raise ValueError(f"duplicate case name: {name}")
        CASES.append(Case(name, label, also, retryable, retry_after, provoke))
        return provoke

    return register


from . import (  # noqa: E402
    auth,
    chains,
    clouds,
    databases,
    http_clients,
    infra,
    llm,
    mcp,
    saas,
    stdlib,
    validation,
    web,
)

_FAMILIES = (stdlib, http_clients, validation, databases, clouds, llm, saas, infra, web, auth, mcp, chains)
