"""The benchmarks still run, on sizes too small to mean anything."""

import random
from pathlib import Path

import pytest

from benchmarks import (
    campaign,
    campaign_kills,
    correspondence,
    crowd,
    growth,
    http,
    illegal,
    illegal_orders,
    kill9_server,
    looking,
    many,
    rehearsal,
    start,
    starts,
    strangers,
)
from domain.basics.errors import Refusal
from domain.log import record
from replay.proof import chain, notes
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock

TINY = http.Sizes(rounds=1, fresh=1, late=1, crowds=(2,), bare_each=3, late_n=40)


@pytest.mark.long
@pytest.mark.slow
def test_orders_and_bare_commits_are_measured_over_http(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = http.measured(tmp_path, TINY)
    assert [len(one.seconds) for one in found[1][http.OLD]] == [rehearsal.IN_A_ROW]
    assert [len(one.seconds) >= 2 * rehearsal.IN_A_ROW for one in found[2][http.CROWD]] == [True]
    for clients, rows in found.items():
        http.show(rows, clients)
    assert http.CROWD in capsys.readouterr().out


@pytest.mark.slow
def test_looking_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    looking.show(looking.measured(tmp_path, rounds=1, battles=1, watchers=2, parts=looking.PARTS))
    told = capsys.readouterr().out
    for what in ("view, unchanged", "page, new", "page flow", "order with 2 watchers", "letter with a picture"):
        assert f"| {what}" in told


@pytest.mark.slow
def test_a_crowd_is_measured_and_nobody_of_it_refused(capsys: pytest.CaptureFixture[str]) -> None:
    crowd.main(["--readers", "5", "--addresses", "2", "--orders", "1", "--every", "0.5"])
    assert "| 5 from 2 | 0 |" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("name", [*strangers.ATTACKS])
def test_attacks_of_strangers_are_measured(capsys: pytest.CaptureFixture[str], name: str) -> None:
    strangers.main(["--seconds", "0.5", "--quick", name])
    (_, _, line) = capsys.readouterr().out.splitlines()
    assert line.split(" | ")[4:8] == ["0"] * 4, line


@pytest.mark.slow
def test_growth_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(growth, "EVENTS", 20)
    monkeypatch.setattr(growth, "LONG_EVENTS", 150)
    monkeypatch.setattr(growth, "TRIED", 2)
    found = growth.measured(tmp_path, 5)
    assert min(found.values()) > 0
    growth.show({5: found})
    assert "order, not in memory, long battle, CPU ms" in capsys.readouterr().out


@pytest.mark.slow
def test_the_memory_of_many_battles_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["stats", "export --all --to jsonl"]
    found = many.measured(tmp_path, 3, 2, names)
    assert [*found] == names
    assert min(one.mebibytes for one in found.values()) > 1
    many.show(3, found)
    assert "| `stats` |" in capsys.readouterr().out


@pytest.mark.slow
def test_illegal_orders_are_sent_and_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tally = illegal.attacked(tmp_path, 60, seed=1)
    assert tally.sent == sum(tally.codes.values()) == 60
    assert not tally.otherwise
    illegal.show(tally, 1.0)
    assert "0 accepted" in capsys.readouterr().out


@pytest.mark.parametrize("text", [*illegal_orders.UNASKED, *illegal_orders.USUAL])
def test_what_is_sent_as_an_order_can_be_read_as_one(text: str) -> None:
    assert illegal_orders.parses(text)


def test_what_is_legal_is_left_out() -> None:
    battle = a_battle()
    mirror = illegal_orders.Mirror("b", random.Random(1))
    content = battle.file().split(b"\n")
    mirror.feed(b"\n".join(content[1:-2]))
    assert mirror.n == battle.recording.battle.n
    side = battle.to_act[0]
    legal = mirror.options(side)
    assert all(mirror.refusal(side, text) is None for text in legal)
    tally = illegal_orders.Tally(50)
    for order in illegal_orders.illegal(mirror, random.Random(2), 50, tally):
        with pytest.raises(Refusal):
            battle.order(order.side, order.text)


@pytest.mark.slow
def test_a_server_killed_once_has_lost_nothing(tmp_path: Path) -> None:
    seen = kill9_server.run_server(tmp_path, kills=1, seed=1, clients=2, longest_s=20)
    assert seen["kills"] == 1
    assert seen["events"] > 0


@pytest.mark.slow
def test_a_cup_whose_server_is_killed_has_each_battle_result_and_letter_once(tmp_path: Path) -> None:
    seen = campaign_kills.run(tmp_path, kills=2, seed=3, bots=0, people=2, longest_s=0.5, rounds=1)
    # a cup that is over before a kill is followed by another
    assert (seen["kills"], seen["battles"], seen["counted"]) == (2, seen["cups"], seen["cups"])
    assert seen["letters"] >= 4 * seen["cups"] > 0


def test_an_event_that_was_promised_and_is_not_there_is_a_fault() -> None:
    content = a_battle().file()
    last = content.split(b"\n")[-3]
    seen = kill9_server.Seen(logs={"b": b""}, events=[("b", last)])
    kill9_server.compare(seen, "b", content)
    with pytest.raises(kill9_server.Fault, match="not there"):
        kill9_server.compare(kill9_server.Seen(logs={"b": b""}, events=[("b", last + b" ")]), "b", content)
    with pytest.raises(kill9_server.Fault, match="go on"):
        kill9_server.compare(
            kill9_server.Seen(logs={"b": content.replace(b"BattleBegan", b"BattleWasOn")}), "b", content
        )
    with pytest.raises(kill9_server.Fault, match="event-missing"):
        kill9_server.compare(kill9_server.Seen(logs={"b": b""}), "b", cut_off(a_battle()))


def cut_off(battle: OfflineBattle) -> bytes:
    """A file that an append in part would leave: chained and signed, but a consequence is missing."""
    recording, lines = battle.recording, battle._lines[:-2]  # TurnBegan and KeyDisclosed
    head = record.first_hash(recording.header_line)
    for line in lines:
        head = record.next_hash(head, line)
    origin = notes.origin(recording.header.host, recording.gid)
    note = notes.sign_head(battle.signer, notes.Head(origin, len(lines), head))
    return chain.file_bytes(recording.header_line, lines, note)


def a_battle() -> OfflineBattle:
    """A battle that has just begun, and one order."""
    battle = OfflineBattle(rehearsal.RULES, rehearsal.endless("skirmish"), SeededClock("t"), SeededEntropy("t"))
    battle.seat_person("south", "Anna")
    battle.seat_person("north", "Bob")
    battle.order(battle.to_act[0], "end turn")
    return battle


@pytest.mark.slow
def test_the_start_of_command_and_server_is_timed(tmp_path: Path) -> None:
    assert start.python("-c", "pass")() > 0
    assert start.served(start.with_battle(tmp_path, 30))() > 0


@pytest.mark.slow
async def test_bots_that_only_speak_mail_fight_a_battle_to_its_end(tmp_path: Path) -> None:
    count = await correspondence.correspond(tmp_path, 1, 3, "skirmish")
    assert (count.battles, count.ended) == (1, 1)
    assert count.verdicts["played"] > 0.7 * count.verdicts.total()  # the others have a slip
    assert count.player_turns <= count.verdicts.total() < 2 * count.player_turns
    assert count.letters > count.mails


@pytest.mark.slow
async def test_a_campaign_is_fought_by_digest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign, "MOST_DAYS", 3)
    count = await campaign.campaign(tmp_path, 3, 1, "skirmish", "numbers", "digest")
    assert count.verdicts["played"] > count.mails - 6 > 0  # the mails that open and join play nothing
    campaign.show({"digest": count})
    assert "| digest | 3 (0) |" in capsys.readouterr().out


@pytest.mark.slow
def test_a_start_is_met_by_requests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    died, found = starts.measured(tmp_path, 1, 4, 1)
    assert (died, found) == (0, {"200": 4, "exit 0": 1}), capsys.readouterr().out
