"""`phalera mail`: what waits, what could not be handed over, and trying again."""

import asyncio
import json
import mailbox
import sqlite3
import tomllib
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import Envelope
from typer.testing import CliRunner

from domain.basics.data import scenario_text
from replay.proof.cosigned import Cosigner
from server.cli.main import main
from server.mail.outgoing.occasions import letters
from server.people.key_files import read_or_make_key
from server.people.keys import Keyring
from server.people.players import Player, enrol
from server.play.live_battles import LiveBattles
from server.play.request import OrderRequest
from server.play.seating import take_side
from server.play.service import OrderService
from server.settings import Settings, make_folder
from server.sole import sole_server
from server.store import EventStore
from server.witness.parts import WitnessParts
from tests.mailhost.loopback import HOST, free_ports
from tests.support import messages
from tests.support.clock import ManualClock
from tests.support.entropy import entropy_of_test

PHRASE = "sixteen bytes of my own"


async def begin(folder, is_over=False):
    """A battle between Anna, whose letter waits then, and Bob. One that is over is in the log, which a witness has
    signed."""
    settings = Settings.at(folder, {})
    make_folder(settings)
    with EventStore.open(settings.store(), asyncio.get_running_loop()) as store:
        entropy = entropy_of_test()
        signer = read_or_make_key(settings.key, settings.host, entropy)
        battles = LiveBattles(settings, store, ManualClock(), entropy, Keyring(signer), letters)
        table = await battles.open("tts", tomllib.loads(scenario_text("tts", "skirmish")), "public")
        for side, name in (("south", "Anna"), ("north", "Bob")):
            made = enrol(battles.clock, battles.entropy, name, f"{name.lower()}@example.test")
            await store.write(*made.statements)
            await take_side(
                table, side, Player(made.account.player, name), phrase=messages.phrase(table.recording, PHRASE)
            )
        if is_over:
            holder = table.recording.battle.seats["south"].player
            await OrderService(battles).orders(OrderRequest(table.id, "south", holder, "page", "resign", PHRASE))
            witnessed(WitnessParts(settings.data, signer, battles.clock.now, entropy), store)


def witnessed(host, store):
    """A witness is asked, and has signed the log."""
    witness = Cosigner("beta.test/witness", bytes([7]) * 32)
    host.log.follow(store)
    host.file.ask(witness.key, "https://beta.test/witness", 0)
    newest, _ = host.log.submission(0)
    line = witness.line(newest.note.partition("\n\n")[0] + "\n", host.log.now_s())
    assert host.log.take_cosignature(newest.size, newest.note, line + "\n", witness.key)
    host.close()


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    asyncio.run(begin(folder))
    return folder


class Answer:
    def __init__(self, *words: object, **environment: str) -> None:
        result = CliRunner(env={"PHALERA_DATA": None, **environment}).invoke(main, ["mail", *map(str, words)])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        self.code, self.out, self.err = result.exit_code, result.stdout, result.stderr


class Taking:
    """Takes mail, or refuses each recipient with `refusal`."""

    def __init__(self) -> None:
        self.refusal = ""
        self.taken: list[bytes] = []
        self.url = ""

    async def handle_RCPT(self, server: Any, session: Any, envelope: Envelope, address: str, options: Any) -> str:
        if self.refusal:
            return self.refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        self.taken.append(envelope.content)
        return "250 OK"


@pytest.fixture
def relay():
    taking = Taking()
    controller = Controller(taking, hostname=HOST, port=free_ports(1)[0])
    controller.start()
    taking.url = f"smtp://{HOST}:{controller.port}"
    yield taking
    controller.stop()


def queue(data):
    return json.loads(Answer("queue", "--data", data, "--json").out)


@pytest.mark.slow
def test_the_last_letter_that_a_command_sends_has_the_proof_of_the_witnesses(tmp_path):
    data = tmp_path / "data"
    asyncio.run(begin(data, is_over=True))
    assert Answer("send", "--data", data).code == 0
    mails = mailbox.Maildir(data / "mail" / "out", factory=None)
    names = [part.get_filename() or "" for mail in mails for part in mail.walk()]
    proofs = [name for name in names if name.endswith(".battle.proof")]
    assert (len(proofs), len(set(proofs))) == (2, 1)  # both players have it, of the same battle


@pytest.mark.slow
def test_letters_go_into_the_maildir_unless_a_relay_is_named(data):
    (row,) = queue(data)
    assert (row["recipient"], row["kind"], row["state"], row["tries"]) == ("Anna", "turn", "waiting", 0)
    assert "example.test" not in Answer("queue", "--data", data).out
    said = Answer("send", "--data", data)
    assert said.code == 0
    assert "1 letters written to" in said.out
    (mail,) = mailbox.Maildir(data / "mail" / "out", factory=None)
    assert mail["X-Envelope-To"] == "anna@example.test"
    assert queue(data) == []
    assert Answer("send", "--data", data).out.startswith("Nothing waits")


@pytest.mark.slow
def test_a_relay_may_be_named_in_the_environment(data, relay):
    said = Answer("send", "--data", data, PHALERA_SMTP_OUT=relay.url)
    assert (said.code, said.out) == (0, "1 letters handed over.\n")
    assert b"anna@example.test" in relay.taken[0]


@pytest.mark.slow
def test_a_relay_that_is_down_keeps_the_letter_and_says_so(data, relay):
    (port,) = free_ports(1)
    said = Answer("send", "--data", data, "--smtp-out", f"smtp://{HOST}:{port}")
    assert said.code == 1
    assert len(said.err.splitlines()) == 1
    (row,) = queue(data)
    assert (row["tries"], row["state"]) == (1, "waiting")
    assert row["error"]
    again = Answer("send", "--data", data, "--smtp-out", relay.url)
    assert again.out.startswith("Nothing is due; 1 letters wait.")
    assert not relay.taken
    said = Answer("retry", "--data", data, "--smtp-out", relay.url)
    assert said.code == 0
    assert len(relay.taken) == 1
    assert queue(data) == []


@pytest.mark.slow
def test_a_letter_that_was_given_up_can_be_sent_after_all(data, relay):
    relay.refusal = "550 5.1.1 No such user"
    assert Answer("send", "--data", data, "--smtp-out", relay.url).code == 1
    (row,) = queue(data)
    assert (row["state"], row["error"]) == ("given up", "550 5.1.1 No such user")
    assert "given up" in Answer("queue", "--data", data).out
    relay.refusal = ""
    assert Answer("retry", "--data", data, "--smtp-out", relay.url).out.startswith("Nothing waits")
    assert Answer("retry", row["id"], "--data", data, "--smtp-out", relay.url).code == 0
    assert len(relay.taken) == 1
    assert queue(data) == []


@pytest.mark.slow
def test_the_strikes_of_a_player_are_listed_and_lifted(data, relay):
    assert Answer("status", "--data", data).out == "No letter has come back.\n"
    relay.refusal = "550 5.1.1 No such user"
    for tries in range(3):
        Answer("retry", *[row["id"] for row in queue(data)] if tries else [], "--data", data, "--smtp-out", relay.url)
    (row,) = json.loads(Answer("status", "--data", data, "--json").out)
    assert (row["name"], row["strikes"], row["stopped"]) == ("Anna", 3, "bounced")
    assert row["why"] == "550 5.1.1 No such user"
    assert "Anna" in Answer("status", "--data", data).out
    relay.refusal = ""
    assert Answer("retry", 1, "--data", data, "--smtp-out", relay.url).code == 1  # still stopped
    assert not relay.taken
    assert Answer("lift", "anna@EXAMPLE.test", "--data", data).out.startswith("Letters to Anna go again")
    assert Answer("send", "--data", data, "--smtp-out", relay.url).code == 0
    assert len(relay.taken) == 1
    assert Answer("status", "--data", data).out == "No letter has come back.\n"


@pytest.mark.parametrize("named", ["nobody", "nobody@example.test", "Anna", "anna@example.test"])
def test_without_a_strike_there_is_nothing_to_lift(data, named):
    said = Answer("lift", named, "--data", data)
    assert (said.code, len(said.err.splitlines())) == (1, 1)


@pytest.mark.slow
def test_a_check_says_what_it_cannot_find_out_and_what_is_wrong(data, relay, monkeypatch):
    monkeypatch.setattr("server.mail.checking.names.find_spec", lambda module: None)
    words = ("check", "--data", data, "--mail-address", "play@pbem.test", "--smtp-out", relay.url)
    said = Answer(*words)
    assert said.code == 0
    assert said.out.startswith("unknown  mx: the DNS cannot be asked without the extra")
    assert "ok       sent: the relay has taken the probe to play@pbem.test" in said.out
    assert "unknown  loop: no server runs on this folder" in said.out
    assert len(relay.taken) == 1
    assert Answer(*words, "--trust", "mx.test").code == 1
    relay.refusal = "554 5.7.1 Relay access denied"
    told = Answer(*words, "me@provider.test", "--json")
    assert told.code == 1
    assert [one["state"] for one in json.loads(told.out)] == ["unknown"] * 4 + ["fault"]


@pytest.mark.parametrize(
    "words", [("no address",), ("a@b.test", "--trust", "mx.test"), ("--trust", "mx test"), ("--mail-address", "a+b@c")]
)
def test_a_check_of_nonsense_is_refused_in_a_sentence(data, words):
    said = Answer("check", *words, "--data", data)
    assert (said.code, len(said.err.splitlines())) == (2, 1)


def test_beside_a_server_letters_are_only_marked_as_due(data, relay):
    with sole_server(Settings.at(data, {})):
        for command in ("send", "retry"):
            said = Answer(command, "--data", data)
            assert said.code == 0
            assert said.out == "A server runs on this folder: it sends what is due within half a minute.\n"
    assert not (data / "mail" / "out").exists()
    (row,) = queue(data)
    assert (row["tries"], row["state"]) == (0, "waiting")


@pytest.mark.slow
def test_only_what_is_in_the_queue_can_be_sent_again(data, relay):
    Answer("send", "--data", data, "--smtp-out", relay.url)
    for id_ in (1, 99):
        said = Answer("retry", id_, "--data", data, "--smtp-out", relay.url)
        assert said.code == 1
        assert f"no letter {id_}" in said.err
    assert len(relay.taken) == 1


@pytest.mark.slow
def test_a_password_of_the_environment_is_shown_nowhere(data):
    (port,) = free_ports(1)
    said = Answer("send", "--data", data, PHALERA_SMTP_OUT=f"smtp://u@{HOST}:{port}", PHALERA_SMTP_PASSWORD="s3cret!")
    assert said.code == 1
    assert "s3cret" not in said.out + said.err
    with sqlite3.connect(data / "log.db") as store:
        assert "s3cret" not in "".join(store.iterdump())
    store.close()


@pytest.mark.parametrize("words", [("queue",), ("retry",), ("status",), ("lift", "Anna"), ("check",)])
def test_without_a_store_it_is_said(tmp_path, words):
    said = Answer(*words, "--data", tmp_path / "nothing")
    assert said.code == 2
    assert len(said.err.splitlines()) == 1
    assert not (tmp_path / "nothing").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("--smtp-out", "mail.example.org"),
        ("--imap", "smtp://x"),
        ("--listen-lmtp", "24"),
        ("--mail-address", "a+b@c"),
        ("--no-mail", "--imap", "imaps://a@b"),
    ],
)
def test_options_that_make_no_sense_are_said_in_a_sentence(tmp_path, words):
    result = CliRunner().invoke(main, ["serve", "--data", str(tmp_path / "data"), "--port", "0", *words])
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "data").exists()
