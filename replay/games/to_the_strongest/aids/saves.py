"""The sheet of saves and combat: factors, hits, bonus cards, evading, routing."""

from collections.abc import Iterable, Mapping

from domain.games.to_the_strongest.chapters.aftermath import EXERTION_NEEDED
from domain.games.to_the_strongest.chapters.elephants import AMOK_NEEDED
from domain.games.to_the_strongest.chapters.evade import NEEDED, NEEDED_IN_ROUGH
from domain.games.to_the_strongest.chapters.melee import BONUS_CARDS, CLOSING_NEEDED, HITS_BADLY, TO_HIT
from domain.games.to_the_strongest.chapters.saves import (
    HIGHEST_SAVE,
    IN_REPLIES,
    LOWEST_SAVE,
    WHEN_CHARGED,
    WHEN_SHOT_AT,
)
from domain.games.to_the_strongest.chapters.shooting import SHOT_NEEDED
from domain.games.to_the_strongest.state.roster import QUALITIES, rout_number
from domain.games.to_the_strongest.state.state import Options
from domain.mechanics.modifiers import Factor
from replay.aids.sheet import Column, Sheet, Table, table_rows
from replay.games.to_the_strongest.aids.wording import at_least, rule_said, sheet, signed, word
from replay.telling.words.catalogue import find

EVADE_RULES = ("TTS-EVD-01", "TTS-EVD-03", "TTS-EVD-05", "TTS-EVD-07")
ROUT_RULES = ("TTS-MOR-01", "TTS-MOR-05", "TTS-MOR-02", "TTS-MOR-03", "TTS-RLY-01", "TTS-RLY-02", "TTS-RLY-03")


def saves(lang: str) -> Sheet:
    """The sheet of saves and combat."""
    how = word("saves.how", lang, lowest=LOWEST_SAVE, highest=HIGHEST_SAVE)
    starred = [WHEN_CHARGED[why].rule for why in IN_REPLIES]
    charged = _factors("charged", lang, WHEN_CHARGED, starred, (how,), (word("saves.in-replies", lang),))
    shot = _factors("shot", lang, WHEN_SHOT_AT, (), (), ())
    return sheet(
        "saves",
        lang,
        charged,
        shot,
        _bonus(lang),
        _to_hit(lang),
        _evade(lang),
        _rout(lang),
    )


def lines_of(factors: Mapping[str, Factor]) -> dict[tuple[str, int], list[str]]:
    """The factors as lines (rule, plus), each with the reasons it stands for."""
    lines: dict[tuple[str, int], list[str]] = {}
    for factor in factors.values():
        lines.setdefault((factor.rule, factor.plus), []).append(factor.why)
    return lines


def _factors(
    key: str,
    lang: str,
    factors: Mapping[str, Factor],
    starred: Iterable[str],
    intro: tuple[str, ...],
    notes: tuple[str, ...],
) -> Table:
    lines = lines_of(factors)
    split = [rule for rule, _ in lines]
    rows = []
    for (rule, plus), whys in lines.items():
        told = rule_said(rule, lang)
        # of one rule with several numbers each line says what it is of
        text = (
            word("saves.one-of", lang, title=told.title, whys=_said(whys, lang)) if split.count(rule) > 1 else told.text
        )
        rows.append((signed(plus) + ("*" if rule in starred else ""), text, rule))
    columns = (
        Column(word("saves.plus", lang), align="centre", weight="bold"),
        Column(word("saves.when", lang), share=1),
        Column(word("rule", lang), weight="faint"),
    )
    return Table(key, word(f"saves.{key}", lang), columns, table_rows(*rows), intro=intro, notes=notes)


def _to_hit(lang: str) -> Table:
    """The cards needed for blows, shots and tests (TTS-MEL-05, TTS-SHT-02, TTS-MEL-16, -17, -18)."""
    columns = (
        Column(word("combat.card", lang), align="centre", weight="bold"),
        Column(word("combat.what", lang), share=1),
        Column(word("rule", lang), weight="faint"),
    )
    rows = table_rows(
        (at_least(TO_HIT), word("combat.melee", lang), "TTS-MEL-05"),
        *(
            (at_least(TO_HIT + plus), word("combat.badly", lang, why=_said(whys, lang)), rule)
            for (rule, plus), whys in lines_of(HITS_BADLY).items()
        ),
        (at_least(SHOT_NEEDED), word("combat.shot", lang), "TTS-SHT-02"),
        (at_least(CLOSING_NEEDED), word("combat.closing", lang), "TTS-MEL-16"),
        (at_least(EXERTION_NEEDED), word("combat.exertion", lang), "TTS-MEL-17"),
        (at_least(AMOK_NEEDED), word("combat.amok", lang), "TTS-MEL-18"),
    )
    return Table("to-hit", word("combat.to-hit", lang), columns, rows)


def _said(whys: Iterable[str], lang: str) -> str:
    """Reasons in the words of the log."""
    return ", ".join(find(f"why.{why}", lang) or why for why in whys)


def _bonus(lang: str) -> Table:
    columns = (
        Column(word("combat.cards", lang), align="centre", weight="bold"),
        Column(word("saves.when", lang), share=1),
        Column(word("rule", lang), weight="faint"),
    )
    rows = table_rows(*((signed(cards), rule_said(rule, lang).text, rule) for rule, cards in lines_of(BONUS_CARDS)))
    cap = word("combat.cap", lang, cap=Options().bonus_cap)
    return Table("bonus", word("combat.bonus", lang), columns, rows, notes=(cap,))


def _evade(lang: str) -> Table:
    """The cards that an evader needs (TTS-EVD-02)."""
    columns = (
        Column(word("evade.who", lang), weight="bold", share=2),
        Column(word("evade.from-foot", lang), align="centre", share=1),
        Column(word("evade.from-mounted", lang), align="centre", share=1),
    )
    rows = table_rows(
        *(
            (word(f"evade.{who}", lang), *(at_least(NEEDED[mounted, charger]) for charger in (False, True)))
            for who, mounted in (("foot", False), ("mounted", True))
        ),
        (word("evade.rough", lang), at_least(NEEDED_IN_ROUGH), at_least(NEEDED_IN_ROUGH)),
    )
    notes = tuple(rule_said(rule, lang).text for rule in EVADE_RULES)
    return Table("evade", word("combat.evade", lang), columns, rows, notes=notes, beside=True)


def _rout(lang: str) -> Table:
    """The card of a rout test by quality (TTS-MOR-01), and what else is to know."""
    columns = (Column("", weight="bold"), *(Column("", share=1) for _ in QUALITIES))
    numbers = (f"{word(f'quality.{name}', lang)} {at_least(rout_number(name))}" for name in QUALITIES)
    notes = tuple(rule_said(rule, lang).text for rule in ROUT_RULES)
    row = (word("quality.rout", lang), *numbers)
    return Table("rout", word("combat.rout", lang), columns, table_rows(row), notes=notes)
