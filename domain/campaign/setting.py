"""Set the battle of a board."""

from msgspec import UNSET, UnsetType

from domain.campaign.boards import Place
from domain.campaign.events import BattleSet
from domain.campaign.judge import CampaignJudge
from domain.campaign.state import SIDES
from domain.contract.campaign_book import Ground


def set_board(
    judge: CampaignJudge,
    place: Place,
    scenario: str,
    rule: str,
    *,
    show: str = "",
    length: str = "",
    title: str | UnsetType = UNSET,
    fielded: dict[str, tuple[str, ...]] | UnsetType = UNSET,
    ground: Ground | UnsetType = UNSET,
) -> None:
    """Set a new battle between the two entrants of a place, or of a ladder; their holders play.

    Shape: `scenario` the SHA-256 of its table; `show` and `length` how long they have to come, and to fight, "" for as
           long as they like; `title`, `fielded` and `ground` of a battle between forces
    """
    entrants = judge.state.entrants
    event = BattleSet(
        board=place.name,
        round=place.round,
        battle=judge.given.battle(place),
        south=place.south,
        north=place.north,
        players={side: entrants[entrant].player for side, entrant in zip(SIDES, place.pair, strict=True)},
        scenario=scenario,
        show=judge.after(show) or UNSET,
        deadline=judge.after(length) or UNSET,
        title=title,
        fielded=fielded,
        ground=ground,
    )
    judge.emit(event, rule)
