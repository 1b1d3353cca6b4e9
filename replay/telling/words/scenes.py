"""The words on a picture, in the reader's language.

A game's scene brings messages (`told`); here they become titles and captions. A scene that is worded
already, or whose game sets its texts itself, stays as it is.
"""

from typing import TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.engine.message import Message
from domain.scene import Arc, Cell, Disc, Line, Ruler, Scene, Sight, Token
from replay.telling.words.catalogue import ENGLISH, find
from replay.telling.words.sentences import fragment, phrase

TITLES_KEPT = 20_000
"""A few megabytes: the titles of a hundred battles."""

_KEY = msgspec.msgpack.Encoder()
_titles: dict[bytes, str] = {}

Titled = TypeVar("Titled", Cell, Line, Token, Arc, Disc, Ruler, Sight)


def worded(scene: Scene, lang: str = ENGLISH) -> Scene:
    """The scene with texts in place of its messages."""
    captions = scene.captions
    if not isinstance(scene.told, UnsetType):
        captions += tuple((side, phrase(told.id, told.params, lang)) for side, told in scene.told)
    hand = () if isinstance(scene.hand, UnsetType) else scene.hand
    return replace(
        scene,
        cells=tuple(_titled(cell, lang) for cell in scene.cells),
        lines=tuple(_titled(line, lang) for line in scene.lines),
        tokens=tuple(_titled(token, lang) for token in scene.tokens),
        aside=tuple(_titled(token, lang) for token in scene.aside),
        arcs=tuple(_titled(arc, lang) for arc in scene.arcs),
        discs=tuple(_titled(disc, lang) for disc in scene.discs),
        rulers=tuple(_titled(ruler, lang) for ruler in scene.rulers),
        sights=tuple(_titled(sight, lang) for sight in scene.sights),
        captions=captions,
        told=UNSET,
        held=(*scene.held, *(phrase(card.id, card.params, lang) for card in hand)),
        hand=UNSET,
    )


def _titled(thing: Titled, lang: str) -> Titled:
    told: Message | UnsetType = thing.told
    if isinstance(told, UnsetType):
        return thing
    return replace(thing, title=_title(_KEY.encode((lang, told)), told, lang), told=UNSET)


def _title(key: bytes, told: Message, lang: str) -> str:
    """The text of a message. From one picture to the next hardly any of them changes, and they cost more than all the
    rest of it: what was said lately is remembered by its value."""
    text = _titles.get(key)
    if text is None:
        if len(_titles) >= TITLES_KEPT:
            _titles.clear()
        text = _titles[key] = fragment(told.id, told.params, lang)
    return text


def sign(word: str, lang: str = ENGLISH) -> str:
    """What a kind of ground, line or counter is called in the legend of a picture."""
    return find(f"sign.{word}", lang) or word.replace("_", " ")
