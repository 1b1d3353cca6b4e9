"""Commands by mail: list, open, join and begin battles.

A phrase may come with the command. If none does, a digest of the mail's own id takes its place: it was made by the
player's mail program, so the server does not make phrases up (fairness.md 2).
"""

from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Any

from msgspec import UNSET

from domain.data import find_scenario, parse_toml, read_toml, scenario_text, scenario_words
from domain.engine.bots import USUAL
from domain.engine.errors import Refusal
from domain.engine.inputs import Phrase
from domain.engine.message import Message
from domain.engine.state import OTHER, SIDES
from domain.engine.terms import USUAL_TERMS, Terms
from domain.ruleset import Ruleset
from domain.time.pace import PRESETS
from projections.lobby import LobbyEntry
from replay.telling.words.names import name_in
from replay.telling.words.sentences import fragment
from server.mail.blocks import Block, Heading, Link, Listing, Paragraph
from server.mail.desk.caller import Caller, Declined
from server.mail.desk.desk import Desk
from server.mail.desk.giving_way import give_way
from server.mail.desk.looking import show_board_now
from server.mail.desk.vocabulary import (
    BOT_WORDS,
    PHRASE,
    READER_WORDS,
    SEAL,
    SEALED,
    SIDE_WORDS,
    STRENGTH_WORDS,
    folded,
    is_standing,
)
from server.mail.moments import moment
from server.mail.verdict import MailRequest
from server.people.players import Player
from server.play.access import takes_over
from server.play.live_battle import LiveBattle, newest_seen
from server.play.recording import Scenario
from server.play.request import MAIL_CHANNEL
from server.play.scripts import Unreadable, command_id
from server.play.seating import change_book, require_mode, seat_bot, shown_name, take_side, usable_phrase
from server.play.service import OrderRequest
from server.shown.listing import listed_title
from server.store.tables import requests
from server.words import say

LISTED = 200


# --- opening, joining


async def open_battle(desk: Desk, request: MailRequest, caller: Caller, key: str) -> MailRequest:
    """`open SCENARIO`, then in any order: a side, `bot` and its strength, who may read, a pace, a phrase.
    With `sealed` the opener takes no side yet: a book of seals is for one battle, whose id they learn from the answer.

    Raises: Declined desk.open-what; Refusal core.unknown-scenario, core.which-scenario, core.bad-pace …
    """
    words, phrase, _ = _parted(request.args)
    if not words:
        raise Declined("desk.open-what")
    phrase = usable_phrase(phrase)  # before there is a battle in which nobody would sit
    code, name = find_scenario(folded(words[0]), desk.battles.rulesets)
    side, readers, bot, pace = SIDES[0], "public", "", []
    is_sealed = False
    for word in words[1:]:
        plain = folded(word)
        if plain in SIDE_WORDS:
            side = SIDE_WORDS[plain]
        elif plain in READER_WORDS:
            readers = READER_WORDS[plain]
        elif plain in SEALED:
            is_sealed = True
        elif plain in BOT_WORDS:
            bot = bot or USUAL
        elif plain in STRENGTH_WORDS:
            bot = STRENGTH_WORDS[plain]
        else:
            pace.append(plain)
    require_mode(caller.player, "sealed" if is_sealed else "", desk.battles.settings.operators)
    scenario = parse_toml(scenario_text(code, name), name)
    live = await opened(desk, caller.player, key, (code, scenario, readers, " ".join(pace)))
    if bot:
        await seat_bot(live, OTHER[side], bot, desk.battles.entropy, caller.player)
    if is_sealed:
        return MailRequest(
            "open", (live.id,), Message("desk.did.open.sealed", {"battle": live.id, "title": title_of(live)})
        )
    await take_side(live, side, caller.player, phrase=Phrase(phrase or own_phrase(key), MAIL_CHANNEL))
    params = {"battle": live.id, "title": title_of(live), "side": side} | ({"bot": bot} if bot else {})
    return MailRequest("open", (live.id, side), Message("desk.did.open.bot" if bot else "desk.did.open", params))


async def opened(
    desk: Desk, player: Player, key: str, wanted: tuple[str, Scenario, str, str], terms: Terms = USUAL_TERMS
) -> LiveBattle:
    """The battle that a request opens; the same one when it is processed again. `wanted`: game, scenario, readers,
    pace."""
    kept = f"open:{key}"
    known = requests.find(desk.store, player.id, kept)
    if known is not None:
        return await desk.battles.get(known.body.decode())
    live = await desk.battles.open(*wanted, player, terms)
    body = live.id.encode()
    row = requests.accept(player.id, kept, sha256(body).digest(), body)
    await desk.store.write(row, requests.finish(player.id, kept))
    return live


async def join(desk: Desk, request: MailRequest, caller: Caller, key: str) -> MailRequest:
    """`join BATTLE`, then a side if both are free, and a phrase, or `sealed` and the anchor of a book of seals.

    Raises: Declined desk.join-which, desk.join-full; Refusal core.side-taken, core.bad-anchor, core.unknown-battle …
    """
    battle, *rest = request.args or ("",)
    if not battle:
        raise Declined("desk.join-which")
    return await _take(desk, await desk.battles.get(battle), rest, caller, key)


async def _take(desk: Desk, live: LiveBattle, rest: Sequence[str], caller: Caller, key: str) -> MailRequest:
    words, phrase, _ = _parted(rest)
    wanted = next((SIDE_WORDS[folded(word)] for word in words if folded(word) in SIDE_WORDS), "")
    seats = live.recording.battle.seats
    held = live.recording.battle.seat_of(caller.account.player)
    free = [side for side in SIDES if side not in seats]
    side = wanted or next(iter([*held, *free, *takes_over(live, caller.player)]), "")
    if not side:
        raise Declined("desk.join-full", battle=live.id)
    anchor = next((anchor for word, anchor in pairwise([*words, ""]) if folded(word) in SEALED), None)
    if anchor is None:
        given = Phrase(phrase or own_phrase(key), MAIL_CHANNEL, newest_seen(live, caller.heads))
        await take_side(live, side, caller.player, phrase=given)
    else:
        await take_side(live, side, caller.player, mode="sealed", anchor=anchor.casefold())
    await give_way(desk, live)
    other = seats.get(OTHER[side])
    name = shown_name(other.player, other.name, caller.lang) if other else ""
    params = {"battle": live.id, "title": title_of(live), "side": side, "other": name}
    return MailRequest("join", (live.id, side), Message("desk.did.join", params))


async def accept(desk: Desk, request: MailRequest, caller: Caller, key: str) -> MailRequest:
    """`accept`, with a phrase or without: the first contribution, which a battle needs to continue; in a battle
    in which the caller holds no side, it takes the free one.

    Raises: Declined desk.accept-waiting, desk.accept-nothing; Refusal of the contribution
    """
    battle, *rest = request.args or ("",)
    try:
        live, side = await desk.seated(caller, battle)
    except Refusal:
        if not battle or not (caller.battle or rest):
            raise
        live, side = await desk.seated(caller, "")  # `accept whatever`: not a battle, but the first word of a phrase
        rest = [battle, *rest]
    if not side:
        return await _take(desk, live, rest, caller, key)
    words, phrase, seal = _parted(rest)
    phrase = phrase or " ".join(words) or own_phrase(key)
    now, player = live.recording.battle, caller.account.player
    if side not in now.owing and requests.command(desk.store, command_id(player, key, 1)) is None:
        raise Declined("desk.accept-nothing" if now.begun else "desk.accept-waiting", battle=live.id)
    seen = newest_seen(live, caller.heads)
    orders = OrderRequest(live.id, side, player, MAIL_CHANNEL, phrase="" if seal else phrase, seal=seal, seen=seen)
    played = await desk.play.orders(orders, key)
    if played.refused:
        raise played.refused
    return MailRequest("accept", (live.id, side), Message("desk.did.accept", {"battle": live.id}))


async def another_book(desk: Desk, request: MailRequest, caller: Caller, key: str) -> Message:
    """`book ANCHOR`: another book of seals, where the old one is lost.

    Raises: Refusal core.bad-anchor, core.no-book, core.not-begun …
    """
    battle, *rest = request.args
    live, side = await desk.own(caller, battle)
    anchor = Phrase("".join(rest[:1]).casefold(), MAIL_CHANNEL, newest_seen(live, caller.heads))
    await change_book(live, side, anchor)
    return Message("desk.did.book", {"battle": live.id})


async def order(desk: Desk, request: MailRequest, caller: Caller, key: str) -> MailRequest:
    """An order among commands: resigning, a draw, a standing order.

    Raises: Refusal of the rules
    """
    battle, text = request.args if len(request.args) == 2 else ("", *request.args)
    live, side = await desk.own(caller, battle)
    player, seen = caller.account.player, newest_seen(live, caller.heads)
    orders = OrderRequest(live.id, side, player, MAIL_CHANNEL, text, phrase_required=False, seen=seen)
    try:
        played = await desk.play.orders(orders, key)
    except Unreadable as unreadable:
        raise unreadable.faults[0].refusal from None
    if played.refused:
        raise played.refused
    return MailRequest("order", (live.id, text), Message("desk.did.order", {"order": text}))


def _parted(args: Sequence[str]) -> tuple[list[str], str, str]:
    """The words of a command, and the phrase and the seal that come with it, "" if absent."""
    words = " ".join(args).split()
    for at, word in enumerate(words):
        if folded(word) in PHRASE and words[at + 1 :]:
            return words[:at], " ".join(words[at + 1 :]), ""
        if folded(word) in SEAL and words[at + 1 :]:
            return words[:at], "", words[at + 1]
    return words, "", ""


def own_phrase(key: str) -> str:
    """The phrase of a mail that contains none; `key` begins with the hex of the mail's id."""
    return f"mail {sha256(f'phalera phrase {key}'.encode()).hexdigest()[:32]}"


async def show_order(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The board after an order; a standing one moves nothing."""
    return [] if is_standing(request) else await show_board_now(desk, request, caller)


# --- lists


async def show_mine(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The caller's battles: whose move it is, and until when."""
    mine = await desk.battles_of(caller.account.player)
    if not mine:
        return [Paragraph(say(caller.lang, "desk.list.none"))]
    return [Heading(say(caller.lang, "desk.list.title")), Listing(tuple([await _mine(desk, e, caller) for e in mine]))]


async def _mine(desk: Desk, entry: LobbyEntry, caller: Caller) -> str:
    own = [seat.side for seat in entry.seats if seat.player == caller.account.player]
    side = own[0] if own else ""
    names = {seat.side: shown_name(seat.player, seat.name, caller.lang) for seat in entry.seats}
    params: dict[str, Any] = {
        "battle": entry.battle,
        "title": listed_title(entry, caller.lang),
        "side": side,
        "other": names.get(OTHER.get(side, ""), ""),
        "turn": entry.turn,
    }
    if entry.umpire == caller.account.player:
        told = {**params, "players": list(names.values()), "count": entry.disputed}
        return fragment("desk.row.umpire", told, caller.lang)
    if entry.status == "ended":
        won = "won" if entry.winner in own else "lost"
        how = entry.how if entry.winner is None else won if entry.winner else "drawn"
        return fragment(f"desk.row.{how}", params, caller.lang)
    if entry.status == "waiting":
        return fragment("desk.row.waiting", params, caller.lang)
    live = await desk.battles.get(entry.battle)
    due = [of for of in live.to_act() or live.recording.battle.owing if of in own]
    is_mine = bool(due) or side in live.recording.battle.owing
    mover = (due or list(live.to_act()) or [side])[0]
    face = live.clock(desk.now()).get(mover)
    if face is not None and face.deadline:
        params["deadline"] = moment(face.deadline, desk.wishes(caller.account.player).zone, caller.lang)
    return fragment("desk.row.yours" if is_mine else "desk.row.theirs", params, caller.lang)


async def show_free(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """Battles that wait for a player, and the scenarios that can be opened."""
    public = await desk.lobby().battles("", "", LISTED)
    lines = []
    for entry in public:
        free = [seat.side for seat in entry.seats if not seat.player]
        if entry.status != "waiting" or not free or any(seat.player == caller.account.player for seat in entry.seats):
            continue
        holders = [shown_name(seat.player, seat.name, caller.lang) for seat in entry.seats if seat.name]
        pace = (await _pace(desk, entry.battle)) or ""
        title = listed_title(entry, caller.lang)
        told = {"battle": entry.battle, "title": title, "sides": free, "other": holders, "pace": pace}
        lines.append(fragment("desk.row.free", told, caller.lang))
    found: list[Block] = [Paragraph(say(caller.lang, "desk.free.none"))]
    if lines:
        how = say(caller.lang, "desk.free.how", battle=lines[0].split()[0])
        found = [Heading(say(caller.lang, "desk.free.title")), Listing(tuple(lines)), Paragraph(how)]
    return [*found, *await show_scenarios(desk, request, caller)]


async def _pace(desk: Desk, battle: str) -> str:
    opened = (await desk.battles.get(battle)).recording.timeline.events[0].event
    pace = getattr(opened, "pace", UNSET)
    return "" if pace is UNSET else str(pace)


async def show_scenarios(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """What `open` can open, and how to use it."""
    games = [block for ruleset in desk.battles.rulesets.values() for block in _scenarios_of(desk, ruleset, caller.lang)]
    paces = tuple(f"{name:<15} {pace}" for name, pace in PRESETS.items())
    return [
        Heading(say(caller.lang, "desk.scenarios.title")),
        *games,
        Paragraph(say(caller.lang, "desk.scenarios.begin")),
        Listing(tuple(say(caller.lang, "desk.scenarios.example").split("\n"))),
        Paragraph(say(caller.lang, "desk.scenarios.how")),
        Listing(paces),
    ]


def _scenarios_of(desk: Desk, ruleset: Ruleset, lang: str) -> list[Block]:
    """The scenarios of a game, each with its title and, below it, how large it is."""
    lines = []
    for word, code, name in scenario_words(desk.battles.rulesets):
        if code != ruleset.code:
            continue
        table = read_toml(code, "scenarios", f"{name}.toml")
        lines.append(f"{word:<15} {name_in(str(table.get('title', name)), lang)}")
        size = ruleset.shown.size(table)
        told = dict(zip(("south", "north"), size.points, strict=False)) | ({"turns": size.turns} if size.turns else {})
        unit = "cm" if size.is_cm else "cells"
        told |= {"columns": size.columns, "rows": size.rows}
        lines.append(f"{'':<15} {fragment(f'desk.scenario.size.{unit}', told, lang)}")
    return [Paragraph(ruleset.title), Listing(tuple(lines))] if lines else []


async def show_joined(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The next step after taking a side: wait for the other, or for the first letter."""
    live, _ = await desk.seated(caller, request.args[0] if request.args else "")
    battle = live.recording.battle
    link = Link(say(caller.lang, "desk.joined.link"), f"{desk.battles.settings.address}/battles/{live.id}")
    if len(battle.seats) == len(SIDES):
        return [Paragraph(say(caller.lang, "desk.joined.begun")), link]
    invitation = say(caller.lang, "desk.joined.invite", address=desk.addresses.mailbox)
    return [Paragraph(invitation), Listing((f"join {live.id}",)), link]


def title_of(live: LiveBattle) -> str:
    """The title of a battle: that of its scenario, or of its game."""
    return getattr(live.game, "title", "") or live.ruleset.title
