"""Find the commands in the text of a mail.

One command to a line. The mail holds orders if its first line is not a command; then nothing is read here.
The desk checks whether a battle or an event named in a command exists. The arguments of a command about a
battle begin with its id, "" if none was named.
"""

import re
from collections.abc import Sequence

from domain.basics.message import Message
from server.acts.clubs.reading import is_club_id
from server.mail.desk.campaign_lines import CAMPAIGN, SEAT, CampaignLine, campaign_line, campaign_named, is_seat
from server.mail.desk.commands import COMMANDS, command_of
from server.mail.desk.vocabulary import (
    ACCEPTS,
    ARMY,
    DECLINES,
    DRAWS,
    END,
    FRENCH,
    HELP_IN_FRENCH,
    OFFERS,
    ORDER,
    PHRASE,
    RESIGNS,
    SEAL,
    STANDING,
)
from server.mail.verdict import MailRequest
from server.spelling.words import folded

BLOCK, INVITE = "message", "invite"
CLUB = "club"
"""Names the club whose battles are below it."""
NEXT = "next"
ENTER = "enter"
ALONE = frozenset({"standing", "stop", "start"})
"""Commands that with more words behind them are lines of a script."""
WITH_PHRASE = frozenset({"join", "accept", "open", ENTER})
"""Commands that may bring a phrase, on their own line or on the next."""
UNREADABLE = "unreadable"
MOST = 20
"""The number of commands that one mail may hold."""
MOST_UNREADABLE = 3
"""After this many lines that are not commands reading stops: a signature, a letter to somebody else."""

_ID = "[a-z2-7]{16}|[a-z2-7]{8}"  # those of battles that earlier releases opened are half as long
_BATTLE = re.compile(rf"[\[#(]?({_ID})[\])]?", re.I)
_MARKED = re.compile(rf"\[({_ID})\]|#({_ID})", re.I)
_PREFIX = re.compile(r"^(?:\s*(?:re|fw|fwd|aw|tr|rif|sv|antw)\s*:|\s*\[[^\]]*\])+", re.I)


def read(text: str, subject: str = "", campaign: str | None = None) -> tuple[MailRequest, ...]:
    """The commands of a mail; () if it holds orders, or nothing. `campaign`: that of the letter that it answers, "" if
    it answers none; None in the answer to a letter about battles, whose orders begin like lines of campaigns."""
    lines = [line.strip() for line in text.replace("\r\n", "\n").split("\n")]
    meant = [line for line in lines if line and not line.startswith("#")]
    plain_subject = _PREFIX.sub("", subject).strip()
    if command_of(_first(plain_subject)) == "preview":
        script = lines[1:] if meant[:1] == lines[:1] and folded(lines[0]) in ("preview", "apercu") else lines
        battle = _marked(_PREFIX.match(subject))
        return (MailRequest("preview", (battle, "\n".join(script).strip())),)
    if not meant:
        return _of_subject(subject, plain_subject, campaign)
    if not begins(meant[0], campaign) and not _is_short_order(meant[0]):
        return ()
    return tuple(_MailReader(lines, campaign).requests())


def begins(line: str, campaign: str | None) -> bool:
    """Whether a mail that begins with this line holds commands, or lines of a campaign."""
    if reads_as_command(line):
        return True
    return campaign is not None and (_seats(line) or _campaign_line(line, bool(campaign)) is not None)


def _of_subject(subject: str, plain_subject: str, campaign: str | None) -> tuple[MailRequest, ...]:
    """A mail without text whose subject is a command; the subject of a reply is that of our letter."""
    if subject.strip() != plain_subject or not begins(plain_subject, campaign):
        return ()
    return tuple(_MailReader([plain_subject], campaign).requests())


def _seats(line: str) -> bool:
    """Whether a line seats members of a club."""
    return command_of(_first(line)) == SEAT and is_seat(line)


def _campaign_line(line: str, is_led: bool) -> CampaignLine | None:
    """A line as one of a campaign, which may begin like a command."""
    return campaign_line(line, is_led, bool(command_of(_first(line))))


def _first(line: str) -> str:
    return line.split(maxsplit=1)[0] if line.split() else ""


def reads_as_command(line: str) -> bool:
    """Whether a line is a command and cannot be an order of a game."""
    words = line.split()
    name, rest = command_of(words[0]) if words else "", words[1:]
    if name == "join":
        return not rest or _BATTLE.fullmatch(rest[0]) is not None
    if name == "accept":
        return not rest or folded(rest[0]) not in DRAWS
    if name == SEAT:
        return False  # in French it begins an order of a game, too: only a mail that answers no battle may hold it
    if name in (CAMPAIGN, NEXT):
        return not rest or bool(campaign_named(rest))
    if name == CLUB:
        return len(rest) != 1 or is_club_id(rest[0])
    if name in ALONE:
        return not rest or (name == "standing" and len(rest) == 1 and _BATTLE.fullmatch(rest[0]) is not None)
    return bool(name)


def _is_short_order(line: str) -> bool:
    """Words for resigning and drawing that are not orders as they stand."""
    words = [folded(word) for word in line.split()]
    return len(words) == 1 and (words[0] in DRAWS or words[0] in RESIGNS) and words[0] not in ("resign", "abandonne")


def order_alone(text: str) -> MailRequest | None:
    """A mail that only resigns, or offers, accepts or declines a draw, with or without the id of a battle: it needs no
    letter to answer."""
    meant = [line.strip() for line in text.split("\n") if line.strip()]
    if len(meant) != 1:
        return None
    head, _, last = meant[0].rpartition(" ")
    named = _BATTLE.fullmatch(last)
    if order := order_in(meant[0]):
        return MailRequest(ORDER, ("", order))
    if named and (order := order_in(head)):
        return MailRequest(ORDER, (named[1].lower(), order))
    return None


def order_in(line: str) -> str:
    """The canonical order of a line that resigns, or is about a draw; "" otherwise."""
    words = [folded(word) for word in line.split()]
    if len(words) == 1 and words[0] in RESIGNS:
        return "resign"
    if len(words) == 1 and words[0] in DRAWS:
        return "offer draw"
    if len(words) == 2 and words[1] in DRAWS:
        for verbs, order in ((OFFERS, "offer draw"), (ACCEPTS, "accept draw"), (DECLINES, "decline draw")):
            if words[0] in verbs:
                return order
    return ""


class _MailReader:
    """The lines of a mail, read from the top."""

    def __init__(self, lines: Sequence[str], campaign: str | None = None) -> None:
        self._lines = list(lines)
        self._at = 0
        self._found: list[MailRequest] = []
        self._campaign = campaign

    def requests(self) -> list[MailRequest]:
        """All commands, and the first lines that are not commands."""
        unreadable = 0
        while self._at < len(self._lines) and unreadable < MOST_UNREADABLE:
            line = self._lines[self._at]
            self._at += 1
            if not line or line.startswith("#"):
                continue
            if len(self._found) >= MOST:
                self._found.append(MailRequest(UNREADABLE, (line,), Message("desk.too-many", {"most": MOST})))
                break
            if self._takes_phrase(line) or self._takes_army(line):
                continue
            if self._takes_seat(line) or self._takes_campaign_line(line):
                continue
            request = self._request(line)
            if request.name == UNREADABLE and not unreadable:  # where to find all commands is said once
                told = Message("desk.unreadable", {"line": line[:200], "first": True})
                request = MailRequest(UNREADABLE, request.args, told)
            unreadable += request.name == UNREADABLE
            self._found.append(request)
        return self._found

    def _takes_phrase(self, line: str) -> bool:
        """A `phrase …` line belongs to the command above it."""
        words, last = line.split(), self._found[-1] if self._found else None
        if last is None or last.name not in WITH_PHRASE or folded(words[0]) not in (*PHRASE, *SEAL):
            return False
        self._found[-1] = MailRequest(last.name, (*last.args, line))
        return True

    def _takes_army(self, line: str) -> bool:
        """A line `army LIST`, or `army` and the lines of a file up to `end`, belongs to the `enter` above it."""
        last, words = self._found[-1] if self._found else None, line.split(maxsplit=1)
        if last is None or last.name != ENTER or folded(words[0].rstrip(":")) not in ARMY:
            return False
        brought = " ".join(["army", *words[1:]]) if words[1:] else f"army\n{self._block()}"
        self._found[-1] = MailRequest(last.name, (*last.args, brought))
        return True

    def _takes_campaign_line(self, line: str) -> bool:
        """A line of a campaign; those of the same one that follow each other are given together."""
        if self._campaign is None:
            return False
        found = _campaign_line(line, bool(self._campaign))
        if found is None:
            return False
        campaign = found.campaign or self._campaign
        last = self._found[-1] if self._found else None
        if last is not None and last.name == CAMPAIGN and last.args[0] == campaign:
            lines = f"{last.args[1]}\n{found.text}".strip()
            self._found[-1] = MailRequest(CAMPAIGN, (campaign, lines))
        else:
            self._found.append(MailRequest(CAMPAIGN, (campaign, found.text)))
        return True

    def _takes_seat(self, line: str) -> bool:
        """A line that seats members of a club: they are one list, for the club above them."""
        last = self._found[-1] if self._found else None
        is_below = last is not None and last.name in (SEAT, CLUB)
        if not _seats(line) or (self._campaign is None and not is_below):
            return False
        pairing = line.split(maxsplit=1)[1].strip()
        if last is not None and last.name == SEAT:
            self._found[-1] = MailRequest(SEAT, (*last.args[:-1], f"{last.args[-1]}\n{pairing}"))
        elif last is not None and last.name == CLUB and last.args:
            self._found[-1] = MailRequest(SEAT, (*last.args, pairing))
        else:
            self._found.append(MailRequest(SEAT, ("", pairing)))
        return True

    def _request(self, line: str) -> MailRequest:
        if order := order_in(line):
            return MailRequest(ORDER, ("", order))
        if not reads_as_command(line):
            if folded(_first(line)) in STANDING:
                return MailRequest(ORDER, ("", line))
            return MailRequest(UNREADABLE, (line,), Message("desk.unreadable", {"line": line[:200]}))
        word, _, rest = line.partition(" ")
        name = command_of(word)
        if name == BLOCK:
            return MailRequest("say", self._words(rest.strip()))
        if name == "preview":
            return self._preview(rest.strip())
        if name == "say":
            return MailRequest(name, _with_marked_battle(rest.strip()))
        if name == INVITE:
            return MailRequest(name, self._invitation(rest))
        words = rest.strip().rstrip(".!?;,").split()
        if folded(word) == HELP_IN_FRENCH:
            words.append(FRENCH)
        if name == CAMPAIGN:
            self._campaign = campaign_named(words) or self._campaign
            return MailRequest(name, (self._campaign or "", ""))
        if not COMMANDS[name].about_battle:
            return MailRequest(name, tuple(words))
        battle = _BATTLE.fullmatch(words[0]) if words and not words[0].isdigit() else None
        if battle:
            return MailRequest(name, (battle[1].lower(), *words[1:]))
        return MailRequest(name, ("", *words))

    def _words(self, first: str) -> tuple[str, str]:
        """The words of a `message` block: up to a line `end`, or to the end of the mail."""
        battle, text = _with_marked_battle(first)
        return battle, "\n".join([text, self._block()]).strip()

    def _block(self) -> str:
        """The lines that follow: up to a line `end`, or to the end of the mail."""
        block = []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            self._at += 1
            if folded(line) in END:
                break
            block.append(line)
        return "\n".join(block).strip()

    def _invitation(self, rest: str) -> tuple[str, str, str]:
        """The address, what stands behind it, and the words below: up to `end`, another invitation, or the end."""
        address, _, target = rest.strip().partition(" ")
        words = []
        while self._at < len(self._lines) and not _invites(self._lines[self._at]):
            line = self._lines[self._at]
            self._at += 1
            if folded(line) in END:
                break
            words.append(line)
        return address, target.strip(), "\n".join(words).strip()

    def _preview(self, first: str) -> MailRequest:
        """The lines to be tried: of a battle, or of the campaign whose letter is answered, or that stands above."""
        battle, script = self._script(first)
        if battle or not self._campaign:
            return MailRequest("preview", (battle, script))
        lines = [line.strip() for line in script.split("\n") if line.strip() and not line.startswith("#")]
        return MailRequest("preview-lines", (self._campaign, "\n".join(lines)))

    def _script(self, first: str) -> tuple[str, str]:
        """The lines to be tried: everything that follows."""
        battle, text = _with_marked_battle(first)
        script = "\n".join([text, *self._lines[self._at :]]).strip()
        self._at = len(self._lines)
        return battle, script


def _invites(line: str) -> bool:
    """Whether a line invites somebody: a word about it in a message names no address."""
    words = line.split()
    return len(words) > 1 and command_of(words[0]) == INVITE and "@" in words[1]


def _with_marked_battle(text: str) -> tuple[str, str]:
    """A free text, and the battle named at its beginning, `[abcdefgh]` or `#abcdefgh`."""
    found = _MARKED.match(text)
    if not found:
        return "", text
    return (found[1] or found[2]).lower(), text[found.end() :].strip()


def _marked(prefix: re.Match[str] | None) -> str:
    """The battle that a subject names in brackets, as our letters do."""
    found = _MARKED.search(prefix[0]) if prefix else None
    return (found[1] or found[2]).lower() if found else ""
