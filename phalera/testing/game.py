"""A game under test: where its files are, what it can do, and a whole battle of it between random bots."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib.resources.abc import Traversable
from typing import Any

from msgspec import Struct

from domain.basics.data import has_data, scenario_names
from domain.basics.errors import Refusal
from domain.basics.installed import installed, the_one
from domain.catalogue import RULESETS
from domain.contract.ruleset import DrawRules, OrderRules, Ruleset, SecrecyRules
from replay import battle_file
from replay.battle_file import BattleFile
from replay.catalogue import shown_of
from replay.telling.words.catalogue import game_catalogue
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock, scenario_table

MOST_ORDERS = 4000
"""Orders by which a battle between random bots must be over."""
ENOUGH_EVENTS = 400
"""How many events of random battles are told and explained at least."""
SEED = "phalera.testing"


class GameFault(AssertionError):
    """Something does not hold; the text says what, and of what."""


def require(holds: object, fault: str) -> None:
    """Raises: GameFault, if something does not hold"""
    if not holds:
        raise GameFault(fault)


class Game(Struct, frozen=True, dict=True):
    """An installed game by its code; what is expensive is made once.

    Raises: Refusal core.broken-game, core.two-games; KeyError for a code that is not installed
    """

    code: str

    @cached_property
    def ruleset(self) -> Ruleset:
        """Its `Ruleset`."""
        return RULESETS[self.code]

    @cached_property
    def folder(self) -> Traversable | None:
        """The folder of its package; None for a game that is a single module."""
        return the_one(self.code, installed()).folder()

    def files(self, folder: str, ending: str) -> list[Traversable]:
        """Its files below a folder of its package, at any depth, by name."""
        place = self.folder.joinpath(folder) if self.folder else None
        return sorted(_below(place, ending), key=str) if place is not None and place.is_dir() else []

    def opening(self, scenario: str = "") -> dict[str, Any]:
        """The table of a scenario, by default of the first; the smallest there is for a game without scenarios."""
        name = scenario or next(iter(scenario_names(self.code)), "")
        return scenario_table(self.ruleset, name) if name else {"ruleset": self.code}

    def seated(self, scenario: str = "", seed: str = SEED) -> OfflineBattle:
        """A battle between random bots, to be played."""
        battle = OfflineBattle(self.ruleset, self.opening(scenario), SeededClock(seed), SeededEntropy(seed))
        for side in self.ruleset.seats.names:
            battle.seat_bot(side, "random")
        return battle

    @cached_property
    def content(self) -> bytes:
        """The file of a battle between random bots, played until it is over."""
        return self._played(SEED)

    def _played(self, seed: str) -> bytes:
        battle = self.seated(seed=seed)
        for _ in range(MOST_ORDERS):
            if battle.recording.battle.ended:
                break
            battle.bot_order()
        return battle.file()

    @cached_property
    def battle(self) -> BattleFile:
        """That battle, read."""
        return battle_file.parse(self.content, self.code)

    @cached_property
    def battles(self) -> tuple[BattleFile, ...]:
        """That battle, and others where it is short: as many as it takes to see what may happen in the game."""
        found = [self.battle]
        while sum(battle.last for battle in found) < ENOUGH_EVENTS:
            found.append(battle_file.parse(self._played(f"{SEED} {len(found)}"), self.code))
        return tuple(found)


def _below(folder: Traversable, ending: str) -> Iterator[Traversable]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _below(entry, ending)
        elif entry.name.endswith(ending):
            yield entry


class Ability(Struct, frozen=True):
    """What a game may do and need not: how it is declared, and what a game has by it."""

    name: str
    declared: str
    gives: str
    has: Callable[[Game], object]


def _differs(group: type[Any], part: str, member: str) -> Callable[[Game], object]:
    """Whether a function of a game's group is not the default."""
    default = dict(zip(_optional(group), group.__struct_defaults__, strict=True))[member]
    return lambda game: getattr(getattr(game.ruleset, part), member) is not default


def _optional(group: type[Any]) -> tuple[str, ...]:
    fields: tuple[str, ...] = group.__struct_fields__
    return fields[len(fields) - len(group.__struct_defaults__) :]


def _can_resign(game: Game) -> bool:
    try:
        return bool(game.ruleset.read("resign"))
    except Refusal:
        return False


ABILITIES: Mapping[str, Ability] = {
    ability.name: ability
    for ability in (
        Ability(
            "scenarios",
            "data/game.toml and data/scenarios/",
            "battles that are opened by a name",
            lambda game: scenario_names(game.code),
        ),
        Ability(
            "words",
            "locale/en/LC_MESSAGES/CODE.po",
            "sentences in place of ids",
            lambda game: game_catalogue(game.code, "en"),
        ),
        Ability(
            "french",
            "locale/fr/LC_MESSAGES/CODE.po",
            "the same in French",
            lambda game: game_catalogue(game.code, "fr"),
        ),
        Ability(
            "rules",
            "data/rules.toml",
            "rules in sentences, in `why` and on a page",
            lambda game: has_data(game.code, "rules.toml"),
        ),
        Ability(
            "help",
            "shown.help",
            "a page of notation, and examples in letters",
            lambda game: game.ruleset.shown.help("en"),
        ),
        Ability(
            "resigning", "`resign` and `offer draw` in orders.parse", "giving up, and draws by agreement", _can_resign
        ),
        Ability("goal", "shown.goal", "what wins, in a sentence on the pages", lambda game: game.ruleset.shown.goal),
        Ability("trials", "draws.trial", "odds in `why`, luck in statistics", _differs(DrawRules, "draws", "trial")),
        Ability("stake", "draws.stake", "luck in what decides the game", _differs(DrawRules, "draws", "stake")),
        Ability(
            "scripts",
            "orders.senses.orders",
            "examples of scripts on the page of notation",
            lambda game: game.ruleset.orders.senses.orders,
        ),
        Ability(
            "standing",
            "orders.standing",
            "standing orders that answer in advance",
            _differs(OrderRules, "orders", "standing"),
        ),
        Ability(
            "secrets", "secrets.fields", "facts that only one side knows", _differs(SecrecyRules, "secrets", "fields")
        ),
        Ability(
            "bots", "bots", "opponents that weigh their orders; `random` plays any game", lambda game: game.ruleset.bots
        ),
        Ability("armies", "armies", "armies of points that players bring", lambda game: game.ruleset.armies),
        Ability(
            "heraldry", "data/heraldry.toml", "shields of the sides", lambda game: has_data(game.code, "heraldry.toml")
        ),
        Ability(
            "sheets", "data/aids/NAME.toml", "play-aid sheets (`phalera aids`)", lambda game: shown_of(game.code).sheets
        ),
        Ability("cases", "cases/", "rules shown at work, one by one", lambda game: game.files("cases", ".toml")),
        Ability("golden", "golden/", "old battles that must stay valid", lambda game: game.files("golden", ".battle")),
    )
}
"""All of them, by name, in the order in which a game usually gets them."""
