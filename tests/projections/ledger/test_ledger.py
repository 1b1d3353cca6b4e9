"""The ledger: what a service record says, line by line (CAM-CAR-02 to -07)."""

from projections.ledger.book import ledger_of
from projections.ledger.records import ServiceRecord
from tests.support.ledgers import CANNAE, TRASIMENE, TREBIA, ledger, war
from tests.support.linked import LinkedPlayed, fight
from tests.support.looping import some


def record(force: str, element: str) -> ServiceRecord:
    found = ledger().force(force)
    assert found is not None
    one = found.record(element)
    assert one is not None, element
    return one


def test_a_record_tells_each_battle_with_its_fate_and_die() -> None:
    """CAM-CAR-02, CAM-CAR-03"""
    lines = [
        (one.round, one.battle, one.title, one.fared, one.fate, one.needed, one.die, one.now)
        for one in record("F1", "R4").battles
    ]
    assert lines == [
        (1, TREBIA, "The Trebia", "won", "worn", 0, 0, "fit"),
        (2, TRASIMENE, "Lake Trasimene", "lost", "lost", 5, 2, "gone"),
    ]
    assert record("F1", "R3").battles[0].fate == "whole", "who was not hurt has fought, too"
    assert record("F1", "R4").battles[0].against == ("F2",)


def test_an_honour_names_the_event_that_won_it() -> None:
    """CAM-CAR-06"""
    honours = record("F1", "R1").honours
    assert [(one.honour, one.battle, one.event, one.total, one.board) for one in honours] == [
        ("vallaris", TREBIA, 210, 1, "1.1"),
        ("phalera", TREBIA, 230, 2, "1.1"),
        ("graminea", CANNAE, 300, 3, "3.1"),
        ("vallaris", CANNAE, 310, 4, "3.1"),
    ]


def test_a_unit_is_called_by_what_it_has_become() -> None:
    """CAM-CAR-07"""
    one = record("F1", "R1")
    assert [(step.round, step.was, step.now) for step in one.promotions] == [
        (1, "standard", "veteran"),
        (3, "veteran", "veteran hero"),
    ]
    assert next(iter(one.titles())) == (0, "standard", ())
    assert list(one.titles())[-1] == (3, "veteran hero", ("vallaris", "phalera", "graminea"))
    assert (one.first, one.label) == ("standard", "veteran hero")


def test_who_fell_says_how() -> None:
    end = record("F1", "R4").end
    assert end is not None and (end.what, end.battle, end.fate) == ("battle", TRASIMENE, "lost")
    end = record("F2", "N6").end
    assert end is not None and end.what == "hunger"
    end = record("F2", "G3").end
    assert end is not None and (end.fate, end.battle) == ("dead", CANNAE)
    assert record("F1", "R1").end is None


def test_leaders_are_taken_followed_and_bought_back() -> None:
    """CAM-CAR-05"""
    lines = [(one.what, one.by, one.was) for one in record("F1", "G1").entries if one.what != "battle"]
    assert lines == [("succeeded", "G1-2", "captured"), ("ransomed", "carthage", "")]
    taken = record("F1", "G1").battles[1]
    assert (taken.now, taken.by, taken.needed, taken.die) == ("captured", "carthage", 2, 1)
    assert [one.what for one in record("F1", "G1-2").entries] == ["appointed", "relieved"]
    assert [one.what for one in record("F2", "G3-2").entries] == ["appointed"]


def test_a_recruit_begins_with_what_it_was_hired_as() -> None:
    """CAM-MAP-16"""
    one = record("F1", "R7")
    assert (one.first, one.entries[0].what, one.entries[0].points > 0) == ("raw", "raised", True)
    assert [line.battle for line in one.battles] == [CANNAE]


def test_a_force_knows_what_it_was_and_is_worth() -> None:
    force = ledger().force("F1")
    assert force is not None
    begun = war().played.state.theatre.forces["F1"]
    assert force.points == begun.weight
    assert force.first_points > 0
    assert list(force.battles) == [TREBIA, TRASIMENE, CANNAE]
    assert [unit.element for unit in force.present] == ["R1", "R2", "R3", "R5", "R6", "R7"]
    assert ledger().powers == ("rome", "carthage")


def test_what_a_node_does_not_carry_on_is_in_no_record() -> None:
    """CAM-CAR-08"""
    played = LinkedPlayed(node=[{"id": "trebia", "battles": [fight("The Trebia")], "carry": False}]).begun().fought()
    played.end("1.1", "south", fates={"F1": {"R1": "lost"}}, deeds=())
    found = ledger_of(fact.event for fact in played.facts)
    assert not [entry for force in found.forces for one in force.records for entry in one.entries]


def test_the_ledger_of_a_log_is_that_of_its_theatre() -> None:
    """What the records say of each element is what the campaign knows of it."""
    theatre = war().played.state.theatre
    for force in some(ledger_of(war().events).forces):
        elements = theatre.forces[force.force].elements
        assert [one.element for one in force.records] == list(elements)
        for one in force.records:
            each = elements[one.element]
            assert (one.now, one.label, len(one.honours)) == (each.now, each.element.label, each.honours)
