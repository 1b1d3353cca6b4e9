"""What holds of every game whose armies live on from battle to battle (CAM-INT): of its book, and of random battles."""

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.contract.campaign_book import DEAD, HURT, LEADER, LOST, UNIT, WORN, Fielded, Recruit
from domain.contract.deeds import patterns
from domain.run.timeline import Timeline
from replay.called_off import strength_at
from replay.proof.campaign.left import remains
from replay.proof.campaign.results import counted
from tests.support.forces import ARMIES, book_of, ended, folded, promotions, random_forces
from tests.support.lanes import slow

GAMES = sorted(code for code, ruleset in RULESETS.items() if ruleset.campaign)
ARMIES_EACH = 12
BATTLES = [(code, seed) if seed < 2 else slow((code, seed)) for code in GAMES for seed in range(8)]
TITLE, OPTIONS = "A battle of a campaign", {"turn_limit": 4}
ALL_WORDS = {UNIT: {LOST, WORN}, LEADER: {HURT, DEAD}}
each_game = pytest.mark.parametrize("code", GAMES)


def loaded(code, south, north, field=None):
    """The scenario between two forces, and the names in it; the game takes it."""
    table, names = book_of(code).battle([south], [north], field, TITLE, OPTIONS)
    return table, names, RULESETS[code].opening.load(table)


@cache
def fought(code, seed):
    """Two forces, the names in their battle, and its log."""
    south, north = random_forces(code, Random(seed))
    book, pick = book_of(code), Random(seed)
    assert book.ground is not None
    field = book.ground("hilly", book.board, pick.randrange)
    table, names, _ = loaded(code, south, north, field)
    return (south, north), names, ended(RULESETS[code], table, f"{code} {seed}")


def test_every_game_with_a_book_is_tried():
    assert set(GAMES) == set(ARMIES)


@each_game
@pytest.mark.rule("CAM-INT")
def test_units_come_first_and_each_has_an_id_of_its_own(code):
    book = book_of(code)
    for seed in range(ARMIES_EACH):
        roster = book.roster(book.read(ARMIES[code](Random(seed))))
        assert len({each.id for each in roster}) == len(roster)
        kinds = [each.kind for each in roster]
        assert kinds == sorted(kinds, key=[UNIT, LEADER].index)
        groups = {each.group for each in roster if each.kind == UNIT}
        assert {each.group for each in roster} <= groups
        units = {each.id for each in roster if each.kind == UNIT}
        assert all(each.points > 0 for each in roster if each.kind == UNIT)
        assert all(each.attached in units for each in roster if each.attached)


@each_game
@pytest.mark.rule("CAM-INT")
def test_a_file_that_is_no_army_is_refused(code):
    for wrong in ({"colour": "red"}, {"ruleset": "chess"}):
        with pytest.raises(Refusal) as refusal:
            book_of(code).read(ARMIES[code](Random(1)) | wrong)
        assert refusal.value.params["key"]


@each_game
@pytest.mark.rule("CAM-INT")
def test_two_forces_of_one_army_fight_under_names_of_their_own(code):
    for seed in range(ARMIES_EACH):
        south, north = random_forces(code, Random(seed))
        _, names, _ = loaded(code, south, north)
        assert {*names} == {(force.id, each.id) for force in (south, north) for each in force.elements}
        assert len({*names.values()}) == len(names)


@each_game
@pytest.mark.rule("CAM-INT")
def test_each_ground_is_by_chance_alone_and_the_game_takes_it(code):
    book = book_of(code)
    assert book.ground is not None
    south, north = random_forces(code, Random(3))
    for kind in ("open", "hilly", "wooded", "marshy", "river"):
        fields = [book.ground(kind, book.board, Random(seed).randrange) for seed in (1, 1, 2)]
        assert fields[0] == fields[1] != fields[2]
        places = [place for place, _ in fields[0].terrain]
        assert len({*places}) == len(places) > 0
        loaded(code, south, north, fields[0])
    with pytest.raises(Refusal) as refusal:
        book.ground("lunar", book.board, Random(1).randrange)
    assert refusal.value.code == "campaign.no-such-ground"


@each_game
@pytest.mark.rule("CAM-CAR-07")
def test_units_rise_step_by_step_to_a_top(code):
    rises = 0
    for seed in range(ARMIES_EACH):
        south, north = random_forces(code, Random(seed))
        for at, each in enumerate(south.elements):
            steps = list(promotions(book_of(code), south.army, each)) if each.kind == UNIT else []
            labels, points = [one.label for one in (each, *steps)], [one.points for one in (each, *steps)]
            assert len({*labels}) == len(labels)
            assert points == sorted(points)
            if steps:
                rises += 1
                south = replace(south, elements=(*south.elements[:at], steps[-1], *south.elements[at + 1 :]))
        loaded(code, south, north)
    assert rises > ARMIES_EACH


@each_game
@pytest.mark.rule("CAM-INT")
def test_what_has_been_lost_may_be_recruited_and_no_more(code):
    book = book_of(code)
    for seed in range(ARMIES_EACH):
        force, enemy = random_forces(code, Random(seed))
        gone, *rest = force.elements
        now = [each for each in rest if each.kind == UNIT]
        try:
            new = book.recruit(force.army, now, Recruit(gone.group, gone.troop, "", "NEW-1"))
        except Refusal as refusal:  # a counter that is in no box, and troops that are made and not hired
            assert refusal.code in ("campaign.not-on-list", "campaign.too-many-of-line")
            continue
        assert (new.id, new.kind, new.group, new.troop) == ("NEW-1", UNIT, gone.group, gone.troop)
        loaded(code, replace(force, elements=(new, *rest)), enemy)
        with pytest.raises(Refusal) as refused:
            for number in range(100):
                now.append(book.recruit(force.army, now, Recruit(gone.group, gone.troop, "", f"MORE-{number}")))
        assert refused.value.code == "campaign.too-many-of-line"


@each_game
@pytest.mark.rule("CAM-INT")
def test_what_is_on_no_list_is_not_recruited(code):
    force, _ = random_forces(code, Random(1))
    with pytest.raises(Refusal) as refusal:
        book_of(code).recruit(force.army, force.elements, Recruit("I", "dragons", "", "NEW-1"))
    assert (refusal.value.code, refusal.value.params["troop"]) == ("campaign.not-on-list", "dragons")


@each_game
@pytest.mark.rule("CAM-CAR-05")
def test_somebody_follows_a_leader(code):
    followed = 0
    for seed in range(ARMIES_EACH):
        force, enemy = random_forces(code, Random(seed))
        elements = list(force.elements)
        for at, each in enumerate(elements):
            if each.kind == LEADER:
                elements[at] = book_of(code).stand_in(force.army, each, f"{each.id}-2", each.attached)
                assert (elements[at].id, elements[at].kind) == (f"{each.id}-2", LEADER)
                assert elements[at].group == each.group
                assert elements[at].points <= each.points
                followed += 1
        loaded(code, replace(force, elements=tuple(elements)), enemy)
    assert followed or code == "singidunum"


@pytest.mark.parametrize(("code", "seed"), BATTLES)
@pytest.mark.rule("CAM-RND-04")
def test_the_fates_of_a_battle_are_those_that_the_game_tells(code, seed):
    forces, names, timeline = fought(code, seed)
    found = counted(timeline, is_cut=False)
    assert found is not None
    left = remains(timeline, found.n)
    kinds = {names[force.id, each.id]: each.kind for force in forces for each in force.elements}
    assert left.fates.keys() <= kinds.keys()
    assert all(fate in ALL_WORDS[kinds[name]] for name, fate in left.fates.items())
    assert fallen(timeline, found.n) == {name for name, fate in left.fates.items() if fate in (LOST, DEAD)}
    known = {pattern.id for pattern in patterns(code)}
    assert {*book_of(code).honours} <= known
    assert all(deed.unit in kinds and deed.id in book_of(code).honours for deed in left.deeds)
    assert [deed.n for deed in left.deeds] == sorted(deed.n for deed in left.deeds)


@pytest.mark.parametrize(("code", "seed"), BATTLES)
@pytest.mark.rule("CAM-STD-02")
def test_what_was_kept_is_the_share_of_what_there_was(code, seed):
    _, _, timeline = fought(code, seed)
    found = counted(timeline, is_cut=False)
    assert found is not None
    strength = strength_at(timeline, found.n)
    assert all(0 <= now <= start for start, now in zip(strength.start, strength.now, strict=True))
    shares = [1000 * now // start for start, now in zip(strength.start, strength.now, strict=True)]
    assert found.how == "resigned" or [found.kept[side] for side in ("south", "north")] == shares


def fallen(timeline: Timeline, n: int) -> set[str]:
    """Who is no more, told from the events of the log alone, without the state of the game."""
    gone = set[str]()
    for recorded in timeline.events[:n]:
        event: Any = recorded.event
        kind = type(event).__name__
        if kind in ("UnitDestroyed", "UnitEliminated"):
            gone.add(event.unit)
        elif kind == "GeneralKilled" or (kind == "LeaderTested" and event.lost):
            gone.add(event.general)
    return gone


@pytest.mark.parametrize("path", sorted(Path("tests/golden").glob("*.battle")), ids=lambda path: path.stem)
@pytest.mark.rule("CAM-RND-04")
def test_the_fates_of_the_golden_battles_are_those_of_their_logs(path):
    timeline = folded(path.read_bytes())
    found = counted(timeline, is_cut=False)
    if found is None:
        assert path.stem == "unfinished"
        return
    left = remains(timeline, found.n)
    told = {name for name, fate in left.fates.items() if fate in (LOST, DEAD)}
    assert told == (fallen(timeline, found.n) if timeline.ruleset.campaign else set())


@each_game
def test_a_force_of_one_unit_fights(code):
    south, north = random_forces(code, Random(5))
    loaded(code, Fielded("F1", south.army, south.elements[:1]), north)
