"""The sheet of Singidunum: units, results, chances, and the rules that are asked for most."""

from collections.abc import Callable, Mapping

from domain.games.singidunum import RULESET
from domain.games.singidunum.chapters.combat import FATAL, OUTCOMES, PURSUE
from domain.games.singidunum.chapters.dice import FIGHT
from domain.games.singidunum.state.roster import PROFILES, cost
from domain.games.singidunum.state.state import Options
from replay.aids.sheet import Column, Sheet, Table, table_rows
from replay.aids.wording import Wording, words_of
from replay.telling.words.catalogue import find

PACKAGE = "replay.games.singidunum.aids"
_WORDING = Wording(RULESET, PACKAGE)
word = _WORDING.word
MARGINS = range(-4, 7)
ASKED = ("PRG-SEQ-15", "PRG-MOV-05", "PRG-SHT-02", "PRG-REA-02", "PRG-RET-02", "PRG-RET-08", "PRG-VP-04", "PRG-VP-05")
"""The rules that are quoted."""


def summary(lang: str) -> Sheet:
    """The one sheet of the game."""
    rules = _WORDING.rules_table("rules", word("rules", lang), ASKED, lang)
    return _WORDING.sheet("summary", lang, _units(lang), _results(lang), _chances(lang), rules)


def words() -> Mapping[str, Mapping[str, str]]:
    """All words: {key: {language: text}}."""
    return words_of(PACKAGE)


def _units(lang: str) -> Table:
    """Every type with its counters and what it can do (PRG-ARM-01)."""
    columns = (
        Column("", weight="bold"),
        Column(word("type", lang), share=2),
        Column(word("counters", lang), share=2),
        Column(word("cost", lang), share=2),
        Column(word("moves", lang), align="centre"),
        Column(word("worth", lang), align="centre"),
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
            )
        )
    return Table("units", word("units", lang), columns, table_rows(*rows))


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
            word("may-pursue", lang) if diff >= PURSUE else "–",
        )
        for diff, outcome in enumerate(OUTCOMES)
    ]
    return Table("results", word("fight", lang), columns, table_rows(*rows))


def _chances(lang: str) -> Table:
    """The share of all pairs of dice with which an attack wins, eliminates and loses."""
    columns = (
        Column(word("margin", lang), weight="bold", share=2),
        *(Column(f"{margin:+}" if margin else "0", share=1, align="centre") for margin in MARGINS),
    )
    kinds: dict[str, Callable[[int], bool]] = {
        "wins": lambda diff: diff > 0,
        "kills": lambda diff: diff >= FATAL,
        "loses": lambda diff: diff < 0,
    }
    rows = [
        (word(kind, lang), *(f"{chance(margin, does)}\N{NO-BREAK SPACE}%" for margin in MARGINS))
        for kind, does in kinds.items()
    ]
    return Table("chances", word("chances", lang), columns, table_rows(*rows))


def chance(margin: int, does: Callable[[int], bool]) -> int:
    """The percentage of the pairs of faces with which the difference `does`, rounded down."""
    diffs = [margin + one - other for one in FIGHT.values for other in FIGHT.values]
    return 100 * sum(1 for diff in diffs if does(diff)) // len(diffs)
