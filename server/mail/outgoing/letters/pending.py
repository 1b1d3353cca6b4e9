"""A player's waiting letters: which go out as one, and which are out of date.

A digest includes everything that waits. Each included row is marked with the id of the digest's row: once that has
left, the row has been delivered; if a crash comes between, the digest is made again and includes it again.
"""

from collections.abc import Sequence

from domain.events.battle import DecisionMade, OrderAccepted, TurnBegan
from replay.writing.clock import later
from server.mail.digests import section_key
from server.mail.outgoing.preferences import ALWAYS, ASKING, name_of
from server.mail.verdict import Verdict
from server.play.live_battle import LiveBattle
from server.play.questions import question_of
from server.play.request import MAIL_CHANNEL
from server.play.scripts import public_key
from server.store import Statement
from server.store.contract import TableRows
from server.store.tables import deliveries, outbox
from server.store.tables.deliveries import INSIDE, Delivery
from server.store.tables.outbox import Letter, LetterKind

PLAYED = "played"
SAME = ASKING | {LetterKind.END}
"""Letters that say nothing that the answer to a mail does not say as well."""
PATIENCE_S = 60.0
"""How long a letter waits for what belongs into it: a bot's moves, the answer to a mail."""
JOIN_S = 24 * 3600
"""How long an answer that only informs waits for a letter that asks something."""


def waiting(store: TableRows, recipient: str) -> list[Letter]:
    """The letters of a player that could stand in a digest, oldest first."""
    query = f"{outbox.SELECT} WHERE recipient=? AND sent_at IS NULL ORDER BY id"
    rows = [Letter(*row) for row in store.rows(query, (recipient,))]
    return [row for row in rows if name_of(row.kind) not in ALWAYS]


def host_of(store: TableRows, row: Letter) -> Letter | None:
    """The letter in which this one was included, sent or not; None if it stands for itself."""
    note = deliveries.find(store, row.id).error
    return outbox.find(store, int(note.removeprefix(INSIDE))) if note.startswith(INSIDE) else None


def taken_in(store: TableRows, rows: Sequence[Letter], host: Letter, now: str) -> list[Statement]:
    """Mark the rows that a digest includes."""
    return [
        deliveries.put_off(Delivery(row.id, deliveries.find(store, row.id).attempts, now, f"{INSIDE}{host.id}"))
        for row in rows
        if row.id != host.id
    ]


def said_by(store: TableRows, recipient: str, battle: str, last: int) -> list[Letter]:
    """The letters that say what the answer to a mail says as well, being about the same battle up to event `last`."""
    query = f"{outbox.SELECT} WHERE recipient=? AND battle=? AND n<=? AND sent_at IS NULL ORDER BY id"
    rows = (Letter(*found) for found in store.rows(query, (recipient, battle, last)))
    return [row for row in rows if name_of(row.kind) in SAME]


def waits_for_answer(store: TableRows, live: LiveBattle, side: str, row: Letter) -> bool:
    """Whether what a letter asks follows from a mail of its reader whose answer has not left: that will ask it."""
    query = f"{outbox.SELECT} WHERE recipient=? AND battle IN (?, '') AND kind LIKE ? ORDER BY id"
    answers = [Letter(*found) for found in store.rows(query, (row.recipient, row.battle, f"{LetterKind.ANSWER}:%"))]
    if any(answer.sent_at is None for answer in answers):
        return True
    entries = reversed(live.recording.timeline.events[: row.n])
    orders = ((entry.n, entry.event) for entry in entries if isinstance(entry.event, OrderAccepted))
    n, order = next(((n, order) for n, order in orders if order.side == side), (0, None))
    if order is None or order.channel != MAIL_CHANNEL:
        return False
    keys = {key for answer in answers for key in _keys(row, answer)}
    return order.key not in keys and all(answer.n < n for answer in answers)  # the mail is still being judged


def _keys(row: Letter, answer: Letter) -> tuple[str, str]:
    """The keys that orders for the battle of a letter have in its log if they came with the mail that is answered. An
    answer may stand before them: what a mail says last is perhaps played after the other side's decision."""
    mail = answer.kind.partition(":")[2]
    return public_key(row.recipient, mail), public_key(row.recipient, section_key(mail, row.battle))


def joins_until(live: LiveBattle, verdict: Verdict, answer: Letter, is_urgent: bool) -> str:
    """Until when the answer to a played mail that leaves its writer nothing to do waits for the next letter to them; ""
    if it goes at once. An answer to a decision waits while the other side moves; one to a turn of their own only for
    players who want nothing but urgent letters (`is_urgent`)."""
    battle = live.recording.battle
    if battle.ended or verdict.side in live.to_act() or verdict.side in battle.owing or verdict.requests:
        return ""
    is_joined = verdict.what == PLAYED and (is_urgent or _answers_a_decision(live, verdict))
    return later(answer.created, JOIN_S) if is_joined else ""


def _answers_a_decision(live: LiveBattle, verdict: Verdict) -> bool:
    """Whether a mail answered what its side was asked in the turn of the other."""
    first = min((said.first for said in verdict.lines if said.first), default=1)
    last = max((said.last for said in verdict.lines), default=0)
    events = [entry.event for entry in live.recording.timeline.events[:last]]
    began = [event.side for event in events[: first - 1] if isinstance(event, TurnBegan)]
    made = (event for event in events[first - 1 :] if isinstance(event, DecisionMade))
    return began[-1:] != [verdict.side] and any(event.side == verdict.side for event in made)


def joining(store: TableRows, row: Letter, now: str) -> list[Letter]:
    """The answers to the reader of a letter that wait for it (`joins_until`)."""
    query = f"{outbox.SELECT} WHERE recipient=? AND battle=? AND kind LIKE ? AND sent_at IS NULL ORDER BY id"
    rows = (Letter(*found) for found in store.rows(query, (row.recipient, row.battle, f"{LetterKind.ANSWER}:%")))
    noted = ((one, deliveries.find(store, one.id)) for one in rows)
    return [one for one, note in noted if note.next_try > now and not note.error]


def hastened(rows: Sequence[Letter], now: str) -> tuple[Statement, ...]:
    """Make letters that wait due now."""
    return tuple(deliveries.put_off(Delivery(row.id, 0, now, "")) for row in rows)


def waits_for_bot(live: LiveBattle) -> bool:
    """Whether nobody but a bot has to act: what it does is told as well."""
    acting = live.to_act()
    seats = live.recording.battle.seats
    return bool(acting) and all(side in seats and seats[side].kind == "bot" for side in acting)


def is_repeated(store: TableRows, row: Letter) -> bool:
    """Whether a later letter asks the same player in the same battle: it shows the newer board."""
    if name_of(row.kind) not in ASKING:
        return False
    query = f"{outbox.SELECT} WHERE recipient=? AND battle=? AND id>?"
    later = (Letter(*found) for found in store.rows(query, (row.recipient, row.battle, row.id)))
    return any(name_of(one.kind) in ASKING for one in later)


def has_news(store: TableRows, row: Letter, live: LiveBattle, side: str, now: str) -> bool:
    """Whether the news of a letter to the player of `side` still holds."""
    name, _, about = row.kind.partition(":")
    if name in ASKING:
        return is_open(live, side, row.n) and not is_repeated(store, row)
    if name == LetterKind.REMINDER:
        since = about.rpartition(":")[2]
        return is_open(live, side, int(since) if since.isdigit() else row.n)
    if name == LetterKind.FLAG:
        face = live.clock(now).get(about)
        return face is not None and face.flagged
    return name == LetterKind.END or not live.recording.battle.ended


def side_of(live: LiveBattle, player: str) -> str:
    """The side of a player: if they hold both, the one that must act; "" if they hold none."""
    held = live.recording.battle.seat_of(player)
    acting = [side for side in held if side in live.to_act()]
    return (acting or [*held, ""])[0]


def may_wait(row: Letter, now: str) -> bool:
    """Whether a letter may still wait for what belongs into it, or for one that says the same."""
    return now < later(row.created, PATIENCE_S)


def is_followed(store: TableRows, row: Letter) -> bool:
    """Whether a later letter about the same docket waits for the same player: it tells all that was said."""
    query = f"{outbox.SELECT} WHERE recipient=? AND battle=? AND kind=? AND id>? AND sent_at IS NULL LIMIT 1"
    return bool(store.rows(query, (row.recipient, row.battle, row.kind, row.id)))


def has_letter_about(store: TableRows, row: Letter) -> bool:
    """Whether a player has had a letter about a docket before."""
    query = f"{outbox.SELECT} WHERE recipient=? AND battle=? AND kind=? AND id<? AND sent_at IS NOT NULL LIMIT 1"
    return bool(store.rows(query, (row.recipient, row.battle, row.kind, row.id)))


def waiting_since(live: LiveBattle, sides: Sequence[str], since: int, now: str) -> str:
    """The first of these sides for which the battle has waited since an event, by its clock; "" if there is none."""
    faces = live.clock(now)
    return next((side for side in sides if side in faces and faces[side].since == since), "")


def is_open(live: LiveBattle, side: str, since: int) -> bool:
    """Whether a side has not yet done what it was asked after event `since`: it must act, and has not acted since."""
    if side in live.recording.battle.owing:
        return True
    question = question_of(live, side)
    return bool(question) and int(question.rpartition(" ")[2]) <= since  # its last word is the side's last order
