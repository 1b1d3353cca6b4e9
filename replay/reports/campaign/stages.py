"""A campaign in the stages of its course: what came before the first round, then each round to the next one."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.campaign.events import CampaignEnded, RoundBegan
from domain.campaign.evolve import START, evolve
from domain.campaign.known import known, told_once
from domain.campaign.standings import TableRow, standings
from domain.campaign.state import CampaignState, contest_of
from domain.log.record import Recorded, type_name


class Stage(Struct, frozen=True):
    """The events of a stage, and the campaign after the last of them. `number` is that of its round, 0 before the
    first."""

    number: int
    events: tuple[Recorded, ...]
    after: CampaignState


def stages(events: Sequence[Recorded]) -> Iterator[Stage]:
    """The stages of a campaign in order; the first is always there."""
    state, number, first = START, 0, 0
    is_over = any(isinstance(recorded.event, CampaignEnded) for recorded in events)
    for at, recorded in enumerate(events):
        if isinstance(recorded.event, RoundBegan):
            yield _stage(number, events[first:at], state, is_over)
            number, first = recorded.event.round, at
        state = evolve(state, recorded.event)
    yield _stage(number, events[first:], state, is_over)


def _stage(number: int, events: Sequence[Recorded], after: CampaignState, is_over: bool) -> Stage:
    """A stage of a campaign under fog tells what its events stand for; before the end what everybody knows."""
    if not after.is_foggy:
        return Stage(number, tuple(events), after)
    by_n = {recorded.n: recorded for recorded in events}
    told = told_once(after.theatre, ((recorded.n, recorded.event) for recorded in events))
    single = tuple(replace(by_n[n], type=type_name(type(event)), event=event) for n, event in told)
    return Stage(number, single, after if is_over else known(after, ""))


def table_of(state: CampaignState) -> tuple[TableRow, ...]:
    """The table of a cup; () of other campaigns, and before the lots."""
    return standings(contest_of(state), state.cup.tiebreaks) if state.is_cup and state.order else ()
