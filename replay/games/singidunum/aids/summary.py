"""The sheet of Singidunum: what is needed to play, on two pages: numbers, then rules."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from domain.games.singidunum import RULESET
from domain.games.singidunum.chapters.combat import FATAL, OUTCOMES, PURSUE
from domain.games.singidunum.chapters.dice import FIGHT
from domain.games.singidunum.chapters.shooting import RANGES
from domain.games.singidunum.state.roster import (
    ABILITIES,
    IMPACT,
    IMPACT_AND_TIES,
    PROFILES,
    TIES,
    CounterType,
    cost,
    is_barred_from_forest,
)
from domain.games.singidunum.state.state import GOALS, Options, goal
from replay.aids.sheet import Column, Sheet, Table, table_rows
from replay.aids.wording import Wording, words_of
from replay.games.singidunum.aids.asking import what_changes_combats, what_makes_shots_harder
from replay.games.singidunum.aids.diagrams import reach_picture, retreat_picture
from replay.telling.words.catalogue import find

PACKAGE = "replay.games.singidunum.aids"
_WORDING = Wording(RULESET, PACKAGE)
word = _WORDING.word
NONE, MINUS = "\N{EN DASH}", "\N{MINUS SIGN}"
MARGINS = range(-4, 7)
RULES = {
    "turn": ("SEQ-01", "SEQ-02", "SEQ-03", "SEQ-04", "SEQ-06", "SEQ-15", "ARM-05", "SEQ-08"),
    "moving": ("MOV-10", "MOV-01", "MOV-02", "MOV-03", "MOV-05", "MOV-06", "MOV-07", "MOV-08", "MOV-09"),
    "shooting-rules": ("SHT-01", "SHT-02", "SHT-03", "SHT-04", "SHT-05", "SHT-10", "SHT-11"),
    "attacking": ("CBT-01", "CBT-02", "CBT-03", "REA-01", "REA-02", "REA-03", "CBT-07", "CBT-08", "CBT-09", "CBT-10"),
    "retreating": ("RET-02", "RET-04", "RET-05", "RET-07", "RET-08", "RET-09", "RET-10"),
    "winning": ("VP-01", "VP-02", "VP-04", "VP-05", "VP-08"),
    "extension": (
        *("EXT-SC-01", "EXT-SC-02", "EXT-HA-01", "EXT-LI-01", "EXT-GE-02", "EXT-GE-03", "EXT-GE-04"),
        *("EXT-TER-01", "EXT-TER-05", "EXT-TER-02", "EXT-TER-03", "RET-11"),
    ),
}
"""The rules that are quoted, by the key of their table."""


def summary(lang: str) -> Sheet:
    """The one sheet of the game."""
    told = {
        key: _WORDING.led_table(key, word(key, lang), [f"PRG-{one}" for one in rules], lang)
        for key, rules in RULES.items()
    }
    return _WORDING.sheet(
        "summary",
        lang,
        _units(lang),
        _setting_up(lang),
        replace(_modifiers(lang), beside=True),
        _results(lang),
        replace(_chances(lang), under=True),
        replace(_shots(lang), beside=True),
        replace(_shot_chances(lang), under=True),
        _pictures(lang),
        told["extension"],
        replace(told["turn"], new_page=True),
        *(replace(told[key], under=True) for key in ("moving", "shooting-rules")),
        replace(told["attacking"], beside=True),
        *(replace(told[key], under=True) for key in ("retreating", "winning")),
    )


def words() -> Mapping[str, Mapping[str, str]]:
    """All words: {key: {language: text}}."""
    return words_of(PACKAGE)


# --- units and setting up


def _units(lang: str) -> Table:
    """Every type with its counters, what they cost and what it can do (PRG-ARM-01, -02)."""
    columns = (
        Column("", weight="bold"),
        Column(word("type", lang), share=3),
        Column(word("counters", lang), share=2),
        Column(word("cost", lang), share=2),
        Column(word("moves", lang), align="centre"),
        Column(word("worth", lang), align="centre"),
        Column(word("particulars", lang), share=6),
    )
    rows = []
    for profile in PROFILES.values():
        costs = sorted({cost(profile.key, s, (), paid_asterisk=False) for s in profile.strengths}, reverse=True)
        rows.append(
            (
                profile.key,
                find(f"type.{profile.key}", lang) or profile.key,
                " ".join(map(str, profile.strengths)),
                " ".join(map(str, costs)),
                str(profile.moves),
                "½" if profile.half_points == 1 else str(profile.half_points // 2),
                ", ".join(_particulars(profile, lang)),
            )
        )
    return Table(
        "units", word("units", lang), columns, table_rows(*rows), notes=(word("units-note", lang),), tight=True
    )


def _particulars(profile: CounterType, lang: str) -> list[str]:
    found = ["mounted"] if profile.mounted else []
    found += ["shoots"] if profile.shoots else []
    found += ["no-forest"] if is_barred_from_forest(profile.key) else []
    found += ["rallies"] if profile.key == "HI" else []
    found += ["extension-of"] if profile.module else []
    told = [word(f"unit-{one}", lang) for one in found]
    if "impact" in ABILITIES.get(profile.key, ()):
        told.append(word("unit-shock", lang, impact=IMPACT, ties=TIES, both=IMPACT_AND_TIES))
    if profile.key == "GE":
        told.append(word("unit-general", lang, range=Options().general_range))
    if "asterisk" in ABILITIES.get(profile.key, ()):
        told.append(word("unit-asterisk", lang))
    return told


def _setting_up(lang: str) -> Table:
    """Budgets with their goals, rows of deployment, the last turn (PRG-ARM-03, -06, -11, PRG-VP-07)."""
    columns = (Column(word("budget", lang), weight="bold", share=1), *(Column(str(b), align="centre") for b in GOALS))
    row = (word("goal", lang), *(str(goal(Options(budget=budget))) for budget in GOALS))
    options = Options()
    notes = (
        word("goal-note", lang),
        word("deploy", lang, rows=options.deploy_rows),
        word("turn-limit", lang, turns=options.turn_limit),
    )
    return Table("setting-up", word("setting-up", lang), columns, table_rows(row), notes=notes, tight=True)


def _modifiers(lang: str) -> Table:
    """What is added to the total of a side (PRG-SHT-06, PRG-EXT-TER-02, -03)."""
    columns = (Column("", share=1), Column("", align="centre"))
    shots = {factor.why: factor.plus for factor in what_makes_shots_harder()}
    combats = {factor.why: factor.plus for factor in what_changes_combats()}
    rows = [(word(f"shot-{why}", lang), _signed(plus)) for why, plus in shots.items()]
    rows += [(word(f"combat-{why}", lang), _signed(plus)) for why, plus in combats.items()]
    return Table(
        "modifiers", word("modifiers", lang), columns, table_rows(*rows), notes=(word("add-up", lang),), tight=True
    )


def _signed(plus: int) -> str:
    return f"{MINUS}{-plus}" if plus < 0 else f"+{plus}" if plus else "0"


# --- results and chances


def _results(lang: str) -> Table:
    """What each difference brings (PRG-CBT-05)."""
    columns = (
        Column(word("difference", lang), align="centre", weight="bold"),
        Column(word("loser", lang), share=3),
        Column(word("pursuit", lang), share=2),
    )
    rows = [
        (
            f"{diff}+" if diff == FATAL else str(diff),
            word(outcome, lang, rally=Options().rally_target),
            word("may-pursue", lang) if diff >= PURSUE else NONE,
        )
        for diff, outcome in enumerate(OUTCOMES)
    ]
    return Table("results", word("fight", lang), columns, table_rows(*rows), tight=True)


def _shots(lang: str) -> Table:
    """What each difference of a shot brings (PRG-SHT-09, -14)."""
    options = Options()
    hit, kill = options.shot_hit, options.shot_kill
    columns = (
        Column(word("difference", lang), align="centre", weight="bold"),
        Column(word("target", lang), share=1),
    )
    rows = (
        (word("at-most", lang, most=hit - 1), word("missed", lang)),
        (f"{hit}{NONE}{kill - 1}", word("hit", lang)),
        (f"{kill}+", word("killed", lang, rally=options.rally_target)),
    )
    title = word("shots", lang, least=min(RANGES), most=max(RANGES))
    return Table("shots", title, columns, table_rows(*rows), tight=True)


def _chances(lang: str) -> Table:
    """The share of all pairs of dice with which an attack wins, eliminates and loses."""
    kinds: dict[str, Callable[[int], bool]] = {
        "wins": lambda diff: diff > 0,
        "kills": lambda diff: diff >= FATAL,
        "loses": lambda diff: diff < 0,
    }
    return _by_margin("chances", kinds, lang)


def _shot_chances(lang: str) -> Table:
    """The share of all pairs of dice with which a shot hits or more, and eliminates."""
    options = Options()
    kinds: dict[str, Callable[[int], bool]] = {
        "hits": lambda diff: diff >= options.shot_hit,
        "kills": lambda diff: diff >= options.shot_kill,
    }
    return _by_margin("shot-chances", kinds, lang)


def _by_margin(key: str, kinds: Mapping[str, Callable[[int], bool]], lang: str) -> Table:
    columns = (
        Column(word("margin", lang), weight="bold", share=2),
        *(Column(_signed(margin), share=1, align="centre") for margin in MARGINS),
    )
    rows = [(word(kind, lang), *(str(chance(margin, does)) for margin in MARGINS)) for kind, does in kinds.items()]
    return Table(key, word(key, lang), columns, table_rows(*rows), tight=True)


def chance(margin: int, does: Callable[[int], bool]) -> int:
    """The percentage of the pairs of faces with which the difference `does`, rounded down."""
    diffs = [margin + one - other for one in FIGHT.values for other in FIGHT.values]
    return 100 * sum(1 for diff in diffs if does(diff)) // len(diffs)


# --- pictures


def _pictures(lang: str) -> Table:
    """Reach and retreat, drawn."""
    pictures = (reach_picture(word("picture-reach", lang)), retreat_picture(word("picture-retreat", lang)))
    return Table("pictures", word("pictures", lang), (), (), diagrams=pictures, tight=True)
