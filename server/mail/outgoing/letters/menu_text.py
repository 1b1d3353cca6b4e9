"""Write the legal orders in the lines that a letter has left for them.

A unit has a line, or two where there is room. Where there is not, those of a group stand behind each other, each with
as many of the orders that it most likely wants as fit for all; what does not fit even so is counted.
"""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from msgspec import Struct
from msgspec.structs import replace

from replay.drawing.text.signs import WIDTH
from replay.telling.words.sentences import fragment
from server.mail.blocks import Choice, MenuBlock, MenuLine
from server.words import say

BAR = "| "
MORE = "  "
"""What a line that goes on is set in by."""
WIDE = 2
"""Lines that the orders of one unit may take."""
FIRST = 12
"""Units of the first group that are listed in any case; of games without groups it has all units."""
GLUE = "\x1f"
"""A space at which no line is broken."""


class Packing(Struct, frozen=True):
    """How the units of a group stand behind each other: so many orders of each, with the words for what they are, the
    odds, the heading with what stands behind its first comma."""

    count: int = 1
    has_kinds: bool = True
    has_titles: bool = True
    has_odds: bool = True


WHOLE = Packing()
PACKED = (
    Packing(3),
    Packing(2),
    Packing(2, has_kinds=False),
    WHOLE,
    Packing(2, has_kinds=False, has_titles=False),
    Packing(1, has_kinds=False),
    Packing(1, has_kinds=False, has_titles=False),
    Packing(1, has_kinds=False, has_titles=False, has_odds=False),
)
"""From the most that is told of every unit to the least."""


def menu_lines(menu: MenuBlock, room: int, lang: str) -> Iterator[str]:
    """A list in at most so many lines, headings included, though never without the first units of its first group."""
    groups: list[tuple[str, list[list[str]]]] = []
    for wide in range(WIDE, 0, -1):
        groups = [(heading, [_fitted(line, wide, lang) for line in lines]) for heading, lines in menu.groups]
        if sum(bool(heading) + sum(map(len, lines)) for heading, lines in groups) <= room:
            break
    else:
        for way in PACKED:
            packed = packed_lines(menu, lang, way)
            if len(packed) <= room:
                yield from packed
                return
        room -= 1  # for what is left out
    left = shown = 0
    for at, (heading, lines) in enumerate(groups):
        head = [heading] if heading else []
        for line in lines:
            needed = len(head) + len(line)
            if needed > room and (at or shown >= FIRST):
                left += 1
                continue
            shown += 1
            yield from (*head, *line)
            head, room = [], room - needed
    if left:
        yield f"{BAR}{say(lang, 'letter.menu.left', count=left)}"


def packed_lines(menu: MenuBlock, lang: str, way: Packing = WHOLE) -> list[str]:
    """The list in as few lines as it needs with every unit, behind the heading of its group."""
    packed: list[str] = []
    for heading, lines in menu.groups:
        if len(lines) == 1 and not lines[0].label:
            packed += _fitted(lines[0], 1, lang)
            continue
        words = "".join(_packed(lines, way)).rstrip(",; ")
        label = heading if way.has_titles else heading.partition(",")[0]
        packed += _wrapped(fragment("letter.menu.line", {"label": label, "words": words}, lang) if label else words)
    return packed


def _packed(lines: Sequence[MenuLine], way: Packing) -> Iterator[str]:
    """Of each unit its name and its first orders; neighbours of one kind have their kind, and neighbours with one order
    its words, only once: "infantry A1 3, A2 9 move 15; battery A6 20 move 10"."""
    kinds = [line.label.removeprefix(line.unit).strip() if way.has_kinds else "" for line in lines]
    firsts = [line.choices[0] if way.has_odds else replace(line.choices[0], odds="") for line in lines]
    for at, (line, kind, first) in enumerate(zip(lines, kinds, firsts, strict=True)):
        named = [kind] if kind and (not at or kinds[at - 1] != kind) else []
        is_last = at + 1 == len(lines)
        is_alike = not is_last and kinds[at + 1] == kind and _parts(firsts[at + 1]) == _parts(first)
        is_shared = is_alike and way.count == 1
        told = [str(first.number)] if is_shared else [str(first.number), *_parts(first)]
        further = [GLUE.join((str(one.number), *_parts(one))) for one in line.choices[1 : way.count]]
        yield " ".join((*named, ", ".join((GLUE.join((line.unit, *told)), *further)))) + (", " if is_shared else "; ")


def _parts(choice: Choice) -> tuple[str, ...]:
    return tuple(word.replace(" ", GLUE) for word in (choice.words, choice.odds) if word)


def _fitted(line: MenuLine, wide: int, lang: str) -> list[str]:
    """A line in at most so many lines of text, with as many of its orders as fit."""
    for count in range(len(line.choices), 1, -1):
        words = _first(line, count, lang)
        if len(words) <= wide * WIDTH and len(text := _wrapped(words)) <= wide:  # wrapping takes long
            return text
    return _wrapped(_first(line, 1, lang))[:wide]


def _first(line: MenuLine, count: int, lang: str) -> str:
    """The first orders of a line: "R1 bowmen C3: 4 ahead 90%; 5 left, 6 right 79%; +3"."""
    label, choices, left = shortened(line, count)
    words = "".join(_words(choice) for choice in choices).rstrip(",; ")
    text = fragment("letter.menu.line", {"label": label, "words": words}, lang) if label else words
    return f"{text}; +{left}" if left else text


def _wrapped(text: str) -> list[str]:
    lines = wrap(text, WIDTH - len(BAR), subsequent_indent=MORE, break_long_words=False, break_on_hyphens=False)
    return [f"{BAR}{line}".replace(GLUE, " ") for line in lines]


def _words(choice: Choice) -> str:
    words = f"{choice.number} {choice.words}".replace(" ", GLUE)
    return f"{words}{GLUE}{choice.odds}; " if choice.odds else f"{words}, "


def shortened(line: MenuLine, count: int) -> tuple[str, list[Choice], int]:
    """The label, the first so many orders, and how many are left out. Of neighbours with the same odds only the last
    tells them; odds that all share stand behind the label."""
    odds = {choice.odds for choice in line.choices}
    is_shared = bool(line.label) and len(odds) == 1
    label = " ".join(part for part in (line.label, *(odds if is_shared else ())) if part)
    kept = line.choices[:count]
    told = [
        replace(choice, odds="") if is_shared or (at + 1 < len(kept) and kept[at + 1].odds == choice.odds) else choice
        for at, choice in enumerate(kept)
    ]
    return label, told, len(line.choices) - len(kept)
