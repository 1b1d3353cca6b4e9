"""What the text of a reply says, and what is said of its lines."""

from collections.abc import Sequence

from domain.basics.commands import AcceptDraw, OfferDraw, Resign
from domain.basics.errors import Refusal
from domain.basics.message import Message
from domain.basics.spelling import plain_word
from domain.engine.dockets import UMPIRE
from domain.scripts.program import GiveOrder, Policy, Repeat
from domain.scripts.reading import PHRASE, SEAL, lines_of
from server.mail.incoming.sorting import SortedReply
from server.mail.verdict import WAITS, LineVerdict
from server.play.disputing import is_dispute
from server.play.live_battle import LiveBattle
from server.play.scripts import LineEcho, Unreadable, read_script

ENDING = (Resign, OfferDraw, AcceptDraw)
ASKED, WHICH = "asked", "desk.which-order"
"""The reason for which nothing is played where a line has two readings, and what is said of that line."""
YES = frozenset({"yes", "y", "ok", "confirm", "confirmed", "oui", "o", "confirme", "confirmer", "d'accord"})


def says_yes(text: str) -> bool:
    """Whether a reply to the address of a confirmation confirms: its first line begins with a yes. Orders, a question,
    an automatic note or `No!` do not."""
    line = next((line for line in text.split("\n") if line.strip()), "")
    return plain_word(next(iter(line.replace(",", " ").split()), "").strip(".!;:\"'()")) in YES


def decides(live: LiveBattle, side: str, text: str) -> bool:
    """Whether the first line of a text is an answer to the decision that a side is asked for."""
    waiting = live.game.waiting
    line = next((line.strip() for line in text.split("\n") if line.strip()), "")
    if waiting is None or waiting.side != side:
        return False
    try:
        return bool(waiting.kind == live.ruleset.orders.parse(line).ANSWERS)
    except Refusal:
        return False


def begins_dispute(text: str) -> bool:
    """Whether the first line of a text is one of a dispute."""
    return is_dispute(next((line.strip() for line in text.split("\n") if line.strip()), ""))


def is_of_disputes(orders: str) -> bool:
    """Whether there are lines of disputes alone, which may be said at any time."""
    lines = [line.strip() for line in lines_of(orders)]
    said = [line for line in lines if line and not line.startswith("#")]
    return bool(said) and all(is_dispute(line) for line in said)


def speaks_for(live: LiveBattle, side: str, player: str) -> bool:
    """Whether a player holds a side of a battle, or is its umpire where `side` is theirs."""
    battle = live.recording.battle
    seat = battle.seats.get(side)
    return battle.disputes.umpire == player if side == UMPIRE else seat is not None and seat.player == player


def ends_battle(live: LiveBattle, text: str) -> bool:
    """Whether orders would resign, or offer or accept a draw: these are always confirmed."""
    try:
        script = read_script(text, live.ruleset.read, senses=live.ruleset.orders.senses)
    except (Unreadable, Refusal):  # nothing of it will be played
        return False
    orders = [step.text for step in script.program if isinstance(step, (GiveOrder, Repeat))]
    orders += [answer.order for step in script.program if isinstance(step, Policy) for answer in step.answers]
    return any(isinstance(live.ruleset.read(order), ENDING) for order in orders)


def unclear(reply: SortedReply) -> tuple[LineVerdict, ...]:
    """The lines for which nothing of a reply is played: their number is not in the letter, or they may mean more than
    one of its orders."""
    unknown = (LineVerdict(line, "unreadable", Message("desk.no-such-number", {})) for line in reply.unknown)
    asked = (LineVerdict(line, "unreadable", Message(WHICH, {"orders": orders})) for line, orders in reply.asked)
    return (*unknown, *asked)


def waiting_lines(reply: SortedReply) -> tuple[LineVerdict, ...]:
    """The lines of a reply that wait for their writer's word."""
    return tuple(LineVerdict(line, WAITS) for line in reply.waiting.split("\n") if line.strip())


def verdicts(echoed: Sequence[LineEcho], is_played: bool = False) -> tuple[LineVerdict, ...]:
    """Each written line and its result; a line that does nothing (a comment, `end if`) is not repeated. A phrase
    takes effect with whatever was played."""
    lines = []
    for line in echoed:
        if line.fault is not None:
            lines.append(LineVerdict(line.text, "unreadable", message_of(line.fault), line.fault.rule))
        elif line.outcome is not None:
            outcome = line.outcome
            why = outcome.refusal or outcome.why
            status = "ok" if outcome.status == "accepted" else outcome.status
            message, rule = (message_of(why), why.rule) if why else (None, "")
            lines.append(LineVerdict(line.text, status, message, rule, outcome.first, outcome.last, len(outcome.spans)))
        elif line.text.split()[0].casefold() in PHRASE + SEAL:
            lines.append(LineVerdict(line.text, "ok" if is_played else "not-played"))
    return tuple(lines)


def message_of(refused: Refusal) -> Message:
    """A refusal as kept with a verdict; its rule is stored separately."""
    return Message(refused.code, refused.params)
