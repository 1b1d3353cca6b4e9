"""Dice that fall right after `TurnBegan` have a scope of their own; what a reader would refuse is never written."""

from itertools import pairwise

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.basics.errors import BrokenInvariant
from domain.events.battle import DieRolled
from domain.log.record import PBEM_2, PBEM_2_1
from domain.mechanics.dice import D6
from replay.lab.lab import run_case
from replay.proof import chain
from replay.proof.blocks import ProtocolFault
from replay.proof.verify import NOT_ALL_JUDGED, OK, verify
from replay.writing.entropy import SeededEntropy
from replay.writing.recording import Recording
from tests.support import messages
from tests.support.looping import some
from tests.support.proving import findings
from tests.support.serving import PHRASE, serving
from tests.toys import gusts, tug
from tests.toys.gusts import GUSTS
from tests.toys.played import AT, events_of, recorded

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.MissingSentence")

GAMES = {"gusts": GUSTS}
ORDERS = ["south: pull", "north: pull"] * 99
CASE = {
    "ruleset": "gusts",
    "orders": ["south: pull", "north: pull"],
    "dice": {"south": [1, 5, 3], "north": [6, 4]},
    "expect": [
        {"type": "DieRolled", "data": {"scope": scope, "index": 1, "t": t, "value": value}}
        for scope, t, value in [
            ("open:south", 1, 1),
            ("dice:south", 1, 5),
            ("open:north", 2, 6),
            ("dice:north", 2, 4),
            ("open:south", 3, 3),
        ]
    ],
}


def dice(content: bytes) -> list[DieRolled]:
    return [entry.event for entry in events_of(GUSTS, content) if isinstance(entry.event, DieRolled)]


def pull_and_roll(judge, side, command):
    """The die of the next turn falls under `dice:…`, before its mover has contributed."""
    tug.decide_pull(judge, side, command)
    judge.roll(judge.state.mover, D6, "gust", rule=gusts.GUST)


EARLY = replace(tug.TUG, orders=replace(tug.TUG.orders, decisions={tug.Pull: pull_and_roll}))


def test_both_scopes_of_a_side_have_one_list_in_a_case() -> None:
    assert run_case(CASE, GAMES).failures == []


def test_a_battle_with_them_is_proven() -> None:
    recording, content = recorded(GUSTS, ORDERS, version=PBEM_2_1)
    report = verify(content, rulesets=GAMES)
    assert (report.exit, report.fault, report.ended) == (OK, None, True)
    assert report.draws == report.checked == len(dice(content)) > 10
    assert recording.battle.ended
    rolled = dice(content)
    assert {die.scope.partition(":")[0] for die in rolled} == {"open", "dice"}
    for before, after in some(pairwise(rolled)):
        assert before.index == 1 and (before.t < after.t or before.scope.startswith("open:"))


def test_one_that_no_key_has_shown_yet_is_bound() -> None:
    report = verify(recorded(GUSTS, ORDERS[:1], version=PBEM_2_1)[1], rulesets=GAMES)
    assert (report.exit, report.draws, report.checked, report.bound) == (NOT_ALL_JUDGED, 3, 2, 1)


def test_a_battle_that_is_read_back_goes_on_with_the_same_dice() -> None:
    played, content = recorded(GUSTS, ORDERS[:3], version=PBEM_2_1)
    again = Recording(played.header, bytes([2]) * 32, GUSTS, lambda: bytes(32))
    log = chain.open_file(content)
    again.recall(list(zip(log.lines, log.hashes[1:], strict=True)), played.vault)
    entry = messages.entry(played, "north", "pull", "north", phrase=PHRASE)
    assert again.order(entry, AT).rows == played.order(entry, AT).rows


@pytest.mark.parametrize(
    ("members", "what"),
    [
        ({"scope": "dice:south"}, "draw-before-contribution"),
        ({"scope": "open:common"}, "scope-label"),
        ({"scope": "draw:south"}, "draw-before-contribution"),
        ({"index": 2}, "index-differs"),
        ({"value": 7}, "die-differs"),
        ({"t": 0}, "other-turn"),
    ],
)
def test_a_lie_about_one_is_found(members: dict[str, object], what: str) -> None:
    content = recorded(GUSTS, ORDERS, version=PBEM_2_1)[1]
    first = next(entry for entry in events_of(GUSTS, content) if isinstance(entry.event, DieRolled))
    assert isinstance(first.event, DieRolled) and first.event.scope == "open:south"
    with pytest.raises(ProtocolFault, match=what):
        findings(GUSTS, content, {first.n: replace(first.event, **members)})


def test_a_battle_of_version_2_has_none() -> None:
    with pytest.raises(BrokenInvariant, match="other-scope"):
        recorded(GUSTS, ORDERS, version=PBEM_2)
    content = recorded(GUSTS, ORDERS, version=PBEM_2_1)[1]
    with pytest.raises(ProtocolFault, match="other-scope"):
        findings(GUSTS, content, {1: replace(events_of(GUSTS, content)[0].event, scenario_hash=UNSET)}, version=2)


def test_a_game_that_rolls_too_early_is_found_by_its_first_case() -> None:
    case = {"ruleset": "tug", "orders": ["south: pull"], "dice": {"south": [5], "north": [4]}}
    failures = run_case(case, {"tug": EARLY}).failures
    assert len(failures) == 1 and "draw-before-contribution" in failures[0]


def test_what_such_a_game_rolls_is_never_written() -> None:
    recording, _ = recorded(EARLY, [])
    before = recording.head, recording.battle.n
    with pytest.raises(BrokenInvariant, match="draw-before-contribution"):
        recorded(EARLY, ORDERS)
    assert (recording.head, recording.battle.n) == before


class Liar:
    """Tells a die otherwise than the engine would."""

    def __init__(self, **members: object) -> None:
        self.members = members

    def __call__(self, judge, side, command):
        judge.emit(
            replace(DieRolled(f"dice:{side}", judge.state.t, 1, 6, 3, "pull", ""), **self.members), side, "TUG-02"
        )


@pytest.mark.parametrize(
    ("members", "what"),
    [
        ({"index": 2}, "index-differs"),
        ({"t": 7}, "other-turn"),
        ({"sides": 0}, "die-without-sides"),
        ({"scope": "dice:east"}, "scope-label"),
        ({"scope": "dice:south/r1"}, "scope-label"),
        ({"scope": "draw:south"}, "other-scope"),
        ({"scope": "hand:south"}, "other-scope"),
    ],
)
def test_whatever_the_verifier_refuses_of_a_die_the_host_does_not_write(members: dict[str, object], what: str) -> None:
    liar = replace(tug.TUG, orders=replace(tug.TUG.orders, decisions={tug.Pull: Liar(**members)}))
    with pytest.raises(BrokenInvariant, match=what):
        recorded(liar, ORDERS[:1])
    content = recorded(tug.TUG, ORDERS)[1]
    first = next(entry for entry in events_of(tug.TUG, content) if isinstance(entry.event, DieRolled))
    with pytest.raises(ProtocolFault, match=what):
        findings(tug.TUG, content, {first.n: replace(first.event, **members)})


async def test_it_is_played_on_a_server_and_its_file_holds(tmp_path) -> None:
    async with serving(tmp_path / "data", SeededEntropy("gusts"), opens=PBEM_2_1) as server:
        server.running.battles.rulesets = GAMES
        players = {"south": await server.player("Anna"), "north": await server.player("Ben")}
        battle = await players["south"].open("", scenario_toml='ruleset = "gusts"')
        for side, player in players.items():
            assert (await player.sit(battle, side, phrase=PHRASE)).status == 201
        for line in ORDERS[:6]:
            side, _, text = line.partition(": ")
            if (await players[side].view(battle))["winner"] is not None:
                break
            assert (await players[side].order(battle, text)).status == 200
        report = verify(await server.stranger.export(battle), rulesets=GAMES)
        page = await players["north"].get(f"/battles/{battle}", {"Accept": "text/html"})
    assert report.fault is None and report.checked > 3
    assert page.status == 200
