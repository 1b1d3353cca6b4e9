"""What events claim of themselves: the game, who has caused them, and by which rule."""

from typing import Any

from domain.catalogue import RULESETS
from domain.events.battle import BattleBegan, Event
from domain.log.record import Recorded
from replay.proof.claims import wrong_claims

NAMES = ("south", "north")


class Opened(Event, frozen=True):
    """An opening of a game."""

    RULE = "CORE-OPEN"

    ruleset: str = "tts"


def events(rule: str, by: str = "server") -> list[Any]:
    return [
        Recorded(1, "", "server", "", "BattleOpened@3", Opened()),
        Recorded(2, "", by, rule, "BattleBegan", BattleBegan()),
    ]


def test_the_rule_of_an_event_is_judged_only_where_the_game_is_known() -> None:
    assert [what for _, what, _ in wrong_claims("tts", RULESETS["tts"], NAMES, events("CORE-NONE"))] == ["other-rule"]
    assert list(wrong_claims("tts", None, NAMES, events("CORE-NONE"))) == []
    assert list(wrong_claims("tts", RULESETS["tts"], NAMES, events(BattleBegan.RULE))) == []


def test_an_author_that_is_no_seat_is_wrong_whatever_the_game() -> None:
    wrong = [what for _, what, _ in wrong_claims("tts", None, NAMES, events(BattleBegan.RULE, "east"))]
    assert wrong == ["other-author", "other-author"]


def test_a_log_of_another_game_is_wrong_and_so_is_an_empty_one() -> None:
    assert [what for _, what, _ in wrong_claims("stp", None, NAMES, events(BattleBegan.RULE))] == ["other-game"]
    assert [what for _, what, _ in wrong_claims("stp", None, NAMES, [])] == ["other-game"]
