"""The recipe for a ruleset is true: a toy made by it is short, has its steps in order, and runs through everything."""

import re
from pathlib import Path
from warnings import catch_warnings, simplefilter

import pytest

from domain.contract.ruleset import NOBODY
from projections.statistics import battle_statistics
from replay.drawing.svg import draw_svg
from replay.drawing.text import draw_text
from replay.lab.lab import run_case
from replay.proof.verify import verify
from replay.telling.why import explain, to_text
from tests.toys import tug
from tests.toys.played import events_of, recorded
from tests.toys.tug import TUG

ROOT = Path(__file__).parents[3]
RECIPE = ROOT / "docs" / "adding-a-ruleset.md"
MOST_LINES = 150
GAMES = {"tug": TUG}
ORDERS = ["south: heave", "north: pull"] * 99

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.MissingSentence")


def headings(text: str) -> list[str]:
    return re.findall(r"^# --- (.+)$", text, re.M)


def test_the_toy_is_short() -> None:
    assert tug.__file__
    assert len(Path(tug.__file__).read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_the_toy_has_the_steps_of_the_recipe_in_their_order() -> None:
    steps = re.findall(r"^\d+\. \*\*(.+?)\*\*", RECIPE.read_text(encoding="utf-8"), re.M)
    assert len(steps) >= 12
    *found, last = headings(Path(tug.__file__).read_text(encoding="utf-8"))
    assert found == [step for step in steps if step in found]
    assert len(found) >= 8
    assert last in steps  # step 5, which stands at the end where all is in one file


def test_a_case_of_it_runs() -> None:
    case = {
        "ruleset": "tug",
        "orders": ["south: heave", "north: heave", "north: pull", "south: pull"],
        "dice": {"south": [5, 3], "north": [4]},
        "expect": [{"type": "Pulled", "rule": "TUG-02", "data": {"knot": -2}}],
        "reject": [{"order": 2, "code": "tug.out-of-breath"}],
        "final": {"knot": -1, "active": "north", "waiting": None},
    }
    assert run_case(case, GAMES).failures == []


@pytest.mark.parametrize("line", ["pull", "heave", "tire", "hisse", "resign", "offer draw"])
def test_its_orders_read_back(line: str) -> None:
    command = TUG.orders.parse(line)
    for lang in ("en", "fr"):
        assert TUG.orders.parse(TUG.orders.write(command, lang)) == command


def test_its_battle_is_proved_explained_counted_and_drawn() -> None:
    recording, content = recorded(TUG, ORDERS)
    assert recording.battle.ended and recording.battle.game.how == "pulled"
    report = verify(content, rulesets=GAMES)
    assert (report.exit, report.fault, report.ended) == (0, None, True)
    events = events_of(TUG, content)
    at = next(recorded.n for recorded in events if recorded.type == "DieRolled")
    with catch_warnings():
        simplefilter("ignore")
        told = to_text(explain(TUG, TUG.rules.initial, events[:at], events[at:]))
    assert "Odds then: 2 in 6 (a roll of 5 or more)." in told
    trials = [trial for side in battle_statistics(TUG, events).counted for trial in side.trials]
    assert {trial.purpose for trial in trials} == {"pull"} and sum(trial.draws for trial in trials) > 2
    scene = TUG.shown.view(recording.battle.game, NOBODY)
    assert draw_svg(scene).startswith("<svg") and draw_text(scene)
