"""A knock-out: slots, byes, and who goes on."""

import pytest

from domain.campaign.boards import BoardResult, Place
from domain.campaign.bracket import Decided, bracket_round, decided, next_slots, slots

SOUTH = Place("1.1", 1, "a", "b")
RETURN = Place("1.1.2", 1, "b", "a")


def no_lot():
    raise AssertionError("nothing is left to the lot")


def played(count):
    """A bracket in which the lower number wins each battle: (pairs, byes) of each round."""
    at, rounds = slots([str(number) for number in range(1, count + 1)]), []
    while len(at) > 1:
        now = bracket_round(at)
        rounds.append((now.pairs, now.byes))
        at = next_slots(at, {frozenset(pair): min(pair, key=int) for pair in now.pairs})
    return at[0], rounds


@pytest.mark.rule("CAM-CUP-08")
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8, 13, 16, 33])
def test_the_first_numbers_meet_as_late_as_can_be(count):
    champion, rounds = played(count)
    assert champion == "1"
    assert sum(len(pairs) for pairs, _ in rounds) == count - 1
    assert all(byes == () for _, byes in rounds[1:])
    for left, (pairs, _) in zip(range(len(rounds) - 1, -1, -1), rounds, strict=True):
        for pair in pairs:
            assert min(map(int, pair)) <= 2**left < max(map(int, pair))


@pytest.mark.rule("CAM-CUP-08")
def test_numbers_that_nobody_has_are_byes_for_the_first():
    assert slots(["a", "b", "c", "d", "e"]) == ("a", "", "d", "e", "b", "", "c", "")
    assert bracket_round(slots(["a", "b", "c", "d", "e"])).byes == ("a", "b", "c")


@pytest.mark.rule("CAM-CUP-09")
def test_a_board_that_nobody_came_to_leaves_its_slot_free():
    none = decided([BoardResult(SOUTH, "", is_default=True, losers=("a", "b"))], no_lot)
    assert none == Decided("", "default")
    at = next_slots(("a", "b", "c", "d"), {frozenset("ab"): none.winner, frozenset("cd"): "d"})
    assert at == ("", "d") and bracket_round(at).byes == ("d",)
    assert next_slots(at, {}) == ("d",)


@pytest.mark.rule("CAM-CUP-09")
@pytest.mark.parametrize(
    ("results", "wanted"),
    [
        ([BoardResult(SOUTH, "b", kept=(0, 300))], Decided("b", "battle")),
        ([BoardResult(SOUTH, "a", is_default=True, losers=("b",))], Decided("a", "default")),
        ([BoardResult(SOUTH, "", kept=(400, 399))], Decided("a", "kept")),
        ([BoardResult(SOUTH, "", kept=(399, 400))], Decided("b", "kept")),
        ([BoardResult(SOUTH, "a", kept=(1, 0)), BoardResult(RETURN, "", kept=(900, 0))], Decided("a", "battle")),
        ([BoardResult(SOUTH, "a", kept=(300, 0)), BoardResult(RETURN, "b", kept=(301, 0))], Decided("b", "kept")),
        (
            [BoardResult(SOUTH, "a", is_default=True, losers=("b",)), BoardResult(RETURN, "b", kept=(300, 0))],
            Decided("b", "kept"),
        ),
    ],
)
def test_who_goes_on_by_points_then_by_what_was_kept(results, wanted):
    assert decided(results, no_lot) == wanted


@pytest.mark.rule("CAM-CUP-09")
@pytest.mark.parametrize(("lot", "winner"), [(0, "a"), (1, "b")])
def test_the_lot_decides_between_equals_by_the_sides_of_the_first_leg(lot, winner):
    assert decided([BoardResult(SOUTH, "", kept=(400, 400))], lambda: lot) == Decided(winner, "lot")
    legs = [BoardResult(SOUTH, "a", kept=(300, 0)), BoardResult(RETURN, "b", kept=(300, 0))]
    assert decided(legs, lambda: lot) == Decided(winner, "lot")
