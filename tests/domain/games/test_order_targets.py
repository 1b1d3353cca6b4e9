"""Every option of every game says where it leads, and the order leads there when chance is kind."""

from collections import Counter
from functools import cache

import pytest

from domain.basics.data import parse_toml, scenario_names, scenario_text
from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.run.decide import beginning, decide, evolve, opening, proceeding, to_act
from tests.support.lanes import sampled, thinned
from tests.support.looping import some
from tests.support.playing import Dice

ORDERS, LOOKS = 40, 3
"""Orders of a battle that are played; at one state in so many all that is listed is looked at."""
BATTLES = [(code, name) for code in RULESETS for name in scenario_names(code)]
OF_TTS = [name for code, name in BATTLES if code == "tts"]
WITHOUT_PLACE = {
    "tts": {"draw", "answer", "corps", "done", "end-turn", "play"},
    "singidunum": {"draw", "answer", "army", "done", "pass", "move", "attack"},
    "warmaster-shooting": {"draw", "answer", "end"},
    "stp": {"draw", "answer", "end", "order", "detach"},
}
"""The kinds of order that may be about no place: a move off the table has no target, either."""

STANDS = "warmaster-shooting"
"""The game whose units are of several stands, and go nowhere but into contact."""


class Kind:
    """Chance that is as kind as it can be to whoever is about to move."""

    def card(self, scope, pile, t, deck):
        return max(pile, key=lambda card: int(card[:-2]) if card[:-2].isdigit() else 0)

    def die(self, scope, sides, t=0, values=()):
        return sides


def folded(game, state, facts):
    for fact in facts:
        state = evolve(game, state, fact.event, state.n + 1)
    return state


@cache
def moments(code, name):
    """Some moments of a battle played at random: what the side to act knows, the side, and what is listed for it."""
    return tuple(looked_at(code, name))


def looked_at(code, name):
    """The same, as the battle goes on."""
    game, dice = RULESETS[code], Dice(f"targets {code} {name}")
    state = folded(game, game.rules.initial, opening(game, parse_toml(scenario_text(code, name), name)))
    state = folded(game, state, beginning(game, state))
    state = folded(game, state, proceeding(game, state, dice))
    for number in range(ORDERS):
        if state.winner is not None:
            return
        side = dice.pick(to_act(game, state))
        known = game.secrets.known(state, side)
        listed = game.orders.options(known, side)
        if number % LOOKS == 0:
            yield known, side, tuple(listed)
        onward = listed[-1] if dice.one_in(6) else dice.pick([one for one in listed if one.kind != "draw"])
        state = folded(game, state, decide(game, state, side, game.orders.parse(onward.order), dice))


def standing(scene):
    """Where every token is, by its id and that of the group it belongs to: cell or, on a free table, point; facing."""
    found = {
        token.id: (token.at if scene.grid == "free" else token.cell, token.facing)
        for token in (*scene.tokens, *scene.aside)
    }
    return found | {group.label: found[group.tokens[0]] for group in scene.groups}


def place_of(target):
    """Where a target is, as `standing` has it."""
    return target.point or target.box


@pytest.mark.parametrize(("code", "name"), thinned(sampled(BATTLES, 3), len(BATTLES)))
def test_a_target_is_on_the_table_and_about_somebody_who_is_there(code, name):
    game = RULESETS[code]
    for known, side, listed in some(moments(code, name)):
        scene = game.shown.view(known, side)
        cells, there = {cell.id for cell in scene.cells}, standing(scene)
        for option in listed:
            target = option.target
            if target is None:
                assert option.kind in WITHOUT_PLACE[code], option
                continue
            if scene.grid == "free":
                assert target.point is not None, option
                spots = (target.point, *target.way)
                assert all(0 <= x <= scene.width and 0 <= y <= scene.height for x, y in spots), option
            else:
                assert target.box in cells, option
                assert cells.issuperset((*target.path, *(box for _, box in target.group))), option
                assert not target.edge or target.edge in cells, option
            if target.unit:
                assert target.unit in there, option
                assert scene.grid == "free" or there[target.unit][0] in ("", target.box), option


@pytest.mark.slow
@pytest.mark.parametrize(("code", "name"), sampled(BATTLES, 3))
def test_a_unit_is_at_the_target_of_its_order_when_everything_passes(code, name):
    game, tried = RULESETS[code], Counter[str]()
    for known, side, listed in moments(code, name):
        before = standing(game.shown.view(known, side))
        for option in listed:
            target = option.target
            if target is None or code == STANDS or not option.unit or target.act not in ("move", "place", "stay"):
                continue
            facts = decide(game, known, side, game.orders.parse(option.order), Kind())
            after = folded(game, known, facts)
            there = standing(game.shown.view(after, side))
            if option.unit not in there or option.kind in ("leave", "play") or after.winner is not None:
                continue
            place, facing = there[option.unit]
            assert place == place_of(target), option
            if option.unit in before and target.act != "place":
                assert facing == (before[option.unit][1] if target.facing is None else target.facing), option
            assert all(there[name][0] == box for name, box in target.group if box), option
            tried[target.act] += 1
    assert tried.total() > ORDERS // 4 or code == STANDS


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(OF_TTS, 3))
def test_an_order_said_by_its_box_is_the_same_order(name):
    game, said = RULESETS["tts"], 0
    for known, side, listed in moments("tts", name):
        for option in listed:
            if option.target is None or not option.target.said:
                continue
            said += 1
            written, meant = game.orders.parse(option.order), game.orders.parse(option.target.said)
            assert decide(game, known, side, written, Kind()) == decide(game, known, side, meant, Kind()), option
    assert said > ORDERS


def test_a_box_that_an_order_does_not_name_for_sure_is_refused():
    """The other side of it: what the list does not say so is not guessed."""
    game = RULESETS["tts"]
    known, side, _ = next(moment for moment in moments("tts", "skirmish") if moment[0].phase == "turns")
    with pytest.raises(Refusal):
        decide(game, known, side, game.orders.parse("R1 to H6"), Kind())
