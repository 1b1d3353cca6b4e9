"""Commands by mail: board, history, legal orders, reasons, proof."""

from collections.abc import Sequence

from domain.basics.commands import Standing
from domain.basics.errors import Refusal
from domain.basics.message import Message
from domain.events.battle import OrderAccepted, TurnBegan
from domain.log.record import Recorded
from replay.reports.plain import is_turn, plain_events
from replay.telling.why import to_text
from replay.telling.words import worded
from server.mail.blocks import Block, BoardBlock, HeadingLine, Link, Listing, Paragraph
from server.mail.desk.caller import Caller, Declined
from server.mail.desk.desk import Desk
from server.mail.desk.vocabulary import TURN
from server.mail.orders import orders_of
from server.mail.verdict import MailRequest
from server.play.live_battle import LiveBattle
from server.shown.explaining import explained
from server.shown.story import tell
from server.spelling.words import folded
from server.words import say

MOST_TOLD = 150
"""Maximum lines of a history; the rest is in the battle file."""
LONGEST_NUMBER = 9


def number_in(word: str) -> int | None:
    """A word as a whole number, `120` or `#120`; None if it is not one."""
    plain = word.lstrip("#")
    return int(plain) if plain.isascii() and plain.isdigit() and len(plain) <= LONGEST_NUMBER else None


def is_number(word: str) -> bool:
    """Whether a word is one."""
    return number_in(word) is not None


def _event(live: LiveBattle, word: str) -> int:
    """The event that a word names.

    Raises: Declined desk.no-number; Refusal core.no-such-event
    """
    n = number_in(word)
    if n is None:
        raise Declined("desk.no-number", word=word[:40], last=live.n)
    if not 1 <= n <= live.n:
        raise Refusal("core.no-such-event", "CORE-ACCESS", n=n, last=live.n)
    return n


# --- board


async def check_board(desk: Desk, request: MailRequest, caller: Caller, key: str) -> Message | None:
    """`board`, or `board N` after an event.

    Raises: Declined desk.no-number; Refusal core.no-such-event
    """
    live, _ = await desk.seated(caller, request.args[0])
    if request.args[1:]:
        _event(live, request.args[1])
    return None


async def show_board(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The board after an event."""
    live, side = await desk.seated(caller, request.args[0])
    n = _event(live, request.args[1]) if request.args[1:] else live.n
    return [
        HeadingLine(say(caller.lang, "desk.board.title", battle=live.id, n=n, last=live.n)),
        BoardBlock(live.id, n, side),
    ]


async def show_board_now(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The current board."""
    return await show_board(desk, MailRequest(request.name, request.args[:1] or ("",)), caller)


# --- history


async def check_history(desk: Desk, request: MailRequest, caller: Caller, key: str) -> Message | None:
    """`history` since one's last orders, `history N` from an event on, `history turn`, `history turn 3`.

    Raises: Declined desk.no-number, desk.no-turn; Refusal core.no-such-event
    """
    live, side = await desk.seated(caller, request.args[0])
    _span(live, side, request.args[1:])
    return None


async def show_history(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """What happened, in sentences, each with its number."""
    live, side = await desk.seated(caller, request.args[0])
    first, last = _span(live, side, request.args[1:])
    events = live.recording.timeline.events[first - 1 : last]
    heard = list(plain_events(events))
    told = [
        _line(line.n, line.said, line.voided) for line in tell(live.recording, side, heard[:MOST_TOLD], caller.lang)
    ]
    found: list[Block] = [HeadingLine(say(caller.lang, "desk.history.title", battle=live.id, first=first, last=last))]
    found.append(Listing(tuple(told)) if told else Paragraph(say(caller.lang, "desk.history.none")))
    if len(heard) > MOST_TOLD:
        found.append(Paragraph(say(caller.lang, "desk.history.more", n=heard[MOST_TOLD].n)))
    return found


def _line(n: int, said: str, voided: bool) -> str:
    return f"{n:>5}{'~' if voided else ' '} {said}"


def _span(live: LiveBattle, side: str, words: Sequence[str]) -> tuple[int, int]:
    """The first and the last event requested."""
    events = live.recording.timeline.events
    if not words:
        return min(_last_order(events, side) + 1, live.n), live.n
    if folded(words[0]) not in TURN:
        return _event(live, words[0]), live.n
    turns = [recorded.n for recorded in events if is_turn(recorded)]
    if not words[1:]:
        return (turns or [1])[-1], live.n
    wanted = number_in(words[1])
    numbers = {recorded.n: recorded.event.turn for recorded in events if isinstance(recorded.event, TurnBegan)}
    found = [n for n in turns if numbers.get(n) == wanted]
    if not found:
        raise Declined("desk.no-turn", turn=words[1][:LONGEST_NUMBER])
    after = [n for n in turns if n > found[-1]]
    return found[0], after[0] - 1 if after else live.n


def _last_order(events: Sequence[Recorded], side: str) -> int:
    """The side's last order; the beginning if it has given none."""
    own = (r.n for r in reversed(events) if isinstance(r.event, OrderAccepted) and r.event.side == side)
    return next(own, 0)


# --- orders


async def show_orders(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The legal orders once more."""
    live, side = await desk.seated(caller, request.args[0])
    if not side or side not in live.to_act() or not live.options(side):
        msgid = "desk.orders.over" if live.recording.battle.ended else "desk.orders.none"
        return [Paragraph(say(caller.lang, msgid, battle=live.id))]
    scene = worded(live.ruleset.shown.view(live.known(side), side), caller.lang)
    title = HeadingLine(say(caller.lang, "desk.orders.title", battle=live.id))
    return [title, Paragraph(say(caller.lang, "desk.orders.how")), orders_of(live, side, scene, caller.lang)]


async def check_standing(desk: Desk, request: MailRequest, caller: Caller, key: str) -> Message | None:
    """`standing` alone lists the answers given in advance.

    Raises: Refusal core.not-seated
    """
    await desk.own(caller, request.args[0])
    return None


async def show_standing(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The caller's own standing orders; nobody else's are known here."""
    live, side = await desk.own(caller, request.args[0])
    own = [order for order in live.known(side).standing if order.side == side]
    write, lang = live.ruleset.orders.write, caller.lang
    lines = tuple(f"{order.n:>5}  {write(Standing(order.topic, order.unit, order.value), lang)}" for order in own)
    if not lines:
        return [Paragraph(say(lang, "desk.standing.none", battle=live.id))]
    return [HeadingLine(say(lang, "desk.standing.title", battle=live.id)), Listing(lines)]


# --- why


async def check_why(desk: Desk, request: MailRequest, caller: Caller, key: str) -> Message | None:
    """`why N`.

    Raises: Declined desk.why-which, desk.no-number; Refusal core.no-such-event
    """
    live, _ = await desk.seated(caller, request.args[0])
    if not request.args[1:]:
        raise Declined("desk.why-which", last=live.n)
    _event(live, request.args[1])
    return None


async def show_why(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The rule, the number, the cards and the order behind an event."""
    live, side = await desk.seated(caller, request.args[0])
    n = _event(live, request.args[1])
    lines = to_text(explained(live, side, n, caller.lang), caller.lang).split("\n")
    return [
        HeadingLine(say(caller.lang, "desk.why.title", battle=live.id, n=n)),
        *(Paragraph(line) for line in lines if line),
    ]


# --- file and proof


async def show_export(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """Where to find the battle file, and how to check it."""
    live, _ = await desk.seated(caller, request.args[0])
    href = f"{desk.battles.settings.address}/api/v1/battles/{live.id}/export"
    found: list[Block] = [
        HeadingLine(say(caller.lang, "desk.export.title", battle=live.id, n=live.n)),
        Link(say(caller.lang, "desk.export.link"), href),
    ]
    if live.recording.battle.readers == "players":
        found.append(Paragraph(say(caller.lang, "desk.export.private")))
    found.append(Paragraph(say(caller.lang, "desk.export.how")))
    found.append(Listing((f"phalera verify {live.id}.battle --head mail.eml", f"phalera replay {live.id}.battle")))
    return found


async def show_proof(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The signed head, the commitment, and the sides that have contributed."""
    live, _ = await desk.seated(caller, request.args[0])
    battle = live.recording.battle
    lines = [f"commitment {battle.commitment}"]
    lines += [f"{side} {seat.contribution or '-'}" for side, seat in sorted(battle.seats.items(), reverse=True)]
    return [
        HeadingLine(say(caller.lang, "desk.proof.title", battle=live.id, n=live.n)),
        Paragraph(say(caller.lang, "desk.proof.how")),
        Listing(tuple(live.note().rstrip("\n").split("\n"))),
        Paragraph(say(caller.lang, "desk.proof.chance")),
        Listing(tuple(lines)),
    ]
