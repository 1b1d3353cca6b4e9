"""Put a board into a letter: described, as text, and as a picture."""

from msgspec import Struct
from msgspec.structs import replace

from domain.contract.scene import Scene
from replay.drawing.moves import with_moves
from replay.drawing.raster import draw_light_png
from replay.drawing.text import draw_brief, draw_text
from replay.telling.words import worded
from server.mail.blocks import BoardBlock
from server.mail.outgoing.letters.pieces import LetterPicture
from server.mail.outgoing.letters.position import last_order
from server.play.live_battle import LiveBattle
from server.words import say


class Drawing(Struct, frozen=True):
    """A board to be drawn: the scene with the moves since the side's last order marked, and the same without."""

    plain: Scene
    moved: Scene
    brief: bool = False


def drawing_of(live: LiveBattle, board: BoardBlock) -> Drawing:
    """What a side sees of its battle after an event. The battle itself does not travel."""
    ruleset, timeline = live.ruleset, live.recording.timeline

    def seen(n: int) -> Scene:
        return ruleset.shown.view(ruleset.secrets.known(timeline.at(n).game, board.side), board.side)

    plain = seen(board.n)
    since = min(last_order(live, board.side), board.n)
    return Drawing(plain, with_moves(seen(since), plain) if since else plain, board.brief)


def picture_of(drawing: Drawing, cid: str, lang: str, is_wanted: bool) -> LetterPicture:
    """The board in a reader's language; it takes long to draw."""
    scene = replace(worded(drawing.plain, lang), captions=(), title="")  # the letter states them elsewhere
    if drawing.brief:
        text = draw_brief(scene, lang=lang)
    else:
        text = draw_text(scene, roster=True, lang=lang).replace("\n\n\n", "\n\n")
    png = draw_light_png(drawing.moved, lang=lang) if is_wanted else b""
    return LetterPicture(_described(drawing.moved, lang), text, png, cid)


def _described(scene: Scene, lang: str) -> str:
    """What the picture shows, in a sentence to be read aloud."""
    units = {side: len(_units(scene, side)) for side in scene.sides}
    return say(lang, "letter.picture", **units, moved=bool(scene.arrows))


def _units(scene: Scene, side: str) -> set[str]:
    """The units of a side on the table: its tokens, those that count as one once."""
    groups = {token: group.label for group in scene.groups for token in group.tokens}
    return {groups.get(token.id, token.id) for token in scene.tokens if token.form == "base" and token.side == side}
