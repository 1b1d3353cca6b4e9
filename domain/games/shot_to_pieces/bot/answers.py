"""What the answers to a question are worth (STP-DEC-01)."""

from domain.games.shot_to_pieces.bot.charges import fight
from domain.games.shot_to_pieces.bot.field import BotView
from domain.games.shot_to_pieces.chapters.evading import loss_of
from domain.games.shot_to_pieces.state.state import Melee, State

WANTED_EVENTS = ("10", "14", "7", "16", "11")
"""The D20 events that a side chooses if it may, the best first: a marker on the enemy, points, better fire."""
GOOD_ANSWERS = {"reroll": "yes", "pursue": "place", "advance": "no"}
SIX = 6


def answer_worth(state: State, side: str, order: str) -> int:
    """What an answer is worth, in hundredths of a unit."""
    verb, answer = order.split(maxsplit=1)[0], order.rsplit(maxsplit=1)[-1]
    waiting = state.waiting
    assert waiting is not None, "only a question has answers"
    if waiting.kind == "evade":
        return _evading(state, side) if answer == "yes" else 0
    if waiting.kind == "event":
        return len(WANTED_EVENTS) - WANTED_EVENTS.index(answer) if answer in WANTED_EVENTS else 0
    return 1 if answer == GOOD_ANSWERS.get(verb, "") else 0


def _evading(state: State, side: str) -> int:
    """What running away is worth against standing, which half of the time is running away as well (STP-EVD-02)."""
    assert state.waiting is not None, "only a question has answers"
    unit = state.units[state.waiting.unit]
    charges = [one for one in state.charges if one.target == unit.id]
    if not charges:
        return -1
    charger = state.units[charges[0].unit]
    field = BotView(state, side)
    melee = Melee("", charger.id, unit.id, state.k, charges[0].aspect, modes={charger.id: charges[0].mode})
    hit = fight(field, state, melee)
    lost = loss_of(state, unit)[0] * 100 // SIX
    standing = hit.done * field.value(unit) - hit.suffered * field.value(charger)
    return (standing - lost * field.value(unit)) // 100
