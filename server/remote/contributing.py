"""What a seat contributes by itself: the next seal of its book, or a phrase that nobody has to type (fairness.md 2).

Which seal is the next one follows from the checked log, so that a book is right again after anything that was lost. A
phrase is kept until it is accepted: a request that is repeated brings the same one.
"""

from msgspec import Struct
from msgspec.structs import replace

from replay.writing.entropy import Entropy
from server.entropy import new_secret
from server.remote.book import SealBook, make_book, read_book, write_book
from server.remote.errors import NotDone
from server.remote.history import SeatInLog
from server.remote.state import BattleFiles, KeptSeat

LOST = "Begin another one: phalera remote book --new"


class SentContribution(Struct, frozen=True):
    """A seal or a phrase as it is sent, "" for none of it, and its bytes as they are signed."""

    seal: str = ""
    phrase: str = ""
    signed: bytes = b""


NOTHING = SentContribution()


def contribution(place: BattleFiles, seat: SeatInLog, t: int, entropy: Entropy) -> SentContribution:
    """What the next message of a seat brings; kept before it is sent.

    Raises: NotDone if the book is lost or used up
    """
    if seat.mode == "sealed":
        book = _book_in_use(place, seat)
        number = (book.number_of(seat.newest) or 0) + 1
        if number > book.count:
            raise NotDone(f"All {book.count} seals of this book are used. {LOST}")
        write_book(place.book, replace(book, used=number))
        return SentContribution(seal=book.seal(number), signed=book.seals[number])
    kept = place.require_kept()
    if kept.phrase_t != t or not kept.phrase:
        kept = replace(kept, phrase=new_secret(entropy), phrase_t=t)
        place.keep(kept)
    return SentContribution(phrase=kept.phrase, signed=kept.phrase.encode())


def next_book(place: BattleFiles, side: str, entropy: Entropy) -> SealBook:
    """Another book for a seat; the same one until it is in use."""
    if not place.next_book.exists():
        write_book(place.next_book, make_book(place.battle, side, entropy), is_new=True)
    return read_book(place.next_book)


def accepted(place: BattleFiles, kept: KeptSeat) -> KeptSeat:
    """What is kept once nothing is owed: no phrase."""
    return replace(kept, phrase="", phrase_t=-1) if kept.phrase else kept


def _book_in_use(place: BattleFiles, seat: SeatInLog) -> SealBook:
    if place.next_book.exists() and read_book(place.next_book).number_of(seat.newest) is not None:
        place.next_book.replace(place.book)
    if not place.book.exists():
        raise NotDone(f"The book of seals {place.book} is missing. {LOST}")
    book = read_book(place.book)
    if book.number_of(seat.newest) is None:
        raise NotDone(f"{place.book} is not the book in use. {LOST}")
    return book
