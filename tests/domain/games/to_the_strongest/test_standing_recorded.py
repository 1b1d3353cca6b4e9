"""A battle with standing orders of all kinds, as a server keeps it: sealed until they answer, and judged again."""

import random
import tomllib
from functools import cache

import msgspec
import pytest

from domain.basics.errors import Refusal
from domain.contract.ruleset import NOBODY
from domain.games.to_the_strongest import RULESET as TTS
from domain.run.decide import to_act
from replay.proof.verify import verify
from tests.domain.games.to_the_strongest.whims import standing_line
from tests.support.before_the_turns import PHASES
from tests.support.lanes import thinned
from tests.support.playing import MOTLEY, Dice
from tests.support.recorded import Recorded

SCENARIOS = {"motley": MOTLEY, "phases": PHASES}
BATTLES = [("motley", 22), ("motley", 24), ("motley", 38), ("phases", 4), ("phases", 5)]
ORDERS = 160


def a_battle(name: str, seed: int, upto: int = ORDERS) -> Recorded:
    """A battle played at random, in which every third order is a standing one."""
    battle = Recorded(tomllib.loads(SCENARIOS[name]), seed)
    rng, dice = random.Random(seed), Dice(f"standing {name} {seed}")
    for _ in range(upto):
        if battle.game.winner is not None:
            break
        side = to_act(TTS, battle.game)[0]
        if rng.random() < 0.33:
            side = rng.choice(("south", "north"))
            try:
                battle.order(side, standing_line(battle.game, side, dice))
            except Refusal as refusal:
                assert refusal.code in ("tts.never-holds", "core.parse")
            continue
        options = [
            option for option in TTS.orders.options(TTS.secrets.known(battle.game, side), side) if option.kind != "draw"
        ]
        fights = [option for option in options if option.kind in ("charge", "shoot", "answer")]
        battle.order(side, rng.choice(fights if fights and rng.random() < 0.7 else options).order)
    return battle


@cache
def played(name: str, seed: int) -> Recorded:
    """The same, given up in the end."""
    battle = a_battle(name, seed)
    if battle.game.winner is None:
        battle.order("north", "resign")
    return battle


def events_of(battle: Recorded, kind: str) -> list[dict]:
    return [msgspec.json.decode(line)["data"] for name, line, _ in battle.rows if name == kind]


@pytest.mark.slow
@pytest.mark.rule("TTS-TRN-11")
@pytest.mark.parametrize(("name", "seed"), thinned(BATTLES, len(BATTLES)))
def test_a_battle_with_standing_orders_is_judged_again(name, seed):
    battle = played(name, seed)
    report = verify(battle.file())
    assert report.exit == 0, report
    assert not report.is_open


@pytest.mark.slow
def test_those_battles_have_answers_of_every_kind():
    made = [data for name, seed in BATTLES for data in events_of(played(name, seed), "DecisionMade")]
    in_advance = {data["kind"] for data in made if data["standing"]}
    assert in_advance == {"evade", "replay", "join", "shift"}
    assert any(not data["standing"] for data in made)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), thinned(BATTLES, len(BATTLES)))
def test_no_standing_order_is_in_the_log_before_it_answers(name, seed):
    battle = played(name, seed)
    rows = [(kind, msgspec.json.decode(line)) for kind, line, _ in battle.rows]
    given = [row["n"] for kind, row in rows if kind == "StandingOrderSet"]
    opened = {row["data"]["n"]: row["n"] for kind, row in rows if kind == "Unsealed"}
    made = {row["data"]["set_by"]: row["n"] for kind, row in reversed(rows) if row["data"].get("set_by")}
    over = next(row["n"] for kind, row in rows if kind == "BattleEnded")
    assert len(given) > 10 and made
    for kind, row in rows:
        if kind == "StandingOrderSet":
            assert set(row["data"]) == {"side", "topic", "sealed"}
    assert all(made[n] < opened[n] <= over for n in made)
    assert all(opened[n] > over for n in given if n not in made)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), thinned(BATTLES, len(BATTLES)))
def test_everybody_folds_what_he_may_know(name, seed):
    battle = a_battle(name, seed, 60)
    for reader in ("south", "north", NOBODY):
        assert TTS.secrets.known(battle.folded(reader).now.game, reader) == TTS.secrets.known(battle.game, reader)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), thinned(BATTLES, len(BATTLES)))
def test_the_battle_goes_on_the_same_after_a_restart(name, seed):
    battle = a_battle(name, seed, 80)
    assert battle.again().battle == battle.recording.battle
