"""The figures of a unit on its stand: in ranks, in the colours of their side and people, fewer with each loss.

Figures of a rank are drawn together, part by part, so that a stand takes a few paths; stands of one kind have the same
ones, which take hardly any bytes where they come again. A troop type without figures of its own stands as its symbol.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from zlib import crc32

from msgspec import Struct

from domain.contract.scene import Token
from replay.drawing.palette import HORSES, INK, SHAFT, SKIN, STEEL, WHITE, Dress
from replay.drawing.pen import id_of, number, tag
from replay.drawing.symbols import GENERIC, symbol

FOOT_WIDE, FOOT_HIGH = 7.0, 13.0
HORSE_WIDE, HORSE_HIGH = 20.0, 17.0
USUAL_WIDE, USUAL_HIGH = 78.0, 40.0
"""The room for which the ranks of a kind are given."""
FEWER = 0.6
"""Of the files, so many stand in a light picture."""
LARGEST = 2.0
"""Figures are at most so many times the size at which their parts are given."""

_HEAD = "m-2-10a2 2 0 1 1 4 0a2 2 0 1 1-4 0z"
_HELMET = "m-2.4-10a2.4 2.8 0 0 1 4.8 0z"
_BODY = "m-2.4 0l.5-8q1.9-1.5 3.8 0l.5 8z"
_HORSE = (
    "m-8-8.2q2.6-2.4 8-1.8q2.4-.2 3.6-2.2l2.2-4.4q1-1.4 2-.2l2.6 3.4q.6 1.2-.8 1.6l-2.2-.2-1.2 3.4q.2 2.2-1.2 3.4l.6 5"
    "h-1.7l-1.3-4.6q-2.8.9-5.6.2l-1.8 4.4h-1.7l.6-4.8q-1.7-1.6-1.4-3.2l-1.5 3.4-1-.4q0-2.7 1.2-3.9z"
)
_RIDER = "m-3-6l.4-8q2.4-2 4.8 0l.6 5q-2 3-5.8 3z"
_RIDER_HEAD = "m-2.3-16.2a2 2 0 1 1 4 0a2 2 0 1 1-4 0z"
_ROUND = "m-3.6-5a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0-5.2 0z"
_SMALL_ROUND = "m-3-5a2 2 0 1 0 4 0a2 2 0 1 0-4 0z"
_TALL = "m-3.2-8.2q2.2-1 4.4 0v6.6q-2.2 1-4.4 0z"
_ON_HORSE = "m-3.4-10.5a2.3 2.3 0 1 0 4.6 0a2.3 2.3 0 1 0-4.6 0z"


class Limb(Struct, frozen=True, gc=False):
    """One shape of a figure around its feet: a path after a move. Colours are "cloth", "arms", "horse" or a colour, ""
    for none; `fine`: left out of a light picture."""

    data: str
    fill: str = ""
    line: str = ""
    wide: float = 0.9
    fine: bool = False


class Ranks(Struct, frozen=True, gc=False):
    """How a kind stands: so many ranks of so many, `loose` steps beside their places, of what limbs from the first
    drawn to the last; `mounted`: they need the room of a horse."""

    ranks: int
    files: int
    loose: float
    limbs: tuple[Limb, ...]
    mounted: bool = False


_MAN = (Limb(_BODY, "cloth", INK, 0.5), Limb(_HEAD, SKIN), Limb(_HELMET, STEEL, fine=True))
_BARE = (Limb(_BODY, "cloth", INK, 0.5), Limb(_HEAD, SKIN, INK, 0.4))
_MOUNT = (Limb(_HORSE, "horse", INK, 0.5), Limb(_RIDER, "cloth", INK, 0.5), Limb(_RIDER_HEAD, STEEL))
_SPEAR = Limb("m3 0v-17", line=SHAFT)
_LANCE = Limb("m-4-4l15-13", line=SHAFT, wide=1.1)
_DART = Limb("m-4-5l9-6", line=SHAFT)
_BOW = Limb("m2.6-11q4.6 5.5 0 11m0-11v11", line=SHAFT)
_GUN = Limb("m-1-4l8-7", line=SHAFT, wide=1.3)


def _shield(data: str) -> Limb:
    return Limb(data, "arms", INK, 0.5)


FIGURES: dict[str, Ranks] = {
    "heavy_foot": Ranks(2, 6, 0, (*_MAN, _shield(_TALL))),
    "spears": Ranks(2, 6, 0, (_SPEAR, *_MAN, _shield(_ROUND))),
    "pikes": Ranks(3, 7, 0, (Limb("m2.6 0l3-23", line=SHAFT), *_MAN, _shield(_SMALL_ROUND))),
    "warriors": Ranks(2, 6, 2.2, (Limb("m3-3l3-10", line=STEEL, wide=1.3), *_BARE, _shield(_TALL))),
    "axes": Ranks(2, 5, 1.4, (Limb("m3-1v-14", line=SHAFT), Limb("m3-15q5 0 4 5l-4-1z", STEEL, INK, 0.4), *_MAN)),
    "javelins": Ranks(2, 5, 1.4, (_DART, *_MAN, _shield(_ROUND))),
    "mob": Ranks(3, 5, 2.6, _BARE),
    "archers": Ranks(2, 4, 1.2, (*_MAN, _BOW)),
    "crossbows": Ranks(2, 4, 1.2, (*_MAN, Limb("m1-5h6m-2-3q4 3 0 6", line=SHAFT, wide=1.1))),
    "handguns": Ranks(2, 5, 0, (*_MAN, _GUN)),
    "riflemen": Ranks(2, 6, 0, (*_MAN, _GUN)),
    "sharpshooters": Ranks(2, 3, 3.0, (*_BARE, _GUN)),
    "light_foot": Ranks(2, 3, 3.0, (_DART, *_BARE, _shield(_SMALL_ROUND))),
    "light_archers": Ranks(2, 3, 3.0, (*_BARE, _BOW)),
    "slingers": Ranks(2, 3, 3.0, (*_BARE, Limb("m2-7q6-8-3-9", line=SHAFT))),
    "cavalry": Ranks(2, 2, 1.2, (*_MOUNT, _shield(_ON_HORSE)), mounted=True),
    "lancers": Ranks(2, 2, 0, (*_MOUNT, _LANCE), mounted=True),
    "knights": Ranks(2, 2, 0, (*_MOUNT, _LANCE, _shield(_ON_HORSE)), mounted=True),
    "horse_archers": Ranks(2, 2, 1.2, (*_MOUNT, Limb("m1-16q5 5 0 10m0-10v10", line=SHAFT)), mounted=True),
    "horse_riflemen": Ranks(2, 2, 1.2, (*_MOUNT, Limb("m-1-10l8-5", line=SHAFT, wide=1.3)), mounted=True),
    "light_cavalry": Ranks(1, 2, 2.0, (Limb("m-5-11l12-4", line=SHAFT), *_MOUNT), mounted=True),
    "light_horse_archers": Ranks(1, 2, 2.0, (*_MOUNT, Limb("m1-16q5 5 0 10m0-10v10", line=SHAFT)), mounted=True),
}
"""By symbol."""
BEASTS = {"elephants": 2, "chariots": 2, "light_chariots": 2, "scythed_chariots": 2, "camels": 3, "wagons": 2}
"""Symbols of which several stand side by side on a stand that is wide enough."""


def stand_of(token: Token, dress: Dress, box: tuple[float, float, float, float]) -> str:
    """The figures of a unit in a box of its stand: left, top, width and height."""
    kind = GENERIC.get(token.symbol, token.symbol)
    drawn = _ranks(FIGURES[kind], token, dress, box) if kind in FIGURES else _symbols(kind, token, dress, box)
    return tag("g", *drawn, class_=f"troops {token.symbol}", stroke_linejoin="round")


def shared_stands(tokens: str, prefix: str) -> Iterator[str]:
    """Drawn tokens in which figures that are seen more than once are drawn once, before them. What these are called
    follows from how they look."""
    counted = Counter(_STAND.findall(tokens))
    often = [drawn for drawn, count in counted.items() if count > 1]
    names = {drawn: id_of(prefix, "stand", f"{crc32(drawn.encode()):x}") for drawn in often}
    if names:
        yield tag("defs", *(f'<g id="{name}"{drawn[2:]}' for drawn, name in names.items()))
    yield _STAND.sub(lambda found: tag("use", href=f"#{names[found[0]]}") if found[0] in names else found[0], tokens)


_STAND = re.compile('<g class="troops [^>]*>.*?</g></g>')


def lost_share(token: Token) -> float:
    """What a unit has lost of what it has, 0 to 1, by the first mark that tells it."""
    for mark in token.marks:
        if mark.harm and mark.full > 1:
            return min(1.0, mark.count / mark.full)
    return 0.0


def _symbols(kind: str, token: Token, dress: Dress, box: tuple[float, float, float, float]) -> Iterator[str]:
    """The sign of a troop type, more than once where such things come in numbers."""
    left, top, wide, high = box
    size = min(wide, high) * (0.86 if kind in BEASTS else 1.0)
    full = max(1, min(BEASTS.get(kind, 1), int(wide / size)))
    for at in range(max(1, full - round(full * lost_share(token)))):
        x = left + wide * (at + 0.5) / full
        yield symbol(token.symbol, x, top + high / 2, size, dress.strong, WHITE)


def _ranks(kind: Ranks, token: Token, dress: Dress, box: tuple[float, float, float, float]) -> Iterator[str]:
    left, top, wide, high = box
    light = not dress.shadow
    files, ranks = max(1, round(kind.files * wide / USUAL_WIDE)), max(1, round(kind.ranks * high / USUAL_HIGH))
    if light:
        files, ranks = max(1, round(files * FEWER)), min(2, ranks)
    figure_wide, figure_high = (HORSE_WIDE, HORSE_HIGH) if kind.mounted else (FOOT_WIDE, FOOT_HIGH)
    scale = min(LARGEST, wide / (files * figure_wide), high / (figure_high + (ranks - 1) * figure_high * 0.62))
    gone = _gone(files * ranks, lost_share(token), token.id)
    across, down = wide / files / scale, (high / scale - figure_high) / max(1, ranks - 1)
    ranked = []
    for rank in range(ranks):
        spots = []
        for file in range(files):
            if rank * files + file in gone:
                continue
            seed = crc32(f"{rank},{file}".encode())
            loose = 0.0 if light else kind.loose
            sway_x, sway_y = (seed % 21 / 10 - 1) * loose, (seed // 21 % 21 / 10 - 1) * loose * 0.5
            x = (
                across * (file + 0.5)
                + sway_x
                + (across / 4 * (1 - 2 * (rank % 2)) if kind.loose > 2 or kind.mounted else 0)
            )
            y = figure_high + (down * rank if ranks > 1 else (high / scale - figure_high) / 2) + sway_y
            spots.append((x, y))
        if spots:
            ranked += [_limb(limb, spots, dress, rank, light) for limb in kind.limbs if not (light and limb.fine)]
    moved = f"translate({number(left)} {number(top)}) scale({scale:.2g})"
    yield tag("g", *ranked, transform=moved)


def _gone(all_: int, share: float, name: str) -> set[int]:
    """Which figures are missing: of each unit others."""
    order = sorted(range(all_), key=lambda at: crc32(f"{name} {at}".encode()))
    return set(order[: min(all_ - 1, round(all_ * share))])


def _limb(limb: Limb, spots: Sequence[tuple[float, float]], dress: Dress, rank: int, light: bool) -> str:
    line = "" if light and limb.fill else limb.line
    colours = {
        "cloth": dress.strong,
        "arms": dress.arms or dress.dark,
        "horse": HORSES[0 if light else rank % len(HORSES)],
    }
    return tag(
        "path",
        d="".join(f"M{number(x)} {number(y)}{limb.data}" for x, y in spots),
        fill=colours.get(limb.fill, limb.fill) or "none",
        stroke=line or None,
        stroke_width=limb.wide if line else None,
    )
