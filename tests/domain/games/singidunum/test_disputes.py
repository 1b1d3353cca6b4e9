"""Each disputed question is answered where it arises, with the hexes and units of the battle, in both languages."""

from typing import Any

import pytest
from msgspec import Struct

from domain.basics.data import read_toml
from replay import battle_file
from replay.reports.plain import known_at
from replay.telling.why import explain
from replay.telling.words.template import fields
from tests import dispute_pages
from tests.support import case_battle
from tests.support.case_battle import case
from tests.support.lanes import thinned

GAME = "singidunum"
TABLE = read_toml(GAME, "rules.toml")


class Asked(Struct, frozen=True):
    """An event of a case, and what is answered there to a disputed question."""

    number: int
    case: int
    event: str
    text: str
    text_fr: str
    members: dict[str, Any] = {}


ASKED = (
    Asked(
        1,
        1,
        "AttackDeclared",
        "Yes, if no impact compels it, by going back to D3, E3 or D4. "
        "Not farther from every attacker: F4 and D5. Taken: E5.",
        "Oui, si aucun impact ne l’oblige, en reculant vers D3, E3 ou D4. "
        "Pas plus loin de chaque attaquant\xa0: F4 et D5. Prises\xa0: E5.",
    ),
    Asked(
        1,
        4,
        "AttackDeclared",
        "No: no hex beside it is legal. Barred by an enemy zone: E3 and D4. "
        "Not farther from every attacker: F4 and D5. Taken: D3 and E5.",
        "Non\xa0: aucune case voisine n’est légale. Dans une zone ennemie\xa0: E3 et D4. "
        "Pas plus loin de chaque attaquant\xa0: F4 et D5. Prises\xa0: D3 et E5.",
    ),
    Asked(
        1,
        42,
        "AttackDeclared",
        "Yes, if no impact compels it, by going back to F9. "
        "Not farther from every attacker: D9 and F10. Other terrain: E8 and F8. Taken: E10.",
        "Oui, si aucun impact ne l’oblige, en reculant vers F9. "
        "Pas plus loin de chaque attaquant\xa0: D9 et F10. Autre terrain\xa0: E8 et F8. Prises\xa0: E10.",
    ),
    Asked(
        1,
        4,
        "CombatForced",
        "No: no hex beside it is legal.",
        "Non\xa0: aucune case voisine n’est légale.",
    ),
    Asked(
        1,
        21,
        "CombatForced",
        "No: shock cavalry came by one hex, and its target was activated.",
        "Non\xa0: la cavalerie de choc est venue d’une case, et sa cible était activée.",
    ),
    Asked(
        2,
        12,
        "ShotDeclared",
        "Line over E6 and E5: −1 because RHI7 touches the target; −1 because RHI7 stands on the line; "
        "each counts by itself, and so does a rampart.",
        "Ligne par E6 et E5\xa0: −1 car RHI7 touche la cible\xa0; −1 car RHI7 se tient sur la ligne\xa0; "
        "chacun compte pour soi, et un rempart de même.",
    ),
    Asked(
        3,
        5,
        "SecondRetreatRefused",
        "No, there is one proposal only. The opponent refused E2; the unit stays after one hex.",
        "Non, il n’y a qu’une proposition. L’adversaire a refusé E2\xa0; l’unité reste après une case.",
    ),
    Asked(
        4,
        11,
        "UnitFled",
        "Its owner chose to flee: that gives no points.",
        "Son propriétaire a choisi la fuite\xa0: cela ne donne pas de points.",
    ),
    Asked(
        4,
        202,
        "UnitFled",
        "It had no legal hex and a flight hex beside it: it fled, for no points.",
        "Elle n’avait pas de case légale, mais une case de fuite à côté d’elle\xa0: elle a fui, sans points.",
    ),
    Asked(
        4,
        203,
        "UnitEliminated",
        "It had no legal hex and stood in a base: it fell from the rampart, which counts as an elimination.",
        "Elle n’avait pas de case légale et se tenait dans une base\xa0: "
        "elle est tombée du rempart, ce qui compte comme une élimination.",
    ),
    Asked(
        4,
        7,
        "UnitEliminated",
        "The result eliminated it, or left it neither a legal hex nor a flight hex: that gives its points.",
        "Le résultat l’a éliminée, ou ne lui a laissé ni case légale ni case de fuite\xa0: cela donne ses points.",
    ),
    *(
        Asked(5, 17, "BurnBlocked", text, text_fr, {"reason": reason})
        for reason, text, text_fr in (
            (
                "retreated",
                "E10: the unit came here by a retreat this turn.",
                "E10\xa0: l’unité y est venue par un recul ce tour.",
            ),
            (
                "zoc",
                "F9: it lies in an enemy’s zone of control.",
                "F9\xa0: elle est dans la zone de contrôle d’un ennemi.",
            ),
        )
    ),
    Asked(
        6,
        6,
        "DecisionAsked",
        "The side that attacked, if it won by 3 or more and nobody rallied. "
        "A winning defender never pursues; a rally takes the right away.",
        "Le camp qui a attaqué, s’il a gagné de 3 ou plus et que personne ne s’est rallié. "
        "Un défenseur vainqueur ne poursuit jamais\xa0; un ralliement en ôte le droit.",
        {"kind": "pursuit"},
    ),
)


@pytest.mark.parametrize("asked", thinned(ASKED, 2), ids=lambda asked: f"{asked.number}-{asked.event}-{asked.case}")
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_question_is_answered_where_it_arises(asked, lang):
    battle = battle_file.parse(case_battle.battle_file(case(asked.case, game=GAME)))
    n = dispute_pages.event_of(battle, asked.event, asked.members)
    told = explain(battle.ruleset, known_at(battle, n - 1), battle.events[:n], battle.events[n:], lang)
    said = {ruling.number: ruling.text for ruling in told.rulings}
    assert said == {asked.number: asked.text if lang == "en" else asked.text_fr}


def test_a_shot_with_one_malus_raises_no_question():
    battle = battle_file.parse(case_battle.battle_file(case(22, game=GAME)))
    n = dispute_pages.event_of(battle, "ShotDeclared", {})
    told = explain(battle.ruleset, known_at(battle, n - 1), battle.events[:n], battle.events[n:])
    assert told.rulings == ()


def test_the_six_questions_are_answered_by_rules_that_exist_alike_in_both_languages():
    assert [row["number"] for row in TABLE["disputes"]] == list(range(1, 7))
    for row in TABLE["disputes"]:
        assert set(row["rules"]) <= set(TABLE["rules"])
        assert fields(row["text"]) == fields(row["text_fr"])
        assert row["question"].endswith("?")
        assert row["question_fr"].endswith("\xa0?")
