"""How often something goes wrong in a run, and what people are like: drawn from its seed, each seed leaving some out.

A run in which everything goes wrong at once hides what needs one thing alone (swarm testing).
"""

import random
from collections.abc import Collection, Mapping

MOST: Mapping[str, float] = {
    "crash": 0.1,
    "cut request": 0.05,
    "cut answer": 0.08,
    "double click": 0.15,
    "two devices": 0.08,
    "stale": 0.08,
    "clock forward": 0.02,
    "clock back": 0.02,
    "stop": 0.01,
    "mail lost": 0.08,
    "mail doubled": 0.12,
    "mail late": 0.2,
    "letter lost": 0.08,
    "letter doubled": 0.08,
    "letter late": 0.15,
    "smtp down": 0.04,
    "slip": 0.1,
    "vanish": 0.15,
    "vacation": 0.05,
    "pause": 0.04,
    "substitute": 0.5,
    "claim": 0.8,
    "draw": 0.02,
}
"""The highest rate of each: of steps, requests, mails, letters, people or sittings."""
LEFT_OUT = 0.35
"""The part of the kinds that a seed leaves out."""


def drawn(seed: int, without: Collection[str] = ()) -> dict[str, float]:
    """The rates of a seed; 0 for what it leaves out, and for what is to be left out."""
    rates = {}
    for kind, most in MOST.items():
        chance = random.Random(f"rate {seed} {kind}")
        is_left_out = chance.random() < LEFT_OUT
        rates[kind] = 0.0 if is_left_out or kind in without else round(most * chance.random(), 4)
    return rates
