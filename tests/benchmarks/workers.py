"""The other end of `worker`: processes in, what their calls cost out."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from tests.benchmarks.measure import Costs, counting
from tests.benchmarks.subjects import ALL


@dataclass(frozen=True)
class Worker:
    """One that runs."""

    process: subprocess.Popen[str]

    def hear(self) -> Any:
        assert self.process.stdout is not None
        if not (line := self.process.stdout.readline()):
            raise RuntimeError(f"{self.process.args!r} ended with {self.process.wait()}")
        return json.loads(line)

    def ask(self, *question: object) -> Any:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return self.hear()


@contextmanager
def working(place: str, *words: str, traced: bool, is_counting: bool = False) -> Iterator[Worker]:
    """A worker; what it logs goes nowhere."""
    command = [
        sys.executable,
        "-m",
        "tests.benchmarks.worker",
        place,
        "traced" if traced else "plain",
        *words,
    ]
    with counting(is_counting) as (before, environment), ExitStack() as ended:
        process = subprocess.Popen(
            [*before, *command],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        ended.callback(process.wait)
        ended.callback(process.kill)
        yield Worker(process)


def timed(
    stack: str, names: Iterable[str], workloads: Iterable[str], calls: int, rounds: int
) -> dict[str, Costs]:
    """By workload and subject, microseconds a call in each round; every round asks all of them in turn."""
    names = list(names)
    costs: dict[str, Costs] = {workload: {name: [] for name in names} for workload in workloads}
    with working("memory", traced=False) as plain, working("memory", traced=True) as traced:
        for _ in range(rounds):
            for workload, name in ((workload, name) for workload in costs for name in names):
                worker = traced if ALL[name].traced else plain
                costs[workload][name].append(worker.ask("microseconds", stack, name, workload, calls))
    return costs


def counted(
    stack: str, names: Iterable[str], workloads: Iterable[str], calls: int = 10, rounds: int = 1
) -> dict[str, Costs]:
    """By workload and subject, thousands of instructions a call in each round; they vary by a few only."""
    return _asked("instructions", stack, names, workloads, calls, rounds, is_counting=True)


def allocated(stack: str, names: Iterable[str], workloads: Iterable[str]) -> dict[str, Costs]:
    """By workload and subject, the kilobytes of a call's peak, and those it leaves behind."""
    return {
        workload: {name: list(pair[0]) for name, pair in costs.items()}
        for workload, costs in _asked("kilobytes", stack, names, workloads, 10, 1).items()
    }


def _asked(
    unit: str,
    stack: str,
    names: Iterable[str],
    workloads: Iterable[str],
    calls: int,
    rounds: int,
    *,
    is_counting: bool = False,
) -> dict[str, dict[str, list[Any]]]:
    names, workloads = list(names), list(workloads)

    def ask(traced: bool) -> dict[tuple[str, str], list[Any]]:
        chosen = [(name, workload) for name in names if ALL[name].traced is traced for workload in workloads]
        if not chosen:
            return {}
        with working("memory", traced=traced, is_counting=is_counting) as worker:
            # One after the other: a success is counted before any call of its tool has failed.
            return {pair: [worker.ask(unit, stack, *pair, calls) for _ in range(rounds)] for pair in chosen}

    with ThreadPoolExecutor(2) as pool:
        plain, traced = pool.map(ask, (False, True))
    said = plain | traced
    return {workload: {name: said[name, workload] for name in names} for workload in workloads}
