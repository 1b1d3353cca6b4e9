"""A seat on all devices of its player, from a terminal: what `seat_locker.js` does on the page (docs/account.md).

Books of seals and keys that sign are in a locker on the server, encrypted under a key that the server never has. A
terminal takes from there what it lacks, and puts there what it alone has.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.engine.dockets import UMPIRE
from domain.log.fairness import SEAL_BYTES
from replay.writing.entropy import Entropy
from server.remote.book import MOST, SealBook, book_from_tip, read_book, write_book
from server.remote.connection import Refused, ServerConnection
from server.remote.errors import NotDone
from server.remote.files import write_private
from server.remote.history import SeatInLog, follow, player_of, seat_in
from server.remote.lockers import LockerName, WrongLocker, from_words, locked, mark_of, new_key, unlocked, words_of
from server.remote.signing import SECRET_BYTES, PlayerKey, read_key
from server.remote.state import BattleFiles, KeptSeat, ServerFolder, read_kept, write_kept

KIND = "seat"
OF_UMPIRE = "umpire key"
"""Where the keys with which a player judges are: of no battle."""
LOCKERS = "/account/lockers"
MOST_KEPT, TRIES = 12, 4
_PKCS8 = bytes.fromhex("302e020100300506032b657004220420")
"""What stands before the 32 secret bytes of an Ed25519 key in PKCS #8."""
_SEAL = re.compile(f"[0-9a-f]{{{2 * SEAL_BYTES}}}")


class _LockerView(Struct, frozen=True):
    kind: str
    place: str
    version: int
    content: str = ""


class _Lockers(Struct, frozen=True):
    player: str
    mark: str
    lockers: tuple[_LockerView, ...]


class _KeptKey(Struct, frozen=True):
    """The key of a player's lockers, in hex."""

    player: str
    key: str


class _SeenVersion(Struct, frozen=True):
    version: int


class _KeptLocker(Struct, frozen=True):
    """Whether a locker was kept."""

    version: int


class CarriedSeat(Struct, frozen=True):
    """A seat that is the same here and on the server. `is_altered`: the locker was altered and is put right;
    `is_older`: so was one that is older than one seen here."""

    side: str
    is_altered: bool = False
    is_older: bool = False


async def show_words(connection: ServerConnection, server: ServerFolder, entropy: Entropy) -> str:
    """The key of the player's lockers as nine words; a new one, if they have none anywhere.

    Raises: Refused, Unanswered; NotDone if another device has it
    """
    known = await connection.read(LOCKERS, _Lockers)
    return words_of(_key_for(server, known, entropy), known.player)


async def take_words(connection: ServerConnection, server: ServerFolder, words: str) -> None:
    """Keep the key that words bring.

    Raises: Refused, Unanswered; NotDone if they are not those of the player's lockers
    """
    known = await connection.read(LOCKERS, _Lockers)
    key = from_words(words, known.player)
    if key is None or (known.mark and mark_of(key, known.player) != known.mark):
        raise NotDone("These are not the nine words of your lockers: they stand in the settings of a device of yours.")
    server.keep_folder()
    write_kept(server.locker_key, _KeptKey(known.player, key.hex()))


async def carry(connection: ServerConnection, place: BattleFiles, entropy: Entropy) -> CarriedSeat:
    """Bring the player's seat in a battle here and on the server to the same; it is played from here, too.

    Raises: OtherHistory, FaultFound; Refused, Unanswered; NotDone without a seat, or without the key
    """
    now, log = await follow(connection, place)
    kept = place.kept()
    side = kept.side if kept is not None else next((side for side, seat in now.seats.items() if seat.yours), "")
    if not side and player_of(log, UMPIRE) == (await connection.read(LOCKERS, _Lockers)).player:
        side = UMPIRE
    if not side:
        raise NotDone(f"You hold no side of battle {place.battle}, and do not judge it.")
    seat = seat_in(log, side)
    for _ in range(TRIES):
        carried = await _carried_once(connection, place, side, seat, entropy)
        if carried is not None:
            if kept is None:
                place.keep(KeptSeat(side))
            return carried
    raise NotDone("Other devices of yours keep something at the same time. Once more, please.")


async def _carried_once(
    connection: ServerConnection, place: BattleFiles, side: str, seat: SeatInLog, entropy: Entropy
) -> CarriedSeat | None:
    """The same, once; None where another device was faster."""
    where = OF_UMPIRE if side == UMPIRE else place.battle
    known = await connection.read(f"{LOCKERS}?place={quote(where)}", _Lockers)
    key = _key_for(place.server, known, entropy)
    found = next((one for one in known.lockers if (one.kind, one.place) == (KIND, where)), None)
    version, is_altered, thing = found.version if found else 0, False, None
    name = LockerName(known.player, KIND, where, version)
    marker = place.server.umpire_locker if side == UMPIRE else place.locker_seen
    try:
        thing = unlocked(key, name, found.content) if found else None
    except WrongLocker:
        is_altered = True
    seen = read_kept(marker, _SeenVersion)
    is_older = seen is not None and version < seen.version
    theirs = [_well_formed(thing, "books", _is_book), _well_formed(thing, "keys", _is_key)]
    own = [_own_books(place), _own_keys(place, side, seat)]
    both = [_union(theirs[0], own[0], "anchor"), _union(theirs[1], own[1], "signer")]
    _take_over(place, side, seat, *both)
    if any(own) and (is_altered or is_older or [*map(len, both)] != [*map(len, theirs)]):
        version += 1
        name = replace(name, version=version)
        content = locked(key, name, {"books": both[0], "keys": both[1]}, entropy)
        body = {"mark": mark_of(key, known.player), "version": version, "content": content}
        try:
            await connection.send(f"{LOCKERS}/{KIND}/{quote(where)}", msgspec.json.encode(body), _KeptLocker)
        except Refused as refused:
            if refused.code == "core.locker-newer":
                return None
            raise
    if not is_altered:
        write_kept(marker, _SeenVersion(version))
    return CarriedSeat(side, is_altered, is_older)


def _key_for(server: ServerFolder, known: _Lockers, entropy: Entropy) -> bytes:
    kept = read_kept(server.locker_key, _KeptKey)
    if kept is not None and kept.player == known.player:
        key = bytes.fromhex(kept.key)
        if known.mark in ("", mark_of(key, known.player)):
            return key
    if known.mark:
        raise NotDone(
            "The key of your lockers is not here. Its nine words stand in the settings of a device that has it: "
            f"phalera remote words {server.address} --take"
        )
    key = new_key(entropy)
    server.keep_folder()
    write_kept(server.locker_key, _KeptKey(known.player, key.hex()))
    return key


def _own_books(place: BattleFiles) -> list[dict[str, Any]]:
    books = [read_book(path) for path in (place.book, place.next_book) if path.exists()]
    return [
        {"side": book.side, "anchor": book.anchor, "length": book.count, "tip": book.seals[-1].hex()} for book in books
    ]


def _own_keys(place: BattleFiles, side: str, seat: SeatInLog) -> list[dict[str, Any]]:
    """The key with which the seat was taken, if it is here."""
    files = [path for path in (place.key, place.server.key_file) if path.exists() and seat.signer]
    secrets = [b64decode(path.read_bytes()) for path in files if read_key(path).public == seat.signer]
    return [{"side": side, "signer": seat.signer, "secret": b64encode(_PKCS8 + one).decode()} for one in secrets[:1]]


def _take_over(
    place: BattleFiles, side: str, seat: SeatInLog, books: list[dict[str, Any]], keys: list[dict[str, Any]]
) -> None:
    """Keep here what the seat needs and only the locker had."""
    place.server.keep_folder()
    if seat.mode == "sealed" and not (place.book.exists() and _has(read_book(place.book), seat)):
        theirs = (book_from_tip(place.battle, side, one["tip"], one["length"]) for one in books if one["side"] == side)
        book = next((book for book in theirs if _has(book, seat)), None)
        if book is not None:
            write_book(place.book, book)
    if seat.signer and not _own_keys(place, side, seat):
        for one in keys:
            secret = b64decode(one["secret"])[-SECRET_BYTES:]
            if one["signer"] == seat.signer == PlayerKey(secret).public:
                write_private(place.key, b64encode(secret) + b"\n")


def _has(book: SealBook, seat: SeatInLog) -> bool:
    return book.number_of(seat.newest) is not None


def _union(theirs: list[dict[str, Any]], own: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    known = [one[name] for one in theirs]
    return [*theirs, *(one for one in own if one[name] not in known)][-MOST_KEPT:]


def _well_formed(thing: Any, name: str, fits: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
    listed = thing.get(name) if isinstance(thing, dict) else None
    things = listed[-MOST_KEPT:] if isinstance(listed, list) else []
    return [one for one in things if isinstance(one, dict) and fits(one)]


def _is_book(one: dict[str, Any]) -> bool:
    seals = all(isinstance(one.get(name), str) and _SEAL.fullmatch(one[name]) for name in ("anchor", "tip"))
    length = one.get("length")
    return seals and isinstance(one.get("side"), str) and isinstance(length, int) and 1 <= length <= MOST


def _is_key(one: dict[str, Any]) -> bool:
    try:
        secret = b64decode(one["secret"], validate=True)
    except (KeyError, TypeError, ValueError):
        return False
    return isinstance(one.get("signer"), str) and len(secret) == len(_PKCS8) + SECRET_BYTES and secret[:-32] == _PKCS8
