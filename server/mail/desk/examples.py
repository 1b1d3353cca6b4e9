"""Examples of orders and scripts for the help: of the game that is played, or of none.

Orders come with the game (`Senses.orders`, `Senses.policy`, `Presentation.help`); the lines of scripts around them are
the same for all.
"""

from collections.abc import Mapping

from msgspec import Struct

from domain.contract.order_help import OrderForm
from domain.contract.ruleset import Ruleset
from server.shown.notation import order_help, written

SCRIPTS: Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "en": (
        ("repeat", ("repeat {one} until it fails or needs more than 5",)),
        ("rounds", ("repeat 3 times {one}",)),
        ("refused", ("{one}", "stop if it is refused")),
        ("stop", ("{one}", "stop after a 5 or more", "{other}")),
        ("else", ("{one}", "if it fails: {other}", "else: {one}")),
        ("block", ("if {one} needs at most 5", "{one}", "{other}", "else", "{other}", "end if")),
        ("on", ("{policy}",)),
    ),
    "fr": (
        ("repeat", ("répète {one} jusqu'à ce qu'il échoue ou besoin plus de 5",)),
        ("rounds", ("répète 3 fois {one}",)),
        ("refused", ("{one}", "arrête s'il est refusé")),
        ("stop", ("{one}", "arrête après un 5 ou plus", "{other}")),
        ("else", ("{one}", "s'il échoue: {other}", "sinon: {one}")),
        ("block", ("si {one} besoin au plus 5", "{one}", "{other}", "sinon", "{other}", "fin si")),
        ("on", ("{policy}",)),
    ),
}
"""Lines of scripts, each with the name of its explanation."""
SEVERAL: Mapping[str, tuple[str, ...]] = {
    "en": ("battle 1", "4 16 37", "battle 2", "2"),
    "fr": ("bataille 1", "4 16 37", "bataille 2", "2"),
}
"""One mail for two battles."""
ANY_ORDER = {"en": ("ORDER", "OTHER ORDER"), "fr": ("ORDRE", "AUTRE ORDRE")}
"""What stands for two orders where no game is meant."""
STANDING = "standing"
"""The first word of a standing order in canonical notation."""


class GameExamples(Struct, frozen=True):
    """The examples of a game in a language. `orders` is two order lines, `forms` what a newcomer needs, each with what
    it says, `standing` the standing orders, `scripts` lines with the name of their explanation."""

    orders: tuple[str, ...]
    forms: tuple[OrderForm, ...]
    standing: tuple[OrderForm, ...]
    scripts: tuple[tuple[str, tuple[str, ...]], ...]


def examples_of(ruleset: Ruleset | None, lang: str) -> GameExamples:
    """The examples of a game; without one only scripts, with words that stand for orders."""
    if ruleset is None:
        return GameExamples((), (), (), _scripts(ANY_ORDER[lang], "", lang))
    senses = ruleset.orders.senses
    orders = tuple(written(ruleset, order, lang) for order in senses.orders)
    shown = [form for chapter in order_help(ruleset, lang) for form in chapter.forms]
    told = [form.example for chapter in ruleset.shown.help("en") for form in chapter.forms]
    return GameExamples(
        orders,
        tuple(form for form in shown if form.first),
        tuple(form for form, example in zip(shown, told, strict=True) if example.split()[0] == STANDING),
        _scripts(orders, senses.policy.get(lang, ""), lang) if orders else (),
    )


def _scripts(orders: tuple[str, ...], policy: str, lang: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    one, other = orders
    found = [
        (name, tuple(line.format(one=one, other=other, policy=policy) for line in lines))
        for name, lines in SCRIPTS[lang]
    ]
    return tuple((name, lines) for name, lines in found if all(lines))
