"""The sheet of stratagems: card, name, order, timing, effect."""

from domain.games.to_the_strongest.state.state import Options
from domain.games.to_the_strongest.state.stratagems import STRATAGEMS, Stratagem
from replay.aids.sheet import Column, Sheet, Table, table_rows
from replay.games.to_the_strongest.aids.wording import rule_in_words, sheet, word

SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
JOKER = "X"


def stratagems(lang: str) -> Sheet:
    """The sheet of stratagems."""
    columns = (
        Column(word("stratagems.card", lang), align="centre"),
        Column(word("stratagems.name", lang), weight="bold", share=3),
        Column("Français" if lang == "en" else "English", weight="faint", share=3),
        Column(word("stratagems.when", lang), share=4),
        Column(word("stratagems.effect", lang), share=10),
        Column(word("stratagems.order", lang), share=5),
        Column(word("rule", lang), weight="faint"),
    )
    rows = table_rows(
        *(
            (
                cards_in_words(one, lang),
                title(text_of(one, "name", lang)),
                title(text_of(one, "name", "fr" if lang == "en" else "en")),
                word(f"when.{one.when}", lang),
                text_of(one, "text", lang),
                order(one, lang),
                one.rule,
            )
            for one in STRATAGEMS.values()
        )
    )
    intro = " ".join(
        (
            rule_in_words("TTS-STR-01", lang).text,
            rule_in_words("TTS-STR-02", lang).text,
            word("stratagems.drawn", lang, count=Options().stratagems_per_side),
        )
    )
    table = Table(
        "list", word("stratagems.list", lang), columns, rows, intro=(intro,), notes=(word("stratagems.optional", lang),)
    )
    return sheet("stratagems", lang, table, landscape=True)


def text_of(stratagem: Stratagem, member: str, lang: str) -> str:
    """The name or text of a stratagem in a language, with the numbers of the rule filled in."""
    text: str = getattr(stratagem, member if lang == "en" else f"{member}_{lang}")
    return text.format(**stratagem.numbers)


def title(name: str) -> str:
    """The word of an order as a name: `night-march` is Night march."""
    return name.replace("-", " ").capitalize()


def cards_in_words(stratagem: Stratagem, lang: str) -> str:
    """The card or cards that bring it: `J♥`, in French `V♥`."""
    if stratagem.cards[0].startswith(JOKER):
        return word("stratagems.joker", lang)
    return ", ".join(word(f"court.{card[0]}", lang) + SUITS[card[1]] for card in stratagem.cards)


def order(stratagem: Stratagem, lang: str) -> str:
    """How the stratagem is played: `play ambush UNIT (UNIT) BOX`."""
    arguments = [
        f"({word(f'argument.{name[:-1]}', lang)})" if name.endswith("?") else word(f"argument.{name}", lang)
        for name in stratagem.arguments
    ]
    return " ".join((word("stratagems.play", lang), text_of(stratagem, "name", lang), *arguments))
