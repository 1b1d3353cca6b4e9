"""Whether everything that the game can say has its words, in English and in French."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from domain.basics.decoding import convert
from domain.basics.errors import Refusal
from domain.basics.message import Message
from domain.events.battle import CORE_EVENTS, DecisionAsked, DieRolled, Fact
from domain.games import shot_to_pieces
from domain.games.shot_to_pieces import RULESET
from domain.games.shot_to_pieces.chapters.fortunes import EventApplied
from domain.games.shot_to_pieces.chapters.points import PointsSpent
from domain.games.shot_to_pieces.chapters.results import MarkerAdded, UnitDestroyed
from domain.games.shot_to_pieces.shown.dossier import SMOOTH
from domain.games.shot_to_pieces.shown.wording import narrate, signed
from domain.games.shot_to_pieces.state.factor_keys import RULES as FACTOR_RULES
from domain.games.shot_to_pieces.state.profiles import period
from domain.games.shot_to_pieces.state.state import State
from domain.games.shot_to_pieces.state.vocabulary import ALL_STEPS, FORMATIONS, PERIODS, QUALITIES, STATUSES, TRAITS
from domain.run.decide import evolve
from replay.bench.bench import play_case
from replay.telling.words import refusal_sentence, sentence, tell
from replay.telling.words.catalogue import find
from replay.telling.words.po import read_po
from replay.telling.words.template import fields
from tests.support.cases import case_files
from tests.support.catalogues import texts
from tests.support.french import english_in, ill_set
from tests.support.looping import some

SOURCES = Path(shot_to_pieces.__file__).parent
CASES = Path(__file__).parents[3] / "cases" / "stp"
LANGUAGES = ("en", "fr")
CATALOGUES = {
    lang: read_po((SOURCES / "locale" / lang / "LC_MESSAGES" / "stp.po").read_text(encoding="utf-8")).texts
    for lang in LANGUAGES
}

EVENTS = (
    "BuildingClosed BuildingOccupied ChargeDeclared ChargeFailed ChargeMoved ContactMade CorpsBroken DieKept "
    "EventApplied EventDrawn EventExpired EventWithoutEffect EvadeForced FireDeclared FireLost FireResolved "
    "FormationChanged GeneralDeployed GeneralMoved GeneralOrderAttempted GeneralOrderChanged "
    "GeneralOrderFailed GeneralOrderReceived ActivationRolled ActivationSkipped ImpetuousTested LeaderAttached "
    "LeaderRerollUsed LeaderTested MarkerAdded MarkerCapped MarkerConverted MarkerRemoved MeleeResolved "
    "PointsSpent ReplyObliged RoundBegan RoundEnded SaturationFired StandingApplied StepBegan StrafeSpared "
    "StrafingRun UnitAdvanced UnitDeployed UnitDestroyed UnitEvaded UnitLeftTable UnitMoved UnitOriented "
    "UnitRevealed UnitsDetached UnitsRealigned"
)
"""All events of the game, but for the events that every game has."""
CODES_OF_REFUSALS = (
    "wrong-step no-such-place-to-go corps-broken order-already-tried same-order no-general option-off "
    "partial-detachment too-far unit-gone not-an-enemy target-gone unit-shaken unit-engaged pinned already-moved "
    "immobilised not-a-group mixed-orders march-column charge-forbidden not-eligible charge-limit melee-closed "
    "bad-direction flank-needed cannot-back not-artillery not-behind bad-formation limit-reached leaves-table "
    "out-of-reach path-blocked overlap no-interpenetration graze crossing-charge interdicted in-zoc flank-in-zoc "
    "not-nearest insufficient-points order-quota charges-pending charge-due general-gone not-his-corps not-attached "
    "no-fire-value moved-too-far already-fired not-emplaced target-engaged not-visible out-of-range out-of-arc "
    "no-indirect direct-target-exists dead-zone no-lane mixed-salvo not-abutting battery-split no-strafe not-on-edge "
    "not-a-candidate outside-deployment-zone deployment-incomplete bad-scenario"
)
"""Every refusal of shot-to-pieces.md 3."""
WORDS = {
    "purpose": "order activation event event-pick event-random rash stand survive indirect rocket irregular fire "
    "resilience melee reroll strafe-side strafe-shift strafe-friend impetuous leader-lost quality player-a",
    "decision": "evade pursue fire-order reroll advance event fire orders",
    "standing": "always never close ask place full nearest hold declared keep",
    "end": "broken turn-limit resignation draw",
    "phase": "deployment turns",
    "aspect": "front flank rear",
    "why": "nation second-try later-try",
    "stp.step": " ".join(("deployment", *ALL_STEPS)),
    "stp.order": "advance hold retreat",
    "stp.quality": " ".join(QUALITIES),
    "stp.stands": "regiment battalion brigade batteries",
    "stp.status": " ".join(STATUSES),
    "stp.formation": " ".join(FORMATIONS),
    "stp.trait": " ".join(TRAITS),
    "stp.band": "short medium long",
    "stp.cover": "light hard",
    "stp.effect": "shaken-only brittle-only kills-only-shaken second-line",
    "stp.marker": "shaken brittle",
    "stp.paid": "charge move face back about beside prolong group form general break",
    "stp.ground": "wood building hill rough road impassable water wall hedge stream",
    "stp.event": " ".join(map(str, range(1, 21))),
    "stp.EventApplied": " ".join(map(str, range(1, 21))),
    "sign": "shaken brittle in_melee hidden road rough",
}
"""Words that sentences name, by the form in which they name them."""


# --- everything has its words


def test_both_languages_have_the_same_ids():
    assert CATALOGUES["en"].keys() == CATALOGUES["fr"].keys()


def test_no_id_stands_in_another_catalogue():
    assert texts("en").keys() >= CATALOGUES["en"].keys()  # it refuses an id that two have


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_event_has_a_sentence_and_a_name(lang):
    named = {*EVENTS.split(), *(name for name in RULESET.events if name not in CORE_EVENTS)}
    assert sorted(name for name in named if find(f"stp.{name}", lang) is None) == []
    assert sorted(name for name in named if find(f"event.{name}", lang) is None) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_refusal_has_a_sentence(lang):
    assert [code for code in CODES_OF_REFUSALS.split() if find(f"stp.{code}", lang) is None] == []


@pytest.mark.parametrize("form", WORDS)
def test_every_word_that_sentences_name_is_there(form):
    assert [word for word in WORDS[form].split() if find(f"{form}.{word}", "en") is None] == []


@pytest.mark.parametrize("code", PERIODS)
def test_troops_weapons_and_modifiers_of_every_period_have_words(code):
    held = period(code)
    weapons = [SMOOTH.get(code, {}).get(key, key) for key in held.weapons]
    assert [key for key in held.types if find(f"type.{key}", "en") is None] == []
    assert [key for key in weapons if find(f"stp.weapon.{key}", "en") is None] == []
    reasons = held.factors.keys() & FACTOR_RULES.keys()  # the others are other figures of these
    assert sorted(why for why in reasons if find(f"why.{why}", "en") is None) == []


def test_every_modifier_of_section_27_has_a_reason():
    assert [why for why in FACTOR_RULES if find(f"why.{why}", "en") is None] == []


def test_every_fault_of_a_scenario_has_its_sentence():
    found = {
        fault
        for name in ("scenario.py", "scenario_checks.py")
        for fault in re.findall(r'\bbad\([^,]+, "([a-z-]+)"', (SOURCES / "state" / name).read_text(encoding="utf-8"))
    }
    assert len(found) > 10
    assert sorted(fault for fault in found if find(f"stp.bad-scenario.{fault}", "fr") is None) == []


def refusals_in_the_code():
    """Each `Refusal("stp.code", rule, name=…)` of the game: (place, code, names)."""
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal"):
                continue
            if node.args and isinstance(node.args[0], ast.Constant) and str(node.args[0].value).startswith("stp."):
                yield f"{path.name}:{node.lineno}", node.args[0].value, {one.arg for one in node.keywords}


def test_every_refusal_in_the_sources_brings_what_its_sentence_names():
    found = [one for one in refusals_in_the_code() if one[1] != "stp.bad-scenario"]
    assert len(found) > 40
    lacking = [
        (place, code, name)
        for place, code, names in found
        if None not in names  # `**params`
        for name in fields(find(code, "en") or "{sentence}") - names - {"rule"}
    ]
    assert lacking == []


def test_every_purpose_and_cause_in_the_sources_has_its_word():
    text = "".join(path.read_text(encoding="utf-8") for path in sorted((SOURCES / "chapters").glob("*.py")))
    purposes = set(re.findall(r'throw\([^"\n]*"([a-z-]+)"', text))
    assert purposes >= {"order", "activation"}
    assert sorted(one for one in purposes if find(f"purpose.{one}", "en") is None) == []


# --- French


@pytest.mark.parametrize("msgid", sorted(CATALOGUES["fr"]))
def test_a_french_text_is_french_and_set_so(msgid):
    for text in CATALOGUES["fr"][msgid]:
        assert ill_set(text) == []
        assert english_in(re.sub(r"\{[^{}]*\}", "x", text)) == []


# --- whole cases


def told(path, lang):
    """Each event of a case as a reader of a language reads it, and each of its refusals."""
    case = tomllib.loads(path.read_text())
    played = play_case(case, {RULESET.code: RULESET}, lang)
    state = RULESET.rules.initial
    for entry in played.result.events:
        event = convert(entry["data"], RULESET.events[entry["type"]])
        yield entry["type"], tell(RULESET, state, Fact(entry["by"], entry["rule"], event), lang)
        state = evolve(RULESET, state, event, entry["n"])
    yield from (("refusal", one.message) for one in played.result.rejections)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("path", case_files(CASES), ids=lambda path: path.stem)
def test_every_case_is_told(path, lang):
    """A sentence that is missing, or that lacks what it names, is an error."""
    for kind, text in some(told(path, lang)):
        bare = re.sub(r" \[[A-Z0-9-]+\]$", "", text)  # the rule of a refusal
        assert bare and not re.search(r"[{}\[\]|]|\bstp\.", bare), (kind, text)
        if lang == "fr" and kind not in ("BattleOpened", "SideJoined"):
            assert english_in(text, ("South", "North")) == [], text


# --- sentences

INFANTRY = State(units={}, names={"south": "Union"})


def said(event, by="south", lang="en"):
    return sentence(narrate(INFANTRY, Fact(by, "STP", event)), lang)


def test_a_shot_is_told_with_both_reckonings():
    path = CASES / "02-exchange-with-salvo.toml"
    shot = next(text for kind, text in told(path, "en") if kind == "FireResolved")
    assert shot == (
        "U1 (infantry), with U2, exchanges fire with C1 (infantry) (8 cm, short range): "
        "8 (3, +1 elite, +1 salvo, die 3) against 4 (3, less 1: reserve, die 2)."
    )
    french = next(text for kind, text in told(path, "fr") if kind == "FireResolved")
    assert french == (
        "U1 (infanterie), avec U2, échange des tirs avec C1 (infanterie) (8 cm, portée courte)\N{NO-BREAK SPACE}: "
        "8 (3, +1 élite, +1 salve, dé 3) contre 4 (3, moins 1\N{NO-BREAK SPACE}: réserve, dé 2)."
    )


def test_lengths_are_told_in_centimetres_with_the_mark_of_the_language():
    refused = Refusal("stp.too-far", "STP-MOV-01", unit="U1", distance=1650, allowed=1500)
    assert refusal_sentence(refused) == "U1 can go 15 cm; that is 16.5 cm. [STP-MOV-01]"
    assert refusal_sentence(refused, "fr") == (
        "U1 peut aller à 15 cm\N{NO-BREAK SPACE}; il faudrait 16,5 cm. [STP-MOV-01]"
    )


def rolled(purpose, unit, sides, value, face=0):
    return DieRolled("dice:south", 1, 1, sides, value, purpose, unit, face or value)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (rolled("activation", "I", 6, 4), "Corps I rolls 4 on a D6 for its points."),
        (rolled("fire", "AIR", 4, 2), "The aircraft rolls 2 on a D4."),
        (rolled("stand", "U1", 6, 2), "U1 rolls 2 on a D6 to stand."),
        (rolled("fire", "U1", 4, 3, face=4), "U1 rolls 3 on a D4 (face 4) to fire."),
        (
            DecisionAsked("south", "advance", "U1", ("yes", "no")),
            "South must decide: does U1 advance onto the ground that it has won?",
        ),
        (PointsSpent("I", "U1", "charge", 2, 1, "near"), "Corps I pays 2 points for U1 (a charge); 1 left."),
        (MarkerAdded("U1", "shaken", "fire", 5, 1, 1), "U1 is shaken until the end of phase 5 (2 markers)."),
        (MarkerAdded("U1", "brittle", "tie", 0, 0, 1), "U1 is brittle, as the scores are equal (1 marker)."),
        (UnitDestroyed("U1", "marker-limit", (0, 0)), "U1 is destroyed: more than two markers."),
        (EventApplied(9, (), "I", "", -2), "Corps I is drunk: its points in this phase change by \N{MINUS SIGN}2."),
        (EventApplied(15, ("U1",), "", "B1"), "B1 is on fire: U1 leaves it."),
    ],
)  # fmt: skip
def test_an_event_is_told(event, text):
    assert said(event) == text


def test_a_number_is_told_with_its_sign():
    assert [signed(number) for number in (3, 0, -1)] == ["+3", "+0", "\N{MINUS SIGN}1"]


def test_fire_from_the_air_and_saturation_have_sentences_of_their_own():
    shot = {
        "firer": "AIR", "units": [], "target": "U1", "salvo": "", "attack": 5, "defence": 4,
        "attack_score": {"base": 2, "factors": [], "die": 3}, "defence_score": {"base": 3, "factors": [], "die": 1},
    }  # fmt: skip
    air = sentence(Message("stp.FireResolved.air", shot))
    assert air == "The aircraft attacks U1: 5 (2, die 3) against 4 (3, die 1)."
    fell = sentence(Message("stp.FireResolved.saturation", {**shot, "firer": "A1"}))
    assert fell == "The fire of A1 comes down on U1: 5 (2, die 3) against 4 (3, die 1)."
