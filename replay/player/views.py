"""Write what a player of battles shows as styled text: board, log, reasons, tallies and draws.

The board is the one of letters and terminals (`replay.drawing.text`), with the colours of the terminal laid over it.
Nothing is told by colour alone: sides differ by their names, ground by its signs, and the cursor is a character.
"""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from textwrap import wrap

from rich.text import Text

from domain.contract.scene import Scene
from domain.events.battle import INPUTS
from replay.drawing.palette import GROUNDS
from replay.drawing.text import draw_brief, draw_text
from replay.drawing.text.signs import plain as printable
from replay.player.live import LIVE, LOST, OVER, STOPPED
from replay.player.marks import Marks
from replay.player.playback import Playback
from replay.reports.plain import is_shown, is_turn
from replay.telling.luck import amount
from replay.telling.why import to_text
from replay.telling.words import phrase
from replay.telling.words.catalogue import find
from replay.telling.words.sentences import fragment

SIDES = ("bold red", "bold blue", "bold magenta", "bold cyan")
GLYPHS = {"tree": "green", "bush": "green", "reed": "cyan", "wave": "cyan"}
"""Colours of ground by what grows or lies on it; what slopes is yellow."""
BARS = "▁▂▃▄▅▆▇█"
CURVE = 10
"""Columns of the window for each player-turn in the curve of a tally."""
HALF = 50
"""Steps of a curve of luck above and below the middle."""
ROOMY = 100
"""Columns of a window in which luck has a curve."""
MOST_DECKS = 4
LINES_HERE = 4
"""Lines of the log that the event may take that is looked at."""
NOT_OUT, OUT, CHECKED, WRONG = "○", "◐", "●", "✗"
"""Proof states of a draw: its key is not disclosed; it is; it has been recomputed; it is not what it should be."""


LIVE_STYLES = {LIVE: "green", LOST: "yellow", OVER: "", STOPPED: "red"}


class ProofView:
    """What `verify` has said, if it has been asked: whether draws are checked, where a fault is, and how far the file
    went then."""

    def __init__(self, checked: bool = False, fault: int = 0, last: int = sys.maxsize) -> None:
        self.checked = checked
        self.fault = fault
        self.last = last

    def state(self, playback: Playback, n: int) -> str:
        """The sign of a draw, " " for any other event."""
        if not playback.keys_out.is_draw(n):
            return " "
        if self.fault and n == self.fault:
            return WRONG
        if not playback.keys_out.disclosed(n):
            return NOT_OUT
        is_checked = self.checked and n <= self.last and (not self.fault or n < self.fault)
        return CHECKED if is_checked else OUT


# --- the board


def board(playback: Playback, width: int, height: int, *, brief: bool) -> tuple[Text, bool]:
    """The table after the event, whole where there is room for that, else (or if `brief`) in a line for each row; and
    whether it is the brief one."""
    scene = playback.scene()
    lines = [] if brief else draw_text(scene, unicode=True, lang=playback.lang).splitlines()
    end = lines.index("") if "" in lines else len(lines)
    is_brief = brief or end > height or max(map(len, lines)) > width
    if is_brief:
        lines = draw_brief(scene, unicode=True, lang=playback.lang).splitlines()
    return Text("\n").join(coloured(scene, lines[:height], playback.unit)), is_brief


def coloured(scene: Scene, lines: Sequence[str], followed: str = "") -> Iterator[Text]:
    """The lines of a board with the colours of sides and ground."""
    styles = {**dict(_ground_styles(scene)), **dict(_side_styles(scene))}
    for line in lines:
        text = _styled(line, styles, followed)
        if line[:1] in " │┼/\\+-0123456789":
            text.highlight_regex(r"[─│┼█╱╲/\\|+]", "dim")
        yield text


def with_names(scene: Scene, line: str) -> Text:
    """A sentence with the names of units in the colours of their sides."""
    return _styled(line, dict(_side_styles(scene)))


def _styled(line: str, styles: Mapping[str, str], followed: str = "") -> Text:
    text = Text(line, no_wrap=True)
    if styles:
        words = "|".join(map(re.escape, sorted(styles, key=len, reverse=True)))
        for found in re.finditer(rf"(?<!\w)(?:{words})(?!\w)", line):
            style = styles[found.group()]
            text.stylize(f"{style} reverse" if found.group() == followed else style, *found.span())
    return text


def _ground_styles(scene: Scene) -> Iterator[tuple[str, str]]:
    """The letters of ground that have a colour."""
    signs = {one.word: one for one in scene.signs}
    for cell in scene.cells:
        ground = GROUNDS.get(cell.look or cell.kind)
        style = "" if ground is None else GLYPHS.get(ground.glyph) or ("yellow" if ground.slope else "")
        if style and cell.kind in signs:
            yield from ((letters[0], style) for letters in (signs[cell.kind].plain, signs[cell.kind].fine) if letters)


def _side_styles(scene: Scene) -> Iterator[tuple[str, str]]:
    """The names of units and formations, in the colours of their sides."""
    sides = {token.id: token.side for token in scene.tokens}
    labels = [(token.label, token.side) for token in scene.tokens]
    labels += [(group.label, sides.get(group.tokens[0], "")) for group in scene.groups if group.tokens]
    for label, side in labels:
        if label and side in scene.sides:
            yield printable(label), SIDES[scene.sides.index(side) % len(SIDES)]


# --- the log


def log(playback: Playback, marks: Marks, proof: ProofView, width: int, height: int) -> tuple[Text, list[int]]:
    """The events around the one that is looked at, one to a line, that one whole; and the event of each line."""
    here = _log_lines(playback, marks, proof, playback.n, width)[: max(min(LINES_HERE, height - 2), 1)]
    others = max(height - len(here), 0)
    first = max(1, min(playback.n - others // 2, playback.last - others))
    lines, numbers = list[Text](), list[int]()
    for n in range(first, min(first + others, playback.last) + 1):
        shown = here if n == playback.n else _log_lines(playback, marks, proof, n, width)[:1]
        lines += shown
        numbers += [n] * len(shown)
    return Text("\n").join(lines), numbers


def _log_lines(playback: Playback, marks: Marks, proof: ProofView, n: int, width: int) -> list[Text]:
    """An event in as many lines as it needs if it is looked at, else in one that may end in dots."""
    recorded = playback.battle.events[n - 1]
    is_here, is_input = n == playback.n, isinstance(recorded.event, tuple(INPUTS))
    number = f"{n:>{len(str(playback.last))}}"
    mark = "*" if n in marks.notes else "!" if playback.is_disputed(n) else " "
    signs = f"{'~' if playback.is_voided(n) else ' '}{mark}{proof.state(playback, n)}"
    before = f"{'>' if is_here else ' '}{number}{signs} {'' if is_input else '  '}"
    said = printable(playback.said(n))
    written = wrap(said, max(width - len(before), 1)) if is_here else [said]
    lines = []
    for at, part in enumerate(written or [""]):
        text = Text(f"{before if not at else ' ' * len(before)}{part}", no_wrap=True)
        if not is_shown(recorded):
            text.stylize("dim")
        if is_turn(recorded) or is_input:
            text.stylize("bold")
        if playback.is_voided(n):
            text.stylize("strike")
        if is_here:
            text.stylize("reverse")
        text.truncate(width, overflow="ellipsis", pad=is_here)
        lines.append(text)
    return lines


# --- why, tallies, decks, proof


def why(playback: Playback, most: int) -> Text:
    """The reasons of the event, as far as there is room: the numbers first, the rule last."""
    _, rule, *reasons = to_text(playback.why(), playback.lang).splitlines()
    return Text("\n".join(map(printable, [*reasons, rule][:most])))


def title(playback: Playback, width: int, live: str = "") -> Text:
    """The battle, whose eyes see it, and where in it we are; `live` is the state of a battle that is followed (`live`),
    "" of a file."""
    name = printable(playback.title)
    viewer = _named(playback.side, playback.lang) if playback.side else fragment("player.stranger", {}, playback.lang)
    members = {"viewer": viewer, "n": playback.n, "last": playback.last, "unit": playback.unit}
    text = Text(" ", "bold", no_wrap=True)
    if live:
        text.append(f"{fragment(f'player.live-{live}', {}, playback.lang)} ", LIVE_STYLES[live])
    text.append(f"{phrase('player.place', members, playback.lang)}  {name}")
    text.truncate(width, overflow="ellipsis")
    return text


def status(playback: Playback, marks: Marks, proof: ProofView, width: int) -> Text:
    """Tallies with their curves, the note on the event, the proof state of a draw, luck so far, cards left."""
    tally = playback.battle.ruleset.shown.tally(playback.known(playback.n))
    text = Text(" ", no_wrap=True)
    for at, (side, number) in enumerate(tally.items()):
        curve = sparkline(playback.tallies.until(playback.n, side)[-width // CURVE :], playback.tallies.highest)
        name = _named(side, playback.lang)
        text.append(f"{name[:1].upper()}{name[1:]} {number} {curve}  ", SIDES[at % len(SIDES)])
    if playback.n in marks.notes:
        text.append(f"* {printable(marks.notes[playback.n])}  ", "bold")
    state = proof.state(playback, playback.n)
    if state != " ":
        key = {"n": playback.keys_out.disclosed(playback.n)}
        text.append(f"{state} {fragment(f'player.proof-{PROOF_WORDS[state]}', key, playback.lang)}  ")
    for part in _beside(playback, width):  # what does not fit is left out, not cut
        if len(text) + len(part) <= width:
            text.append(f"{part}  ")
    text.truncate(width, overflow="ellipsis")
    return text


def _beside(playback: Playback, width: int) -> Iterator[str]:
    """Luck so far, and the cards left in each deck."""
    if luck := playback.luck_until():
        yield _luck(luck, playback.lang, width)
    decks = [f"{_named(deck, playback.lang)} {left}" for deck, left in islice(playback.decks().items(), MOST_DECKS)]
    if decks:
        yield f"{fragment('player.cards', {}, playback.lang)} {', '.join(decks)}"


def _named(side: str, lang: str) -> str:
    """A side, or a deck that is not one, by its name."""
    return find(f"side.{side}", lang) or side


def _luck(course: Sequence[Mapping[str, Fraction]], lang: str, width: int) -> str:
    """Whom luck has favoured and by how much; where there is room with its curve: up is luck for the first side."""
    now = course[-1]
    first, favoured = next(iter(now)), max(now, key=now.__getitem__)
    brought = [luck[first] for luck in course]
    most = max(map(abs, brought)) or 1
    curve = sparkline([round((luck + most) * HALF / most) for luck in brought[-width // CURVE :]], 2 * HALF)
    params = {"side": favoured, "luck": amount(now[favoured], fragment("luck.mark", {}, lang))}
    return f"{fragment('player.luck', params, lang)}{f' {curve}' if width >= ROOMY else ''}"


PROOF_WORDS = {NOT_OUT: "not-out", OUT: "out", CHECKED: "checked", WRONG: "wrong"}


def sparkline(numbers: Sequence[int], highest: int) -> str:
    """Numbers as a row of bars, from 0 to the highest."""
    if highest <= 0:
        return BARS[0] * len(numbers)
    return "".join(BARS[min(max(number, 0) * (len(BARS) - 1) // highest, len(BARS) - 1)] for number in numbers)
