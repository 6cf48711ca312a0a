"""Figures in, markdown out; and which of the targets they meet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from tests.benchmarks.curves import Curve, exponent
from tests.benchmarks.measure import Costs, ratio
from tests.benchmarks.wire import Storm


@dataclass(frozen=True)
class Target:
    """What was promised, and what is."""

    what: str
    figure: float
    most: float
    unit: str = "×"
    is_least: bool = False
    """Whether the limit is one from below."""

    @property
    def is_met(self) -> bool:
        return self.figure >= self.most if self.is_least else self.figure <= self.most

    def row(self) -> list[str]:
        bound = f"{'at least' if self.is_least else 'at most'} {self.most:g} {self.unit}"
        return [self.what, bound, f"{self.figure:.3g} {self.unit}", "met" if self.is_met else "**missed**"]


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Left the first column, right the others."""
    names = list(head)
    lines = [names, ["---", *["---:"] * (len(names) - 1)], *map(list, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def listing(costs: Costs, unit: str, ratio_to: str = "") -> str:
    """A figure for each, and how many times the first."""
    first = next(iter(costs))
    rows = [[name, f"{median(rounds):,.2f}"] for name, rounds in costs.items()]
    if not ratio_to:
        return table(["", unit], rows)
    return table(["", unit, f"× {ratio_to}"], ([*row, f"{ratio(costs, row[0], first):.3f}"] for row in rows))


def grid(costs: Mapping[str, Costs], unit: str) -> str:
    """By workload and subject: the first subject in figures, the others as multiples of it."""
    first, *others = next(iter(costs.values()))
    figures = [f"{median(column[first]):,.0f} {unit}" for column in costs.values()]
    rows = [[name, *(f"{ratio(column, name, first):.3f} ×" for column in costs.values())] for name in others]
    return table(["", *costs], [[first, *figures], *rows])


def memory(costs: Mapping[str, Costs]) -> str:
    """The peak of a call, as a multiple of the first subject's, and what it leaves."""
    first = next(iter(next(iter(costs.values()))))

    def cell(column: Costs, name: str) -> str:
        peak, left = column[name]
        times = f"{peak:,.0f} kB" if name == first else f"{peak / column[first][0]:.2f} ×"
        return f"{times} / {left:.1f} kB"

    names = list(next(iter(costs.values())))
    return table(["", *costs], ([name, *(cell(column, name) for column in costs.values())] for name in names))


def storms(found: Mapping[str, list[Storm]]) -> str:
    head = ["", "answers a second", "of bare", "p50", "p99", "p99 of bare", "CPU an answer", "of bare"]
    rows = [
        [
            name,
            f"{median(storm.rate for storm in rounds):,.0f}",
            f"{storm_ratio(found, name, 'rate'):.2f} ×",
            f"{median(storm.p50 for storm in rounds):.1f} ms",
            f"{median(storm.p99 for storm in rounds):.1f} ms",
            f"{storm_ratio(found, name, 'p99'):.2f} ×",
            f"{median(storm.cpu for storm in rounds):,.0f} µs",
            f"{storm_ratio(found, name, 'cpu'):.2f} ×",
        ]
        for name, rounds in found.items()
    ]
    return table(head, rows)


def storm_ratio(found: Mapping[str, list[Storm]], name: str, what: str) -> float:
    """To the first, the median of the rounds."""
    pairs = zip(found[name], next(iter(found.values())), strict=True)
    return float(median(getattr(mine, what) / getattr(its, what) for mine, its in pairs))


def curves(found: Mapping[str, Curve]) -> str:
    rows = [
        [
            name,
            " → ".join(f"{size:,}" for size in curve),
            " → ".join(f"{cost:,.0f}" for cost in curve.values()),
            f"{exponent(curve):.2f}",
        ]
        for name, curve in found.items()
    ]
    return table(["number of", "from → to", "cost", "exponent"], rows)


def targets(found: Iterable[Target]) -> str:
    return table(["", "target", "measured", ""], (target.row() for target in found))
