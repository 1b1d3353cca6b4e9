"""What a side may keep hidden, and what each side knows of a battle (TTS-STR, fairness.md 2).

Standing orders are always private. So are the stratagems in a hand, armed ones and ambushes,
the cards that an oracle shows, and the whole of a blind deployment until it is over.
"""

from collections.abc import Callable

from msgspec import UNSET
from msgspec.structs import replace

from domain.engine.commands import Command
from domain.engine.events import CardDrawn, Event, StandingOrderSet
from domain.games.to_the_strongest.chapters import hands
from domain.games.to_the_strongest.chapters.ambushes import UnitDeployed
from domain.games.to_the_strongest.chapters.deployment import Deploy, DeployCamp, DeployWith
from domain.games.to_the_strongest.chapters.hands import StratagemDrawn
from domain.games.to_the_strongest.chapters.placing import CampPlaced, CorpsDeployed, GeneralDeployed
from domain.games.to_the_strongest.chapters.stakes import stakes_edge
from domain.games.to_the_strongest.chapters.stratagems import Play, StratagemPlayed, is_private_play, private_play
from domain.games.to_the_strongest.chapters.turns import ARRIVAL
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


def public_scopes(state: State) -> tuple[str, ...]:
    """The draws of a player-turn that everybody may check at its end (fairness.md 4)."""
    own = "draw:south", "draw:north"
    if not state.t:
        return *own, "common"
    army = state.armies[state.active]
    return (*own, f"open:{army.side}") if army.flanks and army.turns >= ARRIVAL["turn"] else own


def _is_blind(state: State) -> bool:
    return state.options.blind_deployment and state.phase == "deployment"


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
