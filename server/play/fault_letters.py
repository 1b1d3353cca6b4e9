"""Letters about a battle that cannot be proven, to those who run the server."""

from collections.abc import Collection, Iterator

from server.people.players import Player, is_operator
from server.play.tail_proof import ProofFault
from server.store import Statement
from server.store.contract import TableRows
from server.store.tables import accounts, outbox
from server.store.tables.outbox import LetterKind


def fault_letters(store: TableRows, operators: Collection[str], fault: ProofFault, at: str) -> Iterator[Statement]:
    """The rows of the outbox about a fault: to each administrator and operator who has an address, and was not told of
    it before."""
    kind = f"{LetterKind.FAULT}:{fault.what}"
    for account in accounts.listed(store):
        player = Player(account.player, account.name, account.email)
        runs_it = account.administers or is_operator(player, operators)
        if runs_it and account.email and not outbox.was_posted(store, fault.battle, account.player, kind):
            yield outbox.post(fault.battle, fault.n, account.player, kind, at)
