"""A standing order answers as its side would by hand, and looks at nothing that its side does not know."""

import tomllib
from functools import cache

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.engine.state import OTHER, SIDES, StandingOrder
from domain.games.to_the_strongest.chapters.decisions import DecisionAsked, DecisionMade, standing_answer
from domain.games.to_the_strongest.orders.standing_in_force import standing_orders
from domain.games.to_the_strongest.state.state import Armed, Held, with_army, with_unit
from domain.games.to_the_strongest.state.stratagems import STRATAGEMS
from tests.domain.games.to_the_strongest.whims import standing_line
from tests.support.before_the_turns import PHASES
from tests.support.looping import some
from tests.support.playing import TTS, Dice, Moment, battle, fold, give, opened, scenario

SCENARIO = tomllib.loads(PHASES)
BATTLES = [("motley", seed) for seed in range(1, 7)] + [("rare", 2)]
TOPICS_SEEN = {"evade", "replay", "join", "shift"}


@cache
def asking() -> tuple[Moment, ...]:
    """Moments in which an order led to a question."""
    found = [
        moment
        for name, seed in BATTLES
        for moment in battle(name, seed).moments
        if isinstance(moment.facts[-1].event, DecisionAsked)
    ]
    return (*found, *_shifts())


def _shifts() -> list[Moment]:
    """Pieces of terrain about to be shifted."""
    found = []
    for seed in range(4):
        state, _ = opened(SCENARIO)
        dice = Dice(f"shifts {seed}")
        for line in ("south: place wood C3", "south: place marsh F3", "south: place rocky D2", "south: done"):
            side, text = line.split(": ")
            state = fold(state, give(state, side, text, dice))
        for line in ("north: place wood D6", "north: place marsh E6", "north: done"):
            side, text = line.split(": ")
            facts = give(state, side, text, dice)
            if isinstance(facts[-1].event, DecisionAsked):
                found.append(Moment(state, side, text, facts))
            state = fold(state, facts)
        while state.waiting:
            side, text = state.waiting.side, f"shift {dice.pick(state.waiting.options)}"
            facts = give(state, side, text, dice)
            if isinstance(facts[-1].event, DecisionAsked):
                found.append(Moment(state, side, text, facts))
            state = fold(state, facts)
    return found


def question_of(moment: Moment) -> DecisionAsked:
    event = moment.facts[-1].event
    assert isinstance(event, DecisionAsked)
    return event


def with_order(state, side, line):
    """The state after a standing order, or None if it is refused."""
    try:
        return fold(state, give(state, side, line, Dice("")))
    except Refusal as refusal:
        assert refusal.code in ("tts.never-holds", "core.parse"), (line, refusal)
        return None


def in_words(made: DecisionMade) -> str:
    """The order line that gives the same answer."""
    if made.kind in ("join", "shift"):
        return f"{made.kind} {made.answer}"
    with_ = f" with {made.with_.upper()}" if made.with_ else ""
    return f"{made.kind} {made.answer}{with_}{f' facing {made.facing}' if made.facing else ''}"


@pytest.mark.slow
def test_all_kinds_of_questions_are_looked_at():
    assert {question_of(moment).kind for moment in asking()} == TOPICS_SEEN
    assert len(asking()) > 60


@pytest.mark.rule("TTS-TRN-11")
@pytest.mark.parametrize("kind", sorted(TOPICS_SEEN))
@pytest.mark.slow
def test_to_answer_in_advance_is_to_answer_by_hand(kind):
    """What follows is the same, card for card, until the next question."""
    answers = set()
    moments = [one for one in asking() if question_of(one).kind == kind]
    for at, moment in enumerate(moments):
        state, side = without_orders(moment.state), question_of(moment).side
        dice = Dice(f"advance {kind} {at}")
        for turn in range(4 + 200 // len(moments)):
            before = with_order(state, side, standing_line(state, side, dice, kind))
            if before is None:
                continue
            by_order, by_hand = Dice(f"cards {kind} {at} {turn}"), Dice(f"cards {kind} {at} {turn}")
            plain = give(state, moment.side, moment.order, by_hand)
            asked = plain[-1].event
            if not isinstance(asked, DecisionAsked) or (asked.side, asked.kind) != (side, kind):
                continue  # these cards lead to something else
            facts = give(before, moment.side, moment.order, by_order)
            assert told(facts[: len(plain) - 1]) == told(plain[:-1])
            made = facts[len(plain) - 1].event
            if isinstance(made, DecisionAsked):
                assert told(facts) == told(plain)
                continue
            assert isinstance(made, DecisionMade)
            assert made.standing and made.set_by == before.n
            answers.add(made.answer)
            hand = give(fold(state, plain), side, in_words(made), by_hand)
            assert hand[0].event == replace(made, standing=False, set_by=UNSET)
            later, hand_later = until_asked(facts[len(plain) :]), until_asked(hand[1:])
            assert told(later) == told(hand_later)
    assert answers >= {"evade": {"yes", "no"}, "replay": {"yes", "no"}, "shift": {"N", "S"}, "join": set()}[kind]
    assert answers


def without_orders(state):
    """A state in which nobody has ordered or offered anything in advance."""
    return replace(state, standing=(), draw_offer="")


def until_asked(facts):
    """The facts up to the next question, put or answered; a standing order may answer there."""
    questions = (at for at, one in enumerate(facts) if isinstance(one.event, (DecisionAsked, DecisionMade)))
    return facts[: next(questions, len(facts))]


def told(facts):
    """Who did what, without the numbers of events that it names."""
    return [(one.by, one.rule, _numberless(one.event)) for one in facts]


@pytest.mark.rule("TTS-TRN-11")
@pytest.mark.slow
def test_ask_is_like_no_order():
    for at, moment in enumerate(some(asking())):
        question, state = question_of(moment), without_orders(moment.state)
        whom = {"join": ("", f"general {question.unit} "), "shift": ("",)}.get(
            question.kind, ("all ", question.unit + " ")
        )
        line = f"standing {question.kind} {Dice(str(at)).pick(whom)}ask"
        before = with_order(state, question.side, line)
        assert standing_answer(before, question) is None
        facts, plain = (give(given, moment.side, moment.order, Dice(f"{at}")) for given in (before, state))
        assert told(facts) == told(plain)


def _numberless(event):
    """An event without the numbers of events that it names."""
    if isinstance(event, DecisionMade):
        return replace(event, set_by=UNSET)
    return replace(event, opens=()) if hasattr(event, "opens") else event


# --- what it looks at


def secretly(state, side, dice):
    """Other secrets of a side: what it holds, what lies ready, what it has seen of its deck, its standing orders."""
    army = state.armies[side]
    deck = army.deck
    looked = deck.pile[:: 1 + dice.stream.below(9)][:3]
    pile = tuple(card for card in deck.pile if card not in looked)
    hand = tuple(Held(dice.pick(tuple(STRATAGEMS)), 1) for _ in army.hand)
    armed = (Armed("hold", (next(u.id for u in state.units.values() if u.side == side),), 1, 1),)
    state = with_army(state, replace(army, hand=hand, armed=armed, deck=replace(deck, pile=pile, looked=looked)))
    unit = next(one.id for one in state.units.values() if one.side == side)
    orders = (
        StandingOrder(side, "evade", unit, "always", 1),
        StandingOrder(side, "evade", "", dice.pick(("always", "never")), 1),
        StandingOrder(side, "replay", "", "always", 2),
        StandingOrder(side, "join", "", unit, 3),
        StandingOrder(side, "shift", "", "N open", 3),
    )
    kept = tuple(order for order in state.standing if order.side != side)
    return replace(state, standing=(*kept, *orders))


@pytest.mark.rule("TTS-TRN-11")
@pytest.mark.slow
def test_a_condition_looks_at_nothing_that_its_side_does_not_know():
    differed = answered = 0
    for at, moment in enumerate(asking()):
        question = question_of(moment)
        side = question.side
        state = fold(moment.state, moment.facts)
        for turn in range(6):
            dice = Dice(f"knowing {at} {turn}")
            one = with_order(state, side, standing_line(state, side, dice, question.kind))
            if one is None:
                continue
            other = secretly(one, OTHER[side], dice)
            assert TTS.secrets.known(one, side).standing == TTS.secrets.known(other, side).standing
            answer = standing_answer(TTS.secrets.known(one, side), question)
            assert standing_answer(one, question) == standing_answer(other, question) == answer
            differed += one != other
            answered += answer is not None
    assert differed > 300 and answered > 100


@pytest.mark.slow
def test_two_states_that_differ_in_the_hidden_are_one_to_its_side():
    """`secretly` changes what is hidden and nothing else."""
    moment = next(one for one in asking() if question_of(one).kind == "evade")
    state = fold(moment.state, moment.facts)
    side = question_of(moment).side
    other = secretly(state, OTHER[side], Dice("hidden"))
    one, two = (TTS.secrets.known(given, side) for given in (state, other))
    assert state != other and replace(one, standing=()) == replace(two, standing=())


# --- the list of a side


def test_the_list_has_what_may_still_answer():
    state, _ = opened(scenario("motley"))
    lines = (
        "standing evade all heavier",
        "standing evade N8 ask",
        "standing evade N9 always",
        "standing replay N12 if hit",
        "standing replay always with G4 G5",
        "standing join general G5 N8 N9",
        "standing join N9",
        "standing shift open",
        "standing join general G6 ask",
    )
    for line in lines:
        state = with_order(state, "north", line)
    state = with_order(state, "south", "standing evade all never")
    listed = standing_orders(TTS.secrets.known(state, "north"), "north")
    assert listed == (*lines[:7], "standing join general G6 ask")
    assert standing_orders(TTS.secrets.known(state, "north"), "north", "fr")[0] == "consigne esquive tous plus-lourd"
    assert standing_orders(TTS.secrets.known(state, "south"), "south") == ("standing evade all never",)
    assert standing_orders(TTS.secrets.known(state, ""), "north") == ()
    for unit in ("N9", "N12"):
        state = with_unit(state, replace(state.units[unit], alive=False))
    dead = {name: replace(state.generals[name], alive=False) for name in ("G4", "G6")}
    state = replace(state, generals={**state.generals, **dead})
    assert standing_orders(state, "north") == (
        "standing evade all heavier",
        "standing evade N8 ask",
        "standing replay always with G4 G5",
        "standing join general G5 N8 N9",
    )
    state = with_order(state, "north", "standing evade all ask")
    assert "standing evade N8 ask" not in standing_orders(state, "north")


def test_a_shift_ordered_before_the_pieces_lie_is_on_the_list_until_they_do():
    state, _ = opened(SCENARIO)
    state = with_order(state, "north", "standing shift open S")
    assert standing_orders(state, "north") == ("standing shift open S",)
    assert standing_orders(replace(state, phase="scouting"), "north") == ()


@pytest.mark.parametrize("side", SIDES)
def test_every_line_of_the_list_sets_the_order_again(side):
    state, _ = opened(scenario("motley"))
    dice = Dice(f"list {side}")
    for _ in range(60):
        state = with_order(state, side, standing_line(state, side, dice)) or state
    listed = standing_orders(state, side)
    assert len(listed) > 10
    again, _ = opened(scenario("motley"))
    for line in listed:
        again = with_order(again, side, line)
    assert standing_orders(again, side) == listed
