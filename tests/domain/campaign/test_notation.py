"""Lines of campaigns: read in English and French, written in both."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.basics.errors import Refusal
from domain.campaign.notation import MOST_LINES, read_order, read_orders, write_order
from domain.campaign.orders import FORMS, NO_NAMES, CampaignOrder
from tests.support.looping import some

LINES = {
    "ready": "prêt",
    "wait": "attends",
    "withdraw": "renonce",
    "take p3": "prends p3",
    "send Ann of Leeds to 2.1": "envoie Ann of Leeds sur 2.1",
    "absent 3": "absent 3",
    "recruit F1 I light_javelin veteran as R9": "recrute F1 I light_javelin vétéran comme R9",
    "dismiss F1 R1": "licencie F1 R1",
    "rest F1 R1 R2": "repose F1 R1 R2",
    "field F1 R1": "engage F1 R1",
    "ransom F1 G2": "rançonne F1 G2",
    "march F1 panormus messana": "marche F1 panormus messana",
    "hold F1": "tiens F1",
    "avoid F1 enna": "évite F1 enna",
    "storm F1": "assaut F1",
    "begin": "commence",
    "extend 2 7d": "prolonge 2 7j",
    "pair 2.1 p1 p2 because they asked": "apparie 2.1 p1 p2 parce que they asked",
    "default 1.2 both": "forfait 1.2 deux",
    "default 1.2 hold": "forfait 1.2 hold",
    "void 1.1.2": "annule 1.1.2",
    "result 1.2 draw": "résultat 1.2 nulle",
    "replace p3 by Eve": "remplace p3 par Eve",
    "expel p3 because he cheats": "exclus p3 parce que he cheats",
    "penalty p3 2": "pénalité p3 2",
    "open 40": "ouvre 40",
    "rewind 40": "reviens 40",
    "end because over": "termine parce que over",
    "seat Ann Bob cannae": "place Ann Bob cannae",
    "bulletin hold": "bulletin retiens",
    "bulletin send": "bulletin envoie",
    "season next": "saison suivante",
    "challenge Ann cannae": "défie Ann cannae",
    "accept p2": "accepte p2",
    "decline Ann": "décline Ann",
    "table 1.2 p3 kept 640 210 lost N2 N5 worn S1": "table 1.2 p3 gardé 640 210 perdu N2 N5 usé S1",
    "table 1.2 draw kept 0 0 dead F1:G2 hurt G3": "table 1.2 nulle gardé 0 0 mort F1:G2 blessé G3",
    "say all we march at dawn": "dis tous we march at dawn",
    "say p2 yes": "dis p2 yes",
}


@pytest.mark.rule("CAM-ORD-01")
@pytest.mark.parametrize(("english", "french"), LINES.items())
def test_a_line_is_one_order_in_both_languages(english, french):
    order = read_order(english)
    assert read_order(french) == order
    assert (write_order(order), write_order(order, "fr")) == (english, french)


@pytest.mark.parametrize("line", ["MARCHE f1 Panormus MESSANA", "Évite F3 ENNA", "evite f3 Enna", "RESULTAT 1.2 NULLE"])
def test_capitals_and_accents_are_the_writers_choice(line):
    assert read_order(line) == read_order(line.lower())


def test_every_verb_has_a_line():
    assert {line.split()[0] for line in LINES} == {*FORMS}


@pytest.mark.rule("CAM-ORD-02")
@pytest.mark.parametrize(
    "line",
    [
        "",
        "# nothing",
        "march F1",
        "dance F1",
        "hold F1 F2",
        "extend 2 soon",
        "extend 2 0d",
        "extend 2 900d",
        "extend 0 7d",
        "penalty p1 0",
        "pair 2 p1 p2",
        "pair 2.0 p1 p2",
        "void 1.1.3",
        "recruit F1 I light_javelin R9",
        "send Ann",
        "send to 2.1",
        "rest F1",
        "season last",
        "bulletin burn",
        "table 1.1 p1 640 210",
        "table 1.1 p1 kept 640",
        "table 1.1 p1 kept 640 210 lost",
        "table 1.1 p1 kept 640 210 found N1",
        "say all",
        "end because",
        "end over",
        "take " + "a" * 21,
        "say all " + "x" * 801,
        "say all a\u0378",
        "say all " + "x" * 1300,
    ],
)
def test_what_is_no_line_is_refused(line):
    with pytest.raises(Refusal) as refused:
        read_order(line)
    assert refused.value.code == "core.parse"


def test_all_lines_can_be_read_or_none_is():
    assert read_orders("ready\n\n# later\nHOLD f1 # here") == (
        CampaignOrder("ready"),
        CampaignOrder("hold", force="F1"),
    )
    with pytest.raises(Refusal):
        read_orders("ready\ndance")
    with pytest.raises(Refusal):
        read_orders("ready\n" * (MOST_LINES + 1))


WORDS = ["table", "1.1", "p1", "kept", "say", "all", "extend", "2", "7d", "par", "send", "to", "because", "que"]


@given(st.text(max_size=80) | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_any_text_is_read_or_refused(text):
    try:
        order = read_order(text)
    except Refusal as refusal:
        assert refusal.code == "core.parse"
    else:
        for lang in ("en", "fr"):
            assert read_order(write_order(order, lang)) == order


@pytest.mark.rule("CAM-LOG-01")
def test_no_entrant_is_called_like_a_word_of_the_line():
    assert {"all", "both", "draw", "tous", "deux", "nulle", "server", "umpire", "organiser", "nobody"} <= NO_NAMES
    for word in some(["draw", "nulle", "NULLE"]):
        assert read_order(f"result 1.1 {word}").winner == "draw"
