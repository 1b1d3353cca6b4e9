"""Games are found by the entry points of what is installed, Phalera's own like anybody's."""

import tomllib
from pathlib import Path

import pytest

from domain.basics.data import games
from domain.basics.errors import Refusal
from domain.basics.installed import GROUP, OWN, Installed, found, installed
from domain.catalogue import RULESETS, LoadedGames
from tests.support.distributions import TOYS, distribution
from tests.toys.duel import TOY
from tests.toys.tug import TUG

ROOT = Path(__file__).parents[3]


def refused(code: str, folder: Path) -> Refusal:
    """The refusal of a game that is asked for by its code."""
    with pytest.raises(Refusal) as refusal:
        LoadedGames(found([str(folder)]))[code]
    return refusal.value


def test_the_games_of_a_distribution_are_found_and_loaded(tmp_path: Path) -> None:
    listed = LoadedGames(found([str(distribution(tmp_path, "phalera-toys", TOYS))]))
    assert [*listed] == [*TOYS]
    assert (listed["toy"], listed["tug"]) == (TOY, TUG)
    assert listed["tug"] is listed["tug"]


def test_our_own_games_are_entry_points_like_any() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        named = tomllib.load(file)["project"]["entry-points"][GROUP]
    assert sorted(named) == sorted(RULESETS)
    for code, (row,) in installed().items():
        if row.distribution == OWN:
            assert named[code] == f"{row.module}:{row.name}"
    folders = {path.parents[1].name for path in (ROOT / "domain" / "games").glob("*/data/game.toml")}
    assert folders == {value.partition(":")[0].rpartition(".")[2] for value in named.values()}


def test_a_work_tree_that_was_not_installed_anew_has_its_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("domain.basics.installed.metadata.distributions", lambda: ())
    assert sorted(found()) == sorted(games())
    assert all(row.distribution == OWN for (row,) in found().values())


def test_a_game_that_two_distributions_bring_is_refused_with_both(tmp_path: Path) -> None:
    distribution(tmp_path, "phalera-one", {"tug": TOYS["tug"], "toy": TOYS["toy"]})
    distribution(tmp_path, "phalera-two", {"tug": TOYS["tug"]}, "2.5")
    refusal = refused("tug", tmp_path)
    assert (refusal.code, refusal.rule) == ("core.two-games", "CORE-OPEN")
    assert refusal.params == {"game": "tug", "known": ["phalera-one 1.0", "phalera-two 2.5"]}
    assert LoadedGames(found([str(tmp_path)]))["toy"] is TOY


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("nowhere_at_all:RULESET", "ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("tests.toys.tug:NOTHING", "AttributeError: module 'tests.toys.tug' has no attribute 'NOTHING'"),
        ("tests.toys.tug:GOAL", "tests.toys.tug:GOAL is no Ruleset"),
        ("tests.toys.duel:TOY", "tests.toys.duel:TOY is of the game 'toy'"),
    ],
)
def test_a_broken_entry_point_is_refused_with_its_distribution(tmp_path: Path, value: str, reason: str) -> None:
    distribution(tmp_path, "phalera-broken", {"tug": value}, "0.1")
    refusal = refused("tug", tmp_path)
    assert (refusal.code, refusal.rule) == ("core.broken-game", "CORE-OPEN")
    assert refusal.params == {"game": "tug", "distribution": "phalera-broken 0.1", "reason": reason}


@pytest.mark.parametrize(
    ("module", "has_one"), [("domain.games.singidunum", True), ("tests.toys.tug", False), ("nowhere.at_all", False)]
)
def test_a_game_has_the_folder_of_its_package(module: str, has_one: bool) -> None:
    folder = Installed("any", module, "RULESET", OWN, "1").folder()
    assert (folder is not None) == has_one
    assert folder is None or folder.joinpath("data", "game.toml").is_file()
