"""What a film shows: all that a stranger may hear of a battle, of every game, and nothing sealed."""

from pathlib import Path

import msgspec
import pytest

from replay import battle_file
from replay.reports import plain
from replay.reports.film.reel import ReelMoment, reel_of
from replay.reports.film.splices import joined
from replay.telling.why import explain, to_text

GOLDEN = Path(__file__).parents[3] / "golden"
FILES = ("medals", "ruling", "blind", "shot-loire")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.slow
def test_each_event_that_a_spectator_hears_has_its_board_and_its_sentence(name: str, lang: str) -> None:
    battle = battle_file.load(str(GOLDEN / f"{name}.battle"), lang)
    reel, heard = reel_of(battle, lang), list(plain.plain_events(battle.events))
    assert [moment.n for moment in reel.moments] == [recorded.n for recorded in heard]
    boards = list(joined(reel.pieces, reel.splices))
    assert len(boards) == len(heard) and boards[-1] == reel.final
    for moment in reel.moments[:: len(heard) // 12 or 1]:
        assert moment.said == plain.said_to(battle, moment.n, "", lang)
        assert moment.said not in moment.why.splitlines()
        tally = battle.ruleset.shown.tally(battle.timeline.at(moment.n).game)
        assert moment.tally == tuple(tally.get(side, 0) for side in battle.ruleset.seats.names)


@pytest.mark.slow
def test_a_why_is_that_of_the_command() -> None:
    battle = battle_file.load(str(GOLDEN / "medals.battle"))
    moment = next(one for one in reel_of(battle, "en").moments if "needed" in one.said)
    known = battle.ruleset.secrets.known(battle.timeline.at(moment.n - 1).game, "")
    told = to_text(explain(battle.ruleset, known, battle.events[: moment.n], battle.events[moment.n :]))
    assert told.splitlines()[1:] == moment.why.splitlines()


def test_what_a_ruling_took_back_is_marked() -> None:
    reel = reel_of(battle_file.load(str(GOLDEN / "agreement.battle")), "en")
    voided = {moment.n for moment in reel.moments if moment.voided}
    assert voided and voided != {moment.n for moment in reel.moments}


@pytest.mark.slow
def test_nothing_that_was_sealed_is_drawn_before_it_was_opened() -> None:
    battle = battle_file.load(str(GOLDEN / "blind.battle"))
    reel, shown = reel_of(battle, "en"), 0
    for moment, board in zip(reel.moments, joined(reel.pieces, reel.splices), strict=True):
        units = battle.timeline.at(moment.n).game.units.values()
        public = plain.known_at(battle, moment.n).units
        secret = [unit.id for unit in units if unit.box and not public[unit.id].box]
        shown += len(secret)
        assert not [unit for unit in secret if f'data-unit="{unit}"' in board]
    assert shown


def test_a_moment_is_written_as_the_script_reads_it() -> None:
    """`film_page.js` takes members by their place."""
    moment = ReelMoment(7, "said", "why", (1, 2), ("+1", "-1"), begins=True, is_order=False, voided=True)
    assert msgspec.json.decode(msgspec.json.encode(moment)) == [
        7,
        "said",
        "why",
        [1, 2],
        ["+1", "-1"],
        True,
        False,
        True,
    ]
