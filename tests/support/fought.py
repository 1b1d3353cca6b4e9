"""A demo that is fought to its end at once."""

from collections.abc import Mapping

from domain.contract.ruleset import Ruleset
from replay.writing.in_memory import OfflineBattle
from server.offline import demo

SCENARIO, SEED = "zama", 2
BOTS = {"south": "sensible", "north": "sensible"}


def fought(
    ruleset: Ruleset, scenario: str = SCENARIO, seed: int = SEED, bots: Mapping[str, str] = BOTS
) -> OfflineBattle:
    """A packaged scenario, or the one in a file, fought by bots; the usual seed gives a battle of some length.

    Raises:  Refusal for a scenario that does not exist or is not valid
    """
    battle = demo.seated(ruleset, scenario, seed, bots)
    demo.play_out(battle)
    return battle
