"""Mail out of an ordinary mailbox: a real Dovecot, and a mailbox that is not there."""

import asyncio
import smtplib
from contextlib import suppress
from itertools import count

import pytest
from imap_tools.mailbox import BaseMailBox

from server.mail.endpoint import IMAP, endpoint
from server.mail.incoming import pull
from server.mail.incoming.pull import PROCESSED, TOO_BIG, Puller
from server.mail.incoming.reading.caps import MOST_BYTES
from tests.mailhost.dovecot import PASSWORD
from tests.mailhost.loopback import HOST, free_ports
from tests.support.waiting import eventually

TOKEN = "abcdefghijklmnopqrstuvwx"
USERS = count(1)


class Box:
    """A mailbox of its own at Dovecot, and a puller that looks into it."""

    def __init__(self, dovecot, user, kept):
        self.dovecot, self.user, self.kept = dovecot, user, kept
        self.puller = None

    def pull(self, **more):
        url = f"imap://{self.user}:{PASSWORD}@{HOST}:{self.dovecot.imap_port}/INBOX"
        self.puller = Puller(endpoint(url, IMAP), self.kept, **{"pauses_s": (0.05,), **more})
        self.puller.start()
        return self.puller

    def deliver(self, *subjects, to=f"+{TOKEN}", body="R1 ahead"):
        with smtplib.LMTP(HOST, self.dovecot.lmtp_port, local_hostname="mta.test") as mta:
            for subject in subjects:
                content = f"From: a@x.test\r\nSubject: {subject}\r\n\r\n{body}\r\n"
                mta.sendmail("alice@x.test", [f"{self.user}{to}@pbem.test"], content.encode())

    def folder(self, name):
        with self.dovecot.mailbox(self.user) as box:
            if not box.folder.exists(name):
                return 0
            return box.folder.status(name, ["MESSAGES"])["MESSAGES"]

    def subjects(self):
        return [
            line[9:].decode() for raw in self.kept.raw for line in raw.split(b"\r\n") if line.startswith(b"Subject: ")
        ]


@pytest.fixture
async def box(imap, kept, monkeypatch):
    monkeypatch.setattr(pull, "LISTEN_S", 0.05)
    made = Box(imap, f"u{next(USERS)}", kept)
    yield made
    if made.puller is not None:
        await made.puller.close()


async def pulled(box, count):
    await eventually(f"{count} mails are pulled", lambda: box.puller.pulled == count)


async def test_what_waits_is_taken_in_and_moved(box):
    await asyncio.to_thread(box.deliver, "one", "two")
    box.pull()
    await pulled(box, 2)
    assert box.subjects() == ["one", "two"]
    assert f"Delivered-To: {box.user}+{TOKEN}@pbem.test\r\n".encode() in box.kept.raw[0]
    assert (box.folder("INBOX"), box.folder(PROCESSED)) == (0, 2)


async def test_new_mail_is_noticed_at_once(box, monkeypatch):
    box.pull(poll_s=3600.0)
    await asyncio.sleep(0.3)
    await asyncio.to_thread(box.deliver, "one")
    await pulled(box, 1)


async def test_without_idle_it_is_polled(box, monkeypatch):
    plain = pull.Puller._wait

    def no_idle(self, opened):
        opened.client.capabilities = tuple(name for name in opened.client.capabilities if name != "IDLE")
        plain(self, opened)

    monkeypatch.setattr(pull.Puller, "_wait", no_idle)
    box.pull(poll_s=0.05)
    await asyncio.sleep(0.1)
    await asyncio.to_thread(box.deliver, "one")
    await pulled(box, 1)


async def test_what_is_too_large_is_moved_unread(box):
    with_lines = "x" * 70 + "\r\n"
    await asyncio.to_thread(box.deliver, "big", body=with_lines * (MOST_BYTES // 72 + 10))
    await asyncio.to_thread(box.deliver, "small")
    box.pull()
    await pulled(box, 1)
    assert box.subjects() == ["small"]
    assert (box.folder("INBOX"), box.folder(PROCESSED), box.folder(TOO_BIG)) == (0, 1, 1)


async def test_what_could_not_be_kept_stays_and_is_tried_again(box):
    box.kept.fails = 1
    await asyncio.to_thread(box.deliver, "one", "two")
    box.pull(poll_s=0.6)
    await pulled(box, 2)
    assert sorted(box.subjects()) == ["one", "two"]
    assert box.folder("INBOX") == 0


async def test_a_fault_of_ours_keeps_no_other_mail_back(box, monkeypatch):
    keep = box.kept

    async def fault(raw):
        if b"Subject: bad" in raw:
            raise ZeroDivisionError
        await keep(raw)

    await asyncio.to_thread(box.deliver, "bad", "good")
    box.kept = fault
    box.pull()
    await pulled(box, 1)
    box.kept = keep
    assert box.subjects() == ["good"]
    assert box.folder("INBOX") == 1


async def test_a_crash_before_the_move_hands_the_same_bytes_over_again(box, monkeypatch):
    moved = BaseMailBox.move

    def crash(self, uid, folder, chunks=None):
        monkeypatch.setattr(BaseMailBox, "move", moved)
        raise ConnectionResetError("cut")

    monkeypatch.setattr(BaseMailBox, "move", crash)
    await asyncio.to_thread(box.deliver, "one")
    box.pull()
    await pulled(box, 1)
    first, second = box.kept.raw
    assert first == second
    assert (box.folder("INBOX"), box.folder(PROCESSED)) == (0, 1)


async def test_a_hostile_mail_arrives_byte_for_byte(box):
    bomb = "(" * 2000
    await asyncio.to_thread(box.deliver, "bomb", body=f"{bomb}\r\nX: \u00e9")
    box.pull()
    await pulled(box, 1)
    assert bomb.encode() in box.kept.raw[0]


async def test_a_folder_that_is_there_is_used(box):
    with box.dovecot.mailbox(box.user) as opened:
        opened.folder.create(PROCESSED)
    await asyncio.to_thread(box.deliver, "one")
    box.pull()
    await pulled(box, 1)
    assert box.folder(PROCESSED) == 1


async def test_the_stop_is_quick_and_the_mail_in_hand_is_moved(box):
    box.kept.gate = asyncio.Event()
    await asyncio.to_thread(box.deliver, "one", "two")
    box.pull()
    await box.kept.begun.wait()
    closing = asyncio.create_task(box.puller.close())
    await asyncio.sleep(0.05)
    box.kept.gate.set()
    await closing
    assert (box.folder("INBOX"), box.folder(PROCESSED)) == (1, 1)


async def test_a_mailbox_that_is_away_is_tried_again(kept, caplog):
    (port,) = free_ports(1)
    puller = Puller(endpoint(f"imap://u:p@{HOST}:{port}", IMAP), kept, pauses_s=(0.02, 0.03))
    puller.start()
    await eventually("it is tried again", lambda: caplog.text.count("cannot be read") >= 3)
    await puller.close()


async def test_a_connection_that_ends_while_it_is_idle_is_opened_again(box, monkeypatch):
    opened, plain = [], pull.Puller._wait

    def look(self, at):
        opened.append(at)
        plain(self, at)

    monkeypatch.setattr(pull.Puller, "_wait", look)
    box.pull(poll_s=3600.0)
    await eventually("it listens", lambda: opened)
    await asyncio.sleep(0.1)
    opened[0].client.sock.shutdown(2)
    await asyncio.to_thread(box.deliver, "one")
    await pulled(box, 1)
    assert opened[-1] is not opened[0]


async def test_an_encrypted_mailbox_is_read_and_idles(box, certificate, caplog):
    """Dovecot behind a port that speaks TLS; nobody knows its certificate."""

    async def pass_on(reader, writer):
        with suppress(ConnectionError):
            while chunk := await reader.read(65536):
                writer.write(chunk)
                await writer.drain()
        writer.close()

    async def both(reader, writer):
        inner = await asyncio.open_connection(HOST, box.dovecot.imap_port)
        await asyncio.gather(pass_on(reader, inner[1]), pass_on(inner[0], writer))

    server = await asyncio.start_server(both, HOST, 0, ssl=certificate)
    url = f"imaps://{box.user}:{PASSWORD}@{HOST}:{server.sockets[0].getsockname()[1]}"
    strict = Puller(endpoint(url, IMAP), box.kept, pauses_s=(3600.0,))
    strict.start()
    await eventually("it is logged", lambda: "cannot be read" in caplog.text)
    await strict.close()
    box.puller = Puller(endpoint(f"{url}?verify=no", IMAP), box.kept, poll_s=3600.0)
    box.puller.start()
    await asyncio.sleep(0.5)
    await asyncio.to_thread(box.deliver, "one")
    await pulled(box, 1)
    await box.puller.close()
    server.close()


async def test_a_wrong_password_is_said_without_it(box, caplog):  # the last: Dovecot makes the next logins wait
    url = f"imap://{box.user}:not-it@{HOST}:{box.dovecot.imap_port}"
    box.puller = Puller(endpoint(url, IMAP), box.kept, pauses_s=(3600.0,))
    box.puller.start()
    await eventually("it is logged", lambda: "the login is refused" in caplog.text)
    assert "not-it" not in caplog.text
    assert box.user not in caplog.text
