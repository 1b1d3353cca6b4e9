"""Orders read back as they were written, in both languages, and the help shows only orders that can be read."""

import pytest

from domain.basics.errors import Refusal
from domain.games.warmaster_shooting import RULESET
from domain.games.warmaster_shooting.orders.notation import parse, write

LINES = [
    ("A shoot B A1 at C A2 at D with A1 A2 A3", "A tire B A1 sur C A2 sur D avec A1 A2 A3"),
    ("K charge B via 0,10 facing 45 to -8.5,18", "K charge B par 0,10 face 45 vers -8.5,18"),
    ("end shooting", "fin tir"),
    ("end command", "fin commandement"),
    ("make-way yes", "laisse-passer oui"),
    ("fire yes with B1 B2", "riposte oui avec B1 B2"),
    ("standing fire B always", "consigne riposte B toujours"),
    ("standing remove B B1 B3", "consigne retire B B1 B3"),
    ("standing drive B D ask", "consigne repousse B D demande"),
    ("decline draw", "refuse nulle"),
]


@pytest.mark.parametrize(("english", "french"), LINES)
def test_an_order_is_the_same_in_both_languages(english, french):
    command = parse(english)
    assert write(command) == english
    assert write(command, "fr") == french
    assert parse(french) == command


@pytest.mark.parametrize(
    "line",
    ["A", "A shoot B C", "A charge B", "A charge B to 1, 2", "A charge B to 1.55,2", "fire", "fire no with A1", "end"],
)
def test_what_is_not_in_the_grammar_is_refused(line):
    with pytest.raises(Refusal) as refused:
        parse(line)
    assert refused.value.code == "core.parse"


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_help_shows_orders_that_can_be_read(lang):
    forms = [form.example for chapter in RULESET.shown.help(lang) for form in chapter.forms]
    assert len(forms) > 15
    for form in forms:
        parse(form)
