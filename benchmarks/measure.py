"""Measure a rate so that it can be believed on a noisy machine.

Variants run in interleaved rounds; what is quoted is the median of the rounds, and ratios are medians of the ratios of
each round to the base of that round.
"""

import statistics
import time
from collections.abc import Callable, Mapping

from msgspec import Struct

Work = Callable[[], int]
"""Does the work once and says how many items it was."""


class Row(Struct, frozen=True):
    """One line of a table: microseconds per item, and how that compares with the base of the run."""

    name: str
    micros: float
    ratio: float


def compare(base: str, variants: Mapping[str, Work], rounds: int = 7) -> list[Row]:
    """Measure all variants in turn, `rounds` times."""
    taken: dict[str, list[float]] = {name: [] for name in variants}
    for _ in range(rounds):
        for name, work in variants.items():
            start = time.perf_counter()
            items = work()
            taken[name].append((time.perf_counter() - start) / items * 1e6)
    return [
        Row(
            name,
            statistics.median(taken[name]),
            statistics.median(a / b for a, b in zip(taken[name], taken[base], strict=True)),
        )
        for name in variants
    ]


def show(title: str, rows: list[Row], targets: Mapping[str, str] | None = None) -> None:
    """Print a table for benchmarks/README.md."""
    print(f"\n### {title}\n\n| what | µs each | ratio to the base | reach |\n|---|---|---|---|")
    for row in rows:
        print(f"| {row.name} | {row.micros:,.2f} | {row.ratio:.2f} | {(targets or {}).get(row.name, '')} |")
