"""What the package costs, as ratios of one run, on whatever machine this is.

make bench                        CPU time, interleaved
make bench ARGS=--instructions    instructions instead, which no other work disturbs (needs valgrind; minutes)
make bench ARGS=--gate            the same of the servers alone; fails where a call costs more than it may
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
from statistics import median
from tempfile import TemporaryDirectory

from tests.benchmarks import core, servers
from tests.benchmarks.measure import COUNTED, Costs, measured, ratio, start_counting, under_callgrind

UNIT = "k instructions" if COUNTED in os.environ else "µs"

DEPENDENCIES = "asyncio, mcp, opentelemetry.sdk.trace, orjson, starlette.applications, structlog"


async def tables() -> None:
    """Print everything."""
    await of_the_core()
    await of_the_servers()


async def of_the_core() -> None:
    for title, fail in core.CHAINS.items():
        print(f"\n### {title}\n")
        _print_list(await measured(core.cases(fail), core.ROUNDS), "of formatting")
    print("\n### Single steps\n")
    _print_list(await measured(core.smaller(), core.ROUNDS))


async def of_the_servers() -> list[str]:
    """The tables, and where a call costs more than it may."""
    broken: list[str] = []
    for stack in servers.STACKS:
        print(f"\n### A call on {stack}\n", flush=True)
        async with servers.connected(stack) as workloads:
            costs = {workload: await measured(cases, servers.ROUNDS) for workload, cases in workloads.items()}
        _print_grid(costs)
        for workload, most in servers.MOST.items():
            if (times := ratio(costs[workload], servers.OURS, "bare")) > most:
                broken.append(f"{workload} on {stack} costs {times:.3f} of the bare server, more than {most}")
    return broken


def _print_list(costs: Costs, ratio_to: str = "") -> None:
    first = next(iter(costs))
    print(
        f"| what | {UNIT} |{f' × {ratio_to} |' if ratio_to else ''}\n|---|---:|{'---:|' if ratio_to else ''}"
    )
    for name, rounds in costs.items():
        times = f" {ratio(costs, name, first):.3f} |" if ratio_to else ""
        print(f"| {name} | {median(rounds):.2f} |{times}")


def _print_grid(costs: dict[str, Costs]) -> None:
    """The first subject in figures, the others as multiples of it."""
    subjects = list(next(iter(costs.values())))
    print(f"| | {' | '.join(costs)} |\n|---|{'---:|' * len(costs)}")
    first, *others = subjects
    print(
        f"| {first} ({UNIT}) | {' | '.join(f'{median(column[first]):,.0f}' for column in costs.values())} |"
    )
    for name in others:
        print(
            f"| {name} | {' | '.join(f'{ratio(column, name, first):.3f} ×' for column in costs.values())} |"
        )


def import_cost(first: str) -> float:
    """Milliseconds of CPU that importing the package takes after these, the least of nine interpreters."""
    code = f"import {first}, time\nstart = time.process_time()\nimport mcp_error_middleware\n"
    with TemporaryDirectory() as folder:
        # Compiled, as installed: the first of them compiles.
        env = {**os.environ, "PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
        command = [sys.executable, "-c", code + "print(time.process_time() - start)"]
        runs = [subprocess.run(command, env=env, capture_output=True, check=True) for _ in range(10)]
    return min(float(run.stdout) for run in runs[1:]) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench")
    parser.add_argument("--instructions", action="store_true", help="count instructions instead of time")
    parser.add_argument("--gate", action="store_true", help="fail where a call costs more than it may")
    arguments = parser.parse_args()
    if (arguments.instructions or arguments.gate) and COUNTED not in os.environ:
        sys.exit(under_callgrind(*(["--gate"] if arguments.gate else [])))
    if COUNTED in os.environ:
        start_counting()
    if arguments.gate:
        sys.exit("\n".join(asyncio.run(of_the_servers())) or 0)
    asyncio.run(tables())
    if COUNTED not in os.environ:
        print(f"\nImporting the package takes {import_cost('sys'):.1f} ms, and after its dependencies")
        print(f"({DEPENDENCIES}) {import_cost(DEPENDENCIES):.1f} ms.")


if __name__ == "__main__":
    main()
