"""Describe a scene in words, for readers who cannot see it."""

from domain.contract.scene import Arc, Disc, Ruler, Scene, Sight, Token
from replay.drawing.measures import coordinate
from replay.remembered import Remembered
from replay.telling.words import ENGLISH
from replay.telling.words.scenes import TOKEN_BYTES, worded
from replay.telling.words.sentences import fragment


def describe(scene: Scene, lang: str = ENGLISH) -> str:
    """The whole scene: the captions, then every token on the table by side."""
    scene = worded(scene, lang)
    words = [line for _, line in scene.captions]
    for side in scene.sides:
        units = [token for token in scene.tokens if token.side == side and not token.on]
        words += [_kept_words(scene, token, lang) for token in units]
    return " ".join([*words, *shape_titles(scene)])


def shape_titles(scene: Scene) -> list[str]:
    """What arcs, discs, rulers and lines of sight say, where they have words; the scene is worded."""
    shapes: tuple[Arc | Disc | Ruler | Sight, ...] = (*scene.arcs, *scene.discs, *scene.rulers, *scene.sights)
    return [shape.title for shape in shapes if shape.title]


def by_side(scene: Scene) -> list[Token]:
    """The tokens on the table, those of the first side first."""
    order = {side: at for at, side in enumerate(scene.sides)}
    return sorted(scene.tokens, key=lambda token: order.get(token.side, len(order)))


def titled_captions(scene: Scene) -> list[tuple[str, str]]:
    """The captions, the first general one preceded by the title of the scene."""
    if not scene.title:
        return list(scene.captions)
    if scene.captions and not scene.captions[0][0]:
        return [("", f"{scene.title}. {scene.captions[0][1]}"), *scene.captions[1:]]
    return [("", scene.title), *scene.captions]


_words_kept: Remembered[str] = Remembered(2 << 20, lambda words: len(words) + TOKEN_BYTES, by_value=True)


def _kept_words(scene: Scene, token: Token, lang: str) -> str:
    """The words for a token, the same as long as nothing of it changes."""
    how = scene.grid, scene.measure, scene.width, scene.height, scene.is_turned, lang
    return _words_kept.get((token,), how, lambda: _token_words(scene, token, lang))


def _token_words(scene: Scene, token: Token, lang: str) -> str:
    """A token and where it is."""
    place = ", ".join(coordinate(scene, token.at)) if scene.grid == "free" else ""
    return fragment("scene.in", {"what": token.title or token.id, "cell": token.cell, "place": place}, lang)
