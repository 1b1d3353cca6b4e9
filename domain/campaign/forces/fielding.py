"""The battle between forces: who fights in it, where, and as which scenario (CAM-MAP-11, CAM-LNK-05)."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from msgspec import UNSET, UnsetType

from domain.basics.errors import Refusal
from domain.campaign.boards import Place
from domain.campaign.config import CampaignConfig
from domain.campaign.forces.theatres import CampaignTheatre
from domain.campaign.judge import CampaignJudge
from domain.campaign.setting import set_board
from domain.campaign.state import SIDES, BoardState
from domain.campaign.theatre.state import ForceState, Theatre
from domain.contract.campaign_book import DEAD, HURT, LEADER, RESTING, CampaignBook, Fielded, Ground
from domain.log.canonical import canonical

GROUND = "ground"
"""The scope of a battlefield's dice, and what they are thrown for."""
BY_PLAYERS = "players"
"""The ground on which the players place the terrain (CAM-TTS-05)."""
Element = tuple[str, str]
"""Force and id."""
Names = Mapping[Element, str]
"""What elements are called in a battle."""


def written(element: Element) -> str:
    """An element as an event names it: `F1/N2`."""
    return "/".join(element)


def read(name: str) -> Element:
    """The element that an event names."""
    force, _, element = name.partition("/")
    return force, element


def met_by(theatre: Theatre, board: BoardState, name: str, fate: str) -> Element:
    """The force and element that somebody names, as `FORCE:ID` or `ID`, who tells of a battle on a table; the force is
    "" where no forces fight.

    Rule:    CAM-CLB-04
    Raises:  Refusal core.unknown-id for an element that has not fought, or an id of both sides
    """
    force, _, element = name.rpartition(":")
    if not board.fielded:
        return force, element
    fought = [read(each) for side in SIDES for each in board.fielded[side]]
    found = [each for each in fought if each[1] == element and force in ("", each[0])]
    if len(found) != 1:
        raise Refusal("core.unknown-id", "CORE-ID", id=name)
    kind = theatre.forces[found[0][0]].elements[element].element.kind
    if (kind == LEADER) != (fate in (DEAD, HURT)):  # a leader is not lost, nor a unit dead
        raise Refusal("core.unknown-id", "CORE-ID", id=name)
    return found[0]


def with_leaders(theatre: Theatre, units: Sequence[Element], but: frozenset[Element] = frozenset()) -> list[Element]:
    """Units that fight, and behind them the leaders of their groups, force by force; `but` are elsewhere."""
    found = [*units]
    for name in dict.fromkeys(force for force, _ in units):
        force = theatre.forces[name]
        groups = {force.elements[unit].element.group for of, unit in units if of == name}
        found += [
            (name, each.element.id)
            for each in force.leaders
            if each.element.group in groups and (name, each.element.id) not in but
        ]
    return found


def fielded_of(theatre: Theatre, names: Sequence[str]) -> tuple[Fielded, ...]:
    """The forces of a side on the day of a battle, from the names of their elements."""
    elements = [read(name) for name in names]
    return tuple(_fielded(theatre.forces[force], elements) for force in dict.fromkeys(force for force, _ in elements))


def _fielded(force: ForceState, elements: Sequence[Element]) -> Fielded:
    own = {name for of, name in elements if of == force.id}
    here = [each for name, each in force.elements.items() if name in own]
    resting = frozenset(each.element.id for each in here if each.now == RESTING)
    return Fielded(force.id, force.army, tuple(each.element for each in here), resting)


def scenario_between(
    book: CampaignBook, theatre: Theatre, config: CampaignConfig, board: BoardState
) -> tuple[dict[str, Any], Names]:
    """The table of the scenario of a board on which forces fight, and what their elements are called in it.

    Shape: `book` takes tables (`theatre.books.on_tables`)
    """
    south, north = (fielded_of(theatre, board.fielded[side]) for side in SIDES)
    return book.battle(south, north, board.ground, board.title, config.battle.options)


def set_forces(
    judge: CampaignJudge,
    place: Place,
    fielded: Mapping[str, Sequence[Element]],
    kind: str,
    title: str,
    rule: str,
) -> None:
    """Set the battle of a board between forces, on ground of a kind.

    Shape: `fielded` the elements of each side, units first; its players are those of the entrants of the place
    """
    state = judge.state
    ground = _ground(judge, kind)
    names = {side: tuple(map(written, fielded[side])) for side in SIDES}
    players = {side: state.entrants[entrant].player for side, entrant in zip(SIDES, place.pair, strict=True)}
    board = BoardState(place, "", players, title=title, fielded=names, ground=ground)
    table, _ = scenario_between(judge.book, judge.state.theatre, state.settings, board)
    _set(judge, board, sha256(canonical(table)).hexdigest(), title, rule)


def set_anew(judge: CampaignJudge, board: BoardState, rule: str) -> None:
    """Set the battle of a board anew in place of a void one, between the same forces on the same ground.

    Rule: CAM-RUL-03
    """
    _set(judge, board, board.scenario, board.title or UNSET, rule)


def _set(judge: CampaignJudge, board: BoardState, scenario: str, title: str | UnsetType, rule: str) -> None:
    time, ground = judge.state.settings.time, UNSET if board.ground is None else board.ground
    set_board(
        judge,
        board.place,
        scenario,
        rule,
        show=time.show,
        length=time.round,
        title=title,
        fielded=dict(board.fielded) or UNSET,
        ground=ground,
    )


def _ground(judge: CampaignJudge, kind: str) -> Ground | None:
    """A battlefield of a kind, each place of it a die of scope `ground` (CAM-TTS-05); None where players make it."""
    make = judge.book.ground
    if make is None or kind == BY_PLAYERS:
        return None
    theatre = CampaignTheatre(judge)
    return make(kind, judge.book.board, lambda limit: theatre.draw(GROUND, limit, GROUND) - 1)
