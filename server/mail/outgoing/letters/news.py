"""Letters that report: a turn, a question, a clock, the end, a message."""

from collections.abc import Iterator

from domain.events.battle import SideJoined, TurnBegan
from server.acts.plain_text import unlinked
from server.mail.blocks import Listing, Paragraph
from server.mail.cut import uncut
from server.mail.desk import first_steps
from server.mail.outgoing.letters.disputes import ruling_of_end
from server.mail.outgoing.letters.pieces import Cut, Lead, LetterWords, Piece
from server.mail.outgoing.letters.position import (
    TOLD_IN_SECTION,
    cut_of,
    deadline_of,
    ending,
    how_to,
    name_at,
    outcome,
    pending_question,
    position,
    proof,
    title_of,
    wanted,
)
from server.mail.outgoing.letters.reader import LetterReader
from server.play.live_battle import LiveBattle
from server.play.seating import shown_name
from server.shown.moments import moment
from server.store.tables import campaigns
from server.store.tables.outbox import LetterKind
from server.store.tables.posts import Post
from server.words import say

LADDER = frozenset({"half", "24h", "2h"})

MOST_TITLE = 60
"""Characters of the title of a campaign in the subject of a letter about one of its battles."""


def news(
    live: LiveBattle, side: str, kind: str, reader: LetterReader, at: str, link: str = "", is_section: bool = False
) -> list[Piece]:
    """The letter of a kind (`turn`, `reminder:24h:17`, …) to the reader who holds `side`; `link` to the battle file;
    `is_section`: it stands in a letter about several battles."""
    name, _, about = kind.partition(":")
    pieces: list[Piece] = [Lead(lead(live, side, name, about, reader, at)), cut_of(live, reader.lang)]
    if name == LetterKind.END:
        return [
            *pieces,
            *ruling_of_end(live, side, reader.lang),
            *ending(live, side, reader, at),
            *proof(reader.lang, link),
        ]
    most = TOLD_IN_SECTION if is_section else None
    if live.is_clock_doubted and deadline_of(live, side, at):
        pieces.append(Paragraph(say(reader.lang, "letter.clock-doubted")))
    return [*pieces, *how_to(live, side, reader.lang, is_section), *position(live, side, reader, at, most=most)]


def subject(live: LiveBattle, side: str, lang: str) -> str:
    """The battle, the opponent, and what the letter is about: "Zama vs Bob: your turn 4"; of a battle of a campaign
    also its title and the board, "· Autumn Cup 2.3"."""
    what, told = state_of(live, side, lang)
    about = say(lang, f"letter.subject.{'orders' if what == 'phrase' else what}", **told)
    return " · ".join([about, *_place(live)])


def _place(live: LiveBattle) -> Iterator[str]:
    """The campaign of a battle, and its board there; of a ladder the title alone."""
    found = campaigns.battle(live.store, live.id)
    row = campaigns.rows_of(live.store, (found.campaign,)).get(found.campaign) if found is not None else None
    if found is not None and row is not None:
        yield f"{unlinked(row.title)[:MOST_TITLE]} {found.board}".strip()


def state_of(live: LiveBattle, side: str, lang: str) -> tuple[str, dict[str, object]]:
    """What a battle is to a side (`turn`, `answer`, `phrase`, `end.won` …), with its title, opponent and turn."""
    seats = live.recording.battle.seats
    others = [seats[other] for other in live.seats.others(side) if other in seats]
    named = {"name": ", ".join(shown_name(other.player, other.name, lang) for other in others)} if others else {}
    turns = sum(
        isinstance(entry.event, TurnBegan) and entry.event.side == side for entry in live.recording.timeline.events
    )
    if live.recording.battle.ended:
        what = f"end.{outcome(live, side)}"
    elif live.question() == side:
        what = "answer"
    elif side in live.recording.battle.owing and not live.options(side):
        what = "phrase"
    elif side in live.to_act():
        what = "turn" if turns else "orders"
    else:
        what = "news"
    return what, {"title": title_of(live, lang), "turn": turns, **named}


def lead(live: LiveBattle, side: str, name: str, about: str, reader: LetterReader, at: str) -> str:
    """What is wanted, and by when."""
    lang = reader.lang
    due = deadline_of(live, side, at)
    told = {"side": side} | ({"by": moment(due, reader.zone, lang)} if due else {})
    if name == LetterKind.JOINED:
        joined = _newest_joined(live, side)
        return say(lang, "letter.joined", side=joined, **name_at(live, joined, lang))
    if name == LetterKind.FLAG:
        flagged = about or side
        whose = "own" if flagged == side else "other"
        return say(lang, f"letter.flag.{whose}", side=flagged, **name_at(live, flagged, lang))
    if name in (LetterKind.ABSENCE, LetterKind.PAUSE):
        return _still(live, side, name, about, lang)
    if name == LetterKind.REMINDER and (step := about.partition(":")[0]) in LADDER:
        return say(lang, f"letter.reminder.{step}", **told)
    if name == LetterKind.CONTRIBUTION and not pending_question(live, side, lang):
        return say(lang, "letter.contribution", **told)
    return wanted(live, side, reader, at) or say(lang, "letter.news")


def _newest_joined(live: LiveBattle, side: str) -> str:
    """The other side that was taken last."""
    events = (entry.event for entry in reversed(live.recording.timeline.events))
    joined = (event.side for event in events if isinstance(event, SideJoined) and event.side != side)
    return next(joined, live.seats.others(side)[0])


def _still(live: LiveBattle, side: str, name: str, about: str, lang: str) -> str:
    """Clocks stand still, or run again: `begun`, `over`, `asked`, `agreed`, of a side where it is one's."""
    what, _, of = about.partition(":")
    known = f"letter.{name}.{what}"
    whose = of or live.seats.others(side)[0]
    if (name, what) in STILL:
        return say(lang, known, side=whose, **name_at(live, whose, lang))
    return say(lang, f"letter.{name}", side=whose, **name_at(live, whose, lang))


STILL = frozenset(
    {
        (LetterKind.ABSENCE, "begun"),
        (LetterKind.ABSENCE, "over"),
        (LetterKind.PAUSE, "asked"),
        (LetterKind.PAUSE, "agreed"),
        (LetterKind.PAUSE, "one-agreed"),
        (LetterKind.PAUSE, "over"),
    }
)


def welcome(reader: LetterReader, mailbox: str) -> list[Piece]:
    """The first letter to somebody for whom the host has made an account: what this is, where to write, what to do
    first. It grants no access: whoever receives it by mistake can only answer it."""
    lang = reader.lang
    return [
        Lead(say(lang, "letter.welcome", name=reader.name)),
        cut_of(None, lang),
        Paragraph(say(lang, "letter.welcome.address", address=mailbox)),
        Paragraph(say(lang, "letter.welcome.first")),
        *first_steps(lang),
    ]


def faulty(battle: str, n: int, what: str, lang: str) -> list[Piece]:
    """A battle of the server cannot be proven, from event `n` on; `what` is the code of the fault."""
    return [
        Lead(say(lang, "letter.fault.what", battle=battle, n=n, what=what)),
        Paragraph(say(lang, "letter.fault.then")),
        Listing((f"phalera export {battle} --out {battle}.battle", f"phalera verify {battle}.battle")),
        Paragraph(say(lang, "letter.fault.more")),
    ]


def word(live: LiveBattle, post: Post, lang: str) -> list[Piece]:
    """A message from the other side, under the name of its seat."""
    name = live.recording.battle.seats[post.side].name if post.side in live.recording.battle.seats else ""
    told = say(lang, "letter.say", side=post.side, **({"name": name} if name else {}))
    lines = tuple(uncut(line).rstrip() for line in post.text.replace("\r\n", "\n").split("\n"))
    cut: Cut = cut_of(live, lang)
    return [Lead(told), cut, LetterWords(name or post.side, lines), Paragraph(say(lang, "letter.say.how"))]
