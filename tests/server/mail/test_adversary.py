"""Attacks by somebody who knows a player's address or has an old letter. Each was possible once."""

import asyncio
import logging

import pytest

from server.mail.desk.confirming import waiting
from server.mail.incoming import limits
from server.mail.incoming.identity import _folded
from server.mail.incoming.saying import says_yes
from server.store import Overloaded
from server.store.tables.accounts import name_key
from server.time.vacations import plan_vacation
from tests.server.mail.office import OWN_SERVER, opened, text_of

MAILBOX = "play@phalera.test"


@pytest.fixture
async def office(tmp_path):
    async with opened(tmp_path) as office:
        await office.begin()
        yield office


def token_of(letter):
    return letter["Reply-To"].partition("+")[2].partition("@")[0]


def signed(raw):
    """As the mail system in front hands it on: the sender's domain is proven."""
    return f"Authentication-Results: {OWN_SERVER}; dmarc=pass header.from=example.test\n".encode() + raw


# --- saying yes


@pytest.mark.parametrize("answer", ["R1 ahead\nend turn", "No! That was not me.", "What is this?", "", "I am away"])
async def test_a_forged_resignation_is_not_confirmed_by_whatever_its_victim_answers(office, answer):
    letter = await office.letter()
    forged = office.reply(letter, "concede", sender="mallory@example.test")
    assert (await office.accept(forged)).what == "held"
    held = await office.letter()
    assert "| concede" in text_of(held)  # what is to be confirmed is shown
    await office.accept(office.reply(held, answer))
    assert not office.live.recording.battle.ended
    assert waiting(office.parts.desk, token_of(held), office.parts.read)
    await office.accept(office.reply(held, "Yes, please."))
    assert office.live.recording.battle.ended


async def test_the_letter_about_a_held_mail_does_not_invite_to_write_orders(office):
    assert (await office.accept(office.reply(await office.letter(), "resign"))).what == "held"
    told = text_of(await office.letter())
    assert "| resign" in told
    assert "Write your orders above" not in told
    assert "The board after event" not in told


@pytest.mark.parametrize(
    ("said", "is_yes"), [("yes", True), ("\n  Oui.\n", True), ("OK, do it", True), ("yesterday", False), ("", False)]
)
def test_a_yes_is_the_first_word(said, is_yes):
    assert says_yes(said) == is_yes


def shown(office, letter):
    """What the page of a held mail shows."""
    found = waiting(office.parts.desk, token_of(letter), office.parts.read)
    assert found is not None
    return found.lines


async def test_a_command_in_the_subject_is_shown_before_it_is_confirmed(office):
    await office.letters()
    assert (await office.accept(office.written(MAILBOX, "", Subject="address evil@attacker.test"))).what == "held"
    held = await office.letter()
    assert "| address evil@attacker.test" in text_of(held)
    assert shown(office, held) == ("address evil@attacker.test",)


async def test_no_line_is_hidden_behind_many_others(office):
    await office.letters()
    lines = ["# nothing to see"] * 45 + ["address evil@attacker.test"]
    assert (await office.accept(office.written(MAILBOX, "\n".join(lines)))).what == "held"
    assert shown(office, await office.letter()) == tuple(lines)


async def test_confirming_twice_at_once_does_it_once(office):
    letter = await office.letter()
    await office.accept(office.reply(letter, "open skirmish south", sender="anna2@example.test"))
    token = token_of(await office.letter())
    before = len(office.battles.store.battles())
    await asyncio.gather(office.intake.confirm(token), office.intake.confirm(token))
    assert len(office.battles.store.battles()) == before + 1


async def test_a_flood_in_ones_name_does_not_void_a_confirmation(office):
    await office.letters()
    await office.accept(office.written(MAILBOX, "letters digest"))
    token = token_of(await office.letter())
    verdicts = [await office.accept(office.written(MAILBOX, "zone")) for _ in range(12)]
    assert verdicts[-1].what == "flooded"
    await office.intake.confirm(token)
    assert office.parts.desk.wishes(office.players["south"].player).delivery == "digest"


async def test_a_yes_resigns_the_battle_that_was_meant_when_it_was_asked(office):
    """The first battle ends meanwhile; another has begun, which nobody meant."""
    await office.letters()
    assert (await office.accept(signed(office.written(MAILBOX, "concede")))).what == "held"
    asked, first = await office.letter(), office.live
    assert f"{first.id}: resign" in text_of(asked)
    await office.order("north", "resign")
    await office.begin()
    await office.letters()
    await office.accept(office.reply(asked, "yes"))
    assert office.live.game.winner is None
    assert first.game.winner == "south"


# --- old letters


@pytest.mark.parametrize("command", ["vacation 10 days", "letters none", "say You cheat!", "pause", "stop"])
async def test_a_token_dies_with_its_question_for_commands_too(office, command):
    letter = await office.letter()
    await office.order("south", "R1 ahead")
    verdict = await office.accept(office.reply(letter, command))  # From is forged
    assert (verdict.what, verdict.why) == ("held", "no-token")
    assert (await office.accept(signed(office.reply(letter, command)))).what == "command"


async def test_two_mails_at_once_do_not_both_answer_one_question(office):
    letter = await office.letter()
    mails = [office.reply(letter, "R1 ahead"), office.reply(letter, "R2 ahead")]
    verdicts = await asyncio.gather(*map(office.accept, mails))
    assert sorted(verdict.what for verdict in verdicts) == ["closed", "played"]


# --- what was written to somebody else


@pytest.mark.parametrize("has_token", [False, True])
async def test_a_signed_mail_to_somebody_else_does_nothing_here(office, has_token):
    letter = await office.letter()
    await office.order("south", "R1 ahead")
    raw = signed(office.written("bob@example.test", "vacation 10 days"))
    if has_token:
        raw = f"Delivered-To: play+{token_of(letter)}@phalera.test\n".encode() + raw
    verdict = await office.accept(raw)
    assert (verdict.what, verdict.why) == ("held", "no-token")


async def test_vacations_planned_at_once_do_not_overlap(office):
    player = office.players["south"].player
    plans = (plan_vacation(office.battles, player, f"2026-12-{10 + n}", f"2026-12-{22 + n}") for n in range(5))
    came = await asyncio.gather(*plans, return_exceptions=True)
    assert sum(not isinstance(each, Exception) for each in came) == 1


# --- other people's mailboxes


def test_addresses_that_only_fold_alike_are_two_senders():
    assert name_key("straße@example.test") == name_key("strasse@example.test")
    assert _folded("straße@example.test") != _folded("strasse@example.test")
    assert _folded("Anna@Example.test") == _folded("anna@example.test")


# --- floods


async def test_strangers_cannot_make_us_bomb_a_mailbox(office):
    await office.letters()
    for number in range(30):
        await office.accept(office.written(MAILBOX, "help", sender=f"victim+{number}@corp.test"))
        office.clock.wait(minutes=3)
    assert len(await office.letters("victim")) == 1
    for number in range(30):
        await office.accept(office.written(MAILBOX, "help", sender=f"victim{number}@corp.test"))
        office.clock.wait(minutes=3)
    assert len(await office.letters("victim")) <= 20


async def test_mails_in_ones_name_do_not_use_up_the_answers_to_ones_own(office):
    letter = await office.letter()
    for _ in range(25):
        await office.accept(office.written(MAILBOX, "list"))
        office.clock.wait(minutes=6)
    assert len(await office.letters("Anna")) == 10
    assert (await office.accept(office.reply(letter, "resign"))).what == "held"
    assert len(await office.letters("Anna")) == 1


async def test_a_flood_by_strangers_does_not_keep_a_players_orders_out(office):
    letter = await office.letter()
    with pytest.raises(Overloaded):
        for number in range(limits.LIMITS[limits.WHOLE][0].most + 1):
            await office.accept(office.written(MAILBOX, "hello", sender=f"{number}@spam.test"))
    assert (await office.accept(office.reply(letter, "R1 ahead"))).what == "played"


# --- a mail that cannot be judged


@pytest.mark.parametrize("command", ["vacation until 9999-12-31", "vacation 0001-01-01 0001-01-03"])
async def test_days_at_the_end_of_time_are_answered(office, command):
    verdict = await office.accept(office.reply(await office.letter(), command))
    assert verdict.what == "command"


async def test_a_mail_that_cannot_be_judged_does_not_keep_the_others_waiting(office, monkeypatch):
    letter, processor = await office.letter(), office.intake.processor
    judge = processor.judge

    async def broken(key, reading, confirm, is_confirmed=False):
        raise RuntimeError("not now")

    async def poisoned(key, reading, confirm, is_confirmed=False):
        if reading.text == "poison":
            raise RuntimeError("never")
        return await judge(key, reading, confirm, is_confirmed)

    logging.disable(logging.CRITICAL)
    monkeypatch.setattr(processor, "judge", broken)
    assert (await office.accept(office.reply(letter, "poison"))).what == "left"
    assert (await office.accept(office.reply(letter, "R1 ahead"))).what == "left"
    monkeypatch.setattr(processor, "judge", poisoned)
    assert await office.intake.resume() == 1
    logging.disable(logging.NOTSET)
