"""How do letters leave: from the outbox into a Maildir in the data folder?

A mail server of the host's, or a mail program, takes them from there. A letter is marked after it is
in the Maildir: a crash between the two drops it there once more, under the same Message-ID.
"""

import asyncio
import mailbox
from base64 import b32encode
from email.message import EmailMessage
from pathlib import Path

from domain.battle import Seat
from domain.errors import Refusal
from server.hall import Hall
from server.mail.letter import letter
from server.mail.occasions import END
from server.store import Statement, accounts, outbox, tokens
from server.store.outbox import Letter
from server.table import Table

TOKEN_BYTES = 15


class Postman:
    """Writes what waits in the outbox."""

    def __init__(self, hall: Hall, folder: Path) -> None:
        self.hall = hall
        self.folder = folder

    async def deliver(self) -> int:
        """Write all letters that wait; gives how many were written."""
        written = 0
        after = 0
        while waiting := outbox.unsent(self.hall.store, after=after):
            for row in waiting:
                written += await self._deliver(row)
                after = row.id
        return written

    async def _deliver(self, row: Letter) -> int:
        account = accounts.by_player(self.hall.store, row.recipient)
        side, table = await self._seat(row)
        if account is None or not account.email or table is None:
            await self.hall.store.write(outbox.sent(row.id, self.hall.clock.now()))
            return 0
        token, also = self.question(table, side, row.recipient) if row.kind != END else ("", [])
        at = self.hall.clock.now()
        message = letter(table, side, row.kind, account.email, token, self.hall.signer, at, row.id)
        if also:
            await self.hall.store.write(*also)
        await asyncio.to_thread(self.drop, message)
        await self.hall.store.write(outbox.sent(row.id, at))
        return 1

    async def _seat(self, row: Letter) -> tuple[str, Table | None]:
        try:
            table = await self.hall.table(row.battle)
        except Refusal:
            return "", None
        held: dict[str, Seat] = dict(table.recording.battle.seats)
        side = next((side for side, seat in held.items() if seat.player == row.recipient), "")
        return side, table if side else None

    def question(self, table: Table, side: str, player: str) -> tuple[str, list[Statement]]:
        """A new reply token for the question that is put to a side now."""
        token = b32encode(self.hall.entropy.bytes(TOKEN_BYTES)).decode().lower()
        now = self.hall.clock.now()
        question = question_of(table)
        return token, [tokens.issue(token, player, "mail", now, battle=table.id, side=side, question=question)]

    def drop(self, message: EmailMessage) -> None:
        """Put a mail into the Maildir."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        box = mailbox.Maildir(self.folder / "out", create=True)
        box.add(message)
        box.close()


def question_of(table: Table) -> str:
    """What is asked now, in words that change when it is answered: the turn, or the event that asked."""
    waiting = table.game.waiting
    asked = f"{waiting.kind} {waiting.unit}" if waiting else "turn"
    return f"{table.game.t} {table.game.active} {asked}"
