"""Mail over SMTP and LMTP: who is refused when, and when "250" is said."""

import asyncio
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from server.mail.incoming.reading.caps import MOST_BYTES
from server.mail.incoming.receiver import Receiver, enveloped
from tests.mailhost.clients import s_nail, swaks
from tests.server.mail.conftest import MAILBOX, OTHER, TOKEN
from tests.support.waiting import eventually

SENDER = "alice@example.test"
TO = f"play+{TOKEN}@pbem.test"
MESSAGE = b"Subject: x\r\n\r\nR1 ahead\r\n"


class Talk:
    """A client that says what it is told, word for word."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    async def hear(self):
        """A whole answer: its lines without the last dashes."""
        lines = []
        while True:
            line = (await self.reader.readline()).decode()
            lines.append(line.rstrip("\r\n"))
            if line[3:4] != "-":
                return lines

    async def say(self, text):
        """A line, and its answer."""
        self.writer.write(text if isinstance(text, bytes) else text.encode() + b"\r\n")
        return (await self.hear())[-1]

    async def begin(self, *recipients, sender=SENDER, hello="EHLO client.test"):
        """As far as the recipients."""
        await self.say(hello)
        await self.say(f"MAIL FROM:<{sender}>")
        return [await self.say(f"RCPT TO:<{recipient}>") for recipient in recipients]

    async def send(self, content):
        """The message."""
        assert (await self.say("DATA")).startswith("354")
        return await self.say(content + b".\r\n")


@asynccontextmanager
async def talk(port=0, path=None, greeted=True):
    where = asyncio.open_unix_connection(str(path)) if path else asyncio.open_connection("127.0.0.1", port)
    reader, writer = await where
    client = Talk(reader, writer)
    if greeted:
        assert (await client.hear())[0].startswith("220")
    try:
        yield client
    finally:
        writer.close()


@pytest.fixture
async def smtp(receiver):
    return await receiver.listen("127.0.0.1:0", is_lmtp=False)


@pytest.fixture
async def lmtp(receiver):
    return await receiver.listen("127.0.0.1:0", is_lmtp=True)


async def test_a_mail_is_kept_with_its_envelope_above_it(smtp, kept):
    async with talk(smtp) as client:
        await client.begin(TO)
        assert (await client.send(MESSAGE)).startswith("250")
    assert kept.raw == [f"Return-Path: <{SENDER}>\r\nDelivered-To: {TO}\r\n".encode() + MESSAGE]


@pytest.mark.parametrize(
    ("recipient", "delivered"),
    [
        (MAILBOX, MAILBOX),
        (MAILBOX.upper(), MAILBOX),
        (TO.upper(), TO),
        ("postmaster@pbem.test", MAILBOX),
        ("Abuse@PBEM.test", MAILBOX),
    ],
)
async def test_mail_for_us_is_taken_in_any_case_of_letters(smtp, kept, recipient, delivered):
    async with talk(smtp) as client:
        assert (await client.begin(recipient))[0].startswith("250")
        await client.send(MESSAGE)
    assert f"Delivered-To: {delivered}\r\n".encode() in kept.raw[0]


@pytest.mark.parametrize(
    "recipient",
    [
        "somebody@pbem.test",
        f"play+{TOKEN}@elsewhere.test",
        "play+short@pbem.test",
        f"play+{TOKEN}x@pbem.test",
        f"other+{TOKEN}@pbem.test",
        "postmaster@elsewhere.test",
        f"play+{TOKEN}@pbem.test.evil.test",
        f"play+{TOKEN}@pbem.te\u017ft",
    ],
)
async def test_whom_it_is_not_for_is_said_at_rcpt(smtp, kept, recipient):
    async with talk(smtp) as client:
        assert (await client.begin(recipient))[0].startswith("55")
        assert (await client.say("DATA")).startswith("503")
    assert not kept.raw


async def test_the_empty_sender_of_bounces_is_taken(smtp, kept):
    async with talk(smtp) as client:
        await client.begin(TO, sender="")
        await client.send(MESSAGE)
    assert kept.raw[0].startswith(b"Return-Path: <>\r\n")


async def test_two_tokens_make_two_mails_and_the_bare_mailbox_beside_them_none(smtp, kept):
    other = f"play+{OTHER}@pbem.test"
    async with talk(smtp) as client:
        await client.begin(TO, MAILBOX, other, TO)
        assert (await client.send(MESSAGE)).startswith("250")
    assert [raw.split(b"\r\n")[1] for raw in kept.raw] == [
        f"Delivered-To: {TO}".encode(),
        f"Delivered-To: {other}".encode(),
    ]


async def test_lmtp_answers_for_each_recipient(lmtp, kept):
    other = f"play+{OTHER}@pbem.test"
    kept.fails = 1
    async with talk(lmtp) as client:
        assert [answer[:3] for answer in await client.begin(TO, "nobody@pbem.test", other, hello="LHLO mta.test")] == [
            "250",
            "550",
            "250",
        ]
        assert (await client.send(MESSAGE)).startswith("451")
        assert (await client.hear())[0].startswith("250")
        assert (await client.say("NOOP")).startswith("250")
    assert len(kept.raw) == 1


async def test_lmtp_says_for_each_recipient_that_a_mail_is_too_large(lmtp, kept):
    async with talk(lmtp) as client:
        await client.begin(TO, f"play+{OTHER}@pbem.test", hello="LHLO mta.test")
        assert (await client.send((b"x" * 70 + b"\r\n") * 16000)).startswith("552")
        assert (await client.hear())[0].startswith("552")
        assert (await client.say("NOOP")).startswith("250")
    assert not kept.raw


async def test_lmtp_knows_no_ehlo(lmtp):
    async with talk(lmtp) as client:
        assert (await client.say("EHLO client.test")).startswith("500")


async def test_a_mail_that_says_it_is_too_large_is_refused_before_it_is_sent(smtp):
    async with talk(smtp) as client:
        await client.say("EHLO client.test")
        assert (await client.say(f"MAIL FROM:<{SENDER}> SIZE={MOST_BYTES + 1}")).startswith("552")
        assert (await client.say(f"MAIL FROM:<{SENDER}> SIZE=1000")).startswith("250")


async def test_a_mail_that_is_too_large_is_refused_at_its_end(smtp, kept):
    async with talk(smtp) as client:
        await client.begin(TO)
        assert (await client.send((b"x" * 70 + b"\r\n") * 16000)).startswith("552")
    assert not kept.raw


async def test_the_largest_mail_fits_with_its_envelope_and_one_more_line_does_not(smtp, kept):
    line = b"x" * 62 + b"\r\n"
    count = (MOST_BYTES - 1024) // len(line)
    longest = "a" * 64 + "@" + "b" * 200 + ".test"
    async with talk(smtp) as client:
        await client.begin(TO, sender=longest)
        assert (await client.send(line * count)).startswith("250")
        await client.say(f"MAIL FROM:<{longest}>")
        await client.say(f"RCPT TO:<{TO}>")
        assert (await client.send(line * (count + 1))).startswith("552")
    (raw,) = kept.raw
    assert MOST_BYTES - 1024 < len(raw) <= MOST_BYTES


async def test_twenty_recipients_are_enough(smtp):
    letters = "abcdefghijklmnopqrstuvwxyz"
    names = [f"play+{letters[place] * 24}@pbem.test" for place in range(21)]
    async with talk(smtp) as client:
        answers = await client.begin(*names)
    assert [answer[:3] for answer in answers] == ["250"] * 20 + ["452"]


async def test_what_cannot_be_kept_is_to_be_sent_again(smtp, kept):
    kept.fails = 1
    async with talk(smtp) as client:
        await client.begin(TO)
        assert (await client.send(MESSAGE)).startswith("451")
        await client.say(f"MAIL FROM:<{SENDER}>")
        await client.say(f"RCPT TO:<{TO}>")
        assert (await client.send(MESSAGE)).startswith("250")
    assert len(kept.raw) == 1


@pytest.mark.parametrize("end", [b"\n.\n", b"\n.\r\n", b"\r.\r", b"\r\n.\n", b"\r\n.\r"])
async def test_no_second_mail_can_be_smuggled_into_the_first(smtp, kept, end):
    inner = b"MAIL FROM:<evil@example.test>\r\nRCPT TO:<" + TO.encode() + b">\r\nDATA\r\nSubject: two\r\n\r\nend turn"
    async with talk(smtp) as client:
        await client.begin(TO)
        assert (await client.send(b"Subject: one\r\n\r\nhello" + end + inner + b"\r\n")).startswith("250")
        assert (await client.say("NOOP")).startswith("250")
    assert len(kept.raw) == 1
    assert b"Subject: two" in kept.raw[0]


async def test_nul_bytes_and_other_letters_arrive_as_they_are(smtp, kept):
    content = b"Subject: \xc3\xa9\r\n\r\nR1\x00 ahead \xff\r\n"
    async with talk(smtp) as client:
        await client.say("EHLO client.test")
        await client.say("MAIL FROM:<ren\u00e9@example.test> SMTPUTF8")
        await client.say(f"RCPT TO:<{TO}>")
        await client.send(content)
    assert kept.raw[0].endswith(content)
    assert "Return-Path: <ren\u00e9@example.test>\r\n".encode() in kept.raw[0]


async def test_a_line_that_is_far_too_long_breaks_nothing(smtp, kept):
    async with talk(smtp) as client:
        await client.begin(TO)
        assert (await client.send(b"x" * 20000 + b"\r\n")).startswith("500")
        assert (await client.say(b"y" * 20000 + b"\r\n")).startswith("500")
        assert (await client.say("NOOP")).startswith("250")
    assert not kept.raw


def test_a_sender_cannot_write_headers():
    raw = enveloped("a\r\nX-Evil: yes\x00<b@example.test", TO, MESSAGE)
    assert raw.startswith(b"Return-Path: <aX-Evil: yes<b@example.test>\r\nDelivered-To: ")


async def test_a_client_that_hangs_up_while_its_mail_is_kept_stops_nothing(smtp, kept):
    kept.gate = asyncio.Event()
    async with talk(smtp) as client:
        await client.begin(TO)
        await client.say("DATA")
        client.writer.write(MESSAGE + b".\r\n")
        await kept.begun.wait()
    await asyncio.sleep(0.05)
    kept.gate.set()
    await eventually("the mail is kept", lambda: len(kept.raw) == 1)


async def test_who_hangs_up_in_the_middle_of_a_mail_has_sent_nothing(smtp, kept, receiver):
    async with talk(smtp) as client:
        await client.begin(TO)
        await client.say("DATA")
        client.writer.write(MESSAGE)
        await client.writer.drain()
    await eventually("the connection is over", lambda: not receiver.sessions)
    assert not kept.raw


async def test_a_silent_connection_is_closed(kept):
    receiver = Receiver(MAILBOX, kept, idle_s=0.1)
    port = await receiver.listen("127.0.0.1:0", is_lmtp=False)
    async with talk(port) as client:
        assert await client.reader.read() == b""
    await receiver.close()


async def test_a_connection_too_many_is_told_so(kept):
    receiver = Receiver(MAILBOX, kept, most_connections=1)
    port = await receiver.listen("127.0.0.1:0", is_lmtp=False)
    async with talk(port), talk(port, greeted=False) as second:
        assert (await second.hear())[0].startswith("421")
        assert await second.reader.read() == b""
    await eventually("both are gone", lambda: not receiver.sessions)
    async with talk(port) as third:
        assert (await third.say("NOOP")).startswith("250")
    await receiver.close()


async def test_a_stop_takes_the_mail_that_is_being_sent_and_no_other(smtp, kept, receiver):
    async with talk(smtp) as busy, talk(smtp) as idle:
        await busy.begin(TO)
        await idle.begin(TO)
        await busy.say("DATA")
        busy.writer.write(MESSAGE)
        await busy.writer.drain()
        closing = asyncio.create_task(receiver.close())
        assert (await idle.hear())[0].startswith("421")
        with pytest.raises(OSError):
            await asyncio.open_connection("127.0.0.1", smtp)
        assert (await busy.say(b".\r\n")).startswith("250")
        assert (await busy.hear())[0].startswith("421")
        await closing
    assert len(kept.raw) == 1


async def test_a_stop_does_not_wait_for_ever(smtp, kept, receiver):
    async with talk(smtp) as slow:
        await slow.begin(TO)
        await slow.say("DATA")
        await receiver.close(grace_s=0.1)
    assert not kept.raw


async def test_a_socket_left_behind_is_replaced_and_one_in_use_is_not(tmp_path, kept):
    path = tmp_path / "lmtp"
    first = Receiver(MAILBOX, kept)
    await first.listen(str(path), is_lmtp=True)
    with pytest.raises(FileExistsError):
        await Receiver(MAILBOX, kept).listen(str(path), is_lmtp=True)
    await first.close()
    assert not path.exists()
    left = "import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])"
    subprocess.run([sys.executable, "-c", left, str(path)], check=True)
    assert path.is_socket()
    second = Receiver(MAILBOX, kept)
    await second.listen(str(path), is_lmtp=True)
    async with talk(path=path) as client:
        assert (await client.begin(TO, hello="LHLO mta.test"))[0].startswith("250")
    await second.close()


# --- real programs


async def test_swaks_speaks_smtp(needs, smtp, kept):
    needs("swaks")
    sent = await asyncio.to_thread(swaks, TO, SENDER, "R1 ahead", port=smtp)
    assert sent.code == 0, sent.said
    assert b"R1 ahead" in kept.raw[0]


async def test_swaks_speaks_lmtp_over_a_port_and_a_socket(needs, receiver, lmtp, kept, tmp_path):
    needs("swaks")
    path = tmp_path / "lmtp"
    await receiver.listen(str(path), is_lmtp=True)
    both = f"{TO},play+{OTHER}@pbem.test"
    over_port = await asyncio.to_thread(swaks, both, SENDER, "R1 ahead", port=lmtp, protocol="LMTP")
    over_socket = await asyncio.to_thread(swaks, TO, SENDER, "R2 ahead", socket=path, protocol="LMTP")
    assert over_port.code == 0, over_port.said
    assert over_socket.code == 0, over_socket.said
    assert len(kept.raw) == 3


async def test_swaks_is_refused_a_large_attachment_and_a_wrong_address(needs, smtp, kept, tmp_path):
    needs("swaks")
    big = tmp_path / "big.bin"
    big.write_bytes(b"\0" * (MOST_BYTES + 1))
    sent = await asyncio.to_thread(swaks, TO, SENDER, "R1 ahead", port=smtp, attach=big)
    assert sent.code != 0
    assert "552" in sent.said
    lost = await asyncio.to_thread(swaks, "nobody@pbem.test", SENDER, "R1 ahead", port=smtp)
    assert lost.status("RCPT") == ["550"], lost.said
    assert not kept.raw


async def test_s_nail_sends_orders(needs, smtp, kept):
    needs("s-nail")
    sent = await asyncio.to_thread(s_nail, TO, SENDER, "R1 ahead\n", smtp, "Re: turn 3")
    assert sent.code == 0, sent.said
    assert b"R1 ahead" in kept.raw[0]
    assert f"Delivered-To: {TO}".encode() in kept.raw[0]


def test_the_path_of_a_socket_is_known_by_its_slash():
    from server.mail.endpoint import listening

    assert listening("/run/phalera/lmtp") == Path("/run/phalera/lmtp")
    assert listening("[::1]:2525") == ("::1", 2525)
