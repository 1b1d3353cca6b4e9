"""Letters to a mail system over SMTP: one connection, TLS where it is offered, and each way of failing."""

import asyncio
import mailbox
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from server.mail.endpoint import IMAP, SMTP, Endpoint, endpoint, listening, require_mailbox, with_password
from server.mail.outgoing.carrier import MaildirCarrier, NotCarried, SmtpCarrier, carrier_of
from server.settings import BadSetting, MailSettings, Settings
from tests.mailhost.loopback import HOST
from tests.server.mail.conftest import MAILBOX, Sink
from tests.support.waiting import LIMIT_S, eventually

ANNA = "anna@players.test"
BOUNCE = "play+abcdefghijklmnopqrstuvwx@pbem.test"


def letter(text="It is your turn: déjà vu.", **headers):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = MAILBOX, ANNA, "[abc] Turn 1"
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return message


def carrier(port, host=HOST, **more):
    return SmtpCarrier(Endpoint(host, port, False, **more), "pbem.test", timeout_s=LIMIT_S)


async def refused(at, message=None):
    with pytest.raises(NotCarried) as caught:
        await at.carry(message or letter(), BOUNCE, ANNA)
    return caught.value


async def test_letters_go_over_one_connection_with_their_own_sender(sink):
    smtp = carrier(await sink.start())
    await smtp.carry(letter(), BOUNCE, ANNA)
    await smtp.carry(letter(), "", "bob@players.test")
    await smtp.close()
    assert sink.connections == 1
    assert [(sender, to) for sender, to, _ in sink.taken] == [(BOUNCE, [ANNA]), ("<>", ["bob@players.test"])]
    assert "déjà vu" in message_from_bytes(sink.taken[0][2], policy=policy.default).get_content()


async def test_a_letter_is_sent_in_seven_bits_with_its_references_whole(sink):
    port = await sink.start()
    name = f"<abcdefgh.123.0123456789abcdef.{'a' * 24}@a-rather-long-name-of-a-host.example.test>"
    await carrier(port).carry(letter(References=f"<abcdefgh@pbem.test> {name}"), BOUNCE, ANNA)
    (_, _, raw) = sink.taken[0]
    assert raw.isascii()
    assert name.encode() in raw


async def test_no_such_mailbox_is_permanent(sink):
    sink.rcpt = ["550 5.1.1 No such user"]
    failure = await refused(carrier(await sink.start()))
    assert (failure.code, failure.is_permanent, failure.is_down) == (550, True, False)


@pytest.mark.parametrize(
    ("rcpt", "data", "code"),
    [
        (["451 4.7.1 Greylisted"], [], 451),
        (["554 5.7.1 Relay access denied"], [], 554),
        (["550 relay not permitted"], [], 550),
        ([], ["554 5.6.0 We do not like it"], 554),
        ([], ["452 4.3.1 Disk full"], 452),
    ],
)
async def test_what_is_not_the_fault_of_the_address_is_tried_again(sink, rcpt, data, code):
    sink.rcpt, sink.data = rcpt, data
    smtp = carrier(await sink.start())
    failure = await refused(smtp)
    assert (failure.code, failure.is_permanent, failure.is_down) == (code, False, False)
    await smtp.carry(letter(), BOUNCE, ANNA)  # the connection is still good
    await smtp.close()
    assert (len(sink.taken), sink.connections) == (1, 1)


async def test_a_connection_that_was_lost_is_opened_again(sink):
    smtp = carrier(await sink.start())
    await smtp.carry(letter(), BOUNCE, ANNA)
    sink.drops = 1
    await smtp.carry(letter(), BOUNCE, ANNA)
    await smtp.close()
    assert (len(sink.taken), sink.connections) == (2, 2)


async def test_a_letter_over_which_the_mail_system_hangs_holds_up_no_other(sink):
    gate = sink.hangs["slow@players.test"] = asyncio.Event()
    smtp = carrier(await sink.start())
    hanging = asyncio.create_task(smtp.carry(letter(), BOUNCE, "slow@players.test"))
    await sink.hanging.wait()
    for _ in range(3):
        await smtp.carry(letter(), BOUNCE, ANNA)
    assert [to for _, to, _ in sink.taken] == [[ANNA]] * 3
    assert not hanging.done()
    gate.set()
    await hanging
    await smtp.close()
    assert sink.connections == 2


async def test_silence_over_a_letter_is_not_the_end_of_the_mail_system(sink):
    sink.hangs[ANNA] = asyncio.Event()
    port = await sink.start()
    failure = await refused(SmtpCarrier(Endpoint(HOST, port, False), "pbem.test", timeout_s=2.0))
    assert (failure.code, failure.is_permanent, failure.is_down) == (0, False, False)


@pytest.mark.slow
async def test_where_fewer_connections_are_allowed_the_letters_share_them(sink):
    sink.most = 1
    smtp = carrier(await sink.start())
    await smtp.reach()
    await asyncio.gather(*(smtp.carry(letter(), BOUNCE, f"p{at}@players.test") for at in range(5)))
    await smtp.close()
    assert len(sink.taken) == 5


async def test_no_letter_waits_for_a_connection_that_is_lost(sink):
    """The only one breaks while several letters wait for it, and no other is to be had."""
    sink.most, sink.drops = 1, 1
    gate = sink.hangs["slow@players.test"] = asyncio.Event()
    smtp = carrier(await sink.start())
    first = asyncio.create_task(smtp.carry(letter(), BOUNCE, "slow@players.test"))
    await sink.hanging.wait()
    others = [asyncio.create_task(smtp.carry(letter(), BOUNCE, ANNA)) for _ in range(3)]
    await eventually("a connection for each", lambda: sink.connections >= 4)
    await asyncio.sleep(0.1)  # now they wait
    gate.set()
    async with asyncio.timeout(LIMIT_S):
        came = await asyncio.gather(first, *others, return_exceptions=True)
    assert all(isinstance(failure, NotCarried) and failure.is_down for failure in came)


async def test_a_mail_system_that_always_hangs_up_is_down(sink):
    sink.drops = 5
    smtp = carrier(await sink.start())
    failure = await refused(smtp)
    assert (failure.code, failure.is_permanent, failure.is_down) == (0, False, True)


async def test_nobody_at_home_is_down(sink):
    port = await sink.start()
    await sink.stop()
    failure = await refused(carrier(port))
    assert failure.is_down
    assert not failure.is_permanent


async def test_a_busy_mail_system_is_down(sink):
    sink.rcpt = ["250 OK"]
    sink.data = ["421 4.3.2 Too busy"]
    assert (await refused(carrier(await sink.start()))).is_down


async def test_an_address_that_would_break_the_protocol_is_never_sent(sink):
    smtp = carrier(await sink.start())
    with pytest.raises(NotCarried) as caught:
        await smtp.carry(letter(), BOUNCE, "anna@players.test>\r\nRCPT TO:<bob@players.test")
    assert caught.value.is_permanent
    await smtp.close()
    assert not sink.taken


async def test_a_password_is_used_on_this_machine():
    sink = Sink(password="long secret")
    port = await sink.start()
    smtp = carrier(port, user="phalera", password="long secret")
    await smtp.carry(letter(), BOUNCE, ANNA)
    await smtp.close()
    assert sink.users == ["phalera"]
    wrong = await refused(carrier(port, user="phalera", password="other"))
    assert (wrong.code, wrong.is_down, wrong.is_permanent) == (535, True, False)
    assert "other" not in str(wrong)
    await sink.stop()


async def test_a_password_does_not_leave_this_machine_without_tls(monkeypatch):
    sink = Sink(password="long secret")
    port = await sink.start()
    monkeypatch.setattr(Endpoint, "is_near", False)
    failure = await refused(carrier(port, user="phalera", password="long secret"))
    assert failure.is_down
    assert not sink.users
    await sink.stop()


async def test_tls_is_used_where_it_is_offered(certificate):
    sink = Sink(tls=certificate)
    port = await sink.start()
    smtp = carrier(port)  # on this machine an unknown certificate is as good as none
    await smtp.carry(letter(), BOUNCE, ANNA)
    assert smtp._free[0].get_transport_info("sslcontext") is not None
    await smtp.close()
    await sink.stop()


async def test_an_unknown_certificate_of_another_machine_is_refused_unless_told(certificate, monkeypatch):
    monkeypatch.setattr(Endpoint, "is_near", False)
    sink = Sink(tls=certificate)
    port = await sink.start()
    assert (await refused(carrier(port))).is_down
    assert not sink.taken
    smtp = carrier(port, is_checked=False)
    await smtp.carry(letter(), BOUNCE, ANNA)
    await smtp.close()
    assert len(sink.taken) == 1
    await sink.stop()


# --- Maildir


async def test_a_maildir_gets_the_envelope_in_headers(tmp_path):
    drop = MaildirCarrier(tmp_path / "mail")
    await drop.carry(letter(), BOUNCE, ANNA)
    (mail,) = mailbox.Maildir(tmp_path / "mail" / "out", factory=None)
    assert (mail["Return-Path"], mail["X-Envelope-To"]) == (f"<{BOUNCE}>", ANNA)


async def test_a_folder_that_cannot_be_written_loses_no_letter(tmp_path):
    (tmp_path / "mail").write_text("in the way")
    assert (await refused(MaildirCarrier(tmp_path / "mail"))).is_down


def test_the_settings_choose_the_carrier(tmp_path):
    assert isinstance(carrier_of(Settings.at(tmp_path)), MaildirCarrier)
    assert isinstance(carrier_of(Settings.at(tmp_path, post=MailSettings(smtp="smtp://127.0.0.1"))), SmtpCarrier)


# --- URLs


@pytest.mark.parametrize(
    ("url", "host", "port", "is_tls", "user", "password"),
    [
        ("smtp://mail.example.org", "mail.example.org", 25, False, "", ""),
        ("smtp://anna@mail.example.org", "mail.example.org", 587, False, "anna", ""),
        ("smtps://anna%40club.test:p%3Aw%40@mail.example.org", "mail.example.org", 465, True, "anna@club.test", "p:w@"),
        ("smtp://[::1]:2525", "::1", 2525, False, "", ""),
    ],
)
def test_a_url_names_a_mail_system(url, host, port, is_tls, user, password):
    found = endpoint(url, SMTP)
    assert (found.host, found.port, found.is_tls, found.user, found.password) == (host, port, is_tls, user, password)
    assert "p:w" not in repr(found)


def test_the_url_of_an_account_names_its_folder():
    found = endpoint("imaps://play%40club.test@imap.example.org/Games/In", IMAP)
    assert (found.port, found.is_tls, found.folder, found.user) == (993, True, "Games/In", "play@club.test")
    assert endpoint("imap://play@127.0.0.1:1143", IMAP).folder == "INBOX"


@pytest.mark.parametrize(
    "url", ["mail.example.org", "http://x", "smtp://", "smtp://h:x", "smtp://h:99999", "smtp://h?a=b"]
)
def test_a_url_that_makes_no_sense_is_refused_without_repeating_it(url):
    with pytest.raises(BadSetting) as caught:
        endpoint(url, SMTP)
    assert url.removeprefix("smtp://") not in str(caught.value) or url == "smtp://"


def test_a_password_comes_from_the_environment_or_a_file(tmp_path):
    file = tmp_path / "password"
    file.write_text("s3c@ret\n")
    url = "smtp://anna@mail.example.org:587"
    from_variable = with_password(url, "PHALERA_SMTP_PASSWORD", {"PHALERA_SMTP_PASSWORD": "s3c@ret"})
    from_file = with_password(url, "PHALERA_SMTP_PASSWORD", {"PHALERA_SMTP_PASSWORD_FILE": str(file)})
    assert from_variable == from_file
    assert endpoint(from_file, SMTP).password == "s3c@ret"
    assert with_password(url, "PHALERA_SMTP_PASSWORD", {}) == url
    assert with_password("smtp://mail.example.org", "X", {"X": "y"}) == "smtp://mail.example.org"
    with pytest.raises(BadSetting):
        with_password(url, "X", {"X_FILE": str(tmp_path / "none")})


@pytest.mark.parametrize("at", ["2525", "host:", ":25", "host:port", "host:70000"])
def test_a_place_to_listen_that_makes_no_sense_is_refused(at):
    with pytest.raises(BadSetting):
        listening(at)


@pytest.mark.parametrize("address", ["play", "play@", "@host", "pl+ay@host", "pl ay@host", "a@b@c", "plé@host"])
def test_an_address_that_tokens_cannot_be_added_to_is_refused(address):
    with pytest.raises(BadSetting):
        require_mailbox(address)
