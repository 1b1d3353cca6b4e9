"""Interleaved rounds of several measures, and their table."""

import statistics
from collections.abc import Callable

Measure = Callable[[], float]
"""Measures once; gives how many in a second."""


def interleaved(measures: dict[str, Measure], rounds: int) -> dict[str, tuple[float, float, float, float]]:
    """(median, least, most, median ratio to the first) of each, one round after the other."""
    found: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(rounds):
        for name, measure in measures.items():
            found[name].append(measure())
    base = next(iter(found.values()))
    return {
        name: (
            statistics.median(xs),
            min(xs),
            max(xs),
            statistics.median(x / b for x, b in zip(xs, base, strict=True)),
        )
        for name, xs in found.items()
    }


def show(title: str, results: dict[str, tuple[float, float, float, float]], reach: dict[str, float]) -> None:
    """Print a table; `reach` names the ratio a row has to reach."""
    print(f"\n{title}")
    for name, (median, least, most, ratio) in results.items():
        goal = reach.get(name)
        verdict = "" if goal is None else f"  reach {goal:.2f}: {'yes' if ratio >= goal else 'NO'}"
        print(f"  {name:52s} {median:>11,.0f}  [{least:,.0f} … {most:,.0f}]  x{ratio:.2f}{verdict}")
