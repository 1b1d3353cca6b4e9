"""When a letter is retried, when it is given up, and what is never lost."""

import asyncio
from email.message import EmailMessage
from types import SimpleNamespace
from typing import Any

import pytest

from replay.writing.clock import later
from server.mail.endpoint import Endpoint
from server.mail.outgoing.carrier import AT_ONCE, Composed, NotCarried, SmtpCarrier
from server.mail.outgoing.postman import MOST_TRIES, Postman
from server.settings import Settings
from server.store import EventStore, StoreFailed
from server.store.settings import MEMORY, StoreSettings
from server.store.tables import correspondents, deliveries, mail_tokens, outbox
from tests.mailhost.loopback import HOST
from tests.support.clock import ManualClock
from tests.support.waiting import LIMIT_S, eventually

AT = "2026-01-01T12:00:00.000Z"


class Hand:
    """A carrier that remembers, and fails as told: `failures` by recipient, or `down`."""

    def __init__(self):
        self.carried, self.tried, self.closed, self.reached = [], [], 0, 0
        self.failures, self.down = {}, None

    async def reach(self):
        self.reached += 1
        if self.down:
            raise self.down

    async def carry(self, message, sender, recipient):
        self.tried.append(recipient)
        if recipient in self.failures:
            raise self.failures[recipient]
        self.carried.append((recipient, sender, message["Message-ID"]))

    async def close(self):
        self.closed += 1


class Post:
    """A postman over a store in memory; a letter to player `p` goes to `p@x.test`."""

    def __init__(self, store, folder):
        self.store, self.clock, self.hand = store, ManualClock(AT), Hand()
        self.battles: Any = SimpleNamespace(store=store, clock=self.clock, settings=Settings.at(folder))
        self.nothing, self.broken, self.until = set(), set(), {}
        self.man = self.another()

    def another(self):
        """The postman after a restart."""
        return Postman(self.battles, self.hand, self.compose)

    async def compose(self, row):
        if row.recipient in self.broken:
            raise ZeroDivisionError
        if row.recipient in self.nothing:
            return None
        message = EmailMessage()
        message["Message-ID"] = f"<{row.id}@pbem.test>"
        also = (mail_tokens.issue(f"t{row.id}", "bounce", row.recipient, AT),)
        until = self.until.get(row.recipient, "")
        return Composed(message, f"{row.recipient}@x.test", f"b{row.id}@pbem.test", also, until)

    async def post(self, *recipients):
        for recipient in recipients:
            await self.store.write(outbox.post("b1", 1, recipient, "turn", self.clock.now()))

    @property
    def recipients(self):
        return [to for to, _, _ in self.hand.carried]

    def delivery(self, id_=1):
        return deliveries.find(self.store, id_)


@pytest.fixture
async def post(tmp_path):
    with EventStore.open(StoreSettings(module=MEMORY), asyncio.get_running_loop()) as store:
        yield Post(store, tmp_path)


LATE = NotCarried(451, "4.7.1 greylisted", False)
GONE = NotCarried(550, "5.1.1 no such user", True)
DOWN = NotCarried(0, "connection refused", False, is_down=True)


async def test_what_is_due_is_sent_once_with_its_tokens_kept_first(post):
    await post.post("p1", "p2")
    assert await post.man.deliver() == 2
    assert post.hand.carried == [
        ("p1@x.test", "b1@pbem.test", "<1@pbem.test>"),
        ("p2@x.test", "b2@pbem.test", "<2@pbem.test>"),
    ]
    token = mail_tokens.find(post.store, "t1")
    assert token is not None
    assert token.player == "p1"
    assert await post.man.deliver() == 0
    assert post.hand.closed == 1


async def test_nothing_to_say_is_marked_and_not_carried(post):
    post.nothing.add("p1")
    await post.post("p1")
    assert await post.man.deliver() == 0
    assert not post.hand.tried
    assert not outbox.unsent(post.store)


async def test_a_letter_that_failed_waits_longer_and_longer_then_is_given_up(post):
    post.hand.failures["p1@x.test"] = LATE
    await post.post("p1")
    pauses: list[int] = []
    while outbox.unsent(post.store):
        assert len(pauses) <= MOST_TRIES
        await post.man.deliver()
        tried = len(post.hand.tried)
        waits = deliveries.next_due(post.store) or post.clock.now()
        pause = next((s for s in (60, 300, 900, 3600, 14400, 43200) if later(post.clock.now(), s) == waits), 0)
        pauses.append(pause // 60)
        post.clock.wait(seconds=max(pause - 1, 0))
        await post.man.deliver()
        assert len(post.hand.tried) == tried  # not before its time
        post.clock.wait(seconds=1)
    assert pauses[:6] == [1, 5, 15, 60, 240, 720]
    assert set(pauses[6:-1]) == {720}
    assert 5 * 24 * 60 - 720 <= sum(pauses) <= 5 * 24 * 60 + 720
    told = post.delivery()
    assert (told.attempts, told.error) == (MOST_TRIES + 1, "451 4.7.1 greylisted")
    assert correspondents.find(post.store, "p1").bounces == 0


async def test_a_letter_goes_when_the_mail_system_takes_it_again(post):
    post.hand.failures["p1@x.test"] = LATE
    await post.post("p1")
    await post.man.deliver()
    post.hand.failures.clear()
    post.clock.wait(seconds=60)
    assert await post.another().deliver() == 1
    assert deliveries.queue(post.store) == []


async def test_a_failure_keeps_no_other_letter_back(post):
    post.hand.failures["p1@x.test"] = LATE
    post.broken.add("p2")
    await post.post("p1", "p2", "p3")
    assert await post.man.deliver() == 1
    assert post.recipients == ["p3@x.test"]
    assert post.delivery(2).error == "it cannot be written: ZeroDivisionError"


async def test_a_letter_that_hangs_holds_up_its_player_alone(post, sink):
    """Over a real mail system; what is sent to the others is marked before it answers."""
    post.hand = SmtpCarrier(Endpoint(HOST, await sink.start(), False), "pbem.test", timeout_s=LIMIT_S)
    post.man = post.another()
    gate = sink.hangs["p1@x.test"] = asyncio.Event()
    await post.post("p1", "p2", "p1", *(f"p{at}" for at in range(3, 3 + 2 * AT_ONCE)))
    work = asyncio.create_task(post.man.work())
    await sink.hanging.wait()
    await eventually("the others have theirs", lambda: {one.id for one in outbox.unsent(post.store)} == {1, 3})
    await post.post("p2")  # a new letter goes, too
    post.man.ring()
    await eventually("the new one is sent", lambda: {one.id for one in outbox.unsent(post.store)} == {1, 3})
    assert sink.taken[-1][1] == ["p2@x.test"]
    assert sink.connections <= AT_ONCE
    del sink.hangs["p1@x.test"]
    gate.set()
    await eventually("all is sent", lambda: not outbox.unsent(post.store))
    assert [b"<1@pbem.test>" in raw for _, to, raw in sink.taken if to == ["p1@x.test"]] == [True, False]
    await post.man.finish(1)
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


async def test_no_more_than_a_few_letters_are_handed_over_at_a_time(post):
    gate, carry, now = asyncio.Event(), post.hand.carry, set()

    async def slowly(message, sender, recipient):
        now.add(recipient)
        await gate.wait()
        await carry(message, sender, recipient)

    post.hand.carry = slowly
    await post.post(*(f"p{at}" for at in range(AT_ONCE + 3)))
    sending = asyncio.create_task(post.man.deliver())
    await eventually("the lanes are full", lambda: len(now) == AT_ONCE)
    await asyncio.sleep(0.02)
    assert len(now) == AT_ONCE
    gate.set()
    assert await sending == AT_ONCE + 3


async def test_the_letters_of_a_battle_arrive_in_their_order(post):
    post.hand.failures["p1@x.test"] = LATE
    await post.post("p1", "p1")
    await post.man.deliver()
    assert len(post.hand.tried) == 1
    await post.post("p1")  # meanwhile
    await post.store.write(outbox.post("b2", 1, "p1", "turn", post.clock.now()))
    post.hand.failures.clear()
    assert await post.man.deliver() == 1  # that of another battle
    assert [post.delivery(id_).attempts for id_ in (1, 2, 3)] == [1, 0, 0]
    post.clock.wait(seconds=60)
    assert await post.another().deliver() == 3
    assert [name for _, _, name in post.hand.carried] == [f"<{id_}@pbem.test>" for id_ in (4, 1, 2, 3)]


async def test_a_letter_that_nobody_takes_holds_up_no_battle(post):
    post.broken.add("p1")
    await post.post("p1")
    for _ in range(3):
        await post.man.deliver()
        post.clock.wait(seconds=900)
    await post.man.deliver()
    post.broken.clear()
    await post.post("p1")
    assert await post.man.deliver() == 1
    assert post.hand.carried[0][2] == "<2@pbem.test>"


async def test_an_answer_waits_for_no_other_letter(post):
    post.hand.failures["p1@x.test"] = LATE
    await post.post("p1")
    await post.man.deliver()
    post.hand.failures.clear()
    await post.store.write(outbox.post("b1", 2, "p1", "answer:00", post.clock.now()))
    assert await post.man.deliver() == 1


async def test_a_mail_system_that_is_down_is_tried_with_one_letter_a_round(post):
    post.hand.down = DOWN
    await post.post("p1", "p2", "p3")
    await post.man.deliver()
    assert (post.hand.reached, post.hand.tried) == (1, [])
    assert [post.delivery(id_).attempts for id_ in (1, 2, 3)] == [1, 0, 0]
    post.clock.wait(seconds=60)
    post.hand.down = None
    assert await post.man.deliver() == 3


async def test_three_mailboxes_that_are_not_there_stop_the_letters(post):
    post.hand.failures["p1@x.test"] = GONE
    await post.post("p1", "p1", "p1", "p1")
    await post.man.deliver()
    assert len(post.hand.tried) == 3
    known = correspondents.find(post.store, "p1")
    assert (known.bounces, known.stopped) == (3, "bounced")
    assert [letter.id for letter in outbox.unsent(post.store)] == [4]  # it waits
    post.hand.failures.clear()
    await post.store.write(outbox.post("", 0, "p1", "answer:00", post.clock.now()))
    assert await post.man.deliver() == 1  # whoever writes gets an answer
    await post.store.write(correspondents.learn("p1", ""))
    post.clock.wait(seconds=60)
    assert await post.man.deliver() == 1


async def test_quiet_hours_put_a_letter_off_without_a_try(post):
    post.until["p1"] = later(AT, 8 * 3600)
    await post.post("p1", "p2")
    assert await post.man.deliver() == 1
    assert post.delivery() == (1, 0, later(AT, 8 * 3600), "")
    assert mail_tokens.find(post.store, "t1") is None
    post.clock.wait(seconds=8 * 3600)
    assert await post.man.deliver() == 1


async def test_a_crash_after_the_handover_sends_the_same_letter_again(post, monkeypatch):
    await post.post("p1")
    write = post.store.write

    def crash(*statements):
        if any("UPDATE outbox" in statement.sql for statement in statements):
            raise StoreFailed("the process dies here")
        return write(*statements)

    monkeypatch.setattr(post.store, "write", crash)
    with pytest.raises(StoreFailed):
        await post.man.deliver()
    monkeypatch.undo()
    assert await post.another().deliver() == 1
    first, second = post.hand.carried
    assert first == second


async def test_two_processes_that_send_the_same_letter_mark_it_once(post):
    await post.post("p1", "p2")
    carry = post.hand.carry

    async def meanwhile(message, sender, recipient):
        await carry(message, sender, recipient)
        if recipient == "p1@x.test":
            await post.store.write(outbox.sent(1, post.clock.now()))

    post.hand.carry = meanwhile
    assert await post.man.deliver() == 1
    assert post.recipients == ["p1@x.test", "p2@x.test"]


async def test_the_postman_works_when_rung_and_when_something_falls_due(post, monkeypatch):
    monkeypatch.setattr("server.mail.outgoing.postman.LONGEST_SLEEP_S", 3600)
    work = asyncio.create_task(post.man.work())
    await post.post("p1")
    post.man.ring()
    await eventually("it is sent", lambda: post.recipients == ["p1@x.test"])
    post.hand.failures["p2@x.test"] = LATE
    await post.post("p2")
    post.man.ring()
    await eventually("it is tried", lambda: len(post.hand.tried) == 2)
    post.hand.failures.clear()
    post.clock.wait(seconds=61)
    post.man.ring()
    await eventually("it is sent", lambda: len(post.recipients) == 2)
    await post.man.finish(1)
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


async def test_a_fault_of_ours_is_logged_at_once_and_holds_up_nobody(post, monkeypatch, caplog):
    """Nobody waits for the task of a lane: what it raises was told when it was thrown away, if ever."""
    monkeypatch.setattr("server.mail.outgoing.postman.LONGEST_SLEEP_S", 3600)
    reach, calls = post.hand.reach, []

    async def once_broken():
        calls.append(1)
        if len(calls) == 1:
            raise ZeroDivisionError
        await reach()

    post.hand.reach = once_broken
    await post.post("p1", "p2")
    work = asyncio.create_task(post.man.work())
    await eventually("the others have theirs", lambda: "p2@x.test" in post.recipients)
    (record,) = [one for one in caplog.records if one.exc_info]
    assert (record.message, record.exc_info[0]) == ("letters are left in the outbox", ZeroDivisionError)
    post.man.ring()
    await eventually("it goes", lambda: len(post.recipients) == 2)
    await post.man.finish(1)
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


async def test_the_last_letter_of_a_stop_is_finished_and_no_other_begun(post):
    await post.post("p1", "p1")
    begun, gate, carry = asyncio.Event(), asyncio.Event(), post.hand.carry

    async def slowly(message, sender, recipient):
        begun.set()
        await gate.wait()
        await carry(message, sender, recipient)

    post.hand.carry = slowly
    work = asyncio.create_task(post.man.work())
    await begun.wait()
    ending = asyncio.create_task(post.man.finish(LIMIT_S))
    await asyncio.sleep(0.02)
    gate.set()
    await ending
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
    assert post.recipients == ["p1@x.test"]
    assert [letter.id for letter in outbox.unsent(post.store)] == [2]
