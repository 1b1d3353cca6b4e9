"""How the orders of a game are written, for the help of pages and letters."""

from msgspec.structs import replace

from domain.contract.order_help import HelpChapter
from domain.contract.ruleset import Ruleset


def order_help(ruleset: Ruleset, lang: str) -> tuple[HelpChapter, ...]:
    """The chapters of the game's help, with examples and words in a language."""
    return tuple(
        replace(
            chapter, forms=tuple(replace(form, example=written(ruleset, form.example, lang)) for form in chapter.forms)
        )
        for chapter in ruleset.shown.help(lang)
    )


def written(ruleset: Ruleset, example: str, lang: str) -> str:
    """An order in canonical notation as it is written in a language."""
    return example if lang == "en" else ruleset.orders.write(ruleset.orders.parse(example), lang)
