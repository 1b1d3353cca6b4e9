"""The tests of any game, for whoever writes one: `phalera game check`, or each as a test of pytest.

    @pytest.mark.parametrize("check", checks_of("duel"), ids=str)
    def test_the_game_is_whole(check: Check) -> None:
        check.run()

What a game may leave out is an *ability* (`ABILITIES`): a check of an ability that a game does not declare is none of
its checks. `missing` names those abilities, with what a game gets by each.
"""

from phalera.testing import playing, proving, serving, showing
from phalera.testing.check import RULES, Check
from phalera.testing.game import ABILITIES, Ability, Game, GameFault

__all__ = ["ABILITIES", "Ability", "Check", "Game", "GameFault", "checks_of", "missing"]

MODULES = (playing, proving, showing, serving)
"""The modules whose functions are checks, in their order."""


def checks_of(code: str) -> list[Check]:
    """The checks of an installed game: those that any game has to pass, and those of its abilities.

    Raises: Refusal core.broken-game, core.two-games; KeyError for a code that is not installed
    """
    game = Game(code)
    found = {ability.name for ability in ABILITIES.values() if ability.has(game)}
    return [Check(game, rule) for rule in RULES if not rule.ability or rule.ability in found]


def missing(game: Game) -> list[Ability]:
    """The abilities that a game does not declare."""
    return [ability for ability in ABILITIES.values() if not ability.has(game)]
