from __future__ import annotations

import subprocess
import sys

SERVING = """
from mcp_error_middleware import ErrorPolicy
from mcp_error_middleware.classify.patterns import COMMON, phrases
from mcp_error_middleware.ready import get_ready
from mcp_error_middleware import lazy
from mcp_error_middleware.telemetry import observed

waiting = len(lazy._waiting)
observed(ErrorPolicy(log=False))
thread = get_ready()
thread.join()
print(waiting > 100, lazy._waiting, id(COMMON) in phrases._COMPILED)
print(thread.daemon, get_ready() is thread)
"""


def test_the_first_failure_of_a_server_waits_for_no_pattern() -> None:
    ran = subprocess.run([sys.executable, "-c", SERVING], capture_output=True, text=True, check=True)

    assert ran.stdout == "True [] True\nTrue True\n"
