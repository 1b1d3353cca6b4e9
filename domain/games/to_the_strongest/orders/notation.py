"""Read and write the orders of To the Strongest! (to-the-strongest.md 2).

`parse` reads English and French; `write` produces the canonical line in either. Reading is independent of
any battle: the rules check whether ids and boxes exist.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from domain.basics.commands import Command, Standing
from domain.games.to_the_strongest.chapters.charges import ChargeBox
from domain.games.to_the_strongest.chapters.deployment import Deploy, DeployCamp, DeployWith
from domain.games.to_the_strongest.chapters.evade import Evade
from domain.games.to_the_strongest.chapters.field import Leave, Return
from domain.games.to_the_strongest.chapters.generals import MoveGeneral, Ride
from domain.games.to_the_strongest.chapters.groups import March, MoveGroup
from domain.games.to_the_strongest.chapters.movement import WAYS, Move, MoveTo, Pass
from domain.games.to_the_strongest.chapters.rally import Rally, Replenish
from domain.games.to_the_strongest.chapters.replays import Replay
from domain.games.to_the_strongest.chapters.shooting import AheadShoot, Shoot
from domain.games.to_the_strongest.chapters.standing import read_standing, write_standing
from domain.games.to_the_strongest.chapters.stratagems import Play
from domain.games.to_the_strongest.chapters.terrain import PlaceTerrain, Shift
from domain.games.to_the_strongest.chapters.turning import Form, Swap, Turn
from domain.games.to_the_strongest.chapters.turns import Done, EndPlayerTurn, OpenCorps
from domain.games.to_the_strongest.chapters.wounds import Join
from domain.games.to_the_strongest.state.ground import LINEAR, PIECES
from domain.games.to_the_strongest.state.roster import MOST_CAMPS
from domain.games.to_the_strongest.state.state import FORMATIONS, MARKERS
from domain.games.to_the_strongest.state.vocabulary import ALIASES, FIRST_WORDS, FRENCH, FRENCH_NAMES, STRATAGEM_NAMES
from domain.mechanics import shared_orders
from domain.mechanics.notation import Reader

# --- reading


@lru_cache(2048)
def parse(line: str) -> Command:
    """An order line, in English or French, as a command; a `Refusal` (core.parse) if unreadable.

    A line is read several times on its way, and many players give the same: what was read lately is remembered.
    """
    reader = Reader(line, ALIASES)
    first = reader.take(*FIRST_WORDS)
    command = _FIRST[first](reader) if first else _unit_order(reader)
    reader.end()
    return command


def _unit_order(reader: Reader) -> Command:
    unit = reader.id("an order or the id of a unit")
    action = reader.take(*_ACTIONS)
    if not action:
        raise reader.unreadable(*_ACTIONS)
    return _ACTIONS[action](reader, unit, action)


def _move(reader: Reader, unit: str, way: str) -> Command:
    if way == "ahead" and reader.take("then"):
        if reader.take("shoot"):
            return AheadShoot(unit, reader.id("a box or a unit"))
        reader.need(("ahead",))
        return Move(unit, way, 1, "", True)
    boxes = reader.number()
    facing = reader.facing() if reader.take("facing") else ""
    return Move(unit, way, 1 if boxes is None else boxes, facing, _then_ahead(reader))


def _then_ahead(reader: Reader) -> bool:
    return bool(reader.take("then") and reader.need(("ahead",)))


def _move_to(reader: Reader, unit: str, action: str) -> Command:
    box = reader.box()
    facing = reader.facing() if reader.take("facing") else ""
    via = reader.box() if reader.take("via") else ""
    return MoveTo(unit, box, facing, via)


def _charge(reader: Reader, unit: str, action: str) -> Command:
    return ChargeBox(unit, reader.id("a box or a unit"), bool(reader.take("halt")))


def _shoot(reader: Reader, unit: str, action: str) -> Command:
    target = reader.id("a box or a unit")
    double = bool(reader.take("x2"))
    return Shoot(unit, target, double, bool(reader.take("then") and reader.need(("back",))))


def _turn(reader: Reader, unit: str, action: str) -> Command:
    word = reader.need(("left", "right", "about", "n", "e", "s", "w"))
    return Turn(unit, word.upper() if len(word) == 1 else word, _then_ahead(reader))


def _march(reader: Reader, unit: str, action: str) -> Command:
    return March(unit, reader.box() if reader.more() else "")


def _group(reader: Reader) -> Command:
    units = [reader.id("the id of a unit")]
    while reader.peek() not in ("ahead", "march"):
        units.append(reader.id("the id of a unit, `ahead` or `march`"))
    if reader.take("march"):
        return MoveGroup(tuple(units), None, True, reader.box() if reader.more() else "")
    reader.need(("ahead",))
    return MoveGroup(tuple(units), reader.number())


def _general(reader: Reader) -> Command:
    general = reader.id("the id of a general")
    if reader.take("alone"):
        return Ride(general, "")
    if reader.take("with"):
        return Ride(general, reader.id("the id of a unit"))
    reader.need(("to", "with", "alone"))
    box = reader.box()
    return MoveGeneral(general, box, reader.id("the id of a unit") if reader.take("with") else "")


def _evade(reader: Reader) -> Command:
    yes = reader.need(("yes", "no")) == "yes"
    return Evade(yes, reader.facing() if reader.take("facing") else "")


def _replay(reader: Reader) -> Command:
    yes = reader.need(("yes", "no")) == "yes"
    return Replay(yes, reader.id("a general, or HERO") if reader.take("with") else "")


def _end_turn(reader: Reader) -> Command:
    """`end turn`, `fin tour`, `fin du tour`."""
    if reader.peek() == "du":
        reader.need(("du",))
    reader.need(("turn", "tour"))
    return EndPlayerTurn()


def _shift(reader: Reader) -> Command:
    word = reader.need(("n", "e", "s", "w", "open", "none"))
    return Shift(word.upper() if len(word) == 1 else word)


def _deploy(reader: Reader) -> Command:
    if reader.take("camp"):
        boxes, fortified = [reader.box()], []
        while reader.more() and reader.peek() != "fortified" and len(boxes) < MOST_CAMPS:
            boxes.append(reader.box())
        if reader.take("fortified"):
            fortified = [reader.facing()]
            while reader.more():
                fortified.append(reader.facing())
        return DeployCamp.at(boxes, tuple(fortified))
    name = reader.id("the id of a unit or general, or `camp`")
    if reader.take("with"):
        return DeployWith(name, reader.id("the id of a unit"))
    return Deploy(name, reader.box(), reader.facing() if reader.more() else "")


def _place(reader: Reader) -> Command:
    kind, box = reader.need(tuple(PIECES)), reader.box()
    if kind in LINEAR:
        reader.need(("/",))
        return PlaceTerrain(kind, box, reader.box())
    return PlaceTerrain(kind, box)


def _play(reader: Reader) -> Command:
    name = reader.need(tuple(STRATAGEM_NAMES))
    kind = (reader.need(tuple(PIECES)),) if name == "ground" else ()
    arguments = tuple(word.upper() for word in reader.rest())
    if name == "flank-march" and arguments[-1:] == ("O",):
        arguments = (*arguments[:-1], "W")
    return Play(name, (*kind, *arguments))


_FIRST: dict[str, Callable[[Reader], Command]] = {
    "corps": lambda reader: OpenCorps(reader.id("the id of a corps")),
    "group": _group,
    "general": _general,
    "evade": _evade,
    "replay": _replay,
    "join": lambda reader: Join(reader.id("the id of a unit")),
    "shift": _shift,
    "done": lambda reader: Done(),
    "end": _end_turn,
    "deploy": _deploy,
    "place": _place,
    "play": _play,
    "standing": read_standing,
    **shared_orders.READERS,
}

_ACTIONS: dict[str, Callable[[Reader, str, str], Command]] = {
    "to": _move_to,
    **dict.fromkeys(WAYS, _move),
    "charge": _charge,
    "shoot": _shoot,
    "turn": _turn,
    "swap": lambda reader, unit, action: Swap(unit, _then_ahead(reader)),
    "rally": lambda reader, unit, action: Rally(unit),
    "replenish": lambda reader, unit, action: Replenish(unit, reader.need(MARKERS)),
    "form": lambda reader, unit, action: Form(unit, reader.need(FORMATIONS)),
    "march": _march,
    "pass": lambda reader, unit, action: Pass(unit, reader.need(("ahead", "back"))),
    "leave": lambda reader, unit, action: Leave(unit),
    "return": lambda reader, unit, action: Return(unit, reader.box()),
}


# --- writing


def write(command: Command, lang: str = "en") -> str:
    """The canonical line of a command; in French with `lang` "fr"."""
    if lang == "fr" and isinstance(command, EndPlayerTurn):
        return "fin du tour"
    words = _WRITERS[type(command)](command)
    return " ".join(_french(word) for word in words) if lang == "fr" else " ".join(words).replace(_FACING, "")


_FACING = "@"
"""Marks a facing among the words of a command, so that no id is mistaken for one."""


def _french(word: str) -> str:
    if word.startswith(_FACING):
        return FRENCH["w"] if word == f"{_FACING}W" else word[1:]
    return word if word.isupper() else next((table[word] for table in FRENCH_NAMES if word in table), word)


def _facing(facing: str) -> str:
    return f"{_FACING}{facing}" if len(facing) == 1 else facing


def _if(condition: object, *words: str) -> list[str]:
    return list(words) if condition else []


def _write_move(c: Move) -> list[str]:
    boxes = _if(c.boxes != 1, str(c.boxes))
    return [c.unit, c.way, *boxes, *_if(c.facing, "facing", _facing(c.facing)), *_if(c.then_ahead, "then", "ahead")]


def _write_group(c: MoveGroup) -> list[str]:
    if c.march:
        return ["group", *c.units, "march", *_if(c.box, c.box)]
    return ["group", *c.units, "ahead", *_if(c.boxes is not None, str(c.boxes))]


_WRITERS: dict[type[Command], Callable[[Any], list[str]]] = {
    Move: _write_move,
    MoveTo: lambda c: [c.unit, "to", c.box, *_if(c.facing, "facing", _facing(c.facing)), *_if(c.via, "via", c.via)],
    AheadShoot: lambda c: [c.unit, "ahead", "then", "shoot", c.target],
    ChargeBox: lambda c: [c.unit, "charge", c.target, *_if(c.halt, "halt")],
    Shoot: lambda c: [c.unit, "shoot", c.target, *_if(c.double, "x2"), *_if(c.back, "then", "back")],
    Turn: lambda c: [c.unit, "turn", _facing(c.turn), *_if(c.then_ahead, "then", "ahead")],
    Swap: lambda c: [c.unit, "swap", *_if(c.then_ahead, "then", "ahead")],
    Rally: lambda c: [c.unit, "rally"],
    Replenish: lambda c: [c.unit, "replenish", c.marker],
    Form: lambda c: [c.unit, "form", c.formation],
    March: lambda c: [c.unit, "march", *_if(c.box, c.box)],
    Pass: lambda c: [c.unit, "pass", c.way],
    Leave: lambda c: [c.unit, "leave"],
    Return: lambda c: [c.unit, "return", c.box],
    MoveGroup: _write_group,
    MoveGeneral: lambda c: ["general", c.general, "to", c.box, *_if(c.unit, "with", c.unit)],
    Ride: lambda c: ["general", c.general, *(_if(c.unit, "with", c.unit) or ["alone"])],
    Join: lambda c: ["join", c.unit],
    Evade: lambda c: ["evade", "yes" if c.yes else "no", *_if(c.facing, "facing", _facing(c.facing))],
    Replay: lambda c: ["replay", "yes" if c.yes else "no", *_if(c.source, "with", c.source)],
    OpenCorps: lambda c: ["corps", c.corps],
    Done: lambda c: ["done"],
    EndPlayerTurn: lambda c: ["end", "turn"],
    Standing: lambda c: write_standing(c, _facing),
    Shift: lambda c: ["shift", _facing(c.to)],
    Deploy: lambda c: ["deploy", c.id, c.box, *_if(c.facing, _facing(c.facing))],
    DeployCamp: lambda c: ["deploy", "camp", *c.boxes, *_if(c.fortified, "fortified", *map(_facing, c.fortified))],
    DeployWith: lambda c: ["deploy", c.general, "with", c.unit],
    PlaceTerrain: lambda c: ["place", c.kind, c.box, *_if(c.other, "/", c.other)],
    Play: lambda c: ["play", c.stratagem, *c.arguments],
    **shared_orders.WRITERS,
}
