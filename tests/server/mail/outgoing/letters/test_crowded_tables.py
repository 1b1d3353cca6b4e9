"""Letters of Shot to Pieces: at most 45 lines, with every unit that may act, in each packaged battle and language."""

import re
from random import Random

import pytest

from domain.basics.data import scenario_names, scenario_text
from replay.drawing.text.signs import WIDTH
from server.mail.blocks import Choice, MenuBlock, MenuLine
from server.mail.orders import numbered
from server.mail.outgoing.letters.menu_text import BAR, menu_lines, packed_lines
from server.mail.outgoing.letters.text import LONGEST
from server.store.tables import outbox
from tests.support.lanes import sampled, thinned
from tests.support.letter_writing import opened

CODE = "stp"
MOVES = 8
"""Units that move before a letter in the midst of a turn."""
PHASES = 3


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("scenario", thinned(sampled(scenario_names(CODE), 2), 6))
async def test_a_letter_has_at_most_45_lines_and_every_unit_that_may_act(tmp_path, scenario, lang):
    chance = Random(1)
    async with opened(tmp_path / "data") as office:
        await office.begin(text=scenario_text(CODE, scenario))
        live = office.live
        for side in ("south", "north"):
            await office.wish(side, lang=lang)
            await office.order(side, "usual")
        seen = {await require_short(office, is_first=True)}
        for _ in range(PHASES):
            seen.add(await require_short(office))
            side, phase = live.game.side, live.game.k
            for _ in range(MOVES):
                moves = [one for one in live.options(side) if one.kind in ("charge", "move")]
                if moves and live.game.waiting is None and live.game.k == phase:
                    await office.order(side, chance.choice(moves).order)
            seen.add(await require_short(office))
            if live.game.waiting is None and side in live.to_act():
                await office.order(side, "end turn")
            while live.game.waiting is not None:
                await office.order(live.game.waiting.side, live.options(live.game.waiting.side)[-1].order)
    assert seen >= {"charges", "moves"}


async def require_short(office, *, is_first=False):
    """The step of the letter that is written now."""
    live = office.live
    (side,) = live.to_act()
    if not is_first:  # which has, on top of the 45, what binds the host
        for row in office.rows():
            await office.store.write(outbox.sent(row.id, office.clock.now()))
    text = (await office.letter(await office.posted(side, "turn"))).text
    told = text.partition("\n\n\n")[0] if is_first else text
    assert len(told.splitlines()) <= LONGEST, text
    listed = [line for line in text.splitlines() if line.startswith(BAR)]
    units = {option.unit for option in live.options(side) if option.unit}
    missing = {unit for unit in units if not any(re.search(rf"\b{unit}\b", line) for line in listed)}
    assert not missing, text
    numbers = set(map(int, re.findall(r"(?<![\d.,])\d+(?![\d.,]*\d)", " ".join(listed))))
    for unit in units:
        own = {number for order, number in numbered(live, side).items() if re.search(rf"\b{unit}\b", order)}
        assert own & numbers, unit
    return live.game.step


async def test_every_unit_stands_in_its_sketch(tmp_path):
    async with opened(tmp_path / "data") as office:
        await office.begin(text=scenario_text(CODE, "aughrim"))
        text = (await office.letter(await office.posted("south", "turn"))).text
        sketch = "\n".join(line for line in text.splitlines() if line.endswith("|"))
        assert [unit for unit in office.live.game.units if not re.search(rf"[\^v<>/\\]{unit}\b", sketch)] == []
        assert len(sketch.splitlines()) <= 10


async def test_a_letter_says_of_both_sides_what_counts(tmp_path):
    async with opened(tmp_path / "data") as office:
        await office.begin(text=scenario_text(CODE, "maida"))
        text = " ".join((await office.letter(await office.posted("north", "turn"))).text.split())
        assert "- South, Anna: British, 17 units. I: advance. II: advance, strategic." in text
        await office.wish("north", is_long=True)
        text = " ".join((await office.letter(await office.posted("north", "turn"))).text.split())
        assert "Corps II, Cole and Oswald: advance, strategic move, losses 0/5." in text


# --- the list of orders where there is no room


def line(unit, kind, *choices):
    return MenuLine(f"{unit} {kind}", tuple(Choice(number, words, odds) for number, words, odds in choices), unit)


MENU = MenuBlock(
    (
        ("", (MenuLine("", (Choice(1, "end turn"), Choice(2, "done")), ""),)),
        (
            "corps I, First",
            (
                line("A1", "infantry", (3, "move 15", ""), (4, "move 7.5", "")),
                line("A2", "infantry", (9, "move 15", "")),
                line("A3", "infantry", (15, "move 10", "")),
                line("A4", "battery", (20, "move 10", ""), (21, "fire K1", "50%")),
            ),
        ),
    ),
    ("", ""),
    "b",
)


def test_units_of_a_group_stand_behind_each_other_where_there_is_no_room():
    assert list(menu_lines(MENU, 3, "en")) == [
        "| 1 end turn, 2 done",
        "| corps I, First: infantry A1 3 move 15, 4 move 7.5; A2 9 move 15;",
        "|   A3 15 move 10; battery A4 20 move 10, 21 fire K1 50%",
    ]


def test_neighbours_with_one_order_share_its_words():
    assert packed_lines(MENU, "en")[1:] == [
        "| corps I, First: infantry A1 3, A2 9 move 15; A3 15 move 10; battery",
        "|   A4 20 move 10",
    ]


def test_without_room_for_their_kinds_they_have_their_names():
    assert list(menu_lines(MENU, 2, "en")) == [
        "| 1 end turn, 2 done",
        "| corps I, First: A1 3, A2 9 move 15; A3 15, A4 20 move 10",
    ]


def test_with_room_each_has_a_line_of_its_own():
    lines = list(menu_lines(MENU, 6, "en"))
    assert lines[2] == "| A1 infantry: 3 move 15, 4 move 7.5"
    assert len(lines) == 6
    assert max(map(len, lines)) <= WIDTH
