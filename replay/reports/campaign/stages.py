"""A campaign in the stages of its course: what came before the first round, then each round to the next one."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.campaign.events import RoundBegan
from domain.campaign.evolve import START, evolve
from domain.campaign.standings import TableRow, standings
from domain.campaign.state import CampaignState, contest_of
from domain.log.record import Recorded


class Stage(Struct, frozen=True):
    """The events of a stage, and the campaign after the last of them. `number` is that of its round, 0 before the
    first."""

    number: int
    events: tuple[Recorded, ...]
    after: CampaignState


def stages(events: Sequence[Recorded]) -> Iterator[Stage]:
    """The stages of a campaign in order; the first is always there."""
    state, number, first = START, 0, 0
    for at, recorded in enumerate(events):
        if isinstance(recorded.event, RoundBegan):
            yield Stage(number, tuple(events[first:at]), state)
            number, first = recorded.event.round, at
        state = evolve(state, recorded.event)
    yield Stage(number, tuple(events[first:]), state)


def table_of(state: CampaignState) -> tuple[TableRow, ...]:
    """The table of a cup; () of other campaigns, and before the lots."""
    return standings(contest_of(state), state.cup.tiebreaks) if state.is_cup and state.order else ()
