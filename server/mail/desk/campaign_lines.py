"""Find the lines of campaigns and clubs in a mail.

Below a line `campaign ID`, and in the answer to a letter of a campaign, each line that begins like one of a campaign is
one. In any other mail only a line that can be read as one, and not as a command, is; the id of its campaign may stand
behind its first word: `withdraw knkykgogfsypmo7f`.
"""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.basics.spelling import plain_word
from domain.campaign.notation import read_order
from domain.campaign.orders import ARMY, FORMS, MAP, aliases

CAMPAIGN = "campaign"
"""The command that names a campaign, and has its lines."""
SEAT = "seat"
"""The line of a club: it is read by `server.acts.clubs.written`."""
LED = frozenset(FORMS) - {SEAT}
"""Verbs of lines below a heading, or in the answer to a letter."""
ALONE = LED - ARMY - MAP - {"ready", "wait", "say", "accept", "decline"}
"""Verbs of lines in any other mail: the others are orders of battles, too, or words to an opponent."""
FINAL = frozenset({"withdraw", "end"})
"""Lines that nobody can take back: they are always confirmed, and mean no campaign that is not named."""
LEAST_SEAT = 4
"""Words of a line that seats two members."""
_ID = re.compile(r"[\[#(]?([a-z2-7]{16})[\])]?", re.I)
_BOARD = re.compile(r"\b[1-9][0-9]{0,3}\.[1-9][0-9]{0,5}\b")
_ALIASES = aliases()


class CampaignLine(Struct, frozen=True):
    """A line of a campaign without the id that stood in it, "" for none."""

    text: str
    campaign: str = ""


def campaign_line(line: str, is_led: bool, is_command: bool) -> CampaignLine | None:
    """A line as one of a campaign; None if it is none. `is_led`: it stands below the name of a campaign, or answers its
    letter; `is_command`: its first word is that of a command, too."""
    words = line.split()
    verb = verb_of(line)
    named = _ID.fullmatch(words[1]) if len(words) > 1 else None
    text = " ".join((words[0], *words[2:])) if named else line.strip()
    found = CampaignLine(text, named[1].lower() if named else "")
    if is_led and not is_command:
        return found if verb in LED or _is_meant(line) else None
    is_alone = verb in ALONE and (verb != "end" or found.campaign)
    return found if (verb in LED if is_led else is_alone) and is_readable(found.text) else None


def campaign_named(words: Sequence[str]) -> str:
    """The id with which words begin, "" if they do not."""
    found = _ID.fullmatch(words[0]) if words else None
    return found[1].lower() if found else ""


def verb_of(line: str) -> str:
    """The verb of a line in English, "" for an empty one."""
    word = plain_word(line.split(maxsplit=1)[0].rstrip(".,:;!")) if line.split() else ""
    return _ALIASES.get(word, word)


def is_readable(line: str) -> bool:
    """Whether a line can be read as one of a campaign."""
    try:
        read_order(line)
    except Refusal:
        return False
    return True


def is_final(text: str) -> bool:
    """Whether one of these lines cannot be taken back."""
    return any(verb_of(line) in FINAL for line in text.split("\n"))


def is_seat(line: str) -> bool:
    """Whether a line seats members of a club."""
    return verb_of(line) == SEAT and len(line.replace(",", " ").replace(";", " ").split()) >= LEAST_SEAT


def _is_meant(line: str) -> bool:
    """Whether a line that cannot be read was meant for a campaign: its first word is nearly a verb, or it names a
    board."""
    word = plain_word(line.split(maxsplit=1)[0])
    names = [*LED, *(name for name, verb in _ALIASES.items() if verb in LED)]
    return bool(get_close_matches(word, names, 1, 0.8)) or _BOARD.search(line) is not None
