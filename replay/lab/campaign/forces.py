"""The asks `outcome`, `carry` and `ground`: what a battle leaves, and where the next one is fought."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from domain.basics.decoding import decode as decode_value
from domain.campaign.theatre.carry import SIDES, CarryTerms, Fought, HonourEarned, RecoveryTable, carry
from domain.campaign.theatre.judge import TheatreJudge
from domain.campaign.theatre.state import ForceState, Power, Theatre
from domain.catalogue import RULESETS
from domain.log.chance import StackedChance
from domain.log.record import FileFault, decode
from domain.run.timeline import Timeline, catalogue_of
from replay.bench.bench import UnreadableCase
from replay.called_off import strength_at
from replay.lab.campaign.answer import Answer, Case, Row, question
from replay.lab.campaign.theatre import Deeds, Dice, Draws, Table, book_of, force_from, split, stacked, told
from replay.proof.campaign.left import remains
from replay.proof.campaign.results import counted

Boxes = Annotated[int, Meta(ge=5, le=26)]


# --- outcome


class _Outcome(Struct, forbid_unknown_fields=True):
    """A battle as plain facts. `n` and `hash` are those of its last event; the chain is not judged."""

    file: bytes
    battle: str
    n: int
    hash: str


def outcome(case: Case) -> Answer:
    """What a campaign reads out of an ended battle."""
    wanted: _Outcome = question(case, _Outcome)
    timeline = _folded(wanted.file, wanted.battle)
    found = counted(timeline, is_cut=False)
    if found is None or found.n != wanted.n:
        raise UnreadableCase(f"the battle has not ended with event {wanted.n}")
    left = remains(timeline, found.n)
    strength = strength_at(timeline, found.n)
    return Answer(
        {
            "winner": found.winner,
            "how": found.how,
            "start": strength.start,
            "now": strength.now,
            "kept": [found.kept[side] for side in SIDES],
            "fates": left.fates,
            "deeds": [[deed.unit, deed.id, deed.n] for deed in left.deeds],
        }
    )


def _folded(content: bytes, battle: str) -> Timeline:
    """A battle folded from plain facts: a header, then events."""
    header, *lines = content.splitlines() or [b""]
    try:
        head = decode_value(header, dict[str, Any])
        timeline = Timeline(RULESETS[head["ruleset"]], {})
        catalogue = catalogue_of(timeline.ruleset)
        for line in lines:
            if not line.startswith(b'{"checkpoint":'):
                timeline.feed(decode(line, catalogue))
    except (FileFault, KeyError, msgspec.MsgspecError) as wrong:
        raise UnreadableCase(f"the facts cannot be read: {wrong}") from None
    if head.get("battle") != battle:
        raise UnreadableCase(f"the facts are those of {head.get('battle')!r}")
    return timeline


# --- carry


class _ForceRow(Struct, forbid_unknown_fields=True):
    side: Literal["south", "north"]
    id: str
    power: str


class _FoughtRow(Struct, forbid_unknown_fields=True):
    battle: str
    winner: Literal["south", "north", ""]
    how: str
    fates: dict[str, dict[str, str]] = {}
    deeds: dict[str, Deeds] = {}


class _Carry(Struct, forbid_unknown_fields=True):
    force: list[Table]
    outcome: list[_FoughtRow]
    ruleset: str = ""
    recover: RecoveryTable = RecoveryTable()
    capture: int = 1
    per_step: int = 2
    dice: Dice = {}


def carried(case: Case) -> Answer:
    """What becomes of forces, battle after battle."""
    wanted: _Carry = question(case, _Carry)
    book = book_of(wanted.ruleset)
    rows = [split(table, _ForceRow) for table in wanted.force]
    forces = {row.id: force_from(book, row.id, row.power, army) for row, army in rows}
    powers = {row.power: Power(row.power, row.side) for row, _ in rows}
    judge = TheatreJudge(Theatre(powers, forces), book, StackedChance(wanted.dice))
    terms = CarryTerms(wanted.recover, wanted.capture, wanted.per_step)
    sides = {row.id: row.side for row, _ in rows}
    for row in wanted.outcome:
        with stacked():
            carry(judge, _fought(judge.theatre, row, sides), terms)
    return Answer({name: _force_told(force) for name, force in judge.theatre.forces.items()}, told(judge.events))


def _fought(theatre: Theatre, row: _FoughtRow, sides: Mapping[str, str]) -> Fought:
    """A battle in which all fought; elements are named by their side, whose forces share no id."""
    forces = {side: sorted(name for name, of in sides.items() if of == side) for side in SIDES}
    whose = {
        (side, each): name for side, names in forces.items() for name in names for each in theatre.forces[name].elements
    }
    try:
        fates = {(whose[side, each], each): fate for side, met in row.fates.items() for each, fate in met.items()}
        deeds = [
            HonourEarned(whose[side, unit], unit, honour, n)
            for side, done in row.deeds.items()
            for unit, honour, n in done
        ]
    except KeyError as unknown:
        raise UnreadableCase(f"no such element: {unknown}") from None
    fielded = frozenset((name, each) for name, force in theatre.forces.items() for each in force.elements)
    return Fought(row.battle, row.winner, row.how, forces, fielded, fates, deeds)


def _force_told(force: ForceState) -> Row:
    return {
        "points": force.weight,
        "units": {each.element.id: each.element.label for each in force.units},
        "leaders": [each.element.id for each in force.leaders],
        "captured": list(force.captured),
    }


# --- ground


class _GroundAsked(Struct, forbid_unknown_fields=True):
    ground: str
    board: tuple[Boxes, Boxes]
    draws: Draws
    ruleset: str = ""


def battlefield(case: Case) -> Answer:
    """The battlefield that some draws make."""
    wanted: _GroundAsked = question(case, _GroundAsked)
    make = book_of(wanted.ruleset).ground
    if make is None:
        raise UnreadableCase("the game has no battlefields by chance")
    chance = StackedChance({"ground": [number + 1 for number in wanted.draws]})
    with stacked():
        field = make(wanted.ground, wanted.board, lambda limit: chance.die("ground", limit) - 1)
    return Answer({"terrain": field.terrain, "edges": field.edges})
