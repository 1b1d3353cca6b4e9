"""What a counted battle leaves of the forces that fought it (CAM-CAR-01)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from domain.campaign.events import Fates, ResultCounted, TableResult
from domain.campaign.forces.fielding import Element, read
from domain.campaign.forces.theatres import CampaignTheatre
from domain.campaign.judge import CampaignJudge
from domain.campaign.state import SIDES, BoardState
from domain.campaign.theatre.carry import CarryTerms, Fought, HonourEarned, carry


def leave(judge: CampaignJudge, counted: ResultCounted | TableResult, how: str) -> None:
    """Write down what a battle leaves.

    Rule: CAM-CAR-01, CAM-RND-04
    """
    board = judge.state.boards[counted.board]
    theatre = CampaignTheatre(judge)
    carry(theatre, _fought(board, theatre, counted, how), judge.state.settings.carry or CarryTerms())


def _fought(board: BoardState, theatre: CampaignTheatre, counted: ResultCounted | TableResult, how: str) -> Fought:
    fielded = {side: [read(name) for name in board.fielded[side]] for side in SIDES}
    forces = {side: tuple(dict.fromkeys(force for force, _ in fielded[side])) for side in SIDES}
    return Fought(
        battle=board.battle,
        winner=counted.winner,
        how=how,
        forces=forces,
        fielded=frozenset(element for elements in fielded.values() for element in elements),
        fates=dict(_fates(counted.fates)),
        deeds=tuple(_deeds(counted.deeds)),
        captors=dict(zip(SIDES, reversed(board.place.pair), strict=True)),
    )


def _fates(told: Fates | UnsetType) -> Iterable[tuple[Element, str]]:
    rows = {} if told is UNSET else told
    return (((force, element), fate) for force, fates in rows.items() for element, fate in fates.items())


def _deeds(told: Sequence[Mapping[str, Any]] | UnsetType) -> Iterable[HonourEarned]:
    rows = () if told is UNSET else told
    return (HonourEarned(row["force"], row["element"], row["honour"], row["n"]) for row in rows)
