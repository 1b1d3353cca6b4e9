"""The battles being played here, loaded when asked for.

Live battles are created on demand and dropped when many others have been requested since; nothing is lost with
them, since the store has everything.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from domain.catalogue import RULESETS
from domain.engine.errors import Refusal
from domain.log.record import FORMAT, VERSION, Header
from domain.ruleset import Ruleset
from replay.proof.notes import Signer
from server.clock import Clock
from server.entropy import Entropy, new_battle_id
from server.people.players import Player
from server.play.live_battle import (
    Alongside,
    Listener,
    LiveBattle,
    WriteLetters,
    parked_at,
    recall,
)
from server.play.quotas import require_quota
from server.play.recording import Batch, Recording
from server.settings import Settings
from server.store import EventStore, Opening
from server.store.tables import closings, holdings, vault
from server.store.tables.parked import ParkedScript
from server.workers import INLINE, Workers

SALT_BYTES = MASTER_BYTES = 32
READERS = ("public", "link", "players")


class LiveBattles:
    """All live battles. `listeners` are notified of every append, after its commit; `letters` makes those that an
    append causes, None if none are sent; `workers` do what takes long."""

    def __init__(
        self,
        settings: Settings,
        store: EventStore,
        clock: Clock,
        entropy: Entropy,
        signer: Signer,
        letters: WriteLetters | None = None,
        rulesets: Mapping[str, Ruleset] = RULESETS,
        workers: Workers = INLINE,
    ) -> None:
        self.settings = settings
        self.store = store
        self.clock = clock
        self.entropy = entropy
        self.signer = signer
        self.rulesets = rulesets
        self.workers = workers
        self.listeners: list[Listener] = []
        self.letters = letters
        self.vacations = asyncio.Lock()
        self._kept: OrderedDict[str, LiveBattle] = OrderedDict()
        self._loading: dict[str, asyncio.Future[LiveBattle]] = {}

    # --- finding

    async def get(self, battle: str) -> LiveBattle:
        """The live battle with an id.

        Raises: Refusal core.unknown-battle
        """
        live = self._kept.get(battle)
        if live is not None:
            self._kept.move_to_end(battle)
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
        return tuple(self._kept.values())

    async def _load(self, battle: str) -> LiveBattle:
        recording = await asyncio.to_thread(recall, self.store, battle, self.ruleset, self._salt)
        if recording is None:
            raise unknown_battle(battle)
        notes = [secret.content for secret in vault.of_event(self.store, battle, 0) if secret.kind == vault.CHECKPOINT]
        live = self._make(recording, parked_at(self.store, battle), notes[0].decode() if notes else "")
        closing = closings.find(self.store, battle)
        live.closed = closing.how if closing else ""
        self._keep(live)
        return live

    # --- opening

    async def open(
        self, ruleset: str, scenario: Mapping[str, Any], readers: str, pace: str = "", opener: Player | None = None
    ) -> LiveBattle:
        """Open a battle: draw its id and its secret, and put the commitment into its first event.

        Shape:   `scenario` parsed, its options merged in; `pace` as written or named (domain.time.pace), "": no clock;
                 `opener` who may cancel it before it begins
        Raises:  Refusal of the ruleset for a bad scenario; core.bad-pace, core.too-many-battles
        """
        game = self.ruleset(ruleset)
        if opener is not None:
            require_quota(self.store, self.settings.limits, opener, holdings.OPENED)
        at = self.clock.now()
        header = Header(
            battle=new_battle_id(self.entropy),
            created=at,
            format=FORMAT,
            host=self.settings.host,
            key=self.signer.key,
            rules=game.version,
            ruleset=game.code,
            version=VERSION,
        )
        master = self.entropy.bytes(MASTER_BYTES)
        live = self._make(Recording(header, master, game, self._salt), {})

        def attach(batch: Batch) -> Alongside:
            opening = Opening(live.recording.header_line, at, readers)
            held = [holdings.opened(live.id, opener.id)] if opener else []
            return Alongside(also=(vault.put_master(live.id, master), *held), opens=opening)

        async with live.lock:
            await live.append(lambda recording, _: recording.open(scenario, readers, at, pace), attach)
        self._keep(live)
        return live

    def _salt(self) -> bytes:
        return self.entropy.bytes(SALT_BYTES)

    def _make(self, recording: Recording, parked: dict[str, ParkedScript], foreign_note: str = "") -> LiveBattle:
        battle = recording.gid

        def recalled() -> Recording:
            again = recall(self.store, battle, self.ruleset, self._salt)
            if again is None:
                raise unknown_battle(battle)
            return again

        return LiveBattle(
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
        )

    def _keep(self, live: LiveBattle) -> None:
        self._kept[live.id] = live
        for battle in list(self._kept)[: max(0, len(self._kept) - self.settings.battles_kept)]:
            kept = self._kept[battle]
            if not kept.listeners and not kept.lock.locked():
                del self._kept[battle]


def unknown_battle(battle: str) -> Refusal:
    """The refusal if there is none with this id, or the caller may not know that there is."""
    return Refusal("core.unknown-battle", "CORE-ACCESS", battle=battle)
