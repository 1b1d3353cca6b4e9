"""Somebody is invited by mail: the letter, each answer to it, and whoever would abuse either."""

import asyncio
import re
from email.message import EmailMessage

import pytest

from domain.basics.data import parse_toml, scenario_text
from domain.basics.errors import Refusal
from server.acts.invite import LASTS_S, invite, recipient_of
from server.acts.plain_text import unlinked
from server.limits import Invitations
from server.mail.desk.caller import Caller
from server.mail.desk.inviting import invite_by_mail
from server.mail.incoming.inviting_answer import answer_to_invitation
from server.mail.verdict import MailRequest
from server.people.players import Player, enrol, erased
from server.play.seating import leave_side, take_side
from server.store.tables import accounts, correspondents, invitations, mail_tokens
from server.store.tables.correspondents import Correspondent
from tests.server.mail.office import OWN_SERVER, Office, opened, text_of
from tests.support.looping import some

MAILBOX, FRIEND = "play@phalera.test", "friend@other.test"
USUAL = Invitations()
WORDS = "Do you remember Cannae?\nTime for revenge."


@pytest.fixture
async def office(tmp_path):
    async with opened(tmp_path) as office:
        office.players["south"] = await office.enrol("Anna")
        office.players["north"] = await office.enrol("Bob")
        yield office


def signed(raw: bytes) -> bytes:
    """As the mail system in front hands it on: the sender's domain is proven."""
    return f"Authentication-Results: {OWN_SERVER}; dmarc=pass header.from=example.test\n".encode() + raw


def token_of(letter: EmailMessage) -> str:
    return str(letter["Reply-To"]).partition("+")[2].partition("@")[0]


async def asked(office: Office, text: str, sender: str = "anna@example.test") -> str:
    """A mail of a player whose mail system signs; what its answer says."""
    assert (await office.accept(signed(office.written(MAILBOX, text, sender)))).what == "command"
    letters = await office.letters()
    return text_of(next(letter for letter in letters if letter["To"] == sender and letter["In-Reply-To"]))


async def invited(office: Office, text: str = f"invite {FRIEND} skirmish\n{WORDS}") -> EmailMessage:
    """Anna invites; the letter to her friend."""
    assert (await office.accept(signed(office.written(MAILBOX, text)))).what == "command"
    (letter,) = [letter for letter in await office.letters() if letter["To"] == FRIEND]
    return letter


async def answers(office: Office, letter: EmailMessage, text: str, sender: str = FRIEND) -> list[EmailMessage]:
    """The friend answers; all letters that follow."""
    await office.accept(office.reply(letter, text, sender))
    return await office.letters()


def battle_of(office: Office) -> str:
    ((battle,),) = office.battles.store.rows("SELECT DISTINCT battle FROM invitations")
    return str(battle)


async def seats(office: Office) -> dict[str, str]:
    live = await office.battles.get(battle_of(office))
    return {side: seat.name for side, seat in live.recording.battle.seats.items()}


# --- the letter, and yes


async def test_an_invitation_says_who_to_what_what_it_takes_and_how_to_be_left_alone(office) -> None:
    letter = await invited(office)
    text = " ".join(text_of(letter).split())
    assert letter["Subject"] == "Anna invites you to a battle"
    for part in (
        "Anna invites you to play a battle by mail: Skirmish at the two woods.",
        "“accept”, “decline” or “never”",
        "To the Strongest!",
        "6 units against 6",
        "a mail now and then",
        "Anna adds, and not this server: | Do you remember Cannae? | Time for revenge.",
        "until 20",
        f"/invitations/{token_of(letter)}",
        "do nothing",
    ):
        assert part in text, part
    assert f"/invitations/{token_of(letter)}/never" in letter["List-Unsubscribe"]
    assert "anna@example.test" not in letter.as_string()


@pytest.mark.parametrize("word", ["accept", "Yes, gladly!", "ACCEPT.", "oui", "accepter"])
async def test_accepting_by_reply_makes_an_account_and_begins_the_battle(office, word) -> None:
    letters = await answers(office, await invited(office), word)
    (account,) = accounts.by_email(office.battles.store, FRIEND)
    assert (await seats(office))["north"] == account.name
    live = await office.battles.get(battle_of(office))
    assert live.recording.battle.begun
    mine = [letter for letter in letters if letter["To"] == FRIEND]
    assert f"Welcome, {account.name}" in text_of(mine[0])
    assert [letter["Subject"] for letter in letters if letter["To"] == "anna@example.test"] == [
        f"Skirmish at the two woods vs {account.name}: your turn 1"
    ]


async def test_a_friend_chooses_the_name_and_answers_letters_from_then_on(office) -> None:
    letters = await answers(office, await invited(office, f"invite {FRIEND} skirmish as south"), "accept as Robin")
    assert (await seats(office))["south"] == "Robin"
    assert {letter["To"] for letter in letters} == {FRIEND, "anna@example.test"}
    office.clock.wait(seconds=3)  # a letter that asks goes after the answer to a mail
    turn = await office.letters()
    assert [(letter["To"], letter["Subject"]) for letter in turn] == [
        (FRIEND, "Skirmish at the two woods vs Anna: your turn 1")
    ]
    assert (await office.accept(office.reply(turn[0], "R1 ahead\nend turn", FRIEND))).what == "played"


async def test_a_player_who_has_an_account_keeps_it(office) -> None:
    bob = office.players["north"]
    await office.accept(signed(office.written(MAILBOX, "invite bob@example.test skirmish")))
    (letter,) = await office.letters("bob")
    await office.accept(office.reply(letter, "accept", "bob@example.test"))
    live = await office.battles.get(battle_of(office))
    assert live.recording.battle.seats["north"].player == bob.player
    assert len(accounts.by_email(office.battles.store, "bob@example.test")) == 1


async def test_the_letter_is_in_the_language_of_its_reader_if_it_is_known(office) -> None:
    bob, store = office.players["north"], office.battles.store
    await store.write(correspondents.save(Correspondent(bob.player, lang="fr", picture=False)))
    await office.accept(signed(office.written(MAILBOX, "invite bob@example.test cannae")))
    (letter,) = await office.letters("bob")
    assert letter["Subject"] == "Anna vous invite à une bataille"
    assert "Cannes, 216 av. J.-C." in text_of(letter)
    await office.accept(office.reply(letter, "accepter", "bob@example.test"))
    assert "Bienvenue, Bob" in text_of((await office.letters("bob"))[0])


async def test_a_battle_that_waits_needs_no_scenario(office) -> None:
    await asked(office, "open skirmish north")
    letter = await invited(office, f"invite {FRIEND}")
    assert "You would play South" in " ".join(text_of(letter).split())
    await answers(office, letter, "accept as Robin")
    assert await seats(office) == {"north": "Anna", "south": "Robin"}


async def test_without_a_battle_that_waits_the_scenario_is_asked_for(office) -> None:
    assert "name one of yours that waits" in " ".join((await asked(office, f"invite {FRIEND}")).split())
    assert "Name the address" in await asked(office, "invite")


# --- no, never, nothing


@pytest.mark.parametrize("word", ["decline", "No thanks, I am too old", "non"])
async def test_declining_frees_the_side_and_the_inviter_is_told_once(office, word) -> None:
    letters = await answers(office, await invited(office), word)
    (told,) = letters
    assert told["To"] == "anna@example.test" and "was declined" in text_of(told)
    assert accounts.by_email(office.battles.store, FRIEND) == []
    bob = f"join {battle_of(office)}"
    assert "You hold north" in await asked(office, bob, "bob@example.test")
    office.clock.wait(seconds=LASTS_S + 60)
    assert not [letter for letter in await office.letters() if "invitation" in text_of(letter)]


async def test_an_address_that_said_never_is_not_written_to_again(office) -> None:
    await answers(office, await invited(office), "Never!")
    store = office.battles.store
    assert "wants no invitations" in await asked(office, f"invite {FRIEND} skirmish")
    assert "wants no invitations" in await asked(office, "invite friend+again@OTHER.test skirmish", "bob@example.test")
    kept = [str(row) for table in ("invitations", "unwanted") for row in store.rows(f"SELECT * FROM {table}")]
    assert kept and not any("friend" in row for row in kept)


async def test_an_invitation_expires_and_the_inviter_is_told_once(office) -> None:
    letter = await invited(office)
    office.clock.wait(seconds=LASTS_S - 60)
    assert await office.letters() == []
    office.clock.wait(seconds=120)
    (told,) = await office.letters()
    assert "Nobody has answered your invitation" in text_of(told)
    (told,) = await answers(office, letter, "accept")
    assert told["To"] == FRIEND and "is over, and nothing was done. It came from Anna." in " ".join(
        text_of(told).split()
    )
    assert await answers(office, letter, "accept") == []  # it was said today
    assert await seats(office) == {"south": "Anna"}
    over = invitations.find(office.battles.store, mail_tokens.digest(token_of(letter)))
    assert over is not None and not over.email


async def test_a_side_is_kept_for_who_was_invited(office) -> None:
    letter = await invited(office)
    battle = battle_of(office)
    assert "is kept for somebody" in await asked(office, f"join {battle}", "bob@example.test")
    assert "is kept for somebody" in await asked(office, f"invite third@other.test {battle}")
    await answers(office, letter, "accept")
    assert len(await seats(office)) == 2


async def test_a_battle_that_is_cancelled_takes_its_invitation_along(office) -> None:
    letter = await invited(office)
    await asked(office, f"cancel {battle_of(office)}")
    (told,) = await answers(office, letter, "Is it on still?")
    assert "is over, and nothing was done" in " ".join(text_of(told).split())
    assert await answers(office, letter, "decline") == []
    assert list(await seats(office)) == ["south"]


@pytest.mark.parametrize("last", ["never", "cancel"])
async def test_that_it_is_over_is_told_to_nobody_else(office, last) -> None:
    """Nor to an address that has said never, nor in a mail that somebody has forged."""
    letter = await invited(office)
    await asked(office, f"cancel {battle_of(office)}")
    assert await answers(office, letter, "accept", "mallory@evil.test") == []
    if last == "never":
        assert await answers(office, letter, "never") == []
        assert await answers(office, letter, "accept") == []
    forged = f"Authentication-Results: {OWN_SERVER}; dmarc=fail header.from=other.test\n".encode()
    await office.accept(forged + office.reply(letter, "accept", FRIEND))
    assert await office.letters() == []


async def test_who_joins_without_the_invitation_has_taken_it(office) -> None:
    await office.accept(signed(office.written(MAILBOX, "invite bob@example.test skirmish")))
    (letter,) = await office.letters("bob")
    assert "You hold north" in await asked(office, f"join {battle_of(office)}", "bob@example.test")
    known = invitations.find(office.battles.store, mail_tokens.digest(token_of(letter)))
    assert known is not None and (known.state, known.email) == ("accepted", "")


async def test_who_joins_after_an_invitation_is_over_has_not_accepted_it(office) -> None:
    eve = await office.enrol("Eve")
    await asked(office, "open skirmish south")
    battle = await office.battles.get(office.battles.store.rows("SELECT battle FROM battles")[0][0])
    letter = await invited(office, f"invite {FRIEND} {battle.id}")
    await leave_side(battle, "south", Player(office.players["south"].player, "Anna"))
    await office.accept(office.reply(letter, "decline", FRIEND))
    await take_side(battle, "north", Player(eve.player, eve.name, eve.email))
    (told,) = [mail for mail in await office.letters("anna") if "invitation" in text_of(mail)]
    assert "was declined" in text_of(told)


async def test_an_invitation_that_is_open_is_not_sent_to_who_said_never_meanwhile(office) -> None:
    first = await invited(office)
    await office.accept(signed(office.written(MAILBOX, f"invite {FRIEND} skirmish", "bob@example.test")))
    await office.accept(office.reply(first, "never", FRIEND))
    assert FRIEND not in {letter["To"] for letter in await office.letters()}


async def test_the_address_of_a_friend_is_forgotten_though_nobody_answers(office) -> None:
    """Also where the inviter wants no letters, or has left the server."""
    anna, store = office.players["south"], office.battles.store
    await invited(office)
    await store.write(correspondents.save(Correspondent(anna.player, stopped="unsubscribed")))
    office.clock.wait(seconds=LASTS_S + 60)
    await office.letters()
    await office.accept(signed(office.written(MAILBOX, "invite third@other.test skirmish", "bob@example.test")))
    emails = {email for (email,) in store.rows("SELECT email FROM invitations")}
    assert emails == {"", "third@other.test"}
    await store.write(*erased(office.players["north"].player))
    assert {email for (email,) in store.rows("SELECT email FROM invitations")} == {""}


async def test_the_address_of_a_player_who_leaves_is_forgotten_with_their_invitations(office) -> None:
    await office.accept(signed(office.written(MAILBOX, "invite bob@example.test skirmish")))
    await office.battles.store.write(*erased(office.players["north"].player))
    assert office.battles.store.rows("SELECT email, state FROM invitations") == [("", "expired")]
    assert await office.letters("bob") == []


# --- abuse


@pytest.mark.parametrize("sender", ["mallory@evil.test", "friend@other.test.evil", "anna@example.test"])
async def test_the_token_works_from_the_invited_address_alone(office, sender) -> None:
    letter = await invited(office)
    letters = await answers(office, letter, "accept", sender)
    assert await seats(office) == {"south": "Anna"}
    assert {again["To"] for again in letters} <= {FRIEND}  # never to whom the answer came from
    assert await answers(office, letter, "accept", sender) == []  # and once a day
    assert accounts.by_email(office.battles.store, FRIEND) == []


async def test_a_forged_signature_accepts_nothing(office) -> None:
    letter = await invited(office)
    forged = f"Authentication-Results: {OWN_SERVER}; dmarc=fail header.from=other.test\n".encode()
    await office.accept(forged + office.reply(letter, "accept", FRIEND))
    assert await seats(office) == {"south": "Anna"}


async def test_a_guessed_token_is_a_strangers_mail(office) -> None:
    await invited(office)
    verdict = await office.accept(office.written(f"play+{'a' * 24}@phalera.test", "accept", FRIEND))
    assert verdict.what == "stranger"
    assert await office.letters() == [] and len(await seats(office)) == 1


async def test_a_token_works_once(office) -> None:
    letter = await invited(office)
    await answers(office, letter, "accept as Robin")
    battle, store = battle_of(office), office.battles.store
    before = (await office.battles.get(battle)).n
    await answers(office, letter, "accept as Mallory")
    assert [account.name for account in accounts.by_email(store, FRIEND)] == ["Robin"]
    assert (await office.battles.get(battle)).n == before
    await answers(office, letter, "decline")
    assert len(await seats(office)) == 2


async def test_the_same_yes_is_answered_a_few_times_a_day(office) -> None:
    letter, answered = await invited(office), 0
    for _ in range(40):
        answers_ = await answers(office, letter, "accept")
        answered += sum("Welcome" in text_of(mail) for mail in answers_ if mail["To"] == FRIEND)
        office.clock.wait(minutes=5)
    assert 1 <= answered <= 20


async def test_accepting_twice_at_once_makes_one_account(office) -> None:
    letter = await invited(office)
    await asyncio.gather(*(office.accept(office.reply(letter, "accept", FRIEND)) for _ in range(3)))
    assert len(accounts.by_email(office.battles.store, FRIEND)) == 1
    assert len(await seats(office)) == 2


async def test_a_hundred_invitations_are_a_few_letters(office) -> None:
    for number in range(100):
        await office.accept(signed(office.written(MAILBOX, f"invite victim{number}@other.test skirmish")))
        office.clock.wait(minutes=7)  # as fast as a sender may be, and within the day
    letters = [letter for letter in await office.letters() if str(letter["To"]).startswith("victim")]
    assert len(letters) <= USUAL.player
    assert office.battles.store.rows("SELECT COUNT(*) FROM battles")[0][0] <= USUAL.player


async def test_a_mailbox_gets_few_invitations_whoever_sends_them(office) -> None:
    sent = 0
    for number in range(4):
        name = f"Eve{'abcd'[number]}"
        made = await office.enrol(name)
        await office.accept(signed(office.written(MAILBOX, f"invite friend+{number}@other.test skirmish", made.email)))
        sent += sum("other.test" in letter["To"] for letter in await office.letters())
    assert sent == USUAL.mailbox


async def test_a_guest_cannot_have_the_server_write_to_anybody(office) -> None:
    guest = enrol(office.clock, office.battles.entropy, "Guest", "").account
    await office.battles.store.write(accounts.add(guest))
    await office.accept(signed(office.written(MAILBOX, f"invite {FRIEND} skirmish", "guest@nowhere.test")))
    assert await office.letters() == []


async def test_a_mail_that_nobody_vouches_for_invites_nobody(office) -> None:
    assert (await office.accept(office.written(MAILBOX, f"invite {FRIEND} skirmish"))).what == "held"
    assert [letter["To"] for letter in await office.letters()] == ["anna@example.test"]


EVIL = "Anna\r\nBcc: victim@evil.test www.evil.test"


async def test_names_and_words_make_no_header_and_no_link(office) -> None:
    store = office.battles.store
    await store.write(accounts.rename(office.players["south"].player, EVIL))
    words = "See https://evil.test/x, www.evil.test or mail a@evil.test\n<a href='http://evil.test'>here</a>"
    letter = await invited(office, f"invite {FRIEND} skirmish\n{words}")
    assert letter["Bcc"] is None and letter["To"] == FRIEND
    assert "\n" not in letter["Subject"]
    (html,) = [part.get_content() for part in letter.walk() if part.get_content_type() == "text/html"]
    assert "evil.test" not in text_of(letter) + html + letter["Subject"]
    assert not re.search(r"<a [^>]*evil", html)


async def test_words_are_few(office) -> None:
    said = await asked(office, f"invite {FRIEND} skirmish\n" + "many words " * 200)
    assert "at most 800 bytes" in " ".join(said.split())
    assert [row for row in await office.letters() if row["To"] == FRIEND] == []
    assert office.battles.store.rows("SELECT COUNT(*) FROM battles") == [(0,)]  # nothing was opened for it


async def test_the_last_invitation_of_a_day_is_confirmed_though_a_crash_cut_it(office) -> None:
    desk, anna = office.parts.intake.processor.desk, office.players["south"]
    caller = Caller(anna, "en")
    for number in some(range(USUAL.player)):
        request = MailRequest("invite", (f"f{number}@other.test", "skirmish", ""))
        first = await invite_by_mail(desk, request, caller, str(number))
        assert await invite_by_mail(desk, request, caller, str(number)) == first


async def test_many_invitations_at_once_are_no_more_than_one_by_one(office) -> None:
    desk = office.parts.intake.processor.desk
    players = [await office.enrol(f"Eve{letter}") for letter in "abcdef"]
    to = [recipient_of(desk, Player(one.player, one.name, one.email), FRIEND) for one in players]
    made = []
    for number, one in enumerate(players):
        live = await office.battles.open("tts", parse_toml(scenario_text("tts", "skirmish"), ""), "public")
        player = Player(one.player, one.name, one.email)
        await take_side(live, "south", player)
        made.append(invite(desk, player, live, to[number], "", "", str(number)))
    came = await asyncio.gather(*made, return_exceptions=True)
    refused = [one for one in came if isinstance(one, Refusal)]
    assert len(refused) == len(players) - USUAL.mailbox
    assert {(one.code, one.params["fault"]) for one in refused} == {("core.too-many-invitations", "mailbox")}


@pytest.mark.parametrize(
    "written", ["nobody", "a@b", "a@b.test,c@d.test", "a@b.test\nBcc:c@d.test", MAILBOX, f"play+x@{'phalera.test'}"]
)
async def test_what_is_no_single_address_of_somebody_else_is_refused(office, written) -> None:
    await office.accept(signed(office.written(MAILBOX, f"invite {written} skirmish")))
    assert {letter["To"] for letter in await office.letters()} <= {"anna@example.test", "a@b.test"}
    assert "your own address" in await asked(office, "invite Anna+x@example.test skirmish")


@pytest.mark.parametrize(
    ("text", "subject", "what", "name"),
    [
        ("accept as Robin Hood.", "", "accept", "Robin Hood"),
        ("J’accepte comme Robin", "", "accept", "Robin"),
        ("\n  yes\nplease", "", "accept", ""),
        ("", "never", "never", ""),
        ("unsubscribe", "", "never", ""),
        ("No!", "", "decline", ""),
        ("Who are you?", "", "", ""),
        ("acceptable", "", "", ""),
        ("", "Re: Anna invites you to a battle", "", ""),
        ("No problem, I accept", "", "accept", ""),
        ("Pas de problème, j’accepte !", "", "accept", ""),
        ("Never mind the hour: I accept.", "", "", ""),
        ("Hi Anna,\n\nYes, with pleasure! When do we start?\n\nRobin", "", "accept", ""),
        ("Thanks Anna, I accept it as Robin\n\n-- \nNo. 5, High Street", "", "accept", "Robin"),
        ("OK Anna", "", "accept", ""),
        ("Oui, merci beaucoup", "", "accept", ""),
        ("No thanks, sorry", "", "decline", ""),
        ("Sorry Anna, I must decline. Have fun!", "", "decline", ""),
        ("Non, désolé, pas le temps", "", "decline", ""),
        ("Please stop", "", "never", ""),
        ("Never again, please", "", "never", ""),
        ("No idea what this is", "", "", ""),
        ("No way I’d miss that", "", "", ""),
        ("No, I accept", "", "", ""),
        ("I do not accept", "", "", ""),
        ("I won’t decline", "", "", ""),
        ("Yes? Who are you?", "", "", ""),
        ("Yes, but only after Easter", "", "", ""),
        ("How do I accept", "", "", ""),
        ("I will accept as soon as I am back", "", "", ""),
        ("Yes.\nActually, no.", "", "", ""),
        ("I hope you are ok. Let me think about it.", "", "", ""),
        ("Stop! I accept.", "", "", ""),
        ("No problem", "", "", ""),
    ],
)
def test_an_answer_is_a_whole_sentence(text, subject, what, name) -> None:
    assert answer_to_invitation(text, subject) == (what, name)


@pytest.mark.parametrize("text", ["http://x.test", "x.test", "a@x.test", "x。test"])
def test_nothing_in_a_text_is_an_address(text) -> None:
    assert not re.search(r"\w[.。]\w|://|@", unlinked(text))
