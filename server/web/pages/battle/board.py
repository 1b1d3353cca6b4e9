"""The board, and what lies below it: the steps of the replay, and the place where another battle may begin."""

from collections.abc import Callable
from functools import cache

from markupsafe import Markup
from msgspec import Struct

from domain.contract.scene import Scene, turned
from replay.drawing.canvas import canvas_of
from server.play.branching import nearest_place
from server.web.pages.battle.stepping import Steps, marked, steps_of
from server.web.pages.battle.viewpoint import Viewpoint
from server.web.pages.rendering import drawing

Draw = Callable[[Callable[[], Scene]], tuple[str, str]]
"""The board as a picture and as text; the scene is only made for one that is not known yet."""


class BoardPart(Struct, frozen=True):
    """The board as `picture` and as `text`. `frame` says how a spot of the scene is found on it: scale, margin, width
    and height; `members` are the tokens that count as one unit, by their ids; `fields` the kinds of fields that units
    have in this game; `has_ends` says whether units are dragged to any place. Another battle would begin after event
    `branches_at`, 0 if there is no such place."""

    picture: Markup
    text: str
    frame: str
    members: dict[str, str]
    turned: bool
    steps: Steps
    fields: tuple[str, ...]
    has_ends: bool
    branches_at: int


def board_part(seen: Viewpoint, draw: Draw) -> BoardPart:
    """The board from a viewpoint; `draw` draws it, or knows it already."""
    live, scene = seen.live, seen.scene

    @cache
    def shown() -> Scene:
        board = marked(live, seen.side, seen.n, scene)
        return turned(board) if seen.is_turned else board

    picture, text = draw(shown)
    return BoardPart(
        picture=drawing(picture),
        text=text,
        frame=frame_of(scene),
        members={token: group.label for group in scene.groups for token in group.tokens},
        turned=seen.is_turned,
        steps=steps_of(live.recording.timeline, seen.n),
        fields=live.ruleset.shown.table.fields,
        has_ends=live.ruleset.orders.free_ends is not None,
        branches_at=0 if seen.battle.ended else nearest_place(live, seen.n),
    )


def frame_of(scene: Scene) -> str:
    """How a spot of the scene is found on the board: scale, margin, width and height."""
    canvas = canvas_of(scene)
    return f"{canvas.scale:g} {canvas.margin:g} {scene.width} {scene.height}"
