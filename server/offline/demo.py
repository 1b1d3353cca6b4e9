"""A whole battle between two bots, from the first card to the file.

`phalera demo` plays it and narrates it. Everything follows from the seed (replay.writing.in_memory), so the same
seed produces the same bytes. Bots can be quick to ruin an army: the usual seed gives a battle of some length.
"""

from collections.abc import Iterator, Mapping, Sequence

from domain.basics.errors import BrokenInvariant
from domain.contract.ruleset import Ruleset
from domain.log.record import Recorded
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock, name_of, scenario_table
from server.offline.showing import Style, plainly
from server.play.narrator import Narrator

MOST_ORDERS = 20_000


def seated(ruleset: Ruleset, scenario: str, seed: int, bots: Mapping[str, str]) -> OfflineBattle:
    """A packaged scenario, or the one in a file, before its first order.

    Raises:  Refusal for a scenario that does not exist or is not valid
    """
    table = scenario_table(ruleset, scenario)
    name = f"{ruleset.code} {name_of(scenario)} {seed} 1"
    battle = OfflineBattle(ruleset, table, SeededClock(name), SeededEntropy(name))
    for side, bot in bots.items():
        battle.seat_bot(side, bot)
    return battle


def play_out(battle: OfflineBattle) -> None:
    """Let the bots play on to the end.

    Raises:  BrokenInvariant if the battle does not end
    """
    for _ in range(MOST_ORDERS):
        if battle.recording.battle.ended:
            return
        battle.bot_order()
    raise BrokenInvariant(f"{battle.recording.gid}: no end after {MOST_ORDERS} orders")


def tell(battle: OfflineBattle, style: Style = plainly) -> Iterator[str]:
    """A finished battle as blocks of text, as a spectator would have seen it."""
    herald = Narrator(battle.recording)
    for block in herald.hear(tuple(battle.events())):
        yield style(block, herald.scene())
    yield style(f"\n{herald.board()}", herald.scene())


def watch(battle: OfflineBattle, style: Style = plainly) -> Iterator[str]:
    """A battle as it is fought: the bots order while it is told.

    Raises:  BrokenInvariant if the battle does not end
    """
    herald = Narrator(battle.recording)
    news: Sequence[Recorded] = tuple(battle.events())
    for _ in range(MOST_ORDERS):
        for block in herald.hear(news):
            yield style(block, herald.scene())
        if battle.recording.battle.ended:
            yield style(f"\n{herald.board()}", herald.scene())
            return
        news = battle.bot_order()
    raise BrokenInvariant(f"{battle.recording.gid}: no end after {MOST_ORDERS} orders")
