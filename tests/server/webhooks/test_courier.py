"""What is due is told, in its order; who fails is left alone longer and longer, and then for good."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from replay.writing.clock import later
from replay.writing.entropy import SeededEntropy
from server.people.notices import AccountEvent
from server.store import EventStore
from server.store.settings import StoreSettings
from server.store.tables import accounts, notices, outbox, webhooks
from server.store.tables.accounts import Account
from server.store.tables.webhooks import MOST_WAITING, HookNews, HookOwner, OwnerKind, Told, Webhook
from server.webhooks.courier import AT_ONCE, OFF_AFTER_S, PAUSES_MIN, SLOW_AT_ONCE, Courier
from server.webhooks.sender import HookAnswer
from server.webhooks.signature import HEADER, signature
from tests.support.clock import ManualClock
from tests.support.waiting import LIMIT_S

ANNA = HookOwner(OwnerKind.ACCOUNT, "p1")
TAKEN = HookAnswer(204)


class Outside:
    """The other side: what it was sent, and what it answers, by host; `holds` are those that do not answer."""

    def __init__(self) -> None:
        self.got: list[tuple[str, str, Mapping[str, str]]] = []
        self.answers: dict[str, HookAnswer] = {}
        self.holds: set[str] = set()
        self.released = asyncio.Event()
        self.open = 0
        self.most = 0

    async def __call__(self, url: str, body: bytes, headers: Mapping[str, str]) -> HookAnswer:
        host = url.removeprefix("https://").rstrip("/")
        self.open += 1
        self.most = max(self.most, self.open)
        try:
            if host in self.holds:
                await self.released.wait()
            self.got.append((host, json.loads(body)["what"], headers))
            return self.answers.get(host, TAKEN)
        finally:
            self.open -= 1

    def told(self, host: str = "one.example") -> list[str]:
        return [what for where, what, _ in self.got if where == host]


class Office:
    """A store, a clock, and the courier between them and the other side."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self.clock = ManualClock()
        self.outside = Outside()
        self.results = Counter[str]()
        self.courier = self.another()

    def another(self) -> Courier:
        """A courier of another process on the same store."""
        return Courier(
            self.store, self.clock, SeededEntropy("hooks"), self.body_of, self.outside, str, self.results, mails=True
        )

    async def body_of(self, hook: Webhook, told: Told) -> bytes | None:
        if told.about == "fault":
            raise ValueError
        return None if told.about == "gone" else json.dumps({"what": f"{told.what} {told.n}"}).encode()

    async def hook(self, name: str = "one", owner: HookOwner = ANNA, what: tuple[str, ...] = ("turn", "ended")) -> str:
        host = f"{name}.example"
        words = webhooks.words_of(what)
        row = Webhook(name, owner.kind, owner.id, f"https://{host}/", host, "plain", "en", words, self.clock.now())
        await self.store.write(webhooks.add(row))
        return name

    async def happens(self, what: str = "turn", n: int = 1, about: str = "b1", owner: HookOwner = ANNA) -> None:
        await self.store.write(webhooks.tell(owner, HookNews(what, "battle", about, n), self.clock.now()))

    def kept(self, name: str = "one") -> Webhook:
        found = webhooks.find(self.store, name)
        assert found is not None
        return found


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    with EventStore.open(StoreSettings.at(tmp_path / "log.db")) as store:
        await store.write(accounts.add(Account("p1", "Anna", "anna@example.org", ManualClock().now())))
        yield Office(store)


async def test_what_happens_is_told_once_in_its_order_and_signed(office: Office) -> None:
    await office.hook()
    for n in (1, 2, 3):
        await office.happens(n=n)
    await office.happens("begun", 4)
    await office.courier.deliver()
    await office.courier.deliver()
    assert office.outside.told() == ["turn 1", "turn 2", "turn 3"]
    _, _, headers = office.outside.got[0]
    body = json.dumps({"what": "turn 1"}).encode()
    assert headers[HEADER] == signature("one", office.clock.moment // 1000, body)
    assert len({headers["Phalera-Delivery"] for _, _, headers in office.outside.got}) == 3
    kept = office.kept()
    assert (kept.last_what, kept.last_code, kept.tries, kept.failing) == ("turn", 204, 0, "")
    assert office.results == {"delivered": 3}


async def test_nobody_is_told_what_happens_to_others(office: Office) -> None:
    await office.hook()
    await office.hook("club", HookOwner(OwnerKind.CLUB, "p1"))
    await office.happens(owner=HookOwner(OwnerKind.ACCOUNT, "p2"))
    await office.happens(owner=HookOwner(OwnerKind.CLUB, "p1"), n=7)
    await office.courier.deliver()
    assert [(host, what) for host, what, _ in office.outside.got] == [("club.example", "turn 7")]


async def test_what_is_gone_or_cannot_be_said_holds_nothing_up(office: Office) -> None:
    await office.hook()
    for about in ("gone", "fault", "b1"):
        await office.happens(about=about)
    await office.courier.deliver()
    assert office.outside.told() == ["turn 1"]
    assert webhooks.first_for(office.store, "one") is None


async def test_who_fails_is_left_alone_longer_and_longer(office: Office) -> None:
    await office.hook()
    office.outside.answers["one.example"] = HookAnswer(500)
    await office.happens(n=1)
    await office.happens(n=2)
    for tried, minutes in enumerate((*PAUSES_MIN, PAUSES_MIN[-1]), start=1):
        await office.courier.deliver()
        assert office.outside.told() == ["turn 1"] * tried
        assert (office.kept().tries, office.kept().last_code) == (tried, 500)
        office.clock.wait(minutes=minutes, milliseconds=-1)
        await office.courier.deliver()
        assert office.outside.told() == ["turn 1"] * tried
        office.clock.wait(1)
    del office.outside.answers["one.example"]
    await office.another().deliver()
    assert office.outside.told()[-2:] == ["turn 1", "turn 2"]
    deliveries = {headers["Phalera-Delivery"] for _, what, headers in office.outside.got if what == "turn 1"}
    assert len(deliveries) == 1
    assert (office.kept().tries, office.kept().failing, office.kept().next_try) == (0, "", "")


async def test_a_receiver_that_wants_a_pause_gets_it(office: Office) -> None:
    await office.hook()
    office.outside.answers["one.example"] = HookAnswer(429, "", 1800)
    await office.happens()
    await office.courier.deliver()
    assert office.kept().next_try == later(office.clock.now(), 1800)


async def test_after_three_days_it_is_off_and_its_owner_is_told(office: Office) -> None:
    await office.hook()
    await office.hook("two")
    office.outside.answers["one.example"] = HookAnswer(0, "timeout")
    await office.happens()
    began = office.clock.moment
    while not office.kept().off:
        assert office.clock.moment - began < 1000 * (OFF_AFTER_S + 60 * PAUSES_MIN[-1])
        await office.courier.deliver()
        office.clock.wait(minutes=PAUSES_MIN[-1])
    assert office.clock.moment - began > 1000 * OFF_AFTER_S
    assert office.kept().last_error == "timeout"
    (notice,) = notices.of_player(office.store, "p1")
    assert (notice.what, notice.about) == (AccountEvent.WEBHOOK_OFF, "one.example")
    assert [row.kind for row in outbox.unsent(office.store)] == [f"notice:{notice.id}"]
    assert (office.results["off"], webhooks.census(office.store)) == (1, (2, 0, 1, 0))
    before = len(office.outside.told())
    await office.happens(n=2)
    await office.courier.deliver()
    assert len(office.outside.told()) == before
    assert office.outside.told("two.example") == ["turn 1", "turn 2"]
    await office.store.write(webhooks.switch_on(ANNA, "one"))
    del office.outside.answers["one.example"]
    await office.happens(n=3)
    await office.courier.deliver()
    assert office.outside.told()[before:] == ["turn 3"]


async def test_no_more_waits_for_one_than_its_limit(office: Office) -> None:
    await office.hook()
    for n in range(MOST_WAITING + 5):
        await office.happens(n=n)
    assert webhooks.census(office.store).waiting == MOST_WAITING


async def test_who_does_not_answer_delays_nobody_else(office: Office) -> None:
    for number in range(AT_ONCE - 1):
        await office.hook(f"held{number}")
        office.outside.holds.add(f"held{number}.example")
    await office.happens(n=1)
    await office.hook()
    await office.happens(n=2)
    running = asyncio.create_task(office.courier.deliver())
    async with asyncio.timeout(LIMIT_S):
        while not office.outside.told():
            await asyncio.sleep(0)
    assert office.outside.told() == ["turn 2"]
    office.outside.released.set()
    await running
    assert office.outside.most <= AT_ONCE


async def test_those_that_failed_have_a_few_lanes_only(office: Office) -> None:
    names = [f"bad{number}" for number in range(3 * AT_ONCE)]
    for name in names:
        await office.hook(name)
        office.outside.answers[f"{name}.example"] = HookAnswer(500)
    await office.happens(n=1)
    await office.courier.deliver()
    office.clock.wait(hours=1)
    office.outside.holds = {f"{name}.example" for name in names}
    await office.hook()
    await office.happens("ended", n=2)
    office.outside.most = 0
    running = asyncio.create_task(office.courier.deliver())
    async with asyncio.timeout(LIMIT_S):
        while not office.outside.told():
            await asyncio.sleep(0)
    assert office.outside.most <= SLOW_AT_ONCE + 1
    office.outside.released.set()
    await running


async def test_who_was_slow_counts_as_one_that_failed(office: Office) -> None:
    await office.hook()
    office.outside.holds = {"one.example"}
    await office.happens(n=1)
    running = asyncio.create_task(office.courier.deliver())
    while not office.outside.open:
        await asyncio.sleep(0)
    office.clock.wait(seconds=3)
    office.outside.released.set()
    await running
    assert office.courier.is_slow(office.kept())
    assert not office.another().is_slow(office.kept())


async def test_at_the_end_what_goes_on_has_a_moment_and_the_rest_waits_for_the_start(office: Office) -> None:
    await office.hook()
    office.outside.holds = {"one.example"}
    await office.happens(n=1)
    await office.happens(n=2)
    running = asyncio.create_task(office.courier.work())
    while not office.outside.open:
        await asyncio.sleep(0)
    await office.courier.finish(0.01)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert office.outside.told() == []
    office.outside.holds = set()
    await office.another().deliver()
    assert office.outside.told() == ["turn 1", "turn 2"]


async def test_the_bell_wakes_the_courier(office: Office) -> None:
    await office.hook()
    running = asyncio.create_task(office.courier.work())
    await asyncio.sleep(0)
    await office.happens(n=1)
    office.courier.ring()
    async with asyncio.timeout(LIMIT_S):
        while not office.outside.told():
            await asyncio.sleep(0.01)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
