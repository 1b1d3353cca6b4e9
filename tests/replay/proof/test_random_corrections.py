"""Battles of chance with rulings of chance, as a host records them: every file of them verifies.

While they run and when they are over, with whatever is sealed; the battle folds again from its log, and each side from
what it may know.
"""

import random

import pytest

from benchmarks.random_play import GAMES, Dealt, ruling
from domain.basics.errors import Refusal
from domain.contract.ruleset import NOBODY
from domain.engine.state import SIDES
from domain.events.battle import Corrected
from domain.run.bots import BOTS
from domain.run.decide import to_act
from replay.proof.verify import NOT_ALL_JUDGED, OK, verify
from tests.support.lanes import sampled, thinned
from tests.support.umpire import Umpired

MOST_ORDERS, RULINGS, LOOKS = 150, 6, 40
"""Orders of a battle; of how many one is preceded by a ruling, and one by a look at the file so far."""


def play(battle: Umpired, seed: int) -> None:
    """Orders of chance up to the end; after enough of them a side resigns."""
    ruleset, pick = battle.ruleset, random.Random(f"recorded {seed}")
    battle.name_umpire()
    for _ in range(MOST_ORDERS):
        if battle.game.winner is not None:
            return
        if pick.randrange(RULINGS) == 0:
            rule(battle, pick)
        if pick.randrange(LOOKS) == 0:
            judge(battle, (OK, NOT_ALL_JUDGED))
            for reader in (*SIDES, NOBODY):
                folded = battle.folded(reader).now.game  # it may know more: a card that is open on the table
                assert ruleset.secrets.known(folded, reader) == ruleset.secrets.known(battle.game, reader)
        side = to_act(ruleset, battle.game)[0]
        known = ruleset.secrets.known(battle.game, side)
        listed = ruleset.orders.options(known, side)
        battle.order(side, BOTS["random"](ruleset, known, side, listed, Dealt(pick)))
    if battle.game.winner is None:
        battle.order("south", "resign")


def rule(battle: Umpired, pick: random.Random) -> None:
    """Rule on the newest docket; north raises another one."""
    text, facts = ruling(GAMES[battle.ruleset.code], battle.game, pick)
    if facts:
        battle.correct(text, f"d{len(battle.recording.battle.disputes.dockets)}")
        battle.order("north", "dispute 1 facts And what about this?")


def judge(battle: Umpired, exits: tuple[int, ...]) -> int:
    report = verify(battle.file())
    assert report.fault is None
    assert report.exit in exits
    return report.corrected


@pytest.mark.slow
@pytest.mark.parametrize("seed", thinned(sampled(range(1, 9), 4), 2))
@pytest.mark.parametrize("code", GAMES)
def test_every_file_of_a_battle_with_rulings_holds(code: str, seed: int):
    _, table = GAMES[code].battle(seed, random.Random(f"recorded {code} {seed}"))
    battle = Umpired(table, seed)
    play(battle, seed)
    events = (entry.event for entry in battle.recording.timeline.events)
    assert judge(battle, (OK,)) == sum(len(event.facts) for event in events if isinstance(event, Corrected))
    assert battle.again().battle.game == battle.game


def test_a_battle_goes_on_after_a_refused_ruling():
    _, table = GAMES["tts"].battle(1, random.Random("refused"))
    battle = Umpired(table)
    battle.name_umpire()
    before = len(battle.rows)
    with pytest.raises(Refusal):
        battle.correct("set medals south 9999")
    assert len(battle.rows) == before
