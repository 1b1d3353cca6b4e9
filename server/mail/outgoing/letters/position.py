"""The part of a letter about the battle: what happened, board, standing, legal orders.

Only what the reader's side may know goes into it: the state known to it, the sentences it may hear, its own options.
"""

from collections.abc import Iterator, Mapping, Sequence

from domain.contract.scene import Scene
from domain.contract.weight import Weight
from domain.events.battle import BattleEnded, BattleStopped, OrderAccepted
from domain.log.record import Recorded
from domain.run.seats import Seat
from domain.time.clock import ClockFace
from replay.reports import plain
from replay.telling.gist import MOST, gist
from replay.telling.words import order_in, phrase, worded
from replay.telling.words.names import name_in
from server.mail.blocks import Block, BoardBlock, HeadingLine, Link, Listing, Paragraph
from server.mail.cut import CUT
from server.mail.menu import menu_of
from server.mail.orders import orders_of
from server.mail.outgoing.letters.pieces import Cut, ListPiece, Piece
from server.mail.outgoing.letters.reader import LetterReader
from server.play.live_battle import LiveBattle
from server.play.seating import shown_name
from server.shown.luck import luck_in_a_line
from server.shown.moments import moment, stretch
from server.shown.story import question, tell
from server.words import say

TOLD_IN_SECTION = 2
"""Sentences of what happened, in a letter about several battles."""
FIRST, NEW = 2, 4
"""Player-turns in which a letter also says how to take part in the chance; what wins and how an answer is written."""
CROWDED, FEW = 20, 2
"""Units on a table of which only so many sentences are told, since the board takes more lines, and fewer words of how
to answer."""


def position(
    live: LiveBattle, side: str, reader: LetterReader, at: str, since: int | None = None, most: int | None = None
) -> list[Piece]:
    """What happened since and including the side's last own order (or since an event), in at most so many sentences;
    board, standing, orders: as short as can be, or all of it for a reader who wants long letters."""
    is_long = reader.is_long and most is None
    scene = worded(live.ruleset.shown.view(live.known(side), side), reader.lang)
    return [
        *recap(live, side, scene, reader.lang, since, most=most),
        BoardBlock(live.id, live.n, side, brief=not is_long),
        *standing(live, side, scene, reader, at),
        *_hand(scene, reader.lang),
        *orders(live, side, scene, reader.lang, is_long),
    ]


def title_of(live: LiveBattle, lang: str) -> str:
    """The title of the battle."""
    title = getattr(live.game, "title", "")
    return name_in(str(title), lang) if title else str(live.ruleset.title)


def cut_of(live: LiveBattle | None, lang: str) -> Cut:
    """The line above which an answer is written; it names the board that the writer has seen."""
    named = {"battle": live.id, "n": live.n} if live else {}
    return Cut(say(lang, "letter.cut", cut=CUT, **named))


# --- what happened


def recap(
    live: LiveBattle,
    side: str,
    scene: Scene,
    lang: str,
    since: int | None = None,
    weights: Mapping[str, Weight] | None = None,
    most: int | None = None,
) -> list[Piece]:
    """What has come of the events since one (None: since and including the side's last own order), as the side may hear
    it, in at most so many sentences. `weights` are the game's, or some of them; only of those events a sentence is
    made."""
    weights = live.ruleset.shown.gist if weights is None else weights
    first = max(last_order(live, side) - 1, 0) if since is None else since
    spans = live.recording.timeline.voided()
    heard = [
        recorded
        for recorded in plain.plain_events(live.recording.timeline.events)
        if recorded.n > first and not any(start <= recorded.n <= end for start, end in spans)
    ]
    weighed = [recorded for recorded in heard if recorded.type in weights]
    said = {line.n: line.said for line in tell(live.recording, side, weighed, lang)}
    told = gist(weights, heard, said, lang, most or (FEW if len(scene.tokens) > CROWDED else MOST))
    return [Paragraph(" ".join(told))] if told else []


def last_order(live: LiveBattle, side: str) -> int:
    """The event of the side's last own order, 0 before the first."""
    events = reversed(live.recording.timeline.events)
    own = (r.n for r in events if isinstance(r.event, OrderAccepted) and r.event.side == side)
    return next(own, 0)


def pending_question(live: LiveBattle, side: str, lang: str) -> str:
    """The sentence of the question that waits for the side's answer, or ""."""
    return question(live.recording, side, live.n, lang) if live.question() == side else ""


def wanted(live: LiveBattle, side: str, reader: LetterReader, at: str) -> str:
    """What is wanted of a side, and by when; or how the battle has ended; "" if nothing is."""
    lang = reader.lang
    if live.recording.battle.ended:
        return say(lang, f"letter.end.{outcome(live, side)}", said=result(live, side, lang))
    due = deadline_of(live, side, at)
    told = {"side": side} | ({"by": moment(due, reader.zone, lang)} if due else {})
    if question := pending_question(live, side, lang):
        return say(lang, "letter.decision", question=question, **told)
    if side in live.recording.battle.owing and not live.options(side):
        return say(lang, "letter.contribution", **told)
    return say(lang, "letter.turn", **told) if side in live.to_act() else ""


def result(live: LiveBattle, side: str, lang: str) -> str:
    """How the battle ended, in a sentence."""
    ended = _end(live)
    return next((line.said for line in tell(live.recording, side, [ended], lang)), "") if ended else ""


def outcome(live: LiveBattle, side: str) -> str:
    """`won`, `lost` or `drawn` for a side of a battle that is over, or `stopped`."""
    if live.recording.battle.stopped is not None:
        return "stopped"
    ended = _end(live)
    winner = ended.event.winner if ended is not None and isinstance(ended.event, BattleEnded) else ""
    return "drawn" if not winner else "won" if winner == side else "lost"


def _end(live: LiveBattle) -> Recorded | None:
    """The event with which a battle has ended."""
    ends = (BattleEnded, BattleStopped)
    return next((one for one in reversed(live.recording.timeline.events) if isinstance(one.event, ends)), None)


def ending(live: LiveBattle, side: str, reader: LetterReader, at: str) -> list[Piece]:
    """A battle that is over: thanks, what decided it, the luck in that, the last board, how to see it again."""
    scene = worded(live.ruleset.shown.view(live.known(side), side), reader.lang)
    weights = {name: weight for name, weight in live.ruleset.shown.gist.items() if weight == Weight.DECIDED}
    luck = luck_in_a_line(live, reader.lang)
    return [
        Paragraph(say(reader.lang, "letter.end.thanks")),
        *recap(live, side, scene, reader.lang, 0, weights),
        *([Paragraph(luck)] if luck else []),
        BoardBlock(live.id, live.n, side, brief=True),
        *standing(live, side, scene, reader, at),
        Paragraph(say(reader.lang, "letter.end.rematch")),
        Paragraph(say(reader.lang, "letter.end.again")),
    ]


def proof(lang: str, link: str) -> list[Piece]:
    """How to check the battle."""
    return [
        HeadingLine(say(lang, "letter.proof")),
        Paragraph(say(lang, "letter.proof.how")),
        Link(say(lang, "letter.proof.file"), link),
    ]


# --- how it stands


def standing(live: LiveBattle, side: str, scene: Scene, reader: LetterReader, at: str) -> list[Piece]:
    """The captions of the board: what the game says of both sides, each with its clock; a deadline of one's own stands
    in the first line of the letter."""
    lang = reader.lang
    captions = _captions(live, side, scene, reader)
    lines = [(0, words) for of, words in captions if not of]
    faces = live.clock(at)
    for one in live.seats.names:
        said = [words if words.endswith(".") else f"{words}." for of, words in captions if of == one]
        said += [_clock(faces[one], reader)] if one in faces and not (one == side and faces[one].deadline) else []
        lines.append((0, say(lang, "letter.side", side=one, said=" ".join(said), **_named(live, one, side, lang))))
    if live.game.draw_offer and not live.recording.battle.ended:
        which = "letter.draw.own" if live.game.draw_offer == side else "letter.draw"
        lines.append((0, say(lang, which, side=live.game.draw_offer)))
    return [ListPiece(tuple(lines))]


def _captions(live: LiveBattle, side: str, scene: Scene, reader: LetterReader) -> Sequence[tuple[str, str]]:
    """What the game says of the board, in few words for a reader who wants short letters."""
    brief = () if reader.is_long else live.ruleset.shown.brief(live.known(side))
    return [(of, phrase(told.id, told.params, reader.lang)) for of, told in brief] or scene.captions


def _named(live: LiveBattle, one: str, side: str, lang: str) -> dict[str, str]:
    named = name_at(live, one, lang)
    return {**named, "you": "yes"} if one == side else named


def name_at(live: LiveBattle, side: str, lang: str) -> dict[str, str]:
    """The holder of a side, as the sentences name them; {} for nobody."""
    seat: Seat | None = live.recording.battle.seats.get(side)
    return {"name": shown_name(seat.player, seat.name, lang)} if seat else {}


def _clock(face: ClockFace, reader: LetterReader) -> str:
    lang = reader.lang
    if face.flagged:
        return say(lang, "letter.clock.flagged")
    left = stretch(face.left_s, lang)
    if face.paused or face.away:
        return say(lang, "letter.clock.paused" if face.paused else "letter.clock.away", left=left)
    return say(lang, "letter.clock", left=left)


def deadline_of(live: LiveBattle, side: str, at: str) -> str:
    """When the time of a side that must act is up, "" if its clock does not run."""
    face = live.clock(at).get(side)
    return face.deadline if face is not None and face.running and not face.flagged else ""


def _hand(scene: Scene, lang: str) -> Iterator[Block]:
    if scene.held:
        yield HeadingLine(say(lang, "letter.hand"))
        yield Listing(tuple(scene.held))


# --- what can be ordered


def orders(live: LiveBattle, side: str, scene: Scene, lang: str, is_long: bool = False) -> list[Piece]:
    """The legal orders, all of them or a short list; a side that need not act reads whom the battle waits for."""
    if side in live.to_act() and live.options(side):
        return [(orders_of if is_long else menu_of)(live, side, scene, lang)]
    waits = [one for one in live.to_act() if side in live.seats and one != side]
    if not waits or live.recording.battle.ended:
        return []
    return [Paragraph(say(lang, "letter.waits", side=waits[0], **_named(live, waits[0], side, lang)))]


def usual_of(live: LiveBattle, side: str, lang: str) -> list[str]:
    """The standing orders that one word gives, to a side that has given none; [] if there are none."""
    known, orders = live.known(side), live.ruleset.orders
    if orders.standing(known, side, lang):
        return []
    usual = [order_in(live.ruleset, order, lang) for order in orders.usual(known, side)]
    if not usual:
        return []
    told = {} if _is_crowded(live, side) else {"orders": "; ".join(usual)}
    return [say(lang, "letter.how.usual", **told)]


def _is_crowded(live: LiveBattle, side: str) -> bool:
    return len(live.ruleset.shown.view(live.known(side), side).tokens) > CROWDED


def how_to(live: LiveBattle, side: str, lang: str, is_section: bool = False) -> list[Piece]:
    """How to answer, for somebody new to the battle; for everybody what must come with the orders, or comes alone. A
    letter about several battles says once for all how to answer."""
    seat = live.recording.battle.seats.get(side)
    if side not in live.to_act() and side not in live.recording.battle.owing:
        return []
    is_alone = side not in live.to_act() or not live.options(side)
    told = [say(lang, f"letter.how.contribution{'.below' if is_section else ''}")] if is_alone else []
    if not is_alone and live.game.t <= NEW:
        goal = live.ruleset.shown.goal
        told += [] if is_section else [say(lang, "letter.how")]
        is_needed = live.game.t <= FIRST or not _is_crowded(live, side)
        told += [phrase(goal, {}, lang)] if goal and is_needed else []
    if not (is_alone or is_section) and live.game.t <= FIRST:
        has_odds = any(option.needed and option.odds for option in live.options(side))
        told += [say(lang, "letter.how.odds")] if has_odds and not _is_crowded(live, side) else []
        told += usual_of(live, side, lang)
    if seat is not None and live.recording.battle.owes(side):
        if seat.mode == "sealed":
            told.append(say(lang, "letter.how.seal"))
        elif not is_alone and live.game.t <= FIRST and not _is_crowded(live, side):
            told.append(say(lang, "letter.how.phrase"))
    return [Paragraph(" ".join(told))] if told else []
