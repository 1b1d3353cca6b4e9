"""What must hold in a correspondence, whatever post, disk and players do.

Some of it is looked at when a letter is handed over, some after each step, the rest when all is over.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from domain.basics.decoding import decode
from domain.basics.pace import DAY_MS, MINUTE_MS
from domain.engine.state import OTHER
from domain.events.battle import BattleEnded, ClockFired, OrderAccepted
from replay.proof.verify import verify
from server.mail.digests import entries_of, token_of
from server.mail.incoming.intake import id_of
from server.mail.outgoing.preferences import name_of
from server.mail.verdict import Verdict
from server.play.archive import export_battle
from server.play.questions import question_of
from server.play.recalling import recall
from server.play.request import ORDER_REQUEST
from server.play.scripts import public_key
from server.store.tables import correspondents, deliveries, mail_tokens, outbox, raw_mail, requests
from server.store.tables.mail_tokens import MailToken
from server.store.tables.outbox import Letter
from server.time.deadlines import clocks_now

if TYPE_CHECKING:
    from tests.server.mail.months import World
    from tests.server.mail.months_people import Person

LETS_THROUGH = frozenset({"answer", "confirm"})
WARNS = frozenset({"reminder", "flag"})
DIGEST_HOUR = 18


class Failed(Exception):
    """A rule does not hold."""


class Checks:
    """What the post has seen of a world, and the rules that it is held against."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.ids: dict[str, int] = {}
        self.letters: dict[int, dict[str, tuple[Letter, str]]] = defaultdict(dict)
        self.asked: set[tuple[str, str, str]] = set()
        self.unreached: set[str] = set()
        self.digests: dict[tuple[str, str], set[int]] = defaultdict(set)
        self.repeated = 0
        self.standing: dict[tuple[str, str], int] = {}
        self.heads = ""

    # --- when a letter is handed over

    def handed_over(self, row: Letter, message: EmailMessage, person: "Person") -> None:
        """A letter leaves the server."""
        id_, text = str(message["Message-ID"]), str(message)
        known = self.ids.setdefault(id_, row.id)
        self._hold(known == row.id, f"{id_} is the id of two letters")
        before = self.letters[row.id]
        self.repeated += bool(before)
        parts = id_.split(".")
        for other in before:  # the head may have moved on between the two
            self._hold(other.split(".")[3:] == parts[3:], f"letter {row.id} goes out under two tokens")
            self._hold(other == id_ or other.split(".")[1] != parts[1], f"letter {row.id} goes out under two ids")
        before[id_] = (row, person.player)
        self._manners(row, person)
        self._no_secret(row, text, person)
        for token in self.world.addresses.tokens_in(text):
            found = mail_tokens.find(self.world.up.store, token)
            if found is not None and found.kind == "question":
                self.asked.add((found.battle, found.side, found.question))

    def _manners(self, row: Letter, person: "Person") -> None:
        name, wishes = name_of(row.kind), correspondents.find(self.world.up.store, person.player)
        if name in LETS_THROUGH:
            return
        local = datetime.fromisoformat(self.world.now()).astimezone(ZoneInfo(wishes.zone))
        if wishes.quiet:
            first, last = map(int, wishes.quiet.split("-"))
            is_quiet = first <= local.hour < last if first < last else local.hour >= first or local.hour < last
            self._hold(not is_quiet, f"letter {row.id} ({row.kind}) in quiet hours: {local}")
        if wishes.delivery == "digest" and name not in WARNS:
            if local.hour != DIGEST_HOUR:
                due = local.replace(hour=DIGEST_HOUR, minute=0) - timedelta(days=local.hour < DIGEST_HOUR)
                is_late = self.world.trouble >= int(due.timestamp() * 1000) - MINUTE_MS or self._was_tried(row)
                self._hold(is_late, f"letter {row.id} ({row.kind}) at {local}, not at the hour of the digest")
                return
            rows = self.digests[person.player, str(local.date())]
            rows.add(row.id)
            self._hold(len(rows) == 1 or self._is_repeat(rows), f"two digests on {local.date()}: {rows}")

    def _was_tried(self, row: Letter) -> bool:
        """Whether it could not go when it was due: the mail system was away, or letters came back."""
        tries = deliveries.find(self.world.up.store, row.id)
        return tries.attempts > 0 or tries.error != ""

    def _is_repeat(self, rows: set[int]) -> bool:
        """Whether a fault lies between: a digest that a crash kept from being marked is made anew, under another row
        if that one has nothing to say any more."""
        return self.world.trouble > self.world.moment - 60 * MINUTE_MS

    def _no_secret(self, row: Letter, text: str, person: "Person") -> None:
        """No standing order of the other side stands in a letter before the end."""
        for live in self.world.up.battles.live():
            battle = live.recording.battle
            if battle.ended or live.id not in text:
                continue
            for recorded in live.recording.timeline.events:
                event = recorded.event
                if isinstance(event, OrderAccepted) and isinstance(event.sealed, str) and event.player != person.player:
                    said = getattr(live.recording.timeline.whole(recorded), "text", "")
                    self._hold(not said or said not in text, f"letter {row.id} tells {said!r}, a secret")

    # --- after a step

    async def after_a_step(self) -> None:
        """Flags have fallen when they had to; whoever must act has been asked, or will be."""
        world, store = self.world, self.world.up.store
        is_whole = not raw_mail.unjudged(store, 1) and not requests.unfinished(store)
        await self._goes_on()
        for battle in world.battles:
            live = await world.up.battles.get(battle)
            if live.recording.battle.ended or not live.recording.battle.begun:
                continue
            if world.trouble < world.moment - 2 * MINUTE_MS:
                clocks = clocks_now(live, world.now())
                for side, watch in clocks.watches.items():
                    is_out = watch.since and not watch.left_ms and not watch.away and not clocks.paused
                    self._hold(not is_out or watch.flagged, f"{battle}: the flag of {side} has not fallen")
            if is_whole:
                for side in live.to_act():
                    self._is_asked(live, side)

    async def _goes_on(self) -> None:
        """Orders that a failing disk has cut do not stand still for long, unless they wait for the other side."""
        world = self.world
        still = {}
        for request in requests.unfinished(world.up.store):
            orders = ORDER_REQUEST.decode(request.body)
            live = await world.up.battles.get(orders.battle)
            if live.question() != OTHER[orders.side]:
                id_ = request.account, request.key
                still[id_] = self.standing.get(id_, world.moment)
                self._hold(still[id_] > world.moment - DAY_MS, f"{live.id}: orders of {orders.side} stand still")
        self.standing = still

    def _is_asked(self, table: Any, side: str) -> None:
        """A letter that asks a side what it is asked has been handed over, or waits."""
        player = table.recording.battle.seats[side].player
        if player in self.unreached or (table.id, side, question_of(table, side)) in self.asked:
            return
        if side in table.parked:
            return
        store = self.world.up.store
        waiting = [row for row in outbox.unsent(store, 1000) if row.recipient == player]
        is_told = any(row.battle in (table.id, "") for row in waiting)  # "": the answer to a mail about several
        self._hold(is_told, f"{table.id}: {side} must act ({question_of(table, side)}), and no letter says so")

    # --- at the end

    async def at_the_end(self) -> None:
        """Hold the store against everything."""
        world, store = self.world, self.world.up.store
        self._hold(not raw_mail.unjudged(store, 1), "a mail is not judged")
        for raw in world.acknowledged:
            kept = raw_mail.find(store, id_of(raw))
            self._hold(kept is not None and kept.verdict is not None, "an acknowledged mail is not judged")
        self._reminders()
        mails = [
            (id_.hex(), decode(said, Verdict), raw)
            for id_, said, raw in store.rows("SELECT id, verdict, raw FROM raw_mail")
        ]
        for battle in world.battles:
            live = await world.up.battles.get(battle)
            self._log(live, mails)
            again = recall(store, battle, world.up.battles.ruleset, lambda: b"")
            self.heads += f"{live.recording.head.hex()[:6]} "
            same = again is not None and (again.head, again.battle, again.clocks) == (
                live.recording.head,
                live.recording.battle,
                live.recording.clocks,
            )
            self._hold(same, f"{battle} folded anew is another")
            report = verify(export_battle(store, world.up.battles.keys, battle))
            self._hold(report.fault is None, f"{battle}: {report.fault}")

    def _reminders(self) -> None:
        store = self.world.up.store
        sent = Counter(store.rows("SELECT battle, recipient, kind FROM outbox WHERE kind LIKE 'reminder:%'"))
        self._hold(max(sent.values(), default=0) <= 1, "a reminder was posted twice")
        told = Counter(
            (row.battle, player, row.kind)
            for letters in self.letters.values()
            for row, player in list(letters.values())[:1]
            if name_of(row.kind) == "reminder"
        )
        self._hold(max(told.values(), default=0) <= 1, "a reminder was delivered twice")

    def _log(self, table: Any, mails: list[tuple[str, Verdict, bytes]]) -> None:
        """Every order is of one mail, every mail's orders are played once, and no question was answered twice."""
        events = table.recording.timeline.events
        orders = [recorded for recorded in events if isinstance(recorded.event, OrderAccepted)]
        by_key: dict[str, list[Any]] = defaultdict(list)
        for recorded in orders:
            self._hold(recorded.event.channel == "mail", f"{table.id}: event {recorded.n} is of no mail")
            by_key[recorded.event.key].append(recorded)
        known, answered = set(), Counter[tuple[str, str]]()
        for id_, verdict, raw in _parted(mails):
            if verdict.battle != table.id or not verdict.lines:
                continue
            key = public_key(verdict.player, id_)
            known.add(key)
            played = by_key.get(key, [])
            told = sum(line.times for line in verdict.lines if line.status == "ok")
            self.world.count["orders told"] += told
            is_on_hold = any(line.status == "parked" for line in verdict.lines)
            held = is_on_hold or verdict.what == "held"
            self._hold(held or told == len(played), f"{table.id}: of {id_[:8]} {told} orders are told, {played} played")
            token = next(iter(self.world.addresses.tokens_in(raw[:2000].decode("latin-1"))), "")
            found = self._token(token, table.id) if token else None
            if found is not None and any(not self._is_free(table, recorded) for recorded in played):
                answered[found.side, found.question] += 1
        stray = set(by_key) - known
        self._hold(not stray, f"{table.id}: orders of no mail: {[by_key[key][0].n for key in stray]}")
        twice = [question for question, times in answered.items() if times > 1]
        self._hold(not twice, f"{table.id}: answered by two mails: {twice}")
        self._time(table, events)

    def _token(self, written: str, battle: str) -> MailToken | None:
        """The token that a mail answers; of a letter about several battles that of one."""
        store = self.world.up.store
        found = mail_tokens.find(store, written)
        entry = next((entry for entry in entries_of(found) if entry.battle == battle), None)
        return token_of(store, entry) if entry else found

    def _is_free(self, table: Any, recorded: Any) -> bool:
        text = getattr(table.recording.timeline.whole(recorded), "text", "")
        return bool(table.ruleset.orders.parse(text).FREE)

    def _time(self, table: Any, events: Any) -> None:
        """A battle ends on time only by a claim; each deadline fell when it had to, or when the server was up again."""
        fired = [recorded for recorded in events if isinstance(recorded.event, ClockFired)]
        self.world.count.update(f"clock {recorded.event.what}" for recorded in fired)
        for recorded in events:
            if isinstance(recorded.event, BattleEnded):
                self.world.count[f"ended: {recorded.event.how}"] += 1
                is_claimed = any(one.event.what == "claim" for one in fired)
                self._hold((recorded.event.how == "time") == is_claimed, f"{table.id} ended on time without a claim")

    def _hold(self, is_so: bool, otherwise: str) -> None:
        if not is_so:
            raise Failed(otherwise)


def _parted(mails: list[tuple[str, Verdict, bytes]]) -> Iterator[tuple[str, Verdict, bytes]]:
    """The mails, and what those about several battles say of each, under its own id."""
    for id_, verdict, raw in mails:
        yield id_, verdict, raw
        for one in verdict.sections:
            yield f"{id_}.{one.battle}", one, raw
