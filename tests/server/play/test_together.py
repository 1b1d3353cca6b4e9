"""What several units may do: as one where the game has such orders, and each alone; told by what the side knows."""

import pytest

from domain.basics.data import parse_toml, scenario_names, scenario_text
from domain.catalogue import RULESETS
from domain.contract.option import Option
from domain.contract.scene import Cell
from domain.log.chance import StreamChance
from domain.log.fairness import Stream
from domain.run.decide import decide
from server.people.players import Player
from server.play.live_battle import LiveBattle
from server.play.seating import take_side
from server.play.together import Alike, _shift, as_one, each_alone, reason_together
from server.shown.formations import standing
from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.support import messages
from tests.support.serving import PHRASE, RunningServer


async def begun(server: RunningServer, code: str, scenario: str) -> LiveBattle:
    live = await server.running.battles.open(code, parse_toml(scenario_text(code, scenario), scenario), "public")
    for side in ("south", "north"):
        caller = await server.player(side)
        await take_side(live, side, Player(caller.player, side), phrase=messages.phrase(live.recording, PHRASE))
    return live


def alone(live: LiveBattle, side: str, *units: str) -> tuple[Alike, ...]:
    return each_alone(live.options(side), live.ruleset.shown.view(live.known(side), side), units)


def lines(options: tuple[Option, ...]) -> list[str]:
    return [option.order for option in options]


async def test_a_smaller_group_than_the_listed_one_is_ordered_and_every_order_is_legal(server: RunningServer) -> None:
    live = await begun(server, "tts", "skirmish")
    assert lines(as_one(live, "south", ("R1", "R2", "R3"))) == ["group R1 R2 R3 ahead"]
    for units in (("R1", "R2"), ("R1", "R3"), ("R4", "R5")):
        found = as_one(live, "south", units)
        assert found and all(set(dict(option.target.group)) == set(units) for option in found if option.target)
        assert len({option.order for option in found}) == len(found)
        for option in found:
            line = live.ruleset.orders.parse(option.order)
            assert decide(live.ruleset, live.known("south"), "south", line, StreamChance(Stream(bytes(32))))
    assert as_one(live, "north", ("N1", "N2")) == ()


async def test_units_that_are_no_group_are_told_why(server: RunningServer) -> None:
    live = await begun(server, "tts", "skirmish")
    assert as_one(live, "south", ("R1", "R4")) == ()
    refusal = reason_together(live, "south", ("R1", "R4"))
    assert refusal and refusal.code == "tts.not-current-corps"
    assert reason_together(live, "south", ("R1", "G2")) is None


async def test_each_alone_has_a_line_for_every_unit(server: RunningServer) -> None:
    live = await begun(server, "tts", "skirmish")
    found = {one.words: one.lines for one in alone(live, "south", "R1", "R4")}
    assert found["ahead"] == ("R1 ahead", "R4 ahead")
    assert alone(live, "south", "R1", "N1") == ()


@pytest.mark.parametrize("code", RULESETS)
async def test_every_game_can_be_asked_about_several(server: RunningServer, code: str) -> None:
    live = await begun(server, code, scenario_names(code)[0])
    side, n = live.to_act()[0], live.n
    scene = live.ruleset.shown.view(live.known(side), side)
    units = tuple(standing(scene, side))
    legal = {option.order for option in live.options(side)}
    for at in range(len(units) - 1):
        pair = units[at : at + 2]
        as_one(live, side, pair)
        refusal = reason_together(live, side, pair)
        assert refusal is None or refusal.rule
        for one in each_alone(live.options(side), scene, pair):
            assert len(one.lines) == len(pair) and set(one.lines) <= legal
    assert live.n == n


async def test_hexes_in_the_same_direction_are_offered(server: RunningServer) -> None:
    live = await begun(server, "singidunum", "two-lines")
    side = live.to_act()[0]
    units = tuple(standing(live.ruleset.shown.view(live.known(side), side), side))
    found = [one for at in range(len(units) - 1) for one in alone(live, side, *units[at : at + 2])]
    assert any(one.boxes and len(set(one.boxes)) == 2 for one in found)


async def test_a_stranger_asks_in_vain_and_units_of_others_do_not_count(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    page = await Visitor(server).get(f"/battles/{battle}/together?units=R1+R2")
    assert page.status == 401
    visitor = await visitor_of(server, anna)
    page = await visitor.get(f"/battles/{battle}/together?units=R1+N1+R2+R1+X9+%3Cb%3E")
    assert 'data-units="R1 R2"' in page.text and "N1" not in page.text
    page = await visitor.get(f"/battles/{battle}/together?units={'x' * 7000}")
    assert 'data-units=""' in page.text


def test_the_way_between_cells_of_two_sizes_goes_from_middle_to_middle() -> None:
    small = Cell("a", "", ((0, 0), (2, 0), (2, 2), (0, 2)))
    large = Cell("b", "", ((4, 0), (8, 0), (8, 6), (4, 6)))
    assert _shift(small, large) == (10, 4), "doubled"
    assert _shift(large, small) == (-10, -4)
