"""An army that its player is making, in words: corps, units with what they may be, lines of the list to add from."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from domain.games.to_the_strongest.armies.army import ArmyCorps, ArmyGeneral, ArmyUnit, troop_of, unit_price
from domain.games.to_the_strongest.armies.changing import HERO, MOUNTED, NOBODY
from domain.games.to_the_strongest.armies.lists import MOST_SIDES, extra_fits, least_units, most_units
from domain.games.to_the_strongest.state.roster import EXTRAS, MOST_CAMPS, PROFILES
from domain.games.to_the_strongest.state.state import TRAITS
from replay.drafts import Drafted, DraftedChoice, DraftedGroup, DraftedLine, DraftedMarks, DraftedUnit
from replay.games.to_the_strongest.army_tables import bill_table, item_line
from replay.telling.words import phrase
from replay.telling.words.catalogue import find


def drafted(army: Any, entry: Any, bill: Any, lang: str) -> Drafted:
    """An army in words; `entry` is its list, None without one."""
    groups = tuple(_group(corps, entry, spent, lang) for corps, spent in zip(army.corps, bill.corps, strict=True))
    counts = Counter(unit.troop for corps in army.corps for unit in corps.units)
    return Drafted(
        army.name,
        army.size,
        bill.points,
        groups,
        _lines(entry, army.size, counts, lang) if entry is not None else (),
        bill_table(bill, lang)[-1],
    )


def _group(corps: Any, entry: Any, spent: Any, lang: str) -> DraftedGroup:
    title = phrase("army-text.corps-head", {"corps": corps.id, "name": corps.name}, lang)
    also = tuple(item_line(item, lang) for item in spent.items if item.kind != "unit")
    points = {item.id: item.points for item in spent.items if item.kind == "unit"}
    units = tuple(_unit(unit, entry, points.get(unit.id, 0), lang) for unit in corps.units)
    choices = (_leader(corps, lang), *_camp(corps, entry, lang))
    marks = (_traits(corps.general, entry, lang),) if corps.general else ()
    return DraftedGroup(corps.id, title, spent.points, also, choices, marks, units)


def _leader(corps: ArmyCorps, lang: str) -> DraftedChoice:
    """To whom the general of a corps is attached."""
    options = [(NOBODY, phrase("army-text.no-general", {}, lang)), ("", phrase("army-text.detached", {}, lang))]
    named = dict.fromkeys([unit.id for unit in corps.units] + ([corps.general.attached] if corps.general else []))
    options += [(unit, phrase("army-text.with", {"unit": unit}, lang)) for unit in named if unit]
    chosen = corps.general.attached if corps.general else NOBODY
    return DraftedChoice("general", phrase("army-text.the-general", {}, lang), chosen, tuple(options))


def _traits(general: ArmyGeneral, entry: Any, lang: str) -> DraftedMarks:
    """The horse and the traits of a general: those that the list allows, and those that they have."""
    allowed = entry.generals if entry is not None else None
    may = [MOUNTED] if allowed is None or allowed.mounted else []
    may += [trait for trait in TRAITS if allowed is None or _is_allowed(trait, allowed)]
    has = [*([MOUNTED] if general.mounted else []), *general.traits]
    options = tuple((one, find(f"trait.{one}", lang) or one, one in has) for one in dict.fromkeys([*may, *has]))
    return DraftedMarks("traits", phrase("army-text.traits", {}, lang), options)


def _is_allowed(trait: str, allowed: Any) -> bool:
    most = {"brilliant": allowed.brilliant, "great": allowed.great, "commander": 1}
    return bool(most.get(trait, trait in allowed.traits))


def _camp(corps: ArmyCorps, entry: Any, lang: str) -> Iterator[DraftedChoice]:
    """The boxes of a camp, and its fortified sides where there may be some."""
    boxes, sides = (corps.camp.boxes, corps.camp.fortified) if corps.camp else (0, 0)
    most = entry.camps.fortified if entry is not None else MOST_SIDES
    counted = range(max(MOST_CAMPS, boxes) + 1)
    told = tuple((str(one), phrase("army-text.boxes", {"count": one}, lang)) for one in counted)
    yield DraftedChoice("camp", phrase("army-text.the-camp", {}, lang), str(boxes), told)
    if corps.camp and max(most, sides):
        told = tuple((str(one), phrase("army-text.sides", {"count": one}, lang)) for one in range(max(most, sides) + 1))
        yield DraftedChoice("fortified", phrase("army-text.the-sides", {}, lang), str(sides), told)


def _unit(unit: ArmyUnit, entry: Any, points: int, lang: str) -> DraftedUnit:
    troop = troop_of(entry, unit.troop)
    grades = () if troop is None else troop.qualities
    grade = unit.quality or next(iter(grades), "")
    may = [] if troop is None else [extra for extra in troop.extras if extra_fits(PROFILES[troop.type], extra)]
    may += [HERO] if troop is not None and troop.hero else []
    has = [*unit.extras, *([HERO] if unit.hero else [])]
    listed = dict.fromkeys([*may, *has])
    return DraftedUnit(
        unit.id,
        f"{unit.id}  {_title(troop, unit.troop, lang)}",
        points,
        grade,
        tuple((one, find(f"quality.{one}", lang) or one) for one in dict.fromkeys([*grades, grade]) if one),
        tuple((one, find(f"extra.{one}", lang) or one, one in has) for one in listed if one in (*EXTRAS, HERO)),
    )


def _title(troop: Any, key: str, lang: str) -> str:
    """The name of a line with the type that it is."""
    if troop is None:
        return key
    kind = find(f"type.{troop.type}", lang) or troop.type
    name = str(troop.name_fr if lang == "fr" else troop.name)
    return name if name.casefold() == kind.casefold() else f"{name} ({kind})"


def _lines(entry: Any, size: int, counts: Counter[str], lang: str) -> tuple[DraftedLine, ...]:
    return tuple(
        DraftedLine(
            key,
            _title(troop, key, lang),
            counts[key],
            least_units(troop, size),
            most_units(troop, size),
            unit_price(ArmyUnit("", key), troop),
        )
        for key, troop in entry.troops.items()
    )
