"""Boards for programs: text where there is a terminal, a picture where there is a notebook."""

from msgspec import Struct

from domain.contract.ruleset import NOBODY
from domain.contract.scene import Scene
from phalera.memory import Battle
from replay.battle_file import BattleFile
from replay.drawing.svg import draw_svg
from replay.drawing.text import draw_text
from replay.reports import plain
from replay.telling.words import ENGLISH, worded


class Board(Struct, frozen=True):
    """A table as somebody sees it; `scene` has all of it as data, in the words of `lang`."""

    scene: Scene
    lang: str = ENGLISH

    @property
    def svg(self) -> str:
        """The picture, an SVG document."""
        return draw_svg(self.scene, lang=self.lang)

    def __str__(self) -> str:
        return draw_text(self.scene, lang=self.lang).rstrip("\n")

    def _repr_svg_(self) -> str:
        return self.svg


def board(battle: BattleFile | Battle, n: int | None = None, *, side: str = NOBODY, lang: str = ENGLISH) -> Board:
    """The board after event `n` of a battle, or as it stands.

    Shape:   `side` sees its own secrets in a battle in memory; a file is shown to a stranger, as the command shows it
    Raises:  UnreadableFile for an event that a file does not have; Refusal core.no-such-side; ValueError for an event
             of a battle in memory, or a side of a file
    """
    if isinstance(battle, Battle):
        if n is not None:
            raise ValueError("a battle in memory has the board of now: open its file for others")
        return Board(worded(battle.ruleset.shown.view(battle.known(side), side), lang), lang)
    if side != NOBODY:
        raise ValueError("a file is shown to a stranger")
    at = battle.last if n is None else battle.require_event(n, lang=lang)
    return Board(worded(battle.ruleset.shown.view(plain.known_at(battle, at), NOBODY), lang), lang)
