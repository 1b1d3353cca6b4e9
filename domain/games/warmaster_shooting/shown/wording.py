"""Values that a sentence needs beyond the fields of its event: what a unit is, and the army it belongs to.

Everything here is ids and plain values; the words are the catalogue's (replay.telling.words).
"""

from collections.abc import Iterator
from typing import Any

from domain.basics.message import Message
from domain.contract.narration import message_of
from domain.events.battle import Fact, PhaseBegan
from domain.games.warmaster_shooting.chapters.charges import StandEnd
from domain.games.warmaster_shooting.chapters.corrections import StandsPlaced
from domain.games.warmaster_shooting.state.state import State
from domain.mechanics.notation import decimal_text

PREFIX = "wms"
"""What the ids of this game's sentences and refusals begin with."""
MM = 10
LENGTHS = ("distance", "wanted", "pace", "length")
"""Members in millimetres; sentences give them in centimetres, as `distance_cm`."""
HARDER = 1
"""The sign of a factor's `plus`: it makes the number needed higher."""


def narrate(state: State, fact: Fact) -> Message:
    """The message of a fact, in the state before it.

    Besides the event's own members: `kinds` {unit: profile}, lengths in cm (`distance_cm` …), for a phase the `active`
    side, and for a calculation its `base` and `sign`.
    """
    told = message_of(fact, PREFIX)
    params: dict[str, Any] = {**told.params, **lengths(told.params)}
    if not params.get("ignored"):
        params.pop("ignored", None)  # a sentence leaves out what is not there
    kinds = {name: state.units[name].profile for name in _words(told.params) if name in state.units}
    if kinds:
        params["kinds"] = kinds
    if isinstance(fact.event, StandsPlaced):
        params["places"] = [_place(placed) for placed in fact.event.stands]
    if isinstance(fact.event, PhaseBegan):
        params["active"] = state.active
    if "factors" in params:
        params |= {"base": params["needed"] - sum(factor["plus"] for factor in params["factors"]), "sign": HARDER}
    return Message(told.id, params)


def lengths(params: dict[str, Any]) -> dict[str, str]:
    """Every length in centimetres: 304 is "30.4"."""
    return {f"{name}_cm": centimetres(params[name]) for name in LENGTHS if isinstance(params.get(name), int)}


def centimetres(millimetres: int) -> str:
    """A length in centimetres, with a decimal where there is one."""
    whole, rest = divmod(millimetres, MM)
    return f"{whole}.{rest}" if rest else str(whole)


def _place(placed: StandEnd) -> str:
    """A stand and where it is: `R1-2 12,-3.5 (90°)`, in centimetres."""
    x, y, facing = (decimal_text(number, 1) for number in (placed.x, placed.y, placed.facing))
    return f"{placed.stand} {x},{y} ({facing}°)"


def _words(params: dict[str, Any]) -> Iterator[str]:
    for value in params.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from (word for word in value if isinstance(word, str))
