"""The judgement of the bot: which order looks best.

A bot without memory or secrets: it weighs each option by its value if the card is good enough
(`worth`, `places`), and by how likely that is, because a failure ends the turn of the corps (TTS-ACT-03).
So the sure and the useful come first, and a corps is closed when nothing good is left. The same state
produces the same order, and ties go by the text; only a weak bot rolls dice, for its slips.
"""

from collections.abc import Callable, Sequence

from domain.basics.errors import BrokenInvariant
from domain.contract.option import Option
from domain.games.to_the_strongest.bot.deployment import set_up, shift
from domain.games.to_the_strongest.bot.places import STEADFAST, Places, general_places
from domain.games.to_the_strongest.bot.stratagems import stratagem
from domain.games.to_the_strongest.bot.strength import Strength
from domain.games.to_the_strongest.bot.worth import DISORDER, Outlook, evade_gain
from domain.games.to_the_strongest.chapters.ambushes import with_shown
from domain.games.to_the_strongest.chapters.decisions import DecisionAsked
from domain.games.to_the_strongest.chapters.medals import unit_medals
from domain.games.to_the_strongest.chapters.movement import WAYS
from domain.games.to_the_strongest.chapters.rally import rally_reckoning
from domain.games.to_the_strongest.chapters.replays import replay_sources
from domain.games.to_the_strongest.state.state import CLOSED_FORMATIONS, General, State, Unit, general_box, kind
from domain.log.chance import Chance
from domain.mechanics.square import LEFT_OF, REVERSE, RIGHT_OF, box_at

SURE = 1.02
"""A little more than the likelihood of an order that cannot fail."""
FIRST = 1000.0
"""The priority of a command move over other orders while it can be made."""
REPLAY_FROM = 0.2
"""The least chance at which a replay is accepted."""
SHOWN = 0.3
"""The cost of revealing an ambush."""
LOSING = 0.2
"""How far behind, in shares of medals kept, a draw is accepted."""


def think(strength: Strength, state: State, side: str, options: Sequence[Option], chance: Chance) -> str:
    """The order line that looks best to a bot of some strength; `state` is as known to the side."""
    if not options:
        raise BrokenInvariant(f"nothing to order for {side}")
    if options[0].kind == "draw":
        return "accept draw" if _is_losing(state, side) else "decline draw"
    if options[0].kind == "answer":
        return _answer(state, side, options, strength)
    ploy = stratagem(state, side, options, strength)
    if ploy:
        return ploy
    if state.phase != "turns":
        return set_up(state, side, options)
    return _Judgement(state, side, options, strength).best(chance)


# --- answers


def _answer(state: State, side: str, options: Sequence[Option], strength: Strength) -> str:
    waiting = state.waiting
    assert isinstance(waiting, DecisionAsked)
    if waiting.kind == "shift":
        return shift(state, side, options)
    if waiting.kind == "join":
        places = Places(Outlook(state, side, strength))
        return max(options, key=lambda option: _home(places, option.order.split()[1])).order
    yes, no = options[0], options[-1].order
    if waiting.kind == "replay":
        return yes.order if _likelihood(yes) >= REPLAY_FROM else no
    unit, charger = state.units[waiting.unit], state.units[str(waiting.charger)]
    if evade_gain(state, unit, charger, strength) <= 0:
        return no
    return options[-2].order  # facing the enemy, where there is the choice


def _home(places: Places, name: str) -> tuple[int, bool, int]:
    """How good a unit is for a general: sound, out of danger, worth much."""
    unit = places.state.units[name]
    safe = bool(unit.box) and not places.is_in_danger(unit)
    return unit.steps - unit.losses, safe, unit_medals(unit)


def _is_losing(state: State, side: str) -> bool:
    shares = {army.side: army.medals / army.medals_full for army in state.armies.values()}
    return shares[side] + LOSING < max(shares.values())


def _likelihood(option: Option) -> float:
    """The probability that the first card is good enough."""
    if option.odds is None:
        return 1.0
    good, left = option.odds
    return good / left if left else 0.0


# --- orders


class _Judgement:
    """The options of one moment, weighed."""

    def __init__(self, state: State, side: str, options: Sequence[Option], strength: Strength) -> None:
        self.hidden = {name for ambush in state.ambushes if ambush.side == side for name in ambush.units}
        state = with_shown(state, self.hidden)
        self.state, self.side = state, side
        self.strength = strength
        self.outlook = Outlook(state, side, strength)
        self.places = Places(self.outlook)
        self.options = options
        self.opened = state.armies[side].opened
        self._replayable: dict[str, bool] = {}
        self._generals: dict[str, dict[str, float]] = {}

    def best(self, chance: Chance) -> str:
        """The option that is worth most, including the risk of failure; or the end of corps or turn."""
        weighed = ((self._worth_shown(option), option) for option in self.options if option.kind in WORTHS)
        least = self.strength.patience
        good = sorted((-self._rank(worth, option), option.order) for worth, option in weighed if worth > least)
        if not good:
            return "done" if self.opened else "end turn"
        scope, slips = f"bot:{self.side}", self.strength.slips
        if not slips or chance.die(scope, slips) > 1:
            return good[0][1]
        return "done" if self.opened else good[chance.die(scope, len(good)) - 1][1]

    def _worth_shown(self, option: Option) -> float:
        """The value of an order, less the cost of revealing an ambush."""
        acting = option.order.split() if option.order.startswith("group") else (option.unit,)
        return self.worth(option) - SHOWN * any(name in self.hidden for name in acting)

    def _rank(self, worth: float, option: Option) -> float:
        """How early an order comes: its expected value over the risk that it ends the corps (TTS-ACT-03).

        If each order may be the last, this ratio produces the sequence of highest expected value; so the
        comrades that have not acted come before a hopeless card.
        """
        if option.kind == "general":
            return worth if self.opened else FIRST + worth  # otherwise the corps would be closed
        unit = self.state.units[option.unit]
        passes = _likelihood(option)
        if self._may_replay(unit):
            passes += (1 - passes) * passes
        return passes * worth / (SURE - passes)

    def _may_replay(self, unit: Unit) -> bool:
        if unit.id not in self._replayable:
            self._replayable[unit.id] = bool(replay_sources(self.state, [unit.id], "activation"))
        return self._replayable[unit.id]

    def worth(self, option: Option) -> float:
        """The value of an order if its card is good enough."""
        return WORTHS[option.kind](self, option, option.order.split())

    # --- one kind of order each; `words` are those of the order

    def move(self, option: Option, words: list[str]) -> float:
        unit = self.state.units[option.unit]
        ahead, right = WAYS[words[1]]
        boxes = int(words[2]) if words[2:] and words[2].isdigit() else 1
        straight_on = words[-2:] == ["then", "ahead"]
        facing = words[words.index("facing") + 1] if "facing" in words else unit.facing
        return self._shift(unit, (ahead * boxes + straight_on, right), facing)

    def _shift(self, unit: Unit, offset: tuple[int, int], facing: str, in_line: bool = True) -> float:
        box = box_at(self.state.board, unit.box, unit.facing, *offset)
        there, here = (self.places.place(unit, *place, in_line) for place in ((box, facing), (unit.box, unit.facing)))
        return there - here

    def march(self, option: Option, words: list[str]) -> float:
        unit = self.state.units[option.unit]
        box = words[2] if words[2:] else self._straight(unit, kind(unit).speed + 1)
        return self.places.place(unit, box, unit.facing) - self.places.place(unit, unit.box, unit.facing)

    def _straight(self, unit: Unit, boxes: int) -> str:
        return box_at(self.state.board, unit.box, unit.facing, boxes, 0)

    def group(self, option: Option, words: list[str]) -> float:
        at = next(at for at, word in enumerate(words) if word in ("ahead", "march"))
        members = [self.state.units[name] for name in words[1:at]]
        slowest = min(kind(unit).speed for unit in members)
        boxes = slowest + 1 if words[at] == "march" else int(words[at + 1]) if words[at + 1 :] else slowest
        return sum(self._shift(unit, (boxes, 0), unit.facing, False) for unit in members)

    def charge(self, option: Option, words: list[str]) -> float:
        unit = self.state.units[option.unit]
        worth, origin = self.outlook.charge(unit, words[2])
        closer = self.places.place(unit, origin, unit.facing) - self.places.place(unit, unit.box, unit.facing)
        return worth + closer - 0.01 * (words[-1] == "halt")

    def shoot(self, option: Option, words: list[str]) -> float:
        unit = self.state.units[option.unit]
        if words[1] == "ahead":
            there = self._straight(unit, 1)
            return self.outlook.shot(unit, words[-1], 1, there) + self._shift(unit, (1, 0), unit.facing)
        worth = self.outlook.shot(unit, words[2], 2 if "x2" in words else 1)
        return worth + (self._shift(unit, (-1, 0), unit.facing) if words[-1] == "back" else 0.0)

    def turn(self, option: Option, words: list[str]) -> float:
        unit = self.state.units[option.unit]
        facing = {"left": LEFT_OF, "right": RIGHT_OF, "about": REVERSE}[words[2]][unit.facing]
        box = box_at(self.state.board, unit.box, facing, 1, 0) if words[3:] else unit.box
        return self.places.place(unit, box, facing) - self.places.place(unit, unit.box, unit.facing)

    def swap(self, option: Option, words: list[str]) -> float:
        """A fresh unit in front of a disordered one."""
        front, rear = (self.state.units[name] for name in self.state.boxes[self.state.units[option.unit].box])
        relief = 0.25 if front.losses and not rear.losses and not kind(rear).light else -0.1
        ahead = self._shift(self.state.units[option.unit], (1, 0), front.facing) if words[2:] else 0.0
        return relief + ahead

    def rally(self, option: Option, words: list[str]) -> float:
        unit = self.state.units[option.unit]
        made = self.outlook.chance(self.side, rally_reckoning(self.state, unit)[0])
        worth = DISORDER * unit_medals(unit) * 2 / unit.steps
        if self.strength.foresight:
            return made * (worth * 1.2 + self.places.relief(unit))
        return made * worth * (1.5 if self.places.is_in_danger(unit) else 1.2)

    def replenish(self, option: Option, words: list[str]) -> float:
        left = getattr(self.state.units[option.unit], words[2])
        return 0.05 if left else 0.15

    def form(self, option: Option, words: list[str]) -> float:
        """Close formation while the enemy comes and the corps holds; open when there is somebody to charge."""
        unit = self.state.units[option.unit]
        holds = unit.corps in self.places.holding
        if words[2] == "normal":
            closed = unit.formation in CLOSED_FORMATIONS
            return 0.1 if closed and (not holds or self.places.has_prey(unit)) else -1.0
        if words[2] != "shieldwall" or not holds or not self.places.is_awaited(unit):
            return -1.0
        return self.strength.cover * STEADFAST

    def pass_through(self, option: Option, words: list[str]) -> float:
        unit = self.state.units[option.unit]
        return self._shift(unit, (2 if words[2] == "ahead" else -2, 0), unit.facing)

    def come_back(self, option: Option, words: list[str]) -> float:
        """The medals it paid come back with it (TTS-MED-06)."""
        return 0.5 + self.state.units[option.unit].paid

    def command_move(self, option: Option, words: list[str]) -> float:
        """A detached general goes where they serve more units, with little danger."""
        general = self.state.generals[option.unit]
        if words[4:]:
            return 0.0
        if general.id not in self._generals:
            self._generals[general.id] = self._prospects_of(general)
        places = self._generals[general.id]
        return places[words[3]] - places[general_box(self.state, general)]

    def _prospects_of(self, general: General) -> dict[str, float]:
        goals = {o.order.split()[3] for o in self.options if o.kind == "general" and o.unit == general.id}
        return general_places(self.state, self.side, general.id, goals | {general_box(self.state, general)})


WORTHS: dict[str, Callable[[_Judgement, Option, list[str]], float]] = {
    "move": _Judgement.move,
    "march": _Judgement.march,
    "group": _Judgement.group,
    "group-march": _Judgement.group,
    "charge": _Judgement.charge,
    "shoot": _Judgement.shoot,
    "shoot-back": _Judgement.shoot,
    "move-shoot": _Judgement.shoot,
    "turn": _Judgement.turn,
    "swap": _Judgement.swap,
    "rally": _Judgement.rally,
    "replenish": _Judgement.replenish,
    "form": _Judgement.form,
    "pass": _Judgement.pass_through,
    "return": _Judgement.come_back,
    "general": _Judgement.command_move,
}
"""Maps a kind of order to its value; orders of other kinds are never given for their own sake."""
