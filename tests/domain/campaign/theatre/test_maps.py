"""Maps beside the cases: what is free, what a turn begins with, how it all ends."""

import pytest
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.campaign.theatre.aftermath import has_won_all, victories_with, victory_points
from domain.campaign.theatre.roads import is_besieged, is_closed, is_free, is_supplied, link
from domain.campaign.theatre.state import Area, MapTerms, Power, Theatre
from domain.campaign.theatre.turn import opened
from tests.support.theatres import force, ordered

MAP = Theatre(
    {"red": Power("red", "reds"), "rose": Power("rose", "reds"), "blue": Power("blue", "blues", 40)},
    {"F1": force("F1", "red", "a", "R1 legionaries"), "F2": force("F2", "blue", "d", "N1 warriors")},
    {
        "a": Area("a", owner="red", supply=True, capital=True, vp=2),
        "b": Area("b", owner="rose", city=1, vp=1),
        "c": Area("c", city=2),
        "d": Area("d", owner="blue", city=3, capital=True, vp=4),
    },
    MapTerms((("a", "b", "road"), ("b", "c", "track"), ("c", "d", "sea"))),
)


@pytest.mark.rule("CAM-MAP-02")
def test_links_lead_both_ways() -> None:
    assert [link(MAP, *pair) for pair in ("ab", "ba", "cb", "dc", "ac")] == ["road", "road", "track", "sea", ""]


@pytest.mark.rule("CAM-MAP-03")
def test_a_city_is_closed_to_those_who_do_not_own_it() -> None:
    assert [is_closed(MAP, MAP.areas[name], "reds") for name in "abcd"] == [False, False, True, True]
    assert [is_free(MAP, name, "reds") for name in "abcd"] == [True, True, False, False]
    assert not is_free(MAP, "a", "blues")
    assert not is_besieged(MAP, MAP.areas["d"])
    assert is_besieged(replace(MAP, forces={"F1": replace(MAP.forces["F1"], area="d")}), MAP.areas["d"])


@pytest.mark.rule("CAM-MAP-14")
def test_a_way_to_supply_is_no_longer_than_the_range() -> None:
    far = replace(MAP, forces={"F1": replace(MAP.forces["F1"], area="c")})
    assert is_supplied(far, far.forces["F1"])
    near = replace(far, terms=replace(far.terms, supply_range=1))
    assert not is_supplied(near, near.forces["F1"])


@pytest.mark.rule("CAM-MAP-04")
def test_a_turn_begins_with_nothing_of_the_one_before() -> None:
    tired = replace(MAP, unfed=frozenset({"F1"}), forces={"F1": replace(MAP.forces["F1"], came="b", hungry=1)})
    begun = opened(tired, ordered(tired, "red: rest F1 R1"))
    assert (begun.unfed, begun.forces["F1"].came, begun.forces["F1"].hungry) == (frozenset(), "", 1)
    assert begun.forces["F1"].rests == {"R1"}
    assert opened(begun, ordered(begun, "red: field F1 R1")).forces["F1"].rests == frozenset()


@pytest.mark.rule("CAM-ORD-02")
def test_the_newest_movement_of_a_force_counts_and_recruits_add_up() -> None:
    orders = ordered(
        MAP,
        "red: march F1 b",
        "red: hold F1",
        "blue: recruit F2 I warriors as N2",
        "blue: recruit F2 I light_sling as N3",
    )
    assert orders.path("F1") == ()
    assert [each.element.id for each in orders.recruits] == ["N2", "N3"]
    assert orders.spent("blue") == sum(each.element.points for each in orders.recruits) > 0


@pytest.mark.rule("CAM-TTS-01")
def test_only_units_weigh() -> None:
    assert MAP.forces["F1"].weight == 9
    equal = force("F3", "red", "a", "R1 light_sling", "R2 light_sling", "R3 legionaries")
    assert equal.cheapest().element.id == "R2"


@pytest.mark.rule("CAM-TTS-06")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("legionaries veteran as R9", "campaign.not-on-list"),
        ("hussars as R9", "campaign.not-on-list"),
        ("warriors as N1", "campaign.id-taken"),
        ("elephants raw as R9", ""),
    ],
)
def test_who_may_be_hired(words: str, code: str) -> None:
    if not code:
        assert ordered(MAP, f"blue: recruit F2 I {words}").recruits[0].element.label == "raw"
        return
    with pytest.raises(Refusal) as refusal:
        ordered(MAP, f"blue: recruit F2 I {words}")
    assert refusal.value.code == code


@pytest.mark.rule("CAM-MAP-17")
def test_who_owns_every_capital_has_won_and_else_the_points_tell() -> None:
    assert has_won_all(MAP) == ""
    taken = MAP.with_area(replace(MAP.areas["d"], owner="rose"))
    assert has_won_all(taken) == "reds"
    assert has_won_all(replace(MAP, areas={"c": MAP.areas["c"]})) == ""
    assert victory_points(MAP) == {"reds": 3, "blues": 4}
    won = victories_with(MAP, ("reds", "blues"), "reds")
    assert won == {"reds": 2, "blues": 0}
    drawn = victories_with(replace(MAP, victories=won), ("reds", "blues"), "")
    assert drawn == {"reds": 3, "blues": 1}
    assert victory_points(replace(MAP, victories=drawn)) == {"reds": 6, "blues": 5}


@pytest.mark.rule("CAM-CAR-05")
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("ransom F2 G7", "core.unknown-id"),
        ("ransom F2 N1", "core.unknown-id"),
        ("ransom F2 G1", "campaign.not-captured"),
        ("dismiss F2 N7", "core.unknown-id"),
    ],
)
def test_what_an_army_cannot_do(line: str, code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        ordered(MAP, f"blue: {line}")
    assert refusal.value.code == code
