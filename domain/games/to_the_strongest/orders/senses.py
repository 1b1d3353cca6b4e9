"""What scripts may ask of To the Strongest!: results, cards, needs, the state of units.

An order fails if its activation does (TTS-ACT-03), if the rally that it tries does (TTS-RLY-02), and, until that is
settled, while its side is asked whether to replay the card (TTS-GEN-10). A missed hit is not a failure: the unit has
acted (`misses`). Its card is that of the activation, the second one after a replay; for an order without activation
(an answer) it is the last card that its side drew.
"""

import re
from collections.abc import Sequence
from typing import Any

from domain.basics.commands import Command
from domain.contract.senses import FAILS, MISSES, PASSES, Outcome, Senses
from domain.engine.judge import off_board, unknown_id
from domain.engine.state import SIDES
from domain.events.battle import CardDrawn, Event
from domain.games.to_the_strongest.adjudication import PLANS, plan_group_order, plan_unit_order
from domain.games.to_the_strongest.chapters.activation import ActivationFailed, ActivationPassed
from domain.games.to_the_strongest.chapters.decisions import DecisionAsked
from domain.games.to_the_strongest.chapters.groups import MoveGroup
from domain.games.to_the_strongest.chapters.losses import HitMissed, HitScored
from domain.games.to_the_strongest.chapters.phases import standing_box
from domain.games.to_the_strongest.chapters.rally import RallyFailed, UnitRallied
from domain.games.to_the_strongest.state.state import MARKERS, General, State, Unit, general_box, is_on_board
from domain.mechanics.cards import card_value
from domain.mechanics.conditions import bounds

HITS = "hits"
OWN_BLOWS = frozenset({"charge", "second", "shot"})
"""The kinds of hit that the acting side strikes; replies, closing fire and amok are not among them."""
_ID = re.compile(r"[A-Z][A-Z0-9-]*")
_BOX = re.compile(r"[A-Z]\d+")


# --- what has happened


def outcome(side: str, events: Sequence[Event]) -> Outcome:
    """How an order of a side has gone so far."""
    failed = False
    struck: set[str] = set()
    activation = drawn = 0
    for event in events:
        if isinstance(event, (ActivationPassed, ActivationFailed)):
            failed, activation = isinstance(event, ActivationFailed), event.card
        elif isinstance(event, (RallyFailed, UnitRallied)):
            failed = isinstance(event, RallyFailed)
        elif isinstance(event, (HitScored, HitMissed)) and event.kind in OWN_BLOWS:
            struck.add(HITS if isinstance(event, HitScored) else MISSES)
        elif isinstance(event, CardDrawn) and event.deck == side and isinstance(event.card, str):
            drawn = card_value(event.card)
        elif isinstance(event, DecisionAsked) and event.kind == "replay" and event.side == side:
            if event.purpose == "activation":
                failed, activation = True, int(event.card or 0)
            else:
                struck.add(MISSES)
    results = {FAILS if failed else PASSES}
    results |= {HITS} if HITS in struck else struck
    return Outcome(frozenset(results), activation or drawn)


# --- what an order needs


def needed(known: State, side: str, command: Command) -> int:
    """What the first card of an order must reach: that of its activation, or of the question it answers.

    Raises: Refusal, if the order may not be given
    """
    waiting = known.waiting
    if command.ANSWERS:
        return int(getattr(waiting, "needed", 0) or 0)
    if isinstance(command, MoveGroup):
        return plan_group_order(known, side, command).needed
    return plan_unit_order(known, side, command).needed if type(command) in PLANS else 0


# --- how things stand


def read_test(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """Parse a test of the game's own: `R1 is disordered`, `R1 at E4`, `E4 is empty`, `medals south < 3`, `R1 ammo >
    1`."""
    if words[:1] == ("medals",) and words[1:2] and words[1] in SIDES:
        return _counted("medals", words[1], words[2:])
    if len(words) < 3 or not _ID.fullmatch(words[0].upper()):
        return None
    name, rest = words[0].upper(), tuple(word for word in words[1:] if word != "is")
    if rest and rest[0] in MARKERS:
        return _counted(rest[0], name, rest[1:])
    if len(rest) == 2 and rest[0] == "at" and _BOX.fullmatch(rest[1].upper()):
        return "at", name, rest[1].upper()
    if len(rest) == 1 and rest[0] == "empty" and _BOX.fullmatch(name):
        return "empty", name
    return (rest[0], name) if len(rest) == 1 and rest[0] in _STANDINGS else None


def _counted(what: str, of: str, comparison: tuple[str, ...]) -> tuple[str, ...] | None:
    limits = bounds(comparison)
    return None if limits is None else (what, of, *map(str, limits))


def holds(known: State, side: str, test: tuple[str, ...]) -> bool:
    """Whether a test is true, as far as the side knows.

    Raises: Refusal core.unknown-id, core.off-board
    """
    what, of, *more = test
    if what == "medals":
        return int(more[0]) <= known.armies[of].medals <= int(more[1])
    if what == "empty":
        return not known.boxes.get(_box(known, of))
    body = _body(known, of)
    if what == "at":
        box = general_box(known, body) if isinstance(body, General) else standing_box(known, body)
        return box == _box(known, more[0])
    if what in MARKERS:
        return int(more[0]) <= getattr(body, what, 0) <= int(more[1])
    return bool(_STANDINGS[what](body))


def _box(known: State, box: str) -> str:
    if not is_on_board(known, box):
        raise off_board(box)
    return box


def _body(known: State, name: str) -> Unit | General:
    found = known.units.get(name) or known.generals.get(name)
    if found is None:
        raise unknown_id(name)
    return found


_STANDINGS: dict[str, Any] = {
    "disordered": lambda body: body.alive and getattr(body, "losses", 0),
    "destroyed": lambda body: not body.alive,
    "dead": lambda body: not body.alive,
    "alive": lambda body: body.alive,
    "wounded": lambda body: body.alive and getattr(body, "wound", ""),
}


WORDS = {
    "missed": MISSES,
    # French
    "touche": HITS,
    "manque": MISSES,
    "medailles": "medals",
    "desordonne": "disordered",
    "desordonnee": "disordered",
    "detruit": "destroyed",
    "detruite": "destroyed",
    "blesse": "wounded",
    "mort": "dead",
    "vivant": "alive",
    "munitions": "ammo",
}
"""Other words for results, standings and markers."""

SENSES = Senses(
    outcome,
    frozenset({HITS, MISSES}),
    needed,
    read_test,
    holds,
    examples=("it hits", "R1 is disordered", "R1 at E4", "E4 is empty", "medals south < 3"),
    orders=("R1 ahead", "R2 ahead"),
    policy={
        "en": "on replay: yes if needs at most 6, else no",
        "fr": "pour rejoue: oui si besoin au plus 6, sinon non",
    },
    words=WORDS,
)
