"""The vectors that docs/record-format.md adds: on the page, made by a program of their own, and held by `verify`."""

import json
from pathlib import Path
from typing import Any

from msgspec import structs

from domain.events.battle import ContributionGiven
from domain.log import fairness
from tests.replay.faulty import assert_right
from tests.replay.made_battle import BATTLE, MadeBattle
from tests.support import by_hand

VECTORS = json.loads(by_hand.VECTORS.read_text())
PAGE = (Path(__file__).parents[3] / "docs" / "record-format.md").read_text()


def south() -> MadeBattle:
    """Period 1, with the newest contributions s_1 of both seats."""
    made = MadeBattle().start().first_turn("south")
    made.enter("north")
    return made


def fallen(made: MadeBattle, n: int) -> int:
    die: Any = made.log[n - 1].event
    return int(die.value)


def values(made: MadeBattle) -> list[str]:
    return [made.newest[side].hex() for side in ("north", "south")]


def test_they_are_made_by_a_program_that_shares_nothing_with_the_product():
    assert by_hand.vectors() == VECTORS


def texts(value: Any) -> list[str]:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value] if isinstance(value, str) else [text for one in inside for text in texts(one)]


def test_the_page_has_them():
    assert [text for text in texts(VECTORS) if text not in PAGE and text != "77" * 32] == []


def test_a_look_and_what_comes_up_behind_it():
    vector, made = VECTORS["look"], south()
    with made.order("south", "oracle"):
        made.shuffle("south")
        shown = made.look("south", 3, seal=False)
    with made.order("south", "on"):
        for card in reversed(shown):
            made.looked_up("south", card, "hand:south", 1)
        after = [made.card("south") for _ in vector["after"]]
    made.end("south")
    assert (list(shown), after) == (vector["shown"], vector["after"])
    assert assert_right(made).checked == 5


def test_another_book():
    vector, made = VECTORS["another_book"], south()
    made.enter("south")
    made.seals["south"] = fairness.seal_chain(BATTLE, "south", bytes.fromhex(vector["secret"]), by_hand.SEALS)
    made.given["south"] = 0
    anchor = made.seals["south"][0].hex()
    made.alone(ContributionGiven("south", 1, "reanchor", anchor, channel="page", seen=made.seen()), "south")
    made.enter("north")
    made.entered.discard((1, "south"))
    with made.order("south"):
        dice = [fallen(made, made.die("dice:south")) for _ in vector["d6"]]
    made.end("south")
    assert (anchor, values(made), dice) == (vector["anchor"], vector["contributions"], vector["d6"])
    assert assert_right(made).checked == 5


def test_a_rewind_over_a_kept_card():
    vector, made = VECTORS["rewind"], south()
    with made.order("south"):
        first = made.card("south")
        kept = made.card("south", keep=True)
        to = len(made.log)
    before = structs.replace(made.piles["south"], cards=list(made.piles["south"].cards), kept=[kept])
    with made.order("south", "on"):
        void = made.card("south", keep=True)
    made.rewind(to, 1, "south")
    made.piles["south"] = before
    made.enter("north")
    made.enter("south")
    with made.order("south"):
        after = [made.card("south") for _ in vector["after"]]
        made.shuffle("south")
        shuffled = [made.card("south") for _ in vector["shuffled"]]
    made.end("south")
    assert [[first, 1], [kept, 0], [void, 0]] == vector["before"]
    assert (after, shuffled) == (vector["after"], vector["shuffled"])
    assert assert_right(made).checked == 7
