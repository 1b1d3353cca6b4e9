"""A rule that decides otherwise under the same version is noticed."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from benchmarks.random_play import GAMES
from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from tests.fingerprints.__main__ import written
from tests.fingerprints.kept import Kept, faults, kept, title
from tests.fingerprints.playing import CASES_UP_TO, STARTS, Fingerprint, fingerprints
from tests.mutation.trial import Outcome, forked, mutants_of, plant
from tests.support.looping import some

FIRST = 4
"""Starts of each game that the quick lane plays."""
FEW = 8
"""Starts in which a planted fault is looked for."""
CHANGED = {
    "tts": ("domain.games.to_the_strongest.chapters.activation", "needed_after"),
    "stp": ("domain.games.shot_to_pieces.chapters.paces", "pace"),
    "singidunum": ("domain.games.singidunum.chapters.combat", "result"),
    "warmaster-shooting": ("domain.games.warmaster_shooting.chapters.volleys", "needed_to_save"),
}
"""A function of the rules of each game."""
ONE: Mapping[str, Fingerprint] = {"00 field": Fingerprint("a", "b")}


@pytest.fixture(scope="module")
def game() -> Ruleset:
    return RULESETS["tts"]


def test_each_game_of_the_catalogue_has_a_fingerprint_of_its_version():
    assert kept().keys() == {title(ruleset) for ruleset in map(RULESETS.__getitem__, CHANGED)}
    for key, rows in kept().items():
        cases = [name for name in rows if name.startswith("case ")]
        assert len(rows) - len(cases) == STARTS
        assert (len(cases) > 250) == (key.partition(" ")[0] in CASES_UP_TO)


def kept_of(is_first: bool) -> Kept:
    """What is kept of the first starts of each game, or of all others and of the cases."""
    numbers = {f"{number:02}" for number in range(FIRST)}
    return {
        key: {name: row for name, row in rows.items() if (name.partition(" ")[0] in numbers) is is_first}
        for key, rows in kept().items()
    }


def test_the_rules_of_a_version_are_those_it_had():
    for ruleset in some(map(RULESETS.__getitem__, GAMES)):
        assert list(faults(kept_of(True), ruleset, fingerprints(ruleset, range(FIRST), has_cases=False))) == []


@pytest.mark.slow
@pytest.mark.parametrize("code", GAMES)
def test_so_are_they_from_all_other_starts(code):
    assert list(faults(kept_of(False), RULESETS[code], fingerprints(RULESETS[code], range(FIRST, STARTS)))) == []


@pytest.mark.slow
@pytest.mark.parametrize("code", GAMES)
def test_a_fault_in_the_rules_changes_their_fingerprint(code):
    module, function = CHANGED[code]
    mutant = next(one for one in mutants_of(module) if one.owner == function)

    def look() -> Outcome:
        plant(mutant)
        return Outcome(" ".join(faults(kept(), RULESETS[code], fingerprints(RULESETS[code], range(FEW)))), FEW)

    assert "decides otherwise than before" in forked(look).noticed_by


def test_the_same_version_may_not_come_to_something_else(game):
    changed = {"00 field": Fingerprint("a", "c")}
    known: Kept = {title(game): ONE}
    assert list(faults(known, game, ONE)) == []
    (told,) = faults(known, game, changed)
    assert "a changed rule gets a new `version`" in told
    newer = replace(game, version="9.9")
    assert list(faults({title(newer): changed}, newer, changed)) == []
    assert "no fingerprint of tts 9.9" in next(faults(known, newer, changed))


def test_another_start_says_nothing_about_the_rules(game):
    (told,) = faults({title(game): ONE}, game, {"00 field": Fingerprint("d", "e")})
    assert told.startswith("the starts of tts are others")


def test_the_maker_writes_no_other_answer_for_a_kept_version(game):
    changed = {title(game): {"00 field": Fingerprint("a", "c")}}
    known: Kept = {title(game): ONE}
    assert "decides otherwise" in written(known, changed, again=False)[1]
    assert written(known, changed, again=True) == (changed, "")
    newer = {"tts 9.9": changed[title(game)]}
    assert written(known, newer, again=False) == (newer, "")
