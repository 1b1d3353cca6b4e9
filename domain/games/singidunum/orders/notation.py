"""Read and write the orders of Singidunum, English and French (PRG-ORD-01 … PRG-ORD-03).

Reading is independent of any battle: the rules check whether ids and hexes exist.
"""

import re
from collections.abc import Callable
from typing import Any

from domain.basics.commands import AcceptDraw, Command, DeclineDraw, OfferDraw, Standing
from domain.games.singidunum.chapters.actions import NOWHERE, Act, Stay
from domain.games.singidunum.chapters.decisions import (
    ACCEPT,
    FLEE,
    NO,
    NONE,
    OFF,
    REFUSE,
    STAY,
    TOPICS,
    YES,
    Allow,
    CancelRetreats,
    Challenge,
    Cornered,
    Propose,
    Pursue,
    React,
    Retreat,
)
from domain.games.singidunum.chapters.deployment import DECOY, DeployCounter, DoneDeploying, LayAmbush
from domain.games.singidunum.chapters.doubles import Double
from domain.games.singidunum.chapters.movement import Way
from domain.games.singidunum.chapters.muster import NameArmy
from domain.games.singidunum.chapters.shooting import ShootUnit
from domain.games.singidunum.chapters.stakes import REMOVE, RESTORE, TendStakes
from domain.games.singidunum.chapters.turns import PassTurn
from domain.games.singidunum.state.roster import PROFILES
from domain.games.singidunum.state.vocabulary import (
    ALIASES,
    FIRST_WORDS,
    FRENCH,
    FRENCH_STANDING_RETREAT,
    STANDING_RETREAT,
)
from domain.mechanics import shared_orders
from domain.mechanics.notation import Reader

_COUNTER = re.compile(rf"({'|'.join(PROFILES)})(\d)(\*?)(\+IMPACT)?(\+TIES)?")
A_UNIT, A_HEX = "the id of a unit", "a hex"

# --- reading


def parse(line: str) -> Command:
    """An order line, in English or French, as a command; a `Refusal` (core.parse) if unreadable."""
    reader = Reader(line, ALIASES)
    first = reader.take(*FIRST_WORDS)
    command = _FIRST[first](reader) if first else _unit_order(reader)
    reader.end()
    return command


def _unit_order(reader: Reader) -> Command:
    unit = reader.id("an order or the id of a unit")
    word = reader.need(("to", "attack", "shoot", STAY, RESTORE, REMOVE))
    if word == STAY:
        return Stay(unit)
    if word in (RESTORE, REMOVE):
        return TendStakes(unit, word)
    if word == "shoot":
        return ShootUnit(unit, reader.id(A_UNIT))
    way = _way(reader) if word == "to" else NOWHERE
    attacks = word == "attack" or bool(reader.take("attack"))
    return Act(unit, way, _unit_or_hex(reader) if attacks else "")


def _way(reader: Reader) -> Way:
    """Behind `to`."""
    to = reader.take(OFF) or reader.hex()
    return Way(to, reader.hex() if reader.take("via") else "")


def _unit_or_hex(reader: Reader) -> str:
    return reader.hex() if "," in reader.peek() else reader.id("the id of a unit, or a hex")


def _double(reader: Reader) -> Double:
    units, ways = [], []
    for _ in range(2):
        units.append(reader.id(A_UNIT))
        ways.append(_way(reader) if reader.take("to") else NOWHERE)
    reader.need(("attack",))
    return Double((units[0], units[1]), (ways[0], ways[1]), reader.id(A_UNIT))


def _general(reader: Reader) -> Command:
    general = reader.id("the id of a general")
    reader.need(("double",))
    double = _double(reader)
    return Double(double.units, double.ways, double.target, general)


def _army(reader: Reader) -> Command:
    counters = []
    words = reader.rest()
    for word in words:
        found = _COUNTER.fullmatch(word.upper())
        if not found:
            raise reader.unreadable("counters like HI7")
        impact, ties = (found[4] or "").lower(), (found[5] or "").lower()
        counters.append(f"{found[1]}{found[2]}{found[3]}{impact}{ties}")
    if not counters:
        raise reader.unreadable("counters like HI7")
    return NameArmy(tuple(counters))


def _deploy(reader: Reader) -> Command:
    return DeployCounter(reader.id(A_UNIT), reader.hex())


def _ambush(reader: Reader) -> Command:
    unit = reader.take(DECOY) or reader.id(f"{A_UNIT}, or {DECOY}")
    return LayAmbush(unit, reader.hex())


def _accept(reader: Reader) -> Command:
    return AcceptDraw() if reader.take("draw") else React(ACCEPT)


def _refuse(reader: Reader) -> Command:
    return DeclineDraw() if reader.take("draw") else React(f"{REFUSE} {reader.hex()}")


def _propose(reader: Reader) -> Command:
    return OfferDraw() if reader.take("draw") else Propose(reader.hex())


def _flee(reader: Reader) -> Command:
    return Cornered(f"{FLEE} {reader.take(OFF) or reader.hex()}")


def _yes_or_no(command: type[Allow | Pursue | CancelRetreats]) -> Callable[[Reader], Command]:
    def read(reader: Reader) -> Command:
        answer = reader.need((YES, NO))
        named = reader.id(A_UNIT) if command is not Allow and reader.take("with") else ""
        return command(answer, named) if named else command(answer)

    return read


def _challenge(reader: Reader) -> Command:
    return Challenge(reader.take(NONE) or reader.id(f"{A_UNIT}, or {NONE}"))


def _standing(reader: Reader) -> Command:
    topic = reader.need(tuple(TOPICS))
    unit = "" if topic == "second" else reader.id(A_UNIT)
    return Standing(topic, unit, reader.need(TOPICS[topic]))


_FIRST: dict[str, Callable[[Reader], Command]] = {
    **shared_orders.READERS,
    "double": _double,
    "general": _general,
    "pass": lambda reader: PassTurn(),
    "army": _army,
    "deploy": _deploy,
    "ambush": _ambush,
    "done": lambda reader: DoneDeploying(),
    "standing": _standing,
    "accept": _accept,
    "refuse": _refuse,
    "retreat": lambda reader: Retreat(reader.hex()),
    "flee": _flee,
    "stay": lambda reader: Cornered(STAY),
    "propose": _propose,
    "allow": _yes_or_no(Allow),
    "pursue": _yes_or_no(Pursue),
    "hold": _yes_or_no(CancelRetreats),
    "challenge": _challenge,
}


# --- writing


def write(command: Command, lang: str = "en") -> str:
    """The canonical line of a command; in French with `lang` "fr"."""
    words = _WRITERS[type(command)](command)
    if lang != "fr":
        return " ".join(words)
    if type(command) in _FRENCH_PHRASES:
        return _FRENCH_PHRASES[type(command)]
    french = dict(FRENCH)
    if isinstance(command, Standing):
        french[STANDING_RETREAT] = FRENCH_STANDING_RETREAT
    return " ".join(french.get(word, word) for word in words)


def _way_words(way: Way) -> list[str]:
    return [*(["to", way.to] if way.to else []), *(["via", way.via] if way.via else [])]


def _double_words(command: Double) -> list[str]:
    pairs = zip(command.units, command.ways, strict=True)
    words = ["double", *(word for unit, way in pairs for word in (unit, *_way_words(way))), "attack", command.target]
    return ["general", command.general, *words] if command.general else words


def _answer_words(verb: str) -> Callable[[Any], list[str]]:
    return lambda c: [*([verb] if verb else []), *c.answer.split(), *(["with", c.with_] if c.with_ else [])]


_FRENCH_PHRASES: dict[type[Command], str] = {
    OfferDraw: "propose nulle",
    AcceptDraw: "accepte nulle",
    DeclineDraw: "refuse nulle",
}

_WRITERS: dict[type[Command], Callable[[Any], list[str]]] = {
    Stay: lambda c: [c.unit, STAY],
    Act: lambda c: [c.unit, *_way_words(c.way), *(["attack", c.target] if c.target else [])],
    TendStakes: lambda c: [c.unit, c.what],
    ShootUnit: lambda c: [c.unit, "shoot", c.target],
    Double: _double_words,
    PassTurn: lambda c: ["pass"],
    NameArmy: lambda c: ["army", *c.counters],
    DeployCounter: lambda c: ["deploy", c.unit, c.hex],
    LayAmbush: lambda c: ["ambush", c.unit, c.hex],
    DoneDeploying: lambda c: ["done"],
    React: _answer_words(""),
    Cornered: _answer_words(""),
    Retreat: _answer_words("retreat"),
    Propose: _answer_words("propose"),
    Allow: _answer_words("allow"),
    Pursue: _answer_words("pursue"),
    CancelRetreats: _answer_words("hold"),
    Challenge: _answer_words("challenge"),
    Standing: lambda c: ["standing", c.topic, *([c.unit] if c.unit else []), c.value],
    **shared_orders.WRITERS,
}
"""The words of each command; the answers of two kinds of decision begin with a verb of their own (PRG-SEQ-12)."""
