"""A file is read as the battle it is, and everything else is refused in one sentence."""

import io
import sys
from types import SimpleNamespace

import pytest
from msgspec import structs

from domain.events.battle import Event
from domain.log.record import Recorded
from replay import battle_file
from replay.battle_file import NotThere, UnreadableFile
from replay.proof.verify import OTHER_RULES, verify
from tests.support.tiny import TTS, changed, ended_battle, ended_file, played_battle, signed_again


def test_a_file_is_log_events_and_timeline(tmp_path):
    file = tmp_path / "tiny.battle"
    file.write_bytes(ended_file())
    battle = battle_file.load(str(file))
    assert battle.ruleset is TTS
    assert [recorded.n for recorded in battle.events] == list(range(1, battle.last + 1))
    assert battle.timeline.now.game == ended_battle().recording.battle.game


def test_a_minus_reads_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(ended_file())))
    assert battle_file.load("-").last == battle_file.parse(ended_file()).last


def test_an_unfinished_file_can_be_read():
    content = played_battle().file()
    assert battle_file.parse(content[: content.rfind(b"\n", 0, -1) + 1]).last == content.count(b"\n") - 2


@pytest.mark.parametrize("name", ["nothing.battle", ".", "a\0b"])
def test_what_is_not_there_is_said(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotThere, match="Cannot read"):
        battle_file.load(name)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"hello\n", "no event"),
        (ended_file()[:-1], "line feed"),
        (ended_file().replace(b"Anna", b"Berta"), "line 5"),
    ],
)
def test_what_is_no_battle_is_told_with_its_line(content, said):
    with pytest.raises(UnreadableFile, match=said):
        battle_file.parse(content, "it.battle")


def test_a_game_that_is_not_here_is_named():
    content = signed_again(ended_battle(), lambda log: None, lambda header: structs.replace(header, ruleset="chess"))
    with pytest.raises(UnreadableFile, match="“chess”"):
        battle_file.parse(content)


def test_a_log_that_cannot_be_folded_is_told_by_its_event():
    def lie(log: list[Recorded]) -> None:
        changed(log, "CardDrawn", deck="tarot")

    with pytest.raises(UnreadableFile, match="CardDrawn cannot have happened"):
        battle_file.parse(signed_again(ended_battle(), lie))


def test_an_event_that_does_not_exist_is_refused():
    battle = battle_file.parse(ended_file())
    assert battle.require_event(1) == 1
    with pytest.raises(UnreadableFile, match=f"events 1 to {battle.last}"):
        battle.require_event(battle.last + 1)
    with pytest.raises(UnreadableFile):
        battle.require_event(0)


class CorpsAmused(Event, frozen=True):
    """An event of rules to come."""

    side: str
    t: int
    joke: str


def of_rules_to_come(rules: str) -> bytes:
    def lie(log: list[Recorded]) -> None:
        log[15] = structs.replace(log[15], type="CorpsAmused", event=CorpsAmused("south", 1, "Knock, knock."))

    return signed_again(ended_battle(), lie, lambda header: structs.replace(header, rules=rules))


def test_events_of_other_rules_keep_what_the_protocol_looks_at():
    battle = battle_file.parse(of_rules_to_come("9.9"))
    event = battle.events[15].event
    assert (battle.events[15].type, event.__struct_fields__) == ("CorpsAmused", ("side",))
    report = verify(of_rules_to_come("9.9"))
    assert (report.exit, report.other_rules) == (OTHER_RULES, ("9.9",)), report.fault


def test_an_event_that_our_rules_do_not_have_is_a_fault():
    with pytest.raises(UnreadableFile, match="no event “CorpsAmused”"):
        battle_file.parse(of_rules_to_come(TTS.version))
    report = verify(of_rules_to_come(TTS.version))
    assert report.fault is not None
    assert (report.fault.what, report.fault.n) == ("unknown-type", 16)


# --- a log that goes on


def file_lines(content: bytes) -> list[bytes]:
    return content.splitlines()[1:-1]


def begun(events: int) -> battle_file.BattleFile:
    """The battle as it was after so many events."""
    return battle_file.parse(b"".join(line + b"\n" for line in ended_file().splitlines()[: events + 1]))


def test_a_log_that_grows_is_the_log_that_was_read_at_once():
    whole = battle_file.parse(ended_file())
    grown = begun(5)
    for first, last in ((5, 6), (6, 20), (20, whole.last)):
        grown = battle_file.extended(grown, file_lines(ended_file())[first:last], "", "it")
    assert (grown.events, grown.log.lines, grown.log.hashes) == (whole.events, whole.log.lines, whole.log.hashes)
    assert grown.timeline.now == whole.timeline.now
    assert grown.log.checkpoint is None
    note = str(whole.log.checkpoint)
    assert battle_file.extended(grown, (), note, "it").log.checkpoint == note


@pytest.mark.parametrize("wrong", [6, 4])
def test_a_line_that_does_not_go_on_from_the_last_one_is_refused(wrong):
    with pytest.raises(UnreadableFile, match=r"it: line 7: "):
        battle_file.extended(begun(5), [file_lines(ended_file())[wrong]], "", "it")
    other = file_lines(ended_battle("other").file())[5]
    with pytest.raises(UnreadableFile, match=r"it: line 7: "):
        battle_file.extended(begun(5), [other], "", "it")


def test_a_note_over_another_event_is_refused():
    note = str(battle_file.parse(ended_file()).log.checkpoint)
    with pytest.raises(UnreadableFile, match="it: "):
        battle_file.extended(begun(5), (), note, "it")
