"""Do the benchmarks still run, on sizes so small that their numbers say nothing?"""

import random
from pathlib import Path

import pytest

from benchmarks import http, illegal, kill9, start
from domain.errors import Refusal
from domain.record import splice_hash
from server.offline import OfflineBattle, SeededClock, SeededEntropy

TINY = http.Sizes(rounds=1, fresh=1, late=1, crowd=2, bare_each=3, late_n=40)


def test_orders_and_bare_commits_are_measured_over_http(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    single, many = http.measured(tmp_path, TINY)
    assert [len(seconds) for _, seconds in single[http.OLD]] == [http.IN_A_ROW]
    assert [len(seconds) for _, seconds in many[http.CROWD]] == [2 * http.IN_A_ROW]
    http.show_single(single)
    http.show_many(many, TINY.crowd)
    assert http.CROWD in capsys.readouterr().out


def test_illegal_orders_are_sent_and_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tally = illegal.attacked(tmp_path, 60, seed=1)
    assert tally.sent == sum(tally.codes.values()) == 60
    assert not tally.otherwise
    illegal.show(tally, 1.0)
    assert "0 accepted" in capsys.readouterr().out


@pytest.mark.parametrize("text", [*illegal.UNASKED, *illegal.USUAL])
def test_what_is_sent_as_an_order_can_be_read_as_one(text: str) -> None:
    assert illegal.parses(text)


def test_what_is_legal_is_left_out() -> None:
    battle = OfflineBattle(http.RULES, http.endless("skirmish"), SeededClock("t"), SeededEntropy("t"))
    battle.seat_person("south", "Anna")
    battle.seat_person("north", "Bob")
    mirror = illegal.Mirror("b", random.Random(1))
    content = battle.file().split(b"\n")
    mirror.feed(b"\n".join(content[1:-2]))
    assert mirror.n == battle.recording.battle.n
    side = battle.to_act[0]
    legal = mirror.options(side)
    assert all(mirror.refusal(side, text) is None for text in legal)
    tally = illegal.Tally(50)
    for order in illegal.illegal(mirror, random.Random(2), 50, tally):
        with pytest.raises(Refusal):
            battle.order(order.side, order.text)


def test_a_server_killed_once_has_lost_nothing(tmp_path: Path) -> None:
    seen = kill9.run_server(tmp_path, kills=1, seed=1, clients=2, longest_s=0.3)
    assert seen["kills"] == 1
    assert seen["events"] > 0


def test_an_event_that_was_promised_and_is_not_there_is_a_fault(tmp_path: Path) -> None:
    seen = kill9._new_folder(tmp_path)
    with http.serving(http.Server.of(tmp_path)) as server:
        http.run(kill9.open_battles(server.port, seen, 1))
        http.run(kill9.look(server.port, seen))
        (battle,) = seen.logs
        seen.events.append((battle, splice_hash(b'{"n":99}', bytes(32))))
        with pytest.raises(kill9.Fault, match="not there"):
            http.run(kill9.look(server.port, seen))
        seen.events.clear()
        seen.logs[battle] = seen.logs[battle].replace(b"BattleBegan", b"BattleWasOn")
        with pytest.raises(kill9.Fault, match="go on"):
            http.run(kill9.look(server.port, seen))


def test_the_start_of_command_and_server_is_timed(tmp_path: Path) -> None:
    found = start.measured(tmp_path, 1, n=40)
    assert all(len(seconds) == 1 for seconds in found.values())
