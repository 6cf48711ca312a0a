"""Patterns in, the same patterns compiled out, before the first failure has to wait for them."""

from __future__ import annotations

from functools import cache
from threading import Thread

from mcp_error_middleware.classify import prepare as prepare_classify
from mcp_error_middleware.lazy import prepare


@cache
def get_ready() -> Thread:
    """Compile every pattern, once, beside whatever else starts: it takes some tenths of a second."""
    thread = Thread(target=_compile, name="mcp-error-middleware-patterns", daemon=True)
    thread.start()
    return thread


def _compile() -> None:
    prepare_classify()
    prepare()
