"""A host has got another name: earlier letters are answered as ever, and each battle is signed as it began."""

import re
from email.utils import parseaddr
from pathlib import Path

import pytest

from replay.proof import heads, notes
from replay.proof.chain import open_file
from replay.proof.heads import Evidence
from replay.proof.verify import verify
from server.mail.incoming.receiver import Receiver
from server.mail.service import require_usable
from server.people.addresses import addresses_of
from server.people.keys import read_keys, take_name
from server.play.archive import export_battle
from server.settings import BadSetting, MailSettings, Settings
from server.store.tables import correspondents
from tests.server.mail.office import PHRASE, Office, opened, text_of
from tests.support.entropy import entropy_of_test
from tests.support.verdicts import WHILE_IT_RUNS

OLD, NEW = "trial.test", "games.test"
ORDERS = f"phrase {PHRASE}\nend turn"


class Before(Office):
    """The office under its old name."""

    host = OLD


class After(Office):
    """The same one under its new name."""

    host = NEW


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


async def moved(folder: Path):
    """Anna's letter under the old name, its battle and the players; then the host is called otherwise."""
    async with opened(folder, kind=Before) as office:
        await office.begin()
        letter, battle, players = await office.letter(), office.live.id, office.players
    take_name(Settings.at(folder, {}), NEW, entropy_of_test())
    return letter, battle, players


def note_of(letter) -> str:
    return text_of(letter).partition("\n-- \n")[2].rstrip("\n") + "\n"


def signed_by(letter, key: str) -> bool:
    try:
        notes.open_head(notes.Verifier(key), note_of(letter))
    except notes.BadNote:
        return False
    return True


async def test_a_letter_from_before_is_answered_and_played_under_the_new_name(folder):
    asked, battle, players = await moved(folder)
    assert parseaddr(asked["Reply-To"])[1].endswith(f"@{OLD}")
    keys = read_keys(Settings.at(folder, {}))
    async with opened(folder, kind=After) as office:
        office.live, office.players = await office.battles.get(battle), players
        verdict = await office.accept(office.reply(asked, ORDERS))
        assert verdict.what == "played"
        (answer,) = await office.letters("anna")
        assert parseaddr(answer["From"])[1] == f"play@{NEW}"
        assert answer["Message-ID"].endswith(f"@{NEW}>")
        assert answer["List-Id"] == f"<letters.{NEW}>"
        # the thread goes on, and the battle is signed as it was opened
        assert answer["References"].split()[:2] == [f"<{battle}@{OLD}>", f"<{battle}@{NEW}>"]
        assert (signed_by(answer, keys.former[0].key), signed_by(answer, keys.current.key)) == (True, False)
        assert note_of(answer).startswith(f"{OLD}/phalera/{battle}\n")
        file = export_battle(office.battles.store, office.battles.keys, battle)
    report = verify(file, keys.former[0].key)
    assert (report.exit, report.fault, report.host, report.trusted) == (WHILE_IT_RUNS, None, OLD, True)
    for letter in (asked, answer):
        assert [head.origin for head in heads.prove(open_file(file), Evidence("a letter", letter.as_bytes()))]


async def test_a_battle_opened_afterwards_has_the_new_name_alone(folder):
    _, _, players = await moved(folder)
    keys = read_keys(Settings.at(folder, {}))
    async with opened(folder, kind=After) as office:
        await office.letters()
        office.players = players
        await office.begin()
        asked = await office.letter()
        assert (signed_by(asked, keys.current.key), signed_by(asked, keys.former[0].key)) == (True, False)
        assert asked["References"] == f"<{office.live.id}@{NEW}>"
        assert OLD not in str(asked)
        assert (await office.accept(office.reply(asked, ORDERS))).what == "played"
        report = verify(export_battle(office.battles.store, office.battles.keys, office.live.id), keys.current.key)
    assert (report.exit, report.fault, report.host, report.trusted) == (WHILE_IT_RUNS, None, NEW, True)


async def test_what_was_made_from_the_first_key_is_found_again(folder):
    asked, _, _ = await moved(folder)
    settings = Settings.at(folder, {}, host=NEW)
    keys = read_keys(settings)
    addresses = addresses_of(settings, keys)
    before = addresses_of(Settings.at(folder, {}, host=OLD), type(keys)(keys.former[0]))
    assert addresses.token("login", "1.p1") == before.token("login", "1.p1")
    token = re.findall(r"\+(\w+)@", asked["Reply-To"])
    assert addresses.tokens_in(f"{asked['Reply-To']} {asked['Message-ID']}") == token
    assert addresses.tokens_in(f"play+{'a' * 24}@else.test play+{'b' * 24}@{NEW}") == ["b" * 24]


async def test_a_letter_from_before_that_comes_back_is_known(folder):
    async with opened(folder, kind=Before) as office:
        await office.begin()
        await office.play.close()
        await office.postman.deliver()
        ((sender, to, _),) = (taken for taken in office.tray.taken if taken[1].startswith("anna"))
        anna = office.players["south"].player
    assert sender.endswith(f"@{OLD}")
    take_name(Settings.at(folder, {}), NEW, entropy_of_test())
    report = (
        f"Return-Path: <>\nDelivered-To: {sender}\nFrom: MAILER-DAEMON@example.test\nTo: {sender}\n"
        "Subject: Undelivered Mail Returned to Sender\nMessage-ID: <1@mx.example.test>\n\n"
        f"<{to}>: 550 5.1.1 user unknown\n"
    )
    async with opened(folder, kind=After) as office:
        assert (await office.accept(report.encode())).what == "bounce"
        assert correspondents.find(office.battles.store, anna).bounces == 1


async def test_mail_from_a_former_mailbox_is_our_own(folder):
    await moved(folder)
    async with opened(folder, kind=After) as office:
        for name in (OLD, NEW):
            assert (await office.accept(office.written(f"play@{NEW}", "help", f"play@{name}"))).what == "loop"
            assert office.parts.addresses.elsewhere(f"play+x@{name}") == ""  # nobody moves their letters there
        assert office.parts.addresses.elsewhere("play@else.test") == "play@else.test"


async def test_a_mailbox_that_was_named_is_honoured_if_the_settings_say_so(folder):
    async with opened(folder, kind=Before, address="war@box.test") as office:
        await office.begin()
        asked = await office.letter()
        assert parseaddr(asked["Reply-To"])[1].endswith("@box.test")
    answers = []
    for former, what in (((), "no-question"), (("war@box.test",), "played")):
        async with opened(folder, kind=Before, former=former) as office:
            raw = office.reply(asked, ORDERS).replace(b"Message-ID: <1@", b"Message-ID: <%s@" % what.encode())
            assert (await office.accept(raw)).what == what
            answers = await office.letters("anna")
    assert answers[-1]["References"].split()[0].endswith("@box.test>")


async def nothing(raw: bytes) -> None:
    """Takes mail and does nothing with it."""


def test_the_listener_takes_mail_for_every_mailbox_of_the_host():
    token = "a" * 24
    receiver = Receiver(f"play@{NEW}", nothing, former=(f"play@{OLD}", "war@box.test"), knows=token.__eq__)
    for own in (f"play@{NEW}", f"play@{OLD}", "WAR@box.test", f"postmaster@{OLD}", "abuse@box.test"):
        assert receiver.own(own) == f"play@{NEW}"
    for own in (f"play+{token}@{OLD}", f"war+{token.upper()}@box.test"):
        assert receiver.own(own) == own.lower()
    for other in ("play@box.test", f"war@{OLD}", f"play+{'b' * 24}@{OLD}", f"playx@{OLD}", f"play@x{OLD}", "play@box"):
        assert receiver.own(other) == ""


@pytest.mark.parametrize("address", ["play", "play+x@old.test", "a b@old.test"])
def test_a_former_mailbox_that_is_none_is_refused(tmp_path, address):
    with pytest.raises(BadSetting, match="cannot be the address of a server"):
        require_usable(Settings.at(tmp_path, {}, post=MailSettings(former=(address,))))
