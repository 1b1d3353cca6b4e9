"""Fold the events of a campaign into its ledger (CAM-CAR-06: the ledger remembers).

A `LedgerBook` is fed with the events in order. It asks no rule: what became of an element is what the log says. What is
sealed to whoever reads tells it nothing, and what a node does not carry on is in no record (CAM-CAR-08).
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from domain.basics.seats import SOUTH_AND_NORTH
from domain.campaign.events import ResultCounted, TableResult
from domain.campaign.evolve import START, evolve
from domain.campaign.force_events import ForceJoined
from domain.campaign.forces.fielding import read
from domain.campaign.forces.nodes import carries
from domain.campaign.known import told
from domain.campaign.state import BoardState, CampaignState
from domain.campaign.theatre.events import (
    ElementFared,
    ElementPromoted,
    ForceLost,
    ForceOverrun,
    HonourWon,
    LeaderRansomed,
    LeaderReplaced,
    UnitDismissed,
    UnitLost,
    UnitRaised,
)
from domain.campaign.theatre.order_events import OrdersClosed
from domain.campaign.theatre.retreat import EMPTY
from domain.campaign.theatre.state import ElementState, ForceState, Theatre, force_of
from domain.contract.campaign_book import UNIT, WELL, WHOLE
from domain.events.event import Event
from projections.ledger import records
from projections.ledger.records import CampaignLedger, ForceLedger, ServiceEntry, ServiceRecord

SIDES = SOUTH_AND_NORTH.names
OTHER = dict(zip(SIDES, reversed(SIDES), strict=True))
Key = tuple[str, str]
"""Force and element."""


class LedgerBook:
    """The ledger of one campaign. `last` is the newest event that it was fed with."""

    def __init__(self, start: CampaignState = START) -> None:
        self.last = start.n
        self.state = start
        self._first: dict[Key, str] = {}
        self._points: dict[str, int] = {}
        self._entries: dict[Key, list[ServiceEntry]] = {}
        self._untold: list[ElementFared] = []
        self._from: ServiceEntry | None = None
        """What the fates that follow come from: a battle, or an overrun."""

    def feed(self, n: int, event: Event) -> None:
        """Go on behind the next event of the log."""
        self.last = n
        for each in told(self._theatre, event):
            write = _TOLD.get(type(each))
            if write is not None:
                write(self, n, each)
        self.state = evolve(self.state, event)

    @property
    def _theatre(self) -> Theatre:
        return self.state.theatre

    def ledger(self) -> CampaignLedger:
        """The ledger as it stands."""
        powers = {power: at for at, power in enumerate(self._theatre.powers)}
        forces = sorted(self._theatre.forces.values(), key=lambda force: (powers[force.power], force.id))
        return CampaignLedger(tuple(self._force(force) for force in forces))

    def _force(self, force: ForceState) -> ForceLedger:
        found = tuple(self._record(force, each) for each in force.elements.values())
        first = self._points.get(force.id, 0)
        return ForceLedger(force.id, force.power, force.area, force.is_lost, force.weight, first, found)

    def _record(self, force: ForceState, each: ElementState) -> ServiceRecord:
        element, key = each.element, (force.id, each.element.id)
        return ServiceRecord(
            force.id,
            element.id,
            element.kind,
            element.group,
            element.troop,
            element.label,
            self._first.get(key, element.label),
            element.points,
            each.now,
            each.captor,
            tuple(self._entries.get(key, ())),
        )

    # --- writing

    def _write(self, force: str, element: str, entry: ServiceEntry) -> None:
        self._entries.setdefault((force, element), []).append(entry)

    def on_force(self, n: int, event: ForceJoined) -> None:
        force = force_of(event.force, event.power, event.area, event.army, event.elements)
        self._points[event.force] = force.weight
        self._first |= {(event.force, each.id): each.label for each in event.elements}

    def on_counted(self, n: int, event: ResultCounted | TableResult) -> None:
        """A battle is a line in the record of everybody who fought it; their fates follow."""
        self._from = None
        board = self.state.boards.get(event.board)
        if board is None or not carries(self.state, board):
            return
        self._from = self._line(n, board)
        for side in SIDES:
            against = tuple(dict.fromkeys(force for force, _ in map(read, board.fielded[OTHER[side]])))
            line = replace(self._from, against=against, fared=fared_of(side, event.winner))
            for force, name in map(read, board.fielded[side]):
                each = self._theatre.forces[force].elements.get(name)
                if each is None:  # raised under fog, and known to its alliance alone
                    continue
                usual = WHOLE if each.element.kind == UNIT else WELL
                fate = (event.fates or {}).get(force, {}).get(name, usual)
                self._write(force, name, replace(line, fate=fate, now=each.now))

    def _line(self, n: int, board: BoardState) -> ServiceEntry:
        return ServiceEntry(
            n=n,
            round=board.place.round,
            what=records.BATTLE,
            board=board.place.name,
            battle=board.battle,
            title=board.title,
        )

    def on_overrun(self, n: int, event: ForceOverrun) -> None:
        """Under fog it is told behind what it has cost (CAM-FOG-01), and to both alliances."""
        self._from = ServiceEntry(n=n, round=self.state.round, what=records.OVERRUN, area=event.area, by=event.alliance)
        untold, self._untold = self._untold, []
        for fared in untold:
            if fared.force in event.forces:
                self.on_fared(n, fared)
            else:
                self._untold.append(fared)

    def on_closed(self, n: int, event: OrdersClosed) -> None:
        """What is fared from here on comes from no battle before."""
        self._from, self._untold = None, []

    def on_fared(self, n: int, event: ElementFared) -> None:
        """What became of an element, in the line of the battle from which it comes."""
        needed = event.needed if isinstance(event.needed, int) else 0
        die = event.die if isinstance(event.die, int) else 0
        fate = {"fate": event.fate, "needed": needed, "die": die, "now": event.now}
        lines, cause = self._entries.setdefault((event.force, event.element), []), self._from
        if cause is None:
            self._untold.append(event)
            return
        is_same = bool(lines) and lines[-1].n == cause.n and lines[-1].what == cause.what
        told = replace(lines.pop() if is_same else cause, **fate, **({"by": event.to} if event.to else {}))
        lines.append(told)

    def on_replaced(self, n: int, event: LeaderReplaced) -> None:
        """The one is succeeded, the other is appointed."""
        self._add(n, event.force, event.leader, records.SUCCEEDED, by=event.by, was=event.reason)
        self._add(n, event.force, event.by, records.APPOINTED, by=event.leader, was=event.reason)

    def on_ransomed(self, n: int, event: LeaderRansomed) -> None:
        self._add(n, event.force, event.leader, records.RANSOMED, by=event.to, points=event.points)
        force = self._theatre.forces[event.force]
        for each in force.leaders:
            if each.stands_for:
                self._add(n, event.force, each.element.id, records.RELIEVED, by=event.leader)

    def on_honour(self, n: int, event: HonourWon) -> None:
        told = {"honour": event.honour, "event": event.n, "total": event.total, "battle": event.battle}
        place = self._from if self._from is not None and self._from.battle == event.battle else None
        where = {"board": place.board, "title": place.title} if place else {}
        self._add(n, event.force, event.element, records.HONOUR, **told, **where)

    def on_promoted(self, n: int, event: ElementPromoted) -> None:
        self._add(n, event.force, event.element, records.PROMOTED, was=event.was, now=event.now, points=event.points)

    def on_raised(self, n: int, event: UnitRaised) -> None:
        area = self._theatre.forces[event.force].area
        self._first[event.force, event.unit] = event.quality
        self._add(n, event.force, event.unit, records.RAISED, now=event.quality, points=event.points, area=area)

    def on_dismissed(self, n: int, event: UnitDismissed) -> None:
        self._add(n, event.force, event.unit, records.DISMISSED, area=self._theatre.forces[event.force].area)

    def on_unit_lost(self, n: int, event: UnitLost) -> None:
        cause = records.STORM if event.cause == records.STORM else records.HUNGER
        self._add(n, event.force, event.unit, cause, area=self._theatre.forces[event.force].area)

    def on_force_lost(self, n: int, event: ForceLost) -> None:
        """With a force goes who is left of it: nobody where it was lost because it was empty, but its leaders."""
        for name, each in self._theatre.forces[event.force].elements.items():
            if each.is_here and (each.element.kind != UNIT or event.reason != EMPTY):
                self._add(n, event.force, name, records.SURROUNDED, area=event.at, was=event.reason)

    def _add(self, n: int, force: str, element: str, what: str, **told: Any) -> None:
        self._write(force, element, ServiceEntry(n=n, round=self.state.round, what=what, **told))


_TOLD: Mapping[type[Event], Callable[[LedgerBook, int, Any], None]] = {
    ForceJoined: LedgerBook.on_force,
    ResultCounted: LedgerBook.on_counted,
    TableResult: LedgerBook.on_counted,
    OrdersClosed: LedgerBook.on_closed,
    ForceOverrun: LedgerBook.on_overrun,
    ElementFared: LedgerBook.on_fared,
    LeaderReplaced: LedgerBook.on_replaced,
    LeaderRansomed: LedgerBook.on_ransomed,
    HonourWon: LedgerBook.on_honour,
    ElementPromoted: LedgerBook.on_promoted,
    UnitRaised: LedgerBook.on_raised,
    UnitDismissed: LedgerBook.on_dismissed,
    UnitLost: LedgerBook.on_unit_lost,
    ForceLost: LedgerBook.on_force_lost,
}


def fared_of(side: str, winner: str) -> str:
    """How a side came out of a battle that `winner` has won, "" for a draw."""
    if not winner:
        return records.DRAWN
    return records.WON if side == winner else records.LOST_BATTLE


def ledger_of(events: Iterable[Event]) -> CampaignLedger:
    """The ledger that the events of a log make."""
    book = LedgerBook()
    for n, event in enumerate(events, 1):
        book.feed(n, event)
    return book.ledger()
