"""The medals at stake in a card: of the unit that is hit, tests, or would rout, and of the general.

What a card decides is what the step that drew it goes on to do (`losses.step_hit`, `morale.step_rout`,
`generals.save_or_wound`, `wounds.wound`, `rally.step_rally`, `activation.step_activated`):

- A save and a rout test decide over the unit if its last step would go, else over nothing: disorder costs no medal. A
  unit takes with it a general who has nowhere left to go.
- A hit is worth the odds that the save behind it fails; each general in the box tests as well, whether it fails or not.
- The first card of a rout test is worth the odds that the second fails, a general's save those that the wound kills.
- An activation is worth nothing, but for the ace that bursts a cannon. A rally that costs a medal is worth it.

Where elephants run, and an evade off the field (its medals come back with the unit), are weighed at nothing. No side
pays more medals than it has.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import prod
from typing import Any

from msgspec.structs import replace

from domain.events.battle import Event, Fact
from domain.games.to_the_strongest.chapters.activation import SHOOTING_ACTIONS, ActivationFailed, ActivationPassed
from domain.games.to_the_strongest.chapters.cards import pile
from domain.games.to_the_strongest.chapters.generals import GeneralSaved, GeneralSaveFailed, refuge_of, save_of_general
from domain.games.to_the_strongest.chapters.losses import HitMissed, HitScored, SaveFailed, SaveMade
from domain.games.to_the_strongest.chapters.medals import general_medals, unit_medals
from domain.games.to_the_strongest.chapters.melee import AttackBegan
from domain.games.to_the_strongest.chapters.morale import MoraleFailed, MoralePassed, is_routed
from domain.games.to_the_strongest.chapters.rally import RallyFailed, UnitRallied
from domain.games.to_the_strongest.chapters.saves import SHOTS, Strike, save_reckoning
from domain.games.to_the_strongest.chapters.stacking import first_hit_by_shot
from domain.games.to_the_strongest.chapters.wounds import (
    LIGHT_WOUND,
    OUTLIVE_THEIR_CORPS,
    GeneralKilled,
    GeneralWounded,
    homes,
)
from domain.games.to_the_strongest.state.state import (
    General,
    State,
    Unit,
    enemies_in,
    general_box,
    generals_in,
    kind,
    with_unit,
)
from domain.mechanics.cards import TEN_SIDED, card_value, chance_of
from domain.mechanics.stake import Drawn, Stake

Values = frozenset[int]
"""Some values of cards."""
ACE, HIGHEST = 1, 10
ALL: Values = frozenset(range(ACE, HIGHEST + 1))


def stake(drawn: Sequence[Drawn], fact: Fact, earlier: Sequence[Event]) -> Sequence[Stake] | None:
    """The medals at stake in the cards that a fact settles; None for a fact that settles none."""
    settle = _SETTLED.get(type(fact.event))
    return None if settle is None else settle(drawn, fact.event, earlier)


# --- chances


def at_least(needed: int) -> Values:
    """The values that reach a number."""
    return frozenset(range(needed, HIGHEST + 1))


def below(needed: int) -> Values:
    """The values that do not."""
    return frozenset(range(1, needed))


def chance(state: State, side: str, *wanted: Values) -> Fraction:
    """How likely the next cards of a side are one of each of these sets, in this order (TTS-DCK-03, -04)."""
    cards = pile(state, side)
    if cards is TEN_SIDED:
        return prod((Fraction(len(values), HIGHEST) for values in wanted), start=Fraction(1))
    return chance_of(_values(cards), _values(state.armies[side].deck.discards), *wanted)


def behind(state: State, side: str, first: Values, *then: Values) -> Fraction:
    """How likely the cards after the next one of a side are, given the next one; 0 if that cannot come."""
    given = chance(state, side, first)
    return chance(state, side, first, *then) / given if given else Fraction(0)


def _values(cards: Sequence[str]) -> list[int]:
    return [card_value(card) for card in cards]


# --- what a loss costs


def worth_of_unit(state: State, unit: Unit) -> int:
    """The medals that the destruction of a unit costs its side now, with those of a general who goes with it."""
    after = with_unit(state, replace(unit, alive=False))
    generals = [g for g in state.generals.values() if g.side == unit.side and is_doomed(after, g)]
    cost = unit_medals(unit) - unit.paid + sum(map(_worth, generals))
    return min(cost, state.armies[unit.side].medals)


def worth_of_general(state: State, general: General) -> int:
    """The medals that the loss of a general costs their side now; 0 if they are lost whatever comes."""
    return 0 if is_doomed(state, general) else min(_worth(general), state.armies[general.side].medals)


def is_doomed(state: State, general: General) -> bool:
    """Whether a living general has nowhere left to go.

    Rule: TTS-GEN-08 if the unit they are attached to is destroyed, TTS-GEN-12 if all units of their corps are
    """
    if not general.alive:
        return False
    if general.attached:
        return not state.units[general.attached].alive and not homes(state, general)
    units = state.armies[general.side].corps[general.corps].units
    return OUTLIVE_THEIR_CORPS.isdisjoint(general.traits) and not any(state.units[unit].alive for unit in units)


def _worth(general: General) -> int:
    return general_medals(general) - general.paid


def _if_not_saved(state: State, unit: Unit) -> int:
    """What a failed save costs: the unit, if it has no other step to lose (TTS-DIS-01, -03)."""
    return worth_of_unit(state, unit) if unit.losses + 1 >= unit.steps else 0


def _deadly(state: State, general: General) -> Values:
    """The wound cards that kill; a light wound takes some off the card, which never makes it less than an ace."""
    killed = state.options.wound_table[0]
    return below(killed + 1 + (LIGHT_WOUND if general.wound == "light" and killed else 0))


def _killed(state: State, general: General, after: Values) -> Fraction:
    """How likely the wound behind a card kills a general (TTS-GEN-07); the worse of two cards, for a great one."""
    deadly = _deadly(state, general)
    if "great" not in general.traits:
        return behind(state, general.side, after, deadly)
    spared = ALL - deadly
    return 1 - behind(state, general.side, after, spared, spared)


# --- what a card decides


def _draws(drawn: Sequence[Drawn], purpose: str, unit: str) -> list[Drawn]:
    return [draw for draw in drawn if draw.event.purpose == purpose and draw.event.unit == unit]


def _card(draw: Drawn, succeeds: Values, swing: Fraction | int) -> Stake:
    """The stake of a card that is to be one of some values."""
    event: Any = draw.event
    cards = pile(draw.before, event.deck)
    does = sum(1 for card in cards if card_value(card) in succeeds)
    happened = card_value(event.card) in succeeds
    return Stake(draw.n, draw.by, event.unit, happened, does, len(cards), Fraction(swing))


def _hit(drawn: Sequence[Drawn], event: HitScored | HitMissed, earlier: Sequence[Event]) -> list[Stake]:
    """A card to hit calls for the save of the unit, and for those of the generals in its box (TTS-DIS-05)."""
    stakes = []
    for draw in _draws(drawn, "hit", event.attacker):
        state = draw.before
        target = state.units[event.target]
        hits = at_least(event.needed)
        own = target.side == draw.by  # elephants run amok
        first = (hits,) if own else ()
        cost = Fraction(_if_not_saved(state, target))
        if cost:
            fails = below(save_reckoning(state, target, _blow(state, event, earlier))[0])
            cost *= _chance_after(state, target.side, first, fails)
        for general in generals_in(state, target.box, target.side):
            saved = below(save_of_general(general))
            odds = _chance_after(state, general.side, first, saved)
            cost += worth_of_general(state, general) * odds * _killed(state, general, saved)
        stakes.append(_card(draw, hits, -cost if own else cost))
    return stakes


def _chance_after(state: State, side: str, first: tuple[Values, ...], then: Values) -> Fraction:
    return behind(state, side, *first, then) if first else chance(state, side, then)


def _blow(state: State, event: HitScored | HitMissed, earlier: Sequence[Event]) -> Strike:
    """The blow that a card belongs to, as the steps `strike`, `shot`, `closing` and `trample` make it."""
    striker, target = state.units[event.attacker], state.units[event.target]
    aspect = "front"
    if event.kind == "shot":
        hit = first_hit_by_shot(state, striker.side, target.box, striker.box)
        aspect = hit[1] if hit else aspect
    elif event.kind != "amok":
        began = (e for e in reversed(earlier) if isinstance(e, AttackBegan) and e.attacker == striker.id)
        aspect = next((e.aspect for e in began), aspect)
    weapon = kind(striker).weapon if event.kind in SHOTS else ""
    return Strike(striker.id, event.kind, aspect, striker.box or target.box, weapon)


def _save(drawn: Sequence[Drawn], event: SaveMade | SaveFailed, earlier: Sequence[Event]) -> list[Stake]:
    return [
        _card(draw, at_least(event.needed), _if_not_saved(draw.before, draw.before.units[event.unit]))
        for draw in _draws(drawn, "save", event.unit)
    ]


def _rout(drawn: Sequence[Drawn], event: MoralePassed | MoraleFailed, earlier: Sequence[Event]) -> list[Stake]:
    """The unit is lost if both cards fail and it is routed rather than disordered (TTS-MOR-01, -02)."""
    draws = _draws(drawn, "rout", event.unit)
    passes, fails = at_least(event.needed), below(event.needed)
    stakes = []
    for place, draw in enumerate(draws):
        state = draw.before
        unit = state.units[event.unit]
        cost = worth_of_unit(state, unit) if is_routed(state, unit) else 0
        stakes.append(_card(draw, passes, cost if place else cost * behind(state, unit.side, fails, fails)))
    return stakes


def _general(drawn: Sequence[Drawn], event: GeneralSaved | GeneralSaveFailed, earlier: Sequence[Event]) -> list[Stake]:
    """A general who fails draws for a wound, or is lost at once where an enemy has run them over (TTS-GEN-07, -09)."""
    stakes = []
    for draw in (draw for draw in drawn if draw.event.unit == event.general):
        state = draw.before
        general = state.generals[event.general]
        box, fails = general_box(state, general), below(event.needed)
        if enemies_in(state, box, general.side):
            odds = Fraction(refuge_of(state, general, box) is not None)
        else:
            odds = _killed(state, general, fails)
        stakes.append(_card(draw, at_least(event.needed), worth_of_general(state, general) * odds))
    return stakes


def _wound(drawn: Sequence[Drawn], event: GeneralWounded | GeneralKilled, earlier: Sequence[Event]) -> list[Stake]:
    """A wound that is not deadly spares the general; of two cards the worse counts (TTS-GEN-06, -07)."""
    stakes: list[Stake] = []
    draws = _draws(drawn, "wound", event.general)
    for place, draw in enumerate(draws):
        state = draw.before
        general = state.generals[event.general]
        spared = ALL - _deadly(state, general)
        cost: Fraction | int = worth_of_general(state, general)
        if place:
            cost *= stakes[0].happened
        elif len(draws) > 1:
            cost *= behind(state, general.side, spared, spared)
        stakes.append(_card(draw, spared, cost))
    return stakes


def _rally(drawn: Sequence[Drawn], event: UnitRallied | RallyFailed, earlier: Sequence[Event]) -> list[Stake]:
    """A rally that succeeds may cost a medal (TTS-RLY-04)."""
    return [
        _card(draw, at_least(event.needed), -int(draw.before.options.rally_costs_medal))
        for draw in _draws(drawn, "rally", event.unit)
    ]


def _activation(
    drawn: Sequence[Drawn], event: ActivationPassed | ActivationFailed, earlier: Sequence[Event]
) -> list[Stake]:
    """An ace that stands bursts a cannon that was to shoot (TTS-ACT-10)."""
    draws = _draws(drawn, "activation", event.unit)[-1:]
    return [
        _card(draw, ALL - {ACE}, worth_of_unit(draw.before, unit))
        for draw in draws
        if kind(unit := draw.before.units[event.unit]).weapon == "cannon"
        and event.action in SHOOTING_ACTIONS
        and event.needed > ACE
    ]


_SETTLED: dict[type[Event], Callable[[Sequence[Drawn], Any, Sequence[Event]], list[Stake]]] = {
    HitScored: _hit,
    HitMissed: _hit,
    SaveMade: _save,
    SaveFailed: _save,
    MoralePassed: _rout,
    MoraleFailed: _rout,
    GeneralSaved: _general,
    GeneralSaveFailed: _general,
    GeneralWounded: _wound,
    GeneralKilled: _wound,
    UnitRallied: _rally,
    RallyFailed: _rally,
    ActivationPassed: _activation,
    ActivationFailed: _activation,
}
"""What each fact settles."""
