"""A map campaign from its beginning to its end: powers, secret orders, turns, battles, what follows from them."""

from typing import Any

import pytest

from domain.basics.errors import Refusal
from domain.campaign.config import resolved
from domain.campaign.forces.marches import ahead
from domain.campaign.turns import map_turn
from tests.support.mapped import MAP, TABLE, MapPlayed, power

FILE = {"campaign": "map", "title": "A map", **TABLE}


def kinds(events: list[Any]) -> list[str]:
    return [type(event).__name__ for event in events]


# --- the file


@pytest.mark.rule("CAM-MAP-01", "CAM-MAP-02")
def test_a_file_is_told_whole_and_folds_to_the_map() -> None:
    config = resolved(FILE)
    assert (config.entry.least, config.entry.most, config.time.orders) == (3, 3, "10d")
    assert resolved(config.plain()) == config
    theatre = MapPlayed().begun().state.theatre
    assert theatre.alliances == ("reds", "blues")
    assert (theatre.areas["west"].owner, theatre.areas["west"].city, theatre.terms.size) == ("red", 1, 100)
    assert [(force.id, force.power, force.area) for force in theatre.standing()] == [
        ("F1", "red", "west"),
        ("F2", "rose", "hills"),
        ("F3", "blue", "east"),
    ]


def areas(**members: Any) -> dict[str, Any]:
    return {"map": {**MAP, "area": [*MAP["area"], {"id": "sea", **members}]}}


ARMY = TABLE["power"][0]["forces"][0]["army"]


@pytest.mark.rule("CAM-MAP-01", "CAM-MAP-02")
@pytest.mark.parametrize(
    ("tables", "key"),
    [
        ({"map": None}, "map"),
        ({"power": TABLE["power"][:2]}, "map.area.owner"),
        ({"power": [*TABLE["power"], power("x", "greens", "F4", "ford", ARMY)]}, "power.alliance"),
        ({"power": [*TABLE["power"], power("blue", "blues", "F4", "ford", ARMY)]}, "power.id"),
        ({"power": [*TABLE["power"], power("all", "blues", "F4", "ford", ARMY)]}, "power.id"),
        ({"power": [*TABLE["power"], power("grey", "red", "F4", "ford", ARMY)]}, "power.alliance"),
        ({"power": [*TABLE["power"], power("grey", "blues", "F3", "ford", ARMY)]}, "power.forces.id"),
        ({"power": [*TABLE["power"], power("grey", "blues", "F4", "moon", ARMY)]}, "power.forces.area"),
        ({"map": {**MAP, "links": [["west", "moon", "road"]]}}, "map.links"),
        ({"map": {**MAP, "links": [["west", "ford", "road"], ["ford", "west", "sea"]]}}, "map.links"),
        ({"map": {**MAP, "links": [["west", "ford", "canal"]]}}, "map.links[0][2]"),
        ({"map": {**MAP, "turns": 0}}, "map.turns"),
        (areas(city=4), "map.area[5].city"),
        (areas(owner="nobody-here"), "map.area.owner"),
        (areas(x=4), "map.area"),
        ({"entry": {"least": 2, "most": 3}}, "entry.most"),
        ({"battle": {"scenario": "cannae"}}, "battle.scenario"),
    ],
)  # fmt: skip
def test_what_makes_no_map_is_named(tables: dict[str, Any], key: str) -> None:
    table = {name: value for name, value in {**FILE, **tables}.items() if value is not None}
    with pytest.raises(Refusal) as refused:
        resolved(table)
    assert (refused.value.code, refused.value.params["key"]) == ("campaign.bad-file", key)


# --- entering


@pytest.mark.rule("CAM-PPL-01", "CAM-MAP-01")
def test_who_enters_is_a_power_and_all_powers_are_wanted() -> None:
    played = MapPlayed()
    with pytest.raises(Refusal) as refused:
        played.enter("green")
    assert refused.value.code == "campaign.no-such-entrant"
    played.enter("red", "blue")
    assert played.refused("olga", "begin")[0] == "campaign.too-few"
    played.enter("rose")
    assert kinds(played.say("olga", "begin"))[-2:] == ["LotsDrawn", "RoundBegan"]
    assert played.refused("anna", "hold F1")[0] == "campaign.not-entered"


# --- orders


@pytest.mark.rule("CAM-ORD-02", "CAM-LOG-04")
def test_orders_are_given_until_all_are_ready_and_one_more_takes_that_back() -> None:
    played = MapPlayed().begun()
    played.give("red")
    assert kinds(played.say("red", "march F1 ford")) == ["ForceOrdered"]
    assert kinds(played.say("red", "ready")) == ["ReadySet"]
    assert kinds(played.say("red", "ready")) == []
    assert kinds(played.say("red", "hold F1")) == ["ForceOrdered", "ReadySet"]
    assert kinds(played.say("red", "wait")) == []
    assert played.state.ordering.turn.path("F1") == ()
    assert len(played.state.sealed) == 4  # two orders, and what each says of a force
    assert [fact.by for fact in played.facts if type(fact.event).__name__ == "ForceOrdered"] == ["red", "red"]


@pytest.mark.rule("CAM-ORD-03")
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("march F9 ford", "campaign.no-such-force"),
        ("march F3 ford", "campaign.not-your-force"),
        ("march F1 moon", "campaign.no-such-area"),
        ("march F1 east", "campaign.no-link"),
        ("storm F1", "campaign.nothing-to-storm"),
        ("recruit F1 I legionaries as R1", "campaign.id-taken"),
        ("ransom F1 G1", "campaign.not-captured"),
    ],
)
def test_what_a_power_may_not_order(line: str, code: str) -> None:
    assert MapPlayed().begun().refused("red", line)[0] == code


@pytest.mark.rule("CAM-LOG-03")
def test_nothing_is_drawn_before_every_power_has_contributed() -> None:
    played = MapPlayed().begun()
    for name in ("red", "rose"):
        played.give(name)
        played.say(name, "ready")
    assert kinds(played.say("blue", "ready")) == ["ReadySet"]
    assert not played.state.ordering.is_closed
    assert "OrdersClosed" in kinds(played.give("blue"))
    assert played.state.round == 2


@pytest.mark.rule("CAM-LOG-04", "CAM-MAP-04")
def test_closing_opens_the_orders_of_all() -> None:
    played = MapPlayed().begun()
    before = len(played.facts)
    events = played.turn(red="hold F1", blue="hold F3")
    closed = next(event for event in events if type(event).__name__ == "OrdersClosed")
    secret = [
        n
        for n, fact in enumerate(played.facts, 1)
        if n > before and ("ForceOrdered" in type(fact.event).__name__ or getattr(fact.event, "text", "") == "hold F1")
    ]
    assert {*secret} <= {*closed.opens} and len(closed.opens) == 4
    assert played.state.round == 2


# --- turns


@pytest.mark.rule("CAM-MAP-04", "CAM-MAP-05", "CAM-MAP-15")
def test_a_turn_without_battles_is_over_at_once() -> None:
    played = MapPlayed().begun()
    events = kinds(played.turn(red="march F1 ford", rose="march F2 isle"))
    after = events[events.index("OrdersClosed") :]
    assert after[:3] == ["OrdersClosed", "ForceMoved", "ForceMoved"]
    assert {"AreaTaken", "SiegeRolled", "IncomeTaken"} <= {*after}
    assert after[-2:] == ["RoundEnded", "RoundBegan"]
    assert played.state.theatre.areas["ford"].owner == "red"
    assert played.state.theatre.powers["red"].treasury == 24


def met(**tables: Any) -> MapPlayed:
    """Red and blue have marched to the ford."""
    played = MapPlayed(**tables).begun()
    events = played.turn(red="march F1 ford; recruit F1 I legionaries as R7", blue="march F3 ford")
    assert kinds(events)[-1] == "BattleSet"
    return played


@pytest.mark.rule("CAM-MAP-11", "CAM-MAP-09")
def test_who_meets_fights_on_the_ground_of_the_area_with_what_is_there() -> None:
    played = met()
    board = played.state.boards["1.1"]
    assert (board.place.pair, board.title) == (("red", "blue"), "The Ford")
    assert board.players == {"south": "red", "north": "blue"}
    assert board.fielded["south"][0] == "F1/R1" and board.ground and board.ground.edges
    assert played.state.takes_orders is False
    assert played.refused("rose", "hold F2")[0] == "campaign.orders-closed"


@pytest.mark.rule("CAM-MAP-12", "CAM-MAP-16", "CAM-MAP-17", "CAM-CAR-01")
def test_a_result_leaves_its_losses_and_the_turn_goes_on_when_all_are_counted() -> None:
    played = met()
    events = played.end("1.1", "north", how="turn-limit", fates={"F1": {"R1": "lost"}}, deeds=())
    told = kinds(events)
    assert told.index("ElementFared") < told.index("ForceRetreated") < told.index("IncomeTaken")
    assert told[-3:] == ["UnitRaised", "RoundEnded", "RoundBegan"]  # it came back to its city
    assert played.state.theatre.forces["F1"].area == "west"
    assert played.state.theatre.victories == {"reds": 0, "blues": 2}
    assert played.state.theatre.areas["ford"].owner == "blue"


@pytest.mark.rule("CAM-MAP-17")
def test_after_the_last_turn_the_points_tell() -> None:
    played = MapPlayed().begun()
    played.turn(red="march F1 ford")
    played.turn()
    events = played.turn()
    assert (kinds(events)[-1], events[-1].winners, events[-1].how) == ("CampaignEnded", ("red", "rose"), "rounds")
    assert ahead(played.state.theatre) == "reds"


@pytest.mark.rule("CAM-MAP-17", "CAM-MAP-13")
def test_who_has_every_capital_has_won_at_once() -> None:
    rows = [{**row, "capital": row["id"] == "isle"} for row in MAP["area"]]
    played = MapPlayed(map={**MAP, "area": rows}).begun()
    played.lots.stacked.append(5)  # a 6 for the siege
    events = played.turn(rose="march F2 isle")
    assert kinds(events)[-3:] == ["IncomeTaken", "RoundEnded", "CampaignEnded"]
    assert (events[-1].winners, events[-1].how) == (("red", "rose"), "capitals")
    assert played.refused("red", "hold F1")[0] == "campaign.ended"


@pytest.mark.rule("CAM-MAP-04")
def test_a_turn_is_told_with_the_map_before_and_after_it() -> None:
    played = met()
    events = [fact.event for fact in played.facts]
    turn = map_turn(events, 1)
    assert (turn.before.forces["F1"].area, turn.after.forces["F1"].area, turn.is_over) == ("west", "ford", False)
    assert kinds([event for _, event in turn.events])[0] == "OrdersClosed"
    with pytest.raises(Refusal) as refused:
        map_turn(events, 2)
    assert refused.value.code == "campaign.no-such-turn"


# --- time and people


@pytest.mark.rule("CAM-TIM-07", "CAM-TIM-03")
def test_orders_without_ready_count_and_who_gives_none_holds() -> None:
    played = MapPlayed(time={"orders": "2d", "grace": "1d", "show": "", "round": ""}).begun()
    played.give("red")
    played.say("red", "march F1 ford")
    played.give("blue")
    played.say("blue", "ready")
    (late,) = played.wait(2)[1:]
    assert (late.what, late.who) == ("orders", ("red", "rose"))
    events = played.wait(3)
    defaulted = [event for event in events if type(event).__name__ == "OrdersDefaulted"]
    assert [(event.side, event.row) for event in defaulted] == [("rose", 1)]
    assert played.state.theatre.forces["F1"].area == "ford"
    assert played.state.theatre.forces["F2"].area == "hills"
    assert played.state.round == 2


@pytest.mark.rule("CAM-TIM-07", "CAM-PPL-02")
def test_twice_in_a_row_without_orders_leaves_the_power_vacant_until_somebody_takes_it() -> None:
    played = MapPlayed(time={"orders": "2d", "grace": "1d", "show": "", "round": ""}).begun()
    played.reserve("dora")
    for day in (3, 6):
        for name in ("red", "blue"):
            played.give(name)
            played.say(name, "ready")
        played.wait(day - 1)
        played.wait(day)
    assert played.state.entrants["rose"].left == "absent"
    assert played.state.round == 3
    played.say("dora", "take rose")
    played.give("rose")
    assert kinds(played.say("dora", "hold F2")) == ["ForceOrdered"]


@pytest.mark.rule("CAM-PPL-04", "CAM-LOG-03")
def test_a_power_that_nobody_holds_holds_its_ground() -> None:
    played = MapPlayed().begun()
    for name in ("red", "blue"):
        played.give(name)
        played.say(name, "ready")
    events = kinds(played.say("rose", "withdraw"))
    assert events[:2] == ["OrdersDefaulted", "OrdersClosed"]  # nobody is waited for any more
    assert played.state.round == 2
    assert "OrdersDefaulted" in kinds(played.turn())


@pytest.mark.rule("CAM-TIM-04", "CAM-MAP-17")
def test_a_battle_that_both_have_lost_by_default_is_no_victory() -> None:
    played = met(time={"show": "2d", "grace": "1d", "orders": "9d", "round": "20d"})
    played.wait(2)
    events = kinds(played.wait(3))
    assert "DefaultGiven" in events and "RoundEnded" in events
    assert played.state.theatre.victories == {}
