"""The part of a letter about the battle: recap, standing, legal orders.

Only what the reader's side may know goes into it: the state known to it, the sentences it may hear, its own options.
"""

from collections.abc import Iterator

from domain.engine.events import BattleEnded, OrderAccepted
from domain.engine.seats import Seat
from domain.engine.state import OTHER, SIDES
from domain.log.record import Recorded
from domain.scene import Scene
from domain.time.clock import ClockFace
from replay.reports import plain
from replay.telling.words import worded
from replay.telling.words.names import name_in
from server.mail.blocks import Block, BoardBlock, Heading, Listing, Paragraph
from server.mail.cut import CUT
from server.mail.moments import moment, stretch
from server.mail.orders import orders_of
from server.mail.outgoing.letters.pieces import Cut, Items, Piece
from server.mail.outgoing.letters.reader import LetterReader
from server.play.live_battle import LiveBattle
from server.play.seating import shown_name
from server.shown.story import question, tell
from server.words import say

RECAP_LINES = 120
"""Sentences of a recap; earlier ones are left out."""


def position(live: LiveBattle, side: str, reader: LetterReader, at: str, since: int | None = None) -> list[Piece]:
    """Captions, clocks, board, hand; events since and including the side's last own order; orders. The results of a
    mail (`since`: the event before its first) come above the board instead, because its writer looks for them first."""
    scene = worded(live.ruleset.shown.view(live.known(side), side), reader.lang)
    told = recap(live, side, reader.lang, since)
    return [
        *(told if since is not None else ()),
        *standing(live, side, scene, reader, at),
        Heading(say(reader.lang, "letter.board", n=live.n)),
        BoardBlock(live.id, live.n, side),
        *_hand(scene, reader.lang),
        *(told if since is None else ()),
        *orders(live, side, scene, reader.lang),
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


def recap(live: LiveBattle, side: str, lang: str, since: int | None = None) -> list[Piece]:
    """What has happened since an event (None: with the side's last own order), as the side may hear it."""
    events = live.recording.timeline.events
    first = max(last_order(live, side) - 1, 0) if since is None else since
    heard = [recorded for recorded in plain.spoken(events) if recorded.n > first]
    lines: list[tuple[int, str]] = []
    if len(heard) > RECAP_LINES:
        lines.append((0, say(lang, "letter.since.more", count=len(heard) - RECAP_LINES)))
        heard = heard[-RECAP_LINES:]
    told = {line.n: line for line in tell(live.recording, side, heard, lang)}
    for recorded in heard:
        line = told[recorded.n]
        voided = "letter.since.voided" if line.voided else "letter.since.line"
        lines.append((_level(recorded), say(lang, voided, n=line.n, said=line.said)))
    heading = "letter.since.mail" if since is not None else "letter.since" if first else "letter.since.begin"
    return [Heading(say(lang, heading)), Items(tuple(lines) or ((0, say(lang, "letter.since.nothing")),))]


def _level(recorded: Recorded) -> int:
    """An order, a turn or a phase begins something; the rest follows from it."""
    opens = plain.is_order(recorded) or plain.is_turn(recorded) or recorded.by == "server"
    return 0 if opens or isinstance(recorded.event, BattleEnded) else 1


def last_order(live: LiveBattle, side: str) -> int:
    """The event of the side's last own order, 0 before the first."""
    events = reversed(live.recording.timeline.events)
    own = (r.n for r in events if isinstance(r.event, OrderAccepted) and r.event.side == side)
    return next(own, 0)


def asked(live: LiveBattle, side: str, lang: str) -> str:
    """The sentence of the question that waits for the side's answer, or ""."""
    return question(live.recording, side, live.n, lang) if live.question() == side else ""


def result(live: LiveBattle, side: str, lang: str) -> str:
    """How the battle ended, in a sentence."""
    events = live.recording.timeline.events
    ended = next((recorded for recorded in reversed(events) if isinstance(recorded.event, BattleEnded)), None)
    return next((line.said for line in tell(live.recording, side, [ended], lang)), "") if ended else ""


# --- how it stands


def standing(live: LiveBattle, side: str, scene: Scene, reader: LetterReader, at: str) -> list[Piece]:
    """The captions of the board: what the game says of both sides; then their clocks."""
    lang = reader.lang
    lines = [(0, words) for of, words in scene.captions if not of]
    for one in SIDES:
        said = " ".join(words for of, words in scene.captions if of == one)
        lines.append((0, say(lang, "letter.side", side=one, said=said, **_named(live, one, side, lang))))
    faces = live.clock(at)
    lines += [(0, _clock(faces[one], live, side, reader)) for one in SIDES if one in faces]
    if live.game.draw_offer and not live.recording.battle.ended:
        which = "letter.draw.own" if live.game.draw_offer == side else "letter.draw"
        lines.append((0, say(lang, which, side=live.game.draw_offer)))
    return [Heading(say(lang, "letter.stands")), Items(tuple(lines))]


def _named(live: LiveBattle, one: str, side: str, lang: str) -> dict[str, str]:
    named = name_at(live, one, lang)
    return {**named, "you": "yes"} if one == side else named


def name_at(live: LiveBattle, side: str, lang: str) -> dict[str, str]:
    """The holder of a side, as the sentences name them; {} for nobody."""
    seat: Seat | None = live.recording.battle.seats.get(side)
    return {"name": shown_name(seat.player, seat.name, lang)} if seat else {}


def _clock(face: ClockFace, live: LiveBattle, side: str, reader: LetterReader) -> str:
    lang = reader.lang
    named = {"side": face.side, **_named(live, face.side, side, lang), "left": stretch(face.left_s, lang)}
    if face.flagged:
        return say(lang, "letter.clock.flagged", **named)
    if face.paused or face.away:
        return say(lang, "letter.clock.paused" if face.paused else "letter.clock.away", **named)
    if face.running and face.deadline:
        return say(lang, "letter.clock.running", by=moment(face.deadline, reader.zone, lang), **named)
    return say(lang, "letter.clock.still", **named)


def deadline_of(live: LiveBattle, side: str, at: str) -> str:
    """When the time of a side that must act is up, "" if its clock does not run."""
    face = live.clock(at).get(side)
    return face.deadline if face is not None and face.running and not face.flagged else ""


def _hand(scene: Scene, lang: str) -> Iterator[Block]:
    if scene.held:
        yield Heading(say(lang, "letter.hand"))
        yield Listing(tuple(scene.held))


# --- what can be ordered


def orders(live: LiveBattle, side: str, scene: Scene, lang: str) -> list[Piece]:
    """Legal orders to copy; a side that need not act reads whom the battle waits for."""
    if side in live.to_act() and live.options(side):
        return [Heading(say(lang, "letter.orders")), orders_of(live, side, scene, lang)]
    waits = [one for one in live.to_act() if one == OTHER.get(side)]
    if not waits or live.recording.battle.ended:
        return []
    return [Paragraph(say(lang, "letter.waits", side=waits[0], **_named(live, waits[0], side, lang)))]


def how_to(live: LiveBattle, side: str, lang: str) -> list[Piece]:
    """How to answer, in two lines; a third if something must come with the orders, or is all that is wanted."""
    seat = live.recording.battle.seats.get(side)
    if side not in live.to_act() and side not in live.recording.battle.owing:
        return []
    is_alone = side not in live.to_act() or not live.options(side)
    lines = [Paragraph(say(lang, "letter.how.contribution" if is_alone else "letter.how"))]
    if seat is not None and live.recording.battle.owes(side) and (not is_alone or seat.mode == "sealed"):
        lines.append(Paragraph(say(lang, "letter.how.seal" if seat.mode == "sealed" else "letter.how.phrase")))
    return [*lines]
