"""What happened shows on a board by shape, lets pointers through, and covers nothing of its own."""

import re
from itertools import pairwise
from typing import get_args

import pytest
from msgspec.structs import replace

from domain.contract.effect import LINES, EffectKind
from domain.contract.scene import Arrow, Happened, Mark, Scene, Throw, turned
from replay.drawing.happened import HIGH, MOST_THROWS
from replay.drawing.palette import INK, WHITE, contrast
from replay.drawing.svg import draw_svg
from tests.support.scenes import duel, hex_board, open_table

MARKS = sorted(set(get_args(EffectKind)) - LINES)


def drawn(*happened: Happened, strikes: tuple[Arrow, ...] = (), scene: Scene | None = None) -> str:
    """The layer of what happened."""
    picture = draw_svg(replace(scene or duel(), happened=happened, strikes=strikes), captions=False)
    return picture.partition('<g class="happened"')[2].partition('<g class="lettering"')[0]


@pytest.mark.parametrize("scene", [duel(), hex_board(), open_table()], ids=["square", "hex", "free"])
def test_every_board_shows_lines_marks_and_throws_above_its_tokens(scene: Scene) -> None:
    at, goal = scene.tokens[0].at, scene.tokens[-1].at
    one = Happened(at, 40, "", (Mark("hit", 2),), (Throw((7,), (True,)),))
    picture = draw_svg(replace(scene, strikes=(Arrow("shot", (at, goal)),), happened=(one,)))
    assert picture.index('class="tokens"') < picture.index('class="happened"') < picture.index('class="strike shot"')
    assert 'class="pill hit"' in picture
    assert draw_svg(replace(scene, strikes=(), happened=())) == draw_svg(scene)


def test_the_layer_lets_pointers_through_and_is_left_to_the_sentences() -> None:
    layer = drawn(Happened((150, 150), marks=(Mark("harm"),)))
    assert layer.startswith(' aria-hidden="true" pointer-events="none"')


def test_shots_and_charges_differ_by_shape_and_older_ones_are_paler() -> None:
    shot, charge = (drawn(strikes=(Arrow(kind, ((50, 50), (250, 350))),)) for kind in ("shot", "charge"))
    assert "stroke-dasharray" in shot
    assert "stroke-dasharray" not in charge
    assert "opacity=" not in shot.partition(">")[2].partition(">")[0]
    old = drawn(strikes=(Arrow("shot", ((50, 50), (250, 350)), is_old=True),))
    assert 'class="strike shot old"' in old
    assert 'opacity="0.6"' in old


def test_a_line_between_neighbours_still_has_a_length() -> None:
    """Its ends are cut short, but never so far that they cross."""
    for distance in (8, 40, 100):
        shaft = re.search(
            r'd="M([\d.]+) [\d.]+ L([\d.]+) ', drawn(strikes=(Arrow("charge", ((100, 50), (100 + distance, 50))),))
        )
        assert shaft
        if distance > 30:
            assert float(shaft[1]) < float(shaft[2])


def test_a_line_from_a_spot_to_itself_is_not_drawn() -> None:
    assert "strike" not in drawn(strikes=(Arrow("charge", ((100, 50), (100, 50))),))


@pytest.mark.parametrize("kind", MARKS)
def test_every_mark_has_a_sign_of_its_own(kind: str) -> None:
    signs = {other: sign_of(drawn(Happened((150, 150), 40, "N1", (Mark(other),)))) for other in MARKS}
    assert signs[kind]
    assert [other for other, sign in signs.items() if sign == signs[kind]] == [kind]


def sign_of(layer: str) -> str:
    """The path of a sign, without its colour."""
    found = re.search(r'<g transform="translate\(4 0\)"><path d="([^"]+)"', layer)
    return found[1] if found else ""


def test_cards_and_dice_show_whether_they_passed_without_their_colour() -> None:
    passed, failed, untested = (
        drawn(Happened((150, 150), throws=(Throw((8,), results),))) for results in ((True,), (False,), ())
    )
    assert [layer.count("<path") for layer in (passed, failed, untested)] == [2, 2, 1]
    assert 'class="card"' in passed
    assert 'class="die"' in drawn(Happened((150, 150), throws=(Throw((8,), (), True),)))


def test_a_volley_of_many_dice_is_counted() -> None:
    dice = tuple(range(1, 7)) * 2
    assert len(dice) > MOST_THROWS
    layer = drawn(Happened((150, 150), throws=(Throw(dice, tuple(die > 3 for die in dice), True),)))
    assert 'class="die"' not in layer
    assert ">6/12<" in layer


def test_who_is_gone_is_named_and_what_is_lost_is_counted() -> None:
    layer = drawn(Happened((150, 150), 40, "N14", (Mark("gone"), Mark("tally", 2))))
    assert ">N14<" in layer
    assert ">−2<" in layer
    assert ">−½<" in drawn(Happened((150, 150), marks=(Mark("tally", 1, text="half"),)))
    assert contrast(INK, WHITE) > 7


def test_rows_that_would_lie_upon_each_other_lie_below_each_other() -> None:
    layer = drawn(*(Happened((150, 150), 40, name, (Mark("gone"),)) for name in ("N1", "N2", "N3")))
    tops = sorted(float(top) for top in re.findall(r'class="row" transform="translate\([\d.-]+ ([\d.-]+)\)', layer))
    assert len(tops) == 3
    assert all(low - high >= HIGH for high, low in pairwise(tops))


def test_a_turned_board_turns_what_happened() -> None:
    scene = duel()
    shown = replace(scene, strikes=(Arrow("shot", ((50, 50), (250, 350))),), happened=(Happened((50, 50)),))
    over = turned(shown)
    assert over.strikes[0].points == ((scene.width - 50, scene.height - 50), (scene.width - 250, scene.height - 350))
    assert over.happened[0].at == (scene.width - 50, scene.height - 50)
