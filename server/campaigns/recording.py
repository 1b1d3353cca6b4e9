"""One campaign in memory while it is written: fold, chain, streams.

A `CampaignRecording` turns facts into lines and hashes (`prepare`) and adopts them once they are durable (`adopt`). It
knows no store and no network.
"""

from collections.abc import Iterable, Sequence

from msgspec import UNSET, Struct

from domain.basics.errors import BrokenInvariant
from domain.campaign.disclosing import disclosures
from domain.campaign.events import CAMPAIGN_EVENTS, CampaignOpened, LotCast, LotsDrawn
from domain.campaign.evolve import START, evolve
from domain.campaign.header import CampaignHeader, encode_header
from domain.campaign.state import CampaignState
from domain.events.battle import Event, Fact
from domain.events.event import Keys
from domain.log import record
from domain.log.keys import HostKeys
from server.campaigns.dealer import CampaignChance, CampaignDealer
from server.store import EventRow


class CampaignBatch(Struct, frozen=True):
    """One append, prepared: its facts, the rows for the store, and what is adopted after the commit: the state and the
    draws."""

    facts: tuple[Fact, ...]
    rows: tuple[EventRow, ...]
    after: CampaignState
    chance: CampaignChance | None = None


class CampaignRecording:
    """One campaign. `head` is hash_n of the last event, `lines` are (hash_n, line without hash) of all."""

    def __init__(self, header: CampaignHeader, master: bytes) -> None:
        self.header = header
        self.header_line = encode_header(header)
        self.dealer = CampaignDealer(HostKeys(master, header.campaign, ()))
        self.state: CampaignState = START
        self.head = record.first_hash(self.header_line)
        self.newest_at = header.created
        self.lines: list[tuple[bytes, bytes]] = []

    @property
    def id(self) -> str:
        """The id of the campaign."""
        return self.header.campaign

    @property
    def n(self) -> int:
        """Its last event."""
        return len(self.lines)

    def bound(self) -> dict[str, object]:
        """The members of the first event that bind the keys of all draws."""
        keys = self.dealer.keys
        anchors = {chain: anchor.hex() for chain, anchor in keys.anchors(0).items()}
        return {"commitment": keys.commitment().hex(), "keys": Keys(anchors, keys.length)}

    def chance(self) -> CampaignChance:
        """The chance of an append from here."""
        return self.dealer.deal(self.state.contributions)

    def moment(self, now: str) -> str:
        """The time of an event that is written now: whatever the clock says, time in a log never goes back."""
        return max(now, self.newest_at)

    def prepare(self, facts: Sequence[Fact], now: str, chance: CampaignChance | None = None) -> CampaignBatch:
        """Lines and hashes for a block, with what it discloses; nothing is adopted yet.

        Raises: BrokenInvariant for what the reader of the log would refuse
        """
        at, head, n = self.moment(now), self.head, self.n
        whole = (*facts, *disclosures(facts, self.state.round, self.dealer.keys))
        state, rows = self.state, list[EventRow]()
        for fact in whole:
            n += 1
            state = evolve(state, fact.event)
            kind = record.type_name(type(fact.event))
            if CAMPAIGN_EVENTS.get(kind) is not type(fact.event):
                raise BrokenInvariant(f"event {n} would be refused by its reader: unknown-type {kind}")
            line = record.encode(n, at, fact, at if rows else self.newest_at)
            head = record.next_hash(head, line)
            rows.append((kind, line, head))
        return CampaignBatch(whole, tuple(rows), state, chance)

    def adopt(self, batch: CampaignBatch) -> None:
        """Adopt a durable batch: the campaign continues from it."""
        self.state = batch.after
        for _, line, head in batch.rows:
            self._pass(line, head)
        if batch.chance is not None:
            self.dealer.adopt(batch.chance)

    def recall(self, lines: Iterable[tuple[bytes, bytes]]) -> None:
        """Read a log back, as (hash_n, line): the state after it, and the streams that it has drawn from."""
        for hash_, line in lines:
            event = record.decode(line, CAMPAIGN_EVENTS).event
            if isinstance(event, CampaignOpened) and event.keys is not UNSET:
                keys = self.dealer.keys
                self.dealer = CampaignDealer(HostKeys(keys.master, self.id, (), event.keys.length))
            self._drawn_again(event)
            self.state = evolve(self.state, event)
            self._pass(line, hash_)

    def _drawn_again(self, event: Event) -> None:
        """Let the streams go on behind the draws of an event."""
        if not isinstance(event, LotsDrawn | LotCast):
            return
        chance = self.chance()
        sizes = range(len(event.order), 0, -1) if isinstance(event, LotsDrawn) else (2,)
        for size in sizes:
            chance.die(event.scope, size, event.t)
        self.dealer.adopt(chance)

    def _pass(self, line: bytes, hash_: bytes) -> None:
        self.lines.append((hash_, line))
        self.head, self.newest_at = hash_, record.time_of(line)
