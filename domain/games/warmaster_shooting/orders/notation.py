"""Read and write the orders of the shooting phase (warmaster-shooting.md 2), in English and French.

`parse` reads both; `write` produces the canonical line in either. Lengths are typed in centimetres and angles in
degrees with at most one decimal, and kept in millimetres and tenths.
"""

from collections.abc import Mapping
from typing import Any

from domain.basics.commands import Command, Standing
from domain.basics.spelling import plain_word
from domain.games.warmaster_shooting.chapters.charges import KEPT_FACING, ChargeAlong, Pose
from domain.games.warmaster_shooting.chapters.counter_fire import CounterFire
from domain.games.warmaster_shooting.chapters.questions import (
    ALWAYS,
    ASK,
    NEVER,
    NO,
    YES,
    Drive,
    LoseStand,
    MakeWay,
    Target,
)
from domain.games.warmaster_shooting.chapters.targets import AimedStand, Hold, ShootWithStands
from domain.games.warmaster_shooting.chapters.turns import EndCommand, EndShooting
from domain.mechanics import shared_orders
from domain.mechanics.notation import Reader, decimal_text

FRENCH: Mapping[str, str] = {
    "shoot": "tire",
    "at": "sur",
    "with": "avec",
    "hold": "retient",
    "end": "fin",
    "shooting": "tir",
    "command": "commandement",
    "via": "par",
    "to": "vers",
    "facing": "face",
    "target": "cible",
    "remove": "retire",
    "drive": "repousse",
    "make-way": "laisse-passer",
    "fire": "riposte",
    "yes": "oui",
    "no": "non",
    "standing": "consigne",
    "always": "toujours",
    "never": "jamais",
    "ask": "demande",
    "resign": "abandonne",
    "offer": "propose",
    "accept": "accepte",
    "decline": "refuse",
    "draw": "nulle",
}
"""English words and the French ones (WMS-ORD-03)."""
ALIASES = {plain_word(french): english for english, french in FRENCH.items()}
SYNONYMS = {
    "shoot": "shoots tirer tirez",
    "charge": "charges attack attacks assault attaque attaquer charger chargez",
    "hold": "holds retenir",
}
"""Other words that people use for an action. None of them is a word of an order, or begins one."""
ALIASES |= {other: word for word, others in SYNONYMS.items() for other in others.split()}
CENTIMETRES, DEGREES = 1, 1
"""Decimals of a length and of an angle."""
UNIT, STAND = "the id of a unit", "the id of a stand"


def parse(line: str) -> Command:
    """An order line as a command; a `Refusal` (core.parse) if unreadable."""
    reader = Reader(line, ALIASES)
    first = reader.take(*_FIRST)
    command = _FIRST[first](reader) if first else _unit_order(reader)
    reader.end()
    return command


def _unit_order(reader: Reader) -> Command:
    unit = reader.id("an order or the id of a unit")
    word = reader.need(("shoot", "hold", "charge"))
    if word == "hold":
        return Hold(unit)
    return _shoot(reader, unit) if word == "shoot" else _charge(reader, unit)


def _shoot(reader: Reader, unit: str) -> ShootWithStands:
    target, aims = "", list[AimedStand]()
    while reader.more() and reader.peek() != "with":
        name = reader.id("the id of a unit or a stand")
        if reader.take("at"):
            aims.append(AimedStand(name, reader.id(UNIT)))
        elif target or aims:
            raise reader.unreadable("at")
        else:
            target = name
    return ShootWithStands(unit, target, tuple(aims), _with(reader))


def _with(reader: Reader) -> tuple[str, ...]:
    return _ids(reader, STAND) if reader.take("with") else ()


def _ids(reader: Reader, what: str) -> tuple[str, ...]:
    names = [reader.id(what)]
    while reader.more() and reader.peek() != ASK:
        names.append(reader.id(what))
    return tuple(names)


def _charge(reader: Reader, unit: str) -> ChargeAlong:
    target, path = reader.id(UNIT), list[Pose]()
    while reader.take("via"):
        path.append(_pose(reader))
    reader.need(("to",))
    return ChargeAlong(unit, target, (*path, _pose(reader)))


def _pose(reader: Reader) -> Pose:
    x, y = reader.point(CENTIMETRES)
    return Pose(x, y, reader.decimal("degrees", DEGREES) % 3600 if reader.take("facing") else KEPT_FACING)


def _end(reader: Reader) -> Command:
    return EndShooting() if reader.need(("shooting", "command")) == "shooting" else EndCommand()


def _fire(reader: Reader) -> CounterFire:
    answer = reader.need((YES, NO))
    return CounterFire(answer, _with(reader) if answer == YES else ())


def _standing(reader: Reader) -> Standing:
    topic = reader.need(("fire", "make-way", "remove", "drive"))
    if topic == "drive":
        names = " ".join(_ids(reader, UNIT))
        return Standing(topic, "", f"{names} {ASK}" if reader.take(ASK) else names)
    unit = reader.id(UNIT)
    if topic == "remove":
        return Standing(topic, unit, reader.take(ASK) or " ".join(_ids(reader, STAND)))
    return Standing(topic, unit, reader.need((ALWAYS, NEVER, ASK) if topic == "fire" else (YES, NO, ASK)))


_FIRST: dict[str, Any] = {
    "end": _end,
    "target": lambda reader: Target(reader.id(UNIT)),
    "remove": lambda reader: LoseStand(reader.id(STAND)),
    "drive": lambda reader: Drive(reader.id(UNIT)),
    "make-way": lambda reader: MakeWay(reader.need((YES, NO))),
    "fire": _fire,
    "standing": _standing,
    **shared_orders.READERS,
}


# --- writing


def write(command: Command, lang: str = "en") -> str:
    """A command in canonical notation, in a language."""
    words = _WRITTEN[type(command)](command)
    if lang != "fr":
        return " ".join(words)
    return " ".join(FRENCH.get(word, word) for word in words)


def _written_shoot(command: ShootWithStands) -> list[str]:
    aims = [word for aim in command.aims for word in (aim.stand, "at", aim.target)]
    named = ["with", *command.stands] if command.stands else []
    return [command.unit, "shoot", *filter(None, [command.target]), *aims, *named]


def _written_charge(command: ChargeAlong) -> list[str]:
    words = [command.unit, "charge", command.target]
    for pose in command.path:
        words += ["to" if pose is command.path[-1] else "via", *_written_pose(pose)]
    return words


def _written_pose(pose: Pose) -> list[str]:
    place = f"{decimal_text(pose.x, CENTIMETRES)},{decimal_text(pose.y, CENTIMETRES)}"
    return [place] if pose.facing == KEPT_FACING else [place, "facing", decimal_text(pose.facing, DEGREES)]


def _written_fire(command: CounterFire) -> list[str]:
    return ["fire", command.answer, *(["with", *command.stands] if command.stands else [])]


_WRITTEN: dict[type[Command], Any] = {
    ShootWithStands: _written_shoot,
    Hold: lambda command: [command.unit, "hold"],
    ChargeAlong: _written_charge,
    EndShooting: lambda command: ["end", "shooting"],
    EndCommand: lambda command: ["end", "command"],
    Target: lambda command: ["target", command.unit],
    LoseStand: lambda command: ["remove", command.stand],
    Drive: lambda command: ["drive", command.unit],
    MakeWay: lambda command: ["make-way", command.answer],
    CounterFire: _written_fire,
    Standing: lambda command: ["standing", command.topic, *filter(None, [command.unit]), *command.value.split()],
    **shared_orders.WRITERS,
}
