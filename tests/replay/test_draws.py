"""The first false draw of a log is named, and every true one is proven."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, structs

from domain.engine.events import CardDrawn, DeckShuffled, DieRolled, NonceDisclosed, StandingOrderSet
from replay.proof.draws import Draws, Report, check_draws
from replay.proof.seats import SeatFault
from tests.replay.made_battle import (
    BATTLE,
    OWN_DECK,
    STRATAGEMS,
    CardsShown,
    FaceRolled,
    MadeBattle,
    SecretCardDrawn,
    deck_cards,
    small_battle,
)


def ready() -> MadeBattle:
    made = MadeBattle("plain", "plain").start()
    made.contribute("north", 0, "north's first phrase")
    made.contribute("south", 0, "south's first phrase")
    return made


def report_of(made: MadeBattle, pile=None) -> Report:
    return check_draws(BATTLE, made.log, deck_cards, pile)


def named(made: MadeBattle, pile=None) -> tuple[int, str]:
    with pytest.raises(SeatFault) as caught:
        report_of(made, pile)
    return caught.value.n, caught.value.what


def find(made: MadeBattle, event_type: str, which: int = 0) -> int:
    return [recorded.n for recorded in made.log if recorded.type == event_type][which]


# --- true logs


def test_the_draws_of_the_published_vectors_are_proven():
    deck = tuple(value + mark for value in ("A", *map(str, range(2, 11))) for mark in "abcdefgh")
    made = MadeBattle().start()
    made.contribute("north", 0)
    made.order("south", 1, "U1 ahead")
    for index, value in enumerate((2, 5, 6, 3, 3, 2, 3, 5, 3, 3), 1):
        made.add(DieRolled("public", 1, index, 6, value, "hit", ""))
    for side, cards in (("north", "9b 8e 9a 3b 5f 9f Ac 3d 5d 5a"), ("south", "3g 8b 3e 7e 8e 5c 2h Ab Ad 7c")):
        for index, card in enumerate(cards.split(" "), 1):
            made.add(
                CardDrawn(
                    deck=side,
                    epoch=1,
                    index=index,
                    card=card,
                    purpose="hit",
                    unit="",
                    scope=f"draw:{side}",
                    t=1,
                    remaining=80 - index,
                )
            )
    made.reveal()
    report = check_draws(BATTLE, made.log, lambda name: deck)
    assert (report.draws, report.proven) == (30, (1,))


def test_a_turn_is_proven_as_soon_as_its_nonces_are_out():
    made = ready()
    made.shuffle("south")
    made.order("south", 1, "U1 ahead")
    made.card("south", 1, "draw:south")
    assert (report_of(made).proven, report_of(made).unproven) == ((), (1,))
    made.disclose(1, "draw:south")
    report = report_of(made)
    assert (report.proven, report.unproven, report.complete) == ((1,), (), False)


@settings(max_examples=30)
@given(
    st.lists(st.sampled_from(["card", "die", "d20", "ten", "turn", "reshuffle", "rewind"]), max_size=40), st.booleans()
)
def test_whatever_an_honest_server_draws_is_proven(doings, revealed):
    made = ready()
    piles: dict[int, tuple[str, ...]] = {}
    made.shuffle("south")
    made.shuffle("ten")
    made.order("south", 1, "U1 ahead")
    t, opened = 1, len(made.log)
    for doing in doings:
        if doing == "turn":
            t += 1
            made.order("south", t, "U1 ahead")
        elif doing == "rewind" and opened:
            made.rewind(opened)
            made.piles["south"].cards, made.piles["south"].drawn, made.piles["south"].epoch = list(OWN_DECK), 0, 1
            made.piles["ten"].drawn = 0
            t, opened = 1, 0
            made.contribute("north", 1, "anew")
            made.order("south", 1, "U1 ahead")
        elif doing == "reshuffle":
            kept = OWN_DECK[: 10 + t]
            piles[made.shuffle("south", kept)] = kept
        elif doing == "card" and made.piles["south"].cards:
            made.card("south", t, "draw:south")
        elif doing == "ten":
            made.card("ten", t, "draw:south")
        elif doing in ("die", "d20"):
            made.die(t, "dice:south", 6 if doing == "die" else 20)
    if revealed:
        made.reveal()
    draws = Draws(BATTLE, made.log, deck_cards, lambda deck: piles[at])
    for recorded in made.log:
        at = recorded.n
        draws.feed(recorded)
    report = draws.finish()
    assert report.draws == sum(one.type in ("CardDrawn", "DieRolled") for one in made.log)
    assert report.unproven == () if revealed else report.proven == ()


def test_a_deck_of_independent_draws_never_shrinks():
    made = ready()
    made.order("south", 1, "U1 ahead")
    made.shuffle("ten")
    drawn = [made.card("ten", 1, "draw:south") for _ in range(25)]
    made.reveal()
    assert len(drawn) > len(set(drawn))
    assert report_of(made).proven == (1,)
    made.change(len(made.log) - 1, remaining=9)
    assert named(made) == (len(made.log) - 1, "remaining-differs")


def test_a_deck_that_nobody_announced_holds_all_its_cards():
    made = ready()
    made.shuffle("south")
    made.log.pop()
    made.order("south", 1, "U1 ahead")
    made.card("south", 1, "draw:south")
    made.reveal()
    assert report_of(made).proven == (1,)


# --- false draws


@pytest.mark.parametrize(
    ("event_type", "members", "what"),
    [
        ("CardDrawn", {"card": "1c1"}, "card-differs"),
        ("CardDrawn", {"card": "no such card"}, "card-differs"),
        ("CardDrawn", {"index": 2}, "index-differs"),
        ("CardDrawn", {"epoch": 2}, "epoch-differs"),
        ("CardDrawn", {"remaining": 80}, "remaining-differs"),
        ("CardDrawn", {"scope": "draw:north"}, "card-differs"),
        ("CardDrawn", {"scope": "draw:south/r1"}, "scope-label"),
        ("CardDrawn", {"scope": "draw:south/x"}, "scope-label"),
        ("CardDrawn", {"deck": "west"}, "unknown-deck"),
        ("CardDrawn", {"t": 9}, "draw-before-contribution"),
        ("CardDrawn", {"t": -1}, "bad-turn"),
        ("NonceDisclosed", {"t": -1}, "bad-turn"),
        ("ContributionGiven", {"t": -1}, "bad-turn"),
        ("DieRolled", {"value": 7}, "die-differs"),
        ("DieRolled", {"index": 0}, "index-differs"),
        ("DieRolled", {"sides": 0}, "die-without-sides"),
        ("DeckShuffled", {"epoch": 2}, "epoch-differs"),
        ("DeckShuffled", {"size": 81}, "size-differs"),
        ("DeckShuffled", {"deck": "west"}, "unknown-deck"),
        ("NonceDisclosed", {"nonce": "00" * 32}, "nonce-differs"),
        ("NonceDisclosed", {"nonce": "00"}, "bad-hex"),
        ("MasterRevealed", {"master": "00" * 32}, "master-differs"),
        ("MasterRevealed", {"master": "x"}, "bad-hex"),
    ],
)
def test_the_first_false_event_is_named(event_type, members, what):
    made = small_battle()
    n = find(made, event_type)
    made.change(n, **members)
    assert named(made) == (n, what)


def test_a_turn_has_a_number_of_32_bits():
    made = ready()
    n = made.order("south", 2**32, "U1 ahead", first=False)
    assert named(made) == (n, "bad-turn")


@settings(max_examples=60)
@given(st.integers(0, 9), st.integers(1, 79))
def test_no_draw_can_be_exchanged_for_another(which, other):
    made = small_battle()
    n = [one.n for one in made.log if one.type in ("CardDrawn", "DieRolled")][which]
    event = made.log[n - 1].event
    if isinstance(event, CardDrawn):
        made.change(n, card=OWN_DECK[(OWN_DECK.index(event.card) + other) % 80])
    elif isinstance(event, DieRolled):
        made.change(n, value=event.value + other)
    assert named(made)[0] == n


def test_a_draw_left_out_is_found_at_the_next_one():
    made = small_battle()
    n = find(made, "CardDrawn")
    del made.log[n - 1]
    assert named(made) == (n + 1, "index-differs")


def test_a_card_cannot_come_up_twice_even_while_its_nonce_is_unknown():
    made = ready()
    made.shuffle("south")
    made.order("south", 1, "U1 ahead")
    card = made.card("south", 1, "draw:south")
    made.came_up("south", 1, "draw:south", card, 78)
    assert named(made) == (len(made.log), "card-not-in-deck")


def test_no_card_falls_from_an_empty_deck():
    made = ready()
    made.shuffle("south", OWN_DECK[:1])
    made.change(len(made.log), epoch=1)
    made.order("south", 1, "U1 ahead")
    made.card("south", 1, "draw:south")
    n = made.came_up("south", 1, "draw:south", "2c1", 0)
    assert named(made, lambda deck: OWN_DECK[:1]) == (n, "deck-exhausted")


def test_nothing_is_drawn_from_a_nonce_that_everybody_knows():
    made = ready()
    made.shuffle("south")
    made.order("south", 1, "U1 ahead")
    made.card("south", 1, "draw:south")
    made.disclose(1, "draw:south")
    made.card("south", 1, "draw:south")
    assert named(made) == (len(made.log), "draw-after-disclosure")


def test_nothing_is_drawn_or_rewound_after_the_master_is_out():
    made = small_battle()
    made.card("north", 2, "draw:north")
    assert named(made) == (len(made.log), "draw-after-disclosure")
    made.log.pop()
    made.rewind(3)
    assert named(made) == (len(made.log), "rewound-after-master")
    made.log.pop()
    made.reveal()
    assert named(made) == (len(made.log), "master-out-of-place")


def test_nothing_new_is_drawn_for_a_turn_that_is_past():
    made = ready()
    made.order("south", 1, "U1 ahead")
    made.order("north", 2, "U2 ahead")
    made.die(2, "dice:north")
    made.die(1, "dice:south")
    assert named(made) == (len(made.log), "draw-of-the-past")


def test_a_false_nonce_is_named_before_the_end():
    made = ready()
    made.order("south", 1, "U1 ahead")
    n = made.die(1, "dice:south")
    made.add(NonceDisclosed(1, "dice:south", "11" * 32))
    assert named(made) == (n, "die-differs")


def test_a_master_that_does_not_open_the_commitment_is_named_where_it_stands():
    made = small_battle()
    made.change(len(made.log), master="11" * 32)
    assert named(made) == (len(made.log), "master-differs")


def test_of_a_die_with_faces_the_face_is_what_fell():
    made = ready()
    made.order("south", 1, "U1 ahead")
    face = made.below(1, "dice:south", 6) + 1
    made.add(FaceRolled("dice:south", 1, 1, 6, face, 17))
    made.reveal()
    assert report_of(made).proven == (1,)
    made.change(len(made.log) - 1, face=face % 6 + 1)
    assert named(made) == (len(made.log) - 1, "die-differs")


# --- reshuffles


def test_a_pile_of_discards_is_drawn_from_in_canonical_order():
    made = ready()
    made.shuffle("south")
    made.order("south", 1, "U1 ahead")
    made.card("south", 1, "draw:south")
    n = made.shuffle("south", OWN_DECK[10:30])
    made.card("south", 1, "draw:south")
    made.reveal()
    assert report_of(made, lambda deck: OWN_DECK[29:9:-1]).proven == (1,)
    assert report_of(made).unproven == (1,)  # nobody says which cards came back
    for pile in (OWN_DECK[:19], (*OWN_DECK[:19], "joker"), (*OWN_DECK[:19], OWN_DECK[0])):
        assert named(made, lambda deck, pile=pile: pile) == (n, "size-differs")


# --- rewinds


def rewound_battle() -> tuple[MadeBattle, int]:
    made = ready()
    made.shuffle("south")
    to = made.order("south", 1, "U1 ahead")
    made.card("south", 1, "draw:south")
    made.rewind(to)
    made.piles["south"].cards, made.piles["south"].drawn = list(OWN_DECK), 0
    return made, to


def test_after_a_rewind_the_deck_is_whole_and_the_future_another():
    made, _ = rewound_battle()
    made.contribute("north", 1, "anew")
    made.order("south", 1, "U1 ahead", "anew too")
    made.card("south", 1, "draw:south")
    made.rewind(len(made.log))
    made.contribute("south", 1, "and again")
    made.contribute("north", 1, "and again")
    made.card("south", 1, "draw:south")
    made.reveal()
    assert report_of(made).proven == (1,)


def test_after_a_rewind_both_contribute_anew():
    made, _ = rewound_battle()
    made.order("south", 1, "U1 ahead", "anew")
    made.card("south", 1, "draw:south")
    assert named(made) == (len(made.log), "draw-before-contribution")


def test_a_rewound_turn_gets_a_new_scope():
    made, _ = rewound_battle()
    made.contribute("north", 1, "anew")
    made.order("south", 1, "U1 ahead", "anew too")
    made.rewinds = 0
    made.card("south", 1, "draw:south")
    assert named(made) == (len(made.log), "scope-of-the-past")
    made.change(len(made.log), scope="draw:south/r2")
    assert named(made) == (len(made.log), "scope-label")


@pytest.mark.parametrize("to", [0, -1, 99])
def test_a_rewind_goes_back_to_an_event_of_the_log(to):
    made, _ = rewound_battle()
    made.change(len(made.log), to=to)
    assert named(made) == (len(made.log), "rewound-to-nowhere")


# --- sealed content


def sealed_battle() -> tuple[MadeBattle, list]:
    """A secret stratagem card for each side, a standing order, and a look at three coming cards."""
    made = ready()
    openings = []
    pile = list(STRATAGEMS)
    for index, side in enumerate(("north", "south"), 1):
        card = pile.pop(made.below(0, f"hand:{side}", len(pile)))
        event = SecretCardDrawn(
            deck="stratagem", epoch=1, index=index, card=card, scope=f"hand:{side}", t=0, remaining=14 - index
        )
        openings.append(made.seal(event, ("card",), 0, side))
    made.shuffle("south")
    made.order("south", 1, "standing U1 evade")
    openings.append(made.seal(StandingOrderSet("south", "evade", "U1", "yes"), ("unit", "value"), 1, "south"))
    made.order("south", 1, "play oracle", first=False)
    own = made.piles["south"].cards
    shown = tuple(own.pop(made.below(1, "hand:south", len(own))) for _ in range(3))
    openings.append(made.seal(CardsShown(side="south", shown=shown), ("shown",), 1, "south"))
    made.came_up("south", 1, "hand:south", shown[2], 79)
    made.order("north", 2, "U9 ahead")
    made.came_up("south", 1, "hand:south", shown[0], 78)
    made.came_up("south", 1, "hand:south", shown[1], 77)
    made.card("south", 2, "draw:south")
    return made, openings


def test_sealed_cards_are_proven_once_they_are_opened():
    made, openings = sealed_battle()
    for _, opening in openings:
        made.add(opening)
    made.reveal()
    report = report_of(made)
    assert (report.proven, report.unproven, report.unopened) == ((0, 1, 2), (), ())
    assert report.draws == 2 + 3 + 1


def test_a_looked_at_card_has_another_place_if_it_is_another_card():
    made, openings = sealed_battle()
    n, opening = openings[3]
    shown = opening.content["shown"]
    opening.content["shown"] = [shown[1], shown[0], shown[2]]
    for _, one in openings:
        made.add(one)
    made.reveal()
    assert named(made) == (n, "card-differs")


def test_what_was_looked_at_comes_up_before_anything_else():
    made, openings = sealed_battle()
    for _, opening in openings:
        made.add(opening)
    made.reveal()
    n = [one.n for one in made.log if one.type == "CardDrawn"][2]
    made.change(n, scope="draw:south")
    assert named(made) == (n, "looked-cards-first")


@pytest.mark.parametrize("shown", [5, [5], "ab", ["1c1"] * 81])
def test_a_look_at_no_cards_is_named(shown):
    made = ready()
    made.shuffle("south")
    n = made.add(CardsShown(side="south", shown=shown))
    assert named(made) == (n, "cannot-look")


def test_at_the_end_every_sealed_event_is_opened():
    made, openings = sealed_battle()
    for _, opening in openings[:2] + openings[3:]:
        made.add(opening)
    assert report_of(made).unopened == (openings[2][0],)
    made.reveal()
    assert named(made) == (openings[2][0], "never-opened")


@pytest.mark.parametrize(
    ("members", "what"),
    [
        ({"content": {"unit": "U1", "value": "no"}}, "commitment-differs"),
        ({"content": {}}, "commitment-differs"),
        ({"salt": "00" * 32}, "commitment-differs"),
        ({"salt": "00"}, "bad-hex"),
        ({"n": 1}, "not-sealed"),
        ({"n": 999}, "not-sealed"),
    ],
)
def test_what_is_opened_is_what_was_sealed(members, what):
    made, openings = sealed_battle()
    n = made.add(structs.replace(openings[2][1], **members))
    assert named(made) == (n, what)


def test_a_sealed_event_is_opened_once():
    made, openings = sealed_battle()
    made.add(openings[2][1])
    n = made.add(openings[2][1])
    assert named(made) == (n, "opened-twice")


def test_an_unopened_hand_leaves_its_turn_unproven_and_harms_no_other():
    made = ready()
    event = SecretCardDrawn(deck="stratagem", epoch=1, index=1, scope="hand:north", t=0, remaining=13, sealed="00" * 32)
    assert event.card is UNSET
    made.add(event)
    made.shuffle("south")
    made.order("south", 1, "U1 ahead")
    made.card("south", 1, "draw:south")
    made.disclose(1, "draw:south")
    report = report_of(made)
    assert (report.proven, report.unproven) == ((1,), (0,))


def test_decks_need_their_cards_to_be_known():
    made = ready()
    n = made.add(DeckShuffled("west", 1, 80))
    assert named(made) == (n, "unknown-deck")
