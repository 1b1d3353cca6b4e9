"""The sheet of charges: their course step by step, who hits on what, bonus cards, evading, elephants that run amok."""

from collections.abc import Iterable

from domain.games.to_the_strongest.chapters.activation import HIGHEST_CARD
from domain.games.to_the_strongest.chapters.aftermath import EXERTION_NEEDED
from domain.games.to_the_strongest.chapters.elephants import AMOK_NEEDED, ASIDE, BACK
from domain.games.to_the_strongest.chapters.evade import NEEDED, NEEDED_IN_ROUGH
from domain.games.to_the_strongest.chapters.melee import BONUS_CARDS, CLOSING_NEEDED, HITS_BADLY, TO_HIT
from domain.games.to_the_strongest.chapters.shooting import SHOT_NEEDED
from domain.games.to_the_strongest.state.state import Options
from replay.aids.sheet import Column, Sheet, Table, table_rows
from replay.games.to_the_strongest.aids.wording import (
    at_least,
    lines_of,
    rule_in_words,
    rules_table,
    sheet,
    signed,
    word,
)

STEPS = {
    "activate": "TTS-MEL-01",
    "declare": "TTS-GEO-07",
    "approach": "TTS-MEL-02",
    "evade": "TTS-EVD-08",
    "closing": "TTS-MEL-16",
    "attack": "TTS-MEL-09",
    "reply": "TTS-MEL-10",
    "second": "TTS-MEL-13",
    "advance": "TTS-MEL-14",
    "after": "TTS-MEL-17",
}
"""The steps of a charge in their order (TTS-MEL-04), each with the rule that says most of it."""
WHO_RULES = ("TTS-MEL-03", "TTS-ZOC-03", "TTS-GEO-06")
EVADE_RULES = ("TTS-EVD-01", "TTS-EVD-03", "TTS-EVD-05", "TTS-EVD-06", "TTS-EVD-07", "TTS-EVD-09")


def charging(lang: str) -> Sheet:
    """The sheet of charges."""
    return sheet(
        "charge",
        lang,
        _course(lang),
        rules_table("who", word("charge.who", lang), WHO_RULES, lang),
        _to_hit(lang),
        _bonus(lang),
        _evade(lang),
        _amok(lang),
        rules_table("evading", word("charge.evading", lang), EVADE_RULES, lang),
    )


def _course(lang: str) -> Table:
    """What happens in a charge, one step after the other."""
    gaps = {
        "cap": Options().bonus_cap,
        "closing": at_least(CLOSING_NEEDED),
        "flank": BONUS_CARDS["flank"].plus,
        "exertion": at_least(EXERTION_NEEDED),
    }
    columns = (
        Column("", align="centre", weight="faint"),
        Column("", weight="bold"),
        Column("", share=1),
        Column("", weight="faint"),
    )
    rows = (
        (str(at), word(f"step.{step}", lang), word(f"step.{step}.does", lang, **gaps), rule)
        for at, (step, rule) in enumerate(STEPS.items(), start=1)
    )
    return Table("course", word("charge.course", lang), columns, table_rows(*rows))


def _to_hit(lang: str) -> Table:
    """The cards needed for blows, shots and tests, and who needs them (TTS-MEL-05, TTS-SHT-02, TTS-MEL-16, -17)."""
    rows = table_rows(
        (at_least(TO_HIT), word("combat.melee", lang), "TTS-MEL-05"),
        *(
            (at_least(TO_HIT + factor.plus), word(f"hits.{why}", lang), factor.rule)
            for why, factor in HITS_BADLY.items()
        ),
        (at_least(SHOT_NEEDED), word("combat.shot", lang), "TTS-SHT-02"),
        (at_least(CLOSING_NEEDED), word("combat.closing", lang), "TTS-MEL-16"),
        (at_least(EXERTION_NEEDED), word("combat.exertion", lang), "TTS-MEL-17"),
    )
    return Table("to-hit", word("combat.to-hit", lang), _number_columns("combat.card", "combat.what", lang), rows)


def _bonus(lang: str) -> Table:
    rows = ((signed(cards), rule_in_words(rule, lang).text, rule) for rule, cards in lines_of(BONUS_CARDS))
    cap = word("combat.cap", lang, cap=Options().bonus_cap)
    columns = _number_columns("combat.cards", "saves.when", lang)
    return Table("bonus", word("combat.bonus", lang), columns, table_rows(*rows), notes=(cap,))


def _number_columns(number: str, said: str, lang: str) -> tuple[Column, ...]:
    return (
        Column(word(number, lang), align="centre", weight="bold"),
        Column(word(said, lang), share=1),
        Column(word("rule", lang), weight="faint"),
    )


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
    return Table("evade", word("combat.evade", lang), columns, rows)


def _amok(lang: str) -> Table:
    """Where elephants run that have been destroyed, by their card (TTS-MEL-18)."""
    aside = range(BACK + 1, ASIDE + 1)
    rows = (
        (f"1–{BACK}", word("amok.back", lang)),
        (_cards(card for card in aside if card % 2), word("amok.left", lang)),
        (_cards(card for card in aside if not card % 2), word("amok.right", lang)),
        (f"{ASIDE + 1}–{HIGHEST_CARD}", word("amok.nowhere", lang)),
    )
    columns = (
        Column(word("combat.card", lang), align="centre", weight="bold"),
        Column(word("amok.where", lang), share=1),
    )
    note = word("amok.hit", lang, needed=at_least(AMOK_NEEDED))
    return Table("amok", word("combat.amok", lang), columns, table_rows(*rows), notes=(note,), beside=True)


def _cards(cards: Iterable[int]) -> str:
    return ", ".join(map(str, cards))
