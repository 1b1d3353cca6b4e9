"""Whose mail is taken, what becomes of it, and who is told."""

import asyncio
import re

import pytest

from domain.basics.decoding import decode
from domain.run.inputs import Entry
from replay.proof import notes
from server.mail import bounces, numbering
from server.mail.cut import CUT
from server.mail.outgoing.letters.draft import GLANCE_S
from server.mail.verdict import Verdict
from server.play.questions import question_of
from server.store import Overloaded
from server.store.tables import correspondents, mail_tokens, raw_mail
from tests.server.mail.office import OWN_SERVER, PHRASE, opened, text_of
from tests.support.clock import ManualClock
from tests.support.waiting import eventually

SIGNED = f"{OWN_SERVER}; dkim=pass header.d=example.test; dmarc=pass header.from=example.test"
FORGED = f"{OWN_SERVER}; dkim=fail header.d=example.test; dmarc=fail header.from=example.test"


@pytest.fixture
async def office(tmp_path):
    async with opened(tmp_path / "data") as running:
        await running.begin()
        yield running


# --- orders


async def test_a_reply_is_played_and_answered_and_the_other_side_hears_of_it(office):
    verdict = await office.accept(office.reply(await office.letter(), f"phrase {PHRASE}\nend turn"))
    assert verdict.what == "played"
    assert [(said.text, said.status) for said in verdict.lines] == [(f"phrase {PHRASE}", "ok"), ("end turn", "ok")]
    assert office.live.game.active == "north"
    events = office.live.recording.timeline.events
    assert {recorded.event.channel for recorded in events if recorded.type == "OrderAccepted"} == {"mail"}
    told = await office.letters()
    (answer,) = (mail for mail in told if mail["To"].startswith("anna"))
    assert text_of(answer).startswith("Your orders were played.\n")
    assert any(mail["To"].startswith("bob") for mail in told)


async def test_each_letter_ends_with_the_signed_head(office):
    text = text_of(await office.letter())
    assert CUT in text
    head = notes.open_head(
        notes.Verifier(office.battles.keys.current.key), text.partition("\n-- \n")[2].rstrip("\n") + "\n"
    )
    assert head.n == office.live.n


async def test_a_mail_without_a_phrase_is_played(office):
    assert (await office.accept(office.reply(await office.letter(), "end turn"))).what == "played"


async def test_a_whole_turn_is_one_script(office):
    lines = [
        "standing evade R3 always",
        "repeat R1 ahead until it fails or needs more than 6",
        "if it fails: try R4 ahead",
        "try end turn",
    ]
    verdict = await office.accept(office.reply(await office.letter(), "\n".join(lines)))
    assert verdict.what == "played"
    assert [said.text for said in verdict.lines] == lines
    assert office.live.game.active == "north"


async def test_a_line_that_looks_like_an_order_and_is_none_plays_nothing(office):
    n = office.live.n
    verdict = await office.accept(office.reply(await office.letter(), "R1 aheda-letf\nend turn"))
    assert (verdict.what, office.live.n) == ("unreadable", n)
    assert [said.status for said in verdict.lines if said.text.startswith("R1")] == ["unreadable"]
    assert "Did you mean “R1 ahead" in text_of(await office.letter())


async def test_a_slip_that_can_mean_one_order_is_played_and_told(office):
    verdict = await office.accept(office.reply(await office.letter(), "R1 ahaed\nedn turn"))
    assert (verdict.what, [said.text for said in verdict.lines]) == ("played", ["R1 ahead", "end turn"])
    assert "“R1 ahaed” was read as “R1 ahead”." in text_of(await office.letter())


async def test_a_command_below_a_greeting_to_the_server(office):
    mailbox = office.parts.addresses.mailbox
    verdict = await office.accept(office.written(mailbox, "Hello,\n\nbattles\n\nThanks!\nAnna\n"))
    assert (verdict.what, verdict.requests[0].name) == ("command", "battles")
    (answer,) = [text_of(letter) for letter in await office.letters("anna") if "“Thanks!”" in text_of(letter)]
    assert "Thanks!\n=" not in answer  # what was left out has no heading of its own


async def test_one_word_gives_the_usual_standing_orders(office):
    letter = await office.letter()
    assert "A line “usual” answers in advance" in " ".join(text_of(letter).split())
    verdict = await office.accept(office.reply(letter, "usual\nR1 ahead\nend turn"))
    assert (verdict.what, len(verdict.lines)) == ("played", 5)
    given = office.live.ruleset.orders.standing(office.live.known("south"), "south", "en")
    assert given == tuple(said.text for said in verdict.lines[:3])
    answer = " ".join(text_of(await office.letter()).split())
    assert f"“usual” was read as “{'; '.join(given)}”." in answer


async def test_who_has_answered_in_advance_is_not_told_how(office):
    await office.order("south", "standing evade all never")
    assert "usual" not in text_of(await office.letter())


async def test_a_greeting_above_the_quote_and_orders_below_it(office):
    letter = await office.letter()
    quoted = "\n".join(f"> {line}" for line in text_of(letter).splitlines())
    body = f"Hi,\n\nOn Saturday Phalera wrote:\n{quoted}\n\nR1 ahead\nend turn\n"
    verdict = await office.accept(office.written(letter["Reply-To"], body, "anna@example.test", letter))
    assert (verdict.what, [said.text for said in verdict.lines]) == ("played", ["R1 ahead", "end turn"])
    assert verdict.dropped == ("Hi,",)


async def test_orders_above_the_quote_stand_alone(office):
    letter = await office.letter()
    quoted = "\n".join(f"> {line}" for line in text_of(letter).splitlines())
    body = f"R1 ahead\n\nOn Saturday Phalera wrote:\n{quoted}\n\nR2 ahead\n"
    verdict = await office.accept(office.written(letter["Reply-To"], body, "anna@example.test", letter))
    assert ([said.text for said in verdict.lines], verdict.dropped) == (["R1 ahead"], ("R2 ahead",))


async def test_prose_around_the_orders_is_left_out_and_told(office):
    text = "Hi Bob!\n\n*R1 ahead*\n- end turn.\n\nCheers,\nAnna\n06 12 34 56 78\nSent from a magnificent torch"
    verdict = await office.accept(office.reply(await office.letter(), text))
    assert verdict.what == "played"
    assert [said.text for said in verdict.lines] == ["*R1 ahead*", "- end turn."]
    left = ("Hi Bob!", "Cheers,", "Anna", "06 12 34 56 78", "Sent from a magnificent torch")
    assert verdict.dropped == left
    told = " ".join(text_of(await office.letter()).split())
    assert f"Not read as orders: {' / '.join(left)}" in told
    assert not verdict.params  # a greeting is not offered as a message


async def test_a_question_beside_the_orders_is_told_where_its_answer_is(office):
    await office.accept(office.reply(await office.letter(), "R1 ahead\nend turn\n\nHow do I rally a unit?"))
    assert "“help orders” says more about your question." in text_of(await office.letter())


async def test_the_answer_to_an_opening_can_be_answered_with_orders(office):
    mailbox = office.parts.addresses.mailbox
    await office.letters("anna")
    signed = f"{OWN_SERVER}; dkim=pass header.d=example.test"
    await office.accept(
        office.written(mailbox, "open skirmish south bot\n\nThanks!\nAnna\n", Authentication_Results=signed)
    )
    answer = await office.letter()  # one, and no other
    assert text_of(answer).startswith("It is your turn: orders for South are wanted")
    assert "is open against a bot of this server, Sensible bot; you hold south" in " ".join(text_of(answer).split())
    assert "Not read as orders: Thanks! / Anna" in text_of(answer)
    office.clock.wait(seconds=GLANCE_S)
    assert await office.letters("anna") == []
    verdict = await office.accept(office.reply(answer, "R1 ahead\nend turn", Authentication_Results=signed))
    assert (verdict.what, [said.status for said in verdict.lines]) == ("played", ["ok", "ok"])


async def test_the_numbers_of_the_letter_are_orders(office):
    letter = await office.letter()
    listed = re.findall(r"^\| +(\d+)\. (R\d ahead)", text_of(letter), re.M) or numbers_of(office)
    first = next(number for number, order in listed if order == "R1 ahead")
    verdict = await office.accept(office.reply(letter, f"{first} end"))
    assert [(said.text, said.status) for said in verdict.lines] == [("R1 ahead", "ok"), ("end turn", "ok")]


async def test_a_number_that_the_letter_does_not_have_plays_nothing(office):
    n = office.live.n
    verdict = await office.accept(office.reply(await office.letter(), "998 end"))
    assert (verdict.what, office.live.n, verdict.lines[0].text) == ("unreadable", n, "998 end")
    assert "No order of your letter has such a number" in text_of(await office.letter())


def numbers_of(office):
    listed = numbering.listed(numbering.list_of(office.live, "south")).orders
    return [(str(at), order) for at, order in enumerate(listed, 1)]


async def test_words_and_orders_in_one_mail(office):
    text = "say Well played!\nI am late.\n\nR1 ahead\nend turn"
    verdict = await office.accept(office.reply(await office.letter(), text))
    assert (verdict.what, [said.text for said in verdict.lines]) == ("played", ["R1 ahead", "end turn"])
    assert [request.name for request in verdict.requests] == ["say"]
    assert "Well played!" in "".join(text_of(letter) for letter in await office.letters("bob"))


async def test_words_of_a_mail_that_is_not_played_stay_here(office):
    verdict = await office.accept(office.reply(await office.letter(), "say Ha!\n\nR1 aheda-letf"))
    assert (verdict.what, verdict.requests) == ("unreadable", ())
    assert not await office.letters("bob")


async def test_free_text_above_the_orders_is_offered_and_never_sent(office):
    text = "That was a fine charge of yours, and I shall need a day or two.\n\nR1 ahead\nend turn"
    verdict = await office.accept(office.reply(await office.letter(), text))
    assert (verdict.what, verdict.params) == ("played", {"offer": "Bob"})
    letters = await office.letters()
    assert "Your words were not passed on to Bob" in "".join(map(text_of, letters)).replace("\n", " ")
    assert not any("fine charge" in text_of(letter) for letter in letters if letter["To"].startswith("bob"))


@pytest.mark.parametrize(
    ("text", "what", "told"),
    [
        ("Thanks, I shall play on Sunday.", "words", "There was no order in your mail"),
        ("How do I move my knights?", "command", "How orders are written"),
        ("Help?", "command", ""),
        ("Hi!\n\nlist", "command", ""),
    ],
)
async def test_a_mail_without_orders_is_answered_by_what_it_says(office, text, what, told):
    n = office.live.n
    verdict = await office.accept(office.reply(await office.letter(), text))
    assert (verdict.what, office.live.n) == (what, n)
    assert told in text_of(await office.letter())


async def test_a_refused_order_is_answered_with_its_rule(office):
    verdict = await office.accept(office.reply(await office.letter(), "N1 ahead"))
    assert verdict.what == "refused"
    assert "[CORE-ID]" in text_of(await office.letter())


async def test_an_empty_reply_is_told_what_to_write(office):
    n = office.live.n
    assert (await office.accept(office.reply(await office.letter(), ""))).what == "empty"
    assert office.live.n == n
    assert CUT in text_of(await office.letter())


# --- once


async def test_the_same_mail_again_does_nothing(office):
    raw = office.reply(await office.letter(), "end turn")
    await office.accept(raw)
    n = office.live.n
    assert (await office.accept(raw)).what == "duplicate"
    assert (await office.accept(b"Received: by another way\r\n" + raw)).what == "duplicate"
    assert office.live.n == n


async def test_a_reply_written_on_an_old_board_is_not_played(office):
    letter = await office.letter()
    await office.order("south", "R1 ahead")
    n = office.live.n
    verdict = await office.accept(office.reply(letter, "end turn"))
    assert (verdict.what, office.live.n) == ("closed", n)
    answer = await office.letter()
    assert "R1" in text_of(answer)
    assert (await office.accept(office.reply(answer, "try end turn"))).what == "played"


async def test_a_reply_is_not_played_on_a_board_that_changes_while_it_waits_to_be(office):
    raw = office.reply(await office.letter(), f"phrase {PHRASE}\nend turn")
    page = Entry("south", "R1 ahead", office.players["south"].player, "page", phrase=PHRASE)
    async with office.live.lock:  # an order by the page is under way
        coming = asyncio.ensure_future(office.accept(raw))
        await eventually("the mail waits", lambda: office.live.lock._waiters or coming.done())
        await office.live.append(lambda recording, at: recording.order(page, at))
        n = office.live.n
    verdict = await coming
    assert (verdict.what, office.live.n) == ("closed", n)


async def test_what_may_be_said_at_any_time_leaves_the_question_open(office):
    letter = await office.letter()
    await office.order("south", "standing evade R3 never")
    assert (await office.accept(office.reply(letter, "end turn"))).what == "played"


async def test_that_a_question_is_over_is_told_four_times_an_hour_with_what_was_not_played(office):
    letter = await office.letter()
    await office.order("south", "end turn")
    await office.letters()
    for expected in (1, 1, 1, 1, 0):
        verdict = await office.accept(office.reply(letter, "R1 ahead"))
        assert (verdict.what, [(said.text, said.status) for said in verdict.lines]) == (
            "closed",
            [("R1 ahead", "not-played")],
        )
        assert len(await office.letters("Anna")) == expected
    office.clock.wait(hours=2)
    await office.accept(office.reply(letter, "R1 ahead"))
    assert len(await office.letters("Anna")) == 1


async def test_a_mail_that_a_crash_left_unjudged_is_judged_at_the_next_start(tmp_path):
    clock = ManualClock()
    async with opened(tmp_path / "data", clock) as office:
        await office.begin()
        raw = office.reply(await office.letter(), "R1 ahead\nend turn")
        await office.battles.store.write(raw_mail.keep(b"id", clock.now(), raw))
        battle = office.live.id
    async with opened(tmp_path / "data", clock) as office:
        assert await office.intake.resume() == 1
        assert await office.intake.resume() == 0
        assert (await office.battles.get(battle)).game.active == "north"


async def test_orders_that_a_crash_cut_go_on_although_the_board_has_changed(tmp_path):
    """The first line was played, the verdict was not stored: the mail is no old one."""
    clock = ManualClock()
    async with opened(tmp_path / "data", clock) as office:
        await office.begin()
        raw = office.reply(await office.letter(), "R1 ahead\ntry end turn")
        assert (await office.accept(raw)).what == "played"
        n, battle = office.live.n, office.live.id
        await office.battles.store.write(_forgotten(office))
    async with opened(tmp_path / "data", clock) as office:
        assert await office.intake.resume() == 1
        (kept,) = office.battles.store.rows("SELECT verdict FROM raw_mail")
        verdict = decode(kept[0], Verdict)
        assert verdict.what == "played"
        assert [said.status for said in verdict.lines] == ["ok", "ok"]
        assert (await office.battles.get(battle)).n == n


def _forgotten(office):
    """As if the crash had come before the verdict."""
    from server.store import Statement

    return Statement("UPDATE raw_mail SET verdict=NULL", (), 1)


async def test_too_much_at_once_is_not_taken_and_comes_again(office):
    for _ in range(50):
        await office.accept(office.written("play@phalera.test", "help", "stranger@example.test"))
    with pytest.raises(Overloaded):
        await office.accept(office.written("play@phalera.test", "help", "stranger@example.test"))


# --- whose word


async def test_another_sender_is_held_and_the_player_is_asked(office):
    n = office.live.n
    letter = await office.letter()
    verdict = await office.accept(office.reply(letter, "end turn", sender="mallory@example.test"))
    assert (verdict.what, verdict.why, office.live.n) == ("held", "sender", n)
    told = await office.letters()
    assert [mail["To"] for mail in told] == ["anna@example.test"]
    assert "/confirm/" in text_of(told[0])


async def test_what_ends_the_battle_is_repeated_before_it_is_confirmed(office):
    letter = await office.letter()
    assert (await office.accept(office.reply(letter, "end turn\nresign"))).what == "held"
    told = text_of(await office.letter())
    assert "| resign\n    waits for your confirmation" in told
    assert "What you can order" not in told  # orders in answer to this would be the yes


async def test_what_is_held_is_played_when_it_is_confirmed_by_mail(office):
    letter = await office.letter()
    await office.accept(office.reply(letter, "end turn", sender="mallory@example.test"))
    asked = await office.letter()
    assert (await office.accept(office.reply(asked, "yes"))).what == "command"
    assert office.live.game.active == "north"
    (answer,) = await office.letters("Anna")
    assert text_of(answer).startswith("Your orders were played.\n")
    n = office.live.n
    await office.accept(office.reply(asked, "yes"))
    assert office.live.n == n


async def test_what_is_held_is_not_played_once_its_question_is_over(office):
    letter = await office.letter()
    await office.accept(office.reply(letter, "end turn", sender="mallory@example.test"))
    asked = await office.letter()
    await office.order("south", "R1 ahead")
    n = office.live.n
    await office.accept(office.reply(asked, "yes"))
    assert office.live.n == n


async def test_a_machine_confirms_nothing(office):
    letter = await office.letter()
    await office.accept(office.reply(letter, "end turn", sender="mallory@example.test"))
    asked = await office.letter()
    n = office.live.n
    verdict = await office.accept(office.reply(asked, "I am away", Auto_Submitted="auto-replied"))
    assert verdict.what in ("automatic", "vacation")
    assert office.live.n == n


@pytest.mark.parametrize("text", ["resign", "offer draw", "R1 ahead\nif it fails: resign", "on replay: yes\nresign"])
async def test_resigning_and_draws_are_always_confirmed(office, text):
    verdict = await office.accept(office.reply(await office.letter(), text, Authentication_Results=SIGNED))
    assert (verdict.what, verdict.why) == ("held", "confirm")
    assert office.live.game.winner is None
    assert not office.live.game.draw_offer


@pytest.mark.parametrize("text", ["resign", "abandonne", "resign {battle}"])
async def test_who_has_no_letter_left_can_resign_all_the_same(office, text):
    await office.letters()
    raw = office.written("play@phalera.test", text.format(battle=office.live.id))
    assert (await office.accept(raw)).what == "held"
    await office.accept(office.reply(await office.letter(), "yes"))
    assert office.live.game.winner == "north"


async def test_a_confirmed_resignation_ends_the_battle(office):
    await office.accept(office.reply(await office.letter(), "resign"))
    await office.accept(office.reply(await office.letter(), "yes"))
    assert office.live.game.winner == "north"
    told = {mail["To"]: text_of(mail) for mail in await office.letters()}
    assert "You have lost. North wins" in told["anna@example.test"]  # in the answer to the confirmation
    assert told["bob@example.test"].startswith("You have won! North wins")


async def test_a_forged_signature_is_held(office):
    verdict = await office.accept(office.reply(await office.letter(), "end turn", Authentication_Results=FORGED))
    assert (verdict.what, verdict.why) == ("held", "forged")


async def test_once_signed_always_signed(office):
    letter = await office.letter()
    assert (await office.accept(office.reply(letter, "R1 ahead", Authentication_Results=SIGNED))).what == "played"
    assert correspondents.find(office.battles.store, office.players["south"].player).signed == "example.test"
    answer = await office.letter()
    verdict = await office.accept(office.reply(answer, "try end turn"))
    assert (verdict.what, verdict.why) == ("held", "unsigned")


async def test_a_token_found_only_in_the_references_will_do(office):
    letter = await office.letter()
    raw = office.written("play@phalera.test", "end turn", about=letter)
    assert (await office.accept(raw)).what == "played"


async def test_orders_without_a_token_are_not_guessed(office):
    n = office.live.n
    verdict = await office.accept(office.written("play@phalera.test", "R1 ahead"))
    assert (verdict.what, office.live.n) == ("no-question", n)


async def test_a_token_of_another_battle_plays_there_only(office):
    letter, first = await office.letter(), office.live
    n = first.n
    await office.letters()
    office.players["south"] = await office.enrol("Carla")
    letter.replace_header("Reply-To", letter["Reply-To"].replace("+", "+a"))
    verdict = await office.accept(office.written(letter["Reply-To"], "end turn", "carla@example.test"))
    assert verdict.what in ("no-question", "held")
    assert first.n == n


# --- commands


async def test_a_command_that_only_shows_is_answered_to_the_account_whoever_wrote(office):
    await office.letters()
    verdict = await office.accept(office.written("play@phalera.test", "list"))
    assert verdict.what == "command"
    assert office.live.id in text_of(await office.letter())


async def test_a_command_that_changes_something_needs_a_token_or_a_signature(office):
    await office.letters()
    unsigned = await office.accept(office.written("play@phalera.test", "language fr"))
    assert (unsigned.what, unsigned.why) == ("held", "no-token")
    signed = await office.accept(office.written("play@phalera.test", "language fr", Authentication_Results=SIGNED))
    assert signed.what == "command"
    assert correspondents.find(office.battles.store, office.players["south"].player).lang == "fr"


async def test_a_stranger_gets_the_help_once_a_day(office):
    await office.letters()
    for expected in (1, 0):
        verdict = await office.accept(office.written("play@phalera.test", "help", "stranger@elsewhere.test"))
        assert verdict.what == "stranger"
        assert len(await office.letters("stranger")) == expected


@pytest.mark.parametrize("text", ["end turn", "list", "join abcdefgh", "hello"])
async def test_a_stranger_gets_nothing_else(office, text):
    await office.letters()
    verdict = await office.accept(office.written("play@phalera.test", text, "stranger@elsewhere.test"))
    assert verdict.what == "stranger"
    assert await office.letters() == []


# --- machines


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"List_Id": "<a.list>"},
        {"Return_Path": "<>"},
    ],
)
async def test_machines_get_no_answer_and_play_nothing(office, headers):
    letter, n = await office.letter(), office.live.n
    verdict = await office.accept(office.reply(letter, "end turn", **headers))
    assert verdict.what in ("automatic", "vacation", "bounce")
    assert (await office.letters(), office.live.n) == ([], n)


async def test_a_vacation_note_is_offered_a_vacation_once(office):
    letter, n = await office.letter(), office.live.n
    for expected in (1, 0):
        raw = office.written(
            letter["Reply-To"],
            "I am out of office until 2026-12-01.",
            about=letter,
            Auto_Submitted="auto-replied",
            X_Autoreply="yes",
        )
        assert (await office.accept(raw)).what == "vacation"
        told = await office.letters("Anna")
        assert len(told) == expected
    assert office.live.n == n


@pytest.mark.parametrize(
    "raw", [b"no mail at all", b"From: x@example.test\nTo: play+aaaaaaaaaaaaaaaaaaaaaaaa@phalera.test\n\nend turn\n"]
)
async def test_other_mail_is_harmless(office, raw):
    n = office.live.n
    await office.letters()
    assert (await office.accept(raw)).what in ("broken", "stranger")
    assert (await office.letters(), office.live.n) == ([], n)


async def test_what_is_too_large_is_not_kept(office):
    assert (await office.accept(b"x" * (1024 * 1024 + 1))).what == "too-large"
    assert office.battles.store.rows("SELECT 1 FROM raw_mail") == []


async def test_a_mail_that_cannot_be_read_is_told_to_the_player_who_answered(office):
    letter = await office.letter()
    raw = office.reply(letter, "\n".join(["R1 ahead"] * 3000))
    verdict = await office.accept(raw)
    assert (verdict.what, verdict.why) == ("broken", "text")
    assert len(await office.letters("Anna")) == 1


# --- questions


async def test_a_question_changes_when_it_is_answered_and_only_then(office):
    asked = question_of(office.live, "south")
    assert asked
    assert question_of(office.live, "north") == ""
    await office.order("south", "standing replay never")
    assert question_of(office.live, "south") == asked
    await office.order("south", "R1 ahead")
    assert question_of(office.live, "south") != asked


async def test_letters_carry_tokens_of_which_the_store_knows_only_a_digest(office):
    letter = await office.letter()
    token = letter["Reply-To"].partition("+")[2].partition("@")[0]
    found = mail_tokens.find(office.battles.store, token)
    assert found is not None
    assert found.question == question_of(office.live, "south")
    assert not office.battles.store.rows("SELECT 1 FROM mail_tokens WHERE digest=?", (token.encode(),))


async def test_whose_letters_came_back_gets_what_waited_as_soon_as_he_writes(tmp_path):
    clock = ManualClock()
    async with opened(tmp_path / "data", clock) as office:
        await office.begin()
        store, anna = office.battles.store, office.players["south"].player
        for _ in range(bounces.MOST):
            await store.write(bounces.refused(anna))
        assert await office.letters("Anna") == []  # tried, and put off
        clock.wait(hours=3)
        assert await office.letters("Anna") == []
        await office.accept(office.written("play@phalera.test", "list", Authentication_Results=SIGNED))
        assert len(await office.letters("Anna")) == 2  # the answer, and the turn that waited
