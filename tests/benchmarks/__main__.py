"""What the package costs beside bare servers and its peers, as ratios, on whatever machine this is.

make bench                       everything, as markdown; instructions where there is valgrind
make bench ARGS=--write          and into docs/costs.md
make bench ARGS="calls curves"   only these parts; with --write, the page's other parts stay
make bench ARGS=--gate           instructions of a call alone; fails where one costs more than it may
"""

from __future__ import annotations

import argparse
import asyncio
import platform
import re
import sys
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path
from statistics import median

from tests.benchmarks import core, report, wire
from tests.benchmarks.curves import MOST, exponent, grown
from tests.benchmarks.failures import ADVISED, WORKLOADS
from tests.benchmarks.measure import Costs, can_count, measured, ratio
from tests.benchmarks.report import Target
from tests.benchmarks.subjects import BARE, OURS, PEER, SPANS, STACKS, TRACED, UNADVISED, subjects
from tests.benchmarks.workers import allocated, counted, timed

PAGE = Path(__file__).parents[2] / "docs/costs.md"

FAILING = [workload for workload in WORKLOADS if workload != "success"]

Part = tuple[str, list[Target]]
"""Markdown, and what it says about the targets."""


def of_the_core() -> Part:
    """Triage and its steps, beside formatting the traceback of the same exception."""
    text = "## Triage alone\n\nNo server: an exception in, a tool result out. CPU, interleaved.\n"
    found: list[Target] = []
    for title, make in core.CHAINS.items():
        costs = asyncio.run(measured(core.cases(make), core.ROUNDS))
        text += f"\n### {title}\n\n{report.listing(costs, 'µs', 'of formatting')}"
        whole = core.WHOLE
        found += [
            Target(f"{title}: {whole}", median(costs[whole]), 60, "µs"),
            Target(
                f"{title}: {whole}, of formatting its traceback",
                ratio(costs, whole, core.YARDSTICK),
                0.2,
            ),
        ]
    costs = asyncio.run(measured(core.smaller(), core.ROUNDS))
    text += f"\n### Single steps\n\n{report.listing(costs, 'µs')}"
    found += [Target(name, median(costs[name]), most, "µs") for name, most in core.MOST.items()]
    alone, after = core.import_cost("sys"), core.import_cost(core.DEPENDENCIES)
    text += (
        f"\nImporting the package takes {alone:.1f} ms of CPU, and {after:.1f} ms after its dependencies.\n"
    )
    return text, [*found, Target("importing the package, after its dependencies", after, 50, "ms")]


def of_calls() -> Part:
    """A call on a whole server in this process."""
    text = """\
## A call in process

JSON-RPC messages over memory streams, so that the server alone is counted and no client. The first row is in
figures, the others are multiples of it. The peers with spans, and ours with all telemetry, have the OTel SDK
with a batch processor and an exporter that throws away; the others have none.
"""
    found: list[Target] = []
    for stack in STACKS:
        names = subjects(stack, "memory")
        note(f"CPU of a call on {stack}")
        costs = timed(stack, names, WORKLOADS, calls=10, rounds=15)
        text += f"\n### {stack}: CPU, interleaved rounds\n\n{report.grid(costs, 'µs')}"
        if can_count():
            note(f"instructions of a call on {stack}")
            costs = counted(stack, names, WORKLOADS)
            text += f"\n### {stack}: instructions\n\n{report.grid(costs, 'k')}"
            # Times of a machine that does other work too decide nothing.
            found += targets_of_calls(stack, costs)
    return text, found


def targets_of_calls(stack: str, costs: dict[str, Costs]) -> Iterable[Target]:
    for workload, column in costs.items():
        on = f"{workload} on {stack}"
        if workload == "success":
            yield Target(f"{on}, of the bare server", ratio(column, OURS, BARE), 1.02)
            yield Target(f"{on}, all telemetry, of {SPANS}", ratio(column, TRACED, SPANS), 1.10)
        else:
            yield Target(f"{on}, of the bare server", ratio(column, OURS, BARE), 0.5)
            yield Target(f"{on}, all telemetry, of the bare server", ratio(column, TRACED, BARE), 0.75)
            yield Target(f"{on}, all telemetry, of {PEER}", ratio(column, TRACED, PEER), 0.2)


def of_memory() -> Part:
    """What a call holds, and what it leaves."""
    text = """\
## Memory of a call

By `tracemalloc`: what a call holds at its peak (a multiple of bare), then what a call leaves behind. Ours
remembers verdicts and harmless texts, in caches of fixed size that these calls do not fill yet; spans wait in
the batch processor's queue.
"""
    for stack in STACKS:
        note(f"memory of a call on {stack}")
        text += f"\n### {stack}\n\n{report.memory(allocated(stack, subjects(stack, 'memory'), WORKLOADS))}"
    return text, []


def of_the_wire() -> Part:
    """The same over HTTP."""
    text = """\
## A call over HTTP

uvicorn on loopback, a session kept alive, one client; the CPU of the server's process, interleaved rounds.
`JSON` and `SSE` are the two forms of answers of 2025-11-25, `2026-07-28` the newer protocol.
"""
    for stack in STACKS:
        note(f"HTTP on {stack}")
        for name, costs in asyncio.run(
            wire.served(stack, subjects(stack, "http"), calls=5, rounds=4)
        ).items():
            text += f"\n### {stack}: {name}\n\n{report.grid(costs, 'µs')}"
    return text, []


def of_storms() -> Part:
    """Nothing but failures, from several clients at once."""
    text = """\
## Error storms

A server over HTTP that answers nothing but errors (the three kinds above in turn) to eight clients at once;
interleaved rounds, ratios to bare of the same round. Where the machine does other work too, the CPU of an
answer says more than the answers a second.
"""
    found: list[Target] = []
    for stack in STACKS:
        note(f"error storms on {stack}")
        storms = asyncio.run(wire.stormed(stack, [BARE, OURS, SPANS, TRACED], clients=8, calls=15, rounds=5))
        text += f"\n### {stack}\n\n{report.storms(storms)}"
        rate, p99, cpu = (report.storm_ratio(storms, OURS, what) for what in ("rate", "p99", "cpu"))
        found += [
            Target(f"error storm on {stack}, answers a second, of bare", rate, 1.0, is_least=True),
            Target(f"error storm on {stack}, p99, of bare", p99, 1.2),
            Target(f"error storm on {stack}, CPU an answer, of bare", cpu, 1.0),
        ]
    return text, found


def of_advice() -> Part:
    """Ours with all advice, beside ours with none."""
    text = """\
## What advice costs

Ours as it is, beside ours with `suggest`, `verify_writes`, `notice_repeats`, `silent_failures` and
`advertise_contracts` switched off: the difference a call.
"""
    found: list[Target] = []
    for stack in STACKS:
        note(f"advice on {stack}")
        times = timed(stack, [UNADVISED, OURS], ADVISED, calls=10, rounds=15)
        counts = counted(stack, [UNADVISED, OURS], ADVISED, rounds=3) if can_count() else times
        rows = []
        for workload in ADVISED:
            # The time of so many instructions: it varies less than the difference of two times.
            without, with_it = (median(counts[workload][name]) for name in (UNADVISED, OURS))
            pace = median(times[workload][UNADVISED]) / without
            cost = (with_it - without) * pace
            rows.append(
                [workload, f"{with_it / without:.3f} ×", f"{with_it - without:,.0f} k", f"{cost:.1f} µs"]
            )
            most = 25.0 if "success" not in workload else 2.0
            found.append(Target(f"advice on {workload}, {stack}", cost, most, "µs"))
        text += f"\n### {stack}\n\n{report.table(['', 'of without', 'instructions', 'about'], rows)}"
    return text, found


def of_curves() -> Part:
    """How it grows."""
    note("cost curves")
    found = grown(is_counting=can_count())
    text = f"""\
## How the cost of a failure grows

In {"thousands of instructions" if can_count() else "microseconds"}. The exponent is that of the last step:
0 is flat, 1 is linear. Triage alone, or a call on a whole server where one is named.

{report.curves(found)}"""
    return text, [Target(f"growth with {name}", exponent(found[name]), MOST, "") for name in found]


PARTS: dict[str, Callable[[], Part]] = {
    "core": of_the_core,
    "calls": of_calls,
    "memory": of_memory,
    "wire": of_the_wire,
    "storms": of_storms,
    "advice": of_advice,
    "curves": of_curves,
}

GATE = {"success": 1.06, "ValueError": 0.65, "three-deep chain": 0.55}
"""How many times the instructions of the bare server ours may cost; wide enough for another interpreter."""


def gate() -> Iterable[str]:
    """Where a call costs more than it may, or a failure more than in proportion to what there is."""
    for stack in STACKS:
        costs = counted(stack, [BARE, OURS], GATE)
        print(f"\n### {stack}\n\n{report.grid(costs, 'k')}", flush=True)
        for workload, most in GATE.items():
            if (times := ratio(costs[workload], OURS, BARE)) > most:
                yield f"{workload} on {stack} costs {times:.3f} of the bare server, more than {most}"
    curves = grown(is_counting=True)
    print(f"\n{report.curves(curves)}", flush=True)
    for name, curve in curves.items():
        if (power := exponent(curve)) > MOST:
            yield f"a failure grows with the {name} to the power of {power:.2f}, more than {MOST}"


HEAD = """\
# What it costs

`make bench ARGS=--write` measures all of this and writes this page; use a machine that does nothing else.
Each part is of one run, and may be renewed alone.
Ratios are to the bare server in the same round, or of counted instructions, and hold on other machines;
microseconds do not. Logging is plain and goes nowhere: the tracebacks in colour that the servers write by
default cost a hundred times as much as a plain one, and would flatter us.

"""


def page(parts: Iterable[Part]) -> str:
    texts, found = zip(*parts, strict=True)
    names = ("mcp", "fastmcp", "opentelemetry-sdk", "uvicorn")
    with_versions = ", ".join(f"{name} {version(name)}" for name in names)
    said = f"Python {platform.python_version()}, {with_versions}.\n"
    summary = report.targets(target for some in found for target in some)
    return f"{HEAD}{said}\n## Targets\n\n{summary}\n" + "\n".join(texts)


def renewed(page: str, written: str) -> str:
    """A page with those of its sections, and of its targets, that were measured anew."""
    new = {_heading(section): section for section in _sections(written)}
    rows = {_heading(row): row for row in new.pop(_TARGETS).splitlines() if _heading(row)}
    sections = [new.get(_heading(section), section) for section in _sections(page)]
    place = [_heading(section) for section in sections].index(_TARGETS)
    sections[place] = "\n".join(rows.get(_heading(row), row) for row in sections[place].splitlines())
    return "\n\n".join(sections) + "\n"


_TARGETS = "## Targets"


def _sections(page: str) -> list[str]:
    return [section.strip() for section in re.split(r"^(?=## )", page, flags=re.MULTILINE)]


def _heading(text: str) -> str:
    """The first line of a section, the first cell of a row."""
    line = text.partition("\n")[0]
    return line.split("|")[1].strip() if line.startswith("|") else line


def note(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="only these")
    parser.add_argument("--write", action="store_true", help=f"write docs/{PAGE.name}")
    parser.add_argument(
        "--gate", action="store_true", help="fail where a call costs more than it may, or grows faster"
    )
    arguments = parser.parse_args()
    if arguments.gate:
        if not can_count():
            sys.exit("valgrind is not installed; the gate counts instructions.")
        sys.exit("\n".join(gate()) or 0)
    written = page([PARTS[name]() for name in arguments.parts or PARTS])
    print(written)
    if arguments.write:
        PAGE.write_text(renewed(PAGE.read_text(), written) if arguments.parts else written)


if __name__ == "__main__":
    main()
