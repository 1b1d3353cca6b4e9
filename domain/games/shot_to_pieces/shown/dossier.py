"""What a player wants to know of a unit or general: figures, weapon, markers, the nearest enemies, zones; and what is
left to win."""

from collections.abc import Iterator
from typing import Any

from domain.basics.message import Message
from domain.contract.dossier import NO_DOSSIER, Dossier, Field
from domain.engine.state import OTHER
from domain.games.shot_to_pieces.chapters.able import is_able
from domain.games.shot_to_pieces.chapters.activation import BONUSES, quality_of
from domain.games.shot_to_pieces.chapters.closing import lost_halves
from domain.games.shot_to_pieces.chapters.paces import allowance
from domain.games.shot_to_pieces.chapters.points import price
from domain.games.shot_to_pieces.chapters.targets import choices
from domain.games.shot_to_pieces.plane.angles import bearing, half_again
from domain.games.shot_to_pieces.plane.gaps import distance
from domain.games.shot_to_pieces.plane.zones import in_fire_zone
from domain.games.shot_to_pieces.shown.captions import has_fired, has_moved
from domain.games.shot_to_pieces.shown.wording import signed
from domain.games.shot_to_pieces.shown.zones import command_zone, control_zone, fire_zone
from domain.games.shot_to_pieces.state.figures import figures, fire_effect, period_of, weapon_of
from domain.games.shot_to_pieces.state.state import General, State, Unit
from domain.games.shot_to_pieces.state.vocabulary import FIRE

NEAREST = 3
"""So many enemies are told."""
SMOOTH = {"alg": {"gun_75": "gun_75_smooth"}}
"""Weapons that are called otherwise in a period, by its code."""


def dossier(state: State, name: str) -> Dossier:
    """What there is to know of a unit or a general; nothing of it is hidden in this game."""
    general = state.generals.get(name)
    if general and general.alive and general.placed:
        fields = (Field("command", arcs=tuple(command_zone(state, general))),)
        return Dossier(tuple(_values_of_general(state, general)), fields)
    unit = state.units.get(name)
    if unit is None or not unit.here:
        return NO_DOSSIER
    fire, control = tuple(fire_zone(state, unit)), tuple(control_zone(state, unit))
    shooting = (Field("shoot", arcs=fire),) if fire else ()
    controlled = (Field("control", arcs=control),) if control else ()
    return Dossier(tuple(_values(state, unit)), (*shooting, *controlled))


# --- units


def _values(state: State, unit: Unit) -> Iterator[Message]:
    own = figures(state, unit)
    yield Message("stp.value.status", {"status": unit.status, "traits": sorted(unit.traits)})
    effect = own.effect if own.fire else "normal"
    fire = {"fire": own.fire or "", "resilience": own.resilience}
    yield Message("stp.value.fire", {**fire, "effect": "" if effect == "normal" else effect})
    yield Message("stp.value.melee", {"first": own.melee[0], "later": own.melee[1]})
    yield _weapon(state, unit) or Message("stp.value.unarmed", {})
    yield _move(state, unit)
    yield from _markers(unit)
    if state.k:
        yield _acted(state, unit)
    yield _corps(state, unit)
    yield from _stands(state, unit)
    yield from _aims(state, unit)
    yield from _enemies(state, unit)


def _aims(state: State, unit: Unit) -> Iterator[Message]:
    """Whom a unit may fire at now (STP-FIR-02). The board has no measures to them: all lanes of a side take long."""
    if state.step == FIRE and unit.side == state.active and state.waiting is None and is_able(state, unit):
        for aim in choices(state, unit):
            told = {"target": aim.target, "distance_hcm": aim.distance, "band": aim.band}
            yield Message("stp.value.aim", told)


def _weapon(state: State, unit: Unit) -> Message | None:
    weapon = weapon_of(state, unit)
    if weapon is None:
        return None
    short, medium, long = weapon.bands
    told = {"short_hcm": short, "medium_hcm": medium or "", "long_hcm": long}
    if figures(state, unit).arm == "art":
        told |= {f"{band}_effect": fire_effect(state, unit, band) for band in ("medium", "long")}
    return Message("stp.value.weapon", {"weapon": weapon_word(state, weapon.key), **told})


def weapon_word(state: State, key: str) -> str:
    """The word of the catalogue for a weapon of the period."""
    return SMOOTH.get(state.period, {}).get(key, key)


def _move(state: State, unit: Unit) -> Message:
    pace = allowance(state, unit)
    is_half_done = bool(state.k) and unit.form_k == state.k
    told: dict[str, Any] = {"move_hcm": pace, "left": is_half_done, "left_hcm": unit.left_hcm}
    if unit.formation != "march":
        told["strategic_hcm"] = half_again(pace)
    return Message("stp.value.move", told)


def _markers(unit: Unit) -> Iterator[Message]:
    if unit.markers:
        until = max((marker.until for marker in unit.shaken), default="")
        told = {"until": until, "brittle": unit.brittle, "both": bool(unit.shaken and unit.brittle)}
        yield Message("stp.value.markers", told)


def _acted(state: State, unit: Unit) -> Message:
    told = {
        "moved": has_moved(state, unit),
        "fired": has_fired(state, unit),
        "charges": unit.charges if unit.charge_k >= state.k - 2 else 0,
    }
    return Message("stp.value.acted", {**told, "charges": told["charges"] or ""})


def _corps(state: State, unit: Unit) -> Message:
    corps = state.corps[unit.corps]
    is_paying = unit.side == state.side and bool(state.k) and not corps.strategic
    told = {"corps": corps.id, "cost": price(state, (unit,)), "ap": corps.ap if is_paying else ""}
    return Message("stp.value.corps", told)


def _stands(state: State, unit: Unit) -> Iterator[Message]:
    """What a base stands for, where the period says so (STP-WW1-01)."""
    scale = period_of(state).scale
    word = scale.stands.get(figures(state, unit).arm) if scale else None
    if word:
        yield Message("stp.value.stands", {"stands": word})


def _enemies(state: State, unit: Unit) -> Iterator[Message]:
    """The nearest enemies with their distance, from base to base, and the bearing of their centres."""
    apart = {enemy.id: distance(unit.base, enemy.base) for enemy in state.enemies(unit)}
    for name in sorted(apart, key=lambda name: (apart[name], name))[:NEAREST]:
        enemy = state.units[name]
        told = {
            "enemy": name,
            "type": enemy.key,
            "distance_hcm": apart[name],
            "bearing_hdeg": bearing(unit.at, enemy.at) if unit.at != enemy.at else 0,
            "arc": unit.formation == "square" or in_fire_zone(unit.base, enemy.base),
        }
        yield Message("stp.value.enemy", told)


# --- generals


def _values_of_general(state: State, general: General) -> Iterator[Message]:
    corps = state.corps[general.corps]
    quality = quality_of(state, corps)
    told = {"quality": quality, "bonus": signed(BONUSES[quality]), "commander": general.commander}
    yield Message("stp.value.general", told)
    order = "retreat" if corps.broken else corps.order
    yield Message("stp.value.points", {"corps": corps.id, "order": order, "ap": corps.ap})
    scale = period_of(state).scale
    if scale:
        yield Message("stp.value.scale", {"metres": scale.metres, "minutes": scale.minutes})


# --- what wins


def names(state: State) -> dict[str, str]:
    """The armies by their sides."""
    return dict(state.names)


def to_win(state: State, side: str) -> Message | None:
    """The corps of the enemy that are still to be broken, and the losses of both sides (STP-WIN-01, -02)."""
    enemy = OTHER.get(side, "")
    if enemy not in state.names or state.winner is not None:
        return None
    corps = state.corps_of(enemy)
    told = {
        "name": state.names[enemy],
        "corps": len(corps),
        "needed": len(corps) // 2 + 1,
        "broken": sum(1 for one in corps if one.broken),
        "turns": state.options.turn_limit or "",
        "mine": 2 * lost_halves(state, side),
        "theirs": 2 * lost_halves(state, enemy),
    }
    return Message("stp.to-win", told)
