"""The sheet of fire and melee: figures, weapons, modifiers, results, special rules, D20 events."""

from collections.abc import Iterable

from msgspec.structs import replace

from domain.games.shot_to_pieces.chapters.drawn_events import NAMES
from domain.games.shot_to_pieces.chapters.fortunes import rule_of
from domain.games.shot_to_pieces.chapters.results import KILL, LIMIT
from domain.games.shot_to_pieces.plane.base import Base
from domain.games.shot_to_pieces.state.figures import BY_BAND
from domain.games.shot_to_pieces.state.footprints import base_size
from domain.games.shot_to_pieces.state.profiles import Effect, Period, UnitType, WeaponProfile, period
from replay.aids.sheet import Column, Sheet, Table, table_rows
from replay.games.shot_to_pieces.aids.asking import outcome, tie
from replay.games.shot_to_pieces.aids.diagrams import BANDS, edges_picture, fire_picture
from replay.games.shot_to_pieces.aids.modifiers import fire_modifiers, melee_modifiers
from replay.games.shot_to_pieces.aids.wording import (
    NONE,
    called,
    capital,
    centimetres,
    rule_in_words,
    rules_table,
    sheet,
    type_name,
    weapon_name,
    word,
)
from replay.telling.rulebook import rules_of

EFFECTS: tuple[Effect, ...] = ("normal", "shaken-only", "brittle-only", "kills-only-shaken", "second-line")
MARKERS = ("STP-RES-04", "STP-RES-07", "STP-RES-11")

NUMBERS = ("fire-value", "resilience", "melee-first", "melee-later")
POINTING = {"STP-WW1-03", "STP-ACW-06", "STP-EMP-07", "STP-GSC-05", "STP-ALG-04", "STP-F70-02"}
"""Rules of periods that say where something is written, or that the common rules hold."""
RELATED = {"acw": ("STP-WW1-07",), "f70": ("STP-EMP-06",)}
"""Rules of another period that those of a period send to."""
FEW = 6
"""So many rules of a period leave room for the markers below them."""


def fire_sheet(code: str, lang: str) -> Sheet:
    """The sheet of a period."""
    held = period(code)
    special = rules_table("special", special_rules(held), lang)
    below, beside = [special], [_events(lang)]
    (beside if len(special.rows) > FEW else below).append(rules_table("markers", MARKERS, lang))
    return sheet(
        held,
        "fire",
        lang,
        _figures(held, lang),
        replace(fire_modifiers(held, lang), share=4),
        replace(melee_modifiers(held, lang), beside=True, share=4),
        replace(_weapons(held, lang), beside=True, share=5),
        replace(_results(held, lang), under=True),
        _zones(held, lang),
        *(replace(one, under=True) for one in below),
        replace(beside[0], beside=True),
        *(replace(one, under=True) for one in beside[1:]),
    )


# --- figures


def _figures(held: Period, lang: str) -> Table:
    """Every type as it fires, resists and fights."""
    columns = (
        Column(word("troops", lang), weight="bold", share=5),
        *(
            Column(word(key, lang), align="centre")
            for key in ("fire-value", "resilience", "melee-first", "melee-later")
        ),
        Column(word("weapon", lang), share=4),
        Column(word("particulars", lang), share=12),
    )
    rows = [_fighter(held, type_name(key, lang), kind, lang) for key, kind in held.types.items()]
    if held.extended:
        rows.append(_fighter(held, word("extended-infantry", lang), held.extended, lang))
    note = word("fire-note", lang, none=NONE)
    return Table("fighters", word("fighters", lang), columns, table_rows(*rows), notes=(note,), tight=True)


def _fighter(held: Period, name: str, kind: UnitType, lang: str) -> tuple[str, ...]:
    return (
        name,
        str(kind.fire) if kind.fire else NONE,
        str(kind.resilience),
        *map(str, kind.melee),
        capital(_armed(held, kind, lang)),
        capital(", ".join(_particulars(kind, lang))),
    )


def _armed(held: Period, kind: UnitType, lang: str) -> str:
    if not kind.fire:
        return NONE
    if not kind.weapon:
        return word("own-weapon", lang)
    return weapon_name(held, kind.weapon, lang)


def _particulars(kind: UnitType, lang: str) -> Iterable[str]:
    if kind.effect != "normal":
        yield called(f"stp.effect.{kind.effect}", lang)
    for flag in sorted(kind.flags):
        yield word(f"flag-{flag}", lang)


def _weapons(held: Period, lang: str) -> Table:
    """Every weapon with the limits of its bands (STP-FIR-09)."""
    columns = (
        Column(word("weapon", lang), weight="bold", share=1),
        *(Column(called(f"stp.band.{band}", lang), align="centre") for band in BANDS),
    )
    rows = [
        (_marked(held, weapon, lang), *(centimetres(reach, lang) if reach else NONE for reach in weapon.bands))
        for weapon in held.weapons.values()
    ]
    note = word("between", lang).join(
        word("gun-effect", lang, band=called(f"stp.band.{band}", lang), effect=word(f"effect-{effect}", lang))
        for band, effect in BY_BAND.items()
    )
    free = word("free-fire", lang, cm=centimetres(held.switches.free_fire, lang))
    notes = (word("guns", lang, bands=note), free)
    return Table("weapons", word("weapons", lang), columns, table_rows(*rows), notes=notes, tight=True)


def _marked(held: Period, weapon: WeaponProfile, lang: str) -> str:
    marks = [word(f"mark-{mark}", lang) for mark in sorted(weapon.marks)]
    if weapon.choices > 1:
        marks.append(word("choices", lang, choices=weapon.choices))
    name = capital(weapon_name(held, weapon.key, lang))
    told = [mark for mark in marks if mark.split()[0].lower() not in name.lower()]
    return f"{name} ({', '.join(told)})" if told else name


# --- results


def _results(held: Period, lang: str) -> Table:
    """What the loser suffers, by the class of what beat it (STP-RES-01, -02, -06, -10)."""
    heads = {
        "by-less": (KILL - 1, False),
        "by-more": (KILL, False),
        "if-less": (KILL - 1, True),
        "if-more": (KILL, True),
    }
    columns = (
        Column(word("effect", lang), weight="bold", share=1),
        *(Column(word(head, lang, most=KILL - 1, least=KILL), align="centre") for head in heads),
    )
    rows = [
        (
            word(f"effect-{effect}", lang),
            *(
                word(f"suffers-{outcome(held, effect, diff, was_shaken=was_shaken)}", lang)
                for diff, was_shaken in heads.values()
            ),
        )
        for effect in EFFECTS
    ]
    notes = (
        word("tie", lang, suffered=word(f"suffers-{tie(held)}", lang)),
        word("limit", lang, most=LIMIT),
    )
    return Table("results", word("results", lang), columns, table_rows(*rows), notes=notes, tight=True)


def _zones(held: Period, lang: str) -> Table:
    """Fire zones and the edges of a charge, drawn."""
    foot = held.types["infantry"]
    gun = next(kind for kind in held.types.values() if kind.arm == "art")
    pictures = []
    for kind in (foot, gun):
        base = Base((0, 0), 0, *base_size(kind.arm, kind.usual_formation, {}))
        weapon = held.weapons[kind.weapon]
        pictures.append(fire_picture(base, weapon, capital(weapon_name(held, kind.weapon, lang)), lang))
    pictures.append(edges_picture(held, word("picture-edges", lang), lang))
    return Table("zones", word("zones-fire", lang), (), (), diagrams=tuple(pictures), tight=True)


# --- special rules, events


def special_rules(held: Period) -> list[str]:
    """The rules of a period, but for those that only point to others; those that they send to behind them."""
    own = f"STP-{held.code.upper()}-"
    found = [rule.id for rule in rules_of("stp") if rule.id.startswith(own) and rule.id not in POINTING]
    return [*found, *RELATED.get(held.code, ())]


def _events(lang: str) -> Table:
    """What each face of the D20 brings, with the option (STP-EVT)."""
    columns = (Column("", align="centre", weight="bold"), Column("", share=1))
    rows = [(str(number), rule_in_words(rule_of(number), lang).text) for number in range(1, len(NAMES) + 1)]
    intro = (rule_in_words("STP-EVT-00", lang).text,)
    return Table("events", word("events", lang), columns, table_rows(*rows), intro, tight=True)
