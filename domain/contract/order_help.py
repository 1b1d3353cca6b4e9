"""How the orders of a game are written, by example: `help.toml` in the game's data folder."""

from typing import Any

from msgspec import Struct

from domain.basics.data import read_toml

HELP = "help.toml"


class OrderForm(Struct, frozen=True):
    """An order as it could be written, in canonical notation, and what it says. `first`: one that a newcomer needs."""

    example: str
    says: str
    first: bool = False


class HelpChapter(Struct, frozen=True):
    """Orders that belong together."""

    title: str
    forms: tuple[OrderForm, ...]


def read_help(code: str, lang: str) -> tuple[HelpChapter, ...]:
    """The chapters of a game's help in a language, in English where it has no words in that one."""
    return tuple(
        HelpChapter(
            _in(chapter["title"], lang),
            tuple(OrderForm(form["example"], _in(form, lang), form.get("first", False)) for form in chapter["orders"]),
        )
        for chapter in read_toml(code, HELP)["chapter"]
    )


def _in(texts: dict[str, Any], lang: str) -> str:
    return str(texts.get(lang, texts["en"]))
