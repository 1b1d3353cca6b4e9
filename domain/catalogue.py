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

USUAL_GAME = TO_THE_STRONGEST.code
"""The game that is played where nobody says which."""

ARMY_BOOKS: Mapping[str, ArmyBook] = {code: ruleset.armies for code, ruleset in RULESETS.items() if ruleset.armies}
"""The armies of each game that has some."""


def army_book(ruleset: str) -> ArmyBook:
    """The armies of a game.

    Raises: Refusal core.no-armies, with the games that have some
    """
    book = ARMY_BOOKS.get(ruleset)
    if book is None:
        raise Refusal("core.no-armies", "CORE-OPEN", ruleset=ruleset, known=sorted(ARMY_BOOKS))
    return book
