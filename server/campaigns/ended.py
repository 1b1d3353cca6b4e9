"""What an ended battle has come to, as its campaign counts it (CAM-RND-04)."""

from domain.campaign.events import ResultCounted
from replay.proof.campaign.results import counted
from server.play.live_battle import LiveBattle


def result_of(live: LiveBattle, board: str, is_cut: bool) -> ResultCounted | None:
    """What the steward counts; None while nobody can say who has won: the host has stopped the battle, and the campaign
    has not cut it off. The caller has seen that all events are in memory (`LiveBattle.remember`).

    Shape: `board` as the campaign names it; `is_cut`: it is adjudicated by what was kept (CAM-TIM-06)
    """
    found = counted(live.recording.timeline, is_cut)
    if found is None:
        return None
    return ResultCounted(
        board=board,
        battle=live.id,
        n=found.n,
        hash=live.recording.head_at(found.n).hash,
        winner=found.winner,
        how=found.how,
        kept=found.kept,
        rated=found.rated,
    )
