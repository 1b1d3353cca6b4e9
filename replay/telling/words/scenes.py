"""The words on a picture, in the reader's language.

A game's scene brings messages (`told`); here they become titles and captions. A scene that is worded
already, or whose game sets its texts itself, stays as it is.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.basics.message import Message
from domain.contract.scene import Arc, Cell, Disc, Formation, Group, Line, Ruler, Scene, Sight, Token
from replay.remembered import Remembered
from replay.telling.words.catalogue import ENGLISH, find
from replay.telling.words.names import name_in
from replay.telling.words.sentences import fragment, phrase

TEXTS_KEPT = 20_000
"""A few megabytes: the titles and captions of a hundred battles."""

TOKEN_BYTES, CELL_BYTES = 1_500, 800
"""About what a token or a cell takes in memory, with its words and those that it was made from."""

_tokens: Remembered[Token] = Remembered(8 << 20, lambda token: TOKEN_BYTES)
_cells: Remembered[tuple[Cell, ...]] = Remembered(8 << 20, lambda cells: CELL_BYTES * len(cells))
_KEY = msgspec.msgpack.Encoder()
_texts: dict[tuple[bool, bytes], str] = {}

Titled = TypeVar("Titled", Cell, Line, Token, Group, Arc, Disc, Ruler, Sight, Formation)


def worded(scene: Scene, lang: str = ENGLISH) -> Scene:
    """The scene with texts in place of its messages; the same one if it has no messages."""
    if not _is_told(scene):
        return scene
    captions = scene.captions
    if not isinstance(scene.told, UnsetType):
        captions += tuple((side, _phrase(told, lang)) for side, told in scene.told)
    hand = () if isinstance(scene.hand, UnsetType) else scene.hand
    return replace(
        scene,
        title=name_in(scene.title, lang),
        cells=_cells.get((scene.cells,), lang, lambda: _all_titled(scene.cells, lang)),
        lines=tuple(_titled(line, lang) for line in scene.lines),
        tokens=tuple(_token(token, lang) for token in scene.tokens),
        aside=tuple(_token(token, lang) for token in scene.aside),
        groups=tuple(_titled(group, lang) for group in scene.groups),
        arcs=tuple(_titled(arc, lang) for arc in scene.arcs),
        discs=tuple(_titled(disc, lang) for disc in scene.discs),
        rulers=tuple(_titled(ruler, lang) for ruler in scene.rulers),
        sights=tuple(_titled(sight, lang) for sight in scene.sights),
        formations=tuple(_titled(formation, lang) for formation in scene.formations),
        captions=captions,
        told=UNSET,
        held=(*scene.held, *(_phrase(card, lang) for card in hand)),
        hand=UNSET,
    )


def _is_told(scene: Scene) -> bool:
    """Whether a scene has messages, and not its texts already."""
    if not isinstance(scene.told, UnsetType) or not isinstance(scene.hand, UnsetType):
        return True
    things: tuple[Cell | Line | Token, ...] = (*scene.tokens, *scene.cells, *scene.lines, *scene.aside)
    shapes: tuple[Arc | Disc | Ruler | Sight, ...] = (*scene.arcs, *scene.discs, *scene.rulers, *scene.sights)
    return any(thing.told is not UNSET for thing in (*things, *shapes))


def _token(token: Token, lang: str) -> Token:
    if isinstance(token.told, UnsetType):
        return token
    return _tokens.get((token,), lang, lambda: _titled(token, lang))


def _all_titled(things: tuple[Titled, ...], lang: str) -> tuple[Titled, ...]:
    """The things with their texts; the same tuple if they have them already."""
    if all(isinstance(thing.told, UnsetType) for thing in things):
        return things
    return tuple(_titled(thing, lang) for thing in things)


def _titled(thing: Titled, lang: str) -> Titled:
    told: Message | UnsetType = thing.told
    if isinstance(told, UnsetType):
        return thing
    return replace(thing, title=_kept_text(fragment, told, lang), told=UNSET)


def _phrase(told: Message, lang: str) -> str:
    return _kept_text(phrase, told, lang)


def _kept_text(make: Callable[[str, Mapping[str, Any], str], str], told: Message, lang: str) -> str:
    """The text of a message. From one picture to the next hardly any of them changes, and they cost more than all the
    rest of it: what was said lately is remembered by its value."""
    key = make is phrase, _KEY.encode((lang, told))
    text = _texts.get(key)
    if text is None:
        if len(_texts) >= TEXTS_KEPT:
            _texts.clear()
        text = _texts[key] = make(told.id, told.params, lang)
    return text


def sign(word: str, lang: str = ENGLISH) -> str:
    """What a kind of ground, line or counter is called in the legend of a picture."""
    return find(f"sign.{word}", lang) or word.replace("_", " ")
