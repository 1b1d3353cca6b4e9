"""What a shot or a melee brings on average: the sums of the engine's own factors, and a D4 against a D4.

Harm is in hundredths of a unit: 100 is all of it, a marker is a part. The last marker before the limit costs most, for
only the unit that is gone counts as a loss (STP-MOR-02).
"""

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from domain.games.shot_to_pieces.chapters.factors import MOST_BRITTLE
from domain.games.shot_to_pieces.chapters.leaders import fighting_die
from domain.games.shot_to_pieces.chapters.results import CAPPED, KILL, LIMIT
from domain.games.shot_to_pieces.state.profiles import Effect
from domain.games.shot_to_pieces.state.state import State, Unit
from domain.log.chance import Die

LEFT = (100, 76, 46, 0)
"""What a unit is worth with so many markers."""
STILL = 8
"""What it costs a unit that it cannot act while it is shaken."""
SHAKEN_COSTS = 2
"""What a SHAKEN takes from the score of a melee (STP-FAC-08)."""
ROUNDS = 3
"""Rounds of a melee that are looked at."""
KEPT = 1 << 16

Spread = tuple[tuple[int, int], ...]
"""The differences of two dice, each with the number of ways."""
Markers = tuple[int, int]
"""SHAKEN and BRITTLE."""


class DuelTerms(NamedTuple):
    """Two units that fight: their markers, the classes of their effects ("none" for a silent one), whether a
    tie makes the other shaken besides (STP-RES-11)."""

    own: Markers
    foe: Markers
    effect: Effect
    reply: Effect | str
    fattens: bool = False
    is_fattened: bool = False


class Prospect(NamedTuple):
    """The harm that a fight does on average, to the foe and to the unit itself, in hundredths of a unit."""

    done: int
    suffered: int


def markers_of(unit: Unit) -> Markers:
    """The markers that a unit has."""
    return len(unit.shaken), unit.brittle


def spread_of(state: State, one: Unit, other: Unit, dice: int = 1) -> Spread:
    """The differences of the dice of two units, of which the first keeps the best of some."""
    return spread(fighting_die(state, one), dice, fighting_die(state, other))


@lru_cache(maxsize=64)
def spread(one: Die, dice: int, other: Die) -> Spread:
    """The differences of the best of some dice and another die."""
    best = Counter[int](one.values)
    for _ in range(dice - 1):
        again = Counter[int]()
        for value, ways in best.items():
            for face in one.values:
                again[max(value, face)] += ways
        best = again
    found = Counter[int]()
    for value, ways in best.items():
        for face in other.values:
            found[value - face] += ways
    return tuple(sorted(found.items()))


# --- one result


@lru_cache(maxsize=KEPT)
def after(markers: Markers, diff: int, effect: str) -> Markers | None:
    """The markers of a unit that lost by `diff` (STP-RES-01 to -09); None for one that is gone."""
    shaken, brittle = markers
    if effect == "normal" and diff >= KILL:
        return None
    if effect == "kills-only-shaken" and diff >= KILL and shaken:
        return None
    if effect == "brittle-only":
        brittle += brittle < CAPPED
    elif effect == "second-line" and diff < KILL:
        brittle += 1
    elif effect == "shaken-only":
        shaken += shaken < CAPPED
    elif shaken:
        return None
    else:
        shaken += 1
    return (shaken, brittle) if shaken + brittle <= LIMIT else None


def after_tie(markers: Markers, effect: str, *, is_fattened: bool) -> Markers | None:
    """The markers of a unit after equal scores (STP-RES-10, -11)."""
    shaken, brittle = markers[0], markers[1] + 1
    if is_fattened:
        found = after((shaken, min(brittle, LIMIT)), 1, effect)
        if found is None:
            return None
        shaken, brittle = found[0], brittle + found[1] - min(brittle, LIMIT)
    return (shaken, brittle) if shaken + brittle <= LIMIT else None


def harm(before: Markers, then: Markers | None) -> int:
    """What a unit has lost with the markers that it has got."""
    had = LEFT[min(sum(before), LIMIT + 1)]
    if then is None:
        return had
    return had - LEFT[sum(then)] + (STILL if then[0] > before[0] else 0)


# --- fights


@lru_cache(maxsize=KEPT)
def shot(margin: int, terms: DuelTerms, thrown: Spread) -> Prospect:
    """A shot with so much more than the other score; who replies hurts the firer (STP-FIR-06)."""
    done = suffered = ways = 0
    for diff, count in thrown:
        ways += count
        own, foe = _settled(margin + diff, terms)
        done += count * harm(terms.foe, foe)
        suffered += count * harm(terms.own, own)
    return Prospect(done // ways, suffered // ways)


@lru_cache(maxsize=KEPT)
def melee(
    first: int, later: int, terms: DuelTerms, thrown: Spread, rounds: int = ROUNDS, *, fragile: bool = False
) -> Prospect:
    """A melee with so much more in its first round, and in those that follow, both without what markers cost.

    Shape: `fragile` for a charger whom a tie or a SHAKEN destroys (STP-CHG-07, -09)
    """
    margin = first - weakness(terms.own) + weakness(terms.foe)
    done = suffered = ways = 0
    for diff, count in thrown:
        ways += count
        own, foe = _settled(margin + diff, terms)
        if fragile and margin + diff <= 0:
            own, foe = None, terms.foe
        done += count * harm(terms.foe, foe)
        suffered += count * harm(terms.own, own)
        if own and foe and rounds > 1:
            more = terms._replace(own=_aged(terms.own, own), foe=_aged(terms.foe, foe))
            then = melee(later, later, more, thrown, rounds - 1, fragile=fragile)
            done += count * then.done
            suffered += count * then.suffered
    return Prospect(done // ways, suffered // ways)


def weakness(markers: Markers) -> int:
    """What markers take from the score of a melee."""
    return SHAKEN_COSTS * bool(markers[0]) + min(markers[1], MOST_BRITTLE)


def _settled(diff: int, terms: DuelTerms) -> tuple[Markers | None, Markers | None]:
    """The markers of both after a difference of scores."""
    if diff > 0:
        return terms.own, after(terms.foe, diff, terms.effect)
    if terms.reply == "none":
        return terms.own, terms.foe
    if diff < 0:
        return after(terms.own, -diff, terms.reply), terms.foe
    return (
        after_tie(terms.own, terms.reply, is_fattened=terms.is_fattened),
        after_tie(terms.foe, terms.effect, is_fattened=terms.fattens),
    )


def _aged(before: Markers, now: Markers) -> Markers:
    """The markers of the next round: a SHAKEN that was there before is BRITTLE by then (STP-RES-07)."""
    old = min(before[0], now[0])
    return now[0] - old, now[1] + old
