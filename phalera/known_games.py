"""The installed games, by code."""

from msgspec import Struct

from domain.basics.data import scenario_names
from domain.catalogue import RULESETS
from domain.run.bots import offered


class KnownGame(Struct, frozen=True):
    """A game: its code, title and version of the rules; the names of its packaged scenarios and of its bots."""

    code: str
    title: str
    version: str
    scenarios: tuple[str, ...]
    bots: tuple[str, ...]


def games() -> dict[str, KnownGame]:
    """All installed games by code, in the order of `phalera games`.

    Raises:  Refusal core.broken-game, core.two-games for a game that cannot be loaded
    """
    return {
        code: KnownGame(code, ruleset.title, ruleset.version, scenario_names(code), offered(ruleset))
        for code, ruleset in RULESETS.items()
    }
