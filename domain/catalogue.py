"""The only list of games."""

from collections.abc import Mapping

from domain.engine.armies import ArmyBook
from domain.engine.errors import Refusal
from domain.games.singidunum import RULESET as SINGIDUNUM
from domain.games.to_the_strongest import RULESET as TO_THE_STRONGEST
from domain.games.warmaster_shooting import RULESET as WARMASTER_SHOOTING
from domain.ruleset import Ruleset

GAMES = (TO_THE_STRONGEST, SINGIDUNUM, WARMASTER_SHOOTING)
RULESETS: Mapping[str, Ruleset] = {ruleset.code: ruleset for ruleset in GAMES}

ARMY_BOOKS: Mapping[str, ArmyBook] = {code: ruleset.armies for code, ruleset in RULESETS.items() if ruleset.armies}
"""The armies of each game that has some."""


def army_game(ruleset: str) -> str:
    """The code of a game with armies: the one named, or the only one if none is.

    Raises: Refusal core.no-armies, core.which-game, with the games that have some
    """
    known = sorted(ARMY_BOOKS)
    if ruleset and ruleset not in ARMY_BOOKS:
        raise Refusal("core.no-armies", "CORE-OPEN", ruleset=ruleset, known=known)
    if not ruleset and len(known) != 1:
        raise Refusal("core.which-game", "CORE-OPEN", known=known)
    return ruleset or known[0]


def army_book(ruleset: str) -> ArmyBook:
    """The armies of a game; "" stands for the only one that has some.

    Raises: Refusal core.no-armies, core.which-game, with the games that have some
    """
    return ARMY_BOOKS[army_game(ruleset)]
