"""Each disputed question is answered where it arises, with the words and numbers of the battle.

Each has a case (701–715) in which it arises; its file is what `phalera why` is asked about. The texts
stand here once more, in full: what the tables of the program say is not taken for granted.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from typer.testing import CliRunner

from replay import battle_file
from replay.reports.plain import known_at
from replay.telling.why import Explanation, explain
from replay.telling.words.catalogue import find
from server.cli.main import main
from tests import dispute_pages
from tests.support import case_battle
from tests.support.case_battle import case
from tests.support.cases import case_path
from tests.support.lanes import thinned
from tests.support.waiting import LIMIT_S

ROOT = Path(__file__).parents[3]


class Asked(Struct, frozen=True):
    """An event of the case of a question: what `why` has to say about it, in both languages."""

    number: int
    event: str
    members: dict[str, Any]
    rule: str
    lines: tuple[str, ...]
    text: str
    text_fr: str
    options: dict[str, Any] = {}
    others: dict[str, Any] = {}
    """Other cards or orders, where those of the case would not do under these options."""

    number_of_case: int = 0
    """Another case than that of the question."""

    @property
    def table(self) -> dict[str, Any]:
        """The case that is asked about."""
        number = self.number_of_case or dispute_pages.FIRST_CASE + self.number - 1
        return case(number, self.options, **self.others)


REPLAY = (
    "The second card replaces the first even if it is worse. No card is replayed twice. "
    "Saves, evades, rout tests and replies are never replayed."
)
REPLAY_FR = (
    "La seconde carte remplace la première, même si elle est moins bonne. Aucune carte n’est rejouée deux fois. "
    "Sauvegardes, esquives, tests de moral et ripostes ne sont jamais rejoués."
)
TIE = (
    "Last card 5: simple needs 6, one difficulty 7. An ace never passes. "
    "Above 10 the order is refused and costs nothing."
)
TIE_FR = (
    "Dernière carte 5 : une action simple demande 6, une difficulté 7. Un as ne passe jamais. "
    "Au-dessus de 10 l’ordre est refusé et ne coûte rien."
)
DEEP = "A deep unit going straight ahead in the open pays nothing. Anything difficult costs it one more. "
DEEP_FR = (
    "Une unité profonde qui va tout droit à découvert ne paie rien. Tout ce qui est difficile lui coûte un de plus. "
)
ROUT = (
    "Diagonal neighbours do not test. A unit fails only on two bad cards. "
    "A disordered unit that fails is destroyed. Your battle uses "
)
ROUT_FR = (
    "Les voisins en diagonale ne testent pas. Une unité n’échoue que sur deux mauvaises cartes. "
    "Une unité en désordre qui échoue est détruite. Votre bataille emploie "
)
RALLY = (
    "Two cards: one to act, one to save; not while held, except behind a friend. Your battle has rally_costs_medal = "
)
RALLY_FR = (
    "Deux cartes : une pour agir, une pour sauver ; pas zoquée, sauf derrière un ami. "
    "Votre bataille a rally_costs_medal = "
)
EVADE = (
    "A light in the open must evade a formed charger; with no box to go to it is lost. "
    "A failed evade gives up the reply."
)
EVADE_FR = (
    "Un léger à découvert doit esquiver devant un chargeur formé ; sans case où aller, il est perdu. "
    "Une esquive manquée fait perdre la riposte."
)
PIKES = "Pikes struck first: there is no reply. When pikes are charged the reply is normal."
PIKES_FR = (
    "Ce sont les piques qui ont frappé : il n’y a pas de riposte. "
    "Quand les piques sont chargées, la riposte est normale."
)
SHOTS = "Each shot spends a marker. Overhead, disordered or in rough: single shots only."
SHOTS_FR = "Chaque tir dépense un pion. En soutien, en désordre ou en terrain difficile : un seul tir à la fois."
RADII = (
    "As far as their radius, in boxes from their own, diagonals too; lights need no general. "
    "Your battle has radii of {} attached, 2 detached, 3 brilliant, 2 great."
)
RADII_FR = (
    "Aussi loin que son rayon, en cases depuis la sienne, diagonales comprises ; les légers n’ont pas besoin de "
    "général. Rayons dans votre bataille : {} attaché, 2 détaché, 3 brillant, 2 grand chef."
)
SAVES = "Every hit on a unit in their box makes the general draw too: 2+, heroic 3+."
SAVES_FR = "Chaque touche sur une unité de sa case fait aussi piocher le général : 2+, héroïque 3+."
LOST = (
    "They join another unit of their corps. If there is none, only a heroic, senior, brilliant or great general "
    "or the commander goes on; any other is lost."
)
LOST_FR = (
    "Il rejoint une autre unité de son corps. S’il n’y en a plus, seul un général héroïque, en chef, brillant ou "
    "grand chef, ou le commandant, continue ; tout autre est perdu."
)

QUESTIONS = (
    Asked(1, "CardReplayed", {"source": "G1"}, "TTS-GEN-10", ("3 instead of 5", "5c2", "3c1"), REPLAY, REPLAY_FR),
    Asked(
        1,
        "DecisionAsked",
        {"kind": "replay"},
        "TTS-TRN-10",
        ("Needed: 6", "Odds now: 40 in 78 (a card of 6 or more)."),
        REPLAY,
        REPLAY_FR,
    ),
    Asked(
        2,
        "TurnBegan",
        {"side": "north"},
        "TTS-TRN-02",
        ("Turn 1: North is to move.", "South: end turn"),
        "Corps alternate only while deploying. In play one side finishes all its corps before the other begins.",
        "Les corps n’alternent qu’au déploiement. Ensuite un joueur finit tous ses corps avant que l’autre commence.",
    ),
    Asked(
        3,
        "ActivationFailed",
        {"unit": "R2"},
        "TTS-ACT-01",
        (
            "R2 (warriors) draws 7 to move and fails: 8 was needed (last card 7, +1 to beat it).",
            "Needed: last card 7, +1 to beat it = 8",
            "Odds then: 23 in 75 (a card of 8 or more).",
        ),
        TIE,
        TIE_FR,
    ),
    Asked(
        3,
        "ActivationPassed",
        {"unit": "R2", "card": 7},
        "TTS-ACT-01",
        ("Needed: last card 5, +1 to beat it, +1 sideways [TTS-ACT-12] = 7", "7c1"),
        TIE,
        TIE_FR,
    ),
    Asked(
        4,
        "ActivationPassed",
        {"card": 5},
        "TTS-ACT-01",
        ("Needed: last card 2, +1 to beat it, +1 diagonal [TTS-ACT-11], +1 deep [TTS-ACT-16] = 5", "5c1"),
        f"{DEEP}Your battle uses deep_difficulty = double_when_difficult.",
        f"{DEEP_FR}Votre bataille emploie deep_difficulty = double_when_difficult.",
    ),
    Asked(
        4,
        "ActivationFailed",
        {"card": 2},
        "TTS-ACT-01",
        ("Needed: 2, +1 deep [TTS-ACT-16] = 3", "2c1"),
        f"{DEEP}Your battle uses deep_difficulty = always_plus_one.",
        f"{DEEP_FR}Votre bataille emploie deep_difficulty = always_plus_one.",
        {"deep_difficulty": "always_plus_one"},
    ),
    Asked(
        5,
        "MoraleFailed",
        {"unit": "N2"},
        "TTS-MOR-01",
        ("on 3 and 5: 6 needed", "Needed: 6", "3c1", "5c1", "40 in 78 (a card of 6 or more)"),
        f"{ROUT}rout_same_box = true, rout_strict = true.",
        f"{ROUT_FR}rout_same_box = true, rout_strict = true.",
    ),
    Asked(
        5,
        "MoralePassed",
        {"unit": "N3"},
        "TTS-MOR-01",
        ("on 4 and 8: 6 needed", "4c1", "8c1"),
        f"{ROUT}rout_same_box = false, rout_strict = false.",
        f"{ROUT_FR}rout_same_box = false, rout_strict = false.",
        {"rout_same_box": False, "rout_strict": False},
    ),
    Asked(6, "UnitRallied", {"unit": "R1"}, "TTS-RLY-01", ("Needed: 7", "7c1"), f"{RALLY}false.", f"{RALLY_FR}false."),
    Asked(
        6,
        "RallyFailed",
        {"unit": "R2"},
        "TTS-RLY-01",
        ("on 6: 7 needed", "6c1"),
        f"{RALLY}true.",
        f"{RALLY_FR}true.",
        {"rally_costs_medal": True},
    ),
    Asked(7, "EvadeFailed", {"unit": "N1"}, "TTS-EVD-02", ("Needed: 5", "4c1", "48 in 80"), EVADE, EVADE_FR),
    Asked(7, "UnitMoved", {"unit": "N1"}, "TTS-EVD-07", ("from D5 to D6",), EVADE, EVADE_FR),
    Asked(7, "UnitDestroyed", {"unit": "N2"}, "TTS-DIS-03", ("has nowhere to evade to",), EVADE, EVADE_FR),
    Asked(
        8,
        "ChargeDeclared",
        {"unit": "R1"},
        "TTS-MEL-01",
        ("in D5 from C4, striking its front", "TTS-GEO-07"),
        "You struck from C4, which is one of the target's front boxes. "
        "Having begun in its front you cannot claim its flank.",
        "Vous avez frappé depuis C4 : de cette case, la cible est prise de front. "
        "Ayant commencé devant elle, vous ne pouvez pas prétendre à son flanc.",
    ),
    Asked(
        8,
        "ChargeDeclared",
        {"unit": "R2"},
        "TTS-MEL-01",
        ("in F6 from F5, striking its flank",),
        "You struck from F5, which is one of the target's flank boxes.",
        "Vous avez frappé depuis F5 : de cette case, la cible est prise de flanc.",
    ),
    Asked(
        8,
        "ChargeDeclared",
        {"from": "D4", "aspect": "front"},
        "TTS-MEL-01",
        ("in D5 from D4, striking its front",),
        "You struck from D4; the target stands so that it has a front on every side.",
        "Vous avez frappé depuis D4 : de cette case, la cible est prise de front, comme de toutes les autres : "
        "elle n’a ni flanc ni dos.",
        number_of_case=291,
    ),
    Asked(
        9,
        "AttackBegan",
        {"attacker": "R1"},
        "TTS-MEL-04",
        ("Cards: 1, +1 flank [TTS-MEL-06a] = 2",),
        "Cards: 1 + flank. What exceeds the cap of 1 is not spent.",
        "Cartes : 1 + flanc. Ce qui dépasse le plafond de 1 n’est pas dépensé.",
    ),
    Asked(
        9,
        "AttackBegan",
        {"attacker": "R1"},
        "TTS-MEL-04",
        ("Cards: 1, +1 flank [TTS-MEL-06a], +1 lance [TTS-MEL-07] = 3",),
        "Cards: 1 + flank and lance. What exceeds the cap of 2 is not spent.",
        "Cartes : 1 + flanc et lance. Ce qui dépasse le plafond de 2 n’est pas dépensé.",
        {"bonus_cap": 2},
        {"cards": {"south": [2, 5, 5, 5]}, "orders": ["south: R1 charge N1"]},
    ),
    Asked(
        10,
        "AttackBegan",
        {"kind": "second"},
        "TTS-MEL-13",
        ("R1 (warriors) goes on to attack N2 (light javelins) head-on with 1 card", "Cards: 1"),
        "No activation is needed for the second unit and it cannot evade.",
        "La seconde unité ne demande pas d’activation et ne peut pas esquiver.",
    ),
    Asked(11, "AttackBegan", {"attacker": "R1"}, "TTS-MEL-04", ("Cards: 1",), PIKES, PIKES_FR),
    Asked(11, "AttackBegan", {"kind": "reply"}, "TTS-MEL-10", ("R2 (pikemen) strikes back",), PIKES, PIKES_FR),
    Asked(
        11,
        "SaveMade",
        {"unit": "R2"},
        "TTS-SAV-01",
        ("Needed: 7, less 1: long spear [TTS-SAV-18], less 1: steady [TTS-SAV-19] = 5", "5c1"),
        PIKES,
        PIKES_FR,
    ),
    Asked(
        12,
        "UnitMoved",
        {"unit": "R1"},
        "TTS-MOV-01",
        ("from D3 to D4",),
        "Deep 3, standard 2, small and light 1; at most 4 and two units.",
        "Profonde 3, standard 2, petite et légère 1 ; au plus 4 et deux unités.",
    ),
    Asked(
        12,
        "UnitMoved",
        {"unit": "R1"},
        "TTS-MOV-01",
        ("from D3 to D4",),
        "Deep 3, standard 2, small and light 1; at most 5 and two units.",
        "Profonde 3, standard 2, petite et légère 1 ; au plus 5 et deux unités.",
        {"stack_capacity": 5},
        {"orders": ["south: R1 ahead"]},
    ),
    Asked(13, "ShotDeclared", {"unit": "R1"}, "TTS-SHT-01", ("2 boxes away: 2 shots at its front",), SHOTS, SHOTS_FR),
    Asked(
        13,
        "ShotDeclared",
        {"unit": "R3"},
        "TTS-SHT-01",
        ("2 boxes away, overhead: 1 shot at its front",),
        SHOTS,
        SHOTS_FR,
    ),
    Asked(13, "AmmoSpent", {"unit": "R1", "left": 4}, "TTS-SHT-05", ("4 markers left",), SHOTS, SHOTS_FR),
    Asked(
        14,
        "MedalsTransferred",
        {"reason": "return", "subject": "G1"},
        "TTS-MED-02",
        ("South gets 2 medals back for G1; 8 in hand.",),
        "The medals of the unit and of its general came back when it returned.",
        "Les médailles de l’unité et de son général sont revenues avec elle.",
    ),
    Asked(
        14,
        "UnitLeftField",
        {"unit": "R1"},
        "TTS-MOV-11",
        ("TTS-MED-06",),
        "The medals of the unit and of its general are paid when it leaves and come back when it returns.",
        "Les médailles de l’unité et de son général sont rendues quand elle part et reviennent avec elle.",
    ),
    Asked(
        15,
        "GeneralSaved",
        {"general": "G1"},
        "TTS-GEN-05",
        ("3 was needed", "Needed: 3", "3c1"),
        SAVES,
        SAVES_FR,
    ),
    Asked(
        15,
        "GeneralJoined",
        {"general": "G1"},
        "TTS-GEN-08",
        ("R2",),
        LOST,
        LOST_FR,
    ),
    Asked(
        15,
        "ActivationPassed",
        {"unit": "R3"},
        "TTS-ACT-01",
        ("Needed: 2, +1 out of command [TTS-ACT-17] = 3",),
        RADII.format(1),
        RADII_FR.format(1),
    ),
    Asked(
        15,
        "ActivationPassed",
        {"unit": "R3"},
        "TTS-ACT-01",
        ("Needed: 2, +1 out of command [TTS-ACT-17] = 3",),
        RADII.format(0),
        RADII_FR.format(0),
        {"radius_attached": 0},
    ),
)


def name_of(asked: Asked) -> str:
    """What a test of a question is called."""
    return f"{asked.number}-{asked.event}-{'-'.join(map(str, asked.members.values()))}"


def event_of(content: bytes, event: str, members: dict[str, Any]) -> int:
    """The number of the first event of a type that has these members."""
    return dispute_pages.event_of(battle_file.parse(content), event, members)


def why(*arguments: object) -> str:
    """What `phalera why` prints."""
    result = CliRunner(env={"PHALERA_LANG": None}).invoke(main, ["why", *map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.stdout.replace("\N{NO-BREAK SPACE}", " ")


def explained(content: bytes, n: int) -> Explanation:
    """The explanation of an event as `why` finds it."""
    battle = battle_file.parse(content)
    return explain(battle.ruleset, known_at(battle, n - 1), battle.events[:n], battle.events[n:])


# --- answered where it arises


@pytest.mark.parametrize("asked", thinned(QUESTIONS, 15), ids=name_of)
def test_a_disputed_question_is_answered_in_both_languages(asked, tmp_path):
    content = case_battle.battle_file(asked.table)
    n = event_of(content, asked.event, asked.members)
    path = tmp_path / "disputed.battle"
    path.write_bytes(content)
    english, french = why(path, n), why(path, n, "--lang", "fr")
    assert english.startswith(f"Event {n}, {find(f'event.{asked.event}', 'en')}: ")
    assert f"\nRule {asked.rule}, " in english
    for line in asked.lines:
        assert line in english
    told = json.loads(why(path, n, "--json"))
    (ruling,) = [ruling for ruling in told["rulings"] if ruling["number"] == asked.number]
    assert ruling["text"] == asked.text
    assert f"Often asked: “{ruling['question']}” {asked.text}" in english.splitlines()
    assert asked.text_fr in french
    assert asked.text not in french


@pytest.mark.slow
def test_every_question_has_its_case():
    assert sorted({asked.number for asked in QUESTIONS}) == list(range(1, 16))
    for asked in QUESTIONS:
        assert "cards" in asked.table


@pytest.mark.slow
def test_the_command_itself_answers_from_a_file(tmp_path):
    content = case_battle.battle_file(case(703))
    n = event_of(content, "ActivationFailed", {"unit": "R2"})
    (tmp_path / "tie.battle").write_bytes(content)
    for lang, text in (("en", TIE), ("fr", TIE_FR)):
        done = subprocess.run(
            [sys.executable, "-m", "server.cli", "why", "tie.battle", str(n), "--lang", lang],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=LIMIT_S,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert text in done.stdout.replace("\N{NO-BREAK SPACE}", " ")


# --- and not where it does not


ELSEWHERE: tuple[tuple[int, str, dict[str, Any], tuple[int, ...]], ...] = (
    (701, "AttackBegan", {"attacker": "N1"}, ()),  # a reply of warriors: no pikes, no bonus cards
    (701, "HitMissed", {"attacker": "R1"}, ()),
    (701, "SaveFailed", {"unit": "R1"}, ()),
    (701, "DecisionMade", {"kind": "replay"}, ()),
    (702, "CorpsEnded", {"corps": "I"}, ()),
    (704, "ActivationPassed", {"card": 2}, (3,)),  # a deep unit straight ahead pays nothing
    (704, "UnitMoved", {"to": "D4"}, ()),  # alone in its box
    (705, "UnitDestroyed", {"unit": "N1"}, ()),  # in melee, not because it could not evade
    (705, "MedalsTransferred", {"subject": "N1"}, ()),
    (707, "CardDrawn", {"purpose": "evade"}, ()),
    (709, "MarkerSpent", {"unit": "R2"}, ()),  # the number of cards is not known yet
    (710, "AttackBegan", {"kind": "charge"}, (9,)),
    (710, "AttackBegan", {"kind": "reply"}, ()),
    (711, "SaveMade", {"unit": "N1"}, ()),  # warriors struck by pikes
    (711, "HitMissed", {"attacker": "R2"}, ()),
    (715, "CorpsBegan", {"corps": "II"}, ()),
    (35, "SaveFailed", {}, ()),  # hoplites, not pikemen, charged by riders
    (239, "DecisionAsked", {"kind": "join"}, ()),
    (547, "UnitReturned", {"unit": "V1"}, ()),  # from a flank march, for which no medal was paid
)


@pytest.mark.parametrize(("number", "event", "members", "answered"), thinned(ELSEWHERE, 2))
def test_a_question_that_does_not_arise_is_not_answered(number, event, members, answered):
    content = case_battle.battle_file(case(number))
    told = explained(content, event_of(content, event, members))
    assert tuple(ruling.number for ruling in told.rulings) == answered


MAY_RAISE = {
    "TurnBegan": {2},
    "ActivationPassed": {3, 4, 15},
    "ActivationFailed": {3, 4, 15},
    "DecisionAsked": {1, 7},
    "CardReplayed": {1},
    "MoralePassed": {5},
    "MoraleFailed": {5},
    "UnitRallied": {6},
    "RallyFailed": {6},
    "EvadeSucceeded": {7},
    "EvadeFailed": {7},
    "UnitMoved": {7, 12},
    "UnitDestroyed": {7},
    "ChargeDeclared": {8},
    "AttackBegan": {9, 10, 11},
    "SaveMade": {11},
    "SaveFailed": {11},
    "ShotDeclared": {13},
    "AmmoSpent": {13},
    "UnitLeftField": {14},
    "UnitReturned": {14},
    "MedalsTransferred": {14},
    "GeneralSaved": {15},
    "GeneralSaveFailed": {15},
    "GeneralJoined": {15},
    "GeneralKilled": {15},
}


@pytest.mark.parametrize("number", thinned(range(dispute_pages.FIRST_CASE, dispute_pages.FIRST_CASE + 15), 2))
def test_no_event_of_a_disputed_battle_answers_what_it_does_not_raise(number):
    battle = battle_file.parse(case_battle.battle_file(case(number)))
    for n, recorded in enumerate(battle.events, 1):
        told = explain(battle.ruleset, known_at(battle, n - 1), battle.events[:n], battle.events[n:])
        assert {ruling.number for ruling in told.rulings} <= MAY_RAISE.get(recorded.type, set())


# --- the page


@pytest.mark.slow
def test_the_page_of_disputes_is_up_to_date():
    assert dispute_pages.PAGE.read_text(encoding="utf-8") == dispute_pages.page(), "run: python -m tests.dispute_pages"


@pytest.mark.slow
def test_the_page_shows_every_case():
    text = dispute_pages.page()
    for number in range(1, 16):
        path = case_path(dispute_pages.FIRST_CASE + number - 1)
        assert f"(../../{path.relative_to(dispute_pages.ROOT).as_posix()})" in text
