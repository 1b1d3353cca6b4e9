"""Battles of Shot to Pieces by mail: what a letter advises spares the next mail of the same kind (STP-DEC-02)."""

from collections import Counter

import pytest

from benchmarks.correspondence import club_in, fight
from benchmarks.correspondents import orders, taken_up
from domain.games.shot_to_pieces.state.vocabulary import FIRE, ORDERS


@pytest.mark.slow
@pytest.mark.mail
async def test_who_takes_up_what_a_letter_advises_is_asked_once_for_fire_and_general_orders(tmp_path):
    """In the other's phase, and before a turn; in its own phase a side is always asked."""
    asked = Counter[tuple[str, str]]()

    def answer(club, live, side):
        known = live.known(side)
        if known.waiting is None and (known.step == ORDERS or (known.step == FIRE and known.side != side)):
            asked[side, known.step] += 1
            (line,) = taken_up(live, side)
            assert line.startswith(f"standing {known.step}")
        return orders(club, live, side)

    async with club_in(tmp_path, 1, habit="advised") as club:
        count = await fight(club, "crossroads", 1, answer)
        live = await club.battles.get(club.battles.store.battles()[-1].battle)
    assert count.ended == 1
    assert asked == {(side, step): 1 for side in ("south", "north") for step in (ORDERS, FIRE)}
    in_force = {(order.side, order.topic, order.value) for order in live.game.standing}
    assert {(side, *said) for side in ("south", "north") for said in ((FIRE, "nearest"), (ORDERS, "keep"))} <= in_force
