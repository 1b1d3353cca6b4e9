"""The worth of a charge, a shot or a place, in medals, looking one order ahead.

Estimates for the bot of this game (`sensible`), never rules: what an order may do and which cards it
needs is asked of the chapters; what that is worth is opinion, and all of it is in this module.
"""

from collections.abc import Collection
from functools import cached_property
from math import comb
from typing import NamedTuple

from msgspec.structs import replace

from domain.games.to_the_strongest.chapters.activation import HIGHEST_CARD
from domain.games.to_the_strongest.chapters.cards import pile
from domain.games.to_the_strongest.chapters.command import radius
from domain.games.to_the_strongest.chapters.evade import evade_needed, evade_path, evade_reach, may_evade, must_evade
from domain.games.to_the_strongest.chapters.geometry import FRONT_ZONE, is_rough
from domain.games.to_the_strongest.chapters.medals import general_medals, unit_medals
from domain.games.to_the_strongest.chapters.melee import (
    TO_HIT,
    bonus_cards,
    gives_closing_fire,
    may_follow_up,
    may_strike_back,
    to_hit_factors,
)
from domain.games.to_the_strongest.chapters.saves import Strike, save_reckoning
from domain.games.to_the_strongest.chapters.shooting import SHOT_NEEDED
from domain.games.to_the_strongest.chapters.stacking import first_hit_by_charge, first_hit_by_shot
from domain.games.to_the_strongest.state.roster import CAMP_VP, WEAPONS
from domain.games.to_the_strongest.state.state import (
    State,
    Unit,
    corps_general,
    enemies_in,
    enemy,
    general_box,
    generals_in,
    kind,
)
from domain.mechanics.cards import cards_at_least
from domain.mechanics.modifiers import total
from domain.mechanics.square import VECTOR, box_at, box_by, frame, king_distance

DISORDER = 0.35
"""What a step costs that does not destroy, as a share of the unit's medals."""
FRIGHT = 0.25
"""Rout tests of the neighbours of a unit lost."""
GENERAL_LOST = 0.12
"""How often a general is lost with a unit."""
GROUND = 0.1
"""Ground given up, or gained, by an evade."""
NEARER = 0.12
"""A box nearer to the enemy, for those who fight hand to hand."""


class Clash(NamedTuple):
    """What a charge may cost: the enemy (`gain`) and one's own side (`pain`)."""

    gain: float
    pain: float


class Outlook:
    """A state seen by one side, with what is asked of it again and again worked out once."""

    def __init__(self, state: State, side: str) -> None:
        self.state, self.side = state, side
        self.foes = [unit for unit in state.units.values() if unit.box and unit.side != side]
        self._odds: dict[str, list[float]] = {}
        self._places: dict[tuple[str, str, str, bool], float] = {}

    @cached_property
    def enemy_camps(self) -> list[str]:
        """The camps that there are to take."""
        return [camp.box for camp in self.state.camps.values() if camp.side != self.side]

    def chance(self, side: str, needed: int) -> float:
        """How likely the next card of a side is `needed` or more."""
        if side not in self._odds:
            cards = pile(self.state, side) or self.state.armies[side].deck.discards
            left = max(1, len(cards))
            self._odds[side] = [cards_at_least(cards, card) / left for card in range(HIGHEST_CARD + 1)]
        return self._odds[side][needed] if needed <= HIGHEST_CARD else 0.0

    # --- blows

    def loss(self, unit: Unit, steps: int) -> float:
        """What it means to a side that a unit loses steps."""
        if not steps:
            return 0.0
        if unit.losses + steps < unit.steps:
            return DISORDER * unit_medals(unit) * steps * 2 / unit.steps
        generals = sum(general_medals(g) for g in generals_in(self.state, unit.box, unit.side))
        return unit_medals(unit) + FRIGHT * (not kind(unit).light) + GENERAL_LOST * generals

    def damage(self, striker: Unit, target: Unit, blow: Strike, needed: int, cards: int) -> tuple[float, float]:
        """(expected loss of the target, likelihood that it is destroyed) by a series of cards."""
        save, _ = save_reckoning(self.state, target, blow)
        through = self.chance(striker.side, needed) * (1 - self.chance(target.side, save))
        loss = dead = 0.0
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
        gain, dead = self.damage(charger, target, Strike(unit.id, "charge", aspect, origin), needed, cards)
        pain = 0.0
        if gives_closing_fire(state, target, aspect):
            closing = Strike(target.id, "closing", "front", target.box, kind(target).weapon)
            pain += 0.6 * self.damage(target, charger, closing, SHOT_NEEDED, 1)[0]
        if may_strike_back(unit, aspect):
            back = TO_HIT + total(to_hit_factors(state, target, charger, target.box))
            reply = Strike(target.id, "reply", "front", target.box)
            pain += (1 - dead) * self.damage(target, charger, reply, back, 1 + (target.pilum > 0))[0]
        camp = state.camps.get(target.box)
        if camp and camp.side == target.side and len(state.boxes[target.box]) == 1:
            gain += dead * CAMP_VP * may_follow_up(state, charger, target.box)
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

    # --- places

    def place(self, unit: Unit, box: str, facing: str, in_line: bool = True) -> float:
        """The worth of standing somewhere; only differences between places mean anything.

        `in_line`: neighbours count; in a group they come along.
        """
        key = (unit.id, box, facing, in_line)
        if key not in self._places:
            worth = self._reach(unit, box, facing) - self._danger(unit, box, facing) + self._ground(unit, box)
            worth += self._company(unit, box, facing) if in_line else 0.0
            self._places[key] = worth
        return self._places[key]

    def _reach(self, unit: Unit, box: str, facing: str) -> float:
        """How well a unit can get at the enemy from a place: shooters at their range, others close."""
        profile = kind(unit)
        shoots = bool(profile.weapon) and unit.ammo > 0 and (profile.light or profile.shooter or profile.artillery)
        best, wanted = 99.0, 1
        if shoots:
            wanted = max(2, WEAPONS[profile.weapon].range) if profile.light else WEAPONS[profile.weapon].range
        timid = profile.shooter and not shoots
        at_hand = 0.0
        for foe in self.foes:
            ahead, right = frame(box, facing, foe.box)
            sure = ahead >= 1 and abs(right) <= ahead
            far = ahead if sure else max(abs(ahead), abs(right)) + 1 + (ahead < 0)
            away = abs(far - wanted) if shoots else far - 1
            best = min(best, away + self._reluctance(unit, foe))
            if not shoots and sure and far <= profile.speed and not profile.artillery:
                behind = frame(foe.box, foe.facing, box)[0] <= 0
                at_hand = max(at_hand, 0.35 if behind else 0.0 if profile.light else 0.1)
        eager = NEARER * (0.3 if timid or profile.artillery else 0.7 if profile.light else 1.0)
        camps = min((king_distance(box, camp) for camp in self.enemy_camps), default=0)
        return at_hand - eager * best - (0.05 if profile.light else 0.03) * camps

    def _reluctance(self, unit: Unit, foe: Unit) -> float:
        """How many boxes farther a foe may be and still be the better prey than another."""
        profile, prey = kind(unit), kind(foe)
        boxes = -0.6 if foe.losses else 0.0
        if prey.light and not profile.light:
            boxes += 0.8
        if profile.mounted and "long_spear" in prey.flags:
            boxes += 1.0
        return boxes

    def _danger(self, unit: Unit, box: str, facing: str) -> float:
        """Who can charge the unit there, and from which side."""
        profile, danger = kind(unit), 0.0
        for foe in self.foes:
            prey = kind(foe)
            through = FRONT_ZONE[prey.speed].get(frame(foe.box, foe.facing, box))
            if through is None or prey.artillery or "wagon" in prey.flags:
                continue
            origin = box_at(self.state.board, foe.box, foe.facing, *through[-1]) if through else foe.box
            frontal = frame(box, facing, origin or foe.box)[0] > 0
            if prey.light and not profile.light and frontal:
                continue
            danger += (0.06 if frontal else 0.4) * (0.5 if foe.losses or prey.light else 1.0)
        frail = 0.5 if profile.light else 2.0 if unit.losses or profile.shooter or profile.artillery else 1.0
        return danger * frail

    def _ground(self, unit: Unit, box: str) -> float:
        """Ground, an empty enemy camp, and the general's radius."""
        state, profile, worth = self.state, kind(unit), 0.0
        if is_rough(state, box):
            worth += 0.05 if profile.foot and "close" not in profile.flags and not profile.elephant else -0.2
        if box in self.enemy_camps and box != unit.box and not enemies_in(state, box, unit.side):
            worth += CAMP_VP
        general = corps_general(state, unit)
        if general and not profile.light and general.attached != unit.id:
            where = general_box(state, general)
            worth -= 0.1 * bool(where and king_distance(box, where) > radius(state, general))
        elif general and general.attached == unit.id:
            corps = state.armies[unit.side].corps[unit.corps].units
            mates = [state.units[name].box for name in corps if name != unit.id and not kind(state.units[name]).light]
            worth -= 0.06 * sum(1 for mate in mates if mate and king_distance(box, mate) > radius(state, general))
        return worth

    def _company(self, unit: Unit, box: str, facing: str) -> float:
        """Friends beside it, facing the same way, keep a line."""
        worth = 0.0
        for vector in VECTOR.values():
            for name in self.state.boxes.get(box_by(self.state.board, box, *vector), ()):
                friend = self.state.units[name]
                if name != unit.id and friend.side == unit.side and friend.facing == facing:
                    worth += 0.0 if kind(friend).light else 0.05
        return worth

    def is_in_danger(self, unit: Unit) -> bool:
        """Whether somebody can charge it where it stands."""
        return self._danger(unit, unit.box, unit.facing) > 0


def evade_gain(state: State, unit: Unit, charger: Unit) -> float:
    """How much better it is to evade than to stand, for the side of the unit that is charged."""
    outlook = Outlook(state, unit.side)
    hit = first_hit_by_charge(state, charger.side, unit.box, charger.box, charger.box)
    aspect = hit[1] if hit else "front"
    clash = outlook.clash(charger, unit, aspect, charger.box, charger.box)
    path = evade_path(state, unit, charger.box, evade_reach(unit)) or ("",)
    slips = outlook.chance(unit.side, evade_needed(state, unit, charger))
    cost = unit_medals(unit) * 0.7 if not path[0] else GROUND
    return (clash.gain - clash.pain) - (slips * cost + (1 - slips) * clash.gain)


def general_places(state: State, side: str, name: str, boxes: Collection[str]) -> dict[str, float]:
    """How well a detached general stands in each of some boxes: units served, and his safety."""
    general = state.generals[name]
    units = [state.units[unit] for unit in state.armies[side].corps[general.corps].units]
    fighters = [unit for unit in units if unit.box]
    reach = radius(state, general)
    foes = [foe.box for foe in state.units.values() if foe.box and foe.side == enemy(side)]
    helps = not general.traits.isdisjoint({"heroic", "senior"})
    worths = {}
    for box in boxes:
        served = sum(0.1 for unit in fighters if not kind(unit).light and king_distance(unit.box, box) <= reach)
        far = sum(king_distance(unit.box, box) for unit in fighters) / max(1, len(fighters))
        escort = any(unit.side == side for unit in (state.units[u] for u in state.boxes.get(box, ())))
        exposed = 0.0 if escort else sum(0.5 for foe in foes if king_distance(foe, box) <= 2)
        worths[box] = served - 0.02 * far - exposed + (0.1 if escort and helps else 0.0)
    return worths
