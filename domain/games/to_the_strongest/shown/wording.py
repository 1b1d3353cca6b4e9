"""Values that a sentence needs beyond the fields of its event.

An event says no more than the fold needs. A good sentence also names what stood there before: the
troop type of a unit and its box, the number before its modifiers, the cards left. All of it is ids
and plain values; the words are the catalogue's (replay.telling.words). Events may name units unknown to
the reader: these are left out.
"""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import UNSET, to_builtins

from domain.basics.message import Message
from domain.contract.narration import message_of
from domain.events.battle import Fact
from domain.games.to_the_strongest.chapters.activation import needed_number
from domain.games.to_the_strongest.chapters.cards import pile
from domain.games.to_the_strongest.chapters.geometry import has_only_front
from domain.games.to_the_strongest.chapters.hands import DECK as HAND_DECK
from domain.games.to_the_strongest.chapters.saves import bare_save
from domain.games.to_the_strongest.chapters.turns import flank_of
from domain.games.to_the_strongest.chapters.wounds import LIGHT_WOUND
from domain.games.to_the_strongest.shown.setup_wording import (
    tell_arrival,
    tell_fate,
    tell_hand,
    tell_hand_card,
    tell_piece,
    tell_placing,
    tell_play,
    tell_return,
    tell_scouting,
    tell_trigger,
)
from domain.games.to_the_strongest.state.roster import rout_number
from domain.games.to_the_strongest.state.state import State, Unit, general_box, general_unit, kind
from domain.mechanics.cards import card_value
from domain.mechanics.modifiers import Factor, Factors, total

CODE = "tts"
OWN_DECKS = frozenset({"south", "north"})
SAVER, HARDER = -1, 1
"""The sign of a factor's `plus`: it helps the saver, or makes the number needed higher (to-the-strongest.md 4)."""

Params = dict[str, Any]
Telling = Callable[[State, Any], Params]


def narrate(state: State, fact: Fact) -> Message:
    """The message of a fact, in the state before it.

    Besides the event's own members: `kinds` {unit: troop type}, `places` {unit or general: box},
    `armies` {side: name}, `army` the name of the side concerned if it has one, `cards_left` in the deck
    of `by`, and what the table below adds: for a calculation `base` and `sign` (needed = base + sign × Σ plus).
    """
    told = message_of(fact, CODE)
    params = {**told.params, **_named(state, told.params), **_army(state, told.params)}
    telling = TELLINGS.get(type(fact.event).__name__)
    if telling:
        params |= telling(state, fact.event)
    return Message(told.id, params)


def _named(state: State, params: Params) -> Params:
    """The troop types and boxes of all units and generals that an event names."""
    named = [name for value in params.values() for name in _words(value)]
    units = {name: state.units[name] for name in named if name in state.units}
    generals = {name: state.generals[name] for name in named if name in state.generals}
    places = {name: unit.box for name, unit in units.items()}
    places |= {name: general_box(state, general) for name, general in generals.items()}
    kinds = {name: unit.type for name, unit in units.items()}
    return {key: value for key, value in (("kinds", kinds), ("places", places)) if value}


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (tuple, list)):
        yield from (word for word in value if isinstance(word, str))


def _army(state: State, params: Params) -> Params:
    if not state.armies:
        return {}
    side = params.get("side") or params["by"]
    found: Params = {"armies": {side: army.name for side, army in state.armies.items()}}
    if side in state.armies and state.armies[side].name.casefold() != side:
        found["army"] = state.armies[side].name
    if params["by"] in state.armies:
        found["cards_left"] = len(pile(state, params["by"]))
    return found


# --- what single events need


def tell_card(state: State, event: Any) -> Params:
    """The value of a card of the playing deck; terrain and stratagem cards have none."""
    if event.deck == HAND_DECK:
        return tell_hand_card(state, event)
    if event.deck not in OWN_DECKS:
        return {}
    told: Params = {"value": card_value(event.card)}
    return told | (tell_arrival(state, event) if event.purpose == "arrival" else {})


def tell_activation(state: State, event: Any) -> Params:
    """2, or one more than the last card, before the difficulties (TTS-ACT-01). A corps on a flank march
    does not come back: it enters (TTS-STR-05)."""
    unit = state.units.get(event.unit)
    if unit is None:
        return {}
    told: Params = {"base": needed_number(unit, ()), "sign": HARDER}
    if unit.last:
        told["last"] = unit.last
    if event.action == "return" and flank_of(state, unit):
        told["action"] = "enter"
    return told


def tell_hit(state: State, event: Any) -> Params:
    """The number before disorder, bad ground and the like (TTS-MEL-05)."""
    striker = state.units.get(event.attacker)
    weapon = kind(striker).weapon if striker and event.kind in ("shot", "closing") else ""
    return {"base": event.needed - total(event.factors), "sign": HARDER, "weapon": weapon}


def tell_save(state: State, event: Any) -> Params:
    """The save that the catalogue prints, what the unit's quality makes of it, and the modifiers (TTS-SAV-01);
    a stratagem that rallies draws no card."""
    unit = state.units.get(event.unit)
    if unit is None or not event.needed:
        return {"sign": SAVER}
    return _from_quality(unit, kind(unit).save, bare_save(unit), SAVER, event.factors)


def tell_morale(state: State, event: Any) -> Params:
    """The rout number of standard troops, what the unit's quality makes of it, and the modifiers (TTS-MOR-01); `light`:
    who was lost is a light (TTS-MOR-03)."""
    unit, lost = state.units.get(event.unit), state.units.get(event.lost)
    if unit is None:
        return {}
    told = _from_quality(unit, rout_number("standard"), rout_number(unit.quality), HARDER, event.factors)
    return {**told, "light": lost is not None and kind(lost).light}


def _from_quality(unit: Unit, printed: int, bare: int, sign: int, factors: Factors) -> Params:
    """A calculation in which the quality of the unit is a line of its own (TTS-CAT-02)."""
    quality = (Factor("TTS-CAT-02", unit.quality, sign * (bare - printed)),) if bare != printed else ()
    told = {"base": printed, "sign": sign, "quality": unit.quality, "steps": unit.steps}
    return {**told, "factors": to_builtins([*quality, *factors])}


def tell_attack(state: State, event: Any) -> Params:
    """One card, and the bonus cards on top (TTS-MEL-06)."""
    return {"base": event.cards - total(event.factors), "sign": HARDER}


def tell_charge(state: State, event: Any) -> Params:
    """Whether the target has neither flank nor rear (TTS-GEO-07)."""
    target = state.units.get(event.target)
    return {"only_front": bool(target and has_only_front(state, target))}


def tell_plain_test(state: State, event: Any) -> Params:
    """A number without modifiers."""
    return {"base": event.needed, "sign": HARDER}


def tell_general_test(state: State, event: Any) -> Params:
    """A general's save, and the wound that may make it worse (TTS-GEN-05)."""
    general = state.generals.get(event.general)
    return tell_plain_test(state, event) | ({"wound": general.wound} if general else {})


def tell_wound(state: State, event: Any) -> Params:
    """The wound table of this battle, and what made the card another one than drawn (TTS-GEN-06, -07)."""
    general = state.generals.get(event.general)
    killed, serious, light = state.options.wound_table
    table = {"killed": killed, "serious": serious, "light": light}
    if general is None:
        return table
    took_off = {"took_off": LIGHT_WOUND} if general.wound == "light" else {}
    return {**table, "lower_of_two": "great" in general.traits, **took_off}


def tell_move(state: State, event: Any) -> Params:
    """The boxes passed on the way, and the facing if it is another one than before."""
    unit = state.units.get(event.unit)
    turned = event.facing if unit and unit.facing != event.facing else ""
    return {"through": list(event.path[:-1]), "turned": turned}


def tell_general_move(state: State, event: Any) -> Params:
    """The unit that the general goes with."""
    general = state.generals.get(event.general)
    unit = general_unit(general) if general and event.cause == "rides" else ""
    return {"with": unit, "kinds": {unit: state.units[unit].type}} if unit else {}


def tell_corps(state: State, event: Any) -> Params:
    """The name of a corps, if it has one besides its id."""
    army = state.armies.get(event.side)
    corps = army.corps.get(event.corps) if army else None
    return {"corps_name": corps.name if corps and corps.name != corps.id else ""}


def tell_loss(state: State, event: Any) -> Params:
    """The side of the unit."""
    unit = state.units.get(event.unit)
    return {"owner": unit.side} if unit else {}


def tell_evade(state: State, event: Any) -> Params:
    """A calculation without modifiers, and the path taken."""
    return tell_plain_test(state, event) | tell_move(state, event)


def tell_question(state: State, event: Any) -> Params:
    """What the next card needs, for a decision about a card; the piece, for a shift."""
    if event.kind == "shift":
        return tell_piece(state, event)
    return {} if event.needed is UNSET else tell_plain_test(state, event)


TELLINGS: dict[str, Telling] = {
    "CardDrawn": tell_card,
    "ActivationPassed": tell_activation,
    "ActivationFailed": tell_activation,
    "HitScored": tell_hit,
    "HitMissed": tell_hit,
    "SaveMade": tell_save,
    "SaveFailed": tell_save,
    "UnitRallied": tell_save,
    "RallyFailed": tell_save,
    "MoralePassed": tell_morale,
    "MoraleFailed": tell_morale,
    "ChargeDeclared": tell_charge,
    "AttackBegan": tell_attack,
    "ClosingFireTested": tell_plain_test,
    "ExertionPassed": tell_plain_test,
    "ExertionFailed": tell_plain_test,
    "GeneralSaved": tell_general_test,
    "GeneralSaveFailed": tell_general_test,
    "GeneralWounded": tell_wound,
    "GeneralKilled": tell_wound,
    "EvadeSucceeded": tell_evade,
    "EvadeFailed": tell_plain_test,
    "DecisionAsked": tell_question,
    "UnitMoved": tell_move,
    "GeneralMoved": tell_general_move,
    "UnitDestroyed": tell_loss,
    "CorpsBegan": tell_corps,
    "CorpsEnded": tell_corps,
    "CampTaken": tell_corps,
    "CampPlaced": tell_corps,
    "CorpsDeployed": tell_corps,
    "TerrainKept": tell_fate,
    "TerrainRemoved": tell_fate,
    "StratagemDrawn": tell_hand,
    "StratagemPlayed": tell_play,
    "StratagemTriggered": tell_trigger,
    "ScoutingDrawn": tell_scouting,
    "UnitDeployed": tell_placing,
    "UnitReturned": tell_return,
}
