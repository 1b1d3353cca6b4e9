"""The letters that go to an address alone, by the kind of their row: about a move, a login, an account, a club."""

from collections.abc import Callable, Mapping

from server.mail.outgoing.letters.account import Asking, asking_letter, login_letter, notice_letter
from server.mail.outgoing.letters.club import club_invitation_letter
from server.mail.outgoing.preferences import name_of
from server.people.addresses import Addresses
from server.play.live_battles import LiveBattles
from server.store.tables.outbox import Letter, LetterKind

TO_AN_ADDRESS: Mapping[str, Callable[[LiveBattles, Addresses, Letter], Asking | None]] = {
    LetterKind.CONFIRM: asking_letter,
    LetterKind.LOGIN: login_letter,
    LetterKind.NOTICE: lambda battles, addresses, row: notice_letter(battles, row),
    LetterKind.CLUB_INVITE: club_invitation_letter,
}


def letter_to_address(battles: LiveBattles, addresses: Addresses, row: Letter) -> Asking | None:
    """The letter of such a row; None if there is nothing left to say."""
    return TO_AN_ADDRESS[name_of(row.kind)](battles, addresses, row)
