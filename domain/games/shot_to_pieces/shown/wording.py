"""Values that a sentence needs beyond the fields of its event: what a unit is, what a score is made of.

Everything here is ids and plain values; the words are the catalogue's (`locale/`). Lengths and angles stay in
hundredths, which the catalogue writes with the decimal mark of the language.
"""

from collections.abc import Iterator
from typing import Any

from domain.basics.message import Message
from domain.contract.narration import CORE, message_of
from domain.events.battle import (
    BattleEnded,
    DecisionAsked,
    DecisionMade,
    DieRolled,
    Event,
    Fact,
    PhaseBegan,
    TurnBegan,
    TurnEnded,
)
from domain.games.shot_to_pieces.state.state import State
from domain.games.shot_to_pieces.state.vocabulary import PREFIX

OWN_SENTENCES: dict[type[Event], tuple[str, ...]] = {
    BattleEnded: ("broken", "turn-limit"),
    DecisionAsked: (),
    DecisionMade: (),
    DieRolled: (),
    PhaseBegan: (),
    TurnBegan: (),
    TurnEnded: (),
}
"""Events of every game of which this one has its own sentences; of some only those for these values."""
FIRE, DIE = f"{PREFIX}.FireResolved", f"{PREFIX}.DieRolled"
AIRCRAFT = "AIR"
"""Who fires in a strafing run."""
SCORES = ("attack", "defence")
HALVES = ("loss_halves", "threshold_halves")
SIGNED = ("bonus", "amount")
"""Members of events that are told with their sign."""


def narrate(state: State, fact: Fact) -> Message:
    """The message of a fact, in the state before it.

    Besides the event's own members: `kinds` {unit: type} of the units it names; of a roll `attack_score` and
    `defence_score`, what each is made of; of a salvo the `others`; of markers their number; half points as quarters.
    """
    told = message_of(fact, PREFIX)
    params = told.params
    kinds = {name: state.units[name].key for name in _words(params) if name in state.units}
    more = {"kinds": kinds} if kinds else {}
    return Message(_id(told.id, fact.event, params), {**params, **more, **_reckoned(params)})


def _id(id_: str, event: Event, params: dict[str, Any]) -> str:
    if id_.startswith(FIRE) and not params["salvo"]:
        return f"{FIRE}.{'air' if params['firer'] == AIRCRAFT else 'saturation'}"
    if isinstance(event, DieRolled) and event.unit == AIRCRAFT:
        return f"{DIE}.air"
    for kind, values in OWN_SENTENCES.items():
        if isinstance(event, kind) and (not values or getattr(event, kind.TOLD_BY) in values):
            return PREFIX + id_.removeprefix(CORE)
    return id_


def _reckoned(params: dict[str, Any]) -> dict[str, Any]:
    """What a sentence tells of the numbers of an event."""
    found: dict[str, Any] = {
        f"{name}_score": {
            "base": params[f"{name}_base"],
            "factors": params[f"{name}_factors"],
            "die": params[f"{name}_die"],
        }
        for name in SCORES
        if f"{name}_die" in params
    }
    found |= {f"{name.removesuffix('_halves')}_quarters": 2 * params[name] for name in HALVES if name in params}
    found |= {f"{name}_text": signed(params[name]) for name in SIGNED if isinstance(params.get(name), int)}
    if "shaken" in params and "brittle" in params:
        found["markers"] = params["shaken"] + params["brittle"]
    if "firer" in params:
        found["others"] = [name for name in params["units"] if name != params["firer"]]
    return found


def signed(number: int) -> str:
    """A number with its sign: "+1", "−2"."""
    return f"{number:+d}".replace("-", "\N{MINUS SIGN}")


def _words(params: dict[str, Any]) -> Iterator[str]:
    for value in params.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from (word for word in value if isinstance(word, str))
