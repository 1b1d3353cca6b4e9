"""Maps under fog: what the log has of a turn, what is sealed, and what a power knows (CAM-FOG)."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from domain.basics.errors import Refusal
from domain.campaign.evolve import START, evolve
from domain.campaign.known import known, told_once
from domain.campaign.sealing import private_members, seat_of_secret, to_open
from domain.campaign.state import CampaignState
from domain.campaign.theatre.fog import VEILED, band, is_only_seen, known_theatre
from domain.campaign.theatre.fog_events import FOG_EVENTS, AreasSeen, MovesMade, TreasuryChanged
from domain.events.battle import Event
from tests.support.fog import FOG, OPEN, kinds, log_of, played
from tests.support.looping import some
from tests.support.mapped import MapPlayed

SEEDS = (2, 4, 6, 7, 8)
"""Among them are battles, retreats, an overrun, hunger, stops, stand-ins, losses of forces."""


def folded(events: Iterable[Event]) -> CampaignState:
    state = START
    for event in events:
        state = evolve(state, event)
    return state


def begun() -> MapPlayed:
    return MapPlayed((), **FOG).begun()


def of(events: Iterable[Any], kind: type[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


# --- the log


@pytest.mark.rule("CAM-FOG-01")
def test_a_turn_without_battles_has_one_event_of_each_kind_and_alliance() -> None:
    events = begun().turn(red="march F1 ford")
    assert kinds(events) == [
        *("ReadySet", "OrdersClosed", "AreasSeen", "AreasSeen", "AreaTaken", "MovesMade", "MovesMade"),
        *("TreasuryChanged", "TreasuryChanged", "RoundEnded", "RoundBegan"),
    ]
    assert of(events, type(events[1]))[0].opens == ()
    reds, blues = of(events, MovesMade)
    assert list(msgspec.to_builtins(reds.moves)) == [
        {"force": "F1", "do": "moved", "from": "west", "to": "ford", "step": 1}
    ]
    assert (reds.alliance, reds.turn, blues.alliance, blues.moves) == ("reds", 1, "blues", ())


@pytest.mark.rule("CAM-FOG-01")
def test_its_treasuries_tell_income_recruits_and_who_is_sent_home() -> None:
    events = begun().turn(red="dismiss F1 R1; recruit F1 I legionaries as R9")
    reds = of(events, TreasuryChanged)[0]
    told = msgspec.to_builtins(reds)
    assert told["powers"]["red"]["income"] == 4
    assert [row["unit"] for row in told["unit_lost"]] == ["R1"] and told["unit_lost"][0]["cause"] == "dismissed"
    assert [row["unit"] for row in told["raised"]] == ["R9"]
    spent = told["raised"][0]["points"]
    assert told["powers"]["red"] == {"income": 4, "spent": spent, "treasury": 24 - spent}
    assert told["powers"]["rose"] == {"income": 1, "spent": 0, "treasury": 21}


@pytest.mark.rule("CAM-FOG-01")
@pytest.mark.parametrize("seed", SEEDS)
def test_fog_changes_what_is_told_and_nothing_that_happens(seed: int) -> None:
    """The same orders and dice come to the same map, and what fog tells in sum is what is told one by one without."""
    foggy, plain = played(seed, **FOG), played(seed, **OPEN)
    assert msgspec.structs.replace(foggy.state.theatre, seen={}) == plain.state.theatre
    assert foggy.state.winners == plain.state.winners
    told = [event for _, event in told_once(foggy.state.theatre, enumerate(fact.event for fact in foggy.facts))]

    def counted(events: Iterable[Event]) -> Counter[str]:
        """Of a unit raised, or income, what the treasury is then depends on the order in which they are told."""
        rows = ((type(one).__name__, msgspec.to_builtins(one)) for one in events if isinstance(one, VEILED))
        return Counter(str((name, {**row, "treasury": 0})) for name, row in rows)

    assert counted(told) == counted(fact.event for fact in plain.facts)
    assert not {*kinds([fact.event for fact in foggy.facts])} & {kind.__name__ for kind in VEILED}


@pytest.mark.rule("CAM-FOG-01", "CAM-LOG-02")
@pytest.mark.parametrize("seed", SEEDS)
def test_it_folds_from_its_log_to_the_state_in_which_it_was_judged(seed: int) -> None:
    campaign = played(seed)
    assert folded(fact.event for fact in campaign.facts) == campaign.state


@pytest.mark.rule("CAM-FOG-01")
@pytest.mark.parametrize("seed", SEEDS)
def test_how_often_an_alliance_is_told_something_tells_nothing(seed: int) -> None:
    """Each turn has an event of each kind for each alliance; where there was a battle, its second half has moves of
    its own."""
    rows = Counter[Any]()
    battles = Counter[int]()
    for fact in (campaign := played(seed)).facts:
        event: Any = fact.event
        if type(event) in FOG_EVENTS:
            rows[event.turn, type(event).__name__, event.alliance] += 1
        elif type(event).__name__ == "EncounterMade":
            battles[campaign.state.round] += 1
    for turn in some({turn for turn, _, _ in rows}):
        for alliance in ("reds", "blues"):
            assert rows[turn, "AreasSeen", alliance] == rows[turn, "TreasuryChanged", alliance] == 1
            assert rows[turn, "MovesMade", alliance] == rows[turn, "MovesMade", "reds"] in (1, 2)


@pytest.mark.rule("CAM-FOG-01", "CAM-LOG-04")
def test_secrets_are_those_of_an_alliance_and_all_are_opened_at_the_end() -> None:
    campaign = played(2)
    theatre, sealed = campaign.state.theatre, list[int]()
    for n, fact in enumerate(campaign.facts, 1):
        if private_members(fact.event, is_foggy=True):
            assert seat_of_secret(fact.event, fact.by, theatre, is_foggy=True) in ("reds", "blues")
            sealed.append(n)
    assert to_open([campaign.facts[-1].event], sealed) == tuple(sealed) == campaign.state.sealed
    shown = {type(campaign.facts[n - 1].event).__name__ for n in sealed}
    assert shown == {"OrderAccepted", "ForceOrdered", "ElementFared", "MovesMade", "TreasuryChanged", "AreasSeen"}


# --- sight


@pytest.mark.rule("CAM-FOG-02")
def test_a_band_says_how_much_of_a_battle_stands_there() -> None:
    bands = {weight: band(weight, 99) for weight in (0, 32, 33, 98, 99, 197, 198, 1000)}
    assert [*bands.values()] == ["few", "few", "some", "some", "many", "many", "host", "host"]


@pytest.mark.rule("CAM-FOG-02")
def test_an_alliance_sees_where_it_stands_its_cities_and_one_link_around() -> None:
    reds, blues = of(begun().turn(), AreasSeen)
    assert set(reds.areas) == {"west", "ford", "hills", "isle"} and set(blues.areas) == {"east", "ford"}
    assert reds.areas["ford"] == {} and set(reds.areas["west"]) == {"red"}
    reds, blues = of(begun().turn(blue="march F3 ford"), AreasSeen)
    assert set(reds.areas["ford"]) == {"blue"} and set(blues.areas) == {"west", "ford", "east"}
    assert blues.areas["west"] == {"red": reds.areas["west"]["red"]} and "hills" not in blues.areas


# --- what a power knows


@pytest.mark.rule("CAM-FOG-04")
@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_power_knows_follows_from_its_own_log_alone(seed: int) -> None:
    """At every event: whatever is sealed for others, it is the same."""
    campaign = played(seed)
    logs = {name: log_of_running(campaign, name) for name in ("reds", "blues", "")}
    powers = {"red": "reds", "rose": "reds", "blue": "blues", "": ""}
    state, own = START, dict.fromkeys(powers, START)
    for at, fact in enumerate(some(campaign.facts[:-1])):
        state = evolve(state, fact.event)
        own = {power: evolve(own[power], logs[alliance][at]) for power, alliance in powers.items()}
        if state.began:
            for power in powers:
                assert known(state, power) == known(own[power], power), (at, power)


def log_of_running(campaign: MapPlayed, alliance: str) -> list[Event]:
    """The log before its end opens everything."""
    ended, campaign.state = campaign.state, msgspec.structs.replace(campaign.state, winners=None)
    try:
        return log_of(campaign, alliance)
    finally:
        campaign.state = ended


@pytest.mark.rule("CAM-FOG-02", "CAM-FOG-04")
def test_others_are_known_by_what_is_seen_of_them() -> None:
    campaign = begun()
    campaign.turn(blue="march F3 ford")
    seen = known(campaign.state, "red").theatre
    only = {name: force.area for name, force in seen.forces.items() if is_only_seen(force)}
    assert only == {"blue@ford": "ford"}
    assert (seen.forces["F3"].area, seen.forces["F3"].weight, seen.powers["blue"].treasury) == ("", 0, 0)
    assert seen.forces["F1"] == campaign.state.theatre.forces["F1"]
    public = known(campaign.state, "").theatre
    assert {force.area for force in public.standing()} == {""}


@pytest.mark.rule("CAM-FOG-05")
def test_who_rules_knows_what_everybody_does() -> None:
    campaign = begun()
    campaign.turn(red="march F1 ford")
    state = campaign.state
    assert known(state, state.players.get(state.organiser.player, "")) == known(state, "")
    assert known(state, "").ordering.turn.movements == {} and known(state, "").theatre.seen == {}


@pytest.mark.rule("CAM-FOG-04")
def test_in_the_beginning_and_at_the_end_everything_is_known() -> None:
    campaign = begun()
    first = {name for name, force in known(campaign.state, "blue").theatre.forces.items() if is_only_seen(force)}
    assert first == set()  # nobody stands within sight
    over = played(3).state
    assert known(over, "red") is over and known_theatre(over.theatre, "reds") != over.theatre


@pytest.mark.rule("CAM-FOG-04", "CAM-ORD-03")
@pytest.mark.parametrize("line", ["march F3 ford", "hold F3", "dismiss F3 H1"])
def test_a_refusal_does_not_tell_whether_a_force_still_stands(line: str) -> None:
    standing, gone = begun(), begun()
    theatre = gone.state.theatre
    lost = msgspec.structs.replace(theatre.forces["F3"], is_lost=True, area="")
    gone.state = msgspec.structs.replace(gone.state, theatre=theatre.with_force(lost))
    refused = []
    for campaign in (standing, gone):
        with pytest.raises(Refusal) as found:
            campaign.say("red", line)
        refused.append((found.value.code, found.value.params))
    assert refused[0] == refused[1] == ("campaign.not-your-force", {"force": "F3", "power": "blue"})
