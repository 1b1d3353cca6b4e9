"""A book of seals: the contributions of a sealed seat, all bound by its anchor before play (fairness.md 2).

The seals of a book follow from 32 secret bytes, which never leave the player's machine. The file is JSON, readable by
its owner alone: `battle`, `side`, `secret` (hex), `count`, and `used`, the number of seals given so far.
"""

from functools import cached_property
from pathlib import Path

import msgspec
from msgspec import Struct

from domain.basics.decoding import decode
from domain.basics.seats import SOUTH_AND_NORTH, is_name
from domain.log import fairness
from domain.log.limits import is_battle
from replay.writing.entropy import Entropy
from server.remote.errors import NotDone, WrongUse
from server.remote.files import write_private

COUNT = 400
"""Seals of a book, unless it is asked for more: one for each turn of its side."""
MOST = 65_535
COLUMNS = 2
"""Seals side by side on a printed page."""


class SealBook(Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """A book of `count` seals for one seat of one battle; `used` of them have been given. `tip` is the last seal, of
    a book that another device has made: its `secret` is "" here."""

    battle: str
    side: str
    secret: str
    count: int
    used: int = 0
    tip: str = ""

    @cached_property
    def seals(self) -> tuple[bytes, ...]:
        """s_0, the anchor, to s_count."""
        if self.tip:
            return fairness.seals_to(self.battle, self.side, bytes.fromhex(self.tip), self.count)
        return fairness.seal_chain(self.battle, self.side, bytes.fromhex(self.secret), self.count)

    @property
    def anchor(self) -> str:
        """What the server is told when the seat is taken: 32 hex digits."""
        return self.seals[0].hex()

    def seal(self, number: int) -> str:
        """The seal with a number from 1, as it is typed.

        Raises: WrongUse
        """
        if not 1 <= number <= self.count:
            raise WrongUse(f"The book has the seals 1 to {self.count}; there is no seal {number}.")
        return fairness.seal_text(self.seals[number])

    def number_of(self, seal: str) -> int | None:
        """The number of a seal or of the anchor (0), given in hex; None if it is not of this book."""
        return next((number for number, own in enumerate(self.seals) if own.hex() == seal), None)

    def printed(self) -> str:
        """The whole book to be printed: each seal with its number, 26 characters."""
        width = len(str(self.count))
        cells = [f"{number:>{width}}  {self.seal(number)}" for number in range(1, self.count + 1)]
        rows = -(-len(cells) // COLUMNS)
        lines = ["    ".join(cells[row::rows]).rstrip() for row in range(rows)]
        head = [f"Seals of {self.side} in battle {self.battle}", f"anchor {self.anchor}", ""]
        return "\n".join([*head, *lines])


def make_book(battle: str, side: str, entropy: Entropy, count: int = COUNT) -> SealBook:
    """A new book.

    Raises: WrongUse for what cannot be a battle, a side or a number of seals
    """
    if not is_battle(battle):
        raise WrongUse(f"“{battle}” cannot be the id of a battle: letters, digits and hyphens, at most 64.")
    if not is_name(side):
        raise WrongUse(f"“{side}” cannot be a side: most games have {' and '.join(SOUTH_AND_NORTH.seeding)}.")
    if not 1 <= count <= MOST:
        raise WrongUse(f"A book has 1 to {MOST} seals, not {count}.")
    return SealBook(battle, side, entropy.bytes(fairness.SECRET_BYTES).hex(), count)


def book_from_tip(battle: str, side: str, tip: str, count: int) -> SealBook:
    """A book that another device has made, by its last seal in hex."""
    return SealBook(battle, side, "", count, 0, tip)


def write_book(path: Path, book: SealBook, is_new: bool = False) -> None:
    """Keep a book; a new one never takes the place of another.

    Raises: NotDone, OSError
    """
    try:
        write_private(path, msgspec.json.encode(book) + b"\n", is_new)
    except FileExistsError:
        raise NotDone(f"{path} is there already; a book is not written over: --out takes another name.") from None


def read_book(path: Path) -> SealBook:
    """The book in a file.

    Raises: WrongUse, OSError
    """
    content = path.read_bytes()
    try:
        book = decode(content, SealBook)
        secret, tip = bytes.fromhex(book.secret), bytes.fromhex(book.tip)
    except ValueError:  # msgspec's errors are ValueErrors, too
        raise WrongUse(f"{path} is not a book of seals.") from None
    sizes = len(secret), len(tip)
    is_one = sizes in ((fairness.SECRET_BYTES, 0), (0, fairness.SEAL_BYTES))
    if not is_one or not (1 <= book.count <= MOST and 0 <= book.used <= book.count):
        raise WrongUse(f"{path} is not a book of seals.")
    return book


def take_next(path: Path) -> tuple[int, str]:
    """The next seal of a book and its number; it counts as used before it is given.

    Raises: NotDone if the book is used up; WrongUse, OSError
    """
    book = read_book(path)
    if book.used == book.count:
        raise NotDone(f"All {book.count} seals of this book are used: begin another book.")
    write_book(path, msgspec.structs.replace(book, used=book.used + 1))
    return book.used + 1, book.seal(book.used + 1)
