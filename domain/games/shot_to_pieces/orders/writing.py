"""Write a command in canonical notation, in English or French (chapter ORD)."""

from collections.abc import Callable
from typing import Any

from domain.basics.commands import Command, Standing
from domain.games.shot_to_pieces.state.commands import (
    NONE,
    About,
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
    Point,
    Prolong,
    Reroll,
    Resolve,
    SendGeneral,
    StandUsual,
    Strafe,
    Together,
)
from domain.games.shot_to_pieces.state.vocabulary import FRENCH
from domain.mechanics import shared_orders
from domain.mechanics.notation import decimal_text

DECIMALS = 2
HELD_FIRE = "retient"
"""The French of `hold` where it is about fire; elsewhere it is that of an order."""


def written(command: Command, lang: str) -> str:
    """A command in canonical notation, in a language."""
    words = _WRITTEN[type(command)](command)
    if lang != "fr":
        return " ".join(words)
    words = [word for part in words for word in PHRASES.get(part, part).split()]
    if isinstance(command, Standing) and command.topic == "fire" and words[-1] == "hold":
        return " ".join([*(FRENCH.get(word, word) for word in words[:-1]), HELD_FIRE])
    return " ".join(FRENCH.get(word, word) for word in words)


PHRASES = {
    "ahead": "devant toi",
    "to contact": "au contact de",
    "to short of": "à portée courte de",
    "to long of": "à portée longue de",
    "to max of": "à portée maximale de",
    "towards": "vers",
    "along": "le long de",
    "level with": "à hauteur de",
}
"""What is one part of an order in English and is said in other words in French (STP-ORD-10)."""


def figure(hundredths: int) -> str:
    """A length or an angle as it is written: 1250 is `12.5`."""
    return decimal_text(hundredths, DECIMALS)


def _point(point: Point) -> list[str]:
    return [figure(point[0]), figure(point[1])]


def _heading(heading: Heading) -> list[str]:
    if heading.to == "bearing":
        return [figure(heading.angle)]
    if heading.to == "about":
        return ["about"]
    return ["at", heading.unit] if heading.to == "at" else [heading.to, figure(heading.angle)]


def _faced(heading: Heading | None) -> list[str]:
    return ["face", *_heading(heading)] if heading else []


def _drift(side: str, angle: int) -> list[str]:
    return [side, figure(angle)] if side else []


def _order(command: OrderCorps) -> list[str]:
    goal = ["to", *_point(command.goal)] if command.goal else []
    return ["order", command.corps, command.general_order, *goal]


def _move(command: MoveStraight) -> list[str]:
    engaged = ["engage", command.engage] if command.engage else []
    drift = _drift(command.side, command.angle)
    return [command.unit, *_faced(command.face), "move", figure(command.distance), *drift, *engaged]


def _about(command: About) -> list[str]:
    move = ["move", figure(command.distance)] if command.distance != NONE else []
    return [command.unit, "about", *filter(None, [command.side]), *move]


def _charge(command: Charge) -> list[str]:
    mode = [] if command.mode == "normal" else [command.mode]
    drift = _drift(command.side, command.angle)
    return [command.unit, "charge", command.target, *_faced(command.face), *drift, *mode]


def _group(command: MoveAsGroup) -> list[str]:
    wheel = ["wheel", command.wheel, figure(command.wheel_angle)] if command.wheel else []
    move = ["move", figure(command.distance), *_drift(command.side, command.angle)] if command.distance != NONE else []
    return ["group", *command.units, *wheel, *move]


def _together(command: Together) -> list[str]:
    words = ["group"]
    for action in command.actions:
        words += (["+"] if len(words) > 1 else []) + _WRITTEN[type(action)](action)
    return words


def _fire(command: Fire) -> list[str]:
    indirect = ["indirect"] if command.indirect else []
    if len(command.units) == 1:
        return [command.units[0], "fire", command.target, *indirect]
    return ["fire", *command.units, "at", command.target, *indirect]


def _deploy(command: DeployAt) -> list[str]:
    face = ["face", figure(command.facing)] if command.facing != NONE else []
    formation = ["in", command.formation] if command.formation else []
    return ["deploy", command.name, "at", *_point(command.at), *face, *formation]


def _standing(command: Standing) -> list[str]:
    subject = [command.unit or "all"] if command.topic in ("evade", "fire") else []
    return ["standing", command.topic, *subject, command.value]


def _attach(command: AttachGeneral) -> list[str]:
    return ["general", command.general, *(["with", command.unit] if command.unit else ["alone"])]


def _reference(command: ByReference) -> list[str]:
    place = _point(command.at) if command.at else [*filter(None, [command.place])]
    length = [figure(command.distance)] if command.distance != NONE else []
    verb = {"contact": "to contact", "range": f"to {command.band} of", "level": "level with"}
    said = [*_faced(command.face), verb.get(command.verb, command.verb)]
    if command.verb == "wheel":
        return [command.unit, *said, *_drift(command.side, command.angle)]
    return [command.unit, *said, *place, *length, *filter(None, [command.side])]


_WRITTEN: dict[type[Command], Callable[[Any], list[str]]] = {
    OrderCorps: _order,
    Detach: lambda command: ["detach", *command.units, "to", command.corps],
    DeployAt: _deploy,
    Face: lambda command: [command.unit, "face", *_heading(command.heading)],
    MoveStraight: _move,
    Back: lambda command: [command.unit, "back", figure(command.distance)],
    About: _about,
    Beside: lambda command: [command.unit, "beside", command.friend, command.side],
    Prolong: lambda command: [command.unit, "prolong", figure(command.distance), figure(command.bearing)],
    Charge: _charge,
    BreakOff: lambda command: [command.unit, "break", *_drift(command.side, command.angle)],
    Occupy: lambda command: [command.unit, "occupy", *_heading(command.heading)],
    ChangeFormation: lambda command: [command.unit, "form", command.formation],
    MoveAsGroup: _group,
    Together: _together,
    MoveGeneralBy: lambda command: [
        "general",
        command.general,
        "move",
        figure(command.distance),
        figure(command.bearing),
    ],
    SendGeneral: lambda command: ["general", command.general, "to", *_point(command.to)],
    AttachGeneral: _attach,
    Fire: _fire,
    Strafe: lambda command: ["strafe", "from", *_point(command.start), "to", *_point(command.end)],
    CloseStep: lambda command: ["done"],
    ByReference: _reference,
    CloseTurn: lambda command: ["end", "turn"],
    StandUsual: lambda command: ["standing", "usual"],
    EvadeCharge: lambda command: ["evade", command.answer, *_drift(command.side, command.angle)],
    FollowThrough: lambda command: ["pursue", command.answer],
    Advance: lambda command: ["advance", command.answer],
    Reroll: lambda command: ["reroll", command.answer],
    Resolve: lambda command: ["resolve", command.answer],
    ChooseEvent: lambda command: ["event", command.answer],
    Standing: _standing,
    **shared_orders.WRITERS,
}
