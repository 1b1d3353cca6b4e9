"""Enter the heads of a store's own campaigns into the log of its host, beside those of battles.

A campaign is named as a battle is, by the hash of its first event, and an entry stands for the end of a block.
"""

import logging
from collections.abc import Iterator

from domain.campaign.events import INPUTS
from domain.log import record
from domain.log.entries import ENDED, HEAD, KEY, OPENED, LogEntry, battle_name
from server.store.contract import TableRows
from server.store.tables import vault
from server.store.tables.campaigns import CampaignEvent, feed, hash_of, type_of
from server.witness.log_file import LogFile

ROWS = 500
INPUT_NAMES = frozenset(map(record.type_name, INPUTS))
WHAT = {"CampaignEnded": ENDED, "CampaignOpened": OPENED, "KeyChanged": KEY}
"""What an entry says of a block with such an event."""

log = logging.getLogger(__name__)


class CampaignFollower:
    """Completes a log from the campaigns of a store."""

    def __init__(self, store: TableRows, file: LogFile) -> None:
        self._store, self._file = store, file

    def follow(self) -> bool:
        """Enter what has come, a few hundred events at most; False if nothing has."""
        after = self._file.campaigns_position
        rows = feed(self._store, after, ROWS)
        if not rows:
            self._require_not_ahead(after)
            return False
        names: dict[str, str] = {}
        entries = list(self._entries(rows, names))
        self._file.append_campaigns(entries, rows[-1].position, names)
        return True

    def _require_not_ahead(self, after: int) -> None:
        """Behind an old copy of the store go on from what is there, and say so."""
        newest = self._store.rows("SELECT COALESCE(MAX(position), 0) FROM campaign_events")[0][0]
        if newest < after:
            log.error("the log of heads has entries of campaigns that the store lacks (docs/witnesses.md)")
            self._file.append_campaigns([], newest, {})

    def _entries(self, rows: list[CampaignEvent], names: dict[str, str]) -> Iterator[LogEntry]:
        imported: dict[str, bool] = {}
        for row in rows:
            if row.campaign not in imported:
                imported[row.campaign] = self._is_imported(row.campaign)
            following = type_of(self._store, row.campaign, row.n + 1)
            if imported[row.campaign] or (following and following not in INPUT_NAMES):
                continue
            first = hash_of(self._store, row.campaign, 1) or b""
            name = battle_name(first)
            names[name] = row.campaign
            yield LogEntry(name, row.hash.hex(), row.n, self._what(row))  # type: ignore[arg-type]  # one of them

    def _what(self, row: CampaignEvent) -> str:
        """What is said of the block that ends with an event: the newest thing of note in it."""
        n, kind = row.n, row.type
        while True:
            if kind in WHAT:
                return WHAT[kind]
            if kind in INPUT_NAMES or n == 1:
                return HEAD
            n -= 1
            kind = type_of(self._store, row.campaign, n)

    def _is_imported(self, campaign: str) -> bool:
        query = "SELECT 1 FROM vault WHERE battle=? AND n=0 AND kind=?"
        return bool(self._store.rows(query, (campaign, vault.CHECKPOINT)))
