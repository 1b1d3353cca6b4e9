"""The parts of which the report of a campaign is put together, and who tells them."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from domain.campaign.state import CampaignState
from domain.campaign.theatre.map_scene import MapScene
from replay.reports.account.short import BattleInShort
from replay.telling.words.forms import Speaker
from replay.telling.words.sentences import fragment, phrase

WORDS = "campaign-report"
"""Where the catalogue has the texts of this report."""


class ToldLine(Struct, frozen=True):
    """A line, and the address on a server of what it is about; "" for nothing."""

    text: str
    link: str = ""


class ReportTable(Struct, frozen=True):
    """A table: its heading, the heads of its columns, its rows, and what explains it ("" for nothing). The column
    `name` is set to the left, the others to the right."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    name: int = 1


class ReportBoard(Struct, frozen=True):
    """A battle of a campaign: who met whom in what, how it came out, its story ("" where its file is not there), and
    the lines of what it left."""

    place: str
    title: str
    under: str
    result: str
    story: str
    link: str
    left: tuple[ToldLine, ...] = ()


class ReportChapter(Struct, frozen=True):
    """A chapter: its title, when it was, its paragraphs, its battles, what else happened, how it stood at its end, and
    the map then where the campaign has one."""

    title: str
    when: str
    paragraphs: tuple[str, ...]
    boards: tuple[ReportBoard, ...] = ()
    notes: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    map: MapScene | None = None


class Roll(Struct, frozen=True):
    """A list of honour or of loss: its title, and who is on it."""

    title: str
    groups: tuple[tuple[str, tuple[ToldLine, ...]], ...]


class ReportTeller(Struct, frozen=True):
    """Tells a campaign in a language.

    Shape: `shorts` are its battles in short by id, as far as their files are there; `base` is the address of the
           server that has them, "" where nothing is linked
    """

    state: CampaignState
    shorts: Mapping[str, BattleInShort]
    lang: str
    base: str = ""

    def say(self, msgid: str, **params: Any) -> str:
        """A sentence of this report."""
        return phrase(f"{WORDS}.{msgid}", params, self.lang)

    def part(self, msgid: str, **params: Any) -> str:
        """A part of a sentence of this report."""
        return fragment(f"{WORDS}.{msgid}", params, self.lang)

    def name(self, entrant: str) -> str:
        """How an entrant is called at the end."""
        return self.state.entrants[entrant].name

    def names(self, entrants: Any) -> str:
        """How several are called, one after the other."""
        return Speaker({}, self.lang).join(list(map(self.name, entrants)))

    def battle(self, battle: str, n: int = 0) -> str:
        """The address of a battle, or of what an event of it was; "" where nothing is linked."""
        if not self.base or not battle:
            return ""
        return f"{self.base}/battles/{battle}/why/{n}" if n else f"{self.base}/battles/{battle}"
