"""What an ended battle has come to, as its campaign counts it (CAM-RND-04)."""

from typing import Any

from msgspec.structs import replace

from domain.basics.seats import SOUTH_AND_NORTH
from domain.campaign.events import ResultCounted
from domain.campaign.forces.fielding import Names
from domain.campaign.state import CampaignState
from domain.events.battle import BattleBegan
from replay.proof.campaign.left import told_left
from replay.proof.campaign.results import counted
from server.campaigns.live_campaign import LiveCampaign
from server.play.live_battle import LiveBattle


def result_of(live: LiveBattle, board: str, is_cut: bool, names: Names | None = None) -> ResultCounted | None:
    """What the steward counts; None while nobody can say who has won: the host has stopped the battle, and the campaign
    has not cut it off. The caller has seen that all events are in memory (`LiveBattle.remember`).

    Shape: `board` as the campaign names it; `is_cut`: it is adjudicated by what was kept (CAM-TIM-06); `names`
           what the elements of forces are called in it, None where it leaves nothing to the campaign
    """
    found = counted(live.recording.timeline, is_cut)
    if found is None:
        return None
    left: dict[str, Any] = {}
    if names is not None:
        left["fates"], left["deeds"] = told_left(live.recording.timeline, found.n, names)
    return ResultCounted(
        board=board,
        battle=live.id,
        n=found.n,
        hash=live.recording.head_at(found.n).hash,
        winner=found.winner,
        how=found.how,
        kept=found.kept,
        rated=found.rated,
        **left,
    )


def duel_result(campaign: LiveCampaign, battle: LiveBattle) -> ResultCounted | None:
    """What is counted of a battle of a ladder, now; None where nobody can say who has won, or who is no member has
    fought. The caller holds the lock of the ladder."""
    found = result_of(battle, "", is_cut=False)
    fighters = fighters_of(campaign.state, battle)
    if found is None or fighters is None:
        return None
    at, book = campaign.recording.moment(campaign.now()), campaign.book()
    began = next((one.at for one in battle.recording.timeline.events if isinstance(one.event, BattleBegan)), at)
    rated = book.may_be_rated(at, began, fighters, found.winner, found.how, found.rated)
    return replace(found, rated=rated, players=dict(zip(SOUTH_AND_NORTH.names, fighters, strict=True)))


def fighters_of(state: CampaignState, battle: LiveBattle) -> tuple[str, str] | None:
    """The entrants of south and north in a battle of a ladder, those who have left it since included; None where one of
    the two never was a member."""
    duel = state.duels.get(battle.id)
    if duel is not None:
        return duel.place.pair
    seats = battle.recording.battle.seats
    players = [seats[side].player if side in seats else "" for side in SOUTH_AND_NORTH.names]
    entrants = {one.player: one.id for one in state.entrants.values()}
    south, north = (entrants.get(player, "") for player in players)
    return (south, north) if south and north else None
