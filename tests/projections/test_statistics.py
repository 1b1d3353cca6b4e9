"""The statistics of a small battle agree with a count by hand."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.events.battle import CardDrawn, Corrected, DieRolled, Event, Fact
from domain.games.to_the_strongest.chapters.activation import ActivationFailed, ActivationPassed
from domain.games.to_the_strongest.chapters.decisions import DecisionAsked, DecisionMade
from domain.games.to_the_strongest.chapters.losses import HitMissed, HitScored, SaveFailed, SaveMade
from domain.games.to_the_strongest.chapters.medals import MedalsTransferred
from domain.games.to_the_strongest.chapters.replays import CardReplayed
from domain.games.to_the_strongest.state.state import State
from domain.log.record import Recorded, decode
from domain.mechanics.trial import Trial
from domain.run.timeline import catalogue_of
from projections import statistics
from projections.database import ModelReader
from projections.statistics import BattleStatistics, DrawTally, SideStatistics, Trials, battle_statistics
from tests.projections.kept import caught_up
from tests.projections.played import RULES, MemoryLog, Played, at

ROOT = Path(__file__).parents[2]


def drawn(side: str, index: int, card: str, purpose: str, unit: str) -> CardDrawn:
    """The index-th card of a deck of 80."""
    return CardDrawn(
        deck=side,
        epoch=1,
        index=index,
        card=card,
        purpose=purpose,
        unit=unit,
        scope=f"draw:{side}",
        t=1,
        remaining=80 - index,
    )


def recorded(lines: list[bytes]) -> list[Recorded]:
    return [decode(line, catalogue_of(RULES)) for line in lines]


def counted(played: Played, side: str) -> SideStatistics:
    statistics_ = battle_statistics(RULES, recorded(played.lines))
    return next(each for each in statistics_.counted if each.side == side)


@pytest.fixture
def small_battle() -> Played:
    """Two activations, one of them replayed, a hit saved and a hit not saved, one medal."""
    played = Played("aaaaaaaa").begin()
    asked = DecisionAsked("south", "replay", "R2", ("yes", "no"), purpose="activation", card=1, needed=9)
    played.log(
        drawn("south", 1, "7h1", "activation", "R1"),
        ActivationPassed("R1", "charge", 3, 7, (), ()),
        drawn("south", 2, "8c1", "hit", "R1"),
        HitScored("R1", "N1", 6, 8, (), "charge"),
        by="south",
    )
    played.log(drawn("north", 1, "9c1", "save", "N1"), SaveMade("N1", 7, 9, (), "charge"), by="north")
    played.log(
        drawn("south", 3, "6c1", "hit", "R1"),
        HitScored("R1", "N1", 6, 6, (), "charge"),
        by="south",
    )
    played.log(
        drawn("north", 2, "2c1", "save", "N1"),
        SaveFailed("N1", 7, 2, (), "charge"),
        MedalsTransferred("north", "south", 1, "camp", "N1", 5),
        by="north",
    )
    played.log(
        drawn("south", 4, "1c1", "activation", "R2"),
        asked,
        DecisionMade("south", "replay", "R2", "yes", False, with_="G1"),
        drawn("south", 5, "2c1", "activation", "R2"),
        CardReplayed("R2", "G1", "activation", 1, 2, "senior"),
        ActivationFailed("R2", "move", 9, 2, (), ()),
        by="south",
    )
    return played


def test_hand_counted(small_battle: Played) -> None:
    south, north = counted(small_battle, "south"), counted(small_battle, "north")
    # south activates: 64 of 80 reach 3; then 9s and 10s, 16 of 77, for a card and, with 76 left, for its replay
    activations = 8000 + 2078 + 2105
    # south hits: of 79 cards 40 reach 6 less the 7 drawn, 39; of 78 the 8 is gone too, 38
    hits = 4937 + 4872
    assert south.trials == (Trials("activation", 1, 1, 3, 1, activations), Trials("hit", 2, 0, 2, 2, hits))
    # north saves: 32 of 80 reach 7; the 9 saved, 31 of 79
    assert north.trials == (Trials("save", 1, 1, 2, 1, 4000 + 3924),)
    assert south.draws == (
        DrawTally("activation", 1, 1),
        DrawTally("activation", 2, 1),
        DrawTally("activation", 7, 1),
        DrawTally("hit", 6, 1),
        DrawTally("hit", 8, 1),
    )
    assert (south.lost, north.lost, south.gained, north.gained) == (0, 1, 0, 0)


def test_what_a_rewind_takes_back_is_counted_apart(small_battle: Played) -> None:
    before = battle_statistics(RULES, recorded(small_battle.lines))
    start = len(Played("aaaaaaaa").begin().lines)
    small_battle.rewind(start)
    taken_back = battle_statistics(RULES, recorded(small_battle.lines))
    nothing = (SideStatistics("south"), SideStatistics("north"))
    assert taken_back == BattleStatistics(counted=nothing, voided=before.counted)
    # the decks are whole again: the same card is as likely as at first, and counts once
    small_battle.log(
        drawn("south", 1, "5h1", "hit", "R1"),
        HitMissed("R1", "N1", 6, 5, (), "charge"),
        by="south",
    )
    assert counted(small_battle, "south").trials == (Trials("hit", 0, 1, 1, 0, 5000),)
    assert battle_statistics(RULES, recorded(small_battle.lines)).voided == before.counted


def test_the_read_model_says_the_same(tmp_path, three_battles) -> None:
    log = MemoryLog()
    with closing(caught_up(tmp_path / "live.db", log)) as runner, closing(ModelReader(tmp_path / "live.db")) as reader:
        log.extend(*three_battles)
        runner.catch_up()
        for played in three_battles:
            assert statistics.of_battle(reader, played.battle) == battle_statistics(RULES, recorded(played.lines))
        assert any(side.trials for side in statistics.of_battle(reader, three_battles[-1].battle).voided)


def test_every_card_of_a_whole_battle_is_counted(three_battles) -> None:
    events = recorded(three_battles[0].lines)
    found = battle_statistics(RULES, events)
    cards = [each.event for each in events if isinstance(each.event, CardDrawn)]
    assert sum(draws.count for side in found.counted for draws in side.draws) == len(cards) > 50
    activations = [each for each in events if isinstance(each.event, ActivationPassed | ActivationFailed)]
    trials = [trial for side in found.counted for trial in side.trials if trial.purpose == "activation"]
    assert sum(trial.passed + trial.failed for trial in trials) == len(activations)
    assert all(0 < trial.expected <= statistics.SCALE * trial.draws for trial in trials)


class ShotTried(Event, frozen=True, gc=False):
    """A test of a game with dice."""

    unit: str
    needed: int
    last: int


def shot(state: State, fact: Fact) -> Trial | None:
    event = fact.event
    if not isinstance(event, ShotTried):
        return None
    return Trial(side=fact.by, purpose="", units=(event.unit,), draws=(event.last,), needed=event.needed)


SHOOTING = replace(RULES, draws=replace(RULES.draws, trial=shot))


def test_dice_need_no_deck() -> None:
    events = [*recorded(Played("aaaaaaaa").begin().lines)]
    for event in (
        DieRolled("dice", 1, 1, 6, 5, "shot", "A"),
        DieRolled("dice", 1, 2, 6, 2, "shot", "A"),
        ShotTried("A", 4, 2),
        DieRolled("dice", 1, 3, 4, 1, "panic", "B"),
        ShotTried("B", 2, 1),
    ):
        events.append(Recorded(len(events) + 1, at(9), "south", "T", type(event).__name__, event))
    south = battle_statistics(SHOOTING, events).counted[0]
    assert south.trials == (Trials("panic", 0, 1, 1, 0, 7500), Trials("shot", 0, 1, 2, 1, 10_000))
    assert south.draws == (DrawTally("panic", 1, 1), DrawTally("shot", 2, 1), DrawTally("shot", 5, 1))


OFFLINE = """
import sys
for name in ("sqlite_utils", "sqlite3", "aiohttp", "eventsourcing"):
    sys.modules[name] = None
from projections.statistics import battle_statistics
import projections.catalogue
"""


@pytest.mark.slow
def test_a_bare_file_can_be_counted_without_a_database() -> None:
    subprocess.run([sys.executable, "-c", OFFLINE], cwd=ROOT, check=True)


def test_what_an_umpire_sets_is_neither_lost_nor_gained(small_battle: Played):
    before = counted(small_battle, "south")
    medals = ("MedalsSet", {"side": "south", "before": 6, "left": 2})
    small_battle.log(Corrected("d1", (medals,)))
    after = counted(small_battle, "south")
    assert (after.lost, after.gained) == (before.lost, before.gained)
    small_battle.log(MedalsTransferred("south", "north", 1, "camp", "R1", 1), by="south")
    assert counted(small_battle, "south").lost == before.lost + 1
