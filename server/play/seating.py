"""Take a side: who may, and what they bring.

A phrase that comes with taking a side is kept in the vault until both sides are taken: between two plain seats it then
becomes the first contribution (fairness.md 2). A bot's phrase is the server's own and counts as none.
"""

import re
from collections.abc import Collection, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from domain.basics.decoding import decode
from domain.basics.errors import Refusal
from domain.events.battle import BattleBegan, Seen, SideJoined
from domain.run.bot_seeds import bot_phrase, is_recomputable
from domain.run.bots import BOT, BOTS, played_by
from domain.run.inputs import LEAST_PHRASE, Phrase
from domain.run.own_word import OwnWord
from domain.run.seats import Battle, Seat, free_sides
from replay.telling.words.catalogue import find
from replay.writing.entropy import Entropy
from replay.writing.recording import Batch
from replay.writing.signatures import require_signer
from server.entropy import new_secret
from server.people.players import Player, is_gone, is_operator, require_name, require_player_name
from server.play.branching import require_own_branch, require_reader_of_sources
from server.play.live_battle import Alongside, LiveBattle
from server.play.quotas import require_quota
from server.play.request import MAIL_CHANNEL
from server.play.scripts import readable_phrase
from server.store import Statement
from server.store.contract import TableRows
from server.store.tables import accounts, blocks, closings, holdings, invitations, vault

LEFT = "left"
"""The reason that the log has for a side given back before the start."""
PHRASE = "phrase"
"""The kind of the vault's rows that hold an early phrase."""
BOT_NAMES = {"easy": "Easy bot", "sensible": "Sensible bot", "strong": "Strong bot", "random": "Random bot"}
_ANCHOR = re.compile(r"[0-9a-f]{32}")


async def take_side(
    live: LiveBattle,
    side: str,
    player: Player,
    name: str = "",
    mode: str = "",
    anchor: str = "",
    phrase: Phrase | None = None,
    signer: str = "",
    also: Sequence[Statement] = (),
    word: OwnWord | None = None,
) -> None:
    """Seat a player at a side; taking it again changes nothing. A phrase is kept for a plain seat without a key: any
    other contributes when the battle has begun. Without a mode the seat is plain, which an operator has to say. `also`
    is stored in the transaction of the seat. From PBEM-2.1 on who brings a key signs with it (`word`).

    Raises: Refusal core.operator-sealed, core.no-such-side, core.side-taken, core.side-reserved, core.bad-anchor,
            core.bad-signer, core.phrase-missing, core.other-history, core.battle-ended, core.too-many-seats,
            core.branch-of-others, core.branch-private, core.bad-name, core.name-reserved, core.name-of-another; as
            `domain.run.own_word.require_word`
    """
    require_mode(player, mode, live.operators)
    require_signer(signer)
    if mode == "sealed":
        _require_anchor(anchor)
    if mode == "sealed" or signer:
        phrase = None
    if phrase is not None:
        phrase = replace(phrase, text=usable_phrase(phrase.text), seen=phrase.seen or _head_answered(live, phrase))
        live.recording.require_own_head(phrase.seen)
    shown = _shown_name(live, player, name)
    anchor = anchor if mode == "sealed" else ""
    mode, runs_server = mode or "plain", is_operator(player, live.operators)
    seat = Seat(
        side,
        player.id,
        shown,
        "person",
        mode,
        anchor,
        is_operator=runs_server,
        signer=signer,
        is_program=bool(player.owner),
    )
    await _sit(live, seat, phrase, player, also, word)


async def seat_named(live: LiveBattle, side: str, player: Player) -> None:
    """Seat a player, plain, whom a campaign has set there: no quota of theirs counts it. They contribute when they
    come.

    Raises: Refusal core.no-such-side, core.side-taken, core.side-reserved, core.battle-ended, core.not-with-you
    """
    runs_server = is_operator(player, live.operators)
    seat = Seat(side, player.id, player.name, is_operator=runs_server, is_program=bool(player.owner))
    await _sit(live, seat, None, player, is_set=True)


async def seat_member(live: LiveBattle, side: str, player: Player) -> None:
    """Seat a member of a club at a side of a battle of it, plainly and without a phrase. The club writes to them, and
    says how much they may hold.

    Raises: Refusal core.side-taken, core.battle-ended, core.not-with-you, core.bad-name
    """
    runs_server = is_operator(player, live.operators)
    seat = Seat(side, player.id, require_name(player.name), "person", "plain", is_operator=runs_server)
    await _sit(live, seat, None, player, by_club=True)


def _head_answered(live: LiveBattle, phrase: Phrase) -> Seen | None:
    """The head that a phrase answers which names none: of a battle that its player has just asked for, or been asked
    to, the newest one. A mail names what it quotes, or nothing."""
    return None if phrase.channel == MAIL_CHANNEL else live.recording.newest_head()


def _shown_name(live: LiveBattle, player: Player, name: str) -> str:
    """The name under which a player sits: that of their account, or one that nobody else goes by here.

    Raises: Refusal core.bad-name, core.name-reserved, core.name-of-another
    """
    if not name or accounts.name_key(name) == accounts.name_key(player.name):
        return require_name(name or player.name)
    shown = require_player_name(name)
    other = accounts.by_look(live.store, shown)
    if other is not None and other.player != player.id:
        raise Refusal("core.name-of-another", "CORE-ACCESS", name=shown)
    return shown


def account_beside(store: TableRows, seat: Seat) -> str:
    """The name of the account that holds a seat, if it is another one than is shown there: a player may sit under a
    name of their choice. "" for a bot, and once the account is gone."""
    account = accounts.by_player(store, seat.player) if seat.kind == "person" else None
    if account is None or is_gone(account) or account.name == seat.name:
        return ""
    return account.name


def require_mode(player: Player, mode: str, operators: Collection[str]) -> None:
    """Refuse an operator who takes a side without saying that it is plain (fairness.md 6).

    Raises: Refusal core.operator-sealed
    """
    if not mode and is_operator(player, operators):
        raise Refusal("core.operator-sealed", "CORE-FAIR")


async def change_book(live: LiveBattle, side: str, anchor: Phrase) -> None:
    """Begin another book of seals (the text is its anchor) at a sealed seat whose own is lost; the same one again
    changes nothing.

    Raises: Refusal core.bad-anchor, core.no-book, core.not-begun, core.other-book-waits, core.seal-as-book,
            core.battle-ended, core.other-history
    """
    _require_anchor(anchor.text)
    async with live.lock:
        await live.append(lambda recording, at: recording.change_book(side, anchor, at))


def _require_anchor(anchor: str) -> None:
    if not _ANCHOR.fullmatch(anchor):
        raise Refusal("core.bad-anchor", "CORE-FAIR", anchor=anchor[:64])


def usable_phrase(phrase: str) -> str:
    """A phrase in a form fit for the log, "" if there is none.

    Raises: Refusal core.phrase-missing if it is too short, core.phrase-too-long
    """
    phrase = readable_phrase(phrase)
    if phrase and len(phrase.encode()) < LEAST_PHRASE:
        raise Refusal("core.phrase-missing", "CORE-FAIR", least=LEAST_PHRASE, given=len(phrase.encode()))
    return phrase


async def seat_bot(
    live: LiveBattle, side: str, kind: str, entropy: Entropy, player: Player, is_set: bool = False
) -> None:
    """Seat a bot at a side, for `player`: the one asked for, or what plays in its place in a game that lacks it.
    `is_set`: a campaign has, and no quota of theirs counts it.

    Raises: Refusal core.unknown-bot, core.no-such-side, core.side-taken, core.battle-ended, core.too-many-bots
    """
    if kind not in BOTS:
        raise Refusal("core.unknown-bot", "CORE-SIDE", bot=kind, known=list(BOTS))
    bot = played_by(live.ruleset, kind)
    seat = Seat(side, BOT + bot, BOT_NAMES[bot], "bot")
    battle, keys = live.recording.battle, live.recording.dealer.keys
    phrase = bot_phrase(keys, battle, side) if is_recomputable(battle) else new_secret(entropy)
    await _sit(live, seat, Phrase(phrase, "bot"), player, is_set=is_set)


async def leave_side(live: LiveBattle, side: str, player: Player, word: OwnWord | None = None) -> None:
    """Give a side back before the battle begins: one's own, or that of a bot that one may seat. A seat with a key signs
    that (`word`, from PBEM-2.1 on).

    Raises: Refusal core.no-such-side, core.side-free, core.not-your-side, core.begun, core.battle-ended; as
            `domain.run.own_word.require_word`
    """
    if side not in live.seats:
        raise Refusal("core.no-such-side", "CORE-SIDE", side=side[:40])
    async with live.lock:
        await live.freshen()
        seat = live.recording.battle.seats.get(side)
        if seat is not None and seat.player != player.id and not (seat.kind == "bot" and may_seat_bot(live, player)):
            raise Refusal("core.not-your-side", "CORE-ACCESS", side=side)
        beside = Alongside(also=(holdings.left(live.id, side),))
        await live.append(lambda recording, at: recording.leave(side, LEFT, at, word), lambda batch: beside)


async def cancel(live: LiveBattle, player: Player) -> None:
    """Cancel a battle that has not begun: only who has opened it may.

    Raises: Refusal core.begun, core.not-opener, core.battle-closed
    """
    async with live.lock:
        await live.freshen()
        if live.recording.battle.begun:
            raise Refusal("core.begun", "CORE-BEGIN")
        if not live.closed and not is_opener(live, player):
            raise Refusal("core.not-opener", "CORE-ACCESS", battle=live.id)
        await live.close(closings.CANCELLED)


def is_opener(live: LiveBattle, player: Player | None) -> bool:
    """Whether a player has opened a battle."""
    return player is not None and holdings.opener(live.store, live.id) == player.id


def has_sat(live: LiveBattle, player: Player) -> bool:
    """Whether a player holds a side, or has given one back."""
    joined = (recorded.event for recorded in live.recording.timeline.events)
    return any(isinstance(event, SideJoined) and event.player == player.id for event in joined)


def may_seat_bot(live: LiveBattle, player: Player) -> bool:
    """Whether a player may let a bot take a side: its opener may, and its players. Of a battle that
    an earlier release opened nobody knows who did: anybody, as long as no person plays."""
    battle = live.recording.battle
    if battle.seat_of(player.id) or is_opener(live, player):
        return True
    is_known = bool(holdings.opener(live.store, live.id))
    return not is_known and all(seat.kind != "person" for seat in battle.seats.values())


def shown_name(player: str, name: str, lang: str) -> str:
    """The name of a player for a reader: a bot's in the reader's language, anybody else's as they chose it."""
    return (find(f"bot.{player.removeprefix(BOT)}", lang) if player.startswith(BOT) else None) or name


def is_reserved(live: LiveBattle, side: str, player: Player | None = None) -> bool:
    """Whether a side waits for the answer to an invitation; not for the player whom it is for."""
    invitation = invitations.to_side(live.store, live.id, side, live.now())
    if invitation is None:
        return False
    return player is None or invitation.email.lower() not in (player.email.lower(), player.id)


def reserved_sides(live: LiveBattle) -> tuple[str, ...]:
    """The free sides of a battle that wait for the answer to an invitation."""
    free = free_sides(live.recording.battle, live.seats)
    return tuple(side for side in free if is_reserved(live, side))


async def _sit(
    live: LiveBattle,
    seat: Seat,
    phrase: Phrase | None,
    player: Player,
    also: Sequence[Statement] = (),
    word: OwnWord | None = None,
    is_set: bool = False,
    by_club: bool = False,
) -> None:
    if seat.side not in live.seats:
        raise Refusal("core.no-such-side", "CORE-SIDE", side=seat.side)
    async with live.lock:
        await live.freshen()
        held = live.recording.battle.seats.get(seat.side)
        if held is not None and _who(held) == _who(seat):
            return
        if held is None and is_reserved(live, seat.side, player if seat.kind == "person" else None):
            raise Refusal("core.side-reserved", "CORE-INVITE", side=seat.side)
        if live.recording.battle.begun:
            await live.remember()  # who is silent is looked up there
        if held is not None and live.is_clock_doubted and seat.side not in _namers(live, seat):
            raise Refusal("core.clock-doubted", "CORE-DSP-12")
        if seat.kind == "person":
            require_own_branch(live, player)
            await require_reader_of_sources(live, player)
            _require_welcome(live, seat)
        kind = holdings.BOT if seat.kind == "bot" else holdings.SEAT
        if not (is_set or by_club):
            require_quota(live.store, live.limits, player, kind)

        def attach(batch: Batch) -> Alongside:
            began = any(isinstance(recorded.event, BattleBegan) for recorded in batch.recorded)
            ends = invitations.taken(live.id, seat.side, live.now())
            held = () if is_set else (holdings.seated(live.id, seat.side, player.id, kind),)
            taken = (*also, ends, *held)
            if began or phrase is None or not phrase.text:
                return Alongside(also=taken, is_quiet=by_club)
            kept = vault.VaultSecret(live.id, batch.recorded[0].n, PHRASE, seat.side, b"", msgspec.json.encode(phrase))
            return Alongside(also=(*taken, vault.put(kept)))

        await live.append(
            lambda recording, at: recording.join(seat, _phrases(live, recording.battle, seat, phrase), at, word), attach
        )


def _namers(live: LiveBattle, seat: Seat) -> Collection[str]:
    """The people who have named the player of a seat for it; the player where nobody has, or a bot holds it."""
    battle = live.recording.battle
    named = battle.named_for(seat.side, seat.player)
    return named if named and battle.seats[seat.side].kind == "person" else (seat.side,)


def _require_welcome(live: LiveBattle, seat: Seat) -> None:
    """Refuse a player who was blocked by the other one, or by the opener of the battle, and the bot of such a player.

    Raises: Refusal core.not-with-you
    """
    others = {held.player for held in live.recording.battle.seats.values()} | {holdings.opener(live.store, live.id)}
    account = accounts.by_player(live.store, seat.player) if seat.is_program else None
    if any(blocks.is_blocked(live.store, one, others) for one in (seat.player, account.owner if account else "")):
        raise Refusal("core.not-with-you", "CORE-SIDE")


def _who(seat: Seat) -> tuple[str, ...]:
    return seat.player, seat.kind, seat.mode, seat.signer


def _phrases(live: LiveBattle, battle: Battle, seat: Seat, phrase: Phrase | None) -> Mapping[str, Phrase]:
    """The phrases with which the battle may begin: none if a seat is sealed."""
    others = [battle.seats.get(side) for side in live.seats.others(seat.side)]
    if any(other is None or other.mode == "sealed" for other in others) or seat.mode == "sealed":
        return {}
    phrases = {seat.side: phrase} if phrase is not None and phrase.text else {}
    joined = {other.side: _joined(live, other.side) for other in others if other is not None}
    for secret in vault.sealed(live.store, live.id, min(joined.values()) - 1):
        if secret.kind == PHRASE and secret.n >= joined.get(secret.seat, secret.n + 1):
            phrases[secret.seat] = decode(secret.content, Phrase)
    return phrases


def _joined(live: LiveBattle, side: str) -> int:
    """The event with which the present holder of a side took it: what came before belongs to somebody else."""
    return next(
        recorded.n
        for recorded in reversed(live.recording.timeline.events)
        if isinstance(recorded.event, SideJoined) and recorded.event.side == side
    )
