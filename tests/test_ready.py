from __future__ import annotations

from mcp_error_middleware import ErrorPolicy
from mcp_error_middleware.classify import patterns
from mcp_error_middleware.ready import get_ready
from mcp_error_middleware.sanitize import lazy
from mcp_error_middleware.telemetry import observed


def test_the_first_failure_of_a_server_waits_for_no_pattern() -> None:
    observed(ErrorPolicy(log=False))
    thread = get_ready()
    thread.join()

    assert lazy._waiting == []
    assert id(patterns.COMMON) in patterns._TABLES
    assert thread.daemon
    assert get_ready() is thread
