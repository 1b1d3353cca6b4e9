"""Complain of something to the administrators, settle a complaint, block another player."""

from msgspec import Struct

from domain.basics.errors import Refusal
from replay.writing.entropy import Entropy, new_id
from server.people.moderation import recorded
from server.people.players import Player
from server.store import Statement
from server.store.contract import TableRows
from server.store.tables import accounts, blocks, complaints, outbox
from server.store.tables.complaints import Complaint, ComplaintKind, ComplaintOutcome
from server.store.tables.outbox import LetterKind

LONGEST = 1000
"""Characters of what a reporter or an administrator writes."""
MOST_BLOCKED = 200


class ComplaintSubject(Struct, frozen=True):
    """What somebody complains of: the kind, the player it is about ("": nobody), where it stands, and the words,
    as they are."""

    kind: ComplaintKind
    about: str
    battle: str = ""
    item: str = ""
    words: str = ""


def complain(reporter: Player, what: ComplaintSubject, why: str, at: str, entropy: Entropy) -> Complaint:
    """A complaint by a player, as it is kept.

    Raises: Refusal core.own-complaint, core.complaint-what
    """
    if what.about == reporter.id:
        raise Refusal("core.own-complaint", "CORE-ACCESS")
    return Complaint(
        new_id(entropy), at, reporter.id, what.kind, what.about, what.battle, what.item, what.words, usable_text(why)
    )


def usable_text(text: str, may_be_empty: bool = False) -> str:
    """A text with which a complaint is made or settled.

    Raises: Refusal core.complaint-what
    """
    lines = ("".join(filter(str.isprintable, line)).rstrip() for line in text.splitlines())
    plain = "\n".join(lines).strip()
    if len(plain) > LONGEST or not (plain or may_be_empty):
        raise Refusal("core.complaint-what", "CORE-ACCESS", most=LONGEST)
    return plain


def settled(found: Complaint, outcome: ComplaintOutcome, answer: str, by: str, at: str) -> tuple[Statement, ...]:
    """The statements that settle a complaint: the deed, and a letter to the reporter if they have an address.

    Raises: Refusal core.complaint-settled, core.complaint-what
    """
    if found.settled:
        raise Refusal("core.complaint-settled", "CORE-ACCESS", complaint=found.id)
    plain = usable_text(answer, may_be_empty=True)
    letter = outbox.post_if_reached("", 0, found.reporter, f"{LetterKind.COMPLAINT}:{found.id}", at)
    return (
        complaints.settle(found.id, at, outcome, plain),
        recorded(f"complaint-{outcome}", found.id, by, at, plain),
        letter,
    )


def block(store: TableRows, player: Player, other: str, at: str) -> Statement:
    """Block another player.

    Raises: Refusal core.no-such-player, core.own-block, core.too-many-blocks
    """
    if other == player.id:
        raise Refusal("core.own-block", "CORE-ACCESS")
    if accounts.by_player(store, other) is None:
        raise Refusal("core.no-such-player", "CORE-ACCESS")
    if len(blocks.blocked_by(store, player.id)) >= MOST_BLOCKED:
        raise Refusal("core.too-many-blocks", "CORE-ACCESS", most=MOST_BLOCKED)
    return blocks.add(player.id, other, at)
