"""What triage costs: medians and ratios of one run, interleaved, on whatever machine this is.

make bench
"""

from __future__ import annotations

import gc
import statistics
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from itertools import cycle, product

from mcp_error_middleware import Call, Triage, classify, sanitize_text
from mcp_error_middleware.render import tool_result

ROUNDS, CALLS = 60, 200

BENIGN = (
    "The order could not be placed because the warehouse in Rotterdam has only 12 boxes left and 40 were "
    "asked for; choose another warehouse with list_warehouses, or ask for fewer boxes, then place it again."
)


def chained() -> BaseException:
    """A three-deep chain as a handler would raise it."""
    try:
        try:
            try:
                raise ConnectionRefusedError(111, "Connection refused")
            except OSError as exc:
                raise RuntimeError("inventory lookup failed for order ord_999") from exc
        except RuntimeError as exc:
            raise Exception("could not price the order") from exc
    except Exception as exc:
        return exc


def cases() -> dict[str, Callable[[], object]]:
    """What is measured, the yardstick first."""
    chain, triage, call = chained(), Triage(), Call(target="price")
    # More than the scrubber remembers, so that it knows none of them when it comes round.
    letters = product("abcdefghijklmnopq", repeat=3)
    unseen = cycle([BENIGN.replace("dam", "".join(three)) for three in letters])
    value_error, key_error = ValueError("boxes must be positive"), KeyError("total")
    return {
        "traceback.format_exception of a three-deep chain": lambda: traceback.format_exception(chain),
        "triage and tool result of the same chain": lambda: tool_result(triage(chain, call)),
        "triage alone": lambda: triage(chain, call),
        "classify a ValueError": lambda: classify(value_error),
        "classify a KeyError": lambda: classify(key_error),
        "classify the chain": lambda: classify(chain),
        f"sanitize_text of {len(BENIGN)} harmless characters, never seen before": lambda: sanitize_text(
            next(unseen)
        ),
        "the same, seen before": lambda: sanitize_text(BENIGN),
    }


def measured(functions: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Microseconds a call, the median of interleaved rounds."""
    samples: dict[str, list[float]] = {name: [] for name in functions}
    for function in functions.values():
        for _ in range(CALLS):
            function()
    gc.disable()
    for _ in range(ROUNDS):
        for name, function in functions.items():
            start = time.perf_counter_ns()
            for _ in range(CALLS):
                function()
            samples[name].append((time.perf_counter_ns() - start) / CALLS / 1000)
    gc.enable()
    return {name: statistics.median(times) for name, times in samples.items()}


def import_cost() -> float:
    """Milliseconds our own modules add to importing the dependencies."""
    dependencies = "import structlog, orjson, logging, asyncio"
    ours = f"{dependencies}, mcp_error_middleware"
    return (seconds(ours) - seconds(dependencies)) * 1000


def seconds(code: str) -> float:
    """The fastest of seven fresh interpreters."""
    timed = f"import time; start = time.perf_counter(); {code}; print(time.perf_counter() - start)"
    runs = [subprocess.run([sys.executable, "-c", timed], capture_output=True, check=True) for _ in range(7)]
    return min(float(run.stdout) for run in runs)


def main() -> None:
    """Print the table."""
    results = measured(cases())
    yardstick = next(iter(results.values()))
    print("| what | µs | ratio to formatting the traceback |\n|---|---:|---:|")
    for name, micros in results.items():
        print(f"| {name} | {micros:.2f} | {micros / yardstick:.3f} |")
    print(f"\nimporting the package adds {import_cost():.1f} ms to importing its dependencies")


if __name__ == "__main__":
    main()
