"""The other end of `worker`: processes in, what their calls cost out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from tests.benchmarks.measure import Costs, counting


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
def working(place: str, stack: str, subject: str, *, is_counting: bool = False) -> Iterator[Worker]:
    """A worker; what it logs goes nowhere."""
    with counting(is_counting) as (before, environment), ExitStack() as ended:
        process = subprocess.Popen(
            [*before, sys.executable, "-m", "tests.benchmarks.worker", place, stack, subject],
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
    stack: str, subjects: Iterable[str], workloads: Iterable[str], calls: int, rounds: int
) -> dict[str, Costs]:
    """By workload and subject, microseconds a call in each round; every round asks all of them in turn."""
    workloads = list(workloads)
    with ExitStack() as ended:
        workers = {name: ended.enter_context(working("memory", stack, name)) for name in subjects}
        for worker in workers.values():
            worker.hear()
        costs: dict[str, Costs] = {workload: {name: [] for name in workers} for workload in workloads}
        for _ in range(rounds):
            for workload, name in ((workload, name) for workload in workloads for name in workers):
                costs[workload][name].append(workers[name].ask("microseconds", workload, calls))
    return costs


def counted(
    stack: str, subjects: Iterable[str], workloads: Iterable[str], calls: int = 3
) -> dict[str, Costs]:
    """By workload and subject, thousands of instructions a call: a single figure, as it does not vary."""
    return _asked("instructions", stack, subjects, workloads, calls, is_counting=True)


def allocated(stack: str, subjects: Iterable[str], workloads: Iterable[str]) -> dict[str, Costs]:
    """By workload and subject, the kilobytes of a call's peak, and those it leaves behind."""
    return {
        workload: {name: list(pair[0]) for name, pair in costs.items()}
        for workload, costs in _asked("kilobytes", stack, subjects, workloads, 20).items()
    }


def _asked(
    unit: str,
    stack: str,
    subjects: Iterable[str],
    workloads: Iterable[str],
    calls: int,
    *,
    is_counting: bool = False,
) -> dict[str, dict[str, list[Any]]]:
    subjects, workloads = list(subjects), list(workloads)

    def ask(name: str) -> dict[str, Any]:
        with working("memory", stack, name, is_counting=is_counting) as worker:
            worker.hear()
            return {workload: worker.ask(unit, workload, calls) for workload in workloads}

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        said = dict(zip(subjects, pool.map(ask, subjects), strict=True))
    return {workload: {name: [said[name][workload]] for name in subjects} for workload in workloads}
