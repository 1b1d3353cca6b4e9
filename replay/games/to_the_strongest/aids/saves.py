"""The sheet of shooting, saves and morale: how a shot goes, what changes a save, losses, rout tests, rallying."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from domain.games.to_the_strongest.chapters.saves import (
    HIGHEST_SAVE,
    IN_REPLIES,
    LOWEST_SAVE,
    WHEN_CHARGED,
    WHEN_SHOT_AT,
)
from domain.games.to_the_strongest.state.roster import QUALITIES, rout_number
from domain.mechanics.modifiers import Factor
from replay.aids.sheet import Column, Sheet, Table, table_rows
from replay.games.to_the_strongest.aids.wording import (
    at_least,
    lines_of,
    reasons,
    rule_in_words,
    rules_table,
    sheet,
    signed,
    word,
)

SHOOTING_RULES = ("TTS-SHT-01", "TTS-SHT-02", "TTS-SHT-06", "TTS-SHT-07", "TTS-SHT-08", "TTS-SHT-09", "TTS-SHT-11")
LOSS_RULES = ("TTS-DIS-01", "TTS-DIS-04", "TTS-DIS-05")
ROUT_RULES = ("TTS-MOR-01", "TTS-MOR-02", "TTS-MOR-03", "TTS-MOR-05", "TTS-MOR-06")
RALLY_RULES = ("TTS-RLY-01", "TTS-RLY-02", "TTS-RLY-03")


def saves(lang: str) -> Sheet:
    """The sheet of shooting, saves and morale."""
    how = word("saves.how", lang, lowest=LOWEST_SAVE, highest=HIGHEST_SAVE)
    starred = [WHEN_CHARGED[why].rule for why in IN_REPLIES]
    return sheet(
        "saves",
        lang,
        rules_table("shooting", word("saves.shooting", lang), SHOOTING_RULES, lang),
        _factors("charged", lang, WHEN_CHARGED, starred, (how,), (word("saves.in-replies", lang),)),
        _factors("shot", lang, WHEN_SHOT_AT, (), (), ()),
        rules_table("loss", word("saves.loss", lang), LOSS_RULES, lang),
        _rout(lang),
    )


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
        told = rule_in_words(rule, lang)
        # if one rule has several numbers, each line names its subject
        one_of = word("saves.one-of", lang, title=told.title, whys=reasons(whys, lang))
        text = one_of if split.count(rule) > 1 else told.text
        rows.append((signed(plus) + ("*" if rule in starred else ""), text, rule))
    columns = (
        Column(word("saves.plus", lang), align="centre", weight="bold"),
        Column(word("saves.when", lang), share=1),
        Column(word("rule", lang), weight="faint"),
    )
    return Table(key, word(f"saves.{key}", lang), columns, table_rows(*rows), intro=intro, notes=notes)


def _rout(lang: str) -> Table:
    """The card of a rout test by quality (TTS-MOR-01), and other facts about tests and rallies."""
    numbers = " · ".join(f"{word(f'quality.{name}', lang)} {at_least(rout_number(name))}" for name in QUALITIES)
    rules = rules_table("rout", word("combat.rout", lang), (*ROUT_RULES, *RALLY_RULES), lang)
    first = table_rows((word("quality.rout", lang), numbers, ROUT_RULES[0]))
    return replace(rules, rows=(*first, *rules.rows))
