"""The characters of a board of text, and the legend that explains them.

Frames and facings are ours; a game's scene says how its things are written (`Scene.signs`).
"""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from domain.contract.scene import Cell, Mark, Scene, Token
from replay.drawing.palette import OPEN
from replay.telling.words.scenes import sign

WIDTH = 78
NO_BREAK = "\N{NO-BREAK SPACE}"
"""French has it before colons."""
UNKNOWN = "?"
ZONE = ":"


class Signs:
    """The characters for one scene, in ASCII or better ones."""

    def __init__(self, scene: Scene, *, unicode: bool) -> None:
        self.is_unicode = unicode
        self.across, self.down, self.corner = "─│┼" if unicode else "-|+"
        self.known = scene.signs, unicode
        self._known = {of.word: (of.fine or of.plain) if unicode else of.plain for of in scene.signs}

    def of(self, word: str) -> str:
        """How a kind of ground, token or mark is written."""
        return self._known.get(word, (UNKNOWN,))[0]

    def knows(self, word: str) -> bool:
        """Whether the game says how a word is written."""
        return word in self._known

    def of_line(self, word: str) -> tuple[str, str]:
        """How a linear feature is written along a horizontal and along a vertical border."""
        known = self._known.get(word, (UNKNOWN,))
        return known[0], known[-1]

    def of_harm(self, mark: Mark) -> str:
        """How much of a harm is written; "" where there is none, or it has no sign."""
        known = self._known.get(mark.kind, ("",))
        return known[min(mark.count, len(known)) - 1] if mark.count else ""

    def is_counted(self, mark: Mark) -> bool:
        """Whether a harm has a sign of its own for each count."""
        return len(self._known.get(mark.kind, ())) > 1


def by_cell(scene: Scene) -> Mapping[str, Sequence[Token]]:
    """The tokens in each cell that has some, in their order."""
    cells: dict[str, list[Token]] = {}
    for token in scene.tokens:
        cells.setdefault(token.cell, []).append(token)
    return cells


def ground_of(cell: Cell, here: Sequence[Token], signs: Signs) -> str:
    """The sign of a cell's ground, else of what lies on it (`here` are its tokens), else of the zone that it belongs
    to."""
    if cell.kind not in OPEN:
        return signs.of(cell.kind)
    sites = [token.kind for token in here if token.form == "site"]
    return signs.of(sites[0]) if sites else ZONE if cell.zone else ""


def base_text(token: Token, facing: str, signs: Signs) -> str:
    """Facing, name and harm of a token on a base."""
    return f"{facing}{plain(token.label)}{''.join(signs.of_harm(mark) for mark in token.marks if mark.harm)}"


def emblem_text(token: Token, signs: Signs) -> str:
    """The sign and the name of an emblem."""
    return signs.of(token.kind) + plain(token.label)


def counters(token: Token, room: int) -> str:
    """The texts of a token's marks, as many as there is room for."""
    shown = ""
    for mark in token.marks:
        if not mark.harm and len(shown) + len(mark.text) <= room:
            shown += mark.text
    return shown


def plain(words: str) -> str:
    """Words without characters that would upset a terminal."""
    return "".join(letter if letter.isprintable() or letter == NO_BREAK else "?" for letter in words)


# --- the legend


def legend(scene: Scene, signs: Signs, facings: str, lang: str, *, counted: bool = True) -> Iterator[str]:
    """What the signs that occur mean; `facings` are those of the board, "" if nothing faces anywhere. `counted` has
    the counters, too."""
    said = [f"{facings} {sign('facing', lang)}"] if facings else []
    yield from wrap(
        "; ".join(
            [
                *said,
                *_grounds(scene, signs, lang),
                *_things(scene, signs, lang),
                *(_counters(scene, lang) if counted else ()),
            ]
        ),
        WIDTH,
    )


def _grounds(scene: Scene, signs: Signs, lang: str) -> Iterator[str]:
    for kind in sorted({cell.kind for cell in scene.cells if cell.kind not in OPEN}):
        yield f"{signs.of(kind)} {sign(kind, lang)}"
    yield from _kinds(scene, "site", signs, lang)
    if any(cell.zone for cell in scene.cells):
        yield f"{ZONE} {sign('deployment_zone', lang)}"


def _things(scene: Scene, signs: Signs, lang: str) -> Iterator[str]:
    yield from _kinds(scene, "emblem", signs, lang)
    harms = {(mark.kind, mark.count): mark for token in scene.tokens for mark in token.marks if mark.harm}
    for (kind, count), mark in sorted(harms.items()):
        if signs.of_harm(mark):
            number = f"{count} " if signs.is_counted(mark) else ""
            yield f"{signs.of_harm(mark)} {number}{sign(kind, lang)}"
    for kind in sorted({line.kind for line in scene.lines}):
        flat, upright = signs.of_line(kind)
        name = sign(kind, lang)
        yield f"{flat} {name}" if flat == upright else f"{flat} {upright} {name}"
    yield from _kinds(scene, "base", signs, lang, only_known=True)


def _counters(scene: Scene, lang: str) -> Iterator[str]:
    counted = [mark for token in scene.tokens if token.form == "base" for mark in token.marks if not mark.harm]
    meanings = sorted({(mark.text.rstrip("0123456789-") or mark.text, mark.kind) for mark in counted})
    yield from (f"{text} {sign(kind, lang)}" for text, kind in dict(meanings).items() if text)


def _kinds(scene: Scene, form: str, signs: Signs, lang: str, *, only_known: bool = False) -> Iterator[str]:
    for kind in sorted({token.kind for token in scene.tokens if token.form == form}):
        if not only_known or signs.knows(kind):
            yield f"{signs.of(kind)} {sign(kind, lang)}"
