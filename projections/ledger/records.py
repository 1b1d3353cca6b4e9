"""What a ledger consists of: service records, the forces that they belong to, the entrants whose forces they are."""

from collections.abc import Iterator

from msgspec import Struct

from domain.contract.campaign_book import FIT, GONE, RESTING, UNIT

BATTLE, OVERRUN, HONOUR, PROMOTED, RAISED = "battle", "overrun", "honour", "promoted", "raised"
DISMISSED, STORM, HUNGER, SURROUNDED = "dismissed", "storm", "hunger", "surrounded"
SUCCEEDED, APPOINTED, RANSOMED, RELIEVED = "succeeded", "appointed", "ransomed", "relieved"
"""What an entry tells: a battle, an enemy who was too strong, an honour, a promotion; of a unit how it came and went
without a battle; of a leader who took the place (`succeeded`) or whose place they took (`appointed`), who came back for
points, and who gave the place back to them (`relieved`)."""
WON, DRAWN, LOST_BATTLE = "won", "drawn", "lost"


class ServiceEntry(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A line of a service record, written down by event `n` of the campaign in a round (0: before the first).

    Shape: of a battle its board, its id, its title, the forces of the other side, how the side `fared` (won, drawn,
           lost), the `fate` of the element, the number `needed` by the `die` (0: no die was thrown), and what the
           element was `now`; of an honour which one, the `event` of the battle that won it, and how many it has
           made; of a promotion what the unit `was` and is `now`; `by` is another leader, a power, or an alliance;
           `area` where it was, `points` what was paid
    """

    n: int
    round: int
    what: str
    board: str = ""
    battle: str = ""
    title: str = ""
    against: tuple[str, ...] = ()
    fared: str = ""
    fate: str = ""
    needed: int = 0
    die: int = 0
    now: str = ""
    honour: str = ""
    event: int = 0
    total: int = 0
    was: str = ""
    by: str = ""
    area: str = ""
    points: int = 0


class ServiceRecord(Struct, frozen=True):
    """A unit or a leader: what it is, what it was at first, what has become of it (`fit gone captured resting`), and
    its life in the order in which it was written down.

    Shape: `kind` unit or leader; `group` its part of the army; `troop` what it is, `label` how good now, `first` how
           good at first; `points` its price now; `captor` the power that holds a captured leader
    """

    force: str
    element: str
    kind: str
    group: str
    troop: str
    label: str
    first: str
    points: int
    now: str
    captor: str
    entries: tuple[ServiceEntry, ...]

    @property
    def is_here(self) -> bool:
        """Whether it is with its force."""
        return self.now in (FIT, RESTING)

    @property
    def is_unit(self) -> bool:
        """Whether it is a unit."""
        return self.kind == UNIT

    @property
    def battles(self) -> tuple[ServiceEntry, ...]:
        """The battles that it has fought."""
        return tuple(entry for entry in self.entries if entry.what == BATTLE)

    @property
    def honours(self) -> tuple[ServiceEntry, ...]:
        """What it has won, the earliest first."""
        return tuple(entry for entry in self.entries if entry.what == HONOUR)

    @property
    def promotions(self) -> tuple[ServiceEntry, ...]:
        """The steps that it has risen."""
        return tuple(entry for entry in self.entries if entry.what == PROMOTED)

    @property
    def end(self) -> ServiceEntry | None:
        """What it was lost by; None while it is there, and of a leader who is a captive."""
        if self.now != GONE:
            return None
        ends = [one for one in self.entries if one.now == GONE or one.what in (DISMISSED, STORM, HUNGER, SURROUNDED)]
        return ends[-1] if ends else None

    def titles(self) -> Iterator[tuple[int, str, tuple[str, ...]]]:
        """What it has been called, as it grew: since which round, how good it was, and the honours that it had, each
        named once."""
        label, honours = self.first, list[str]()
        yield 0, label, ()
        for entry in self.entries:
            if entry.what == PROMOTED:
                label = entry.now
            elif entry.what == HONOUR and entry.honour not in honours:
                honours.append(entry.honour)
            else:
                continue
            yield entry.round, label, tuple(honours)

    def fought(self, how: str) -> int:
        """How many battles its side has won, drawn or lost with it."""
        return sum(entry.fared == how for entry in self.battles)


class ForceLedger(Struct, frozen=True):
    """A force: its power, its elements in the order of the roster, and what its units are worth now and were at
    first. `area` is where it stands, "" off the map and for a force that `is_lost`."""

    force: str
    power: str
    area: str
    is_lost: bool
    points: int
    first_points: int
    records: tuple[ServiceRecord, ...]

    @property
    def units(self) -> tuple[ServiceRecord, ...]:
        """Its units, also those that are gone."""
        return tuple(record for record in self.records if record.is_unit)

    @property
    def leaders(self) -> tuple[ServiceRecord, ...]:
        """Its leaders, also those who are gone."""
        return tuple(record for record in self.records if not record.is_unit)

    @property
    def present(self) -> tuple[ServiceRecord, ...]:
        """The units that it has."""
        return tuple(record for record in self.units if record.is_here)

    @property
    def battles(self) -> dict[str, ServiceEntry]:
        """The battles that it fought, by id, each as one of its elements has it."""
        return {entry.battle: entry for record in self.records for entry in record.battles}

    def record(self, element: str) -> ServiceRecord | None:
        """The record of an element; None if the force never had it."""
        return next((record for record in self.records if record.element == element), None)


class CampaignLedger(Struct, frozen=True):
    """The forces of a campaign: in the order of their powers, then by id."""

    forces: tuple[ForceLedger, ...] = ()

    def force(self, name: str) -> ForceLedger | None:
        """A force by its id; None if there is none."""
        return next((force for force in self.forces if force.force == name), None)

    def of(self, power: str) -> tuple[ForceLedger, ...]:
        """The forces of a power."""
        return tuple(force for force in self.forces if force.power == power)

    @property
    def powers(self) -> tuple[str, ...]:
        """The powers that have had forces."""
        return tuple(dict.fromkeys(force.power for force in self.forces))
