"""The ask `course`: a whole cup, step by step, with stacked lots and what is known of its battles.

Times are whole days. Behind each step the clock fires what is due, and what is cut off is adjudicated by what is known,
as the steward of a host does it.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from domain.basics.errors import Refusal
from domain.basics.pace import DAY_MS, moment_of
from domain.campaign.acts import LineGiver, input_of, opening
from domain.campaign.boards import Place
from domain.campaign.config import CampaignConfig, resolved
from domain.campaign.deadlines import due
from domain.campaign.decide import decide
from domain.campaign.events import CampaignOpened, EntrantJoined, ReserveJoined, ResultCounted
from domain.campaign.evolve import START, folded
from domain.campaign.judge import SERVER, Circumstances
from domain.campaign.kept import adjudicated, kept
from domain.campaign.notation import read_order
from domain.campaign.standings import SWISS_TIE_BREAKS, standings
from domain.campaign.state import SIDES, BoardState, CampaignState, Officer, contest_of
from domain.events.battle import ContributionGiven, Fact, OrderAccepted
from domain.log.chance import DeckTooShort, NoSuchFace, StackedChance
from replay.bench.bench import UnreadableCase
from replay.lab.campaign.answer import Answer, Case, Row, question

START_MS = moment_of("2000-01-01T00:00:00.000Z")
"""Day 0 of a case: the first that a log may have."""
OFFICES = ("organiser", "umpire")
MOMENTS = ("deadline", "until", "show")
ENTER, RESERVE = "enter", "enter reserve"
MOST_DAYS = 100_000
UNTOLD = (CampaignOpened, ContributionGiven, OrderAccepted)
"""What a case does not list."""


class _Ended(Struct, forbid_unknown_fields=True):
    board: str
    winner: Literal["south", "north", ""]
    how: str
    start: tuple[int, int]
    now: tuple[int, int]


class _Running(Struct, forbid_unknown_fields=True):
    shown: list[str] = []
    turned: bool = False
    start: dict[str, int] = {}
    now: dict[str, int] = {}


class _Step(Struct, forbid_unknown_fields=True):
    at: Annotated[int, Meta(ge=0, le=MOST_DAYS)]
    who: str = ""
    do: str = ""
    ended: _Ended | None = None
    running: dict[str, _Running] | None = None


class _Course(Struct, forbid_unknown_fields=True):
    cup: dict[str, Any]
    step: list[_Step]
    time: dict[str, Any] = {}
    lots: list[int] = []


def course(case: Case) -> Answer:
    """Play the steps, and give the table that comes of them."""
    wanted: _Course = question(case, _Course)
    played = _Played(_config(wanted), wanted.lots)
    for number, step in enumerate(wanted.step, 1):
        played.take(number, step)
    events = [_row(number, fact) for number, fact in enumerate(played.told, 1)]
    return Answer(_final(played.state), events, played.rejections)


def _config(wanted: _Course) -> CampaignConfig:
    """The file that a case stands for. It names no tie-breaks where it shows those of a Swiss cup (decision 57)."""
    cup = {"tiebreaks": list(SWISS_TIE_BREAKS), **wanted.cup}
    entry = {key: cup.pop(key) for key in ("least", "most", "late", "closes") if key in cup}
    lengths = {key: f"{value}d" if isinstance(value, int) else value for key, value in wanted.time.items()}
    table = {"campaign": "cup", "title": "A case", "ruleset": "lab", "cup": cup, "entry": entry}
    try:
        return resolved({**table, "time": {"show": "", **lengths}})
    except Refusal as refusal:
        raise UnreadableCase(f"{refusal.code}: {refusal.params['key']}") from None


class _Played:
    """A cup as far as it was played. `told` are the facts that a case lists."""

    def __init__(self, config: CampaignConfig, lots: Sequence[int]) -> None:
        self.chance = StackedChance({"lots": [number + 1 for number in lots]})
        self.told: list[Fact] = []
        self.rejections: list[Row] = []
        self.running: Mapping[str, _Running] = {}
        self.battles = 0
        self.state = folded(START, [opening(config, Officer("organiser", "organiser"))])

    def take(self, number: int, step: _Step) -> None:
        """A step, then what the clock and the steward find."""
        if step.running is not None:
            self.running = step.running
        try:
            if step.do or step.ended:
                self._enter(self._input(step), step.at)
            while (fired := due(self.state, self._given(step.at))) is not None:
                self._enter(fired, step.at)
                self._end_cut(step.at)
        except Refusal as refusal:
            self.rejections.append({"order": number, "code": refusal.code})
        except DeckTooShort:
            raise UnreadableCase(f"step {number} draws more lots than the case has") from None
        except NoSuchFace:
            raise UnreadableCase(f"step {number} draws a lot that there is not") from None

    def _input(self, step: _Step) -> Fact:
        if step.ended is not None:
            end = step.ended
            return self._counted(end.board, end.winner, end.how, kept(end.how, end.winner, end.start, end.now))
        if step.do in (ENTER, RESERVE):
            who = step.who
            joined = ReserveJoined(who, who) if step.do == RESERVE else EntrantJoined(who, who, who)
            return Fact(who, joined.RULE, joined)
        order = read_order(step.do)
        player = self.state.organiser.player if step.who in OFFICES else step.who
        return input_of(self.state, order, LineGiver(player), order.name)

    def _counted(self, board: str, winner: str, how: str, left: tuple[int, int]) -> Fact:
        found = self.state.boards.get(board)
        event = ResultCounted(
            board=board,
            battle=found.battle if found else "",
            n=1,
            hash="",
            winner=winner,
            how=how,
            kept=dict(zip(SIDES, left, strict=True)),
            rated=False,
        )
        return Fact(SERVER, event.RULE, event)

    def _enter(self, fact: Fact, day: int) -> None:
        facts = (fact, *decide(self.state, fact, self._given(day)))
        self.state = folded(self.state, facts)
        self.told += [fact for fact in facts if not isinstance(fact.event, UNTOLD)]

    def _end_cut(self, day: int) -> None:
        """End what is cut off in its own log, as far as a case knows of it, and count it."""
        for board in [board for board in _running_boards(self.state) if board.is_cut]:
            known = self.running.get(board.place.name, _Running())
            start, now = ([told.get(side, 0) for side in SIDES] for told in (known.start, known.now))
            winner, left = adjudicated(start, now)
            self._enter(self._counted(board.place.name, winner, "adjudicated", left), day)

    def _given(self, day: int) -> Circumstances:
        return Circumstances(
            at=START_MS + day * DAY_MS,
            chance=self.chance,
            battle=self._battle,
            scenario=lambda place: sha256(place.name.encode()).hexdigest(),
            shown={name: frozenset(known.shown) for name, known in self.running.items()},
            turned=frozenset(name for name, known in self.running.items() if known.turned),
        )

    def _battle(self, place: Place) -> str:
        self.battles += 1
        return f"battle-{self.battles}"


def _running_boards(state: CampaignState) -> list[BoardState]:
    found = (state.boards[name] for each in state.rounds for name in each.boards)
    return [board for board in found if board.is_running]


def _row(number: int, fact: Fact) -> Row:
    """An event as a case shows it, moments as days."""
    data = dict(msgspec.to_builtins(fact.event))
    days = {key: (moment_of(data[key]) - START_MS) // DAY_MS for key in MOMENTS if key in data}
    return {"n": number, "by": fact.by, "type": type(fact.event).__name__, "rule": fact.rule, "data": {**data, **days}}


def _final(state: CampaignState) -> Row:
    if not state.rounds:
        return {}
    rows = standings(contest_of(state), state.cup.tiebreaks)
    return {
        "round": state.round,
        "table": [[row.entrant, row.points, *(figure.value for figure in row.figures)] for row in rows],
        "running": [board.place.name for board in _running_boards(state)],
    }
