"""The armies with which a campaign begins."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from domain.campaign.config import CampaignConfig
from domain.campaign.force_events import ForceJoined
from domain.campaign.judge import CampaignJudge


class FirstForce(Struct, frozen=True):
    """A force as a file has it: its id, whose it is, the area in which it stands ("" without a map), the table of its
    army."""

    id: str
    power: str
    area: str
    army: dict[str, Any]


def first_forces(config: CampaignConfig) -> Iterator[FirstForce]:
    """The forces of a file, in its order; those of sides are `F1` and `F2`."""
    for number, side in enumerate(config.sides or (), 1):
        yield FirstForce(f"F{number}", side.id, "", side.army)
    for power in config.powers or ():
        for force in power.forces:
            yield FirstForce(force.id, power.id, force.area, force.army)


def join_forces(judge: CampaignJudge) -> None:
    """Put down what each army consists of: a campaign folds from its log alone.

    Rule: CAM-RND-01, CAM-LOG-02
    """
    for force in first_forces(judge.state.settings):
        elements = judge.book.roster(force.army)
        judge.emit(ForceJoined(force=force.id, power=force.power, area=force.area, army=force.army, elements=elements))
