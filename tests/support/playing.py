"""Seeded random battles for property tests.

A `Trace` is all that happened: each order with the state before it and the facts that followed. The
players mix the bot's judgement with pure chance, so that battles see both fights and follies.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from domain.basics import data
from domain.catalogue import RULESETS
from domain.engine.state import OTHER
from domain.events.battle import Fact
from domain.games.to_the_strongest.state.state import State
from domain.log.fairness import Stream
from domain.log.record import encode
from domain.run.bots import BOTS, GO_ON, Bot
from domain.run.decide import beginning, decide, evolve, opening, to_act

TTS = RULESETS["tts"]
ENOUGH = 3000
"""Orders after which a battle that does not end is a fault."""

MOTLEY = """
ruleset = "tts"
title = "A bit of everything"
[options]
turn_limit = 12
[board]
columns = 9
rows = 8
[[terrain]]
box = "B4"
kind = "wood"
[[terrain]]
box = "E5"
kind = "steep_hill"
[[terrain]]
box = "F4"
kind = "gentle_hill"
[[terrain]]
box = "H4"
kind = "impassable"
[[terrain]]
box = "C6"
kind = "marsh"
[[terrain]]
box = "G6"
kind = "building"
[[edge]]
between = ["D3", "D4"]
kind = "stream"
[[edge]]
between = ["E3", "E4"]
kind = "ford"
[[edge]]
between = ["G5", "G6"]
kind = "hedge"
[[edge]]
between = ["C2", "C3"]
kind = "stakes"

[sides.south]
name = "South"
[[sides.south.corps]]
id = "I"
general = { id = "G1", mounted = true, box = "D2", traits = ["heroic", "senior"] }
camp = { box = "D1", fortified = ["N", "E"] }
units = [
  { id = "S1", type = "pikemen", box = "D2" },
  { id = "S2", type = "light_bow", box = "D2" },
  { id = "S3", type = "spearmen", box = "E2", hero = true },
  { id = "S4", type = "longbowmen", box = "C2", extras = ["pavise"] },
  { id = "S5", type = "elephants", box = "E3" },
  { id = "S6", type = "artillery", box = "F2" },
  { id = "S7", type = "legionaries", box = "F3", disorder = 1 },
]
[[sides.south.corps]]
id = "II"
general = { id = "G2", mounted = true, attached = "S8", traits = ["great"] }
units = [
  { id = "S8", type = "later_knights", box = "H2" },
  { id = "S9", type = "cataphracts", box = "G2" },
  { id = "S10", type = "scythed_chariots", box = "G3" },
  { id = "S11", type = "light_chariots", box = "H3" },
  { id = "S12", type = "light_cavalry_bow", box = "I3" },
]
[[sides.south.corps]]
id = "III"
units = [
  { id = "S13", type = "battle_cars", box = "A3" },
  { id = "S14", type = "war_wagons", box = "B3" },
  { id = "S15", type = "light_javelin", box = "B3", ammo = 1 },
]

[sides.north]
name = "North"
[[sides.north.corps]]
id = "IV"
general = { id = "G4", box = "E8", traits = ["brilliant", "heroic"] }
camp = { box = "E8" }
units = [
  { id = "N1", type = "warriors_deep", box = "D6" },
  { id = "N2", type = "axemen", box = "E6" },
  { id = "N3", type = "quincunx", box = "E7" },
  { id = "N4", type = "hoplites_small", box = "E7", extras = ["standard"] },
  { id = "N5", type = "cannon", box = "F6" },
  { id = "N6", type = "organ_gun", box = "D7" },
  { id = "N7", type = "light_sling", box = "F7" },
]
[[sides.north.corps]]
id = "V"
general = { id = "G5", mounted = true, attached = "N8", traits = ["commander"] }
units = [
  { id = "N8", type = "cavalry_lance", box = "B7" },
  { id = "N9", type = "camelry", box = "A7" },
  { id = "N10", type = "light_camels", box = "B6" },
  { id = "N11", type = "elephants_escorted", box = "C7" },
]
[[sides.north.corps]]
id = "VI"
general = { id = "G6", mounted = true, box = "H7" }
units = [
  { id = "N12", type = "heavy_chariots", box = "H6" },
  { id = "N13", type = "early_knights", box = "I6", hero = true },
  { id = "N14", type = "handgunners", box = "H7" },
  { id = "N15", type = "mob", box = "I7" },
  { id = "N16", type = "light_crossbow", box = "G7" },
]
"""

RARE_RULES = """
deck_mode = "d10"
deep_difficulty = "always_plus_one"
disorder_difficulty = 1
rally_costs_medal = true
rout_strict = false
hero_shooting = true
auto_end_turn = false
"""


class Dice:
    """Chance for tests: a stream with a key."""

    def __init__(self, key: str) -> None:
        self.stream = Stream(key.encode())

    def card(self, scope: str, pile: Any, t: int, deck: str) -> str:
        card: str = pile[self.stream.below(len(pile))]
        return card

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        return self.stream.below(sides) + 1

    def one_in(self, times: int) -> bool:
        return self.stream.below(times) == 0

    def pick(self, things: Any) -> Any:
        return things[self.stream.below(len(things))]


class Moment(Struct, frozen=True):
    """An order: what was before it, and what followed; `lines` are the facts as recorded at once."""

    state: State
    side: str
    order: str
    facts: tuple[Fact, ...]
    lines: tuple[bytes, ...] = ()


class Trace(Struct, frozen=True):
    """A battle: the facts before the first order, the orders, the end."""

    start: tuple[Fact, ...]
    moments: tuple[Moment, ...]
    end: State


def scenario(name: str) -> dict[str, Any]:
    """A packaged scenario, `motley`, or `rare`: the motley one with other options."""
    if name == "motley":
        return tomllib.loads(MOTLEY)
    if name == "rare":
        table = tomllib.loads(MOTLEY)
        table["options"] |= tomllib.loads(RARE_RULES)
        return table
    return data.read_toml("tts", "scenarios", f"{name}.toml")


def fold(state: Any, facts: Any) -> Any:
    """The state after some facts."""
    for fact in facts:
        state = evolve(TTS, state, fact.event, state.n + 1)
    return state


def opened(table: Mapping[str, Any]) -> tuple[State, tuple[Fact, ...]]:
    """A battle about to begin its first turn, and the facts that led there."""
    facts = opening(TTS, table)
    state = fold(TTS.rules.initial, facts)
    begun = beginning(TTS, state)
    return fold(state, begun), facts + begun


def give(state: State, side: str, order: str, dice: Dice) -> tuple[Fact, ...]:
    """What follows from an order line."""
    return decide(TTS, state, side, TTS.orders.parse(order), dice)


def played(name: str, players: Mapping[str, Bot], seed: str) -> Trace:
    """A battle between two bots."""
    state, start = opened(scenario(name))
    dice, own_dice = Dice(f"{name} {seed}"), Dice(f"bots {seed}")
    moments: list[Moment] = []
    while state.winner is None:
        assert len(moments) < ENOUGH, "the battle does not end"
        side = to_act(TTS, state)[0]
        known = TTS.secrets.known(state, side)
        order = players[side](TTS, known, side, TTS.orders.options(known, side), own_dice)
        facts = give(state, side, order, dice)
        moments.append(Moment(state, side, order, facts))
        state = fold(state, facts)
    return Trace(start, tuple(moments), state)


@cache
def battle(name: str, seed: int) -> Trace:
    """A battle of half judgement, half chance, with standing orders and draw offers now and then."""
    state, start = opened(scenario(name))
    dice, whims = Dice(f"{name} {seed}"), Dice(f"whims {name} {seed}")
    moments: list[Moment] = []
    while state.winner is None and len(moments) < ENOUGH:
        side = to_act(TTS, state)[0]
        if whims.one_in(30):
            side = whims.pick((side, OTHER[side]))
            order = _free_order(state, side, whims)
        else:
            order = _whim(state, side, whims)
        facts = give(state, side, order, dice)
        moments.append(Moment(state, side, order, facts, recorded(state.n, facts)))
        state = fold(state, facts)
    return Trace(start, tuple(moments), state)


def recorded(n: int, facts: Sequence[Fact]) -> tuple[bytes, ...]:
    """The lines of facts that follow event `n`."""
    return tuple(encode(at, "2026-01-01T00:00:00.000Z", fact) for at, fact in enumerate(facts, start=n + 1))


def _whim(state: State, side: str, whims: Dice) -> str:
    listed = TTS.orders.options(TTS.secrets.known(state, side), side)
    if whims.one_in(3 * GO_ON):
        return listed[-1].order
    if whims.one_in(2):
        return BOTS["sensible"](TTS, TTS.secrets.known(state, side), side, listed, whims)
    order: str = whims.pick([option for option in listed if option.order != "accept draw"]).order
    return order


def _free_order(state: State, side: str, whims: Dice) -> str:
    if whims.one_in(4):
        return f"standing replay {whims.pick(('always', 'never', 'ask'))}"
    if whims.one_in(6) and not state.draw_offer:
        return "offer draw"
    unit = whims.pick([unit.id for unit in state.units.values() if unit.side == side])
    return f"standing evade {unit} {whims.pick(('always', 'never', 'heavier', 'ask'))}"
