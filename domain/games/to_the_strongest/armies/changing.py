"""Changes to an army while its player makes it: a unit more or less, of another quality, with other extras.

A change is never refused for making the army illegal: the checks tell what is wrong with what came of it.
"""

from collections.abc import Callable

from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.games.to_the_strongest.armies.army import (
    RULE,
    ArmyCamp,
    ArmyCorps,
    ArmyFile,
    ArmyGeneral,
    ArmyUnit,
    list_of,
    troop_of,
    units_of,
)
from domain.games.to_the_strongest.state.scenario_limits import LENGTHS

HERO = "hero"
"""Stands among the extras of a unit in a form."""
MOUNTED = "mounted"
"""Stands among the traits of a general in a form."""
NOBODY = "-"
"""Stands in the place of a general's unit where a corps is to have no general; "" is a detached one."""
MOST_SIZE = 1000
MOST_BOXES, MOST_SIDES = 3, 12
"""Boxes of one camp, and its fortified sides, that a form may ask for."""


def changed(army: ArmyFile, verb: str, subject: str, value: str) -> ArmyFile:
    """An army after one change.

    Rule:    TTS-CAT-04
    Shape:   `verb` is add (subject: a corps, value: a line of the list), drop (a unit), grade (a unit, its quality),
             extras (a unit, its extras with spaces between), name or size (of the army), general (a corps, the unit
             that its general is attached to), traits (a corps, those of its general), camp (a corps, the boxes of its
             camp) or fortified (a corps, the fortified sides of its camp)
    Raises:  Refusal tts.bad-army for what is not there, or a corps that is full
    """
    if verb not in _VERBS:
        raise Refusal("tts.bad-army", RULE, key=verb, fault="is not a change")
    return _VERBS[verb](army, subject, value)


def _add(army: ArmyFile, subject: str, value: str) -> ArmyFile:
    corps = next((one for one in army.corps if one.id == subject), None)
    if corps is None or troop_of(list_of(army), value) is None:
        raise Refusal("tts.bad-army", RULE, key=subject or "corps", fault=f"has no place for {value}"[:100])
    if len(corps.units) >= LENGTHS["units"]:
        raise Refusal("tts.bad-army", RULE, key=subject, fault="is full")
    fuller = replace(corps, units=(*corps.units, ArmyUnit(_free_id(army, value), value)))
    return replace(army, corps=tuple(fuller if one is corps else one for one in army.corps))


def _free_id(army: ArmyFile, line: str) -> str:
    """Two letters, so that it is never a box (TTS-ORD-01), and the first number that no unit has."""
    letters = line.replace("_", "")[:2].upper()
    taken = {unit.id for unit in units_of(army)}
    return next(name for number in range(1, len(taken) + 2) if (name := f"{letters}{number}") not in taken)


def _drop(army: ArmyFile, subject: str, value: str) -> ArmyFile:
    """Without a unit; a general who was with it is detached."""

    def without(corps: ArmyCorps) -> ArmyCorps:
        general = corps.general
        if general is not None and general.attached == subject:
            general = replace(general, attached="")
        return replace(corps, general=general, units=tuple(unit for unit in corps.units if unit.id != subject))

    return replace(army, corps=tuple(without(corps) for corps in army.corps))


def _grade(army: ArmyFile, subject: str, value: str) -> ArmyFile:
    return _with_unit(army, subject, lambda unit: replace(unit, quality=value[:100]))


def _extras(army: ArmyFile, subject: str, value: str) -> ArmyFile:
    names = value[:1000].split()
    return _with_unit(
        army, subject, lambda unit: replace(unit, hero=HERO in names, extras=tuple(n for n in names if n != HERO))
    )


def _with_unit(army: ArmyFile, subject: str, change: Callable[[ArmyUnit], ArmyUnit]) -> ArmyFile:
    corps = tuple(
        replace(one, units=tuple(change(unit) if unit.id == subject else unit for unit in one.units))
        for one in army.corps
    )
    return replace(army, corps=corps)


def _name(army: ArmyFile, subject: str, value: str) -> ArmyFile:
    return replace(army, name=value.strip()[:100])


def _size(army: ArmyFile, subject: str, value: str) -> ArmyFile:
    return replace(army, size=_number("size", value, MOST_SIZE))


def _number(key: str, value: str, most: int) -> int:
    written = value.strip()
    if not (written.isascii() and written.isdigit() and len(written) < 5 and int(written) <= most):
        raise Refusal("tts.bad-army", RULE, key=key, fault=f"is a number from 0 to {most}")
    return int(written)


def _general(army: ArmyFile, subject: str, value: str) -> ArmyFile:
    def led(corps: ArmyCorps) -> ArmyCorps:
        if value == NOBODY:
            return replace(corps, general=None)
        general = corps.general or ArmyGeneral(_free_general(army))
        return replace(corps, general=replace(general, attached=value.strip()[:100].upper()))

    return _with_corps(army, subject, led)


def _free_general(army: ArmyFile) -> str:
    taken = {unit.id for unit in units_of(army)} | {corps.general.id for corps in army.corps if corps.general}
    return next(name for number in range(1, len(taken) + 2) if (name := f"G{number}") not in taken)


def _traits(army: ArmyFile, subject: str, value: str) -> ArmyFile:
    names = value[:1000].split()[:20]

    def told(corps: ArmyCorps) -> ArmyCorps:
        if corps.general is None:
            return corps
        traits = tuple(name[:100] for name in names if name != MOUNTED)
        return replace(corps, general=replace(corps.general, mounted=MOUNTED in names, traits=traits))

    return _with_corps(army, subject, told)


def _camp(army: ArmyFile, subject: str, value: str) -> ArmyFile:
    boxes = _number("camp", value, MOST_BOXES)

    def encamped(corps: ArmyCorps) -> ArmyCorps:
        return replace(corps, camp=replace(corps.camp or ArmyCamp(), boxes=boxes) if boxes else None)

    return _with_corps(army, subject, encamped)


def _fortified(army: ArmyFile, subject: str, value: str) -> ArmyFile:
    sides = _number("fortified", value, MOST_SIDES)

    def fortified(corps: ArmyCorps) -> ArmyCorps:
        return corps if corps.camp is None else replace(corps, camp=replace(corps.camp, fortified=sides))

    return _with_corps(army, subject, fortified)


def _with_corps(army: ArmyFile, name: str, change: Callable[[ArmyCorps], ArmyCorps]) -> ArmyFile:
    return replace(army, corps=tuple(change(corps) if corps.id == name else corps for corps in army.corps))


_VERBS: dict[str, Callable[[ArmyFile, str, str], ArmyFile]] = {
    "add": _add,
    "drop": _drop,
    "grade": _grade,
    "extras": _extras,
    "name": _name,
    "size": _size,
    "general": _general,
    "traits": _traits,
    "camp": _camp,
    "fortified": _fortified,
}
