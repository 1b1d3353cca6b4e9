"""Export a campaign from the store as a file, and import one with its battles.

Byte for byte, as battles: an export copies the stored lines, an import stores those of the file. A campaign that
another host has signed keeps that host's checkpoint, in the vault's row of event 0.
"""

from collections.abc import Iterable, Iterator

from domain.campaign.config import config_of
from domain.campaign.events import CampaignOpened
from domain.campaign.header import decode_header
from domain.events.battle import MasterRevealed
from domain.log import record
from replay.proof import chain, notes
from replay.proof.campaign import verdict
from replay.proof.campaign.folder import Find
from replay.proof.campaign.log import CampaignLog, open_campaign
from replay.proof.campaign.verify import verify_campaign
from replay.proof.notes import Head
from replay.proof.verify import OK
from server.campaigns.live_campaigns import checkpoint_of, unknown_campaign
from server.people.keys import Keyring
from server.play.archive import NotImported, export_battle, import_battle
from server.store import EventStore, Statement
from server.store.tables import campaigns, vault
from server.store.tables.campaigns import OVER, StoredCampaign


def export_campaign(store: EventStore, keys: Keyring, campaign: str) -> bytes:
    """The file of a campaign in its current state, its head signed with the key of its opening.

    Raises: Refusal campaign.unknown-campaign
    """
    stored = campaigns.find(store, campaign)
    if stored is None:
        raise unknown_campaign(campaign)
    rows = campaigns.lines(store, campaign)
    return chain.file_bytes(
        stored.header,
        [line for _, _, line in rows],
        checkpoint_of(store, campaign) or _signed(keys, stored.header, [bytes(hash_) for _, hash_, _ in rows]),
    )


def battles_of(store: EventStore, keys: Keyring, campaign: str) -> Iterator[tuple[str, bytes]]:
    """The battles of a campaign that are there, by id, with their files."""
    for row in campaigns.of_campaign(store, campaign):
        if store.header(row.battle) is not None:
            yield row.battle, export_battle(store, keys, row.battle)


def _signed(keys: Keyring, header_line: bytes, hashes: list[bytes]) -> str:
    header = decode_header(header_line)
    head = hashes[-1] if hashes else record.first_hash(header_line)
    origin = notes.origin(header.host, header.campaign)
    return notes.sign_head(keys.of(header.key), Head(origin, len(hashes), head))


def import_campaign(store: EventStore, content: bytes, find: Find, key: str | None = None) -> tuple[str, int]:
    """Import a campaign that has ended, and the battles that it counts, verified first; returns its id, and how many
    battles were not here yet.

    Shape:  `find` gives the file of a battle
    Raises: NotImported; StoreError
    """
    report = verify_campaign(content, key, find)
    if report.fault is not None:
        raise NotImported(f"The file does not hold. {next(iter(verdict.lines(report)))}")
    if report.missing:
        raise NotImported(f"Files of battles are missing: {', '.join(report.missing)}.")
    if report.exit != OK:
        raise NotImported("The campaign is not finished, or cannot be judged here: only its own host goes on with it.")
    log = open_campaign(content, key)
    if campaigns.find(store, log.header.campaign) is not None:
        raise NotImported(f"Campaign {log.header.campaign} is here already.")
    taken = [name for name in report.compared if _taken(store, find(name) or b"", name)]
    store.write_now(*_rows(log, content.partition(b"\n")[0], report.compared))
    return log.header.campaign, len(taken)


def _taken(store: EventStore, content: bytes, battle: str) -> bool:
    """Take in a battle, unless it is here.

    Raises: NotImported where another one of this id is, or the file is refused
    """
    if store.header(battle) is None:
        import_battle(store, content)
        return True
    if store.head(battle) is None or [*store.lines(battle)] != [*chain.open_file(content).lines]:
        raise NotImported(f"Battle {battle} is here already, with another log.")
    return False


def _rows(log: CampaignLog, header: bytes, battles: Iterable[str]) -> Iterator[Statement]:
    """What the store has of a campaign: its log, what the file has opened, and its battles, with which all is done."""
    campaign = log.header.campaign
    opened = next(entry.event for entry in log.events if isinstance(entry.event, CampaignOpened))
    yield campaigns.open_one(StoredCampaign(campaign, header, log.header.created, config_of(opened.config).readers))
    hashed = zip(log.events, log.chained.lines, log.chained.hashes[1:], strict=True)
    yield from campaigns.events(campaign, 0, [(entry.type, line, hash_) for entry, line, hash_ in hashed])
    note = str(log.chained.checkpoint).encode()
    yield vault.put(vault.VaultSecret(campaign, 0, vault.CHECKPOINT, "", b"", note))
    for entry in log.events:
        if isinstance(entry.event, MasterRevealed):
            yield vault.put_master(campaign, bytes.fromhex(entry.event.master))
    boards = {getattr(entry.event, "battle", ""): getattr(entry.event, "board", "") for entry in log.events}
    for battle in battles:
        yield campaigns.set_battle(battle, campaign, boards.get(battle, ""))
        yield campaigns.battle_is(battle, OVER)
