"""One campaign in memory while it is written: fold, chain, streams.

A `CampaignRecording` turns facts into lines and hashes (`prepare`) and adopts them once they are durable (`adopt`). It
knows no store and no network.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from domain.basics.errors import BrokenInvariant
from domain.campaign.disclosing import disclosures
from domain.campaign.events import CAMPAIGN_EVENTS, CampaignOpened, LotCast, LotsDrawn
from domain.campaign.evolve import START, evolve, folded
from domain.campaign.header import CampaignHeader, encode_header
from domain.campaign.known import alliance_of
from domain.campaign.sealing import SealedPart, contents_of, private_members, seat_of_secret, to_open, whole
from domain.campaign.state import CampaignState
from domain.events.battle import DieRolled, Event, Fact, Unsealed
from domain.events.event import Keys
from domain.log import fairness, record
from domain.log.keys import HostKeys
from replay.proof.campaign.own_words import CampaignWords
from server.campaigns.dealer import CampaignChance, CampaignDealer
from server.store import EventRow


class CampaignBatch(Struct, frozen=True):
    """One append, prepared: its facts, the rows for the store, by n what the vault keeps of them, and what is adopted
    after the commit: the state and the draws."""

    facts: tuple[Fact, ...]
    rows: tuple[EventRow, ...]
    after: CampaignState
    chance: CampaignChance | None = None
    secrets: Mapping[int, SealedPart] = {}


class CampaignRecording:
    """One campaign. `head` is hash_n of the last event, `lines` are (hash_n, line without hash) of all, `vault` what is
    sealed in them, by n; `salt` gives 32 random bytes."""

    def __init__(self, header: CampaignHeader, master: bytes, salt: Callable[[], bytes]) -> None:
        self.header = header
        self._salt = salt
        self.vault: dict[int, SealedPart] = {}
        self.header_line = encode_header(header)
        self.dealer = CampaignDealer(HostKeys(master, header.campaign, ()))
        self.state: CampaignState = START
        self.head = record.first_hash(self.header_line)
        self.newest_at = header.created
        self.lines: list[tuple[bytes, bytes]] = []
        self.words = CampaignWords(header.campaign, self.hash_of)

    @property
    def id(self) -> str:
        """The id of the campaign."""
        return self.header.campaign

    @property
    def n(self) -> int:
        """Its last event."""
        return len(self.lines)

    def hash_of(self, n: int) -> bytes | None:
        """The hash of event `n`, for 0 that of the header; None for one that is not there."""
        if n == 0:
            return record.first_hash(self.header_line)
        return self.lines[n - 1][0] if 0 < n <= self.n else None

    def events(self) -> list[Event]:
        """All events, each with its private part: for whoever knows what of it may be told."""
        stored = [record.decode(line, CAMPAIGN_EVENTS).event for _, line in list(self.lines)]
        contents: dict[int, Mapping[str, Any]] = contents_of(stored)
        return [whole(event, contents.get(n)) for n, event in enumerate(stored, 1)]

    def events_of(self, power: str) -> list[Event]:
        """All events as a power may know them, "" for everybody else: under fog with what is sealed for its alliance
        (CAM-FOG-01)."""
        alliance = alliance_of(self.state, power) if self.state.is_veiled else ""
        own = {n: part for n, part in dict(self.vault).items() if part.seat == alliance} if alliance else {}
        return [
            whole(event, msgspec.json.decode(own[n].content)) if n in own else event
            for n, event in enumerate(self.events(), 1)
        ]

    def bound(self) -> dict[str, object]:
        """The members of the first event that bind the keys of all draws."""
        keys = self.dealer.keys
        anchors = {chain: anchor.hex() for chain, anchor in keys.anchors(0).items()}
        return {"commitment": keys.commitment().hex(), "keys": Keys(anchors, keys.length)}

    def chance(self, first: Sequence[Fact] = ()) -> CampaignChance:
        """The chance of an append from here, behind the inputs that stand `first` in it."""
        return self.dealer.deal(folded(self.state, first).contributions)

    def moment(self, now: str) -> str:
        """The time of an event that is written now: whatever the clock says, time in a log never goes back."""
        return max(now, self.newest_at)

    def prepare(self, facts: Sequence[Fact], now: str, chance: CampaignChance | None = None) -> CampaignBatch:
        """Lines and hashes for a block, with what it discloses; nothing is adopted yet.

        Raises: BrokenInvariant for what the reader of the log would refuse
        """
        at, head, n = self.moment(now), self.head, self.n
        state, rows, secrets = self.state, list[EventRow](), dict[int, SealedPart]()

        def enter(fact: Fact) -> None:
            nonlocal state, head, n
            n += 1
            kind = record.type_name(type(fact.event))
            if CAMPAIGN_EVENTS.get(kind) is not type(fact.event):
                raise BrokenInvariant(f"event {n} would be refused by its reader: unknown-type {kind}")
            public, part = self._sealed(fact, state)
            if part is not None:
                secrets[n] = part
            state = evolve(state, fact.event)
            line = record.encode(n, at, public, at if rows else self.newest_at)
            head = record.next_hash(head, line)
            rows.append((kind, line, head))

        for fact in facts:
            enter(fact)
        opened = self._opened(facts, state, secrets)
        disclosed = disclosures(facts, self.state.round, self.dealer.keys, opened)
        for fact in disclosed:
            enter(fact)
        return CampaignBatch((*facts, *disclosed), tuple(rows), state, chance, secrets)

    def _sealed(self, fact: Fact, state: CampaignState) -> tuple[Fact, SealedPart | None]:
        """A fact as the log shows it, and its private part."""
        private = private_members(fact.event, is_foggy=state.is_foggy)
        if not private:
            return fact, None
        seat = seat_of_secret(fact.event, fact.by, state.theatre, is_foggy=state.is_foggy)
        content, salt = record.content_of(fact.event, private), self._salt()
        commitment = fairness.sealed_commitment(salt, self.id, state.round, seat, content)
        return Fact(fact.by, fact.rule, record.sealed(fact.event, private, commitment)), SealedPart(seat, salt, content)

    def _opened(self, facts: Sequence[Fact], state: CampaignState, fresh: Mapping[int, SealedPart]) -> list[Unsealed]:
        """What a block opens. Shape: `fresh` what it has sealed itself"""
        parts = {**self.vault, **fresh}
        found = to_open((fact.event for fact in facts), state.sealed)
        return [Unsealed(n, parts[n].salt.hex(), msgspec.json.decode(parts[n].content)) for n in found]

    def adopt(self, batch: CampaignBatch) -> None:
        """Adopt a durable batch: the campaign continues from it."""
        for fact in batch.facts:
            self.words.serials.follow(self.state, fact)
        self.state = batch.after
        self.vault.update(batch.secrets)
        for _, line, head in batch.rows:
            self._pass(line, head)
        if batch.chance is not None:
            self.dealer.adopt(batch.chance)

    def recall(self, lines: Iterable[tuple[bytes, bytes]], vault: Mapping[int, SealedPart] | None = None) -> None:
        """Read a log back, as (hash_n, line): the state after it, and the streams that it has drawn from.

        Shape: `vault` what is sealed in it, by n; of an imported log what it opens itself is enough
        """
        self.vault = dict(vault or {})
        stored = [(hash_, line, record.decode(line, CAMPAIGN_EVENTS)) for hash_, line in lines]
        contents: dict[int, Mapping[str, Any]] = contents_of(entry.event for _, _, entry in stored)
        contents |= {n: msgspec.json.decode(part.content) for n, part in self.vault.items()}
        for n, (hash_, line, entry) in enumerate(stored, 1):
            event = entry.event
            self.words.serials.follow(self.state, Fact(entry.by, entry.rule, event))
            if isinstance(event, CampaignOpened) and event.keys is not UNSET:
                keys = self.dealer.keys
                self.dealer = CampaignDealer(HostKeys(keys.master, self.id, (), event.keys.length))
            self._drawn_again(event)
            self.state = evolve(self.state, whole(event, contents.get(n)))
            self._pass(line, hash_)

    def _drawn_again(self, event: Event) -> None:
        """Let the streams go on behind the draws of an event."""
        if not isinstance(event, LotsDrawn | LotCast | DieRolled):
            return
        chance = self.chance()
        sizes: Iterable[int] = (event.sides,) if isinstance(event, DieRolled) else (2,)
        if isinstance(event, LotsDrawn):
            sizes = range(len(event.order), 0, -1)
        for size in sizes:
            chance.die(event.scope, size, event.t)
        self.dealer.adopt(chance)

    def _pass(self, line: bytes, hash_: bytes) -> None:
        self.lines.append((hash_, line))
        self.head, self.newest_at = hash_, record.time_of(line)
