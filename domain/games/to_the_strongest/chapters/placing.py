"""Chapter DEP, what has been placed: the events of deployment, and what each does to the state.

In a blind deployment all of it is private until the last corps stands (TTS-DEP-07). `UnitDeployed` is in `ambushes`.
"""

from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.events.battle import Event, Text
from domain.games.to_the_strongest.state.state import Camp, HiddenPlacement, State, with_army, with_general

# --- events


class GeneralDeployed(Event, frozen=True, gc=False, kw_only=True):
    """A general is placed: attached to `unit`, or detached ("") in `box`."""

    RULE = "TTS-DEP-04"

    general: Text = UNSET
    box: Text = UNSET
    unit: Text = UNSET
    sealed: Text = UNSET


class CampPlaced(Event, frozen=True, gc=False, kw_only=True):
    """The camp of a corps stands in a box, with these fortified sides. Of joined camps each box has its own event,
    and `boxes` are all of them."""

    RULE = "TTS-DEP-03"

    side: str
    corps: Text = UNSET
    box: Text = UNSET
    fortified: tuple[str, ...] | UnsetType = UNSET
    boxes: tuple[str, ...] | UnsetType = UNSET
    sealed: Text = UNSET


class CorpsDeployed(Event, frozen=True, gc=False, kw_only=True):
    """A corps stands; `active` deploys next, "" if nobody has a corps left."""

    RULE = "TTS-DEP-05"

    side: str
    corps: Text = UNSET
    active: str
    sealed: Text = UNSET


# --- evolutions


def on_general_deployed(state: State, event: GeneralDeployed) -> State:
    if not (event.general and event.box):
        return state
    general = state.generals[event.general]
    state = veil(state, state.n + 1, general.side, "general", general.id)
    army = replace(state.armies[general.side], opened=general.corps)
    box, unit = ("", event.unit) if event.unit else (event.box, "")
    return with_general(with_army(state, army), replace(general, box=box, attached=unit or ""))


def on_camp_placed(state: State, event: CampPlaced) -> State:
    if not (event.corps and event.box):
        return state
    state = veil(state, state.n + 1, event.side, "camp", event.corps)
    kept = event.boxes or ()  # the other boxes of joined camps may have come before
    camps = {
        box: camp
        for box, camp in state.camps.items()
        if box in kept or (camp.side, camp.corps) != (event.side, event.corps)
    }
    return replace(state, camps={**camps, event.box: Camp(event.side, event.corps, event.box, event.fortified or ())})


def on_corps_deployed(state: State, event: CorpsDeployed) -> State:
    army = replace(state.armies[event.side], opened="")
    if event.corps:
        state = veil(state, state.n + 1, event.side, "corps", event.corps)
        army = replace(army, deployed=(*army.deployed, event.corps))
    return replace(with_army(state, army), active=event.active)


def veil(state: State, n: int, side: str, what: str, name: str, box: str = "") -> State:
    """Remember what event `n` of a blind deployment hides from the other side (TTS-DEP-07)."""
    if state.phase != "deployment" or not state.options.blind_deployment:
        return state
    return replace(state, veiled=(*state.veiled, HiddenPlacement(n, side, what, name, box)))


EVOLUTIONS: dict[Any, Any] = {
    GeneralDeployed: on_general_deployed,
    CampPlaced: on_camp_placed,
    CorpsDeployed: on_corps_deployed,
}
