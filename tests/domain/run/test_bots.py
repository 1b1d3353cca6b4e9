"""The bots play by the rules to an end, and the sensible one plays well."""

from collections import Counter
from itertools import pairwise
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from domain.basics.errors import BrokenInvariant
from domain.catalogue import RULESETS
from domain.contract.option import Option
from domain.engine.state import OTHER, SIDES
from domain.run.bots import BOTS, STRENGTHS, offered, played_by, random_bot
from tests.support.lanes import sampled, thinned
from tests.support.playing import TTS, Dice, opened, played, scenario

SENSIBLE = BOTS["sensible"]
PAIRS = [*((bot, bot) for bot in BOTS), *((bot, "random") for bot in STRENGTHS)]
FIGHTS = [(name, pair) for name in ("skirmish", "motley", "rare") for pair in PAIRS]
GAMES = {"skirmish": 20, "cannae": 10}
LOOKS = 5
"""At one moment in so many all that is listed is looked at."""


@pytest.mark.parametrize(("name", "players"), thinned(sampled(FIGHTS, 3), len(FIGHTS)))
def test_every_bot_gives_listed_orders_and_the_battle_ends(name, players):
    bots = {side: BOTS[player] for side, player in zip(SIDES, players, strict=True)}
    trace = played(name, bots, "end")
    assert trace.end.winner is not None
    for moment in trace.moments[::LOOKS]:
        assert moment.order in {option.order for option in TTS.orders.options(moment.state, moment.side)}


@pytest.mark.long
@pytest.mark.parametrize("name", list(GAMES))
@pytest.mark.slow
def test_the_sensible_bot_beats_chance_nine_times_in_ten(name):
    """Each seed is played from both sides."""
    won: Counter[str] = Counter()
    for game in range(GAMES[name]):
        side = SIDES[game % 2]
        trace = played(name, {side: SENSIBLE, OTHER[side]: random_bot}, f"duel {game // 2}")
        won[{side: "won", OTHER[side]: "lost"}.get(str(trace.end.winner), "drawn")] += 1
    assert won["won"] >= 0.9 * GAMES[name]


@pytest.mark.slow
def test_battles_between_sensible_bots_mostly_end_by_medals():
    ends = Counter(played("skirmish", dict.fromkeys(SIDES, SENSIBLE), f"end {seed}").end.how for seed in range(12))
    assert ends["medals"] >= 9


@pytest.mark.parametrize(("better", "worse"), list(pairwise(reversed(STRENGTHS))))
@pytest.mark.slow
def test_each_strength_beats_the_one_below(better, worse):
    """`benchmarks/README.md` has the shares over all battles; here a few, each from both sides."""
    won: Counter[str] = Counter()
    for game in range(24):
        side = SIDES[game % 2]
        trace = played("skirmish", {side: BOTS[better], OTHER[side]: BOTS[worse]}, f"strength {game // 2}")
        won[{side: better, OTHER[side]: worse}.get(str(trace.end.winner), "drawn")] += 1
    assert won[better] > won[worse]


def test_a_strength_that_a_game_lacks_is_played_by_the_next_weaker_one():
    game = RULESETS["warmaster-shooting"]
    assert "strong" not in game.bots
    state, side = game.rules.initial, "south"
    only = replace(game, bots={"sensible": lambda *_: "second"})
    options = [Option("first", "move"), Option("second", "move")]
    assert BOTS["strong"](only, state, side, options, Dice("one")) == "second"
    drawn = {BOTS["easy"](only, state, side, options, Dice(f"{seed}")) for seed in range(20)}
    assert drawn == {"first", "second"}  # nothing weaker: any option


def test_a_bot_is_called_by_the_strength_it_has():
    some_of_it = replace(TTS, bots={"sensible": TTS.bots["sensible"]})
    assert offered(TTS) == (*STRENGTHS, "random")
    assert offered(some_of_it) == ("sensible", "random")
    assert [played_by(some_of_it, bot) for bot in BOTS] == ["random", "sensible", "sensible", "random"]


def test_a_game_without_bots_has_the_random_one_alone():
    without = replace(TTS, bots={})
    assert offered(without) == ("random",)
    assert {played_by(without, bot) for bot in BOTS} == {"random"}


def test_the_sensible_bot_needs_no_chance_and_repeats_itself():
    state, _ = opened(scenario("zama"))
    options = TTS.orders.options(state, "north")
    first = SENSIBLE(TTS, state, "north", options, Dice("one"))
    assert first == SENSIBLE(TTS, state, "north", list(reversed(options)), Dice("two"))


@pytest.mark.parametrize("bot", ["sensible", "strong"])
def test_bots_that_do_not_slip_throw_no_dice(bot):
    state, _ = opened(scenario("zama"))
    dice = Dice("unused")
    BOTS[bot](TTS, state, "north", TTS.orders.options(state, "north"), dice)
    assert dice.die("bot:north", 1000) == Dice("unused").die("bot:north", 1000)


@pytest.mark.slow
def test_the_easy_bot_slips_now_and_then_and_the_same_way_for_the_same_dice():
    state, _ = opened(scenario("zama"))
    options = TTS.orders.options(state, "north")
    orders = [[BOTS["easy"](TTS, state, "north", options, dice) for _ in range(20)] for dice in (Dice("a"), Dice("a"))]
    assert orders[0] == orders[1]
    count = Counter(orders[0]).most_common(1)[0][1]
    assert 8 <= count < 20


@pytest.mark.parametrize("bot", STRENGTHS)
def test_a_strength_that_a_game_does_not_have_plays_at_random(bot):
    state, _ = opened(scenario("zama"))
    options = TTS.orders.options(state, "north")
    unknown = replace(TTS, bots={})
    assert BOTS[bot](unknown, state, "north", options, Dice("x")) == random_bot(TTS, state, "north", options, Dice("x"))


def test_the_random_bot_takes_its_chance_from_what_it_is_given():
    state, _ = opened(scenario("zama"))
    options = TTS.orders.options(state, "north")
    orders = [[random_bot(TTS, state, "north", options, dice) for _ in range(20)] for dice in (Dice("a"), Dice("a"))]
    assert orders[0] == orders[1]
    assert len(set(orders[0])) > 5


def test_the_sensible_bot_takes_a_draw_only_when_it_is_losing():
    state, _ = opened(scenario("zama"))
    options = [Option("accept draw", "draw"), Option("decline draw", "draw")]
    assert SENSIBLE(TTS, state, "south", options, Dice("")) == "decline draw"


@pytest.mark.parametrize("bot", list(BOTS.values()), ids=list(BOTS))
def test_a_bot_that_has_nothing_to_order_should_not_have_been_asked(bot):
    state, _ = opened(scenario("zama"))
    with pytest.raises(BrokenInvariant):
        bot(TTS, state, "south", [], Dice(""))


class Rolled:
    """Dice that fall as they are told."""

    def __init__(self, *values):
        self.values = list(values)

    def die(self, scope, sides, t=0, values=()):
        return self.values.pop(0)

    def card(self, *asked):
        raise AssertionError("a bot draws no cards")


@pytest.mark.parametrize(("dice", "order"), [((1,), "c"), ((2, 1), "a"), ((2, 3), "c"), ((3, 2), "b")])
def test_the_random_bot_takes_the_last_option_at_a_one_and_else_the_one_that_falls(dice, order):
    options = [Option(name, "move") for name in "abc"]
    assert random_bot(TTS, SimpleNamespace(turn=1), "south", options, Rolled(*dice)) == order
