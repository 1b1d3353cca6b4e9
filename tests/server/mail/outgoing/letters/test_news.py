"""The letters beside those that ask for orders, and which are no longer written."""

import re
from email.utils import parseaddr
from functools import partial

import pytest

from domain.basics.pace import moment_of
from domain.events.battle import DecisionAsked, OrderAccepted
from domain.log.record import Recorded
from replay.proof.cosigned import Cosigner
from replay.proof.policy import read_policy
from replay.proof.seen import WitnessEvidence
from replay.proof.verify import verify
from replay.proof.witnessed import proofs_in
from replay.writing.recording import Batch
from server.mail.digests import entries_of, token_of
from server.mail.outgoing.carrier import MaildirCarrier
from server.mail.outgoing.letters.menu_text import BAR
from server.mail.outgoing.occasions import letters
from server.mail.outgoing.postman import Postman
from server.play.archive import export_battle
from server.play.scripts import read_script
from server.store.tables import deliveries, mail_tokens, outbox, posts
from server.time import deadlines as clockwork
from server.watched_clock import WatchedClock
from server.witness.parts import WitnessParts
from tests.server.play.test_orders import EVADE
from tests.support.letter_writing import URL, Arrived, opened

AT = "2026-01-01T00:00:00.000Z"
ENDS = "R1 ahead\nend turn"


async def test_a_turn_letter_is_not_written_when_the_turn_is_over(office):
    (row,) = office.rows("south")
    await office.order("south", "end turn")
    assert await office.writer.compose(row) is None


async def test_a_turn_letter_is_not_written_when_its_reader_is_at_it(office):
    (row,) = office.rows("south")
    await office.order("south", "R1 ahead")
    assert "south" in office.live.to_act()
    assert await office.writer.compose(row) is None


async def test_a_standing_order_leaves_the_question_open(office):
    (row,) = office.rows("south")
    await office.order("south", "standing evade R3 never")
    assert await office.writer.compose(row) is not None


async def test_of_two_letters_that_ask_the_later_is_written(office):
    (first,) = office.rows("south")
    second = await office.posted("south", "turn")
    assert await office.writer.compose(first) is None
    assert await office.writer.compose(second) is not None


async def test_a_letter_that_was_sent_is_not_written_again(office):
    (row,) = office.rows("south")
    await office.send(row)
    assert await office.writer.compose(row) is None


async def test_who_holds_no_side_and_who_is_unknown_gets_nothing(office):
    other = await office.enrol("third", "Carl")
    assert await office.writer.compose(await office.posted("third", "turn")) is None
    assert await office.writer.compose(await office.posted("south", "turn", "nowhere1")) is None
    await office.store.write(outbox.post(office.live.id, 1, "nobody", "turn", office.clock.now()))
    assert await office.writer.compose(office.rows()[-1]) is None
    assert other.name == "Carl"


async def test_a_question_is_told_with_what_it_is_about(tmp_path):
    async with opened(tmp_path / "data") as office:
        await office.begin()
        row = await office.posted("south", "decision")
        arrived = await office.letter(row)  # nothing is asked: the turn is
        assert arrived.lead.startswith("It is your turn")


async def test_a_contribution_is_asked_for(tmp_path):
    async with opened(tmp_path / "data") as office:
        await office.begin(phrase="")
        kinds = {row.recipient: row.kind for row in office.rows()}
        assert kinds[office.players["north"]] == "contribution"
        arrived = await office.newest("north")
        assert arrived.lead.startswith("A phrase of yours for North is wanted")
        assert "Write “phrase” and at least sixteen letters" in " ".join(arrived.text.split())
        assert await office.writer.compose(office.rows("north")[-1]) is not None
        await office.order("north", "phrase of the northern player here")
        assert await office.writer.compose(office.rows("north")[-1]) is None


async def test_who_waits_for_a_share_of_the_chance_hears_that_it_has_come(tmp_path):
    async with opened(tmp_path / "data") as office:
        await office.begin(phrase="")
        assert [row.kind for row in office.rows("south")] == ["contribution"]
        await office.order("south", "phrase of the southern player here")
        await office.order("north", "phrase of the northern player here")
        assert office.rows("south")[-1].kind == "turn"
        assert (await office.newest("south")).lead.startswith("It is your turn")


async def test_the_end_is_told_with_the_way_to_check_it(office):
    await office.order("south", "resign")
    for side, whose in (("south", "You have lost."), ("north", "You have won!")):
        row = office.rows(side)[-1]
        assert row.kind == "end"
        arrived = await office.letter(row)
        assert arrived.lead == f"{whose} North wins: the other side has resigned."
        assert "thank you for playing" in arrived.text
        assert "phalera replay" in arrived.text
        assert f"{URL}/api/v1/battles/{office.live.id}/export" in arrived.text
        assert "phalera verify" in arrived.text
        assert "end turn" not in arrived.text
        assert "medals left" in arrived.text
        assert arrived.part("text/calendar") is None
    assert await office.writer.compose(await office.posted("south", "turn")) is None


async def test_the_last_letter_brings_what_the_witnesses_have_signed(office):
    host = WitnessParts(
        office.battles.settings.data, office.battles.keys.current, office.clock.now, office.battles.entropy
    )
    office.writer.press.proof_of = partial(host.cosigned_proof, office.store)
    witness = Cosigner("beta.test/witness", bytes([7]) * 32)
    await office.order("south", "resign")
    host.log.follow(office.store)
    row = office.rows("south")[-1]
    assert not list((await office.letter(row)).message.iter_attachments())  # as nobody is asked
    host.file.ask(witness.key, "https://beta.test/witness", 0)
    submitted = host.log.submission(0)
    assert submitted is not None
    (newest, _), at_s = submitted, 1_900_000_000
    line = witness.line(newest.note.partition("\n\n")[0] + "\n", at_s)
    assert host.log.take_cosignature(newest.size, newest.note, line + "\n", witness.key)
    arrived, name = await office.letter(row), f"{office.live.id}.battle.proof"
    assert [part.get_filename() for part in arrived.message.iter_attachments()] == [name]
    assert f"Keep the file {name} beside the battle file" in " ".join(arrived.text.split())
    content = export_battle(office.store, office.battles.keys, office.live.id)
    policy = read_policy(f"witness beta {witness.key.text()}\nquorum beta\n")
    proofs = tuple(("letter.eml", proof) for proof in proofs_in(arrived.raw))
    report = verify(content, witnessed=WitnessEvidence(proofs, policy))
    assert report.fault is None and report.witnessed is not None
    assert (report.witnessed.n, report.witnessed.seen) == (office.live.n, 1)
    host.close()


@pytest.mark.parametrize(
    ("lang", "first", "subject", "commands"),
    [
        ("en", "Welcome, Anna", "Phalera: how to play by mail", ("“battles”", "“open skirmish”", "“help”")),
        ("fr", "Bienvenue, Anna", "comment jouer par courriel", ("batailles", "ouvrir skirmish", "aide")),
    ],
)
async def test_a_new_player_hears_where_to_write_whatever_he_wishes(office, lang, first, subject, commands):
    await office.wish("south", lang=lang, delivery="digest", quiet="0-23")
    arrived = await office.letter(await office.posted("south", "welcome", ""))
    assert arrived.text.startswith(first) and subject in arrived["Subject"]
    assert office.addresses.mailbox in arrived.text and all(said in arrived.text for said in commands)
    assert "/login/" not in arrived.text and "/login/" not in arrived.html
    assert arrived.message["Message-ID"].defects == ()
    assert ".." not in arrived["Message-ID"]
    known = mail_tokens.find(office.store, office.addresses.tokens_in(arrived["Reply-To"])[0])
    assert known is not None
    assert (known.player, known.battle, known.question) == (office.players["south"], "", "")


@pytest.mark.parametrize(
    ("lang", "subject", "said"),
    [
        ("en", "A battle of your server cannot be proven", ": time-goes-back."),
        ("fr", "ne peut pas être prouvée", "\u00a0: time-goes-back."),
    ],
)
async def test_who_runs_the_server_hears_of_a_battle_that_cannot_be_proven(office, lang, subject, said):
    await office.wish("south", lang=lang, delivery="digest", quiet="0-23")
    arrived = await office.letter(await office.posted("south", "fault:time-goes-back"))
    assert subject in arrived["Subject"]
    assert said in arrived.text
    assert f"phalera export {office.live.id}" in arrived.text


@pytest.mark.parametrize(("lang", "said"), [("en", "is being doubted"), ("fr", "L’horloge du serveur est douteuse")])
async def test_a_letter_with_a_deadline_says_when_the_clock_is_doubted(office, lang, said):
    await office.wish("south", lang=lang)
    office.live._clock = WatchedClock(office.clock)
    assert said not in (await office.letter(await office.posted("south", "turn"))).text
    office.clock.step(days=10)
    assert said in (await office.letter(await office.posted("south", "turn"))).text


async def test_who_waits_hears_that_the_other_side_is_taken(tmp_path):
    async with opened(tmp_path / "data") as office:
        await office.enrol("north", "Bob")
        await office.begin()
        arrived = await office.letter(await office.posted("north", "joined"))
        assert arrived.lead == "South is taken: Anna plays with you."


@pytest.mark.parametrize(
    ("step", "first"),
    [("half", "Half of your time is gone"), ("24h", "Less than a day is left"), ("2h", "Less than two hours are left")],
)
async def test_reminders_while_the_clock_runs(office, step, first):
    arrived = await office.letter(await office.posted("south", f"reminder:{step}:{office.live.n}"))
    assert arrived.lead.startswith(f"{first}: orders for South are wanted by Monday 30 November 2026, 10:00 UTC")
    token = parseaddr(arrived["Reply-To"])[1].removeprefix("play+").partition("@")[0]
    found = mail_tokens.good(office.store, token, "question", office.clock.now())
    assert found is not None
    assert found.question
    row = await office.posted("south", f"reminder:{step}:{office.live.n}")
    await office.order("south", "end turn")
    assert await office.writer.compose(row) is None


async def test_a_reminder_to_the_player_of_both_sides_is_about_one_of_them(tmp_path):
    """Written again after a crash, when that side has moved, it was a letter about the other, under another token."""
    async with opened(tmp_path / "data") as office:
        await office.enrol("south", "Anna")
        office.players["north"] = office.players["south"]
        await office.begin(("Anna", "Anna"))
        since = office.live.clock(office.clock.now())["south"].since
        row = await office.posted("south", f"reminder:half:{since}")
        first = await office.letter(row)
        assert "orders for South are wanted" in first.lead
        assert (await office.letter(row))["Message-ID"] == first["Message-ID"]
        await office.order("south", "end turn")
        assert await office.writer.compose(row) is None
        late = await office.posted("south", f"reminder:24h:{since}")  # it was never written
        assert await office.writer.compose(late) is None
        since = office.live.clock(office.clock.now())["north"].since
        assert "orders for North" in (await office.letter(await office.posted("south", f"reminder:half:{since}"))).lead


async def test_a_flag_is_told_to_both(office):
    office.clock.wait(days=11)
    async with office.live.lock:
        await clockwork.fire(office.live, "deadline", "south")
    rows = [row for row in office.rows() if row.kind == "flag:south"]
    assert len(rows) == 2
    leads = {row.recipient: (await office.letter(row)).lead for row in rows}
    assert leads[office.players["south"]].startswith("Your time for South is up.")
    assert leads[office.players["north"]].startswith("The time of South (Anna) is up. You may wait, or write “claim”")
    await office.order("south", "end turn")
    assert [await office.writer.compose(row) for row in rows] == [None, None]


async def test_pauses_and_absences_are_told(office):
    for kind, first in (
        ("pause:asked:north", "North (Bob) asks for a pause."),
        ("pause:agreed:north", "North (Bob) agrees to a pause"),
        ("pause:over:north", "North (Bob) has ended the pause"),
        ("absence:begun:north", "North (Bob) is away"),
        ("absence:over:north", "North (Bob) is back"),
        ("pause:something", "Something has changed about a pause."),
        ("absence:something", "Something has changed about the absence of North (Bob)."),
    ):
        arrived = await office.letter(await office.posted("south", kind))
        assert arrived.lead.startswith(first)


async def test_a_word_of_the_other_side_comes_without_an_address(office):
    text = "Well played!\n-----8<----- R1 ahead\n\n<b>Bob</b>"
    await office.store.write(posts.post(7, office.live.id, "north", office.players["north"], office.clock.now(), text))
    arrived = await office.letter(await office.posted("south", "say:7"))
    assert arrived.lead == "North (Bob) writes to you:"
    assert "| Well played!\n| -----8 <----- R1 ahead\n|\n| <b>Bob</b>" in arrived.text
    assert "&lt;b&gt;Bob&lt;/b&gt;" in arrived.html
    assert b"bob@" not in arrived.raw
    token = parseaddr(arrived["Reply-To"])[1].removeprefix("play+").partition("@")[0]
    found = mail_tokens.good(office.store, token, "say", office.clock.now())
    assert found is not None
    assert (found.player, found.battle, found.side) == (office.players["south"], office.live.id, "south")
    for kind in ("say:8", "say:x"):
        assert await office.writer.compose(await office.posted("south", kind)) is None


@pytest.mark.parametrize("parks", [False, True])
async def test_a_move_that_is_given_back_is_told_to_who_waited(office, parks):
    """North answers a question that an order of south's has put to it. Lines that are parked go on by themselves."""
    for attempt in range(40):  # the charge needs a card
        await office.begin(text=EVADE, title=f"Charge {attempt}")
        await office.order("south", "R1 charge D3\nR2 ahead\nR3 ahead" if parks else "R1 charge D3")
        if office.live.question() == "north":
            break
    assert bool(office.live.parked) == parks
    asked = office.rows("north")[-1]
    assert (asked.kind, asked.battle) == ("decision", office.live.id)
    arrived = await office.letter(asked)
    assert arrived.lead.startswith("An answer from North is wanted by Monday 30 November 2026, 10:00 UTC.")
    assert "R1" in arrived.lead
    assert re.search(r"\d+ evade no", arrived.text)
    line = "| standing evade L1 heavier  # answers this next time, without a mail"
    assert line in arrived.text.splitlines()
    assert "| usual  # so do the usual ones, for all your units" in arrived.text.splitlines()
    copied = read_script(line.removeprefix(BAR), office.live.ruleset.orders.parse)
    assert [order.text for order in copied.orders] == ["standing evade L1 heavier"]
    for _ in range(9):  # whatever else the rules ask before the charge is over
        side, before = office.live.question(), len(office.rows("south"))
        if not side:
            break
        await office.order(side, office.live.options(side)[0].order)
        told = [row.kind for row in office.rows("south")[before:]]
        if not office.live.question() and office.live.to_act() == ("south",):
            assert told == ([] if parks else ["turn"])
            return
    pytest.fail("the turn went on")


# --- several in one


async def at_six(office):
    office.clock.moment = moment_of("2026-11-20T18:00:00.000Z")


async def two_battles(office):
    """Anna must act in two battles, and has been written to."""
    await office.wish("south", delivery="digest", picture=False)
    await office.store.write(
        posts.post(7, office.live.id, "north", office.players["north"], office.clock.now(), "Hello")
    )
    await office.posted("south", "say:7")
    first = office.live
    await office.begin()
    return first, office.live


def postman(office, folder):
    return Postman(office.battles, MaildirCarrier(folder), office.writer.compose)


async def test_a_letter_waits_for_the_digest(office):
    await office.wish("south", delivery="digest")
    composed = await office.writer.compose(office.rows("south")[0])
    assert composed.wait_until == "2026-11-20T18:00:00.000Z"


async def test_one_mail_tells_all_that_waits(office, tmp_path):
    first, second = await two_battles(office)
    carried = postman(office, tmp_path / "mail")
    await carried.deliver()
    assert {row.kind for row in office.rows("south")} == {"turn", "say:7"}
    await at_six(office)
    sent = []
    compose = carried._compose

    async def seen(row):
        composed = await compose(row)
        if composed is not None and not composed.wait_until:
            sent.append(Arrived(composed))
        return composed

    carried._compose = seen
    assert await carried.deliver() == 1
    assert office.rows("south") == []
    (digest,) = sent
    assert digest["Subject"] == "Your battles: 2 of 2 wait for you"
    assert digest.lead.startswith("Orders or an answer of yours are wanted in 2 of 2 battles, first by ")
    assert "1  Skirmish at the two woods  Bob      your turn 1  30 November, 10:00" in digest.text
    for number, live in enumerate((first, second), 1):
        mark = f"-----8<----- battle {number}, {live.id}: write BELOW -----8<-----"
        assert f"{mark}\n\n{number}. Skirmish at the two woods vs Bob: your turn 1" in digest.text
    assert "| Hello" in digest.text
    addresses = set(office.addresses.tokens_in(digest.text))
    good = [mail_tokens.find(office.store, token) for token in addresses]
    assert {(token.battle, token.kind) for token in good if token is not None} >= {
        (first.id, "question"),
        (second.id, "question"),
    }
    (token,) = office.addresses.tokens_in(parseaddr(digest["Reply-To"])[1])
    entries = entries_of(mail_tokens.find(office.store, token))
    assert [entry.battle for entry in entries] == [first.id, second.id]
    leads_to = [known for entry in entries if (known := token_of(office.store, entry)) is not None]
    assert [(known.battle, known.side) for known in leads_to] == [(first.id, "south"), (second.id, "south")]


async def test_a_later_turn_stands_for_an_earlier_one_in_the_digest(office):
    await office.wish("south", delivery="digest", picture=False)
    await office.order("south", "end turn")
    await office.order("north", "end turn")
    await at_six(office)
    arrived = await office.letter(office.rows("south")[0])
    assert arrived["Subject"].endswith("vs Bob: your turn 2")  # only one has anything to say
    assert arrived.lead.startswith("It is your turn")
    assert f"event {office.live.n}:" in arrived.text


async def test_a_crash_before_the_mark_tells_all_again(office):
    await two_battles(office)
    await at_six(office)
    host, *others = office.rows("south")
    first = await office.letter(host)
    again = await office.letter(host)  # it had left, but was not marked
    assert first.raw == again.raw
    await office.store.write(outbox.sent(host.id, office.clock.now()))
    for row in others:
        assert await office.writer.compose(row) is None


async def test_rows_of_a_digest_that_could_not_leave_wait_with_it(office):
    await two_battles(office)
    await at_six(office)
    host, other, *_ = office.rows("south")
    await office.letter(host)
    retry = "2026-11-20T18:05:00.000Z"
    await office.store.write(deliveries.put_off(deliveries.find(office.store, host.id)._replace(next_try=retry)))
    assert (await office.writer.compose(other)).wait_until == retry
    office.clock.wait(minutes=6)
    late = await office.letter(other)
    assert "in 2 of 2 battles" in late.lead


async def test_what_is_posted_after_a_digest_is_told_in_the_next(office):
    await two_battles(office)
    await at_six(office)
    await office.send(office.rows("south")[0])
    office.clock.wait(seconds=1)
    row = await office.posted("south", "pause:asked:north")
    assert (await office.writer.compose(row)).wait_until == "2026-11-21T18:00:00.000Z"


async def test_a_digest_can_be_asked_for_at_any_hour(office):
    await two_battles(office)
    arrived = await office.letter(await office.posted("south", "digest", ""))
    assert "in 2 of 2 battles" in arrived.lead


async def test_an_empty_digest_is_not_sent(office):
    await office.order("south", "end turn")
    assert await office.writer.compose(await office.posted("south", "digest", "")) is None


@pytest.mark.parametrize(
    ("channel", "asker", "told"), [("mail", "south", []), ("page", "south", ["south"]), ("mail", "north", ["south"])]
)
async def test_who_has_asked_himself_by_mail_is_told_by_the_answer_alone(office, channel, asker, told):
    """A question to the mover himself: `replay` of his own card."""
    order = OrderAccepted(asker, 1, 1, "player", channel, "", "R1 ahead")
    asked = DecisionAsked("south", "replay", "R1", ("yes", "no"))
    events = [Recorded(n, AT, "south", "", type(event).__name__, event) for n, event in ((11, order), (12, asked))]
    rows = letters(office.live, Batch((), tuple(events), (), {}), AT)
    seats = office.live.recording.battle.seats
    assert [row.params[2:4] for row in rows] == [(seats[side].player, "decision") for side in told]
