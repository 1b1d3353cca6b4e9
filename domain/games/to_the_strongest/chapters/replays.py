"""Chapter GEN, replays: who may replay a failed card, and how it is drawn again.

Only failed activations and missed hits of the active side; the second card stands, and no card is
replayed twice (TTS-GEN-10).
"""

from typing import Any

from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.to_the_strongest.chapters.armed import laid_from
from domain.games.to_the_strongest.chapters.cards import draw
from domain.games.to_the_strongest.chapters.decisions import (
    DecisionAsked,
    DecisionMade,
    own_general,
    put_question,
    take_answer,
)
from domain.games.to_the_strongest.sequence import phases_of
from domain.games.to_the_strongest.state.state import (
    General,
    State,
    Unit,
    general_box,
    general_unit,
    with_general,
    with_unit,
)
from domain.mechanics.square import king_distance

GREAT_REPLAYS = 2
INSPIRED = "inspired"


# --- commands


class Replay(Command, frozen=True, gc=False, tag="replay"):
    """Answer whether a failed card is drawn again; `source` names a general or `HERO`, or ""."""

    PHASES = phases_of("replay")
    ANSWERS = "replay"

    yes: bool
    source: str = ""


# --- rules


def replay_kind(state: State, general: General, unit: Unit, purpose: str) -> str:
    """The replay that a general would spend for a card of a unit, or "".

    Rule: TTS-GEN-01, -10, -11: at a distance (brilliant) first, then senior, then heroic; the brilliant one's
          replay per turn serves either way, at a distance or as a senior's in their own box
    """
    traits, spent = general.traits, general.spent
    if not general.alive or general.wound == "serious" or general.side != unit.side:
        return ""
    box = general_box(state, general)
    together = general_unit(general) == unit.id or (box != "" and box == unit.box)
    if "brilliant" in traits and "brilliant" not in spent:
        near = box and unit.box and king_distance(box, unit.box) <= state.options.radius_brilliant
        if together or (near and purpose == "activation" and general.corps == unit.corps):
            return "brilliant"
    if not together:
        return ""
    if "great" in traits:
        if len(spent) < GREAT_REPLAYS:
            return "great"
    elif "senior" in traits and "brilliant" not in traits and "senior" not in spent:
        return "senior"
    elif "heroic" in traits and "heroic" not in spent:
        return "heroic"
    is_inspired = state.armies[general.side].inspired == general.id  # TTS-STR-13, after their own
    return INSPIRED if is_inspired and INSPIRED not in spent else ""


def replay_sources(state: State, units: list[str], purpose: str, shot: bool = False) -> list[tuple[str, str]]:
    """The sources that may replay a card of these units: (source, kind of replay), in order of preference.

    Rule:  TTS-GEN-11 hero of the unit, then generals in scenario order; TTS-GEN-15 for the hero
    """
    members = [state.units[unit] for unit in units]
    sources = []
    hero_serves = purpose == "hit" and (not shot or state.options.hero_shooting)
    if hero_serves and any(unit.hero and not unit.hero_spent for unit in members):
        sources.append(("hero", "hero"))
    for general in state.generals.values():
        used = next(filter(None, (replay_kind(state, general, unit, purpose) for unit in members)), "")
        if used:
            sources.append((general.id, used))
    return sources


# --- decisions


def offer_replay(
    judge: Judge[State],
    units: list[str],
    purpose: str,
    card: int,
    needed: int,
    step: str,
    arguments: dict[str, Any],
    shot: bool = False,
) -> bool:
    """Let the active side replay a failed card, if any source may; False if none may.

    `step` continues with `arguments` and `replayed`, the value of the new card or 0.
    """
    sources = replay_sources(judge.state, units, purpose, shot)
    if not sources:
        return False
    unit = judge.state.units[units[0]]
    asked = {"unit": unit.id, "purpose": purpose, "card": card, "needed": needed, "sources": [s for s, _ in sources]}
    kinds = dict(sources)
    question = DecisionAsked(
        unit.side,
        "replay",
        unit.id,
        ("yes", "no"),
        purpose=purpose,
        card=card,
        needed=needed,
        sources=tuple(source for source, _ in sources),
    )
    put_question(judge, question, "replay", then=step, arguments=arguments, asked=asked, kinds=kinds)
    return True


def decide_replay(judge: Judge[State], side: str, command: Replay) -> None:
    waiting = judge.state.waiting
    assert isinstance(waiting, DecisionAsked) and waiting.sources
    if not command.yes:
        take_answer(judge, DecisionMade(side, "replay", waiting.unit, "no", False))
        return
    wanted = command.source.casefold()
    if wanted and wanted != "hero" and command.source not in judge.state.units:
        own_general(judge.state, side, command.source)
    source = next((s for s in waiting.sources if not wanted or s.casefold() == wanted), None)
    if source is None:
        raise Refusal("tts.not-a-source", "TTS-GEN-11", source=command.source, sources=list(waiting.sources))
    take_answer(judge, DecisionMade(side, "replay", waiting.unit, "yes", False, with_=source))


# --- events


class CardReplayed(Event, frozen=True, gc=False):
    """The second card, in place of the first. `kind` is the replay that the source has spent."""

    RULE = "TTS-GEN-10"

    unit: str
    source: str
    purpose: str
    old: int
    card: int
    kind: str


# --- steps


def step_replay(
    judge: Judge[State],
    *,
    then: str,
    arguments: dict[str, Any],
    asked: dict[str, Any],
    kinds: dict[str, str],
    source: str,
) -> None:
    """Draw the second card, if it was wished; pass its value on."""
    replayed = 0
    if source:
        unit = judge.state.units[asked["unit"]]
        keep_from = laid_from(judge.state, unit.side, asked["needed"]) if asked["purpose"] == "activation" else 0
        replayed = draw(judge, unit.side, asked["purpose"], unit.id, keep_from)
        rule = "TTS-GEN-15" if source == "hero" else "TTS-GEN-10"
        event = CardReplayed(unit.id, source, asked["purpose"], asked["card"], replayed, kinds[source])
        judge.emit(event, unit.side, rule)
    judge.push(then, **arguments, replayed=replayed)


# --- evolutions


def on_card_replayed(state: State, event: CardReplayed) -> State:
    if event.source == "hero":
        return with_unit(state, replace(state.units[event.unit], hero_spent=True))
    general = state.generals[event.source]
    return with_general(state, replace(general, spent=(*general.spent, event.kind)))


EVOLUTIONS: dict[Any, Any] = {CardReplayed: on_card_replayed}
STEPS: dict[str, Any] = {"replay": step_replay}
DECISIONS: dict[Any, Any] = {Replay: decide_replay}
