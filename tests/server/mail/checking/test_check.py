"""A check from beginning to end: a probe through a real relay back to the intake, and a stranger who forges."""

import re
from datetime import datetime
from email.utils import format_datetime
from itertools import count
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from server import stamps
from server.mail.checking.check import HostCheck, Means
from server.mail.checking.names import NoNames
from server.mail.incoming.receiver import enveloped
from server.mail.signing_key import make_key, read_key
from server.settings import MailSettings, Settings, Unusable
from server.stamps import ProvenStamp, only_proven, proven
from server.store.tables import raw_mail
from tests.mailhost.loopback import HOST
from tests.server.mail.conftest import Sink
from tests.server.mail.office import opened

MAILBOX, NAME = "play@phalera.test", "mx.phalera.test"
OURS = re.compile(
    rb"^authentication-results\s*:\s*(?:\([^)]*\)\s*)*\"?mx\.phalera\.test\b.*\r\n(?:[ \t].*\r\n)*", re.I | re.M
)
STAMP = f"Authentication-Results: {NAME}; spf=pass smtp.mailfrom=phalera.test\r\n"


class Host(Sink):
    """A mail system that takes mail in and out for an office. It may `strip` what strangers wrote in its name;
    `stamps`: it says what it has checked; `loses`: mail never arrives."""

    def __init__(self, office):
        super().__init__()
        self.office = office
        self.strip = lambda raw: OURS.sub(b"", raw)
        self.stamps = True
        self.loses = False

    async def handle_DATA(self, server, session, envelope):
        answer = await super().handle_DATA(server, session, envelope)
        sender, recipients, raw = self.taken[-1]
        raw = self.strip(raw)
        time = format_datetime(datetime.fromisoformat(self.office.clock.now()))
        above = f"Received: from x (x [127.0.0.1]) by {NAME}; {time}\r\n" + (STAMP if self.stamps else "")
        if not self.loses and recipients[0].endswith("@phalera.test"):
            sender = "" if sender == "<>" else str(sender)
            await self.office.accept(enveloped(sender, recipients[0], above.encode() + raw))
        return answer


@pytest.fixture
async def world(tmp_path):
    """An office with its mail system, and a check over both."""
    async with opened(tmp_path / "data") as office:
        host = Host(office)
        port = await host.start()
        pauses = []

        async def sleep(seconds):
            pauses.append(seconds)

        means = Means(lambda name, kind: (), office.clock, office.battles.entropy, sleep, lambda settings: True)
        post = replace(office.battles.settings.post, smtp=f"smtp://{HOST}:{port}")
        settings = replace(office.battles.settings, post=post)
        made = SimpleNamespace(office=office, host=host, means=means, settings=settings, pauses=pauses)
        made.at = f"{HOST}:{port}"
        made.check = lambda **means: HostCheck(made.settings, office.battles.store, replace(made.means, **means), 5)
        yield made
        await host.stop()


async def found(world, to=MAILBOX, **means):
    findings = [one async for one in world.check(**means).mail(to)]
    assert all(bool(one.advice) == (one.state != "ok") for one in findings)
    return {one.what: one for one in findings}


async def test_a_probe_to_the_server_itself_comes_back_and_is_read(world):
    findings = await found(world)
    assert list(findings) == ["mx", "spf", "dkim", "dmarc", "sent", "loop", "plus", "results", "ptr", "clock"]
    assert [findings[what].state for what in ("sent", "loop", "plus", "clock")] == ["ok"] * 4
    assert world.pauses == []
    sender, (to,), _ = world.host.taken[0]
    assert sender == to
    (kept,) = raw_mail.of_kind(world.office.battles.store, "probe", "")
    assert kept.verdict == '{"what":"probe","why":"loop"}'
    assert await world.office.letters() == []  # nobody answers


async def test_a_probe_to_somebody_else_tells_them_where_to_look(world):
    findings = await found(world, "me@provider.test")
    assert list(findings) == ["mx", "spf", "dkim", "dmarc", "sent", "results"]
    _, (to,), raw = world.host.taken[0]
    assert to == "me@provider.test"
    assert b"Authentication-Results" in raw


async def test_a_probe_that_is_lost_is_waited_for_and_said(world):
    world.host.loses = True
    findings = await found(world)
    assert findings["loop"].state == "fault"
    assert "clock" not in findings
    assert sum(world.pauses) == 5


async def test_without_a_server_nobody_waits(world):
    findings = await found(world, is_served=lambda settings: False)
    assert findings["loop"].state == "unknown"
    assert "phalera serve" in findings["loop"].advice
    assert world.pauses == []


async def test_a_relay_that_refuses_or_is_not_there_is_a_fault(world):
    world.host.rcpt = ["554 5.7.1 Relay access denied"]
    findings = await found(world)
    assert findings["sent"].state == "fault"
    assert "permit_mynetworks" in findings["sent"].advice
    await world.host.stop()
    assert "--smtp-out" in (await found(world))["sent"].advice


async def test_without_a_relay_no_probe_is_sent(world):
    world.settings = replace(world.settings, post=replace(world.settings.post, smtp=""))
    assert (await found(world))["sent"].state == "unknown"
    assert not world.host.taken


@pytest.mark.slow
async def test_letters_that_are_signed_here_are_checked_for_it(world, tmp_path):
    file = tmp_path / "dkim.pem"
    make_key(file)
    key = read_key(file, "one", "phalera.test")
    post = replace(world.settings.post, dkim_selector="one", dkim_key=str(file))
    world.settings = replace(world.settings, post=post)
    findings = await found(world, ask=lambda name, kind: (key.record,) if name == key.name else ())
    assert (findings["dkim"].state, findings["signature"].state) == ("ok", "ok")


# --- stamps


async def stamped(world, outside=None, **means):
    finding = await world.check(**means).stamp(NAME, world.at if outside is None else outside)
    assert bool(finding.advice) == (finding.state != "ok")
    return finding


@pytest.mark.parametrize("stamps_it", [True, False])
async def test_a_name_is_proven_where_nothing_forged_comes_through(world, stamps_it):
    world.host.stamps = stamps_it
    finding = await stamped(world)
    assert (finding.what, finding.state) == ("trust", "ok")
    assert proven(world.settings) == {MAILBOX: {NAME: ProvenStamp(world.office.clock.now(), world.at)}}
    assert stamps._path(world.settings).stat().st_mode & 0o777 == 0o600
    sender, _, raw = world.host.taken[0]
    assert sender == "<>"
    assert raw.lower().count(b"authentication-results") == 8


async def test_a_name_that_strangers_can_write_is_refused_and_forgotten(world):
    await stamped(world)
    world.host.strip = lambda raw: raw
    finding = await stamped(world)
    assert finding.state == "fault"
    assert "8 of 8" in finding.said
    assert proven(world.settings) == {MAILBOX: {}}


@pytest.mark.parametrize("at", range(8))
async def test_one_way_of_writing_the_name_is_enough_to_refuse(world, at):
    numbers = count()
    world.host.strip = lambda raw: OURS.sub(lambda found: found[0] if next(numbers) == at else b"", raw)
    finding = await stamped(world)
    assert finding.state == "fault"
    assert "1 of 8" in finding.said
    assert proven(world.settings) == {MAILBOX: {}}


async def test_what_shows_nothing_changes_no_proof(world):
    await stamped(world)
    before = proven(world.settings)
    world.host.rcpt = ["451 4.7.1 Greylisted"]
    assert (await stamped(world)).state == "unknown"
    assert (await stamped(world, is_served=lambda settings: False)).state == "unknown"
    world.host.loses = True
    assert (await stamped(world)).state == "fault"
    assert proven(world.settings) == before


async def test_each_mail_system_of_the_domain_must_prove_it(world):
    other = Host(world.office)
    other.strip = lambda raw: raw
    port = await other.start()
    hosts = (f"10 {world.at}", f"20 {HOST}:{port}")
    finding = await stamped(world, "", ask=lambda name, kind: hosts if kind == "MX" else ())
    await other.stop()
    assert finding.state == "fault"
    assert (len(world.host.taken), len(other.taken)) == (1, 1)
    assert proven(world.settings) == {MAILBOX: {}}


async def test_without_a_mail_system_or_a_name_server_it_is_said(world):
    def silent(name, kind):
        raise NoNames("no name server answers")

    assert (await stamped(world, "")).state == "fault"
    assert (await stamped(world, "", ask=silent)).state == "unknown"
    assert not world.host.taken


def test_a_server_believes_only_what_is_proven(tmp_path):
    settings = Settings.at(tmp_path, post=MailSettings(address=MAILBOX, trusted=("MX.phalera.test", "other.test")))
    kept, said = only_proven(settings)
    assert (kept.post.trusted, len(said)) == ((), 2)
    assert "phalera mail check --trust other.test" in said[1]
    stamps.record(settings, NAME, ProvenStamp("2026-05-01T12:00:00.000Z", "MX"))
    kept, said = only_proven(settings)
    assert (kept.post.trusted, len(said)) == (("MX.phalera.test",), 1)
    elsewhere = replace(settings, post=replace(settings.post, address="other@phalera.test"))
    assert only_proven(elsewhere)[0].post.trusted == ()
    (tmp_path / stamps.FILE).write_text("{")
    with pytest.raises(Unusable, match="phalera mail check"):
        only_proven(settings)
