"""Find the sender's own lines in a mail, to be read as orders.

They are the lines above the cut line, without quotes, their introductions, and the signature; or, if the sender wrote
below the quoted text, the unquoted lines there. Other lines that might be meant are reported, never lost silently.
mail-parser-reply is not used: its rule for signatures silently removes a line that begins with a dash and all lines
after it, and it is quadratic; the marks of its languages that matter here are in `quotes`.
"""

import re
from collections.abc import Sequence

from msgspec import Struct

from server.mail.cut import CUT
from server.mail.incoming.reading import quotes
from server.mail.incoming.reading.caps import Capped
from server.mail.incoming.reading.folding import fold
from server.mail.incoming.reading.quotes import NamesUs, names_nobody
from server.mail.places import NumberedBattle, named_in, place_of
from server.mail.verdict import BelowMark

LAST_UNSURE = 20
"""If nothing is marked as quoted, this many of the last lines below the cut line are reported as not read."""
ENDS = frozenset({"end", "fin"})
SIGNATURE = "-- "
BROKEN = 60
"""A quoted line this long may have been broken."""

_CUT = re.compile(rf"-{{3}} ?{re.escape(CUT.strip('-'))} ?-{{3}}")
_QUOTE_MARKS = re.compile(r"^(?:\s*>)+\s*")
_SAMPLE = re.compile(r"\|(?:\s|$)")
_ARMOUR = re.compile(r"-----BEGIN PGP SIGNED MESSAGE-----")
_ARMOUR_ENDS = re.compile(r"-----BEGIN PGP SIGNATURE-----")


class Reply(Struct, frozen=True):
    """`text`: the writer's own lines; `below`: those that follow within or below the quote, where `text` stands above
    it; `marked`: those below the marks of a quoted letter about several battles; `dropped`: lines that might have been
    meant and are not in `text` or `marked`, those of `below` among them."""

    text: str
    dropped: tuple[str, ...] = ()
    below: str = ""
    marked: tuple[BelowMark, ...] = ()


class OwnLines(Struct):
    """What was found in a stretch of lines. `is_over`: what follows is quoted, or not meant."""

    kept: list[str]
    dropped: list[str]
    is_over: bool = False

    @property
    def is_empty(self) -> bool:
        return not any(line.strip() for line in self.kept)


def reply_of(lines: Sequence[str], is_cut_off: bool = False, is_ours: NamesUs = names_nobody) -> Reply:
    """The reply in the lines of a mail. `is_cut_off`: there were more lines than these; `is_ours`: whether a text names
    an address of this server, as the introduction of a quote does in any language.

    Raises: Capped `text` if the sender's own text is longer than is read
    """
    folded = _unarmoured([line if line in {SIGNATURE, f"- {SIGNATURE}"} else fold(line).rstrip(" ") for line in lines])
    at = next((number for number, line in enumerate(folded) if _CUT.search(line)), len(folded))
    found = own(folded[:at] + _before_cut(folded, at), is_ours)
    was_quoted = at < len(folded) and quotes.is_quoted(folded[at])
    below, marked = _by_mark(folded[at:]) if was_quoted else (folded[at + 1 :], {})
    further = ""
    if found.is_empty and was_quoted:
        lower = own(below, is_ours, are_below=True)
        lower.dropped[:0] = found.dropped
        found = lower
        at = len(folded)
    elif was_quoted:
        lower = own(below, is_ours, are_below=True)
        further = _trimmed(lower.kept)
        found.dropped += [line for line in (*lower.kept, *lower.dropped) if line.strip()]
    elif found.is_empty:
        found.dropped += [line.strip() for line in below if line.strip() and not quotes.is_quoted(line)][-LAST_UNSURE:]
    inside = [_below(place, stretch, is_ours) for place, stretch in marked.items()]
    if is_cut_off and (at == len(folded) or any(one.text for one in inside)) and not found.is_over:
        raise Capped("text")
    said = tuple(one for one in inside if one.text or one.dropped)
    return Reply(_trimmed(found.kept), tuple(found.dropped), further, said)


def _by_mark(lines: Sequence[str]) -> tuple[list[str], dict[NumberedBattle, list[str]]]:
    """The lines of a quoted letter, from a cut line on, with what was written among them: those below no mark of a
    battle, and those below each. A mark that a program has broken goes on in the next line with a cut; another player's
    words, which begin with `| `, are none."""
    outside, inside = list[str](), dict[NumberedBattle, list[str]]()
    place: NumberedBattle | None = None
    is_broken = False
    for line in lines:
        cuts = 0 if _SAMPLE.match(_QUOTE_MARKS.sub("", line)) else len(_CUT.findall(line))
        if cuts:
            found = place_of(line)
            place = place if is_broken and found is None else found
            is_broken = found is not None and cuts == 1
        elif place is None:
            outside.append(line)
        else:
            inside.setdefault(place, []).append(line)
    return outside, inside


def _below(place: NumberedBattle, lines: Sequence[str], is_ours: NamesUs) -> BelowMark:
    """What was written below the mark of a battle. The end of a quoted line that a program has broken bears no quote
    mark; it is reported, not read."""
    broken = {at for at in range(len(lines)) if _is_remainder(lines, at)}
    found = own([line for at, line in enumerate(lines) if at not in broken], is_ours, are_below=True)
    dropped = (*found.dropped, *(lines[at].strip() for at in sorted(broken)))
    return BelowMark(place.number, place.battle, _trimmed(found.kept), dropped)


def _is_remainder(lines: Sequence[str], at: int) -> bool:
    """Whether a line may be the end of the long quoted line above it: it follows without a gap, and stands alone."""
    if not 0 < at < len(lines) - 1 or not lines[at].strip() or quotes.is_quoted(lines[at]):
        return False
    above, after = lines[at - 1], lines[at + 1].strip()
    return quotes.is_quoted(above) and len(above) >= BROKEN and (not after or quotes.is_quoted(after))


def own(lines: Sequence[str], is_ours: NamesUs = names_nobody, are_below: bool = False) -> OwnLines:
    """The unquoted lines of a stretch. A sample of ours (`| R1 ahead`) that was copied is the writer's own, but below a
    quote (`are_below`) it may have lost its mark."""
    found = OwnLines([], [])
    at, put, signature = 0, found.kept, list[str]()
    while at < len(lines):
        line, shown = lines[at], lines[at].strip()
        length = quotes.introduction(lines, at) or quotes.names_us(lines, at, is_ours)
        if quotes.is_quoted(line) or length:
            put = found.dropped if put is signature else put
            if length and _is_unmarked(lines[at + length :]):
                _rest(found, lines[at + length :])
                break
        elif quotes.begins_unmarked_quote(lines, at, is_ours):
            _rest(found, lines[at + 1 :])
            break
        elif put is found.kept and line == SIGNATURE:
            put = signature
        elif put is found.dropped and found.is_over and named_in(shown):  # the orders for one battle end, not the mail
            put, found.is_over = found.kept, False
            put.append(shown)
        elif put is found.kept and (shown == "--" or quotes.is_ruled(line) or shown.casefold() in ENDS):
            put = found.dropped
            found.is_over = shown.casefold() in ENDS
        elif quotes.is_added(line) or quotes.is_rule(line):
            pass
        elif are_below and _SAMPLE.match(shown):
            found.dropped.append(shown)
        elif shown or put is found.kept:
            put.append(shown)
        at += max(length, 1)
    return found


def _is_unmarked(after: Sequence[str]) -> bool:
    """Whether the lines after an introduction are quoted without marks."""
    line = next((line for line in after if line.strip()), "")
    return bool(line) and not quotes.is_quoted(line)


def _rest(found: OwnLines, lines: Sequence[str]) -> None:
    """All lines are quoted, without marks. If nothing stands above them, the last are reported."""
    found.is_over = True
    if found.is_empty:
        found.dropped += [line.strip() for line in lines if line.strip() and not quotes.is_quoted(line)][-LAST_UNSURE:]


def _before_cut(lines: Sequence[str], at: int) -> list[str]:
    """The text before the cut mark on its line: there is some if a program has joined lines."""
    if at == len(lines):
        return []
    before = _CUT.split(lines[at], maxsplit=1)[0].rstrip("- ")
    return [before] if _QUOTE_MARKS.sub("", before).strip(" -|*") else []


def _unarmoured(lines: list[str]) -> list[str]:
    """Remove the frame of an inline OpenPGP signature."""
    begin = next((number for number, line in enumerate(lines) if _ARMOUR.fullmatch(line)), None)
    if begin is None:
        return lines
    body = next((number for number in range(begin, len(lines)) if not lines[number].strip()), begin)
    end = next((number for number in range(body, len(lines)) if _ARMOUR_ENDS.fullmatch(lines[number])), len(lines))
    return lines[:begin] + [line.removeprefix("- ") for line in lines[body + 1 : end]]


def _trimmed(lines: Sequence[str]) -> str:
    """Join lines to one text, with single empty lines between and none at its ends."""
    kept = [line for at, line in enumerate(lines) if line or (at and lines[at - 1])]
    return "\n".join(kept).strip("\n")
