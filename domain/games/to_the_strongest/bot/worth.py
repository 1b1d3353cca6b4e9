"""What a charge or a shot is worth, in medals, to a side that looks one order ahead.

Estimates for the bot of this game, never rules: the chapters say what an order may do and which cards it
needs; its value is opinion. `places` computes the value of standing somewhere.
"""

from math import comb
from typing import NamedTuple

from msgspec.structs import replace

from domain.games.to_the_strongest.bot.strength import Strength
from domain.games.to_the_strongest.chapters.activation import HIGHEST_CARD
from domain.games.to_the_strongest.chapters.cards import pile
from domain.games.to_the_strongest.chapters.evade import evade_needed, evade_path, evade_reach, may_evade, must_evade
from domain.games.to_the_strongest.chapters.geometry import FRONT_ZONE
from domain.games.to_the_strongest.chapters.medals import general_medals, unit_medals
from domain.games.to_the_strongest.chapters.melee import (
    TO_HIT,
    bonus_cards,
    gives_closing_fire,
    may_follow_up,
    may_strike_back,
    to_hit_factors,
)
from domain.games.to_the_strongest.chapters.morale import is_routed, rout_reckoning, rout_tests
from domain.games.to_the_strongest.chapters.replays import replay_sources
from domain.games.to_the_strongest.chapters.saves import Strike, save_reckoning
from domain.games.to_the_strongest.chapters.shooting import SHOT_NEEDED
from domain.games.to_the_strongest.chapters.stacking import first_hit_by_charge, first_hit_by_shot
from domain.games.to_the_strongest.chapters.wounds import OUTLIVE_THEIR_CORPS, homes
from domain.games.to_the_strongest.state.roster import CAMP_VP
from domain.games.to_the_strongest.state.state import (
    General,
    State,
    Unit,
    corps_general,
    generals_in,
    kind,
)
from domain.mechanics.cards import cards_at_least
from domain.mechanics.modifiers import total
from domain.mechanics.square import box_at, frame

DISORDER = 0.35
"""The cost of a step that does not destroy, as a share of the unit's medals."""
GENERAL_LOST = 0.12
"""The probability that a general is lost with a unit."""
GENERAL_HIT = 0.04
"""The probability that a hit in the box of a general is deadly: the save fails, and so does the wound card."""
GROUND = 0.1
"""The value of ground given up, or gained, by an evade."""


class Clash(NamedTuple):
    """The losses of a charge: the enemy's (`gain`) and one's own (`pain`)."""

    gain: float
    pain: float


class Outlook:
    """A state as one side sees it, with repeated calculations cached."""

    def __init__(self, state: State, side: str, strength: Strength) -> None:
        self.state, self.side, self.strength = state, side, strength
        self.foes = [unit for unit in state.units.values() if unit.box and unit.side != side]
        self._replays: dict[str, bool] = {}
        self._odds: dict[str, list[float]] = {}
        self._frights: dict[tuple[str, str], float] = {}
        self._generals: dict[tuple[str, str], float] = {}

    def chance(self, side: str, needed: int) -> float:
        """The probability that the next card of a side is `needed` or more."""
        if side not in self._odds:
            cards = pile(self.state, side) or self.state.armies[side].deck.discards
            left = max(1, len(cards))
            self._odds[side] = [cards_at_least(cards, card) / left for card in range(HIGHEST_CARD + 1)]
        return self._odds[side][needed] if needed <= HIGHEST_CARD else 0.0

    # --- blows

    def loss(self, unit: Unit, steps: int) -> float:
        """The cost to a side of a unit's loss of steps."""
        if not steps:
            return 0.0
        if unit.losses + steps < unit.steps:
            return DISORDER * unit_medals(unit) * steps * 2 / unit.steps
        return self._paid(unit.side, unit_medals(unit)) + self._bereaved(unit) + self._fright(unit)

    def _exposed(self, box: str, side: str) -> float:
        """The cost of a hit on a unit in a box, in generals, whether the unit saves or not (TTS-GEN-05)."""
        if not self.strength.foresight:
            return 0.0
        key = box, side
        if key not in self._generals:
            self._generals[key] = GENERAL_HIT * sum(map(general_medals, generals_in(self.state, box, side)))
        return self._generals[key]

    def _bereaved(self, unit: Unit) -> float:
        """The cost of generals lost with a unit: by chance, or since no unit is left for them (TTS-GEN-08, -12)."""
        worth = GENERAL_LOST * sum(map(general_medals, generals_in(self.state, unit.box, unit.side)))
        general = corps_general(self.state, unit) if self.strength.foresight else None
        if general and not self._outlives(general, unit):
            worth += general_medals(general)
        return worth

    def _outlives(self, general: General, unit: Unit) -> bool:
        """Whether the general of a corps stays when it loses a unit."""
        if general.attached:
            return general.attached != unit.id or homes(self.state, general) != [unit.id]
        corps = self.state.armies[unit.side].corps[unit.corps].units
        alone = not any(self.state.units[name].alive for name in corps if name != unit.id)
        return not alone or not OUTLIVE_THEIR_CORPS.isdisjoint(general.traits)

    def camp(self, side: str) -> float:
        """The cost to a side of losing one of its camps."""
        return self._paid(side, CAMP_VP)

    def _paid(self, side: str, medals: int) -> float:
        """The cost of medals to the side that pays them: the last one is the battle (TTS-MED-05)."""
        return medals + self.strength.win * (medals >= self.state.armies[side].medals)

    def _fright(self, unit: Unit) -> float:
        """The cost of the rout tests caused by the loss of a unit: each fails on two bad cards (TTS-MOR-01)."""
        key = unit.id, unit.box
        if key not in self._frights:
            worth = 0.0
            for name, _ in rout_tests(self.state, unit):
                friend = self.state.units[name]
                fails = (1 - self.chance(friend.side, rout_reckoning(self.state, friend)[0])) ** 2
                share = 1.0 if is_routed(self.state, friend) else DISORDER * 2 / friend.steps
                worth += fails * share * unit_medals(friend)
            self._frights[key] = worth
        return self._frights[key]

    def attack(self, striker: Unit, target: Unit, blow: Strike, needed: int, cards: int) -> tuple[float, float]:
        """The damage by a charger; a missed card that may be replayed counts as one more card (TTS-GEN-10)."""
        loss, dead = self.damage(striker, target, blow, needed, cards)
        if not self.strength.foresight or not self._may_replay_hit(striker):
            return loss, dead
        misses = 1 - self.chance(striker.side, needed) ** cards
        more, deadlier = self.damage(striker, target, blow, needed, cards + 1)
        return loss + misses * (more - loss), dead + misses * (deadlier - dead)

    def _may_replay_hit(self, unit: Unit) -> bool:
        if unit.id not in self._replays:
            self._replays[unit.id] = bool(replay_sources(self.state, [unit.id], "hit"))
        return self._replays[unit.id]

    def damage(self, striker: Unit, target: Unit, blow: Strike, needed: int, cards: int) -> tuple[float, float]:
        """(expected loss of the target, likelihood that it is destroyed) by a series of cards."""
        save, _ = save_reckoning(self.state, target, blow)
        hits_at = self.chance(striker.side, needed)
        through = hits_at * (1 - self.chance(target.side, save))
        loss, dead = cards * hits_at * self._exposed(target.box, target.side), 0.0
        for hits in range(1, cards + 1):
            likely = comb(cards, hits) * through**hits * (1 - through) ** (cards - hits)
            loss += likely * self.loss(target, min(hits, target.steps - target.losses))
            dead += likely * (target.losses + hits >= target.steps)
        return loss, dead

    def clash(self, unit: Unit, target: Unit, aspect: str, origin: str, began: str) -> Clash:
        """A charge that is not evaded: attack and reply (TTS-MEL-04)."""
        state = self.state
        charger = replace(unit, box=origin)
        cards = 1 + total(bonus_cards(state, charger, target, aspect, began, not unit.charged))
        needed = TO_HIT + total(to_hit_factors(state, charger, target, origin))
        gain, dead = self.attack(charger, target, Strike(unit.id, "charge", aspect, origin), needed, cards)
        pain = 0.0
        if gives_closing_fire(state, target, aspect):
            closing = Strike(target.id, "closing", "front", target.box, kind(target).weapon)
            pain += 0.6 * self.damage(target, charger, closing, SHOT_NEEDED, 1)[0]
        if may_strike_back(unit, aspect):
            back = TO_HIT + total(to_hit_factors(state, target, charger, target.box))
            reply = Strike(target.id, "reply", "front", target.box)
            pain += (1 - dead) * self.damage(target, charger, reply, back, 1 + (target.pilum > 0))[0]
        camp = state.camps.get(target.box)
        if camp and camp.side == target.side and len(state.boxes.get(target.box, ())) == 1:
            gain += dead * self.camp(target.side) * may_follow_up(state, charger, target.box)
        return Clash(gain, pain)

    def charge(self, unit: Unit, box: str) -> tuple[float, str]:
        """(worth of a charge, box from which it strikes); the target evades if that is better for it."""
        state = self.state
        through = FRONT_ZONE[kind(unit).speed].get(frame(unit.box, unit.facing, box), ())
        origin = box_at(state.board, unit.box, unit.facing, *through[-1]) if through else unit.box
        hit = first_hit_by_charge(state, unit.side, box, origin, unit.box)
        if hit is None:
            return 0.0, origin
        target, aspect = hit
        clash = self.clash(unit, target, aspect, origin, unit.box)
        stays = clash.gain - clash.pain
        charger = replace(unit, box=origin)
        must = must_evade(state, target, unit)
        path = evade_path(state, target, origin, evade_reach(target)) if may_evade(target, aspect) else None
        if path is None:
            return (self.loss(target, target.steps) if must else stays), origin
        slips = self.chance(target.side, evade_needed(state, target, charger))
        away = unit_medals(target) * 0.7 if not path[0] else GROUND
        evades = slips * away + (1 - slips) * clash.gain
        return (evades if must else min(stays, evades)), origin

    def shot(self, unit: Unit, box: str, shots: int, start: str = "") -> float:
        """The worth of shooting at a box; a marker is worth a little too."""
        hit = first_hit_by_shot(self.state, unit.side, box, start or unit.box)
        if hit is None:
            return 0.0
        target, aspect = hit
        blow = Strike(unit.id, "shot", aspect, start or unit.box, kind(unit).weapon)
        loss, _ = self.damage(unit, target, blow, SHOT_NEEDED, shots)
        return loss - 0.01 * shots


def evade_gain(state: State, unit: Unit, charger: Unit, strength: Strength) -> float:
    """How much better it is to evade than to stand, for the side of the unit that is charged."""
    outlook = Outlook(state, unit.side, strength)
    hit = first_hit_by_charge(state, charger.side, unit.box, charger.box, charger.box)
    aspect = hit[1] if hit else "front"
    clash = outlook.clash(charger, unit, aspect, charger.box, charger.box)
    path = evade_path(state, unit, charger.box, evade_reach(unit)) or ("",)
    slips = outlook.chance(unit.side, evade_needed(state, unit, charger))
    cost = unit_medals(unit) * 0.7 if not path[0] else GROUND
    return (clash.gain - clash.pain) - (slips * cost + (1 - slips) * clash.gain)
