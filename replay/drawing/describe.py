"""Describe a scene in words, for readers who cannot see it."""

from domain.scene import Scene, Token
from replay.telling.words import ENGLISH
from replay.telling.words.scenes import worded
from replay.telling.words.sentences import fragment


def describe_cell(scene: Scene, cell: str, lang: str = ENGLISH) -> str:
    """A box and all that is in it, the front unit first: the name of a cell for a screen reader."""
    scene = worded(scene, lang)
    ground = next((c.title or f"{c.id}, {c.kind.replace('_', ' ')}" for c in scene.cells if c.id == cell), cell)
    here = sorted((token for token in scene.tokens if token.cell == cell), key=_reading_order)
    lines = [line.title for line in scene.lines if line.title and cell in _words(line.title)]
    told = [token.title or token.id for token in here if token.kind != "camp" and not token.on]
    return ". ".join([ground, *told, *lines]) + "."


def describe(scene: Scene, lang: str = ENGLISH) -> str:
    """The whole scene: the captions, then every token on the table by side."""
    scene = worded(scene, lang)
    words = [line for _, line in scene.captions]
    for side in scene.sides:
        units = [token for token in scene.tokens if token.side == side and not token.on]
        words += [_placed(token, lang) for token in units]
    return " ".join(words)


def titled_captions(scene: Scene) -> list[tuple[str, str]]:
    """The captions, the first general one preceded by the title of the scene."""
    if not scene.title:
        return list(scene.captions)
    if scene.captions and not scene.captions[0][0]:
        return [("", f"{scene.title}. {scene.captions[0][1]}"), *scene.captions[1:]]
    return [("", scene.title), *scene.captions]


def _placed(token: Token, lang: str) -> str:
    """A token and where it is."""
    return fragment("scene.in", {"what": token.title or token.id, "cell": token.cell}, lang)


def _reading_order(token: Token) -> tuple[bool, int]:
    return token.kind != "unit", -token.layer


def _words(title: str) -> list[str]:
    return title.replace(",", " ").split()
