"""Everything is said in French as well, and all of it."""

import re

import pytest

from domain.basics.errors import Refusal
from domain.basics.message import Message
from domain.games.to_the_strongest.state import vocabulary
from domain.games.to_the_strongest.state.ground import PIECES
from domain.games.to_the_strongest.state.roster import PROFILES
from domain.games.to_the_strongest.state.stratagems import STRATAGEMS
from replay import battle_file
from replay.reports import plain
from replay.reports.account.voice import FORMS
from replay.telling.words import LANGUAGES, refusal_sentence, sentence, worded
from replay.telling.words.catalogue import count, find
from replay.telling.words.forms import _SPECIAL
from replay.telling.words.template import fields
from tests.support.catalogues import texts
from tests.support.fought import fought as fought_out
from tests.support.french import english_in, names_in, speaks_french
from tests.support.lanes import thinned
from tests.support.looping import some
from tests.support.scenes import cannae, in_full_swing
from tests.support.tiny import TTS

SPACE = "\N{NO-BREAK SPACE}"
EN, FR = texts("en"), texts("fr")
GAP = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
ONLY_FRENCH = ("side-of.", "side-to.", "deck-of.", "way.", "expected.", "sign.")
"""What French needs beside: contractions, and the words of the notation and of a board's legend."""
THE_SAME = {
    "gist.alone",  # a side and what it did
    "stp.brief-side",  # a side and its corps
    "verdict.seat",
    "list.comma",
    "sum.more",
    "event.ChargeDeclared",
    "event.ChargeContacted",
    "event.UnitConfused",
    "type.pistoliers",
    "wms.obstacle",
    "type.hoplites",
    "stock.lance",
    "stratagem.oracle",
    "why.front",
    "why.lance",
    "why.obstacle",
    "why.pilum",
    "quality.standard",
    "#camp",
    "#corps",
    "#point",
    "army-text.camp",
    "army-text.the-camp",
    "army-text.traits",
    "army-text.corps-head",
    "extra.lance",
    "ability.impact",
    "ground.base",
    "sign.base",
    "type.AR",
    "report.chart",
    "report.stood",
    "report.stood.singidunum.tally",
    "report.divisor.singidunum.tally",
    "report.divisor.stp.tally",
    "stp.formation-title",
    "story.some",
    # names and gaps of the reports of campaigns, ledgers and maps; Force, Corps, Points and Direct are French as well
    "campaign-report.chapter.node",
    "campaign-report.course.absent",
    "campaign-report.ladder.month",
    "campaign-report.points",
    "campaign-report.tie.buchholz",
    "campaign-report.tie.buchholz-1",
    "campaign-report.tie.direct",
    "campaign-report.tie.sonneborn",
    "campaign-report.war.fallen.line",
    "campaign-report.war.head.force",
    "campaign-report.war.who",
    "ledger.force",
    "ledger.group",
    "ledger.named",
    "map.power",
}
"""Words that are written alike in both languages."""


def gaps(forms):
    return {name for text in forms for name, _ in GAP.findall(text)}


def grouped(texts):
    """The ids of a catalogue by their first word: a test each would be thousands."""
    groups: dict[str, list[str]] = {}
    for msgid in sorted(texts):
        groups.setdefault(msgid.partition(".")[0], []).append(msgid)
    return [pytest.param(msgids, id=group) for group, msgids in groups.items()]


def test_both_languages_are_there():
    assert LANGUAGES == ("en", "fr")


def test_every_id_has_a_french_text_and_no_other_is_there():
    assert sorted(set(EN) - set(FR)) == []
    assert sorted(msgid for msgid in set(FR) - set(EN) if not msgid.startswith(ONLY_FRENCH)) == []


@pytest.mark.parametrize("msgids", thinned(grouped(EN), 9))
def test_a_french_text_has_the_gaps_of_the_english_one(msgids):
    for msgid in some(msgids):
        assert len(FR[msgid]) == len(EN[msgid]), msgid
        assert gaps(FR[msgid]) == gaps(EN[msgid]), msgid
        for french, english in zip(FR[msgid], EN[msgid], strict=True):
            assert fields(french.replace("{}", "")) <= fields(english.replace("{}", "")), msgid
            assert french.count("{}") == english.count("{}"), msgid


def test_a_french_text_is_another_than_the_english_one():
    alike = {msgid for msgid, text in EN.items() if [*map(str.casefold, FR[msgid])] == [*map(str.casefold, text)]}
    assert sorted(alike - THE_SAME) == []
    assert sorted(THE_SAME - alike) == []


@pytest.mark.parametrize("msgids", thinned(grouped(FR), 9))
def test_a_french_text_is_french(msgids):
    for msgid, text in some((one, text) for one in msgids for text in FR[one]):
        bare = GAP.sub("x", text)
        assert english_in(bare) == [] or msgid in {"fault.wrong-keys"}, msgid


def test_every_form_that_a_french_text_names_is_there():
    for form in some({form for said in FR.values() for text in said for _, form in GAP.findall(text) if form}):
        word = form.rpartition(" ")[2].lstrip("~")
        assert (
            form in _SPECIAL
            or form in FORMS
            or form.startswith(("?", "+"))
            or (form.startswith("#") and form in FR)
            or any(known.startswith(f"{word}.") for known in FR)
        ), form


def test_troop_types_are_called_as_in_the_catalogue():
    named = {key: PROFILES[key].name_fr for key in PROFILES}
    assert {key: (find(f"type.{key}", "fr") or "").casefold() for key in PROFILES} == {
        key: name.casefold() for key, name in named.items()
    }


def test_the_keywords_of_a_parse_refusal_are_those_of_the_notation():
    named = {key: stratagem.name_fr for key, stratagem in STRATAGEMS.items()}
    for live in (PIECES, vocabulary.FRENCH, named):
        assert {key: find(f"expected.{key}", "fr") for key in live} == dict(live)


@pytest.mark.parametrize(
    "line", ["", "R1", "R1 flies", "R1 charge", "general", "group R1", "play", "R1 turn", "deploy"]
)
def test_an_order_that_cannot_be_read_is_told_in_french(line):
    with pytest.raises(Refusal) as refused:
        TTS.orders.parse(line)
    told = refusal_sentence(refused.value, "fr")
    assert speaks_french(told), told


# --- sentences


def test_sides_are_contracted_with_what_stands_before_them():
    ended = Message("tts.CorpsEnded.end-turn", {"corps": "I", "corps_name": "", "side": "south"})
    assert sentence(ended, "fr") == "Le corps I du Sud finit avec le tour."
    began = Message("core.TurnBegan", {"turn": 3, "side": "north"})
    assert sentence(began, "fr") == f"Tour 3{SPACE}: c’est au Nord de jouer."


@pytest.mark.parametrize(("number", "told"), [(0, "0 médaille"), (1, "1 médaille"), (2, "2 médailles")])
def test_zero_is_singular(number, told):
    assert count("medal", number, "fr") == told


def test_a_reckoning_is_told_in_french():
    lines = [{"rule": "TTS-SAV-23", "why": "shieldwall", "plus": 1}]
    told = {"unit": "N1", "kinds": {"N1": "spearmen"}, "card": 7, "needed": 6, "base": 7, "sign": -1, "factors": lines}
    assert sentence(Message("tts.SaveMade", told), "fr") == (
        f"N1 (lanciers à pied) réussit sa sauvegarde avec un 7{SPACE}: "
        f"il fallait 6 (7, moins 1{SPACE}: mur de boucliers)."
    )


# --- a whole battle


@pytest.fixture(scope="module")
def fought():
    return battle_file.parse(fought_out(TTS, "skirmish", 2).file())


@pytest.mark.slow
def test_a_whole_battle_is_told_in_french(fought):
    names = names_in([event.event for event in fought.events]) | {"draw:south", "draw:north"}
    lines = list(plain.lines(fought, 1, fought.last, "fr"))
    for french, english in some(zip(lines, plain.lines(fought, 1, fought.last), strict=True)):
        assert french.said != english.said
        assert speaks_french(french.said, names), french


@pytest.mark.slow
def test_orders_are_quoted_in_french(fought):
    orders = [line.said for line in plain.lines(fought, 1, fought.last, "fr") if line.type == "OrderAccepted"]
    assert f"Le Sud{SPACE}: fin du tour" in orders or f"Le Nord{SPACE}: fin du tour" in orders


@pytest.mark.parametrize("state", [cannae(), in_full_swing()], ids=["cannae", "in-full-swing"])
def test_a_board_speaks_french(state):
    names = names_in(state) | {army.name for army in state.armies.values()}
    scene = worded(TTS.shown.view(state, ""), "fr")
    titles = [thing.title for things in (scene.cells, scene.lines, scene.tokens) for thing in things]
    told = [*titles, *(words for _, words in scene.captions)]
    assert all(titles)
    assert [english for text in told for english in english_in(text, names)] == []
    legend = plain.board(TTS, state, lang="fr")
    assert "orientation" in legend and "facing" not in legend
    assert "?" not in legend


def test_a_scene_is_worded_once():
    scene = worded(TTS.shown.view(cannae(), ""), "fr")
    assert worded(scene, "en") == scene
