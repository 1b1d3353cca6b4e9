"""The seven periods: troops, weapons, modifiers and switches, of `data/periods/`, checked. Lengths are 1/100 cm."""

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain
from typing import Any, Literal

from msgspec import Struct, ValidationError

from domain.basics.data import read_beside
from domain.basics.decoding import convert
from domain.basics.errors import BrokenInvariant
from domain.games.shot_to_pieces.state.factor_keys import RULES, SUPPORTS
from domain.games.shot_to_pieces.state.vocabulary import FORMATIONS, PERIODS, STATUSES

PACKAGE = "domain.games.shot_to_pieces"
Arm = Literal["inf", "skm", "cav", "skc", "art", "mg", "veh"]
Effect = Literal["normal", "shaken-only", "brittle-only", "kills-only-shaken", "second-line"]
Band = Literal["short", "medium", "long"]
FOOT: frozenset[str] = frozenset({"inf", "skm"})
SKIRMISHERS: frozenset[str] = frozenset({"skm", "skc"})
MOUNTED: frozenset[str] = frozenset({"cav", "skc"})
LONGEST, HIGHEST = 15000, 9
"""The largest length and the largest figure that a table may have."""
Own = Literal["light", "evade", "lightcav", "native", "cossack", "second-line", "inexperienced", "fat-gun", "heavy"]
Act = Literal["impetus", "impetuous", "no-charge", "meets-cav", "back3", "m2-cav", "cover-m2", "vs-cav"]
Flag = Own | Act | Literal["rocket", "indirect"]
"""What a type may have of itself."""
Mark = Literal["fat", "smoothbore", "extra-heavy", "bombardment"]
"""What a weapon may have."""


class UnitType(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A type of troops in a period.

    Units: `move` in column or in the only formation, `line` in LINE, 0 for no such formation; `fire` 0 for no real
           fire; `melee` in the first round and in later ones; `dismounts` and `mounts` are the type that it becomes, ""
           for none; `rules` has the rule IDs of values that another rule than the usual one gives
    """

    arm: Arm
    move: int
    resilience: int
    melee: tuple[int, int]
    formations: tuple[str, ...]
    key: str = ""
    line: int = 0
    fire: int = 0
    effect: Effect = "normal"
    weapon: str = ""
    dismounts: str = ""
    mounts: str = ""
    flags: frozenset[Flag] = frozenset()
    rules: dict[str, str] = {}

    @property
    def usual_formation(self) -> str:
        """The formation of a unit that is given none (STP-SCN-01)."""
        return self.formations[0]


class WeaponProfile(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A weapon: the upper limits of its bands, 0 for a band that it has not; `choices` among how many of the nearest a
    bombardment gun may choose (STP-FIR-09, STP-INT-09)."""

    kind: Literal["small", "mg", "art"]
    bands: tuple[int, int, int]
    key: str = ""
    choices: int = 1
    marks: frozenset[Mark] = frozenset()
    rules: dict[str, str] = {}

    @property
    def range(self) -> int:
        """As far as it reaches."""
        return self.bands[2]

    def band(self, distance: int) -> Band | Literal[""]:
        """The band of a distance, its upper limit included; "" out of range (STP-GEO-05)."""
        short, medium, long = self.bands
        return "short" if distance <= short else "medium" if distance <= medium else "long" if distance <= long else ""


class Switches(Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """In what a period differs from the others, beside its figures.

    general_move: of generals. infantry_fired: whether foot that fired before pays for it. free_fire: farther than this
    guns choose among the nearest. back: how far units may back away, 0 for what their type says (flag `back3`);
    line_back_third: foot in LINE may, a third. cavalry_interdicts_foot: foot in close order keeps away from cavalry as
    skirmishers do; foot_never_charges_cavalry: it is refused for its type, before its path is looked at.
    smoothbore_alone: close and heavy-gun modifiers are those of smoothbore guns. experience_in_melee: experience counts
    in the first round. fat_gun_in_melee: a fat gun is FAT in the first round. indirect: which guns may fire over
    friends; indirect_dead_zone: around the gun, or around the friend. british_experienced, dense_fat, regimental_fat,
    prussian_fat: what these traits give. russian_again: Russian foot does not tire in melee. cavalry_line_resists:
    cavalry in LINE too is steadier against guns. line_melee_v_cavalry: LINE costs foot in melee with cavalry too.
    square_zone: depth of the control zone of a square, 0 for that of all. cap: the most that status and experience may
    make of fire and resilience, by arm. irregular_dice: of imperial gunners. braced: the arms that
    stand firm against cavalry in the first round.
    """

    general_move: int
    infantry_fired: Literal["never", "option", "always"]
    free_fire: int
    cavalry_interdicts_foot: bool
    foot_never_charges_cavalry: bool = False
    back: int = 0
    line_back_third: bool = False
    smoothbore_alone: bool = False
    experience_in_melee: bool = False
    fat_gun_in_melee: bool = False
    assault_wave: bool = False
    extended_limit: int = 0
    indirect: Literal["none", "field", "flag"] = "none"
    indirect_dead_zone: Literal["gun", "friend"] = "gun"
    strafing: bool = False
    british_experienced: bool = False
    dense_fat: bool = False
    militia_option: bool = False
    passed_militia: bool = False
    cavalry_line_resists: bool = False
    line_melee_v_cavalry: bool = False
    regimental_fat: bool = False
    square_zone: int = 0
    russian_again: bool = False
    prussian_fat: bool = False
    irregular_dice: bool = False
    braced: tuple[Arm, ...] = ()
    cap: dict[str, int] = {}


class Scale(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What the table stands for: `metres` of a centimetre, `minutes` of a turn, and by arm what a base is (STP-WW1-01).

    An arm that the draft does not name has no word.
    """

    metres: int
    minutes: int
    stands: dict[Arm, Literal["regiment", "battalion", "brigade", "batteries"]]


class Period(Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """A period: its troops and weapons by key, its modifiers by `why`, its switches.

    Shape: `rules` has the rule ID of every member of a record and of every switch, `flags` that of every flag;
           `extended` are the figures of infantry in extended line (STP-ACW-05), None where there is none; likewise
           `scale`
    """

    code: str
    title: str
    title_fr: str
    statuses: tuple[str, ...]
    rules: dict[str, str]
    flags: dict[Flag, str]
    switches: Switches
    factors: dict[str, int]
    types: dict[str, UnitType]
    weapons: dict[str, WeaponProfile]
    extended: UnitType | None = None
    scale: Scale | None = None

    def rule_of(self, record: UnitType | WeaponProfile, member: str) -> str:
        """The rule ID of a value of a type or weapon."""
        return record.rules.get(member) or self.rules[member]


def period(code: str) -> Period:
    """A period by its code (`acw`); read and checked once.

    Raises: BrokenInvariant naming file and key, for a packaged table that is wrong
    """
    return _PERIODS[code]


# --- reading


def read_period(code: str, table: Mapping[str, Any]) -> Period:
    """A period from its table.

    Raises: BrokenInvariant naming file and key
    """
    named = dict(table)
    for group in ("types", "weapons"):
        named[group] = {key: {"key": key, **record} for key, record in table.get(group, {}).items()}
    if "extended" in table:
        named["extended"] = {"key": "extended", **table["extended"]}
    try:
        made = convert(named, Period)
    except ValidationError as fault:
        raise BrokenInvariant(f"periods/{code}.toml: {fault}") from None
    for key, wrong in chain(_faults(made), _unruled(made, "switches", tuple(table["switches"]))):
        raise BrokenInvariant(f"periods/{code}.toml: {key}: {wrong}")
    return made


@cache
def _rule_ids() -> frozenset[str]:
    return frozenset(read_beside(PACKAGE, "data", "rules.toml")["rules"])


def _faults(made: Period) -> Iterable[tuple[str, str]]:
    """What is wrong with a period, as key and reason."""
    for key, record in made.types.items():
        yield from _type_faults(made, f"types.{key}", record)
    if made.extended:
        yield from _type_faults(made, "extended", made.extended)
    if made.scale:
        yield from _unruled(made, "scale", ("scale",))
        if not (0 < made.scale.metres <= LONGEST and 0 < made.scale.minutes <= LONGEST):
            yield "scale", f"metres and minutes are not within 1 to {LONGEST}"
    for key, weapon in made.weapons.items():
        short, medium, long = weapon.bands
        if not (0 < short < long <= LONGEST and (medium == 0 or short < medium < long)):
            yield f"weapons.{key}.bands", f"{list(weapon.bands)} do not rise to {LONGEST} at most"
        yield from _unruled(made, f"weapons.{key}", ("bands", *(("choices",) if weapon.choices > 1 else ())))
        yield from _unknown_rules(f"weapons.{key}.rules", weapon.rules)
    yield from _unknown_rules("rules", made.rules)
    yield from _unknown_rules("flags", made.flags)
    if unknown := made.factors.keys() - RULES.keys() - SUPPORTS:
        yield "factors", f"unknown {sorted(unknown)}"
    if unknown := set(made.statuses) - set(STATUSES):
        yield "statuses", f"unknown {sorted(unknown)}"


def _type_faults(made: Period, key: str, record: UnitType) -> Iterable[tuple[str, str]]:
    for name, value, most in (
        ("move", record.move, LONGEST),
        ("line", record.line, record.move),
        ("fire", record.fire, HIGHEST),
        ("resilience", record.resilience, HIGHEST),
        ("melee", max(record.melee), HIGHEST),
    ):
        if not (0 if name in ("line", "fire") else 1) <= value <= most:
            yield f"{key}.{name}", f"{value} is not within its range, {most} at most"
    if record.weapon not in ("", *made.weapons):
        yield f"{key}.weapon", f"no weapon {record.weapon!r}"
    if bool(record.fire) != bool(record.weapon) and record is not made.extended:
        yield f"{key}.weapon", "real fire and a weapon go together"
    for name, other in (("dismounts", record.dismounts), ("mounts", record.mounts)):
        if other not in ("", *made.types):
            yield f"{key}.{name}", f"no type {other!r}"
    if not record.formations or (record.line > 0) != ("line" in record.formations):
        yield f"{key}.formations", "line and its figure go together"
    if unknown := set(record.formations) - set(FORMATIONS):
        yield f"{key}.formations", f"unknown {sorted(unknown)}"
    if unruled := record.flags - made.flags.keys():
        yield "flags", f"no rule of {sorted(unruled)}"
    yield from _unruled(made, key, ("arm", "move", "resilience", "melee", "effect", "formations"))
    yield from _unknown_rules(f"{key}.rules", record.rules)


def _unruled(made: Period, key: str, members: tuple[str, ...]) -> Iterable[tuple[str, str]]:
    for member in members:
        if member not in made.rules:
            yield f"rules.{member}", f"no rule of {key}"


def _unknown_rules(key: str, rules: Mapping[Any, str]) -> Iterable[tuple[str, str]]:
    for member, rule in rules.items():
        if rule not in _rule_ids():
            yield f"{key}.{member}", f"no rule {rule!r}"


_PERIODS = {code: read_period(code, read_beside(PACKAGE, "data", "periods", f"{code}.toml")) for code in PERIODS}
