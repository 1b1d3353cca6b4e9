"""What is planted and asked in each game: its chapters, its tests, where its survivors and its page stand."""

from pathlib import Path
from typing import NamedTuple

from tests.mutation.trial import ROOT
from tests.rule_pages import PRG, STP, TTS, WMS, Book
from tests.support.cases import GAMES as CASES
from tests.support.cases import case_files

HERE = Path(__file__).parent


class Game(NamedTuple):
    """A game whose rules are mutated.

    Shape: `chapters` are modules of `package` whose every fault is tried, and whose survivors have been gone through;
           of the `unsifted` some survivors have neither a test nor a reason yet. `unbitten` are rules for which no
           fault is shown, and why; `by_rule` says whether one is shown for each other rule. `whole` are tests that go
           through much at once, such as the phases before the turns or a set-up; they are asked about every fault of
           the chapters `before`.
    """

    book: Book
    package: str
    chapters: tuple[str, ...]
    unsifted: tuple[str, ...] = ()
    unbitten: dict[str, str] = {}
    by_rule: bool = True
    whole: tuple[str, ...] = ()
    before: frozenset[str] = frozenset()

    @property
    def survivors(self) -> Path:
        """The faults that nothing notices, each with the reason why it is harmless."""
        return HERE / ("survivors.toml" if self.book is TTS else f"survivors_{self.book.code}.toml")

    @property
    def page(self) -> Path:
        """The page of the figures."""
        name = "mutation.md" if self.book is TTS else f"mutation-{self.book.code}.md"
        return ROOT / "docs" / name

    @property
    def tests(self) -> str:
        """The folder of the tests of its rules; those of pages, mails and servers that name a rule are not asked."""
        return f"tests/domain/games/{self.book.folder}/"

    @property
    def cases(self) -> list[Path]:
        """Its cases."""
        return case_files(CASES / self.book.code)


_TTS_TESTS = "tests/domain/games/to_the_strongest"
_PRG_TESTS = "tests/domain/games/singidunum"
_WMS_TESTS = "tests/domain/games/warmaster_shooting"
GAMES = {
    "tts": Game(
        book=TTS,
        package="domain.games.to_the_strongest.chapters",
        chapters=(
            *("activation", "command", "zones", "movement", "turning", "groups", "field", "shooting", "charges"),
            *("melee", "aftermath", "saves", "losses", "wounds", "generals", "rally", "evade", "morale", "medals"),
            *("camps", "elephants", "replays", "geometry", "stacking", "targets", "terrain", "armed"),
        ),
        unsifted=(
            *("scouting", "deployment", "placing", "stratagems", "plays", "plays_in_set_up", "plays_in_turns"),
            "ambushes",
        ),
        unbitten={
            "TTS-SHT-04": "the markers at the start stand in units.toml, which case 472 compares",
            "TTS-DIS-02": "the steps stand in units.toml, which case 470 compares; the code only checks the file",
        },
        whole=tuple(f"{_TTS_TESTS}/test_{name}.py" for name in ("secrets", "phases", "options_before")),
        before=frozenset(
            {"scouting", "terrain", "deployment", "placing", "stratagems", "plays", "plays_in_set_up"}
            | {"ambushes", "armed"}
        ),
    ),
    "singidunum": Game(
        book=PRG,
        package="domain.games.singidunum",
        chapters=(
            *("chapters.turns", "chapters.units", "chapters.decisions", "chapters.actions", "chapters.doubles"),
            *("chapters.reaction", "chapters.fight", "chapters.rally", "chapters.retreats", "chapters.second_retreat"),
            *("chapters.generals", "chapters.pursuit", "chapters.shooting", "chapters.stakes", "chapters.points"),
            *("chapters.dice", "chapters.muster", "chapters.deployment", "chapters.movement", "chapters.ambushes"),
            "chapters.combat",
            *("state.board", "state.roster", "state.state", "state.setup"),
        ),
        by_rule=False,
        whole=tuple(f"{_PRG_TESTS}/test_{name}.py" for name in ("roster", "board", "scenario_limits", "secrets")),
        before=frozenset({"muster", "deployment", "ambushes", "board", "roster", "state", "setup"}),
    ),
    "warmaster-shooting": Game(
        book=WMS,
        package="domain.games.warmaster_shooting",
        chapters=(
            *("chapters.turns", "chapters.questions", "chapters.targets", "chapters.sight", "chapters.cover"),
            *("chapters.volleys", "chapters.losses", "chapters.drive_back", "chapters.paths", "chapters.charges"),
            *("chapters.counter_fire", "state.measure", "state.profiles", "state.state", "state.scenario"),
            "state.scenario_checks",
        ),
        by_rule=False,
        whole=(f"{_WMS_TESTS}/test_scenario.py",),
        before=frozenset({"measure", "profiles", "state", "scenario", "scenario_checks"}),
    ),
    "stp": Game(
        book=STP,
        package="domain.games.shot_to_pieces",
        chapters=("chapters.points",),
        unsifted=("chapters.morale", "chapters.replies", "chapters.results"),
        by_rule=False,
    ),
}
