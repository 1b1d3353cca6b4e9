"""A whole battle between two bots, from the first card to the file.

`phalera demo` plays it and narrates it. Everything follows from the seed (server.offline.match), so the same
seed produces the same bytes. Bots can be quick to ruin an army; of the battles that a seed produces, the
first one of some length is shown.
"""

from collections.abc import Iterator, Mapping

from domain.engine.errors import BrokenInvariant
from domain.ruleset import Ruleset
from server.offline.match import OfflineBattle, SeededClock, SeededEntropy, name_of, scenario_table
from server.play.narrator import Narrator

SCENARIO = "zama"
SEED = 1
BOTS = {"south": "sensible", "north": "sensible"}
LEAST_TURNS = 8
TRIES = 12
"""After this many short battles the longest of them is shown."""
MOST_ORDERS = 20_000


def play_demo(
    ruleset: Ruleset, scenario: str = SCENARIO, seed: int = SEED, bots: Mapping[str, str] = BOTS
) -> OfflineBattle:
    """Fight a packaged scenario, or the one in a file, to its end.

    Raises:  Refusal for a scenario that does not exist or is not valid
    """
    table = scenario_table(ruleset, scenario)
    longest: OfflineBattle | None = None
    for number in range(1, TRIES + 1):
        name = f"{ruleset.code} {name_of(scenario)} {seed} {number}"
        battle = OfflineBattle(ruleset, table, SeededClock(name), SeededEntropy(name))
        for side, bot in bots.items():
            battle.seat_bot(side, bot)
        play_out(battle)
        if longest is None or turns_of(battle) > turns_of(longest):
            longest = battle
        if turns_of(longest) >= LEAST_TURNS:
            break
    assert longest is not None
    return longest


def play_out(battle: OfflineBattle) -> None:
    """Let the bots play on to the end.

    Raises:  BrokenInvariant if the battle does not end
    """
    for _ in range(MOST_ORDERS):
        if battle.recording.battle.ended:
            return
        battle.bot_order()
    raise BrokenInvariant(f"{battle.recording.gid}: no end after {MOST_ORDERS} orders")


def turns_of(battle: OfflineBattle) -> int:
    """The number of turns the battle lasted."""
    turn: int = battle.recording.battle.game.turn
    return turn


def tell(battle: OfflineBattle) -> Iterator[str]:
    """A finished battle as blocks of text, as a spectator would have seen it."""
    herald = Narrator(battle.recording)
    yield from herald.hear(tuple(battle.events()))
    yield f"\n{herald.board()}"
