"""Mail from swaks and s-nail into Phalera's own doors, with and without Postfix before them."""

import pytest

from tests.mailhost.clients import s_nail, swaks
from tests.mailhost.host import GAME, MAILBOX, MailHost, mail_host
from tests.mailhost.loopback import HOST, free_ports
from tests.mailhost.person import Person
from tests.support.waiting import until

pytestmark = pytest.mark.usefixtures("everything")

STRANGER = f"play+{'a' * 24}@{GAME}"
LARGE = 1_400_000


class Doors:
    """A mail host with the port of its SMTP, and a player."""

    def __init__(self, host: MailHost, smtp_port: int, anna: Person) -> None:
        self.smtp_port, self.lmtp_port = smtp_port, host.lmtp_port
        self.anna = anna
        self.phalera, self.dovecot, self.postfix = host.phalera, host.dovecot, host.postfix
        self.folder, self.battle, self.tokens = host.folder, host.battle, host.tokens


@pytest.fixture(scope="module")
def host(everything):
    """Phalera with two doors, SMTP and LMTP at ports of the loopback; the test of the socket starts it anew."""
    (smtp,) = free_ports(1)
    with mail_host(options=("--listen-smtp", f"{HOST}:{smtp}")) as running:
        anna = running.person("Anna")
        running.person("Bob")
        yield Doors(running, smtp, anna)


def asked(host):
    """A new battle, and the letter that asks Anna for its first orders."""
    battle = host.battle("Anna", "Bob")
    letter = until("the letter", lambda: next((one for one in host.anna.letters() if battle in one.message_id), None))
    return battle, letter


def doors(host):
    return {"SMTP": {"port": host.smtp_port}, "LMTP": {"port": host.lmtp_port, "protocol": "LMTP"}}


@pytest.mark.parametrize("door", ["SMTP", "LMTP"])
def test_swaks_hands_orders_in(host, door):
    """The orders of a mail that comes straight to the door are played; its answer goes by Postfix to the mailbox."""
    battle, letter = asked(host)
    sent = swaks(letter.reply_to, host.anna.address, "end turn\n\n> old", **doors(host)[door])
    assert (sent.code, sent.status("RCPT"), sent.status(".")) == (0, ["250"], ["250"])
    until("it is Bob's turn", lambda: host.phalera.view(battle)["active"] == "north")
    until(
        "the answer",
        lambda: any("Your orders were played" in one.text for one in host.anna.letters() if battle in one.message_id),
    )
    assert host.phalera.kept()[-1].what == "played"


def test_s_nail_hands_orders_in(host):
    battle, letter = asked(host)
    sent = s_nail(letter.reply_to, host.anna.address, "end turn\n", host.smtp_port, "Re: your turn")
    assert sent.code == 0, sent.said
    until("it is Bob's turn", lambda: host.phalera.view(battle)["active"] == "north")


@pytest.mark.parametrize("door", ["SMTP", "LMTP"])
@pytest.mark.parametrize("stranger", [f"somebody@{GAME}", "play@elsewhere.test", f"play+short@{GAME}"])
def test_unknown_recipients_are_refused_before_the_mail_is_sent(host, door, stranger):
    before = len(host.phalera.kept())
    sent = swaks(stranger, "x@players.test", "end turn", **doors(host)[door])
    assert sent.status("RCPT") == ["550"]
    assert len(host.phalera.kept()) == before


@pytest.mark.parametrize("door", ["SMTP", "LMTP"])
def test_what_is_too_large_is_refused_with_552(host, door, tmp_path):
    big, before = tmp_path / "big.bin", len(host.phalera.kept())
    big.write_bytes(b"\0\xff" * (LARGE // 2))
    sent = swaks(MAILBOX, "x@players.test", "see the picture", attach=big, **doors(host)[door])
    assert "552" in [*sent.status("MAIL"), *sent.status(".")], sent.said[-2000:]
    assert len(host.phalera.kept()) == before


def test_who_writes_too_much_through_postfix_gets_it_back(host, tmp_path):
    """The bounce is Postfix's and goes to the player; Phalera keeps nothing."""
    big, before = tmp_path / "big.bin", len(host.phalera.kept())
    big.write_bytes(b"\0\xff" * (LARGE // 2))
    swaks(MAILBOX, "carl@players.test", "see the picture", port=host.postfix.port, attach=big)
    raw = until("the bounce", lambda: host.dovecot.raw("carl"))
    assert b"Content-Type: multipart/report" in raw[0] and b"552" in raw[0]
    assert len(host.phalera.kept()) == before


@pytest.mark.parametrize("door", ["SMTP", "LMTP"])
def test_a_mail_for_nobodys_token_is_refused_before_it_is_sent(host, door):
    before = len(host.phalera.kept())
    sent = swaks(STRANGER, "mallory@players.test", "end turn", **doors(host)[door])
    assert sent.status("RCPT") == ["550"]
    assert len(host.phalera.kept()) == before
    assert host.dovecot.raw("mallory") == []


def test_a_socket_is_a_door_too(host):
    """LMTP through a Unix socket, as Postfix on the same machine may use it."""
    socket, options = host.folder / "lmtp.sock", host.phalera.options
    battle, letter = asked(host)
    host.phalera.stop()
    try:
        at = options.index("--listen-lmtp")
        host.phalera.options = (*options[: at + 1], str(socket), *options[at + 2 :])
        host.phalera.start()
        sent = swaks(letter.reply_to, host.anna.address, "end turn", socket=socket, protocol="LMTP")
        assert sent.status(".") == ["250"], sent.said
        until("it is Bob's turn", lambda: host.phalera.view(battle)["active"] == "north")
    finally:
        host.phalera.stop()
        host.phalera.options = options
        host.phalera.start()


def test_a_letter_that_cannot_be_delivered_comes_back_and_marks_the_address(host):
    """Postfix's bounce goes to the address of the envelope, which names the letter; it is never answered."""
    host.phalera.add_player("Gone", f"gone@{GAME}")  # Postfix hands the letter to Phalera, which knows no such mailbox
    host.tokens["Gone"] = host.phalera.command("player", "token", "Gone").stdout.split()[2]
    before = len(host.phalera.kept())
    host.battle("Gone", "Bob")
    kept = until("the bounce is judged", lambda: [mail for mail in host.phalera.kept()[before:] if mail.what])
    assert {mail.what for mail in kept} == {"bounce"}  # of each letter that they are sent
    assert b"Return-Path: <>" in kept[0].raw
