"""What must always hold: looked at after each step as far as something has changed, and whole after a crash and at the
end. `SIM-…` names the invariant of the contract."""

import json
from collections import Counter

from domain.basics.pace import moment_of
from domain.events.battle import OrderAccepted
from domain.run.bots import BOTS, bot_of
from domain.time.clock import deadline_of
from replay.proof.verify import verify
from server.play.archive import export_battle
from server.play.live_battle import LiveBattle
from server.play.questions import question_of
from server.play.recalling import recall
from server.play.request import ORDER_REQUEST
from server.play.scripts import public_key
from server.store.tables import absences, mail_tokens, outbox, raw_mail, requests
from server.time.deadlines import clocks_now
from tests.conformance.second.verifier import verdict
from tests.simulation.people import Acknowledged, Crowd
from tests.simulation.post import Post
from tests.simulation.world import Broken, World

LATE_MS = 60_000
"""How late a flag may fall while the server runs."""
BATTLES_AT_ONCE = 2
"""How many battles are folded anew after a step."""
SETTLED_S = 600.0
"""How long the server may finish what it is about at the end."""


class Checks:
    """What the log of all battles has shown so far, and the invariants that it is held against."""

    def __init__(self, world: World, crowd: Crowd, post: Post | None = None) -> None:
        self.world, self.crowd, self.post = world, crowd, post
        self._asked: set[tuple[str, str, str]] = set()
        self._position = 0
        self._heads: dict[str, tuple[int, bytes]] = {}
        self._acknowledged = 0
        self._due: dict[tuple[str, str], int] = {}
        self._newest: dict[str, str] = {}
        self._last_whole_s = 0.0
        world.after_step.append(self.after_step)
        world.after_start.append(self.after_start)

    # --- after each step

    def after_step(self) -> None:
        """Look at what has changed.

        Raises: Broken
        """
        self._unhurt()
        touched = self._follow()
        self._acks()
        host, world = self.world.up, self.world
        whole = world.now_s - self._last_whole_s >= 86_400.0
        if whole:
            self._last_whole_s = world.now_s
        chosen = [played.id for played in self.crowd.battles if whole or played.id in touched]
        for id_ in chosen:
            live = host.loop.do(host.whole.server.battles.get(id_))
            self._goes_on(live)
            self._in_time(live)
            if self.post is not None:
                self._told(self.post, live)
        for id_ in sorted(touched)[:BATTLES_AT_ONCE]:
            if world.chance("fold", world.steps, id_).random() < 0.15:
                self._folds(id_)
        self._unhurt()

    def _unhurt(self) -> None:
        """SIM-HURT: nothing has failed unseen. What the post has found comes first."""
        if self.post is not None and self.post.broken:
            raise self.post.broken[0]
        faults = self.world.faults.found
        if faults:
            raise Broken("SIM-HURT", faults[0])
        for failure in self.world.up.loop.failures:
            if not isinstance(failure.get("exception"), (ConnectionResetError,)):
                raise Broken("SIM-HURT", f"{failure.get('message')} {failure.get('exception')!r}")

    def _follow(self) -> set[str]:
        """Read what the feed has brought; the battles that have gone on. A log only grows, event after event."""
        store, touched = self.world.up.store, set[str]()
        while rows := store.feed(self._position, 500):
            for position, battle, n, line in rows:
                self._position = position
                before, _ = self._heads.get(battle, (0, b""))
                if n != before + 1:
                    raise Broken("SIM-ACK", f"{battle}: event {n} follows event {before}")
                self._heads[battle] = (n, line)
                touched.add(battle)
                self._timely(battle, line)
        for battle in sorted(touched):
            head = store.head(battle)
            assert head is not None
            self.world.note(f"{battle} {head.n} {head.hash.hex()[:16]}")
        return touched

    # --- SIM-ACK

    def _acks(self) -> None:
        for ack in self.crowd.acknowledged[self._acknowledged :]:
            self._in_the_log(ack)
        self._acknowledged = len(self.crowd.acknowledged)

    def _in_the_log(self, ack: Acknowledged) -> None:
        """What was acknowledged is in the log, once; the head that was told is a prefix of it."""
        store = self.world.up.store
        rows = {n: hash_.hex() for n, hash_, _ in store.read(ack.battle, 0)}
        if rows.get(ack.n) != ack.hash:
            raise Broken("SIM-ACK", f"{ack.battle}: the head {ack.n} of {ack.key} is not that of the log")
        for n, hash_ in ack.events:
            if rows.get(n) != hash_:
                raise Broken("SIM-ACK", f"{ack.battle}: event {n} of {ack.key} is not in the log")
        if ack.events and not ack.again and 0 <= ack.expected != min(n for n, _ in ack.events) - 1:
            first = min(n for n, _ in ack.events)
            raise Broken("SIM-ACK", f"{ack.battle}: {ack.key} expected event {ack.expected}, and began with {first}")

    def acknowledged_whole(self) -> None:
        """SIM-ACK of everything: after a crash and at the end."""
        host = self.world.up
        given = Counter[tuple[str, str]]()
        for played in self.crowd.battles:
            live = host.loop.do(host.whole.server.battles.get(played.id))
            host.loop.do(live.remember())
            lines = Counter[tuple[str, int, str]]()
            for recorded in live.recording.timeline.events:
                event = recorded.event
                if isinstance(event, OrderAccepted) and event.channel != "bot":
                    given[played.id, event.key] += 1
                    text = str(getattr(live.recording.timeline.whole(recorded), "text", ""))
                    lines[event.key, event.line, text] += 1
            twice = [line for line, times in lines.items() if times > 1]
            if twice:
                raise Broken("SIM-ACK", f"{played.id}: given twice: {twice[0]}")
        for ack in self.crowd.acknowledged:
            self._in_the_log(ack)
            found = given[ack.battle, public_key(ack.player, ack.key)]
            if found < ack.orders:
                raise Broken("SIM-ACK", f"{ack.battle}: {ack.orders} orders of {ack.key} acknowledged, {found} given")

    # --- SIM-GOES-ON

    def _goes_on(self, live: LiveBattle) -> None:
        """Somebody is asked, or it is over."""
        battle = live.recording.battle
        if not battle.begun or battle.ended or live.closed or battle.stopped is not None or battle.is_halted:
            return
        acting = live.to_act() or tuple(battle.owing)
        if not acting:
            raise Broken("SIM-GOES-ON", f"{live.id} waits for nobody")
        for side in acting:
            seat = battle.seats.get(side)
            if seat is None:
                raise Broken("SIM-GOES-ON", f"{live.id} waits for {side}, which nobody holds")
            if side in live.to_act() and seat.kind == "person" and not live.options(side) and side not in battle.owing:
                raise Broken("SIM-GOES-ON", f"{live.id}: {side} must act, and may order nothing")
            is_bot = bot_of(seat) in BOTS and not battle.owing
            is_idle = len(acting) == 1 and self.world.now_s > self.world.trouble_s + 3600 and is_bot
            if is_idle and moment_of(self._last_at(live)) < self.world.clock.true_ms - 3_600_000:
                raise Broken("SIM-GOES-ON", f"{live.id}: the bot {side} does nothing")

    def _last_at(self, live: LiveBattle) -> str:
        return str(live.recording.timeline.events[-1].at)

    # --- SIM-TIME

    def _timely(self, battle: str, line: bytes) -> None:
        """Time does not go back in a log, and no flag falls early: neither by the log nor in truth."""
        at = line[7:31].decode()
        if at < self._newest.get(battle, ""):
            raise Broken("SIM-TIME", f"{battle}: {at} stands behind {self._newest[battle]}")
        self._newest[battle] = at
        if b'"ClockFired"' not in line or b'"deadline"' not in line:
            return
        told = json.loads(line)
        due = self._due.get((battle, told["data"]["side"]))
        for moment in (moment_of(told["at"]), self.world.clock.true_ms + LATE_MS):
            if due is not None and moment < due:
                raise Broken("SIM-TIME", f"{battle}: a flag falls {(due - moment) / 1000:.0f} s early")
        if due is not None:
            self._not_away(battle, told["data"]["side"], due)

    def _not_away(self, battle: str, side: str, due: int) -> None:
        """No flag falls for a moment within a vacation that was planned before it."""
        for played in self.crowd.battles:
            player = played.seats.get(side, "") if played.id == battle else ""
            for absence in absences.all_of(self.world.up.store, player) if player else ():
                if moment_of(absence.begins) + LATE_MS < due < moment_of(absence.ends) - LATE_MS:
                    raise Broken("SIM-TIME", f"{battle}: the flag of {side} falls in a vacation")

    def _in_time(self, live: LiveBattle) -> None:
        """No flag is late, unless a fault lies between."""
        now, world = live.now(), self.world
        battle = live.recording.battle
        for key in [key for key in self._due if key[0] == live.id]:
            del self._due[key]
        if live.recording.clocks is None or battle.ended or live.closed or not battle.begun or battle.is_halted:
            return
        clocks = clocks_now(live, now)
        for side, watch in clocks.watches.items():
            if not watch.since or watch.away or clocks.paused or watch.flagged:
                continue
            due = deadline_of(clocks, watch)
            self._due[live.id, side] = due
            late_ms = moment_of(now) - due
            quiet_ms = (world.now_s - world.trouble_s) * 1000
            if late_ms > LATE_MS and quiet_ms > 15 * LATE_MS:
                raise Broken("SIM-TIME", f"{live.id}: the flag of {side} is {late_ms / 1000:.0f} s late")

    # --- SIM-LETTER

    def _told(self, post: Post, live: LiveBattle) -> None:
        """Who must act, and plays by mail, has been asked, or a letter to them waits."""
        store, battle = self.world.up.store, live.recording.battle
        for token in sorted(post.tokens):
            found = mail_tokens.find(store, token)
            if found is not None and found.kind == "question":
                self._asked.add((found.battle, found.side, found.question))
        post.tokens.clear()
        if not battle.begun or battle.ended or live.closed or self.world.now_s - self.world.trouble_s < 3600:
            return
        by_player = {mine.account.player for mine in post.players.values()}
        for side in live.to_act():
            player = battle.seats[side].player
            if player not in by_player or side in live.parked or raw_mail.unjudged(store, 1):
                continue
            question = question_of(live, side)
            if (live.id, side, question) in self._asked:
                continue
            if not any(row.recipient == player and row.battle in (live.id, "") for row in outbox.unsent(store, 1000)):
                raise Broken("SIM-LETTER", f"{live.id}: {side} is asked {question!r}, and no letter says so")

    def _once(self) -> None:
        """No letter about an event stands in the outbox twice, none is about an event that is not there."""
        store = self.world.up.store
        for battle, n in store.rows("SELECT battle, MAX(n) FROM outbox WHERE battle<>'' GROUP BY battle"):
            head = store.head(str(battle))
            if head is None or head.n < n:
                raise Broken("SIM-LETTER", f"{battle}: a letter is about event {n}, which is not there")
        twice = self.world.up.store.rows(
            "SELECT battle, n, recipient, kind, COUNT(*) FROM outbox WHERE battle<>'' "
            "GROUP BY battle, n, recipient, kind HAVING COUNT(*)>1"
        )
        if twice:
            raise Broken("SIM-LETTER", f"a letter stands there twice: {twice[0]}")

    # --- SIM-FOLD, SIM-PROOF

    def _folds(self, battle: str) -> None:
        host = self.world.up
        battles = host.whole.server.battles
        live = host.loop.do(battles.get(battle))
        again = recall(host.store, battle, battles.ruleset, lambda: b"")
        if again is None or live._is_stale:
            return
        mine = live.recording
        if (again.head, again.battle, again.clocks) != (mine.head, mine.battle, mine.clocks):
            raise Broken("SIM-FOLD", f"{battle} in memory, event {mine.battle.n}, is not the fold of its log")

    def _verifies(self, battle: str, *, whole: bool) -> None:
        host = self.world.up
        content = export_battle(host.store, host.whole.server.battles.keys, battle)
        fault = verify(content).fault
        if fault is not None:
            raise Broken("SIM-PROOF", f"{battle}: {fault}")
        if whole and self.world.chance("second", battle).random() < 0.3:
            exit_, said = verdict(content)
            if exit_:
                raise Broken("SIM-PROOF", f"{battle}: the second verifier says {exit_}: {said}")

    def after_start(self) -> None:
        """Whole after a crash: nothing that was acknowledged is missing.

        Raises: Broken
        """
        if not self.crowd.battles:
            return
        store = self.world.up.store
        for battle, (n, _) in self._heads.items():
            head = store.head(battle)
            if head is None or head.n < n:
                raise Broken("SIM-ACK", f"{battle}: {n} events were there, {head and head.n} are left")
        self.acknowledged_whole()
        self._once()
        for played in self.crowd.battles:
            if self.world.chance("verified", self.world.steps, played.id).random() < 0.2:
                self._verifies(played.id, whole=False)

    def at_the_end(self) -> None:
        """Everything.

        Raises: Broken
        """
        self.world.up.loop.stir()
        self.world.up.loop.go(self.world.now_s + SETTLED_S)
        self.after_step()
        self.acknowledged_whole()
        self._once()
        self._finished()
        for played in self.crowd.battles:
            self._folds(played.id)
            self._verifies(played.id, whole=True)

    def _finished(self) -> None:
        """SIM-GOES-ON: no orders stand still that wait for nobody."""
        host = self.world.up
        for request in requests.unfinished(host.store):
            orders = ORDER_REQUEST.decode(request.body)
            live = host.loop.do(host.whole.server.battles.get(orders.battle))
            if not live.asks_another(orders.side) and not live.recording.battle.ended and not live.closed:
                raise Broken("SIM-GOES-ON", f"{orders.battle}: orders of {orders.side} stand still")

    def battle_s(self) -> float:
        """The seconds that all battles have lasted, until they ended or now."""
        store, start_ms, lasted = self.world.up.store, self.world.clock.true_ms - self.world.now_s * 1000, 0.0
        for played in self.crowd.battles:
            live = self.world.up.loop.do(self.world.up.whole.server.battles.get(played.id))
            events = store.lines(played.id)
            at_ms = moment_of(json.loads(events[-1])["at"]) - start_ms
            lasted += at_ms / 1000 if live.recording.battle.ended else self.world.now_s
        return lasted
