"""How does a whole battle go between two bots, from the first card to the file?

`phalera demo` shows it as it happens. Everything follows from the seed (server.offline), so the same
seed gives the same bytes.
"""

from collections.abc import Callable, Mapping, Sequence

from domain.data import parse_toml, scenario_text
from domain.errors import BrokenInvariant
from domain.record import Recorded
from domain.ruleset import Ruleset
from server.herald import Herald
from server.offline import OfflineBattle, SeededClock, SeededEntropy

SCENARIO = "zama"
SEED = 1
SIDES = {"south": "sensible", "north": "random"}
MOST_ORDERS = 20_000

Tell = Callable[[str], None]


def play_demo(
    ruleset: Ruleset, scenario: str = SCENARIO, seed: int = SEED, bots: Mapping[str, str] = SIDES, tell: Tell | None = None
) -> OfflineBattle:
    """Fight a packaged scenario to its end; `tell` hears it block by block.

    Raises:  Refusal for a scenario that does not exist
    """
    table = parse_toml(scenario_text(ruleset.code, scenario), scenario)
    name = f"{ruleset.code} {scenario} {seed}"
    battle = OfflineBattle(ruleset, table, SeededClock(name), SeededEntropy(name))
    for side, bot in bots.items():
        battle.seat_bot(side, bot)
    hear = _listener(battle, tell)
    hear(tuple(battle.events()))
    for _ in range(MOST_ORDERS):
        if battle.recording.battle.ended:
            return battle
        hear(battle.bot_order())
    raise BrokenInvariant(f"{scenario}, seed {seed}: no end after {MOST_ORDERS} orders")


def _listener(battle: OfflineBattle, tell: Tell | None) -> Callable[[Sequence[Recorded]], None]:
    if tell is None:
        return lambda events: None
    herald = Herald(battle.recording)

    def hear(events: Sequence[Recorded]) -> None:
        for block in herald.hear(events):
            tell(block)
        if battle.recording.battle.ended:
            tell(f"\n{herald.board()}")

    return hear
