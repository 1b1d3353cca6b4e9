"""A host that stops a battle says so in its log: it is over without a winner, all is disclosed, and nothing follows."""

from collections.abc import Callable

import pytest

from domain.basics.errors import Refusal
from domain.events.battle import BattleEnded, BattleStopped, KeyDisclosed, SideJoined
from replay import battle_file
from replay.proof import verdict
from replay.proof.verify import OK, verify
from replay.reports.account.printed import written
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock
from tests.replay.faulty import assert_right, fault_of
from tests.replay.made_battle import MASTER, MadeBattle
from tests.replay.proof.test_authority import playing
from tests.support.tiny import TTS, played_battle, tiny_battle, tiny_scenario

of = pytest.mark.parametrize


def stopped(battle: OfflineBattle, how: str = "stopped", reason: str = "") -> bytes:
    """The file of a battle that its host stops."""
    battle._adopt(battle.recording.stop(how, reason, battle.clock.now()))
    return battle.file()


def test_a_stranger_who_reads_the_file_sees_that_the_host_stopped_it() -> None:
    content = stopped(played_battle(), reason="The rules of this game\nhave a flaw.")
    report = verify(content)
    assert (report.fault, report.ended, report.exit) == (None, True, OK)
    assert [(act.what, act.who, act.authority, act.about) for act in report.listed] == [
        ("stopped", "server", "host", "The rules of this game have a flaw.")
    ]
    assert "the host stops the battle, which has no winner: “The rules" in " ".join(verdict.lines(report))
    assert "l’hôte arrête la bataille" in " ".join(verdict.lines(verify(content, lang="fr"), "fr"))
    battle = battle_file.parse(content, "stopped")
    types = [one.type for one in battle.events]
    at = types.index("BattleStopped")
    assert set(types[at + 1 : -1]) <= {"Unsealed"}, "what was hidden is open"
    assert types[-1] == "MasterRevealed"
    now = battle.timeline.now
    assert (now.ended, now.winner, now.how) == (True, None, "stopped")


@of(("lang", "said"), [("en", "nobody had won"), ("fr", "personne n’avait gagné")])
def test_its_report_says_so(lang: str, said: str) -> None:
    report = written(stopped(played_battle()), "md", lang)
    assert said in report.decode()


def test_nothing_is_taken_after_it() -> None:
    battle = played_battle()
    stopped(battle)
    n = battle.recording.battle.n
    for what in (
        lambda: battle.order("south", "resign"),
        lambda: battle.order("south", "dispute 1 x"),
        lambda: stopped(battle),
    ):
        with pytest.raises(Refusal, match=r"core\.battle-closed"):
            what()
    assert battle.recording.battle.n == n


def test_nobody_sits_down_in_it() -> None:
    battle = OfflineBattle(TTS, tiny_scenario(), SeededClock("stop"), SeededEntropy("stop"))
    assert verify(stopped(battle, "cancelled")).fault is None
    with pytest.raises(Refusal, match=r"core\.battle-closed"):
        battle.seat_person("south", "Anna")


def test_one_that_is_over_is_not_stopped() -> None:
    battle = played_battle()
    battle.order("south", "resign")
    with pytest.raises(Refusal, match="battle-ended"):
        stopped(battle)


@of("reason", ["x" * 201, "a\u0378b"])
def test_a_reason_is_short_and_fit_for_the_log(reason: str) -> None:
    battle = tiny_battle()
    with pytest.raises(Refusal, match="bad-reason"):
        stopped(battle, reason=reason)


# --- what a host may not write


def stop(made: MadeBattle, how: str = "stopped", by: str = "server", reason: str = "") -> int:
    return made.alone(BattleStopped(how, reason), by)


def test_a_stop_by_hand_is_right() -> None:
    made = playing()
    stop(made)
    assert_right(made)


@of("how", ["won", "", "cancelled"])
def test_a_battle_is_cancelled_before_it_begins_and_stopped_at_any_time(how: str) -> None:
    made = playing()
    assert fault_of(made) == ("", 0)
    n = stop(made, how)
    assert fault_of(made) == ("bad-member", n)


def test_before_it_begins_it_may_be_cancelled_and_stopped() -> None:
    for how in ("cancelled", "stopped"):
        made = MadeBattle().open()
        made.join("south")
        stop(made, how)
        assert assert_right(made).listed[0].what == how


@of("by", ["south", "umpire"])
def test_the_host_alone_stops_a_battle(by: str) -> None:
    made = playing()
    n = stop(made, by=by)
    assert fault_of(made) == ("other-author", n)


LATER: list[tuple[Callable[[MadeBattle], object], str]] = [
    (lambda made: made.plain_order("south"), "after-the-stop"),
    (lambda made: made.alone(SideJoined("south", "Eve", "eve", "person", "plain"), "south"), "after-the-stop"),
    (stop, "master-out-of-place"),  # the same key cannot be given away twice
]


@of(("later", "what"), LATER)
def test_nothing_stands_behind_it(later: Callable[[MadeBattle], object], what: str) -> None:
    made = playing()
    stop(made)
    n = len(made.log) + 1
    later(made)
    fault, at = fault_of(made)
    assert (fault, at >= n) == (what, True)


def test_a_host_that_stops_a_battle_decides_nothing() -> None:
    made = playing()
    with made.block(BattleStopped("stopped"), "server"):
        n = made.add(BattleEnded("south", "resigned"))
    assert fault_of(made) == ("after-the-stop", n)


def test_a_host_that_stops_a_battle_discloses_everything() -> None:
    made = playing()
    made.alone(BattleStopped("stopped"))
    made.log.pop()  # the master
    assert fault_of(made) == ("disclosure-missing", len(made.log))
    made = playing()
    made.alone(BattleStopped("stopped"))
    made.log.pop()
    made.add(KeyDisclosed(made.index, made.keys.key("public", made.index).hex()))
    assert fault_of(made)[0] in ("disclosure-not-due", "disclosure-missing")
    assert MASTER
