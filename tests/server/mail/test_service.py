"""The mail of a running server: in, out, what a crash leaves, and the stop."""

import asyncio
import os
import smtplib
import sqlite3
import threading
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from server.mail.incoming.intake import id_of
from server.mail.incoming.receiver import enveloped
from server.mail.outgoing.carrier import carrier_of
from server.mail.outgoing.postman import Postman
from server.mail.service import MailService, missing_way, require_usable, ways
from server.running import Server
from server.settings import BadSetting, MailSettings, Settings, make_folder
from server.store import EventStore, StoreFailed
from server.store.tables import outbox, raw_mail
from tests.mailhost.loopback import HOST, free_ports
from tests.mailhost.phalera import Phalera
from tests.support.clock import ManualClock
from tests.support.entropy import entropy_of_test
from tests.support.waiting import LIMIT_S, eventually, until

AT = "2026-01-01T12:00:00.000Z"
TO = "play@pbem.test"


class Intake:
    """Remembers what it is given; as a real one it may post an answer."""

    def __init__(self, store):
        self.store, self.raw, self.resumed, self.fails = store, [], 0, False

    async def accept(self, raw):
        if self.fails:
            raise StoreFailed("no")
        self.raw.append(raw)
        await self.store.write(outbox.post("", 0, "p1", "answer:1", AT))

    async def resume(self, least_age_s=0):
        self.resumed += 1
        await self.store.write(*(raw_mail.judge(mail.id, "{}") for mail in raw_mail.unjudged(self.store)))
        return 2


@asynccontextmanager
async def running(folder, **post):
    """A server with mail over a remembered intake; letters go into the Maildir."""
    settings = Settings.at(folder, {}, mail=True, synchronous="NORMAL", post=MailSettings(address=TO, **post))
    make_folder(settings)
    with EventStore.open(settings.store()) as store:
        server = Server(settings, ManualClock(AT), entropy_of_test(), store)

        async def compose(row):
            return None

        service = MailService(server, Postman(server.battles, carrier_of(settings), compose), Intake(store))
        await server.start()
        await service.start()
        try:
            yield service
        finally:
            await service.stop()
            await server.close()


def send(port, text="R1 ahead", lmtp=False):
    with (smtplib.LMTP if lmtp else smtplib.SMTP)(HOST, port, local_hostname="mta.test") as mta:
        mta.sendmail("a@x.test", [TO], f"Subject: x\r\n\r\n{text}\r\n".encode())


async def test_mail_comes_in_both_ways_and_its_answer_is_sent_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr("server.mail.outgoing.postman.LONGEST_SLEEP_S", 3600)  # it must be rung
    async with running(tmp_path / "data", listen_smtp=f"{HOST}:0", listen_lmtp=f"{HOST}:0") as office:
        await asyncio.to_thread(send, office.ports["smtp"])
        await asyncio.to_thread(send, office.ports["lmtp"], lmtp=True)
        assert len(office.intake.raw) == 2
        await eventually("the answer is sent", lambda: not outbox.unsent(office.server.store))


async def test_what_a_crash_left_is_judged_before_new_mail_comes_in(tmp_path):
    async with running(tmp_path / "data", listen_smtp=f"{HOST}:0") as office:
        assert office.intake.resumed == 1


async def test_what_a_failing_disk_left_is_judged_without_a_new_start(tmp_path, monkeypatch):
    monkeypatch.setattr("server.mail.service.LEFT_S", 0.02)
    async with running(tmp_path / "data") as office:
        store = office.server.store
        await asyncio.sleep(0.1)
        assert office.intake.resumed == 1  # nothing is left
        await store.write(raw_mail.keep(b"left", AT, b"Subject: x\r\n\r\nR1 ahead\r\n"))
        await eventually("the mail is judged", lambda: not raw_mail.unjudged(store))
        assert office.intake.resumed == 2


async def test_a_store_that_fails_is_told_to_the_mail_system(tmp_path):
    async with running(tmp_path / "data", listen_lmtp=f"{HOST}:0") as office:
        office.intake.fails = True
        with pytest.raises(smtplib.SMTPDataError) as caught:
            await asyncio.to_thread(send, office.ports["lmtp"], lmtp=True)
        assert caught.value.smtp_code == 451


async def test_after_the_stop_nobody_listens(tmp_path):
    async with running(tmp_path / "data", listen_smtp=f"{HOST}:0") as office:
        port = office.ports["smtp"]
    with pytest.raises(OSError):
        send(port)


@pytest.mark.parametrize(
    "post",
    [{"smtp": "http://x"}, {"imap": "imap://"}, {"listen_smtp": "25"}, {"listen_lmtp": "x:y"}, {"address": "no"}],
)
def test_settings_that_make_no_sense_are_refused_before_anything_is_opened(tmp_path, post):
    with pytest.raises(BadSetting):
        require_usable(Settings.at(tmp_path / "data", post=MailSettings(**post)))
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("post", "said"),
    [
        ({}, ""),
        ({"smtp": "smtp://x", "listen_lmtp": "127.0.0.1:2424"}, ""),
        ({"smtp": "smtp://x"}, "no reply comes in"),
        ({"imap": "imaps://u:p@x"}, "--smtp-out is missing"),
    ],
)
def test_mail_that_goes_one_way_only_is_told_to_the_host(tmp_path, post, said):
    missing = missing_way(Settings.at(tmp_path / "data", post=MailSettings(**post)))
    assert said in missing if said else not missing


def test_a_user_without_a_password_is_refused(tmp_path):
    with pytest.raises(BadSetting, match="PHALERA_SMTP_PASSWORD"):
        require_usable(Settings.at(tmp_path / "data", post=MailSettings(smtp="smtp://u@x")))


# --- as a process


class Loopback(Phalera):
    """A server as a process, and where it takes mail."""

    port = 0


@pytest.fixture
def process(tmp_path):
    (port,) = free_ports(1)
    options = ("--host", "pbem.test", "--mail-address", TO, "--listen-lmtp", f"{HOST}:{port}")
    server = Loopback(tmp_path / "host", options)
    server.port = port
    yield server
    server.stop()


def rows(server, query):
    store = sqlite3.connect(f"file:{server.data / 'log.db'}?mode=ro", uri=True, timeout=LIMIT_S)
    try:
        return store.execute(query).fetchall()
    finally:
        store.close()


def test_a_mail_that_was_kept_and_not_judged_is_judged_at_the_next_start(process):
    process.start()
    process.stop()
    store = sqlite3.connect(process.data / "log.db")
    raw = f"Return-Path: <a@x.test>\r\nDelivered-To: {TO}\r\nSubject: x\r\n\r\nhelp\r\n".encode()
    store.execute("INSERT INTO raw_mail (id, received, raw) VALUES (?,?,?)", (b"1" * 32, AT, raw))
    store.commit()
    store.close()
    process.start()
    assert rows(process, "SELECT COUNT(*) FROM raw_mail WHERE verdict IS NULL") == [(0,)]
    assert rows(process, "SELECT COUNT(*) FROM raw_mail") == [(1,)]


@pytest.mark.long
def test_no_mail_that_was_acknowledged_is_lost_by_kill_9(process):
    """Three senders, who send again what has no answer yet; two kills meanwhile."""
    acknowledged, done = [], threading.Event()

    def sender(name):
        number = 0
        while not done.is_set():
            text = f"Message-ID: <{name}.{number}@x.test>\r\nSubject: x\r\n\r\nhello\r\n".encode()
            try:
                with smtplib.LMTP(HOST, process.port, local_hostname="mta.test", timeout=LIMIT_S) as mta:
                    while not done.is_set():
                        mta.sendmail("a@x.test", [TO], text)
                        acknowledged.append(id_of(enveloped("a@x.test", TO, text)))
                        number += 1
                        text = f"Message-ID: <{name}.{number}@x.test>\r\nSubject: x\r\n\r\nhello\r\n".encode()
            except (OSError, smtplib.SMTPException):
                done.wait(0.02)

    def more_than(count):
        return lambda: len(acknowledged) > count

    process.start()
    threads = [threading.Thread(target=sender, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    try:
        for _ in range(2):
            until("mail comes in", more_than(len(acknowledged) + 20))
            process.kill()
            process.start()
    finally:
        done.set()
        for thread in threads:
            thread.join(LIMIT_S)
    process.stop()
    process.start()
    kept = {id_ for (id_,) in rows(process, "SELECT id FROM raw_mail")}
    assert len(acknowledged) > 40
    assert [id_ for id_ in acknowledged if id_ not in kept] == []
    assert len(acknowledged) == len(set(acknowledged))
    assert rows(process, "SELECT COUNT(*) FROM raw_mail WHERE verdict IS NULL") == [(0,)]


def test_a_place_that_is_taken_is_said_in_a_sentence(process):
    process.start()
    second = Phalera(process.data.parent / "second", process.options)
    done = second.command("serve", "--port", "0", "--listen-lmtp", f"{HOST}:{process.port}")
    assert done.returncode == 1
    place = f"{HOST}:{process.port}"
    assert done.stderr == f"phalera: Another program listens at {place} already: --listen-lmtp takes another place.\n"


@pytest.mark.long
def test_a_data_folder_has_one_server_even_after_a_crash(process):
    process.start()
    second = process.command("serve", "--port", "0")
    assert second.returncode == 1
    assert (
        second.stderr.startswith(f"phalera: A server runs on {process.data} already")
        and "Traceback" not in second.stderr
    )
    assert process.command("mail", "queue").returncode == 0  # beside a server
    process.kill()
    process.start()


@pytest.mark.parametrize(
    ("post", "out", "in_"),
    [
        ({}, "are dropped into DATA/mail/out", "by `phalera mail accept` alone"),
        (
            {"smtp": "smtps://me:secret@smtp.test", "imap": "imaps://me:secret@imap.test/Games"},
            "go out through smtp.test, port 465",
            "from Games at imap.test, port 993 (IMAP)",
        ),
        (
            {"smtp": "smtp://127.0.0.1", "listen_smtp": "127.0.0.1:0", "listen_lmtp": "/run/phalera/lmtp"},
            "go out through 127.0.0.1, port 25",
            "at 127.0.0.1, port 2525 (SMTP) and at /run/phalera/lmtp (LMTP)",
        ),
    ],
)
def test_a_host_is_told_where_mail_goes_and_comes_from(tmp_path, post, out, in_):
    settings = Settings.at(tmp_path, post=MailSettings(address=TO, **post))
    assert ways(settings, {"smtp": 2525}) == (
        f"Letters {out.replace('DATA', str(tmp_path))}",
        f"Mail for {TO} comes in {in_}",
    )


async def test_the_host_is_told_when_the_server_has_started(tmp_path):
    async with running(tmp_path / "data", listen_lmtp=f"{HOST}:0") as office:
        assert office.ways()[-1].endswith(f"at {HOST}, port {office.ports['lmtp']} (LMTP)")


@pytest.mark.slow
def test_a_password_is_in_no_log_and_on_no_page(tmp_path):
    (port,) = free_ports(1)
    environment = {"PHALERA_SMTP_PASSWORD": "very-secret-1", "PHALERA_IMAP_PASSWORD": "very-secret-2"}
    wires = ("--smtp-out", f"smtp://u@{HOST}:{port}", "--imap", f"imap://u@{HOST}:{port}")
    server = Phalera(tmp_path / "host", wires, {**os.environ, **environment})
    server.start()
    store = sqlite3.connect(server.data / "log.db")
    store.execute("INSERT INTO outbox (battle, n, recipient, kind, created) VALUES ('', 0, 'p1', 'turn', ?)", (AT,))
    store.commit()
    store.close()
    until("the mailbox was looked for", lambda: "cannot be read" in server.log.read_text())
    server.stop()
    assert "very-secret" not in server.log.read_text()
    assert not [path for path in Path(server.data).rglob("*") if path.is_file() and b"very-secret" in path.read_bytes()]
