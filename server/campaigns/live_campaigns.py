"""The campaigns being played here, loaded when asked for."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from weakref import WeakValueDictionary

from domain.basics.errors import BrokenInvariant, Refusal
from domain.campaign.header import FORMAT, RULES, VERSION, CampaignHeader, decode_header
from domain.campaign.sealing import SealedPart
from domain.events.battle import Fact
from domain.log.fairness import SECRET_BYTES
from replay.writing.entropy import Entropy
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.recording import CampaignBatch, CampaignRecording
from server.clock import MachineClock
from server.entropy import new_battle_id
from server.people.keys import Keyring
from server.play.live_battle import SEALED
from server.store import EventStore, Statement
from server.store.tables import campaigns, vault
from server.store.tables.campaigns import StoredCampaign

MASTER_BYTES = 32
KEPT = 64
"""Campaigns in memory that nobody holds."""


def unknown_campaign(campaign: str) -> Refusal:
    """The refusal if there is no campaign with this id, or the caller may not know that there is."""
    return Refusal("campaign.unknown-campaign", "CAM-LOG-01", campaign=campaign[:64])


class LiveCampaigns:
    """All live campaigns. `sends`: people are told by letter."""

    def __init__(
        self, store: EventStore, clock: MachineClock, entropy: Entropy, keys: Keyring, sends: bool = False
    ) -> None:
        self.store = store
        self.clock = clock
        self.entropy = entropy
        self.keys = keys
        self._sends = sends
        self._kept: OrderedDict[str, LiveCampaign] = OrderedDict()
        self._all: WeakValueDictionary[str, LiveCampaign] = WeakValueDictionary()
        self._loading: dict[str, asyncio.Future[LiveCampaign]] = {}

    async def get(self, campaign: str) -> LiveCampaign:
        """The live campaign with an id.

        Raises: Refusal campaign.unknown-campaign
        """
        live = self._all.get(campaign)
        if live is not None:
            return self._keep(live)
        loading = self._loading.get(campaign)
        if loading is None:
            loading = asyncio.ensure_future(self._load(campaign))
            self._loading[campaign] = loading
            loading.add_done_callback(lambda _: self._loading.pop(campaign, None))
        return await asyncio.shield(loading)

    async def open(
        self,
        make: Callable[[CampaignRecording], Sequence[Fact]],
        also: Callable[[str], Sequence[Statement]] = lambda campaign: (),
    ) -> LiveCampaign:
        """Open a campaign: draw its id and its secret; `make` gives its first events, which bind the keys.

        Shape:  `also` what is stored in the transaction of the opening, for the id
        Raises: Refusal of `make`; Violated for what `also` may not be stored with
        """
        header = CampaignHeader(
            campaign=new_battle_id(self.entropy),
            created=self.clock.now(),
            format=FORMAT,
            host=self.keys.current.name,
            key=self.keys.current.key,
            rules=RULES,
            version=VERSION,
        )
        master = self.entropy.bytes(MASTER_BYTES)
        live = self._make(CampaignRecording(header, master, self._salt))

        def attach(batch: CampaignBatch) -> Sequence[Statement]:
            readers = batch.after.settings.readers
            opened = StoredCampaign(live.id, live.recording.header_line, header.created, readers)
            return (campaigns.open_one(opened), vault.put_master(live.id, master), *also(live.id))

        async with live.lock:
            await live.append(lambda recording: recording.prepare(make(recording), header.created), attach)
        return self._keep(live)

    async def _load(self, campaign: str) -> LiveCampaign:
        return self._keep(self._make(await asyncio.to_thread(self._recall, campaign)))

    def _recall(self, campaign: str) -> CampaignRecording:
        """A campaign as the store has it now.

        Raises: Refusal campaign.unknown-campaign
        """
        stored = campaigns.find(self.store, campaign)
        if stored is None:
            raise unknown_campaign(campaign)
        master = vault.master(self.store, campaign)
        if master is None:
            raise BrokenInvariant(f"{campaign} has no master")
        recording = CampaignRecording(decode_header(stored.header), master, self._salt)
        parts = {
            row.n: SealedPart(row.seat, row.salt, row.content)
            for row in vault.sealed(self.store, campaign)
            if row.kind == SEALED
        }
        recording.recall(((hash_, line) for _, hash_, line in campaigns.lines(self.store, campaign)), parts)
        return recording

    def _salt(self) -> bytes:
        return self.entropy.bytes(SECRET_BYTES)

    def _make(self, recording: CampaignRecording) -> LiveCampaign:
        recalled = partial(self._recall, recording.id)
        foreign = checkpoint_of(self.store, recording.id)
        signer = None if foreign else self.keys.of(recording.header.key)
        return LiveCampaign(recording, self.store, self.clock, recalled, signer, self._sends, foreign)

    def _keep(self, live: LiveCampaign) -> LiveCampaign:
        self._all[live.id] = self._kept[live.id] = live
        self._kept.move_to_end(live.id)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return live


def checkpoint_of(store: EventStore, campaign: str) -> str:
    """The checkpoint of another host, "" for a campaign of this one."""
    kept = [secret for secret in vault.of_event(store, campaign, 0) if secret.kind == vault.CHECKPOINT]
    return kept[0].content.decode() if kept else ""
