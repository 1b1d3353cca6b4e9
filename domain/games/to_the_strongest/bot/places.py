"""What a place is worth, in medals, to a unit or a general who could stand there.

Estimates for the bot of this game, never rules; only differences between places mean anything.
"""

from collections.abc import Collection
from functools import cached_property

from msgspec.structs import replace

from domain.games.to_the_strongest.bot.positions import cover, holding
from domain.games.to_the_strongest.bot.worth import Outlook
from domain.games.to_the_strongest.chapters.command import radius
from domain.games.to_the_strongest.chapters.evade import may_evade
from domain.games.to_the_strongest.chapters.geometry import FRONT_ZONE, charge_aspect, is_rough
from domain.games.to_the_strongest.chapters.zones import holders
from domain.games.to_the_strongest.state.roster import WEAPONS
from domain.games.to_the_strongest.state.state import (
    CLOSED_FORMATIONS,
    State,
    Unit,
    corps_general,
    enemies_in,
    enemy,
    general_box,
    kind,
)
from domain.mechanics.square import VECTOR, box_at, box_by, frame, king_distance

NEARER = 0.12
"""The value of a box nearer to the enemy, for units that fight hand to hand."""
DETOUR = 2
"""The cost, in boxes, of turning about or going round an enemy."""
NEAR = 1.0
"""A corps that holds its position attacks nobody farther away than this, in boxes between."""
STEADFAST, CASUAL = 2.0, 0.2
"""The weight of cover for a corps that holds its position, and for others."""
BLOWS = (0.9, 0.5, 0.3)
"""The probability that the best charge of the enemy at a unit comes, the next best, and a third."""
FEAR = 0.5
"""How much its own losses deter the enemy from a charge."""
PREY = 0.3
"""The expected value of a charge for which a shieldwall opens."""
DIVERTED = 0.5
"""The part of the danger from a foe that a friend would bear instead: a foe makes few charges in a turn."""
COMING = (2, 3)
"""The distances, in boxes, at which enemies are near but not there yet."""
SLIPPERY = 0.5
"""The part of a charge that a unit able to evade has to fear."""


class Places:
    """The value of the places of a state to one side; each is computed once."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook, self.state, self.side = outlook, outlook.state, outlook.side
        self.strength, self.foes = outlook.strength, outlook.foes
        self.friends = [unit for unit in self.state.units.values() if unit.box and unit.side == self.side]
        self._places: dict[tuple[str, str, str, bool], float] = {}
        self._held: dict[tuple[str, str], list[tuple[str, str]]] = {}
        self._blows: dict[str, list[tuple[float, str]]] = {}

    @cached_property
    def holding(self) -> frozenset[str]:
        """The corps that do best to let the enemy come."""
        return holding(self.state, self.side)

    @cached_property
    def enemy_camps(self) -> list[str]:
        """The camps that can be taken."""
        return [camp.box for camp in self.state.camps.values() if camp.side != self.side]

    @cached_property
    def enemy_line(self) -> list[str]:
        """The boxes of enemy units other than lights."""
        return [foe.box for foe in self.foes if not kind(foe).light]

    def place(self, unit: Unit, box: str, facing: str, in_line: bool = True) -> float:
        """The worth of standing somewhere; only differences between places mean anything.

        `in_line`: neighbours count; in a group they come along.
        """
        key = (unit.id, box, facing, in_line)
        if key not in self._places:
            worth = self._reach(unit, box, facing) - self._danger(unit, box, facing) + self._ground(unit, box, facing)
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
        if unit.corps in self.holding:
            return at_hand - eager * min(best, NEAR)
        if self.strength.raid and not profile.artillery and "wagon" not in profile.flags:
            return at_hand - eager * best + self._raid(unit, box, facing)
        camps = min((king_distance(box, camp) for camp in self.enemy_camps), default=0)
        return at_hand - eager * best - (0.05 if profile.light else 0.03) * camps

    def _raid(self, unit: Unit, box: str, facing: str) -> float:
        """The value of the best unguarded camp, decreasing with the number of activations needed to get there."""
        worth, booty = 0.0, self.outlook.camp(enemy(unit.side))
        for camp in self.enemy_camps:
            if not enemies_in(self.state, camp, unit.side):
                behind = frame(box, facing, camp)[0] < 0
                far = king_distance(box, camp) + DETOUR * (behind + self._is_barred(box, camp))
                worth = max(worth, booty * self.strength.raid ** (1 + far / kind(unit).speed))
        return worth

    def _is_barred(self, box: str, camp: str) -> bool:
        """Whether an enemy of the line stands on a shortest way between two boxes."""
        far = king_distance(box, camp)
        return any(king_distance(box, foe) + king_distance(foe, camp) == far for foe in self.enemy_line)

    def _reluctance(self, unit: Unit, foe: Unit) -> float:
        """How many boxes farther away a foe may be and still be preferred to another."""
        profile, prey = kind(unit), kind(foe)
        boxes = -0.6 if foe.losses else 0.0
        if prey.light and not profile.light:
            boxes += 0.8
        if profile.mounted and "long_spear" in prey.flags:
            boxes += 1.0
        return boxes

    def _danger(self, unit: Unit, box: str, facing: str) -> float:
        """The danger from units that can charge the unit there, by the side they strike."""
        if self.strength.foresight:
            return self.strength.foresight * self._threat(unit, box, facing)
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

    def _threat(self, unit: Unit, box: str, facing: str) -> float:
        """The cost of the charges that the enemy could make next, less its own losses.

        A foe that could charge a friend instead threatens the army little more for having a choice.
        """
        target = replace(unit, box=box, facing=facing)
        blows = []
        for foe in self.foes:
            blow = self._blow(foe, target)
            if blow > 0:
                blows.append(blow - DIVERTED * min(blow, self._best_other_blow(foe, unit)))
        blows.sort(reverse=True)
        return sum(blow * likely for blow, likely in zip(blows, BLOWS, strict=False))

    def _blow(self, foe: Unit, target: Unit) -> float:
        """The value to a foe of its charge at a unit, if it can charge it; else 0."""
        prey = kind(foe)
        through = FRONT_ZONE[prey.speed].get(frame(foe.box, foe.facing, target.box))
        if through is None or prey.artillery or "wagon" in prey.flags or foe.formation in CLOSED_FORMATIONS:
            return 0.0
        origin = box_at(self.state.board, foe.box, foe.facing, *through[-1]) if through else foe.box
        if not self._is_open(foe, target, origin):
            return 0.0
        aspect = charge_aspect(self.state, target, origin, foe.box)
        if prey.light and not kind(target).light and aspect == "front":
            return 0.0
        clash = self.outlook.clash(foe, target, aspect, origin, foe.box)
        return max(0.0, clash.gain - FEAR * clash.pain) * (SLIPPERY if may_evade(target, aspect) else 1.0)

    def _is_open(self, foe: Unit, target: Unit, origin: str) -> bool:
        """Whether a foe is free to charge a unit: no other unit holds it or stands in the way (TTS-ZOC-03, -06)."""
        seen = box_at(self.state.board, target.box, target.facing, 1, 0)
        for near in {foe.box, origin} - {seen}:
            held_by = [box for name, box in self._holders(foe, near) if name != target.id]
            if held_by and target.box not in held_by:
                return False
        return origin == foe.box or all(name == target.id for name in self.state.boxes.get(origin, ()))

    def _holders(self, foe: Unit, box: str) -> list[tuple[str, str]]:
        """The units that hold a foe in a box, each with its box."""
        key = foe.id, box
        if key not in self._held:
            self._held[key] = [(holder.id, holder.box) for holder in holders(self.state, foe, box)]
        return self._held[key]

    def _best_other_blow(self, foe: Unit, unit: Unit) -> float:
        """The value to a foe of its best charge at a friend of a unit."""
        if foe.id not in self._blows:
            blows = ((self._blow(foe, friend), friend.id) for friend in self.friends)
            self._blows[foe.id] = sorted(((blow, name) for blow, name in blows if blow > 0), reverse=True)[:2]
        return next((blow for blow, name in self._blows[foe.id] if name != unit.id), 0.0)

    def _ground(self, unit: Unit, box: str, facing: str) -> float:
        """Ground, cover, an empty enemy camp, and the general's radius."""
        state, profile, worth = self.state, kind(unit), 0.0
        if is_rough(state, box):
            worth += 0.05 if profile.foot and "close" not in profile.flags and not profile.elephant else -0.2
        if box in self.enemy_camps and box != unit.box and not enemies_in(state, box, unit.side):
            worth += self.outlook.camp(enemy(unit.side))
        steadfast = STEADFAST if unit.corps in self.holding else CASUAL
        worth += self.strength.cover * steadfast * cover(state, unit, box, facing)
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
        """Friends next to it, facing the same way, keep a line."""
        worth = 0.0
        for vector in VECTOR.values():
            for name in self.state.boxes.get(box_by(self.state.board, box, *vector), ()):
                friend = self.state.units[name]
                if name != unit.id and friend.side == unit.side and friend.facing == facing:
                    worth += 0.0 if kind(friend).light else 0.05
        return worth

    def has_prey(self, unit: Unit) -> bool:
        """Whether an enemy stands in front of a unit that it should leave its formation to charge."""
        for foe in self.foes:
            if frame(unit.box, unit.facing, foe.box) in FRONT_ZONE[1]:
                aspect = charge_aspect(self.state, foe, unit.box, unit.box)
                clash = self.outlook.clash(unit, foe, aspect, unit.box, unit.box)
                if clash.gain - clash.pain > PREY:
                    return True
        return False

    def is_awaited(self, unit: Unit) -> bool:
        """Whether the enemy is near, but not there yet."""
        return COMING[0] <= min((king_distance(unit.box, foe.box) for foe in self.foes), default=0) <= COMING[1]

    def is_in_danger(self, unit: Unit) -> bool:
        """Whether an enemy can charge it where it stands."""
        return self._danger(unit, unit.box, unit.facing) > 0

    def relief(self, unit: Unit) -> float:
        """How much smaller the danger for a unit is where it stands once it has rallied."""
        rallied = replace(unit, losses=unit.losses - 1)
        return self._danger(unit, unit.box, unit.facing) - self._danger(rallied, unit.box, unit.facing)


def general_places(state: State, side: str, name: str, boxes: Collection[str]) -> dict[str, float]:
    """The value of some boxes for a detached general: units served, and their own safety."""
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
