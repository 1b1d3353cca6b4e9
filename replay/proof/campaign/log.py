"""The log of a campaign from the bytes of its file: spelling, chain, the host's signature (CAM-LOG-01)."""

from msgspec import Struct

from domain.basics.errors import BrokenInvariant
from domain.campaign.events import CAMPAIGN_EVENTS
from domain.campaign.header import CampaignHeader, decode_header
from domain.events.battle import Fact
from domain.log import record
from domain.log.record import FileFault, Recorded
from replay.proof import chain, notes
from replay.proof.chain import Chained, LogKind
from replay.proof.notes import Verifier


class CampaignLog(Struct, frozen=True):
    """A checked log: `chained` has its lines and hashes, `events` what they say."""

    header: CampaignHeader
    chained: Chained
    events: tuple[Recorded, ...]

    @property
    def lines(self) -> tuple[bytes, ...]:
        """Its events, as they were hashed."""
        return self.chained.lines

    @property
    def hashes(self) -> tuple[bytes, ...]:
        """hash_n by n."""
        return self.chained.hashes

    @property
    def checkpoint(self) -> str | None:
        """The note of the host, None while it is unfinished."""
        return self.chained.checkpoint

    @property
    def keys(self) -> tuple[tuple[int, Verifier], ...]:
        """The keys of the host in force, each from its event on."""
        return self.chained.keys

    @property
    def origin(self) -> str:
        """The origin of its heads."""
        return notes.origin(self.header.host, self.header.campaign)

    def key_at(self, n: int) -> Verifier:
        """The key that signs the head of event `n`."""
        return next(key for since, key in reversed(self.keys) if since <= n)


def open_campaign(content: bytes, trusted_key: str | None = None) -> CampaignLog:
    """Check bytes, chain and signature of a campaign's file.

    Raises:  FileFault for the first line that is not as it must be
    """
    parts = record.split_file(content)
    header = decode_header(parts.header)
    kind = LogKind(notes.origin(header.host, header.campaign), header.version)
    chained = chain.read_chain(parts, header.key, header.created, kind, trusted_key)
    events = tuple(_event(line) for line in chained.lines)
    return CampaignLog(header, chained, events)


def _event(line: bytes) -> Recorded:
    """An event, spelled as the host spells it: whatever else a line has would be judged by nobody."""
    entry = record.decode(line, CAMPAIGN_EVENTS, {})
    try:
        spelled = record.encode(entry.n, entry.at, Fact(entry.by, entry.rule, entry.event), entry.at)
    except BrokenInvariant as reason:
        raise FileFault(entry.n + 1, "wrong-data", type=entry.type, reason=str(reason)) from None
    if spelled != line:
        raise FileFault(entry.n + 1, "wrong-data", type=entry.type)
    return entry
