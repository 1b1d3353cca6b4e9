"""Orders are read in English and French, written canonically, and read back the same (to-the-strongest.md 2)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.basics.errors import Refusal
from domain.games.to_the_strongest.orders.notation import _FIRST, parse, write
from domain.games.to_the_strongest.state.vocabulary import ALIASES, FIRST_WORDS, FRENCH

LINES = {
    "corps II": "corps II",
    "R1 to D4": "R1 vers D4",
    "R1 to D4 facing S via D3": "R1 vers D4 face S par D3",
    "R1 ahead 2": "R1 avance 2",
    "R1 ahead-left then ahead": "R1 avance-gauche puis avance",
    "R1 back 2 facing W": "R1 recule 2 face O",
    "R1 ahead then shoot N1": "R1 avance puis tire N1",
    "R1 charge D5 halt": "R1 charge D5 halte",
    "R1 shoot D5 x2": "R1 tire D5 x2",
    "R1 shoot D5 then back": "R1 tire D5 puis recule",
    "R1 turn W": "R1 pivote O",
    "R1 turn about then ahead": "R1 pivote demi-tour puis avance",
    "R1 swap then ahead": "R1 échange puis avance",
    "R1 rally": "R1 rallie",
    "R1 replenish ammo": "R1 ravitaille munitions",
    "R1 form dismounted": "R1 forme démonté",
    "R1 march D6": "R1 marche D6",
    "R1 pass back": "R1 traverse recule",
    "R1 leave": "R1 quitte",
    "R1 return D1": "R1 revient D1",
    "group R1 R2 ahead": "groupe R1 R2 avance",
    "group R1 R2 march D5": "groupe R1 R2 marche D5",
    "general G1 to D5 with R1": "général G1 vers D5 avec R1",
    "general G1 with R2": "général G1 avec R2",
    "general G1 alone": "général G1 seul",
    "evade yes facing W": "esquive oui face O",
    "replay yes with G2": "rejoue oui avec G2",
    "replay no": "rejoue non",
    "join N2": "rejoint N2",
    "shift open": "décale ouvert",
    "done": "fini",
    "end turn": "fin du tour",
    "deploy R1 D2 N": "déploie R1 D2 N",
    "deploy G1 with R1": "déploie G1 avec R1",
    "deploy camp E1 fortified N W": "déploie camp E1 fortifié N O",
    "place gentle_hill D4": "place colline D4",
    "place stream F4 / F5": "place ruisseau F4 / F5",
    "play flank-march II W": "joue marche-de-flanc II W",
    "play arrows": "joue flèches",
    "standing evade N1 heavier": "consigne esquive N1 plus-lourd",
    "standing replay ask": "consigne rejoue demande",
    "resign": "abandonne",
    "offer draw": "propose nulle",
    "accept draw": "accepte nulle",
    "decline draw": "refuse nulle",
}


@pytest.mark.parametrize(("english", "french"), LINES.items())
def test_a_line_is_written_and_read_in_both_languages(english, french):
    command = parse(english)
    assert write(command) == english
    assert write(command, "fr") == french
    assert parse(french) == command


@pytest.mark.parametrize("line", ["r1 AHEAD", "  R1   ahead # up the hill", "R1 Avance", "R1 avance"])
def test_case_space_and_comments_do_not_matter(line):
    assert write(parse(line)) == "R1 ahead"


@pytest.mark.parametrize("line", ["general g1 alone", "général G1 seul", "GENERAL g1 SEUL"])
def test_accents_are_optional(line):
    assert write(parse(line)) == "general G1 alone"


def test_fin_tour_is_the_short_form():
    assert write(parse("fin tour")) == "end turn"


UNREADABLE = (
    *("", "#", "R1", "R1 fly", "R1 turn north", "R1 ahead two", "R1 to", "R1 to D4 D5", "1R ahead", "R1 ahead -1"),
    *("corps", "end", "group R1", "evade perhaps", "replay", "place castle D4", "play dice", "x" * 500),
    "standing evade N1 sometimes",
)


@pytest.mark.parametrize("line", UNREADABLE)
def test_what_is_not_in_the_grammar_is_refused_with_what_was_expected(line):
    with pytest.raises(Refusal) as refused:
        parse(line)
    assert refused.value.code == "core.parse"
    assert refused.value.params["expected"]


@pytest.mark.slow
@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text):
    try:
        command = parse(text)
    except Refusal as refusal:
        assert refusal.code == "core.parse"
    else:
        assert parse(write(command)) == command
        assert parse(write(command, "fr")) == command


def test_every_french_word_leads_back_to_its_english_one():
    assert all(ALIASES[word] in FRENCH or word == "en" for word in ALIASES if ALIASES[word] in FRENCH)
    assert set(FRENCH) >= FIRST_WORDS


@pytest.mark.rule("TTS-ORD-01")
def test_the_words_that_no_id_may_be_are_those_that_begin_an_order():
    assert frozenset(_FIRST) == FIRST_WORDS
