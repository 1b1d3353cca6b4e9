"""The battles being played here, loaded when asked for.

Live battles are created on demand. When they take more memory together than the settings allow, those requested least
recently leave; nothing is lost with them, since the store has everything. One that somebody watches, changes or holds
does not leave: there are never two live battles of one battle.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from weakref import WeakValueDictionary

from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.log.record import FORMAT, Header
from domain.run.terms import USUAL_TERMS, Terms
from replay.writing.clock import Clock
from replay.writing.entropy import Entropy
from replay.writing.recording import Batch, Recording, Scenario
from server.entropy import new_battle_id
from server.people.keys import Keyring
from server.people.players import Player
from server.play.access import unknown_battle
from server.play.live_battle import Alongside, Listener, LiveBattle, WriteLetters, parked_at
from server.play.quotas import require_quota
from server.play.recalling import recall
from server.play.rules_version import is_played_on
from server.play.snapshots import Snapshots
from server.settings import Settings
from server.store import EventStore, Opening, Statement
from server.store.tables import closings, holdings, vault
from server.store.tables.parked import ParkedScript
from server.workers import INLINE, Workers

SALT_BYTES = MASTER_BYTES = 32
READERS = ("public", "link", "players")
LOOKED_AT = 16
"""Battles that are looked at, to find those that can leave, each time that one grows."""


async def _first_batch(
    recording: Recording, scenario: Scenario, at: str, readers: str, pace: str, terms: Terms
) -> Batch:
    """The first append of a battle that nobody knows yet, made in parts: others are served in between."""
    facts = recording.facts_of(scenario)
    await _make_keys(recording)
    entered = recording.opening(facts, readers, pace, terms)
    await asyncio.sleep(0)
    batch = recording.prepare(entered, at)
    await asyncio.sleep(0)
    return batch


async def _make_keys(recording: Recording) -> None:
    """Make the first key of each chain, which takes thousands of hashes; others are served in between."""
    keys = recording.secrets.keys
    for chain in keys.chains:
        await asyncio.sleep(0)
        keys.key(chain, 0)
    await asyncio.sleep(0)


def nothing_more(battle: str) -> tuple[Statement, ...]:
    """Nothing is stored with an opening but the battle."""
    return ()


class LiveBattles:
    """All live battles. `listeners` are notified of every append, after its commit; `letters` makes those that an
    append causes, None if none are sent; `workers` do what takes long; `snapshots` spare folding whole logs, None: they
    are folded."""

    def __init__(
        self,
        settings: Settings,
        store: EventStore,
        clock: Clock,
        entropy: Entropy,
        keys: Keyring,
        letters: WriteLetters | None = None,
        rulesets: Mapping[str, Ruleset] = RULESETS,
        workers: Workers = INLINE,
        snapshots: Snapshots | None = None,
    ) -> None:
        self.settings = settings
        self.store = store
        self.clock = clock
        self.entropy = entropy
        self.keys = keys
        self.rulesets = rulesets
        self.workers = workers
        self.snapshots = snapshots
        self.listeners: list[Listener] = [self._grown]
        self.letters = letters
        self.vacations = asyncio.Lock()
        self._kept: OrderedDict[str, LiveBattle] = OrderedDict()
        self._all: WeakValueDictionary[str, LiveBattle] = WeakValueDictionary()  # those in somebody's hands, too
        self._sizes: dict[str, int] = {}
        self.size = 0  # bytes that those kept take, about
        self._loading: dict[str, asyncio.Future[LiveBattle]] = {}

    # --- finding

    async def get(self, battle: str) -> LiveBattle:
        """The live battle with an id.

        Raises: Refusal core.unknown-battle
        """
        live = self._kept.get(battle)
        if live is not None:
            self._kept.move_to_end(battle)  # weighed when it grew
            return live
        live = self._all.get(battle)
        if live is not None and live.n:  # else it is being opened, or could not be
            self._keep(live)
            return live
        loading = self._loading.get(battle)
        if loading is None:
            loading = asyncio.ensure_future(self._load(battle))
            self._loading[battle] = loading
            loading.add_done_callback(lambda _: self._loading.pop(battle, None))
        return await asyncio.shield(loading)

    def ruleset(self, code: str) -> Ruleset:
        """A game by its code.

        Raises: Refusal core.unknown-ruleset
        """
        found = self.rulesets.get(code)
        if found is None:
            raise Refusal("core.unknown-ruleset", "CORE-OPEN", ruleset=code, known=sorted(self.rulesets))
        return found

    def live(self) -> tuple[LiveBattle, ...]:
        """The battles in memory, most recently requested last."""
        elsewhere = [live for live in self._all.values() if live.n and live.id not in self._kept]
        return (*elsewhere, *self._kept.values())

    async def _load(self, battle: str) -> LiveBattle:
        recording = await asyncio.to_thread(self._recall, battle)
        if recording is None:
            raise unknown_battle(battle)
        opened = self._all.get(battle)
        if opened is not None:
            async with opened.lock:  # the store has an opening before memory has it
                pass
            if opened.n:
                self._keep(opened)
                return opened
        notes = [secret.content for secret in vault.of_event(self.store, battle, 0) if secret.kind == vault.CHECKPOINT]
        live = self._make(recording, parked_at(self.store, battle), notes[0].decode() if notes else "")
        closing = closings.find(self.store, battle)
        live.closed = closing.how if closing else ""
        if not (live.closed or recording.battle.ended or is_played_on(recording.header)):
            live.closed = closings.OUTDATED  # without `phalera migrate`, which says so in the store
        self._keep(live)
        return live

    # --- opening

    async def open(
        self,
        ruleset: str,
        scenario: Scenario,
        readers: str,
        pace: str = "",
        opener: Player | None = None,
        terms: Terms = USUAL_TERMS,
        not_before: str = "",
        also: Callable[[str], Sequence[Statement]] = nothing_more,
        version: int = 0,
        named: str = "",
    ) -> LiveBattle:
        """Open a battle: draw its id and its secret, and put the commitment into its first event.

        Shape:   `scenario` with its options merged in; `pace` as written or named (domain.basics.pace), "": no clock;
                 `opener` who may cancel it before it begins; `terms` what holds for its disputes;
                 `not_before` the time of what it follows from, whatever the clock says;
                 `also` what is stored in the transaction of the opening, for the battle's id;
                 `version` that of the protocol, 0: the one in the settings;
                 `named` the id, if it has been drawn before
        Raises:  Refusal of the ruleset for a bad scenario; core.bad-pace, core.too-many-battles; Conflict where there
                 is a battle of that id
        """
        game = self.ruleset(ruleset)
        if opener is not None:
            require_quota(self.store, self.settings.limits, opener, holdings.OPENED)
        at = max(self.clock.now(), not_before)
        header = self._header(game, at, version or self.settings.opens, named or new_battle_id(self.entropy))
        master = self.entropy.bytes(MASTER_BYTES)
        live = self._make(Recording(header, master, game, self._salt), {})
        await asyncio.sleep(0)  # what follows takes some milliseconds: others are served in between
        batch = await _first_batch(live.recording, scenario, at, readers, pace, terms)

        def attach(batch: Batch) -> Alongside:
            opening = Opening(live.recording.header_line, at, readers)
            held = [holdings.opened(live.id, opener.id)] if opener else []
            return Alongside(also=(vault.put_master(live.id, master), *held, *also(live.id)), opens=opening)

        self._all.setdefault(live.id, live)  # found by those who see it in the store before the append has returned
        async with live.lock:
            await live.append(lambda *_: batch, attach)
        self._keep(live)
        return live

    def _header(self, game: Ruleset, at: str, version: int, battle: str) -> Header:
        """The header of a new battle."""
        return Header(
            battle=battle,
            created=at,
            format=FORMAT,
            host=self.keys.current.name,
            key=self.keys.current.key,
            rules=game.version,
            ruleset=game.code,
            version=version,
        )

    def _recall(self, battle: str) -> Recording | None:
        return recall(self.store, battle, self.ruleset, self._salt, self.snapshots)

    def _salt(self) -> bytes:
        return self.entropy.bytes(SALT_BYTES)

    def _make(self, recording: Recording, parked: dict[str, ParkedScript], foreign_note: str = "") -> LiveBattle:
        battle = recording.gid

        def recalled() -> Recording:
            again = self._recall(battle)
            if again is None:
                raise unknown_battle(battle)
            return again

        live = LiveBattle(
            recording,
            self.store,
            self.clock,
            recalled,
            self.listeners,
            self.letters,
            parked,
            foreign_note,
            self.settings.limits,
            self.settings.operators,
            None if foreign_note else self.keys.of(recording.header.key),
        )
        live.weighed = self._taken_more
        live.other = self.get
        live.spectators_talk = self.settings.spectators_talk
        return live

    # --- memory

    def _keep(self, live: LiveBattle) -> None:
        """Keep a battle that has been asked for."""
        self._all[live.id] = self._kept[live.id] = live
        self._kept.move_to_end(live.id)
        self._weigh(live)

    def _grown(self, live: LiveBattle, batch: Batch) -> None:
        """After each append: a snapshot from time to time, and room for what has come."""
        if self.snapshots is not None:
            self.snapshots.follow(live.recording)
        self._taken_more(live)

    def _taken_more(self, live: LiveBattle) -> None:
        """Weigh a battle of which more is in memory."""
        if live.id in self._kept:
            self._weigh(live)

    def _weigh(self, live: LiveBattle) -> None:
        size = live.size
        self.size += size - self._sizes.get(live.id, 0)
        self._sizes[live.id] = size
        if self.size > self.settings.memory_bytes:
            self._make_room(live)

    def _make_room(self, asked: LiveBattle) -> None:
        """Let battles go, the one first that nobody has asked for longest; whatever is in use counts as asked for."""
        for battle in list(islice(self._kept, LOOKED_AT)):
            if self.size <= self.settings.memory_bytes:
                return
            live = self._kept[battle]
            if live is asked or live.listeners or live.lock.locked():
                self._kept.move_to_end(battle)
            else:
                del self._kept[battle]
                self.size -= self._sizes.pop(battle)
