"""Fold what happens in a ladder: challenges, and the battles that come of them or were opened in it."""

from typing import Any

from msgspec.structs import replace

from domain.basics.pace import moment_of
from domain.campaign.boards import Place
from domain.campaign.events import BattleSet, ResultCounted
from domain.campaign.ladder_events import ChallengeEnded, ChallengeMade
from domain.campaign.row_map import RowMap
from domain.campaign.state import COUNTED, SIDES, BoardState, CampaignState, OpenChallenge, pair_key


def on_challenge(state: CampaignState, event: ChallengeMade) -> CampaignState:
    made = OpenChallenge(event.challenger, event.challenged, moment_of(event.until), event.scenario or "")
    return replace(state, challenges=state.challenges.with_row(made.key, made))


def on_challenge_ended(state: CampaignState, event: ChallengeEnded) -> CampaignState:
    return replace(state, challenges=state.challenges.without(pair_key(event.challenger, event.challenged)))


def on_duel_set(state: CampaignState, event: BattleSet) -> CampaignState:
    """A challenge has come to a battle."""
    key = pair_key(event.south, event.north)
    challenge = state.challenges.get(key)
    place = Place("", 0, event.south, event.north)
    named = challenge.scenario if challenge is not None else ""
    duel = BoardState(place, event.battle, event.players, event.scenario, named=named)
    return replace(
        state,
        challenges=state.challenges.without(key),
        between=state.between.with_row(key, event.battle),
        duels=state.duels.with_row(event.battle, duel),
        balance=_balanced(state, place),
    )


def _balanced(state: CampaignState, place: Place) -> RowMap[int]:
    """Souths minus norths, with one more battle."""
    souths = state.balance.with_row(place.south, state.balance.get(place.south, 0) + 1)
    return souths.with_row(place.north, souths.get(place.north, 0) - 1)


def on_duel_counted(state: CampaignState, event: ResultCounted) -> CampaignState:
    """A battle of a ladder has ended: one of a challenge, or one that members had opened in it."""
    counted = state.counted.with_row(event.battle, state.n + 1)
    duel = state.duels.get(event.battle) or _opened_in(state, event)
    if duel is None:
        return replace(state, counted=counted)
    result: dict[str, Any] = {"winner": event.winner, "how": event.how, "rated": event.rated}
    kept = (event.kept["south"], event.kept["north"])
    duel = replace(duel, status=COUNTED, kept=kept, **result)
    key = pair_key(*duel.place.pair)
    fought = state.between.get(key) == event.battle
    return replace(
        state,
        counted=counted,
        balance=state.balance if event.battle in state.duels else _balanced(state, duel.place),
        duels=state.duels.with_row(event.battle, duel),
        between=state.between.without(key) if fought else state.between,
    )


def _opened_in(state: CampaignState, event: ResultCounted) -> BoardState | None:
    """A battle that the log names at its end first; None where it does not say who fought it."""
    if not event.players:
        return None
    south, north = (event.players[side] for side in SIDES)
    players = {side: state.entrants[entrant].player for side, entrant in zip(SIDES, (south, north), strict=True)}
    return BoardState(Place("", 0, south, north), event.battle, players)
