from __future__ import annotations

import subprocess
import sys

import orjson

SCRIPT = """
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from mcp_error_middleware import Call, ErrorPolicy, Triage
from mcp_error_middleware.advice import suspicion
from mcp_error_middleware.telemetry.silent import told_of

trace.set_tracer_provider(TracerProvider())
triage = Triage(ErrorPolicy(log_burst=2, console=False))
for number in range(50):
    with trace.get_tracer("shop").start_as_current_span("call"):
        told_of(Call(target="reserve", request_id=number), triage, suspicion(None, "Error: no stock", None))
"""


def test_of_a_storm_the_first_are_logged_with_their_trace_and_the_rest_as_a_number() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, check=True)

    lines = [orjson.loads(line) for line in done.stderr.splitlines()]
    assert [(line["event"], line.get("request_id"), line.get("count", 1)) for line in lines] == [
        ("mcp.silent_failure", 0, 1),
        ("mcp.silent_failure", 1, 1),
        ("mcp.silent_failure", None, 48),
    ]
    assert len({line.get("trace_id") for line in lines}) == 3
    assert {line["message"] for line in lines} == {"no stock"}
