"""The sheet of the shooting phase: targets, hits, drive-backs and their chances, charges, troops."""

from collections.abc import Mapping

from domain.games.warmaster_shooting import RULESET
from domain.games.warmaster_shooting.bot.prospects import beyond
from domain.games.warmaster_shooting.chapters.cover import NEEDED, needed_to_hit
from domain.games.warmaster_shooting.chapters.drive_back import IGNORED, MM
from domain.games.warmaster_shooting.state.profiles import COVER_WORSE, PROFILES, TroopKind
from domain.games.warmaster_shooting.state.state import COVERS
from replay.aids.sheet import Column, Row, Sheet, Table, table_rows
from replay.aids.wording import Wording, words_of
from replay.telling.words.catalogue import find

PACKAGE = "replay.games.warmaster_shooting.aids"
_WORDING = Wording(RULESET, PACKAGE)
word = _WORDING.word
NONE = "\N{EN DASH}"
DICE = range(1, 11)
"""Dice of a drive-back whose chances are printed."""
PHASE = ("WMS-SEQ-08", "WMS-SEQ-05", "WMS-SEQ-03", "WMS-WIN-01", "WMS-WIN-02")
TARGETS = (
    *("WMS-GEO-04", "WMS-ARC-01", "WMS-ARC-02", "WMS-ARC-04", "WMS-LOS-02", "WMS-LOS-03", "WMS-LOS-04"),
    *("WMS-TGT-01", "WMS-TGT-03", "WMS-TGT-04", "WMS-TGT-05", "WMS-TGT-06"),
)
LOSSES = ("WMS-SAV-01", "WMS-PRO-02", "WMS-CAS-01", "WMS-CAS-02", "WMS-CAS-05")
DRIVEN = (
    *("WMS-DRV-01", "WMS-DRV-03", "WMS-DRV-04", "WMS-DRV-05", "WMS-DRV-06", "WMS-DRV-08", "WMS-DRV-10", "WMS-DRV-12"),
    *("WMS-CNF-01", "WMS-CNF-04", "WMS-CNF-05", "WMS-CNF-07"),
)
CHARGES = ("WMS-CCF-10", "WMS-CCF-02", "WMS-CCF-03", "WMS-CCF-04", "WMS-CCF-06", "WMS-CCF-09", "WMS-HIT-04")


def summary(lang: str) -> Sheet:
    """The one sheet of the game."""
    return _WORDING.sheet(
        "summary",
        lang,
        _rules("phase", PHASE, lang),
        _rules("targets", TARGETS, lang),
        _hits(lang),
        _rules("losses", LOSSES, lang),
        _rules("driven", DRIVEN, lang),
        _routs(lang),
        _rules("charges", CHARGES, lang),
        _troops(lang),
    )


def words() -> Mapping[str, Mapping[str, str]]:
    """All words: {key: {language: text}}."""
    return words_of(PACKAGE)


def _rules(key: str, rules: tuple[str, ...], lang: str) -> Table:
    return _WORDING.rules_table(key, word(key, lang), rules, lang)


def _hits(lang: str) -> Table:
    """What hits each class of protection, what gives it, and what it takes off the drive-back (WMS-HIT-02, -05)."""
    cannon = next(profile for profile in PROFILES.values() if COVER_WORSE in profile.flags)
    columns = (
        Column(word("class", lang), weight="bold"),
        Column(word("needed", lang), align="centre"),
        Column(_named(cannon, lang), align="centre"),
        Column(word("gives", lang), share=4),
        Column(word("ignored", lang), align="centre"),
    )
    rows = [
        (
            word(f"class-{cover}", lang),
            _at_least(NEEDED[cover]),
            _at_least(needed_to_hit(cannon, cover)[0]),
            word(f"gives-{cover}", lang),
            str(IGNORED[cover]) if IGNORED[cover] else NONE,
        )
        for cover in COVERS
    ]
    return Table("hits", word("hits", lang), columns, table_rows(*rows), notes=(word("hits-note", lang),))


def _routs(lang: str) -> Table:
    """The share of all throws with which so many dice rout a unit (WMS-DRV-06)."""
    columns = (
        Column(word("pace", lang), weight="bold", share=2),
        *(Column(str(dice), share=1, align="centre") for dice in DICE),
    )
    paces = sorted({profile.pace // MM for profile in PROFILES.values()})
    rows = [(word("centimetres", lang, pace=pace), *(chance(dice, pace) for dice in DICE)) for pace in paces]
    return Table("routs", word("routs", lang), columns, table_rows(*rows), notes=(word("routs-note", lang),))


def chance(dice: int, pace: int) -> str:
    """The percentage of throws that go beyond a pace in cm, rounded down; a dash where none does."""
    share = beyond(dice, pace, with_six=False)
    percent = 100 * share.numerator // share.denominator
    return f"{percent or '<1'}\N{NO-BREAK SPACE}%" if share else NONE


def _troops(lang: str) -> Table:
    """Every profile (WMS-PRO)."""
    columns = (
        Column(word("troops", lang), weight="bold", share=3),
        *(
            Column(word(key, lang), align="centre")
            for key in ("stands", "shots", "range", "hits-of", "save", "full-pace")
        ),
        Column(word("special", lang), share=4),
        Column(word("points", lang), align="centre"),
    )
    rows: list[Row] = []
    for type_ in dict.fromkeys(profile.type for profile in PROFILES.values()):
        of_type = [profile for profile in PROFILES.values() if profile.type == type_]
        rows += [Row((word(f"type-{type_}", lang),), heading=True), *table_rows(*(_line(one, lang) for one in of_type))]
    return Table("troops", word("all-troops", lang), columns, tuple(rows), notes=(word("troops-note", lang),))


def _line(profile: TroopKind, lang: str) -> tuple[str, ...]:
    return (
        _named(profile, lang),
        str(profile.stands),
        str(profile.shots) if profile.shots else NONE,
        str(profile.range // MM) if profile.shots else NONE,
        str(profile.hits),
        _at_least(profile.save) if profile.save else NONE,
        str(profile.pace // MM),
        ", ".join(word(f"flag-{flag}", lang) for flag in sorted(profile.flags)),
        str(profile.points),
    )


def _named(profile: TroopKind, lang: str) -> str:
    return find(f"type.{profile.name}", lang) or profile.name


def _at_least(number: int) -> str:
    return f"{number}+" if number < 6 else "6"
