"""The course of a battle: turns, phases and steps, deployment, the ends."""

import pytest

from tests.domain.games.shot_to_pieces.playing import (
    NORTH,
    SOUTH,
    corps,
    found,
    general,
    names,
    play,
    scenario,
    unit,
)

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.catalogue.MissingSentence")


def test_a_turn_is_the_orders_of_both_then_the_phase_of_each():
    """STP-SEQ-01, STP-SEQ-03, STP-SEQ-05, STP-GAP-05: the first side is south unless the scenario says otherwise."""
    events = play(scenario(), "south: done", "north: done", "south: end turn", "north: end turn")
    course = [
        (name, data.get("side"), data.get("step"))
        for name, data in events
        if name in ("TurnBegan", "TurnEnded", "RoundBegan", "RoundEnded")
    ]
    assert course == [
        ("RoundBegan", None, None),
        ("TurnBegan", "south", "orders"),
        ("TurnEnded", "south", "orders"),
        ("TurnBegan", "north", "orders"),
        ("TurnEnded", "north", "orders"),
        ("TurnBegan", "south", None),
        ("TurnEnded", "south", None),
        ("TurnBegan", "north", None),
        ("TurnEnded", "north", None),
        ("RoundEnded", None, None),
        ("RoundBegan", None, None),
        ("TurnBegan", "south", "orders"),
    ]
    steps = [(data["phase"], data["side"], data["step"]) for data in found(events, "StepBegan")]
    assert steps[:7] == [
        (0, "south", "orders"),
        (0, "north", "orders"),
        (1, "south", "charges"),
        (1, "south", "formations"),
        (1, "south", "moves"),
        (1, "south", "generals"),
        (1, "south", "fire"),
    ]
    assert (2, "north", "charges") in steps


def test_an_order_of_a_later_step_closes_those_before_it():
    """STP-SEQ-07: and no step comes back; a refused one closes nothing."""
    events = play(
        scenario(step="charges"),
        "south: general GS to 90 90",
        "south: general GS to 90 20",
        "south: detach U1 to I",
        refused={1: "stp.too-far", 3: "stp.wrong-step"},
        final={"step": "generals"},
    )
    assert [data["step"] for data in found(events, "StepBegan")] == ["charges", "formations", "moves", "generals"]


def test_done_closes_one_step_and_end_turn_all_that_are_left():
    """STP-SEQ-07, STP-SEQ-08: a fire step in which the other side could declare nothing, and melees there are none of,
    are skipped."""
    events = play(scenario(step="formations", side="north"), "north: done", "north: end turn")
    assert [(data["side"], data["step"]) for data in found(events, "StepBegan")] == [
        ("north", "formations"),
        ("north", "moves"),
        ("north", "generals"),
        ("north", "fire"),
        ("south", "orders"),
    ]


def test_a_scenario_may_begin_in_the_middle():
    """STP-SCN-03: without turn, round or dice of what comes before; `activation` rolls at once."""
    events = play(scenario(step="activation"), south=[2])
    assert names(events)[1:] == ["PhaseBegan", "DieRolled", "ActivationRolled", "StepBegan"]
    rolled = found(events, "DieRolled")[0]
    assert (rolled["scope"], rolled["sides"], rolled["face"], rolled["purpose"]) == ("open:south", 2, 2, "activation")


def test_the_second_side_deploys_first_each_in_its_strip():
    """STP-GAP-02, STP-GAP-23, STP-GAP-25: generals too; a place may be changed until the side is done."""
    waiting = scenario(
        [corps("I", {"id": "U1", "type": "infantry"}, general={"id": "GS"})],
        [corps("X", {"id": "X1", "type": "artillery_foot"}, general=general("GN", 90, 110))],
        period="emp",
    )
    waiting["sides"]["north"]["corps"][0]["units"][0]["type"] = "artillery_heavy"
    events = play(
        waiting,
        "south: deploy U1 at 90 10",
        "north: deploy X1 at 90 110 in column",
        "north: deploy X1 at 90 110 in march",
        "north: deploy X1 at 50 100",
        "north: deploy U1 at 50 100",
        "north: deploy X9 at 50 100",
        "north: done",
        "south: deploy U1 at 90 10 in square",
        "south: done",
        "south: deploy GS at 90 30",
        "south: deploy GS at 90 25",
        "south: end turn",
        refused={
            1: "core.not-your-turn",
            2: "stp.bad-formation",
            5: "core.not-yours",
            6: "core.unknown-id",
            9: "stp.deployment-incomplete",
            10: "stp.outside-deployment-zone",
        },
        final={"phase": "turns", "active": "south", "step": "orders"},
    )
    assert [data["formation"] for data in found(events, "UnitDeployed")] == ["march", "battle", "square"]
    assert found(events, "GeneralDeployed") == [{"general": "GS", "at": [9000, 2500], "unit": ""}]


def test_the_phase_ends_with_markers_by_id_then_corps():
    """STP-RES-07, STP-SEQ-03: of two markers each changes by itself, and what lasts longer stays."""
    south = corps("I", unit("U2", 90, 30, shaken=2, shaken_before=True), unit("U1", 80, 30, shaken=1), ap=1)
    battle = scenario([south], step="fire", side="north")
    events = play(battle, "north: done", final={"units": {"U2": {"brittle": 2}, "U1": {"shaken": 1}}})
    converted = found(events, "MarkerConverted")
    assert [(data["unit"], data["shaken"], data["brittle"]) for data in converted] == [("U2", 1, 1), ("U2", 0, 2)]


def test_a_side_with_more_than_half_of_its_corps_broken_has_lost():
    """STP-WIN-01, STP-MOR-03, STP-GAP-08: the side whose phase it was is judged first."""
    broken = {"size": 1, "loss_halves": 2}
    south = (corps("I", unit("U1", 90, 30), **broken), corps("II", unit("U2", 50, 30)))
    events = play(scenario(south, [NORTH | broken], step="fire"), "south: done", final={"winner": "south"})
    assert found(events, "BattleEnded") == [{"winner": "south", "how": "broken"}]
    both = play(scenario([SOUTH | broken], [NORTH | broken], step="fire"), "south: done")
    assert found(both, "BattleEnded") == [{"winner": "north", "how": "broken"}]


@pytest.mark.parametrize(("lost", "winner"), [((2, 1), "north"), ((1, 2), "south"), ((2, 2), "")])
def test_after_the_last_turn_who_lost_less_wins(lost, winner):
    """STP-WIN-02, STP-GAP-08: equal is a draw."""
    south, north = (one | {"size": 9, "loss_halves": halves} for one, halves in zip((SOUTH, NORTH), lost, strict=True))
    battle = scenario([south], [north], step="fire", side="north", options={"turn_limit": 1})
    events = play(battle, "north: done", final={"winner": winner})
    assert names(events)[-2:] == ["RoundEnded", "BattleEnded"]
    assert events[-1][1] == {"winner": winner, "how": "turn-limit"}


def test_without_a_limit_the_battle_goes_on():
    """STP-WIN-02: 0 stands for none."""
    battle = scenario(step="fire", side="north", turn=40, options={"turn_limit": 0})
    assert "BattleEnded" not in names(play(battle, "north: done", final={"turn": 41}))


def test_a_draw_is_agreed_and_an_offer_lapses():
    """STP-WIN-04, STP-WIN-03."""
    lapsed = play(
        scenario(step="moves"),
        "south: offer draw",
        "south: done",
        "north: accept draw",
        refused={3: "core.no-draw-offer"},
    )
    assert "DrawLapsed" in names(lapsed)
    agreed = play(scenario(step="moves"), "south: offer draw", "north: accept draw", final={"winner": ""})
    assert agreed[-1] == ("BattleEnded", {"winner": "", "how": "draw"})


def test_orders_that_need_no_turn_are_refused_after_the_end():
    """STP-WIN-03."""
    play(scenario(), "north: resign", "south: done", refused={2: "core.battle-ended"}, final={"winner": "south"})
