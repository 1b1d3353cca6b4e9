"""What a side may keep hidden, and what each side knows of a battle (TTS-STR, fairness.md 2).

Standing orders are always private. So are the stratagems in a hand, armed ones and ambushes,
the cards that an oracle shows, and the whole of a blind deployment until it is over.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.contract.ruleset import Breach
from domain.contract.sealed_rows import SealedRow
from domain.engine.draws import was_looked_at
from domain.events.battle import CardDrawn, Event, PhaseBegan, StandingOrderSet
from domain.games.to_the_strongest.chapters import hands
from domain.games.to_the_strongest.chapters.ambushes import UnitDeployed
from domain.games.to_the_strongest.chapters.deployment import Deploy, DeployCamp, DeployWith, own_row
from domain.games.to_the_strongest.chapters.geometry import is_rough
from domain.games.to_the_strongest.chapters.hands import StratagemDrawn
from domain.games.to_the_strongest.chapters.placing import CampPlaced, CorpsDeployed, GeneralDeployed
from domain.games.to_the_strongest.chapters.stakes import stakes_edge
from domain.games.to_the_strongest.chapters.stratagems import (
    HIDDEN,
    Play,
    StratagemPlayed,
    is_private_play,
    private_play,
)
from domain.games.to_the_strongest.state.setup import BattleOpened
from domain.games.to_the_strongest.state.state import (
    Army,
    Held,
    HiddenPlacement,
    State,
    with_army,
    with_general,
    with_unit_in,
)
from domain.log.record import seat_of
from domain.mechanics.cards import look_forgotten

DEPLOYMENT: dict[type[Event], tuple[str, ...]] = {
    UnitDeployed: ("unit", "box", "facing", "place"),
    GeneralDeployed: ("general", "box", "unit"),
    CampPlaced: ("corps", "box", "fortified", "boxes"),
    CorpsDeployed: ("corps",),
}
"""What a blind deployment hides (TTS-DEP-07)."""
DEPLOYING: tuple[type[Command], ...] = (Deploy, DeployWith, DeployCamp)


# --- sealing


_BLIND: Mapping[str, tuple[str | int | bool, ...]] = {"option blind_deployment": (True,), "t": (0,)}


def _blind_row(*members: str) -> tuple[SealedRow, ...]:
    return (SealedRow(members, when=(_BLIND,)),)


ROWS: dict[str, tuple[SealedRow, ...]] = {
    "BattleOpened": (SealedRow(("stratagems",)),),
    "StratagemDrawn": (SealedRow(("cards",)),),
    "CardDrawn": (SealedRow(("card",), when=({"member deck": (hands.DECK,)},)),),
    "StratagemPlayed": (
        SealedRow(
            ("args", "card", "stratagem"),
            needed=("stratagem",),
            when=({"content stratagem": tuple(sorted(HIDDEN))}, _BLIND),
        ),
        SealedRow(("shown",), when=({"member stratagem": ("oracle",)},)),
    ),
    "UnitDeployed": _blind_row("box", "facing", "place", "unit"),
    "GeneralDeployed": _blind_row("box", "general", "unit"),
    "CampPlaced": _blind_row("box", "boxes", "corps", "fortified"),
    "CorpsDeployed": _blind_row("corps"),
}
"""The closed table of what a file may seal (fairness.md 2)."""


def private_fields(state: State, event: Event) -> tuple[str, ...]:
    """The fields of an event that only its side may see, in the state before it."""
    kind = type(event)
    if isinstance(event, CardDrawn):
        return ("card",) if event.deck == hands.DECK else ()
    if kind is StandingOrderSet:
        return "unit", "value"
    if isinstance(event, StratagemPlayed):
        return private_play(state, event)
    if kind is StratagemDrawn:
        return ("cards",)
    if isinstance(event, BattleOpened):
        return () if event.stratagems is UNSET else ("stratagems",)
    return DEPLOYMENT.get(kind, ()) if _is_blind(state) else ()


def is_private_order(state: State, command: Command) -> bool:
    """Whether an order is secret to its side, in the state in which it is given."""
    if isinstance(command, Play):
        return is_private_play(state, command)
    return command.PRIVATE or (isinstance(command, DEPLOYING) and _is_blind(state))


def _is_blind(state: State) -> bool:
    return state.options.blind_deployment and state.phase == "deployment"


# --- what something sealed may explain


HIDING = frozenset(
    {"tts.corps-incomplete", "tts.camp-not-touched", "tts.not-current-corps", "tts.general-out-of-radius"}
)
"""Refusals of a side's step of the deployment that units lying in ambush may explain."""
WAITING = frozenset({"draw-missing", "event-differs", "event-missing"})
"""Breaches of the scouting that the cards in a hand may explain: whom it waits for."""


def excuse(state: State, breach: Breach, hidden: Mapping[int, Event]) -> int:
    """The event still sealed that may explain a breach, by n; 0 if none does (fairness.md 8).

    - A blind deployment explains whatever happens in it, up to its end.
    - What an oracle has shown explains its owner's order of the cards, and that these come up.
    - A hand explains for whom the scouting waits. It does not explain a stratagem that is played openly: that opens
      its card at once.
    - An ambush explains what its side still has to deploy, and afterwards what is in a box where it may lie.
    """
    if _is_blind(state):
        return _newest(hidden, lambda event: type(event) in DEPLOYMENT or _is_laid(event))
    found = _newest(hidden, lambda event: _explains_look(event, breach))
    if not found and breach.what in WAITING:
        waited_for = _may_scout(state, breach)
        found = _newest(hidden, lambda event: _is_in_hand(event) and seat_of(event, "") in waited_for)
    return found or _newest(hidden, lambda event: _is_laid(event) and _explains_ambush(state, event, breach))


def _newest(hidden: Mapping[int, Event], explains: Callable[[Event], bool]) -> int:
    return max((n for n, event in hidden.items() if explains(event)), default=0)


def _explains_look(event: Event, breach: Breach) -> bool:
    if not isinstance(event, StratagemPlayed) or event.stratagem != "oracle":
        return False
    if breach.what == "not-allowed":
        is_order = (breach.code, breach.params.get("stratagem")) == ("tts.stratagem-not-now", "oracle")
        return is_order and breach.side == event.side
    drawn = breach.block if breach.what == "draw-missing" else (breach.found.event,) if breach.found else ()
    return any(isinstance(card, CardDrawn) and was_looked_at(card) and card.deck == event.side for card in drawn)


def _may_scout(state: State, breach: Breach) -> frozenset[str]:
    """The sides that the scouting may wait for, where it goes on or begins: those that have not said `done`."""
    if state.phase == "scouting":
        return frozenset(state.armies) - frozenset(state.done)
    begins = any(isinstance(event, PhaseBegan) and event.phase == "scouting" for event in breach.block)
    return frozenset(state.armies) if begins else frozenset()


def _is_in_hand(event: Event) -> bool:
    return isinstance(event, StratagemDrawn) or (isinstance(event, CardDrawn) and event.deck == hands.DECK)


def _is_laid(event: Event) -> bool:
    """Whether it is hidden what was played: an ambush, perhaps."""
    return isinstance(event, StratagemPlayed) and event.stratagem is UNSET


def _explains_ambush(state: State, event: Event, breach: Breach) -> bool:
    side = seat_of(event, "")
    if state.phase == "deployment":
        return breach.code in HIDING and breach.side == side if breach.what == "not-allowed" else True
    lies = {
        box for box in state.terrain if is_rough(state, box) and 2 * (own_row(state, side, box) + 1) <= state.board[1]
    }
    facts = [fact.event for fact in (breach.expected, breach.found) if fact is not None]
    named = msgspec.to_builtins([dict(breach.params), facts or breach.block])
    return not lies.isdisjoint(_texts(named))


def _texts(value: Any) -> Iterator[str]:
    """Every text within plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list, tuple)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


# --- knowing


def known(state: State, side: str) -> State:
    """The state without what only the other side may know; `side` "" is a stranger, who knows
    neither side's. The state that a stranger folds from the public log is equal to it."""
    for other in state.armies:
        if other != side:
            state = _without_secrets(state, other)
    return state


def _without_secrets(state: State, side: str) -> State:
    army = state.armies[side]
    if any(order.side == side for order in state.standing):
        state = replace(state, standing=tuple(order for order in state.standing if order.side != side))
    if army.hand or army.armed or army.deck.looked or army.given or army.deck.shown:
        state = with_army(state, _closed(army))
    if any(holder == side for _, holder in state.stratagems_out):
        out = frozenset(pair for pair in state.stratagems_out if pair[1] != side)
        state = replace(state, stratagems_out=out)
    if any(ambush.side == side for ambush in state.ambushes):
        state = replace(state, ambushes=tuple(ambush for ambush in state.ambushes if ambush.side != side))
    if _is_blind(state):
        army = state.armies[side]
        for veil in [veil for veil in reversed(state.veiled) if veil.side == side]:  # the newest first
            state = _WITHOUT[veil.what](state, side, veil)
        state = with_army(state, replace(state.armies[side], opened=""))
        state = replace(state, veiled=tuple(veil for veil in state.veiled if veil.side != side))
    return state


def _closed(army: Army) -> Army:
    """An army as the other side sees it: the number of its cards, not which."""
    return replace(army, hand=tuple(Held() for _ in army.hand), armed=(), given=(), deck=look_forgotten(army.deck))


def _without_unit(state: State, side: str, veil: HiddenPlacement) -> State:
    """The unit where everybody last saw it, which is nowhere unless the scenario has placed it."""
    unit = replace(state.units[veil.id], facing=veil.facing)
    return with_unit_in(state, unit, veil.box, veil.place or "rear")


def _without_general(state: State, side: str, veil: HiddenPlacement) -> State:
    return with_general(state, replace(state.generals[veil.id], box="", attached=""))


def _without_camp(state: State, side: str, veil: HiddenPlacement) -> State:
    camps = {box: camp for box, camp in state.camps.items() if (camp.side, camp.corps) != (side, veil.id)}
    return replace(state, camps=camps)


def _without_corps(state: State, side: str, veil: HiddenPlacement) -> State:
    army = state.armies[side]
    return with_army(state, replace(army, deployed=tuple(corps for corps in army.deployed if corps != veil.id)))


def _without_stakes(state: State, side: str, veil: HiddenPlacement) -> State:
    others = (other for other in state.veiled if other.what == "stakes" and other.side != side)
    own = {stakes_edge(state, other.side, box) for other in others for box in other.box.split()}
    hidden = {stakes_edge(state, side, box) for box in veil.box.split()} - own
    return replace(state, edges={edge: kind for edge, kind in state.edges.items() if edge not in hidden})


def _without_flank(state: State, side: str, veil: HiddenPlacement) -> State:
    corps = veil.id.split()[0]
    army = state.armies[side]
    return with_army(state, replace(army, flanks=tuple(flank for flank in army.flanks if flank.corps != corps)))


def _unplaced(state: State, side: str, veil: HiddenPlacement) -> State:
    """A card of a hidden stratagem lies nowhere on the board; `_closed` and `stratagems_out` hide it."""
    return state


_WITHOUT: dict[str, Callable[[State, str, HiddenPlacement], State]] = {
    "unit": _without_unit,
    "general": _without_general,
    "camp": _without_camp,
    "corps": _without_corps,
    "stakes": _without_stakes,
    "flank-march": _without_flank,
    "card": _unplaced,
}
