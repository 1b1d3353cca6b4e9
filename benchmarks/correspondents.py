"""What the bots of a correspondence write: the orders of a turn, as a person would put them into a mail."""

import random
from collections.abc import Iterator
from typing import Any, Protocol

from domain.basics.errors import Refusal
from domain.log.chance import StreamChance
from domain.run.bots import BOTS
from domain.run.decide import decide, evolve
from server.mail.numbering import list_of, listed
from server.mail.outgoing.letters.advice import advice
from server.mail.outgoing.letters.menu_text import BAR
from server.play.live_battle import LiveBattle

HABITS = ("newcomer", "numbers", "advised", "usual", "mixed", "standing")
OPEN = {"newcomer": 1.0, "numbers": 1.0, "advised": 1.0, "usual": 1.0, "mixed": 0.25, "standing": 0.0}
"""The part of the turns, and of the units that may evade, for which a bot answers nothing in advance."""
SLIPS = 0.15
"""The part of a person's mails in which an order is mistyped."""
GREETINGS = ("", "Hi Bob,", "Hello!", "Nice move last time :)", "Hallo zusammen", "Bonjour,")
ENDINGS = (
    "",
    "Cheers,\nAnna",
    "Anna",
    "Sent from my iPhone",
    "Mvh, Anders",
    "-Abhishek",
    "Best regards\nA. N. Other\nAcme Ltd",
)
MOST_ORDERS = 60
BOT = "sensible"


class Thinker(Protocol):
    """What moves the bots: their habit, and the chance with which they think and err."""

    habit: str
    whims: random.Random
    chance: StreamChance


def orders(club: Thinker, live: LiveBattle, side: str) -> list[str]:
    """What a bot answers: the decision it is asked, or a whole turn; in its first turn its standing orders above it."""
    known = live.known(side)
    if known.waiting:
        return [*(taken_up(live, side) if club.habit == "advised" else ()), *script(club, live, side)]
    lines = [] if known.turn > 1 or known.phase != "turns" else list(standing(club, known, side))
    if club.whims.random() >= OPEN[club.habit]:
        lines.append("on replay: yes if needs at most 8, else no")
    if club.habit == "usual" and not live.ruleset.orders.standing(known, side, "en"):
        lines.append("usual")  # as the first letter says
    if club.habit == "advised":
        lines += taken_up(live, side)
    return [f"phrase {club.whims.getrandbits(64):016x}", *lines, *script(club, live, side)]


def written(club: Thinker, live: LiveBattle, side: str, lines: list[str]) -> str:
    """The lines as a person writes them into a mail: with a greeting, a name, and now and then a slip."""
    if club.habit == "mixed":
        return "\n".join(lines)
    if club.habit == "numbers":
        numbers = {order: str(at) for at, order in enumerate(listed(list_of(live, side)).orders, 1)}
        lines = [numbers.get(line, line) for line in lines]
    elif club.whims.random() < SLIPS:
        at = club.whims.randrange(len(lines))
        lines = [*lines[:at], slip(club, lines[at]), *lines[at + 1 :]]
    parts = (club.whims.choice(GREETINGS), "\n".join(lines), club.whims.choice(ENDINGS))
    return "\n\n".join(part for part in parts if part)


def slip(club: Thinker, line: str) -> str:
    """A line with two letters of its last word exchanged; a phrase may be what it likes."""
    if line.startswith("phrase") or len(line) < 2:
        return line
    at = club.whims.randrange(len(line) - 1)
    return line[:at] + line[at + 1] + line[at] + line[at + 2 :]


def standing(club: Thinker, known: Any, side: str) -> Iterator[str]:
    """Standing orders for most of the units."""
    for unit in known.units.values():
        if unit.side == side and club.whims.random() >= OPEN[club.habit]:
            yield f"standing evade {unit.id} heavier"


def taken_up(live: LiveBattle, side: str) -> list[str]:
    """The standing order with which a letter to the side ends."""
    return [piece.lines[0].removeprefix(BAR) for piece in advice(live, side, "en")]


def script(club: Thinker, live: LiveBattle, side: str) -> list[str]:
    """The orders of a turn as a bot imagines it; what fails on the way makes others impossible."""
    ruleset, state, n = live.ruleset, live.known(side), live.n
    think, turn = BOTS[BOT], state.t
    lines: list[str] = []
    mine_to_answer = state.waiting is not None
    while len(lines) < MOST_ORDERS and state.winner is None and state.t == turn:
        asked = state.waiting
        mover = asked.side if asked else side
        options = ruleset.orders.options(state, mover)
        if not options or (not asked and side not in ruleset.rules.active(state)):
            break
        order = think(ruleset, state, mover, options, club.chance)
        try:
            facts = decide(ruleset, state, mover, ruleset.orders.parse(order), club.chance)
        except Refusal:
            break
        if mover == side and (not asked or mine_to_answer):
            lines.append(order)
        mine_to_answer = False
        for fact in facts:
            n += 1
            state = evolve(ruleset, state, fact.event, n)
    if not lines:
        lines = [live.options(side)[-1].order]
    if live.known(side).phase == "turns" and not _answers(live, side) and "end turn" not in lines[-1]:
        lines.append("end turn")
    return lines


def _answers(live: LiveBattle, side: str) -> bool:
    """Whether the side only answers, in the other's turn."""
    return side not in live.ruleset.rules.active(live.known(side))
