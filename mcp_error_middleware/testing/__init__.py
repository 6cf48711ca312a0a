"""What users need in their own tests; with it installed, pytest has the fixtures `failures` and `mcp_faults`.

assert_unbreakable(server)
assert_tool_error(await client.call_tool("ship", {...}), "Conflict", retryable=False)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mcp_error_middleware.testing.asserts import assert_protocol_error, assert_tool_error
    from mcp_error_middleware.testing.faults import Fault, Faults, ServerFaults
    from mcp_error_middleware.testing.leaks import assert_no_leak
    from mcp_error_middleware.testing.recording import Failures, recorded
    from mcp_error_middleware.testing.spec import assert_spec_compliant
    from mcp_error_middleware.testing.unbreakable import Report, assert_unbreakable
    from mcp_error_middleware.testing.upstream import Upstream

__all__ = [
    "Failures",
    "Fault",
    "Faults",
    "Report",
    "ServerFaults",
    "Upstream",
    "assert_no_leak",
    "assert_protocol_error",
    "assert_spec_compliant",
    "assert_tool_error",
    "assert_unbreakable",
    "recorded",
]

_HOMES: Final = {
    "Failures": "recording",
    "Fault": "faults",
    "Faults": "faults",
    "Report": "unbreakable",
    "ServerFaults": "faults",
    "Upstream": "upstream",
    "assert_no_leak": "leaks",
    "assert_protocol_error": "asserts",
    "assert_spec_compliant": "spec",
    "assert_tool_error": "asserts",
    "assert_unbreakable": "unbreakable",
    "recorded": "recording",
}


def __getattr__(name: str) -> Any:
    # pytest imports this package in every project that has it installed, for tests of anything.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
