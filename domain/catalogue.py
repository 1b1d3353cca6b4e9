"""The only list of games. Each is loaded when somebody asks for it: a command needs one of them, as a rule."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache

from domain.engine.armies import ArmyBook
from domain.engine.errors import Refusal
from domain.ruleset import Ruleset


def _to_the_strongest() -> Ruleset:
    from domain.games.to_the_strongest import RULESET

    return RULESET


def _singidunum() -> Ruleset:
    from domain.games.singidunum import RULESET

    return RULESET


def _warmaster_shooting() -> Ruleset:
    from domain.games.warmaster_shooting import RULESET

    return RULESET


class LoadedGames(Mapping[str, Ruleset]):
    """Games by code. Codes are known without loading anything; a game is loaded once."""

    def __init__(self, loaders: Mapping[str, Callable[[], Ruleset]]) -> None:
        self._loaders = loaders

    def __getitem__(self, code: str) -> Ruleset:
        return self._loaders[code]()

    def __contains__(self, code: object) -> bool:
        return code in self._loaders

    def __iter__(self) -> Iterator[str]:
        return iter(self._loaders)

    def __len__(self) -> int:
        return len(self._loaders)


RULESETS: Mapping[str, Ruleset] = LoadedGames(
    {"tts": _to_the_strongest, "singidunum": _singidunum, "warmaster-shooting": _warmaster_shooting}
)


@cache
def army_books() -> Mapping[str, ArmyBook]:
    """The armies of each game that has some."""
    return {code: ruleset.armies for code, ruleset in RULESETS.items() if ruleset.armies}


def army_game(ruleset: str) -> str:
    """The code of a game with armies: the one named, or the only one if none is.

    Raises: Refusal core.no-armies, core.which-game, with the games that have some
    """
    known = sorted(army_books())
    if ruleset and ruleset not in known:
        raise Refusal("core.no-armies", "CORE-OPEN", ruleset=ruleset, known=known)
    if not ruleset and len(known) != 1:
        raise Refusal("core.which-game", "CORE-OPEN", known=known)
    return ruleset or known[0]


def army_book(ruleset: str) -> ArmyBook:
    """The armies of a game; "" stands for the only one that has some.

    Raises: Refusal core.no-armies, core.which-game, with the games that have some
    """
    return army_books()[army_game(ruleset)]
