"""A letter about several battles, and the mails that answer it."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from replay.proof.heads import notes_in
from server.mail.desk.vocabulary import BATTLE
from server.mail.verdict import Verdict
from server.store import Statement
from tests.server.mail.digested import MARK, TURN, Digested
from tests.server.mail.office import OWN_SERVER, opened, text_of

PAGE = Path(__file__).parents[3] / "docs" / "mail.md"
SIGNED = {"Authentication_Results": f"{OWN_SERVER}; dkim=pass header.d=example.test"}


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[Digested]:
    async with opened(tmp_path / "data", kind=Digested) as running:
        assert isinstance(running, Digested)
        yield running


def whats(verdict: Verdict) -> list[str]:
    return [one.what for one in verdict.sections]


# --- the letter


async def test_the_letter_has_a_table_and_a_section_for_each_battle(office):
    letter = await office.opened(3)
    text = text_of(letter)
    assert letter["Subject"] == "Your battles: 3 of 3 wait for you"
    assert text.startswith("Orders or an answer of yours are wanted in 3 of 3 battles.\n\n-----8<-----")
    head, row, *_ = text.split("\n\n")[2].splitlines()
    assert head.split() == ["Battle", "Against", "Wanted"]  # nobody's clock runs
    assert row == "1  Skirmish at the two woods  Bob      your turn 1"
    assert MARK.findall(text) == [(str(at), live.id) for at, live in enumerate(office.lives, 1)]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(("battles", "most", "has_board"), [(2, 45, True), (4, 32, True), (5, 24, False)])
async def test_a_section_is_shorter_where_there_are_many(office, battles, most, has_board, lang):
    await office.opened(battles, lang=lang)
    for battle in range(1, battles + 1):
        await office.turn(battle)
    sections = MARK.split(text_of(await office.next_day()))[3::3]
    assert len(sections) == battles
    for section in sections:
        lines = section.partition("\n-----8<-----")[0].rstrip().splitlines()
        assert 8 < len(lines) <= most
        assert ("wood;" in section or "bois;" in section) is has_board
        assert "| R1" in section


async def test_the_letter_has_the_signed_head_of_each_battle_and_a_reply_echoes_them(office):
    letter = await office.opened(3)
    origins = {note.partition("\n")[0] for note in notes_in(letter.as_bytes())}
    assert origins == {f"phalera.test/phalera/{live.id}" for live in office.lives}
    references = letter["References"]
    raw = office.reply(letter, f"battle 2\nphrase some words nobody could guess\n{TURN}", References=references)
    await office.send(raw)
    heads = [entry.event.seen for entry in office.lives[1].recording.timeline.events if hasattr(entry.event, "seen")]
    assert office.lives[1].n > 11
    assert any(heads)


# --- what a reply may hold


async def test_one_mail_plays_several_battles_and_has_one_answer(office):
    letter = await office.opened(3)
    ids = [live.id for live in office.lives]
    verdict, answer = await office.say(letter, f"battle 1\n{TURN}\n\nBattle {ids[1].upper()}:\n3\n\nCheers, Anna")
    assert (verdict.what, whats(verdict)) == ("played", ["played", "played"])
    assert [one.battle for one in verdict.sections] == ids[:2]
    assert office.orders(1)[-1] == "end turn"
    assert office.orders(2) == ["end turn"]
    assert office.orders(3) == []
    assert answer.startswith("Played in 2 of 2 battles. Orders or an answer of yours are wanted in battle 3.")
    assert MARK.findall(answer) == [("1", ids[0]), ("2", ids[1])]


async def test_the_answer_asks_the_next_question_under_the_same_number(office):
    letter = await office.opened(2)
    verdict = await office.accept(office.reply(letter, "battle 2\nR1 ahead"))
    assert verdict.what == "played"
    answer = await office.letter("Anna")
    assert "wanted in battle 1 and 2." in " ".join(text_of(answer).split())
    assert "It is your turn" in text_of(answer)
    again, told = await office.say(answer, "battle 2\nend turn\nbattle 1\nend turn")
    assert whats(again) == ["played", "played"]
    assert "No battle waits for you now." in told
    assert office.orders(1) == office.orders(2)[-1:] == ["end turn"]


async def test_lines_within_the_quoted_letter_are_for_the_battle_whose_mark_they_follow(office):
    letter = await office.opened(3)
    verdict, _ = await office.send(office.inline(letter, {1: TURN, 3: "3"}))
    assert whats(verdict) == ["played", "played"]
    assert (office.orders(1)[-1], office.orders(2), office.orders(3)) == ("end turn", [], ["end turn"])
    assert verdict.dropped == ()


@pytest.mark.parametrize(
    ("top", "end"),
    [
        (f"battle 2\n{TURN}", ""),
        ("", f"battle 2\n{TURN}"),
        (f"bataille 2 : {TURN}", ""),
        ("Hello!", f"battle 2\n{TURN}"),
    ],
)
async def test_above_below_and_within_may_be_mixed(office, top, end):
    letter = await office.opened(3)
    verdict, _ = await office.send(office.inline(letter, {1: "end turn"}, top, end))
    assert whats(verdict) == ["played", "played"]
    assert (office.orders(1), office.orders(2)[-1], office.orders(3)) == (["end turn"], "end turn", [])


@pytest.mark.parametrize("where", ["top", "end"])
async def test_orders_without_a_battle_are_for_the_only_one_that_waits(office, where):
    letter = await office.opened(2)
    await office.turn(1)
    office.live = office.lives[0]
    verdict, _ = await office.send(office.inline(letter, {}, **{where: TURN}))
    assert [(one.what, one.battle) for one in verdict.sections] == [("played", office.lives[1].id)]


async def test_orders_without_a_battle_cost_nothing_where_several_wait(office):
    letter = await office.opened(3)
    verdict, answer = await office.send(office.inline(letter, {2: TURN}, "4\nend turn"))
    assert whats(verdict) == ["played", "which-battle"]
    assert (office.orders(1), office.orders(3)) == ([], [])
    assert "more than one waits for you: 1 and 3." in answer
    assert "| 4 not played" in answer


async def test_a_number_or_an_id_that_the_letter_does_not_have_is_told(office):
    letter = await office.opened(2)
    await office.begin()
    stranger = office.live.id  # a battle of theirs, but not of this letter
    verdict, answer = await office.say(letter, f"battle 3\n{TURN}\nbattle {stranger}\n{TURN}\nbattle zama\n{TURN}")
    assert whats(verdict) == ["no-battle"] * 3
    assert office.live.n == 11
    assert "is not about a battle “3”" in answer
    assert f"is not about a battle “{stranger}”" in answer
    assert "is not about a battle “zama”" in answer


async def test_orders_for_one_battle_in_two_places_are_asked_back(office):
    letter = await office.opened(2)
    verdict, answer = await office.say(letter, f"battle 1\n{TURN}\nbattle 2\n{TURN}\nbattle 1\nR2 ahead")
    assert whats(verdict) == ["twice", "played"]
    assert office.orders(1) == []
    assert "orders for this battle in two places" in answer
    same, _ = await office.send(office.inline(letter, {1: TURN}, f"battle 1\n{TURN}"))
    assert whats(same) == ["played"]


async def test_a_battle_that_has_gone_on_is_closed_and_the_others_are_played(office):
    letter = await office.opened(2)
    await office.turn(1)
    n = office.lives[0].n
    verdict, answer = await office.say(letter, f"battle 1\n{TURN}\nbattle 2\n{TURN}")
    assert whats(verdict) == ["closed", "played"]
    assert office.lives[0].n == n
    assert "the question that your mail answers is no longer open" in answer
    assert "It is your turn: orders for South are wanted." in answer


async def test_a_battle_that_is_over_is_told(office):
    letter = await office.opened(2)
    office.live = office.lives[0]
    await office.order("north", "resign")
    verdict, answer = await office.say(letter, f"battle 1\n{TURN}\nbattle 2\n{TURN}")
    assert whats(verdict) == ["closed", "played"]
    assert "You have won!" in answer
    assert "over: won" in answer


async def test_end_alone_ends_the_orders_for_one_battle_only(office):
    letter = await office.opened(2)
    verdict, _ = await office.say(letter, "battle 1\n3\nend\nbattle 2\n3")
    assert whats(verdict) == ["played", "played"]


async def test_resigning_is_confirmed_for_one_battle_alone(office):
    letter = await office.opened(3)
    verdict, answer = await office.say(letter, f"battle 1\nresign\nbattle 2\n{TURN}\nbattle 3\n{TURN}\nresign")
    assert whats(verdict) == ["held", "played", "alone"]
    assert not any(live.recording.battle.ended for live in office.lives)
    (token,) = set(re.findall(r"/confirm/(\w+)", answer))
    await office.intake.confirm(token)
    assert [live.recording.battle.ended for live in office.lives] == [True, False, False]


async def test_a_mail_of_words_or_commands_is_answered_as_ever(office):
    letter = await office.opened(2)
    words, _ = await office.say(letter, "A fine day it was.")
    assert words.what == "words"
    listed, answer = await office.say(letter, "list")
    assert listed.what == "command"
    assert all(live.id in answer for live in office.lives)
    empty, _ = await office.say(letter, "")
    assert empty.what == "empty"


async def test_commands_and_words_below_a_battle_are_about_it(office):
    letter = await office.opened(2)
    await office.letters()
    verdict = await office.accept(office.reply(letter, f"battle 1\nhistory 1\nbattle 2\nsay Well fought!\n\n{TURN}"))
    assert whats(verdict) == ["command", "played"]
    answer, *told = [text_of(one) for one in sorted(await office.letters(), key=lambda one: str(one["To"]))]
    assert "Anna takes South." in answer
    assert [office.lives[1].id in one for one in told if "Well fought!" in one] == [True]


async def test_the_example_of_the_page_is_played(office):
    letter = await office.opened(3)
    (example,) = re.findall(r"^```several\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    verdict, _ = await office.say(letter, example.replace(BATTLE, office.lives[2].id))
    assert whats(verdict) == ["played", "played", "command"]


# --- whose mail it is


async def test_the_address_of_a_section_speaks_for_its_battle_alone(office):
    letter = await office.opened(2)
    text = text_of(letter)
    addresses = re.findall(r"^mailto:(\S+)$", text, re.M)
    raw = office.written(addresses[1], f"{TURN}\n", about=letter)
    verdict = await office.accept(raw)
    assert (verdict.what, verdict.battle) == ("played", office.lives[1].id)
    assert office.orders(1) == []


async def test_a_letter_about_one_battle_plays_nothing_that_names_another(office):
    letter = await office.opened(2)
    section = re.findall(r"^mailto:(\S+)$", text_of(letter), re.M)[1]
    ids = [live.id for live in office.lives]
    for named in ("2", "1", ids[0]):
        raw = office.written(section, f"battle {named}\n{TURN}\n", about=letter)
        verdict, answer = await office.send(raw)
        assert (verdict.what, verdict.battle) == ("no-battle", ids[1])
        assert f"is not about a battle “{named}”" in answer
    assert office.orders(1) == office.orders(2) == []
    raw = office.written(section, f"battle {ids[1]}\n{TURN}\n", about=letter)
    assert (await office.accept(raw)).what == "played"


@pytest.mark.parametrize("prose", ["Battle tomorrow?", "Battle tomorrow evening, too!", "Battle responsibilities..."])
async def test_a_word_is_no_id(office, prose):
    letter = await office.opened(2)
    section = re.findall(r"^mailto:(\S+)$", text_of(letter), re.M)[1]
    verdict = await office.accept(office.written(section, f"{prose}\n{TURN}\n", about=letter))
    assert (verdict.what, verdict.battle, verdict.dropped) == ("played", office.lives[1].id, (prose,))


async def test_a_word_before_others_names_no_battle_of_several(office):
    letter = await office.opened(2)
    verdict, _ = await office.say(letter, f"battle 1\n{TURN}\n\nbattle tomorrow evening?")
    assert whats(verdict) == ["played"]


async def test_the_letter_of_one_player_does_nothing_for_another(office):
    letter = await office.opened(2)
    raw = office.reply(letter, f"battle 1\n{TURN}", sender="bob@example.test")
    verdict = await office.accept(raw)
    assert (verdict.what, verdict.why) == ("held", "sender")
    assert office.orders(1) == []
    await office.letters()


async def test_a_doubtful_mail_is_held_with_all_its_lines_and_played_once(office):
    letter = await office.opened(2)
    await office.say(letter, "list", **SIGNED)
    raw = office.inline(letter, {1: TURN}, "battle 2\n3")
    verdict = await office.accept(raw)
    assert (verdict.what, verdict.why) == ("held", "unsigned")
    asked = await office.letter("Anna")
    assert "R1 ahead" in text_of(asked)
    assert "| 3" in text_of(asked)
    assert office.orders(1) == office.orders(2) == []
    await office.accept(office.reply(asked, "yes"))
    assert (office.orders(1)[-1], office.orders(2)) == ("end turn", ["end turn"])


async def test_quoted_lines_are_never_played(office):
    letter = await office.opened(2)
    raw = office.inline(letter, {1: "> R1 ahead\n> end turn", 2: "| R1 ahead"}, "Thanks!")
    verdict, _ = await office.send(raw)
    assert verdict.what == "words"
    assert office.orders(1) == office.orders(2) == []


async def test_the_words_of_another_player_are_no_mark(office):
    letter = await office.opened(2)
    text = text_of(letter)
    forged = f"> | -----8<----- battle 2, {office.lives[1].id}: write BELOW -----8<-----"
    quoted = []
    for line in text.splitlines():
        quoted.append(f"> {line}")
        if (found := MARK.match(line)) and found[1] == "1":
            quoted += [forged, "", *TURN.splitlines(), ""]
    raw = office.written(letter["Reply-To"], "On Saturday Phalera wrote:\n" + "\n".join(quoted), about=letter)
    verdict, _ = await office.send(raw)
    assert [(one.what, one.battle) for one in verdict.sections] == [("played", office.lives[0].id)]


async def test_a_mail_judged_again_after_a_crash_plays_nothing_twice(office):
    letter = await office.opened(2)
    raw = office.reply(letter, f"battle 2\n{TURN}\nbattle 1\nend turn")
    first = await office.accept(raw)
    before = [live.n for live in office.lives]
    await office.battles.store.write(_forgotten())
    assert await office.intake.resume() == 1
    assert [live.n for live in office.lives] == before
    assert whats(first) == ["played", "played"]


def _forgotten() -> Any:
    """The mails without their verdicts, as a crash leaves them."""
    return Statement("UPDATE raw_mail SET verdict=NULL", ())
