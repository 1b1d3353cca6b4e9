"""The course of a map campaign: turns of orders, marches, battles and what follows from them (CAM-MAP-04)."""

from msgspec import UNSET

from domain.campaign.boards import Place
from domain.campaign.events import CampaignEnded, RoundBegan, RoundEnded
from domain.campaign.folding_forces import battles_of
from domain.campaign.forces.fielding import read, set_forces, with_leaders
from domain.campaign.forces.fog import tell_moves, tell_sight, tell_treasuries
from domain.campaign.forces.theatres import CampaignTheatre
from domain.campaign.judge import CampaignJudge
from domain.campaign.state import SIDES, CampaignState
from domain.campaign.theatre.aftermath import has_won_all, victory_points
from domain.campaign.theatre.carry import CarryTerms
from domain.campaign.theatre.contact import commander
from domain.campaign.theatre.events import EncounterMade
from domain.campaign.theatre.orders import TurnOrders
from domain.campaign.theatre.retreat import Won
from domain.campaign.theatre.state import Theatre
from domain.campaign.theatre.turn import fight, settle

ROUNDS, CAPITALS = "rounds", "capitals"
"""How a map campaign ends: no turn is left, or an alliance has every capital."""


def begin_turn(judge: CampaignJudge) -> None:
    """Open the next turn: its powers give orders first, until `ready` or the deadline.

    Rule: CAM-MAP-04
    """
    deadline = judge.after(judge.state.settings.time.orders or "") or UNSET
    judge.emit(RoundBegan(round=judge.state.round + 1, deadline=deadline))


# --- marches and battles


def march_out(judge: CampaignJudge, orders: TurnOrders) -> None:
    """The first half of a turn, when its orders are closed: marches, contacts, the battles that come of them. Without
    any the second half follows at once.

    Rule: CAM-MAP-04, CAM-MAP-11, CAM-FOG-01
    """
    terms = judge.state.settings.carry or CarryTerms()
    theatre = CampaignTheatre(judge)
    found = fight(theatre, orders, terms.recover)
    if judge.state.is_foggy:
        tell_sight(judge, theatre.marched)
        if found:
            tell_moves(judge)
    for number, encounter in enumerate(found, 1):
        _set(judge, encounter.made, number)
    proceed_on_map(judge)


def _set(judge: CampaignJudge, made: EncounterMade, number: int) -> None:
    """Set the battle of an area."""
    state = judge.state
    elements = {side: with_leaders(state.theatre, [read(name) for name in made.fielded[side]]) for side in SIDES}
    south, north = (_commander(state, made, side) for side in SIDES)
    area = state.theatre.areas[made.area]
    place = Place(f"{state.round}.{number}", state.round, south, north)
    set_forces(judge, place, elements, area.ground, area_name(state, made.area), "CAM-MAP-11")


def _commander(state: CampaignState, made: EncounterMade, side: str) -> str:
    """The power that commands a side: that with most points on the field, of those that somebody holds if any does."""
    units = [read(name) for name in made.fielded[side]]
    held = [unit for unit in units if not state.entrants[state.theatre.forces[unit[0]].power].left]
    return commander(state.theatre, held or units)


def area_name(state: CampaignState, area: str) -> str:
    """What the file calls an area."""
    rows = state.settings.map.area if state.settings.map else ()
    return next((row.name for row in rows if row.id == area and row.name), area)


# --- the end of a turn


def proceed_on_map(judge: CampaignJudge) -> None:
    """The second half of a turn, once every battle has its result: retreats, sieges, supply, income, recruits; then the
    next turn, or the end.

    Rule: CAM-RND-05, CAM-MAP-12, CAM-MAP-17
    """
    state = judge.state
    if state.is_over or not state.rounds or state.takes_orders or state.rounds[-1].open or state.rounds[-1].has_ended:
        return
    results = {area: Won(made, board.winner) for area, made, board in battles_of(state)}
    settle(CampaignTheatre(judge), state.ordering.turn, results)
    if state.is_foggy:
        tell_moves(judge)
        tell_treasuries(judge)
    judge.emit(RoundEnded(state.round))
    _go_on(judge)


def _go_on(judge: CampaignJudge) -> None:
    state = judge.state
    winner = has_won_all(state.theatre)
    if winner:
        judge.emit(CampaignEnded(_held_powers(state, winner), CAPITALS), "CAM-MAP-17")
    elif state.round >= state.theatre.terms.turns:
        judge.emit(CampaignEnded(_held_powers(state, ahead(state.theatre)), ROUNDS), "CAM-MAP-17")
    else:
        begin_turn(judge)


def ahead(theatre: Theatre) -> str:
    """The alliance with more victory points, "" if there is none."""
    points = victory_points(theatre)
    most = max(points.values())
    found = [alliance for alliance, having in points.items() if having == most]
    return found[0] if len(found) == 1 else ""


def _held_powers(state: CampaignState, alliance: str) -> tuple[str, ...]:
    """The powers of an alliance that somebody holds: who has left has not won (CAM-RND-06)."""
    powers = (power.id for power in state.theatre.powers.values() if power.alliance == alliance)
    return tuple(name for name in powers if name in state.entrants and not state.entrants[name].left)
