"""What the strong bot weighs and the sensible one does not: the last medal, generals, camps, danger."""

from msgspec.structs import replace

from domain.games.to_the_strongest.bot.places import Places
from domain.games.to_the_strongest.bot.strength import SENSIBLE, STRONG
from domain.games.to_the_strongest.bot.worth import Outlook
from domain.games.to_the_strongest.chapters.medals import general_medals, unit_medals
from domain.games.to_the_strongest.chapters.saves import Strike
from domain.games.to_the_strongest.state.state import Camp, with_army, with_unit, with_unit_in
from tests.support.playing import opened, scenario


def hastings():
    state, _ = opened(scenario("hastings"))
    return state


def loss(state, unit, strength):
    return Outlook(state, "south", strength).loss(state.units[unit], state.units[unit].steps)


def test_the_last_medal_is_worth_more_than_any_other():
    state = hastings()
    last = with_army(state, replace(state.armies["north"], medals=unit_medals(state.units["S7"])))
    assert loss(last, "S7", STRONG) == loss(state, "S7", STRONG) + STRONG.win
    assert loss(last, "S7", SENSIBLE) == loss(state, "S7", SENSIBLE)


def test_with_the_last_unit_of_a_corps_its_general_is_lost_unless_he_may_join_others():
    state = hastings()
    gone = {name: replace(state.units[name], alive=False, box="") for name in ("S2", "S3", "S4")}
    alone = replace(
        state, units=state.units | gone, boxes={box: ids for box, ids in state.boxes.items() if box != "D6"}
    )
    general = state.generals["G4"]
    assert general.attached == "S1"
    plain = replace(alone, generals=state.generals | {"G4": replace(general, traits=frozenset())})
    commander = replace(alone, generals=state.generals | {"G4": replace(general, traits=frozenset({"commander"}))})
    assert loss(plain, "S1", STRONG) - loss(commander, "S1", STRONG) == general_medals(general)


def test_a_hit_in_the_box_of_a_general_costs_more():
    state = hastings()
    without = replace(state, generals={})
    blow = Strike("R6", "charge", "front", "E5")

    def damage(state, strength):
        outlook = Outlook(state, "south", strength)
        return outlook.damage(state.units["R6"], state.units["S1"], blow, 6, 1)[0]

    assert damage(state, STRONG) > damage(without, STRONG)
    assert damage(state, SENSIBLE) == damage(without, SENSIBLE)


def test_a_charge_with_a_general_who_may_replay_a_miss_is_worth_more():
    state = hastings()
    general = next(one for one in state.generals.values() if one.side == "south" and one.attached)
    charger = replace(state.units[general.attached], box="E5", facing="N")

    def gain(strength, *traits):
        led = replace(general, traits=frozenset(traits))
        outlook = Outlook(replace(state, generals=state.generals | {general.id: led}), "south", strength)
        return outlook.clash(charger, state.units["S1"], "front", "E5", "E5").gain

    assert gain(STRONG, "heroic") > gain(STRONG)
    assert gain(SENSIBLE, "heroic") == gain(SENSIBLE)


def lone_rider(box):
    """Hastings with one unit of the Normans, and the English only where a test puts them."""
    state = hastings()
    rider, away = state.units["R13"], {name: replace(unit, box="") for name, unit in state.units.items()}
    return with_unit_in(replace(state, units=away, boxes={}), replace(rider, box=""), box)


def test_a_foe_that_is_held_threatens_nobody_but_its_holder():
    free = lone_rider("E5")
    held = with_unit_in(free, free.units["S1"], "E6")

    def danger(state, unit, box):
        return Places(Outlook(state, "north", STRONG))._danger(state.units[unit], box, "S")

    assert danger(free, "S3", "D6") > 0
    assert danger(held, "S3", "D6") == 0
    assert danger(held, "S1", "E6") > 0


def test_behind_a_friend_nobody_fears_a_rider():
    free = lone_rider("E4")
    covered = with_unit_in(free, free.units["S1"], "E5")
    open_ground, behind = (
        Places(Outlook(state, "north", STRONG))._danger(state.units["S3"], "E6", "S") for state in (free, covered)
    )
    assert open_ground > 0
    assert behind == 0


def test_a_foe_with_a_choice_is_feared_less():
    alone = lone_rider("E5")
    beside = with_unit_in(alone, replace(alone.units["S1"], facing="N"), "F6")
    fear, shared = (
        Places(Outlook(state, "north", STRONG))._danger(state.units["S3"], "D6", "S") for state in (alone, beside)
    )
    assert fear > shared > 0


def test_camps_that_nobody_guards_draw_riders_and_guarded_ones_do_not():
    state = hastings()
    open_camp = replace(state, camps={"L8": Camp("north", "C", "L8")})
    guarded = with_unit_in(open_camp, state.units["S12"], "L8")

    def gain(state, strength):
        places = Places(Outlook(state, "south", strength))
        rider = state.units["R14"]
        return places._raid(rider, "L5", "N") - places._raid(rider, "L3", "N") if strength.raid else 0.0

    assert gain(open_camp, STRONG) > 0
    assert gain(guarded, STRONG) == 0


def test_strong_stands_out_of_reach_with_a_unit_that_is_disordered():
    state = with_unit_in(hastings(), hastings().units["R13"], "E5")
    places = Places(Outlook(state, "north", STRONG))
    sound = state.units["S3"]
    shaken = with_unit(state, replace(sound, losses=1)).units["S3"]
    near, far = "E6", "E8"
    fear = places._danger(shaken, near, "S") - places._danger(shaken, far, "S")
    assert fear > places._danger(sound, near, "S") - places._danger(sound, far, "S")
    assert places.relief(replace(shaken, box=near)) > 0
