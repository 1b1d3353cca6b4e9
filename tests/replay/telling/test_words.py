"""Whether everything that the program can say has its words."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from domain.basics.errors import Refusal
from domain.basics.message import Message
from domain.catalogue import RULESETS
from domain.events.battle import CORE_EVENTS, ContributionGiven, Fact
from domain.games.to_the_strongest import RULESET
from domain.games.to_the_strongest.chapters.terrain import MOST
from domain.games.to_the_strongest.state import scenario, scenario_checks
from domain.games.to_the_strongest.state.roster import EXTRAS, PROFILES, WEAPONS
from domain.games.to_the_strongest.state.state import TRAITS
from domain.games.to_the_strongest.state.stratagems import STRATAGEMS
from domain.mechanics.modifiers import Factor
from replay.telling.words import MissingSentence, factors, phrase, refusal, refusal_sentence, sentence, tell
from replay.telling.words.catalogue import count, find
from replay.telling.words.sentences import inline
from replay.telling.words.template import fields, fill
from tests.support.catalogues import texts
from tests.support.lanes import thinned

ROOT = Path(__file__).parents[3]
PACKAGES = ("domain", "projections", "replay", "server")

SHARED = {
    "BattleOpened": "sealed",
    "SideJoined": "",
    "SideLeft": "",
    "BattleBegan": "",
    "ContributionGiven": "",
    "OrderAccepted": "",
    "ClockFired": "deadline claim vacation vacation-over pause-asked pause pause-over",
    "RulingGiven": "",
    "Rewound": "",
    "RulesChanged": "",
    "KeyChanged": "",
    "Unsealed": "",
    "KeyDisclosed": "",
    "KeysContinued": "",
    "MasterRevealed": "",
    "DeckShuffled": "",
    "CardDrawn": "activation hit save general-save wound evade closing rout rally exertion amok scouting terrain "
    "stratagem stratagem.sealed arrival traitor",
    "DieRolled": "",
    "PhaseBegan": "terrain scouting deployment turns",
    "TurnBegan": "",
    "TurnEnded": "",
    "DecisionAsked": "evade replay join shift",
    "DecisionMade": "evade replay join shift",
    "StandingOrderSet": "sealed",
    "SideResigned": "",
    "DrawOffered": "",
    "DrawAccepted": "",
    "DrawDeclined": "",
    "DrawLapsed": "",
    "BattleEnded": "medals resignation draw turn-limit time",
}
BLOWS = "charge second reply shot closing amok"
EVENTS = {
    "CorpsBegan": "",
    "CorpsEnded": "failed done closed end-turn",
    "ActivationPassed": "",
    "ActivationFailed": "",
    "CardReplayed": "",
    "UnitMoved": "order shoot pass group march charge follow-up pursuit evade stratagem",
    "UnitTurned": "",
    "UnitsSwapped": "",
    "FormationChanged": "normal shieldwall tortoise dismounted",
    "UnitLeftField": "order evade",
    "UnitReturned": "",
    "ChargeDeclared": "front flank rear",
    "EvadeSucceeded": "",
    "EvadeFailed": "",
    "AttackBegan": "charge second reply closing",
    "ClosingFireTested": "",
    "MarkerSpent": "lance pilum",
    "ShotDeclared": "",
    "AmmoSpent": "",
    "MarkerReplenished": "ammo lance pilum",
    "HitScored": BLOWS,
    "HitMissed": BLOWS,
    "SaveMade": "",
    "SaveFailed": "",
    "UnitDisordered": f"{BLOWS} rout exertion",
    "UnitDestroyed": "melee shot rout amok no-evade spent burst strayed",
    "UnitRallied": "",
    "RallyFailed": "",
    "GeneralSaved": "",
    "GeneralSaveFailed": "",
    "GeneralWounded": "scratch light serious",
    "GeneralKilled": "wound no-unit overrun corps-lost",
    "GeneralMoved": "command rides flees",
    "GeneralJoined": "lost-unit ride",
    "MoralePassed": "",
    "MoraleFailed": "",
    "ElephantsRanAmok": "",
    "ExertionPassed": "",
    "ExertionFailed": "",
    "CampTaken": "",
    "MedalsTransferred": "unit general camp left return rally",
    "TerrainPlaced": "",
    "TerrainKept": "",
    "TerrainRemoved": "",
    "TerrainMoved": "",
    "StratagemDrawn": "sealed",
    "StratagemPlayed": "sealed night-march ambush flank-march stakes false-orders water hold arrows traitor scouts "
    "inspired ground oracle oracle.sealed",
    "StratagemTriggered": "ambush flank-march false-orders hold",
    "ReserveChanged": "",
    "SideDone": "terrain scouting",
    "ScoutingDrawn": "",
    "ScoutingTied": "",
    "ScoutingWon": "",
    "UnitDeployed": "sealed",
    "GeneralDeployed": "sealed",
    "CampPlaced": "sealed",
    "CorpsDeployed": "sealed",
}
"""Every event of the catalogue, with the values that choose its sentence."""

CODES = {
    "core": "parse battle-ended not-begun decision-pending no-decision not-your-turn wrong-phase unknown-id not-yours "
    "off-board phrase-missing waiting-for-contribution no-order no-draw-offer bad-toml unknown-scenario stale "
    "no-such-battle not-seated bad-pace no-clock bad-clock time-left no-flag own-flag paused already-away not-away "
    "pause-asked no-pause-asked not-paused bad-dates vacation-too-long vacation-overlaps vacation-used-up no-vacation",
    "tts": "bad-scenario unit-gone corps-ended not-current-corps not-off-field illegal-move bad-path bad-facing "
    "same-facing held-by-zoc must-face-holder must-charge-holder leaves-board impassable box-has-enemy "
    "diagonal-blocked stack-full facing-mismatch cannot-charge not-in-front-zone no-target not-first-target "
    "light-frontal no-missiles no-ammo no-double-shot no-shoot-and-move has-moved out-of-range out-of-arc "
    "no-line-of-sight alone-in-box not-disordered last-medal nothing-to-replenish reserve-empty "
    "no-such-formation march-not-first march-enemy-near march-not-open march-not-allowed not-light "
    "nobody-to-pass not-on-edge too-early need-over-10 group-size group-facing group-not-contiguous "
    "group-out-of-command group-disordered group-held group-activated group-artillery group-blocked "
    "general-gone general-attached general-moved general-not-his-corps general-too-far general-path "
    "general-no-such-company corps-empty no-corps-open not-a-source not-a-candidate bad-shift "
    "corps-incomplete outside-deployment-zone camp-row camp-terrain camp-boxes too-many-fortifications "
    "camp-not-touched general-out-of-radius too-many-pieces box-taken no-such-stratagem stratagem-not-now "
    "stratagem-target",
}
"""Every refusal of the rules (to-the-strongest.md 3) and of the server."""

WORDS = {
    "action": "move charge shoot move-shoot shoot-back turn swap rally replenish form march pass leave return group "
    "group-march",
    "why": "diagonal sideways backwards turn swap rough deep out-of-command formation obstacle artillery return "
    "disordered shooter poor light-v-formed flank rear lance pilum scythed warriors light-rough fortified uphill "
    "foot-rough stakes beast long-spear steady wagon armour two-handed shieldwall light cover tortoise pavise handgun "
    "engine cannon general",
    "purpose": SHARED["CardDrawn"].replace("stratagem.sealed ", ""),
    "ground": "open gentle_hill wood marsh rocky steep_hill building impassable stream ford hedge wall stakes camp",
    "formation": EVENTS["FormationChanged"],
    "marker": "ammo lance pilum",
    "aspect": "front flank rear",
    "arc": "cone straight column both",
    "stratagem": "night-march ambush flank-march stakes false-orders water hold arrows traitor scouts inspired ground "
    "oracle",
    "type": " ".join(PROFILES),
    "weapon": " ".join(WEAPONS),
    "side": "south north server",
    "facing": "N E S W",
    "shift": "N E S W open none",
    "standing": "always never heavier ask",
    "source": "seed public house",
    "quality": "veteran standard raw",
    "extra": " ".join(EXTRAS),
    "trait": " ".join(TRAITS),
    "wound": "light serious",
    "ready": "ready spent",
    "stock": "ammo lance pilum",
    "how": SHARED["BattleEnded"],
    "when": " ".join({row.when for row in STRATAGEMS.values()}),
    "argument": " ".join({argument for row in STRATAGEMS.values() for argument in row.arguments}),
    "counted": " ".join(MOST),
    "missing": "camp",
    "rank": "J Q K X",
}
"""Words that sentences name, by the form in which they name them."""


def own_events(code):
    return [name for name in RULESETS[code].events if name not in CORE_EVENTS]


def sentence_prefixes():
    """With what the ids of the sentences of each game begin."""
    own = {name for code in RULESETS for name in own_events(code)}
    return sorted({msgid.split(".")[0] for msgid in texts("en") if msgid.partition(".")[2] in own} - {"event"})


CODE = rf'"((?:core|{"|".join(sentence_prefixes())})\.[a-z][a-z0-9-]+)"'
"""The code of a refusal, in quotes."""


def source_files():
    """All sources but those of a game that is being written: its own tests ask its own catalogue."""
    games = (ROOT / "domain" / "games").iterdir()
    unfinished = [folder for folder in games if folder.is_dir() and not (folder / "data" / "game.toml").exists()]
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return [path for path in paths if not any(path.is_relative_to(folder) for folder in unfinished)]


def refusals_in_the_code():
    """Each `Refusal("code", rule, name=…)` of the sources: (place, code, names)."""
    for path in source_files():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal"):
                continue
            if node.args and isinstance(node.args[0], ast.Constant):
                names = {keyword.arg for keyword in node.keywords}
                yield f"{path.name}:{node.lineno}", node.args[0].value, names


# --- everything has its words


@pytest.mark.parametrize(("code", "events"), [("core", SHARED), ("tts", EVENTS)])
def test_every_event_has_its_sentences(code, events):
    ids = [f"{code}.{name}" for name in events]
    ids += [f"{code}.{name}.{value}" for name, values in events.items() for value in values.split()]
    assert [msgid for msgid in ids if find(msgid, "en") is None] == []


@pytest.mark.parametrize("code", list(RULESETS))
def test_every_event_of_a_game_has_a_sentence_and_a_name(code):
    own = own_events(code)
    prefixes = sentence_prefixes()
    told = {msgid.split(".")[1] for msgid in texts("en") if msgid.split(".")[0] in prefixes}
    assert sorted({*own} - told) == []
    assert sorted(name for name in own if find(f"event.{name}", "en") is None) == []


def test_every_event_has_a_name():
    assert sorted(kind for kind in (*EVENTS, *SHARED) if find(f"event.{kind}", "en") is None) == []


@pytest.mark.parametrize(
    "code", thinned([f"{prefix}.{name}" for prefix, names in CODES.items() for name in names.split()], 10)
)
def test_every_refusal_has_its_sentence(code):
    assert find(code, "en")


def test_every_code_in_the_sources_has_its_sentence():
    codes = {code for path in source_files() for code in re.findall(CODE, path.read_text(encoding="utf-8"))}
    assert codes
    kinds = {msgid.rpartition(".")[0] for msgid in texts("en")}  # `wms.bad-scenario.shape`: one for each fault
    assert sorted(code for code in codes - kinds if find(code, "en") is None) == []


@pytest.mark.slow
def test_every_refusal_in_the_sources_brings_what_its_sentence_names():
    found = list(refusals_in_the_code())
    assert len(found) > 60
    lacking = [
        (place, code, name)
        for place, code, names in found
        if re.fullmatch(CODE, f'"{code}"')
        for name in fields(find(code, "en") or "") - names - {"rule"}
        if None not in names  # `**params`
    ]
    assert lacking == []


@pytest.mark.parametrize("form", WORDS)
def test_every_word_that_sentences_name_is_there(form):
    assert [word for word in WORDS[form].split() if find(f"{form}.{word}", "en") is None] == []


def test_every_reason_in_the_sources_has_its_word():
    reasons = {
        why
        for path in source_files()
        for why in re.findall(r'"TTS-[A-Z]+-\d+[a-c]?", "([a-z-]+)"', path.read_text(encoding="utf-8"))
    }
    assert reasons >= {"diagonal", "lance", "steady"}
    assert sorted(why for why in reasons if find(f"why.{why}", "en") is None) == []


# --- sentences


def test_a_sentence_names_unit_card_and_number():
    told = {"unit": "R1", "kinds": {"R1": "legionaries"}, "action": "move", "card": 5, "needed": 2, "base": 2}
    message = Message("tts.ActivationPassed", {**told, "factors": [], "group": []})
    assert sentence(message) == "R1 (legionaries) draws 5 to move: 2 was needed."


def test_a_sentence_gives_the_reckoning():
    lines = [{"rule": "TTS-SAV-23", "why": "shieldwall", "plus": 1}]
    told = {"unit": "N1", "card": 7, "needed": 6, "base": 7, "sign": -1, "factors": lines}
    assert sentence(Message("tts.SaveMade", told)) == "N1 saves on 7: 6 needed (7, less 1: shieldwall)."


def test_a_reckoning_names_the_card_to_beat():
    told = {"unit": "R1", "action": "move", "card": 8, "needed": 5, "base": 4, "last": 3, "group": []}
    lines = [{"rule": "TTS-ACT-17", "why": "out-of-command", "plus": 1}]
    assert sentence(Message("tts.ActivationPassed", {**told, "factors": lines})) == (
        "R1 draws 8 to move: 5 was needed (last card 3, +1 to beat it, +1 out of command)."
    )


@pytest.mark.parametrize(
    ("needed", "plus", "told"),
    [(2, 5, "6, less 5: stakes, but never below 2"), (10, -6, "6, +6 stakes, but never above 10")],
)
def test_a_reckoning_that_is_cut_off_says_so(needed, plus, told):
    lines = [{"rule": "TTS-SAV-15", "why": "stakes", "plus": plus}]
    params = {"unit": "N1", "card": 7, "needed": needed, "base": 6, "sign": -1, "factors": lines}
    assert sentence(Message("tts.SaveMade", params)) == f"N1 saves on 7: {needed} needed ({told})."


def test_a_rally_shows_the_save_it_is_measured_against():
    told = {
        "unit": "R1",
        "card": 7,
        "needed": 6,
        "base": 6,
        "sign": -1,
        "factors": [],
        "losses": 0,
        "rule": "TTS-RLY-01",
    }
    assert sentence(Message("tts.UnitRallied", told)) == "R1 rallies on 7: 6 needed (its save); it is in order again."
    lines = [{"rule": "TTS-CAT-02", "why": "veteran", "plus": 1}]
    assert sentence(Message("tts.RallyFailed", {**told, "card": 4, "needed": 5, "factors": lines})) == (
        "R1 fails to rally on 4: 5 needed (save 6, less 1: veteran)."
    )


def test_a_group_draws_one_card_for_all():
    told = {"unit": "R1", "group": ["R1", "R2", "R3"], "action": "group", "card": 1, "needed": 2, "factors": []}
    assert sentence(Message("tts.ActivationFailed", told)).startswith(
        "R1, R2 and R3 draw 1 to advance together and fail"
    )


@pytest.mark.parametrize(("medals", "told"), [(1, "1 medal"), (2, "2 medals"), (0, "0 medals")])
def test_a_number_agrees_with_its_noun(medals, told):
    params = {"from": "south", "to": "north", "count": medals, "subject": "R3", "left": 6}
    assert sentence(Message("tts.MedalsTransferred.unit", params)) == f"South pays {told} for R3; 6 left."


@pytest.mark.parametrize(
    ("code", "rule", "params", "told"),
    [
        (
            "tts.stack-full",
            "TTS-STK-02",
            {"unit": "R1", "box": "D5", "size": 2, "taken": 3, "capacity": 4, "units": ["R2"]},
            "R1 cannot enter D5: the sizes in it would add up to 5, and 4 is the most. [TTS-STK-02]",
        ),
        (
            "tts.stack-full",
            "TTS-STK-01",
            {"unit": "R1", "box": "D5", "size": 1, "taken": 2, "capacity": 4, "units": ["R2", "R3"]},
            "R1 cannot enter D5: R2 and R3 are there, and two units are the most. [TTS-STK-01]",
        ),
        (
            "tts.out-of-range",
            "TTS-SHT-03",
            {"unit": "R1", "box": "D7", "distance": 3, "range": 2},
            "R1 cannot shoot at D7: it is 3 boxes away, and the range is 2. [TTS-SHT-03]",
        ),
        ("tts.corps-ended", "TTS-TRN-04", {"corps": "I", "open": "I"}, "Corps I is open already. [TTS-TRN-04]"),
        (
            "core.parse",
            "CORE-PARSE",
            {"line": "R1 flies", "word": "flies", "expected": ["ahead", "charge"]},
            "“R1 flies” cannot be read: at “flies” it should say ahead or charge. [CORE-PARSE]",
        ),
    ],
)
def test_a_refusal_gives_what_was_measured_and_what_is_allowed(code, rule, params, told):
    assert refusal(code, rule, params) == told
    assert refusal_sentence(Refusal(code, rule, **params)) == told


def test_a_number_that_no_card_reaches_is_reckoned_in_the_refusal():
    lines = [{"rule": "TTS-ACT-12", "why": "sideways", "plus": 1}]
    told = refusal("tts.need-over-10", "TTS-ACT-04", {"unit": "R1", "needed": 11, "last": 9, "factors": lines})
    assert told.startswith("R1 would need 11 (last card 9, +1 to beat it, +1 sideways), and 10 is the highest card.")


def test_factors_are_told_with_their_rules():
    plain = {"rule": "TTS-ACT-15", "why": "rough", "plus": 1}
    assert (
        factors(2, [Factor("TTS-ACT-11", "diagonal", 1), plain], 4)
        == "2, +1 diagonal [TTS-ACT-11], +1 rough [TTS-ACT-15] = 4"
    )
    assert factors(2, [], 2) == "2"
    assert factors(6, [Factor("TTS-MOR-05", "general", -1)], 5) == "6, less 1: general [TTS-MOR-05] = 5"


def test_scouting_points_are_told_in_quarters():
    told = {"side": "south", "points": 6, "card": 3, "total": 18}
    assert sentence(Message("tts.ScoutingDrawn", told)) == "South counts 1½ for scouting and draws 3: 4½ in all."
    assert sentence(Message("tts.ScoutingTied", {"total": 0})) == "Scouting is tied at 0: both draw again."


@pytest.mark.parametrize(
    ("number", "english", "french"),
    [(1250, "12.5", "12,5"), (1200, "12", "12"), (7, "0.07", "0,07"), ((9000, 4250), "90 / 42.5", "90 / 42,5")],
)
def test_hundredths_have_the_decimal_mark_of_the_language(number, english, french):
    assert inline("{length:hundredths}", {"length": number}) == english
    assert inline("{length:hundredths}", {"length": number}, "fr") == french


def test_a_score_is_told_with_what_it_is_made_of():
    lines = [{"rule": "TTS-SAV-23", "why": "shieldwall", "plus": 1}, {"rule": "TTS-SHT-01", "why": "light", "plus": -2}]
    told = {"attack": {"base": 3, "factors": lines, "die": 4}}
    assert inline("{attack:score}", told) == "3, +1 shieldwall, less 2: light, die 4"
    assert inline("{attack:score}", told, "fr") == "3, +1 mur de boucliers, moins 2\N{NO-BREAK SPACE}: légers, dé 4"


@pytest.mark.parametrize(
    ("code", "english", "french"),
    [("5d", "5♦", "5♦"), ("10s", "10♠", "10♠"), ("Kh", "K♥", "R♥"), ("X1", "a joker", "un joker"), ("7x0", "7", "7")],
)
def test_a_card_is_told_by_rank_and_suit(code, english, french):
    assert inline("{card:card}", {"card": code}) == english
    assert inline("{card:card}", {"card": code}, "fr") == french
    assert inline("{cards:card}", {"cards": [code, "3h1"]}) == f"{english} and 3♥"


def test_a_text_in_several_languages_is_told_in_the_readers():
    told = {"text": {"en": "Hold", "fr": "Tenez"}}
    assert [inline("{text:spoken}", told, lang) for lang in ("en", "fr", "xx")] == ["Hold", "Tenez", "Hold"]


@pytest.mark.parametrize(
    ("phrase", "told"),
    [
        ("by Jupiter", "South gives its share of the chance for player-turn 3, with the phrase “by Jupiter”."),
        ("0123456789abcdef" * 2, "South gives its share of the chance for player-turn 3."),
    ],
)
def test_a_phrase_is_quoted_if_a_person_made_it(phrase, told):
    given = ContributionGiven("south", 3, "plain", "00", phrase)
    assert tell(RULESET, RULESET.rules.initial, Fact("south", "CORE-FAIR", given)) == told


# --- what is missing


def test_a_message_without_a_sentence_is_an_error_here_and_told_bare_elsewhere():
    with pytest.warns(MissingSentence, match=r"tts\.UnitSwam"):
        assert sentence(Message("tts.UnitSwam", {"unit": "R1"})) == "tts.UnitSwam (unit: R1)"


def test_a_message_that_lacks_a_member_is_told_bare():
    with pytest.warns(MissingSentence, match="box"):
        assert phrase("tts.alone-in-box", {"unit": "R1"}) == "tts.alone-in-box (unit: R1)"


def test_a_word_that_is_missing_stands_as_it_is():
    with pytest.warns(MissingSentence, match=r"aspect\.belly"):
        assert inline("in the {aspect:aspect}", {"aspect": "belly"}) == "in the belly"
    with pytest.warns(MissingSentence, match="#goose"):
        assert count("goose", 2, "en") == "2 goose"


def test_an_event_told_by_an_unheard_of_value_takes_the_sentence_of_its_kind():
    told = {"unit": "R1", "from": "D3", "to": "D4"}
    assert sentence(Message("tts.UnitMoved.swim", told)) == "R1 goes from D3 to D4."


def test_a_language_without_a_catalogue_borrows_english():
    assert phrase("core.DrawOffered", {"side": "north"}, "xx") == "North offers a draw."


# --- gaps


@pytest.mark.parametrize(
    ("template", "params", "text"),
    [
        ("{a} and {b}", {"a": 1, "b": 2}, "1 and 2"),
        ("one[ and {b}]", {}, "one"),
        ("one[ and {b}]", {"b": ""}, "one"),
        ("one[ and {b}]", {"b": 0}, "one and 0"),
        ("[{a}|nobody] comes", {"a": "R1"}, "R1 comes"),
        ("[{a}|nobody] comes", {"a": None}, "nobody comes"),
        ("[{a:?}yes|no]", {"a": False}, "no"),
        ("[{a:?x}yes|no]", {"a": "x"}, "yes"),
        ("[{a:?=b}same|other]", {"a": 1, "b": 1}, "same"),
        ("[{a:?=b}same|other]", {"b": None}, "other"),
    ],
)
def test_a_part_in_brackets_stands_only_where_it_can(template, params, text):
    assert fill(template, params, lambda form, value: str(value)) == text


def test_a_gap_outside_brackets_must_be_filled():
    assert fields("{a} to[ {b}|c] {d}") == {"a", "d"}
    with pytest.raises(KeyError, match="a"):
        fill("{a}", {}, lambda form, value: str(value))


@pytest.mark.slow
def test_sentences_need_no_more_than_the_standard_library():
    code = "import sys, replay.telling.words; print(sorted({'aiohttp', 'sqlite_utils'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_every_fault_of_a_scenario_has_its_sentence_in_both_languages():
    source = "".join(Path(str(part.__file__)).read_text(encoding="utf-8") for part in (scenario, scenario_checks))
    faults = set(re.findall(r'\bbad\([^,]+, "([a-z-]+)"', source))
    assert len(faults) > 20
    for fault in faults:
        for lang in ("en", "fr"):
            assert find(f"tts.bad-scenario.{fault}", lang), (fault, lang)
    refused = Refusal("tts.bad-scenario", "TTS-SCN-02", key="R1.type", fault="unknown", found=["ninjas"])
    assert refusal_sentence(refused) == "The scenario is not valid: R1.type: nothing is called ninjas. [TTS-SCN-02]"
    assert "rien ne s’appelle ninjas" in refusal_sentence(refused, "fr")
