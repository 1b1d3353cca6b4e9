"""The sheets of troop types: catalogue, special rules, weapons, quality, extras."""

from fractions import Fraction

from domain.games.to_the_strongest.chapters.activation import DIFFICULTIES
from domain.games.to_the_strongest.chapters.aftermath import EXERTION_NEEDED
from domain.games.to_the_strongest.chapters.melee import BONUS_CARDS, TO_HIT_BADLY
from domain.games.to_the_strongest.chapters.saves import WHEN_CHARGED, WHEN_SHOT_AT
from domain.games.to_the_strongest.state.records import Profile
from domain.games.to_the_strongest.state.roster import (
    EXTRAS,
    FLAGS,
    PROFILES,
    QUALITIES,
    WEAPONS,
    rout_number,
    shooting_arc,
)
from domain.games.to_the_strongest.state.state import Options
from replay.aids.sheet import Column, Row, Sheet, Table, table_rows
from replay.games.to_the_strongest.aids.wording import at_least, rule_in_words, sheet, signed, word

QUARTERS = 4
GROUPS = ("foot", "light-foot", "shooters", "mounted", "others")
NUMBERS = ("speed", "steps", "stack", "save", "hit")


def units(lang: str) -> Sheet:
    """The sheet of troop types, and what their words mean."""
    return sheet("units", lang, _catalogue(lang), _weapons(lang), _qualities(lang), _legend(lang))


def group_of(profile: Profile) -> str:
    """The part of the table where a troop type stands."""
    if not profile.flags.isdisjoint({"elephant", "artillery", "wagon"}):
        return "others"
    if profile.mounted:
        return "mounted"
    if profile.light:
        return "light-foot"
    return "shooters" if profile.shooter and profile.weapon else "foot"


def unit_name(profile: Profile, lang: str) -> str:
    """The name of a troop type; one that is raw as printed says so."""
    name = profile.name if lang == "en" else profile.name_fr
    return word("units.raw", lang, name=name) if profile.quality == "raw" else name


def _catalogue(lang: str) -> Table:
    columns = (
        Column(word("units.name", lang), weight="bold", share=10),
        Column(word("units.size", lang)),
        *(Column(word(f"units.{name}", lang), align="centre") for name in NUMBERS),
        Column(word("units.weapon", lang)),
        Column(word("units.range", lang), align="centre"),
        Column(word("units.special", lang), share=11),
        *(Column(word(f"units.{name}", lang), align="centre") for name in ("cost", "av", "scouting")),
    )
    rows = []
    for group in GROUPS:
        members = [profile for profile in PROFILES.values() if group_of(profile) == group]
        rows += [Row((word(f"group.{group}", lang),), heading=True), *(Row(_cells(one, lang)) for one in members)]
    note = word("units.key-of-columns", lang, capacity=Options().stack_capacity)
    return Table("catalogue", word("units.catalogue", lang), columns, tuple(rows), notes=(note,))


def _cells(profile: Profile, lang: str) -> tuple[str, ...]:
    return (
        unit_name(profile, lang),
        word(f"size.{profile.size}", lang),
        str(profile.speed),
        str(profile.steps),
        str(profile.stack),
        at_least(profile.save),
        at_least(profile.hit),
        f"{word(f'weapon.{profile.weapon}', lang)} {profile.ammo}" if profile.weapon else "–",
        str(WEAPONS[profile.weapon].range) if profile.weapon else "–",
        _special(profile, lang) or "–",
        str(profile.cost),
        str(profile.av),
        _points(profile.scouting),
    )


def _special(profile: Profile, lang: str) -> str:
    """Its flags in words, and its arc if that differs from the weapon's."""
    said = [word(f"flag.{flag}", lang) for flag in FLAGS if flag in profile.flags]
    if profile.weapon and shooting_arc(profile) != WEAPONS[profile.weapon].arc:
        said.append(word("units.shoots", lang, arc=word(f"arc.{shooting_arc(profile)}", lang)))
    return ", ".join(said)


def _points(quarters: int) -> str:
    """Quarter points as points: ½, 1 (TTS-SCT-01)."""
    if not quarters:
        return "–"
    whole, rest = divmod(quarters, QUARTERS)
    part = {Fraction(0): "", Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}[Fraction(rest, QUARTERS)]
    return f"{whole or ''}{part}"


def _weapons(lang: str) -> Table:
    columns = (
        Column(word("weapons.name", lang), weight="bold", share=1),
        Column(word("units.range", lang), align="centre"),
        Column(word("units.arc", lang)),
        Column(word("weapons.shots", lang), align="centre"),
        Column(word("weapons.save", lang), align="centre"),
    )
    rows = table_rows(
        *(
            (
                word(f"weapon.{weapon.key}", lang),
                str(weapon.range),
                word(f"arc.{weapon.arc}", lang),
                word("weapons.yes" if weapon.double else "weapons.no", lang),
                signed(weapon.save) if weapon.save else "–",
            )
            for weapon in WEAPONS.values()
        )
    )
    notes = tuple(rule_in_words(rule, lang).text for rule in ("TTS-GEO-10", "TTS-SHT-08", "TTS-SHT-09"))
    return Table("weapons", word("units.weapons", lang), columns, rows, notes=notes, new_page=True)


def _qualities(lang: str) -> Table:
    columns = (
        Column(word("quality.name", lang), weight="bold", share=1),
        *(Column(word(f"quality.{name}", lang), align="centre") for name in ("save", "rout", "cost")),
    )
    rows = table_rows(
        *(
            (
                word(f"quality.{name}", lang),
                signed(quality.save) if quality.save else "–",
                at_least(rout_number(name)),
                signed(quality.cost) if quality.cost else "–",
            )
            for name, quality in QUALITIES.items()
        )
    )
    said = " · ".join(f"{word(f'extra.{name}', lang)} {signed(cost)}" for name, cost in EXTRAS.items())
    notes = (f"{word('units.extras', lang)} {said}.",)
    return Table("qualities", word("units.qualities", lang), columns, rows, notes=notes, beside=True)


def _legend(lang: str) -> Table:
    """The meaning of the words in the column `special`, each with its rule."""
    gaps = {
        "armour": WHEN_CHARGED["armour"].plus,
        "artillery": DIFFICULTIES["artillery"].plus,
        "badly": TO_HIT_BADLY,
        "beast": WHEN_CHARGED["beast"].plus,
        "exertion": EXERTION_NEEDED,
        "lance": BONUS_CARDS["lance"].plus,
        "pilum": BONUS_CARDS["pilum"].plus,
        "scythed": BONUS_CARDS["scythed"].plus,
        "spear": WHEN_CHARGED["long-spear"].plus,
        "tortoise": WHEN_SHOT_AT["tortoise"].plus,
        "two_handed": -WHEN_CHARGED["two-handed"].plus,
        "wagon": WHEN_CHARGED["wagon"].plus,
        "wall": WHEN_CHARGED["shieldwall"].plus,
        "warriors": BONUS_CARDS["warriors"].plus,
    }
    columns = (Column("", weight="bold", share=4), Column("", share=12), Column("", weight="faint"))
    rows = (
        (word(f"flag.{flag}", lang), word(f"flag.{flag}.means", lang, **gaps), rule) for flag, rule in FLAGS.items()
    )
    return Table("legend", word("units.legend", lang), columns, table_rows(*rows))
