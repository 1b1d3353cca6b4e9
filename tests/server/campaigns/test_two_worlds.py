"""Two campaigns that differ in what a power cannot see give it equal maps, letters, options, previews and refusals."""

from collections.abc import Iterator
from typing import Any

import pytest

from domain.basics.errors import Refusal
from domain.campaign.events import RoundBegan
from domain.campaign.known import known
from domain.campaign.theatre.books import on_tables
from domain.campaign.theatre.bot import plan_turn
from domain.campaign.theatre.options import options_of
from domain.campaign.theatre.preview import foreseen
from domain.events.battle import Event
from projections.ledger.book import ledger_of
from replay.drawing.atlas.svg import draw_map
from replay.drawing.atlas.text import map_text
from server.campaigns.maps import seen_map
from server.mail.campaign_pieces import CampaignReader
from server.mail.outgoing.letters.map_turn import MapTurnNews, turn_pieces
from server.shown.force_orders import force_orders
from tests.support.fog import log_of
from tests.support.played_sicily import TABLE, SicilyPlayed

MAP: Any = TABLE["map"]
FOG: dict[str, Any] = {"map": {**MAP, "fog": True}}
TRIED = (
    "march F1 panormus",
    "hold F2",
    "dismiss F2 CN1",
    "march F3 tyndaris",
    "recruit F3 I legionaries as R9",
    "hold X9",
)
WORLDS = {
    "marches": ("march F1 drepana", "march F1 carthago"),
    "units sent home": ("dismiss F1 N1", "hold F1"),
    "recruits": ("recruit F1 III warriors as N9", "rest F1 N2"),
}


def world(line: str) -> SicilyPlayed:
    """Carthage orders this in the first turn; all else is the same."""
    campaign = SicilyPlayed(**FOG).begun()
    campaign.marched(carthage=line, rome="march F3 tyndaris", hiero="march F4 leontini")
    return campaign


def views(campaign: SicilyPlayed, power: str) -> Iterator[Any]:
    """All that a power is shown of its campaign."""
    alliance = {"rome": "latin", "hiero": "latin", "carthage": "punic", "": ""}[power]
    events, state = log_of(campaign, alliance), known(campaign.state, power)
    scene = seen_map(events, campaign.state, power)
    yield from (scene, map_text(scene), draw_map(scene))
    yield seen_map(events, campaign.state, power, state.round, before=True)
    yield ledger_of(events).forces if power else ()
    if not power:
        return
    assert campaign.book is not None
    book = on_tables(campaign.book)
    reader = CampaignReader(power, "UTC", "en")
    yield turn_pieces(MapTurnNews("sicily264", events, state, reader, "https://games.example.org"), ())
    yield list(force_orders(state, scene, power, "en"))
    yield list(options_of(state.theatre, state.ordering.turn, book, power))
    yield foreseen(state.theatre, state.ordering.turn, book, power)
    yield plan_turn(state.theatre, book, power, lambda limit: 0)
    yield [refusal(campaign, power, line) for line in TRIED]


def refusal(campaign: SicilyPlayed, power: str, line: str) -> Any:
    """What becomes of a line; it is taken back."""
    facts, state, blocks = [*campaign.facts], campaign.state, [*campaign.blocks]
    try:
        return [type(event) for event in campaign.say(power, line)]
    except Refusal as refused:
        return refused.code, refused.params
    finally:
        campaign.facts, campaign.state, campaign.blocks = facts, state, blocks


def told(events: list[Event]) -> list[Any]:
    """A log without what tells only how much has been sealed."""
    return [event for event in events if type(event).__name__ not in ("OrderAccepted", "ForceOrdered")]


@pytest.mark.rule("CAM-FOG-04", "CAM-FOG-05")
@pytest.mark.parametrize("name", WORLDS)
def test_what_a_power_cannot_see_changes_nothing_that_it_is_shown(name: str) -> None:
    one, other = map(world, WORLDS[name])
    assert one.state.theatre != other.state.theatre and one.state.round == 2
    for power in ("rome", ""):
        alliance = "latin" if power else ""
        assert told(log_of(one, alliance)) == told(log_of(other, alliance))
        for at, (here, there) in enumerate(zip(views(one, power), views(other, power), strict=True)):
            assert here == there, (power, at)


@pytest.mark.rule("CAM-FOG-04")
def test_who_ordered_it_sees_the_difference() -> None:
    one, other = map(world, WORLDS["marches"])
    assert next(views(one, "carthage")) != next(views(other, "carthage"))
    assert any(isinstance(fact.event, RoundBegan) for fact in one.facts)


@pytest.mark.rule("CAM-FOG-02", "CAM-FOG-04")
def test_an_enemy_who_comes_into_sight_is_shown_as_a_band_alone() -> None:
    campaign = SicilyPlayed(**FOG).begun()
    campaign.marched(hiero="march F4 leontini")
    scene = seen_map(log_of(campaign, "latin"), campaign.state, "hiero")
    seen = [(force.power, force.area, force.band, force.strength) for force in scene.forces if force.band]
    assert seen == []
    own = {force.id for force in scene.forces if not force.band}
    assert own == {"F3", "F4"} and "F1" not in map_text(scene)
