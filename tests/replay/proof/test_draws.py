"""Every card and die is the one that had to fall, from the page's rules alone."""

import json
from pathlib import Path

import pytest

from domain.events.battle import DieRolled
from tests.replay.faulty import assert_right, fault_of
from tests.replay.made_battle import MadeBattle, small_battle

of = pytest.mark.parametrize
VECTORS = json.loads((Path(__file__).parents[2] / "domain" / "fairness-vectors.json").read_text())


def fallen(made: MadeBattle, n: int) -> int:
    """The value of a die."""
    die = made.log[n - 1].event
    assert isinstance(die, DieRolled)
    return die.value


def south(**options: object) -> MadeBattle:
    return MadeBattle(options=options).started().first_turn("south")


@of(
    ("members", "what"),
    [
        ({"card": "10c1"}, "card-differs"),
        ({"card": "99z9"}, "card-differs"),
        ({"epoch": 2}, "epoch-differs"),
        ({"index": 7}, "index-differs"),
        ({"remaining": 70}, "remaining-differs"),
        ({"deck": "east"}, "unknown-deck"),
        ({"scope": "draw:east"}, "scope-label"),
        ({"scope": "draw:south/r1"}, "scope-label"),
        ({"scope": "draw:north"}, "other-scope"),
        ({"scope": "dice:south"}, "other-scope"),
        ({"scope": "common"}, "other-scope"),
        ({"t": 9}, "other-turn"),
    ],
)
def test_a_lie_about_a_card_is_found(members, what):
    made = small_battle()
    n = made.find("CardDrawn")
    made.change(n, **members)
    assert fault_of(made) == (what, n)


@of(
    ("members", "what"),
    [
        ({"value": 7}, "die-differs"),
        ({"sides": 0}, "die-without-sides"),
        ({"sides": 1 << 52}, "die-differs"),
        ({"index": 2}, "index-differs"),
        ({"t": 0}, "other-turn"),
        ({"face": 9}, "die-differs"),
        ({"scope": "draw:south"}, "other-scope"),
    ],
)
def test_a_lie_about_a_die_is_found(members, what):
    made = small_battle()
    n = made.find("DieRolled")
    made.change(n, **members)
    assert fault_of(made) == (what, n)


def test_draws_left_out_or_put_in_are_found():
    made = small_battle()
    n = made.find("CardDrawn", 1)
    made.remove(n)
    assert fault_of(made)[1] in (n, n - 1)
    made = small_battle()
    made.insert(n, made.log[n - 1].event)
    assert fault_of(made)[1] in (n, n + 1)


def test_draws_of_the_turn_in_progress_are_bound_but_not_shown():
    made = south()
    with made.order("south"):
        made.card("south")
        made.die("dice:south")
    report = assert_right(made)
    assert (report.draws, report.checked, report.bound, report.secret) == (2, 0, 2, 0)
    made.change(made.find("CardDrawn"), card="99z9")
    assert fault_of(made) == ("card-not-in-deck", made.find("CardDrawn"))


def test_a_rewind_draws_anew_under_its_label_and_puts_the_decks_back():
    made = south()
    to = made.plain_order("south")
    with made.order("south"):
        cards = [made.card("south", keep=True) for _ in range(3)]
    made.piles["south"].cards = list(made.cards_of("south"))
    made.piles["south"].kept.clear()
    made.piles["south"].drawn = 0
    made.rewind(to, 1, "south")
    made.enter("north")
    with made.order("south"):
        again = [made.card("south") for _ in range(3)]
    made.end_turn("south")
    report = assert_right(made)
    assert (report.checked, report.bound) == (6, 0)
    assert cards != again


def test_a_card_that_lies_on_a_unit_is_not_shuffled_back_until_its_turn_ends():
    made = south()
    with made.order("south"):
        kept = made.card("south", keep=True)
        for _ in range(4):
            made.card("south")
        made.shuffle("south")
        assert kept not in made.piles["south"].cards
        for _ in range(5):
            made.card("south")
    made.end_turn("south")
    with made.order("north"):
        made.shuffle("south")
        assert len(made.piles["south"].cards) == 80
        made.card("south", "draw:south")
    made.end_turn("north")
    assert assert_right(made).checked == 11
    n = made.find("DeckShuffled", 2)
    made.change(n, size=80)
    assert fault_of(made) == ("size-differs", n)


def test_an_epoch_follows_the_one_before():
    made = small_battle()
    n = made.find("DeckShuffled", 1)
    made.change(n, epoch=2)
    assert fault_of(made) == ("epoch-differs", n)


def test_ten_independent_cards_never_run_out():
    made = south(deck_mode="d10")
    with made.order("south"):
        for _ in range(30):
            made.card("south", keep=True)
        made.shuffle("south")
    made.end_turn("south")
    assert assert_right(made).checked == 30


def test_cards_that_were_looked_at_come_up_first_and_in_any_order():
    made = south()
    with made.order("south"):
        shown = made.look("south", 3)
    with made.order("south"):
        for card in (shown[1], shown[0], shown[2]):
            made.looked_up("south", card, "hand:south", 1)
        made.card("south")
    report = assert_right(made)
    assert (report.secret, report.bound) == (3, 1)
    made.end("south")
    assert assert_right(made).checked == 4


def test_no_other_card_comes_up_before_those_that_were_looked_at():
    made = south()
    with made.order("south"):
        made.look("south", 2, seal=False)
        made.card("south")
    assert fault_of(made) == ("looked-cards-first", made.find("CardDrawn"))


def test_a_look_that_was_never_made_is_found():
    made = south()
    with made.order("south"):
        made.come_up("south", "hand:south", 1, "5c1")
    assert fault_of(made) == ("looked-cards-first", made.find("CardDrawn"))


def test_looked_at_cards_go_back_into_the_shuffle():
    made = south()
    with made.order("south"):
        made.look("south", 2)
        made.piles["south"].waiting = []
        made.shuffle("south")
        made.card("south")
    made.end("south")
    assert assert_right(made).checked == 3


def test_nobody_looks_twice_or_further_than_the_pile():
    made = south()
    with made.order("south"):
        made.look("south", 2, seal=False)
        made.look("south", 2, seal=False)
    assert fault_of(made) == ("cannot-look", made.find("StratagemPlayed", 1))


def test_what_a_special_die_counts_is_in_the_page():
    made = MadeBattle(game="singidunum").start()
    made.enter("north")
    made.enter("south")
    made.first_turn("south")
    n = 0
    with made.order("south"):
        for _ in range(6):
            n = made.die("dice:south")
            face = fallen(made, n)
            made.change(n, face=face, value=(1, 2, 3, 3, 4, 5)[face - 1])
        made.die("dice:south")
    made.end_turn("south")
    assert assert_right(made).checked == 7
    made.change(n, value=9)
    assert fault_of(made) == ("value-differs", n)


def test_dice_of_an_unknown_game_are_checked_and_its_cards_are_not():
    made = MadeBattle(game="pachisi").start()
    made.enter("north")
    made.enter("south")
    made.first_turn("south")
    with made.order("south"):
        made.die("dice:south")
        made.card("stratagem", "dice:south")
        made.die("dice:south")
    made.end_turn("south")
    report = assert_right(made)
    assert (report.draws, report.checked, report.unknown_cards) == (2, 2, 1)


def test_a_game_of_dice_has_no_deck():
    made = MadeBattle(game="stp").start()
    made.enter("north")
    made.enter("south")
    made.card("stratagem", "common")
    assert fault_of(made)[0] == "unknown-deck"


def under_a_sealed_look() -> MadeBattle:
    """South has looked at two cards; one of them has come up."""
    made = south()
    with made.order("south", "oracle"):
        made.look("south", 2)
    with made.order("south", "on"):
        made.looked_up("south", made.shown[0], "hand:south", 1)
    return made


def one_more(made: MadeBattle) -> int:
    """A card that the host chooses, told as one of the look."""
    pile = made.piles["south"]
    card = made.shown[1] if made.shown[1] in [*pile.cards, *pile.waiting] else pile.cards[0]
    with made.order("south", "on"):
        pile.cards = [one for one in pile.cards if one != card]
        pile.waiting = [one for one in pile.waiting if one != card]
        return made.come_up("south", "hand:south", 1, card)


def test_the_cards_of_a_sealed_look_come_up():
    made = under_a_sealed_look()
    one_more(made)
    assert_right(made)


def test_a_shuffle_takes_a_sealed_look_back():
    made = under_a_sealed_look()
    with made.order("south", "on"):
        made.shuffle("south")
    n = one_more(made)
    assert fault_of(made) == ("looked-cards-first", n)


def test_behind_another_card_of_the_deck_a_sealed_look_is_over():
    made = under_a_sealed_look()
    one_more(made)
    with made.order("south", "on"):
        made.card("south")
    n = one_more(made)
    assert fault_of(made) == ("looked-cards-first", n)


def test_a_rewind_takes_a_sealed_look_back():
    made = south()
    to = made.plain_order("south")
    with made.order("south", "oracle"):
        made.look("south", 2)
    made.rewind(to, 1, "south")
    made.enter("north")
    made.enter("south")
    n = one_more(made)
    assert fault_of(made) == ("looked-cards-first", n)


def test_a_thousand_rewinds_of_rewinds_are_undone_once_each():
    made = south()
    to = made.plain_order("south")
    for k in range(200):
        made.rewind(to, 1, "south", docket=f"d{k + 1}")
        to = len(made.log) - made.log[::-1].index(next(o for o in made.log[::-1] if o.type == "KeyDisclosed"))
        to = len(made.log)
    assert len(assert_right(made).listed) == 400


# --- the vectors of the protocol


def of_vectors(index: int) -> MadeBattle:
    """A battle with the keys and contributions of the vectors, in period `index`."""
    made = MadeBattle(length=VECTORS["length"]).started()
    made.keys.master = bytes.fromhex(VECTORS["master"])
    for at in range(index):
        made.first_turn("south") if not at else made.end_turn("south", "south")
    return made


def contributions(made: MadeBattle) -> list[str]:
    return [made.newest[side].hex() for side in ("north", "south")]


def test_the_vectors_of_a_reshuffle_are_recomputed():
    vector = VECTORS["reshuffle"]
    made = of_vectors(1)
    assert contributions(made) == vector["contributions"]
    made.entered.add((1, "south"))  # the vectors' turn has no contribution of its own
    made.entered.discard((1, "south"))
    made = MadeBattle(length=VECTORS["length"]).start()
    made.first_turn("south")
    made.enter("north")
    made.contribute("south")
    assert contributions(made) == vector["contributions"]
    with made.order("south"):
        drawn = [[made.card("south", keep=not discard), discard] for _, discard in vector["drawn"]]
        made.shuffle("south")
        size = len(made.piles["south"].cards)
        after = [made.card("south") for _ in vector["after"]]
    made.end_turn("south")
    assert (drawn, size, after) == (vector["drawn"], vector["size"], vector["after"])
    assert assert_right(made).checked == 12


def second_period(game: str = "tts", **options: object) -> MadeBattle:
    """Period 2, with the newest contributions s_1 of both seats."""
    made = MadeBattle(length=VECTORS["length"], game=game, options=options).start()
    with made.order("north", "done"):
        made.turn("north")
    with made.order("south", "on", ordinary=False):
        made.turn("south")
    made.enter("north")
    made.contribute("south")
    return made


def test_the_vectors_of_independent_cards_are_recomputed():
    vector = VECTORS["d10_deck"]
    made = second_period(deck_mode="d10")
    assert contributions(made) == vector["contributions"]
    with made.order("south"):
        assert [made.card("south") for _ in vector["cards"]] == vector["cards"]
    made.end_turn("south")
    assert assert_right(made).checked == len(vector["cards"])


def test_the_vectors_of_a_special_die_are_recomputed():
    vector = VECTORS["special_die"]
    made = second_period("singidunum")
    with made.order("south"):
        for face, value in zip(vector["faces"], vector["values"], strict=True):
            n = made.die("dice:south")
            assert fallen(made, n) == face
            made.change(n, face=face, value=value)
    made.end_turn("south")
    assert assert_right(made).checked == len(vector["faces"])
