"""Take a side, give orders, begin another book: what a remote player does, each message checked and repeated safely.

What holds:
- Nothing is sent before the server's log has been checked against the player's copy (`server.remote.history`), and
  every message names the newest head that was checked.
- A request is kept before it is sent. If no answer comes, the same command sends the same bytes under the same key, so
  the server plays it once. Other lines are only sent when it is known what became of the request before.
- Seals, phrases and signatures are added here; a player types orders.
"""

import re
from collections.abc import Sequence
from hashlib import sha256
from itertools import zip_longest
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.basics.decoding import decode
from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.contract import dispute_lines
from domain.contract.ruleset import Ruleset
from domain.events.battle import Seen
from domain.scripts.program import Script
from domain.scripts.reading import Unreadable, read
from replay.proof.chain import Log
from replay.telling.words import refusal
from replay.writing.entropy import Entropy
from server.entropy import new_secret
from server.play.signing import lines_to_sign
from server.remote.acting import own_key, take_signed
from server.remote.book import make_book, read_book, write_book
from server.remote.connection import BattleNow, Given, LineResult, LinesNamed, Refused, ServerConnection, Unanswered
from server.remote.contributing import NOTHING, SentContribution, accepted, contribution, next_book
from server.remote.errors import NotDone, WrongUse
from server.remote.history import SeatInLog, follow, has_order, head_of, player_of, seat_in
from server.remote.own_words import REFUSED, SentWords, answered, keep_words
from server.remote.settling import takes_play_back
from server.remote.signing import PlayerKey, read_or_make_key
from server.remote.state import BattleFiles, KeptSeat, Pending


class PlayedOrders(Struct, frozen=True):
    """What became of orders, and the battle after them. `before` is the event that they answered; `earlier` are the
    results of an earlier request that had had no answer; `refused` is the sentence if nothing was played."""

    now: BattleNow
    before: int
    lines: tuple[LineResult, ...] = ()
    earlier: tuple[LineResult, ...] = ()
    refused: str = ""


class _Answering(Struct):
    seen: Seen


# --- taking a side


async def take(
    connection: ServerConnection, place: BattleFiles, side: str, entropy: Entropy, plain: bool, sign: bool
) -> BattleNow:
    """Take a side: sealed unless `plain`, signed if `sign`; contribute at once if the battle begins with it.

    Raises: Refused, Unanswered (the same again goes on), NotDone
    """
    kept = place.kept()
    if kept is not None and kept.side != side:
        raise NotDone(f"You hold {kept.side} of battle {place.battle} already.")
    body: dict[str, Any] = {"mode": "plain"} if plain else {"mode": "sealed", "anchor": _anchor(place, side, entropy)}
    key = read_or_make_key(place.server.key_file, entropy) if sign else None
    if key is not None:
        body["signer"] = key.public
    place.keep(kept or KeptSeat(side))
    try:
        if plain and key is None:
            body |= await _first_phrase(connection, place, side, entropy)
        if key is None:
            await connection.send(f"/battles/{place.battle}/sides/{side}", msgspec.json.encode(body), BattleNow)
        else:
            await take_signed(connection, place, side, key, body)
    except Refused:
        if kept is None:
            place.forget()
        raise
    now, log = await follow(connection, place)
    seat = seat_in(log, side)
    if (seat.mode, seat.signer) != (body["mode"], body.get("signer", "")) or (
        not plain and read_book(place.book).number_of(seat.newest) is None
    ):
        raise NotDone(f"You hold {side} already, taken from elsewhere or in another way: {seat.mode}.")
    return (await give(connection, place, "", entropy)).now if _is_stale(now, side) else now


async def _first_phrase(
    connection: ServerConnection, place: BattleFiles, side: str, entropy: Entropy
) -> dict[str, Any]:
    """The phrase that comes with a plain seat, as through every door, so that nobody is asked for it by a letter; none
    where only players may read the log.

    Raises: Unanswered, NotDone
    """
    try:
        now, log = await follow(connection, place)
    except Refused:
        return {}
    given = contribution(place, SeatInLog(mode="plain"), now.t, entropy)
    keep_words(place, SentWords(side, head_of(log), phrase=given.phrase))
    return {"phrase": given.phrase, "seen": head_of(log)}


def _anchor(place: BattleFiles, side: str, entropy: Entropy) -> str:
    if not place.book.exists():
        place.server.keep_folder()
        write_book(place.book, make_book(place.battle, side, entropy), is_new=True)
    book = read_book(place.book)
    if book.side != side:
        raise NotDone(f"{place.book} is a book of {book.side}.")
    return book.anchor


def _is_stale(now: BattleNow, side: str) -> bool:
    """Whether a side owes a contribution whatever the turn."""
    return now.begun and now.winner is None and side in now.seats and not now.seats[side].contributed


# --- orders


async def give(connection: ServerConnection, place: BattleFiles, typed: str, entropy: Entropy) -> PlayedOrders:
    """Give orders; without lines the contribution alone, where one is owed.

    Raises: OtherHistory, Unanswered, NotDone
    """
    kept = place.require_kept()
    now, log = await follow(connection, place)
    earlier: tuple[LineResult, ...] = ()
    if (pending := kept.pending) is not None:
        is_same = pending.typed == typed
        if is_same or has_order(log, _public_key(log, kept.side, pending.key)):
            played = await _sent(connection, place, pending)
            if is_same or played.refused:
                return played
            earlier, kept = played.lines, place.require_kept()
            now, log = await follow(connection, place)
    asked, given = await _request(connection, place, kept, now, log, typed, entropy)
    pending = Pending(typed, new_secret(entropy), msgspec.json.encode(asked).decode())
    place.keep(replace(place.require_kept(), pending=pending))
    keep_words(place, _words(now, log, kept.side, pending, asked, given))
    played = await _sent(connection, place, pending)
    return replace(played, earlier=earlier)


async def _sent(connection: ServerConnection, place: BattleFiles, pending: Pending) -> PlayedOrders:
    lines: tuple[LineResult, ...] = ()
    refused = ""
    try:
        given = await connection.send(f"/battles/{place.battle}/orders", pending.body.encode(), Given, key=pending.key)
        lines = given.lines
    except Refused as reason:
        lines, refused = reason.lines, str(reason)
    except Unanswered as reason:
        raise Unanswered(f"{reason} The same command asks again; nothing is played twice.") from None
    place.keep(replace(place.require_kept(), pending=None))
    answered(place, pending.key, REFUSED if refused else sum(line.status == "accepted" for line in lines))
    now, _ = await follow(connection, place)
    kept = place.require_kept()
    holder = now.seats.get(kept.side)
    if now.begun and holder is not None and not holder.owes:
        place.keep(accepted(place, kept))
    before = decode(pending.body, _Answering).seen.n
    return PlayedOrders(now, before, lines, refused=refused)


async def _request(
    connection: ServerConnection,
    place: BattleFiles,
    kept: KeptSeat,
    now: BattleNow,
    log: Log,
    typed: str,
    entropy: Entropy,
) -> tuple[dict[str, Any], SentContribution]:
    side, seat, seen = kept.side, seat_in(log, kept.side), head_of(log)
    holder = now.seats.get(side)
    goes_back = takes_play_back(log, side, typed.splitlines())
    owes = holder is not None and holder.owes
    given = contribution(place, seat, now.t, entropy) if owes or goes_back else NOTHING
    body: dict[str, Any] = {"orders": typed, "side": side, "seen": {"n": seen.n, "hash": seen.hash}}
    body |= {name: text for name, text in (("seal", given.seal), ("phrase", given.phrase)) if text}
    if seat.signer:
        key = own_key(place, seat)
        texts, bringing = _canonical(now, side, typed)
        texts = await _with_players(connection, place, side, texts)
        body["orders"] = "\n".join(texts)
        lines = _signed(key, place.battle, side, seen, seat, texts, bringing if owes else -1, given)
        behind = [_signed_entry(key, place.battle, side, seen, seat, len(texts), given)] if goes_back else []
        body["signatures"] = lines + behind
    return body, given


def _words(
    now: BattleNow, log: Log, side: str, pending: Pending, asked: dict[str, Any], given: SentContribution
) -> SentWords:
    """What a request says, as the log must say it."""
    texts, brings = _texts(now, asked["orders"], bool(asked.get("signatures")))
    return SentWords(
        side=side,
        seen=head_of(log),
        request=pending.key,
        key=_public_key(log, side, pending.key) if asked["orders"].strip() else "",
        texts=texts,
        phrase=brings or given.phrase,
        seal=given.signed.hex() if given.seal and not brings else "",
        signatures=tuple((one["serial"], one["signature"]) for one in asked.get("signatures", ())),
        has_entry=takes_play_back(log, side, asked["orders"].splitlines()),
    )


def _texts(now: BattleNow, orders: str, is_signed: bool) -> tuple[dict[int, str], str]:
    """The lines of a request as the log will have them, by number, and the phrase that stands among them. Left out are
    those of which the log may say something else: of repeats and conditions, those that name a player, and those whose
    figures are found there (`OrderRules.unresolved`)."""
    ruleset: Ruleset | None = RULESETS.get(now.ruleset)
    if is_signed:
        return dict(enumerate(orders.split("\n"), 1)), ""
    try:
        script = read(orders, ruleset.read, ruleset.orders.senses) if ruleset is not None else None
    except (Unreadable, Refusal):
        script = None
    if script is None or ruleset is None or not script.is_plain:
        return {}, ""
    named = {line.number for line in script.orders if (told := dispute_lines.read(line.text)) and told.player}
    texts = {
        line.number: ruleset.write(ruleset.read(line.text), "en") for line in script.orders if line.number not in named
    }
    pattern = ruleset.orders.unresolved
    is_final = {number: not (pattern and re.search(pattern, text, re.I)) for number, text in texts.items()}
    return {number: text for number, text in texts.items() if is_final[number]}, script.phrase


def _signed(
    key: PlayerKey,
    battle: str,
    side: str,
    seen: Seen,
    seat: SeatInLog,
    texts: Sequence[str],
    bringing: int,
    given: SentContribution,
) -> list[dict[str, Any]]:
    """The signature of each line; the one that brings the contribution signs it, too."""
    return [
        key.sign(battle, side, seat.serial + 1 + at, seen, given.signed if at == bringing else b"", text)
        for at, text in enumerate(texts or [""])
    ]


def _signed_entry(
    key: PlayerKey,
    battle: str,
    side: str,
    seen: Seen,
    seat: SeatInLog,
    lines: int,
    given: SentContribution,
) -> dict[str, Any]:
    """The signature of the entry behind lines that take play back: one more line, with an empty text."""
    return key.sign(battle, side, seat.serial + 1 + lines, seen, given.signed)


async def _with_players(connection: ServerConnection, place: BattleFiles, side: str, texts: list[str]) -> list[str]:
    """The lines with the ids of the players whom they name: the log has ids, which the server alone can tell. What it
    answers is signed only if it differs in nothing else.

    Raises: Refused, Unanswered, NotDone
    """
    orders = [dispute_lines.read(text) for text in texts]
    if not any(order is not None and order.player for order in orders):
        return texts
    body = msgspec.json.encode({"orders": "\n".join(texts), "side": side})
    found = (await connection.send(f"/battles/{place.battle}/lines", body, LinesNamed)).texts
    for order, text, told in zip_longest(orders, texts, found):
        if order is None or not order.player:
            is_same = text == told
        else:
            is_same = _names_no_more(dispute_lines.words_of(told), order)
        if not is_same:
            raise NotDone(f"{place.server.address} would have other lines signed than yours. Nothing was sent.")
    return list(found)


def _names_no_more(told: dispute_lines.DisputeOrder, said: dispute_lines.DisputeOrder) -> bool:
    """Whether a line says what its player has said: a player by their id, and an umpire with their key."""
    signer = said.signer if said.signer or said.verb != "umpire" else told.signer
    return replace(told, player=said.player, signer=signer) == replace(said, signer=signer)


def _canonical(now: BattleNow, side: str, typed: str) -> tuple[list[str], int]:
    """Order lines as the log will have them, and the index of the one that brings a contribution owed: the first of
    all where the seat owes one whatever the turn, else the first ordinary one.

    Raises: NotDone if a line cannot be read, WrongUse for a script
    """
    ruleset: Ruleset | None = RULESETS.get(now.ruleset)
    if ruleset is None:
        raise NotDone(f"This release does not have the game {now.ruleset}, so it cannot sign its orders.")
    try:
        script: Script = read(typed, ruleset.read, ruleset.orders.senses)
    except Unreadable as unreadable:
        said = [
            f"line {fault.line.number}: {refusal(fault.refusal.code, fault.refusal.rule, fault.refusal.params)}"
            for fault in unreadable.faults
        ]
        raise NotDone("\n".join(["Nothing was sent.", *said])) from None
    except Refusal as reason:
        raise NotDone(refusal(reason.code, reason.rule, reason.params)) from None
    if not script.is_plain:
        raise WrongUse("Your seat signs each line, so its lines are plain orders: no repeats and no conditions.")
    signed = lines_to_sign(script, ruleset, _is_stale(now, side))
    return list(signed.texts), signed.bringing


def _public_key(log: Log, side: str, key: str) -> str:
    """The form of a request's key in the log (docs/record-format.md)."""
    return sha256(f"{player_of(log, side)}\n{key}".encode()).hexdigest()[:16]


# --- another book


async def change_book(connection: ServerConnection, place: BattleFiles, entropy: Entropy) -> BattleNow:
    """Begin another book of seals, because the old one is lost; it is told in the verdict.

    Raises: Refused, Unanswered (the same again goes on), OtherHistory, NotDone
    """
    kept = place.require_kept()
    now, log = await follow(connection, place)
    seat, seen = seat_in(log, kept.side), head_of(log)
    book = next_book(place, kept.side, entropy)
    if book.number_of(seat.newest) is None:
        body: dict[str, Any] = {"anchor": book.anchor, "seen": {"n": seen.n, "hash": seen.hash}}
        if seat.signer:
            key = own_key(place, seat)
            body["signature"] = key.sign(place.battle, kept.side, seat.serial + 1, seen, bytes.fromhex(book.anchor))
        try:
            path = f"/battles/{place.battle}/sides/{kept.side}/book"
            await connection.send(path, msgspec.json.encode(body), BattleNow)
        except Refused:
            place.next_book.unlink()
            raise
        now, _ = await follow(connection, place)
    place.next_book.replace(place.book)
    return now
