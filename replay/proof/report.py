"""What a verdict on a battle file consists of (`replay.proof.verify`)."""

from msgspec import Struct

from domain.events.battle import Branch
from domain.log.record import PBEM_2_1
from replay.proof.authority import SettledAct
from replay.proof.histories import Fork
from replay.proof.protocol import SeatReport
from replay.proof.scenario import ScenarioTold
from replay.proof.seen import WitnessReport


class Fault(Struct, frozen=True):
    """A fault: its event (0 for the header, or the file as a whole), its stable code, and a sentence."""

    n: int
    what: str
    sentence: str


class FileReport(Struct, frozen=True, kw_only=True):
    """What every verdict says first: the exit code, the version of the file (0 if it could not be read), why a file of
    a later one cannot be judged here, and the first fault."""

    exit: int
    version: int = 0
    later: str = ""
    fault: Fault | None = None


class ProvenHead(Struct, frozen=True):
    """An earlier head of this very log, and where it was found."""

    n: int
    source: str


class BotOrders(Struct, frozen=True):
    """How many orders a bot has given at a seat: those that it would give again, or those that were left out, and why
    (`replay.proof.bots`). `bot` is its name and version, "" where the log has none."""

    side: str
    bot: str
    orders: int
    left_out: str = ""


class Report(FileReport, frozen=True, kw_only=True):
    """The findings.

    `ended` says that the battle is over, `signed` that a signature of the host closes the file, `trusted` that the
    reader supplied the key, `kid` the host's first key as people compare it. Of the `draws`, `checked` recompute,
    `bound` are of the turn in progress, `secret` are one side's; `unknown_cards` are of a game whose decks nobody
    here knows. `continued_from` is the first index whose keys the first event does not bind, 0 if there is none.
    `unopened` are the events still sealed, `not_judged` those that the rules could not be asked about, `excused`
    pairs of an event and the sealed one that excuses it. `corrected` counts the facts that an umpire has set, which
    the rules take as given. `judged` counts the inputs judged by the rules. `other_rules` are the versions that
    judged and are not ours, `install` a sentence for each. `two_histories` is where another file differs. `branch` is
    where a branch begins, None for other battles; `is_of_source` says that a source was there and has that position.
    `scenario` says what the scenario gave, and which it is.
    `bots` are the orders of bots, None where nobody has asked for them (`replay.proof.bots`).
    `witnessed` is what the log of the host and its witnesses say of it.
    """

    battle: str = ""
    host: str = ""
    ruleset: str = ""
    events: int = 0
    head: str = ""
    ended: bool = False
    signed: bool = False
    key: str = ""
    fingerprint: str = ""
    kid: str = ""
    trusted: bool = False
    heads: tuple[ProvenHead, ...] = ()
    draws: int = 0
    checked: int = 0
    bound: int = 0
    secret: int = 0
    unknown_cards: int = 0
    continued_from: int = 0
    seats: tuple[SeatReport, ...] = ()
    listed: tuple[SettledAct, ...] = ()
    unopened: tuple[int, ...] = ()
    judged: int = 0
    not_judged: tuple[int, ...] = ()
    excused: tuple[tuple[int, int], ...] = ()
    corrected: int = 0
    other_rules: tuple[str, ...] = ()
    install: tuple[str, ...] = ()
    two_histories: Fork | None = None
    branch: Branch | None = None
    is_of_source: bool = False
    scenario: ScenarioTold = ScenarioTold()
    witnessed: WitnessReport | None = None
    bots: tuple[BotOrders, ...] | None = None

    @property
    def is_unwitnessed(self) -> bool:
        """Whether the reader believes witnesses of whom too few have seen this history."""
        return self.witnessed is not None and self.witnessed.has_policy and not self.witnessed.before

    @property
    def is_open(self) -> bool:
        """Whether something of it can be judged only later."""
        is_sealed = self.unopened or self.not_judged or self.excused
        return bool(self.bound or self.secret or self.continued_from or is_sealed or self.keys_to_come)

    @property
    def keys_to_come(self) -> bool:
        """Whether the host has still to show keys: from header version 3 on no running battle is judged whole, not even
        between turns."""
        return self.version >= PBEM_2_1 and not self.ended
