"""Deeds are patterns over events: who has earned one, by which events, and who has not."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from domain.basics.errors import BrokenInvariant
from domain.catalogue import RULESETS
from domain.contract import deeds
from domain.contract.deeds import After, Deed, Last, Pattern, Unless, awarded, deeds_of, patterns
from domain.events.battle import Event, Fact, TurnBegan
from replay import battle_file
from tests.support.catalogues import texts
from tests.support.looping import some

GOLDEN = Path(__file__).parents[2] / "golden"


@cache
def of_battle(name: str) -> tuple[Deed, ...]:
    battle = battle_file.load(str(GOLDEN / f"{name}.battle"))
    along = battle.timeline.along(2)
    return deeds_of(battle.ruleset, ((one.n, before.game, Fact(one.by, one.rule, one.event)) for before, one in along))


# --- what the games name


@pytest.mark.parametrize("game", RULESETS)
def test_each_deed_asks_about_events_and_members_that_there_are(game):
    ruleset = RULESETS[game]
    for pattern in some(patterns(game)):
        asked = [(pattern.event, name) for name in (pattern.by, pattern.of, *pattern.where) if name]
        asked += [(last.event, name) for last in pattern.last for name in (last.by, last.at) if name]
        if pattern.after:
            asked += [(pattern.after.event, name) for name in (pattern.after.by, *pattern.after.where)]
        if pattern.unless:
            asked.append((pattern.unless.event, pattern.unless.by))
        for event, member in asked:
            assert member in ruleset.events[event].__struct_fields__, (pattern.id, event, member)
        assert pattern.by or pattern.last, pattern.id


def test_a_game_may_have_no_deeds_but_none_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch):
    def damaged(*path: str) -> dict[str, Any]:
        raise BrokenInvariant("/".join(path))

    assert patterns("no-such-game") == ()
    monkeypatch.setattr(deeds, "read_toml", damaged)
    with pytest.raises(BrokenInvariant):
        patterns.__wrapped__("tts")


@pytest.mark.parametrize("game", RULESETS)
def test_each_deed_has_a_name_and_a_sentence(game):
    assert patterns(game)
    ids = [pattern.id for pattern in patterns(game)]
    assert len(ids) == len(set(ids))
    for lang in ("en", "fr"):
        told = {msgid for msgid in texts(lang) if msgid.startswith(f"deed.{game}.")}
        assert told == {f"deed.{game}.{one}{part}" for one in ids for part in ("", ".for")}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "medals",
            [
                ("first-blood", "N6", 72),
                ("vallaris", "N6", 336),
                ("last-stand", "N2", 435),
                ("rallied", "N5", 497),
                ("phalera", "R4", 730),
                ("spolia", "R2", 757),
            ],
        ),
        ("singidunum-goal", [("rallied", "NHI7B", 254), ("torch", "SCV6", 380), ("first-blood", "SHI7", 404)]),
        ("resignation", []),
    ],
)
def test_deeds_of_golden_battles(name, expected):
    assert [(deed.id, deed.unit, deed.n) for deed in of_battle(name)] == expected


# --- the patterns, on events made for them


class Struck(Event, frozen=True):
    striker: str
    struck: str


class Lost(Event, frozen=True):
    unit: str
    how: str = "melee"


class Game(Struct, frozen=True):
    """Stands in for a ruleset: units are of the side that their names begin with."""

    class Shown(Struct, frozen=True):
        @staticmethod
        def traits(state: Any, name: str) -> dict[str, Any]:
            side = {"S": "south", "N": "north"}.get(name[:1], "")
            return {"side": side, "worth": int(name[1:] or 0), "grade": "old" if name.endswith("9") else "young"}

    shown: Any = Shown()


BY_STRIKER: dict[str, Any] = {
    "event": "Lost",
    "of": "unit",
    "last": (Last("Struck", "striker", "struck"),),
    "worth": 1,
}


def found(pattern: dict[str, Any], *events: Event) -> list[tuple[str, str, tuple[int, ...]]]:
    facts = ((n, None, Fact("", "", event)) for n, event in enumerate(events, start=1))
    deeds = deeds_of(Game(), facts, [Pattern(id="d", **pattern)])  # type: ignore[arg-type]
    return [(deed.side, deed.unit, deed.events) for deed in deeds]


def test_who_struck_last_has_done_it():
    assert found(BY_STRIKER, Struck("S1", "N1"), Struck("S2", "N1"), Struck("S3", "N2"), Lost("N1")) == [
        ("south", "S2", (4,))
    ]
    assert found(BY_STRIKER, Lost("N1")) == []


def test_a_friend_earns_nothing_where_it_must_be_an_enemy():
    events = (Struck("S1", "S2"), Lost("S2"))
    assert found({**BY_STRIKER, "foe": True}, *events) == []
    assert len(found(BY_STRIKER, *events)) == 1


def test_only_the_first_of_the_battle_counts():
    events = (Struck("S1", "N1"), Lost("N1"), Struck("N2", "S2"), Lost("S2"))
    assert found({**BY_STRIKER, "first": True}, *events) == [("south", "S1", (2,))]


def test_the_wrong_kind_of_loss_counts_for_nothing():
    assert found({**BY_STRIKER, "where": {"how": ["melee", "shot"]}}, Struck("S1", "N1"), Lost("N1", "amok")) == []


def test_what_the_victim_and_the_victor_must_be():
    events = (Struck("S1", "N9"), Lost("N9"))
    assert len(found({**BY_STRIKER, "of_is": {"grade": "old"}}, *events)) == 1
    assert found({**BY_STRIKER, "of_is": {"grade": "young"}}, *events) == []
    assert len(found({**BY_STRIKER, "is_": {"grade": "young"}}, *events)) == 1
    assert found({**BY_STRIKER, "is_": {"grade": "old"}}, *events) == []


def test_a_count_is_of_one_unit_and_earned_once():
    events = [one for at in range(1, 5) for one in (Struck("S1", f"N{at}"), Lost(f"N{at}"))]
    assert found({**BY_STRIKER, "count": 2}, *events) == [("south", "S1", (2, 4))]
    assert found({**BY_STRIKER, "count": 2}, Struck("S1", "N1"), Lost("N1"), Struck("S2", "N2"), Lost("N2")) == []


def test_a_sum_is_of_what_they_were_worth():
    events = (Struck("S1", "N1"), Lost("N1"), Struck("S1", "N2"), Lost("N2"))
    assert found({**BY_STRIKER, "count": 3, "sum": "worth"}, *events) == [("south", "S1", (2, 4))]
    assert found({**BY_STRIKER, "count": 4, "sum": "worth"}, *events) == []


def test_what_came_before_counts_only_in_the_turns_it_may():
    stand = {"event": "Lost", "by": "unit", "worth": 1, "after": After("Struck", "struck", {}, 2, 1)}
    turn = TurnBegan("south", 1)
    assert found(stand, turn, Struck("S1", "N1"), turn, Struck("S2", "N1"), Lost("N1")) == [("north", "N1", (5,))]
    assert found(stand, turn, Struck("S1", "N1"), turn, turn, Struck("S2", "N1"), Lost("N1")) == []


def test_what_comes_later_may_undo_it():
    held = {"event": "Struck", "by": "struck", "worth": 1, "unless": Unless("Lost", "unit")}
    assert len(found(held, Struck("S1", "N1"), Lost("N2"))) == 1
    assert found(held, Struck("S1", "N1"), Lost("N1")) == []


def test_at_most_three_are_honoured_each_for_another_deed():
    deeds = [Deed(str(at % 4), "south", f"S{at % 5}", at, (at,), at % 4) for at in range(20)]
    given = awarded(deeds, "south", 3)
    assert [deed.id for deed in sorted(given, key=lambda deed: -deed.worth)] == ["3", "2", "1"]
    assert len({deed.unit for deed in given}) == 3
    assert awarded(deeds, "north", 3) == []
