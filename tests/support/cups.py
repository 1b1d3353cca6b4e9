"""A cup or ladder that a test plays: what people and the clock do, with stacked or counted lots.

Times are days from the first day that a log may have.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.basics.pace import DAY_MS, moment_of
from domain.campaign.acts import LineGiver, input_of, opening
from domain.campaign.config import resolved
from domain.campaign.deadlines import due
from domain.campaign.decide import decide
from domain.campaign.events import EntrantJoined, ReserveJoined, ResultCounted, RoleGiven
from domain.campaign.evolve import START, folded
from domain.campaign.judge import Circumstances
from domain.campaign.notation import read_order
from domain.campaign.standings import standings
from domain.campaign.state import Officer, contest_of
from domain.contract.campaign_book import CampaignBook
from domain.events.battle import Event, Fact
from replay.telling.words import LANGUAGES, refusal_sentence

START_MS = moment_of("2000-01-01T00:00:00.000Z")
ORGANISER = "olga"
Kept = tuple[int, int]
"""Thousandths, of south and of north."""
TIME = {"show": "", "round": "60d", "grace": "7d"}


class CountedLots:
    """Lots that take the first of what is left, or any by a seed, unless others are stacked; every draw is noted."""

    def __init__(self, stacked: Iterable[int] = (), random: Random | None = None) -> None:
        self.stacked = deque(stacked)
        self.random = random
        self.drawn: list[tuple[str, int, int]] = []
        self.faces: list[tuple[str, str]] = []

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        any_one = self.random.randrange(sides) if self.random else 0
        face = (self.stacked.popleft() if self.stacked else any_one) + 1
        self.drawn.append((scope, sides, t))
        self.faces.append((scope, str(face)))
        return face

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        raise AssertionError(scope)


class JudgedInput(Struct, frozen=True):
    """An input as it was judged: by what, what followed, and what was drawn for it."""

    given: Circumstances
    facts: tuple[Fact, ...]
    faces: tuple[tuple[str, str], ...]


class PlayedCampaign:
    """A campaign as far as it was played: `facts` are the whole log, `blocks` its inputs behind the first."""

    book: CampaignBook | None = None
    """What the game says of armies, where they live on."""

    def __init__(self, kind: str = "cup", lots: Iterable[int] = (), **tables: Any) -> None:
        table = {"campaign": kind, "title": "A cup", "ruleset": "toy", "time": TIME, **tables}
        self.lots = CountedLots(lots)
        self.facts: list[Fact] = [opening(resolved(table), Officer(ORGANISER, "Olga"))]
        self.state = folded(START, self.facts)
        self.blocks: list[JudgedInput] = []
        self.day = 0
        self.shown: dict[str, frozenset[str]] = {}
        self.turned: set[str] = set()
        self.stopped: set[str] = set()
        self.battles = 0

    # --- what is done

    def enter(self, *players: str, **members: Any) -> None:
        """Players enter, each under their own name."""
        for player in players:
            self.take(Fact(player, "", EntrantJoined(player, player, player.title(), **members)))

    def reserve(self, *players: str) -> None:
        for player in players:
            self.take(Fact(player, "", ReserveJoined(player, player.title())))

    def umpired_by(self, player: str) -> None:
        self.take(Fact("organiser", "", RoleGiven("umpire", player, player.title())))

    def say(self, player: str, line: str, known: str | None = None) -> list[Any]:
        """An order line; names are players in small letters unless it is said whom the host knows. The consequences."""
        order = read_order(line)
        named = order.name.lower() if known is None else known
        return self.take(input_of(self.state, order, LineGiver(player), named))

    def end(
        self, board: str, winner: str = "south", kept: tuple[int, int] = (400, 0), how: str = "medals", **left: Any
    ) -> list[Any]:
        """The battle of a board has ended, and has left this of its forces; the consequences."""
        return self.take(self.result(board, winner, kept, how, **left))

    def result(
        self,
        board: str,
        winner: str = "south",
        kept: Kept = (400, 0),
        how: str = "medals",
        battle: str = "",
        **left: Any,
    ) -> Fact:
        """What a steward finds of the battle of a board, or of another one."""
        found = self.state.boards.get(board)
        south, north = kept
        event = ResultCounted(
            board=board,
            battle=battle or (found.battle if found else "none"),
            n=9,
            hash="00",
            winner=winner,
            how=how,
            kept={"south": south, "north": north},
            rated=True,
            **left,
        )
        return Fact("server", event.RULE, event)

    def wait(self, day: int) -> list[Any]:
        """The day comes, and the clock fires what is due. All events of it."""
        self.day, before = day, len(self.facts)
        while (fired := due(self.state, self.given())) is not None:
            self.take(fired)
        return [fact.event for fact in self.facts[before:]]

    def take(self, fact: Fact) -> list[Any]:
        given, before = self.given(), len(self.lots.faces)
        facts = decide(self.state, fact, given)
        self.facts += [fact, *facts]
        self.blocks.append(JudgedInput(given, (fact, *facts), tuple(self.lots.faces[before:])))
        self.state = folded(self.state, [fact, *facts])
        return [fact.event for fact in facts]

    def given(self) -> Circumstances:
        return Circumstances(
            at=START_MS + self.day * DAY_MS,
            chance=self.lots,
            battle=self._battle,
            scenario=lambda place: "00",
            shown=dict(self.shown),
            turned=frozenset(self.turned),
            book=self.book,
            is_stopped=self.stopped.__contains__,
        )

    def _battle(self, place: object) -> str:
        self.battles += 1
        return f"b{self.battles}"

    # --- what is looked at

    def pairs(self, number: int) -> list[tuple[str, str]]:
        """The pairs of a round, in order of boards."""
        return [self.state.boards[name].place.pair for name in self.state.rounds[number - 1].boards]

    def running(self) -> list[str]:
        return [n for each in self.state.rounds for n in each.boards if self.state.boards[n].is_running]

    def table(self) -> list[tuple[str, int]]:
        """Who stands where, with points."""
        rows = standings(contest_of(self.state), self.state.cup.tiebreaks)
        return [(row.entrant, row.points) for row in rows]

    def refused(self, player: str, line: str, known: str | None = None) -> tuple[str, str]:
        """Code and rule with which a line is refused; nothing has changed by it."""
        before = self.state
        try:
            self.say(player, line, known)
        except Refusal as refusal:
            assert self.state == before
            assert all("{" not in refusal_sentence(refusal, lang) for lang in LANGUAGES)
            return refusal.code, refusal.rule
        raise AssertionError(f"{line} was accepted")


def swiss(*players: str, rounds: int = 2, begun: bool = True, **more: Any) -> PlayedCampaign:
    """A Swiss cup of some players in the order of their rank numbers."""
    return _cup({"system": "swiss", "rounds": rounds}, players, begun, more)


def round_robin(*players: str, begun: bool = True, **more: Any) -> PlayedCampaign:
    """A round robin, all at once."""
    return _cup({"system": "round-robin"}, players, begun, more)


def knock_out(*players: str, begun: bool = True, **more: Any) -> PlayedCampaign:
    """A knock-out; of two equal ones south goes on."""
    return _cup({"system": "knock-out"}, players, begun, more)


def _cup(cup: dict[str, Any], players: Sequence[str], begun: bool, more: Mapping[str, Any]) -> PlayedCampaign:
    tables = {key: value for key, value in more.items() if key in ("entry", "time", "ladder", "battle", "season")}
    own = {key: value for key, value in more.items() if key not in tables and key != "lots"}
    played = PlayedCampaign(cup={**cup, **own}, lots=more.get("lots", ()), **tables)
    played.enter(*players)
    if begun:
        played.say(ORGANISER, "begin")
    return played


def names(events: Iterable[Event]) -> list[str]:
    """The types of events."""
    return [type(event).__name__ for event in events]
