"""The games by code, as they are installed. Each is loaded when it is asked for: a command needs one, as a rule."""

from collections.abc import Iterator, Mapping
from functools import cache

from domain.basics.data import place_of
from domain.basics.errors import Refusal
from domain.basics.installed import Installed, installed, the_one
from domain.contract.armies import ArmyBook
from domain.contract.ruleset import Ruleset


class LoadedGames(Mapping[str, Ruleset]):
    """Games by code. Codes are known without loading anything; a game is loaded once.

    Raises: Refusal core.broken-game, core.two-games from whoever asks for such a game; the others are not disturbed
    """

    def __init__(self, rows: Mapping[str, tuple[Installed, ...]]) -> None:
        self._rows = rows
        self._loaded: dict[str, Ruleset] = {}

    def __getitem__(self, code: str) -> Ruleset:
        if code not in self._loaded:
            self._loaded[code] = _ruleset(the_one(code, self._rows))
        return self._loaded[code]

    def __contains__(self, code: object) -> bool:
        return code in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


def _ruleset(row: Installed) -> Ruleset:
    """What an entry point names, if it is the game that it says."""
    ruleset = row.load()
    if not isinstance(ruleset, Ruleset):
        raise row.broken(f"{row.module}:{row.name} is no Ruleset")
    if ruleset.code != row.code:
        raise row.broken(f"{row.module}:{row.name} is of the game {ruleset.code!r}")
    return ruleset


RULESETS: Mapping[str, Ruleset] = LoadedGames(
    {code: installed()[code] for code in sorted(installed(), key=lambda code: (place_of(code), code))}
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
