"""The legend has all that the board shows, in the reader's language, and nothing else."""

from typing import get_args
from xml.etree import ElementTree

import pytest

from domain.contract.effect import LINES, EffectKind
from domain.contract.scene import Arrow, Cell, Happened, Mark, Scene, Throw
from replay.drawing.ground import look_of
from replay.drawing.legend import legend, mark_picture
from replay.drawing.palette import OPEN
from replay.telling.words import LANGUAGES, worded
from tests.support.scenes import cannae, hex_board, in_full_swing, open_table, view

SCENES = [view(cannae()), view(in_full_swing()), hex_board(), open_table()]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("scene", SCENES)
def test_everything_on_the_board_has_its_entry(scene: Scene, lang: str) -> None:
    shown = legend(worded(scene, lang), lang)
    bases = [token for token in scene.tokens if token.form == "base"]
    things = {token.symbol for token in bases} | {token.kind for token in scene.tokens if token.form != "base"}
    things |= {mark.kind for token in scene.tokens for mark in token.marks}
    things |= {cell.kind for cell in scene.cells if look_of(cell) not in OPEN} | {line.kind for line in scene.lines}
    states = [any(token.facing is not None for token in bases), any(token.formation for token in bases)]
    states += [any(token.unseen for token in bases), any(token.spent for token in bases)]
    assert len(shown) == len(things) + sum(states)
    for entry in shown:
        ElementTree.fromstring(entry.picture)
        assert entry.said
        assert not entry.said.startswith("sign.")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_has_happened_has_its_entries(lang: str) -> None:
    marks = tuple(Mark(kind) for kind in sorted(set(get_args(EffectKind)) - LINES))
    one = Happened((50, 50), marks=marks, throws=(Throw((7, 3), (True, False)),))
    strikes = tuple(Arrow(kind, ((0, 0), (90, 90))) for kind in sorted(LINES))
    shown = legend(Scene(100, 100, (), strikes=strikes, happened=(one, one)), lang)
    assert len(shown) == len({entry.picture for entry in shown}) == len(marks) + len(strikes) + 2
    for entry in shown:
        ElementTree.fromstring(entry.picture)
        assert entry.said and not entry.said.startswith(("sign.", "effect."))


def test_an_empty_table_has_no_legend() -> None:
    assert legend(Scene(100, 100, (Cell("A1", "open", ((0, 0), (100, 0), (100, 100))),))) == ()


def test_no_id_of_a_legend_is_one_of_the_board() -> None:
    for scene in SCENES:
        for entry in legend(worded(scene)):
            ids = [part.get("id", "") for part in ElementTree.fromstring(entry.picture).iter()]
            assert all("legend" in name for name in ids if name)


def test_a_mark_is_drawn_by_itself() -> None:
    assert "<text" in mark_picture(Mark("force", text="=4"))
    assert "<path" in mark_picture(Mark("ammo", 2, 3, symbol="arrow"))
