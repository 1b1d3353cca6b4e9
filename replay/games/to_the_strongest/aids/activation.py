"""The sheet of activation: every difficulty, the card needed, its chance."""

from collections.abc import Iterator

from domain.games.to_the_strongest.chapters.activation import (
    DIFFICULTIES,
    DISORDERED,
    HIGHEST_CARD,
    LEAST_NEEDED,
    OUT_OF_COMMAND,
    needed_after,
)
from domain.games.to_the_strongest.state.state import Options
from domain.mechanics.cards import PLAYING_DECK, cards_at_least
from domain.mechanics.modifiers import Factor
from replay.aids.sheet import Column, Sheet, Table, table_rows
from replay.games.to_the_strongest.aids.wording import at_least, rule_in_words, rules_table, sheet, signed, word

MOST_SHOWN = 5
"""The largest sum of difficulties in the table of cards needed."""
TURN_RULES = ("TTS-TRN-02", "TTS-TRN-04", "TTS-TRN-05", "TTS-TRN-06")
DRAWING_RULES = ("TTS-ACT-01", "TTS-ACT-02", "TTS-ACT-03", "TTS-ACT-04", "TTS-ACT-10")
EXEMPT_RULES = ("TTS-ACT-09", "TTS-ACT-07")


def activation(lang: str) -> Sheet:
    """The sheet of activation."""
    return sheet(
        "activation",
        lang,
        rules_table("turn", word("activation.turn", lang), TURN_RULES, lang),
        rules_table("rules", word("activation.rules", lang), DRAWING_RULES, lang),
        _difficulties(lang),
        rules_table("exempt", word("activation.exempt", lang), EXEMPT_RULES, lang),
        _needed(lang),
        _chances(lang),
    )


def difficulty_lines() -> Iterator[tuple[str, int]]:
    """Every difficulty as (rule, plus), in ascending order of rule, with the default options."""
    options = Options()
    fixed = {(factor.rule, factor.plus) for factor in DIFFICULTIES.values()}
    by_option = {(OUT_OF_COMMAND, options.out_of_command), (DISORDERED, options.disorder_difficulty)}
    yield from sorted(fixed | by_option)


def _difficulties(lang: str) -> Table:
    columns = (
        Column(word("activation.plus", lang), align="centre", weight="bold"),
        Column(word("activation.difficulty", lang), weight="bold", share=2),
        Column(word("activation.paid-when", lang), share=6),
        Column(word("rule", lang), weight="faint"),
    )
    rows = table_rows(
        *(
            (signed(plus) if plus else "–", rule_in_words(rule, lang).title, rule_in_words(rule, lang).text, rule)
            for rule, plus in difficulty_lines()
        )
    )
    return Table("difficulties", word("activation.difficulties", lang), columns, rows)


def _needed(lang: str) -> Table:
    """The number the card must reach after a last card, for a sum of difficulties (TTS-ACT-01, -04)."""
    sums = range(MOST_SHOWN + 1)
    columns = (
        Column(word("activation.last", lang), weight="bold", share=2, align="centre"),
        *(Column(signed(plus) if plus else "–", share=1, align="centre") for plus in sums),
    )
    rows = []
    for last in (0, *range(LEAST_NEEDED, HIGHEST_CARD)):
        needed = [needed_after(last, (Factor("", "", plus),)) for plus in sums]
        cells = (at_least(number) if number <= HIGHEST_CARD else "–" for number in needed)
        rows.append((str(last) if last else word("activation.none", lang), *cells))
    note = word("activation.over", lang, highest=HIGHEST_CARD)
    return Table("needed", word("activation.needed", lang), columns, table_rows(*rows), notes=(note,))


def _chances(lang: str) -> Table:
    """The number of cards of a full deck that suffice."""
    numbers = range(LEAST_NEEDED, HIGHEST_CARD + 1)
    columns = (
        Column(word("activation.card", lang), weight="bold", share=2, align="centre"),
        *(Column(at_least(number), share=1, align="centre") for number in numbers),
    )
    percent = (100 * cards_at_least(PLAYING_DECK, number) // len(PLAYING_DECK) for number in numbers)
    row = (word("activation.chance", lang), *(f"{share} %" if lang == "fr" else f"{share}%" for share in percent))
    return Table("chances", word("activation.chances", lang), columns, table_rows(row))
