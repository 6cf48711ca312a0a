"""Cases in, what one call of each costs out: in microseconds of CPU, or in instructions.

Time is taken in rounds, one case after the other, so that whatever else the machine does falls on all of
them alike. Instructions need no rounds: they do not depend on the machine.
"""

from __future__ import annotations

import gc
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

COUNTED = "BENCHMARK_DUMPS"
"""Where callgrind writes, in the environment of a process that runs under it."""

_fresh = count(100_000)


@dataclass(frozen=True)
class Case:
    """Something to measure."""

    run: Callable[[list[Any]], Awaitable[None]]
    """One call for each thing in the list."""
    make: Callable[[int], object]
    """The thing, from a number that no other call has; not measured."""
    calls: int
    """How many make a sample."""

    def things(self, times: int = 1) -> list[Any]:
        return [self.make(next(_fresh)) for _ in range(self.calls * times)]


Cases = Mapping[str, Case]
Costs = dict[str, list[float]]
"""By case, one figure a round."""


async def measured(cases: Cases, rounds: int) -> Costs:
    """Microseconds a call in each round; under callgrind, thousands of instructions, once."""
    for case in cases.values():
        await case.run(case.things())
    cost = _instructions if COUNTED in os.environ else _microseconds
    costs: Costs = {name: [] for name in cases}
    gc.disable()
    for _ in range(1 if COUNTED in os.environ else rounds):
        for name, case in cases.items():
            costs[name].append(await cost(case))
    gc.enable()
    return costs


def ratio(costs: Costs, name: str, yardstick: str) -> float:
    """How many times the yardstick's cost, the median of the rounds."""
    return median(mine / its for mine, its in zip(costs[name], costs[yardstick], strict=True))


async def _microseconds(case: Case) -> float:
    things = case.things()
    start = time.process_time_ns()
    await case.run(things)
    return (time.process_time_ns() - start) / len(things) / 1000


async def _instructions(case: Case) -> float:
    """What twice as many calls more cost; so that what the counting itself costs does not count."""
    few, many = case.things(), case.things(3)
    _control("--dump")
    await case.run(few)
    _control("--dump")
    await case.run(many)
    _control("--dump")
    cost_of_few, cost_of_many = _newest_dumps(2)
    return (cost_of_many - cost_of_few) / (len(many) - len(few)) / 1000


# --- callgrind ---------------------------------------------------------------------------------


def under_callgrind(*arguments: str) -> int:
    """Run this package again, counting instructions; how that ended."""
    if shutil.which("valgrind") is None:
        sys.exit("valgrind is not installed; install it, or leave out --instructions.")
    with TemporaryDirectory() as folder:
        return subprocess.run(
            [
                *("valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no"),
                *(f"--callgrind-out-file={folder}/dump", sys.executable, "-m", "tests.benchmarks"),
                *arguments,
            ],
            env={**os.environ, COUNTED: folder, "PYTHONHASHSEED": "0"},
            check=False,
        ).returncode


def start_counting() -> None:
    """From here on instructions count: starting an interpreter takes long enough without."""
    _control("--instr=on")


def _newest_dumps(number: int) -> list[int]:
    """The instructions from one dump to the next."""
    files = sorted(Path(os.environ[COUNTED]).glob("dump.*"), key=lambda file: int(file.suffix[1:]))
    return [int(re.findall(r"^totals: (\d+)", file.read_text(), re.MULTILINE)[0]) for file in files[-number:]]


def _control(command: str) -> None:
    subprocess.run(["callgrind_control", command, str(os.getpid())], check=True, capture_output=True)
