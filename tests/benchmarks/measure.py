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
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

COUNTED = "BENCHMARK_DUMPS"
"""Where callgrind writes, in the environment of a process that runs under it."""

_fresh = count(400_000)
"""All of one length, all with a 4: texts that differ in more than their number would cost differently."""


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
    cost = instructions if COUNTED in os.environ else microseconds
    costs: Costs = {name: [] for name in cases}
    for _ in range(1 if COUNTED in os.environ else rounds):
        for name, case in cases.items():
            costs[name].append(await cost(case))
    return costs


def ratio(costs: Costs, name: str, yardstick: str) -> float:
    """How many times the yardstick's cost, the median of the rounds."""
    return median(mine / its for mine, its in zip(costs[name], costs[yardstick], strict=True))


async def microseconds(case: Case) -> float:
    """CPU a call."""
    things = case.things()
    gc.disable()
    start = time.process_time_ns()
    await case.run(things)
    taken = time.process_time_ns() - start
    gc.enable()
    return taken / len(things) / 1000


async def instructions(case: Case) -> float:
    """Thousands a call: what twice as many more cost, so that the counting itself does not count."""
    few, many = case.things(), case.things(3)
    gc.disable()
    _control("--instr=on")
    _control("--dump")
    await case.run(few)
    _control("--dump")
    await case.run(many)
    _control("--dump")
    _control("--instr=off")
    gc.enable()
    cost_of_few, cost_of_many = _newest_dumps(2)
    return (cost_of_many - cost_of_few) / (len(many) - len(few)) / 1000


# --- callgrind ---------------------------------------------------------------------------------


@contextmanager
def counting(is_counting: bool = True) -> Iterator[tuple[list[str], dict[str, str]]]:
    """What to put before a command so that its instructions can be counted, and its environment."""
    if not is_counting:
        yield [], dict(os.environ)
        return
    with TemporaryDirectory() as folder:
        words = ["valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no"]
        environment = {**os.environ, COUNTED: folder, "PYTHONHASHSEED": "0"}
        yield [*words, f"--callgrind-out-file={folder}/dump"], environment


def can_count() -> bool:
    """Whether this machine has callgrind."""
    return shutil.which("valgrind") is not None


def _newest_dumps(number: int) -> list[int]:
    """The instructions from one dump to the next."""
    files = sorted(Path(os.environ[COUNTED]).glob("dump.*"), key=lambda file: int(file.suffix[1:]))
    return [int(re.findall(r"^totals: (\d+)", file.read_text(), re.MULTILINE)[0]) for file in files[-number:]]


def _control(command: str) -> None:
    subprocess.run(["callgrind_control", command, str(os.getpid())], check=True, capture_output=True)
