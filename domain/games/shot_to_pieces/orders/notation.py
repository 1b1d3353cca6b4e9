"""Read and write the orders of the game (STP-ORD-01), in English and French.

`parse` reads both; `write` produces the canonical line in either. Lengths are written in centimetres and angles in
degrees, with at most two decimals behind a point or a comma.
"""

from collections.abc import Callable
from typing import Any

from domain.basics.commands import Command, Standing
from domain.games.shot_to_pieces.orders.referring import REFERENCES, ahead
from domain.games.shot_to_pieces.orders.words import OrderWords
from domain.games.shot_to_pieces.orders.writing import written
from domain.games.shot_to_pieces.state.commands import (
    NONE,
    About,
    Action,
    Advance,
    AttachGeneral,
    Back,
    Beside,
    BreakOff,
    ByReference,
    ChangeFormation,
    Charge,
    ChooseEvent,
    CloseStep,
    CloseTurn,
    DeployAt,
    Detach,
    EvadeCharge,
    Face,
    Fire,
    FollowThrough,
    Heading,
    MoveAsGroup,
    MoveGeneralBy,
    MoveStraight,
    Occupy,
    OrderCorps,
    Prolong,
    Reroll,
    Resolve,
    SendGeneral,
    Side,
    StandUsual,
    Strafe,
    Together,
)
from domain.games.shot_to_pieces.state.vocabulary import ASK, FORMATIONS
from domain.mechanics import shared_orders

UNIT, GENERAL, CORPS, TERRAIN = "the id of a unit", "the id of a general", "the id of a corps", "the id of terrain"
SIDES = ("left", "right")


def parse(line: str) -> Command:
    """An order line as a command; a `Refusal` (core.parse) if unreadable."""
    words = OrderWords(line)
    first = words.take(*_FIRST)
    command = _FIRST[first](words) if first else _unit_order(words)
    words.end()
    return command


def write(command: Command, lang: str = "en") -> str:
    """A command in canonical notation, in a language."""
    return written(command, lang)


# --- units


def _unit_order(words: OrderWords) -> Command:
    unit = words.id("an order or the id of a unit")
    if words.take("fire"):
        return Fire((unit,), words.id(UNIT), bool(words.take("indirect")))
    return _action(words, unit)


def _action(words: OrderWords, unit: str) -> Action:
    word = words.need(tuple(_ACTIONS))
    return _ACTIONS[word](words, unit)


def _face(words: OrderWords, unit: str) -> Action:
    heading = _heading(words)
    if words.take("ahead"):
        return ahead(words, unit, heading)
    return _move(words, unit, heading) if words.take("move") else Face(unit, heading)


def _heading(words: OrderWords) -> Heading:
    side = words.take(*SIDES)
    if side == "left":
        return Heading("left", words.angle())
    if side:
        return Heading("right", words.angle())
    if words.take("about"):
        return Heading("about")
    if words.take("at"):
        return Heading("at", unit=words.id(UNIT))
    return Heading("bearing", words.bearing())


def _move(words: OrderWords, unit: str, face: Heading | None = None) -> MoveStraight:
    distance = words.length()
    side, angle = _drift(words)
    engage = words.id(UNIT) if words.take("engage") else ""
    return MoveStraight(unit, distance, face, side, angle, engage)


def _side(words: OrderWords) -> Side:
    return "left" if words.need(SIDES) == "left" else "right"


def _drift(words: OrderWords) -> tuple[Side, int]:
    """An angle to a side, or none."""
    return (_side(words), words.angle()) if words.peek() in SIDES else ("", 0)


def _about(words: OrderWords, unit: str) -> About:
    side = _side(words) if words.peek() in SIDES else ""
    return About(unit, side, words.length() if words.take("move") else NONE)


def _charge(words: OrderWords, unit: str) -> Charge:
    target = words.id(UNIT)
    face = _heading(words) if words.take("face") else None
    side, angle = _drift(words)
    if words.take("all-out"):
        return Charge(unit, target, face, side, angle, "all-out")
    return Charge(unit, target, face, side, angle, "rash" if words.take("rash") else "normal")


def _back(words: OrderWords, unit: str) -> Action:
    return Back(unit, words.length()) if words.is_number() else ByReference(unit, "back")


_ACTIONS: dict[str, Callable[[OrderWords, str], Action]] = {
    "face": _face,
    "move": _move,
    "back": _back,
    "about": _about,
    "beside": lambda words, unit: Beside(unit, words.id(UNIT), _side(words)),
    "prolong": lambda words, unit: Prolong(unit, words.length(), words.bearing()),
    "charge": _charge,
    "break": lambda words, unit: BreakOff(unit, *_drift(words)),
    "occupy": lambda words, unit: Occupy(unit, _heading(words)),
    "form": lambda words, unit: ChangeFormation(unit, words.need(FORMATIONS)),
    **REFERENCES,
}


# --- groups


def _group(words: OrderWords) -> Command:
    units = [words.id(UNIT)]
    if words.peek() in _ACTIONS and words.peek() not in ("move", "wheel"):
        return _together(words, units[0])
    while words.peek() not in ("move", "wheel"):
        units.append(words.id(UNIT))
    if len(units) == 1 and words.peek() == "move":
        return _together(words, units[0])
    if words.take("wheel"):
        wheel, turned = _side(words), words.angle()
        if not words.take("move"):
            return MoveAsGroup(tuple(units), wheel=wheel, wheel_angle=turned)
        return MoveAsGroup(tuple(units), words.length(), *_drift(words), wheel, turned)
    words.need(("move",))
    return MoveAsGroup(tuple(units), words.length(), *_drift(words))


def _together(words: OrderWords, first: str) -> Together:
    actions = [_action(words, first)]
    while words.take("+"):
        actions.append(_action(words, words.id(UNIT)))
    if len(actions) == 1:
        raise words.unreadable("+")
    return Together(tuple(actions))


def _fire(words: OrderWords) -> Fire:
    units = _ids(words, UNIT, "at")
    words.need(("at",))
    return Fire(units, words.id(UNIT), bool(words.take("indirect")))


def _ids(words: OrderWords, what: str, until: str) -> tuple[str, ...]:
    found = [words.id(what)]
    while words.peek() != until:
        found.append(words.id(what))
    return tuple(found)


# --- the others


def _order(words: OrderWords) -> OrderCorps:
    corps = words.id(CORPS)
    advances = words.need(("advance", "hold")) == "advance"
    goal = words.place() if words.take("to") else None
    return OrderCorps(corps, "advance" if advances else "hold", goal)


def _general(words: OrderWords) -> Command:
    name = words.id(GENERAL)
    word = words.need(("move", "to", "with", "alone"))
    if word == "move":
        return MoveGeneralBy(name, words.length(), words.bearing())
    if word == "to":
        return SendGeneral(name, words.place())
    return AttachGeneral(name, words.id(UNIT) if word == "with" else "")


def _strafe(words: OrderWords) -> Strafe:
    words.need(("from",))
    start = words.place()
    words.need(("to",))
    return Strafe(start, words.place())


def _detach(words: OrderWords) -> Detach:
    units = _ids(words, UNIT, "to")
    words.need(("to",))
    return Detach(units, words.id(CORPS))


def _deploy(words: OrderWords) -> DeployAt:
    name = words.id("the id of a unit or a general")
    words.need(("at",))
    at = words.place()
    facing = words.bearing() if words.take("face") else NONE
    return DeployAt(name, at, facing, words.need(FORMATIONS) if words.take("in") else "")


def _end(words: OrderWords) -> CloseTurn:
    words.skip("du")
    words.need(("turn",))
    return CloseTurn()


def _evade(words: OrderWords) -> EvadeCharge:
    return (
        EvadeCharge("yes", *_drift(words)) if words.need(("yes", "no")) == "yes" else EvadeCharge("no", *_drift(words))
    )


def _pursue(words: OrderWords) -> FollowThrough:
    return FollowThrough("place" if words.need(("place", "full")) == "place" else "full")


def _yes_no(kind: Any) -> Callable[[OrderWords], Command]:
    def read(words: OrderWords) -> Command:
        command: Command = kind(words.need(("yes", "no")))
        return command

    return read


STANDING = {
    "evade": ("always", "never", "close", ASK),
    "reroll": ("always", "never", ASK),
    "advance": ("always", "never", ASK),
    "pursue": ("place", "full", ASK),
    "fire": ("nearest", "hold", ASK),
    "fire-order": ("declared", ASK),
    "orders": ("keep", ASK),
}
"""What may be answered beforehand, and the answers (STP-DEC-02)."""


def _standing(words: OrderWords) -> Command:
    if words.take("usual"):
        return StandUsual()
    topic = words.need(tuple(STANDING))
    unit = ""
    if topic in ("evade", "fire") and not words.take("all"):
        unit = words.id(UNIT)
    return Standing(topic, unit, words.need(STANDING[topic]))


_FIRST: dict[str, Callable[[OrderWords], Command]] = {
    "order": _order,
    "group": _group,
    "fire": _fire,
    "general": _general,
    "strafe": _strafe,
    "evade": _evade,
    "pursue": _pursue,
    "advance": _yes_no(Advance),
    "reroll": _yes_no(Reroll),
    "resolve": lambda words: Resolve(words.id("the id of a salvo")),
    "event": lambda words: ChooseEvent(words.choice()),
    "done": lambda words: CloseStep(),
    "end": _end,
    "standing": _standing,
    "usual": lambda words: StandUsual(),
    "detach": _detach,
    "deploy": _deploy,
    **shared_orders.READERS,
}
